"""What a person probably wants ruled on as the hand stands: a guess from what is open, what happened last and
who did it.

It only orders the incidents: which of them the book has an answer to, `offered` says.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from table_core.hand.deal import is_to_seat, seat_of
from table_core.hand.hand import Hand
from table_core.messages import Acted, Action, HandMucked, Seat, Source, Street
from table_core.projections.table import TableProjection
from table_core.record.course import Did, on_this_street, waiting

SHOWN = 6
SAME = 2  # of one incident, about two seats


class Likely(NamedTuple):
    """An incident by its key, about a seat or about none."""

    incident: str
    seat: Seat | None = None


_BEHIND: dict[Action, tuple[str, ...]] = {  # about the seat that acted last
    Action.BET: ("string_bet", "declared", "bet_size", "out_of_turn", "unaware", "forward_motion"),
    Action.RAISE: ("string_bet", "bet_size", "declared", "keyed_wrong", "out_of_turn", "unaware"),
    Action.CALL: ("bet_size", "misunderstood", "unaware", "keyed_wrong", "declared", "out_of_turn"),
    Action.CHECK: ("out_of_turn", "skipped", "keyed_wrong", "declared", "forward_motion"),
    Action.FOLD: (
        "keyed_as_folded",
        "retrieve",
        "skipped",
        "unprotected",
        "muck_contact",
        "out_of_turn",
    ),
}
_TO_ACT = ("bet_size", "forward_motion", "forward_discard", "clock", "clock_expired", "table_did", "string_bet")
_NEXT = ("out_of_turn", "said_ahead", "forward_discard")
_OUT = ("retrieve", "keyed_as_folded", "unprotected", "muck_contact", "into_other_hand", "conduct")
_IN = ("muck_contact", "left_table", "dropped", "unprotected", "shown_to_one", "flipped", "conduct")
_HAND = ("wrong_number", "exposed", "missed_blind")  # found while the seat plays on
_DEAL = ("exposed", "extra_card", "button_wrong", "left_out", "boxed", "first_card_wrong", "pot_query")
_DEALT_TO = ("exposed", "wrong_number", "boxed", "left_out", "missed_blind", "joker", "no_right_to_cards")
_BOARD = ("burn_missing", "burn_double", "burn_exposed")
_SHOWDOWN = ("retrieve", "miscall", "play_board", "show_request", "shown_to_one", "muck_contact")
_OVER = ("retrieve", "pot_query", "hidden_chips", "show_request", "conduct")
_FOULED = ("duplicate", "short_deck", "foreign_card", "joker")
_ANY = ("conduct", "dispute", "override")


def likely(table: TableProjection, seat: Seat | None = None, refused: Seat | None = None) -> tuple[Likely, ...]:
    """The incidents in the order in which they are likely, each about one seat at most.

    `seat`: the one that a person has touched; then what is about a player is about it. `refused`: whose bet was
    keyed and not taken just now. What is unlikely in this state is left out.
    """
    found = tuple(dict.fromkeys(_of_the_table(table, refused) if seat is None else _about(table, seat, refused)))
    times = [sum(one.incident == other.incident for other in found[:at]) for at, one in enumerate(found)]
    return tuple(one for one, before in zip(found, times, strict=True) if before < SAME)


def _of_the_table(table: TableProjection, refused: Seat | None) -> Iterator[Likely]:
    hand = table.hand
    if hand is None or not hand.started:
        yield from (Likely(key) for key in ("deck_check", *_ANY[1:]))
    elif hand.ended:
        yield from _behind_a_hand(table, hand)
    elif hand.street is Street.SHOWDOWN:
        yield from _at_showdown(table, hand)
    else:
        yield from _in_play(table, hand, refused)


def _in_play(table: TableProjection, hand: Hand, refused: Seat | None) -> Iterator[Likely]:
    """First what waits for a ruling already, then what the last player did, then whoever is to act and the
    next."""
    did = on_this_street(table.hand_log)
    early = waiting(table.hand_log)
    yield from (Likely("out_of_turn", one.seat) for one in reversed(early))
    if refused is not None:
        yield from (Likely(key, refused) for key in ("bet_size", "table_did"))
    yield from (Likely("skipped", one.seat) for one in did if one.source is Source.ASSUMED)
    last = next((one for one in reversed(did) if one.in_turn), None)
    behind = [Likely(key, last.seat) for key in _BEHIND[last.action]] if last is not None else []
    to_act, after = hand.to_act, _next(hand)
    if last is None:
        yield from (Likely("exposed", seat) for seat in _dealt_last(table))
        yield from map(Likely, _board_or_deal(hand))
    yield from behind[: 2 if hand.awaiting_board else 3]
    yield from [Likely("out_of_turn", after)] if after is not None else []
    yield Likely("board_premature")  # with devices it has an answer only where cards lie there before their time
    if hand.awaiting_board:
        yield from map(Likely, _BOARD)
        yield from [Likely("run_it")] if hand.betting_over else []
    else:
        yield from (Likely(key, to_act) for key in _TO_ACT[:1])
    yield from [Likely("exposed", last.seat)] if last is not None else []
    yield Likely("exposed")
    yield from behind[3:]
    yield from (Likely(key, to_act) for key in _TO_ACT[1:] if to_act is not None)
    yield from map(Likely, _board_or_deal(hand))


def _board_or_deal(hand: Hand) -> tuple[str, ...]:
    if not hand.board:
        return _DEAL
    return ("flop_overdeal", *_BOARD) if hand.street is Street.FLOP else _BOARD


def _dealt_last(table: TableProjection) -> tuple[Seat, ...]:
    """Who has the last card that the shoe gave; empty without one, and for a card that is nobody's."""
    placed = table.placed()
    to = placed[max(placed)] if placed else ""
    return (seat_of(to),) if is_to_seat(to) else ()


