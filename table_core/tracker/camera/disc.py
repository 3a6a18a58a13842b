"""The button disc as the camera sees it. The recorded button counts; a disc at another seat is shown as a hint.

Most likely nobody has moved it yet, or it was pushed a seat too far (real-tables.md, 2): one hint a hand, after a
delay. BUTTON without a number means the seat where the disc lies.
"""

from __future__ import annotations

from table_core.messages import DeviceState, Key, Millis, Noticed, Street, ZoneSeen
from table_core.rulings.cites import cited
from table_core.tracker import waits
from table_core.tracker.memory.keys.keypad import Press
from table_core.tracker.memory.timers import Check
from table_core.tracker.state import TrackerState
from table_core.tracker.unit_of_work import UnitOfWork


def disc_seen(state: TrackerState, seen: ZoneSeen, now: Millis) -> None:
    """A new reading of a seat's button zone."""
    state.disc.read(seen.zone.of_seat, lies_there=bool(seen.button))
    timer = state.timers.find(Check.DISC)
    if timer is not None:
        state.timers.start(Check.DISC, max(timer.due, now + waits.DISC_AFTER_MOVE_MS))


def follow_hand(unit: UnitOfWork, state: TrackerState, now: Millis) -> None:
    """A hand has begun: check its button after a delay."""
    number = unit.table.hand_number if unit.table.in_hand else 0
    if state.disc.follow_hand(number):
        state.timers.start(Check.DISC, now + waits.DISC_AFTER_RIFFLE_MS)


def check_disc(unit: UnitOfWork, state: TrackerState) -> None:
    """Report a disc at another seat than this hand's button."""
    hand, table, lies_at = unit.table.hand, unit.table, state.disc.seat
    if hand is None or hand.street is not Street.PREFLOP or lies_at in (None, table.button):
        return
    if table.devices.get("camera") is DeviceState.OK:
        text = (
            f"The button belongs at seat {table.button}, the disc lies at seat {lies_at} "
            "(BUTTON where the disc is right)"
        )
        unit.record(Noticed("button_elsewhere", text, lies_at, cited(table.rulebook.id, "button_corrected")))


def meant(state: TrackerState, press: Press) -> Press:
    """BUTTON without a seat is about the seat where the disc lies."""
    if press.key is not Key.BUTTON_HERE or press.of_seat is not None or state.disc.seat is None:
        return press
    return Press(press.key, int(state.disc.seat), None, press.source, press.reason)
