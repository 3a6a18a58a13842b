"""The firmware of hardware/firmware: which files a device has, and how to run them here, under CPython.

`python -m firmware_bridge.sim.firmware keypad` prints the hash that a keypad with these files says of itself.
"""

from __future__ import annotations

import builtins
import hashlib
import sys
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

from firmware_bridge import payloads

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "hardware" / "firmware"
COMMON = FOLDER / "common"
SHARED = ("__init__", "debounce", "device", "frames", "payloads", "report_log")  # of firmware_bridge


def device_files(name: str) -> dict[str, Path]:
    """The files of the device `name` (`keypad`, `shoe`): path on the device -> file here."""
    files = {f"firmware_bridge/{module}.py": ROOT / "firmware_bridge" / f"{module}.py" for module in SHARED}
    for folder in (COMMON, FOLDER / name):
        files |= {path.name: path for path in sorted(folder.glob("*.py"))}
    return files


def source_hash(name: str) -> str:
    """What the device `name` says of what it runs, as hex."""
    digest = hashlib.sha256()
    for path_there, path in sorted(device_files(name).items()):
        digest.update(path_there.encode() + b"\0" + path.read_bytes())
    return digest.digest()[: payloads.HASH_BYTES].hex()


class Firmware:
    """The firmware of the device `name` in this process, over `modules` in place of MicroPython's own. Each has
    modules of its own, so that several boards live side by side."""

    def __init__(self, name: str, modules: Mapping[str, Any]) -> None:
        self._files = device_files(name)
        self._modules: dict[str, Any] = dict(modules)

    def load(self, name: str) -> Any:
        """The firmware's module `name`."""
        if name not in self._modules:
            path = self._files[f"{name}.py"]
            module = ModuleType(name)
            self._modules[name] = module
            module.__dict__["__builtins__"] = {**vars(builtins), "__import__": self._import}
            exec(compile(path.read_text(), str(path), "exec"), module.__dict__)
        return self._modules[name]

    def _import(self, name: str, *rest: Any) -> Any:
        if name in self._modules or f"{name}.py" in self._files:
            return self.load(name)
        return builtins.__import__(name, *rest)


if __name__ == "__main__":
    print(source_hash(sys.argv[1]))
