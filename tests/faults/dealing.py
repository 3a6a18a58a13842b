"""One hand dealt by a person who knows the table and looks at its screen; the faults change one thing each."""

from __future__ import annotations

import random
from collections.abc import Mapping

from feltwire.lab.simroom.dealer import keying
from feltwire.lab.simroom.dealer.attentive import AttentiveDealing, Shows
from feltwire.lab.simroom.dealer.dealing import Moment, TableStuck
from feltwire.lab.simroom.dealer.glance import Move, done_with, in_hand
from feltwire.lab.simroom.play.script import FULL_DECK, HandScript, ScriptedAct
from table_core.messages import (
    Act,
    Action,
    Chips,
    Key,
    QuestionView,
    Refusal,
    RulingView,
    Seat,
    Street,
    TableView,
)
from table_core.rulebook import Rulebook
from tests.faults.kinds import Kind
from tests.faults.room import Room

CARD_MS = (140, 320)  # from one card to the next
KEY_MS = (120, 300)
THINK_MS = (500, 6_000)  # a player's time to act
SAY_MS = (250, 1_100)  # from the action to its key
NOTICE_MS = (700, 2_600)  # from a question on the screen to the answer
LATE_MS = (6_000, 14_000)
LATE_SHARE = 0.08  # of answers that come late
READ_MS = 4_000  # the camera has read a street by then, or the dealer helps
GLANCE_MS = 150
PAUSES_MS = {
    Moment.PITCHED: CARD_MS,
    Moment.CARD_PASSED: CARD_MS,
    Moment.DEALT: (500, 1_200),
    Moment.THINK: THINK_MS,
    Moment.SAY: SAY_MS,
    Moment.STREET: (400, 1_500),
    Moment.BURNED: CARD_MS,
    Moment.SHOW: (800, 2_500),
    Moment.MUCK: (400, 1_500),
    Moment.PUSH: (1_000, 3_000),
    Moment.PUSHED: (300, 800),
    Moment.NEW_HAND_KEYED: (300, 900),
    Moment.CORRECTED: (GLANCE_MS, 3 * GLANCE_MS),
    Moment.POT_KEYED: (200, 500),
}
FILLED_IN = (Action.CHECK, Action.CALL, Action.FOLD)  # what the end of a street stands for


class Redeal(Exception):
    """A misdeal was called: the hand is dealt again."""


