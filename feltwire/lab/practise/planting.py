"""What is planted into a hand of practice: slips of the dealer's own fingers, rulings, a player away, a count.

Each function takes the hand's happenings and gives them with one more, or None where the hand has no place for it.
"""

from __future__ import annotations

import random
from collections.abc import Iterable

from feltwire.lab.practise.course import Course, Happening, Press
from table_core.messages import Action, Chips, Key, Seat
from table_core.projections.words import chips

PLANTED = (Key.FLOOR, Key.UNDO, Key.AWAY, Key.COUNT)
TO_BE_NAMED = {"conduct": 84, "dropped": 57, "show_request": 61}  # incidents that change nothing here
_ROUND = (Key.FOLD, Key.CHECK_CALL, Key.BET_RAISE, Key.ALL_IN)


def plant(course: Course, kinds: Iterable[Key], smallest_chip: Chips, chance: random.Random) -> Course:
    """The hand with one of each of the `kinds`, as far as it has room for them."""
    for kind in kinds:
        match kind:
            case Key.FLOOR:
                small = _too_small(course, smallest_chip) if chance.random() < 0.5 else None
                more = small or _ruling(course, chance)
            case Key.UNDO:
                more = _slip(course, chance)
            case Key.AWAY:
                more = _away(course, chance)
            case _:
                more = _count(course, chance)
        if more is not None:
            course = course._replace(happenings=tuple(more))
    return course


def _who(course: Course, seat: Seat) -> str:
    name = next(entry.player for entry in course.script.seats if entry.seat == seat)
    return f"seat {seat}, {name}"


def _ruling(course: Course, chance: random.Random) -> list[Happening] | None:
    """Something that a person has to rule on, and that no device sees."""
    all_of_it = list(course.happenings)
    at = chance.choice([no for no, one in enumerate(all_of_it) if one.key in _ROUND])
    before = all_of_it[at - 1]
    folded = {did.seat for did in course.acts[: before.acts] if did.action is Action.FOLD}
    live = [entry.seat for entry in course.script.seats if entry.seat not in folded]
    seat = chance.choice([one for one in live if one != all_of_it[at].seat] or live)
    who = _who(course, seat)
    incident, words, title = chance.choice(
        (
            ("conduct", f"S{who[1:]}, talks about the hand that is being played.", "A player's conduct"),
            ("dropped", f"A card of {who}, falls off the table.", "A card was dropped"),
            ("show_request", f"S{who[1:]}, asks to see a hand that was thrown away.", "Asked to see a hand"),
        )
    )
    keys = f"touch seat {seat}, Ruling, All, {TO_BE_NAMED[incident]} {title}; then: 0 Nothing"
    words = f"{words} You call it up, and rule that nothing changes."
    raised = Happening(words, keys, Key.FLOOR, before.acts, before.board, incident=incident, seat=seat)
    return [*all_of_it[:at], raised._replace(away=before.away), *all_of_it[at:]]


def _too_small(course: Course, smallest_chip: Chips) -> list[Happening] | None:
    """A raise that is a chip too small, and is brought up."""
    all_of_it = list(course.happenings)
    at = next((no for no, one in enumerate(all_of_it) if one.least and one.slip is None), None)
    if at is None:
        return None
    raised = course.acts[all_of_it[at].acts - 1]
    short = raised.to - smallest_chip
    words = f"S{_who(course, raised.seat)[1:]}, says raise, but puts in {chips(short)} in all; the least is"
    keys = f"{short}, Bet / Raise; touch seat {raised.seat}, Ruling, 74 Too little put in; then: 1"
    words = f"{words} {chips(raised.to)}. It is brought up."
    all_of_it[at] = all_of_it[at]._replace(words=words, keys=keys, key=Key.FLOOR, incident="bet_size")
    return all_of_it


def _slip(course: Course, chance: random.Random) -> list[Happening] | None:
    """The dealer's hand comes upon another key: a call for a fold, a fold for a call, the pot to another seat."""
    all_of_it = list(course.happenings)
    fits = [no for no, one in enumerate(all_of_it) if not one.incident and _slip_at(course, one) is not None]
    if not fits:
        return None
    at = chance.choice(fits)
    all_of_it[at] = all_of_it[at]._replace(slip=_slip_at(course, all_of_it[at]))
    return all_of_it


def _slip_at(course: Course, one: Happening) -> Press | None:
    if one.key is Key.AWARD and one.losers:
        return Press(Key.AWARD, one.losers[0])
    if one.key is Key.FOLD:
        return Press(Key.CHECK_CALL)
    if one.key is Key.CHECK_CALL and course.acts[one.acts - 1].action is Action.CALL:
        return Press(Key.FOLD)
    return None


def _away(course: Course, chance: random.Random) -> list[Happening] | None:
    """A player who has folded leaves the table, and is back before the pot is pushed."""
    all_of_it = list(course.happenings)
    folds = [no for no, one in enumerate(all_of_it[:-1]) if one.key is Key.FOLD]
    if not folds:
        return None
    at = chance.choice(folds)
    seat = all_of_it[at].seat
    assert seat is not None
    keys, who = f"touch seat {seat}, More, Away / back", f"S{_who(course, seat)[1:]},"
    gone = frozenset({seat})

    def moves(words: str, before: Happening, away: frozenset[Seat]) -> Happening:
        return Happening(f"{who} {words}", keys, Key.AWAY, before.acts, before.board, seat=seat, away=away)

    between = [one._replace(away=gone) for one in all_of_it[at + 1 : -1]]
    last = between[-1] if between else all_of_it[at]
    leaves, back = moves("leaves the table.", all_of_it[at], gone), moves("is back.", last, frozenset())
    return [*all_of_it[: at + 1], leaves, *between, back, all_of_it[-1]]


def _count(course: Course, chance: random.Random) -> list[Happening] | None:
    """Between the hands a stack is counted, and is what the record has."""
    entry = chance.choice(course.script.seats)
    words = f"Before the shuffle you count the chips of {_who(course, entry.seat)}: {chips(entry.stack)}."
    keys = f"touch seat {entry.seat}, {entry.stack}, More, Count"
    return [Happening(words, keys, Key.COUNT, 0, seat=entry.seat), *course.happenings]
