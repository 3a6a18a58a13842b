"""The start of a hand: its players, antes and blinds."""

from __future__ import annotations

from typing import Any, Final

from table_core.hand.betting import unit_rule
from table_core.hand.seats import members
from table_core.hand.state import HandState
from table_core.messages import (
    Chips,
    HandKilled,
    HandStarted,
    Level,
    Post,
    Posted,
    Refusal,
    Seat,
    Source,
    StartHand,
)
from table_core.parameters import AnteOrder, HeadsUpButton
from table_core.rulebook import Rulebook

_Due = tuple[Seat, Post, Chips, bool]  # dead or not
_SMALL_BLIND: Final = Post.SMALL_BLIND  # looked up once
_BIG_BLIND: Final = Post.BIG_BLIND
_ASSUMED: Final = Source.ASSUMED


def judge(rulebook: Rulebook, start: StartHand) -> HandStarted | Refusal:
    """The event that begins the hand, or the refusal."""
    seats = [seat.seat for seat in start.seats]
    return (
        _judge_seats(rulebook, start, seats)
        or (_judge_carried(rulebook, start) if start.carried else None)
        or _judge_blinds(rulebook, start, seats)
        or judge_level(rulebook, start)
        or started(start)
    )


def possible(start: StartHand) -> bool:
    """Whether a hand could be played so at all, whatever the rulebook says."""
    seats = [seat.seat for seat in start.seats]
    blinds = {start.big_blind, *start.extra_small_blinds, *start.extra_big_blinds}
    if start.small_blind is not None:
        blinds.add(start.small_blind)
    level = start.level
    chips = (level.small_blind, level.ante, level.big_blind_ante, start.carried)
    return (
        len(seats) >= 2
        and len(set(seats)) == len(seats)
        and min(seats) >= 1
        and all(seat.stack > 0 for seat in start.seats)
        and blinds <= set(seats)
        and start.small_blind != start.big_blind
        and level.big_blind > 0
        and min(chips) >= 0
    )


def started(start: StartHand, flag: str = "") -> HandStarted:
    """The event that begins the hand."""
    return HandStarted(
        start.hand,
        start.button,
        start.small_blind,
        start.big_blind,
        start.level,
        start.seats,
        start.source,
        start.extra_small_blinds,
        start.extra_big_blinds,
        start.away,
        start.carried,
        flag,
    )


def _judge_seats(rulebook: Rulebook, start: StartHand, seats: list[Seat]) -> Refusal | None:
    cites, most = rulebook.cites, rulebook.rules.max_seats
    if not 2 <= len(seats) <= most.value:
        reason = f"A hand is for 2 to {most.value} players, not {len(seats)}."
        return Refusal(reason, most.rule)
    if len(set(seats)) != len(seats):
        return Refusal("A seat is named twice.", cites.hand_start)
    for seat in start.seats:
        if seat.stack <= 0:
            return Refusal(f"Seat {seat.seat} has no chips: leave it out of the hand.", cites.hand_start)
    return Refusal("Seats count from 1.", cites.hand_start) if min(seats) < 1 else None


def _judge_carried(rulebook: Rulebook, start: StartHand) -> Refusal | None:
    """Chips of a forfeited deal are for the players of that deal; an odd chip is for everyone."""
    rule = rulebook.rules.forfeited_pot_closed
    if start.carried < 0:
        return Refusal("Carried chips cannot be less than none.", rulebook.cites.hand_start)
    if not start.carried_for or not rule.value:
        return None
    for seat in start.seats:
        if seat.seat not in start.carried_for:
            reason = f"Seat {seat.seat} was not in the forfeited deal: it gets no hand."
            return Refusal(reason, rule.rule)
    return None


def _judge_blinds(rulebook: Rulebook, start: StartHand, seats: list[Seat]) -> Refusal | None:
    cites = rulebook.cites
    if start.big_blind not in seats:
        return Refusal(f"Seat {start.big_blind} has the big blind but is not in the hand.", cites.blinds)
    if start.small_blind is not None and start.small_blind not in seats:
        return Refusal(f"Seat {start.small_blind} has the small blind but is not in the hand.", cites.blinds)
    for seat in (*start.extra_small_blinds, *start.extra_big_blinds):
        if seat not in seats:
            return Refusal(f"Seat {seat} owes a blind but is not in the hand.", cites.blinds)
    if start.small_blind == start.big_blind:
        return Refusal("Small blind and big blind are different seats.", cites.blinds)
    if len(seats) == 2:
        return _judge_heads_up(rulebook, start)
    return None


def _judge_heads_up(rulebook: Rulebook, start: StartHand) -> Refusal | None:
    rule = rulebook.rules.heads_up_button
    if rule.value is HeadsUpButton.SMALL_BLIND and start.small_blind not in (None, start.button):
        return Refusal("Heads-up the button posts the small blind.", rule.rule)
    if rule.value is HeadsUpButton.BIG_BLIND and start.big_blind != start.button:
        return Refusal("Heads-up the button posts the big blind.", rule.rule)
    return None


