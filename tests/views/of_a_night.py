"""Everything that the station makes of a tournament: channels, items of the queue, sheets, pages to print."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from display.app import create_app
from display.language import words_in
from display.money_sheets import places, receipt
from display.night_state import night_of
from display.push import Hub
from display.seat_sheets import seat_slips
from feltwire.lab.night.pages import PAGES, _asked
from feltwire.lab.strict_views import StrictViews
from feltwire.station.queue.late_levels import LateLevels
from feltwire.station.queue.of_decisions import DECISIONS, without_a_seat
from feltwire.station.queue.of_tournament import (
    OF_THE_FIELD,
    OF_THE_SEATS,
    items_of_trouble,
    missing_chips,
    old_chips,
)
from feltwire.station.queue.trouble import trouble
from feltwire.station.tournament.pages.sheets import SHEETS, sheet_of
from feltwire.station.tournament.pages.view import (
    CHANNELS,
    Shown,
    field_of_night,
    night_parts,
    out_there,
    posted,
)
from feltwire.station.tournament.season import SEASON_SHEETS, season_of
from feltwire.station.tournament.seat_orders import Given, Seen
from table_core.messages import Chips, Millis, QueueItem, encode
from table_core.projections.clock import clock_state
from table_core.projections.room import Field
from table_core.tournament.announcements import announced
from table_core.tournament.chips.account import chip_account
from table_core.tournament.events import Instant
from table_core.tournament.money.league import EventResult, result_of
from table_core.tournament.sheet_text import to_csv, to_json
from table_core.tournament.stops import over
from tests.table_core.tournament.simulated import Simulated
from tests.views import mutants

SEASON: tuple[EventResult, ...] = ()


def shown_of(played: Simulated) -> Shown:
    """What a station would make its pages of, without tables of its own."""
    seen = Seen(Given.by(played.night.records), {})
    return Shown(played.night, {}, dict(played.facts), seen, played.now)


def every_view(shown: Shown, chance: random.Random, season: tuple[EventResult, ...] = SEASON) -> None:
    """As it is, and as it may be. Raise what a view raises."""
    views_of(shown, season, printed=chance.random() < 0.3)
    other = shown._replace(
        facts=mutants.facts_of(shown.facts, chance),
        names=mutants.names_of({**dict.fromkeys(shown.state.field.entrants, "x"), **shown.names}, chance),
        now=chance.choice(
            (shown.now, _later(shown.now, 7 * 3_600_000), Instant("another", Millis(5), shown.now.wall))
        ),
    )
    views_of(other, season, printed=chance.random() < 0.1)


def _later(now: Instant, ms: int) -> Instant:
    return Instant(now.boot, Millis(now.at + ms), Millis(now.wall + ms))


def views_of(shown: Shown, season: tuple[EventResult, ...], *, printed: bool) -> None:
    night, names, facts, seen, now = shown
    state = night.state
    parts = night_parts(shown, CHANNELS, StrictViews())
    snapshots = {channel: msgspec.json.encode(part) for channel, part in parts.items()}
    for item in _items(shown):
        encode(item)
    for name in SHEETS:
        sheet = sheet_of(name, night, names, facts)
        assert sheet is not None
        _ = to_csv(sheet), to_json(sheet)
    results = (*season, result_of(state, state.name or "tonight")) if state.finished is not None else season
    for columns, rows in SEASON_SHEETS.values():
        _ = columns, list(rows(season_of(results, state.book), names))
    for watch in seen.watches.values():
        list(out_there(state, watch.out, names))
    field = field_of_night(night)
    if state.clock is not None:
        encode(clock_state(state.clock, now.at, posted(night, field or Field()), note=over(state)))
    snapshots["announcements"] = msgspec.json.encode(
        announced(state, state.clock.levels if state.clock else (), "")
    )
    if printed:
        _printed(snapshots)


def _items(shown: Shown) -> Iterator[QueueItem]:
    night, names, facts, seen, now = shown
    state = night.state
    of_trouble = trouble(
        state,
        facts,
        now,
        disk="no space",
        silent={table: Millis(0) for table in state.seats.tables},
        mute=tuple(facts)[:1],
        unheard=[*state.seats.tables][:1],
        by_hand=[*state.seats.tables][:1],
        names=names,
    )
    for found in of_trouble.values():
        yield from items_of_trouble(found(), now)
    if state.finished is None:
        for of_field in OF_THE_FIELD.values():
            yield from of_field(state, facts, names, now)
        for of_seats in OF_THE_SEATS.values():
            yield from of_seats(state, facts, names)
        yield from without_a_seat(state, names)
        yield from missing_chips(chip_account(state, facts).missing, state.book)
        smallest = {table: Chips(0) for table in state.seats.tables}
        yield from old_chips(state, smallest, now)
        if state.clock is not None and state.clock.mark.boot == now.boot:
            yield from LateLevels().look(state.clock, seen.watches, facts, now, "")
    for decide in DECISIONS.values():
        yield from decide(state, names)


def _printed(snapshots: Mapping[str, bytes]) -> None:
    """Pages that the station draws itself."""
    hub = Hub()
    for channel, snapshot in snapshots.items():
        hub.publish(channel, snapshot)
    app = create_app(hub=hub, pages=PAGES, venue="views", tables=(), public_overview=True)
    for path in ("/announcements", "/api/clock/now"):
        _answered(app, path, (200, 404))
    if b'"open":true' in snapshots["night"]:
        night = night_of(snapshots.values())
        _ = (
            places(night),
            seat_slips(night),
            [receipt(night, one, words_in("en", ("print",))) for one in night["field"]],
        )


def _answered(app: Any, path: str, fits: tuple[int, ...]) -> None:
    status, _ = asyncio.run(_asked(app, path))
    assert status in fits, (path, status)
