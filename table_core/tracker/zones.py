"""What the camera reads, zone by zone: kept, and handed to those whom it tells something."""

from __future__ import annotations

from table_core.messages import Millis, Seat, ZoneSeen
from table_core.tracker import chips, disc, irregular, missed, seen, several_boards, showdown, waits
from table_core.tracker.deal import say_once
from table_core.tracker.desk import Desk
from table_core.tracker.memory.bets import seat_of
from table_core.tracker.memory.timers import Check
from table_core.tracker.state import TrackerState

HAND, WHOLE_BOARD = 2, 5  # cards


def zone_seen(desk: Desk, state: TrackerState, reading: ZoneSeen, now: Millis) -> None:
    """Keep a reading of one zone, and do what follows from it alone."""
    if reading.zone == "board":
        state.board.read(reading)
    elif reading.zone.startswith("board-"):
        several_boards.board_seen(desk, reading)
    elif reading.zone.startswith("seat-") and reading.zone.endswith("-bet"):
        chips.seen_in_bet_zone(desk, state, seat_of(reading), reading, now)
        chips.ask_for_declaration(desk, state, now)
    elif reading.zone.startswith("seat-") and reading.zone.endswith("-stack"):
        chips.seen_in_stack_zone(desk, state, seat_of(reading), reading)
    elif reading.zone.startswith("seat-") and reading.zone.endswith("-cards"):
        seat = seat_of(reading)
        before = state.seat_cards.readings.get(seat)
        state.seat_cards.read(seat, reading, in_hand=desk.table.in_hand)
        seen.place_seen(desk, state, seat, before, now)
        _exposed(desk, state, seat, reading, now)
    elif reading.zone.startswith(disc.ZONE):
        disc.disc_seen(state, reading, now)
    irregular.zone_came(desk, state, reading, now)


def _exposed(desk: Desk, state: TrackerState, seat: Seat, reading: ZoneSeen, now: Millis) -> None:
    """A face-up card before the betting is over. It is said, not named, and stops nothing.

    A whole hand is most likely turned up at a showdown before which keys are missing; it is said when nothing
    after a while looks like one.
    """
    hand = desk.table.hand
    face_up = len(reading.cards) + reading.unread
    state.timers.stop(Check.EXPOSED, seat)
    if hand is None or hand.ended or showdown.betting_over(hand) or not face_up or seat not in hand.live_seats:
        return
    if face_up >= HAND:
        state.timers.start(Check.EXPOSED, now + waits.SHOWDOWN_MS, seat)
        return
    say_once(desk, state, "card_exposed", f"A card lies face up at seat {seat}", seat)
    irregular.exposed(desk, state, seat, reading, now)


def say_exposed(desk: Desk, state: TrackerState, seat: Seat, now: Millis) -> None:
    """A whole hand has lain face up for long enough: nothing looks like a showdown."""
    hand, reading = desk.table.hand, state.seat_cards.readings.get(seat)
    if hand is None or hand.legal() is None or reading is None or len(hand.board) == WHOLE_BOARD:
        return
    if not missed.street_is_over(desk, state) and not hand.all_in and seat in hand.live_seats:
        say_once(desk, state, "card_exposed", f"The cards of seat {seat} lie face up", seat)
        irregular.exposed(desk, state, seat, reading, now)
