"""Quarantine: an input that triggers a planted fault is set aside, and the table goes on without it."""

from __future__ import annotations

import queue
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import pytest

import feltwire.table.node
import feltwire.table.work
from feltwire.config import TableConfig, load
from feltwire.ledger.chain import check_chain, hash_of
from feltwire.ledger.store import LedgerError
from feltwire.ledger.table_ledger import Ledger
from feltwire.runtime.fair_queue import MOST_INPUTS, FairQueue
from feltwire.runtime.node import Driver
from feltwire.runtime.node_io import Quarantined
from feltwire.runtime.parts import Parts
from feltwire.table.process import TableProcess
from feltwire.table.table_io import CommandCame, DeviceSaid
from firmware_bridge.sim import SimKeypad, SimShoe
from table_core.messages import (
    CardLeftShoe,
    DeviceState,
    Key,
    KeyPressed,
    Noticed,
    SetLevel,
    decode_envelope,
    encode,
)
from table_core.projections.table import TableProjection
from tests.feltwire.processes import PATIENCE_S, table_settings
from tests.ports import free_port
from tests.table_under_test import LEVEL
from tests.waiting import until

TAG = bytes.fromhex("e004a1b2c3d4e5f6")


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[TableProcess]:
    """TIME, a card and a level each bring out a fault, when half of the step is done."""
    observe, carry_out = feltwire.table.work.observe, feltwire.table.node.carry_out

    def faulty(unit: Any, state: Any, seen: Any, now: Any) -> None:
        if isinstance(seen, CardLeftShoe) or (isinstance(seen, KeyPressed) and seen.key is Key.TIME):
            state.keypad.typed = "999"
            unit.record(Noticed("half", "half of a step"))
            raise KeyError(TAG.hex())
        observe(unit, state, seen, now)

    def faulty_command(unit: Any, state: Any, command: Any, now: Any) -> None:
        if isinstance(command, SetLevel):
            unit.record(Noticed("half", "half of a step"))
            raise RuntimeError
        carry_out(unit, state, command, now)

    monkeypatch.setattr(feltwire.table.work, "observe", faulty)
    monkeypatch.setattr(feltwire.table.node, "carry_out", faulty_command)
    settings = table_settings(tmp_path, f'[broker]\nurl = "mqtt://127.0.0.1:{free_port()}"\n', free_port())
    lines = "".join(f'[{name}]\nport = "{tmp_path / name}"\n' for name in ("keypad", "shoe"))
    (tmp_path / "table.toml").write_text(settings.replace("[broker]", f"{lines}[broker]"))
    process = TableProcess(load(tmp_path / "table.toml", TableConfig))
    process.start()
    yield process
    process.stop()


def events_in(folder: Path) -> list[Any]:
    """The events in the ledger, whose chain holds."""
    ledger = Ledger.open(folder / "table-data" / "table-01.ledger", read_only=True)
    try:
        rows = list(ledger.raw_events())
        assert check_chain(rows).ok
        return [decode_envelope(raw) for _, _, raw in rows]
    finally:
        ledger.close()


