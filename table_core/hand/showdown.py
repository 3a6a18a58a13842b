"""Showdown: who shows when, who may muck, and who wins which pot."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, Final

from table_core.cards import DECK, card_text
from table_core.hand.pots import Pot, split
from table_core.hand.seats import members, set_of
from table_core.hand.state import NOBODY, HandState
from table_core.messages import (
    UNKNOWN_CARD,
    HandsBeaten,
    PotAwarded,
    Refusal,
    Seat,
    Share,
    Street,
)
from table_core.parameters import OddChip, PotOrder, ShowdownOrder
from table_core.ranking import describe_value, rank_on_board

Awards = list[HandsBeaten | PotAwarded]

_MAIN_POT_FIRST: Final = PotOrder.MAIN_POT_FIRST  # looked up once
_CARD: Final = {card_text(card): card for card in DECK}
_words: Final = cache(describe_value)  # there are 7,462 values


def show_order(state: HandState) -> tuple[Seat, ...]:
    """Live seats in the order in which they show (tda.17).

    The last to bet or raise on the last street first, without one the first left of the button; then
    clockwise. Where the last side pot is settled first, those who are in it show before who is all-in for less
    (wfp.showdown.7). All-in hands are tabled at once, in any order (tda.16).
    """
    by_aggressor = state.rulebook.rules.showdown_order.value is ShowdownOrder.LAST_AGGRESSOR
    first = state.aggressor if by_aggressor and state.aggressor != NOBODY else 0
    main_first = state.rulebook.rules.pot_order.value is _MAIN_POT_FIRST
    side_pots = [] if main_first else [seats for _, seats in state.pots()[1:]]
    in_side_pots = {index: sum(seats >> index & 1 for seats in side_pots) for index in members(state.live)}
    order = sorted(in_side_pots, key=lambda index: (-in_side_pots[index], index < first, index))
    return tuple(state.ring.seats[index] for index in order)


def must_table(state: HandState) -> int:
    """Places whose hands must be turned up now: betting is over and somebody is all-in (tda.16)."""
    if not state.rulebook.rules.all_in_face_up.value or state.alone or not state.under_way:
        return 0
    return state.live if state.betting_over and state.all_in else 0


def may_muck(state: HandState, index: int) -> Refusal | None:
    """None when a hand may be given up unseen at this moment of the showdown, or why it may not."""
    rules, seat, bit = state.rulebook.rules, state.ring.seats[index], 1 << index
    if state.live == bit or any(indices & state.live == bit for _, indices in state.pots()):
        reason = f"Seat {seat} is the last hand for a pot and wins it."
        return Refusal(reason, state.rulebook.cites.pot_award)
    if must_table(state) & bit:
        reason = f"Seat {seat} must show: all hands are turned up when somebody is all-in."
        return Refusal(reason, rules.all_in_face_up.rule)
    if not rules.beaten_hand_may_muck.value:
        return Refusal(f"Seat {seat} must show.", rules.beaten_hand_may_muck.rule)
    return None


def award_alone(state: HandState, unit: int) -> Awards:
    """Every pot to the only hand left, but for those whose last hand died before."""
    pots = [(no, pot, members(state.can_win(pot[1]))) for no, pot in _pots(state)]
    return [_award(state, no, pot, winners, unit, "last_standing") for no, pot, winners in pots]


def award(state: HandState, groups: Sequence[int], unit: int) -> Awards | Refusal:
    """Every pot: to the first of the named `groups` of seats (the dealer's word) that can win it, else by the
    tabled cards. A hand that is not tabled loses to one that is (wfp.showdown.1). Losing hands are killed before
    the pot is awarded (wfp.showdown.4)."""
    awards: Awards = []
    for no, pot in _pots(state):
        eligible = state.can_win(pot[1])
        words, named = "", _first_in(groups, eligible)
        if named:
            why, winners = "dealer", members(named)
        elif not eligible & (eligible - 1):
            why, winners = "last_standing", members(eligible)
        else:
            best: Any = _best(state, no, eligible)
            if type(best) is Refusal:
                return best
            why, (winners, words) = "cards", best
        beaten = eligible & ~set_of(winners)
        if beaten and state.rulebook.rules.losers_killed_before_award.value:
            awards.append(HandsBeaten(no, state.ring.seats_in(beaten)))
        awards.append(_award(state, no, pot, winners, unit, why, words))
    return awards


def _first_in(groups: Sequence[int], eligible: int) -> int:
    """The seats of the first group that can win a pot; empty where nobody named can."""
    for group in groups:
        if group & eligible:
            return group & eligible
    return 0


def award_to(state: HandState, groups: Sequence[int], unit: int, flag: str) -> Awards:
    """Every pot to the first of these groups that is in it, else to the first group, whoever could win it: a
    report."""
    return [
        _award(state, no, pot, members(_first_in(groups, pot[1]) or groups[0]), unit, "dealer", flag=flag)
        for no, pot in _in_order(state, state.pots_with_bets())
    ]


def _pots(state: HandState) -> list[tuple[int, Pot]]:
    """Number (0 is the main pot) and pot, in the order in which they are settled."""
    return _in_order(state, state.pots())


def _in_order(state: HandState, pots: list[Pot]) -> list[tuple[int, Pot]]:
    """A hand without a chip in the middle still has a main pot to win."""
    pots = pots or [(0, state.live)]
    if state.rulebook.rules.pot_order.value is _MAIN_POT_FIRST:
        return list(enumerate(pots, state.awarded))
    return list(enumerate(pots))[::-1]


def _award(
    state: HandState,
    no: int,
    pot: Pot,
    winners: tuple[int, ...],
    unit: int,
    why: str,
    hand: str = "",
    flag: str = "",
) -> PotAwarded:
    amount: Any = pot[0]
    seats = state.ring.seats
    parts: list[tuple[int, Any]] = [(winners[0], amount)]
    if len(winners) > 1:
        carry = state.rulebook.rules.odd_chip.value is OddChip.NEXT_POT
        parts = split(amount, winners, unit, carry=carry)
    shares = tuple([Share(seats[index], chips) for index, chips in parts if chips])
    return PotAwarded(no, amount, state.ring.seats_in(state.can_win(pot[1])), shares, why, hand, flag)


def _best(state: HandState, no: int, eligible: int) -> tuple[tuple[int, ...], str] | Refusal:
    """Places that win a pot by their tabled cards, in order, and their hand in words (none where nobody showed
    another)."""
    tabled = state.tabled
    shown = tuple([index for index in members(eligible) if index in tabled])
    if not shown:
        return _nobody_showed(state, no, eligible)
    if len(shown) == 1:
        return shown, ""
    try:
        hands = []
        for index in shown:
            first, second = tabled[index]
            hands.append((_CARD[first], _CARD[second]))
        values = rank_on_board([_CARD[card] for card in state.board], hands)
    except KeyError:  # a card that nobody has read
        return _unread(state, shown)
    best = max(values)
    if values.count(best) == 1:
        return (shown[values.index(best)],), _words(best)
    return tuple([index for index, value in zip(shown, values, strict=True) if value == best]), _words(best)


def _nobody_showed(state: HandState, no: int, eligible: int) -> Refusal:
    seats = _seat_list(state.ring.seats_in(eligible))
    which = "the main pot" if no == 0 else f"side pot {no}"
    reason = f"Nobody has tabled a hand for {which}: {seats} must show."
    return Refusal(reason, state.rulebook.cites.must_table)


def _unread(state: HandState, shown: tuple[int, ...]) -> Refusal:
    """What is not known of the board and of the hands that contest a pot."""
    parts = []
    if UNKNOWN_CARD in state.board:
        numbers = [str(number) for number, card in enumerate(state.board, 1) if card == UNKNOWN_CARD]
        parts.append(f"board card {', '.join(numbers)}")
    seats = tuple([state.ring.seats[index] for index in shown if UNKNOWN_CARD in state.tabled[index]])
    if seats:
        parts.append(f"the cards of {_seat_list(seats)}")
    return Refusal(f"Not read: {' and '.join(parts)}. Who wins?", state.rulebook.cites.cards_speak)


def _seat_list(seats: tuple[Seat, ...]) -> str:
    names = [str(seat) for seat in sorted(seats)]
    return f"seat {names[0]}" if len(names) == 1 else f"seats {', '.join(names[:-1])} and {names[-1]}"


def ready_to_award(state: HandState) -> bool:
    """Every live hand is tabled at the showdown, or one hand is left."""
    if not (state.under_way and state.closed):
        return False
    if state.alone:
        return True
    return state.street is Street.SHOWDOWN and all(index in state.tabled for index in members(state.live))
