"""The end of an event at the station: its records are put aside, and the next one may begin as it did."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from feltwire.config import StationConfig
from feltwire.station.clock import StationClock
from feltwire.station.station_io import CloseEvent
from feltwire.station.station_store import ClockRecord
from feltwire.station.tournament.words import named
from table_core.messages import Frozen, Millis, Text
from table_core.tournament.clock import TournamentClock
from table_core.tournament.money.prizes import owed
from table_core.tournament.state import State


class CloseEventWanted(Frozen, frozen=True):
    """Put the records of the event aside, so that the next one can be opened. `anyway`: why, where it is not
    over or prizes are not paid."""

    anyway: Text = ""


def why_open(state: State, names: Mapping[str, str]) -> Iterator[str]:
    """What is not done yet, a sentence each."""
    if state.finished is None and not state.cancelled:
        yield f"{state.field.playing} players are in: the event is not over."
    for player, amount in owed(state).items():
        left = amount - state.prizes.paid.get(player, 0)
        if left > 0 and not state.cancelled:
            yield f"{named(player, names)} has not been paid {left / 100:,.2f}."
        elif left < 0:
            yield f"{named(player, names)} was paid {-left / 100:,.2f} too much."


def closed(
    state: State, names: Mapping[str, str], clock: StationClock, config: StationConfig, now: Millis
) -> CloseEvent:
    """What closes the event of `state`. The clock stands at the beginning of the station's own schedule; tables
    take it, because its schedule is of a later revision than the event's."""
    before = clock.record(now)
    fresh = TournamentClock.new(config.levels, boot=clock.boot, now=now)
    later = {"revision": before.mark.revision + 1, "announcement": before.mark.announcement + 1}
    record = ClockRecord(fresh.levels, before.schedule_revision + 1, msgspec.structs.replace(fresh.mark, **later))
    return CloseEvent(state.day, record, msgspec.json.encode(last_of(state, names)))


def last_of(state: State, names: Mapping[str, str]) -> dict[str, Any]:
    """Arguments of `open` for an event like this one, and who was kept apart in it."""
    levels = state.clock.levels if state.clock is not None else ()
    return {
        "open": {
            "name": state.name,
            "rulebook": state.book.id,
            "house": state.book.house_settings(event=True),
            "levels": msgspec.to_builtins(levels),
        }
        | ({"by_hand": True} if state.by_hand else {}),
        "apart": [
            [{"player": one, "name": named(one, names)} for one in sorted(pair)] for pair in state.seats.apart
        ],
    }
