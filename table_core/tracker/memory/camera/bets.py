"""Chips in front of the seats, and in which order they came on this street."""

from __future__ import annotations

from collections.abc import Mapping

from table_core.messages import ZoneSeen
from table_core.tracker.kept import Chips, Millis, Seat
from table_core.tracker.memory.slice import Slice


class Bets(Slice):
    readings: Mapping[Seat, ZoneSeen] = {}  # counted chips
    motions: Mapping[Seat, tuple[int, ...]] = {}  # what lay there after each motion
    stale: Mapping[Seat, int] = {}  # chips that lay there when this street began: nobody bets them
    came: tuple[ZoneSeen, ...] = ()  # chips put in on this street, in the order in which they came
    street: str = ""  # the street that these are about, and since when
    street_since: Millis = Millis(0)

    def uncounted(self, seat: Seat) -> None:
        """Whether the zone holds something else than was counted."""
        self.readings = {other: seen for other, seen in self.readings.items() if other != seat}
        if self.came and self.came[-1].zone.seat == seat:
            self.came = self.came[:-1]

    def read(self, seat: Seat, seen: ZoneSeen, high: Chips) -> None:
        """Take a reading. `high` is the bet to call. Cards are not kept."""
        before, there = self.readings.get(seat), seen.chips or Chips(0)
        self.readings = {**self.readings, seat: seen}
        if self.stale.get(seat, there) != there:
            self.stale = {other: chips for other, chips in self.stale.items() if other != seat}
        if seat not in self.stale:
            self._remember(seen, before, high)
        steps = self.motions.get(seat, ())
        grown = (*steps, there) if there not in steps else steps
        self.motions = {**self.motions, seat: grown if there else ()}

    def _remember(self, seen: ZoneSeen, before: ZoneSeen | None, high: Chips) -> None:
        """Keep chips that were put in, also after they were gathered, changed or returned: their order counts.
        Several motions of one player are one action; less than before, where it is no call, corrects the last
        reading."""
        there, was = seen.chips or Chips(0), (before.chips or Chips(0)) if before is not None else Chips(0)
        mine = bool(self.came) and self.came[-1].zone == seen.zone
        if there > was or seen.odd:
            self.came = (*(self.came[:-1] if mine else self.came), seen)
        elif there not in (0, high, was) and mine:
            self.came = (*self.came[:-1], seen)

    def follow_street(self, street: str, now: Millis, *, first: bool) -> bool:
        """Whether the street changed. Chips that lie there when a street begins belong to the last one until
        they have been gathered; those of the `first` are the blinds."""
        if street == self.street:
            return False
        self.street, self.street_since, self.came = street, now, ()
        there = {seat: int(seen.chips) for seat, seen in self.readings.items() if seen.chips}
        self.stale = {} if first else there
        return True

    def of_street(self) -> Bets:
        """What is about the street, without the readings."""
        return Bets(came=self.came, stale=self.stale, street=self.street, street_since=self.street_since)

    def street_goes_on(self, found: Bets) -> None:
        """The press that ended the street was taken back: it goes on since it began."""
        self.came, self.street, self.street_since = found.came, found.street, found.street_since
        there = {seat: seen.chips or 0 for seat, seen in self.readings.items()}
        self.stale = {seat: chips for seat, chips in found.stale.items() if there.get(seat, chips) == chips}

    def forget_play(self) -> None:
        self.came, self.motions, self.street = (), {}, ""

    def end_hand(self) -> None:
        """What lies there stays."""
        self.forget_play()
        self.stale = {}
