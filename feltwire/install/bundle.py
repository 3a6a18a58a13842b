"""A bundle: everything that one device of a venue needs, in one file (docs/decisions/0075-a-bundle-a-device.md).

A tar of small files without folders, the first of them `bundle.toml`: whose it is. It holds the keys of its device
alone, so it is for its owner only, and is overwritten when it has been installed.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import tarfile
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import msgspec
import tomli_w

from feltwire.errors import UsageError
from feltwire.private_files import replace
from table_core.messages import Frozen, Name
from table_core.toml_text import read_toml

FORM = 1
MOST_BYTES = 4_000_000
MOST_FILES = 100
HOSTS, RELEASE_PUB = "hosts", "release.pub"  # for the machine itself, where the venue has them
OBS = "obs.toml"  # in the relay's, where scenes of OBS follow the game
_FIRST = "bundle.toml"
_FILE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}", re.ASCII)

Role = Literal["table", "station", "clock", "relay", "delay", "broker"]
ROLES: tuple[Role, ...] = ("table", "station", "clock", "relay", "delay", "broker")


class Label(Frozen, frozen=True):
    """Whose bundle it is: `name` is the device's at the broker, `domain` what machines' names end in, `program`
    the version that made it."""

    form: int
    venue: Name
    domain: Name
    name: Name
    role: Role
    program: str


class Bundle(Frozen, frozen=True):
    label: Label
    files: Mapping[str, bytes]


def write_bundle(path: Path, bundle: Bundle) -> None:
    """Write it for its owner alone, over one that lies there."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as tar:
        first = tomli_w.dumps(msgspec.to_builtins(bundle.label)).encode()
        for name, content in [(_FIRST, first), *sorted(bundle.files.items())]:
            entry = tarfile.TarInfo(name)
            entry.size, entry.mode = len(content), 0o600
            tar.addfile(entry, io.BytesIO(content))
    replace(path, out.getvalue(), mode=0o600)


def read_bundle(path: Path) -> Bundle:
    """Raise `UsageError` for a file that is no bundle, or one of another version's form."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise UsageError(f"{path}: more than {MOST_BYTES:,} bytes, so it is no bundle")
        with tarfile.open(path) as tar:
            files = _files(path, tar)
    except OSError as error:
        raise UsageError(f"{path}: cannot be read ({error.strerror}); name the bundle of this device") from error
    except (tarfile.TarError, ValueError, EOFError) as error:
        raise UsageError(f"{path}: is no bundle ({error}); copy it again") from error
    try:
        label = msgspec.convert(read_toml(files.pop(_FIRST, b"").decode()), Label)
    except (msgspec.ValidationError, ValueError) as error:
        raise UsageError(f"{path}: is no bundle ({_FIRST}: {error}); copy it again") from error
    if label.form != FORM:
        raise UsageError(f"{path}: of another version (form {label.form}, made by {label.program}); make it anew")
    return Bundle(label, files)


def _files(path: Path, tar: tarfile.TarFile) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    for entry in tar:
        content = tar.extractfile(entry) if entry.isfile() else None
        if content is None or not _FILE.fullmatch(entry.name) or entry.name in found or len(found) == MOST_FILES:
            raise UsageError(f"{path}: is no bundle ({entry.name[:80]!r} in it); copy it again")
        found[entry.name] = content.read(MOST_BYTES)
    return found


def wipe(path: Path) -> None:
    """Overwrite the bundle and remove it: its keys lie on the device now, and nowhere else on it."""
    with contextlib.suppress(FileNotFoundError):
        with path.open("r+b") as file:
            file.write(bytes(path.stat().st_size))
            file.flush()
            os.fsync(file.fileno())
        path.unlink()
