"""When the public page is made anew: where something of it changed, and each minute of a tournament."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from feltwire.config import PublicPageConfig
from feltwire.runtime.views import Part, Views
from feltwire.station.alerts import StationAlerts
from feltwire.station.clock import StationClock
from feltwire.station.look import StationLook
from feltwire.station.public_page.contents import public_contents
from feltwire.station.station_io import Effect, PublicPageMade, PublicPageSeen
from feltwire.station.tournament.station_tournament import StationTournament
from feltwire.station.tournament.table_watch import Changes
from table_core.messages import ClockState, Millis

SHOWN = Part("The public page", page="/station/league")
ALERT = "public page"
HEARTBEAT_MS = 60_000  # so often it says that it is new, while a tournament is on


class PublicPage:
    """`state(now)` is the clock. Without a folder or a command nothing is made."""

    def __init__(
        self,
        config: PublicPageConfig,
        clock: StationClock,
        tournament: StationTournament,
        changes: Changes,
        look: StationLook,
        alerts: StationAlerts,
        views: Views,
        *,
        state: Callable[[Millis], ClockState],
    ) -> None:
        self._on = config.is_on
        self._pause_ms = config.every_s * 1_000
        self._clock = clock
        self._tournament = tournament
        self._changes = changes
        self._look = look
        self._alerts = alerts
        self._views = views
        self._state = state
        self._made: object = None  # of what
        self._made_at: Millis | None = None

    def wake_at(self) -> Iterator[Millis]:
        if self._on and self._made_at is not None:
            yield self._due()

    def go_on(self, now: Millis) -> Iterator[Effect]:
        if not self._on or (self._made_at is not None and now < self._due()):
            return
        self._made, self._made_at = self._known(), now
        contents = self._views.show(SHOWN, lambda: self._contents(now), lambda _: None)
        if contents is not None:
            yield PublicPageMade(self._clock.wall(now), self._is_on_now(), contents, self._look.now)

    def seen(self, given: PublicPageSeen) -> Iterator[Effect]:
        """What became of the last one."""
        if given.why:
            yield from self._alerts.warn(ALERT, f"The public page is not up to date: {given.why}")
        else:
            self._alerts.end(ALERT)

    def _contents(self, now: Millis) -> dict[str, object]:
        tournament = self._tournament
        night, instant = tournament.records.on_disk(), self._clock.instant(now)
        season = tournament.league.season(night.state.book)
        played = tournament.league.played()
        return public_contents(
            night, tournament.facts(now), tournament.names, self._state(now), played, season, instant
        )

    def _is_on_now(self) -> bool:
        """A tournament is open and not over: who reads the page expects news."""
        state = self._tournament.night.state
        return state.opened and state.finished is None and not state.cancelled

    def _known(self) -> object:
        tournament = self._tournament
        mark = self._clock.clock.mark
        clock = mark.revision, mark.running, mark.announcement
        return tournament.records.version, self._changes.count, tournament.league.state(), clock, self._look.now

    def _due(self) -> Millis:
        assert self._made_at is not None
        changed = self._known() != self._made
        pause = self._pause_ms if changed else max(HEARTBEAT_MS, self._pause_ms)
        never = not changed and not self._is_on_now()
        return Millis(self._made_at + (10**9 if never else pause))