def judge_level(rulebook: Rulebook, start: StartHand | HandStarted) -> Refusal | None:
    level, times = start.level, rulebook.rules.big_blind_in_small_blinds
    if level.big_blind <= 0 or level.small_blind < 0 or level.ante < 0 or level.big_blind_ante < 0:
        return Refusal(f"Level {level.no} has no big blind.", rulebook.cites.blinds)
    if level.small_blind > level.big_blind:
        return Refusal(f"Level {level.no}: the small blind is above the big blind.", rulebook.cites.blinds)
    if times.value and level.big_blind != times.value * level.small_blind:
        reason = f"Level {level.no}: the big blind is {times.value} small blinds."
        return Refusal(reason, times.rule)
    return None


def unit_of(rulebook: Rulebook, level: Level, smallest_chip: int) -> Chips:
    """The unit of wagers at a level: the smallest chip in play, or where the house wants it the chip of the big
    blind, which is the largest denomination that makes it up (wfp.nolimit.12)."""
    rules = rulebook.rules
    whole = level.small_blind % smallest_chip == level.big_blind % smallest_chip == 0
    unit = smallest_chip if whole and not rules.smaller_chips_play.value else 1
    for chip in rules.bring_in_chips.value:
        if chip > unit and level.big_blind % chip == 0:
            unit = chip
    return Chips(unit)


def posts(rulebook: Rulebook, start: HandStarted, seats: tuple[Seat, ...]) -> list[Posted]:
    """Antes and blinds as they are due, in order; who is short posts what is left and is all-in.

    `seats` go clockwise from the button.
    """
    left: dict[Seat, Any] = {player.seat: player.stack for player in start.seats}
    posted = []
    level = start.level
    antes = level.ante or level.big_blind_ante
    for seat, what, due, dead in _due(rulebook, start, seats) if antes else _blinds(rulebook, start):
        stack = left[seat]
        amount = due if due < stack else stack
        if amount:
            left[seat] = stack - amount
            posted.append(Posted(seat, what, amount, amount == stack, _ASSUMED, dead))
    return posted


def _due(rulebook: Rulebook, start: HandStarted, seats: tuple[Seat, ...]) -> list[_Due]:
    """A big blind ante comes before or after the blinds, and is never reduced for the number of players
    (tda.RP-11)."""
    level, rules = start.level, rulebook.rules
    due = _blinds(rulebook, start)
    if level.big_blind_ante:
        ante = (start.big_blind, Post.BIG_BLIND_ANTE, level.big_blind_ante, False)
        due = [ante, *due] if rules.big_blind_ante_order.value is AnteOrder.ANTE_FIRST else [*due, ante]
    if level.ante:
        antes = [(seat, Post.ANTE, level.ante, False) for seat in seats]
        due = [*antes, *due] if rules.ante_order.value is AnteOrder.ANTE_FIRST else [*due, *antes]
    return due


def _blinds(rulebook: Rulebook, start: HandStarted) -> list[_Due]:
    """A seat that posts both blinds has the small one dead (home.button.4)."""
    small, big = start.level.small_blind, start.level.big_blind
    both, live = start.extra_big_blinds, rulebook.rules.extra_small_blind_live.value
    due: list[_Due] = []
    if start.extra_small_blinds:
        due = [(seat, _SMALL_BLIND, small, seat in both and not live) for seat in start.extra_small_blinds]
    if start.small_blind is not None:
        due.append((start.small_blind, _SMALL_BLIND, small, start.small_blind in both and not live))
    if both:
        due += [(seat, _BIG_BLIND, big, False) for seat in both]
    due.append((start.big_blind, _BIG_BLIND, big, False))
    return due


def out_after_ante(rulebook: Rulebook, start: HandStarted) -> list[HandKilled]:
    """Players to whom the ante leaves too little to play get no cards; the chips stay (rpl.tournaments.19)."""
    rule, ante = rulebook.rules.chips_after_ante, start.level.ante
    if not ante or not rule.value:
        return []
    out = [seat.seat for seat in start.seats if seat.stack - ante < rule.value]
    if len(start.seats) - len(out) < 2:  # at least one player must have chips left
        return []
    return [HandKilled(seat, "no chip left after the ante", rule.rule, Source.ENGINE) for seat in out]


def out_without_chips(state: HandState) -> list[HandKilled]:
    """Players who have posted nothing and have no chips that play get no cards; two players at least are left."""
    out = [index for index in members(state.live & ~state.able) if not state.paid[index]]
    if state.unit == 1 or state.live.bit_count() - len(out) < 2:
        return []
    rule, seats = unit_rule(state), state.ring.seats
    return [HandKilled(seats[index], "no chips that play", rule, Source.ENGINE) for index in out]
