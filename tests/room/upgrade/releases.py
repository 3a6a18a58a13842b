"""Releases made for a proof: the program of this clone under other versions, and such as do not work."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import tempfile
from pathlib import Path

from feltwire.install.programs import python_here
from feltwire.install.release_keys import load_key, make_key
from feltwire.tools.program import libraries, write_release

ROOT = Path(__file__).parents[3]
PIP = (sys.executable, "-I", "-m", "pip", "--disable-pip-version-check", "-q")


class Releases:
    """Files of releases in `folder`, for this machine and this Python only, signed with `key`. Those that lie
    there from an earlier time are used again."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        if not (folder / "release.key").exists():
            make_key(folder / "release.key")
        self.key = load_key(folder / "release.key")
        self._libraries: list[Path] = []

    def made(self, version: str, spoilt: str = "") -> Path:
        """The file of a release. `spoilt` names a module whose first line then raises."""
        if (there := self._folder / f"feltwire-{version}.pyz").exists():
            return there
        if not self._libraries:
            found = self._folder / "libraries"
            found.mkdir(exist_ok=True)
            self._libraries = libraries(ROOT, [python_here()], [platform.machine()], found)
        with tempfile.TemporaryDirectory(dir=self._folder) as place:
            source, wheels = Path(place) / "source", Path(place) / "wheels"
            source.mkdir()
            files = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
            subprocess.run(
                ["xargs", "-0", "cp", "--parents", "-t", str(source)], input=files, cwd=ROOT, check=True
            )
            if spoilt:
                module = source / spoilt
                module.write_text(
                    module.read_text().replace(
                        "\nimport ", '\nraise RuntimeError("spoilt for a proof")\nimport ', 1
                    )
                )
            named = {**os.environ, "SETUPTOOLS_SCM_PRETEND_VERSION": version}
            build = [*PIP, "wheel", "--no-deps", "--no-build-isolation", "-w", str(wheels), str(source)]
            subprocess.run(build, check=True, env=named)
            return write_release(
                self._folder,
                [*wheels.iterdir(), *self._libraries],
                pythons=[python_here()],
                machines=[platform.machine()],
                key=self.key,
            )
