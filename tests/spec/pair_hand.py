"""A hand under construction, into which errors are put one after the other."""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.spec.cell import Expect, ruled
from tests.spec.play import normal_cards, order
from tests.spec.situation import Act, Acts, Book, Deals, Step, Street, Table


@dataclass(slots=True)
class Hand:
    """Steps so far, the seats with live hands, the pot, and what is known of the stub.

    `next_card`: place of the top card of the stub, None after a shuffle.  `board`: places, None when unknown.
    `burn_lies`: streets whose burn lies there already (an exposed or extra card).  `river_unburned`: the
    river comes without a burn, because the stub is shuffled before it.  `keep_open`: the next round of checks
    is not played, because another error is to come in it.
    """

    book: Book
    table: Table = field(init=False)
    steps: list[Step] = field(default_factory=list)
    live: list[int] = field(default_factory=lambda: [1, 2, 3, 4, 5])
    paid: dict[int, int] = field(default_factory=lambda: {2: 50, 3: 100})
    pot: int = 0
    next_card: int | None = 1
    board: tuple[int, ...] | None = ()
    burn_lies: set[Street] = field(default_factory=set)
    river_unburned: bool = False
    keep_open: bool = False
    _paid_before: int = 0

    def __post_init__(self) -> None:
        self.table = Table(self.book)

    def actors(self, street: Street) -> list[int]:
        """Live seats in their order of action."""
        return [seat for seat in order(self.table, street) if seat in self.live]

    def add(self, *steps: Step) -> None:
        """Appends steps that put no chips in."""
        self.steps.extend(steps)

    def act(self, seat: int, act: Act, to: int | None = None) -> None:
        """An act in turn; a fold ends the seat's hand."""
        self.steps.append(Acts(seat, act, to))
        if to is not None:
            self.pay(seat, to)
        if act == "fold":
            self.live.remove(seat)

    def pay(self, seat: int, to: int) -> None:
        """The seat's total on this street."""
        self._paid_before = self.paid.get(seat, 0)
        self.paid[seat] = to

    def take_last_act(self) -> Acts:
        """Takes the last check or call back out of the hand: that seat has still to act."""
        last = self.steps.pop()
        assert isinstance(last, Acts), last
        assert last.act in ("check", "call"), last
        if last.to is not None:
            self.paid[last.seat] = self._paid_before
        return last

    def give_act(self, act: Acts) -> None:
        """The act that was outstanding is made."""
        self.act(act.seat, act.act, act.to)

    def rule(self, expect: Expect) -> None:
        """The director takes the first option."""
        self.steps.append(ruled(expect))

    def limp_round(self) -> None:
        """Preflop everybody calls and the big blind checks."""
        for seat in self.actors("preflop"):
            self.act(seat, "check" if seat == 3 else "call", None if seat == 3 else 100)

    def check_round(self, street: Street) -> None:
        """Everybody who is live checks, unless the street is kept open."""
        if self.keep_open:
            self.keep_open = False
            return
        for seat in self.actors(street):
            self.act(seat, "check")

    def sweep(self) -> None:
        """The bets of a finished street go into the pot."""
        self.pot += sum(self.paid.values())
        self.paid = {}

    def burns_due(self, street: Street) -> int:
        """How many cards the dealer has to burn from the stub for this street."""
        return 0 if street in self.burn_lies or self.stub_is_shuffled_before(street) else 1

    def stub_is_shuffled_before(self, street: Street) -> bool:
        """True for the river when an earlier ruling ordered a shuffle before it."""
        return street == "river" and self.river_unburned

    def deal(self, street: Street, burns: int | None = None) -> None:
        """The street is dealt right; `burns` only where a ruling ordered another number."""
        count = self.burns_due(street) if burns is None else burns
        self.steps.append(Deals(street, count))
        self.turn_up(street, count)

    def turn_up(self, street: Street, burns: int) -> None:
        """Moves the cards of a street from the stub to the board."""
        if street == "river" and self.river_unburned:
            self.shuffle()
        n_cards = len(normal_cards(street))
        if self.next_card is None or self.board is None:
            self.board, self.next_card = None, self.next_card and self.next_card + burns + n_cards
            return
        first = self.next_card + burns
        self.board += tuple(range(first, first + n_cards))
        self.next_card = first + n_cards

    def shuffle(self) -> None:
        """No place in the stub is known any more."""
        self.next_card = None
