"""Devices that are plugged into a room on one machine: each is offered, and a press gives it to a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256

from msgspec.structs import replace

from feltwire.runtime.plugged import GivenDevices, Plugged, PluggedHere, PluggedKind, TakenDevice
from feltwire.station.director.arguments import DeviceWanted, arguments_of
from feltwire.station.director.director import Director
from feltwire.station.station_io import Directed, Effect, KeepDevices, PluggedSeen
from feltwire.station.tournament.overlooked import apart
from table_core.messages import ItemKind, Primary, QueueItem, Severity

COMMANDS = ("take_device", "give_device_back", "ask_device")
MOST_CHOICES = 8  # tables that an item has a button for
A = {
    PluggedKind.KEYPAD: "A keypad",
    PluggedKind.SHOE: "A shoe",
    PluggedKind.READER: "A card reader",
    PluggedKind.CAMERA: "A camera",
    PluggedKind.UNKNOWN: "A serial device",
}
UNASKED = (
    "Nothing is sent to it by itself: it may be anything. Where it is a keypad, a shoe or a reader for cards, "
    "ask it; else leave it."
)
TYPES = (
    "A reader for cards takes the place of a shoe. What it reads goes to the table alone from then on: is this "
    "the reader, and no keyboard that somebody writes with?"
)


class PluggedDevices:
    """`tables` are the room's, `given` is what was decided before. Without a folder for devices none is ever
    seen."""

    def __init__(self, tables: Sequence[str], director: Director, given: GivenDevices) -> None:
        self._tables = tables
        self._director = director
        self._here = PluggedHere()
        self._given = given

    def seen(self, seen: PluggedSeen) -> None:
        self._here = seen.here

    # ------------------------------------------------------------------------------------ what is shown

    def items(self) -> Iterator[QueueItem]:
        """What is plugged in and no table's."""
        taken = {one.id for one in self._given.taken}
        for one in self._here.devices:
            if one.id not in taken:
                yield self._item(one)

    def _item(self, one: Plugged) -> QueueItem:
        id_, fact = (
            f"plugged-{sha256(one.id.encode()).hexdigest()[:12]}",
            f"{A[one.kind]} is plugged in: {one.words}.",
        )
        item = QueueItem(id_, ItemKind.DEVICE, Severity.KNOW, fact, can_be_done=True)
        if one.trouble:
            return replace(item, do=f"{one.trouble[:1].upper()}{one.trouble[1:]}.")
        if one.kind is PluggedKind.UNKNOWN:
            if one.id in self._given.ask:
                return replace(item, do="It is being asked who it is.")
            return replace(item, do=UNASKED, primary=Primary("Ask it", "ask_device", {"device": one.id}))
        choices = [self._choice(one, table) for table in self._without(one.kind)[:MOST_CHOICES]]
        if not choices:
            return replace(item, do=f"Each table has a {one.kind.place}: give one back first, under Devices.")
        return replace(
            item, do="It stays that table's the next time, too.", primary=choices[0], also=tuple(choices[1:])
        )

    def _choice(self, one: Plugged, table: str) -> Primary:
        confirm = TYPES if one.kind is PluggedKind.READER else ""
        return Primary(f"Use it for table {table}", "take_device", {"device": one.id, "table": table}, confirm)

    def _without(self, kind: PluggedKind) -> list[str]:
        """Tables that have nothing in the place of such a device."""
        having = {one.table for one in self._given.taken if one.kind.place == kind.place}
        return [table for table in self._tables if table not in having]

    # -------------------------------------------------------------------------------------- presses

    def press(self, given: Directed) -> Iterator[Effect]:
        wanted = arguments_of(apart(given)[0], DeviceWanted)
        match given.command:
            case "take_device":
                done = self._take(wanted)
            case "ask_device":
                done = self._ask(wanted)
            case _:
                done = self._give_back(wanted)
        if isinstance(done, str):
            yield from self._director.reply(given, done, refused=True)
            return
        self._given, words = done
        yield KeepDevices(self._given)
        yield from self._director.reply(given, words)

    def _take(self, wanted: DeviceWanted) -> str | tuple[GivenDevices, str]:
        one = next((one for one in self._here.devices if one.id == wanted.device), None)
        if one is None:
            return "That device is not plugged in any more."
        if one.trouble or one.kind is PluggedKind.UNKNOWN:
            return one.trouble or "Nobody knows what that device is: ask it first."
        if has := next((taken.table for taken in self._given.taken if taken.id == one.id), ""):
            return f"That device is table {has}'s already."
        if wanted.table not in self._tables:
            return f"There is no table {wanted.table!r}."
        if wanted.table not in self._without(one.kind):
            return f"Table {wanted.table} has a {one.kind.place} already: give it back first, under Devices."
        taken = TakenDevice(one.id, one.kind, one.words, one.port, wanted.table)
        words = f"{one.words} is table {wanted.table}'s, also the next time. Its table begins with it in a moment."
        return replace(self._given, taken=(*self._given.taken, taken)), words

    def _ask(self, wanted: DeviceWanted) -> str | tuple[GivenDevices, str]:
        if not any(one.id == wanted.device and one.kind is PluggedKind.UNKNOWN for one in self._here.devices):
            return "That device is not plugged in any more, or has been asked."
        ask = (*self._given.ask[-50:], wanted.device)
        return replace(self._given, ask=ask), "It is asked who it is."

    def _give_back(self, wanted: DeviceWanted) -> str | tuple[GivenDevices, str]:
        one = next((one for one in self._given.taken if one.id == wanted.device), None)
        if one is None:
            return "No table has that device."
        rest = tuple(taken for taken in self._given.taken if taken.id != one.id)
        return replace(self._given, taken=rest), f"Table {one.table} plays without {one.words} from now on."
