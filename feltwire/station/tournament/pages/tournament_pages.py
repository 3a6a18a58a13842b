"""What the station's pages have of the tournament: channels, announcements, sheets; and how often."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

import msgspec

from feltwire.config import StationConfig
from feltwire.runtime.views import Part, Views, not_shown
from feltwire.station.clock import StationClock
from feltwire.station.director.ruling_facts import OutThere
from feltwire.station.tables.station_tables import StationTables
from feltwire.station.tournament.kept_events import KeptEvents
from feltwire.station.tournament.pages.sheets import sheet_of
from feltwire.station.tournament.pages.view import BY_TABLES, CHANNELS, Shown, night_parts, out_there, without_ages
from feltwire.station.tournament.records import TournamentRecords
from feltwire.station.tournament.season import League
from feltwire.station.tournament.seat_orders import Seen
from feltwire.station.tournament.words import named
from table_core.messages import Millis, Seat
from table_core.rulebook import Rulebook
from table_core.tournament.announcements import announced
from table_core.tournament.by_hand import facts_of
from table_core.tournament.state import State

LEAGUE = Part("The league", page="/station/log")
ANNOUNCED = Part("The announcements", page="/station/log")
KEPT = Part("Templates and the last events", page="/station/log")
SHOWN_MS = 1_000  # what tables report is shown at most so often; what people decide, at once


class TournamentPages:
    """`seen` is what the tables have of the draw that holds, `last` what the next event may begin with (JSON),
    `by_hand()` whether it is played by hand where nobody says it."""

    def __init__(
        self,
        records: TournamentRecords,
        names: Mapping[str, str],
        league: League,
        *,
        config: StationConfig,
        rulebook: Rulebook,
        clock: StationClock,
        tables: StationTables,
        seen: Callable[[], Seen],
        last: bytes,
        by_hand: Callable[[], bool],
        kept: KeptEvents,
        views: Views,
    ) -> None:
        self._views = views
        self._records = records
        self._names = names
        self._league = league
        self._config = config
        self._rulebook = rulebook
        self._clock = clock
        self._facts = tables.known.facts
        self._by_hand = by_hand
        self._watches = tables.known.watches()
        self._changes = tables.changes
        self._seen = seen
        self._last = msgspec.Raw(last or b"null")
        self._kept = kept
        # the version, the tables' changes and the season that pages have
        self._shown: tuple[int, int, tuple[object, ...]] = (0, 0, ())
        self._shown_as: dict[str, bytes] = {}  # the channels, without what time alone changes
        self._shown_at = Millis(0)
        self._announced_at = 0

    def shown(self, now: Millis) -> dict[str, bytes]:
        """The channels that changed, JSON: after a decision at once, what tables report once a second."""
        if self._records.pending is not None:
            return {}
        known = (self._records.version, self._changes.count, self._league.state())
        decided = self._shown[0] != known[0] or self._shown[2] != known[2]
        if self._shown == known or (not decided and now < self._shown_at + SHOWN_MS):
            return {}
        self._shown, self._shown_at = known, now
        news = {}
        for channel, part in self.parts(now, CHANNELS if decided else BY_TABLES).items():
            lasting = self._encoded(channel, without_ages(part))
            if self._shown_as.get(channel) != lasting:
                self._shown_as[channel] = lasting
                news[channel] = self._encoded(channel, part)
        return news | self._announced()

    def parts(self, now: Millis, wanted: Collection[str] = CHANNELS) -> dict[str, dict[str, Any]]:
        """The tournament at this moment, by channel."""
        records, at = self._records, self._clock.instant(now)
        facts = facts_of(records.state, self._facts(), at)
        shown = Shown(records.night, self._names, facts, self._seen(), at)
        parts = night_parts(shown, wanted, self._views)
        if "night" in parts and not records.opened:
            parts["night"]["by_hand"] = self._by_hand()
        if "night" in parts and records.state.started is None:
            parts["night"]["last"] = self._last
        if "night" in parts and self._config.time_zone:
            parts["night"]["zone"] = self._config.time_zone
        if "kept" in wanted:
            kept = self._views.show(KEPT, lambda: self._kept.view(records.state), lambda f: not_shown([f]))
            parts = {"kept": kept} | parts
        if not records.opened or "league" not in wanted:
            return parts
        league = self._views.show(LEAGUE, lambda: self._league.view(records.state.book), lambda f: not_shown([f]))
        return {"league": league} | parts

    def _encoded(self, channel: str, part: dict[str, Any]) -> bytes:
        whole = Part(f"The pages with {channel}", page="/station/log", asks=True)
        return self._views.snapshot(whole, lambda: msgspec.json.encode(part))

    def _announced(self) -> dict[str, bytes]:
        """What is announced before the start, for everybody, where that changed."""
        records = self._records
        if self._announced_at == records.version:
            return {}
        self._announced_at = records.version
        state = records.state if records.opened else State(self._rulebook)
        levels, zone = self._config.levels, self._config.time_zone
        made = self._views.snapshot(ANNOUNCED, lambda: msgspec.json.encode(announced(state, levels, zone)))
        return {"announcements": made}

    def sheet(self, name: str) -> bytes:
        """A sheet as JSON; empty for a name that there is not. What is not on the disk yet is not in it."""
        night = self._records.on_disk()
        facts = {} if night.state.by_hand else self._facts()
        sheet = sheet_of(name, night, self._names, facts) or self._league.sheet(name, night.state.book)
        return msgspec.json.encode(sheet) if sheet is not None else b""

    def closed(self) -> set[str]:
        """Tables that play no longer."""
        tables = self._records.state.seats.tables.values()
        return {table.plan.table for table in tables if not table.open and not table.players}

    def by_hand(self) -> tuple[str, ...] | None:
        """The tables on which the event is played by hand, in order; None where tables report it, or there is
        none."""
        state = self._records.state
        if not self._records.opened or not state.by_hand:
            return None
        return tuple(name for name, table in state.seats.tables.items() if table.open or table.players)

    def seats_by_hand(self, table: str) -> tuple[Seat, ...]:
        """Seats with a player, in order."""
        return tuple(sorted(self._records.state.seats.tables[table].players))

    def out_at(self, table: str) -> tuple[OutThere, ...]:
        """Who went out of chips at a table and has not come back."""
        return tuple(out_there(self._records.state, self._watches[table].out, self._names))

    def names_at(self, table: str) -> dict[str, str]:
        """What the players of a table are called, by id."""
        sits = (held.player for held in self._watches[table].sits().values())
        return {player: named(player, self._names) for player in sits if player in self._names}
