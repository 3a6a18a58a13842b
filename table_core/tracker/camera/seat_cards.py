"""Actions that the camera sees without a key: cards leave a seat (a fold, a muck), a whole deal lies there.

It is one source alone. So it waits until the zone has been empty for a while, gives way to what a person says, and
is taken back when the cards lie there again. A missing fold key gets a notice only in a hand in which folds are
keyed (real-tables.md, 2 and 12).
"""

from __future__ import annotations

from collections.abc import Sequence

from table_core.messages import (
    Act,
    Acted,
    Action,
    DeviceState,
    Key,
    Millis,
    MuckHand,
    Noticed,
    Rewound,
    Seat,
    Source,
    Street,
    Zone,
    ZoneSeen,
)
from table_core.projections.next_hand import able_to_play
from table_core.projections.table_state import Logged
from table_core.tracker import waits
from table_core.tracker.camera.gone_cards import cards_are_gone
from table_core.tracker.dealing.deal import say_once
from table_core.tracker.hands import beginning
from table_core.tracker.hands.undo_extent import BY_PERSON, said_by_person
from table_core.tracker.memory.camera.seat_cards import is_hand_of_backs
from table_core.tracker.memory.dealing.loose import NO_DEAL
from table_core.tracker.memory.keys.keypad import Press
from table_core.tracker.memory.timers import Check
from table_core.tracker.state import TrackerState
from table_core.tracker.unit_of_work import UnitOfWork

NOT_KEYED = "fold_not_keyed"
_NEVER = Millis(0)

# ------------------------------------------------------------------------------------------ the zones


def cards_seen(unit: UnitOfWork, state: TrackerState, seat: Seat, before: ZoneSeen | None, now: Millis) -> None:
    """Take a new reading of a seat's cards; `before` is the last one."""
    cards = state.seat_cards
    had_gone = seat in cards.gone_since
    if cards_are_gone(unit, state, seat):
        cards.are_gone(seat, now)
    else:
        cards.are_there(seat)
    hand = unit.table.hand
    if hand is not None and not hand.ended and all(cards_are_gone(unit, state, live) for live in hand.live_seats):
        cards.all_are_gone()
    two_backs = cards.has_backs(seat)
    fresh = had_gone or cards.swept or not unit.table.in_hand
    if two_backs and not is_hand_of_backs(before) and fresh:
        cards.was_dealt_to(seat)
        state.timers.start(Check.DEAL_ENDS, now + waits.DEAL_ENDS_MS)
    if two_backs:
        state.folds.release(seat)
    if two_backs and seat in state.folds.seen and now - state.folds.seen_at <= waits.CARDS_BACK_MS:
        take_back_fold(unit, state, seat, "The cards lie there again")
        state.folds.release(seat)


def folded_with_cards_gone(unit: UnitOfWork, state: TrackerState, seat: Seat) -> bool:
    """Whether an empty zone in front of the seat to act means a fold: not where a person said otherwise, nor
    where the whole table was swept."""
    hand = unit.table.hand
    if hand is None or not cards_are_gone(unit, state, seat) or state.folds.is_held(seat):
        return False
    if _bet_before_it_went(unit, state, seat) or _put_in_before_it_went(unit, state, seat):
        return False
    others = [other for other in hand.live_seats if other != seat]
    if not state.seat_cards.swept and any(not cards_are_gone(unit, state, other) for other in others):
        return True
    # Every zone is empty: the winner's cards went last.
    legal = hand.legal()
    since = state.seat_cards.went(seat, _NEVER)
    return (
        legal is not None
        and bool(legal.call)
        and all(state.seat_cards.went(other, _NEVER) > since for other in others)
    )


def _bet_before_it_went(unit: UnitOfWork, state: TrackerState, seat: Seat) -> bool:
    """The seat could check, and another player's chips came while its cards still lay there: it checked, then
    folded to them."""
    hand = unit.table.hand
    legal = hand.legal() if hand is not None else None
    went = state.seat_cards.gone_since.get(seat)
    if hand is None or legal is None or legal.seat != seat or not legal.can_check or went is None:
        return False
    live = {Zone.bet(other): bet for other, bet in hand.bets.items() if other != seat and other in hand.live_seats}
    return any(one.at < went and (one.chips or 0) > live[one.zone] for one in state.bets.came if one.zone in live)


def _put_in_before_it_went(unit: UnitOfWork, state: TrackerState, seat: Seat) -> bool:
    """The seat's own chips, none of them on record, came while its cards still lay there: it called or raised, and
    folded later to somebody else's."""
    hand = unit.table.hand
    legal = hand.legal() if hand is not None else None
    went = state.seat_cards.gone_since.get(seat)
    if hand is None or legal is None or legal.seat != seat or not legal.call or went is None:
        return False
    own = [one for one in state.bets.came if one.zone == Zone.bet(seat) and one.at < went]
    return any((one.chips or 0) > hand.bets[seat] for one in own)


