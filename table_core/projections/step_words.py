"""What one step did, in one line: every act by seat and chips, what it closed, opened or ended.

A step is one press, one observation or one command with all that followed. `words.describe` has the words of a
single event.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from table_core.messages import (
    Acted,
    Answered,
    AnyEvent,
    AwaySet,
    BetReturned,
    BettingClosed,
    BoardDealt,
    HandEnded,
    HandKilled,
    HandMucked,
    HandStarted,
    HandTabled,
    Noticed,
    Post,
    Posted,
    PotAwarded,
    Refused,
    Rewound,
    Ruled,
    Source,
)
from table_core.projections.words import acted, chips, describe, hand_ended, level_words

AGAIN = frozenset({"again", "street_twice", "new_hand_twice", "key_bounced"})  # notices: a press counted once
READ_MS = 700  # a line that stood shorter was not read
_BESIDE = (Noticed, Answered)  # they have a place of their own on the screen


def refused(events: Iterable[AnyEvent]) -> bool:
    """Whether a press of the step was refused."""
    return any(isinstance(event, Refused) for event in events)


def again(events: Iterable[AnyEvent]) -> bool:
    """Whether a press of the step counted as the one before it once more."""
    return any(isinstance(event, Noticed) and event.kind in AGAIN for event in events)


def in_words(events: Sequence[AnyEvent]) -> str:
    """One line for the step: `"Seats 1, 2 and 3 fold. Seat 6 wins 250: all others folded. Wrong? UNDO"`.

    What was filled in comes first: `"Assumed: seat 6 checks. Turn: unread"`. A notice or an answer is said where
    nothing else was done.
    """
    ruled = any(isinstance(event, Ruled) for event in events)  # and says itself what it takes back
    beside = (*_BESIDE, Rewound) if ruled else _BESIDE
    facts: list[AnyEvent] = [event for event in events if not isinstance(event, beside)] or [*events]
    ended = next((event for event in facts if isinstance(event, HandEnded)), None)
    said: list[str] = []
    acts: list[Acted] = []
    for at, event in enumerate(facts):
        if isinstance(event, Acted):
            acts.append(event)
        elif not _follows(event, facts[at + 1 :], ended):
            said += [_acts(acts), _one(event, facts)]
            acts = []
    killed = any(isinstance(event, HandKilled) for event in facts)
    if killed and ended is None and not any(isinstance(one, Ruled) and one.by == "director" for one in facts):
        acts, said = [], [*said, _acts(acts), "Wrong? UNDO"]
    sentences = [text for text in (*said, _acts(acts)) if text]
    return " ".join([text if text[-1] in ".?" else f"{text}." for text in sentences]).removesuffix(".")


def standing(events: Sequence[AnyEvent], before: Sequence[AnyEvent], *, soon: bool) -> str:
    """`in_words` of the last step. What the step before it did stays to be read where the last one only refused or
    noticed something, or came so `soon` that nobody can have read it: `"Seat 6: fold. Before: Seat 5: fold"`."""
    line = in_words(events)
    taken_back = any(isinstance(event, Rewound) for event in events)
    if not before or taken_back or (does_something(events) and not soon):
        return line
    return f"{line}{'' if line[-1:] in '.?' else '.'} Before: {in_words(before)}".strip()


def does_something(events: Iterable[AnyEvent]) -> bool:
    """Whether the step is more than words beside the record."""
    return any(not isinstance(event, (*_BESIDE, Refused)) for event in events)


def _follows(event: AnyEvent, later: Sequence[AnyEvent], ended: HandEnded | None) -> bool:
    """Whether what comes behind it says it, too."""
    match event:
        case Posted():
            return any(isinstance(one, Posted) for one in later)
        case BettingClosed():
            return ended is not None or any(isinstance(one, BoardDealt) for one in later)
        case HandStarted():
            return any(isinstance(one, Posted) for one in later)
        case BetReturned():
            return any(isinstance(one, PotAwarded) for one in later)
        case PotAwarded():
            return ended is not None
    return False


def _one(event: AnyEvent, facts: Sequence[AnyEvent]) -> str:
    if isinstance(event, HandEnded):
        return hand_ended(event, [one for one in facts if isinstance(one, PotAwarded)])
    if isinstance(event, Posted):
        return _begun([one for one in facts if isinstance(one, HandStarted | Posted)]) or describe(event)
    return describe(event)


def _begun(events: Sequence[HandStarted | Posted]) -> str:
    """`"Hand 2, level 1: 50/100. Blinds: seat 3 50, seat 4 100"`."""
    start = next((one for one in events if isinstance(one, HandStarted)), None)
    blinds = [one for one in events if isinstance(one, Posted) and one.what in (Post.SMALL_BLIND, Post.BIG_BLIND)]
    if start is None:
        return ""
    paid = ", ".join([f"seat {one.seat} {chips(one.amount)}{' all-in' if one.all_in else ''}" for one in blinds])
    return f"Hand {start.hand}, {level_words(start.level)}" + (f". Blinds: {paid}" if paid else "")


def _acts(acts: Sequence[Acted]) -> str:
    """One act as it is said at any place, several by what they did: `"Seats 1 and 2 fold, seat 3 calls 200"`."""
    if not acts:
        return ""
    assumed = [act for act in acts if act.source is Source.ASSUMED]
    done = [act for act in acts if act.source is not Source.ASSUMED]
    said = [f"Assumed: {_grouped(assumed)}"] if assumed else []
    said += [describe(done[0])] if len(done) == 1 else [_capital(_grouped(done))] if done else []
    return ". ".join(said)


def _grouped(acts: Sequence[Acted]) -> str:
    """`"seats 4, 5 and 6 call 100, seat 2 calls 50"`."""
    did: dict[str, list[str]] = {}
    for act in acts:
        did.setdefault(acted(act), []).append(str(act.seat))
    return ", ".join([_of_seats(seats, words) for words, seats in did.items()])


def _of_seats(seats: Sequence[str], did: str) -> str:
    *others, last = seats
    if others:
        return f"seats {', '.join(others)} and {last} {did}"
    verb, _, rest = did.partition(" ")
    return f"seat {last} {verb}s {rest}".rstrip()


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def extent(events: Sequence[AnyEvent]) -> str:
    """How much is taken back: `"Seat 4: fold"`, `"3 acts and the pot"`, `"6 acts and the flop"`."""
    parts: list[str] = []
    for kind, how_many in _EXTENT:
        of_kind = [event for event in events if isinstance(event, kind)]
        parts += [how_many(of_kind)] if of_kind else []
    if not parts:
        return next((said for event in events if (said := describe(event))), "")
    *others, last = parts
    return f"{', '.join(others)} and {last}" if others else last


def _how_many(one: str, more: str) -> Callable[[Sequence[AnyEvent]], str]:
    return lambda events: (one or describe(events[0])) if len(events) == 1 else f"{len(events)} {more}"


def _streets(events: Sequence[AnyEvent]) -> str:
    return " and ".join([f"the {event.street}" for event in events if isinstance(event, BoardDealt)])


def _killed(events: Sequence[AnyEvent]) -> str:
    return ", ".join([f"seat {event.seat}'s dead hand" for event in events if isinstance(event, HandKilled)])


_EXTENT: tuple[tuple[type, Callable[[Sequence[AnyEvent]], str]], ...] = (
    (Ruled, _how_many("", "rulings")),
    (Acted, _how_many("", "acts")),
    (BoardDealt, _streets),
    (HandKilled, _killed),
    (AwaySet, _how_many("", "players away or back")),
    (HandMucked, _how_many("", "hands mucked")),
    (HandTabled, _how_many("", "hands shown")),
    (PotAwarded, lambda _: "the pot pushed"),
)
