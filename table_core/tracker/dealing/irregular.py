"""Irregularities that devices see. Each needs two sources, or a card that lies face up.

A slow camera, a skipped card or cards of the last hand must not raise a question: counts are compared only while
the camera sees no more cards than left the shoe.
"""

from __future__ import annotations

from table_core.hand.deal import is_to_seat, seat_of, to_seat
from table_core.hand.hand import Hand
from table_core.messages import CardLeftShoe, DeviceState, Millis, Seat, Street, Zone, ZoneKind, ZoneSeen
from table_core.record.deal import BOARD_SIZE, NEW_CARDS, Deal
from table_core.rulings.cites import cited_here, speaks
from table_core.rulings.deal import COUNTED
from table_core.tracker import waits
from table_core.tracker.dealing.deal import deal_of, next_street, not_passed, say_once
from table_core.tracker.dealing.evidence import two_before_four
from table_core.tracker.memory.notices import Doubt
from table_core.tracker.memory.rulings import OpenIncident
from table_core.tracker.memory.timers import Check
from table_core.tracker.ruling.opening import notice_incident
from table_core.tracker.state import TrackerState, covered
from table_core.tracker.unit_of_work import UnitOfWork

_FLOP_CARDS = NEW_CARDS[Street.FLOP]


def card_came(unit: UnitOfWork, state: TrackerState, seen: CardLeftShoe, now: Millis) -> None:
    """A joker left the shoe; the count of the deal waits for the camera again."""
    if state.timers.find(Check.DEAL_COUNT):
        state.timers.start(Check.DEAL_COUNT, now + waits.DEAL_STILL_MS)
    if seen.note == "joker" and state.deal.handles:
        place = len(state.deal.handles)
        to = unit.table.destination(place)
        if is_to_seat(to):
            seat = seat_of(to)
            notice_incident(unit, state, OpenIncident("joker", seat, place=place, opened_at=now))
        elif to in ("burn", "board"):
            notice_incident(unit, state, OpenIncident("joker", cause=f"place {place}", place=place, opened_at=now))


def zone_came(unit: UnitOfWork, state: TrackerState, seen: ZoneSeen, now: Millis) -> None:
    """Check a camera reading while a hand is in progress."""
    hand = unit.table.hand
    if hand is None or hand.ended or unit.table.devices.get("camera") is not DeviceState.OK:
        return
    if seen.zone == Zone.BURN:
        state.board.burns_read(covered(seen))
        _burns(unit, state, hand, seen, now)
    elif seen.zone == Zone.BOARD:
        _over_full_flop(unit, state, hand, now)
    elif seen.zone.kind is ZoneKind.CARDS:
        state.timers.start(Check.DEAL_COUNT, now + waits.DEAL_STILL_MS)
    if seen.odd == "joker":
        _joker_seen(unit, state, seen, now)
    _equal_cards(unit, state, seen, now)


def _joker_seen(unit: UnitOfWork, state: TrackerState, seen: ZoneSeen, now: Millis) -> None:
    """A joker lies face up: in front of a seat it opens an incident, elsewhere a notice."""
    if seen.zone.kind is ZoneKind.CARDS:
        seat = seen.zone.of_seat
        if seat in unit.table.seats:
            notice_incident(unit, state, OpenIncident("joker", seat, opened_at=now))
    else:
        say_once(unit, state, "joker_seen", f"A joker lies face up: {seen.zone}")


def exposed(unit: UnitOfWork, state: TrackerState, seat: Seat, seen: ZoneSeen, now: Millis) -> None:
    """A card lies face up before anyone has acted: most likely the dealer's error.

    Which card of the deal it is only the count may say: where the seat has two, it is not asked whether the face
    is that of either. Somebody may have laid down another deck's card to learn just that (decision 58).
    """
    hand = unit.table.hand
    if hand is None or hand.street is not Street.PREFLOP or _anyone_acted(unit) or len(seen.cards) != 1:
        return
    places = deal_of(unit, state).places(to_seat(seat))
    place = places[0] if len(places) == 1 else None
    opened = OpenIncident("exposed", seat, None, str(place or ""), place, seen.cards[0], now)
    notice_incident(unit, state, opened)


def _anyone_acted(unit: UnitOfWork) -> bool:
    return bool(unit.table.acts())


def _burns(unit: UnitOfWork, state: TrackerState, hand: Hand, seen: ZoneSeen, now: Millis) -> None:
    deal = deal_of(unit, state)
    burned = sum(to in ("burn", "next burn", "aside") for to in deal.lying)
    if state.notices.doubts(Doubt.NOT_READ):
        streets = sum(len(hand.board) >= size for size in BOARD_SIZE.values())
        burned = max(burned, streets)  # a burn that is missing may lie there, unread
    street = next_street(hand)
    if seen.cards and burned:
        for number, card in enumerate(seen.cards, 1):
            cause = f"burn {burned}.{number}"  # known by the count: no hidden card is asked about
            notice_incident(unit, state, OpenIncident("burn_exposed", cause=cause, card=card, opened_at=now))
    elif street is not None and seen.face_down == burned + 1 and _next_is_board(deal, hand):
        notice_incident(unit, state, OpenIncident("burn_double", cause=street, opened_at=now))


