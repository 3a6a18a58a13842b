"""The camera's readings by zone: stored, and passed to the modules that use them."""

from __future__ import annotations

from table_core.messages import Millis, Seat, Zone, ZoneKind, ZoneSeen
from table_core.tracker import waits
from table_core.tracker.asking import missed_keys
from table_core.tracker.camera import chips, disc, seat_cards
from table_core.tracker.dealing import irregular
from table_core.tracker.dealing.deal import say_once
from table_core.tracker.hands import several_boards, showdown
from table_core.tracker.memory.timers import Check
from table_core.tracker.state import TrackerState
from table_core.tracker.unit_of_work import UnitOfWork

HAND, WHOLE_BOARD = 2, 5  # cards


def zone_seen(unit: UnitOfWork, state: TrackerState, reading: ZoneSeen, now: Millis) -> None:
    """Store a zone's reading, and do what follows from it alone."""
    zone = reading.zone
    if reading.unseen:
        _unseen(state, zone)
        return
    match zone.kind:
        case ZoneKind.BOARD if zone == Zone.BOARD:
            state.board.read(reading)
        case ZoneKind.BOARD:
            several_boards.board_seen(unit, reading)
        case ZoneKind.BET:
            chips.seen_in_bet_zone(unit, state, zone.of_seat, reading, now)
            chips.ask_for_declaration(unit, state, now)
        case ZoneKind.STACK:
            chips.seen_in_stack_zone(unit, state, zone.of_seat, reading)
        case ZoneKind.CARDS:
            before = state.seat_cards.readings.get(zone.of_seat)
            state.seat_cards.read(zone.of_seat, reading, in_hand=unit.table.in_hand)
            seat_cards.cards_seen(unit, state, zone.of_seat, before, now)
            _exposed(unit, state, zone.of_seat, reading, now)
        case ZoneKind.BUTTON:
            disc.disc_seen(state, reading, now)
        case ZoneKind.BURN | ZoneKind.MUCK | ZoneKind.POT:
            pass
    irregular.zone_came(unit, state, reading, now)


def _unseen(state: TrackerState, zone: Zone) -> None:
    """Forget what lay there: it may be gone by the time a camera sees it again. The disc and motions that were
    counted stay."""
    match zone.kind:
        case ZoneKind.BOARD if zone == Zone.BOARD:
            state.board.nobody_sees()
        case ZoneKind.BURN:
            state.board.nobody_sees_burns()
        case ZoneKind.CARDS:
            state.seat_cards.nobody_sees(zone.of_seat)
        case ZoneKind.BET:
            state.bets.uncounted(zone.of_seat)
        case _:
            pass


def _exposed(unit: UnitOfWork, state: TrackerState, seat: Seat, reading: ZoneSeen, now: Millis) -> None:
    """A face-up card before the betting is over: a notice without its name, and the game goes on.

    A whole hand most likely belongs to a showdown with missing keys; it is noticed when nothing after a while
    looks like one.
    """
    hand = unit.table.hand
    face_up = len(reading.cards) + reading.unread
    state.timers.stop(Check.EXPOSED, seat)
    if hand is None or hand.ended or showdown.betting_over(hand) or not face_up or seat not in hand.live_seats:
        return
    if face_up >= HAND:
        state.timers.start(Check.EXPOSED, now + waits.SHOWDOWN_MS, seat)
        return
    say_once(unit, state, "card_exposed", f"A card lies face up at seat {seat}", seat)
    irregular.exposed(unit, state, seat, reading, now)


def say_exposed(unit: UnitOfWork, state: TrackerState, seat: Seat, now: Millis) -> None:
    """A whole hand has lain face up long enough without a showdown."""
    hand, reading = unit.table.hand, state.seat_cards.readings.get(seat)
    if hand is None or hand.legal() is None or reading is None or len(hand.board) == WHOLE_BOARD:
        return
    if not missed_keys.street_is_over(unit, state) and not hand.all_in and seat in hand.live_seats:
        say_once(unit, state, "card_exposed", f"The cards of seat {seat} lie face up", seat)
        irregular.exposed(unit, state, seat, reading, now)
