"""A dealer whose fingers slip: each press may come twice, early, late, for a neighbour's seat, or not at all.

What stands on the screen tells of it. The dealer reads every line that stood long enough; where one names an act
that nobody did, UNDO; where the screen waits for somebody who has acted, the key again. What no line names is not
seen: `Slips.silent`.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from feltwire.lab.simroom.dealer.dealing import keys_of
from feltwire.lab.simroom.dealer.glance import in_hand, is_tabled
from feltwire.lab.simroom.dealer.keying import seat_keys
from feltwire.lab.simroom.play.script import ScriptedAct
from table_core.messages import (
    Acted,
    Action,
    HandEnded,
    HandStarted,
    HandTabled,
    Key,
    PotAwarded,
    Seat,
    Street,
)
from table_core.projections.table_state import Logged
from table_core.projections.words import describe
from tests.fingers.screen import WatchedTable, names
from tests.workload import people as model
from tests.workload.beside import Waits
from tests.workload.dealer import HandDealt
from tests.workload.practised import PractisedHand

KINDS = ("double", "early", "late", "neighbour", "missing")
ODDS = 0.05  # of each kind, a press
_DOUBLE_S = (0.08, 0.6)  # from a press to its double
_EARLY_S = (0.3, 1.5)  # before the player acts
_LATE_S = (1.0, 6.0)
_TICK_S = 0.2
_MOST_TRIES = 5  # of one answer, or of one hand to open
_MOST_LOOKS = 8  # corrections in a row
_DIGITS = frozenset(Key(code) for code in range(13)) | {Key.SEAT}
_WAGERS = (Action.BET, Action.RAISE)
_PLAIN = (Key.FOLD, Key.CHECK_CALL)


@dataclass
class Slips:
    """What came of one hand's fingers."""

    presses: int = 0
    slips: Counter[str] = field(default_factory=Counter)
    lost: list[str] = field(default_factory=list)  # meant presses that the table neither took nor answered
    wrong: list[str] = field(default_factory=list)  # acts on record that nobody did, as they were found
    silent: list[str] = field(default_factory=list)  # of these, those that no line named
    mends: list[int] = field(default_factory=list)  # presses of UNDO, for each of them that was named
    stuck: list[str] = field(default_factory=list)  # named, and UNDO did not mend it
    ends_wrong: str = ""
    trace: list[str] = field(default_factory=list)


