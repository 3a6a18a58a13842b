"""The blind clock: which level it is and what is left of it, as a pure function of the last change and now.

A clock is a frozen value: a schedule and one `Mark`, the last instant at which it was known. Nothing ticks.
What the clock shows at any later instant follows from the mark alone, also in another process or on a wall
display, and so does the level that it has run on into. Each command gives a new clock.

A level begins at its announcement, for hands whose first riffle comes after it (tda.23): that is the instant
at which the level before ran out, or the director's press. A hand keeps the level it began with; the
table sees to that.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from msgspec.structs import replace as altered

from table_core.messages import MOST_CHIPS, Level, Mark, Millis, Refusal

RULE_NEW_LEVEL = "tda.23"
MINUTE_MS = 60_000
# Of a schedule that somebody makes: in any script it fits into a message to tables and clocks.
MOST_ENTRIES = 300
HIGHEST_LEVEL = 9_999
LONGEST_MINUTES = 7 * 24 * 60
LONGEST_NAME = 60  # letters, of a break


class ScheduleError(ValueError):
    """A level schedule that no clock can run: which entry, and what is expected."""


@dataclass(frozen=True, slots=True)
class ClockReading:
    """What the clock shows at one instant."""

    index: int
    left_ms: int
    announcement: int


@dataclass(frozen=True, slots=True)
class Restart:
    """The machine was started again: the clock goes on from `left_ms`, the time in between is not counted."""

    level: Level
    left_ms: int
    running: bool


def length_ms(level: Level) -> int:
    """Length of one level in milliseconds."""
    return round(level.minutes * MINUTE_MS)


@dataclass(frozen=True, slots=True)
class TournamentClock:
    """A schedule and the mark from which everything else follows."""

    levels: tuple[Level, ...]
    mark: Mark

    # ------------------------------------------------------------------------------------ making one

    @classmethod
    def new(cls, levels: tuple[Level, ...], *, boot: str, now: Millis) -> TournamentClock:
        """A clock that stands at the beginning of the first level; raises `ScheduleError`."""
        check_runs(levels)
        return cls(levels, Mark(boot=boot, at=now, index=0, left_ms=length_ms(levels[0])))

    @classmethod
    def restored(
        cls, levels: tuple[Level, ...], mark: Mark, *, boot: str, now: Millis
    ) -> tuple[TournamentClock, Restart | None]:
        """The clock that was recorded as `mark`.

        In the same boot it has run on meanwhile. After a reboot nobody knows how long the machine was off: the
        clock goes on from what was left at the mark, and the `Restart` says so. Raise `ScheduleError` for a bad
        schedule, or one shorter than the mark.
        """
        check_runs(levels)
        if not 0 <= mark.index < len(levels):
            raise ScheduleError(
                f"levels: the clock was at entry {mark.index + 1}, the schedule has {len(levels)}; restore it"
            )
        if mark.boot == boot:
            return cls(levels, mark), None
        clock = cls(levels, altered(mark, boot=boot, at=now))
        return clock, Restart(levels[mark.index], mark.left_ms, mark.running)

    # --------------------------------------------------------------------------------------- reading

    def read(self, now: Millis) -> ClockReading:
        """What the clock shows at `now` (boot time of `mark.boot`). The last level stays at 0."""
        index, left = self.mark.index, self.mark.left_ms
        if self.mark.running:
            left -= max(0, now - self.mark.at)
            while left <= 0 and index + 1 < len(self.levels):
                index += 1
                left += length_ms(self.levels[index])
        return ClockReading(index, max(0, left), self.mark.announcement + index - self.mark.index)

    def passed(self, now: Millis) -> int:
        """Milliseconds of the schedule that are over: they stand still while the clock does."""
        reading = self.read(now)
        return sum(map(length_ms, self.levels[: reading.index + 1])) - reading.left_ms

    def level(self, now: Millis) -> Level:
        return self.levels[self.read(now).index]

    def next_level(self, now: Millis) -> Level | None:
        """The entry after the present one, a break included."""
        index = self.read(now).index + 1
        return self.levels[index] if index < len(self.levels) else None

    def playing_level(self, now: Millis) -> Level:
        """The level that a hand beginning now is played at: in a break still the one before it."""
        return self.levels[self._playing(self.read(now).index)]

    def playing_announcement(self, now: Millis) -> int:
        """The number of the announcement that began `playing_level`; it stays the same through a break."""
        reading = self.read(now)
        return reading.announcement - (reading.index - self._playing(reading.index))

    def _playing(self, index: int) -> int:
        """The entry that hands are played at: in a break the one before it, or the first to come; the break itself
        where no level is known (`clock_of` a state without its schedule)."""
        before = [i for i in range(index + 1) if not self.levels[i].is_break]
        coming = (i for i, level in enumerate(self.levels) if not level.is_break)
        return before[-1] if before else next(coming, index)

    def changes_at(self, now: Millis) -> Millis | None:
        """When the next level begins; None while the clock stands or in the last level."""
        reading = self.read(now)
        if not self.mark.running or reading.index + 1 == len(self.levels):
            return None
        return Millis(now + reading.left_ms)

    # -------------------------------------------------------------------------------------- changing

    def marked(self, now: Millis) -> TournamentClock:
        """The same clock with its mark at `now`; it reads the same at every later instant."""
        reading = self.read(now)
        mark = altered(
            self.mark,
            at=max(now, self.mark.at),
            index=reading.index,
            left_ms=reading.left_ms,
            announcement=reading.announcement,
        )
        return replace(self, mark=mark)

    def resume(self, now: Millis) -> TournamentClock:
        """Start it, or go on after a pause."""
        return self if self.mark.running else self._changed(now, running=True)

    def pause(self, now: Millis) -> TournamentClock:
        return self._changed(now, running=False) if self.mark.running else self

    def go_to_next(self, now: Millis) -> TournamentClock | Refusal:
        """Announce the next entry now, before its time (tda.23)."""
        index = self.read(now).index + 1
        if index == len(self.levels):
            return Refusal(reason="This is the last level of the schedule.", rule=RULE_NEW_LEVEL)
        return self._begin(index, now)

    def go_to(self, no: int, now: Millis) -> TournamentClock | Refusal:
        """Set the level by its number. Selecting the present level again does not reset it."""
        for index, level in enumerate(self.levels):
            if level.no == no and not level.is_break:
                return self.go_to_entry(index, now)
        known = ", ".join(str(level.no) for level in self.levels if not level.is_break)
        return Refusal(reason=f"There is no level {no}; levels: {known}.", rule=RULE_NEW_LEVEL)

    def go_to_entry(self, index: int, now: Millis) -> TournamentClock | Refusal:
        """Set the level or break by its place in the schedule, from 0; the present one is not reset."""
        if not 0 <= index < len(self.levels):
            which = "before the first" if index < 0 else "after the last"
            reason = f"The schedule has {len(self.levels)} entries; there is none {which}."
            return Refusal(reason=reason, rule=RULE_NEW_LEVEL)
        return self if index == self.read(now).index else self._begin(index, now)

    def with_time(self, by_ms: int, now: Millis) -> TournamentClock:
        """More time in the entry that runs, or less where `by_ms` is below 0; what is left stays above 0 and
        within the longest entry."""
        left = self.read(now).left_ms
        most = max(left, LONGEST_MINUTES * MINUTE_MS)
        return self._changed(now, left_ms=min(max(1, left + by_ms), most)) if by_ms else self

    def with_schedule(self, levels: tuple[Level, ...], now: Millis) -> TournamentClock:
        """Another schedule, at the same entry with as much of it gone; raises `ScheduleError`."""
        check_runs(levels)
        if levels == self.levels:
            return self
        reading = self.read(now)
        gone = length_ms(self.levels[reading.index]) - reading.left_ms
        index = min(reading.index, len(levels) - 1)
        announcement = reading.announcement + (levels[index] != self.levels[reading.index])
        left = max(0, length_ms(levels[index]) - gone)
        return replace(self._changed(now, index=index, left_ms=left, announcement=announcement), levels=levels)

    def with_break(self, rest: Level, now: Millis) -> TournamentClock:
        """A break from now on, with what is left of this entry behind it; raises `ScheduleError`."""
        reading = self.read(now)
        level = self.levels[reading.index]
        gone = max(0, length_ms(level) - reading.left_ms)
        before = (altered(level, minutes=gone / MINUTE_MS),) if gone else ()
        after = (altered(level, minutes=reading.left_ms / MINUTE_MS),) if reading.left_ms else ()
        levels = (*self.levels[: reading.index], *before, rest, *after, *self.levels[reading.index + 1 :])
        check_schedule(levels)
        index = reading.index + len(before)
        changed = self._changed(
            now, index=index, left_ms=length_ms(rest), announcement=reading.announcement + len(before)
        )
        return replace(changed, levels=levels)

    def with_later_break(self, rest: Level, in_ms: int, now: Millis) -> TournamentClock:
        """A break once the clock has run for so long, with what is left of its entry behind it. Raise
        `ScheduleError`, also where a break is on at that time."""
        reading = self.read(now)
        index, left = reading.index, reading.left_ms
        while in_ms > left and index + 1 < len(self.levels):
            in_ms -= left
            index += 1
            left = length_ms(self.levels[index])
        level = self.levels[index]
        if level.is_break and in_ms < left:
            raise ScheduleError("levels: a break is on then; change its length")
        gone = length_ms(level) - left + in_ms
        after = (altered(level, minutes=(left - in_ms) / MINUTE_MS),) if in_ms < left else ()
        before = altered(level, minutes=gone / MINUTE_MS)
        levels = (*self.levels[:index], before, rest, *after, *self.levels[index + 1 :])
        check_schedule(levels)
        here = {"left_ms": in_ms} if index == reading.index else {}
        return replace(self._changed(now, **here), levels=levels)

    def _begin(self, index: int, now: Millis) -> TournamentClock:
        announcement = self.read(now).announcement + 1
        return self._changed(now, index=index, left_ms=length_ms(self.levels[index]), announcement=announcement)

    def _changed(self, now: Millis, **changes: int | bool) -> TournamentClock:
        mark = self.marked(now).mark
        return replace(self, mark=altered(mark, revision=mark.revision + 1, **changes))


def same_course(levels: tuple[Level, ...], one: Mark, other: Mark) -> bool:
    """Whether two marks of one entry tell the same of every later instant."""
    if (one.boot, one.index, one.running) != (other.boot, other.index, other.running) or one.index >= len(levels):
        return False
    at = max(one.at, other.at)
    first, second = TournamentClock(levels, one).read(at), TournamentClock(levels, other).read(at)
    return (first.index, first.left_ms) == (second.index, second.left_ms)


def check_schedule(levels: tuple[Level, ...]) -> None:
    """Raise `ScheduleError` for a schedule of somebody's that is out of bounds, or that no clock can run."""
    if len(levels) > MOST_ENTRIES:
        raise ScheduleError(f"levels: {len(levels):,} entries; expected {MOST_ENTRIES} at most")
    for at, level in enumerate(levels, 1):
        if fault := entry_fault(level):
            raise ScheduleError(f"levels: entry {at}: {fault}")
    check_runs(levels)


