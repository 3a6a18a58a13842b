"""What must hold for every incident that can be raised at a table, and for every option that it offers."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator
from typing import NamedTuple

from table_core.messages import Acted, BoardDealt, DeviceState, Key, Refused, Rewound, RulingView, Seat
from table_core.rulings.register import Incident
from tests.fuzz.facts import Broken, Witness, chips_of
from tests.fuzz.table import FuzzedTable
from tests.sweep.hands import Moment, touch

AMOUNT = 400  # said where the table asks how much
IN_FRONT_MS = 1_000  # a key answers what has been in front for 700 ms
TAKES_BACK = re.compile(r"\b(misdeal|void|back|shuffled?)\b", re.I)  # words that say that events are cut
BOARD_WORDS = re.compile(r"\b(cards?|flop|turn|river|board)\b", re.I)
WHOLE_TABLE = re.compile(r"\b(misdeal|void)\b", re.I)  # everybody gets everything back


class Fault(NamedTuple):
    """What did not hold: `kind` groups faults of one cause, `text` says it of this cell."""

    kind: str
    text: str


class Held(NamedTuple):
    """What everybody at the table holds, and the board."""

    chips: int
    stacks: dict[Seat, tuple[int, int, bool]]  # behind, in front, live
    board: tuple[str, ...]


def raise_incident(table: FuzzedTable, incident: Incident, seat: Seat | None) -> None:
    """`4 SEAT 51 FLOOR` on the keypad, or its touch on the screen where there is no keypad."""
    about: tuple[Key | str, ...] = () if seat is None else (str(seat), Key.SEAT)
    press(table, *about, str(incident.no), Key.FLOOR)


def press(table: FuzzedTable, *keys: Key | str) -> None:
    """On the keypad; on the screen where the table has none."""
    if table.view.devices.get("keypad") is DeviceState.OK:
        table.press(*keys)
    else:
        touch(table, *keys)


def faults(moment: Moment, incident: Incident, seat: Seat | None) -> Iterator[Fault]:
    """Raise the incident at the moment, take each option in turn, and UNDO it."""
    table = copy.deepcopy(moment.table)
    before = as_it_is(table)
    said = len(table.events)
    try:
        raise_incident(table, incident, seat)
    except Exception as error:  # noqa: BLE001 - whatever a table raises is a fault
        yield Fault("exception", f"{type(error).__name__}: {error}")
        return
    ruling = table.open_ruling
    if ruling is None:
        if not any(isinstance(event, Refused) for event in table.events[said:]) and len(table.events) == said:
            yield Fault("no answer", "the press had no effect and no refusal")
        return
    if as_it_is(table) != before:
        yield Fault("raised only", "raising the incident changed chips, hands or the board")
    table.wait(IN_FRONT_MS)
    yield from _words(table, ruling)
    for option in ruling.options:
        at_choice = copy.deepcopy(table)
        try:
            yield from _option(at_choice, before, moment, ruling, option.no)
        except Broken as broken:
            yield Fault("table", f"{option.option}: {broken}")
        except Exception as error:  # noqa: BLE001 - as above
            yield Fault("exception", f"{option.option}: {type(error).__name__}: {error}")


def _words(table: FuzzedTable, ruling: RulingView) -> Iterator[Fault]:
    book = table.node.table.rulebook.id
    for option in ruling.options:
        prefix = option.rule.partition(".")[0]
        if prefix not in (book, "house") and book != "base" and "silent" not in option.text:
            yield Fault("another book's rule", f"{ruling.incident} {option.option}: {option.rule} under {book}")
        if not option.text:
            yield Fault("no words", f"{ruling.incident} {option.option}")


def _option(table: FuzzedTable, before: Held, moment: Moment, ruling: RulingView, no: int) -> Iterator[Fault]:
    option = next(one for one in ruling.options if one.no == no)
    name = f"{ruling.incident} {option.option} ({option.text!r})"
    witness = Witness(table)
    open_view = as_it_is(table)
    said = len(table.events)
    press(table, str(no), Key.STREET)
    witness.look(table)
    refused = [event for event in table.events[said:] if isinstance(event, Refused)]
    asked = bool(refused) and "COUNT" in refused[0].reason
    if asked:  # a fact is missing: the table asks for it
        said = len(table.events)
        number = _answer(table, ruling, refused[0].reason)
        press(table, number, Key.COUNT)
        ruling = table.open_ruling or ruling
        option = next((one for one in ruling.options if one.option == option.option), option)
        name = f"{ruling.incident} {option.option} ({option.text!r}, {number} said)"
        press(table, str(option.no), Key.STREET)
        refused = [event for event in table.events[said:] if isinstance(event, Refused)]
    if refused:
        yield Fault("not carried out", f"{name}: {refused[0].reason}")
        return
    after = as_it_is(table)
    yield from _changes(table, before, after, moment, ruling, name, option.text, said, asked=asked)
    table.wait(IN_FRONT_MS)
    press(table, Key.UNDO)
    witness.look(table)
    back = as_it_is(table)
    if back != open_view:
        yield Fault("undo", f"{name}: UNDO does not restore {differences(open_view, back)}")
    elif table.open_ruling is None or table.open_ruling.incident != ruling.incident:
        yield Fault("undo, incident", f"{name}: UNDO does not bring the incident back")


def _answer(table: FuzzedTable, ruling: RulingView, asked: str) -> str:
    """What a dealer keys before COUNT: one of a choice, another seat of the hand, or an amount."""
    choice = re.search(r"(\d+) (?:or|to) \d+, COUNT", asked)
    if choice:
        return choice[1]
    if "seat, COUNT" not in asked:
        return str(AMOUNT)
    hand = table.node.table.hand
    assert hand is not None, "a hand that was hit is one of a hand"
    live = [seat for seat in hand.live_seats if seat != ruling.seat]
    return str((live or [seat for seat in hand.seats if seat != ruling.seat])[0])


def _changes(
    table: FuzzedTable,
    before: Held,
    after: Held,
    moment: Moment,
    ruling: RulingView,
    name: str,
    text: str,
    said: int,
    *,
    asked: bool,
) -> Iterator[Fault]:
    changed = [seat for seat in before.stacks if _held(before, seat) != _held(after, seat)]
    unnamed = [seat for seat in changed if not re.search(rf"\bseats? [^;:]*\b{seat}\b", text, re.I)]
    if unnamed and not WHOLE_TABLE.search(text):
        yield Fault("seat not named", f"{name}: changes seat {unnamed}: {differences(before, after)}")
    cut = {seq for event in table.events[said:] if isinstance(event, Rewound) for seq in event.cut}
    earlier = _earlier_streets(moment.table)
    lost = cut & earlier
    if lost and not TAKES_BACK.search(text):
        yield Fault("earlier street", f"{name}: takes back {len(lost)} events of earlier streets")
    if before.board != after.board and not (TAKES_BACK.search(text) or BOARD_WORDS.search(text)):
        yield Fault("board", f"{name}: the board goes from {before.board} to {after.board}")
    act = last_act(moment.table, ruling.seat)
    keeps = ruling.incident in ("bet_size", "string_bet") and not asked  # what was put in was legal
    if keeps and act is not None and ruling.seat is not None:
        grown = after.stacks[ruling.seat][1] - before.stacks[ruling.seat][1]
        if grown > 0:
            yield Fault("legal bet grows", f"{name}: {grown:,} more than was put in")


def _held(table: Held, seat: Seat) -> tuple[int, bool]:
    """Stack and whether the hand is live; bets in front go to the pot when a street ends."""
    behind, _, live = table.stacks.get(seat, (0, 0, False))
    return behind, live


def last_act(table: FuzzedTable, seat: Seat | None) -> Acted | None:
    """The last action of a seat on the street that is played."""
    found = None
    for logged in table.node.table.hand_log:
        if isinstance(logged.event, BoardDealt):
            found = None
        elif isinstance(logged.event, Acted) and logged.event.seat == seat:
            found = logged.event
    return found


def _earlier_streets(table: FuzzedTable) -> set[int]:
    """Numbers of the events before the cards of the street that is played."""
    log = table.node.table.hand_log
    last = max((at for at, logged in enumerate(log) if isinstance(logged.event, BoardDealt)), default=-1)
    return {logged.seq for logged in log[: max(last, 0)]}


def as_it_is(table: FuzzedTable) -> Held:
    projection = table.node.table
    view = table.view
    stacks = {one.seat: (int(one.stack), int(one.bet), one.in_hand and not one.folded) for one in view.seats}
    return Held(chips_of(projection), stacks, tuple(view.board))


def differences(one: Held, other: Held) -> str:
    said = [
        f"seat {seat} {was} -> {other.stacks.get(seat)}"
        for seat, was in one.stacks.items()
        if was != other.stacks.get(seat)
    ]
    if one.board != other.board:
        said.append(f"board {one.board} -> {other.board}")
    if one.chips != other.chips:
        said.append(f"chips {one.chips} -> {other.chips}")
    return ", ".join(said)
