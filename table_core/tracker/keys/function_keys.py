"""The effect of each function key.

The game does not wait: a press that comes before its street is read is queued.
"""

from __future__ import annotations

from msgspec.structs import replace

from table_core.hand.dealing import may_show_behind
from table_core.hand.hand import Hand
from table_core.messages import (
    UNKNOWN_CARD,
    BoardDealt,
    DealBoard,
    DeviceState,
    Key,
    Millis,
    MuckHand,
    Noticed,
    Refused,
    Seat,
    Source,
    Street,
)
from table_core.record.deal import NEW_CARDS
from table_core.rulings.keyed_as_folded import fold_on_record
from table_core.rulings.keyed_wrong import ALL_IN
from table_core.tracker import devices, waits
from table_core.tracker.asking import missed_keys
from table_core.tracker.asking.questions import Question, answer, asked
from table_core.tracker.camera import disc, seat_cards
from table_core.tracker.dealing.board import (
    board_is_out,
    deal_acted_on,
    deal_unknown,
    run_out,
    without_devices,
)
from table_core.tracker.dealing.deal import next_street, say_once
from table_core.tracker.dealing.evidence import keyed_too_early, street_keyed
from table_core.tracker.hands import beginning, result, showdown, undo
from table_core.tracker.hands.undo_extent import camera_alone
from table_core.tracker.keys import betting, between_hands, called_clock, desk, named_card, queued_keys
from table_core.tracker.keys.street_key import street_pressed
from table_core.tracker.memory.keys.keypad import Press
from table_core.tracker.memory.rulings import OpenIncident
from table_core.tracker.memory.timers import Check
from table_core.tracker.ruling import opening, pending
from table_core.tracker.state import TrackerState
from table_core.tracker.unit_of_work import UnitOfWork

_OF_A_SEAT = frozenset(
    {Key.FOLD, Key.CHECK_CALL, Key.TABLED, Key.MUCK, Key.OUT_OF_HAND, Key.AWARD, Key.SPLIT, Key.AWAY, Key.TIME}
)


def take_press(unit: UnitOfWork, state: TrackerState, press: Press, now: Millis) -> None:
    """Carry a finished press out now, or when its street is there."""
    press = disc.meant(state, press)
    state.presses.came(press.key)
    strange = _no_seat(unit, press)
    if strange is not None:
        unit.record(Refused(f"{strange}. Nothing entered", "base.action"))
        return
    if asked(unit) is Question.PRESENT and press.key not in (Key.AWAY, Key.UNDO):
        answer(unit, "Its hand stays dead", press.source)
    if press.key is Key.UNDO:
        queued_keys.end_queue(unit, state)  # a fold without a key may be of the press that is taken back
    elif press.key not in betting.KEYS:
        queued_keys.no_more_keys(unit, state)
    if press.key in (Key.COUNT, Key.BUTTON_HERE):
        beginning.leave_unkeyed(unit, state)
    if _behind_a_refused_key(unit, state, press, now):
        return
    press = _yes_to_all_in(unit, state, press)
    if press.key in betting.KEYS:
        _betting_press(unit, state, press, now)
    elif press.key is Key.STREET:
        _street(unit, state, press, now)
    elif press.key is Key.NEW_HAND:
        if seat_cards.began_with_the_deal(unit, state) or pending.hold_riffle(unit, state):
            return
        state.folds.keys_come_no_more()
        seat_cards.say_unkeyed(unit, state)
        beginning.new_hand(unit, state, now, press.source if press.source is Source.SCREEN else Source.KEY)
    elif press.key is Key.UNDO:
        state.timers.stop(Check.STREET_SAID)  # includes a STREET that still waits for its street
        state.timers.stop(Check.STREET_LIES)
        if not undo.question_withdrawn(unit, state, now) and not undo.press_that_did_nothing(unit, state, now):
            undo.undo(unit, state, now)
    elif press.key in (Key.TABLED, Key.MUCK, Key.OUT_OF_HAND):
        _showdown_press(unit, state, press, now)
    elif press.key in (Key.AWARD, Key.SPLIT):
        run_out(unit, state)
        missed_keys.checked_through(unit, state, press)
        result.award(unit, state, press)
    elif press.key is Key.POT_PUSHED:
        result.pot_pushed(unit, state, press)
    elif press.key is Key.COUNT and pending.give_amount(unit, state, press):
        return
    elif press.key is Key.COUNT and press.number is not None and _has_cards(unit, press.seat):
        _keyed_wrong(unit, state, press, press.number, "", now)
    elif press.key is Key.BUTTON_HERE and unit.table.in_hand:
        _button_in_hand(unit, state, press, now)
    elif press.key in (Key.COUNT, Key.BUTTON_HERE, Key.OLD_LEVEL):
        between_hands.between_hands(unit, state, press)
    elif press.key is Key.CARD:
        named_card.card_named(unit, state, press)
    elif press.key is Key.AWAY:
        between_hands.away(unit, state, press)
    elif press.key is Key.FLOOR and press.number in desk.WISHED:
        desk.asked(unit, press)
    elif press.key is Key.FLOOR and press.number is not None:
        opening.pressed(unit, state, press, now)
    elif press.key is Key.FLOOR:
        between_hands.floor(unit)
    elif press.key is Key.TIME:
        called_clock.time_pressed(unit, state, press, now)


