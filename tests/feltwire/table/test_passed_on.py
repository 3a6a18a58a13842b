"""Players deal in turn: keypad and shoe go on to the next dealer between hands, on their leads."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from feltwire.config import TableConfig, load
from feltwire.table.process import TableProcess
from firmware_bridge.sim import SimKeypad, SimShoe
from table_core.messages import CardDealt, HandStarted, Key, Noticed, decode_envelope
from tests.feltwire.processes import PATIENCE_S, table_settings
from tests.ports import free_port

TAG = bytes.fromhex("e0040150123456")


class Dealt:
    """A table with keypad and shoe on pseudo-terminals."""

    def __init__(self, folder: Path) -> None:
        self.keypad, self.shoe = SimKeypad(folder / "keypad"), SimShoe(folder / "shoe")
        devices = f'[keypad]\nport = "{folder}/keypad"\n[shoe]\nport = "{folder}/shoe"\n'
        broker = f'[broker]\nurl = "mqtt://127.0.0.1:{free_port()}"\n'
        (folder / "table.toml").write_text(table_settings(folder, devices + broker, free_port()))
        self.process = TableProcess(load(folder / "table.toml", TableConfig))
        self.process.start()

    def close(self) -> None:
        self.process.stop()
        self.keypad.close()
        self.shoe.close()

    @property
    def events(self) -> list[object]:
        return [decode_envelope(raw).data for _, _, raw in self.process.ledger.raw_events()]

    def count(self, kind: type) -> int:
        return sum(isinstance(event, kind) for event in self.events)

    def until(self, fact: Callable[[], bool]) -> None:
        deadline = time.monotonic() + PATIENCE_S
        while not fact():
            assert time.monotonic() < deadline, self.events[-8:]
            time.sleep(0.02)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Dealt]:
    dealt = Dealt(tmp_path)
    yield dealt
    dealt.close()


def test_what_the_next_dealer_does_before_the_cable_is_in_comes_when_it_is(table: Dealt) -> None:
    def deal(first: int) -> None:
        for card in range(first, first + 6):
            table.shoe.deal(TAG + bytes([card]))

    table.keypad.press(Key.NEW_HAND)
    table.until(lambda: table.count(HandStarted) == 1)  # keys and cards come over two lines
    deal(0)
    table.until(lambda: table.count(CardDealt) == 6)
    table.keypad.press(Key.FOLD)
    table.keypad.press(Key.FOLD)
    assert table.keypad.wait_acked(PATIENCE_S)
    table.keypad.unplug()
    table.shoe.unplug()
    table.keypad.press(Key.NEW_HAND)
    table.until(lambda: {*table.process.node.table.devices.values()} & {"connecting"} != set())
    table.keypad.plug()
    assert table.keypad.wait_acked(PATIENCE_S)
    deal(6)
    table.shoe.plug()
    table.until(lambda: table.count(CardDealt) == 12)
    assert table.count(HandStarted) == 2
    lost = [event for event in table.events if isinstance(event, Noticed) and "lost" in event.kind]
    assert lost == [], "a cable that is out between hands is not mentioned"
