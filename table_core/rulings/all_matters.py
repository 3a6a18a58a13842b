"""Imports every module of matters, so that the register is complete."""

from table_core.rulings import action, board, chips, deal, deck, floor, hands, resume, runs, showdown
from table_core.rulings.register import MATTERS, Matter

__all__ = [
    "MATTERS",
    "Matter",
    "action",
    "board",
    "chips",
    "deal",
    "deck",
    "floor",
    "hands",
    "resume",
    "runs",
    "showdown",
]
