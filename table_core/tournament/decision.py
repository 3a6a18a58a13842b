"""What becomes of a command: events, or a refusal with its reason and rule."""

from __future__ import annotations

from collections.abc import Container
from itertools import count

from table_core.messages import Refusal
from table_core.rulebook import Rulebook
from table_core.tournament.events import TournamentEvent

Decision = tuple[TournamentEvent, ...] | Refusal


class ConflictError(ValueError):
    """An event that contradicts what came before it: raised by reducers, in words for the director.

    A decided event never raises it; events behind one that is undone may.
    """


def unused(prefix: str, made: int, taken: Container[str]) -> str:
    """The id behind `made` earlier ones. Where one of those was taken back, later ones keep theirs: `taken`."""
    return next(f"{prefix}{no}" for no in count(made + 1) if f"{prefix}{no}" not in taken)


def refused(book: Rulebook, parameter: str, reason: str) -> Refusal:
    """A refusal that cites the rule behind a parameter of the book; no rule where every book is silent."""
    rule = getattr(book.tournament, parameter, None)
    return Refusal(reason=reason, rule=rule.rule if rule is not None else "")
