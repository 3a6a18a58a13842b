"""What a build is called: by its tag at a release, else by the time of its commit, in any kind of clone."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from packaging.version import Version

from feltwire import cli
from feltwire.version import program_version

ROOT = Path(__file__).parents[2]
WHO = ("-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false", "-c", "tag.gpgsign=false")
HEADINGS = re.findall(r"^## (\d+\.\d+\.\d+)", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)


def git(folder: Path, *command: str, minute: int = 0) -> str:
    when = f"2030-01-01T00:{minute:02}:00Z"
    env = {"PATH": "/usr/bin:/bin", "HOME": str(folder), "GIT_COMMITTER_DATE": when, "GIT_AUTHOR_DATE": when}
    called = subprocess.run(
        ("git", *WHO, *command), cwd=folder, env=env, check=True, capture_output=True, text=True
    )
    return called.stdout.strip()


def version_of(folder: Path) -> Version:
    """What a build of this folder would be called."""
    command = (sys.executable, "-I", "-W", "ignore", "setup.py", "-q", "--version")
    called = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True)
    return Version(called.stdout.split()[-1])


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """What makes the version, in a repository of its own with one commit."""
    folder = tmp_path / "project"
    folder.mkdir()
    for name in ("setup.py", "pyproject.toml", "README.md", "CHANGELOG.md", "LICENSE"):
        shutil.copy(ROOT / name, folder)
    git(folder, "init", "-q", "-b", "main")
    commit(folder, minute=1)
    return folder


def commit(folder: Path, *, minute: int) -> None:
    git(folder, "add", "-A", minute=minute)
    git(folder, "commit", "-q", "--allow-empty", "-m", "work", minute=minute)


def next_heading(folder: Path, version: str) -> None:
    path = folder / "CHANGELOG.md"
    path.write_text(path.read_text("utf-8").replace("## ", f"## {version}\n\n- more\n\n## ", 1), "utf-8")


def test_a_later_build_has_a_higher_version_over_a_release(project: Path) -> None:
    first = version_of(project)
    commit(project, minute=2)
    second = version_of(project)
    git(project, "tag", f"v{HEADINGS[0]}")
    release = version_of(project)
    next_heading(project, "9.0.0")
    commit(project, minute=3)
    after = version_of(project)
    assert release == Version(HEADINGS[0])
    assert first < second < release < after < Version("9.0.0")


def test_a_clone_without_history_or_tags_has_the_same_version(project: Path, tmp_path: Path) -> None:
    git(project, "tag", "v0.0.1")
    commit(project, minute=2)
    git(project, "tag", "party-2030")  # no release
    git(tmp_path, "clone", "-q", "--depth", "1", "--no-tags", project.as_uri(), "shallow")
    assert (tmp_path / "shallow" / ".git" / "shallow").exists()
    assert version_of(tmp_path / "shallow") == version_of(project)
    assert version_of(project).dev == 20300101000200


def test_files_that_came_without_git_are_older_than_every_commit(project: Path) -> None:
    known = version_of(project)
    shutil.rmtree(project / ".git")
    assert Version(HEADINGS[-1]) < version_of(project) < known


def test_what_was_changed_since_the_commit_is_said(project: Path) -> None:
    (project / "README.md").write_text("changed\n")
    assert re.search(r"g[0-9a-f]{7,}\.d\d{8}$", str(version_of(project).local))


def test_the_list_of_changes_begins_with_a_version_that_was_not_released() -> None:
    """Whoever releases writes the heading of the next version: else later builds would count as earlier ones."""
    versions = [Version(one) for one in HEADINGS]
    assert versions == sorted(versions, reverse=True)
    tags = subprocess.run(
        ("git", "tag", "--list", "v[0-9]*"), cwd=ROOT, capture_output=True, text=True, check=False
    )
    head = subprocess.run(("git", "tag", "--points-at"), cwd=ROOT, capture_output=True, text=True, check=False)
    released = [Version(tag) for tag in tags.stdout.split() if tag not in head.stdout.split()]
    assert all(versions[0] > one for one in released)


def test_the_program_says_which_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["--version"]) == 0
    said = capsys.readouterr().out
    assert said.startswith(f"Feltwire {program_version()}, Python 3.")
    assert said.endswith(("hand engine: plain Python\n", "hand engine: compiled\n"))
    assert Version(program_version()) > Version("0.1.0")
