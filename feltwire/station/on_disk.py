"""What a station finds on its disk when it starts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from feltwire.runtime.plugged import GivenDevices
from feltwire.station.queue.exception_queue import QueueRecord
from feltwire.station.station_store import ClockRecord, Restored
from feltwire.station.tournament.kept import Kept
from table_core.messages import MESSAGES_VERSION, AnyTableCommand, Leaseholder, Level, RoomLook
from table_core.tournament.events import OnFile
from table_core.tournament.money.league import EventResult
from table_core.tournament.money.played import PlayedEvent
from table_core.tournament.night import Night


@dataclass(frozen=True, kw_only=True, slots=True)
class OnDisk:
    """`tournament` is the prefix of this station's command ids, `night` the tournament as its records tell it.

    `clock` is as it was last recorded; `outgoing` are commands to tables that no event has answered yet; `names`
    are those of players (empty: of one who was forgotten), `born` their birthdays, `shown` what the public reads
    of them, `apart` pairs of players who are two people, `on_file` penalties of earlier events; `last` is what
    the next event may begin with (JSON), `kept` templates, chips and the events that players came to, `season()`
    are the results of the league's, `played()` all events that were played here, `points` the formula of the
    league's points. `missing` says which records are not there, `restored` which came from a backup, `lost`
    which cannot be read or rest on one of those; `unread`, in words, what else cannot be read. `writes` is the
    version of the messages that the room writes. `devices` are those of this machine that tables have, `look` is
    that of the venue's screens.
    """

    tournament: str
    night: Night
    clock: ClockRecord | None = None
    outgoing: Sequence[tuple[str, AnyTableCommand]] = ()
    leaseholders: Mapping[str, Leaseholder] = field(default_factory=dict)
    queue: QueueRecord | None = None
    names: Mapping[str, str] = field(default_factory=dict)
    born: Mapping[str, str] = field(default_factory=dict)
    shown: Mapping[str, str] = field(default_factory=dict)
    apart: Sequence[tuple[str, str]] = ()
    on_file: Sequence[OnFile] = ()
    last: bytes = b""
    kept: Kept = field(default_factory=Kept)
    season: Callable[[], Sequence[EventResult]] = tuple
    played: Callable[[], Sequence[PlayedEvent]] = tuple
    points: str = ""
    missing: str = ""
    restored: Sequence[Restored] = ()
    lost: Sequence[int] = ()
    unread: Sequence[str] = ()
    writes: int = MESSAGES_VERSION
    devices: GivenDevices = field(default_factory=GivenDevices)
    look: RoomLook = field(default_factory=RoomLook)

    @property
    def levels(self) -> tuple[Level, ...] | None:
        """The tournament's schedule; None where no tournament has a clock."""
        clock = self.night.state.clock
        return clock.levels if clock is not None else None
