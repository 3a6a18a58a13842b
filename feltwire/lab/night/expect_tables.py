"""What a night's story expects of seats and tables: draws, moves, dealers, what tables play."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from feltwire.lab.night.found import Expectations, entrant_of, events, same, short
from table_core.messages import Seat
from table_core.projections.next_hand import positions

if TYPE_CHECKING:
    from feltwire.lab.night.play import Playing

SUIT_NAMES = {"s": "spades", "h": "hearts", "c": "clubs", "d": "diamonds"}


def _seat(playing: Playing, rest: str) -> str:
    """`seat p1 2/5`; `seat p1` alone: anywhere."""
    name, _, seat = rest.partition(" ")
    at = entrant_of(playing, name)
    found = short(at) if at["table"] is not None else ""
    return ("" if found else "sits nowhere") if not seat else same(found, seat)


def _tables(playing: Playing, rest: str) -> str:
    """`tables 8 8 7`: players at the open tables."""
    counts = [len(table["seats"]) for table in playing.shown["tables"] if table["open"]]
    return same(" ".join(map(str, counts)) or "0", rest)


def _moves(playing: Playing, rest: str) -> str:
    """`move p7 from 1/3 to 2/5 rule ccp.moving.3`, in any part; `move`: any."""
    said = [
        f"{move['player']} from {short(move['start'])} to {short(move['to'])} rule {move['rule']}"
        for move in playing.shown["proposals"]["moves"]
    ]
    return "" if any(_words_in(rest, text) for text in said) else f"proposed: {said}"


def _break(playing: Playing, rest: str) -> str:
    found = playing.shown["proposals"]["break"]
    if found is None:
        return "no table is to break"
    return "" if rest in ("", found["table"]) else f"table {found['table']}"


def _buttons(playing: Playing, rest: str) -> str:
    """`new-button 1`: newcomers at table 1 ask for a new draw."""
    found = playing.shown["proposals"]["buttons"]
    return "" if rest in found else f"proposed at: {found}"


def _next(playing: Playing, rest: str) -> str:
    """`next 1 button 3 blinds 4 5`: due in the next hand of table 1, `-` for no small blind; in part."""
    table, _, wanted = rest.partition(" ")
    if table not in playing.tables:
        raise ValueError(f"no table {table}; there are: {', '.join(playing.tables)}")
    try:
        due = positions(playing.tables[table].table)
    except ValueError as error:
        return f"no hand is due: {error}"
    small = "-" if due.small_blind is None else due.small_blind
    also = [f"small {seat}" for seat in due.extra_small_blinds] + [f"big {seat}" for seat in due.extra_big_blinds]
    said = f"button {due.button} blinds {small} {due.big_blind}{' also ' if also else ''}{' '.join(also)}"
    return "" if wanted and f" {wanted} " in f" {said} " else f"is {said}"


def _overtaken(playing: Playing, rest: str) -> str:
    found = {one["move"]: one["overtaken"] for one in playing.shown["moves"]}
    return "" if found.get(rest) else f"moves: {found}"


def _taken(playing: Playing, rest: str) -> str:
    """`taken 2/5`: somebody sits there."""
    table, _, seat = rest.partition("/")
    seats = next(one["seats"] for one in playing.shown["tables"] if one["table"] == table)
    return "" if int(seat) in {one["seat"] for one in seats} else f"{rest} is free"


def _waits(playing: Playing, rest: str) -> str:
    """`waits 2/4`: who came in there gets no cards in the next hand."""
    table, _, seat = rest.partition("/")
    found = next(one["waits"] for one in playing.shown["tables"] if one["table"] == table)
    return "" if int(seat) in found else f"waiting: {found}"


def _button(playing: Playing, rest: str) -> str:
    """`button 1/4`"""
    table, _, seat = rest.partition("/")
    found = {one["table"]: one["button"] for one in playing.shown["tables"]}
    return same(found.get(table), int(seat))


def _bet(playing: Playing, rest: str) -> str:
    """`bet 1/3 1000`: in front of that seat in the hand that is played."""
    at, _, chips = rest.partition(" ")
    table, _, seat = at.partition("/")
    hand = playing.tables[table].table.hand
    return "no hand is played" if hand is None else same(int(hand.bets.get(Seat(int(seat)), 0)), int(chips))


def _dealer(playing: Playing, rest: str) -> str:
    """`dealer 1/4`: the player there deals; `dealer 1 standing`: somebody who does not play."""
    table, _, seat = rest.removesuffix(" standing").partition("/")
    found = next(one["dealer"] for one in playing.shown["tables"] if one["table"] == table)
    return same("standing" if found is None else str(found), seat or "standing")


def _seat_cards(playing: Playing, rest: str) -> str:
    """`seat-cards 8 spades 8 hearts 9 clubs`: the cards of the last draw; `seat-cards`: there are some."""
    drawn = [card[1] for card in _last_draw(playing)["cards"]]
    if not rest:
        return "" if drawn else "no cards were drawn for seats"
    counts = [f"{drawn.count(suit)} {name}" for suit, name in SUIT_NAMES.items() if suit in drawn]
    return same(" ".join(counts), rest)


def _seat_card(playing: Playing, rest: str) -> str:
    """`seat-card NAME 5h`: what the player drew."""
    name, _, card = rest.partition(" ")
    return same(_cards_drawn(playing).get(name), card)


def _ace_holders(playing: Playing, rest: str) -> str:
    """`ace-holders ANN BOB`: who drew an ace, in any order."""
    found = [player for player, card in _cards_drawn(playing).items() if card[0] == "A"]
    return same(sorted(found), sorted(rest.split()))


def _kept_seats(playing: Playing, rest: str) -> str:
    """`kept-seats`: the last draw left everybody in the seat that was drawn with the entry."""
    own = {e["player"]: e["at"] for e in events(playing) if e["type"] == "player_seated"}
    moved = [one["player"] for one in _last_draw(playing)["seats"] if own.get(one["player"]) != one["at"]]
    return f"elsewhere: {moved}" if moved else ""


def _held(playing: Playing, rest: str) -> str:
    """`held [2] [rule ccp.timer.8]`: the tables (table 2) begin no hand now."""
    table, _, rule = rest.partition("rule ")
    names = [table.strip()] if table.strip() else [one.plan.table for one in playing.state.seats.open_tables()]
    waits = [playing.tables[name].table.why_no_hand() for name in names]
    if not waits or None in waits:
        return "hands begin"
    found = sorted({wait[1] for wait in waits if wait is not None})
    return same(" ".join(found), rule) if rule else ""


def _round(playing: Playing, rest: str) -> str:
    """`round 1=31 2=29`: hand for hand, each table plays up to this hand."""
    found = playing.state.round_hands
    return same(" ".join(f"{table}={hand}" for table, hand in sorted(found.items())), rest)


def _words_in(wanted: str, text: str) -> bool:
    return all(f" {part} " in f" {text} " for part in re.split(r" (?=from|to|rule)", wanted) if part)


def _last_draw(playing: Playing) -> dict[str, Any]:
    found = next((event for event in events(playing) if event["type"] == "seats_drawn"), None)
    if found is None:
        raise ValueError("no seats were drawn")
    return found


def _cards_drawn(playing: Playing) -> dict[str, str]:
    drawn = _last_draw(playing)
    return {one["player"]: card for one, card in zip(drawn["seats"], drawn["cards"], strict=True)}


TABLES: Expectations = {
    "seat": _seat,
    "tables": _tables,
    "move": _moves,
    "break": _break,
    "new-button": _buttons,
    "overtaken": _overtaken,
    "taken": _taken,
    "waits": _waits,
    "button": _button,
    "next": _next,
    "dealer": _dealer,
    "bet": _bet,
    "seat-cards": _seat_cards,
    "seat-card": _seat_card,
    "ace-holders": _ace_holders,
    "kept-seats": _kept_seats,
    "held": _held,
    "round": _round,
}
