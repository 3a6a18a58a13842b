"""What is on air as flat rows, for programs that read tables: data sources of vMix, spreadsheets, title makers.

A row has the same fields whatever there is to show, and a table as many rows as it has seats: a title that is
tied to a row and a field stays so all event. What is not there is empty: text is "", a number null."""

from __future__ import annotations

import msgspec

from feltwire.relay.feed.store import ListedHand, SignedPage
from feltwire.relay.on_air.seat_facts import tenths
from table_core.messages import (
    EventView,
    Frozen,
    Level,
    OverlaySeat,
    OverlayView,
    Seat,
    decode,
)

SEATS = 10  # rows of a table; one with more seats has more
BOARD = 5


class SeatRow(Frozen, frozen=True):
    """One seat of a table, as on air, with what is on air of the whole table: the same in every row. Stacks in
    chips, `stack_bb` in big blinds, `share` of the pot in percent. Cards as `Ah`; `??` lies face down."""

    seat: int
    player: str = ""
    country: str = ""
    position: str = ""
    stack: int | None = None
    stack_bb: float | None = None
    bet: int | None = None
    last: str = ""
    cards: str = ""
    card1: str = ""
    card2: str = ""
    makes: str = ""
    share: float | None = None
    in_hand: bool = False
    folded: bool = False
    all_in: bool = False
    turn: bool = False
    won: int | None = None
    table: str = ""
    hand: int | None = None
    street: str = ""
    board: str = ""
    board1: str = ""
    board2: str = ""
    board3: str = ""
    board4: str = ""
    board5: str = ""
    pot: int | None = None
    level: int | None = None
    small_blind: int | None = None
    big_blind: int | None = None
    ante: int | None = None


class EventRow(Frozen, frozen=True):
    """The tournament as on air, one row. `left` of the level counts to the request; money is in cents."""

    event: str = ""
    level: int | None = None
    small_blind: int | None = None
    big_blind: int | None = None
    ante: int | None = None
    next_small_blind: int | None = None
    next_big_blind: int | None = None
    next_ante: int | None = None
    left: str = ""
    left_seconds: int | None = None
    running: bool = False
    on_break: bool = False
    players_left: int | None = None
    entrants: int | None = None
    average_stack: int | None = None
    chips: int | None = None
    next_out: int | None = None
    pay_jump: int | None = None
    to_the_money: int | None = None


class StandingRow(Frozen, frozen=True):
    """A player who is left, by chips. `icm` in cents."""

    place: int
    player: str
    country: str
    stack: int
    stack_bb: float | None
    table: str
    seat: int | None
    icm: int | None


class PayoutRow(Frozen, frozen=True):
    """What a place pays, in cents."""

    place: int
    cents: int


class HandsPage(Frozen, frozen=True):
    """`/feed/hands.json`: the newest first; `older` is the address of those before, empty at the end."""

    hands: tuple[ListedHand, ...]
    older: str


def seen(raw: bytes | None) -> OverlayView | None:
    """An overlay as it was published; None where there is nothing to show."""
    try:
        view = None if raw is None else decode(raw, OverlayView)
    except msgspec.DecodeError:  # it says that it cannot be shown
        return None
    return view if view is not None and view.seats else None


def event_seen(raw: bytes | None) -> EventView | None:
    """The tournament as it was published; None where there is nothing to show."""
    try:
        view = None if raw is None else decode(raw, EventView)
    except msgspec.DecodeError:
        return None
    return view if view is not None and view.level is not None else None


def seat_rows(view: OverlayView | None) -> tuple[SeatRow, ...]:
    """A row for each seat of the table.

    >>> [(row.seat, row.player, row.stack) for row in seat_rows(None)][:2]
    [(1, '', None), (2, '', None)]
    """
    there = {one.seat: one for one in view.seats} if view is not None else {}
    last = max([SEATS, *there])
    return tuple([_seat_row(no, there.get(Seat(no)), view) for no in range(1, last + 1)])


