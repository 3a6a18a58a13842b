"""A release out of this clone, installed as on a bare machine: Python alone, no index, no cache."""

from __future__ import annotations

import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from feltwire.install.program_file import REQUIREMENTS, read_release
from feltwire.install.programs import WHOLE, install_program, is_whole, python_here, version_in
from feltwire.install.release_keys import own_key
from tests.room.upgrade.releases import Releases

pytestmark = pytest.mark.slow("downloads the libraries of a venue, builds the wheel, and installs all of it")


@pytest.fixture(scope="module")
def releases(tmp_path_factory: pytest.TempPathFactory) -> Releases:
    return Releases(tmp_path_factory.mktemp("releases"))


@pytest.fixture(scope="module")
def file(releases: Releases) -> Path:
    return releases.made("90.0.0")


@pytest.fixture(scope="module")
def program(file: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    programs = tmp_path_factory.mktemp("programs")
    left = programs / "90.0.0" / "bin"  # what a power cut may have left
    left.mkdir(parents=True)
    (left / "feltwire").write_text("#!/bin/sh\nexit 3\n")
    assert not is_whole(left.parent, read_release(file))
    return install_program(file, read_release(file), programs)


def test_it_says_its_version_and_reads_a_rulebook(program: Path, tmp_path: Path) -> None:
    said = subprocess.run([program / "bin" / "feltwire", "--version"], capture_output=True, text=True, check=True)
    assert said.stdout.startswith(f"Feltwire 90.0.0, Python {python_here()}.")
    rules = [program / "bin" / "feltwire", "rulebook", "settings", "misdeal"]
    assert subprocess.run(rules, cwd=tmp_path, capture_output=True, check=False).returncode == 0


def test_it_knows_who_signed_it_and_that_it_is_whole(releases: Releases, file: Path, program: Path) -> None:
    assert own_key(program) == releases.key.verify_key.encode().hex()
    assert (version_in(program), is_whole(program, read_release(file))) == ("90.0.0", True)
    assert not (program / "wheels").exists()
    before = (program / WHOLE).stat().st_mtime_ns
    assert install_program(file, read_release(file), program.parent) == program
    assert (program / WHOLE).stat().st_mtime_ns == before


def test_every_library_of_the_lock_is_in_it_by_its_hash(file: Path) -> None:
    """Those of the lock, pip, and the program; each Python module of them is installed by what the file says."""
    release = read_release(file)
    lock = (Path(__file__).parents[3] / "requirements.lock").read_text("utf-8")
    named = {line.partition("==")[0] for line in lock.splitlines() if "==" in line and not line.startswith(" ")}
    wheels = release.wheels_for(python_here(), platform.machine())
    found = {name.partition("/")[2].partition("-")[0].replace("_", "-").lower() for name in wheels}
    assert named | {"pip", "feltwire"} == found
    assert REQUIREMENTS in release.files


@pytest.fixture
def of_a_user() -> Iterator[Path]:
    """A folder that a user may write who is not root, without folders above it that only root reads."""
    with tempfile.TemporaryDirectory(prefix="feltwire-user-") as folder:
        yield Path(folder)


def test_python_runs_the_file_and_the_program_takes_over(file: Path, of_a_user: Path) -> None:
    """As a user who is not root, into the user's own folder; called again it is there."""
    there, as_user = of_a_user / file.name, list[str]()
    shutil.copy(file, there)
    if os.geteuid() == 0:  # as root it would go into /opt
        there.chmod(0o644)
        os.chown(of_a_user, 65534, 65534)
        as_user = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    call = [*as_user, "/usr/bin/env", "-i", f"HOME={of_a_user}", "PATH=/usr/bin:/bin", _python(), str(there)]
    for again in (False, True):
        done = subprocess.run([*call, "--version"], cwd="/", capture_output=True, text=True, check=False)
        assert (done.returncode, "is installed into" in done.stderr) == (0, not again), done.stderr
        assert done.stdout.startswith("Feltwire 90.0.0, ")
    assert version_in(of_a_user / ".local/share/feltwire/programs/90.0.0") == "90.0.0"
    shown = subprocess.run(call, cwd="/", capture_output=True, text=True, check=True)
    assert "install --bundle FILE" in shown.stdout


def _python() -> str:
    """One that another user may start, of the version of these tests."""
    for name in ("/usr/bin/python3", "/usr/local/bin/python3"):
        said = subprocess.run([name, "--version"], capture_output=True, text=True, check=False)
        if said.stdout.startswith(f"Python {python_here()}."):
            return name
    return sys.executable


def test_show_finds_it_whole(file: Path, program: Path) -> None:
    done = subprocess.run(
        [program / "bin" / "feltwire", "program", "show", "--json", file],
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout)["version"] == "90.0.0"
