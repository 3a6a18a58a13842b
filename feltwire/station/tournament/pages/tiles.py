"""The tables of an event that is played by hand: who sits where, and who went out last, for the pages on which a
press puts a player out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from feltwire.station.tournament.words import named
from table_core.tournament.events import Instant, OutByHand
from table_core.tournament.field.out_by_hand import members
from table_core.tournament.field.rebuys import rebuys_open
from table_core.tournament.night import Night
from table_core.tournament.policies import BustRank
from table_core.tournament.seats.chairs import is_full, may_open
from table_core.tournament.state import State, Status, TableSeats

OUTS_SHOWN = 12


def tiles(night: Night, names: Mapping[str, str], now: Instant) -> dict[str, Any] | None:
    """None where tables report the event. `outs` are the newest first, each with its `hand`; `ranked`: who had
    more chips decides the places of one hand; `rebuys`: whether the book has one for somebody now."""
    state = night.state
    if not state.by_hand:
        return None
    add_on, ranked = state.book.tournament.add_on, state.book.tournament.simultaneous_bust_rank
    return {
        "tables": [_table(state, table, names) for table in _shown(state)],
        "outs": list(_outs(night, names)),
        "ranked": ranked.value is BustRank.LARGER_START_STACK,
        "rule": ranked.rule,
        "hand_for_hand": state.hand_for_hand is not None,
        "rebuys": rebuys_open(state, now),
        "add_on": add_on is not None and bool(add_on.value),
        "started": state.started is not None,
        "finished": state.finished is not None,
    }


def _shown(state: State) -> Iterator[TableSeats]:
    """Those that are played on, and the next one that may be opened."""
    tables = state.seats.tables.values()
    yield from (table for table in tables if table.open or table.players)
    yield from [table for table in tables if may_open(state, table)][:1]


def _table(state: State, table: TableSeats, names: Mapping[str, str]) -> dict[str, Any]:
    return {
        "table": table.plan.table,
        "open": table.open,
        "seats": [_seat(state, seat, player, names) for seat, player in sorted(table.players.items())],
        "free": [] if is_full(state, table) else table.free(),
    }


def _seat(state: State, seat: int, player: str, names: Mapping[str, str]) -> dict[str, Any]:
    stack = state.chips.by_hand.get(player)
    shown: dict[str, Any] = {"seat": seat, "player": player, "name": named(player, names)}
    if state.field.entrants[player].away is not None:
        shown["away"] = True
    if stack is not None:
        shown |= {"stack": stack[0], "counted": stack[1].wall}
    return shown


def _outs(night: Night, names: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    state, found = night.state, 0
    for record in reversed(night.records):
        event = record.event
        if found == OUTS_SHOWN:
            return
        if not isinstance(event, OutByHand) or not night.stands(record.no):
            continue
        entrant = state.field.entrants[event.player]
        if entrant.status is not Status.OUT or all(
            event.player not in one for one in members(state, event.together)
        ):
            continue
        found += 1
        at = state.field.seats_of_gone.get(event.player)
        yield {
            "player": event.player,
            "name": named(event.player, names),
            "hand": event.together,
            "at": record.at.wall,
            "table": at.table if at is not None else "",
            "place": entrant.place,
            "record": record.no,
        }
