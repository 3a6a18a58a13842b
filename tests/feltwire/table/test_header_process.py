"""A table whose keys are wired to the Pi's header: gpiozero's mock pins under the table's own process."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from gpiozero.pins.mock import MockFactory

from feltwire.config import ConfigError, TableConfig, load
from feltwire.ledger.table_ledger import Ledger
from feltwire.table.process import TableProcess
from firmware_bridge.drivers.gpio import driver as gpio_driver
from table_core.messages import HandStarted, decode_envelope
from tests.feltwire.processes import PATIENCE_S, Process, table_settings
from tests.ports import free_port

PINS = {"NEW_HAND": 4, "FOLD": 5, "UNDO": 6}
GPIO = """[gpio]
buttons = {NEW_HAND = 4, FOLD = 5, UNDO = 6}
seat_lamps = {1 = 16, 2 = 20, 3 = 21}
lamp = [22, 23, 24]
buzzer = 18
"""


def settings(folder: Path, gpio: str = GPIO) -> str:
    text = table_settings(folder, f'[broker]\nurl = "mqtt://127.0.0.1:{free_port()}"\n', free_port())
    return text.replace("[broker]", f"{gpio}[broker]")


@pytest.fixture
def pins(monkeypatch: pytest.MonkeyPatch) -> MockFactory:
    factory = MockFactory()
    monkeypatch.setattr(gpio_driver, "open_factory", lambda name: factory)
    return factory


@pytest.fixture
def table(tmp_path: Path, pins: MockFactory) -> Iterator[TableProcess]:
    (tmp_path / "table.toml").write_text(settings(tmp_path))
    process = TableProcess(load(tmp_path / "table.toml", TableConfig))
    process.start()
    yield process
    process.stop()


def until(fact: object, words: str) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not fact():  # type: ignore[operator]
        assert time.monotonic() < deadline, words
        time.sleep(0.01)


def lit(pins: MockFactory) -> list[int]:
    return [seat for seat, pin in ((1, 16), (2, 20), (3, 21)) if pins.pin(pin).state]


def test_a_hand_is_keyed_at_the_header_and_its_lamps_say_whose_turn_it_is(
    table: TableProcess, pins: MockFactory, tmp_path: Path
) -> None:
    until(lambda: pins.pin(22).function == "output" and pins.pin(4).state, "the pins are taken")

    def press(key: str, fact: object) -> None:
        green = pins.pin(23)
        until(lambda: not green.state, "the lamp is dark again")
        green.clear_states()
        pins.pin(PINS[key]).drive_low()
        until(fact, key)
        until(lambda: any(state.state for state in green.states[1:]), "the lamp says: recorded")
        pins.pin(PINS[key]).drive_high()
        time.sleep(0.05)  # a finger's rest

    press("NEW_HAND", lambda: lit(pins) == [1])
    press("FOLD", lambda: lit(pins) == [2])
    press("UNDO", lambda: lit(pins) == [1])
    table.driver.stop()
    ledger = Ledger.open(tmp_path / "table-data" / "table-01.ledger", read_only=True)
    try:
        events = [decode_envelope(raw) for _, _, raw in ledger.raw_events()]
    finally:
        ledger.close()
    (started,) = [envelope for envelope in events if isinstance(envelope.data, HandStarted)]
    assert started.cause.startswith("keypad/")


def test_a_machine_without_pins_says_so_on_the_tables_screen_and_plays_on(tmp_path: Path) -> None:
    text = settings(tmp_path, GPIO + 'pin_factory = "native"\n')
    port = int(text.rsplit("port = ", 1)[1])
    with Process("table", tmp_path, port, text) as process:
        process.shows("table/01", lambda view: view["devices"].get("keypad") == "not_responding")
        assert process.end() == 0


@pytest.mark.parametrize(
    ("gpio", "says"),
    [
        ("[gpio]\nbuttons = {CALL = 5}\n", "gpio: there is no key 'CALL'"),
        ("[gpio]\nbuttons = {FOLD = 5, UNDO = 5}\n", "GPIO5 is used twice, for FOLD and for UNDO"),
        ('[keypad]\nport = "/dev/ttyACM0"\n' + GPIO, "a table has one keypad; remove one of the two sections"),
        ("[gpio]\nbutton = {FOLD = 5}\n", "unknown field `button`"),
    ],
)
def test_wrong_wiring_ends_the_process_with_a_sentence(gpio: str, says: str, tmp_path: Path) -> None:
    (tmp_path / "table.toml").write_text(settings(tmp_path, gpio))
    with pytest.raises(ConfigError, match=says):
        TableProcess(load(tmp_path / "table.toml", TableConfig))
