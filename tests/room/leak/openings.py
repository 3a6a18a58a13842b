"""Every card and every tag, with every value that was found, tried against the commitments of a room."""

from __future__ import annotations

import base64
import ctypes
import hashlib
import json
import os
import re
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

SALT_BYTES = 16
SOURCE = Path(__file__).with_name("openings.c")
WEAK = ("", "00" * SALT_BYTES, "ff" * SALT_BYTES)  # values that anybody tries first
_LABEL = b"feltwire card 2\n"
_HEX = re.compile(rb"[0-9a-fA-F]{32,}")
_UUID = re.compile(rb"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_BASE64 = re.compile(rb"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{22,88}={0,2}(?![A-Za-z0-9+/_=-])")
_MOST_RAW = 64  # bytes of a cell that is no text: a key, a hash, a signature


class Promise(NamedTuple):
    """A commitment (hex), and the JSON array of what it binds before the card."""

    sum: str
    bound: Sequence[object]


def values_in(data: bytes, *, cell: bool = False) -> Iterator[bytes]:
    """Everything of sixteen bytes that `data` has as a value of its own: hex, Base64, UUIDs; both ends of what is
    longer. `cell`: all of `data` is one value, if it is short."""
    for found in dict.fromkeys(_HEX.findall(data)):
        yield found[: 2 * SALT_BYTES]
        yield found[len(found) - 2 * SALT_BYTES :]
    for found in dict.fromkeys(_UUID.findall(data)):
        yield found.replace(b"-", b"")
    for found in dict.fromkeys(_BASE64.findall(data)):
        plain = found.rstrip(b"=").replace(b"-", b"+").replace(b"_", b"/")
        if len(plain) % 4 != 1:
            yield from _ends(base64.b64decode(plain + b"=" * (-len(plain) % 4)))
    if cell and SALT_BYTES <= len(data) <= _MOST_RAW:
        yield from _ends(data)


def _ends(raw: bytes) -> Iterator[bytes]:
    if len(raw) >= SALT_BYTES:
        yield raw[:SALT_BYTES].hex().encode()
        yield raw[-SALT_BYTES:].hex().encode()


def opened(promises: Iterable[Promise], cards: Sequence[str], values: Iterable[bytes]) -> Iterator[str]:
    """What opens: the card or tag, and the value, in words. `values` are hex."""
    tried = {*map(str.encode, WEAK), *(value.lower() for value in values)}
    salts = [None, *sorted(tried, key=lambda value: (len(value), value))]  # None: no salt at all
    tails = [b'"]' if value is None else b'","%b"]' % value for value in salts]
    texts = sorted((card.encode() for card in cards), key=len)
    library = ctypes.CDLL(str(_library()))
    library.opened.restype = ctypes.c_long
    which = (ctypes.c_long * 2)()
    lists = (*_joined(texts), len(texts), *_joined(tails), len(tails))
    for promise in promises:
        head = _LABEL + json.dumps(promise.bound, separators=(",", ":")).encode()[:-1] + b',"'
        found = library.opened(bytes.fromhex(promise.sum), head, ctypes.c_size_t(len(head)), *_typed(lists), which)
        if found < 0:
            raise ValueError(f"{len(tails)} values, the longest of {len(tails[-1])} bytes: cannot be tried")
        if found:
            value = salts[which[1]] or b""
            yield f"{texts[which[0]].decode()} with the value {value.decode() or 'none'}"


def _joined(texts: Sequence[bytes]) -> tuple[bytes, ctypes.Array[ctypes.c_uint32]]:
    return b"".join(texts), (ctypes.c_uint32 * len(texts))(*map(len, texts))


def _typed(lists: tuple[object, ...]) -> tuple[object, ...]:
    return tuple(ctypes.c_long(one) if isinstance(one, int) else one for one in lists)


def _library() -> Path:
    digest = hashlib.sha256(SOURCE.read_bytes()).hexdigest()
    path = Path(tempfile.gettempdir()) / f"feltwire-openings-{os.getuid()}-{digest[:16]}.so"
    if not path.exists():
        fresh = path.with_suffix(f".{os.getpid()}")
        subprocess.run(["gcc", "-O3", "-march=native", "-shared", "-fPIC", "-o", fresh, SOURCE], check=True)
        fresh.replace(path)
    return path
