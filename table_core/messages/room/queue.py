"""The exception queue: everything in the room that waits for a person."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from table_core.messages.base import Few, Frozen, Many, Name, Number, Seat, Text


class Severity(StrEnum):
    """How urgent an item is, the worst first."""

    STOP = "stop"  # play stands, or chips are at risk
    NOW = "now"  # somebody waits
    SOON = "soon"
    KNOW = "know"  # nothing is to be done yet


class ItemKind(StrEnum):
    FLOOR_CALL = "floor_call"
    RULING = "ruling"
    DISPUTE = "dispute"
    BUST = "bust"
    MOVE = "move"
    ABSENCE = "absence"
    PENALTY = "penalty"
    CHIPS = "chips"
    COUNT = "count"
    IMBALANCE = "imbalance"
    BREAK_TABLE = "break_table"
    DEVICE = "device"
    SILENT = "silent"
    NO_ANSWER = "no_answer"
    CLAIM = "claim"
    ADMISSION = "admission"  # a phone asks to be let in
    PHONE = "phone"  # a player asks by phone
    DISK = "disk"
    DECK = "deck"
    HAND_FOR_HAND = "hand_for_hand"
    LATE = "late"  # a hand on an old level
    PLACES = "places"  # that the book leaves open
    MONEY = "money"  # whose it is, the book does not say
    SEAT = "seat"  # a player has none
    VERSION = "version"  # a machine has another program than the station
    NOT_SHOWN = "not_shown"  # a part of a page, or of this queue
    OTHER = "other"


class Primary(Frozen, frozen=True):
    """What an item's button does: a command of the director with its arguments, or a page to `open`. `confirm`:
    what is asked before."""

    label: Text
    command: Name = ""
    arguments: dict[Name, Text | int | bool | list[Text]] = msgspec.field(default_factory=dict)
    confirm: Text = ""
    open: Text = ""


class QueueItem(Frozen, frozen=True):
    """One matter. Its `id` stays while it lasts; it is `ms_ago` old. `decides`: table or director, where one of
    them does. `primary` settles it, `also` are other ways. `can_be_done`: a person may say that it is done; other
    items end with their matter."""

    id: Name
    kind: ItemKind
    severity: Severity
    fact: Text
    table: Name = ""
    seat: Seat | None = None
    player: Name = ""
    do: Text = ""
    rule: Name = ""
    ms_ago: Number = 0
    decides: Name = ""
    taken_by: Text = ""
    taken_ms_ago: Number = 0
    primary: Primary | None = None
    also: Few[Primary] = ()
    can_be_done: bool = False


class Decided(Frozen, frozen=True):
    """An item that ended lately, and by whom where a person ended it. `can_reopen`: a person said that it is done,
    and its matter lasts."""

    id: Name
    fact: Text
    outcome: Text
    by: Text
    ms_ago: Number
    can_reopen: bool = False


class QueueView(Frozen, frozen=True):
    items: Many[QueueItem]
    decided: Many[Decided] = ()
