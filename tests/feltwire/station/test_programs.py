"""A machine with another program is named in the queue; the room writes what the release before reads until the
director confirms the upgrade."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import pytest

from feltwire.lab.station.memory import of
from feltwire.runtime.broker import topics
from feltwire.runtime.node_io import Arrived, Publish, Reply
from feltwire.runtime.room_version import SAYS_EVERY, RoomVersion
from feltwire.station import programs
from feltwire.station.programs import UNSAID_MS
from feltwire.station.station_io import Effect, ReleaseSeen, UpgradeSeen, UpgradeStation
from feltwire.version import order_of
from table_core.messages import (
    EARLIEST_WRITTEN,
    MESSAGES_VERSION,
    Beat,
    ItemKind,
    MachinesView,
    Millis,
    Program,
    QueueItem,
    Status,
    TableBeat,
    UpgradeOrder,
    encode,
    write_as,
    written,
)
from tests.feltwire.station_room import VENUE, FakeTable, Station, config

OWN, EARLIER, LATER = "0.3.0", "0.2.0", "0.4.0"
TABLES = ("01", "02")


@pytest.fixture(autouse=True)
def own_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programs, "program_version", lambda: OWN)


class Room:
    """A station whose two tables and wall clock answer its beats as long as they are not switched off."""

    def __init__(self, writes: int = MESSAGES_VERSION, tables: Sequence[str] = TABLES) -> None:
        self.station = Station(config(tables), writes=writes)
        self.station.up()
        self.tables = [FakeTable(table) for table in tables]
        for table in self.tables:
            self.station.give(table.status(online=True))
        self._clock("status", Status(online=True))

    def wait(self, ms: int = 1_000) -> None:
        """Time in which everybody answers each beat."""
        for _ in range(0, ms, 1_000):
            self.station.wait(1_000)
            at = Millis(self.station.now)
            for table in self.tables:
                beat = TableBeat(table.head.epoch, self.station.boot, at)
                self.station.give(Arrived(table.topic("beat"), encode(beat)))
            self._clock("beat", Beat(self.station.boot, at))

    def say(self, who: str, version: str, reads: int = MESSAGES_VERSION) -> None:
        """A table, by its id, or the wall clock says which program it runs."""
        for table in self.tables:
            if table.table == who:
                said = encode(Program(version, reads, table.head.epoch))
                self.station.give(Arrived(table.topic("program"), said))
        if who == "clock-bar":
            self._clock("program", Program(version, reads))

    def say_all(self, version: str = OWN) -> None:
        for who in (*(table.table for table in self.tables), "clock-bar"):
            self.say(who, version)

    def _clock(self, leaf: str, said: msgspec.Struct) -> None:
        self.station.give(Arrived(topics.process(VENUE, "clock-bar", leaf), encode(said)))

    @property
    def items(self) -> list[QueueItem]:
        return [item for item in self.station.queue.items if item.kind is ItemKind.VERSION]

    @property
    def facts(self) -> list[str]:
        return [item.fact for item in self.items]

    def confirm(self, press: str = "c1") -> Reply:
        return self.station.press("confirm_upgrade", id_=press)


def test_a_machine_with_another_program_is_an_item_until_it_has_the_stations() -> None:
    room = Room()
    room.say_all()
    room.wait()
    assert room.items == []
    room.say("01", EARLIER)
    room.say("clock-bar", EARLIER)
    room.wait()
    assert room.facts == [
        "Update table 01: it has 0.2.0, the station has 0.3.0.",
        "Update the wall clock bar: it has 0.2.0, the station has 0.3.0.",
    ]
    assert [item.table for item in room.items] == ["01", ""]
    room.say("01", OWN)
    room.say("clock-bar", OWN)
    room.wait()
    assert room.items == []


def test_the_station_is_to_be_updated_where_a_machine_has_a_later_program() -> None:
    room = Room()
    room.say_all()
    room.say("02", LATER)
    room.wait()
    assert room.facts == ["Update the station: table 02 has 0.4.0, the station has 0.3.0."]


def test_what_a_later_program_adds_to_what_it_says_is_skipped() -> None:
    room = Room()
    room.say_all()
    said = msgspec.json.encode({"version": LATER, "reads": 99, "epoch": 1, "new_in_that_version": {"a": [1]}})
    room.station.give(Arrived(room.tables[0].topic("program"), said))
    room.wait()
    assert room.facts == ["Update the station: table 01 has 0.4.0, the station has 0.3.0."]
    assert room.station.alerts == ()


def test_a_machine_that_is_heard_and_does_not_say_its_program_has_an_early_one() -> None:
    room = Room()
    room.say_all()
    room.wait(UNSAID_MS // 2)
    room.say("02", OWN)
    room.say("clock-bar", OWN)
    room.wait(UNSAID_MS // 2 + 2_000)
    assert room.items == []
    room.say("02", OWN)
    room.say("clock-bar", OWN)
    room.wait(UNSAID_MS - 2_000)
    assert room.facts == [
        "Update table 01: it has a version that does not say which one it is; the station has 0.3.0."
    ]


def test_a_machine_that_was_replaced_says_nothing_for_its_table() -> None:
    room = Room()
    room.say_all()
    said = encode(Program(EARLIER, MESSAGES_VERSION, epoch=0))
    room.station.give(Arrived(room.tables[0].topic("program"), said))
    room.wait()
    assert room.items == []


def test_an_upgrade_is_confirmed_once_every_machine_can_read_it() -> None:
    room = Room(writes=EARLIEST_WRITTEN)
    room.say_all()
    room.say("02", EARLIER, reads=EARLIEST_WRITTEN)
    room.wait()
    assert room.facts == ["Update table 02: it has 0.2.0, the station has 0.3.0."]
    reply = room.confirm()
    assert reply.refused
    assert reply.text == "Not yet: table 02 could not read it. Update that first."
    assert room.station.writes == EARLIEST_WRITTEN
    room.say("02", OWN)
    room.wait()
    (item,) = room.items
    assert item.fact == "Every machine that is heard has 0.3.0. The upgrade waits for you."
    assert item.primary is not None
    assert item.primary.command == "confirm_upgrade"
    reply = room.confirm("c2")
    assert (reply.refused, reply.text) == (False, "The upgrade is confirmed.")
    assert room.station.writes == MESSAGES_VERSION
    room.wait()
    assert room.items == []
    assert room.confirm("c3").text == "There is no upgrade to confirm."


def test_who_is_not_heard_does_not_hold_the_upgrade_and_is_named() -> None:
    room = Room(writes=EARLIEST_WRITTEN)
    room.tables = room.tables[:1]
    room.wait(15_000)
    room.say_all()
    assert room.confirm().text == (
        "The upgrade is confirmed. Table 02 is not heard now: an earlier version there has to be updated."
    )


RELEASE = ReleaseSeen("0.4.0", 1_000, "ab" * 32, "https://station.hall.lan/release/word")


def ordered(effects: Sequence[Effect]) -> list[UpgradeOrder]:
    """What was said on the bus, and to the station's own machine."""
    sent = [one for one in of(effects, Publish) if one.topic == topics.tournament(VENUE, "upgrade")]
    here = [one.order for one in of(effects, UpgradeStation)]
    return [*(msgspec.json.decode(one.payload, type=UpgradeOrder) for one in sent), *here]