class FingersHand(HandDealt):
    """One hand; `chance` and `slips` are given before it is dealt."""

    chance: random.Random
    _table: WatchedTable

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.slips = Slips()
        self._number = {id(act): number for number, act in enumerate(self.script.acts)}
        self._said = 0  # acts of the script that the dealer has keyed, the last of them included
        self._laid = 0  # acts before the last street that lies there
        self._board_said = 0
        self._tabled_said: list[Seat] = []
        self._tabled_again: Counter[Seat] = Counter()
        self._pushed_wrongly = False
        self._late = 0  # presses that are still to come
        self._in_press = False
        self._pressed_at = 0
        self._told = len(self._table.envelopes)
        self._early: set[int] = set()  # acts that were keyed before they were done
        self._done: set[str] = set()  # steps whose key came early
        self._known_wrong: set[int] = set()  # events that nothing named, or that UNDO did not mend
        self._read: Counter[int] = Counter()  # how often a question was answered
        self._begun = False
        self._looking = False

    # ------------------------------------------------------------------------------------ the record

    def record(self) -> list[Logged]:
        return [one for one in self._table.node.table.hand_log if isinstance(one.event, Acted)]

    def _is_this_hand(self) -> bool:
        return self._begun and self._table.node.table.hand_number == self.script.hand

    def first_wrong(self, table: Any = None) -> Logged | None:
        """The first thing on record that nobody did."""
        table = table or self._table.node.table
        log = table.hand_log
        if not self._begun or table.hand_number < self.script.hand:
            return None
        if table.hand_number > self.script.hand:
            return next((one for one in log if isinstance(one.event, HandStarted)), None)
        acts = [one for one in log if isinstance(one.event, Acted)]
        for number, one in enumerate(acts):
            if number >= len(self.script.acts) or not _same(one.event, self.script.acts[number]):
                return one
        up = {*self.observer.tabled, *self.observer.hand.must_table, *self._tables()}
        for one in log:
            if isinstance(one.event, HandTabled) and one.event.seat not in up:
                return one
        if any(isinstance(one.event, HandEnded) for one in log):
            return self._wrong_end(table, acts)
        return None

    def _wrong_end(self, table: Any, acts: list[Logged]) -> Logged | None:
        log = table.hand_log
        awards = [one for one in log if isinstance(one.event, PotAwarded)]
        if len(acts) < len(self.script.acts) and not self.observer.hand.ended:
            return awards[0] if awards else next(one for one in log if isinstance(one.event, HandEnded))
        if not self.observer.hand.ended:
            return None
        if all(table.seats[seat].stack == stack for seat, stack in self.observer.stacks.items()):
            return None
        return awards[0] if awards else None

    def _tables(self) -> tuple[Seat, ...]:
        return tuple(self.script.tables or self.observer.live_seats)

    # ------------------------------------------------------------------------------------- the fingers

    def press(self, *keys: Key) -> None:
        if not self._presses:
            return
        self._count(keys)
        self._finger(keys)
        self.look_up()

    def _finger(
        self, keys: tuple[Key, ...], kinds: tuple[str, ...] = ("double", "late", "neighbour", "missing")
    ) -> None:
        self.slips.presses += 1
        kind = self._draw(kinds)
        if kind == "neighbour" and (other := self._neighbours(keys)) is None:
            kind = ""
        self._note(f"{kind or 'press'}: {_text(keys if kind != 'neighbour' else other or keys)}")
        self.slips.slips[kind] += bool(kind)
        match kind:
            case "double":
                self._press_calmly(keys)
                self.wait(self.chance.uniform(*_DOUBLE_S))
                self._tap(keys[-1])
            case "late":
                self._late += 1
                self._beside.start(self._later(keys))
            case "neighbour":
                assert other is not None
                self._press_calmly(other)
            case "missing":
                self.wait(model.PRESS_S)
            case _:
                self._meant(keys)

    def _draw(self, kinds: tuple[str, ...]) -> str:
        drawn = self.chance.random()
        at = int(drawn / ODDS)
        return kinds[at] if at < len(kinds) else ""

    def _meant(self, keys: tuple[Key, ...]) -> None:
        """A press as it was meant: the table does something or says something."""
        before = self._memory()
        self._press_calmly(keys)
        self.wait(model.LOOK_S)
        if self._memory() == before:
            self.slips.lost.append(f"{_text(keys)} ({self.view.last})")
            self._note("LOST")

    def _memory(self) -> tuple[object, ...]:
        state = self._table.node.state
        return len(self._table.envelopes), state.presses.waiting, repr(state.timers), self._table.screen

    def _later(self, keys: tuple[Key, ...]) -> Waits:
        yield self.chance.uniform(*_LATE_S)
        while self._pressing():
            yield model.LOOK_S
        yield from self._pressed_beside("late", keys)
        self._late -= 1

    def _pressing(self) -> bool:
        """One pair of hands: nothing else is pressed within a press, nor right behind one."""
        return self._in_press or self._table.now - self._pressed_at < 1000 * model.PRESS_S

    def _pressed_beside(self, what: str, keys: tuple[Key, ...]) -> Waits:
        """A press that comes while the dealer does something else."""
        self._note(f"{what}: {_text(keys)}")
        self._in_press = True
        for key in keys:
            self._tap(key)
            yield _TICK_S
        self._in_press = False

    def _press_calmly(self, keys: tuple[Key, ...]) -> None:
        while self._in_press:
            self.wait(_TICK_S)
        if self._table.now - self._pressed_at < 1000 * model.LOOK_S:
            self.wait(model.LOOK_S)
        self._in_press = True
        super().press(*keys)
        self._in_press = False

    def _neighbours(self, keys: tuple[Key, ...]) -> tuple[Key, ...] | None:
        """The same press for the seat beside; None where it is for no seat."""
        live = self.observer.live_seats
        if len(live) < 2:
            return None
        step = self.chance.choice((-1, 1))
        head, function = keys[:-1], keys[-1]
        legal = self.view.legal
        if function in (Key.TABLED, Key.AWARD, Key.SPLIT, Key.STREET) and len(head) == 1:
            seat = Seat(int(head[0]))
        elif function in (*_PLAIN, Key.BET_RAISE) and legal is not None and Key.SEAT not in head:
            seat = legal.seat
        else:
            return None
        if seat not in live:
            return None
        beside = live[(live.index(seat) + step) % len(live)]
        if function in (Key.TABLED, Key.AWARD, Key.SPLIT, Key.STREET):
            return seat_keys(beside, function)
        return (*seat_keys(beside, Key.SEAT), *keys)

    def _tap(self, key: Key) -> None:
        super()._tap(key)
        self._pressed_at = self._table.now

    def _note(self, text: str) -> None:
        self._tell_events()
        self.slips.trace.append(f"{self._table.now / 1000:.1f} {text}")

    def _tell_events(self) -> None:
        """What the table has recorded meanwhile, in the trace."""
        for envelope in self._table.envelopes[self._told :]:
            if text := describe(envelope.data):
                self.slips.trace.append(f"        {text}")
        self._told = len(self._table.envelopes)

    # --------------------------------------------------------------------------------- what was keyed

    def _count(self, keys: tuple[Key, ...]) -> None:
        """What the dealer means to have said with this press."""
        match keys[-1]:
            case Key.STREET if len(keys) == 1 and self.view.question is None:
                over = self.observer.at_showdown or self.observer.hand.ended
                self._said = max(self._said, len(self.acted) if over else self._laid)
                self._board_said = len(self.observer.board)
            case Key.TABLED:
                self._tabled_said.append(Seat(int(keys[0])))
            case Key.AWARD | Key.SPLIT:
                self._said = len(self.script.acts)

    def lay(self, cards: Any) -> None:
        super().lay(cards)
        self._laid = len(self.acted)

    def key(self, act: ScriptedAct) -> None:
        number = self._number[id(act)]
        self._said = max(self._said, number + 1)
        if number < len(self.record()) or number in self._early:
            self._early.discard(number)
            return self.look_up()
        before = len(self.effort.strokes)
        self.press(*keys_of(act))
        if act.action is Action.FOLD:
            self.effort.keys_for_folds += len(self.effort.strokes) - before
        return None

    def next_act(self, todo: list[ScriptedAct]) -> ScriptedAct:
        act = super().next_act(todo)
        if self._presses and self._keys_it(act) and self.chance.random() < ODDS:
            self._beside.start(self._before(act))
        return act

    def _keys_it(self, act: ScriptedAct) -> bool:
        """Whether a key says this act alone."""
        return act.action in _WAGERS if self._seen else True

    def _before(self, act: ScriptedAct) -> Waits:
        """The key of an act comes before the player acts."""
        yield self.chance.uniform(*_EARLY_S)
        while self._pressing():
            yield model.LOOK_S
        number = self._number[id(act)]
        if number < len(self.acted):
            return
        self.slips.presses += 1
        self.slips.slips["early"] += 1
        self._early.add(number)
        keys = (Key.STREET,) if self._seen else keys_of(act)
        yield from self._pressed_beside("early", keys)

    def _comes_early(self, step: str, *keys: Key) -> bool:
        """A key of a whole step comes before the step."""
        if not self._presses or self.chance.random() >= ODDS:
            return False
        self.slips.presses += 1
        self.slips.slips["early"] += 1
        self._note(f"early: {step}")
        self._press_calmly(keys)
        self.look_up()
        return True

    def street(self, street: Street) -> None:
        self._comes_early("street", Key.STREET)
        super().street(street)

    def show_down(self) -> None:
        if self.observer.at_showdown:
            self._comes_early("award", Key.POT_PUSHED)
        super().show_down()

    def riffle(self) -> None:
        super().riffle()
        self._begun = True
        if not self._seen:
            self.look_up()

    # -------------------------------------------------------------------------------------- the screen

    def look_up(self) -> None:
        """Read what the screen says, and put right what it names."""
        if self._looking or not self._presses:
            return
        self._looking = True
        try:
            for _ in range(_MOST_LOOKS):
                self.wait(model.LOOK_S)
                if not self._put_one_right():
                    return
        finally:
            self._looking = False

    def _put_one_right(self) -> bool:
        """One press for what is wrong or missing; whether there was one."""
        wrong = self.first_wrong()
        if wrong is not None and wrong.seq not in self._known_wrong:
            return self._take_back(wrong)
        question = self.view.question
        if question is not None and question.key is Key.STREET and self._read[question.question] < _MOST_TRIES:
            return self._answer_question(question.question)
        if self._late or wrong is not None:
            return False
        return self._key_missing()

    def _take_back(self, wrong: Logged) -> bool:
        text = self._words(wrong)
        self._pushed_wrongly |= isinstance(wrong.event, PotAwarded)
        if not self._table.stands_long_enough():
            self.wait(model.LOOK_S)
        said = self._table.said_since(wrong.seq)
        self.slips.wrong.append(text)
        if not any(self._named(line, wrong) for line in said):
            self.slips.silent.append(f"{text} <- {said[:3]}")
            self._note(f"SILENT {text}; lines {said[:3]}")
            self._known_wrong.add(wrong.seq)
            return False
        for presses in range(1, 5):
            self._note(f"reads that {text}")
            self._finger((Key.UNDO,), ("double", "missing"))
            self.wait(model.LOOK_S)
            again = self.first_wrong()
            if again is None or again.seq != wrong.seq:
                self.slips.mends.append(presses)
                return True
        self.slips.stuck.append(text)
        self._known_wrong.add(wrong.seq)
        return False

    def _named(self, line: str, wrong: Logged) -> bool:
        event = wrong.event
        if isinstance(event, Acted):
            return names(line, event)
        if isinstance(event, HandTabled):
            return f"eat {event.seat} shows" in line
        return "win" in line or "over" in line or "Hand " in line

    def _words(self, one: Logged) -> str:
        event = one.event
        if isinstance(event, Acted):
            return f"seat {event.seat} {event.action} {event.added} ({event.source})"
        return f"{type(event).__name__}"

    def answer(self) -> None:
        self.look_up()

    def _answer_question(self, number: int) -> bool:
        """Yes where it is so, else UNDO."""
        self._read[number] += 1
        question = self.view.question
        assert question is not None
        self.effort.opened += question.kind.startswith("tabled-")
        self.wait(model.LOOK_S)
        asked = self.view.question
        if asked is None or asked.question != number:
            return True
        yes = self._table.if_pressed(Key.STREET).table
        wrong = self.first_wrong(yes)
        right = wrong is None
        self._note(f"asked: {question.text} -> {'yes' if wrong is None else f'no: {self._words(wrong)}'}")
        if right:
            self._finger((Key.STREET,), ("double", "missing"))
        elif not self._key_missing():
            self._finger((Key.UNDO,), ("double", "missing"))
        return True

    def _key_missing(self) -> bool:
        """The next thing that the dealer has keyed and the screen has not."""
        view = self.view
        if not self._begun:
            return False
        if not in_hand(view):
            if not self._seen and self._table.node.table.hand_number != self.script.hand:
                self._note("the hand has not begun")
                self._finger((Key.NEW_HAND,))
                return True
            return False
        number = len(self.record())
        if not self._seen and number < self._said and view.legal is not None:
            act = self.script.acts[number]
            if number < len(self.acted) and view.legal.seat == act.seat:
                self._note(f"missing: act {number} of {self._said}")
                self._finger(keys_of(act))
                return True
        if not self._seen and number >= self._laid and len(view.board) < self._board_said:
            self._note("missing: street")
            self._finger((Key.STREET,))
            return True
        question = view.question
        for seat in self._tabled_said:
            kind, *seats = question.kind.split("-") if question is not None else [""]
            asked = kind == "tabled" and str(seat) in seats
            if not asked and not is_tabled(view, seat) and self._tabled_again[seat] < _MOST_TRIES:
                self._tabled_again[seat] += 1
                self._tabled_said.remove(seat)
                self._note(f"missing: {seat} TABLED")
                self._finger(seat_keys(seat, Key.TABLED))
                self._tabled_said.append(seat)
                return True
        return False

    # ------------------------------------------------------------------------------------- the camera

    def _take_prediction(self, act: ScriptedAct) -> None:
        for _ in range(3):
            super()._take_prediction(act)
            self.look_up()
            if self._has(act) or self._number[id(act)] < len(self.record()):
                return

    # ----------------------------------------------------------------------------------------- the end

    def put_right(self) -> None:
        """Hands that were keyed and are not on the screen are keyed again before the pot is."""
        if not self._seen and "shoe" in self._table.devices:
            while (seat := self._not_read()) is not None and self._tabled_again[seat] < _MOST_TRIES:
                self._tabled_again[seat] += 1
                self.press(*seat_keys(seat, Key.TABLED))
        if self._pushed_wrongly and in_hand(self.view) and self.observer.winner_groups():
            self.name_winners()
            self.look_up()
        super().put_right()

    def push_pot(self) -> None:
        super().push_pot()
        for _ in range(_MOST_LOOKS):
            while self._late:
                self.wait(model.LOOK_S)
            self.look_up()
            if self._known_wrong or not in_hand(self.view):
                break
            self.put_right()

    def play(self) -> Any:
        effort = super().play()
        self.slips.ends_wrong = self._how_it_ended()
        self._note("end")
        return effort

    def _how_it_ended(self) -> str:
        if not self._is_this_hand():
            return f"hand {self._table.node.table.hand_number} is on record"
        wrong = self.first_wrong()
        if wrong is not None:
            return self._words(wrong)
        if in_hand(self._table.view):
            return "the hand is open"
        if len(self.record()) < len(self.script.acts):
            return "acts are missing"
        return ""


class FingersEvery(FingersHand):
    """Every act is keyed before anything else, or seen by the camera."""


class FingersPractised(FingersHand, PractisedHand):
    """Hands first, keys afterwards."""

    def _keys_it(self, act: ScriptedAct) -> bool:
        return act.action not in (Action.FOLD, Action.CHECK)

    def _key_row(self, row: Any, coming: Seat | None, least: int = 2) -> None:
        last = self._number[id(row[-1])]
        self._said = max(self._said, last + 1) if coming is not None and len(row) >= least else self._said
        if last < len(self.record()):
            return self.look_up()
        return super()._key_row(row, coming, least)


def _text(keys: Sequence[Key]) -> str:
    return " ".join(key.name.removeprefix("D") if key in _DIGITS else key.name for key in keys)


def _same(event: Acted, act: ScriptedAct) -> bool:
    as_said = (event.seat, event.action) == (act.seat, act.action)
    return as_said and (act.to is None or event.to == act.to or event.action not in _WAGERS)
