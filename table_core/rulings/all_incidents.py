"""Imports every module of incidents, so that the register is complete."""

from table_core.rulings import (
    action,
    board,
    chips,
    deal,
    deck,
    floor,
    hands,
    reported,
    resume,
    several_boards,
    showdown,
)
from table_core.rulings.register import INCIDENTS, Incident

__all__ = [
    "INCIDENTS",
    "Incident",
    "action",
    "board",
    "chips",
    "deal",
    "deck",
    "floor",
    "hands",
    "reported",
    "resume",
    "several_boards",
    "showdown",
]
