"""A table of the second specification: its steps become presses, cards and readings as a dealer's would."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile

from feltwire.config import TableConfig
from feltwire.lab.scenario.table import TableInMemory
from firmware_bridge.decks import CARDS
from table_core.messages import (
    Acted,
    BetCorrected,
    BetReturned,
    BoardDealt,
    Chips,
    Key,
    Level,
    Misdealt,
    OptionView,
    Posted,
    Refused,
    RulingView,
    Seat,
    SeatStack,
    Source,
)
from table_core.record.deal import BOARD_SIZE, Deal
from table_core.rulings.all_incidents import INCIDENTS as INCIDENTS_OF_TABLE
from table_core.tracker.dealing.deal import deal_of
from tests.spec.devices import DeviceSet
from tests.spec.effects import CompletesHand, Effect, ReplacesCard
from tests.spec.situation import (
    Acts,
    ActsOutOfTurn,
    Burns,
    CallsTime,
    ComesBack,
    DealError,
    Deals,
    DealsHands,
    DiscardsForward,
    DropsDeck,
    FloorIsTold,
    HandInMuck,
    IsAway,
    Matter,
    PushesPot,
    PutsChips,
    ShowsCard,
    StartsNewHand,
    Step,
    Street,
    Table,
    TabledHandInMuck,
    Tables,
    TakesCardsBack,
    ThrowsIntoHand,
    TurnsUpOther,
    WithdrawsChips,
)
from tests.spec_played import chips
from tests.spec_played.deck import deck_for

DEVICES: dict[DeviceSet, tuple[str, ...]] = {
    "keys": ("keypad",),
    "keys+shoe": ("keypad", "shoe"),
    "keys+camera": ("keypad", "camera"),
    "all": ("keypad", "shoe", "camera"),
    "none": (),
}
INCIDENTS: dict[Matter, int] = {
    "out of turn": 41,
    "skipped": 42,
    "absent": 58,
    "exposed card": 11,
    "boxed card": 12,
    "burn shown": 33,
    "wrong button": 19,
    "premature": 35,
    "wrong push": 71,
    "split": 71,
    **chips.INCIDENTS,
}
INCIDENT_NOS = {one.key: one.no for one in INCIDENTS_OF_TABLE.values()}
OF_A_DEAL = {"extra": 13, "extra inside": 14, "short": 14, "left out": 18, "empty seat": 17}
MISSING = ("short", "left out")
OF_A_HAND: dict[type, int] = {
    DiscardsForward: 51,
    TakesCardsBack: 53,
    ThrowsIntoHand: 54,
    TurnsUpOther: 55,
}
BOARD_BEFORE: dict[Street, int] = {"preflop": 0, "flop": 0, "turn": 3, "river": 4}
CARDS_OF: dict[Street, int] = {"flop": 3, "turn": 1, "river": 1}
KEYS = {
    "fold": Key.FOLD,
    "check": Key.CHECK_CALL,
    "call": Key.CHECK_CALL,
    "bet": Key.BET_RAISE,
    "raise": Key.BET_RAISE,
    "all-in": Key.ALL_IN,
}
READ_MS = 3_000  # a person has read what is asked
MOTION_MS = 700  # from one motion with chips to the next


class NotPlayed(Exception):
    """A step that this table does not play yet."""


class CannotBePlayed(Exception):
    """The table does not take a step that is legal poker."""


class SpecTable:
    """`table` is the table; a copy goes on from where it stands. `stub` are the cards behind the
    deal, in their order. `steps`: all that will happen there, so that hands rank as they have it."""

    def __init__(self, of: Table, devices: DeviceSet, steps: Sequence[Step] = ()) -> None:
        stacks = tuple(SeatStack(Seat(seat), Chips(of.stacks[seat - 1])) for seat in of.seats)
        level = Level(1, Chips(of.small_blind), Chips(of.big_blind))
        facts = dict(fact for step in steps if isinstance(step, FloorIsTold) for fact in step.facts)
        config = TableConfig(
            "hall",
            "01",
            "unused",
            stacks,
            (level,),
            len(stacks),
            button=Seat(of.button),
            rulebook=of.book,
            smallest_chip=Chips(int(facts.get("smallest chip in play", "1"))),
        )
        self.devices = DEVICES[devices]
        self.table = TableInMemory(config, self.devices)
        self._order = deck_for(of, steps)
        self._deck = list(reversed(self._order))
        self._left: list[str] = []  # in the order in which they left it
        self._seats = of.seats
        self._of = of
        self.done: list[Step] = []
        self.stacks_told: dict[int, int] = {}  # as the floor was told
        self._knew_the_winner = False  # before the pot was pushed
        self._new_hand_did_something = False
        self._seen: list[str] = []  # on the board
        self._chips_lie: set[int] = set()  # seats in front of which the camera has seen chips on this street
        self._begun = False
        self.refused = ""  # why what the floor was told cannot be ruled on

    def copy(self) -> SpecTable:
        return copy.deepcopy(self)

    # ------------------------------------------------------------------------------------------- steps

    def deal_where_no_step_does(self, steps: Iterable[Step]) -> None:
        if not any(isinstance(step, DealsHands) for step in steps):
            self._deal_hands(DealsHands())

    def do(self, step: Step) -> None:
        """Raise `NotPlayed` or `CannotBePlayed`."""
        self.done.append(step)
        match step:
            case Acts():
                self._act(step)
            case ActsOutOfTurn():
                self.press(*self._about(step.seat), *self._keys(step.act, step.to))
            case CallsTime():
                self.tell(42, step.seat)
            case IsAway() | ComesBack():
                seat = next(one for one in self.table.view.seats if one.seat == step.seat)
                if seat.away is isinstance(step, ComesBack):  # a ruling may have said that the player is there
                    self.press(str(step.seat), Key.AWAY)
            case DealsHands():
                self._deal_hands(step)
            case Burns():
                self._pass_cards(step.burns)
            case Deals():
                self._street(step)
            case PutsChips():
                self._put_chips(step)
            case Tables():
                self._table_hand(step.seat)
            case PushesPot():
                self._knew_the_winner = not self.takes(str(step.seat), Key.AWARD)
                self.table.wait(READ_MS)
            case StartsNewHand():
                self._new_hand_did_something = not step.other_deck and self.takes(Key.NEW_HAND)
            case (
                DiscardsForward()
                | DropsDeck()
                | HandInMuck()
                | ShowsCard()
                | TabledHandInMuck()
                | TakesCardsBack()
                | ThrowsIntoHand()
                | TurnsUpOther()
                | WithdrawsChips()
            ):
                pass  # nobody keys it; a person tells of it
            case FloorIsTold() if self._needs_no_ruling(step):
                self.stacks_told = self.stacks()
            case FloorIsTold():
                self.stacks_told = self.stacks()
                thrown = next((one for one in reversed(self.done) if isinstance(one, ThrowsIntoHand)), None)
                about, count = (step.seat, self._too_many()) if thrown is None else (thrown.seat, thrown.into)
                self.tell(self._incident(step), about, count)
            case _:
                raise NotPlayed(type(step).__name__)

    def _needs_no_ruling(self, told: FloorIsTold) -> bool:
        """What the table knows by itself, and what a key puts right; the key is pressed."""
        in_hand = self.table.node.table.in_hand
        match told.matter:
            case "absent":  # the others' hands are dead: nothing is left to rule on
                return not in_hand
            case "more behind":  # ALL-IN is all that the player has
                return True
            case "wrong push" | "split":
                return self._knew_the_winner
            case "hand in muck" if isinstance(self._before, TabledHandInMuck):
                return not in_hand
            case "not tabled":
                if isinstance(muck := self._before, HandInMuck):
                    self.press(str(muck.seat), Key.MUCK)
                    self.table.wait(READ_MS)
                return True
            case "new hand" if isinstance(self._before, StartsNewHand):
                if self._new_hand_did_something:
                    self.press(Key.UNDO)
                    self.table.wait(READ_MS)
                return True
        return False

    def _incident(self, told: FloorIsTold) -> int:
        """The floor's number for what is told, by what happened."""
        if told.matter in INCIDENTS:
            return INCIDENTS[told.matter]
        if any(fact == "board was declared" for fact, _ in told.facts):
            return 63
        last = next(step for step in reversed(self.done) if not isinstance(step, FloorIsTold | Acts))
        match told.matter, last:
            case "burns", Deals() | Burns():
                odd = [one.burns for one in self.done if isinstance(one, Deals | Burns) and one.burns != 1]
                return 31 if odd and not odd[-1] else 32  # one burn is one too many where none was due
            case "too many cards", Deals(street=street):
                return 34 if street == "flop" else 35
            case (("wrong count" | "misdeal"), DealsHands(errors=(DealError(kind=kind), *_))) if kind in OF_A_DEAL:
                return OF_A_DEAL[kind]
            case "misdeal", DealsHands(errors=(), first_seat=int()):
                return 16
            case "dead hand", _ if type(last) in OF_A_HAND:
                return OF_A_HAND[type(last)]
            case "hand in muck", HandInMuck(by=by):
                return 52 if by == "holder" else 56
            case "shown card", ShowsCard(how=how):
                return 57 if how == "dropped" else 62
            case "hand in muck", TabledHandInMuck():
                return 56
            case "new hand", DropsDeck():
                return 28
        raise NotPlayed(f"{told.matter}, behind {type(last).__name__}")

    def press(self, *keys: Key | str) -> None:
        self.table.press(*keys)

    def takes(self, *keys: Key | str) -> bool:
        """Press them; whether none was refused."""
        before = len(self.table.events)
        self.press(*keys)
        return not any(isinstance(event, Refused) for event in self.table.events[before:])

    def tell(self, incident: int, seat: int | None, count: int | None = None) -> None:
        """The floor's key, for the seat where there is one; the question is read. `count`: the number that goes
        with it, of cards too many or of the other seat."""
        said, asked = len(self.table.events), self.ruling
        if asked is not None and asked.incident == "out_of_sequence" and incident == 14:
            self.choose(0)  # a hand that is short looks like it, and is told as what it is
            said = len(self.table.events)
        elif asked is not None and asked.seat == seat:
            no = INCIDENT_NOS[asked.incident]
            if no == incident or (no, incident) in (
                (44, 43),
                (44, 74),
            ):  # what the chips are the table asks itself
                return
        self.press(*(() if seat is None else self._about(seat)), str(incident), Key.FLOOR)
        refused = [event.reason for event in self.table.events[said:] if isinstance(event, Refused)]
        self.refused = refused[-1] if refused else ""
        self.table.wait(READ_MS)
        if count is not None:
            self.count(count)

    def says_otherwise(self, option: OptionView) -> bool:
        """Whether an option says of what happened what is not so. Nobody who saw it takes that: one key stands for
        a check and a call, and no key says whether a hand was thrown forward or can be told from the muck."""
        done = [step for step in self.done if not isinstance(step, FloorIsTold)]
        about = next((step.seat for step in reversed(self.done) if isinstance(step, FloorIsTold)), None)
        acts = (step for step in reversed(done) if isinstance(step, ActsOutOfTurn) and step.seat == about)
        early = next(acts, None)
        if early is not None:
            said = [word for word in ("checked", "called") if word in option.text.partition(":")[0]]
            other_act = bool(said) and f"{early.act}ed" not in said
            return other_act or (option.option == "thrown" and early.how != "discard")
        match done[-1] if done else None:
            case HandInMuck(identifiable=False):
                return "identifiable" in option.text
            case HandInMuck(by="dealer", protected=False):
                return "protected, and" in option.text
            case TurnsUpOther():
                return "not on purpose" in option.text
            case Acts() if len(done) > 1 and isinstance(done[-2], DiscardsForward):
                return "nobody acted" in option.text
        return False

    def _too_many(self) -> int | None:
        """How many cards too many were dealt, as the dealer sees it; None for one, which is what 13 means."""
        dealt = [step for step in self.done if isinstance(step, DealsHands)]
        count = sum(error.count for step in dealt for error in step.errors if error.kind == "extra")
        return count if count > 1 else None

    def answered(self, option: OptionView) -> OptionView | None:
        """The option behind the number that it asks for, which is said; None where nobody can say one."""
        told = next(step for step in reversed(self.done) if isinstance(step, FloorIsTold))
        put = next((step for step in reversed(self.done) if isinstance(step, PutsChips)), None)
        if put is None or told.matter not in chips.INCIDENTS:
            return None
        since = self.done[self.done.index(put) :]
        if told.matter == "below minimum" and any(isinstance(step, Deals) for step in since):
            return None  # nothing lies there any more
        self.press(str(chips.count_for(told.matter, put)), Key.COUNT)
        self.table.wait(READ_MS)
        options = () if self.ruling is None else self.ruling.options
        return next((one for one in options if one.option == option.option and not one.asks), None)

    @property
    def which_card(self) -> int | None:
        """Which card of its seat was exposed, as the dealer sees it; None for none or several."""
        dealt = [error for step in self.done if isinstance(step, DealsHands) for error in step.errors]
        places = [error.index for error in dealt if error.index is not None]
        return 1 + (places[0] > len(self._seats)) if len(places) == 1 else None

    def count(self, number: int) -> None:
        self.press(str(number), Key.COUNT)
        self.table.wait(READ_MS)

    def choose(self, number: int) -> None:
        self.table.wait(READ_MS)
        self.press(str(number), Key.STREET)
        self.table.wait(READ_MS)

    def put_right(self, lie: Sequence[int] | None = None) -> None:
        """Behind a ruling the dealer lays the board as it should be (`lie`: places of the stub), and says so."""
        lay = len(self.table.view.board)
        deals = self._awaits_board if lie is None else len(lie) > lay
        if deals and self.deal is not None:
            street = next(one for one, size in BOARD_SIZE.items() if size == (len(lie) if lie else size) > lay)
            self._pass_cards(max(self.deal.street(street)[-1] - self.deal.out, 0))
        board = self._board_by_the_deal() if lie is None else [self.stub[place - 1] for place in lie]
        if "camera" in self.devices and (lie is not None or (deals and board)):
            self._seen = board
            self.table.see("board", *self._seen)
            self.table.wait(READ_MS)
        if self._awaits_board and self.ruling is None and deals:
            self.press(Key.STREET)
            self.table.wait(READ_MS)

    def _board_by_the_deal(self) -> list[str]:
        """The cards that lie there by the table's record; none without a shoe."""
        deal = self.deal
        if deal is None:
            return []
        passed = [place for place in range(1, deal.out + 1) if place not in deal.never_passed]
        card = dict(zip(passed, self._left, strict=False))
        return [card[place] for place in deal.places("board") if place in card]

    def put_back(self, cards: Iterable[int]) -> None:
        """These cards of the stub lie on the top of the deck again."""
        self._deck += [self.stub[card - 1] for card in cards]

    def burn_again(self) -> None:
        """Another card is burned where one was shown: the specification counts it as done."""
        if self.deal is not None and "aside" in self.deal.lying and self.deal.rest[:1] == ("burn",):
            self._pass_cards(1)

    def _deal_hands(self, step: DealsHands) -> None:
        """The deal, or the rest of it: cards that go wrong are the floor's to tell."""
        if not self._begun:
            self._begun = True
            self.press(Key.NEW_HAND)
        whole = 2 * len(self._seats) + sum(_beyond(error, len(self._seats)) for error in step.errors)
        out = len(CARDS) - len(self._deck)
        self._pass_cards(min(step.upto or whole, whole) - out)
        if "camera" in self.devices and step.upto is None:
            missing = {one.seat: 1 if one.kind == "short" else 2 for one in step.errors if one.kind in MISSING}
            for seat in self._seats:
                self.table.see(f"seat-{seat}-cards", backs=2 - missing.get(seat, 0))
        self.table.wait(READ_MS)

    def complete_hands(self, effects: Iterable[Effect]) -> None:
        """The top card goes to who is to have one by this ruling."""
        if self.is_void:
            return
        self._pass_cards(sum(isinstance(effect, ReplacesCard | CompletesHand) for effect in effects))
        for seat in [effect.seat for effect in effects if isinstance(effect, CompletesHand)]:
            if "camera" in self.devices:
                self.table.see(f"seat-{seat}-cards", backs=2)
        self.table.wait(READ_MS)

    def _pass_cards(self, count: int) -> list[str]:
        """Cards leave the deck."""
        cards = [self._deck.pop() for _ in range(count)]
        self._left += cards
        if "shoe" in self.devices:
            self.table.deal(*cards)
        return cards

    @property
    def stub(self) -> list[str]:
        """The cards behind a deal without errors, in their order: the first is 1 in the specification."""
        return list(self._order[2 * len(self._seats) :])

    def _put_chips(self, step: PutsChips) -> None:
        """The camera sees each motion; words are keyed, and without a camera what the chips come to."""
        camera = "camera" in self.devices
        for motion in range(1, len(step.motions) + 1) if camera else ():
            lies = chips.put_in(step, motion)
            pieces = sum(len(one) for one in step.motions[:motion])
            self.table.see_chips(f"seat-{step.seat}-bet", lies, pieces=pieces, motions=motion)
            self._chips_lie.add(step.seat)
            self.table.wait(MOTION_MS)
        if step.said is not None or not camera:
            hand = self.table.node.table.hand
            assert hand is not None
            self.press(*chips.keys(step, max(hand.bets.values())))
        self.table.wait(READ_MS)

    def _went_on_from(self, put: PutsChips) -> None:
        """The next player acts: silent chips are what they come to, a wager that was refused was let pass."""
        if self.ruling is not None:  # what did the player say? Nothing that is a raise
            self.choose(next(one.no for one in self.ruling.options if one.option == "call"))
        elif put.said is None and self.table.shown.predicted:
            self.press(Key.STREET)
            self.table.wait(READ_MS)
        elif put.said is not None:
            self.tell(chips.INCIDENTS["below minimum"], put.seat, chips.put_in(put))
            options = () if self.ruling is None else self.ruling.options
            passed = next((one.no for one in options if one.option == "let_pass"), None)
            if passed is not None:
                self.choose(passed)

    def _table_hand(self, seat: int) -> None:
        """It lies face up; where the camera sees it no key is needed, else the pot is pushed without one."""
        if "camera" in self.devices:
            first = self._of.deal_order.index(seat)
            self.table.see(f"seat-{seat}-cards", self._order[first], self._order[first + len(self._seats)])
            self.table.wait(READ_MS)

    @property
    def _before(self) -> Step | None:
        """The step before this one."""
        return self.done[-2] if len(self.done) > 1 else None

    def _act(self, step: Acts) -> None:
        if self._awaits_board:  # an act that comes before the street is confirmed waits for it
            self.press(*self._about(step.seat), *self._keys(step.act, step.to))
            return
        if self._was_done(step):
            return
        if isinstance(self._before, PutsChips) and self.to_act == self._before.seat:
            self._went_on_from(self._before)
        last = self._before
        if isinstance(last, DiscardsForward) and last.seat == self.to_act:
            self.press(Key.FOLD)  # the next player acts on it
            self.table.wait(READ_MS)
        if self.to_act != step.seat and isinstance(last, Deals):
            self.press(*self._about(step.seat), *self._keys(step.act, step.to))  # on a street that came too early
            return
        if self.to_act != step.seat:
            raise CannotBePlayed(f"it is seat {self.to_act}'s turn, not seat {step.seat}'s")
        acted = len(self.table.events)
        self.press(*self._keys(step.act, step.to))
        self.table.wait(READ_MS)
        refused = [event for event in self.table.events[acted:] if isinstance(event, Refused)]
        if refused:
            raise CannotBePlayed(f"seat {step.seat} {step.act}: {refused[0].reason}")

    def _was_done(self, step: Acts) -> bool:
        """What a ruling bound the seat to, the table has done at its turn."""
        acts = [event for event in self.table.events if isinstance(event, Acted)]
        last = acts[-1] if acts else None
        same = last is not None and last.seat == step.seat and last.source in (Source.DIRECTOR, Source.ENGINE)
        return same and self.to_act != step.seat

    def _keys(self, act: str, to: int | None) -> Iterator[Key | str]:
        if act in ("bet", "raise") and to is not None:
            yield str(to)
        yield KEYS[act]

    @staticmethod
    def _about(seat: int) -> tuple[Key | str, ...]:
        return str(seat), Key.SEAT

    def _street(self, step: Deals) -> None:
        """The camera sees what lies there; STREET says that the dealer has dealt what was due."""
        due, lay = self._awaits_board, len(self.table.view.board)
        for seat in sorted(self._chips_lie):
            self.table.see_chips(f"seat-{seat}-bet", 0)
        self._chips_lie.clear()
        cards = self._pass_cards(step.burns + (step.cards or CARDS_OF[step.street]))[step.burns :]
        if "camera" in self.devices:
            self._seen = [*self._seen[: BOARD_BEFORE[step.street]], *cards]
            self.table.see("board", *self._seen)
        self.table.wait(READ_MS)
        for _ in range(2):  # where it is too early by count, once more
            if due and self._awaits_board and self.ruling is None and len(self.table.view.board) == lay:
                self.press(Key.STREET)
                self.table.wait(READ_MS)
        right = step.cards is None and step.burns == 1 and due
        if right and len(self.table.view.board) != BOARD_BEFORE[step.street] + CARDS_OF[step.street]:
            raise CannotBePlayed(f"{step.street}: the board has {len(self.table.view.board)} cards")

    @property
    def _awaits_board(self) -> bool:
        hand = self.table.node.table.hand
        return hand is not None and hand.awaiting_board

    # ------------------------------------------------------------------------------------ what it says

    @property
    def ruling(self) -> RulingView | None:
        return self.table.open_ruling

    @property
    def to_act(self) -> int | None:
        hand = self.table.node.table.hand
        legal = hand.legal() if hand is not None and self.table.node.table.in_hand else None
        return None if legal is None else legal.seat

    @property
    def hole_cards(self) -> int:
        """How many cards are out when the deal is complete, without errors."""
        return 2 * len(self._seats)

    @property
    def deal(self) -> Deal | None:
        """The table's record of what was dealt; None without a shoe."""
        return deal_of(self.table.node, self.table.node.state) if "shoe" in self.devices else None

    @property
    def is_void(self) -> bool:
        """A misdeal was called."""
        return any(isinstance(event, Misdealt) for event in self.table.events)

    def stacks(self) -> dict[int, int]:
        """Chips behind, by seat; in a hand that is over with what it won."""
        return {int(seat.seat): int(seat.stack) for seat in self.table.view.seats}

    def won(self, seat: int) -> int:
        """What the seat has of the pot of the hand that is over."""
        paid = 0
        for event in [logged.event for logged in self.table.node.table.hand_log]:
            match event:
                case Posted(seat=who, amount=amount) if who == seat:
                    paid += amount
                case Acted(seat=who, added=added) if who == seat:
                    paid += added
                case BetCorrected(seat=who, added=added, returned=returned) if who == seat:
                    paid += added - returned
                case BetReturned(seat=who, amount=amount) if who == seat:
                    paid -= amount
        return self.stacks()[seat] - self._of.stacks[seat - 1] + paid

    def has_no_act(self, seat: int) -> bool:
        """The seat is to act, and has not done so on this street."""
        hand = self.table.node.table.hand
        acts = [one for one in self.table.node.table.hand_log if isinstance(one.event, Acted | BoardDealt)]
        street = list(takewhile(lambda one: not isinstance(one.event, BoardDealt), reversed(acts)))
        return hand is not None and self.to_act == seat and all(one.event.seat != seat for one in street)

    def counted_as(self, seat: int) -> tuple[str, int] | None:
        """The last act of the seat as it is recorded, and what it comes to on its street; None without one."""
        found: tuple[str, int] | None = None
        for event in [logged.event for logged in self.table.node.table.hand_log]:
            match event:
                case Acted(seat=who, action=action, to=to) if who == seat:
                    found = str(action), int(to)
                case BetCorrected(seat=who, added=added, returned=returned) if who == seat and found is not None:
                    found = found[0], found[1] + int(added - returned)
        return found

    @property
    def live(self) -> tuple[int, ...]:
        hand = self.table.node.table.hand
        return () if hand is None else tuple(hand.live_seats)


def _beyond(error: DealError, seats: int) -> int:
    """How many cards more than two a seat leave the deck."""
    match error.kind:
        case "extra":
            return error.count
        case "extra inside" | "empty seat":
            return 1 if error.kind == "extra inside" else 2
        case "short":
            return -1
        case "left out":
            return -2
    return 0
