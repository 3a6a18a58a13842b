"""Somebody holds a table's certificate, and says at the broker whatever that table may say. The machine that is
the table is not fenced, nothing of it is lost, and nothing of the thief's is taken."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import msgspec
import pytest

from feltwire.ledger.chain import LedgerHead, hash_of
from feltwire.ledger.signing import LedgerKey
from feltwire.runtime.broker import topics
from feltwire.runtime.node_io import Arrived, Publish
from feltwire.station.station_io import SendHistory
from feltwire.station.tables.machines import HISTORIES
from feltwire.table.node import RESENDS
from feltwire.table.process import birth_of
from feltwire.table.table_io import CommandCame, SayBirth
from table_core.messages import (
    AnyEvent,
    At,
    Birth,
    EpochBegan,
    Grant,
    HistoryWanted,
    ItemKind,
    Key,
    Millis,
    Noticed,
    PastEpoch,
    QueueView,
    Resend,
    TableState,
    decode,
    decode_envelope,
    encode,
)
from tests.display import fixtures
from tests.feltwire.machines import SETTINGS, Machine, Room
from tests.feltwire.station_room import VENUE

THIEF = LedgerKey(b"a key that the station never saw")
NOTHING = Noticed("forged", "nothing of this happened")


class Stolen:
    """The certificate of table 01: its holder hears what is public and may write what table 01 may write."""

    def __init__(self, room: Room) -> None:
        self._room = room

    def say(self, leaf: str, payload: bytes) -> None:
        self._room._from_station(self._room.station.give(Arrived(topics.table(VENUE, "01", leaf), payload)))
        self._room.settle()

    def head(self) -> LedgerHead:
        """The last event, which was public."""
        last = decode_envelope(self._room.collected[-1])
        return LedgerHead(last.epoch, last.seq, hash_of(self._room.collected[-1]))

    def write(self, head: LedgerHead, *events: AnyEvent, key: LedgerKey | None = THIEF) -> None:
        for event in events:
            at = At("thief", Millis(0))
            entry = head.link(event, at=at, venue=VENUE, table="01", key=key)
            head = entry.head
            self.say("event", entry.raw)

    def birth(self, ledger: str, epoch: int, last_seq: int, **more: object) -> None:
        born = Birth(VENUE, "01", epoch, last_seq, "s", ledger)
        self.say("birth", THIEF.sign(msgspec.structs.replace(born, key=THIEF.public, **more)))


@pytest.fixture
def room(tmp_path: Path) -> Room:
    """Machine `a` is the table and in the betting of a hand."""
    room = Room(tmp_path)
    room.start("a").press(Key.NEW_HAND, Key.FOLD)
    room.settle()
    return room


def goes_on(room: Room, *, alert: bool = True) -> Machine:
    """The table is the machine that it was, and every event of it goes in."""
    machine = room.machines["a"]
    machine.press(Key.FOLD, Key.NEW_HAND, Key.CHECK_CALL)
    room.wait(5_000)
    assert machine.node.lease.speaks
    assert room.collected == machine.rows
    assert any("sends in its name" in text for text in room.station.alerts) is alert
    return machine


# -------------------------------------------------------------------------------------------- events


def test_an_epoch_that_the_station_did_not_grant_is_refused(room: Room) -> None:
    """With the public head it continues the chain."""
    thief = Stolen(room)
    thief.write(thief.head().in_epoch(2), EpochBegan("6666000000000000", THIEF.public), NOTHING)
    assert EpochBegan not in [type(decode_envelope(raw).data) for raw in room.collected[1:]]
    goes_on(room)


@pytest.mark.parametrize("key", [THIEF, None])
def test_an_event_that_continues_the_chain_and_is_not_signed_by_the_table_is_refused(
    room: Room, key: LedgerKey | None
) -> None:
    thief = Stolen(room)
    thief.write(thief.head(), NOTHING, NOTHING, key=key)
    goes_on(room)


def test_an_event_of_the_table_has_one_form_only(room: Room) -> None:
    """Said first in another form that means the same, it would keep the true ones behind it out."""
    machine = room.machines["a"]
    machine.on_bus(up=False)
    before = len(room.collected)
    machine.press(Key.FOLD)
    true = machine.rows[before]
    start, end = true.rsplit(b'"signature":"', 1)
    for other in (
        true + b" ",
        b" " + true,
        true.replace(b'"seq":', b'"seq": ', 1),
        start + b'"signature":"' + end.upper(),
        start + b'"signature" :"' + end,
        start + b'"signature":"","signature":"' + end,
    ):
        Stolen(room).say("event", other)
    assert len(room.collected) == before
    machine.on_bus(up=True)
    room.settle()
    goes_on(room)


def test_true_events_said_again_change_nothing(room: Room) -> None:
    for raw in list(room.collected):
        Stolen(room).say("event", raw)
    goes_on(room, alert=False)


def test_a_state_that_is_not_true_keeps_nothing_out_and_nothing_is_asked_for(room: Room) -> None:
    asked = len(room.station.effects)
    view = msgspec.structs.replace(fixtures.table_view(), venue=VENUE, table="01", epoch=1, as_of=10**9)
    for state in (encode(TableState(view)), THIEF.sign(TableState(view))):
        Stolen(room).say("state", state)
    room.wait(60_000)
    new = [effect for effect in room.station.effects[asked:] if isinstance(effect, Publish)]
    assert not [one for one in new if b'"resend"' in one.payload]
    goes_on(room)


# -------------------------------------------------------------------------------------------- births


def test_a_birth_with_the_tables_own_ledger_and_a_later_epoch_takes_nothing(room: Room) -> None:
    ledger = room.machines["a"].ledger.identity()
    for epoch in (1, 2, 10**6):
        Stolen(room).birth(ledger, epoch, 10**6)
    assert room.station.leaseholders["01"].epoch == 1
    assert [claim.key for claim in room.station.claims] == [THIEF.public], "the director decides, and is told"
    goes_on(room, alert=False)


def test_a_birth_in_the_tables_own_name_needs_its_signature(room: Room) -> None:
    machine = room.machines["a"]
    born = Birth(VENUE, "01", 9, 9, "s", machine.ledger.identity(), "", machine.ledger.key.public)
    Stolen(room).say("birth", encode(born))
    Stolen(room).say("birth", THIEF.sign(born))
    assert room.station.leaseholders["01"].epoch == 1
    assert room.station.claims == ()
    goes_on(room)


def test_with_another_ledger_it_only_makes_a_claim_also_while_the_table_is_away(room: Room) -> None:
    room.partition("a")
    room.wait(60_000)
    Stolen(room).birth("6666000000000000", 7, 3, past=(PastEpoch(1, 1, "", "x", THIEF.public),))
    Stolen(room).write(LedgerHead().in_epoch(7), NOTHING)
    (claim,) = room.station.claims
    assert "machine 6666" in claim.text
    room.heal("a")
    goes_on(room)


def test_whoever_comes_before_the_table_ever_did_leaves_the_table_to_make_a_claim(tmp_path: Path) -> None:
    """The director sees that another machine asks, hands the table to it, and the thief is out."""
    room = Room(tmp_path)
    Stolen(room).birth("6666000000000000", 1, 0)
    machine = room.start("a")
    (claim,) = room.station.claims
    assert claim.ledger == machine.ledger.identity()
    room.hand_over("a")
    room.start("a").press(Key.NEW_HAND, Key.FOLD)
    room.settle()
    machine = room.machines["a"]
    assert room.collected == machine.rows
    Stolen(room).write(machine.ledger.head, NOTHING)
    Stolen(room).birth("6666000000000000", 2, 10**6)
    goes_on(room)


def test_an_old_birth_of_the_table_said_again_makes_no_claim(room: Room) -> None:
    """It lacks what was collected since; the table itself is asked, and does not."""
    machine = room.machines["a"]
    old = birth_of(machine.ledger, SETTINGS, SayBirth())
    machine.press(Key.FOLD, Key.NEW_HAND)
    room.settle()
    for _ in range(20):
        Stolen(room).say("birth", old)
        room.wait(1_000)
        assert room.station.claims == ()
    goes_on(room, alert=False)


def test_a_machine_whose_disk_went_back_in_time_makes_its_claim(room: Room) -> None:
    machine = room.machines["a"]
    copy = room.folder / "yesterday.ledger"
    with sqlite3.connect(machine.path) as now, sqlite3.connect(copy) as then:
        now.backup(then)
    machine.press(Key.FOLD, Key.NEW_HAND)
    room.settle()
    machine.kill()
    copy.replace(machine.path)
    for more in ("-wal", "-shm"):
        machine.path.with_name(machine.path.name + more).unlink(missing_ok=True)
    del room.machines["a"]
    room.start("a")
    room.wait(5_000)
    assert ["lacks events" in claim.text for claim in room.station.claims] == [True]


def test_machines_that_somebody_makes_up_do_not_push_out_the_one_that_asks(room: Room) -> None:
    room.partition("a")
    room.start("spare")
    for no in range(500):
        key = LedgerKey(no.to_bytes(32))
        born = Birth(VENUE, "01", 1, 0, "s", f"{no:016}", key=key.public)
        Stolen(room).say("birth", key.sign(born))
    assert any("more machines claim it" in text for text in room.station.alerts)
    assert room.hand_over("spare").refused is False
    assert room.station.leaseholders["01"].epoch == 2


def test_the_history_is_given_only_while_a_machine_takes_over_and_not_without_end(room: Room) -> None:
    def pages(*wanted: HistoryWanted) -> int:
        before = len(room.station.effects)
        for one in wanted:
            Stolen(room).say("handover", encode(one))
        return len([effect for effect in room.station.effects[before:] if isinstance(effect, SendHistory)])

    def asked(after: int = 0) -> HistoryWanted:
        who = room.station.leaseholders["01"]
        return HistoryWanted(who.ledger, who.epoch, 0, after)

    assert pages(asked(), asked(2**53 - 1), HistoryWanted("6666000000000000", 2, 0, 0)) == 0
    room.partition("a")
    room.start("b")
    room.partition("b")
    room.hand_over("b")  # it does not hear it
    assert 0 < pages(*[asked()] * 1_000) <= HISTORIES[0]
    room.heal("b")
    room.wait(30_000)
    assert room.machines["b"].node.lease.speaks
    assert pages(asked()) == 0


def test_whoever_asks_the_table_for_its_events_without_end_gets_no_flood(room: Room) -> None:
    """With the relay's certificate. The station is answered all the same."""
    machine = room.machines["a"]
    wanted = encode(Resend("x", 1, 1))
    before = len(room.spoken)
    for _ in range(1_000):
        machine.give(CommandCame(wanted, source="the relay"))
    assert len(room.spoken) - before <= RESENDS[0] * len(machine.rows)
    before = len(room.spoken)
    machine.give(CommandCame(wanted))
    assert len(room.spoken) - before == len(machine.rows)


def test_devices_that_no_table_has_are_not_remembered(room: Room) -> None:
    for no in range(1_000):
        Stolen(room).say(f"device/{no}", b'{"state":"ok"}')
    queue = decode(room.station.pages["queue"], QueueView)
    assert not [item for item in queue.items if item.kind is ItemKind.DEVICE]


# ------------------------------------------------------------------- the certificate of a director


def test_a_director_at_the_broker_cannot_say_who_is_the_table(room: Room) -> None:
    """It may command tables; who is one, only the station says, on a topic of its own."""
    machine = room.machines["a"]
    forged = Grant("g", "6666000000000000", 9, key=THIEF.public)
    machine.hear(topics.table(VENUE, "01", "command"), encode(forged))
    assert machine.node.lease.speaks
    goes_on(room, alert=False)