def _next_is_board(deal: Deal, hand: Hand) -> bool:
    """Whether the newest card is the first board card by the plan, and betting waits for the street."""
    return hand.awaiting_board and deal.out >= 2 and deal.lying[-2:] == ("burn", "board")


def _over_full_flop(unit: UnitOfWork, state: TrackerState, hand: Hand, now: Millis) -> None:
    if state.board.seen is None or not hand.awaiting_board or next_street(hand) is not Street.FLOP:
        return
    shoe = unit.table.devices.get("shoe") is DeviceState.OK
    if shoe and two_before_four(unit, state):
        text = "Two cards were burned before a flop of four"
        say_once(
            unit, state, "burn_double", text, rule=cited_here(unit.table.rulebook.id, "burn_in_time"), of_deal=True
        )
        notice_incident(unit, state, OpenIncident("flop_overdeal", opened_at=now))
        return
    deal = deal_of(unit, state)
    last = deal.street(Street.FLOP)[-1]
    out = deal.out in (last, last + 1)  # none was burned, or one
    if state.board.faces == _FLOP_CARDS + 1 and (not shoe or out) and not deal.is_out(Street.TURN):
        notice_incident(unit, state, OpenIncident("flop_overdeal", opened_at=now))


def order_of_board(unit: UnitOfWork, state: TrackerState) -> None:
    """Turn right of the flop, river right of the turn, where the book says so."""
    hand = unit.table.hand
    if hand is None or len(hand.board) <= _FLOP_CARDS:
        return
    rule = cited_here(unit.table.rulebook.id, "board_order")
    seen = state.board.seen.cards if state.board.seen is not None else ()
    own = speaks(unit.table.rulebook.id, "board_order")
    wrong = seen[3:] != hand.board[3:] and set(seen) == set(hand.board)
    if own and wrong:
        text = "Turn right of the flop, river right of the turn"
        say_once(unit, state, "board_order", text, rule=rule, of_deal=True)


def check_deal(unit: UnitOfWork, state: TrackerState, now: Millis) -> None:
    """Compare backs at the seats with the shoe's count, before anyone has acted, when all is at rest."""
    hand = unit.table.hand
    if hand is None or hand.street is not Street.PREFLOP or not state.deal.handles:
        return
    deal = deal_of(unit, state)
    out, whole = deal.out, sum(map(is_to_seat, deal.planned))
    backs = {seat: there.face_down + len(there.cards) for seat, there in state.seat_cards.readings.items()}
    every_hand = backs == dict.fromkeys(backs, 0) | dict.fromkeys(hand.seats, 2)
    shoe = unit.table.devices.get("shoe") is DeviceState.OK
    if shoe and every_hand and out == whole - 1 and not state.decks.foreign:
        not_passed(unit, state, 1, "one of the hole cards: every hand is there")
        return
    if _anyone_acted(unit):
        return
    may_lie = [*filter(is_to_seat, deal.lying), *deal.taken_from_seats]
    more = [seat for seat, count in backs.items() if count > may_lie.count(to_seat(seat))]
    if _too_few(unit, state, backs, out, whole, now) or sum(backs.values()) != out or not more:
        return
    seat = more[0]
    if seat not in hand.seats:
        about = seat if seat in unit.table.seats else None  # a seat without a player has no name
        notice_incident(unit, state, OpenIncident("no_right_to_cards", about, cause=str(seat), opened_at=now))
    elif out > whole:
        notice_incident(unit, state, OpenIncident("extra_card", seat, out - whole, COUNTED, opened_at=now))
    elif out == 1:
        notice_incident(unit, state, OpenIncident("first_card_wrong", opened_at=now))
    else:
        notice_incident(unit, state, OpenIncident("out_of_sequence", opened_at=now))


def _too_few(
    unit: UnitOfWork, state: TrackerState, backs: dict[Seat, int], out: int, whole: int, now: Millis
) -> bool:
    """The deal is complete and every card seen, and a player has none, or a foreign card is among them."""
    hand = unit.table.hand
    assert hand is not None
    total = sum(backs.values())
    empty = [seat for seat in hand.seats if not backs.get(seat)]
    if out == whole - 2 and total == out and len(empty) == 1 and set(backs.values()) <= {0, 2}:
        notice_incident(unit, state, OpenIncident("left_out", empty[0], opened_at=now))
        return True
    if (state.decks.foreign or state.decks.mixed) and out + state.decks.foreign == whole == total:
        notice_incident(unit, state, OpenIncident("foreign_card", opened_at=now))
        return True
    return False


def _equal_cards(unit: UnitOfWork, state: TrackerState, seen: ZoneSeen, now: Millis) -> None:
    board = state.board.seen
    zones = [*state.seat_cards.readings.values(), *([board] if board is not None else [])]
    elsewhere = {card for zone in zones if zone.zone != seen.zone for card in zone.cards}
    if len(set(seen.cards)) < len(seen.cards) or elsewhere & set(seen.cards):
        notice_incident(unit, state, OpenIncident("duplicate", opened_at=now))