def _no_seat(unit: UnitOfWork, press: Press) -> str | None:
    """Why the number that was typed is no seat, where the key takes one: an amount that was left over."""
    seat = press.of_seat if press.key in _OF_A_SEAT else press.seat
    if seat is None or (press.key in (Key.STREET, Key.TIME) and not seat):  # 0: none, and nobody's clock
        return None
    if not 1 <= seat <= waits.HIGHEST_SEAT:
        return f"{seat:,} is not a seat"
    if press.key in _OF_A_SEAT and unit.table.seats and seat not in unit.table.seats:
        return f"Nobody sits at seat {seat}"
    return None


def _yes_to_all_in(unit: UnitOfWork, state: TrackerState, press: Press) -> Press:
    """STREET behind *All-in for 600? Once more* is the ALL-IN key once more."""
    hand, counted = unit.table.hand, state.presses.doubted
    alone = press.key is Key.STREET and press.number is None and press.seat is None
    if not alone or counted is None or hand is None or unit.table.question is not None:
        return press
    return replace(press, key=Key.ALL_IN, number=counted, seat=hand.to_act)


def _behind_a_refused_key(unit: UnitOfWork, state: TrackerState, press: Press, now: Millis) -> bool:
    """Refuse a key that was typed right behind a refused betting key: it was meant for the next player, and the
    turn has not passed. A key with its seat, an amount, or an answer to a question stands for itself."""
    for_next = press.named_seat is None and press.key in (Key.FOLD, Key.CHECK_CALL, Key.ALL_IN)
    street = press.key is Key.STREET and press.number is None and unit.table.question is None
    behind = (for_next or street) and state.presses.behind_a_refused_key(now)
    state.presses.was_refused(now if behind else None)
    if behind:
        unit.record(Refused("The key before this one was refused: press again", "base.action"))
    return behind


def _street(unit: UnitOfWork, state: TrackerState, press: Press, now: Millis) -> None:
    """STREET, and whether it changed anything: what UNDO behind it takes back depends on it."""
    done, question, said = len(unit.table.hand_log), unit.table.question, len(state.notices.said)
    street_pressed(unit, state, press, now)
    unchanged = len(unit.table.hand_log) == done and unit.table.question is question
    if unchanged and not state.notices.doubted_since(said):
        state.presses.changed_nothing(Key.STREET, unit.table.seq, now)
    came = any(isinstance(logged.event, BoardDealt) for logged in unit.table.hand_log[done:])
    if came or unit.table.question not in (None, question):
        state.presses.street_counted(now)


def _button_in_hand(unit: UnitOfWork, state: TrackerState, press: Press, now: Millis) -> None:
    """The disc lies at the wrong seat: open the incident of a button out of position."""
    if press.of_seat == unit.table.button:
        unit.record(Refused("The button is there already", "tda.32"))
    else:
        opened = OpenIncident("button_wrong", amount=press.of_seat, opened_at=now, by_person=True)
        opening.refuse(unit, opening.open_incident(unit, state, opened), opened)


