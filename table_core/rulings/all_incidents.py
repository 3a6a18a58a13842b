"""Imports every module of incidents, so that the register is complete."""

from table_core.rulings import (
    action,
    board,
    burns,
    called_clock,
    chips,
    deal,
    deck,
    floor,
    hands,
    keyed_as_folded,
    keyed_wrong,
    reported,
    resume,
    said_ahead,
    several_boards,
    showdown,
    turn,
)
from table_core.rulings.register import INCIDENTS, Incident

__all__ = [
    "INCIDENTS",
    "Incident",
    "action",
    "board",
    "burns",
    "called_clock",
    "chips",
    "deal",
    "deck",
    "floor",
    "hands",
    "keyed_as_folded",
    "keyed_wrong",
    "reported",
    "resume",
    "said_ahead",
    "several_boards",
    "showdown",
    "turn",
]
