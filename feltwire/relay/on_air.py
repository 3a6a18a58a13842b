"""A picture of a table's timeline as it goes on air, with what follows from the cards that are shown: shares of
the pot, hands in words.

A share is told only where the cards of every live seat are shown: it would say something of a card that is not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from feltwire.relay.timeline import Picture
from table_core.cards import Card, parse_card
from table_core.equity.exact import equities
from table_core.equity.spot import EquityError, spot_of
from table_core.messages import (
    UNKNOWN_CARD,
    CardText,
    Chips,
    Millis,
    OverlayPot,
    OverlaySeat,
    OverlayView,
    Seat,
    SeatView,
    Street,
    TableView,
)
from table_core.ranking import describe

HOLE_CARDS, WHOLE_BOARD = 2, 5
BOARDS = (0, 3, 4, WHOLE_BOARD)
Texts = tuple[CardText, ...]


def overlay_of(
    picture: Picture, delay_s: float | None, *, air_ms: Millis | None = None, cards_in_ms: Millis | None = None
) -> OverlayView:
    """`delay_s`: from the end of a hand to its release; `air_ms`: how far the picture lies back; `cards_in_ms`:
    until the cards of its hand are released."""
    view = picture.view
    shares = _shares(view, picture.cards)
    legal = view.legal if view.street is not Street.DONE else None
    return OverlayView(
        table=view.table,
        feed=view.table,
        hand=view.hand,
        street=view.street,
        board=view.board,
        pot=view.pot or Chips(sum(one.won for one in view.seats)),
        seats=tuple([_seat(one, view.board, shares.get(one.seat)) for one in view.seats]),
        delay_s=delay_s,
        level=view.level,
        last=view.last,
        pots=tuple(OverlayPot(*pot) for pot in zip(view.pots, view.contenders, strict=False)),
        button=view.button,
        small_blind=view.small_blind,
        big_blind=view.big_blind,
        to_act=None if legal is None else legal.seat,
        air_s=None if air_ms is None else air_ms / 1_000,
        cards_in_ms=cards_in_ms,
    )


def _seat(seat: SeatView, board: Texts, share: int | None) -> OverlaySeat:
    return OverlaySeat(
        seat=seat.seat,
        player=seat.player,
        stack=seat.stack,
        cards=seat.cards,
        folded=seat.folded,
        won=seat.won,
        bet=seat.bet,
        last=seat.last,
        in_hand=seat.in_hand,
        all_in=seat.all_in,
        away=seat.away,
        share=share,
        makes=_makes(seat.cards, board),
    )


def _makes(cards: Texts, board: Texts) -> str:
    known = (*cards, *board)
    one_board = BOARDS[1] <= len(board) <= WHOLE_BOARD
    if len(cards) != HOLE_CARDS or not one_board or UNKNOWN_CARD in known or len({*known}) < len(known):
        return ""
    return describe([parse_card(card) for card in known])


def _shares(view: TableView, cards: Mapping[Seat, Texts]) -> dict[Seat, int]:
    """Thousandths of the pot by seat; empty where they cannot be told, and once the pot is awarded."""
    live = [seat.seat for seat in view.seats if seat.in_hand]
    known = len(live) > 1 and all(len(cards.get(seat, ())) == HOLE_CARDS for seat in live)
    if not known or view.street is Street.DONE or len(view.board) not in BOARDS or UNKNOWN_CARD in view.board:
        return {}
    dead = [card for seat, held in sorted(cards.items()) if seat not in live for card in held]
    shares = _computed(tuple(cards[seat] for seat in live), view.board, tuple(dead))
    return dict(zip(live, shares, strict=True)) if shares else {}


@lru_cache(maxsize=256)
def _computed(hands: tuple[Texts, ...], board: Texts, dead: Texts) -> tuple[int, ...]:
    """Empty where the cards do not fit together: one that was read wrong may be there twice."""
    try:
        spot = spot_of([_parsed(hand) for hand in hands], _parsed(board), _parsed(dead))
    except EquityError:
        return ()
    return tuple([round(one.share * 1_000) for one in equities(spot)])


def _parsed(cards: Texts) -> Sequence[Card]:
    return [parse_card(card) for card in cards]
