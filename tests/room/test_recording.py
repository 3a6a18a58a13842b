"""A recording is a list of times and inputs: stored, read and replayed it gives the same ledger."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import is_dataclass
from enum import Enum
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, NewType, get_args, get_origin, get_type_hints

import msgspec
import pytest
from msgspec import Struct

from feltwire.config import TableConfig
from feltwire.lab.recording import NodeStep, Recording, decode, encode, replay
from feltwire.lab.simroom.dealer.mischief import Fault, Mischief
from feltwire.lab.simroom.dealer.robot import RobotDealing
from feltwire.lab.simroom.play.bots import Bots
from feltwire.lab.simroom.play.names import player_name
from feltwire.relay.relay_io import Input as RelayInput
from feltwire.runtime.node_io import BusDown, BusUp, Quarantined, ScreensSeen
from feltwire.station.station_io import Input as StationInput
from feltwire.table.table_io import (
    BeatCame,
    CommandCame,
    Commit,
    DeviceSaid,
    EyesLooked,
    FrameCame,
    FramesLost,
    HealthSeen,
    LaterStation,
    PageSent,
    ProcessStarted,
    RelayAcked,
    RelayHasAll,
    RulingsAsked,
    StationAcked,
    TableInput,
    Touched,
    ZoneCame,
)
from feltwire.wall_clock.node import Input as ClockInput
from firmware_bridge.reports import (
    CardBack,
    CardPassed,
    CardsTogether,
    CutCardPassed,
    DeckMoved,
    KeyDown,
    LidMoved,
    ReportsLost,
    Unreadable,
)
from firmware_bridge.shoe import Uid
from table_core.messages import (
    Acted,
    AskingScreen,
    At,
    Beat,
    BoardDealt,
    CardDealt,
    Chips,
    DeviceReadings,
    DeviceState,
    HandEnded,
    HandTabled,
    Key,
    Level,
    MachineReadings,
    Millis,
    Seat,
    SeatStack,
    Zone,
    ZoneReading,
)
from table_core.messages import encode as encode_message
from table_core.rulebook import load_rulebook
from tests.room.robot_table import RobotTable

SEATS = tuple(SeatStack(Seat(n), Chips(10_000), player_name(n)) for n in range(1, 7))
LEVEL = Level(1, Chips(100), Chips(200), big_blind_ante=Chips(200), minutes=20.0)  # a float, as a file gives it
BASE = load_rulebook("base")
CONFIG = TableConfig("v", "01", "", SEATS, (LEVEL,), button=Seat(1), smallest_chip=Chips(25))
HANDS = 6
FAULTS = {1: Mischief.SKIP_BURN, 2: Mischief.EXPOSE_CARD, 3: Mischief.FORGET_KEY, 4: Mischief.PULL_SHOE}
TAG = bytes(range(8))


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> RobotTable:
    """Six hands as a dealer deals them, some with a fault; the broker comes and goes, a screen is touched."""
    table = RobotTable(CONFIG, tmp_path_factory.mktemp("played"), seed=7)
    bots = Bots(seats=SEATS, button=Seat(1), rulebook=BASE, seed=7, smallest_chip=Chips(25))
    hands, fault = table.hands(), Fault()
    for number in range(HANDS):
        if number in FAULTS:
            fault.ask(FAULTS[number])
        table.give(BusDown("no broker") if number % 2 else BusUp())
        dealing = RobotDealing(hands, BASE, plan=bots.next_hand, level=LEVEL, fault=fault, smallest_chip=Chips(25))
        bots.settle(dealing.play().stacks)
    table.give(Touched(Key.NEW_HAND, by="Ann", id="t1"))
    table.give(CommandCame(b"no command"))
    return table


def written(commits: Iterable[Commit]) -> list[Any]:
    """What commits put into a ledger, but for what is sealed with random keys."""
    return [
        (
            [entry.raw for entry in commit.entries],
            commit.observations,
            {name: note for name, note in commit.notes.items() if name != "faces"},
        )
        for commit in commits
    ]


def test_an_evening_stored_as_bytes_replays_to_the_same_ledger(table: RobotTable, tmp_path: Path) -> None:
    recording = decode(encode(table.recording()))
    assert recording == table.recording()
    replayed = list(replay(recording, tmp_path))
    assert written(replayed) == written(table.commits)
    events = [envelope.data for commit in replayed for envelope in commit.envelopes]
    assert sum(isinstance(event, HandEnded) for event in events) == HANDS
    for kind in (Acted, CardDealt, BoardDealt, HandTabled):
        assert any(isinstance(event, kind) for event in events), kind


def test_other_salts_promise_the_same_cards_otherwise(table: RobotTable, tmp_path: Path) -> None:
    recording = msgspec.structs.replace(table.recording(), seed=8)
    dealt, again = ([*_dealt(commits)] for commits in (table.commits, replay(recording, tmp_path)))
    assert [(one.place, one.to) for one in dealt] == [(one.place, one.to) for one in again]
    assert not {one.commitment for one in dealt} & {one.commitment for one in again} - {None}


def _dealt(commits: Iterable[Commit]) -> Iterable[CardDealt]:
    events = [envelope.data for commit in commits for envelope in commit.envelopes]
    return [event for event in events if isinstance(event, CardDealt)]


EVERY_INPUT: list[TableInput | None] = [
    None,
    ProcessStarted(),
    FrameCame("keypad", 5, 1, KeyDown(Millis(5), Key.FOLD, 7)),
    FrameCame("shoe", 5, 1, CardPassed(Millis(5), Uid(TAG))),
    FrameCame("shoe", 5, 2, CardPassed(Millis(5), None)),
    FrameCame("shoe", 5, 3, Unreadable("card: 3 bytes, 12 expected")),
    FrameCame("shoe", 5, 4, CardsTogether(Millis(5), (Uid(TAG), None))),
    FrameCame("shoe", 5, 5, CardBack(Millis(5), Uid(TAG), was_out=True)),
    FrameCame("shoe", 5, 6, LidMoved(Millis(5), open=True)),
    FrameCame("shoe", 5, 7, DeckMoved(Millis(5), seated=True)),
    FrameCame("shoe", 5, 8, CutCardPassed(Millis(5))),
    FrameCame("shoe", 5, 9, ReportsLost(2, "its power failed")),
    ZoneCame(ZoneReading(Zone.cards(4), ("Ah",), unread=1)),
    EyesLooked(Millis(5), frozenset({Zone.BOARD})),
    DeviceSaid("camera", DeviceState.BLOCKED, "a hand"),
    FramesLost("keypad", 3),
    HealthSeen(
        MachineReadings(celsius=61, throttled=0x50000, clock_chip=False), (DeviceReadings("shoe", unread=2),)
    ),
    Touched(Key.BET_RAISE, Seat(2), Chips(600), by="Ann", id="t1", until=Millis(9)),
    RulingsAsked(Seat(2), "string bet", id="r1"),
    CommandCame(b"\x00{", lease=True),
    BeatCame(Beat("boot", Millis(4))),
    StationAcked(1, 2),
    RelayAcked(1, 2),
    RelayHasAll(7),
    PageSent(1, 500),
    LaterStation("a seat order of version 2"),
    ScreensSeen(Millis(5), (AskingScreen("s1", "4711", 20, "10.0.0.9", secure=True),)),
    Quarantined(FrameCame("shoe", 5, 4, CardPassed(Millis(5), Uid(TAG))), "put aside", 1),
    Quarantined(CommandCame(b"\xff"), "put aside", 2),
    BusUp(),
    BusDown("why"),
]


def test_every_input_of_a_table_survives_being_stored() -> None:
    assert {type(given) for given in EVERY_INPUT} == {type(None), *TableInput.__args__}
    steps = tuple([NodeStep(At("boot", Millis(no)), given) for no, given in enumerate(EVERY_INPUT)])
    recording = Recording(CONFIG, "", 1, 7, steps)
    assert decode(encode(recording)) == recording


@pytest.mark.parametrize("kinds", [TableInput, StationInput, RelayInput, ClockInput])
def test_the_inputs_of_every_node_are_plain_values(kinds: Any) -> None:
    """Nothing but plain data, zones and tags; an input that was quarantined is one of these itself."""
    assert set(_leaves(kinds, set())) <= PLAIN | ({Zone, Uid} if kinds is TableInput else set())


PLAIN = {int, str, bytes, bool, float, type(None), Any}


def _leaves(kind: Any, seen: set[Any]) -> Iterable[Any]:
    """The types within `kind` that have no parts, but for the words of an enumeration."""
    if kind in seen:
        return
    seen.add(kind)
    if isinstance(kind, NewType):
        yield from _leaves(kind.__supertype__, seen)
    elif get_origin(kind) is Literal:
        pass
    elif parts := get_args(kind):
        for part in parts[:1] if get_origin(kind) is Annotated else parts:
            yield from _leaves(part, seen)
    elif isinstance(kind, type) and (issubclass(kind, Struct) or is_dataclass(kind) or hasattr(kind, "_fields")):
        for part in get_type_hints(kind).values():
            yield from _leaves(part, seen)
    elif not (kind in (Ellipsis, ClassVar) or (isinstance(kind, type) and issubclass(kind, Enum))):
        yield kind


def test_a_tag_is_encoded_by_the_lab_alone() -> None:
    came = FrameCame("shoe", 5, 1, CardPassed(Millis(5), Uid(TAG)))
    for encoder in (msgspec.json.encode, msgspec.msgpack.encode, encode_message):
        with pytest.raises((TypeError, NotImplementedError)):
            encoder(came)
    assert TAG.hex() not in repr(came)
    assert str(TAG) not in repr(came)


def test_bytes_that_are_no_evening_are_refused() -> None:
    for raw in (b"", b"evening", msgspec.msgpack.encode({"steps": []})):
        with pytest.raises(msgspec.DecodeError):
            decode(raw)
