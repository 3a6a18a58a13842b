"""One hand dealt by a person who knows the table and looks at its screen; the faults change one thing each."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import NamedTuple

from feltwire.lab.simroom.dealer import keying
from feltwire.lab.simroom.dealer.glance import Glance, glance_at_hand, glance_at_screen
from feltwire.lab.simroom.play.observer import Observer
from feltwire.lab.simroom.play.script import BOARD_CARDS, FULL_DECK, HandScript, ScriptedAct
from table_core.hand.hand import Hand
from table_core.messages import (
    Act,
    Action,
    CardText,
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
MOST_CORRECTIONS = 16
MOST_HELP = 4  # presses of STREET for one street
PASSIVE = (Action.CHECK, Action.CALL)
_PLAIN = {Action.FOLD: Key.FOLD, Action.CHECK: Key.CHECK_CALL, Action.CALL: Key.CHECK_CALL}


class Stuck(Exception):
    """The table does not go on whatever the dealer presses."""


class Redeal(Exception):
    """A misdeal was called: the hand is dealt again."""


class Look(NamedTuple):
    """What a dealer takes in: whose turn it is, what lies in front of whom, who is out, the pot; when it is pushed
    who has what."""

    glance: Glance
    pot: int
    stacks: tuple[tuple[Seat, int], ...] = ()


class Move:
    """Something that happened: how the screen should look then, and the keys that say so, if any do."""

    def __init__(self, look: Look, keys: tuple[Key, ...], act: ScriptedAct | None) -> None:
        self.look = look
        self.keys = keys
        self.act = act


class Dealing:
    """A hand without a fault. A fault overrides the one step in which it differs and sets `staged`."""

    kind = Kind.CLEAN
    counts = False  # whether button and stacks are set right by hand afterwards
    leaves_open = False  # whether the next riffle closes the hand

    def __init__(self, room: Room, script: HandScript, book: Rulebook, chip: Chips, seed: int) -> None:
        self.room = room
        self.script = script
        self.staged = False
        self.what = ""
        self.counted = 0
        self.presses = 0
        self.chance = random.Random(seed)
        self.observer: Observer
        self.incidents: dict[str, str] = {}  # what may be ruled on because it happened, with the way to take
        self.deck: list[CardText] = list(script.deck)
        self.moves: list[Move] = []
        self._book = book
        self._chip = chip
        self.seen = False  # the camera's words stood on the screen beside what was ruled on
        self._asked: set[int] = set()
        self.winners: list[Seat] = []  # of this hand
        self._burned_ahead = False

    # ------------------------------------------------------------------------------------ the hand

    def play(self) -> None:
        """Deal it to its end; raise `Stuck` where the table does not follow."""
        for _ in range(3):
            try:
                self._play_once()
            except Redeal:
                self._deal_again()
            else:
                return
        raise Stuck("misdeal upon misdeal")

    def _play_once(self) -> None:
        self.set_up()
        self.riffle()
        self.deal()
        self.bet()
        self.show_down()
        self.end()

    def _deal_again(self) -> None:
        """All cards go back; the same hand with another deck."""
        self.room.felt.collect_cards()
        self.look()
        self.wait(4_000, 9_000)
        self.deck = list(FULL_DECK)
        self.chance.shuffle(self.deck)
        self.moves, self.incidents, self._burned_ahead = [], {}, False

    def set_up(self) -> None:
        felt, script = self.room.felt, self.script
        felt.set_stacks({entry.seat: entry.stack for entry in script.seats}, script.button)
        self.observer = Observer(script, self._book, smallest_chip=self._chip, felt=felt)

    def riffle(self) -> None:
        """NEW HAND, until the screen shows that the hand has begun."""
        self.room.next_deck()
        before = self.room.view.hand
        for _ in range(4):
            self.press(Key.NEW_HAND)
            self.wait(300, 900)
            view = self.room.view
            if in_hand(view) and view.hand != before:
                if view.button != self.script.button:
                    raise Stuck(f"the screen has the button at seat {view.button}")
                return
            self.mind()
        raise Stuck("the hand does not begin on the screen")

    def deal(self) -> None:
        for turn in (0, 1):
            for seat in self.script.dealt:
                self.pitch(seat, turn)
        self.wait(500, 1_200)
        self.dealt()
        self.moved((), None)

    def pitch(self, seat: Seat, turn: int) -> None:
        """One hole card."""
        del turn
        self.room.felt.deal(seat, self.top())
        self.look()
        self.wait(*CARD_MS)

    def dealt(self) -> None:
        """Every hole card is out."""

    def bet(self) -> None:
        todo = list(self.script.acts)
        while not self.observer.at_showdown and not self.observer.hand.ended:
            if self.observer.awaiting_board:
                self.street(self.observer.next_street)
                continue
            self.before_act(todo)
            self.act(self.next_act(todo))

    def before_act(self, todo: list[ScriptedAct]) -> None:
        """Somebody is to act."""

    def next_act(self, todo: list[ScriptedAct]) -> ScriptedAct:
        """What the script has next; where a fault changed the hand, the seat to act checks or folds."""
        if todo and todo[0].seat == self.observer.to_act:
            act = todo.pop(0)
            if not isinstance(self.observer.hand.decide(Act(act.seat, act.action, act.to)), Refusal):
                return act
        return self.observer.passive_act()

    def act(self, act: ScriptedAct) -> None:
        """The player acts, the dealer keys it."""
        self.wait(*THINK_MS)
        self.do(act)
        self.wait(*SAY_MS)
        self.say(act)

    def do(self, act: ScriptedAct) -> None:
        """The player acts: chips and cards move."""
        self.observer.act(act)
        self.moved(keys_of(act), act)
        self.look()

    def put_in(self, seat: Seat, chips: Chips) -> None:
        """Chips that a player puts in without an action of the script."""
        self.room.felt.put_in(seat, chips)
        self.look()

    def say(self, act: ScriptedAct) -> None:
        """The dealer keys it, unless the screen has it already, and sees that it was taken."""
        if self.agrees():
            return
        self.press(*keys_of(act))
        self.reconcile()

    # -------------------------------------------------------------------------------------- the board

    def street(self, street: Street) -> None:
        self.show_all_in_hands()
        self.wait(400, 1_500)
        self.burn(street)
        self.lay(street, tuple([self.top() for _ in range(BOARD_CARDS[street])]))
        self.follow_board()
        self.reconcile()

    def burn(self, street: Street) -> None:
        del street
        if self._burned_ahead:
            self._burned_ahead = False
            return
        self.burn_one()

    def burn_one(self) -> CardText:
        card = self.top()
        self.room.felt.burn(card)
        self.look()
        self.wait(*CARD_MS)
        return card

    def lay(self, street: Street, cards: tuple[CardText, ...]) -> None:
        """The street's cards lie face up."""
        del street
        self.room.felt.put_on_board(cards)
        self.observer.deal_board(cards)
        self.moved((), None)
        self.look()

    def follow_board(self) -> None:
        """Wait until the camera has read the street; help with STREET where it cannot."""
        size = len(self.observer.board)
        for _ in range(MOST_HELP):
            for _ in range(READ_MS // GLANCE_MS):
                self.wait(GLANCE_MS, GLANCE_MS)
                if len(self.room.view.board) >= size:
                    return
                if self.mind():
                    break
            if self.room.view.legal is not None or not in_hand(self.room.view):
                return  # what the screen has of the betting is put right first
            if len(self.room.view.board) < size:
                self.press(Key.STREET)
        if len(self.room.view.board) < size and in_hand(self.room.view):
            raise Stuck("the street does not come to the screen")

    def top(self) -> CardText:
        """The card on top of the deck leaves past the shoe's reader."""
        card = self.deck.pop(0)
        self.pass_shoe(card)
        self.wait(*CARD_MS)
        return card

    def pass_shoe(self, card: CardText) -> None:
        self.room.pass_shoe(card)

    # ------------------------------------------------------------------------------------ the showdown

    def show_all_in_hands(self) -> None:
        """Once nobody can bet any more, all hands are tabled before the next card (tda.16)."""
        if self.observer.betting_over:
            for seat in self.observer.live_seats:
                if seat not in self.observer.tabled:
                    self.table(seat)

    def show_down(self) -> None:
        if not self.observer.at_showdown:
            return
        live = self.observer.live_seats
        planned = [seat for seat in self.script.tables if seat in live]
        as_planned = self.observer.board == self.script.board() and all(
            tuple(lying.card for lying in self.room.felt.hands[seat]) == self.script.hole(seat) for seat in live
        )
        for seat in planned if as_planned and planned else live:
            if seat not in self.observer.tabled:
                self.table(seat)
        for seat in self.observer.hand.must_table:  # somebody is all-in who was not to be
            self.table(seat)
        for seat in self.observer.live_seats:
            if seat not in self.observer.tabled:
                self.muck(seat)

    def table(self, seat: Seat) -> None:
        self.wait(800, 2_500)
        felt = self.room.felt
        felt.turn_up(seat)
        self.observer.table_hand(seat, tuple(lying.card for lying in felt.hands[seat]))
        self.look()
        self.wait(*SAY_MS)
        self.say_tabled(seat)

    def say_tabled(self, seat: Seat) -> None:
        """TABLED, unless the camera has the hand on the screen already."""
        if done_with(self.room.view, seat):
            return
        self.press(*keying.seat_keys(seat, Key.TABLED))
        waited = 0
        while not done_with(self.room.view, seat) and waited < 3 * READ_MS:
            self.wait(GLANCE_MS, GLANCE_MS)
            waited += GLANCE_MS
            self.mind()

    def muck(self, seat: Seat) -> None:
        self.wait(400, 1_500)
        self.room.felt.throw_away(seat)
        self.observer.muck_hand(seat)
        self.look()
        self.wait(*SAY_MS)
        self.say_mucked(seat)

    def say_mucked(self, seat: Seat) -> None:
        if in_hand(self.room.view):
            self.press(*keying.seat_keys(seat, Key.MUCK))

    # ---------------------------------------------------------------------------------------- the end

    def end(self) -> None:
        self.wait(1_000, 3_000)
        if not self.observer.hand.ended:
            self.award()
            self.moved((Key.POT_PUSHED,), None)
        self.look()
        self.push_pot()
        self.wait(300, 800)

    def push_pot(self) -> None:
        """POT PUSHED where the screen still has the hand open."""
        for _ in range(5):
            if not in_hand(self.room.view):
                return
            if not self.mind():
                self.press(Key.POT_PUSHED)
            self.wait(200, 500)
        raise Stuck(f"the hand does not end on the screen: {self.room.view.last}")

    def set_right(self, button: Seat, stacks: Mapping[Seat, Chips]) -> None:
        """Say where the disc lies now, and count every stack that the screen has differently."""
        self.press_keys(*keying.seat_keys(button, Key.BUTTON_HERE))
        shown = {seat.seat: seat.stack for seat in self.room.view.seats}
        for seat, stack in stacks.items():
            if shown.get(seat) != stack:
                self.counted += 1
                self.press_keys(*keying.count_keys(seat, stack))
        self.wait(300, 600)

    # -------------------------------------------------------------------------------- keys and screen

    def press(self, *keys: Key) -> None:
        """What the dealer keys during the hand."""
        self.press_keys(*keys)

    def press_keys(self, *keys: Key) -> None:
        """Keys one after the other, as fast as fingers are."""
        self.presses += 1
        for key in keys:
            self.room.press(key)
            self.wait(*KEY_MS)

    def wait(self, least: int, most: int) -> None:
        self.room.pass_time(self.chance.randint(least, most))

    def look(self) -> None:
        self.room.look()

    def moved(self, keys: tuple[Key, ...], act: ScriptedAct | None) -> None:
        self.moves.append(Move(look_at_hand(self.observer.hand), keys, act))

    def agrees(self) -> bool:
        return look_at_screen(self.room.view) == self.moves[-1].look

    def reconcile(self) -> None:
        """Answer, take back and press again until the screen shows what happened.

        Where that does not succeed the stacks are counted after the hand.
        """
        for _ in range(MOST_CORRECTIONS):
            pushed_already = not in_hand(self.room.view) and not self.observer.hand.ended
            same_out = look_at_screen(self.room.view).glance.folded == self.moves[-1].look.glance.folded
            if self.agrees() or (pushed_already and same_out and self.observer.betting_over):
                return
            self.wait(GLANCE_MS, 3 * GLANCE_MS)
            if self.agrees() or self.mind():
                continue
            taken = self.taken()
            if taken is None:
                self.press(Key.UNDO)
            elif self.moves[taken].keys:
                self.press(*self.moves[taken].keys)
            else:
                self.press(Key.STREET)
            self.wait(GLANCE_MS, 3 * GLANCE_MS)

    def taken(self) -> int | None:
        """How many moves the screen has taken; None when it shows what never was."""
        shown = look_at_screen(self.room.view)
        behind = (at for at in range(len(self.moves) - 1, 0, -1) if self.moves[at - 1].look == shown)
        return next(behind, None)

    def missing(self) -> list[Move]:
        """The moves that the screen has not taken."""
        taken = self.taken()
        return [] if taken is None or self.agrees() else self.moves[taken:]

    # --------------------------------------------------------------------------------------- questions

    def mind(self) -> bool:
        """Answer what the screen asks, once a question, sometimes late; whether a key was pressed."""
        question = self.room.view.question
        if question is None or question.question in self._asked:
            return False
        self._asked.add(question.question)
        self.wait(*(LATE_MS if self.chance.random() < LATE_SHARE else NOTICE_MS))
        now = self.room.view.question
        if now is None or now.question != question.question:
            return False
        return self.answer(question)

    def answer(self, question: QuestionView) -> bool:
        """As a person does who knows what happened; whether a key was pressed."""
        if question.kind == "ruling":
            return self.rule()
        if question.kind == "missed_actions":
            yes = bool(self.missing()) and all(passive(move) for move in self.missing() if move.act is not None)
        elif question.kind == "board_unread":
            yes = len(self.observer.board) > len(self.room.view.board)
        elif question.kind.startswith("tabled-"):
            seats = question.kind.removeprefix("tabled-").split("-")
            yes = all(Seat(int(seat)) in self.observer.tabled for seat in seats)
        elif question.kind == "award":
            return self.name_winners()
        else:
            yes = self.is_true(question)
        if yes:
            self.press(question.key)
        return yes

    def is_true(self, question: QuestionView) -> bool:
        """Whether what else is asked is so."""
        del question
        return False

    def award(self) -> None:
        before = self.observer.stacks
        self.observer.award()
        self.winners = [seat for seat, stack in self.observer.stacks.items() if stack > before[seat]]

    def name_winners(self) -> bool:
        if not self.observer.hand.ended:
            self.award()
        if len(self.winners) == 1:
            self.press(*keying.seat_keys(self.winners[0], Key.AWARD))
        else:
            for seat in self.winners:
                self.press(*keying.seat_keys(seat, Key.SPLIT))
            self.press(Key.POT_PUSHED)
        return True

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
            if incident not in self.incidents or not in_hand(self.room.view):
                return
            self.raise_incident(number, seat)
            self.wait(400, 900)
            self.mind()

    def raise_incident(self, number: int, seat: Seat | None = None) -> None:
        """What only a person saw: the incident's number and FLOOR, with a seat where it needs one."""
        seated = () if seat is None else (*keying.amount_keys(seat), Key.SEAT)
        self.press(*seated, *keying.amount_keys(number), Key.FLOOR)
        self.wait(*KEY_MS)


def look_at_hand(hand: Hand) -> Look:
    if hand.ended:
        return Look(glance_at_hand(hand), 0, _chips_of(hand.stacks))
    return Look(glance_at_hand(hand), sum(pot.amount for pot in hand.pots) + sum(hand.bets.values()))


def look_at_screen(view: TableView) -> Look:
    if in_hand(view):
        return Look(glance_at_screen(view), int(view.pot))
    return Look(glance_at_screen(view), 0, _chips_of({seat.seat: seat.stack for seat in view.seats}))


def _chips_of(stacks: Mapping[Seat, int]) -> tuple[tuple[Seat, int], ...]:
    """Who has chips. A player without is out, and a screen may not show the seat any more."""
    return tuple(sorted((seat, int(stack)) for seat, stack in stacks.items() if stack))


def keys_of(act: ScriptedAct) -> tuple[Key, ...]:
    """The keys that say `act` when it is that seat's turn."""
    if act.action in _PLAIN:
        return (_PLAIN[act.action],)
    return (Key.ALL_IN,) if act.to is None else keying.wager_keys(act.to)


def in_hand(view: TableView) -> bool:
    return view.street is not Street.DONE


def done_with(view: TableView, seat: Seat) -> bool:
    """Both cards of `seat` are on the screen, or the hand is over there."""
    return not in_hand(view) or any(
        s.seat == seat and len(s.cards) == 2 and s.cards != ("??", "??") for s in view.seats
    )


def passive(move: Move) -> bool:
    """Whether a missing move is one that a street end fills in: a check, a call, or a fold that was seen."""
    return move.act is None or move.act.action in (*PASSIVE, Action.FOLD)
