"""The relay's signed log of released cards: one JSON line per card, each linked to the previous line.

`feltwire verify LEDGER --releases FILE` checks the lines against the commitments in the table's public events:
they prove that no card was changed after it was dealt.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from itertools import accumulate
from pathlib import Path
from typing import BinaryIO

from nacl.exceptions import BadSignatureError
from nacl.signing import SigningKey, VerifyKey

from feltwire.errors import UsageError
from feltwire.ledger.chain import hash_of
from feltwire.ledger.store import LedgerError
from feltwire.private_files import narrow, private_file, sync_folder
from table_core.commitment import Opening
from table_core.messages import (
    At,
    Frozen,
    Malformed,
    decode,
    encode,
)


class Release(Frozen, frozen=True):
    """What is signed. `no` counts lines from 1; `prev` is the SHA-256 (hex) of the line before."""

    venue: str
    no: int
    at: At
    prev: str
    card: Opening


class SignedRelease(Frozen, frozen=True):
    """One line: `signature` (hex, Ed25519) of the release's JSON by `key` (hex)."""

    release: Release
    key: str
    signature: str


class ReleasesError(UsageError):
    """A releases log that does not verify: which line, and why."""


class ReleasesLog:
    """Appends to the file at `path`, each card once. When `append` returns, the lines are on the disk. Of what a
    power cut left behind the `certain` first lines only whole lines that follow each other are kept."""

    def __init__(self, path: Path, venue: str, signing: SigningKey, *, certain: int = 0) -> None:
        self.path = path
        self._venue = venue
        self._signing = signing
        self._key = bytes(signing.verify_key).hex()
        if path.exists():
            narrow(path)
        self._mend(certain)
        lines = path.read_bytes().splitlines() if path.exists() else []
        self._size = path.stat().st_size if path.exists() else 0
        self._hashes = [hash_of(line) for line in lines]
        self._no = len(lines)
        self._prev = hash_of(lines[-1]) if lines else ""
        self._promises = {promise: no for no, line in enumerate(lines) if (promise := _promise_in(line))}
        kept = path.read_bytes().splitlines(keepends=True) if path.exists() else []
        self._starts = [0, *accumulate(map(len, kept))]  # where each line begins, and the next one will

    @property
    def end(self) -> tuple[int, str]:
        """How many lines there are, and the SHA-256 (hex) of the last one; empty where there is none."""
        return self._no, self._prev

    def had(self, end: tuple[int, str]) -> bool:
        """Whether an earlier end of the log is still in it."""
        no, last = end
        return no == 0 or self._hashes[no - 1 : no] == [last]

    def append(self, cards: Sequence[Opening], at: At) -> None:
        """Add the cards that are not in it yet: all of them, or none with a `LedgerError`."""
        end, promises, lines = self.end, dict(self._promises), list[bytes]()
        for card in cards:
            promise = _promise_of(card)
            if promise not in promises:
                promises |= {promise: end[0]} if promise else {}
                line = self._line(card, at, end)
                lines.append(line)
                end = end[0] + 1, hash_of(line)
        try:
            self._write(lines)
        except OSError as error:
            raise LedgerError(f"{self.path}: cannot be written ({error.strerror})") from error
        self._promises = promises
        self._no, self._prev = end
        for line in lines:
            self._starts.append(self._starts[-1] + len(line) + 1)

    def lines_of(self, cards: Sequence[Opening]) -> list[bytes]:
        """The lines of cards that are in it, in the order of the log. Raise `LedgerError` where the file cannot be
        read."""
        numbers = sorted({self._promises[promise] for card in cards if (promise := _promise_of(card))})
        try:
            with self.path.open("rb") as file:
                return [self._read(file, no) for no in numbers]
        except OSError as error:
            raise LedgerError(f"{self.path}: cannot be read ({error.strerror})") from error

    def _read(self, file: BinaryIO, no: int) -> bytes:
        file.seek(self._starts[no])
        return file.read(self._starts[no + 1] - self._starts[no]).rstrip(b"\n")

    def _line(self, card: Opening, at: At, end: tuple[int, str]) -> bytes:
        no, prev = end
        release = Release(self._venue, no + 1, at, prev, card)
        signature = self._signing.sign(encode(release)).signature.hex()
        return encode(SignedRelease(release, self._key, signature))

    def _write(self, lines: Sequence[bytes]) -> None:
        """Behind the last line that is known; what an attempt that failed left there is overwritten."""
        private_file(self.path)
        with self.path.open("r+b") as file:
            file.seek(self._size)
            file.truncate()
            file.writelines(line + b"\n" for line in lines)
            file.flush()
            os.fsync(file.fileno())
            self._size = file.tell()
        sync_folder(self.path.parent)

    def _mend(self, certain: int) -> None:
        """Cut what a power cut tore; its hand is released again. Certain lines stay, whatever they say."""
        raw = self.path.read_bytes() if self.path.exists() else b""
        size, prev = 0, ""
        for no, line in enumerate(raw.splitlines(keepends=True), start=1):
            if no > certain and not (line.endswith(b"\n") and self._holds(line[:-1], no, prev)):
                break
            size, prev = size + len(line), hash_of(line.removesuffix(b"\n"))
        if size != len(raw):
            with self.path.open("r+b") as file:
                file.truncate(size)

    def _holds(self, line: bytes, no: int, prev: str) -> bool:
        try:
            signed = decode(line, SignedRelease)
            self._signing.verify_key.verify(encode(signed.release), bytes.fromhex(signed.signature))
        except (Malformed, BadSignatureError, ValueError):
            return False
        return (signed.release.no, signed.release.prev) == (no, prev)


def _promise_of(card: Opening) -> str:
    """Its commitment; empty where it has none."""
    try:
        return card.commitment()
    except ValueError:
        return ""


def _promise_in(line: bytes) -> str:
    """The commitment of the card in a line; empty for what is no release, which `read_releases` will name."""
    try:
        return _promise_of(decode(line, SignedRelease).release.card)
    except Malformed:
        return ""


def check_lines(path: Path) -> Iterator[str]:
    """Lines that are no releases, or do not follow the one before; whoever signed them. Raise `ReleasesError`."""
    prev = ""
    for no, line in enumerate(_lines(path), start=1):
        try:
            release = decode(line, SignedRelease).release
        except Malformed:
            yield f"{path.name}: line {no} cannot be read."
        else:
            if (release.no, release.prev) != (no, prev):
                yield f"{path.name}: line {no} does not follow the one before."
        prev = hash_of(line)


def _lines(path: Path) -> list[bytes]:
    try:
        return path.read_bytes().splitlines()
    except OSError as error:
        raise ReleasesError(f"{path}: cannot be read ({error.strerror})") from error


def read_releases(path: Path, *, key: str) -> Iterator[Opening]:
    """Every released card, its signature by `key` (hex) and its link checked.

    Raise `ReleasesError` at the first that fails.
    """
    prev = ""
    for no, line in enumerate(_lines(path), start=1):
        try:
            signed = decode(line, SignedRelease)
            VerifyKey(bytes.fromhex(key)).verify(encode(signed.release), bytes.fromhex(signed.signature))
        except Malformed as error:
            raise ReleasesError(f"{path} line {no}: not a release ({error})") from error
        except (BadSignatureError, ValueError):
            raise ReleasesError(f"{path} line {no}: not signed by the relay's key {key[:16]}…") from None
        if (signed.release.no, signed.release.prev) != (no, prev):
            raise ReleasesError(f"{path} line {no}: does not follow the line before; a line was removed or added")
        prev = hash_of(line)
        yield signed.release.card
