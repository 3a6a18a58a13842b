"""The number of motions in which an action's chips came, also where the camera cannot count the chips.

A zone counts motions since it was empty; an action's are those since the previous one. They are evidence for a
ruling on a string bet and decide nothing: change was made, or a chip fell over.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from table_core.messages import Acted, Posted, ZoneSeen
from table_core.projections.table_state import Logged
from table_core.tracker import waits
from table_core.tracker.kept import Millis, Seat
from table_core.tracker.memory.slice import Slice


class SeatMotions(msgspec.Struct, frozen=True):
    """Motions in front of a seat since its zone was empty: before its last action, at that action, and now."""

    before: int = 0
    at_act: int = 0
    now: int = 0


_NOTHING = SeatMotions()


class Arrivals(Slice):
    """They outlive a hand: what lies there stays."""

    seats: Mapping[Seat, SeatMotions] = {}
    known_to: int = 0  # seq of the last event that these know of
    acted_at: Mapping[Seat, Millis] = {}  # when each seat last acted, as the books have it

    def of(self, seat: Seat) -> SeatMotions:
        return self.seats.get(seat, _NOTHING)

    def something_lies(self, seat: Seat) -> bool:
        """Whether chips came in front of the seat and have not been taken away."""
        return self.of(seat).now > 0

    def motions_to_come(self, seat: Seat) -> int:
        """The number of motions with chips that no action of the seat accounts for yet."""
        return max(0, self.of(seat).now - self.of(seat).at_act)

    def motions_of(self, seat: Seat) -> int:
        """The number of motions with the chips of the seat's last action; 0 where nobody saw them come."""
        return self.of(seat).now - self.of(seat).before

    def read(self, seat: Seat, seen: ZoneSeen) -> None:
        """Take a reading. Fewer motions than before: gathered, or taken back; counting begins again."""
        known = self.of(seat) if seen.motions >= self.of(seat).now else _NOTHING
        self._set(seat, SeatMotions(known.before, known.at_act, seen.motions))

    def follow(self, log: Sequence[Logged], seq: int, now: Millis) -> None:
        """Chips from now on belong to the next action of every seat that acted or posted since the last call."""
        for logged in log:
            if logged.seq <= self.known_to:
                continue
            if isinstance(logged.event, Acted):
                self._acted(logged.event.seat)
                self.acted_at = {**self.acted_at, logged.event.seat: now}
            elif isinstance(logged.event, Posted):
                self._posted(logged.event.seat)
        self.known_to = seq

    def just_acted(self, now: Millis) -> bool:
        """Whether a second tap of the same key is likely: somebody acted a moment ago."""
        return any(now - at < waits.ACT_TWICE_MS for at in self.acted_at.values())

    def taken_back(self, at: Millis) -> None:
        """Nobody has acted since then after all."""
        self.acted_at = {seat: acted for seat, acted in self.acted_at.items() if acted < at}

    def _posted(self, seat: Seat) -> None:
        """A blind comes in one motion, before or after it is on the books."""
        now = self.of(seat).now
        self._set(seat, SeatMotions(now + 1, now + 1, now))

    def _acted(self, seat: Seat) -> None:
        known = self.of(seat)
        if known.now > known.at_act:
            self._set(seat, SeatMotions(known.at_act, known.now, known.now))

    def _set(self, seat: Seat, arrived: SeatMotions) -> None:
        self.seats = {**self.seats, seat: arrived}

    def new_street(self) -> None:
        """What lies in front of the seats belongs to the last street."""
        self.seats = {seat: SeatMotions(known.now, known.now, known.now) for seat, known in self.seats.items()}

    def end_hand(self) -> None:
        self.acted_at = {}
