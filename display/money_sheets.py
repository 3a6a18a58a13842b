"""Sheets of the tournament's money, to print: what each place pays, and a receipt for every player.

`/payouts` and `/receipts`, `/receipts?player=p7` for one; drawn from the tournament's channels, in cents.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from display.language import Words
from display.night_state import night_in
from display.push import Hub

SHEETS = ("payouts", "receipts")
CHANNELS = ("night", "field", "prizes")


def money_sheet(sheet: str, request: Request, render: Callable[..., Response], hub: Hub) -> Response:
    """The page of one sheet; `render(request, template, **values)` draws it."""
    night = night_in(hub, CHANNELS)
    if not night.get("open"):
        text = "The director has opened no event."
        return render(request, "shared/message.html", status=404, heading="No event", text=text)
    if sheet == "payouts":
        return render(request, "money/payouts.html", night=night, places=places(night))
    player = request.query_params.get("player")
    field = [one for one in night["field"] if one["entries"] and player in (None, one["player"])]
    if not field:
        text = f"{player or 'Nobody'} has paid nothing."
        return render(request, "shared/message.html", status=404, heading="No receipt", text=text)
    return render(request, "money/receipts.html", night=night, field=field, receipt=receipt)


def places(night: dict[str, Any]) -> list[dict[str, Any]]:
    """A line for each place that pays, or whose player is owed money: place, amount, who has it and what was paid.
    Who shares a place has a line each."""
    sums = night["money"]
    by_place = {
        place: list(shared)
        for place, shared in groupby(
            sorted((one for one in night["field"] if one["place"]), key=lambda one: one["place"]),
            key=lambda one: one["place"],
        )
    }
    lines = []
    for place in sorted({*range(1, len(sums["payouts"]) + 1), *by_place}):
        pays = sums["payouts"][place - 1] if place <= len(sums["payouts"]) else 0
        for one in by_place.get(place, [None]):
            owed = sums["owed"].get(one["player"], 0) if one else None
            if pays or owed:
                paid = sums["paid"].get(one["player"], 0) if one else 0
                to = sums["seat_prizes"].get(one["player"], "") if one else ""
                name = one["name"] if one else ""
                lines.append({"place": place, "pays": pays, "name": name, "owed": owed, "paid": paid, "to": to})
    return lines


def receipt(night: dict[str, Any], one: dict[str, Any], words: Words) -> dict[str, Any]:
    """What a player has paid and got: `lines` of words and cents."""
    sums, player = night["money"], one["player"]
    bought = {kind: number for kind, number in one["bought"].items() if number}
    what = [words.plural("{n} entry", "{n} entries", one["entries"])]
    what += [_bought(kind, number, words) for kind, number in bought.items()]
    lines = [(", ".join(what), one["paid"])]
    lines += [(words("Rebuy owed, not paid"), one["owes"])] if one["owes"] is not None else []
    hunted = sum(player in hunters for hunters in sums["bounties"]["hunters"].values())
    lines += [(words("Bounty games entered: {n}", n=hunted), hunted * sums["bounty_price"])] if hunted else []
    got = [(words("Prize for place {place}", place=one["place"]), sums["paid"].get(player, 0))]
    got += [(words("Bounties"), sums["bounties"]["won"].get(player, 0))]
    got += [(words("Best hand of the night"), (night["best_hand"]["won"] or {}).get(player, 0))]
    to = sums["seat_prizes"].get(player, "")
    return {
        "name": one["name"],
        "paid": lines,
        "got": [(what_for, cents) for what_for, cents in got if cents],
        "to": to if sums["paid"].get(player) else "",
    }


def _bought(kind: str, number: int, words: Words) -> str:
    match kind:
        case "rebuy":
            return words.plural("{n} rebuy", "{n} rebuys", number)
        case "break":
            return words.plural("{n} purchase in the break", "{n} purchases in the break", number)
        case _:
            return words.plural("{n} add-on", "{n} add-ons", number)
