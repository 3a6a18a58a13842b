"""A press and its UNDO at one table, nothing at its twin: both are to be the same, and to go on the same way.
So are a press that is taken back and brought again, and the press alone.

What the devices and the director say between the two is said to both tables; a table may start again there.
"""

from __future__ import annotations

import copy
import json
import random
import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from table_core.messages import Answered, AnyEvent, Key, Noticed, Refused, encode
from table_core.projections.words import describe
from table_core.tracker.dealing.evidence import HANDS_UNCOUNTED
from table_core.tracker.hands.undo import NOT_ASKED, UNDOABLE
from table_core.tracker.hands.undo_extent import first_seen_since
from table_core.tracker.memory.notices import Doubt
from tests.fuzz.generator import StepGenerator
from tests.fuzz.session import Session, room_of
from tests.fuzz.steps import Command, Press, Step, Touch, step_text
from tests.fuzz.table import FuzzedTable

TRIED = 0.15  # of the steps of an evening
# UNDO is a key, too: what waits for the last key is settled with it. A restart begins the time anew in which an
# award may be taken back.
SETTLES_MS = 6_000
LATER = 10  # steps that both tables then take
# UNDO makes no card known: what a key said about the shoe's cards stays, and what follows from that.
DOUBTS = frozenset({*Doubt, HANDS_UNCOUNTED})
_LOCKED = "director|deal has begun|Seats or chips|no hand follows"
_ASKED = ("question", "ruling", "next_step")  # of `facts`: what stands in front
NUMBERED = ("as_of", "at", "epoch", "seq", "head", "last")  # of a view: they count every event
KEYS: tuple[tuple[Key | str, ...], ...] = (
    (Key.FOLD,),
    (Key.CHECK_CALL,),
    ("400", Key.BET_RAISE),
    ("1200", Key.BET_RAISE),
    (Key.ALL_IN,),
    (Key.STREET,),
    ("1", Key.STREET),
    (Key.NEW_HAND,),
    ("3", Key.AWARD),
    ("2", Key.SPLIT),
    (Key.POT_PUSHED,),
    ("2", Key.TABLED),
    ("2", Key.MUCK),
    ("1", Key.OUT_OF_HAND),
    ("2", Key.AWAY),
    (Key.FLOOR,),
    ("34", Key.FLOOR),
    ("35", Key.FLOOR),
    ("2", Key.SEAT, "42", Key.FLOOR),
    ("1", Key.SEAT, "53", Key.FLOOR),
    ("3", Key.CHECK_CALL),
    ("2", Key.FOLD),
    (Key.OLD_LEVEL,),
    (Key.TIME,),
)


class Tried(NamedTuple):
    """`differs`: the first thing that is not the same behind the UNDO, empty where all is; with both sides."""

    at: str
    key: str
    between: tuple[str, ...]
    differs: str = ""
    without: str = ""
    undone: str = ""

    @property
    def cause(self) -> str:
        return f"{self.key}{' …' if self.between else ''}: {self.differs}"


def evening(seed: str, steps: int) -> Iterator[Tried]:
    """Presses that are taken back, all along one evening of the fuzz."""
    chance = random.Random(seed)
    room = room_of(chance)
    generator, session = StepGenerator(room.config, room.devices, chance), Session(room)
    other = random.Random(f"undone {seed}")
    for number in range(steps):
        session.do(generator.next(session.table))
        if other.random() < TRIED:
            keys = other.choice(KEYS)
            for found in (
                _try(session.table, keys, generator, other, f"{seed}#{number}"),
                _bring_again(session.table, keys, f"{seed}#{number}"),
            ):
                if found is not None:
                    yield found


def _bring_again(table: FuzzedTable, keys: tuple[Key | str, ...], at: str) -> Tried | None:
    """UNDO and REDO of one press, or None where it is not taken back, or the hand went on behind the UNDO."""
    before, pressed = copy.deepcopy(table), copy.deepcopy(table)
    pressed.press(*keys)
    before.advance(pressed.now)
    if not _did_something(pressed, before, table):
        return None
    again = copy.deepcopy(pressed)
    answers = (*again.press(Key.UNDO), *again.press("0", Key.UNDO))
    if any(isinstance(event, Refused) and event.rule == "base.undo" for event in answers):
        return None
    _both_wait(again, pressed, SETTLES_MS)
    name = " ".join([key.name for key in keys if isinstance(key, Key)])
    tried = Tried(at, f"{name} REDO", ())
    differ = _difference(again, pressed)
    return tried if differ is None else tried._replace(differs=differ[0], without=differ[1], undone=differ[2])


