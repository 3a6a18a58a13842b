"""A table's public snapshot."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from typing import NamedTuple

from table_core.hand.deal import to_seat
from table_core.hand.hand import Hand
from table_core.messages import (
    UNKNOWN_CARD,
    Acted,
    Action,
    BoardDealt,
    CalledOn,
    CardText,
    Chips,
    DeviceState,
    Seat,
    SeatView,
    Street,
    TableView,
)
from table_core.projections import step_words, words
from table_core.projections.next_step import next_step
from table_core.projections.table_state import TableState

CLOCK_CALLED = "clock_called"  # a notice: the clock runs on its seat
DEVICES_OF_A_TABLE = ("keypad", "shoe", "camera")


def view(table: TableState) -> TableView:
    """The public snapshot, as of the last event."""
    hand = table.hand
    collected = hand.pots if hand is not None and not hand.ended else ()
    pots = tuple(Chips(pot.amount) for pot in collected)
    known = _InHand.of(table, hand) if hand is not None else None
    legal = hand.legal() if hand is not None else None
    in_front = sum(known.bets.values()) if known is not None and not known.hand.ended else 0
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
        seats=tuple([_seat_view(table, seat, known) for seat in sorted(table.seats)]),
        board=tuple(hand.board) if hand is not None else (),
        pots=pots,
        pot=Chips(sum(pots) + in_front),
        legal=legal,
        question=table.question,
        last=step_words.standing(table.said, table.said_before, soon=table.said_soon),
        notices=tuple(table.notices),
        devices={name: state for name, state in table.devices.items() if state is not DeviceState.NONE},
        by_hand=all(table.devices.get(name) is DeviceState.NONE for name in DEVICES_OF_A_TABLE),
        floor=table.floor,
        wishes=table.wishes,
        no_hand=(table.why_no_hand() or ("", ""))[0],
        hands_played=table.hands_played,
        next_step=next_step(table),
        contenders=tuple(tuple(sorted(pot.eligible)) for pot in collected) if len(collected) > 1 else (),
        called=_called(table, legal.seat) if legal is not None else None,
    )


def _called(table: TableState, to_act: Seat) -> CalledOn | None:
    """The clock that was called on the seat to act and that no act has ended."""
    seconds = table.rulebook.policies.clock_seconds
    called = [one for one in table.notices if one.kind == CLOCK_CALLED and one.seat == to_act]
    if seconds is None or not called:
        return None
    acts = (logged.seq for logged in reversed(table.hand_log) if isinstance(logged.event, Acted | BoardDealt))
    if next(acts, 0) > called[-1].seq or (table.hand_log and table.hand_log[0].seq > called[-1].seq):
        return None
    return CalledOn(to_act, 1_000 * seconds.value, called[-1].seq)


class _InHand(NamedTuple):
    """What the hand says of its seats, asked once for all of them: each answer is made anew."""

    hand: Hand
    stacks: Mapping[Seat, Chips]
    bets: Mapping[Seat, Chips]
    live: Collection[Seat]
    folded: Collection[Seat]
    mucked: Collection[Seat]
    all_in: Collection[Seat]
    tabled: Mapping[Seat, tuple[CardText, ...]]
    backs: Mapping[str, int]  # cards of the deal, by where they lie
    last: Mapping[Seat, Acted]
    won: Mapping[Seat, int]

    @classmethod
    def of(cls, table: TableState, hand: Hand) -> _InHand:
        return cls(
            hand,
            hand.stacks,
            hand.bets,
            hand.live_seats,
            hand.folded,
            hand.mucked,
            hand.all_in,
            hand.tabled,
            Counter(table.placed().values()),
            _last_actions(table),
            table.won(),
        )


def _seat_view(table: TableState, seat: Seat, known: _InHand | None) -> SeatView:
    state = table.seats[seat]
    if known is None or seat not in known.stacks:
        stack, since = Chips(state.stack), state.counted_after
        return SeatView(seat, state.player, stack, away=state.away, counted_after=since)
    ended, acted = known.hand.ended, known.last.get(seat)
    return SeatView(
        seat=seat,
        player=state.player,
        stack=Chips(state.stack if ended else known.stacks[seat]),
        bet=Chips(0 if ended else known.bets[seat]),
        in_hand=seat in known.live,
        folded=seat in known.folded,
        all_in=seat in known.all_in and not ended,
        away=state.away,
        cards=_cards_of(seat, known),
        last=words.acted(acted) if acted is not None else "",
        won=Chips(known.won.get(seat, 0)),
        counted_after=state.counted_after,
        tabled=seat in known.tabled,
        action=acted.action if acted is not None else None,
        amount=_amount(acted) if acted is not None else None,
    )


def _amount(acted: Acted) -> Chips | None:
    if acted.action is Action.CALL:
        return acted.added
    return acted.to if acted.action in (Action.BET, Action.RAISE) else None


def _cards_of(seat: Seat, known: _InHand) -> tuple[CardText, ...]:
    if seat in known.tabled:
        return known.tabled[seat]
    if seat in known.folded or seat in known.mucked:
        return ()
    return (UNKNOWN_CARD,) * known.backs[to_seat(seat)]


def _last_actions(table: TableState) -> dict[Seat, Acted]:
    """The last action on this street of each seat that has acted (folds stay for the hand)."""
    last: dict[Seat, Acted] = {}
    for logged in reversed(table.hand_log):
        event = logged.event
        if isinstance(event, Acted):
            last.setdefault(event.seat, event)
        if isinstance(event, BoardDealt):
            break
    return last
