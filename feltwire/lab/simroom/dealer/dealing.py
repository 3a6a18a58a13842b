"""One hand of a script being dealt: what the dealer's hands do with cards and chips, step by step.

The dealer of the demo's robot, the fault campaign and the dealer workload. A variation overrides the step in
which it differs; how long steps take is a table beside it, by `Moment`, and `pause` lets that time pass. Keys are
pressed in the steps that begin with `say`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from enum import Enum, auto
from typing import Protocol

from feltwire.lab.simroom.dealer import keying
from feltwire.lab.simroom.felt.felt import PhysicalFelt
from feltwire.lab.simroom.play.observer import Observer
from feltwire.lab.simroom.play.script import BOARD_CARDS, HandScript, ScriptedAct
from table_core.messages import Action, CardText, Chips, Key, Seat, Street, TableView
from table_core.rulebook import Rulebook

PLAIN_KEYS = {Action.FOLD: Key.FOLD, Action.CHECK: Key.CHECK_CALL, Action.CALL: Key.CHECK_CALL}


class Moment(Enum):
    """Where time passes in a hand: before what is named, after it where the name says so."""

    PITCH = auto()
    PITCHED = auto()
    CARD_PASSED = auto()  # a card has passed the shoe's reader
    DEALT = auto()  # after the last hole card
    THINK = auto()
    SAY = auto()  # from what happened to its key
    STREET = auto()
    BURN = auto()
    BURNED = auto()
    TURN = auto()  # a board card is turned up
    STREET_OVER = auto()  # the street lies there, and the screen shows it
    SHOW = auto()
    MUCK = auto()
    SHOWN = auto()  # after the showdown
    PUSH = auto()
    PUSHED = auto()
    # while the screen follows a key
    NEW_HAND_KEYED = auto()
    CORRECTED = auto()
    POT_KEYED = auto()


class TableStuck(Exception):
    """The table does not go on whatever the dealer presses; which hand, and where."""


class Devices(Protocol):
    """What a dealer has in reach."""

    felt: PhysicalFelt

    @property
    def view(self) -> TableView:
        """The dealer screen as it is now."""
        ...

    def pass_shoe(self, card: CardText) -> None:
        """A card of the deck in use passes the shoe's reader."""
        ...

    def look(self) -> None:
        """The felt has changed; a camera that looks will see it."""
        ...


