"""A release for the room, where the station finds it: the director sends it to one machine after the other."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from feltwire.errors import UsageError
from feltwire.install.places import DATA, FOR_THE_ROOM
from feltwire.install.program_file import check_whole, read_release
from feltwire.install.release_keys import check_signature, trusted_keys
from feltwire.private_files import sync_folder

STATION = "station"  # the role, and the name of its folder


def for_the_room(file: Path, data: Path = DATA) -> str:
    """Put a release there that this machine trusts, and return its version. Raise `UsageError` for any other one,
    and where this machine has no station."""
    release = read_release(file)
    check_signature(release, trusted_keys())
    check_whole(file, release)
    place = data / STATION / FOR_THE_ROOM
    if not place.parent.is_dir():
        raise UsageError(f"{place.parent}: no such folder; call this on the station's machine, which is installed")
    owner = place.parent.stat()
    part = place.with_suffix(".part")
    try:
        part.unlink(missing_ok=True)
        with file.open("rb") as given, open(part, "xb", opener=_private) as taken:
            shutil.copyfileobj(given, taken, 1 << 20)
            os.fchown(taken.fileno(), owner.st_uid, owner.st_gid)
            taken.flush()
            os.fsync(taken.fileno())
        os.replace(part, place)
        sync_folder(place.parent)
    except OSError as error:
        raise UsageError(
            f"{place}: cannot be written ({error.strerror}); as root, with room on the disk"
        ) from error
    return release.version


def _private(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NOFOLLOW, 0o600)
