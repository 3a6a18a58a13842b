"""Measures of what one buys (`hardware/bodies/bought.toml`), in millimetres."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec

from hardware.drawings import FOLDER

BODIES = FOLDER / "bodies"
Span = tuple[float, float]  # from, to
Size = tuple[float, float, float]


class Card(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    long: Span
    poker: Span
    bridge: Span
    thick: Span
    deck: int
    cut_card_thick: float
    white_edge: float
    grams: float

    @property
    def deck_high(self) -> float:
        """The highest deck, with its cut card."""
        return self.deck * self.thick[1] + self.cut_card_thick


class Barrier(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    size: Size
    gap: float
    axis_from_end: float
    slot_deep: float
    aperture: float


class Reflex(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    size: Size
    sees: Span


class Switch(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    size: Size
    holes_apart: float
    hole: float
    hole_from_foot: float
    lever_free: float
    lever_pressed: float


class Reader(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    size: Size


class Spring(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    wire: float
    wide: float
    long: float
    turns: int
    shear_modulus: float

    @property
    def rate(self) -> float:
        """Newtons a millimetre: G d^4 / (8 D^3 n), D the middle of the wire."""
        return self.shear_modulus * self.wire**4 / (8 * (self.wide - self.wire) ** 3 * self.turns)

    @property
    def solid(self) -> float:
        """Its length with every turn on the next."""
        return (self.turns + 2) * self.wire


class Coil(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    wire: float
    pitch: float
    module_uh: Span


class Pico(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    above_board: float
    below_board: float


class Screw(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    clear: float
    bite: float
    head: float
    long: float


class Key(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    cut_out: float
    cut_out_fit: Span
    body: float
    below_plate: float
    pitch: float
    cap: float
    plate: Span


class Legend(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    size: Span


class Lamp(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    piece: Span
    light: float


class Buzzer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    wide: float


class Bought(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    card: Card
    barrier: Barrier
    reflex: Reflex
    switch: Switch
    reader: Reader
    spring: Spring
    coil: Coil
    pico: Pico
    screw: Screw
    key: Key
    legend: Legend
    lamp: Lamp
    buzzer: Buzzer


@cache
def bought(path: Path = BODIES / "bought.toml") -> Bought:
    """Raise `msgspec.ValidationError` for what the file must not have."""
    return msgspec.toml.decode(path.read_bytes(), type=Bought)
