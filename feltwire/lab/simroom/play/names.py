"""Names for simulated players."""

from __future__ import annotations

_GIVEN = [
    "Ada",
    "Ben",
    "Carmen",
    "Dov",
    "Elif",
    "Finn",
    "Grace",
    "Hugo",
    "Ines",
    "Jonas",
    "Kira",
    "Luca",
    "Mei",
    "Nils",
    "Olga",
    "Pavel",
    "Quinn",
    "Rosa",
    "Sven",
    "Tara",
    "Umar",
    "Vera",
    "Wim",
    "Yuki",
]
_FAMILY = [
    "Okafor",
    "Sato",
    "Ruiz",
    "Lindqvist",
    "Kaya",
    "Byrne",
    "Mbeki",
    "Marin",
    "Novak",
    "Weber",
    "Petrov",
    "Costa",
    "Tanaka",
    "Holm",
    "Silva",
    "Horak",
    "Adeyemi",
    "Fontaine",
    "Lund",
    "Mehta",
    "Rossi",
    "Varga",
    "Dekker",
    "Ito",
]


def player_name(number: int) -> str:
    """The name of player `number` (from 0); the first 576 differ.

    >>> player_name(0), player_name(24)
    ('Ada Okafor', 'Ada Lindqvist')
    """
    given, lap = number % len(_GIVEN), number // len(_GIVEN)
    return f"{_GIVEN[given]} {_FAMILY[(given + 3 * lap + lap // 8) % len(_FAMILY)]}"
