"""The first riffle: a hand begins, and one that was left open is closed."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from table_core.messages import (
    AwardPots,
    Chips,
    Key,
    Millis,
    Noticed,
    Post,
    Posted,
    Refused,
    SeatsSet,
    Source,
    StartHand,
)
from table_core.projections import next_hand
from table_core.projections.words import chips
from table_core.tracker import waits
from table_core.tracker.asking.questions import Question, ask
from table_core.tracker.dealing.deal import place_card
from table_core.tracker.dealing.evidence import close_deal, mislay
from table_core.tracker.hands.undo_extent import said_by_person
from table_core.tracker.state import TrackerState
from table_core.tracker.unit_of_work import UnitOfWork


def new_hand(
    unit: UnitOfWork,
    state: TrackerState,
    now: Millis,
    source: Source = Source.KEY,
    passed: Sequence[int] | None = None,
) -> None:
    """The first riffle. An open hand is closed only on a second press.

    `passed`: handles of cards that belong to this deal already; without it, where nobody pressed NEW HAND, all
    that passed since the last hand.
    """
    table = unit.table
    if table.in_hand and not _close_open_hand(unit, state, now):
        return
    if len(next_hand.able_to_play(table)) < 2:
        unit.record(Refused("Fewer than two seats have chips; the director sets the seats", "tda.32"))
        return
    if table.next_level is None:
        unit.record(Refused("No level is known yet; wait for the director's schedule", "tda.23"))
        return
    waits_for, said = table.why_no_hand(), source in (Source.KEY, Source.SCREEN)
    if waits_for is not None and said:
        unit.record(Refused(*waits_for))
        return
    if waits_for is not None:
        unit.record(Noticed("hand_in_pause", f"A hand was dealt. {waits_for[0]}", rule=waits_for[1]))
    if passed is None:
        passed = () if source in (Source.KEY, Source.SCREEN) else state.loose.handles
    close_deal(unit, state)
    state.end_hand()
    state.forget_faces()
    number = table.hand_number + 1
    unit.begin_deal(number, [handle for handle in passed if handle])
    positions = next_hand.positions(table)
    start = StartHand(
        hand=number,
        button=positions.button,
        small_blind=positions.small_blind,
        big_blind=positions.big_blind,
        level=table.next_level,
        seats=next_hand.stacks_next(table),
        source=source,
        extra_small_blinds=positions.extra_small_blinds,
        extra_big_blinds=positions.extra_big_blinds,
        away=tuple([seat for seat in next_hand.able_to_play(table) if table.seats[seat].away]),
        carried=Chips(table.carried),
        carried_for=table.carried_for,
    )
    left_out, waiting = next_hand.without_right(table), next_hand.waiting(table)
    other = next_hand.other_button(table)
    refusal = unit.push(start)
    if refusal is not None:
        unit.record(Refused(refusal.reason, refusal.rule))
    if refusal is None:
        _say_both_blinds(unit)
    if other is not None:
        here = positions.button
        text = f"Both blinds are out: the button stays at seat {here}, or is at seat {other}: {other} BUTTON"
        rule = table.rulebook.rules.small_blind_bust_button.rule
        unit.record(Noticed("button_two_ways", text, here, rule))
    rule = table.rulebook.rules.forfeited_pot_closed.rule
    for seat in left_out:
        text = f"Seat {seat} gets no hand: the pot is for the players of the forfeited deal"
        unit.record(Noticed("no_hand", text, seat, rule))
    for seat in waiting:
        text = f"Seat {seat} gets no cards: between button and small blind a newcomer waits for the button"
        rule = table.rulebook.tournament.newcomer_between_button_and_blind.rule
        unit.record(Noticed("waits", text, seat, rule))
    carried = itertools.count(1)
    for handle in passed:
        place_card(unit, state, next(carried) if handle else 0)


def _say_both_blinds(unit: UnitOfWork) -> None:
    """Who owes small and big blind, and what of it is the bet."""
    posted = [logged.event for logged in unit.table.hand_log if isinstance(logged.event, Posted)]
    small = {post.seat: post for post in posted if post.what is Post.SMALL_BLIND}
    for big in posted:
        if big.what is not Post.BIG_BLIND or big.seat not in small:
            continue
        first = small[big.seat]
        parts = f"{chips(first.amount)} dead, {chips(big.amount)} its bet"
        said = parts if first.dead else f"{chips(first.amount + big.amount)} its bet"
        text = f"Seat {big.seat} owes both blinds: {said}"
        rule = unit.table.rulebook.rules.extra_small_blind_live.rule
        unit.record(Noticed("both_blinds", text, big.seat, rule))


def start_unkeyed(unit: UnitOfWork, state: TrackerState, now: Millis) -> bool:
    """Begin a hand whose NEW HAND was forgotten: a betting key came and a full deal has left the shoe."""
    dealt_in = len(next_hand.able_to_play(unit.table))
    if unit.table.in_hand or dealt_in < 2 or len(state.loose.cards) != 2 * dealt_in:
        return False
    new_hand(unit, state, now, Source.SHOE)
    unit.record(Noticed("new_hand_not_keyed", "Hand begun with the first card: NEW HAND was not pressed"))
    return True


def _close_open_hand(unit: UnitOfWork, state: TrackerState, now: Millis) -> bool:
    """Whether the open hand is closed now: awarded if its cards are known, else on a second press."""
    hand = unit.table.hand
    assert hand is not None
    acted = bool(unit.table.acts())
    untouched = not acted and not state.deal.handles
    if untouched and hand.legal() is not None and now - state.thinking.since < waits.NEW_HAND_TWICE_MS:
        unit.record(Noticed("new_hand_twice", f"NEW HAND pressed twice; hand {hand.number} has begun"))
        return False
    if unit.push(AwardPots()) is None:
        return True
    if not state.presses.closing_asked:
        state.presses.ask_to_close(asked=True)
        mislay(state)  # another deal may have begun: following cards may be its cards
        text = (
            f"Hand {hand.number} has no winner yet. UNDO = go on. NEW HAND = drop it: bets go back, count stacks"
        )
        ask(unit, Question.HAND_OPEN, text, key=Key.NEW_HAND)
        return False
    _leave_unobserved(unit)
    return True


def _leave_unobserved(unit: UnitOfWork) -> None:
    """Close the open hand without a result: stacks stay as at its beginning until they are counted."""
    table = unit.table
    number, began = table.hand_number, {seated.seat: seated for seated in table.stacks_at_start()}
    others = [seated for seated in table.stacks_all() if seated.seat not in began]  # who was not dealt in
    seats = tuple(sorted([*began.values(), *others], key=lambda seated: seated.seat))
    unit.record(SeatsSet(seats, None, gap=True, source=Source.KEY))
    unit.record(Noticed("hand_not_observed", f"Hand {number} was not observed to its end: count stacks"))


def close_for_next(unit: UnitOfWork) -> None:
    """The next hand has begun: the open one is awarded if its cards are known, else left unobserved."""
    if unit.table.in_hand and unit.push(AwardPots()) is not None:
        _leave_unobserved(unit)


def leave_unkeyed(unit: UnitOfWork, state: TrackerState) -> None:
    """Close a hand that nobody keyed and whose cards are all gone, for a key that belongs between hands."""
    keyed = any(said_by_person(logged) for logged in unit.table.hand_log)
    if unit.table.in_hand and state.seat_cards.swept and not keyed:
        _leave_unobserved(unit)
        close_deal(unit, state)
        state.end_hand()
