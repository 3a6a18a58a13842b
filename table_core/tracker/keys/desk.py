"""What a table asks of the tournament's desk: `4 SEAT 91 FLOOR` a rebuy for seat 4, `92` another seat, `93` a
late entry.

Pressed again it is asked no more. The director sees it in the queue and confirms it there; chips and seats come
as always.
"""

from __future__ import annotations

from table_core.messages import DeskAsked, DeskWish, DeviceState, Refused, Wish
from table_core.rulings.cites import cited_here
from table_core.tracker.memory.keys.keypad import Press
from table_core.tracker.unit_of_work import UnitOfWork

WISHED = {91: Wish.REBUY, 92: Wish.SEAT_CHANGE, 93: Wish.LATE_ENTRY}  # behind the numbers of the incidents


def asked(unit: UnitOfWork, press: Press) -> None:
    """Ask, or ask no more; refused where no station is there, or nobody sits at the seat."""
    wish = DeskWish(WISHED[press.number or 0], press.seat)
    seated = press.seat in unit.table.seats
    why = ""
    if unit.table.devices.get("bus") is not DeviceState.OK:
        why = "No station is there: tell the director"
    elif wish.what is Wish.LATE_ENTRY and seated:
        why = f"Seat {press.seat} is taken: the empty seat, 93 FLOOR, or 93 FLOOR for any"
    elif wish.what is not Wish.LATE_ENTRY and not seated:
        why = (
            f"For whom? Seat, SEAT, {press.number} FLOOR"
            if press.seat is None
            else f"Nobody sits at seat {press.seat}"
        )
    if why:
        unit.record(Refused(why, cited_here(unit.table.rulebook.id, "fairness")))
    else:
        unit.record(DeskAsked(wish, wish not in unit.table.wishes))