def _try(
    table: FuzzedTable, keys: tuple[Key | str, ...], generator: StepGenerator, chance: random.Random, at: str
) -> Tried | None:
    """One press, or None where it did nothing."""
    without, pressed = copy.deepcopy(table), copy.deepcopy(table)
    pressed.press(*keys)
    without.advance(pressed.now)
    if not _did_something(pressed, without, table):
        return None
    _both_wait(pressed, without, 1)  # what is raised in the millisecond of a press counts as raised by it
    between: list[Step] = []
    ahead = copy.deepcopy(generator)
    for _ in range(chance.choice((0, 0, 1, 3))):
        step = ahead.next(without)
        if not isinstance(step, Press | Touch):
            between.append(step)
            refused = _both(pressed, without, step)
            if isinstance(step, Command) and refused[0] != refused[1]:
                return None  # the director is answered by the table as it is: that stays
    if chance.random() < 0.2:
        pressed = pressed.again()
    refused = pressed.press(Key.UNDO)
    withdrew = _withdrawn(refused)
    if withdrew:  # a question has come since, and goes first: at the other table, too
        if not _withdrawn(without.press(Key.UNDO)):
            return None
        refused = pressed.press(Key.UNDO)
    reasons = [event.reason for event in refused if isinstance(event, Refused)]
    if between and any(re.search(_LOCKED, reason) for reason in reasons):
        return None  # it is locked, and says so
    seat = pressed.node.state.folds.undone
    if seat is not None and pressed.node.state.seat_cards.is_empty(seat):
        return None  # a person says that it did not fold: the camera keys it no more
    _both_wait(pressed, without, SETTLES_MS)
    name = " ".join([key.name for key in keys if isinstance(key, Key)])
    tried = Tried(at, name, tuple(map(step_text, between)))
    if differ := _difference(pressed, without, _ASKED if withdrew else ()):
        return tried._replace(differs=differ[0], without=differ[1], undone=differ[2])
    if withdrew:
        return tried  # it is asked again where the UNDO behind it has moved the hand, and not at the other table
    if _doubts(pressed) != _doubts(without):
        return tried  # the shoe opens less from here on
    for _ in range(LATER):
        said = [len(pressed.events), len(without.events)]
        step = ahead.next(without)
        if pressed.node.table.before_hand is None and without.node.table.before_hand is not None:
            break  # somebody has acted, which is taken back: NEW HAND stands there from then on
        seen_since = first_seen_since(pressed.node.table.hand_log, UNDOABLE) is not None
        if _is_undo(step) and (seen_since or pressed.node.table.question is not None):
            break  # UNDO right behind UNDO goes on to what the camera saw, and past a question
        _both(pressed, without, step)
        now, then = [
            [describe(event) for event in told.events[since:] if not _is_doubt(event)]
            for told, since in zip((without, pressed), reversed(said), strict=True)
        ]
        if now != then:
            return tried._replace(differs="later", without=f"{step_text(step)}: {now}", undone=f"{then}")
    return tried


def _withdrawn(events: Sequence[AnyEvent]) -> bool:
    return any(isinstance(event, Answered) and event.answer.startswith(NOT_ASKED) for event in events)


def _is_undo(step: Step) -> bool:
    return Key.UNDO in step.keys if isinstance(step, Press) else isinstance(step, Touch) and step.key is Key.UNDO


def _doubts(table: FuzzedTable) -> set[Doubt | None]:
    return {one.doubt for one in table.node.state.notices.said}


def _is_doubt(event: AnyEvent) -> bool:
    return isinstance(event, Noticed) and event.kind in DOUBTS


def _did_something(pressed: FuzzedTable, without: FuzzedTable, before: FuzzedTable) -> bool:
    """A refused press did nothing, whatever is said of it: UNDO behind it is for the press before."""
    now, then = facts(pressed), facts(without)
    if any(isinstance(event, Refused) for event in pressed.events[len(before.events) :]):
        now["notices"] = then["notices"]
    if pressed.node.state.undoable.presses == before.node.state.undoable.presses:
        now["notices"] = then["notices"]  # that a fold had no key is said at any press: it is not of this one
    return now != then


def _both(pressed: FuzzedTable, without: FuzzedTable, step: Step) -> list[int]:
    """How often each refuses it."""
    before = [len(table.of(Refused)) for table in (pressed, without)]
    asked = without.node.table.question
    for table in (pressed, without):
        mine = table.node.table.question
        if isinstance(step, Touch) and asked is not None and mine is not None and step.question == asked.question:
            step._replace(question=mine.question).at(table)  # what is asked anew has another number
        else:
            step.at(table)
    _both_wait(pressed, without, 0)
    return [len(table.of(Refused)) - known for table, known in zip((pressed, without), before, strict=True)]


def _both_wait(pressed: FuzzedTable, without: FuzzedTable, ms: int) -> None:
    until = max(pressed.now, without.now) + ms
    for table in (pressed, without):
        table.advance(until)


def _difference(
    pressed: FuzzedTable, without: FuzzedTable, but: Sequence[str] = ()
) -> tuple[str, str, str] | None:
    one, other = facts(without), facts(pressed)
    name = next((name for name in one if name not in but and one[name] != other.get(name)), None)
    return None if name is None else (name, str(one[name]), str(other.get(name)))


def facts(table: FuzzedTable) -> dict[str, Any]:
    """What stands of the hand, what is asked and said, and everything that the screens show, without numbers of
    events."""
    view = {name: value for name, value in json.loads(encode(table.view)).items() if name not in NUMBERED}
    question = view.pop("question", None)
    called = view.pop("called", None)
    ruling = table.open_ruling
    log = [describe(logged.event) or type(logged.event).__name__ for logged in table.node.table.hand_log]
    return {
        "log": log,
        "called": called and {name: value for name, value in called.items() if name != "since"},
        "question": question and {name: question[name] for name in ("kind", "text", "key")},
        "ruling": ruling and (ruling.incident, ruling.seat, [option.text for option in ruling.options]),
        "notices": [notice["text"] for notice in view.pop("notices", []) if notice["kind"] not in DOUBTS][-6:],
        **view,
    }
