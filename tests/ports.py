"""Ports of this machine that nobody listens on, for rooms and servers of the tests.

All lie below the range from which outgoing connections are given theirs (32,768 upwards on Linux). A port of that
range may be somebody's own before the server that it was found for listens; and who calls it again and again until
the server is there may get through to himself.

Ports come from blocks. The first port of a block is its guard: bound for as long as this process lives, it tells
test runs beside this one that the block is taken. No port is given out twice.
"""

from __future__ import annotations

import atexit
import os
import socket
from collections.abc import Iterator

HOST = "127.0.0.1"
_FIRST, _LAST = 10_000, 32_000
_BLOCK = 64  # a guard, and room for a whole demo above it


def free_port() -> int:
    """A port that is free now and is not given out again."""
    return next(_singles)


def free_base() -> int:
    """A first port with room for a whole demo above it."""
    return next(_blocks)


def _take_blocks() -> Iterator[int]:
    """The first port behind the guard of one block after the other; test runs side by side begin at different
    ones."""
    guards = range(_FIRST, _LAST - _BLOCK, _BLOCK)
    begin = os.getpid() % len(guards)
    for guard in (*guards[begin:], *guards[:begin]):
        block = range(guard + 1, guard + _BLOCK)
        if all(map(_free, block)) and _keep(guard):
            yield block[0]
    raise AssertionError("no free ports")


def _take_singles() -> Iterator[int]:
    while True:
        first = next(_blocks)
        yield from filter(_free, range(first, first + _BLOCK - 1))


def _keep(guard: int) -> bool:
    held = socket.socket()
    try:
        held.bind((HOST, guard))
    except OSError:
        held.close()
        return False
    atexit.register(held.close)
    return True


def _free(port: int) -> bool:
    with socket.socket() as probe:
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
    return True


_blocks = _take_blocks()
_singles = _take_singles()
