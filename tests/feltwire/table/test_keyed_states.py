"""What was keyed and is not on record is on the table's own screen, and the keypad says how a press went."""

from __future__ import annotations

from feltwire.table.devices.keypad_lights import (
    AGAIN,
    AGAIN_TONE,
    ASKING_TONE,
    ASKS,
    DARK,
    OWN,
    REFUSED,
    REFUSED_TONE,
    KeypadPanel,
)
from feltwire.table.table_io import KeypadLights
from firmware_bridge.drivers.interface import Colour
from table_core.messages import Key
from tests.feltwire.table.test_table_node import FLOP, HOLE
from tests.table_under_test import TableUnderTest


class Keypad:
    """Keeps what its lamp shows and what it sounds."""

    def __init__(self) -> None:
        self.own: list[tuple[Colour, bool]] = []
        self.tones: list[tuple[int, int, int, int]] = []

    def start(self) -> None: ...

    def stop(self) -> None: ...

    def lamp(self, seat: int, colour: Colour, *, blinking: bool = False) -> None:
        if seat == OWN:
            self.own.append((colour, blinking))

    def sound(self, hertz: int, on_ms: int, off_ms: int, times: int) -> None:
        self.tones.append((hertz, on_ms, off_ms, times))


def test_lamp_and_buzzer_tell_asked_refused_and_again_apart() -> None:
    keypad = Keypad()
    panel = KeypadPanel(keypad)  # type: ignore[arg-type]  # only what it drives
    panel.show(KeypadLights(asks=True))
    panel.show(KeypadLights(asks=True, again=True))
    panel.show(KeypadLights(asks=True, refused=True))
    panel.show(KeypadLights())
    assert keypad.own == [(ASKS, True), (AGAIN, False), (REFUSED, False), (DARK, False)]
    assert keypad.tones == [ASKING_TONE, AGAIN_TONE, REFUSED_TONE]


def test_digits_on_the_keypad_are_shown_until_a_key_takes_them() -> None:
    table = TableUnderTest()
    table.start_hand(*HOLE)
    table.press("4", Key.SEAT, "1200")
    assert table.shown.typed == "Seat 4, 1,200"
    table.press(Key.CLEAR)
    assert table.shown.typed == ""


def test_keys_that_wait_for_the_street_are_shown() -> None:
    table = TableUnderTest()
    table.start_hand(*HOLE)
    table.press(Key.FOLD, Key.CHECK_CALL, Key.CHECK_CALL)
    table.deal("5h", *FLOP)
    table.press(Key.CHECK_CALL)
    table.press("300", Key.BET_RAISE)
    assert table.shown.waiting == "Waiting for the flop: check/call, bet 300"
    table.see("board", *FLOP)
    assert table.shown.waiting == ""


def test_the_screen_says_how_a_press_of_the_keypad_went() -> None:
    table = TableUnderTest(devices=("keypad",))
    table.press(Key.NEW_HAND)
    table.press("2", Key.AWARD)
    assert table.shown.outcome == ""
    table.press(Key.UNDO)
    table.press("9", Key.FOLD)
    assert table.shown.outcome == "refused"
    table.press(Key.FOLD, Key.CHECK_CALL)
    assert table.shown.outcome == ""
    table.press(Key.STREET)
    table.press(Key.STREET, blind=True)
    assert table.shown.outcome == "again"
