"""A night as it is told on a terminal: a short sentence for what happens."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from table_core.messages import Level

ENDINGS = {1: "st", 2: "nd", 3: "rd"}


def told(record: Mapping[str, Any], night: Mapping[str, Any]) -> str:
    """The sentence for one record of the station's log, as `night` shows it; empty for what nobody would say
    aloud."""
    event, names = record["event"], night["names"]
    if event["type"] == "bust_confirmed" and night["finished"]:
        winner = next(one["player"] for one in night["field"] if one["place"] == 1)
        return f"{_told(event, names)} {names.get(winner, winner)} has all the chips and wins."
    return _told(event, names)


def _told(event: Mapping[str, Any], names: Mapping[str, str]) -> str:
    match event["type"]:
        case "opened":
            return f"The event is open: {event['name']}, under the rulebook {event['rulebook']}."
        case "seats_drawn" if event["why"] == "start":
            return f"Seats are drawn for {len(event['seats'])} players at {len(event['tables'])} tables."
        case "seats_drawn":
            return f"Everybody draws a new seat: {len(event['seats'])} players, table {_list(event['tables'])}."
        case "button_set":
            return f"Table {event['table']}: the button goes to seat {event['seat']}."
        case "started":
            return "Cards in the air."
        case "entered":
            return f"{_name(event, names)} enters with {event['chips']:,} chips."
        case "player_seated":
            return f"{_name(event, names)} comes late and takes {_seat(event['at'])}."
        case "bust_reported":
            who = [names.get(one["player"], one["player"]) for one in event["out"]]
            have = "have" if len(who) > 1 else "has"
            return f"Table {event['table']}, hand {event['hand']}: {_list(who)} {have} no chips left."
        case "chips_bought":
            return f"{_name(event, names)} buys in again: {event['chips']:,} chips."
        case "bust_confirmed":
            gone = sorted(zip(event["places"], event["players"], strict=True), reverse=True)
            return " ".join(f"{names.get(player, player)} is out, {_ordinal(place)}." for place, player in gone)
        case "undone":
            return f"The director takes that back: {event['why']}." if event.get("why") else ""
        case "move_confirmed":
            return f"{_name(event, names)} is to move to {_seat(event['to'])}: {event['why']}."
        case "move_left":
            return f"{_name(event, names)} is on the way with {event['rack']:,} chips."
        case "move_seated":
            return f"{_name(event, names)} sits at the new table."
        case "table_closed":
            return f"Table {event['table']} breaks."
        case "hand_for_hand":
            return "Hand for hand: one more and everybody is paid." if event["on"] else "The bubble has burst."
        case "coloured_up":
            return f"Table {event['table']}: chips of {event['old']} leave play for chips of {event['new']}."
        case "penalty_given":
            return f"{_name(event, names)}: {event['kind'].replace('_', ' ')}, {event['reason']}."
        case "left":
            return f"{_name(event, names)} is away from the table."
        case "prize_paid":
            return f"{_name(event, names)} is paid {event['amount'] / 100:,.2f}."
        case "cash_counted":
            return f"The cash box is counted: {event['amount'] / 100:,.2f}."
    return ""


def _name(event: Mapping[str, Any], names: Mapping[str, str]) -> str:
    return names.get(event["player"], event["player"])


def told_level(level: Level) -> str:
    if level.is_break:
        return "The clock shows a break."
    return f"Level {level.no}: blinds {level.small_blind:,} and {level.big_blind:,}."


def _seat(at: Mapping[str, Any]) -> str:
    return f"table {at['table']} seat {at['seat']}"


def _list(words: list[str]) -> str:
    return " and ".join(words)


def _ordinal(number: int) -> str:
    ending = "th" if 10 < number % 100 < 20 else ENDINGS.get(number % 10, "th")
    return f"{number}{ending}"
