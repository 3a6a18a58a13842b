"""What must follow in a night's story: each kind of expectation is one function of the night and its words.

They read what the station shows: its view of the tournament, and its clock.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from feltwire.lab.night.pages import page_text
from feltwire.lab.night.story import MIDNIGHT_MS
from table_core.tournament.money.prizes import fees_taken
from table_core.tournament.penalties import history, merges_missed
from table_core.tournament.state import State

if TYPE_CHECKING:
    from feltwire.lab.night.play import Playing


SUIT_NAMES = {"s": "spades", "h": "hearts", "c": "clubs", "d": "diamonds"}


def missing(playing: Playing, text: str) -> str:
    """What of an expectation does not hold; empty where it does. Raise `ValueError` for words that are none."""
    word, _, rest = text.partition(" ")
    if word == "no" and rest:
        word, _, rest = rest.partition(" ")
        if word not in _EXPECTATIONS:
            raise ValueError(_unknown(word))
        found = _EXPECTATIONS[word](playing, rest)
        return "" if found else f"there is: {text.removeprefix('no ')}"
    if word not in _EXPECTATIONS:
        raise ValueError(_unknown(word))
    return _EXPECTATIONS[word](playing, rest)


def _unknown(word: str) -> str:
    return f"no expectation {word!r}; there are: {', '.join(sorted(_EXPECTATIONS))}"


def _same(found: object, expected: object) -> str:
    return "" if found == expected else f"is {found}"


def _entrant(playing: Playing, name: str) -> dict[str, Any]:
    field: list[dict[str, Any]] = playing.shown["field"]
    found = next((one for one in field if one["player"] == name), None)
    if found is None:
        raise ValueError(f"{name} is not registered")
    return found


def _state(playing: Playing) -> State:
    return playing.state


def _refused(playing: Playing, rest: str) -> str:
    if playing.refused is None:
        return "it was carried out"
    words = rest.strip('"')
    said = f"{playing.refused.rule} {playing.refused.text}"
    return "" if words in said else f"refused otherwise: {said}"


def _record(playing: Playing, rest: str) -> str:
    """`record docked rule ccp.late.4`: what the last press recorded."""
    tag, _, rule = rest.partition(" rule ")
    events = [one["event"] for one in reversed(playing.shown["log"]) if one["no"] > playing.since]
    tags = [event["type"] for event in events]
    rules = [event.get("rule", "") for event in events]
    held = any(one == tag and (not rule or other == rule) for one, other in zip(tags, rules, strict=True))
    return "" if held else f"recorded: {', '.join(f'{t} {r}'.strip() for t, r in zip(tags, rules, strict=True))}"


def _status(playing: Playing, rest: str) -> str:
    name, _, status = rest.partition(" ")
    return _same(_entrant(playing, name)["status"], status)


def _to_count(playing: Playing, rest: str) -> str:
    """`to-count p1 all_in`: the stack is to be counted, for that reason."""
    name, _, why = rest.partition(" ")
    one = _entrant(playing, name)
    asked = playing.shown["chips"]["to_count"]
    found = [each["why"] for each in asked if each["table"] == one["table"] and one["seat"] in each["seats"]]
    return "" if found and why in ("", *found) else f"to count: {found}"


def _count_differs(playing: Playing, rest: str) -> str:
    """`count-differs p1 hands 13 to 20 of table 1`: one item is open, of these hands."""
    name, _, hands = rest.partition(" ")
    found = [item["hands"] for item in playing.shown["chips"]["items"] if item["player"] == name]
    return "" if found and hands in ("", *found) else f"open: {found}"


def _stack(playing: Playing, rest: str) -> str:
    """`chips p1 9000`: given to the player less what was taken."""
    name, _, chips = rest.partition(" ")
    entrant = _entrant(playing, name)
    return _same(entrant["chips"] - entrant["removed"], int(chips))


def _place(playing: Playing, rest: str) -> str:
    name, _, place = rest.partition(" ")
    return _same(_entrant(playing, name)["place"], int(place) if place else None)


def _seat(playing: Playing, rest: str) -> str:
    """`seat p1 2/5`; `seat p1` alone: anywhere."""
    name, _, seat = rest.partition(" ")
    at = _entrant(playing, name)
    found = _short(at) if at["table"] is not None else ""
    return ("" if found else "sits nowhere") if not seat else _same(found, seat)


def _left(playing: Playing, rest: str) -> str:
    return _same(playing.shown["players_left"], int(rest))


def _tables(playing: Playing, rest: str) -> str:
    """`tables 8 8 7`: players at the open tables."""
    counts = [len(table["seats"]) for table in playing.shown["tables"] if table["open"]]
    return _same(" ".join(map(str, counts)) or "0", rest)


def _pending(playing: Playing, rest: str) -> str:
    pending = [out["player"] for bust in playing.shown["busts"] for out in bust["out"]]
    return (
        ("" if pending else "nobody is pending")
        if not rest
        else ("" if rest in pending else f"pending: {pending}")
    )


def _moves(playing: Playing, rest: str) -> str:
    """`move p7 from 1/3 to 2/5 rule ccp.moving.3`, in any part; `move`: any."""
    said = [
        f"{move['player']} from {_short(move['start'])} to {_short(move['to'])} rule {move['rule']}"
        for move in playing.shown["proposals"]["moves"]
    ]
    return "" if any(_words_in(rest, text) for text in said) else f"proposed: {said}"


def _short(at: Mapping[str, Any]) -> str:
    return f"{at['table']}/{at['seat']}"


def _words_in(wanted: str, text: str) -> bool:
    return all(f" {part} " in f" {text} " for part in re.split(r" (?=from|to|rule)", wanted) if part)


def _break(playing: Playing, rest: str) -> str:
    found = playing.shown["proposals"]["break"]
    if found is None:
        return "no table is to break"
    return "" if rest in ("", found["table"]) else f"table {found['table']}"


def _buttons(playing: Playing, rest: str) -> str:
    """`new-button 1`: newcomers at table 1 ask for a new draw."""
    found = playing.shown["proposals"]["buttons"]
    return "" if rest in found else f"proposed at: {found}"


def _absent(playing: Playing, rest: str) -> str:
    """`absent p3`: may be removed now; `absent p3 left 5:00`."""
    name, _, left = rest.partition(" left ")
    found = {one["player"]: one["left_ms"] for one in playing.shown["proposals"]["absences"]}
    if name not in found:
        return f"absent: {found}"
    minutes, seconds = divmod(found[name] // 1_000, 60)
    return _same(f"{minutes}:{seconds:02}", left or "0:00")


def _time_out(playing: Playing, rest: str) -> str:
    found = [one["player"] for one in playing.shown["time_outs"]]
    return "" if rest in found else f"time-outs: {found}"


def _page(playing: Playing, rest: str) -> str:
    """`page /rules wfp.seating.1 says WORDS`; without an id the whole page."""
    place, _, words = rest.partition(" says ")
    if not words:
        raise ValueError("expected `page PATH [ID] says WORDS`")
    path, _, anchor = place.partition(" ")
    found = page_text(playing.room.station, path, anchor)
    return "" if words.lower() in found.lower() else f"it says: {found[:300]}"


def _penalty(playing: Playing, rest: str) -> str:
    """`penalty p3 warning`: the last one of the player."""
    name, _, kind = rest.partition(" ")
    given = history(_state(playing), name)
    return _same(given[-1].kind.value if given else "none", kind)


def _merge_missed(playing: Playing, rest: str) -> str:
    """`merge-missed p3 [rule ID]`"""
    name, _, rule = rest.partition(" rule ")
    found = {one.player: one.rule for one in merges_missed(_state(playing), playing.now, playing.facts)}
    return "" if name in found and rule in ("", found[name]) else f"missed the merge: {found}"


def _money(amounts: Sequence[int]) -> str:
    return " ".join(f"{amount / 100:g}" for amount in amounts)


def _payouts(playing: Playing, rest: str) -> str:
    return _same(_money(playing.shown["money"]["payouts"]), rest)


def _owed(playing: Playing, rest: str) -> str:
    name, _, amount = rest.partition(" ")
    return _same(_money([playing.shown["money"]["owed"].get(name, 0)]), amount)


def _level(playing: Playing, rest: str) -> str:
    clock = _state(playing).clock
    return _same(clock.playing_level(playing.now.at).no if clock is not None else None, int(rest))


def _blinds(playing: Playing, rest: str) -> str:
    """`blinds 5/10`, with an ante `5/10/1`: of hands that begin now."""
    clock = _state(playing).clock
    if clock is None:
        return "there is no clock"
    level = clock.playing_level(playing.now.at)
    ante = level.ante or level.big_blind_ante
    return _same(f"{level.small_blind}/{level.big_blind}" + (f"/{ante}" if ante else ""), rest)


def _break_time(playing: Playing, rest: str) -> str:
    """`break-time`: a break is on; `break-time meal`: this one."""
    clock = _state(playing).clock
    level = clock.level(playing.now.at) if clock is not None else None
    if level is None or not level.is_break:
        return "no break is on"
    return _same(level.what, rest) if rest else ""


def _display(playing: Playing, rest: str) -> str:
    """`display 25/50 break 50/100`: the schedule as the clock's display has it, from the present entry on."""
    clock = playing.clock
    shown = list(clock.levels[clock.levels.index(clock.level) :]) if clock.level in clock.levels else []
    said = ["break" if one.is_break else f"{one.small_blind}/{one.big_blind}" for one in shown]
    return _same(" ".join(said), rest)


