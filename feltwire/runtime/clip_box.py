"""Segments of a clip: sealed by a table, opened by the station (docs/hidden-cards.md).

The key of a segment has two halves. One is drawn at random and sealed to the station's public key; the table
forgets it. The other is the table's `share`, which it keeps in memory (tmpfs) for three minutes. So the table
cannot open what it has kept, the station cannot open what the table has forgotten, and a disk opens nothing.
"""

from __future__ import annotations

import os
from hashlib import blake2b
from pathlib import Path

import msgspec
from nacl.exceptions import CryptoError
from nacl.public import PrivateKey, PublicKey, SealedBox
from nacl.secret import SecretBox

from feltwire.config import ConfigError
from feltwire.private_files import write_private
from table_core.messages import ClipSegment, Frozen, Malformed, Millis
from table_core.toml_text import read_toml

SHARE_BYTES = 32


class ClipFrame(Frozen, frozen=True, array_like=True):
    """One picture, masked, and when it was taken (wall time, ISO 8601)."""

    wall: str
    jpeg: bytes


class _Body(Frozen, frozen=True, array_like=True):
    """What is encrypted. It repeats what the segment says in the clear, so that nobody can move it elsewhere."""

    table: str
    boot: str
    began: Millis
    frames: tuple[ClipFrame, ...]


class ClipKey:
    """The station's private key for clips; its repr shows nothing. `public_hex` is `clip_key` at the tables."""

    def __init__(self, seed: bytes) -> None:
        self._key = PrivateKey(seed)

    def __repr__(self) -> str:
        return "ClipKey(••)"

    @classmethod
    def generate(cls) -> ClipKey:
        return cls(bytes(PrivateKey.generate()))

    @classmethod
    def load(cls, path: str | Path) -> ClipKey:
        """Raise `ConfigError` for a file that is missing, open to others or holds no key."""
        try:
            with Path(path).open("rb") as file:
                if os.fstat(file.fileno()).st_mode & 0o077:
                    raise ConfigError(f"{path}: others may read it: chmod 600, and think of who could have")
                return cls(bytes.fromhex(read_toml(file.read().decode())["clip"]))
        except OSError as error:
            raise ConfigError(f"{path}: cannot be read ({error.strerror}); see `feltwire provision`") from error
        except (ValueError, KeyError, TypeError, CryptoError):
            raise ConfigError(f"{path}: holds no key for clips; make it with `feltwire provision`") from None

    def save(self, path: Path) -> None:
        """Write a file that only its owner reads; FileExistsError rather than overwrite a key."""
        write_private(path, f'clip = "{bytes(self._key).hex()}"\n'.encode())

    @property
    def public_hex(self) -> str:
        return bytes(self._key.public_key).hex()

    def open(self, segment: ClipSegment, share: bytes) -> tuple[ClipFrame, ...] | None:
        """The pictures of a segment; None for one that these two halves do not open, or that says otherwise inside
        than outside."""
        try:
            half = SealedBox(self._key).decrypt(segment.box)
            body = msgspec.msgpack.decode(SecretBox(_key(half, share)).decrypt(segment.cipher), type=_Body)
        except (CryptoError, ValueError, TypeError, msgspec.DecodeError):
            return None
        same = (body.table, body.boot, body.began) == (segment.table, segment.boot, segment.began)
        return body.frames if same else None


def public_key(hex_: str) -> PublicKey:
    """The station's public key, as a configuration has it; raise `ConfigError` for what is none."""
    try:
        return PublicKey(bytes.fromhex(hex_))
    except (ValueError, TypeError, CryptoError):
        raise ConfigError(f"clip_key: {hex_[:8]!r}… is no key; copy `clip_key` from clip.pub") from None


def sealed(
    frames: tuple[ClipFrame, ...],
    *,
    table: str,
    boot: str,
    began: Millis,
    ended: Millis,
    station: PublicKey,
    share: bytes,
) -> ClipSegment:
    """A segment that the station opens with `share`, and nobody else."""
    half = os.urandom(SHARE_BYTES)
    body = msgspec.msgpack.encode(_Body(table, boot, began, frames))
    cipher = bytes(SecretBox(_key(half, share)).encrypt(body))
    return ClipSegment(table, boot, began, ended, bytes(SealedBox(station).encrypt(half)), cipher)


def as_stored(segment: ClipSegment) -> bytes:
    return msgspec.msgpack.encode(segment)


def stored(raw: bytes) -> ClipSegment:
    """Raise `Malformed` for what is no segment."""
    try:
        return msgspec.msgpack.decode(raw, type=ClipSegment)
    except msgspec.DecodeError as error:
        raise Malformed(str(error)) from error


def _key(half: bytes, share: bytes) -> bytes:
    return blake2b(half + share, digest_size=SecretBox.KEY_SIZE, person=b"feltwire clip 1").digest()
