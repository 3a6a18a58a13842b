"""A club's chips as screens can draw them: the colours that people type, in English, German and Spanish."""

from __future__ import annotations

from collections.abc import Iterable

from display.colours import contrast
from table_core.messages import Chips, Colour, FieldChip
from table_core.tournament.chips.handout import OwnChips

_COLOURS: dict[Colour, tuple[str, ...]] = {
    "#f4f4f0": ("white", "weiß", "weiss", "blanco", "blanca"),
    "#c8202f": ("red", "rot", "rojo", "roja"),
    "#1f4fbf": ("blue", "blau", "azul"),
    "#1f7a3f": ("green", "grün", "gruen", "verde"),
    "#1c1c1c": ("black", "schwarz", "negro", "negra"),
    "#6b2fa0": ("purple", "violet", "lila", "violett", "morado", "morada"),
    "#f2c200": ("yellow", "gelb", "amarillo", "amarilla"),
    "#e8791a": ("orange", "naranja"),
    "#ef7fae": ("pink", "rosa"),
    "#8a8f94": ("grey", "gray", "grau", "gris"),
    "#7a4a26": ("brown", "braun", "marrón", "marron"),
    "#c9b37e": ("beige", "tan"),
    "#7ec0ee": ("light blue", "hellblau", "celeste"),
}
_CALLED = {name: colour for colour, names in _COLOURS.items() for name in names}


def field_chips(owned: Iterable[OwnChips]) -> tuple[FieldChip, ...]:
    """Each colour with what a screen draws; one that nobody here knows is named only."""
    return tuple(_chip(one) for one in owned)


def _chip(own: OwnChips) -> FieldChip:
    name = " ".join(own.colour.split())
    colour = _CALLED.get(name.casefold())
    dark = colour is not None and contrast("#ffffff", colour) > contrast("#000000", colour)
    return FieldChip(Chips(own.value), name[:200], colour, dark)