def _seat_row(no: int, one: OverlaySeat | None, view: OverlayView | None) -> SeatRow:
    if view is None:
        return SeatRow(no)
    level, board = view.level, [*view.board, *[""] * BOARD]
    row = SeatRow(
        seat=no,
        table=view.table,
        hand=view.hand,
        street=view.street,
        board=" ".join(view.board),
        board1=board[0],
        board2=board[1],
        board3=board[2],
        board4=board[3],
        board5=board[4],
        pot=view.pot,
        level=None if level is None else level.no,
        small_blind=None if level is None else level.small_blind,
        big_blind=None if level is None else level.big_blind,
        ante=_ante(level),
    )
    if one is None:
        return row
    cards = [*one.cards, "", ""]
    return msgspec.structs.replace(
        row,
        player=one.player or f"Seat {no}",
        country=one.country,
        position=one.position,
        stack=one.stack,
        stack_bb=_in_blinds(one.stack, level),
        bet=one.bet,
        last=one.last,
        cards=" ".join(one.cards),
        card1=cards[0],
        card2=cards[1],
        makes=one.makes,
        share=None if one.share is None else one.share / 10,
        in_hand=one.in_hand,
        folded=one.folded,
        all_in=one.all_in,
        turn=one.seat == view.to_act,
        won=one.won,
    )


def _in_blinds(stack: int, level: Level | None) -> float | None:
    """Big blinds with one decimal, rounded down.

    >>> _in_blinds(1_999, Level(1, 100, 200))
    9.9
    """
    found = tenths(stack, level)
    return None if found is None else found / 10


def _ante(level: Level | None) -> int | None:
    return None if level is None else level.ante or level.big_blind_ante


def event_rows(view: EventView | None, age_ms: int) -> tuple[EventRow, ...]:
    """One row; `age_ms`: how long ago the view was published."""
    if view is None or view.level is None:
        return (EventRow(),)
    level, coming = view.level, view.next_level
    left = max(0, -(-(view.left_ms - (age_ms if view.running else 0)) // 1_000))
    return (
        EventRow(
            event=view.name,
            level=level.no,
            small_blind=level.small_blind,
            big_blind=level.big_blind,
            ante=_ante(level),
            next_small_blind=None if coming is None else coming.small_blind,
            next_big_blind=None if coming is None else coming.big_blind,
            next_ante=_ante(coming),
            left=_minutes(left),
            left_seconds=left,
            running=view.running,
            on_break=view.on_break,
            players_left=view.players_left,
            entrants=view.entrants,
            average_stack=view.average_stack,
            chips=view.chips,
            next_out=view.next_out,
            pay_jump=view.pay_jump,
            to_the_money=view.to_the_money,
        ),
    )


def _minutes(seconds: int) -> str:
    """As clocks show it.

    >>> _minutes(725), _minutes(3_725)
    ('12:05', '1:02:05')
    """
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def standing_rows(view: EventView | None) -> tuple[StandingRow, ...]:
    if view is None:
        return ()
    return tuple(
        StandingRow(
            place=one.place,
            player=one.player,
            country=one.country,
            stack=one.stack,
            stack_bb=_in_blinds(one.stack, view.level),
            table=one.table,
            seat=one.seat,
            icm=one.icm,
        )
        for one in view.standings
    )


def payout_rows(view: EventView | None) -> tuple[PayoutRow, ...]:
    return () if view is None else tuple(PayoutRow(one.place, one.cents) for one in view.payouts)


def schema() -> bytes:
    """The JSON schema of everything at `/feed`: `answers` says which definition an address has."""
    answers: dict[str, object] = {
        "/feed/hands.json": HandsPage,
        "/feed/hands": ListedHand,
        "/feed/hand/TABLE/NAME.json": SignedPage,
        "/feed/table/FEED.json": tuple[SeatRow, ...],
        "/feed/event.json": tuple[EventRow, ...],
        "/feed/standings.json": tuple[StandingRow, ...],
        "/feed/payouts.json": tuple[PayoutRow, ...],
    }
    schemas, definitions = msgspec.json.schema_components(answers.values(), ref_template="#/$defs/{name}")
    document = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Feltwire: the relay's feed",
        "answers": dict(zip(answers, schemas, strict=True)),
        "$defs": definitions,
    }
    return msgspec.json.format(msgspec.json.encode(document), indent=1)
