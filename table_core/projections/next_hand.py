"""Who is dealt in, button and blinds of a table's next hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from table_core.hand.button import Positions, corrected_positions, first_positions, next_positions
from table_core.hand.seats import clockwise_from
from table_core.messages import Chips, Post, Seat, SeatStack
from table_core.parameters import ButtonMethod, SmallBlindBust
from table_core.projections.table_state import TableState


def able_to_play(table: TableState) -> tuple[Seat, ...]:
    """Seats with chips, in order. Players who are away are dealt in, unless they are dealt out. For the chips of
    a forfeited deal only its players are dealt in, where the book says so (ccp.irregularities.7)."""
    entitled = _entitled(table)
    out = _between(table, entitled)
    return tuple(seat for seat in entitled if seat not in out) if out else entitled


def _entitled(table: TableState) -> tuple[Seat, ...]:
    live = tuple(seat for seat, held in sorted(table.seats.items()) if held.stack > 0 and not held.no_cards)
    entitled = tuple(seat for seat in live if seat in table.carried_for)
    closed = table.carried and table.carried_for and table.rulebook.rules.forfeited_pot_closed.value
    return entitled if closed and len(entitled) >= 2 else live


def without_right(table: TableState) -> tuple[Seat, ...]:
    """Seats with chips that get no hand in the next deal, because its pot is for others."""
    entitled = _entitled(table)
    live = (seat for seat, held in sorted(table.seats.items()) if held.stack > 0 and not held.no_cards)
    return tuple(seat for seat in live if seat not in entitled)


def waiting(table: TableState) -> tuple[Seat, ...]:
    """Players who came in and would sit between button and small blind: no cards until the button has passed
    (wfp.blindrules.5)."""
    return _between(table, _entitled(table))


def _between(table: TableState, live: Sequence[Seat]) -> tuple[Seat, ...]:
    """Those of `live` who came in, and whom the blinds of the others have strictly between button and small
    blind. Nobody at a table of two: a third player between them has the button."""
    came = [seat for seat in live if table.seats[seat].waits]
    others = [seat for seat in live if seat not in came]
    if not came or table.button_set or table.big_blind is None or len(others) < 3:
        return ()
    due = _positions(table, others)
    until = due.small_blind if due.small_blind is not None else table.big_blind  # the seat of a dead small blind
    order = clockwise_from(due.button, {*came, until})
    return order[: order.index(until)]


def positions(table: TableState) -> Positions:
    """Button and blinds of the next hand; raise `ValueError` with fewer than two players."""
    return _positions(table, able_to_play(table))


def _positions(table: TableState, live: Sequence[Seat]) -> Positions:
    if table.again is not None and table.again.seats == {*live}:
        return table.again.positions
    if table.again is not None and table.stood is not None:  # others have chips now than in the void deal
        table = replace(table, again=None, **table.stood._asdict())
    if table.button_set or table.big_blind is None or table.button is None:
        return _from_button(table, live)
    if table.belonged_at is not None:
        return _after_wrong_button(table, table.belonged_at, live)
    return next_positions(table.button, table.small_blind, table.big_blind, live, table.rulebook, table.vacated)


def _after_wrong_button(table: TableState, belonged: Seat, live: Sequence[Seat]) -> Positions:
    """Positions after a hand whose button belonged elsewhere: those due then, which nobody has had. A seat
    that posted a blind in that hand does not post it again."""
    dealt_in = table.hand.seats if table.hand is not None else live
    proper = first_positions(belonged, dealt_in)
    if not _still_fits(proper, live):  # one of these players is out
        proper = next_positions(proper.button, proper.small_blind, proper.big_blind, live, table.rulebook)
    return _less_what_was_posted(table, proper, live)


def _from_button(table: TableState, live: Sequence[Seat]) -> Positions:
    """Positions with the button where it was put. Where a person at the table put it there behind a hand, and
    nobody due for a blind sits before it, the blinds go on as they are due. Else it lay wrong: who has posted a
    blind does not post it again (wfp.irregularities.1)."""
    as_due = _blinds_as_due(table, live)
    return as_due or _less_what_was_posted(table, first_positions(_button_seat(table, live), live), live)


def _blinds_as_due(table: TableState, live: Sequence[Seat]) -> Positions | None:
    """The blinds of the dead button behind the last hand, where those who owe them sit next to the button."""
    dead_button = table.rulebook.rules.button.value is ButtonMethod.DEAD
    if not dead_button or not table.posted_before or table.big_blind is None or len(live) < 3:
        return None
    big_blind, button = clockwise_from(table.big_blind, live)[0], _button_seat(table, live)
    owes_small = table.big_blind if table.big_blind in live else None
    due = [seat for seat in (owes_small, big_blind) if seat is not None]
    fits = list(clockwise_from(button, live)[: len(due)]) == due
    return Positions(button, owes_small, big_blind) if fits else None


def _less_what_was_posted(table: TableState, proper: Positions, live: Sequence[Seat]) -> Positions:
    """`proper` without blinds that somebody posted already in the hand with the wrong button."""
    if len(live) < 3 or all(Post.BIG_BLIND in table.posted_before.get(seat, ()) for seat in live):
        return proper
    return corrected_positions(proper, table.posted_before, live)


def _button_seat(table: TableState, live: Sequence[Seat]) -> Seat:
    """The seat with the disc. It may be empty (tda.32); where the book wants the button at a player, it is
    at the previous one."""
    if table.button is None:
        return live[-1]
    if table.rulebook.rules.button.value is not ButtonMethod.MOVING:
        return table.button
    return max((seat for seat in live if seat <= table.button), default=live[-1])


def other_button(table: TableState) -> Seat | None:
    """Where the button is by another sentence of the book, None where all agree: small and big blind are out
    together, and the button stays at its player when the small blind alone is out (ccp.deadbutton.1, 3)."""
    rules, live = table.rulebook.rules, able_to_play(table)
    stays = rules.small_blind_bust_button.value is SmallBlindBust.STAYS
    if not stays or table.button_set or table.again is not None or table.small_blind is None or len(live) < 3:
        return None
    both_out = table.small_blind not in live and table.big_blind not in live
    return table.small_blind if both_out else None


def stacks_next(table: TableState) -> tuple[SeatStack, ...]:
    return tuple(
        SeatStack(seat, Chips(table.seats[seat].stack), table.seats[seat].player) for seat in able_to_play(table)
    )


def _still_fits(due: Positions, live: Sequence[Seat]) -> bool:
    """Whether the next deal may have this button and these blinds: the seats that owe a blind are there, and the
    table is heads-up, where the button owes one, as it was before."""
    was_heads_up = due.button in (due.small_blind, due.big_blind)
    return {due.big_blind, due.small_blind} <= {*live, None} and was_heads_up == (len(live) == 2)
