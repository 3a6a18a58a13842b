"""What a night's story expects of players: who they are, what they have, where they stand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from feltwire.lab.night.found import Expectations, entrant_of, money, same, short
from table_core.tournament.penalties import history, merges_missed

if TYPE_CHECKING:
    from feltwire.lab.night.play import Playing


def _status(playing: Playing, rest: str) -> str:
    name, _, status = rest.partition(" ")
    return same(entrant_of(playing, name)["status"], status)


def _stack(playing: Playing, rest: str) -> str:
    """`chips p1 9000`: given to the player less what was taken."""
    name, _, chips = rest.partition(" ")
    entrant = entrant_of(playing, name)
    return same(entrant["chips"] - entrant["removed"], int(chips))


def _place(playing: Playing, rest: str) -> str:
    name, _, place = rest.partition(" ")
    return same(entrant_of(playing, name)["place"], int(place) if place else None)


def _reported_stack(playing: Playing, rest: str) -> str:
    """`stack p1 4000`: as the player's table reports it."""
    name, _, stack = rest.partition(" ")
    return same(entrant_of(playing, name)["stack"], int(stack))


def _to_count(playing: Playing, rest: str) -> str:
    """`to-count p1 all_in`: the stack is to be counted, for that reason."""
    name, _, why = rest.partition(" ")
    one = entrant_of(playing, name)
    asked = playing.shown["chips"]["to_count"]
    found = [each["why"] for each in asked if each["table"] == one["table"] and one["seat"] in each["seats"]]
    return "" if found and why in ("", *found) else f"to count: {found}"


def _count_differs(playing: Playing, rest: str) -> str:
    """`count-differs p1 hands 13 to 20 of table 1`: one item is open, of these hands."""
    name, _, hands = rest.partition(" ")
    found = [item["hands"] for item in playing.shown["chips"]["items"] if item["player"] == name]
    return "" if found and hands in ("", *found) else f"open: {found}"


def _miscount(playing: Playing, rest: str) -> str:
    """`miscount 1/6`: a stack was counted otherwise than the records have it."""
    found = [short(one) for one in playing.shown["chips"]["items"]]
    return "" if rest in found else f"to be counted: {found}"


def _missing_chips(playing: Playing, rest: str) -> str:
    return same(playing.shown["chips"]["missing"], int(rest))


def _pending(playing: Playing, rest: str) -> str:
    pending = [out["player"] for bust in playing.shown["busts"] for out in bust["out"]]
    return (
        ("" if pending else "nobody is pending")
        if not rest
        else ("" if rest in pending else f"pending: {pending}")
    )


def _places(playing: Playing, rest: str) -> str:
    """`places 2 of 9 waiting 1`: places that nobody has, of how many, and who waits; in part."""
    found = playing.shown["places"]
    said = f"{found['left']} of {found['limit']} waiting {found['waiting']}"
    return "" if f"{said} ".startswith(f"{rest} ") or said.endswith(f" {rest}") else f"is {said}"


def _guaranteed(playing: Playing, rest: str) -> str:
    return "" if entrant_of(playing, rest)["guaranteed"] else f"{rest} is not sure of a seat"


def _lock_out(playing: Playing, rest: str) -> str:
    found = playing.shown["proposals"]["lock_outs"]
    return "" if rest in found else f"to be locked out: {found}"


def _applied(playing: Playing, rest: str) -> str:
    """`applied NAME`: plays, and the membership number comes later."""
    entrant = entrant_of(playing, rest)
    return "" if entrant["applied"] and not entrant["member"] else f"{rest} waits for no number"


