"""Boxes that a restarted table process can open, and nobody after the hand.

They hold the cards that left the shoe, and those that the camera read at the seats.

Each hand has a key pair of its own. The private half is a file (mode 0600) in memory (tmpfs). A power cut or the
deal of the next hand, once it stands, destroys it, and with it the content of the boxes.
"""

from __future__ import annotations

import logging
import os
import shutil
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

from nacl.exceptions import CryptoError
from nacl.public import PrivateKey, SealedBox

from feltwire.errors import UsageError
from feltwire.private_files import open_secret, secret_folder
from table_core.messages import UNKNOWN_CARD, CardText, Frozen, Malformed, decode

log = logging.getLogger(__name__)

_BODY_BYTES = 256
_DECK_LETTERS = 32
_IN_MEMORY = ("tmpfs", "ramfs")


class Kept(Frozen, frozen=True):
    """The content of a box for one passage. It holds a hidden card, so its repr does not show it."""

    uid: str  # hex
    deck: str  # first letters only: enough to tell two decks apart
    card: CardText

    @classmethod
    def of(cls, uid: bytes, found: tuple[str, CardText] | None) -> Kept:
        """`found` is what the deck registry knows of the tag."""
        deck, card = found or ("", UNKNOWN_CARD)
        return cls(uid.hex(), deck[:_DECK_LETTERS], card)

    @classmethod
    def read(cls, body: bytes | None) -> Kept | None:
        """The content of an opened box; None where it was not opened or holds something else."""
        try:
            return None if body is None else decode(body, cls)
        except Malformed:
            return None

    def __repr__(self) -> str:
        return "Kept(••)"

    __str__ = __repr__


class RecoveryBox(Frozen, frozen=True):
    """One passage as the ledger stores it: the public part in the clear, the card sealed.

    `handle` 0 stands for the hand itself and has no `box`. `place` is 0 until the card has one.
    """

    epoch: int
    hand: int
    attempt: int
    handle: int = 0
    place: int = 0
    box: bytes = b""


class RecoveryKeys:
    """The key files of one table in `folder`, which no other process uses."""

    def __init__(self, folder: Path, rng: Callable[[int], bytes]) -> None:
        self._folder = folder
        self._rng = rng
        _made(folder)
        self._keys = {number: key for number, path in self._files() if (key := _read_key(path)) is not None}

    def __repr__(self) -> str:
        return f"RecoveryKeys({len(self._keys)})"

    def new(self) -> None:
        """Make the key of a new hand; earlier keys stay until `forget_earlier`."""
        number = max((number for number, _ in self._files()), default=0) + 1
        key = PrivateKey(self._rng(PrivateKey.SIZE))
        path = self._folder / f"{number}.key"
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "wb") as file:
            file.write(bytes(key))
        self._keys[number] = key

    def forget_earlier(self) -> None:
        """Destroy every key but the newest."""
        newest = max(self._keys, default=0)
        for number, path in self._files():
            if number != newest:
                self._keys.pop(number, None)
                with os.fdopen(open_secret(path, os.O_WRONLY), "wb") as file:
                    file.write(bytes(PrivateKey.SIZE))
                path.unlink()

    def seal(self, body: bytes) -> bytes:
        """A box that the newest key opens, of one fixed length for every card; `body` is JSON."""
        if not self._keys:
            self.new()
        return SealedBox(self._keys[max(self._keys)].public_key).encrypt(body.ljust(_BODY_BYTES))

    def open(self, box: bytes) -> bytes | None:
        """The content of a box; None when no remaining key opens it."""
        for key in reversed(self._keys.values()):
            try:
                return SealedBox(key).decrypt(box)
            except (CryptoError, ValueError):
                continue
        return None

    def _files(self) -> list[tuple[int, Path]]:
        found = ((path.stem, path) for path in self._folder.glob("*.key"))
        return sorted((int(stem), path) for stem, path in found if stem.isdecimal())


def _made(folder: Path) -> None:
    try:
        secret_folder(folder)
    except OSError as error:
        raise UsageError(f"{folder}: cannot hold recovery keys ({error.strerror}); set `runtime`") from error


def _read_key(path: Path) -> PrivateKey | None:
    try:
        with os.fdopen(open_secret(path, os.O_RDONLY), "rb") as file:
            raw = file.read(PrivateKey.SIZE + 1)
    except OSError as error:  # a link, most likely
        raise UsageError(f"{path}: cannot be opened as a key ({error.strerror}); remove it") from error
    return PrivateKey(raw) if len(raw) == PrivateKey.SIZE else None


def runtime_folder(configured: str, ledger: Path) -> Path:
    """The folder, in memory, of the keys of the table whose ledger is the file `ledger`. Only this table uses
    it."""
    own = sha256(str(ledger.resolve()).encode()).hexdigest()[:16]
    if configured:
        folder = Path(configured)
    else:
        folder = next((path for path in (Path("/run/feltwire"), Path("/dev/shm")) if path.is_dir()), ledger.parent)
    if not in_memory(folder):
        log.warning("%s is not in memory: a hand's recovery key touches the disk; use a tmpfs", folder)
    return folder / f"feltwire-{own}"


def destroy_keys(data: Path) -> None:
    """Destroy the keys of every table whose ledger is in `data`: the room is closed."""
    for ledger in data.glob("*.ledger"):
        shutil.rmtree(runtime_folder("", ledger), ignore_errors=True)


def in_memory(folder: Path) -> bool:
    mounts = [line.split() for line in Path("/proc/self/mounts").read_text().splitlines()]
    above = [mount for mount in mounts if folder.resolve().is_relative_to(mount[1])]
    return bool(above) and max(above, key=lambda mount: len(mount[1]))[2] in _IN_MEMORY
