"""Who answers on a line, and whether the host can work with that."""

from __future__ import annotations

from typing import NamedTuple

from firmware_bridge import payloads


class Hello(NamedTuple):
    """The device on the line. `source` is the hash of what it runs, as hex; empty where it does not say."""

    device_kind: int
    firmware: str
    boot: int
    protocol: int
    capabilities: int
    source: str

    @property
    def words(self) -> str:
        """`feltwire-shoe 1.0 (3f2a…), boot 1c2d`."""
        version = f"{self.firmware} ({self.source})" if self.source else self.firmware
        return f"{version}, boot {self.boot:x}"

    def can(self, capability: int) -> bool:
        return bool(self.capabilities & capability)


def read(payload: bytes, boot: int) -> Hello:
    """The content of a HELLO; raise `ValueError` where it is none."""
    said = payloads.read_hello(payload)
    source = said.source.hex() if any(said.source) else ""
    return Hello(said.device_kind, _plain(said.firmware), boot, said.protocol, said.capabilities, source)


def refusal(hello: Hello, expect: int | None, port: str) -> str:
    """Why the host does not listen to this device, and what to do; empty: it does."""
    if hello.protocol > payloads.PROTOCOL:
        return (
            f"{hello.firmware} speaks protocol {hello.protocol}, newer than {payloads.PROTOCOL}: "
            "update this table's program"
        )
    if hello.protocol < payloads.OLDEST_PROTOCOL:
        return (
            f"{hello.firmware} speaks protocol {hello.protocol}, older than {payloads.OLDEST_PROTOCOL}: "
            "update its firmware"
        )
    if expect is not None and hello.device_kind != expect:
        return f"a {payloads.DEVICE_NAMES.get(hello.device_kind, 'stranger')} answers on {port}: swap the cables"
    return ""


def _plain(firmware: str) -> str:
    """A device's firmware name for log lines and pages: one line without control characters."""
    return "".join(letter if letter.isprintable() else "?" for letter in firmware)