# -------------------------------------------------------------------------------------------- folds


def fold_seen(unit: UnitOfWork, state: TrackerState, now: Millis) -> bool:
    """Fold the seat to act when its zone has been empty long enough; whether it did."""
    hand = unit.table.hand
    legal = hand.legal() if hand is not None else None
    state.timers.stop(Check.EMPTY_SEAT)
    if legal is None or not folded_with_cards_gone(unit, state, legal.seat):
        return False
    due = state.seat_cards.went(legal.seat, now) + waits.FOLD_SEEN_MS
    if state.look.time(now) < due:
        state.timers.start(Check.EMPTY_SEAT, due)
        return False
    if unit.cause.startswith(BY_PERSON):  # the cards had gone before the seat was to act, so no key was due
        state.folds.needs_no_key(legal.seat)
    return _fold(unit, state, legal.seat, now)


def fold_the_gone(unit: UnitOfWork, state: TrackerState, press: Press, now: Millis) -> None:
    """Fold the seats before the press's seat whose cards have gone.

    A FOLD key without a seat, or with the seat to act, is for the seat to act (real-tables.md, 2: the likeliest
    cause is a forgotten key).
    """
    hand, named = unit.table.hand, press.named_seat
    if hand is None or (press.key is Key.FOLD and named is None):
        return
    while (legal := hand.legal()) is not None and legal.seat != named:
        if not folded_with_cards_gone(unit, state, legal.seat) or not _fold(unit, state, legal.seat, now):
            break
    state.folds.keys_come_no_more()


def _fold(unit: UnitOfWork, state: TrackerState, seat: Seat, now: Millis) -> bool:
    refused = unit.push(Act(seat, Action.FOLD, source=Source.CAMERA))
    if refused is not None:
        text = f"The cards of seat {seat} are gone. {refused.reason}"
        say_once(unit, state, "cards_gone", text, seat, rule=refused.rule)
        return False
    state.folds.fold(seat, now)
    if not unit.table.in_hand:
        state.folds.needs_no_key(seat)  # the screen says that the hand is over
    return True


def is_key_of_seen_fold(unit: UnitOfWork, state: TrackerState, press: Press, now: Millis) -> bool:
    """Whether a FOLD key belongs to a fold that the camera saw first; it then changes nothing."""
    if press.key is not Key.FOLD:
        return False
    folds = state.folds
    folds.key_pressed()
    seat = press.named_seat
    if seat is None and _nobody_to_act(unit) and _any_fold_seen(unit):
        folds.key_of_first()
        return True  # the fold has already closed the betting
    expected = folds.just_seen(now) or not unit.table.in_hand or _holds_cards(unit, state)
    if seat is None and folds.seen and expected:
        seat = folds.seen[0]
    if seat is None or (seat not in folds.seen and _fold_of(unit, seat) is None):
        return False
    folds.key_of(seat, now)
    return True


def _nobody_to_act(unit: UnitOfWork) -> bool:
    hand = unit.table.hand
    return hand is not None and not hand.ended and hand.legal() is None


def _any_fold_seen(unit: UnitOfWork) -> bool:
    events = [logged.event for logged in unit.table.hand_log]
    return any(isinstance(event, Acted) and _is_seen_fold(event) for event in events)


def _is_seen_fold(event: Acted) -> bool:
    return event.action is Action.FOLD and event.source is Source.CAMERA


def _holds_cards(unit: UnitOfWork, state: TrackerState) -> bool:
    """Whether the camera sees the cards of the seat to act: a late FOLD key is then for a seat whose cards have
    gone. If they go now, the camera reports it."""
    hand = unit.table.hand
    legal = hand.legal() if hand is not None else None
    working = unit.table.devices.get("camera") is DeviceState.OK
    return working and legal is not None and state.seat_cards.has_backs(legal.seat)


def say_unkeyed(unit: UnitOfWork, state: TrackerState) -> None:
    """Notice folds whose keys will not come, in a hand in which folds are keyed."""
    if state.folds.keyed:
        for seat in state.folds.take_unkeyed():
            text = f"Seat {seat} folded: the cards are gone, no key was pressed"
            unit.record(Noticed(NOT_KEYED, text, seat))


def keys_come_late(unit: UnitOfWork, state: TrackerState, press: Press, now: Millis) -> None:
    """Match late keys: after late FOLD keys the next key is for the next seat that acted. Where only the camera
    reports that seat's fold, it had acted before."""
    late = state.folds.keys_come_late(now)
    if press.key is Key.FOLD or press.named_seat is not None or not late or not state.folds.seen:
        return
    seat = state.folds.seen[0]
    fold = _fold_of(unit, seat)
    if fold is None or any(said_by_person(one) for one in unit.table.hand_log if one.seq >= fold.seq):
        return  # keys are assigned when the queue ends
    take_back_fold(unit, state, seat, f"Seat {seat} acted before it folded")
    state.folds.release(seat)
    state.folds.forget_seen()


