"""Sheets of the field, to print: a slip with the seat for every player, and the list on which players sign in.

`/slips`, `/slips?player=p7` for one, and `/signatures`; drawn from the channels of the tournament.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from display.night_state import night_in
from display.push import Hub

SEAT_SHEETS = ("slips", "signatures")
ON_THE_LIST = ("waiting", "registered", "playing")
WALK_INS = 12  # empty lines of the sign-in sheet
CHANNELS = ("night", "field", "seats")


def seat_sheet(sheet: str, request: Request, render: Callable[..., Response], hub: Hub) -> Response:
    """The page of one sheet; `render(request, template, **values)` draws it."""
    night = night_in(hub, CHANNELS)
    if not night.get("open"):
        text = "The director has opened no event."
        return render(request, "shared/message.html", status=404, heading="No event", text=text)
    if sheet == "signatures":
        listed = [one for one in night["field"] if one["status"] in ON_THE_LIST and not one["unsold"]]
        return render(request, "seats/signatures.html", night=night, listed=listed, walk_ins=WALK_INS)
    player = request.query_params.get("player")
    slips = [slip for slip in seat_slips(night) if player in (None, slip["player"])]
    if not slips:
        text = f"{player or 'Nobody'} has a seat to go to."
        return render(request, "shared/message.html", status=404, heading="No slip", text=text)
    return render(request, "seats/slips.html", night=night, slips=slips)


def seat_slips(night: dict[str, Any]) -> list[dict[str, Any]]:
    """A slip for everybody who sits or is on the way: player, name, table, seat; `start`, where a move begins."""
    moves = {move["player"]: move for move in night["moves"]}
    slips = []
    for one in night["field"]:
        move = moves.get(one["player"])
        at = move["to"] if move else one
        if at["table"] is None or one["unsold"]:
            continue
        slip = {"player": one["player"], "name": one["name"], "table": at["table"], "seat": at["seat"]}
        slips.append(slip | {"start": move and move["start"], "rule": move and move["rule"]})
    return sorted(slips, key=lambda slip: (slip["table"], slip["seat"]))
