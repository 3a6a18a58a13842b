"""The file of a release, `feltwire-VERSION.pyz`: the program and its libraries as wheels, for each machine and
Python of a venue (docs/decisions/0077-one-file-a-release.md).

A zip. `release.json` says which files it has, with their hashes; `release.sig` is the signature of that list
(`feltwire.install.release_keys`). What is not in the list is not read. This module and what it imports are in the
file, too, where Python's own library is all that there is.
"""

from __future__ import annotations

import hashlib
import json
import re
import struct
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any, NamedTuple

from feltwire.errors import UsageError

FORM = 1
MANIFEST, SIGNATURE = "release.json", "release.sig"
REQUIREMENTS = "requirements.txt"
MOST_BYTES = 800_000_000
MOST_FILES = 500
_MOST_LIST = 300_000  # bytes of the list, and of the zip's own table of contents
_MOST_SIGNATURE = 1_000
_CHUNK = 1 << 20
# What a hostile or cut zip makes its reader raise.
_SPOILT = (zipfile.BadZipFile, NotImplementedError, EOFError, ValueError, RuntimeError, KeyError)
_END = struct.Struct(
    "<4s4H2LH"
)  # of a zip's end: mark, disks, entries, bytes of its table of contents, where, comment
_FILE = re.compile(r"(wheels/)?[A-Za-z0-9][A-Za-z0-9_.+-]{0,199}", re.ASCII)
_VERSION = re.compile(r"[0-9][0-9A-Za-z.+]{0,99}", re.ASCII)
_HASH = re.compile(r"[0-9a-f]{64}", re.ASCII)


class Content(NamedTuple):
    sha256: str
    size: int  # bytes


class Release(NamedTuple):
    """`pythons` as `3.11`, `machines` as `aarch64`; `keys` are the release keys that count once it is installed,
    empty where they stay as they are. `listed` and `signature` are the bytes of the list and of its signature."""

    version: str
    pythons: tuple[str, ...]
    machines: tuple[str, ...]
    keys: tuple[str, ...]
    files: Mapping[str, Content]
    listed: bytes
    signature: bytes

    @property
    def sha256(self) -> str:
        """Of the list, and so of all that is in it."""
        return hashlib.sha256(self.listed).hexdigest()

    def wheels_for(self, python: str, machine: str) -> list[str]:
        """The wheels that such a machine may need. Raise `UsageError` where the release is not for it."""
        if python not in self.pythons or machine not in self.machines:
            raise UsageError(
                f"Feltwire {self.version} is for Python {' and '.join(self.pythons)} on "
                f"{' and '.join(self.machines)}, and this is Python {python} on {machine}; "
                "install Debian 12 or 13, or make a release for this machine"
            )
        own = f"cp{python.replace('.', '')}"
        return [name for name in self.files if name.startswith("wheels/") and _suits(name, own, machine)]


def _suits(wheel: str, python: str, machine: str) -> bool:
    tag, abi, platform = wheel.removesuffix(".whl").split("-")[-3:]
    return platform.endswith(("any", machine)) and (tag == python or abi == "abi3" or tag.startswith("py"))


def read_release(path: Path) -> Release:
    """What the list of the file says; its files are not read, its signature is not checked. Raise `UsageError`
    for what is no such file, with what to do."""
    try:
        with path.open("rb") as file, _opened(path, file) as archive:
            listed = _bounded(archive, MANIFEST, _MOST_LIST)
            signature = _bounded(archive, SIGNATURE, _MOST_SIGNATURE)
    except OSError as error:
        raise UsageError(f"{path}: cannot be read ({error.strerror}); name the file of a release") from error
    except _SPOILT as error:
        raise _no_release(path, str(error)) from error
    return _listed(path, listed, signature)


def _opened(path: Path, file: IO[bytes]) -> zipfile.ZipFile:
    """The zip, whose table of contents is of a sane size before it is read."""
    size = file.seek(0, 2)
    if size > MOST_BYTES:
        raise UsageError(f"{path}: more than {MOST_BYTES:,} bytes, so it is no release of Feltwire")
    file.seek(max(0, size - _END.size))
    raw = file.read(_END.size)
    if len(raw) < _END.size:
        raise _no_release(path, "too short")
    mark, _, _, _, entries, table, _, comment = _END.unpack(raw)
    if mark != b"PK\5\6" or comment or entries > MOST_FILES or table > _MOST_LIST:
        raise _no_release(path, "its end is not that of such a file, so it may have been cut")
    return zipfile.ZipFile(file)


def _bounded(archive: zipfile.ZipFile, name: str, most: int) -> bytes:
    with archive.open(name) as entry:
        content = entry.read(most + 1)
    if len(content) > most:
        raise ValueError(f"{name} is too long")
    return content


def _no_release(path: Path, why: str) -> UsageError:
    return UsageError(f"{path}: is no release of Feltwire ({why[:200]}); copy it again")


def _listed(path: Path, listed: bytes, signature: bytes) -> Release:
    try:
        said: Any = json.loads(listed)
        if said["form"] != FORM:
            raise UsageError(
                f"{path}: its form is {str(said['form'])[:20]}, and this program knows {FORM}; "
                "the list of changes of that release says which one to install before it"
            )
        files = {str(name): Content(str(one["sha256"]), int(one["bytes"])) for name, one in said["files"].items()}
        release = Release(
            str(said["version"]),
            tuple(map(str, said["pythons"])),
            tuple(map(str, said["machines"])),
            tuple(map(str, said["keys"])),
            files,
            listed,
            signature,
        )
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise _no_release(path, f"{MANIFEST}: {type(error).__name__}") from error
    odd = [*(name for name in files if not _FILE.fullmatch(name))]
    odd += [key for key in release.keys if not _HASH.fullmatch(key)]
    if wrong := next(iter(odd), None):
        raise _no_release(path, f"{wrong[:80]!r} in {MANIFEST}")
    if not _VERSION.fullmatch(release.version) or len(files) > MOST_FILES or REQUIREMENTS not in files:
        raise _no_release(path, f"version or files in {MANIFEST}")
    if any(not _HASH.fullmatch(one.sha256) or not 0 <= one.size <= MOST_BYTES for one in files.values()):
        raise _no_release(path, f"a hash or a size in {MANIFEST}")
    return release


def check_whole(path: Path, release: Release) -> None:
    """Raise `UsageError` where a file of the list is missing, or is another."""
    for name in release.files:
        _copy(path, release, name, None)


def unpack(path: Path, release: Release, names: list[str], into: Path) -> None:
    """Write these files of the release into the folder `into`, each under its last name. Raise `UsageError` for
    one that is not as the list says."""
    into.mkdir(parents=True, exist_ok=True)
    for name in names:
        with (into / name.rpartition("/")[2]).open("wb") as out:
            _copy(path, release, name, out)


def _copy(path: Path, release: Release, name: str, out: IO[bytes] | None) -> None:
    """Not more of it than the list says, whatever the zip says."""
    said, digest, left = release.files[name], hashlib.sha256(), release.files[name].size
    try:
        with path.open("rb") as file, _opened(path, file) as archive, archive.open(name) as entry:
            while chunk := entry.read(min(_CHUNK, left + 1)):
                left -= len(chunk)
                if left < 0:
                    break
                digest.update(chunk)
                if out is not None:
                    out.write(chunk)
    except _SPOILT as error:
        raise _no_release(path, f"{name}: {error}") from error
    if left or digest.hexdigest() != said.sha256:
        raise _no_release(path, f"{name} is not what the list says")
