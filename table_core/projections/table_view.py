"""A table's public snapshot."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from table_core.hand.deal import to_seat
from table_core.hand.hand import Hand
from table_core.messages import (
    UNKNOWN_CARD,
    Acted,
    BoardDealt,
    CardText,
    Chips,
    Seat,
    SeatView,
    Street,
    TableView,
)
from table_core.projections import words
from table_core.projections.table_state import TableState


def view(table: TableState) -> TableView:
    """The public snapshot, as of the last event."""
    hand = table.hand
    collected = hand.pots if hand is not None and not hand.ended else ()
    pots = tuple(Chips(pot.amount) for pot in collected)
    in_front = sum(hand.bets.values()) if hand is not None and not hand.ended else 0
    backs = Counter(table.placed().values())
    won = table.won()
    return TableView(
        venue=table.venue,
        table=table.table,
        epoch=table.epoch,
        as_of=table.seq,
        head=table.head,
        rulebook=table.rulebook.id,
        hand=table.hand_number,
        street=hand.street if hand is not None else Street.DONE,
        level=table.level,
        next_hand_level=table.next_level,
        button=table.button,
        small_blind=table.small_blind,
        big_blind=table.big_blind,
        seats=tuple(_seat_view(table, seat, backs, won) for seat in sorted(table.seats)),
        board=tuple(hand.board) if hand is not None else (),
        pots=pots,
        pot=Chips(sum(pots) + in_front),
        legal=hand.legal() if hand is not None else None,
        question=table.question,
        last=table.last,
        notices=tuple(table.notices),
        devices=dict(table.devices),
        floor=table.floor,
        no_hand=(table.why_no_hand() or ("", ""))[0],
        hands_played=table.hands_played,
        contenders=tuple(tuple(sorted(pot.eligible)) for pot in collected) if len(collected) > 1 else (),
    )


def _seat_view(table: TableState, seat: Seat, backs: Mapping[str, int], won: Mapping[Seat, int]) -> SeatView:
    state, hand = table.seats[seat], table.hand
    if hand is None or seat not in hand.stacks:
        stack, since = Chips(state.stack), state.counted_after
        return SeatView(seat, state.player, stack, away=state.away, counted_after=since)
    return SeatView(
        seat=seat,
        player=state.player,
        stack=Chips(state.stack if hand.ended else hand.stacks[seat]),
        bet=Chips(0 if hand.ended else hand.bets[seat]),
        in_hand=seat in hand.live_seats,
        folded=seat in hand.folded,
        all_in=seat in hand.all_in and not hand.ended,
        away=state.away,
        cards=_cards_of(table, seat, hand, backs),
        last=_last_of(table, seat),
        won=Chips(won.get(seat, 0)),
        counted_after=state.counted_after,
    )


def _cards_of(table: TableState, seat: Seat, hand: Hand, backs: Mapping[str, int]) -> tuple[CardText, ...]:
    if seat in hand.tabled:
        return hand.tabled[seat]
    if seat in hand.folded or seat in hand.mucked:
        return ()
    return (UNKNOWN_CARD,) * backs[to_seat(seat)]


def _last_of(table: TableState, seat: Seat) -> str:
    """The seat's last action on this street (folds stay for the hand)."""
    for logged in reversed(table.hand_log):
        event = logged.event
        if isinstance(event, Acted) and event.seat == seat:
            return words.acted(event)
        if isinstance(event, BoardDealt):
            return ""
    return ""
