"""A picture of a table's timeline as it goes on air, with what follows from the cards that are shown: shares of
the pot, hands in words.

A share is told only where the cards of every live seat are shown: it would say something of a card that is not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from feltwire.relay.on_air.players import Players
from feltwire.relay.on_air.seat_facts import in_words, is_out, positions, runs_out, tenths, to_call
from feltwire.relay.on_air.statistics import Statistics
from feltwire.relay.on_air.timeline import Moment, Picture
from table_core.cards import Card, card_text, parse_card, rank_of
from table_core.equity.exact import equities
from table_core.equity.outs import Outs
from table_core.equity.outs import outs as outs_of
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
    SeatStats,
    SeatView,
    ShotClock,
    Street,
    TableView,
)
from table_core.ranking import describe
from table_core.tournament.money.icm import to_cents

HOLE_CARDS, WHOLE_BOARD = 2, 5
WHOLE = 1_000  # a pot, in the parts that shares are told in
BOARDS = (0, 3, 4, WHOLE_BOARD)
Texts = tuple[CardText, ...]


def overlay_of(
    picture: Picture,
    delay_s: float | None,
    *,
    air_ms: Millis | None = None,
    cards_in_ms: Millis | None = None,
    when: Millis | None = None,
    players: Players | None = None,
    statistics: Statistics | None = None,
    again: bool = False,
) -> OverlayView:
    """`delay_s`: from the end of a hand to its release; `air_ms`: how far the picture lies back; `cards_in_ms`:
    until the cards of its hand are released; `when`: the time of the picture, by default that of its moment;
    `players`: who they are, `statistics`: how they have played; `again`: the end of a hand is shown once more."""
    view, moment = picture.view, picture.moment
    when = moment.at if when is None else when
    known = players if players is not None else Players()
    shares = _shares(view, picture.cards)
    legal = view.legal if view.street is not Street.DONE else None
    stats = {seat.seat: statistics.of(seat.player, when) for seat in view.seats} if statistics is not None else {}
    seats = _Seats(view, known, stats, shares, positions(view), to_call(view) if legal is not None else {})
    return OverlayView(
        table=view.table,
        feed=view.table,
        hand=view.hand,
        street=view.street,
        board=view.board,
        pot=view.pot or Chips(sum(one.won for one in view.seats)),
        seats=tuple([seats.of(one) for one in view.seats]),
        delay_s=delay_s,
        level=view.level,
        last=in_words(view, moment.acted, lambda seat: known.of(seat.player).name or f"Seat {seat.seat}"),
        pots=tuple(OverlayPot(*pot) for pot in zip(view.pots, view.contenders, strict=False)),
        button=view.button,
        small_blind=view.small_blind,
        big_blind=view.big_blind,
        to_act=None if legal is None else legal.seat,
        air_s=None if air_ms is None else air_ms / 1_000,
        cards_in_ms=cards_in_ms,
        to_call=None if legal is None else legal.call or Chips(0),
        run_out=runs_out(view),
        shot_clock=_shot_clock(moment, when),
        wall_ms=None if moment.wall is None else Millis(moment.wall + when - moment.at),
        again=again,
    )


def _shot_clock(moment: Moment, when: Millis) -> ShotClock | None:
    called = moment.view.called
    if called is None or moment.called is None:
        return None
    return ShotClock(called.seat, max(called.of_ms - (when - moment.called), 0), called.of_ms)


class _Share(NamedTuple):
    """What a hand has of the pot, in thousandths, and what helps it."""

    share: int
    tie: int
    outs: Outs | None  # on the flop and the turn


class _Seats(NamedTuple):
    """What the seats of one picture are made of."""

    view: TableView
    players: Players
    stats: Mapping[Seat, SeatStats | None]
    shares: Mapping[Seat, _Share]
    positions: Mapping[Seat, str]
    to_call: Mapping[Seat, Chips]

    def of(self, seat: SeatView) -> OverlaySeat:
        level, who = self.view.level, self.players.of(seat.player)
        share = self.shares.get(seat.seat)
        outs = share.outs if share is not None else None
        return OverlaySeat(
            seat=seat.seat,
            player=who.name,
            stack=seat.stack,
            cards=seat.cards,
            folded=seat.folded,
            won=seat.won,
            bet=seat.bet,
            last=seat.last,
            in_hand=seat.in_hand,
            all_in=seat.all_in,
            away=seat.away,
            share=share.share if share is not None else None,
            makes=_makes(seat.cards, self.view.board),
            position=self.positions.get(seat.seat, ""),
            busted=is_out(seat, self.view.street),
            country=who.country,
            photo=who.photo,
            to_call=self.to_call.get(seat.seat, Chips(0)),
            action=seat.action,
            amount=seat.amount,
            stack_bb=tenths(seat.stack, level),
            bet_bb=tenths(seat.bet, level),
            amount_bb=tenths(seat.amount, level),
            tie=share.tie if share is not None else None,
            ahead=outs is not None and outs.ahead,
            outs=_texts(outs.to_win) if outs is not None else (),
            outs_to_tie=_texts(outs.to_tie) if outs is not None else (),
            stats=self.stats.get(seat.seat),
        )


def _makes(cards: Texts, board: Texts) -> str:
    known = (*cards, *board)
    one_board = BOARDS[1] <= len(board) <= WHOLE_BOARD
    if len(cards) != HOLE_CARDS or not one_board or UNKNOWN_CARD in known or len({*known}) < len(known):
        return ""
    return describe([parse_card(card) for card in known])


def _shares(view: TableView, cards: Mapping[Seat, Texts]) -> dict[Seat, _Share]:
    """By seat; empty where they cannot be told, and once the pot is awarded."""
    live = [seat.seat for seat in view.seats if seat.in_hand]
    in_sight = {
        seat.seat for seat in view.seats if len(seat.cards) == HOLE_CARDS and UNKNOWN_CARD not in seat.cards
    }
    known = len(live) > 1 and all(seat in in_sight and len(cards.get(seat, ())) == HOLE_CARDS for seat in live)
    if not known or view.street is Street.DONE or len(view.board) not in BOARDS or UNKNOWN_CARD in view.board:
        return {}
    dead = [card for seat, held in sorted(cards.items()) if seat not in live for card in held]
    shares = _computed(tuple(cards[seat] for seat in live), view.board, tuple(dead))
    return dict(zip(live, shares, strict=True)) if shares else {}


@lru_cache(maxsize=256)
def _computed(hands: tuple[Texts, ...], board: Texts, dead: Texts) -> tuple[_Share, ...]:
    """Shares add up to 1,000. Empty where the cards do not fit together: one that was read wrong may be there
    twice."""
    try:
        spot = spot_of([_parsed(hand) for hand in hands], _parsed(board), _parsed(dead))
    except EquityError:
        return ()
    told = equities(spot)
    shares = to_cents([one.share * WHOLE for one in told], WHOLE)
    helps = outs_of(spot) or (None,) * len(told)
    ties = [round(one.tied * WHOLE / one.boards) for one in told]
    return tuple(map(_Share, shares, ties, helps))


def _parsed(cards: Texts) -> Sequence[Card]:
    return [parse_card(card) for card in cards]


def _texts(cards: Sequence[Card]) -> Texts:
    """The highest first."""
    return tuple([card_text(card) for card in sorted(cards, key=rank_of, reverse=True)])
