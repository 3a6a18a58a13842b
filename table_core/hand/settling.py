"""How a hand ends: pots awarded, blinds chopped, or only its result known."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from table_core.hand import showdown
from table_core.hand.engine import Answer, Engine
from table_core.hand.pots import split
from table_core.hand.seats import members
from table_core.messages import (
    AwardPots,
    BetReturned,
    Chips,
    ChopBlinds,
    ResultEntered,
    ResultOnly,
    Seat,
    Share,
    Street,
)

_DONE: Final = Street.DONE  # looked up once
_SHOWDOWN: Final = Street.SHOWDOWN


def award_pots(hand: Engine, command: AwardPots) -> Answer:
    """Every pot from tabled cards, or to the winners whom the dealer names."""
    state, cites = hand.state, hand.rulebook.cites
    if state.street is _DONE:
        return hand.refuse("No hand is being played.", cites.pot_award)
    if not state.closed:
        return hand.refuse(f"Betting is not closed: seat {hand.to_act} is to act.", cites.pot_award)
    if state.alone:
        return settle(hand, showdown.award_alone(state, hand.smallest_chip))
    if state.street is not _SHOWDOWN:
        return hand.refuse("The board is not complete.", cites.pot_award)
    groups = (command.winners, *command.then)
    for seat in [seat for group in groups for seat in group]:
        gone = hand.gone(seat)
        if gone:
            return hand.refuse(gone, cites.dead_hand)
    by_hands = showdown.award(state, [state.ring.indices(group) for group in groups], hand.smallest_chip)
    return settle(hand, by_hands) if isinstance(by_hands, list) else by_hands


def settle(hand: Engine, awards: showdown.Awards) -> Answer:
    """Award the pots and end the hand, as one step."""
    events = hand.begin(awards[0])
    hand.finish(awards, events, applied=1)
    return tuple(events)


def chop_blinds(hand: Engine, command: ChopBlinds) -> Answer:
    """Folded to the blinds: both take their chips back (rpl.procedures.7)."""
    state, rule = hand.state, hand.rulebook.rules.blind_chop
    if not rule.value:
        return hand.refuse("Blinds are not chopped: play on.", rule.rule)
    blinds = state.ring.indices([hand.big_blind, *([hand.small_blind] if hand.small_blind else [])])
    if state.street is not Street.PREFLOP or state.live != blinds or state.raises > 1:
        return hand.refuse("Blinds are chopped when everyone else has folded and nobody raised.", rule.rule)
    if state.dead or sum(state.paid) != sum(state.bets) or any(state.faced[p] >= 0 for p in members(blinds)):
        return hand.refuse("Only the blinds may be in the pot to chop them.", rule.rule)
    first, *rest = [BetReturned(state.ring.seats[p], Chips(state.bets[p])) for p in members(blinds)]
    events = hand.begin(first)
    for returned in rest:
        hand.follow(returned, events)
    hand.end(events)
    return tuple(events)


def result_only(hand: Engine, command: ResultOnly) -> Answer:
    """Close a hand that nobody keyed: counted stacks stand, winners share what nobody counted, everyone else
    keeps the chips behind."""
    state, cites = hand.state, hand.rulebook.cites
    counted = {share.seat: share.amount for share in command.stacks}
    wrong = _wrong_result(hand, command, counted)
    if wrong:
        return hand.refuse(wrong, cites.pot_award)
    behind = dict(zip(state.ring.seats, state.stacks, strict=True))
    total = sum(state.stacks) + sum(state.paid) + state.dead + sum([amount for amount, _ in state.earlier])
    final: dict[Seat, int] = {**behind, **counted}
    sharing = [seat for seat in state.ring.seats if seat in command.winners and seat not in counted]
    left = total - sum(final.values())
    if sharing:
        if left < 0:
            return hand.refuse(f"The counts are {-left:,} more than is on the table.", cites.pot_award)
        for seat, chips in split(left, sharing, hand.smallest_chip):
            final[Seat(seat)] += chips
    stacks = tuple([Share(seat, Chips(final[seat])) for seat in sorted(final)])
    change = sum(final.values()) - total
    events = hand.begin(ResultEntered(hand.number, command.winners, stacks, change, command.source))
    hand.end(events)
    return tuple(events)


def _wrong_result(hand: Engine, command: ResultOnly, counted: Mapping[Seat, Chips]) -> str | None:
    if not hand.state.under_way:
        return "No hand is being played."
    if not command.winners and not counted:
        return "Say who won, or count the stacks."
    for seat in (*command.winners, *counted):
        if seat not in hand.seats:
            return f"Seat {seat} was not dealt in."
    if any(chips < 0 for chips in counted.values()):
        return "A stack is not less than nothing."
    return None
