"""What one UNDO takes back: a wrong press, with all that followed from it."""

from __future__ import annotations

from collections.abc import Sequence

from table_core.messages import (
    Acted,
    Action,
    BetReturned,
    BettingClosed,
    BoardDealt,
    BoardRead,
    HandMucked,
    HandTabled,
    PotAwarded,
    Source,
)
from table_core.projections.table import Logged
from table_core.tracker.state import TrackerState

BY_ITSELF = ("cards", "last_standing")  # why a pot went where it went
TIMER = "timer"  # the cause of what fell due
BY_PERSON = ("keypad/", "screen/", "command/")  # how a cause begins that is a press, a touch or a command


def said_by_person(logged: Logged) -> bool:
    """Whether the event came of a press, a touch or a command."""
    return logged.cause.startswith(BY_PERSON)


def last_press(log: Sequence[Logged], undoable: tuple[type, ...]) -> Logged | None:
    """What one UNDO takes back: the last press that did something. Folds and mucks that only the camera saw since
    go with it, and are seen again; without any press before them the last of them goes alone. What the table does
    of itself is done again in the same step, so that UNDO means what lies before it."""
    done = [logged for logged in log if isinstance(logged.event, undoable) and not _began_so(log, logged)]
    done = _without_what_follows(done, log)
    pressed = next((logged for logged in reversed(done) if said_by_person(logged)), None)
    if pressed is None:
        return done[-1] if done else None
    after = [logged for logged in done if logged.seq > pressed.seq and logged.cause != pressed.cause]
    return pressed if all(camera_alone(logged) for logged in after) else done[-1]


def _began_so(log: Sequence[Logged], logged: Logged) -> bool:
    """A pot that went with the press that began the hand, for all but one were away: nobody can want it back."""
    with_the_start = [one.event for one in log if one.cause == log[0].cause]
    last_there = isinstance(logged.event, PotAwarded) and logged.cause == log[0].cause
    return last_there and not any(isinstance(event, Acted) for event in with_the_start)


def first_seen_since(log: Sequence[Logged], undoable: tuple[type, ...]) -> Logged | None:
    """The first of the folds and mucks with which the log ends and that only the camera saw. A second UNDO in a
    row means these: the first one took a press back, and they were seen again."""
    found = None
    for logged in reversed(_without_what_follows([one for one in log if isinstance(one.event, undoable)], log)):
        if not _seen(logged):
            break
        found = logged
    return found


def _without_what_follows(done: Sequence[Logged], log: Sequence[Logged]) -> list[Logged]:
    """Without hands that lie face up under the camera and no key spoke of, and pots that the cards decided or that
    only one player was left for, unless a press of its own awarded them. Nor pots that fell due with a muck: they
    fall due again. Nor an uncalled bet that went back, unless the blinds were chopped."""
    closed = {one.cause for one in log if isinstance(one.event, BettingClosed)}
    turned_up = {one.cause for one in log if _turned_up(one) or isinstance(one.event, BoardDealt | BoardRead)}
    return [
        logged
        for logged in done
        if not _turned_up(logged)
        and not (_went_by_itself(logged) and (logged.cause in turned_up or not said_by_person(logged)))
        and not _fell_due(logged)
        and not (isinstance(logged.event, BetReturned) and logged.cause in closed)
    ]


def _turned_up(logged: Logged) -> bool:
    event = logged.event
    return isinstance(event, HandTabled) and Source.CAMERA in event.sources and Source.KEY not in event.sources


def _went_by_itself(logged: Logged) -> bool:
    return isinstance(logged.event, PotAwarded) and logged.event.why in BY_ITSELF


def _fell_due(logged: Logged) -> bool:
    """A pot that went to the only hand left, when a muck or a fold had been seen for long enough."""
    return isinstance(logged.event, PotAwarded) and logged.cause == TIMER


def _seen(logged: Logged) -> bool:
    """A fold or a muck that the camera said, whatever press it came behind."""
    event = logged.event
    if not isinstance(event, Acted | HandMucked) or event.source is not Source.CAMERA:
        return False
    return isinstance(event, HandMucked) or event.action is Action.FOLD


def camera_alone(logged: Logged) -> bool:
    """A fold or a muck that the camera said and that no press led to."""
    return not said_by_person(logged) and _seen(logged)


def hold(state: TrackerState, logged: Logged) -> None:
    """A person took back what the camera saw: the empty zone says no more about this seat."""
    event = logged.event
    if _seen(logged) and isinstance(event, Acted | HandMucked):
        state.folds.hold(event.seat)
