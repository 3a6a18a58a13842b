"""The state of one hand. The reducers change it, event by event; `undo.py` takes steps back.

Lists have one entry per seat index (see `seats.py`); sets of indices are integers. Lists and `tabled` are changed
in place; other mappings are replaced.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from table_core.hand.pots import Pot, joined, layers, won_by_somebody
from table_core.hand.seats import Ring
from table_core.messages import (
    CardText,
    Chips,
    Duty,
    HandResumed,
    HandStarted,
    Level,
    Seat,
    Source,
    Street,
)
from table_core.parameters import Blind, ClosedTo, MinRaise, PotOrder, RaiseOver, Reopening, ShortAllIn
from table_core.rulebook import Rulebook

NOBODY: Final = -1
NOT_YET: Final = -1  # in `faced`: has not acted since the cards of this street came

STREET_NO: Final = {street: min(number, 3) for number, street in enumerate(Street)}

_BEFORE_RIVER: Final = (Street.PREFLOP, Street.FLOP, Street.TURN)
# Looked up once: a member of an enumeration takes as long to find as ten attributes.
_SHOWDOWN: Final = Street.SHOWDOWN
_DONE: Final = Street.DONE
_BIG_BLIND: Final = Blind.BIG_BLIND
_MAIN_POT_FIRST: Final = PotOrder.MAIN_POT_FIRST
_EMPTY_RING: Final = Ring(Seat(1), ())
_NO_LEVEL: Final = Level(0, Chips(0), Chips(0))
_NO_HAND: Final = HandStarted(0, Seat(1), None, Seat(1), _NO_LEVEL, (), Source.ENGINE)


FIELDS: Final = (
    "able",
    "aggressor",
    "any_raise",
    "awarded",
    "away",
    "beaten",
    "bets",
    "board",
    "check_raise",
    "closed",
    "dead",
    "dealt",
    "duties",
    "earlier",
    "face_up",
    "faced",
    "folded",
    "full_high",
    "high",
    "last_of_pot",
    "last_raise",
    "live",
    "missed",
    "mucked",
    "owed",
    "paid",
    "pending",
    "raise_by_last",
    "raise_cap",
    "raiser_may_raise",
    "raisers",
    "raises",
    "reopened_by_last",
    "ring",
    "rulebook",
    "settling",
    "short",
    "single_raise",
    "stacks",
    "start",
    "street",
    "tabled",
    "to_act",
    "unit",
)


class HandState:
    """The state of one hand."""

    __slots__ = FIELDS

    def __init__(self, rulebook: Rulebook) -> None:
        self.rulebook = rulebook
        self.unit = 1  # of wagers: chips below it play only in quantity
        self.any_raise = rulebook.rules.min_raise.value is MinRaise.NONE
        self.raise_by_last = rulebook.rules.min_raise.value is not MinRaise.MINIMUM_BET
        self.raise_cap = rulebook.rules.raise_cap.value
        self.check_raise = rulebook.rules.check_raise.value
        self.raiser_may_raise = rulebook.rules.short_all_in_closed_to.value is ClosedTo.WHO_CHECKED_OR_CALLED
        self.single_raise = rulebook.rules.short_all_in_reopens.value is Reopening.SINGLE_RAISE
        self.reopened_by_last = rulebook.rules.short_all_in.value is ShortAllIn.LAST_BET
        self.start: HandStarted | HandResumed = _NO_HAND
        self.ring = _EMPTY_RING
        self.stacks: list[int] = []  # behind
        self.bets: list[int] = []  # in front, on this street
        self.paid: list[int] = []  # in all, bets included
        self.faced: list[int] = []  # the bet to match when the seat index last acted on this street, or NOT_YET
        self.live = 0  # may still win
        self.able = 0  # live and has chips to bet with: such as play
        self.pending = 0  # must still act on this street
        self.raisers = 0  # last action on this street was a bet or raise
        self.folded = 0
        self.mucked = 0  # gave up at the showdown
        self.last_of_pot = 0  # dead, but the last hand of a pot, whose others were dead before
        self.beaten = 0  # lost a pot at the showdown
        self.away = 0  # absent from the table; who comes back too late stays it for this hand
        self.missed = 0  # of these, absent when the deal was complete, or by the book when it began
        self.dealt = True  # every hand is complete
        self.to_act = NOBODY
        self.street = Street.DONE
        self.closed = True  # betting of this street is over
        self.settling = False  # betting closed with one hand left, whose pots follow by themselves
        self.high = 0  # the bet to match
        self.full_high = 0  # what the last full bet or raise made it
        self.last_raise = 0  # size of the last full bet or raise, never below the minimum bet
        self.raises = 0  # bets and raises on this street, the big blind included
        self.aggressor = NOBODY  # last to bet or raise on the last street with betting
        self.dead = 0  # chips in the main pot that belong to no bet
        self.duties: Mapping[int, tuple[Duty, ...]] = {}  # at the next turn, by seat index
        self.short: Mapping[int, int] = {}  # chips missing from a reported call, by seat index
        self.owed: Mapping[int, int] = {}  # the same, once the street is over
        self.earlier: tuple[Pot, ...] = ()  # pots from before the hand was resumed
        self.board: tuple[CardText, ...] = ()
        self.tabled: dict[int, tuple[CardText, ...]] = {}
        self.face_up = 0  # known cards of the board and of tabled hands, one bit each
        self.awarded = 0  # pots already awarded

    # --------------------------------------------------------------------------------------- questions

    @property
    def under_way(self) -> bool:
        return self.street is not _DONE

    @property
    def alone(self) -> bool:
        """One hand is left: it wins without showing."""
        return not self.live & (self.live - 1)

    @property
    def all_in(self) -> int:
        """Live seat indices without chips behind that play."""
        return self.live & ~self.able

    @property
    def betting_over(self) -> bool:
        """No more betting in this hand: all-in, or the showdown."""
        return self.closed and (self.street is _SHOWDOWN or not self.able & (self.able - 1))

    @property
    def awaiting_board(self) -> bool:
        return self.closed and self.street in _BEFORE_RIVER and self.live & (self.live - 1) != 0

    @property
    def full_raise(self) -> int:
        """By how much a bet is raised at least."""
        return self.last_raise if self.raise_by_last else self.minimum_bet(self.street)

    @property
    def reopening_raise(self) -> int:
        """How large a raise must be to let players raise who have acted."""
        return self.last_raise if self.reopened_by_last else self.full_raise

    @property
    def least_to(self) -> int:
        """The smallest bet or full raise, as the total in front."""
        least = self._least_to()
        return least if self.unit == 1 else -(-least // self.unit) * self.unit

    def _least_to(self) -> int:
        if self.any_raise:
            return self.high + 1
        if self.high > self.full_high:
            rules = self.rulebook.rules
            rule = rules.raise_over_short_raise if self.full_high else rules.raise_over_short_bet
            if rule.value is RaiseOver.LAST_FULL_BET_PLUS_MINIMUM:
                return max(self.full_high + self.full_raise, self.high + 1)
        return self.high + (self.last_raise if self.raise_by_last else self.full_raise)

    def plays(self, index: int) -> int:
        """Chips behind that may be wagered: those that make whole units with the bet in front."""
        bet, stack = self.bets[index], self.stacks[index]
        if self.unit == 1:
            return stack
        return max((bet + stack) // self.unit * self.unit - bet, 0)

    def minimum_bet(self, street: Street) -> int:
        """The smallest bet on a street, and the smallest raise."""
        level = self.start.level
        blinds = self.rulebook.rules.min_bet_by_street.value
        return level.big_blind if blinds[STREET_NO[street]] is _BIG_BLIND else level.small_blind

    # -------------------------------------------------------------------------------------------- pots

    def levels(self) -> tuple[list[int], int]:
        """What each seat index is in for, and the chips in the main pot that nobody's bet stands for.

        A call of too little that the table let pass counts as a call; its missing chips are missing from the
        main pot.
        """
        paid = self.paid[:]
        for index, missing in self.short.items():
            paid[index] += missing
        return paid, self.dead - sum(self.short.values())

    @property
    def _contenders(self) -> int:
        return self.live | self.mucked | self.last_of_pot

    def can_win(self, indices: int) -> int:
        """Who of those in a pot can win it. A hand that was the last for a pot when it died still has that pot:
        the hands that are left bet nothing into it (home.sidebets.2)."""
        return indices & self.live or indices & self.last_of_pot

    def is_last_of_pot(self, index: int) -> bool:
        """Whether the hand is alone in a pot, while others are live in another one."""
        bit = 1 << index
        return self.live != bit and any(indices & self.live == bit for _, indices in self.pots())

    def pots(self) -> list[Pot]:
        """Pots that were collected and not yet awarded, main pot first; bets in front are not in them."""
        collected = self.paid
        if self.high:  # there are bets in front
            collected = [paid - bet for paid, bet in zip(self.paid, self.bets, strict=True)]
        pots = layers(collected, self._contenders, self.dead)
        return self._left(pots) if len(pots) != 1 or self.awarded or self.earlier else pots

    def pots_with_bets(self) -> list[Pot]:
        """The pots as they would be if betting closed now."""
        paid, dead = self.levels() if self.short else (self.paid, self.dead)
        pots = layers(paid, self._contenders, dead)
        return self._left(pots) if len(pots) != 1 or self.awarded or self.earlier else pots

    def _left(self, pots: list[Pot]) -> list[Pot]:
        """Those of all pots that were not yet awarded."""
        pots = won_by_somebody(joined(self.earlier, pots, self._contenders), self.live | self.last_of_pot)
        if not self.awarded:
            return pots
        if self.rulebook.rules.pot_order.value is _MAIN_POT_FIRST:
            return pots[self.awarded :]
        return pots[: -self.awarded]

    # --------------------------------------------------------------------------------------- the turn

    def pass_action(self, after: int) -> None:
        """Pass the action to the next player who must act; to nobody when there is nothing left to decide."""
        pending, able = self.pending, self.able
        if not self.dealt:
            pending = self.has_turn()
        if not pending:
            self.to_act = NOBODY
        elif able & (able - 1) or self._last_bettor_faces_a_bet():
            after += 1
            following = pending >> after << after or pending  # else round the table
            self.to_act = (following & -following).bit_length() - 1
        else:
            self.pending, self.to_act = 0, NOBODY

    def has_passed(self, index: int) -> bool:
        """Whether the turn of this seat index came before that of the seat to act, since the last bet or raise."""
        if self.to_act == NOBODY:
            return True
        seats = len(self.bets)
        first = self.aggressor + 1  # the street's first seat index, where nobody has bet
        if self.street is Street.PREFLOP and self.aggressor == NOBODY:
            first = self.ring.index[self.start.big_blind] + 1
        return (index - first) % seats < (self.to_act - first) % seats

    def has_turn(self) -> int:
        """Of those who must act, who can. While cards are dealt the turn passes over who is away."""
        return self.pending if self.dealt else self.pending & ~self.away or self.pending

    def _last_bettor_faces_a_bet(self) -> bool:
        """One player could still bet. Facing no more than is in front of them, there is nobody to bet into."""
        index = self.able.bit_length() - 1
        others = self.bets[:index] + self.bets[index + 1 :]
        return not self.alone and self.bets[index] < max(others)
