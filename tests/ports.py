"""Ports of this machine that nobody listens on, for rooms and servers of the tests."""

from __future__ import annotations

import os
import socket

HOST = "127.0.0.1"
# Below the range that outgoing connections are given their ports from (32,768 upwards on Linux).
_FIRST, _LAST, _ROOM = 10_000, 32_000, 40


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


def free_base() -> int:
    """A first port with room for a whole demo above it; test runs side by side begin to look at different ones."""
    bases = range(_FIRST, _LAST, _ROOM)
    begin = os.getpid() % len(bases)
    for base in (*bases[begin:], *bases[:begin]):
        if all(_free(base + offset) for offset in range(20)):
            return base
    raise AssertionError("no free ports")


def _free(port: int) -> bool:
    with socket.socket() as probe:
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
    return True
