"""The fixed vocabulary: streets, actions, sources, hints, states of a device."""

from __future__ import annotations

from enum import StrEnum


class Street(StrEnum):
    PREFLOP = "preflop"
    FLOP = "flop"
    TURN = "turn"
    RIVER = "river"
    SHOWDOWN = "showdown"
    DONE = "done"


class Action(StrEnum):
    FOLD = "fold"
    CHECK = "check"
    CALL = "call"
    BET = "bet"
    RAISE = "raise"


class Owes(StrEnum):
    """What a ruling has a seat do at its next turn."""

    CALL = "call"  # it checks, or calls
    BET = "bet"  # it bets or raises to an amount
    NO_RAISE = "no_raise"
    MUST_CALL = "must_call"  # it neither raises nor, facing a bet, folds


class Post(StrEnum):
    ANTE = "ante"
    BIG_BLIND_ANTE = "big_blind_ante"
    SMALL_BLIND = "small_blind"
    BIG_BLIND = "big_blind"


class Source(StrEnum):
    """The source of a fact (real-tables.md, 4). Several sources together confirm it."""

    KEY = "key"
    SHOE = "shoe"
    CAMERA = "camera"
    SCREEN = "screen"
    DIRECTOR = "director"
    ENGINE = "engine"  # follows from the rules
    ASSUMED = "assumed"  # no evidence: the default


class Hint(StrEnum):
    """A hint about how chips came, beside a predicted action. Off unless it is configured."""

    STRING_BETS = "string_bets"  # the first motion was another action than all of them together
    MOTIONS = "motions"  # in how many motions they came


class Wish(StrEnum):
    """What a table asks of the tournament's desk."""

    REBUY = "rebuy"
    SEAT_CHANGE = "seat_change"
    LATE_ENTRY = "late_entry"


class DeviceState(StrEnum):
    """Device states, with the same colour on every page."""

    OK = "ok"
    CONNECTING = "connecting"
    NOT_RESPONDING = "not_responding"
    BLOCKED = "blocked"  # the camera's view is unusable
    UNKNOWN_CARD = "unknown_card"
    OFF = "off"
    NONE = "none"  # the table's configuration has no such device
