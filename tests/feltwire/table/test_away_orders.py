"""AWAY and back in every order with NEW HAND, the deal, the first acts and STREET: no press makes up a fact about
who is away, and UNDO takes exactly that press back."""

from __future__ import annotations

import copy
from collections.abc import Iterator

import pytest

from feltwire.config import TableConfig
from feltwire.lab.scenario.table import TableInMemory
from firmware_bridge.decks import CARDS
from table_core.messages import Acted, Action, AwaySet, Chips, HandKilled, Key, Level, Refused, Seat, SeatStack
from table_core.rulebook import rulebook_ids

PRESSES: dict[str, tuple[Key | str, ...]] = {
    "1 AWAY": ("1", Key.AWAY),
    "2 AWAY": ("2", Key.AWAY),
    "NEW HAND": (Key.NEW_HAND,),
    "CALL": (Key.CHECK_CALL,),
    "FOLD": (Key.FOLD,),
    "STREET": (Key.STREET,),
}
DEAL = "five cards, or the last"  # leave the shoe
UNDONE_ALONE = ("1 AWAY", "2 AWAY", "CALL", "FOLD")
CHIPS = 30_000
DEPTH = 3
READ_MS = 3_000

Order = tuple[str, ...]


def table(book: str, devices: tuple[str, ...]) -> TableInMemory:
    seats = tuple([SeatStack(Seat(seat), Chips(CHIPS // 3)) for seat in (1, 2, 3)])
    levels = (Level(1, Chips(50), Chips(100)),)
    return TableInMemory(TableConfig("hall", "01", "", seats, levels, 3, button=Seat(1), rulebook=book), devices)


def step(at: TableInMemory, name: str) -> None:
    if name == DEAL:
        out = len(at.node.state.deal.handles)
        at.deal(*CARDS[out : 5 if out < 5 else 6])
    else:
        at.press(*PRESSES[name])
    at.wait(READ_MS)


def fits(at: TableInMemory, name: str) -> bool:
    """Before the hand there are only AWAY and NEW HAND, and the deal is dealt once."""
    in_hand = at.node.table.in_hand
    if name == DEAL:
        return in_hand and "shoe" in at.node.table.devices and len(at.node.state.deal.handles) < 6
    return in_hand or name in ("1 AWAY", "2 AWAY", "NEW HAND")


def away(at: TableInMemory) -> set[int]:
    return {seat for seat, held in at.node.table.seats.items() if held.away}


def how_it_stands(at: TableInMemory) -> tuple[object, ...]:
    hand = at.node.table.hand
    assert hand is not None
    return hand.snapshot(), hand.missed_deal, away(at), at.stacks(), at.node.table.in_hand


def wrong(at: TableInMemory, behind: TableInMemory, name: str) -> Iterator[str]:
    """What does not follow from the press, or is not taken back by UNDO."""
    events = behind.events[len(at.events) :]
    was_away = {event.seat for event in behind.events if isinstance(event, AwaySet)}
    for event in events:
        if isinstance(event, Acted) and event.seat in away(at) and event.action is not Action.FOLD:
            yield f"seat {event.seat} is away and did {event.action}"
        if isinstance(event, HandKilled) and event.seat not in was_away:
            yield f"seat {event.seat} was never away, and its hand is dead"
    hand = behind.node.table.hand
    in_pot = sum(hand.state.paid) + hand.state.dead if hand is not None and behind.node.table.in_hand else 0
    if sum(behind.stacks()) + in_pot + behind.node.table.carried != CHIPS:
        yield f"{sum(behind.stacks())} behind, {in_pot} in the pot"
    refused = any(isinstance(event, Refused) for event in events)
    if name in UNDONE_ALONE and at.node.table.in_hand and not refused:
        undone = copy.deepcopy(behind)
        undone.press(Key.UNDO)
        undone.wait(READ_MS)
        if how_it_stands(undone) != how_it_stands(at):
            yield "UNDO leaves something"


def every_order(at: TableInMemory, done: Order = ()) -> Iterator[tuple[Order, str]]:
    if len(done) == DEPTH:
        return
    for name in (*PRESSES, DEAL):
        if not fits(at, name):
            continue
        behind = copy.deepcopy(at)
        step(behind, name)
        for words in wrong(at, behind, name):
            yield (*done, name), words
        yield from every_order(behind, (*done, name))


@pytest.mark.parametrize("devices", [("keypad",), ("keypad", "shoe")], ids=["keypad", "keypad and shoe"])
@pytest.mark.parametrize("book", rulebook_ids())
def test_no_press_makes_up_who_was_there(book: str, devices: tuple[str, ...]) -> None:
    assert [*every_order(table(book, devices))] == []