def test_a_release_at_the_station_is_said_and_a_press_sends_it_to_one_machine() -> None:
    room = Room(writes=EARLIEST_WRITTEN)
    room.say_all()
    room.wait()
    said = room.station.press("upgrade_machine", machine="table-01")
    assert said.text == "No release lies at the station: feltwire upgrade --for-the-room FILE."
    room.station.give(RELEASE)
    assert "Version 0.4.0 lies at the station, which has 0.3.0." in room.facts
    before = len(room.station.effects)
    said = room.station.press("upgrade_machine", "p2", machine="table-01")
    assert said.text == "Table 01 is sent version 0.4.0. It waits for the end of the hand."
    said = room.station.press("upgrade_machine", "p3", machine="station")
    assert said.text == "The station is sent version 0.4.0."
    first, second = ordered(room.station.effects[before:])
    assert first == UpgradeOrder(first.id, "table-01", "0.4.0", 1_000, "ab" * 32, RELEASE.url)
    assert (second.machine, second.id != first.id) == ("station", True)
    room.say("01", "0.4.0")
    room.wait()
    said = room.station.press("upgrade_machine", "p4", machine="table-01")
    assert (said.refused, said.text) == (True, "It has version 0.4.0 already.")


def test_a_machine_is_asked_for_its_version_before() -> None:
    room = Room()
    room.say_all()
    room.wait()
    before = len(room.station.effects)
    said = room.station.press("roll_back_machine", machine="clock-bar")
    assert said.text == "The wall clock bar is asked for its version before."
    (order,) = ordered(room.station.effects[before:])
    assert (order.machine, order.back, order.url) == ("clock-bar", True, "")


