"""Frames of keypad and shoe, damaged, repeated, strange and without end."""

from __future__ import annotations

from typing import NamedTuple

from firmware_bridge import frames, payloads
from table_core.messages import DeviceState
from tests.mutated import mutations
from tests.mutated.mutations import Chance
from tests.mutated.room import Room


class Fed(NamedTuple):
    how: str
    topic: str  # the device
    payload: bytes
    at_once: bool = False


class SerialDoor:
    """`lines` is what the devices of a room said, in order."""

    name = "serial"

    def __init__(self, lines: list[tuple[str, bytes]]) -> None:
        self._lines = lines

    def make(self, chance: Chance, _: Room) -> Fed:
        device, raw = chance.choice(self._lines)
        other = chance.choice(self._lines)[1]
        frame = frames.decode(raw[:-1])
        assert frame is not None
        dice = chance.random()
        if dice < 0.4:
            return Fed("strange", device, mutations.strange_frame(chance, frame.boot, frame.seq))
        if dice < 0.45:
            return Fed("repeated", device, raw * chance.choice((1, 2, 5)))
        if dice < 0.5:  # what it never saw, in no order
            many = [mutations.strange_frame(chance, frame.boot, chance.randrange(1, 50)) for _ in range(12)]
            return Fed("many", device, b"".join(many), chance.random() < 0.5)
        if dice < 0.502:
            return Fed("flood", device, raw * chance.choice((300, 1_500)), True)
        if dice < 0.504:
            return Fed("endless", device, chance.choice((b"\x01", b"\x00", b"\xff", b"\x02\x01")) * 70_000, True)
        how, data = mutations.line_noise(chance, raw, other)
        return Fed(how, device, data)

    def give(self, room: Room, fed: Fed) -> tuple[bool, list[str]]:
        """Whether it may change nothing, and what is wrong with what came of it."""
        invalid = self._invalid(room, fed)
        room.feed(fed.topic, fed.payload, after_ms=0)
        return invalid, []

    def _invalid(self, room: Room, fed: Fed) -> bool:
        """Nothing on the line that a device of this kind says; a flood is said, and that is an event."""
        link = room.line(fed.topic)
        heard = mutations.sound_frames(bytes(link._decoder._held) + fed.payload)
        if link.state is not DeviceState.OK:  # whatever is sound then says that the device is back
            return False
        if fed.at_once or any(frame.kind == frames.HELLO for frame in heard) or link._decoder._overlong:
            return False
        if any(map(_says_that_frames_are_lost, heard)):  # what a device could not keep is recorded
            return False
        if len(heard) + fed.payload.count(b"\x00") > 3:
            return False  # perhaps more than its pace
        return not any(0 < frame.kind < frames.ACK and frame.seq > 0 for frame in heard)


def _says_that_frames_are_lost(frame: frames.Frame) -> bool:
    try:
        health = payloads.read_health(frame.payload)
    except ValueError:
        return False
    return frame.kind == frames.HEALTH and health.lost > 0
