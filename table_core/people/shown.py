"""How a player is shown to the public: by name, by initials or by number, as the player chose.

>>> short, no = Shows.INITIALS, Shows.NUMBER
>>> shown_names([("p1", "Ann Bell", short), ("p2", "Al Berg", short), ("p3", "Cy Dow", no)])
{'p1': 'A.B.', 'p2': 'A.B. 2', 'p3': '#3'}
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import StrEnum
from functools import lru_cache

MOST_INITIALS = 4
_NUMBERED = re.compile(r"p([1-9]\d*)")


class Shows(StrEnum):
    """What the public reads of a player."""

    NAME = "name"
    INITIALS = "initials"
    NUMBER = "number"


@lru_cache(maxsize=20_000)
def initials(name: str) -> str:
    """The first letter of each word, of four words at most, without *van der* and the like; empty where there is
    none.

    >>> initials("Jean-Luc van der Berg"), initials("O'Neill, Zoë"), initials("ann bell")
    ('J.L.B.', 'O.Z.', 'a.b.')
    """
    words = (next((one for one in word if one.isalnum()), "") for word in re.split(r"[\s\-‐–]+", name))
    first = [*filter(None, words)]
    large = [one for one in first if not one.islower()]
    return "".join(f"{one}." for one in (large or first)[:MOST_INITIALS])


def number(player: str) -> str:
    """`#7` of the id `p7`; another id as it is, since tables show it, too."""
    found = _NUMBERED.fullmatch(player)
    return f"#{found[1]}" if found else player


def shown_names(players: Iterable[tuple[str, str, Shows]]) -> dict[str, str]:
    """Each player's text by id, of a list of (id, name, choice): no two alike. Who comes later on the list
    gets a number behind it."""
    found: dict[str, str] = {}
    taken: set[str] = set()
    last: dict[str, int] = {}  # the number that this text was given last
    for player, name, shows in players:
        text = "" if shows is Shows.NUMBER else name if shows is Shows.NAME else initials(name)
        text = text or number(player)
        one, times = text, last.get(text, 1)
        while one in taken:
            times += 1
            one = f"{text} {times}"
        last[text] = times
        taken.add(one)
        found[player] = one
    return found