def test_a_machine_that_is_not_heard_gets_nothing_and_a_file_that_is_no_release_is_said() -> None:
    room = Room()
    room.say_all()
    room.wait()
    room.station.give(RELEASE)
    for machine in ("table-99", "clock-hall", "", "x" * 190):
        said = room.station.press("upgrade_machine", f"p{machine[:9]}", machine=machine)
        assert (said.refused, said.text) == (True, "That machine is not heard: it cannot be told anything now.")
    room.station.give(ReleaseSeen(why="its end is missing; copy it again"))
    assert room.facts == ["The release at the station is none: its end is missing; copy it again."]
    said = room.station.press("upgrade_machine", "p1", machine="table-01")
    assert (said.refused, said.text) == (True, "its end is missing; copy it again")


def test_the_page_of_machines_has_each_with_its_version_its_hand_and_how_far_it_is() -> None:
    room = Room(writes=EARLIEST_WRITTEN)
    room.tables = room.tables[:1]
    room.say_all(EARLIER)
    (table,) = room.tables
    said = Program(EARLIER, EARLIEST_WRITTEN, table.head.epoch, "fetches 0.4.0: 40 %")
    room.station.give(Arrived(table.topic("program"), encode(said)))
    room.station.give(RELEASE)
    room.station.give(UpgradeSeen("not upgraded: the disk is full"))
    room.wait(15_000)
    view = msgspec.json.decode(room.station.pages["machines"], type=MachinesView)
    assert (view.release, view.confirmed) == ("0.4.0", False)
    assert [(one.id, one.version, one.state, one.heard) for one in view.machines] == [
        ("station", OWN, "not upgraded: the disk is full", True),
        ("table-01", EARLIER, "fetches 0.4.0: 40 %", True),
        ("clock-bar", EARLIER, "", True),
        ("table-02", "", "is not heard", False),
    ]
    (item,) = [one for one in room.items if one.table == "01"]
    assert item.do.startswith("Fetches 0.4.0: 40 %. It plays on.")


def test_the_stations_beat_names_the_version_that_the_room_writes() -> None:
    room = Room()
    for version in (EARLIEST_WRITTEN, MESSAGES_VERSION):
        write_as(version)
        beats = [one for one in of(room.station.wait(2_000), Publish) if one.topic.endswith("/tournament/beat")]
        assert {msgspec.json.decode(beat.payload)["v"] for beat in beats} == {version}


def test_a_machine_writes_what_the_beats_name_and_says_its_program_to_a_new_station_and_then_seldom() -> None:
    follows = RoomVersion()
    follows.obey()
    assert written() == EARLIEST_WRITTEN
    said = [follows.heard(encode(Beat("b1", Millis(at), MESSAGES_VERSION))) for at in range(2 * SAYS_EVERY)]
    assert [at for at, says in enumerate(said) if says] == [0, SAYS_EVERY]
    assert written() == EARLIEST_WRITTEN  # an event that is being written is written in one version
    follows.obey()
    assert written() == MESSAGES_VERSION
    assert follows.heard(encode(Beat("b2", Millis(0), EARLIEST_WRITTEN)))
    follows.obey()
    assert written() == EARLIEST_WRITTEN
    assert not follows.heard(b"\xff")


def test_versions_have_an_order() -> None:
    ordered = [
        "0.2.0.dev0",
        "0.2.0.dev20261129143000+g8fc35daa7",
        "0.2.0.dev20261129150000+g0000aaaaa.d20261129",
        "0.2.0",
        "0.10.0",
        "1.0.0",
    ]
    orders = [order_of(version) for version in ordered]
    assert None not in orders
    assert orders == sorted(orders, key=lambda order: order or ())
    for none in ("unknown", "0.2", "0.2.0rc1", "x" * 300, "0.2.0\n", "９.0.0"):
        assert order_of(none) is None


def test_a_machine_whose_backup_fails_is_an_item_until_one_is_whole_again() -> None:
    room = Room()
    room.wait()
    room.say_all()
    said = Program(
        OWN, MESSAGES_VERSION, room.tables[0].head.epoch, backup="The last backup is not whole: disk full"
    )
    room.station.give(Arrived(room.tables[0].topic("program"), encode(said)))
    room.wait()
    (item,) = [one for one in room.station.queue.items if one.kind is ItemKind.DISK]
    assert item.fact == "Table 01: The last backup is not whole: disk full"
    assert (item.table, item.do) == ("01", "Look there at its disk: systemctl status feltwire-backup@table-01.")
    room.say("01", OWN)
    room.wait()
    assert not [one for one in room.station.queue.items if one.kind is ItemKind.DISK]
