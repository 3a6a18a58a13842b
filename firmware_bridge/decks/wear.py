"""How worn a deck is: hands, and of each card how often it was seen lying face up and how often its tag had not
answered then.

Only what everybody has seen is counted, after the hand. A count of every card that left the shoe would tell,
hand by hand, which cards the folded hands had (docs/hidden-cards.md). Each card passes the shoe about as often
as any other: the number of hands tells how often."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from table_core.messages import CardText


class Worn(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """`passed`: cards that left the shoe."""

    hands: int = 0
    passed: int = 0
    seen: dict[CardText, int] = msgspec.field(default_factory=dict)
    silent: dict[CardText, int] = msgspec.field(default_factory=dict)

    def after(self, passed: int, seen: Iterable[CardText], silent: Iterable[CardText]) -> Worn:
        """With one hand more."""
        return Worn(self.hands + 1, self.passed + passed, _more(self.seen, seen), _more(self.silent, silent))


def read(document: object) -> dict[str, Worn]:
    """Table -> what it has dealt; raise `ValueError` for anything else."""
    try:
        return msgspec.convert(document, dict[str, Worn])
    except msgspec.ValidationError as error:
        raise ValueError(str(error)) from None


def written(worn: Mapping[str, Worn]) -> dict[str, Any]:
    """The same for a file."""
    found: dict[str, Any] = msgspec.to_builtins(dict(worn))
    return found


def merged(first: Mapping[str, Worn], second: Mapping[str, Worn]) -> dict[str, Worn]:
    """What is known of both. A table only counts up: of its two counts the later one holds."""
    tables = {*first, *second}
    return {
        table: max(first.get(table, Worn()), second.get(table, Worn()), key=_hands) for table in sorted(tables)
    }


def total(worn: Mapping[str, Worn]) -> Worn:
    """Of all tables together."""
    sum_ = Worn()
    for one in worn.values():
        seen, silent = _sum(sum_.seen, one.seen), _sum(sum_.silent, one.silent)
        sum_ = Worn(sum_.hands + one.hands, sum_.passed + one.passed, seen, silent)
    return sum_


def _hands(worn: Worn) -> tuple[int, int]:
    return worn.hands, worn.passed


def _more(counts: Mapping[CardText, int], cards: Iterable[CardText]) -> dict[CardText, int]:
    return _sum(counts, dict.fromkeys(cards, 1))


def _sum(first: Mapping[CardText, int], second: Mapping[CardText, int]) -> dict[CardText, int]:
    return {card: first.get(card, 0) + second.get(card, 0) for card in sorted({*first, *second})}