class Dealing(ABC):
    """One hand of `script`, dealt at `devices`; `deal` once.

    `observer` follows what truly happens and moves the chips; the table never hears of it.
    """

    gathers = True  # whether the observer also gathers bets and pushes pots, for which no time passes

    def __init__(self, devices: Devices, script: HandScript, rulebook: Rulebook, smallest_chip: Chips) -> None:
        self.devices = devices
        self.felt = devices.felt
        self.script = script
        self.deck: list[CardText] = list(script.deck)
        self._named_for: list[int] = []
        self.observer: Observer
        self._rulebook = rulebook
        self._smallest_chip = smallest_chip

    # -------------------------------------------------------------------------------------- the hand

    def deal(self) -> None:
        """From the riffle to the pot."""
        self.set_up()
        self.riffle()
        self.deal_hole_cards()
        self.bet()
        self.show_down()
        self.end()

    @property
    def view(self) -> TableView:
        return self.devices.view

    def set_up(self) -> None:
        """Stacks and button as the script has them; the blinds are in."""
        script, felt = self.script, self.felt
        felt.set_stacks({entry.seat: entry.stack for entry in script.seats}, script.button)
        chip, gathers = self._smallest_chip, self.gathers
        self.observer = Observer(script, self._rulebook, smallest_chip=chip, felt=felt, gathers=gathers)

    @abstractmethod
    def riffle(self) -> None:
        """The hand begins, at the table and on the screen."""

    def deal_hole_cards(self) -> None:
        for lap in (0, 1):
            for seat in self.script.dealt:
                self.pitch(seat, lap)
        self.pause(Moment.DEALT)
        self.dealt()
        self.moved((), None)

    def pitch(self, seat: Seat, lap: int) -> None:
        """One hole card, the first or the second (`lap` 0 or 1)."""
        del lap
        self.pause(Moment.PITCH)
        self.felt.deal(seat, self.top())
        self.look()
        self.pause(Moment.PITCHED)

    def dealt(self) -> None:  # noqa: B027 (most dealers do nothing here)
        """Every hole card is out."""

    def top(self) -> CardText:
        """The card on top of the deck leaves past the shoe's reader."""
        card = self.deck.pop(0)
        self.pass_shoe(card)
        self.pause(Moment.CARD_PASSED)
        return card

    def pass_shoe(self, card: CardText) -> None:
        self.devices.pass_shoe(card)

    # --------------------------------------------------------------------------------------- betting

    def bet(self) -> None:
        """Every betting round, and the board cards between them."""
        todo = list(self.script.acts)
        while not self.observer.at_showdown and not self.observer.hand.ended:
            if self.observer.awaiting_board:
                self.street(self.observer.next_street)
            else:
                self.betting(todo)

    def betting(self, todo: list[ScriptedAct]) -> None:
        """Somebody is to act; `todo` is what the script still has."""
        self.before_act(todo)
        self.act(self.next_act(todo))

    def before_act(self, todo: list[ScriptedAct]) -> None:  # noqa: B027 (most dealers do nothing here)
        """Nobody has acted yet."""

    def next_act(self, todo: list[ScriptedAct]) -> ScriptedAct:
        """What the script has next; where a fault changed the hand, the seat to act checks or folds."""
        if todo and todo[0].seat == self.observer.to_act:
            return todo.pop(0)
        return self.observer.passive_act()

    def act(self, act: ScriptedAct) -> None:
        """The player acts, the dealer keys it."""
        self.pause(Moment.THINK)
        self.do(act)
        self.pause(Moment.SAY)
        self.say(act)

    def do(self, act: ScriptedAct) -> None:
        """The player acts: chips and cards move."""
        self.observer.act(act)
        self.moved(keys_of(act), act)
        self.look()

    @abstractmethod
    def say(self, act: ScriptedAct) -> None:
        """The dealer keys it."""

    # ----------------------------------------------------------------------------------------- board

    def street(self, street: Street) -> None:
        self.show_all_in_hands()
        self.pause(Moment.STREET)
        self.burn(street)
        self.lay(tuple([self.turn_up_card() for _ in range(BOARD_CARDS[street])]))
        self.say_street()
        self.pause(Moment.STREET_OVER)

    def burn(self, street: Street) -> None:
        del street
        self.burn_one()

    def burn_one(self) -> None:
        self.pause(Moment.BURN)
        self.felt.burn(self.top())
        self.look()
        self.pause(Moment.BURNED)

    def turn_up_card(self) -> CardText:
        self.pause(Moment.TURN)
        return self.top()

    def lay(self, cards: tuple[CardText, ...]) -> None:
        """The street's cards lie face up."""
        self.felt.put_on_board(cards)
        self.observer.deal_board(cards)
        self.moved((), None)
        self.show()

    @abstractmethod
    def say_street(self) -> None:
        """The street lies there; the dealer sees that the table has it."""

    # -------------------------------------------------------------------------------------- showdown

    def show_all_in_hands(self) -> None:
        """Once nobody can bet any more, all hands are tabled before the next card (tda.16)."""
        if self.observer.betting_over:
            self._table_all(self.showing())

    def show_down(self) -> None:
        if self.observer.at_showdown:
            self.turn_hands_up()
            self.pause(Moment.SHOWN)

    def turn_hands_up(self) -> None:
        """Hands are turned up or thrown away."""
        self._table_all(self.showing())
        self._table_all(self.observer.hand.must_table)  # somebody is all-in who was not to be
        for seat in self.observer.live_seats:
            if seat not in self.observer.tabled:
                self.muck(seat)

    def showing(self) -> Sequence[Seat]:
        """Who turns up their hands: as planned, or everybody where other cards lie than were planned."""
        script, live, board = self.script, self.observer.live_seats, self.observer.board
        planned = [seat for seat in script.tables if seat in live]
        as_planned = board == script.board()[: len(board)] and all(
            tuple(dealt.card for dealt in self.felt.hands[seat]) == script.hole(seat) for seat in live
        )
        return planned if planned and as_planned else live

    def _table_all(self, seats: Sequence[Seat]) -> None:
        for seat in seats:
            if seat not in self.observer.tabled:
                self.table(seat)

    def table(self, seat: Seat) -> None:
        self.pause(Moment.SHOW)
        self.turn_up(seat)
        self.pause(Moment.SAY)
        self.say_tabled(seat)

    def turn_up(self, seat: Seat) -> None:
        self.felt.turn_up(seat)
        self.observer.table_hand(seat, tuple(dealt.card for dealt in self.felt.hands[seat]))
        self.look()

    @abstractmethod
    def say_tabled(self, seat: Seat) -> None:
        """The dealer keys a hand that lies face up."""

    def muck(self, seat: Seat) -> None:
        self.pause(Moment.MUCK)
        self.felt.throw_away(seat)
        self.observer.muck_hand(seat)
        self.look()
        self.pause(Moment.SAY)
        self.say_mucked(seat)

    @abstractmethod
    def say_mucked(self, seat: Seat) -> None:
        """The dealer keys a hand that was thrown away."""

    # ------------------------------------------------------------------------------------------- end

    def end(self) -> None:
        """The pot is pushed."""
        self.pause(Moment.PUSH)
        if not self.observer.hand.ended:
            self.award()
            self.moved((Key.POT_PUSHED,), None)
        self.push_chips()
        self.look()
        self.push_pot()
        self.pause(Moment.PUSHED)

    def award(self) -> None:
        """Cards have decided."""
        self.observer.award()

    def push_chips(self) -> None:  # noqa: B027 (most dealers do nothing here)
        """Chips go to the winners, where the dealer's hands push them."""

    @abstractmethod
    def push_pot(self) -> None:
        """The dealer keys that the pot is pushed."""

    def name_winners(self, question: int = 0) -> None:
        """The winners' seats, where the table cannot know them: the best hand's, then those of each `question`
        about the rest."""
        if question not in self._named_for:
            self._named_for.append(question)
        groups = self.observer.winner_groups()
        winners = groups[min(self._named_for.index(question), len(groups) - 1)]
        if len(winners) == 1:
            self.press(*keying.seat_keys(winners[0], Key.AWARD))
            return
        for seat in winners:
            self.press(*keying.seat_keys(seat, Key.SPLIT))
        self.press(Key.POT_PUSHED)

    # ------------------------------------------------------------------------------- supplied by each

    @abstractmethod
    def pause(self, moment: Moment) -> None:
        """Time passes, where this dealer takes any at `moment`."""

    @abstractmethod
    def press(self, *keys: Key) -> None:
        """The dealer presses `keys` one after the other."""

    def look(self) -> None:
        self.devices.look()

    def show(self) -> None:
        """As `look`; what lies there now is worth reading."""
        self.look()

    def moved(self, keys: tuple[Key, ...], act: ScriptedAct | None) -> None:  # noqa: B027 (most dealers do nothing here)
        """Something happened that `keys` tell the table; none where its devices see it."""


def keys_of(act: ScriptedAct) -> tuple[Key, ...]:
    """The keys that say `act` when it is that seat's turn."""
    if act.action in PLAIN_KEYS:
        return (PLAIN_KEYS[act.action],)
    return (Key.ALL_IN,) if act.to is None else keying.wager_keys(act.to)
