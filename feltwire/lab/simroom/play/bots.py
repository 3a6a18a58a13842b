"""Players of a simulated room: a seeded stream of hand scripts that carries stacks from hand to hand."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from feltwire.lab.simroom.play.observer import Observer
from feltwire.lab.simroom.play.script import FULL_DECK, HandScript, ScriptedAct
from table_core.hand.button import Positions, first_positions, next_positions
from table_core.messages import Action, Chips, Legal, Level, Seat, SeatStack, Share, Street
from table_core.rulebook import Rulebook

FIRST_HAND_TRIES = 100  # so that a visitor sees it from the deal to the showdown in half a minute


@dataclass(frozen=True)
class Temper:
    """How a table plays one hand: chances to fold to a bet, to bet or raise, to push all-in where it does;
    before the flop, to fold and to raise."""

    fold: float
    attack: float
    all_in: float
    preflop_fold: float = 0.62
    preflop_attack: float = 0.16


_CALM = Temper(fold=0.12, attack=0.0, all_in=0.0)  # once the flop is out everybody checks it down
_LIVELY = Temper(fold=0.35, attack=0.28, all_in=0.02)
_WILD = Temper(fold=0.25, attack=0.42, all_in=0.12)
_TEMPERS = ((_CALM, 0.45), (_LIVELY, 0.4), (_WILD, 0.15))


class Bots:
    """A table of bots: `next_hand(level)` scripts the hand that `stacks` and the button call for.

    Ask as often as needed for the same hand (the level may change under it); `settle(stacks)` goes on to the next.
    """

    def __init__(
        self, *, seats: Sequence[SeatStack], button: Seat, rulebook: Rulebook, seed: int, smallest_chip: Chips
    ) -> None:
        self._rulebook = rulebook
        self._seed = seed
        self._smallest_chip = smallest_chip
        self.hand = 1
        self._sit_down(seats, button)

    def _sit_down(self, seats: Sequence[SeatStack], button: Seat) -> None:
        self._players = {entry.seat: entry.player for entry in seats}
        self._stacks = {entry.seat: entry.stack for entry in seats}
        self._positions = first_positions(button, self._live())
        self._vacated: Seat | None = None  # where a dead small blind was due

    @property
    def over(self) -> bool:
        """One player has all the chips."""
        return len(self._live()) < 2

    @property
    def seats(self) -> tuple[SeatStack, ...]:
        """Everybody who still has chips."""
        return tuple(SeatStack(seat, self._stacks[seat], self._players[seat]) for seat in self._live())

    @property
    def button(self) -> Seat:
        """Where the button lies in the hand to come."""
        return self._positions.button

    def sit_down_again(self, seats: Sequence[SeatStack], button: Seat) -> None:
        """Fresh players with fresh stacks; the count of hands goes on."""
        self._sit_down(seats, button)

    def settle(self, stacks: Mapping[Seat, Chips]) -> None:
        """The hand is over and `stacks` is what everybody has."""
        self._stacks |= stacks
        self.hand += 1
        if not self.over:
            was, live = self._positions, self._live()
            self._positions = next_positions(
                was.button, was.small_blind, was.big_blind, live, self._rulebook, self._vacated
            )
            if self._positions.small_blind is not None:
                self._vacated = None
            elif was.big_blind not in live:
                self._vacated = was.big_blind

    def next_hand(self, level: Level, attempt: int = 0) -> HandScript:
        """The script of hand `self.hand` at `level`, another one for each `attempt`; the first hand is short and
        goes to the showdown."""
        if self.hand > 1:
            return self._script(level, attempt)
        tries = [self._script(level, attempt) for attempt in range(FIRST_HAND_TRIES)]
        return min(tries, key=lambda script: (not script.tables, len(script.acts)))

    def _script(self, level: Level, attempt: int) -> HandScript:
        rng = random.Random(f"{self._seed}/{self.hand}/{attempt}")
        blank = self._blank(rng, level)
        temper = _CALM if self.hand == 1 else rng.choices([t for t, _ in _TEMPERS], [w for _, w in _TEMPERS])[0]
        return play_out(rng, blank, self._rulebook, self._smallest_chip, temper)

    def _blank(self, rng: random.Random, level: Level) -> HandScript:
        deck = list(FULL_DECK)
        rng.shuffle(deck)
        place: Positions = self._positions
        return HandScript(
            hand=self.hand,
            level=level,
            button=place.button,
            small_blind=place.small_blind,
            big_blind=place.big_blind,
            seats=tuple(SeatStack(seat, self._stacks[seat], self._players[seat]) for seat in sorted(self._live())),
            deck=tuple(deck),
            acts=(),
        )

    def _live(self) -> tuple[Seat, ...]:
        return tuple(seat for seat, stack in sorted(self._stacks.items()) if stack > 0)


def play_out(
    rng: random.Random, blank: HandScript, rulebook: Rulebook, smallest_chip: Chips, temper: Temper
) -> HandScript:
    """Let the bots act on the deck of `blank` until the hand is over."""
    observer = Observer(blank, rulebook, smallest_chip=smallest_chip)
    acts: list[ScriptedAct] = []
    while not observer.at_showdown and not observer.hand.ended:
        if observer.awaiting_board:
            observer.deal_board(blank.street_cards(observer.next_street)[1])
            continue
        legal = observer.hand.legal()
        assert legal is not None
        act = _choose(rng, temper, legal, observer, _unit(blank.level.big_blind, smallest_chip))
        observer.act(act)
        acts.append(act)
    tables, mucks = _show(rng, blank, observer)
    finishing = tuple(Share(seat, stack) for seat, stack in sorted(observer.stacks.items()))
    return HandScript(
        hand=blank.hand,
        level=blank.level,
        button=blank.button,
        small_blind=blank.small_blind,
        big_blind=blank.big_blind,
        seats=blank.seats,
        deck=blank.deck,
        acts=tuple(acts),
        tables=tables,
        mucks=mucks,
        finishing=finishing,
    )


def _choose(rng: random.Random, temper: Temper, legal: Legal, observer: Observer, unit: int) -> ScriptedAct:
    preflop = observer.hand.street is Street.PREFLOP
    many = len(observer.live_seats) > 2
    roll = rng.random()
    fold = temper.preflop_fold if preflop and many else temper.fold
    if legal.call and roll < fold and len(observer.live_seats) > 1:
        return ScriptedAct(legal.seat, Action.FOLD)
    attack = temper.preflop_attack if preflop else temper.attack
    if legal.min_to is not None and legal.max_to is not None and rng.random() < attack:
        if rng.random() < temper.all_in or legal.max_to <= legal.min_to:
            return ScriptedAct(legal.seat, _attack(observer), legal.max_to)
        return ScriptedAct(legal.seat, _attack(observer), _size(rng, legal, observer, unit))
    return ScriptedAct(legal.seat, Action.CHECK if legal.can_check else Action.CALL)


def _attack(observer: Observer) -> Action:
    """A bet opens the street; with chips in front of anybody it is a raise."""
    return Action.RAISE if any(observer.hand.bets.values()) else Action.BET


def _unit(big_blind: Chips, smallest_chip: Chips) -> int:
    """What bets are rounded to: about a quarter of the big blind, in chips that are in play."""
    return max(smallest_chip, big_blind // 4 // smallest_chip * smallest_chip)


def _size(rng: random.Random, legal: Legal, observer: Observer, unit: int) -> Chips:
    """A usual size: two to three times the bet, or a third of the pot to all of it, in round chips."""
    assert legal.min_to is not None
    assert legal.max_to is not None
    bets = observer.hand.bets
    pot = sum(pot.amount for pot in observer.hand.pots) + sum(bets.values())
    wish = rng.choice([legal.min_to, max(bets.values()) + pot * rng.choice([0.33, 0.5, 0.75, 1.0])])
    rounded = round(wish / unit) * unit
    if rounded < legal.min_to:
        rounded = -(-legal.min_to // unit) * unit
    return Chips(min(max(rounded, legal.min_to), legal.max_to))


def _show(rng: random.Random, blank: HandScript, observer: Observer) -> tuple[tuple[Seat, ...], tuple[Seat, ...]]:
    """Who tables and who mucks: winners always table; a beaten hand may be mucked unless somebody is all-in."""
    if not observer.at_showdown:
        return (), ()
    live = observer.hand.show_order
    all_in = bool(observer.hand.all_in)
    for seat in live:
        observer.table_hand(seat, blank.hole(seat))
    before = observer.stacks
    observer.award()
    beaten = [s for s in live if observer.stacks[s] == before[s]]
    mucks = () if all_in else tuple(s for s in beaten[1:] if rng.random() < 0.5)
    return tuple(s for s in live if s not in mucks), mucks
