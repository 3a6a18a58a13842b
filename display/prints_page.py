"""Sheets of a tournament to print: where everybody sits, the standings, a season's statistics.

| path | is |
|---|---|
| `/seating` | by name and by table; `?by=name`, `?by=table` for one of them |
| `/standings` | who plays, by stack, and the places |
| `/statistics` | the season: played, places, knock-outs, money, points |

`?names=public` has players as the public reads them, and no money that a player paid; `?names=full` the names that
the desk has. Seating and standings are to be hung up, so public without it; statistics are the desk's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from display.look import CHANNEL as LOOK
from display.night_state import night_in
from display.push import Hub

PRINTS = ("seating", "standings", "statistics")
CHANNELS = ("night", "field", "stacks", "seats", "prizes", "league")
ON_THE_WALL = ("seating", "standings")
Row = dict[str, Any]


def print_sheet(sheet: str, request: Request, render: Callable[..., Response], hub: Hub) -> Response:
    """The page of one sheet; `render(request, template, **values)` draws it."""
    night = night_in(hub, CHANNELS)
    if not night.get("open"):
        text = "The director has opened no event."
        return render(request, "shared/message.html", status=404, heading="No event", text=text)
    said = request.query_params.get("names")
    full = said == "full" or (said != "public" and sheet not in ON_THE_WALL)
    values = VALUES[sheet](night, _called(night, full=full))
    by = request.query_params.get("by", "")
    return render(
        request, f"prints/{sheet}.html", night=night, full=full, by=by, sheet=sheet, logo=has_logo(hub), **values
    )


def has_logo(hub: Hub) -> bool:
    snapshot = hub.latest(LOOK)
    return snapshot is not None and bool(msgspec.json.decode(snapshot.data).get("logo"))


def _called(night: Mapping[str, Any], *, full: bool) -> Callable[[Row], str]:
    """What a row's player is called on this sheet."""
    shown = night.get("league", {}).get("shown", {}) | {one["player"]: one["shown"] for one in night["field"]}

    def called(one: Row) -> str:
        full_name = one.get("name") or one["player"]
        return str(full_name if full else shown.get(one["player"]) or one["player"])

    return called


def _seating(night: Mapping[str, Any], called: Callable[[Row], str]) -> Row:
    seated = [one for one in night["field"] if one["table"] is not None and not one["unsold"]]
    rows = [{"name": called(one), "table": one["table"], "seat": one["seat"]} for one in seated]
    tables: dict[str, list[Row]] = {}
    for row in sorted(rows, key=lambda row: (row["table"], row["seat"])):
        tables.setdefault(row["table"], []).append(row)
    return {"by_name": sorted(rows, key=lambda row: row["name"].casefold()), "by_table": tables}


def _standings(night: Mapping[str, Any], called: Callable[[Row], str]) -> Row:
    field: Iterable[Row] = night["field"]
    playing = [one for one in field if one["entries"] and one["place"] is None]
    playing.sort(key=lambda one: (-(one["stack"] or 0), called(one).casefold()))
    placed = sorted((one for one in field if one["place"] is not None), key=lambda one: one["place"])
    owed = night["money"]["owed"]
    rows = [{"place": None, "name": called(one), "stack": one["stack"], "prize": 0} for one in playing]
    rows += [
        {"place": one["place"], "name": called(one), "stack": None, "prize": owed.get(one["player"], 0)}
        for one in placed
    ]
    return {"rows": rows}


def _statistics(night: Mapping[str, Any], called: Callable[[Row], str]) -> Row:
    league = night.get("league", {})
    lines = [one | {"called": called(one)} for one in league.get("statistics", ())]
    return {"lines": lines, "events": [one["event"] for one in league.get("season_events", ())], "league": league}


VALUES: Mapping[str, Callable[[Mapping[str, Any], Callable[[Row], str]], Row]] = {
    "seating": _seating,
    "standings": _standings,
    "statistics": _statistics,
}
