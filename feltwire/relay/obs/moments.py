"""What happens on air, as a reader of the public channels sees it: moments at which a stream changes its picture.

A moment is the difference of two pictures in a row, so it comes when viewers see it, as late as they do. The first
picture after a gap is no moment: nobody knows how long ago it changed.
"""

from __future__ import annotations

from enum import StrEnum

from table_core.messages import EventView, OverlaySeat, OverlayView, ProgrammeView, Street


class Moment(StrEnum):
    """In the order in which they follow each other within a picture."""

    NEW_HAND = "new_hand"
    ALL_IN = "all_in"  # one more seat
    RUN_OUT = "run_out"  # nobody can bet any more, and two hands or more are live
    FLOP = "flop"
    TURN = "turn"
    RIVER = "river"
    SHOWDOWN = "showdown"
    HAND_OVER = "hand_over"
    BREAK = "break"
    BREAK_OVER = "break_over"
    CUT = "cut"


STREETS = {
    Street.FLOP: Moment.FLOP,
    Street.TURN: Moment.TURN,
    Street.RIVER: Moment.RIVER,
    Street.SHOWDOWN: Moment.SHOWDOWN,
    Street.DONE: Moment.HAND_OVER,
}


class Watched:
    """The last pictures; each method takes the next one and returns its moments, in their order."""

    def __init__(self) -> None:
        self._table: OverlayView | None = None
        self._on_break: bool | None = None
        self.is_cut = False

    def lost(self) -> None:
        """Pictures may be missing from here on."""
        self._table = self._on_break = None

    def table(self, view: OverlayView) -> list[Moment]:
        """A hand that is shown once more is no moment, nor is a picture behind one that was black."""
        if view.again:
            return []
        before, self._table = self._table, view if view.seats else None
        if before is None or not view.seats or before.table != view.table:
            return []
        if before.hand != view.hand:
            return [Moment.NEW_HAND] if view.street is not Street.DONE else []
        moments = [Moment.ALL_IN] if _all_in(view) - _all_in(before) else []
        moments += [Moment.RUN_OUT] if view.run_out and not before.run_out else []
        turned = STREETS.get(view.street) if view.street is not before.street else None
        return [*moments, turned] if turned is not None else moments

    def event(self, view: EventView) -> list[Moment]:
        before, self._on_break = self._on_break, view.on_break
        if before is None or before == view.on_break:
            return []
        return [Moment.BREAK if view.on_break else Moment.BREAK_OVER]

    def programme(self, view: ProgrammeView) -> list[Moment]:
        """A cut is one from the first picture on: it stands until it is released."""
        before, self.is_cut = self.is_cut, view.cut
        return [Moment.CUT] if view.cut and not before else []


def _all_in(view: OverlayView) -> set[int]:
    return {one.seat for one in view.seats if _is_all_in(one)}


def _is_all_in(seat: OverlaySeat) -> bool:
    return seat.all_in and seat.in_hand
