"""What becomes of a command: events, or a refusal with its reason and rule."""

from __future__ import annotations

from table_core.messages import Refusal
from table_core.rulebook import Rulebook
from table_core.tournament.events import TournamentEvent

Decision = tuple[TournamentEvent, ...] | Refusal


class ConflictError(ValueError):
    """An event that contradicts what came before it: raised by reducers, in words for the director.

    A decided event never raises it; events behind one that is undone may.
    """


def refused(book: Rulebook, parameter: str, reason: str) -> Refusal:
    """A refusal that cites the rule behind a parameter of the book; no rule where every book is silent."""
    rule = getattr(book.tournament, parameter, None)
    return Refusal(reason=reason, rule=rule.rule if rule is not None else "")
