"""A night as it is told on a terminal: a short sentence for what happens."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

ENDINGS = {1: "st", 2: "nd", 3: "rd"}


def told(record: Mapping[str, Any], names: Mapping[str, str]) -> str:
    """The sentence for one record of the station's log; empty for what nobody would say aloud."""
    event = record["event"]
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
            return " ".join(
                f"{names.get(player, player)} is out, {_ordinal(place)}."
                for player, place in zip(event["players"], event["places"], strict=True)
            )
        case "undone":
            return f"The director takes that back: {event['why']}." if event.get("why") else ""
        case "move_confirmed":
            return f"{_name(event, names)} is to move to {_seat(event['to'])}: {event['why']}."
        case "move_left":
            return f"A player is on the way with {event['rack']:,} chips."
        case "move_seated":
            return "The player sits at the new table."
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


def _seat(at: Mapping[str, Any]) -> str:
    return f"table {at['table']} seat {at['seat']}"


def _list(words: list[str]) -> str:
    return " and ".join(words)


def _ordinal(number: int) -> str:
    ending = "th" if 10 < number % 100 < 20 else ENDINGS.get(number % 10, "th")
    return f"{number}{ending}"
