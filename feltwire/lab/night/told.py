"""What a story's table says of its hands: who goes out in one, and who wins which pot."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from feltwire.lab.night.steps import numbers
from feltwire.lab.night.story import Line
from table_core.messages import Chips, Seat

_STACKS = r"\d+=\d+(?: \d+=\d+)*"
HAND = re.compile(
    r"hand (?P<hand>\d+) button (?P<button>\d+)(?: blinds (?P<small>\d+|-) (?P<big>\d+))?"
    r"(?: also(?P<also>(?: (?:small|big) \d+)+))?(?: level (?P<level>\d+))?"
    rf"(?: stacks (?P<stacks>{_STACKS}))?(?P<over> over)?"
)
OUT = re.compile(rf"out (?P<seats>{_STACKS})(?: by (?P<by>\d+(?: \d+)*)(?P<then>(?: then \d+(?: \d+)*)*))?")
COUNTS = re.compile(rf"counts (?P<stacks>{_STACKS})")
TABLE = re.compile(r"table (?P<table>\S+): (?P<says>.+)")

WhoOut = tuple[Mapping[Seat, Chips], tuple[Seat, ...], tuple[tuple[Seat, ...], ...]]


def who_out(out: re.Match[str]) -> WhoOut:
    """Who loses everything, with the stack, who wins, and who wins the pots that those cannot."""
    by, *then = [
        tuple(Seat(int(seat)) for seat in group.split())
        for group in [out["by"] or "", *(out["then"] or "").split(" then ")[1:]]
    ]
    return numbers(out["seats"]), by, tuple(then)


def lost_later(table: str, later: Sequence[Line]) -> WhoOut:
    """Who goes out in the hand that begins."""
    for line in later:
        found = TABLE.fullmatch(line.text)
        if found is None or found["table"] != table:
            continue
        out = OUT.fullmatch(found["says"])
        if out is None:
            break
        return who_out(out)
    return {}, (), ()
