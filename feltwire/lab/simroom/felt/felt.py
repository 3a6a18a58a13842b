"""The physical felt: the position of cards, chips and discs. The robot moves them, the camera sees them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from table_core.messages import CardText, Chips, Seat, Share

NO_CHIPS = Chips(0)


@dataclass(frozen=True, slots=True)
class FeltCard:
    """A card on the felt. Its `repr` names it only when it lies face up."""

    card: CardText
    face_up: bool = False

    def __repr__(self) -> str:
        return self.card if self.face_up else "back"


@dataclass
class PhysicalFelt:
    """What lies on one table.

    `stacks` are behind the betting line (the camera does not look there), `bets` in front of the seats,
    `pot` in the middle. Chips only ever move between them. `motions` is what each motion put in front of a seat:
    chips lie as they were put there, and nobody changes them.
    """

    stacks: dict[Seat, Chips] = field(default_factory=dict)
    bets: dict[Seat, Chips] = field(default_factory=dict)
    motions: dict[Seat, list[Chips]] = field(default_factory=dict)
    pot: Chips = NO_CHIPS
    button: Seat | None = None
    hands: dict[Seat, list[FeltCard]] = field(default_factory=dict)
    board: list[FeltCard] = field(default_factory=list)
    burns: list[FeltCard] = field(default_factory=list)
    muck: list[FeltCard] = field(default_factory=list)
    changes: int = 0  # counts every change, so that a picture knows whether it is the latest

    # ------------------------------------------------------------------------------------------- cards

    def deal(self, seat: Seat, card: CardText, *, face_up: bool = False) -> None:
        self._changed()
        self.hands.setdefault(seat, []).append(FeltCard(card, face_up))

    def burn(self, card: CardText) -> None:
        self._changed()
        self.burns.append(FeltCard(card))

    def put_on_board(self, cards: Iterable[CardText]) -> None:
        self._changed()
        self.board += [FeltCard(card, face_up=True) for card in cards]

    def turn_up(self, seat: Seat) -> None:
        """`seat` tables its hand."""
        self._changed()
        self.hands[seat] = [FeltCard(card.card, face_up=True) for card in self.hands[seat]]

    def turn_down(self, seat: Seat) -> None:
        """An exposed card is put back face down."""
        self._changed()
        self.hands[seat] = [FeltCard(card.card) for card in self.hands[seat]]

    def throw_away(self, seat: Seat) -> None:
        """The hand of `seat` goes face down into the muck: folded, or not shown."""
        self._changed()
        self.muck += [FeltCard(card.card) for card in self.hands.pop(seat, [])]

    def collect_cards(self) -> None:
        """Every card goes back to the deck."""
        self._changed()
        for pile in (self.board, self.burns, self.muck):
            pile.clear()
        self.hands.clear()

    # ------------------------------------------------------------------------------------------- chips

    def set_stacks(self, stacks: Mapping[Seat, Chips], button: Seat) -> None:
        self._changed()
        self.stacks = dict(stacks)
        self.bets, self.motions, self.pot, self.button = {}, {}, Chips(0), button

    def put_in(self, seat: Seat, chips: Chips) -> None:
        """`seat` moves `chips` over its betting line."""
        if chips > self.stacks[seat]:
            raise ValueError(f"seat {seat} has {self.stacks[seat]:,}, not {chips:,}")
        self._changed()
        self.stacks[seat] = Chips(self.stacks[seat] - chips)
        self.bets[seat] = Chips(self.bets.get(seat, 0) + chips)
        if chips:
            self.motions.setdefault(seat, []).append(chips)

    def ante(self, seat: Seat, chips: Chips) -> None:
        """An ante goes straight into the middle."""
        self.put_in(seat, chips)
        self.motions[seat] = self.motions.get(seat, [])[:-1]
        self.bets[seat] = Chips(self.bets[seat] - chips)
        self.pot = Chips(self.pot + chips)

    def take_back(self, seat: Seat, chips: Chips) -> None:
        """A bet that nobody called goes back."""
        if chips > self.bets.get(seat, 0):
            raise ValueError(f"seat {seat} has {self.bets.get(seat, 0):,} in front, not {chips:,}")
        self._changed()
        self.bets[seat] = Chips(self.bets[seat] - chips)
        self.motions[seat] = [self.bets[seat]] if self.bets[seat] else []
        self.stacks[seat] = Chips(self.stacks[seat] + chips)

    def gather(self) -> None:
        """Bets are pulled into the pot."""
        self._changed()
        self.pot = Chips(self.pot + sum(self.bets.values()))
        self.bets, self.motions = {}, {}

    def push(self, shares: Iterable[Share]) -> None:
        """One pot is pushed to whom it belongs."""
        self._changed()
        for share in shares:
            if share.amount > self.pot:
                raise ValueError(f"{share.amount:,} cannot be pushed from a pot of {self.pot:,}")
            self.pot = Chips(self.pot - share.amount)
            self.stacks[share.seat] = Chips(self.stacks[share.seat] + share.amount)

    def _changed(self) -> None:
        self.changes += 1
