"""What somebody gets who installs Feltwire without a clone: the wheel in an empty environment, and the sdist."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import sysconfig
import tarfile
import venv
from dataclasses import dataclass
from email.parser import Parser
from importlib import metadata
from pathlib import Path

import pytest

from feltwire import cli
from tests.ports import free_base

ROOT = Path(__file__).parents[2]
PIP = (sys.executable, "-I", "-m", "pip", "--disable-pip-version-check", "-q")
pytestmark = pytest.mark.slow("builds the sdist, the wheel from it, and installs that")
SCENARIO = ROOT / "tests/scenarios/base/second-option-for-the-third-reason.txt"


def tracked(*folders: str) -> list[str]:
    """The files of the repository in these folders; in an sdist, all files there."""
    listed = subprocess.run(
        ("git", "ls-files", "--", *folders), cwd=ROOT, capture_output=True, text=True, check=False
    )
    if listed.returncode == 0:
        return listed.stdout.splitlines()
    found = [one for folder in folders for one in (ROOT / folder).rglob("*") if one.is_file()]
    return [str(one.relative_to(ROOT)) for one in found if "__pycache__" not in one.parts]


def libraries_of_a_venue() -> set[str]:
    """Files and folders of what the lock of a venue has, as they lie in the environment of these tests."""
    names = re.findall(r"^([a-z0-9-]+)==", (ROOT / "requirements.lock").read_text("utf-8"), re.MULTILINE)
    parts = {file.parts[0] for name in names for file in metadata.files(name) or ()}
    return parts - {"..", "__pycache__"}


@dataclass(frozen=True)
class Installed:
    """`environment` is a virtual environment with the wheel; it sees the libraries of a plain installation."""

    environment: Path
    sdist: Path

    def call(self, *arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
        clean = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
        command = (self.environment / "bin" / "feltwire", *arguments)
        return subprocess.run(
            command, cwd=folder, env=clean, capture_output=True, text=True, check=False, timeout=300
        )

    @property
    def packages(self) -> Path:
        return next(self.environment.glob("lib/python*/site-packages"))

    @property
    def metadata(self) -> Path:
        return next(self.packages.glob("feltwire-*.dist-info"))


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    place = tmp_path_factory.mktemp("package")
    source = place / "source"
    for name in tracked("."):
        target = source / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.symlink_to(ROOT / name)
    build = "from setuptools import build_meta as b; b.build_sdist('dist')"
    subprocess.run(
        (sys.executable, "-I", "-W", "ignore", "-c", build), cwd=source, check=True, capture_output=True
    )
    (sdist,) = (source / "dist").glob("*.tar.gz")
    # The wheel is built from the sdist, as by whoever has no wheel.
    subprocess.run((*PIP, "wheel", "--no-deps", "--no-build-isolation", "-w", place, sdist), check=True)
    (wheel,) = place.glob("*.whl")
    environment = place / "environment"
    venv.create(environment)
    into = (*PIP, "--python", environment / "bin" / "python", "install", "--no-deps", "--no-index", "--no-compile")
    subprocess.run((*into, wheel), check=True)
    found = Installed(environment, sdist)
    libraries = place / "libraries"
    libraries.mkdir()
    for one in libraries_of_a_venue():
        (libraries / one).symlink_to(Path(sysconfig.get_path("purelib")) / one)
    (found.packages / "libraries.pth").write_text(f"{libraries}\n")
    return found


def test_an_installed_wheel_says_its_version_and_plays_a_scenario(installed: Installed, tmp_path: Path) -> None:
    said = installed.call("--version", folder=tmp_path)
    version = installed.metadata.name.removeprefix("feltwire-").removesuffix(".dist-info")
    assert (said.returncode, said.stderr) == (0, "")
    assert said.stdout.startswith(f"Feltwire {version}, Python 3.")
    played = installed.call("scenario", str(SCENARIO), folder=tmp_path)
    assert (played.returncode, played.stderr) == (0, "27 steps, 0 failed\n"), played.stdout


def test_without_the_extra_demo_names_it_in_one_line_and_ends(installed: Installed, tmp_path: Path) -> None:
    for more in (["--headless"], ["--night", "--headless"], []):
        said = installed.call("demo", "--tables", "1", "--port", str(free_base()), *more, folder=tmp_path)
        assert (said.returncode, said.stdout) == (2, "")
        (line,) = said.stderr.splitlines()
        assert "pip install 'feltwire[demo]'" in line


def test_every_command_loads_where_only_a_venues_libraries_are(installed: Installed, tmp_path: Path) -> None:
    said = installed.call("shell", "bash", folder=tmp_path)
    assert (said.returncode, said.stderr) == (0, "")
    assert all(name in said.stdout for name in cli.COMMANDS)


def test_the_wheel_has_services_broker_files_settings_and_rules_as_data_of_the_program(
    installed: Installed,
) -> None:
    wanted = tracked("feltwire/deploy", "table_core/rulebooks", "table_core/rules", "display", "vision/models")
    for name in (*wanted, "firmware_bridge/sim/node/live.mjs"):
        assert (installed.packages / name).read_bytes() == (ROOT / name).read_bytes(), name


def test_the_wheel_brings_documents_locks_and_the_list_of_changes(installed: Installed) -> None:
    documents = installed.environment / "share/doc/feltwire"
    wanted = [*tracked("docs"), "README.md", "CHANGELOG.md"]
    for name in (*wanted, "requirements.lock", "requirements-demo.lock", "requirements-dev.lock"):
        assert (documents / name).read_bytes() == (ROOT / name).read_bytes(), name


def test_the_licence_comes_along_and_is_named(installed: Installed) -> None:
    said = Parser().parsestr((installed.metadata / "METADATA").read_text("utf-8"))
    assert said["License-Expression"] == "Apache-2.0 AND Unicode-3.0 AND MIT AND OFL-1.1 AND CC-BY-4.0"
    for name in said.get_all("License-File", []):
        assert (installed.metadata / "licenses" / name).read_bytes() == (ROOT / name).read_bytes()
    texts = {"LICENSE", "NOTICE", *[f"LICENSES/{path.name}" for path in (ROOT / "LICENSES").iterdir()]}
    assert set(said.get_all("License-File", [])) == texts


def test_the_sdist_has_what_builds_and_tests_it(installed: Installed) -> None:
    with tarfile.open(installed.sdist) as archive:
        inside = {one.name.partition("/")[2] for one in archive if one.isfile()}
    folders = (
        "docs",
        "tests",
        "hardware",
        "LICENSES",
        "feltwire",
        "table_core",
        "display",
        "vision",
        "firmware_bridge",
    )
    wanted = [*tracked(*folders), "LICENSE", "NOTICE", "CHANGELOG.md", "README.md", "Makefile", "setup.py"]
    missing = {*wanted, *(one.name for one in ROOT.glob("requirements*.lock"))} - inside
    assert not missing
