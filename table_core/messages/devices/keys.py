"""The keys of the dealer's keypad and their codes on the wire. Add a new key here first."""

from __future__ import annotations

from enum import IntEnum


class Key(IntEnum):
    """Keys of the dealer's keypad; the number is the key code in a key frame.

    Digits make a number; the function key after it takes that number as its amount or seat:
    `1 2 00 RAISE` raises to 1,200, `4 TABLED` says that seat 4 tabled its hand, `5 FOLD` that seat 5 folded.
    """

    D0 = 0
    D1 = 1
    D2 = 2
    D3 = 3
    D4 = 4
    D5 = 5
    D6 = 6
    D7 = 7
    D8 = 8
    D9 = 9
    D00 = 10
    D000 = 11
    CLEAR = 12
    SEAT = 13  # turns the number typed so far into a seat for the key that follows
    FOLD = 16
    CHECK_CALL = 17
    BET_RAISE = 18  # with an amount: bet that or raise to that
    ALL_IN = 19
    STREET = 20  # confirms the screen's question: betting closed, street dealt; with a seat: the action is there
    NEW_HAND = 24  # the first riffle
    POT_PUSHED = 25
    TABLED = 26
    MUCK = 27
    AWARD = 28
    SPLIT = 29
    UNDO = 32
    FLOOR = 33
    TIME = 34
    BUTTON_HERE = 35
    AWAY = 36
    COUNT = 37
    OUT_OF_HAND = 38
    OLD_LEVEL = 39
    CARD = 40  # names a card that lies face up unread (`tracker/keys/named_card.py`)
    SEAT_1 = 41  # a key for each seat: the seat for the key that follows, as a number with SEAT
    SEAT_2 = 42
    SEAT_3 = 43
    SEAT_4 = 44
    SEAT_5 = 45
    SEAT_6 = 46
    SEAT_7 = 47
    SEAT_8 = 48
    SEAT_9 = 49
    SEAT_10 = 50
    SEAT_11 = 51

    @property
    def seat(self) -> int | None:
        """The seat that a seat key stands for."""
        return self - Key.SEAT_1 + 1 if self >= Key.SEAT_1 else None
