"""The jobs of a night: the room before, what the hand does from a cold page (`/station`), what is then so."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.display.station.jobs import rooms
from tests.display.station.jobs.hands import Hand, Keys, Phone
from tests.feltwire.night_room import NightRoom

WALK_INS = 20


@dataclass(frozen=True)
class Job:
    """`most`: the steps it may take; 0: as many as it takes. `right` is not so before, unless it `only_looks`."""

    name: str
    room: Callable[[], NightRoom]
    do: Callable[[Hand], None]
    right: Callable[[NightRoom], bool]
    most: int = 3
    only_looks: bool = False


JOBS: dict[str, Job] = {}


def job(
    name: str, room: Callable[[], NightRoom], right: Callable[[NightRoom], bool], **more: Any
) -> Callable[[Callable[[Hand], None]], Callable[[Hand], None]]:
    def kept(do: Callable[[Hand], None]) -> Callable[[Hand], None]:
        JOBS[name] = Job(name, room, do, right, **more)
        return do

    return kept


# ------------------------------------------------------------------------------------- what is so in the room


def field(room: NightRoom) -> list[dict[str, Any]]:
    return list(room.shown["field"])


def done(room: NightRoom, kind: str) -> bool:
    """Whether the newest record that stands is of this kind."""
    stands = [record for record in room.shown["log"] if not record["undone"]]
    return bool(stands) and stands[0]["event"]["type"] == kind


def running_clock(room: NightRoom) -> bool:
    return bool(room.station.clock.running)


def all_paid(room: NightRoom) -> bool:
    return len(field(room)) == WALK_INS and all(one["status"] == "playing" for one in field(room))


def all_seated(room: NightRoom) -> bool:
    return all(one["table"] for one in field(room))


def nobody_out(room: NightRoom) -> bool:
    return not any(one["status"] == "out" for one in field(room))


def somebody_out(room: NightRoom) -> bool:
    return sum(one["status"] == "out" for one in field(room)) == 1


def ann_moves(room: NightRoom) -> bool:
    state = room.shown
    return bool(state["moves"]) or done(room, "move_seated")


def table_03_breaks(room: NightRoom) -> bool:
    return not next(table["open"] for table in room.shown["tables"] if table["table"] == "03")


def balanced(room: NightRoom) -> bool:
    state = room.shown
    return not state["proposals"]["moves"] and bool(state["moves"] or done(room, "move_seated"))


def five_minutes_more(room: NightRoom) -> bool:
    return room.station.clock.left_ms > 20 * 60_000


def ruled(room: NightRoom) -> bool:
    rulings = json.loads(room.station.pages["rulings"])
    return any(one["given"] for one in rulings["tables"])


def colour_up_ordered(room: NightRoom) -> bool:
    return any(table["smallest_chip"] == 100 for table in room.shown["tables"])


def penalty_given(room: NightRoom) -> bool:
    return len(room.shown["penalties"].get("p1", ())) == 1


def hand_for_hand(room: NightRoom) -> bool:
    return room.shown["control"]["hand_for_hand"] is not None


def bought(room: NightRoom) -> bool:
    return any(one["bought"].get("rebuy") == 1 for one in field(room))


def paid_out(room: NightRoom) -> bool:
    return bool(room.shown["money"]["paid"])


def deal_made(room: NightRoom) -> bool:
    return bool(room.shown["money"]["owed"])


# ------------------------------------------------------------------------------------- the jobs


@job("register 20 walk-ins", rooms.opened, all_paid, most=0)
def register(hand: Hand) -> None:
    hand.page_of("Register" if isinstance(hand, Keys) else "Players")
    hand.press("Paid")
    if isinstance(hand, Keys):
        hand.key("Shift+Tab")
    for no in range(1, WALK_INS + 1):
        hand.fill({"Register: a name": f"Walk In {no}"})
        if isinstance(hand, Keys):
            hand.key("Enter")
        else:
            hand.press("Register")


# Under `rpl` a seat is drawn with each entry.
@job("draw seats", lambda: rooms.opened(20, "cpp"), all_seated)
def draw(hand: Hand) -> None:
    hand.page_of("Draw" if isinstance(hand, Keys) else "Seats")
    hand.press("Draw seats")


@job("start", rooms.seated, running_clock)
def start(hand: Hand) -> None:
    if isinstance(hand, Keys):
        hand.find("Cards in the air")
    else:
        hand.press("Cards in the air")
    hand.press("Cards in the air")


@job("seat a late player", rooms.with_late_player, all_seated)
def seat(hand: Hand) -> None:
    hand.page_of("seat zoe" if isinstance(hand, Keys) else "Players")
    if isinstance(hand, Keys):  # find presses what asks first
        hand.sees("2,000 chips more")
        hand.key("y")
        return
    hand.press("Paid, seat: Zoe Late")
    hand.sees("2,000 chips more")
    hand.press("Paid, seat")


@job("rule on a floor call", rooms.with_floor_call, ruled)
def rule(hand: Hand) -> None:
    """About the player who acted last, whom find and the sheet name."""
    if isinstance(hand, Keys):
        hand.find("string bet")
        hand.sees("Seat 4: a call only")
        hand.key("1")
        return
    hand.press("Rule")
    hand.sees("acted last")
    hand.press("String bet")
    hand.press("Seat 4: a call only")


@job("confirm a bust", rooms.with_bust, somebody_out)
def bust(hand: Hand) -> None:
    first_item(hand, "Confirm")


@job("undo it", rooms.with_confirmed_bust, nobody_out)
def undo(hand: Hand) -> None:
    if isinstance(hand, Keys):
        hand.key("u")
        hand.sees("Taken back")
        hand.key("y")
        return
    if isinstance(hand, Phone):
        hand.press("More")
        hand.press("Undo the last")
    else:
        hand.page_of("Log")
        hand.press("Undo")
    hand.sees("Taken back")
    hand.press("Undo")


@job("move a player", rooms.running, ann_moves)
def move(hand: Hand) -> None:
    if isinstance(hand, Keys):
        hand.find("move ann")
    else:
        hand.page_of("Seats")
        hand.press("Seat 3, Ann Example")
    hand.press("Move")


@job("break a table", rooms.to_break, table_03_breaks)
def break_table(hand: Hand) -> None:
    if isinstance(hand, Keys):
        hand.find("break 03")
        hand.sees("is closed")
        hand.key("y")
        return
    hand.page_of("Seats")
    hand.press("Break: table 03")
    hand.sees("is closed")
    hand.press("Break")


@job("balance", rooms.unequal, balanced)
def balance(hand: Hand) -> None:
    first_item(hand, "Move")


def first_item(hand: Hand, words: str) -> None:
    """The first of the queue, by its own button, and yes."""
    if not isinstance(hand, Keys):
        hand.press(words)
        hand.press(words)
        return
    hand.first_item()
    hand.key("Enter")
    hand.sees("Cancel")
    hand.key("y")


@job("pause", rooms.running, lambda room: not running_clock(room))
def pause(hand: Hand) -> None:
    if isinstance(hand, Keys):
        hand.find("pause")
    else:
        hand.press("Pause")


@job("add five minutes", rooms.running, five_minutes_more)
def add_time(hand: Hand) -> None:
    hand.page_of("5 minutes more" if isinstance(hand, Keys) else "Clock")
    hand.press("5 minutes more")


@job("colour up a table", rooms.running, colour_up_ordered)
def colour_up(hand: Hand) -> None:
    hand.page_of("Colour up" if isinstance(hand, Keys) else "Chips")
    hand.press("Colour up")


@job("rebuy", rooms.with_bust, bought)
def rebuy(hand: Hand) -> None:
    hand.page_of("rebuy bo" if isinstance(hand, Keys) else "Players")
    if not isinstance(hand, Keys):
        hand.press("Bo Larsen")
    hand.press("Rebuy")


@job("penalty", rooms.running, penalty_given)
def penalty(hand: Hand) -> None:
    if isinstance(hand, Keys):
        hand.find("penalty ann profanity")
        hand.press("Give")
        return
    hand.page_of("Players")
    hand.press("Ann Example")
    hand.sees("Ann Example gets the penalty: warning")
    hand.press("Profanity")


@job("hand for hand", rooms.running, hand_for_hand)
def rounds(hand: Hand) -> None:
    hand.page_of("Hand for hand" if isinstance(hand, Keys) else "Clock")
    hand.press("Hand for hand")


@job("make a deal", rooms.three_left, deal_made, most=0)
def deal(hand: Hand) -> None:
    hand.page_of("deal" if isinstance(hand, Keys) else "Prizes")
    hand.press("Chip-chop")
    hand.press("Everybody agreed")
    hand.press("Make the deal")
    hand.sees("The deal holds")
    if isinstance(hand, Keys):
        hand.key("y")
    else:
        hand.press("Make the deal")


@job("pay out", rooms.with_a_prize_owed, paid_out)
def pay(hand: Hand) -> None:
    hand.page_of("Pay" if isinstance(hand, Keys) else "Prizes")
    hand.press("Pay")


@job("standings", rooms.running, lambda room: True, only_looks=True)
def standings(hand: Hand) -> None:
    hand.page_of("Standings" if isinstance(hand, Keys) else "League")
    hand.sees("Ann Example")