def _betting_press(unit: UnitOfWork, state: TrackerState, press: Press, now: Millis) -> None:
    result.hand_goes_on(unit, state)
    queued_keys.key_came(unit, state, press, now)
    if queued_keys.read_in_order(unit, state) or seat_cards.is_key_of_seen_fold(unit, state, press, now):
        return
    if not unit.table.in_hand and not beginning.start_unkeyed(unit, state, now):
        queued_keys.refuse(unit, state, Refused("No hand in progress: press NEW HAND first", "base.action"))
        return
    state.presses.propose(None)
    seat_cards.said_not_to_have_folded(unit, state, press)
    seat_cards.keys_come_late(unit, state, press, now)
    seat_cards.fold_the_gone(unit, state, press, now)
    if _is_keyed_as_folded(unit, state, press, now) or _is_counted_again(unit, state, press, now):
        return
    if missed_keys.act_meanwhile(unit, state, press):
        return
    missed_keys.catch_up(unit, state, press)
    if missed_keys.is_for_later_seat(unit, state, press, now):
        return
    hand = unit.table.hand
    late = _street_out_too_early(unit, state)
    if hand is not None and hand.awaiting_board and not showdown.betting_over(hand):
        _press_before_board(unit, state, press, now)
    elif betting.act(unit, state, press, lambda refused: _refuse(unit, state, press, refused, now)):
        if late is not None and not devices.keys_held_up(unit, state, now):
            say_once(unit, state, f"keys_late_{late}", f"Betting was keyed after the {late} was out")
    else:
        missed_keys.propose(unit, state, press)


def _is_keyed_as_folded(unit: UnitOfWork, state: TrackerState, press: Press, now: Millis) -> bool:
    """While somebody is to act, a key other than FOLD names a seat whose fold was keyed: it is asked whether it
    folded, or told why that cannot be put right."""
    seat = press.named_seat
    did = {Key.CHECK_CALL: "call", Key.BET_RAISE: "bet", Key.ALL_IN: "bet"}.get(press.key)
    hand, fold = unit.table.hand, fold_on_record(unit.table, seat)
    if did is None or fold is None or camera_alone(fold) or hand is None or hand.legal() is None:
        return False
    number = press.counted if press.key is Key.ALL_IN else press.number if press.key is Key.BET_RAISE else None
    opened = OpenIncident("keyed_as_folded", seat, number, did, opened_at=now, by_person=True)
    why = opening.open_incident(unit, state, opened)
    if why is not None:
        queued_keys.refuse(unit, state, Refused(why, "base.action"))
    return True


def _has_cards(unit: UnitOfWork, seat: Seat | None) -> bool:
    """Whether the seat was dealt in to the hand in progress."""
    hand = unit.table.hand
    return unit.table.in_hand and hand is not None and seat in hand.stacks


def _is_counted_again(unit: UnitOfWork, state: TrackerState, press: Press, now: Millis) -> bool:
    """`6 SEAT 9700 ALL-IN` of a seat that is all-in already: it is asked whether it was so much."""
    hand, seat, counted = unit.table.hand, press.named_seat, press.counted
    if hand is None or seat is None or counted is None or seat not in hand.all_in:
        return False
    _keyed_wrong(unit, state, press, counted, ALL_IN, now)
    return True


def _keyed_wrong(
    unit: UnitOfWork, state: TrackerState, press: Press, amount: int, cause: str, now: Millis
) -> None:
    """What the seat put in front at its last act was counted: ask whether it was that."""
    opened = OpenIncident("keyed_wrong", press.named_seat, amount, cause, opened_at=now, by_person=True)
    opening.refuse(unit, opening.open_incident(unit, state, opened), opened)


def _refuse(unit: UnitOfWork, state: TrackerState, press: Press, refused: Refused, now: Millis) -> None:
    if queued_keys.refuse(unit, state, refused) and press.key is Key.BET_RAISE:
        state.presses.was_refused(now)


def _street_out_too_early(unit: UnitOfWork, state: TrackerState) -> Street | None:
    """Take a street whose cards are out while somebody is still to act."""
    hand = unit.table.hand
    open_betting = hand is not None and hand.legal() is not None and board_is_out(unit, state)
    return next_street(hand) if hand is not None and open_betting else None


