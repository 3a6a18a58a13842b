"""The programs of a machine: a folder a version, and the links `current` and `previous`.

Only Python's own library is used here: the file of a release runs this on a machine that has nothing else.
"""

from __future__ import annotations

import contextlib
import json
import os
import platform
import shutil
import subprocess
import sys
import venv
from pathlib import Path

from feltwire.errors import UsageError
from feltwire.install.program_file import MANIFEST, REQUIREMENTS, SIGNATURE, Release, unpack
from feltwire.private_files import replace, sync_folder

WHOLE = "whole.json"  # the last file that is written into a folder
_ROOM = 5  # times the wheels: themselves, and what they are unpacked


def python_here() -> str:
    return f"{sys.version_info.major}.{sys.version_info.minor}"


def is_whole(folder: Path, release: Release) -> bool:
    """Whether this release was installed there to its end, for this Python."""
    return _mark(folder) == _mark_of(release)


def _mark_of(release: Release) -> dict[str, str]:
    return {"version": release.version, "release": release.sha256, "python": python_here()}


def _mark(folder: Path) -> dict[str, str] | None:
    try:
        found = json.loads((folder / WHOLE).read_bytes())
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) else None


def version_in(folder: Path) -> str:
    """Of a program that was installed to its end; empty for anything else."""
    return str((_mark(folder) or {}).get("version", ""))


def install_program(path: Path, release: Release, programs: Path) -> Path:
    """Install the release at `path` into a folder of its version in `programs`, without network, and return it. It
    is there already where that was done before; what a power cut left of it is made anew.

    Raise `UsageError` for a file that is not whole, a machine that it is not for, and a full disk.
    """
    folder = programs / release.version
    if is_whole(folder, release):
        return folder
    wheels = release.wheels_for(python_here(), platform.machine())
    programs.mkdir(parents=True, exist_ok=True)
    remove(folder)
    needed = _ROOM * sum(release.files[name].size for name in wheels)
    if (free := shutil.disk_usage(programs).free) < needed:
        raise UsageError(f"{programs}: {free // 10**6} MB are free, and {needed // 10**6} are needed; make room")
    # What Raspberry Pi OS has for its cameras is no wheel: it is seen beside the libraries of the release.
    camera = Path("/usr/lib/python3/dist-packages/picamera2").is_dir()
    venv.EnvBuilder(symlinks=True, with_pip=False, system_site_packages=camera).create(folder)
    there = folder / "wheels"
    unpack(path, release, [*wheels, REQUIREMENTS], there)
    _pip(folder, there)
    shutil.rmtree(there)
    (folder / MANIFEST).write_bytes(release.listed)
    (folder / SIGNATURE).write_bytes(release.signature)
    os.sync()  # all of it lies on the disk before anything says so
    replace(folder / WHOLE, json.dumps(_mark_of(release)).encode())
    return folder


def _pip(folder: Path, wheels: Path) -> None:
    """The libraries by the release's own pip, each by its hash."""
    (pip,) = wheels.glob("pip-*.whl")
    command = [str(folder / "bin" / "python"), "-I", str(pip / "pip"), "--disable-pip-version-check", "--isolated"]
    from_here = ["install", "-q", "--no-index", "--no-cache-dir", f"--find-links={wheels}", "--require-hashes"]
    done = subprocess.run(
        [*command, *from_here, "--root-user-action=ignore", "-r", str(wheels / REQUIREMENTS)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode:
        lines = done.stdout.strip().splitlines() or [f"pip ended with {done.returncode}"]
        said = next((line for line in lines if line.startswith("ERROR")), lines[-1])
        raise UsageError(f"{folder}: cannot be installed ({said}); copy the file again")


def point(link: Path, folder: Path) -> None:
    """Let a link lead to this folder, from one moment to the next."""
    link.parent.mkdir(parents=True, exist_ok=True)
    fresh = link.with_name(f"{link.name}.new")
    fresh.unlink(missing_ok=True)
    fresh.symlink_to(folder)
    fresh.replace(link)
    sync_folder(link.parent)


def target(link: Path) -> Path | None:
    """The folder to which a link leads; None where there is none."""
    with contextlib.suppress(OSError):
        folder = link.parent / link.readlink()
        return folder if folder.is_dir() else None
    return None


def remove(folder: Path) -> None:
    """Its mark first: what is half removed counts as not there."""
    (folder / WHOLE).unlink(missing_ok=True)
    if folder.is_dir():
        shutil.rmtree(folder)