def _ends(playing: Playing, rest: str) -> str:
    """`ends 22:40`: when the station expects the end."""
    ends = playing.shown["ends"]
    if ends is None:
        return "the clock stands"
    hours, minutes = divmod(round((ends - MIDNIGHT_MS) / 60_000), 60)
    return _same(f"{hours}:{minutes:02}", rest)


def _held(playing: Playing, rest: str) -> str:
    """`held [2] [rule ccp.timer.8]`: the tables (table 2) begin no hand now."""
    table, _, rule = rest.partition("rule ")
    names = [table.strip()] if table.strip() else [one.plan.table for one in _state(playing).seats.open_tables()]
    waits = [playing.tables[name].table.why_no_hand() for name in names]
    if not waits or None in waits:
        return "hands begin"
    found = sorted({wait[1] for wait in waits if wait is not None})
    return _same(" ".join(found), rule) if rule else ""


def _dispute(playing: Playing, rest: str) -> str:
    """`dispute dispute-1`: it is open; `dispute` alone: any."""
    found = _state(playing).disputes
    return "" if (rest in found if rest else found) else f"open: {', '.join(found)}"


def _round(playing: Playing, rest: str) -> str:
    """`round 1=31 2=29`: hand for hand, each table plays up to this hand."""
    found = _state(playing).round_hands
    return _same(" ".join(f"{table}={hand}" for table, hand in sorted(found.items())), rest)