def entry_fault(level: Level) -> str:
    """What is out of bounds in an entry of a schedule that somebody made; empty for none."""
    blinds = (level.small_blind, level.big_blind, level.ante, level.big_blind_ante, level.colour_up)
    if not 0 <= level.no <= HIGHEST_LEVEL:
        return f"level {level.no:,}; expected {HIGHEST_LEVEL:,} at most"
    if not 0 <= level.minutes <= LONGEST_MINUTES:
        return f"{level.minutes:g} minutes; expected more than 0, and {LONGEST_MINUTES:,} (a week) at most"
    if not 0 <= min(blinds) <= max(blinds) <= MOST_CHIPS:
        return f"{max(blinds):,} chips; expected {MOST_CHIPS:,} at most"
    if len(level.what) > LONGEST_NAME or any(ord(letter) < 32 or ord(letter) == 127 for letter in level.what):
        return f"a break's name has one line of {LONGEST_NAME} letters at most"
    return ""


def check_runs(levels: tuple[Level, ...]) -> None:
    """Raise `ScheduleError` for a schedule that no clock can run, whoever recorded it. A level may go on after a
    break."""
    if not any(not level.is_break for level in levels):
        raise ScheduleError("levels: the schedule has no level to play; give at least one that is not a break")
    numbers: set[int] = set()
    before: Level | None = None  # the level before, breaks left out
    for at, level in enumerate(levels, 1):
        if length_ms(level) <= 0:
            raise ScheduleError(f"levels: entry {at} lasts {level.minutes:g} minutes; expected more than 0")
        if level.is_break:
            continue
        if level.small_blind > level.big_blind:
            blinds = f"{level.small_blind:,} / {level.big_blind:,}"
            raise ScheduleError(f"levels: entry {at}, {blinds}: the small blind is above the big blind")
        interrupted = before is not None and altered(level, minutes=before.minutes) == before
        if level.no in numbers and not (interrupted and levels[at - 2].is_break):
            raise ScheduleError(f"levels: entry {at} is a second level {level.no}; number each level once")
        numbers.add(level.no)
        before = level
