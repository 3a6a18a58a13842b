"""Finds secret byte strings (tags, salts) in anything, however they were written.

A secret is found by its own bytes in a row, eight or as many as it has, in raw bytes either way round, and in
whatever the bytes look like: hex with any separators, base64, decimal lists, decimal numbers, escaped text.

By chance a room's 300 salts stand in 100 MB of ciphertext, read in two ways, once in 17 million rooms (six bytes
of theirs would once in 200), the six bytes of its 416 tags once in 3,400.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

import numpy as np

WINDOW = 6  # bytes of a tag that are its own, not its maker's; what is longer is found by LONGER of its bytes
LONGER = 8

_BETWEEN = bytes(WINDOW)
APART = b"\0@\0"  # no reading of text goes over it
BATCH = 1 << 20  # bytes
_PRINTABLE = re.compile(rb"[\x20-\x7e]{12,}")
_HEX = re.compile(rb"[0-9a-fA-F]{2}(?:[\s:,._-]{0,2}+(?:0x)?[0-9a-fA-F]{2}){5,}[0-9a-fA-F]?")
_BASE64 = re.compile(rb"[A-Za-z0-9+/_-]{10,}")
_BYTE_LIST = re.compile(rb"\d{1,3}(?:\s*,\s*\d{1,3}){5,}")
_DECIMAL = re.compile(rb"\d{14,}")
_MOST_DIGITS = 20
_NOT_HEX = re.compile(rb"0x|[^0-9a-fA-F]")


class Needles:
    """`secrets` by their kind: of each the part that no other shares (a tag without its maker's prefix)."""

    def __init__(self, secrets: Mapping[str, Iterable[bytes]]) -> None:
        self._windows: dict[bytes, str] = {}
        for kind, secret in ((kind, secret) for kind, of_kind in secrets.items() for secret in of_kind):
            size = min(len(secret), LONGER)
            for way in (secret, secret[::-1]):
                self._windows |= {way[at : at + size]: kind for at in range(len(way) - size + 1)}
        # Which two bytes a window begins with and goes on with: a place that has all six is looked at.
        self._pairs = np.zeros((WINDOW // 2, 65_536), dtype=bool)
        for window in self._windows:
            for no, pairs in enumerate(self._pairs):
                pairs[window[2 * no] << 8 | window[2 * no + 1]] = True

    def __len__(self) -> int:
        return len(self._windows)

    def find(self, haystack: bytes, *, memory: bool = False) -> set[tuple[str, str]]:
        """Which kinds of secret stand in `haystack`, and how they are written. In the `memory` of a process only
        what looks like text is read as text."""
        text = b"\n".join(dict.fromkeys(_PRINTABLE.findall(haystack))) if memory else haystack
        ways = {"raw": [haystack], **_readings(text)}
        return {(kind, way) for way, found in ways.items() for kind in self._raw(_BETWEEN.join(found))}

    def _raw(self, data: bytes) -> set[str]:
        if len(data) < WINDOW:
            return set()
        octets = np.frombuffer(data, dtype=np.uint8).astype(np.uint16)
        pairs = octets[:-1] << 8 | octets[1:]
        places = np.flatnonzero(self._pairs[0][pairs[: len(data) - WINDOW + 1]])
        for no in range(1, len(self._pairs)):
            places = places[self._pairs[no][pairs[places + 2 * no]]]
        windows = (data[at : at + size] for at in places for size in (WINDOW, LONGER))
        return {self._windows[window] for window in windows if window in self._windows}


def batches(contents: Iterable[bytes]) -> Iterator[tuple[bytes, list[bytes]]]:
    """Many contents as one, with what is in it: most words of a room stand in many places, and are looked at once
    in a batch. What is found in none of it is found in none of them."""
    batch: list[bytes] = []
    size = 0
    for content in contents:
        batch.append(content)
        size += len(content)
        if size >= BATCH:
            yield APART.join(batch), batch
            batch, size = [], 0
    if batch:
        yield APART.join(batch), batch


def _readings(data: bytes) -> dict[str, list[bytes]]:
    numbers = (found for found in dict.fromkeys(_DECIMAL.findall(data)) if len(found) <= _MOST_DIGITS)
    return {
        "hex": [_hex(found) for found in dict.fromkeys(_HEX.findall(data))],
        "base64": [_base64(found) for found in dict.fromkeys(_BASE64.findall(data))],
        "list": [bytes(n & 255 for n in map(int, found.split(b","))) for found in _BYTE_LIST.findall(data)],
        "number": [int(found).to_bytes(9, "big") for found in numbers],
        "escaped": [_unescape(data)] if b"\\x" in data or b"\\u00" in data else [],
    }


# The same words stand in many pages: of 236,000 that look like base64 in four hands 21,000 are different.
@lru_cache(maxsize=100_000)
def _hex(found: bytes) -> bytes:
    digits = _NOT_HEX.sub(b"", found)
    # A run may begin in the middle of a byte.
    starts = (digits[start : start + (len(digits) - start) // 2 * 2] for start in (0, 1))
    return _BETWEEN.join(bytes.fromhex(whole.decode()) for whole in starts)


@lru_cache(maxsize=100_000)
def _base64(found: bytes) -> bytes:
    text = found.replace(b"-", b"+").replace(b"_", b"/")
    read = []
    for start in range(4):  # words run together
        whole = text[start : start + (len(text) - start) // 4 * 4]
        rest = text[start + len(whole) :]
        if len(rest) > 1:
            whole += rest + b"=" * (4 - len(rest))
        read.append(base64.b64decode(whole))
    return _BETWEEN.join(read)


def _unescape(data: bytes) -> bytes:
    return re.sub(rb"\\(?:x|u00)([0-9a-fA-F]{2})", lambda m: bytes.fromhex(m[1].decode()), data)
