"""The station's blind clock: restored from its record, and as commands for the tables.

With a tournament it is the tournament's: `levels` are those of its records.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256

from msgspec.structs import replace

from feltwire.config import StationConfig
from feltwire.station.station_store import ClockRecord
from table_core.messages import FollowClock, Level, Mark, Millis, Refusal, SetLevel, SetSchedule, encode
from table_core.tournament.clock import Restart, TournamentClock, same_course
from table_core.tournament.events import Instant
from table_core.tournament.stops import Wait


class StationClock:
    """The clock with the revision of its schedule. `boot` is the boot that its times belong to, `wall` gives the
    wall time (ms since 1970) that annotates one of them."""

    def __init__(
        self,
        config: StationConfig,
        prefix: str,
        *,
        boot: str,
        now: Millis,
        wall: Callable[[Millis], Millis],
        recorded: ClockRecord | None,
        levels: tuple[Level, ...] | None = None,
    ) -> None:
        wanted = levels or config.levels
        self.boot = boot
        self.wall = wall
        self.restart_note = ""
        self.touched = False  # the director has changed it since the station was started
        self._prefix = prefix
        self._told: Mark | None = None  # to the tables
        self._told_at: Millis | None = None
        self._told_of: TournamentClock | None = None
        self._said: dict[tuple[object, ...], FollowClock] = {}
        self.schedule_revision = 1
        if recorded is None:
            clock = TournamentClock.new(wanted, boot=boot, now=now)
            self.clock = clock.resume(now) if config.autostart else clock
            return
        self.clock, restart = TournamentClock.restored(recorded.levels, recorded.mark, boot=boot, now=now)
        if restart is not None:
            self.restart_note = _words(restart)
        self.schedule_revision = recorded.schedule_revision
        if recorded.levels != wanted:
            self.schedule_revision += 1
            self.clock = self.clock.with_schedule(wanted, now)

    def instant(self, now: Millis) -> Instant:
        return Instant(self.boot, now, self.wall(now))

    def changes_at(self, now: Millis) -> Millis | None:
        return self.clock.changes_at(now)

    def change(self, changed: TournamentClock | Refusal) -> Refusal | None:
        """Take the outcome of a command; the refusal, if it is one."""
        if isinstance(changed, Refusal):
            return changed
        self.touched = self.touched or changed != self.clock
        self.clock = changed
        return None

    def follow(self, clock: TournamentClock, now: Millis) -> None:
        """Take the tournament's clock. Where levels are announced anew the schedule gets another revision, so that
        the tables take them again."""
        before, after = self.clock.marked(now), clock.marked(now)
        if clock.levels != self.clock.levels or after.mark.announcement < before.mark.announcement:
            self.schedule_revision += 1
        self.touched = self.touched or after != before
        self.clock = clock

    def record(self, now: Millis) -> ClockRecord:
        self.clock = self.clock.marked(now)
        return ClockRecord(self.clock.levels, self.schedule_revision, self.clock.mark)

    def orders(
        self, now: Millis, wait: Wait | None, break_rule: str, last_hand: int | None, *, kept_here: bool
    ) -> FollowClock:
        """What a table of the tournament is told of the clock. It stays the same while the clock runs on in one
        entry of the schedule."""
        why, rule = (wait.why, wait.rule) if wait is not None else ("", "")
        said = (self.schedule_revision, self._course(now), why, rule, last_hand, break_rule, kept_here)
        if said not in self._said:
            command = FollowClock("", *said)
            digest = sha256(encode(command)).hexdigest()[:16]
            self._said[said] = replace(command, id=f"{self._prefix}clock-{digest}")
        return self._said[said]

    def _course(self, now: Millis) -> Mark:
        """The mark that the tables are told; another one only where the clock does not run on from it."""
        if self._told is None or self._told_at != now or self._told_of is not self.clock:
            present = self.clock.marked(now).mark
            if self._told is None or not same_course(self.clock.levels, self._told, present):
                self._told, self._said = present, {}
            self._told_at, self._told_of = now, self.clock
        return self._told

    def commands(self, now: Millis) -> tuple[SetSchedule, SetLevel]:
        """The commands with the current clock for every table."""
        level = self.clock.playing_level(now)
        announcement = self.clock.playing_announcement(now)
        return (
            SetSchedule(
                f"{self._prefix}schedule-{self.schedule_revision}", self.schedule_revision, self.clock.levels
            ),
            SetLevel(
                f"{self._prefix}level-{self.schedule_revision}-{announcement}", level, self.schedule_revision
            ),
        )


def _words(restart: Restart) -> str:
    minutes, seconds = divmod(restart.left_ms // 1000, 60)
    name = "the break" if restart.level.is_break else f"level {restart.level.no}"
    state = "goes on" if restart.running else "stands"
    return (
        f"The station was started again after a reboot: the clock {state} from {minutes}:{seconds:02} left in "
        f"{name}, as last recorded. The time in between is not counted; set the level if it should be."
    )