def _absent(playing: Playing, rest: str) -> str:
    """`absent p3`: may be removed now; `absent p3 left 5:00`; `absent p3 clock 9:00`: by a clock that stood."""
    name, _, clock = rest.partition(" clock ")
    if clock:
        by = {one["player"]: one["clock_left_ms"] for one in playing.shown["proposals"]["absences"]}
        minutes, seconds = divmod((by.get(name) or 0) // 1_000, 60)
        return same(f"{minutes}:{seconds:02}", clock)
    name, _, left = rest.partition(" left ")
    found = {one["player"]: one["left_ms"] for one in playing.shown["proposals"]["absences"]}
    if name not in found:
        return f"absent: {found}"
    minutes, seconds = divmod(found[name] // 1_000, 60)
    return same(f"{minutes}:{seconds:02}", left or "0:00")


def _credit(playing: Playing, rest: str) -> str:
    return "" if entrant_of(playing, rest)["credited"] else f"{rest} gets no points"


def _suspended(playing: Playing, rest: str) -> str:
    return "" if entrant_of(playing, rest)["suspended"] else f"{rest} is not suspended"


def _left(playing: Playing, rest: str) -> str:
    return same(playing.shown["players_left"], int(rest))


def _penalty(playing: Playing, rest: str) -> str:
    """`penalty p3 warning`: the last one of the player."""
    name, _, kind = rest.partition(" ")
    given = history(playing.state, name)
    return same(given[-1].kind.value if given else "none", kind)


def _merge_missed(playing: Playing, rest: str) -> str:
    """`merge-missed p3 [rule ID]`"""
    name, _, rule = rest.partition(" rule ")
    found = {one.player: one.rule for one in merges_missed(playing.state, playing.now, playing.facts)}
    return "" if name in found and rule in ("", found[name]) else f"missed the merge: {found}"


def _time_out(playing: Playing, rest: str) -> str:
    """`time-out p3`, `time-out p3 hands 5`, `time-out p3 left 1:00`."""
    name, what, length = rest.partition(" hands ") if " hands " in rest else rest.partition(" left ")
    found = {one["player"]: one for one in playing.shown["time_outs"]}
    if name not in found:
        return f"time-outs: {found}"
    if what == " left ":
        minutes, seconds = divmod(found[name]["left_ms"] // 1_000, 60)
        return same(f"{minutes}:{seconds:02}", length)
    return same(found[name]["hands"], int(length)) if what else ""


def _undecided(playing: Playing, rest: str) -> str:
    """`undecided p3 p4`: a person is to decide their places; `undecided`: anybody's."""
    found = [sorted(one["players"]) for one in playing.shown["money"]["undecided"]]
    return "" if (sorted(rest.split()) in found if rest else found) else f"undecided: {found}"


def _points(playing: Playing, rest: str) -> str:
    """`points p3 40`: by the place in this event, as its sheet of results has them."""
    name, _, points = rest.partition(" ")
    sheet = playing.sheet("results")
    found = next((row["points"] for row in sheet if row["name"] == name), None)
    return same(found or 0, int(points))


def _standing(playing: Playing, rest: str) -> str:
    """`standing p3 88`: points in the league's season."""
    name, _, points = rest.partition(" ")
    found = next((row["points"] for row in playing.sheet("season") if row["player"] == name), 0)
    return same(found, int(points))


def _final_field(playing: Playing, rest: str) -> str:
    """`final-field 9 winner 7 score`: who plays the season's final, and how they came in."""
    ways = [row["how"] for row in playing.sheet("final")]
    return same(" ".join(f"{ways.count(how)} {how}" for how in ("winner", "score") if how in ways), rest)


def _penalties(playing: Playing, rest: str) -> str:
    """`penalties p3 2`: so many count."""
    name, _, number = rest.partition(" ")
    return same(len(history(playing.state, name)), int(number))


def _knockouts(playing: Playing, rest: str) -> str:
    name, _, number = rest.partition(" ")
    return same(playing.state.field.knockouts.get(name, 0), int(number))


def _target(playing: Playing, rest: str) -> str:
    game, _, name = rest.partition(" ")
    return same(playing.state.bounties.targets.get(game, ""), name)


def _targets(playing: Playing, rest: str) -> str:
    """`targets 2`: so many bounty targets there are."""
    return same(len(playing.state.bounties.targets), int(rest))


def _bounty(playing: Playing, rest: str) -> str:
    """`bounty p4 12`; `bounty over A 6`: carried into the next tournament."""
    name, _, amount = rest.removeprefix("over ").partition(" ")
    found = playing.state.bounties.over if rest.startswith("over ") else playing.state.bounties.won
    return same(money([found.get(name, 0)]), amount)


def _bounty_open(playing: Playing, rest: str) -> str:
    """`bounty-open A`: a person is to decide whose the money is."""
    found = playing.state.bounties.open
    return "" if rest in found else f"open: {', '.join(found)}"


PLAYERS: Expectations = {
    "status": _status,
    "chips": _stack,
    "place": _place,
    "stack": _reported_stack,
    "to-count": _to_count,
    "count-differs": _count_differs,
    "miscount": _miscount,
    "missing": _missing_chips,
    "pending": _pending,
    "places": _places,
    "guaranteed": _guaranteed,
    "lock-out": _lock_out,
    "applied": _applied,
    "absent": _absent,
    "credit": _credit,
    "suspended": _suspended,
    "left": _left,
    "penalty": _penalty,
    "merge-missed": _merge_missed,
    "time-out": _time_out,
    "undecided": _undecided,
    "points": _points,
    "standing": _standing,
    "final-field": _final_field,
    "penalties": _penalties,
    "knockouts": _knockouts,
    "target": _target,
    "targets": _targets,
    "bounty": _bounty,
    "bounty-open": _bounty_open,
}
