"""What the station knows of its tables: read by the tournament, the queue and the pages."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

from feltwire.runtime.broker.backoff import ASK_AGAIN_AT_MOST_MS
from feltwire.runtime.node_io import ScreensSeen
from feltwire.station.director.arguments import RewindWanted
from feltwire.station.tables.cells import SILENT_MS, STALE_MS, ToAct, cell_of, liveness_of
from feltwire.station.tables.link import ProgramSeen, TableLink
from feltwire.station.tournament.table_watch import TableWatch
from table_core.messages import (
    Cell,
    CellState,
    ChangeSeats,
    DeviceState,
    HealthView,
    Millis,
    QueueItem,
    Refusal,
    RulingView,
    Severity,
    TableRuling,
    TableView,
)
from table_core.projections.table import TableProjection
from table_core.rulebook import Rulebook
from table_core.tournament.state import TableFacts


class KnownTables:
    """Nothing here changes a table or sends to it."""

    def __init__(self, links: Mapping[str, TableLink], rulebook: Rulebook, started_at: Millis) -> None:
        self._links = links
        self._rulebook, self._sha256 = rulebook, rulebook.sha256()
        self._started_at = started_at
        self._to_act = ToAct()

    @property
    def tables(self) -> Iterable[str]:
        return self._links.keys()

    # -------------------------------------------------------------------------------- their events

    def views(self) -> list[TableView]:
        """The tables that have sent something, as of the last event collected from each."""
        return [link.model.view for link in self._links.values() if link.model.view is not None]

    def view(self, table: str) -> TableView | None:
        return self._links[table].model.view

    def devices(self, table: str) -> dict[str, DeviceState]:
        """The devices of a table. Their own topics are fresher than the events, and say it also for a device
        that never changed."""
        link, view = self._links[table], self.view(table)
        return {**(view.devices if view is not None else {}), **link.devices}

    def health(self, table: str) -> HealthView | None:
        """How its devices are, where it has said so."""
        return self._links[table].health

    def watches(self) -> dict[str, TableWatch]:
        """What the tournament reads in the tables' events."""
        return {table: link.model.watch for table, link in self._links.items()}

    def facts(self) -> dict[str, TableFacts]:
        """What every table reports of the tournament."""
        return {table: link.model.facts() for table, link in self._links.items()}

    def seats_changed_at(self, table: str) -> tuple[int, int] | None:
        """The last event with which the seats of a table changed; None while its events are not all here."""
        link = self._links[table]
        return None if link.model.fault or link.misses_events or not link.seq else link.model.seats_changed_at

    def state_of(self, table: str) -> TableProjection | None:
        """What is known of a table; None where there is no such table."""
        link = self._links.get(table)
        return link.model.table if link is not None else None

    def going_back(self, wanted: RewindWanted) -> Sequence[str] | Refusal:
        """What going back at a table would do, in sentences; or why that cannot be."""
        return self._links[wanted.table].model.going_back(wanted)

    def open_ruling(self, table: str) -> RulingView | None:
        """The incident open at a table; None where there is none, or no such table."""
        link = self._links.get(table)
        return link.rulings().ruling if link is not None else None

    def ruling(self, table: str) -> TableRuling:
        return self._links[table].rulings()

    def ruling_without_the_last(self, table: str) -> TableRuling:
        """What the table says is open there, and nothing that is computed here."""
        open_ = self._links[table].open
        return TableRuling(table, open_.ruling if open_ is not None else None, None)

    def cannot_show(self, table: str) -> str:
        """The id of what the table cannot show; empty where it shows everything."""
        return self._links[table].cannot_show

    def problems(self, table: str) -> Iterator[str]:
        """Problems of a table for the director."""
        link = self._links[table]
        yield from link.problems()
        played = link.model.other_rulebook(self._rulebook, self._sha256)
        if played:
            yield (
                f"Table {link.table} plays under another version of {played} than the station has: copy the "
                "same file to both and start them again."
            )

    def screens(self) -> Iterator[tuple[str, ScreensSeen]]:
        """What each table said last of phones that ask there or were let in."""
        yield from ((table, link.screens) for table, link in self._links.items() if link.screens is not None)

    def program(self, table: str) -> ProgramSeen | None:
        """Which program it runs, where it has said so."""
        return self._links[table].program

    # -------------------------------------------------------------------------- whether they are heard

    def silent(self, now: Millis) -> dict[str, Millis]:
        """Tables that have not answered a beat for ten seconds, with the boot time of the last one."""
        heard = {link.table: link.heard_at or self._started_at for link in self._links.values()}
        return {table: at for table, at in heard.items() if now - at >= SILENT_MS}

    def unheard(self) -> set[str]:
        """Tables that were not heard since the station was started."""
        return {link.table for link in self._links.values() if link.heard_at is None}

    def nobody_heard(self) -> bool:
        """Whether no table is connected or was heard since the station was started, or there is none."""
        return not any(link.online or link.heard_at is not None for link in self._links.values())

    def by_hand(self) -> set[str]:
        """Tables without any device, as far as their events are here."""
        return {view.table for view in self.views() if view.by_hand}

    def is_heard(self, table: str, now: Millis) -> bool:
        link = self._links.get(table)
        return link is not None and link.answers and self.quiet_ms(table, now) < STALE_MS

    def quiet_ms(self, table: str, now: Millis) -> int:
        """How long nothing has been heard of a table."""
        link = self._links[table]
        return now - (self._started_at if link.heard_at is None else link.heard_at)

    def all_quiet_ms(self, now: Millis, closed: Container[str]) -> int:
        """How long nothing has been heard of any table that was heard before, where there are several; those in
        `closed` do not count."""
        heard = [link.heard_at for link in self._links.values() if link.heard_at and link.table not in closed]
        return now - max(heard) if len(heard) > 1 else 0

    def goes_quiet_at(self, now: Millis) -> Millis | None:
        """When the next table will be stale or silent, if it is not heard before."""
        quiet = (self.quiet_ms(table, now) for table in self._links)
        left = (limit - ms for ms in quiet for limit in (STALE_MS, SILENT_MS) if ms < limit)
        return Millis(now + ms) if (ms := min(left, default=None)) is not None else None

    def mute(self) -> tuple[str, ...]:
        """Tables that are connected and have not answered a command for half a minute. Seats wait for the end of a
        hand."""
        return tuple(
            link.table
            for link in self._links.values()
            if link.online
            and any(
                waiting.backoff.wait_ms >= ASK_AGAIN_AT_MOST_MS
                and not (isinstance(waiting.command, ChangeSeats) and link.model.facts().in_hand)
                for waiting in link.outgoing.values()
            )
        )

    # ---------------------------------------------------------------------------------------- cells

    def cell(self, table: str, now: Millis, closed: Container[str], items: Sequence[QueueItem]) -> Cell:
        """One table; those in `closed` play no longer. `items` are the table's, the worst first."""
        link = self._links[table]
        view = link.model.view
        return cell_of(
            link.table,
            view,
            link.model.facts() if view is not None else None,
            self.quiet_ms(link.table, now),
            online=link.answers,
            to_act_ms=self._to_act.ms(view, now) if view is not None else 0,
            closed=link.table in closed,
            items=items,
        )

    def cell_not_shown(self, table: str, now: Millis) -> Cell:
        """What is left of it where the rest cannot be shown."""
        link, quiet = self._links[table], self.quiet_ms(table, now)
        heard = liveness_of(quiet if link.answers else max(quiet, STALE_MS))
        return Cell(table, CellState.NOT_SHOWN, heard, quiet, trouble=Severity.NOW)
