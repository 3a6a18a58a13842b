"""What a touch or a command leads to can be read again: it is refused with words, or it is in the ledger and a
table starts from it."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from display.actions import ActionRefused, Touch
from display.presses import TimedPress
from feltwire.config import ConfigError, TableConfig, load, rulebook_of
from feltwire.ledger.table_ledger import Ledger
from feltwire.runtime.boottime import boot_millis
from feltwire.table.process import TableProcess, _Touches
from feltwire.table.table_io import CommandCame, Touched
from table_core.messages import (
    HIGHEST_HAND,
    MOST_CHIPS,
    Chips,
    HandStarted,
    Key,
    Malformed,
    Millis,
    Refused,
    Ruled,
    Seat,
    SeatsSet,
    SeatStack,
    SetSeats,
    Unencodable,
    decode,
    decode_envelope,
    encode,
)
from table_core.tracker.waits import LOOKED_MS
from tests.feltwire.processes import table_settings
from tests.ports import free_port
from tests.table_under_test import TableUnderTest

NUMBERS = itertools.count(1)
SEATS = (SeatStack(Seat(1), Chips(5_000)), SeatStack(Seat(2), Chips(5_000)))


def starts_again(table: TableUnderTest) -> None:
    """A process that finds this ledger."""
    again = TableUnderTest()
    stored = [(decode_envelope(encode(envelope)), head) for envelope, head in table.stored]
    again.node.recover(stored, table.notes.get)
    assert again.view == table.view


@pytest.fixture
def process(tmp_path: Path) -> Iterator[TableProcess]:
    settings = table_settings(tmp_path, f'[broker]\nurl = "mqtt://127.0.0.1:{free_port()}"\n', free_port())
    (tmp_path / "table.toml").write_text(settings)
    running = TableProcess(load(tmp_path / "table.toml", TableConfig))
    running.start()
    yield running
    running.stop()


def touched(process: TableProcess, key: Key, **more: Any) -> str:
    """The words of the refusal; empty where it was carried out."""
    press = TimedPress(f"press-{next(NUMBERS)}", Millis(boot_millis() + 60_000))
    try:
        asyncio.run(_Touches(process._answers).touch("01", Touch(key, **more), press))
    except ActionRefused as refused:
        return str(refused)
    return ""


def in_ledger(folder: Path) -> list[Any]:
    """As a process that starts reads them."""
    ledger = Ledger.open(folder / "table-data" / "table-01.ledger", read_only=True)
    try:
        return [envelope.data for envelope, _ in ledger.hashed_events()]
    finally:
        ledger.close()


def test_a_reason_that_no_ledger_can_give_back_is_refused_with_words_and_changes_nothing(
    process: TableProcess, tmp_path: Path
) -> None:
    assert not touched(process, Key.NEW_HAND)
    assert not touched(process, Key.FLOOR, seat=Seat(1), amount=Chips(51))
    asked = process.node.table.view().question
    assert asked is not None
    said = touched(process, Key.STREET, amount=Chips(1), question=asked.question, reason="r" * 4_010)
    assert "reason: 4,000 letters at most" in said
    assert process.node.table.view().question == asked
    assert not [one for one in in_ledger(tmp_path) if isinstance(one, Ruled)]


@pytest.mark.parametrize("length", [0, 200, 3_990, 4_000])
def test_a_ruling_with_a_reason_that_fits_is_read_again(length: int) -> None:
    table = TableUnderTest()
    table.start_hand("Ah", "Kd", "7c", "As", "Kc", "2d")
    table.press("600", Key.BET_RAISE)
    table.press("1", Key.SEAT, "43", Key.FLOOR)
    table.wait(LOOKED_MS)
    table.give(Touched(Key.STREET, None, Chips(1), reason="r" * length))
    assert [len(one.reason) for one in table.of(Ruled)] == [length]
    starts_again(table)


@pytest.mark.parametrize(
    "touch",
    [
        {"reason": "r" * 201},
        {"reason": "one\nother"},
        {"amount": MOST_CHIPS + 1},
        {"question": 2**53},
        {"seat": 100},
    ],
)
def test_a_page_sends_nothing_longer_or_larger_than_a_person_may_state(touch: dict[str, Any]) -> None:
    with pytest.raises(Malformed, match=r"\$\."):
        decode(msgspec.json.encode({"key": Key.STREET, **touch}), Touch)


def test_digits_that_no_function_key_takes_leave_a_note_that_is_read_again() -> None:
    table = TableUnderTest()
    table.press(*[Key.D000] * 1_500, Key.FOLD, in_a_row=True)
    starts_again(table)


def test_what_a_command_with_the_longest_id_leads_to_is_read_again() -> None:
    table = TableUnderTest()
    table.give(
        CommandCame(encode(SetSeats("i" * 180, (SeatStack(Seat(1), Chips(7)), SeatStack(Seat(2), Chips(1))))))
    )
    assert table.of(SeatsSet)
    assert all(decode_envelope(encode(envelope)) == envelope for envelope in table.envelopes)
    with pytest.raises(Unencodable):
        encode(SetSeats("i" * 181, ()))


@pytest.mark.parametrize("hand", [1, HIGHEST_HAND, HIGHEST_HAND + 1, 2**53 - 2, 2**53 - 1])
def test_behind_any_hand_number_that_is_taken_hands_are_played(hand: int) -> None:
    table = TableUnderTest()
    told = table.give(CommandCame(encode(SetSeats("t-1", SEATS, Seat(1), hand))))
    taken = bool(table.of(SeatsSet, told))
    assert taken or table.of(Refused, told)[0].cause == "t-1"
    for _ in range(3):
        table.press(Key.NEW_HAND)
        table.press(Key.FOLD)
        table.wait(20_000)
    assert len(table.of(HandStarted)) >= 2, "the night goes on"
    starts_again(table)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ('venue = "a\\nb"', "venue"),
        ("house = { all_in_face_up = 'x' }", "house"),
        (f"[[levels]]\nno = 2\nsmall_blind = {10**13}\nbig_blind = {10**13}\nminutes = 20", "entry 2"),
        ("[[levels]]\nno = 2\nsmall_blind = 1\nbig_blind = 2\nminutes = 20000", "entry 2"),
    ],
)
def test_settings_that_no_ledger_can_hold_are_refused_before_the_table_begins(
    tmp_path: Path, settings: str, words: str
) -> None:
    file = tmp_path / "table.toml"
    whole = table_settings(tmp_path, "", free_port())
    name = settings.partition(" ")[0]
    lines = [line for line in whole.splitlines() if not line.startswith(f"{name} =")]
    table = settings.startswith("[[")
    file.write_text("\n".join([*lines, settings] if table else [settings, *lines]))
    with pytest.raises(ConfigError, match=words):
        rulebook_of(load(file, TableConfig))
    assert not (tmp_path / "table-data").exists()
