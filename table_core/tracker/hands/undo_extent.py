"""The extent of one UNDO: a wrong press with its consequences."""

from __future__ import annotations

from collections.abc import Sequence

from table_core.messages import (
    Acted,
    Action,
    AnyEvent,
    AwaySet,
    BetReturned,
    BettingClosed,
    BoardDealt,
    BoardRead,
    HandKilled,
    HandMucked,
    HandTabled,
    PotAwarded,
    Source,
)
from table_core.projections.table_state import Logged
from table_core.tracker.state import TrackerState

BY_ITSELF = ("cards", "last_standing")  # reasons for awarding a pot
TIMER = "timer"  # the cause of events that a timer triggers
BY_PERSON = ("keypad/", "screen/", "command/")  # prefixes of causes that are a press, a touch or a command


def said_by_person(logged: Logged) -> bool:
    """Whether the event came of a press, a touch or a command."""
    return logged.cause.startswith(BY_PERSON)


def last_press(log: Sequence[Logged], undoable: tuple[type, ...]) -> Logged | None:
    """The events that one UNDO takes back: of the last effective press.

    Folds and mucks that only the camera saw since go with it, and are seen again; without any press before them
    the last of them goes alone. What the table does without a press is done again in the same step, so UNDO
    reaches further back.
    """
    done = [logged for logged in can_be_taken_back(log, undoable) if not _said_before(logged)]
    pressed = next((logged for logged in reversed(done) if said_by_person(logged)), None)
    if pressed is None:
        return done[-1] if done else None
    after = [logged for logged in done if logged.seq > pressed.seq and logged.cause != pressed.cause]
    return pressed if all(camera_alone(logged) for logged in after) else done[-1]


def _said_before(logged: Logged) -> bool:
    """Whether a press or a ruling of before made this act as its turn or its street came."""
    event = logged.event
    own = isinstance(event, Acted) and event.source not in (Source.CAMERA, Source.ASSUMED)
    return own and not said_by_person(logged)


def can_be_taken_back(log: Sequence[Logged], undoable: tuple[type, ...]) -> list[Logged]:
    """What a person, the camera or a ruling added to the hand; not what followed from it."""
    done = [logged for logged in log if isinstance(logged.event, undoable) and not sent_by_director(logged)]
    return _without_what_follows(done, log)


def sent_by_director(logged: Logged) -> bool:
    """Whether the director had a player away or back: no press at the table, and not undone there."""
    return isinstance(logged.event, AwaySet) and logged.event.source is Source.DIRECTOR


def first_seen_since(log: Sequence[Logged], undoable: tuple[type, ...]) -> Logged | None:
    """The first of the final folds and mucks that only the camera saw. A second UNDO in a row takes these back:
    the first one took a press back, and they were seen again."""
    found = None
    for logged in reversed(_without_what_follows([one for one in log if isinstance(one.event, undoable)], log)):
        if not _seen(logged):
            break
        found = logged
    return found


def _without_what_follows(done: Sequence[Logged], log: Sequence[Logged]) -> list[Logged]:
    """Without automatic consequences: hands face up under the camera without a key, pots that the cards or the
    last player decided (unless a press of its own awarded them) or that were due with a muck or where the absent
    players' hands died, and an uncalled bet that went back, unless the blinds were chopped."""
    closed = {one.cause for one in log if isinstance(one.event, BettingClosed)}
    turned_up = {one.cause for one in log if _turned_up(one) or isinstance(one.event, BoardDealt | BoardRead)}
    acted = {one.cause for one in log if isinstance(one.event, Acted)}
    killed = {one.cause for one in log if isinstance(one.event, HandKilled) and one.event.source is Source.ENGINE}
    follows = turned_up | (killed - acted)
    return [
        logged
        for logged in done
        if not _turned_up(logged)
        and not (went_by_itself(logged.event) and (logged.cause in follows or not said_by_person(logged)))
        and not _fell_due(logged)
        and not (isinstance(logged.event, BetReturned) and logged.cause in closed)
    ]


def _turned_up(logged: Logged) -> bool:
    event = logged.event
    return isinstance(event, HandTabled) and Source.CAMERA in event.sources and Source.KEY not in event.sources


def went_by_itself(event: AnyEvent) -> bool:
    """Whether it is a pot that the cards or the last player decided."""
    return isinstance(event, PotAwarded) and event.why in BY_ITSELF


def _fell_due(logged: Logged) -> bool:
    """A pot for the last hand, awarded when a muck or a fold had been seen long enough."""
    return isinstance(logged.event, PotAwarded) and logged.cause == TIMER


def _seen(logged: Logged) -> bool:
    """Whether the camera reported this fold or muck, after any press."""
    event = logged.event
    if not isinstance(event, Acted | HandMucked) or event.source is not Source.CAMERA:
        return False
    return isinstance(event, HandMucked) or event.action is Action.FOLD


def camera_alone(logged: Logged) -> bool:
    """Whether the camera reported this fold or muck and no press led to it."""
    return not said_by_person(logged) and _seen(logged)


def hold(state: TrackerState, logged: Logged) -> None:
    """A person took a fold or muck back. Where the camera saw it, the seat's empty zone is no evidence any more;
    where it was keyed, the empty zone does not key it again, or one UNDO would do nothing."""
    event = logged.event
    keyed = isinstance(event, Acted) and event.action is Action.FOLD and said_by_person(logged)
    if isinstance(event, Acted):
        state.folds.key_undone(event.seat if keyed else None)
    if _seen(logged) and isinstance(event, Acted | HandMucked):
        state.folds.hold(event.seat)
