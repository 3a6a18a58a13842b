"""The tracker's memory: who may write it, what ends with a hand, and notes that an earlier version wrote."""

from __future__ import annotations

import ast
import json
import typing
from collections.abc import Mapping
from enum import Enum
from types import NoneType, UnionType

import msgspec
import pytest

from table_core.messages import CardLeftShoe, Chips, Key, Millis, Origin, Seat, Zone, ZoneSeen
from table_core.tracker.memory.camera.look import Look
from table_core.tracker.memory.counts import StackCount
from table_core.tracker.memory.dealing.loose import LooseCard
from table_core.tracker.memory.keys.keypad import Press
from table_core.tracker.memory.notices import Doubt, NoticeRecord, Notices
from table_core.tracker.memory.rulings import OpenIncident
from table_core.tracker.memory.slice import Slice
from table_core.tracker.memory.timers import Check, Timer, Timers
from table_core.tracker.state import TrackerState, decode_state, encode_state
from tests.table_core.tracker_slices import MEMORY, TRACKER, foreign_writes, owner_of, setters, slices, written

SCALARS = (int, str, bool, NoneType, Zone)
KINDS = slices()


def test_no_module_writes_another_ones_slice() -> None:
    assert foreign_writes() == []
    assert [path.name for path in TRACKER.rglob("*.py") if setters(path)] == ["state.py"]  # puts whole slices back


@pytest.mark.parametrize(
    "wrong",
    [
        "state.deal.handles = ()",
        "state.deal.passed_since += 1",
        "del state.folds.held",
        "state.bets.readings[seat] = seen",
        "del state.bets.readings[seat]",
        "state.deal.handles.append(handle)",
        "folds.held, other = (), 1",
    ],
)
def test_every_way_to_write_a_slice_is_found(wrong: str) -> None:
    assert len(list(written(ast.parse(wrong)))) == 1


def test_a_slice_has_a_module_of_its_own() -> None:
    owners = [owner_of(kind) for kind in KINDS.values()]
    assert len(set(owners)) == len(owners)
    assert set(owners) | {"__init__", "slice"} == {path.stem for path in MEMORY.rglob("*.py")}


def test_the_memory_knows_none_of_the_heuristics() -> None:
    """What writes a slice can be read without them."""
    for path in MEMORY.rglob("*.py"):
        imported = {
            name
            for node in ast.walk(ast.parse(path.read_text()))
            if isinstance(node, ast.ImportFrom) and node.module == "table_core.tracker"
            for name in (one.name for one in node.names)
        }
        modules = {
            node.module or ""
            for node in ast.walk(ast.parse(path.read_text()))
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("table_core.tracker.")
        }
        assert imported <= {"waits"}, path.name
        modules -= {"table_core.tracker.kept"}
        assert all(module.startswith("table_core.tracker.memory.") for module in modules), path.name


def _values(kind: object) -> list[object]:
    """The types of what a field holds, without containers that nothing can change."""
    origin, of = typing.get_origin(kind), typing.get_args(kind)
    if origin in (UnionType, typing.Union, tuple, Mapping):
        return [one for part in of if part is not ... for one in _values(part)]
    if origin is typing.Annotated or hasattr(kind, "__supertype__"):
        return _values(of[0] if of else kind.__supertype__)  # type: ignore[attr-defined]
    return [kind]


@pytest.mark.parametrize("name", KINDS)
def test_what_a_slice_gives_away_cannot_be_changed(name: str) -> None:
    for field, kind in typing.get_type_hints(KINDS[name]).items():
        for value in _values(kind):
            assert isinstance(value, type), (field, value)
            frozen = issubclass(value, msgspec.Struct) and value.__struct_config__.frozen
            assert frozen or issubclass(value, (*SCALARS, Enum)), (field, value)


def test_every_slice_hears_of_the_end_of_a_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[str] = []
    for name, kind in KINDS.items():
        assert issubclass(kind, Slice)
        monkeypatch.setattr(kind, "end_hand", lambda self, name=name: heard.append(name))
    TrackerState().end_hand()
    assert heard == list(KINDS)


def _card(handle: int, deck: str = "") -> CardLeftShoe:
    return CardLeftShoe(Origin("shoe", 1, handle), Millis(0), handle, deck=deck)


def test_what_outlives_a_hand_and_what_does_not() -> None:
    state = TrackerState()
    state.keypad.take(Key.D4)
    state.deal.place(7)
    state.decks.to_place(_card(7, "red"))
    backs = ZoneSeen(Zone.cards(3), face_down=2, origin=Origin("camera", 1, 1), at=Millis(0))
    state.seat_cards.read(Seat(3), backs, in_hand=True)
    state.disc.read(Seat(5), lies_there=True)
    state.devices.is_lost("shoe")
    state.timers.start(Check.DEVICE_LOST, 900, device="keypad")
    state.timers.start(Check.EMPTY_SEAT, 1_200)
    state.notices.note_doubt(Doubt.MISLAID)
    state.end_hand()
    assert state.keypad.typed == "4", "digits may be typed for the next hand already"
    assert (state.deal.handles, state.decks.deck, state.decks.before) == ((), "", "red")
    assert state.seat_cards.has_backs(Seat(3)), "the camera says nothing new of what lies still"
    assert not state.seat_cards.had_cards
    assert (state.disc.seat, state.devices.lost) == (5, ("shoe",))
    assert [timer.check for timer in state.timers.running] == [Check.DEVICE_LOST]
    assert not state.notices.doubts()


