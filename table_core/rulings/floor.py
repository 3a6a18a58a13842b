"""Rulings of the floor: fairness over the letter, disputes, late reports."""

from __future__ import annotations

from collections.abc import Iterator

from table_core.messages import ChangeLevel, Level, Noticed, Source
from table_core.rulings.case import Case, Option, Push, Record
from table_core.rulings.register import Group, incident


@incident("override", 81, "Ruled in the spirit of fairness", Group.FLOOR, after_hand=True, before_hand=True)
def override(case: Case) -> Iterator[Option]:
    """The director may rule against the letter of the book; the reason is kept."""
    yield Option("exception", "An exception for fairness", case.cite("fairness"))


@incident("dispute", 82, "A dispute", Group.FLOOR, after_hand=True, before_hand=True)
def dispute(case: Case) -> Iterator[Option]:
    """The director's word closes it."""
    yield Option("closed", "The dispute is closed", case.cite("final"))
    yield Option("third_party", "Somebody else rules: the director is in it", case.cite("third_party"))


@incident("late_report", 83, "Reported late", Group.FLOOR, after_hand=True)
def late_report(case: Case) -> Iterator[Option]:
    """Errors are pointed out when they happen; when it was said is kept beside what was ruled."""
    yield Option("in_time", "Pointed out in time", case.cite("in_time"))
    yield Option("too_late", "Too late: what was played stands", case.cite("in_time"))


@incident("conduct", 84, "A player's conduct", Group.FLOOR, needs_seat=True, after_hand=True)
def conduct(case: Case) -> Iterator[Option]:
    """Intent counts: the player's record stands beside the question. Where the book sets the steps of repeated
    infractions, the next one comes first (wfp.infractions.3a)."""
    penalties = tuple(case.policy("penalties") or ("warning",))
    before = case.penalties_before(penalties) if case.policy("penalties_by_steps") else 0
    rule = case.rule("penalties_by_steps") if before else case.cite("intent")
    for penalty in (*penalties[before:], *penalties[:before]):
        yield Option(penalty, f"Seat {case.seat}: {penalty.replace('_', ' ')}", rule)


IN_PLAY_WITH_BLINDS = "riffle_and_blinds"


def _same_level(case: Case) -> str:
    """Why no level is in question."""
    if not case.in_hand or case.policy("level_applies_from") != IN_PLAY_WITH_BLINDS:
        return "a hand keeps the level of its first riffle"
    if case.table.acts() or case.table.next_level in (None, case.hand.level):
        return "no level has begun in this deal"
    return ""


@incident("level_in_deal", 86, "A level began during the deal", Group.FLOOR, unfit=_same_level)
def level_in_deal(case: Case) -> Iterator[Option]:
    """The old level stays where all blinds were in before (ccp.timer.2, 3). Once players have acted the hand is
    played on at it, and what was due is recorded."""
    rule, new, old = case.rule("level_applies_from"), case.table.next_level, case.hand.level
    assert new is not None
    yield Option("old", f"All blinds were in before: {_blinds(old)} stays for this hand", rule)
    if case.table.acts():
        text = (
            f"Not all blinds were in, and players have acted: {_blinds(old)} is played on, {_blinds(new)} was due"
        )
        notice = Record(Noticed("old_level_played", text, rule=rule))
        yield Option("played_on", text, rule, (notice,))
        return
    text = f"Not all blinds were in: this hand is played at {_blinds(new)}"
    yield Option("new", text, rule, (Push(ChangeLevel(new, Source.DIRECTOR)),))


def _blinds(level: Level) -> str:
    return f"{level.small_blind:,}/{level.big_blind:,}"
