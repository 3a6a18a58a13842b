"""The log that `shim.c` writes: what a process did to its disk and what it told others, in one order."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from firmware_bridge.frames import ACK, Decoder

_HEADER = struct.Struct("<IIQQII")
_PUBLISH = 3  # MQTT's packet type


@dataclass(frozen=True, slots=True)
class Operation:
    """One call of the process. `kind` is `O` (a file was opened; `at` 1: created), `W` (written at `at`), `T` (cut
    or grown to `at`), `S` (synced), `D` (a folder was synced), `R` (renamed), `U` (unlinked), `M` (a folder was
    made)."""

    kind: str
    inode: int
    at: int
    path: str = ""
    to: str = ""
    data: bytes = b""


@dataclass(frozen=True, slots=True)
class Said:
    """Something that left the process when it had done so many operations (`after`): a message on `topic` of the
    bus, a frame (`boot`, `seq`) that was acknowledged to a device, or bytes of a page to a browser (`browser`)."""

    after: int
    topic: str = ""
    payload: bytes = b""
    boot: int = 0
    seq: int = 0
    browser: int = 0


@dataclass(frozen=True)
class Recording:
    """One run of a process: what it did, and what it said meanwhile."""

    operations: list[Operation]
    said: list[Said]


def read(log: Path, broker_port: int) -> Recording:
    """The recording in a log; `broker_port` tells messages of the bus from pages."""
    operations: list[Operation] = []
    said: list[Said] = []
    streams: dict[tuple[int, int], _Messages | _Acks] = {}
    for kind, fd, inode, at, first, second in _records(log.read_bytes()):
        if kind != "X":
            operations.append(_operation(kind, inode, at, first, second))
        elif first or at == broker_port:
            stream = streams.setdefault((fd, at), _Acks() if first else _Messages())
            said += stream.feed(second, len(operations))
        else:
            said.append(Said(len(operations), payload=second, browser=at))
    return Recording(operations, said)


def _records(raw: bytes) -> Iterator[tuple[str, int, int, int, bytes, bytes]]:
    place = 0
    while place + _HEADER.size <= len(raw):
        op, fd, inode, at, first, second = _HEADER.unpack_from(raw, place)
        place += _HEADER.size
        yield chr(op), fd, inode, at, raw[place : place + first], raw[place + first : place + first + second]
        place += first + second


def _operation(kind: str, inode: int, at: int, first: bytes, second: bytes) -> Operation:
    if kind == "W":
        return Operation(kind, inode, at, data=second)
    return Operation(kind, inode, at, first.decode(), second.decode())


class _Messages:
    """The MQTT packets that a client sends: what it publishes."""

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, data: bytes, after: int) -> Iterator[Said]:
        self._rest += data
        while (packet := _packet(self._rest)) is not None:
            first, body, used = packet
            self._rest = self._rest[used:]
            if first >> 4 == _PUBLISH:
                length = int.from_bytes(body[:2])
                number = 2 if first & 0b110 else 0  # of the packet, above QoS 0
                yield Said(after, body[2 : 2 + length].decode(), body[2 + length + number :])


def _packet(raw: bytes) -> tuple[int, bytes, int] | None:
    """The first whole packet: its first byte, its body, and how many bytes it takes."""
    length, shift, place = 0, 0, 1
    while place < len(raw):
        byte = raw[place]
        length |= (byte & 0x7F) << shift
        shift, place = shift + 7, place + 1
        if not byte & 0x80:
            end = place + length
            return (raw[0], raw[place:end], end) if len(raw) >= end else None
    return None


class _Acks:
    """What the host sends to a device: the frames that it acknowledges."""

    def __init__(self) -> None:
        self._decoder = Decoder()

    def feed(self, data: bytes, after: int) -> Iterator[Said]:
        for frame in self._decoder.feed(data):
            if frame.kind == ACK:
                yield Said(after, boot=frame.boot, seq=frame.seq)