def _press_before_board(unit: UnitOfWork, state: TrackerState, press: Press, now: Millis) -> None:
    """Take a betting key for a street that nobody has read yet.

    Without shoe and camera the key itself confirms the street, its cards unknown. A working shoe knows whether the
    street is out, or which card lies there unread; otherwise the press waits until the street is read or
    confirmed.
    """
    if press.key is Key.FOLD and missed_keys.raise_is_shifted(unit, state):
        queued_keys.refuse(
            unit, state, Refused("Betting is closed: the next street is not out yet", "base.action")
        )
        return
    if without_devices(unit):
        if deal_unknown(unit, state):
            betting.act(unit, state, press)
    elif unit.table.devices.get("shoe") is DeviceState.OK and not board_is_out(unit, state):
        keyed_too_early(unit, state)
        about = "Betting is closed" if press.named_seat is None else f"Seat {press.named_seat} cannot act"
        queued_keys.refuse(unit, state, Refused(f"{about}: the next street is not out yet", "base.action"))
    elif not state.presses.waiting and _of_next_street(unit, state, press, now) and deal_acted_on(unit, state):
        betting.act(unit, state, press)
    elif state.presses.wait_for_board(press):
        street_keyed(unit, state)
    else:
        unit.record(Refused("Too many presses wait for the board: confirm the street first", "base.action"))


def _of_next_street(unit: UnitOfWork, state: TrackerState, press: Press, now: Millis) -> bool:
    """Whether the key is for the first player of the next street, and not a second tap of the last key."""
    hand = unit.table.hand
    street = next_street(hand) if hand is not None else None
    if hand is None or street is None or state.arrivals.just_acted(now):
        return False
    with hand.trial():
        hand.push(DealBoard((UNKNOWN_CARD,) * NEW_CARDS[street], (Source.ASSUMED,)))
        legal = hand.legal()
        return legal is not None and press.named_seat in (None, legal.seat)


def _showdown_press(unit: UnitOfWork, state: TrackerState, press: Press, now: Millis) -> None:
    hand = unit.table.hand
    if hand is not None and _has_shown(hand, press):
        if unit.table.devices.get("camera") is not DeviceState.OK:  # which may be faster
            unit.record(Noticed("again", f"Seat {press.of_seat} is on record already"))
        return
    if hand is not None and hand.ended and press.key is Key.TABLED:
        winner = press.of_seat or _only_one_left(unit)
        if winner is not None and may_show_behind(hand.state, winner):
            showdown.tabled_pressed(unit, state, winner, now)
            return
    if hand is None or hand.ended:
        unit.record(Refused("No hand is at showdown", "tda.16"))
        return
    seat = press.of_seat or _only_one_left(unit)
    if seat is None or seat not in hand.live_seats:
        gone = None if seat is None else hand.gone(seat)
        unit.record(Refused(gone or f"Type the seat first, then {press.key.name}", "tda.16"))
    elif press.key is Key.TABLED:
        if showdown.betting_over(hand):
            showdown.tabled_pressed(unit, state, seat, now)
        elif state.seat_cards.has_faces(seat):
            if seat in state.showdown.tabled_keys:
                unit.record(Noticed("again", f"Seat {seat} is tabled already. {missed_keys.to_act(unit)}"))
            state.showdown.tabled(seat)  # seen and keyed: only keys are missing
        else:
            unit.record(Refused(f"Seat {seat} tabled before the betting is over", "tda.16"))
    elif press.key in (Key.MUCK, Key.OUT_OF_HAND):
        refusal = unit.push(MuckHand(seat, press.source))
        if refusal is not None:
            unit.record(Refused(refusal.reason, refusal.rule))
        showdown.award_when_ready(unit, state)


def _has_shown(hand: Hand, press: Press) -> bool:
    """Whether TABLED, or MUCK behind the hand, adds nothing: a key before it or the camera was faster."""
    known = hand.tabled if press.key is Key.TABLED else (*hand.tabled, *hand.mucked) if hand.ended else ()
    return press.of_seat in known


def _only_one_left(unit: UnitOfWork) -> Seat | None:
    """The one live seat that has neither tabled nor mucked, when there is only one."""
    hand = unit.table.hand
    assert hand is not None
    left = [seat for seat in hand.live_seats if seat not in hand.tabled and seat not in hand.mucked]
    return left[0] if len(left) == 1 else None