def _time_left(playing: Playing, rest: str) -> str:
    clock = playing.clock
    passed = playing.now.at - clock.at if clock.running else 0
    minutes, seconds = divmod((clock.left_ms - passed) // 1_000, 60)
    return _same(f"{minutes}:{seconds:02}", rest)


def _clock(playing: Playing, rest: str) -> str:
    return _same("runs" if playing.clock.running else "stands", rest)


def _button(playing: Playing, rest: str) -> str:
    """`button 1/4`"""
    table, _, seat = rest.partition("/")
    found = {one["table"]: one["button"] for one in playing.shown["tables"]}
    return _same(found.get(table), int(seat))


def _overtaken(playing: Playing, rest: str) -> str:
    found = {one["move"]: one["overtaken"] for one in playing.shown["moves"]}
    return "" if found.get(rest) else f"moves: {found}"


def _taken(playing: Playing, rest: str) -> str:
    """`taken 2/5`: somebody sits there."""
    table, _, seat = rest.partition("/")
    seats = next(one["seats"] for one in playing.shown["tables"] if one["table"] == table)
    return "" if int(seat) in {one["seat"] for one in seats} else f"{rest} is free"


def _credit(playing: Playing, rest: str) -> str:
    return "" if _entrant(playing, rest)["credited"] else f"{rest} gets no points"


def _suspended(playing: Playing, rest: str) -> str:
    return "" if _entrant(playing, rest)["suspended"] else f"{rest} is not suspended"


def _waits(playing: Playing, rest: str) -> str:
    """`waits 2/4`: who came in there gets no cards in the next hand."""
    table, _, seat = rest.partition("/")
    found = next(one["waits"] for one in playing.shown["tables"] if one["table"] == table)
    return "" if int(seat) in found else f"waiting: {found}"


def _reported_stack(playing: Playing, rest: str) -> str:
    """`stack p1 4000`: as the player's table reports it."""
    name, _, stack = rest.partition(" ")
    return _same(_entrant(playing, name)["stack"], int(stack))


def _miscount(playing: Playing, rest: str) -> str:
    """`miscount 1/6`: a stack was counted otherwise than the records have it."""
    found = [_short(one) for one in playing.shown["chips"]["items"]]
    return "" if rest in found else f"to be counted: {found}"


def _dealer(playing: Playing, rest: str) -> str:
    """`dealer 1/4`: the player there deals; `dealer 1 standing`: somebody who does not play."""
    table, _, seat = rest.removesuffix(" standing").partition("/")
    found = next(one["dealer"] for one in playing.shown["tables"] if one["table"] == table)
    return _same("standing" if found is None else str(found), seat or "standing")


def _seat_cards(playing: Playing, rest: str) -> str:
    """`seat-cards 8 spades 8 hearts 9 clubs`: the cards of the last draw."""
    drawn = [card[1] for card in _last_draw(playing)["cards"]]
    counts = [f"{drawn.count(suit)} {name}" for suit, name in SUIT_NAMES.items() if suit in drawn]
    return _same(" ".join(counts), rest)


def _seat_card(playing: Playing, rest: str) -> str:
    """`seat-card NAME 5h`: what the player drew."""
    name, _, card = rest.partition(" ")
    return _same(_cards_drawn(playing).get(name), card)


def _ace_holders(playing: Playing, rest: str) -> str:
    """`ace-holders ANN BOB`: who drew an ace, in any order."""
    found = [player for player, card in _cards_drawn(playing).items() if card[0] == "A"]
    return _same(sorted(found), sorted(rest.split()))


def _kept_seats(playing: Playing, rest: str) -> str:
    """`kept-seats`: the last draw left everybody in the seat that was drawn with the entry."""
    own = {e["player"]: e["at"] for e in _events(playing) if e["type"] == "player_seated"}
    moved = [one["player"] for one in _last_draw(playing)["seats"] if own.get(one["player"]) != one["at"]]
    return f"elsewhere: {moved}" if moved else ""


def _events(playing: Playing) -> list[dict[str, Any]]:
    """The newest events, as the station shows them."""
    return [one["event"] for one in playing.shown["log"]]


def _last_draw(playing: Playing) -> dict[str, Any]:
    found = next((event for event in _events(playing) if event["type"] == "seats_drawn"), None)
    if found is None:
        raise ValueError("no seats were drawn")
    return found


def _cards_drawn(playing: Playing) -> dict[str, str]:
    drawn = _last_draw(playing)
    return {one["player"]: card for one, card in zip(drawn["seats"], drawn["cards"], strict=True)}


def _target(playing: Playing, rest: str) -> str:
    game, _, name = rest.partition(" ")
    return _same(_state(playing).bounties.targets.get(game, ""), name)


def _bounty(playing: Playing, rest: str) -> str:
    """`bounty p4 12`; `bounty over A 6`: carried into the next tournament."""
    name, _, amount = rest.removeprefix("over ").partition(" ")
    found = _state(playing).bounties.over if rest.startswith("over ") else _state(playing).bounties.won
    return _same(_money([found.get(name, 0)]), amount)


def _fee(playing: Playing, rest: str) -> str:
    """`fee food 80`: what the entries have brought in for it."""
    what, _, amount = rest.partition(" ")
    return _same(_money([fees_taken(_state(playing)).get(what, 0)]), amount)


def _targets(playing: Playing, rest: str) -> str:
    """`targets 2`: so many bounty targets there are."""
    return _same(len(_state(playing).bounties.targets), int(rest))


def _knockouts(playing: Playing, rest: str) -> str:
    name, _, number = rest.partition(" ")
    return _same(_state(playing).field.knockouts.get(name, 0), int(number))


def _warning(playing: Playing, rest: str) -> str:
    """`warning rpl.tournaments.34`: the last press was carried out with a warning of these words."""
    said = [one["event"].get("warning", "") for one in playing.shown["log"] if one["no"] > playing.since]
    return "" if any(rest in text and text for text in said) else f"warned: {[text for text in said if text]}"


def _finished(playing: Playing, rest: str) -> str:
    """`finished`: the event is over."""
    return "" if _state(playing).finished is not None else "it is played on"


def _missing_chips(playing: Playing, rest: str) -> str:
    return _same(playing.shown["chips"]["missing"], int(rest))


def _places(playing: Playing, rest: str) -> str:
    """`places 2 of 9 waiting 1`: places that nobody has, of how many, and who waits; in part."""
    found = playing.shown["places"]
    said = f"{found['left']} of {found['limit']} waiting {found['waiting']}"
    return "" if f"{said} ".startswith(f"{rest} ") or said.endswith(f" {rest}") else f"is {said}"


def _guaranteed(playing: Playing, rest: str) -> str:
    return "" if _entrant(playing, rest)["guaranteed"] else f"{rest} is not sure of a seat"


def _lock_out(playing: Playing, rest: str) -> str:
    found = playing.shown["proposals"]["lock_outs"]
    return "" if rest in found else f"to be locked out: {found}"


def _applied(playing: Playing, rest: str) -> str:
    """`applied NAME`: plays, and the membership number comes later."""
    entrant = _entrant(playing, rest)
    return "" if entrant["applied"] and not entrant["member"] else f"{rest} waits for no number"


_EXPECTATIONS: Mapping[str, Callable[[Playing, str], str]] = {
    "refused": _refused,
    "record": _record,
    "status": _status,
    "chips": _stack,
    "to-count": _to_count,
    "count-differs": _count_differs,
    "place": _place,
    "seat": _seat,
    "left": _left,
    "tables": _tables,
    "pending": _pending,
    "places": _places,
    "guaranteed": _guaranteed,
    "lock-out": _lock_out,
    "applied": _applied,
    "move": _moves,
    "break": _break,
    "absent": _absent,
    "new-button": _buttons,
    "time-out": _time_out,
    "page": _page,
    "penalty": _penalty,
    "merge-missed": _merge_missed,
    "payouts": _payouts,
    "purse": lambda playing, rest: _same(_money([playing.shown["money"]["purse"]]), rest),
    "pool": lambda playing, rest: _same(_money([playing.shown["money"]["pool"]]), rest),
    "championship": lambda playing, rest: _same(_money([playing.shown["money"]["championship"]]), rest),
    "owed": _owed,
    "cash": lambda playing, rest: _same(_money([playing.shown["money"]["cash_expected"]]), rest),
    "fee": _fee,
    "targets": _targets,
    "knockouts": _knockouts,
    "warning": _warning,
    "finished": _finished,
    "level": _level,
    "blinds": _blinds,
    "ends": _ends,
    "held": _held,
    "display": _display,
    "dispute": _dispute,
    "round": _round,
    "cancelled": lambda playing, rest: "" if _state(playing).cancelled else "the event is on",
    "break-time": _break_time,
    "remaining": _time_left,
    "clock": _clock,
    "button": _button,
    "overtaken": _overtaken,
    "taken": _taken,
    "credit": _credit,
    "suspended": _suspended,
    "waits": _waits,
    "stack": _reported_stack,
    "miscount": _miscount,
    "dealer": _dealer,
    "seat-cards": _seat_cards,
    "seat-card": _seat_card,
    "ace-holders": _ace_holders,
    "kept-seats": _kept_seats,
    "target": _target,
    "bounty": _bounty,
    "missing": _missing_chips,
}