def test_timers_that_fall_due_together_do_so_in_the_order_in_which_they_were_started() -> None:
    timers = Timers()
    timers.start(Check.BET, 3_000, Seat(2))
    timers.start(Check.BET, 3_000, Seat(1))
    timers.start(Check.BET, 2_000, Seat(2))
    assert timers.next_due(Look()) == 2_000
    assert [timer.seat for timer in timers.fallen_due(Look(), Millis(3_000))] == [2, 1]
    assert timers.stop(Check.BET, Seat(2))
    assert not timers.stop(Check.BET, Seat(2))
    assert timers.find(Check.BET, Seat(3)) is None


def test_a_ruling_on_the_deal_settles_what_was_said_of_it_until_it_is_taken_back() -> None:
    notices = Notices()
    miscounted, order = (
        NoticeRecord(Doubt.MISCOUNTED, doubt=Doubt.MISCOUNTED),
        NoticeRecord("board_order", of_deal=True),
    )
    assert notices.first_time(miscounted)
    assert notices.first_time(order)
    assert notices.note_doubt(Doubt.MISLAID)
    assert not notices.first_time(miscounted)
    notices.settle_deal()
    assert not notices.doubts(Doubt.MISCOUNTED, Doubt.DISPUTED)
    assert notices.doubts(Doubt.MISLAID), "no ruling finds a card that was mislaid"
    notices.unsettle_deal()
    assert notices.doubts(Doubt.MISCOUNTED)
    assert not notices.first_time(order)


def test_a_note_is_read_as_it_was_written() -> None:
    state = TrackerState()
    state.deal.place(7)
    state.timers.start(Check.TABLED, 4_000, Seat(6))
    state.rulings.raise_incident(OpenIncident("string_bet", Seat(2)))
    assert decode_state(encode_state(state)) == state


# What version 2 of the messages had on disk until November 2026, less fields that were as at first.
OLD_NOTE = {
    "typed": "12",
    "typed_seat": 4,
    "counted": [[3, 900]],
    "handles": [1, 0, 3],
    "left_at": [9, 11, -1],
    "skipped_burns": ["flop"],
    "loose_more": True,
    "loose": [5, 0],
    "loose_decks": ["red", ""],
    "loose_at": [700, 900],
    "loose_last": [900, "red"],
    "board": {"type": "zone_seen", "origin": {"device": "camera", "boot": 1, "seq": 8}, "at": 5, "zone": "board"},
    "disc": 3,
    "waiting": [{"key": 10, "number": 400}],
    "folds_seen": [2],
    "gone": {"2": 4_100},
    "motions": {"4": [100, 300]},
    "arrived": {"4": {"before": 1, "at_act": 2, "now": 3}},
    "open": [{"matter": "flop_overdeal", "cause": "x"}],
    "heap_after": 31,
    "turn": "4/flop/2/5",
    "pressed": False,
    "due": {"tabled-4": 9_000, "missed": 8_000, "lost-shoe": 7_000, "clock-up": 6_000},
    "said": [
        "card_exposed-3",
        "chips_differ-2-400",
        "mislaid",
        "ruled-board_disputed_flop",
        "board_overfull_turn",
        "matter-flop_overdeal-None-",
        "matter-declared-2-4/flop/2-5",
    ],
}


def test_a_note_of_the_version_with_one_flat_state_is_read() -> None:
    state = decode_state(json.dumps(OLD_NOTE).encode())
    assert (state.keypad.typed, state.keypad.seat) == ("12", 4)
    assert (state.deal.handles, state.deal.left_at) == ((1, 0, 3), (9, 11, -1))
    assert state.deal.more_before
    assert state.loose.cards == (LooseCard(5, "red", Millis(700)), LooseCard(0, "", Millis(900)))
    assert (state.loose.newest_at, state.loose.newest_deck) == (900, "red")
    assert state.board.seen is not None
    assert state.board.seen.zone == Zone.BOARD
    assert state.disc.seat == 3
    assert state.counts.counted == (StackCount(Seat(3), Chips(900)),)
    assert [press.number for press in state.presses.waiting] == [400]
    assert isinstance(state.presses.waiting[0], Press)
    assert (state.folds.seen, state.seat_cards.gone_since) == ((2,), {2: 4_100})
    assert state.bets.motions == {4: (100, 300)}
    assert state.arrivals.motions_of(Seat(4)) == 2
    assert state.rulings.open == (OpenIncident("flop_overdeal", cause="x"),)
    assert (state.key_queue.after, state.thinking.decision, state.presses.since_asked) == (31, "4/flop/2/5", False)
    assert state.timers.running == (
        Timer(Check.TABLED, Millis(9_000), Seat(4)),
        Timer(Check.MISSING_KEYS, Millis(8_000)),
        Timer(Check.DEVICE_LOST, Millis(7_000), device="shoe"),
        Timer(Check.CLOCK_UP, Millis(6_000)),
    )
    assert state.notices.said == (
        NoticeRecord("card_exposed", Seat(3)),
        NoticeRecord("chips_differ", Seat(2), "400"),
        NoticeRecord("mislaid", doubt=Doubt.MISLAID),
        NoticeRecord("board_disputed_flop", doubt=Doubt.DISPUTED, settled=True),
        NoticeRecord("board_overfull_turn", of_deal=True),
        NoticeRecord("incident", None, "flop_overdeal ", of_deal=True),
        NoticeRecord("incident", Seat(2), "declared 4/flop/2-5"),
    )
