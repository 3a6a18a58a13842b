"""What is found: a part of the setup, its colour, and what to do where it is not green."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from feltwire.errors import UsageError
from feltwire.private_files import readable_by_others
from table_core.messages import Frozen, HealthColour, HealthFact, Name, Text

GREEN, YELLOW, RED = HealthColour.GREEN, HealthColour.YELLOW, HealthColour.RED


class Finding(Frozen, frozen=True):
    """One line. `do` is empty where it is green."""

    part: Name
    colour: HealthColour
    words: Text
    do: Text = ""


def well(part: str, words: str) -> Finding:
    return Finding(part, GREEN, words)


def look(part: str, words: str, do: str) -> Finding:
    """It works: what to see to all the same."""
    return Finding(part, YELLOW, words, do)


def wrong(part: str, words: str, do: str) -> Finding:
    return Finding(part, RED, words, do)


def of_fact(fact: HealthFact, part: str = "") -> Finding:
    return Finding(part or fact.device, fact.colour, fact.words, fact.do)


class Refused(Exception):
    """What a check could not do; it becomes a finding."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.words)
        self.finding = finding


@contextmanager
def refusing(part: str) -> Iterator[None]:
    """An error that names what to do becomes `Refused`."""
    try:
        yield
    except UsageError as error:
        what, _, do = str(error).partition("; ")
        raise Refused(wrong(part, what, do or "Mend that setting.")) from None


def secret(part: str, path: str) -> Iterator[Finding]:
    """A file that others may read."""
    if path and readable_by_others(Path(path)):
        yield look(part, f"{path}: others may read it.", f"chmod 600 {path}, and think of who could have.")