def test_a_key_that_brings_out_a_fault_is_put_aside_and_the_next_one_counts(
    table: TableProcess, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with SimKeypad(tmp_path / "keypad") as keypad, SimShoe(tmp_path / "shoe") as shoe:
        for key in (Key.TIME, Key.FLOOR, Key.TIME):
            keypad.press(key)
        shoe.deal(TAG)
        assert keypad.wait_acked(PATIENCE_S)
        assert shoe.wait_acked(PATIENCE_S)
        table.driver.stop()
    events = events_in(tmp_path)
    kinds = [envelope.data.kind for envelope in events if isinstance(envelope.data, Noticed)]
    assert "half" not in kinds, "nothing of a step that was not committed"
    assert kinds.count("put_aside") == 3
    projection = TableProjection("hall", "01", table.node.table.rulebook)
    for envelope in events:
        projection.apply(envelope, hash_of(encode(envelope)))
    assert table.node.table.view() == projection.view()
    assert projection.view().floor
    assert table.node.state.keypad.typed == "", "the memory is that of the ledger"
    assert not (tmp_path / "table-data" / "quarantine").exists(), "a device's bytes are written nowhere"
    assert TAG.hex() not in caplog.text


def test_what_a_device_says_of_itself_is_not_told_again_to_the_node_that_is_made_anew(
    table: TableProcess, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last word of each device is what a new node begins with."""
    device = feltwire.table.work.TableWork.device

    def faulty_device(work: Any, seen: Any, now: Any) -> Any:
        if seen.state is DeviceState.BLOCKED:
            raise KeyError
        return device(work, seen, now)

    monkeypatch.setattr(feltwire.table.work.TableWork, "device", faulty_device)
    with SimKeypad(tmp_path / "keypad") as keypad:
        table._device_put(DeviceSaid("camera", DeviceState.BLOCKED, "dark"))
        keypad.press(Key.FLOOR)
        assert keypad.wait_acked(PATIENCE_S)
    assert not table.driver.failed.is_set()


def test_a_command_is_kept_with_its_bytes_once(table: TableProcess, tmp_path: Path) -> None:
    poison = encode(SetLevel("level-1", LEVEL, 0))
    with SimKeypad(tmp_path / "keypad") as keypad:
        for _ in range(3):
            table.driver.put(CommandCame(poison))
        keypad.press(Key.FLOOR)
        assert keypad.wait_acked(PATIENCE_S)
    (kept,) = (tmp_path / "table-data" / "quarantine").iterdir()
    assert poison in kept.read_bytes()
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    kinds = [envelope.data.kind for envelope in events_in(tmp_path) if isinstance(envelope.data, Noticed)]
    assert kinds.count("put_aside") == 1
    assert "half" not in kinds


@dataclass(frozen=True)
class Said:
    source: str
    payload: bytes = b""
    most: ClassVar[int] = MOST_INPUTS


def test_each_source_has_its_turn_and_a_bounded_queue() -> None:
    inputs = FairQueue()
    assert sum(inputs.put(Said("keypad")) for _ in range(3 * MOST_INPUTS)) == MOST_INPUTS
    inputs.put(Said("screen"))
    inputs.put("my own")
    first = [inputs.next(0) for _ in range(3)]
    assert first == ["my own", Said("keypad"), Said("screen")]
    assert not inputs.put(Said("bus", b"a" * 2**24)), "nor one that fills the memory"


def test_an_empty_queue_waits_no_longer_than_it_should() -> None:
    with pytest.raises(queue.Empty):
        FairQueue().next(0)


class Waking:
    """A node that takes every input; when only time has passed, `raises` does."""

    taken: ClassVar[list[Any]] = []
    steps: ClassVar[list[int]] = []

    def step(self, given: Any, now: Any) -> Any:
        self.steps.append(now)
        if given is None:
            raise ZeroDivisionError
        self.taken.append(given)
        return (), now


def test_time_that_raises_does_not_end_the_process_and_inputs_are_taken(caplog: pytest.LogCaptureFixture) -> None:
    Waking.taken.clear()
    Waking.steps.clear()
    driver = Driver(Waking(), print, name="faulty", rebuild=lambda: (Waking(), ()))
    driver.start()
    driver.put(Said("keypad", b"1"))
    until(lambda: Said("keypad", b"1") in Waking.taken, "the key")
    told = [one.words for one in Waking.taken if isinstance(one, Quarantined)]
    assert told[0].startswith("A fault while nothing came")
    driver.stop()
    assert driver.failure is None
    assert "ZeroDivisionError at test_quarantine.py" in caplog.text
    assert len(Waking.steps) < 50, "it rests longer each time"


def test_a_part_that_raises_twice_is_left_out_and_the_input_is_taken_all_the_same() -> None:
    parts, taken = Parts(), list[Any]()

    class Node:
        def step(self, given: Any, now: Any) -> Any:
            parts.run("the pages", self._pages)
            taken.append(given)
            return (), None

        def _pages(self) -> list[None]:
            raise LookupError("Ah Kd")

    driver = Driver(Node(), print, name="faulty", rebuild=lambda: (Node(), ()), parts=parts)
    driver.start()
    driver.put(Said("keypad", b"1"))
    until(lambda: Said("keypad", b"1") in taken, "the key")
    driver.stop()
    assert driver.failure is None
    assert parts.left_out == {"the pages"}
    told = [one.words for one in taken if isinstance(one, Quarantined)]
    assert told == ["A fault in the pages: it is left out until this process is started again"]


def test_an_own_input_and_a_first_input_that_raise_are_left_out() -> None:
    taken = list[Any]()

    class Node:
        def step(self, given: Any, now: Any) -> Any:
            if given in ("first", "own"):
                raise KeyError(given)
            taken.append(given)
            return (), None

    driver = Driver(Node(), print, name="faulty", rebuild=lambda: (Node(), ("first", "second")))
    driver.start()
    driver.put("own")
    driver.put(Said("keypad", b"1"))
    until(lambda: Said("keypad", b"1") in taken, "the key")
    driver.stop()
    assert driver.failure is None
    assert "second" in taken


def test_a_fault_of_the_disk_ends_the_process() -> None:
    class Faulty:
        def step(self, given: Any, now: Any) -> Any:
            raise LedgerError("gone")

    driver = Driver(Faulty(), print, name="faulty", rebuild=lambda: (Faulty(), ()))
    driver.start()
    assert driver.failed.wait(PATIENCE_S)
    assert isinstance(driver.failure, LedgerError)