def said_not_to_have_folded(unit: UnitOfWork, state: TrackerState, press: Press) -> None:
    """A key other than FOLD names a seat which only the camera saw fold: the person is right."""
    seat = press.named_seat
    if seat is not None and press.key is not Key.FOLD and _fold_of(unit, seat) is not None:
        take_back_fold(unit, state, seat, f"Seat {seat} did not fold")


def take_back_fold(unit: UnitOfWork, state: TrackerState, seat: Seat, why: str) -> None:
    """The camera was wrong about a fold; keys since then stay."""
    fold = _fold_of(unit, seat)
    if fold is None:
        return
    after = [logged for logged in unit.table.hand_log if logged.seq >= fold.seq]
    if any(said_by_person(logged) for logged in after):
        text = f"Seat {seat} has cards but was taken as folded; others have acted since"
        say_once(unit, state, "fold_doubtful", text, seat)
        return
    state.undoable.forget_since(fold.seq)
    unit.record(Rewound(fold.seq - 1, tuple([logged.seq for logged in after]), why))
    state.folds.take_back(seat)


def _fold_of(unit: UnitOfWork, seat: Seat) -> Logged | None:
    """The fold of a seat that only the camera saw."""
    for logged in unit.table.hand_log:
        event = logged.event
        if isinstance(event, Acted) and event.seat == seat and event.action is Action.FOLD:
            return logged if event.source is Source.CAMERA else None
    return None


# ------------------------------------------------------------------------------------- the showdown


def muck_seen(unit: UnitOfWork, state: TrackerState, now: Millis) -> bool:
    """Muck hands whose cards have gone at the showdown, once a hand is tabled; whether one was."""
    hand = unit.table.hand
    if hand is None or hand.ended or hand.street is not Street.SHOWDOWN or not hand.tabled:
        return False
    for seat in hand.live_seats:
        if seat in hand.tabled or seat in hand.mucked or state.folds.is_held(seat):
            continue
        if not cards_are_gone(unit, state, seat):
            continue
        due = state.seat_cards.went(seat, now) + waits.MUCK_SEEN_MS
        if state.look.time(now) < due:
            timer = state.timers.find(Check.EMPTY_SEAT)
            state.timers.start(Check.EMPTY_SEAT, due if timer is None else min(due, timer.due))
        elif unit.push(MuckHand(seat, Source.CAMERA)) is None:
            return True
    return False


# ----------------------------------------------------------------------------------------- the deal


def begin_with_the_deal(unit: UnitOfWork, state: TrackerState, now: Millis) -> None:
    """Begin a hand by its deal: two backs lie at every seat with chips, put there since the last hand."""
    able = able_to_play(unit.table)
    working = unit.table.devices.get("camera") is DeviceState.OK
    if not working or len(able) < 2 or not _dealt_anew(unit, state, able):
        return
    state.folds.keys_come_no_more()
    say_unkeyed(unit, state)
    beginning.close_for_next(unit)
    number = unit.table.hand_number
    if unit.table.devices.get("shoe") is DeviceState.OK:
        deal = state.loose.last_deal(2 * len(able))
        beginning.new_hand(unit, state, now, Source.SHOE, deal.handles)
    else:
        deal = NO_DEAL
        beginning.new_hand(unit, state, now, Source.CAMERA)
    if unit.table.hand_number != number:
        state.seat_cards.hand_began(able)
        state.decks.begin_with(deal.deck)
        state.deal.began_before(more=deal.more)


def _dealt_anew(unit: UnitOfWork, state: TrackerState, able: Sequence[Seat]) -> bool:
    """Whether everybody was dealt to since the last hand; where that hand is still open, everybody whose cards
    had gone, and the board is empty."""
    holding = {seat for seat in state.seat_cards.readings if state.seat_cards.has_backs(seat)}
    if not unit.table.in_hand:
        return set(able) <= holding & set(state.seat_cards.dealt_to)
    empty_board = not state.board.faces
    whole = set(able) <= holding
    enough = len(holding) >= max(2, len(able) - waits.MOST_BUSTED) and not state.timers.find(Check.DEAL_ENDS)
    return empty_board and (whole or enough) and holding <= set(state.seat_cards.dealt_to)


def began_with_the_deal(unit: UnitOfWork, state: TrackerState) -> bool:
    """NEW HAND for a hand that began by its deal, before any key: it changes nothing."""
    began = state.seat_cards.take_began_hand()
    return began and unit.table.in_hand and not any(said_by_person(logged) for logged in unit.table.hand_log)
