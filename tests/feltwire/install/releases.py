"""Files of releases with little in them, to be read and refused; and programs that are nothing but a mark."""

from __future__ import annotations

import json
from pathlib import Path

from nacl.signing import SigningKey

from feltwire.install.programs import WHOLE, python_here
from feltwire.tools.program import MACHINES, PYTHONS, write_release

KEY = SigningKey(bytes(range(32)))
PUBLIC = KEY.verify_key.encode().hex()
WHEELS = (
    "feltwire-{version}-py3-none-any.whl",
    "numpy-2.4.6-cp311-cp311-manylinux_2_27_aarch64.manylinux_2_28_aarch64.whl",
    "numpy-2.4.6-cp312-cp312-manylinux_2_28_x86_64.whl",
    "opencv_python_headless-5.0.0-cp37-abi3-manylinux_2_28_x86_64.whl",
    "pip-26.3-py3-none-any.whl",
    "tzdata-2026.6-py2.py3-none-any.whl",
)


def release(folder: Path, version: str, key: SigningKey = KEY, trust: tuple[str, ...] = ()) -> Path:
    """Its wheels are none: text, of which each has its own."""
    folder.mkdir(exist_ok=True)
    paths = [folder / one.format(version=version) for one in WHEELS]
    for path in paths:
        path.write_text(path.name * 20)
    return write_release(folder, paths, pythons=PYTHONS, machines=MACHINES, key=key, trust=trust)


def program(programs: Path, version: str) -> Path:
    """A folder as a program leaves it that was installed to its end."""
    folder = programs / version
    folder.mkdir(parents=True)
    (folder / "pyvenv.cfg").touch()
    (folder / WHOLE).write_text(json.dumps({"version": version, "release": "", "python": python_here()}))
    return folder