class CleanDealing(AttentiveDealing):
    """A hand without a fault. A fault overrides the one step in which it differs and sets `staged`."""

    kind = Kind.CLEAN
    counts = False  # whether button and stacks are set right by hand afterwards
    leaves_open = False  # whether the next riffle closes the hand

    def __init__(self, room: Room, script: HandScript, book: Rulebook, chip: Chips, seed: int) -> None:
        super().__init__(room, script, book, chip)
        self.room = room
        self.staged = False
        self.what = ""
        self.chance = random.Random(seed)
        self.incidents: dict[str, str] = {}  # what may be ruled on because it happened, with the way to take
        self.seen = False  # the camera's words stood on the screen beside what was ruled on
        self._burned_ahead = False

    # ------------------------------------------------------------------------------------ the hand

    def play(self) -> None:
        """Deal it to its end; raise `TableStuck` where the table does not follow."""
        for _ in range(3):
            try:
                self.deal()
            except Redeal:
                self._deal_again()
            else:
                return
        raise TableStuck("misdeal upon misdeal")

    def _deal_again(self) -> None:
        """All cards go back; the same hand with another deck."""
        self.felt.collect_cards()
        self.look()
        self.wait(4_000, 9_000)
        self.deck = list(FULL_DECK)
        self.chance.shuffle(self.deck)
        self.moves, self.incidents, self._burned_ahead = [], {}, False

    def next_act(self, todo: list[ScriptedAct]) -> ScriptedAct:
        """What the script has next, where the fault left it legal."""
        if todo and isinstance(self.observer.hand.decide(Act(todo[0].seat, todo[0].action, todo[0].to)), Refusal):
            return self.observer.passive_act()
        return super().next_act(todo)

    def put_in(self, seat: Seat, chips: Chips) -> None:
        """Chips that a player puts in without an action of the script."""
        self.felt.put_in(seat, chips)
        self.look()

    def burn(self, street: Street) -> None:
        if self._burned_ahead:
            self._burned_ahead = False
            return
        super().burn(street)

    def say_tabled(self, seat: Seat) -> None:
        """TABLED, unless the camera has the hand on the screen already."""
        if done_with(self.view, seat):
            return
        self.press(*keying.seat_keys(seat, Key.TABLED))
        waited = 0
        while not done_with(self.view, seat) and waited < 3 * READ_MS:
            self.wait(GLANCE_MS, GLANCE_MS)
            waited += GLANCE_MS
            self.mind()

    def say_mucked(self, seat: Seat) -> None:
        if in_hand(self.view):
            self.press(*keying.seat_keys(seat, Key.MUCK))

    def set_right(self, button: Seat, stacks: Mapping[Seat, Chips]) -> None:
        """Say where the disc lies now, and count every stack that the screen has differently."""
        self.press_keys(*keying.seat_keys(button, Key.BUTTON_HERE))
        self.count_stacks(stacks)
        self.wait(300, 600)

    # ------------------------------------------------------------------------- time, cards and keys

    def wait(self, least: int, most: int) -> None:
        self.room.pass_time(self.chance.randint(least, most))

    def pause(self, moment: Moment) -> None:
        if moment in PAUSES_MS:
            self.wait(*PAUSES_MS[moment])

    def next_deck(self) -> None:
        self.room.next_deck()

    def press_keys(self, *keys: Key) -> None:
        self.presses += 1
        for key in keys:
            self.room.press(key)
            self.wait(*KEY_MS)

    # ------------------------------------------------------------------------------------- the screen

    def follow(self, shows: Shows, moment: Moment) -> TableView:
        self.pause(moment)
        return self.view

    def watch(self, shows: Shows) -> bool:
        for _ in range(READ_MS // GLANCE_MS):
            self.wait(GLANCE_MS, GLANCE_MS)
            if shows(self.view):
                return True
            if self.mind():
                return False
        return False

    def missing(self) -> list[Move]:
        """The moves that the screen has not taken."""
        taken = self.taken(self.view)
        return [] if taken is None or self.agrees(self.view) else self.moves[taken:]

    # --------------------------------------------------------------------------------------- questions

    def notice(self) -> None:
        """Sometimes late."""
        self.wait(*(LATE_MS if self.chance.random() < LATE_SHARE else NOTICE_MS))

    def answer(self, question: QuestionView) -> bool:
        """As a person does who knows what happened."""
        if question.kind == "ruling":
            return self.rule()
        if question.kind == "missed_actions":
            missing = [move.act for move in self.missing()]
            yes = bool(missing) and all(act is None or act.action in FILLED_IN for act in missing)
        elif question.kind == "board_unread":
            yes = len(self.observer.board) > len(self.view.board)
        elif question.kind.startswith("tabled-"):
            seats = question.kind.removeprefix("tabled-").split("-")
            yes = all(Seat(int(seat)) in self.observer.tabled for seat in seats)
        else:
            yes = self.is_true(question)
        if yes:
            self.press(question.key)
        return yes

    def is_true(self, question: QuestionView) -> bool:
        """Whether what else is asked is so."""
        del question
        return False

    def rule(self) -> bool:
        """The open incident on this table's screen: ruled where it happened, else nothing to rule."""
        view = self.room.open_ruling
        if view is None or view.incident not in self.incidents:
            self.press(Key.D0, Key.STREET)
            return True
        self.seen = self.seen or any(words.startswith("Camera") for words in view.seen)
        number = self.choose(view)
        del self.incidents[view.incident]
        self.press(Key(number), Key.STREET)
        self.wait(*KEY_MS)
        self.ruled(view.incident, view.options[number - 1].option)
        return True

    def choose(self, view: RulingView) -> int:
        """The number of the way to take: the one that fits what happened, else the book's default."""
        wanted = self.incidents[view.incident]
        return next((option.no for option in view.options if option.option == wanted), 1)

    def ruled(self, incident: str, option: str) -> None:
        """Do at the table what the ruling says."""
        del incident
        if option in ("misdeal", "void"):
            raise Redeal

    def have_ruled(self, incident: str, number: int, seat: Seat | None = None) -> None:
        """What happened is ruled on: by the question that the table asks, or raised by whoever saw it."""
        self.mind()
        for _ in range(3):
            if incident not in self.incidents or not in_hand(self.view):
                return
            self.raise_incident(number, seat)
            self.wait(400, 900)
            self.mind()

    def raise_incident(self, number: int, seat: Seat | None = None) -> None:
        """What only a person saw: the incident's number and FLOOR, with a seat where it needs one."""
        seated = () if seat is None else (*keying.amount_keys(seat), Key.SEAT)
        self.press(*seated, *keying.amount_keys(number), Key.FLOOR)
        self.wait(*KEY_MS)
