"""Drawings of the hardware, made from data: parts, wiring, boards, bodies, print sheets. No venue runs it."""

from pathlib import Path

FOLDER = Path(__file__).parents[1]  # hardware/
PICTURES = FOLDER / "pictures"
