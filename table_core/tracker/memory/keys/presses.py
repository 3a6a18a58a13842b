"""Presses that wait, and what the last ones were about."""

from __future__ import annotations

import msgspec

from table_core.messages import Key
from table_core.tracker import waits
from table_core.tracker.kept import Millis
from table_core.tracker.memory.keys.keypad import Press
from table_core.tracker.memory.slice import Slice


class IdlePress(msgspec.Struct, frozen=True):
    """A press that changed nothing, when that was, and the number of the last event then."""

    key: Key
    seq: int
    at: Millis


class Presses(Slice):
    waiting: tuple[Press, ...] = ()  # for the board
    proposed: Press | None = None  # a key for a later seat, until the actions of the seats before it are known
    undid: bool = False  # the last press was an UNDO
    idle: IdlePress | None = None  # the last press, where it changed nothing
    refused_at: Millis | None = None  # when the last press was refused for its amount
    since_asked: bool = True  # a key was pressed since missing keys were last asked for
    closing_asked: bool = False  # NEW HAND was pressed over an open hand once
    withdrawn: str = ""  # the question that UNDO withdrew, and where the hand was (`as_it_is`)
    doubted: int | None = None  # the number of an ALL-IN that was asked about, until the next key
    street_at: Millis = Millis(-10_000)  # when STREET last brought a street or a question, with no other key since
    settled_at: Millis = Millis(-10_000)  # when a question last settled itself
    told: bool = False  # that STREET counted for what was there already; with no other key since
    key: Key | None = None  # of the press that this step is about
    front: int = 0  # the number of the question in front, 0 where none is
    front_since: Millis = Millis(-10_000)
    front_by: Key | None = None  # the key that raised it, None where no key did
    other_front: Millis = Millis(-10_000)  # when another question was last in front

    def came(self, key: Key) -> None:
        self.since_asked, self.key = True, key
        if key is not Key.STREET:
            self.street_at, self.told = Millis(-10_000), False
        self.undid = self.undid and key is Key.UNDO
        self.withdrawn = self.withdrawn if key is Key.UNDO else ""
        self.doubted = self.doubted if key in (Key.ALL_IN, Key.STREET) else None
        self.idle = self.idle if key is Key.UNDO else None
        self.closing_asked = self.closing_asked and key is Key.NEW_HAND

    def wait_for_board(self, press: Press) -> bool:
        """Whether there is room for one more."""
        if len(self.waiting) >= waits.MOST_WAITING:
            return False
        self.waiting = (*self.waiting, press)
        return True

    def take_waiting(self) -> Press:
        press, *rest = self.waiting
        self.waiting = tuple(rest)
        return press

    def forget_waiting(self) -> None:
        self.waiting = ()

    def propose(self, press: Press | None) -> None:
        self.proposed = press

    def take_proposed(self) -> Press | None:
        proposed, self.proposed = self.proposed, None
        return proposed

    def undo(self) -> None:
        self.undid = True

    def taken_back_to(
        self,
        waiting: tuple[Press, ...],
        proposed: Press | None,
        idle: IdlePress | None,
        *,
        closing_asked: bool,
    ) -> None:
        """A press was taken back: these keys waited before it."""
        self.waiting, self.proposed, self.closing_asked = waiting, proposed, closing_asked
        self.idle = idle

    def changed_nothing(self, key: Key, seq: int, now: Millis) -> None:
        self.idle = IdlePress(key, seq, now)

    def take_idle(self, now: Millis) -> IdlePress | None:
        """The last press, where it changed nothing, for as long as UNDO is about that."""
        idle, self.idle = self.idle, None
        return idle if idle is not None and now - idle.at < waits.IDLE_PRESS_MS else None

    def was_refused(self, at: Millis | None) -> None:
        self.refused_at = at

    def behind_a_refused_key(self, now: Millis) -> bool:
        """Whether this key was typed before anybody can have read that the one before it was refused."""
        return self.refused_at is not None and now - self.refused_at < waits.LOOKED_MS

    def withdraw(self, question: str) -> None:
        self.withdrawn = question

    def keys_asked_for(self) -> None:
        self.since_asked = False

    def ask_to_close(self, *, asked: bool) -> None:
        self.closing_asked = asked

    def told_of_street(self) -> None:
        self.told = True

    def street_counted(self, now: Millis) -> None:
        """STREET brought a street, or a question."""
        self.street_at, self.told = now, False

    def repeats_street(self, now: Millis) -> bool:
        """Whether a STREET key now is the last one once more: it answers no question that could be read."""
        return now - self.street_at < waits.STREET_TWICE_MS and not (self.front and self.looked_at(now))

    def follow_front(self, question: int, now: Millis) -> None:
        """Keep the number of the question in front at the end of a step, 0 for none."""
        if question != self.front:
            if self.front:
                self.other_front = now
            self.front, self.front_since, self.front_by = question, now, self.key
        self.key = None

    def looked_at(self, now: Millis) -> bool:
        """Whether the question in front has been there long enough to be read."""
        return now - self.front_since >= waits.LOOKED_MS

    def read_before(self) -> None:
        """REDO: who presses has read the question when it was answered first."""
        self.front_since = Millis(-10_000)

    def meant_another(self, now: Millis) -> bool:
        """Whether a STREET key now was most likely for the previous question."""
        raised = self.front_by not in (None, Key.STREET)
        return not raised and not self.looked_at(now) and now - self.other_front < waits.LOOKED_MS

    def question_settled(self, now: Millis) -> None:
        self.settled_at = now

    def just_settled(self, now: Millis) -> bool:
        return now - self.settled_at < waits.JUST_SETTLED_MS

    def doubts(self, counted: int) -> bool:
        """Whether this count is to be said once more; said again it is believed."""
        first = self.doubted != counted
        self.doubted = counted if first else None
        return first

    def forget_play(self) -> None:
        self.waiting, self.proposed, self.closing_asked = (), None, False

    end_hand = forget_play
