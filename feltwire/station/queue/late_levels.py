"""Tables that play on an old level: a hand that began after the next one, or one that lasts long over its turn.

Nothing is changed by it: what a table has played is recorded as it was played.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime

from feltwire.station.tournament.table_watch import Began, TableWatch
from table_core.messages import ItemKind, Millis, QueueItem, Severity
from table_core.tournament.clock import TournamentClock, length_ms
from table_core.tournament.events import Instant
from table_core.tournament.state import TableFacts

LONG_MS = 5 * 60_000  # a hand that still lasts so long after the turn


class LateLevels:
    """Notes when a level begins. Of the time before the station started it knows what the clock says by itself:
    when a level began that nobody has touched since."""

    def __init__(self) -> None:
        self._announcement: int | None = None
        self._since: Instant | None = None

    def look(
        self,
        clock: TournamentClock,
        watches: Mapping[str, TableWatch],
        facts: Mapping[str, TableFacts],
        now: Instant,
        rule: str,
    ) -> Iterator[QueueItem]:
        announcement = clock.playing_announcement(now.at)
        if self._announcement is None:
            self._since = _began_by_itself(clock, now)
        elif announcement != self._announcement:
            self._since = now
        self._announcement = announcement
        if self._since is None:
            return
        due = clock.playing_level(now.at).no
        for table, watch in watches.items():
            fact = facts.get(table)
            for hand, began in watch.began.items():
                if began.level >= due:
                    continue
                if _began_after(began, self._since):
                    yield _late(table, hand, began.level, due, rule, f"Table {table} played hand {hand} at level")
                elif fact is not None and (fact.hand, fact.in_hand) == (hand, True) and self._is_long(now):
                    yield _late(
                        table, hand, began.level, due, rule, f"Table {table} still plays hand {hand} of level"
                    )

    def _is_long(self, now: Instant) -> bool:
        """Whether the turn is long ago."""
        return self._since is not None and now.at - self._since.at >= LONG_MS


def _began_by_itself(clock: TournamentClock, now: Instant) -> Instant | None:
    """When the level that runs began, where it followed the one before without a person."""
    reading = clock.read(now.at)
    level = clock.levels[reading.index]
    if level.is_break or clock.mark.boot != now.boot or reading.index <= clock.mark.index:
        return None
    gone = length_ms(level) - reading.left_ms
    return Instant(now.boot, Millis(now.at - gone), Millis(now.wall - gone))


def _late(table: str, hand: int, level: int, due: int, rule: str, what: str) -> QueueItem:
    fact = f"{what} {level}; level {due} was due."
    do = "Nothing is changed by this. Look why the table has not taken the new level, if its next hand has it not."
    id_ = f"late-{table}-{hand}"
    return QueueItem(id_, ItemKind.LATE, Severity.KNOW, fact, table, do=do, rule=rule, can_be_done=True)


def _began_after(began: Began, turn: Instant) -> bool:
    """Certainly: the clocks of two machines are compared with what they may be wrong by."""
    if began.at.boot == turn.boot:
        return began.at.ms > turn.at
    if not began.at.wall:
        return False
    wall = datetime.fromisoformat(began.at.wall).timestamp() * 1_000
    return wall - began.at.wall_unc_ms > turn.wall