def _next(hand: Hand) -> Seat | None:
    """Who is still to act behind the seat to act."""
    if hand.to_act is None:
        return None
    pending = hand.snapshot().pending
    seats = [*hand.seats, *hand.seats]
    behind = seats[seats.index(hand.to_act) + 1 :]
    return next((one for one in behind if one in pending and one != hand.to_act), None)


def _at_showdown(table: TableProjection, hand: Hand) -> Iterator[Likely]:
    yield from (Likely("retrieve", seat) for seat in _gave_up(table))
    last = next((logged.event for logged in reversed(table.hand_log) if isinstance(logged.event, Acted)), None)
    yield from [Likely("bet_size", last.seat)] if last is not None and last.action is Action.CALL else []
    for key in _SHOWDOWN[1:3]:
        yield from (Likely(key, seat) for seat in hand.live_seats if seat not in hand.tabled)
    yield Likely("pot_query")
    yield from (Likely(key, seat) for key in _SHOWDOWN[3:] for seat in hand.live_seats if seat not in hand.tabled)
    yield from map(Likely, ("exposed", *_FOULED))


def _behind_a_hand(table: TableProjection, hand: Hand) -> Iterator[Likely]:
    yield Likely("pot_query")
    yield from (Likely("retrieve", seat) for seat in _gave_up(table)[:2])
    yield from map(Likely, ("impound", *_FOULED[:2], "late_report", "burn_missing"))
    yield from (Likely("hidden_chips", seat) for seat in hand.all_in)
    yield from map(Likely, _ANY[1:])


def _gave_up(table: TableProjection) -> list[Seat]:
    """Who mucked at the showdown, or else folded, the last first."""
    events = [logged.event for logged in reversed(table.hand_log)]
    mucked = [event.seat for event in events if isinstance(event, HandMucked)]
    return mucked or [event.seat for event in events if isinstance(event, Acted) and event.action is Action.FOLD]


def _about(table: TableProjection, seat: Seat, refused: Seat | None) -> Iterator[Likely]:
    """About the seat that was touched, by what it did and where it stands in the turn; then what needs no seat."""
    hand = table.hand
    for key in _of_seat(table, hand, seat, refused):
        yield Likely(key, seat)
    for one in _of_the_table(table, refused):
        yield Likely(one.incident, seat if one.seat is None else one.seat)


def _of_seat(table: TableProjection, hand: Hand | None, seat: Seat, refused: Seat | None) -> Sequence[str]:
    if hand is None or not hand.started or seat not in hand.seats:
        return ("no_right_to_cards", "missed_blind", "left_out", "conduct")
    if hand.ended:
        return _OVER
    if hand.street is Street.SHOWDOWN:
        return _SHOWDOWN
    did = on_this_street(table.hand_log)
    mine = [one for one in did if one.seat == seat]
    keys: list[str] = []
    if any(one.seat == seat for one in waiting(table.hand_log)):
        keys += ["out_of_turn", "table_did"]
    if refused == seat:
        keys += ["bet_size", "table_did"]
    if seat == hand.to_act:
        keys += _TO_ACT
    elif mine and mine[-1].in_turn:
        keys += _skipped(mine[-1])
    if seat not in hand.live_seats:
        return (*keys, *_OUT)
    if seat != hand.to_act and not mine:
        keys += _NEXT
    if not did and not hand.board:
        return (*_DEALT_TO, *keys)
    return (*keys[:2], *_HAND, *keys[2:], *_IN) if not hand.board else (*keys, *_IN)


def _skipped(did: Did) -> Sequence[str]:
    return ("skipped", *_BEHIND[did.action]) if did.source is Source.ASSUMED else _BEHIND[did.action]
