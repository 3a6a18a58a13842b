"""UNDO: the last press of the hand is taken back with its consequences (decision 61).

What a press found is kept (`memory/keys/undoable.py`). UNDO takes the events since then back, but for the cards
that were dealt, and puts back what only presses write: questions, incidents, keys that wait. What devices say is
left as it is, and what follows from it is recorded again.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from table_core.messages import (
    Acted,
    AnyEvent,
    Asked,
    AwaySet,
    BetReturned,
    BoardDealt,
    BoardRead,
    Chips,
    Counted,
    DealClosed,
    DealCorrected,
    DeskAsked,
    FloorCalled,
    HandMucked,
    HandResumed,
    HandTabled,
    Key,
    LevelBegan,
    LevelChanged,
    Millis,
    PotAwarded,
    QuestionView,
    Refused,
    ResultEntered,
    Rewound,
    Ruled,
    Seat,
    Source,
)
from table_core.projections.step_words import extent
from table_core.projections.table_state import Logged
from table_core.projections.words import describe, on_the_key
from table_core.rulings.keyed_as_folded import follows
from table_core.tracker import waits
from table_core.tracker.asking.questions import WITHDRAWN, Question, answer, as_it_is, asked
from table_core.tracker.camera.chips import DIFFER, ask_for_declaration
from table_core.tracker.camera.seat_cards import NOT_KEYED
from table_core.tracker.camera.zones import zone_seen
from table_core.tracker.dealing.deal import place_card, say_doubt, say_unread
from table_core.tracker.dealing.evidence import mislay
from table_core.tracker.hands import standing
from table_core.tracker.hands.undo_extent import (
    TIMER,
    camera_alone,
    first_seen_since,
    hold,
    last_press,
    said_by_person,
    sent_by_director,
    went_by_itself,
)
from table_core.tracker.memory.keys.key_queue import KeyQueue
from table_core.tracker.memory.keys.keypad import Press
from table_core.tracker.memory.keys.undoable import BeforePress
from table_core.tracker.memory.notices import Doubt
from table_core.tracker.memory.rulings import Rulings
from table_core.tracker.ruling.director import locked
from table_core.tracker.ruling.opening import brought_back, with_what_was_seen
from table_core.tracker.state import TrackerState
from table_core.tracker.unit_of_work import UnitOfWork

SET_BY_DIRECTOR = "The director set the hand: what was before it is not taken back here"
_OF_BOARD = ("board_read_later", "burn_double", "burn_missing")  # said each time that the board is read so
NOT_ASKED = "Not asked any more"
FOLDS = (Key.FOLD, Key.MUCK, Key.OUT_OF_HAND)  # their UNDO says that the hand is in, whatever the camera sees
UNDOABLE = (Acted, AwaySet, BetReturned, LevelChanged, HandTabled, HandMucked, PotAwarded, Ruled, ResultEntered)


def take_back_ruling(unit: UnitOfWork, state: TrackerState, now: Millis) -> None:
    """The director takes the last ruling back; where the table has gone on since, UNDO comes first."""
    log = unit.table.hand_log
    undoable = (one for one in reversed(log) if isinstance(one.event, UNDOABLE) and not sent_by_director(one))
    last = next(undoable, None)
    first = _first_of_group(log, last).event if last is not None else None
    if isinstance(first, Ruled) and first.by == "director":
        undo(unit, state, now, by_director=True)
    elif last is not None and any(isinstance(one.event, Ruled) and one.event.by == "director" for one in log):
        text = f"{describe(last.event)} came after the ruling: take that back at the table first"
        unit.record(Refused(text, "base.undo"))
    else:
        unit.record(Refused("The director has ruled on nothing in this hand", "base.undo"))


def press_that_did_nothing(unit: UnitOfWork, state: TrackerState, now: Millis) -> bool:
    """UNDO right behind a press that was refused, or a STREET that changed nothing, takes that press back alone.
    Whether it was so; the next UNDO goes on from there."""
    idle, log = state.presses.take_idle(now), unit.table.hand_log
    if idle is None or any(logged.seq > idle.seq for logged in log):
        return False
    before = goes_next(unit, state)
    if before:
        words = f"That {on_the_key(idle.key)} did nothing. UNDO again takes back: {before}"
        unit.record(Refused(words, "base.undo"))
    return bool(before)


def question_withdrawn(unit: UnitOfWork, state: TrackerState, now: Millis) -> bool:
    """The newest goes first: a question that came since the last press is withdrawn, and no press is taken back.
    Whether it was so. It is not asked again until a key comes or the hand goes on.

    The question of a press goes with that press; a ruling, and who won, are asked until they are known. An UNDO
    that goes on from the one before it, or came too soon to have read the question, is for a press.
    """
    question, what = unit.table.question, asked(unit)
    if question is None or what not in WITHDRAWN or state.presses.undid or not state.presses.looked_at(now):
        return False
    press = _last_press_of(unit.table.hand_log, state)
    of_press = press is not None and (press.raised == what or _alike(press.question, question))
    if of_press or (press is not None and press.key is Key.TABLED and what is Question.TABLED):
        return False
    state.redo.keep_question(question)
    state.presses.withdraw(as_it_is(unit, state, what))
    behind = goes_next(unit, state)
    answer(unit, f"{NOT_ASKED}. UNDO again takes back: {behind}" if behind else NOT_ASKED)
    return True


def goes_next(unit: UnitOfWork, state: TrackerState) -> str:
    """What UNDO would take back now, in words; empty where there is nothing."""
    log = unit.table.hand_log
    press, last = _last_press_of(log, state), last_press(log, UNDOABLE)
    if press is None:
        return "" if last is None else describe(_first_of_group(log, last).event)
    did = [logged.event for logged in log if logged.seq > press.seq and logged.cause == press.cause]
    return ("" if press.key is Key.NEW_HAND else extent(did)) or on_the_key(press.key)


def undo(unit: UnitOfWork, state: TrackerState, now: Millis, *, by_director: bool = False) -> None:
    """Take back the last effective press of this hand with its consequences; between hands, the last count."""
    press = None if by_director else _last_press_of(unit.table.hand_log, state)
    counted = state.counts.counted and not unit.table.in_hand and not by_director
    if counted and (press is None or press.key is Key.COUNT):
        if press is not None:
            state.undoable.forget_since(press.last)
        count = state.counts.take_last()
        was = Chips(unit.table.seats[count.seat].stack)
        unit.record(Counted(count.seat, count.before, was, Source.KEY))
        if press is not None:
            state.redo.keep(press.pressed)
        return
    log = unit.table.hand_log
    seen_since = first_seen_since(log, UNDOABLE) if state.presses.undid else None
    last = seen_since or last_press(log, UNDOABLE)
    first = None if last is None else seen_since or _first_of_group(log, last)
    if first is not None and _follows_an_undo(unit, first):
        first = None
    stood = unit.table.stood_at
    if stood and not by_director and (press is None or press.seq < stood):
        unit.record(Refused(standing.no_undo(unit.table), "base.undo"))
        return
    if press is not None and not _came_since(first, press):
        if press.key is Key.NEW_HAND and log and log[0].seq > press.seq:
            _take_back_new_hand(unit, state, press, now)
        else:
            _take_back_press(unit, state, press, now)
        return
    state.redo.forget()
    if first is None:
        unit.record(Refused(_why_nothing(unit), "base.undo"))
    elif by_director or not _is_locked(unit, [first, *_set_since(log, first)]):
        state.presses.undo()
        take_back_from(unit, state, first)


def _follows_an_undo(unit: UnitOfWork, first: Logged) -> bool:
    """Whether an UNDO has taken back all that is from `first` on, and it has followed again by itself. It would
    once more, as often as UNDO is pressed."""
    since = [one.event for one in unit.table.hand_log if one.seq >= first.seq]
    return bool(unit.table.cut_by(first.cause)) and all(map(_by_itself, since))


def _by_itself(event: AnyEvent) -> bool:
    return isinstance(event, DealClosed) or went_by_itself(event) or follows(event)


def _came_since(one: Logged | None, press: BeforePress) -> bool:
    """Whether somebody else than this press has done it since, so that UNDO means it. A hand that a device has
    shown since lies there whatever is taken back."""
    if one is None or one.seq <= press.seq or one.cause == press.cause:
        return False
    return said_by_person(one) or not isinstance(one.event, HandTabled)


def _last_press_of(log: Sequence[Logged], state: TrackerState) -> BeforePress | None:
    """The last press of this hand; the director may have set seats since the hand of those that are kept."""
    press = state.undoable.last_press()
    began = press is not None and press.key is Key.NEW_HAND and log and log[0].seq <= press.last
    return press if press is not None and (not log or log[0].seq <= press.seq or began) else None


def _is_locked(unit: UnitOfWork, gone: Sequence[Logged]) -> bool:
    """Whether a ruling of the director is among them, or a hand that the director set; the table is told."""
    ruled = [logged.event for logged in gone if isinstance(logged.event, Ruled)]
    refused = next((kept for kept in [locked(unit, one) for one in ruled] if kept is not None), None)
    if refused is None and any(_set_by_director(logged) for logged in gone):
        refused = Refused(SET_BY_DIRECTOR, "base.undo")
    if refused is not None:
        unit.record(refused)
    return refused is not None


def _set_by_director(logged: Logged) -> bool:
    return isinstance(logged.event, HandResumed) and logged.cause.startswith("command/")


def _set_since(log: Sequence[Logged], first: Logged) -> list[Logged]:
    return [logged for logged in log if logged.seq > first.seq and _set_by_director(logged)]


def redo(unit: UnitOfWork, state: TrackerState) -> tuple[Press, ...]:
    """The presses that the last UNDO took back, to be carried out again; none, and the reason is told, where
    something else has happened since: they would mean another seat or another street."""
    if not state.redo.undone:
        unit.record(Refused("No UNDO came right before: nothing to bring back", "base.undo"))
        return ()
    if any(logged.seq > state.redo.seq for logged in unit.table.hand_log):
        state.redo.forget()
        unit.record(Refused("The hand has gone on since the UNDO: press it again", "base.undo"))
        return ()
    state.presses.read_before()
    last = state.redo.take_last()
    if any(press.key in FOLDS for press in last.presses):
        state.folds.key_undone(None)  # said again
    if last.question is not None and unit.table.question is None:
        state.presses.withdraw("")
        _ask_again(unit, last.question)
    return last.presses


def before_press(unit: UnitOfWork, state: TrackerState, key: Key) -> BeforePress | None:
    """What a press of this key finds; None where it is not taken back in this way."""
    if key <= Key.SEAT or key.seat is not None or key in (Key.UNDO, Key.CLEAR):
        return None
    presses = state.presses
    return BeforePress(
        unit.table.seq,
        key,
        unit.cause,
        said=len(state.notices.said),
        question=unit.table.question,
        floor=unit.table.floor,
        wishes=unit.table.wishes,
        away=_away(unit),
        counts=len(state.counts.counted),
        level=unit.table.next_level if key is Key.OLD_LEVEL else None,
        thinking=replace(state.thinking),
        key_queue=replace(state.key_queue) if state.key_queue.presses else KeyQueue(),
        idle=presses.idle,
        dealt=len(state.deal.handles),
        refused_street=(state.witness.refused, state.witness.refused_at),
        bets=state.bets.of_street(),
        waiting=presses.waiting,
        proposed=presses.proposed,
        closing_asked=presses.closing_asked,
        burned_before=state.board.burned_before,
        camera_away=state.board.camera_away,
        timers=state.timers.running,
        lost=state.undoable.presses,
        folds=replace(state.folds),
        showdown=replace(state.showdown),
        rulings=_without_cards(state.rulings),
    )


def keep(
    unit: UnitOfWork,
    state: TrackerState,
    before: BeforePress,
    press: Press,
    whole: TrackerState | None,
    now: Millis,
) -> bool:
    """Keep what the press found, where it did something; of NEW HAND, the whole state. Whether it did."""
    before = replace(before, pressed=(press,))
    log = unit.table.hand_log
    if log and log[0].seq > before.seq:  # it began the hand
        state.at_new_hand = whole if unit.table.before_hand is not None else None
        if state.at_new_hand is not None:
            state.undoable.keep(replace(before, last=unit.table.seq, lost=()))
        return True
    if not _did_something(unit, state, before):
        return False
    if before.key is Key.POT_PUSHED:  # one phrase with the SPLIT keys before it
        before = state.undoable.with_splits(before)
    stopped, started = state.timers.changes_since(before.timers)
    table = unit.table
    kept = replace(
        before,
        last=unit.table.seq,
        by_last=len(state.notices.said),
        at=now,
        timers=stopped,
        ran=tuple([one for one in before.timers if one not in stopped]),
        started=started,
        lost=state.undoable.lost(before.lost),
        closed=tuple([one for one in before.rulings.open if state.rulings.like(one) is None]),
        bets=before.bets if before.bets is not None and before.bets.street != state.bets.street else None,
        level_set=table.next_level if before.key is Key.OLD_LEVEL else None,
        raised="" if _alike(table.question, before.question) else asked(unit) or "",
    )
    state.undoable.keep(kept)
    return True


def _without_cards(rulings: Rulings) -> Rulings:
    return replace(rulings, open=tuple([replace(one, card="") for one in rulings.open]))


def _away(unit: UnitOfWork) -> tuple[Seat, ...]:
    return tuple([seat for seat, state in unit.table.seats.items() if state.away])


def _did_something(unit: UnitOfWork, state: TrackerState, before: BeforePress) -> bool:
    table, presses = unit.table, state.presses
    return (
        (bool(table.hand_log) and table.hand_log[-1].seq > before.seq)
        or (not table.hand_log and _away(unit) != before.away)
        or (before.key in (Key.TIME, Key.NEW_HAND) and bool(table.notices) and table.notices[-1].seq > before.seq)
        or not _alike(table.question, before.question)
        or table.floor != before.floor
        or table.wishes != before.wishes
        or (before.key is Key.OLD_LEVEL and table.next_level != before.level)
        or (before.key is Key.BUTTON_HERE and table.before_by == before.cause)
        or (state.thinking.clock is not None and before.thinking.clock is None)
        or (presses.waiting, presses.proposed) != (before.waiting, before.proposed)
        or len(state.counts.counted) != before.counts
        or _without_cards(state.rulings).open != before.rulings.open
        or state.showdown != before.showdown
        or state.notices.doubted_since(before.said)
    )


def _why_nothing(unit: UnitOfWork) -> str:
    """Why there is nothing to take back, and what the way is."""
    if unit.table.hand is None and unit.table.seats_changed_at > (unit.table.epoch, 0):
        return "Seats or chips have changed since the last hand: UNDO does not go behind that; count the stacks"
    if any(_set_by_director(logged) for logged in unit.table.hand_log):
        return SET_BY_DIRECTOR
    return "Nothing to take back in this hand"


def _take_back_new_hand(unit: UnitOfWork, state: TrackerState, press: BeforePress, now: Millis) -> None:
    """The hand before goes on as NEW HAND found it; what the camera has read since is put on top."""
    table, found = unit.table, state.at_new_hand
    if table.before_hand is None or found is None:
        text = "Nothing to take back in this hand: its deal has begun"
        unit.record(Refused(text, "base.undo"))
        return
    if any(isinstance(one.event, Ruled) for one in table.hand_log):
        unit.record(Refused("A ruling was made in this hand: take that back first", "base.undo"))
        return
    ended = [one for one in table.before_hand.hand_log if one.seq > press.seq]
    gone = [one for one in (*ended, *table.hand_log) if not sent_by_director(one)]
    said = [notice.seq for notice in table.notices if press.seq < notice.seq <= press.last]
    cut = tuple(sorted([*said, *[one.seq for one in gone]]))
    unit.record(Rewound(cut[0] - 1, cut, f"NEW HAND (hand {table.hand_number})"))
    before, since = found.readings(), state.readings()
    state.go_back_to(found)
    state.redo.keep(press.pressed)
    state.presses.undo()
    for zone, seen in since.items():
        if before.get(zone) != seen:
            zone_seen(unit, state, seen, now)
    _put_back_asked(unit, press)


def _take_back_press(unit: UnitOfWork, state: TrackerState, press: BeforePress, now: Millis) -> None:
    """Everything is as the press found it, but for what devices and the director have said since."""
    table = unit.table
    gone = [logged for logged in table.hand_log if logged.seq > press.seq and not sent_by_director(logged)]
    if _is_locked(unit, gone):
        return
    state.presses.undo()
    acted = {logged.event.seat for logged in gone if isinstance(logged.event, Acted)}
    of_acts = {notice.seq for notice in table.notices if notice.kind == DIFFER and notice.seat in acted}
    since = [notice.seq for notice in table.notices if notice.seq > press.seq]
    follow = {logged.seq + 1 for logged in gone if isinstance(logged.event, BoardRead | DealCorrected)}
    of_board = {notice.seq for notice in table.notices if notice.kind in _OF_BOARD and notice.seq in follow}
    said = [seq for seq in since if seq <= press.last or seq in of_acts or seq in of_board]
    state.notices.forget(DIFFER, acted)
    if press.key is Key.BUTTON_HERE and table.before_by == press.cause:
        said.append(table.before_seq)
    did = [logged for logged in gone if logged.cause == press.cause]
    first = next((logged for logged in did if isinstance(logged.event, UNDOABLE)), None)
    why = extent([logged.event for logged in gone]) if did else ""
    lies = any(logged.cause != press.cause for logged in gone if isinstance(logged.event, BoardDealt))
    cut = [*said, *table.cut_by(press.cause)]
    _cut(unit, state, gone, why or on_the_key(press.key), cut, lies=lies)
    _put_back(unit, state, press, now)
    _look_again(unit, state, press.at, now)
    state.redo.keep(press.pressed)
    named = press.pressed[-1].of_seat if press.pressed else None
    own = first is not None and isinstance(first.event, Acted | HandMucked) and named in (None, first.event.seat)
    if first is not None and own and press.key in FOLDS:
        hold(state, first)


def _put_back(unit: UnitOfWork, state: TrackerState, press: BeforePress, now: Millis) -> None:
    state.presses.taken_back_to(press.waiting, press.proposed, press.idle, closing_asked=press.closing_asked)
    state.showdown.taken_back_to(press.showdown)
    said = [notice.seat for notice in unit.table.notices if notice.kind == NOT_KEYED and notice.seq > press.last]
    state.folds.taken_back_to(press.folds, [seat for seat in said if seat is not None])
    reopened = [with_what_was_seen(unit, state, one) for one in press.closed]
    state.rulings.taken_back_to(press.rulings, press.at, reopened)
    word = len(state.deal.handles) == press.dealt  # cards that came since have their places by it
    state.notices.take_back(press.said, press.by_last, word=word)
    state.witness.taken_back_to(*press.refused_street)
    state.arrivals.taken_back(press.at)
    if press.bets is not None:
        state.bets.street_goes_on(press.bets)
    state.board.street_taken_back(press.burned_before, camera_away=press.camera_away)
    state.undoable.taken_back(press)
    fell_due = state.timers.fell_due_since(press.ran, press.at, now)
    state.timers.go_back((*press.timers, *fell_due), press.started)
    state.thinking.taken_back_to(press.thinking)
    state.key_queue.taken_back_to(press.key_queue)
    for seat in set(_away(unit)) ^ set(press.away) if press.key is Key.AWAY and not unit.table.hand_log else ():
        unit.record(AwaySet(seat, seat in press.away, Source.KEY))
    if press.level is not None and unit.table.next_level == press.level_set:  # else it was set anew since
        unit.record(LevelBegan(press.level))
    _put_back_asked(unit, press)


def _look_again(unit: UnitOfWork, state: TrackerState, since: Millis, now: Millis) -> None:
    """What the camera has read since the press was read of another state of the hand."""
    if not unit.table.in_hand:
        return
    state.seat_cards.seen_in_hand(since)
    if any(seen.at >= since for seen in state.bets.readings.values()):
        ask_for_declaration(unit, state, now)


def _put_back_asked(unit: UnitOfWork, press: BeforePress) -> None:
    if unit.table.floor != press.floor:
        unit.record(FloorCalled(press.floor))
    for wish in dict.fromkeys((*unit.table.wishes, *press.wishes)):
        if (wish in unit.table.wishes) is not (wish in press.wishes):
            unit.record(DeskAsked(wish, wish in press.wishes))
    found = press.question
    if not _alike(unit.table.question, found):
        answer(unit, "Taken back")
    if unit.table.question is None and found is not None and found.kind != Question.RULING:
        _ask_again(unit, found)


def _ask_again(unit: UnitOfWork, found: QuestionView) -> None:
    unit.record(Asked(unit.table.questions_asked + 1, found.kind, found.text, found.key))


def _alike(one: QuestionView | None, other: QuestionView | None) -> bool:
    """Whether the same is asked, or nothing."""
    words = [None if asked is None else (asked.kind, asked.text, asked.key) for asked in (one, other)]
    return words[0] == words[1]


def take_back_from(unit: UnitOfWork, state: TrackerState, first: Logged) -> None:
    """Take back `first` and everything of this hand behind it, but for the cards that were dealt."""
    gone = [logged for logged in unit.table.hand_log if logged.seq >= first.seq]
    cut = unit.table.cut_by(first.cause) if isinstance(first.event, Ruled) else []  # by the ruling
    state.presses.forget_waiting()
    state.showdown.forget_tabled()
    lies = any(isinstance(one.event, BoardDealt) for one in gone)
    _cut(unit, state, gone, extent([logged.event for logged in gone]), cut, lies=lies)
    brought_back(unit, state, [logged.seq for logged in gone])
    hold(state, first)
    state.undoable.forget_since(first.seq)


def _cut(
    unit: UnitOfWork,
    state: TrackerState,
    gone: Sequence[Logged],
    why: str,
    also: Sequence[int] = (),
    *,
    lies: bool,
) -> None:
    """Cut these events, `also` notices and what was rewound, by their numbers. `lies`: streets among them were not
    of the press, and lie there still."""
    ended = not unit.table.in_hand
    if lies and not any(isinstance(logged.event, Ruled) for logged in gone):
        state.board.lay_there(tuple(unit.table.hand.board) if unit.table.hand is not None else ())
    cut = tuple(sorted([*also, *[logged.seq for logged in gone]]))
    unit.record(Rewound(cut[0] - 1 if cut else unit.table.seq, cut, why))
    if ended and unit.table.in_hand:
        state.counts.end_hand()  # they go with its end
        dealt_meanwhile(unit, state)
    _doubt_the_deal(unit, state, gone)


def _doubt_the_deal(unit: UnitOfWork, state: TrackerState, gone: Sequence[Logged]) -> None:
    """A ruling on the deal is taken back after cards were dealt by it: places are unknown."""
    ruled = {logged.cause for logged in gone if isinstance(logged.event, Ruled)}
    corrected = [
        logged.event for logged in gone if logged.cause in ruled and isinstance(logged.event, DealCorrected)
    ]
    if corrected:
        state.notices.unsettle_deal()
    if any(correction.after < len(state.deal.handles) for correction in corrected):
        mislay(state)
        say_doubt(
            unit,
            state,
            Doubt.MISCOUNTED,
            "Cards were dealt by a ruling that is taken back: the shoe is not used in this hand",
        )


def dealt_meanwhile(unit: UnitOfWork, state: TrackerState) -> None:
    """The hand was not over: the few cards that passed since are its next ones; more would be its stub."""
    passed = state.loose.take()
    if len(passed) <= waits.FLOP_AND_BURNS:
        for handle in passed:
            if not handle:
                say_unread(unit, state)
            place_card(unit, state, handle, just_now=False)


def _first_of_group(log: list[Logged], last: Logged) -> Logged:
    """The first undoable event of the press that led to `last`; an event of the camera goes alone."""
    if not last.cause or last.cause == TIMER or camera_alone(last):
        return last
    whole = (*UNDOABLE, Counted, DealClosed)  # an all-in that was counted, a deal that the press said to be over
    return next(logged for logged in log if logged.cause == last.cause and isinstance(logged.event, whole))
