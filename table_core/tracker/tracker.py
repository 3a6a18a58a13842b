"""Observations against what the hand expects next: commands, facts, questions.

`observe` takes one accepted observation, `wake` what fell due. Both work at a `Desk`, which records every
consequence in order; the tracker's own memory is `TrackerState`. The game never waits: a press that comes before
its street is read waits in line, and every question can be answered later.
"""

from __future__ import annotations

from msgspec.structs import replace

from table_core.messages import (
    Answered,
    AnyObservation,
    Asked,
    CardLeftShoe,
    DeviceChanged,
    DeviceState,
    DeviceStateChanged,
    Key,
    KeyPressed,
    Millis,
    MuckHand,
    Noticed,
    Refused,
    ScreenTouched,
    Seat,
    Source,
    Street,
    ZoneSeen,
)
from table_core.rulings.all_matters import MATTERS
from table_core.rulings.register import Group
from table_core.tracker import (
    betting,
    called_clock,
    chips,
    hands,
    heap,
    irregular,
    limits,
    missed,
    ruling,
    runs,
    seen,
    showdown,
)
from table_core.tracker.board import (
    ask_for_board,
    board_is_out,
    confirm_street,
    deal_unknown,
    read_board,
    run_out,
    without_devices,
)
from table_core.tracker.deal import card_left, next_street, say_once, street_places
from table_core.tracker.desk import Desk, busy
from table_core.tracker.presses import bounced
from table_core.tracker.presses import press as press_key
from table_core.tracker.state import LOST, Opened, Press, TrackerState

MISSED_AFTER_MS = 2_000  # a board card may well leave the shoe just before the last key is pressed
UNREAD_AFTER_MS = 2_500  # the camera votes over a few still frames first
LOST_AFTER_MS = 1_500  # a line that comes back sooner is not worth a word
SHOWDOWN_AFTER_MS = 6_000  # a hand turned up, and nobody else turns one up
HAND, WHOLE_BOARD = 2, 5  # cards
EXPOSED = "exposed-"  # begins the name of a check whether a hand turned up was the showdown
HELD_UP_MS = 15_000  # a keypad out of reach for so long is used no more
KEYS_COME_MS = 5_000  # within it a keypad that is back has said what was pressed meanwhile
MOST_WAITING = 40  # presses that wait for a street

_PROBLEMS = {
    DeviceState.BLOCKED: "is blocked",
    DeviceState.NOT_RESPONDING: "does not respond",
    DeviceState.OFF: "is off",
}


def observe(desk: Desk, state: TrackerState, given: AnyObservation, now: Millis) -> None:
    """Take one observation and record everything that follows from it."""
    match given:
        case KeyPressed():
            _key(desk, state, given, now)
        case ScreenTouched():
            _press(desk, state, Press(given.key, given.amount, given.seat, Source.SCREEN, given.reason), now)
        case CardLeftShoe():
            if not state.handles and desk.table.in_hand:
                state.due[chips.BLINDS] = Millis(now + chips.BLINDS_AFTER_MS)
            card_left(desk, state, given)
            irregular.card_came(desk, state, given, now)
            _card_beyond_unread_street(desk, state)
        case ZoneSeen():
            _zone(desk, state, given, now)
        case DeviceChanged():
            _device(desk, state, given, now)
    settle(desk, state, now)


def _key(desk: Desk, state: TrackerState, given: KeyPressed, now: Millis) -> None:
    if bounced(state, given):
        say_once(desk, state, "key_bounced", f"{given.key.name} came through twice; counted once")
        return
    heap.key_down(state, now)
    pressed = press_key(state, given.key)
    if pressed is not None:
        _press(desk, state, pressed, now)


def wake(desk: Desk, state: TrackerState, now: Millis) -> None:
    """Carry out the checks that fell due."""
    for check in [name for name, due in state.due.items() if due <= now]:
        if state.due.pop(check, None) is None:
            continue  # an earlier one has settled it
        if check == "missed":
            _ask_for_missed_keys(desk, state, now)
        elif check == "board":
            ask_for_board(desk, state)
        elif check.startswith("tabled-"):
            showdown.ask_for_hand(desk, state, Seat(int(check.removeprefix("tabled-"))))
        elif check.startswith(LOST):
            _say_lost(desk, state, check.removeprefix(LOST))
        elif check == chips.BLINDS:
            chips.check_blinds(desk, state)
        elif check.startswith(chips.CHECK):
            chips.check_chips(desk, state, Seat(int(check.removeprefix(chips.CHECK))))
        elif check == irregular.DEAL_CHECK:
            irregular.check_deal(desk, state, now)
        elif check in (seen.CHECK, seen.DEALT):
            settle(desk, state, now)
        elif check == heap.CHECK:
            heap.over(desk, state)
        elif check == missed.SAID:
            desk.record(Refused("Nothing to confirm", "base.street"))
        elif check.startswith(EXPOSED):
            _say_exposed(desk, state, Seat(int(check.removeprefix(EXPOSED))), now)
        elif check in (called_clock.WARNING, called_clock.UP):
            called_clock.fell_due(desk, state, check, now)
    ruling.ask_next(desk, state)


def wake_at(state: TrackerState) -> Millis | None:
    return min(state.due.values(), default=None)


# --------------------------------------------------------------------------------------------- presses


def _press(desk: Desk, state: TrackerState, press: Press, now: Millis) -> None:
    state.pressed = True
    state.undid = state.undid and press.key is Key.UNDO
    if press.key is not Key.NEW_HAND:
        state.closing_asked = False
    if press.key not in betting.KEYS:
        heap.over(desk, state)
    if press.key in (Key.COUNT, Key.BUTTON_HERE):
        hands.leave_unkeyed(desk, state)
    if press.key in betting.KEYS:
        _betting_press(desk, state, press, now)
    elif press.key is Key.STREET:
        _yes(desk, state, press, now)
    elif press.key is Key.NEW_HAND and seen.began_with_the_deal(desk, state):
        return
    elif press.key is Key.NEW_HAND:
        seen.come_no_more(state)
        seen.say_unkeyed(desk, state)
        ruling.forget_late(desk, state)
        hands.new_hand(desk, state, press.source if press.source is Source.SCREEN else Source.KEY)
    elif press.key is Key.UNDO:
        hands.undo(desk, state)
    elif press.key in (Key.TABLED, Key.MUCK, Key.OUT_OF_HAND):
        _showdown_press(desk, state, press, now)
    elif press.key in (Key.AWARD, Key.SPLIT):
        run_out(desk, state)
        hands.award(desk, state, press)
    elif press.key is Key.POT_PUSHED:
        hands.pot_pushed(desk, state, press)
    elif press.key is Key.COUNT and ruling.give_amount(desk, state, press):
        return
    elif press.key is Key.BUTTON_HERE and desk.table.in_hand:
        _button_in_hand(desk, state, press, now)
    elif press.key in (Key.COUNT, Key.BUTTON_HERE, Key.OLD_LEVEL):
        hands.between_hands(desk, press)
    elif press.key is Key.AWAY:
        hands.away(desk, press)
    elif press.key is Key.FLOOR and press.number is not None:
        ruling.pressed(desk, state, press, now)
    elif press.key is Key.FLOOR:
        hands.floor(desk)
    elif press.key is Key.TIME:
        called_clock.time_pressed(desk, state, press, now)


def _button_in_hand(desk: Desk, state: TrackerState, press: Press, now: Millis) -> None:
    """The disc lies elsewhere than it should: the matter of a button out of position."""
    if press.of_seat == desk.table.button:
        desk.record(Refused("The button is there already", "tda.32"))
    else:
        opened = Opened("button_wrong", opened_at=now, by_person=True)
        ruling.refuse(desk, ruling.open_matter(desk, state, opened), opened)


def _betting_press(desk: Desk, state: TrackerState, press: Press, now: Millis) -> None:
    heap.key_came(desk, state, press, now)
    if heap.read_in_order(desk, state) or seen.is_key_of_seen_fold(desk, state, press, now):
        return
    if not desk.table.in_hand and not hands.start_unkeyed(desk, state):
        heap.refuse(desk, state, Refused("No hand in progress: press NEW HAND first", "base.action"))
        return
    state.proposed = None
    seen.said_not_to_have_folded(desk, state, press)
    seen.keys_come_late(desk, state, press, now)
    seen.fold_the_gone(desk, state, press, now)
    missed.catch_up(desk, state, press)
    if missed.is_for_later_seat(desk, state, press, now):
        return
    hand = desk.table.hand
    late = _street_out_too_early(desk, state)
    if hand is not None and hand.awaiting_board and not showdown.betting_over(hand):
        _press_before_board(desk, state, press)
    elif betting.act(desk, state, press, lambda refused: heap.refuse(desk, state, refused)):
        if late is not None and not _keys_held_up(desk, state, now):
            say_once(desk, state, f"keys_late_{late}", f"Betting was keyed after the {late} was out")
    else:
        missed.propose(desk, state, press)


def _street_out_too_early(desk: Desk, state: TrackerState) -> Street | None:
    """The next street, where its cards are out and somebody is still to act on this one."""
    hand = desk.table.hand
    open_betting = hand is not None and hand.legal() is not None and board_is_out(desk, state)
    return next_street(hand) if hand is not None and open_betting else None


def _press_before_board(desk: Desk, state: TrackerState, press: Press) -> None:
    """Betting on a street that nobody has read yet.

    Without shoe and camera the press itself says that the street is out, its cards unknown. A working shoe knows
    that it is not; otherwise the press waits until the street is read or confirmed.
    """
    shoe, camera = desk.table.devices.get("shoe"), desk.table.devices.get("camera")
    if {shoe, camera} <= {None, DeviceState.OFF}:
        if deal_unknown(desk, state):
            betting.act(desk, state, press)
    elif shoe is DeviceState.OK and not board_is_out(desk, state):
        heap.refuse(desk, state, Refused("Betting is closed: the next street is not out yet", "base.action"))
    elif len(state.waiting) < MOST_WAITING:
        state.waiting.append(press)
    else:
        desk.record(Refused("Too many presses wait for the board: confirm the street first", "base.action"))


def _yes(desk: Desk, state: TrackerState, press: Press, now: Millis) -> None:
    """STREET: yes to the question on the screen; without one, the street is out, or the chips say what to do."""
    question = desk.table.question
    if question is not None and question.kind == ruling.KIND:
        _rule(desk, state, press, now)
        return
    if question is not None and question.kind == "result_only":
        hands.enter_result(desk, state, press.source)
        return
    if question is not None and question.kind.startswith("tabled-"):
        showdown.confirm_hand(desk, state, Seat(int(question.kind.removeprefix("tabled-"))))
        return
    if question is not None and question.kind == missed.KIND:
        missed.take_proposal(desk, state, press)
        return
    if question is not None and question.kind == "missed_actions":
        desk.record(Answered(question.question, "All checked or called", press.source))
        missed.fill_in(desk, state)
        return
    if question is None and missed.street_over(desk, state, now):
        missed.fill_in(desk, state)
        return
    if not board_is_out(desk, state) and question is None and chips.take_prediction(desk, state):
        return
    if question is None and missed.river_over(desk, state, now):
        missed.fill_in(desk, state)
        return
    if not board_is_out(desk, state) and question is None:
        if without_devices(desk) and deal_unknown(desk, state):
            return
        if not missed.street_said(desk, state, now):
            desk.record(Refused("Nothing to confirm", "base.street"))
        return
    if question is not None:
        desk.record(Answered(question.question, "Confirmed", press.source))
    if not read_board(desk, state) and not confirm_street(desk, state):
        desk.record(Refused("Nothing to confirm", "base.street"))


def _rule(desk: Desk, state: TrackerState, press: Press, now: Millis) -> None:
    ruled_before = len(desk.table.rulings())
    ruling.answer(desk, state, press, now)
    rulings = desk.table.rulings()
    last = rulings[-1] if len(rulings) > ruled_before else None
    if last is not None and (last.matter, last.way) == ("clock", "start") and last.seat is not None:
        called_clock.start(desk, state, last.seat, now)


def _showdown_press(desk: Desk, state: TrackerState, press: Press, now: Millis) -> None:
    hand = desk.table.hand
    if hand is not None and hand.ended and press.of_seat in (*hand.tabled, *hand.mucked):
        return  # the camera was faster, and the key says nothing new
    if hand is None or hand.ended:
        desk.record(Refused("No hand is at showdown", "tda.16"))
        return
    seat = press.of_seat or _only_one_left(desk)
    if seat is None or seat not in hand.live_seats:
        desk.record(Refused(f"Type the seat first, then {press.key.name}", "tda.16"))
    elif press.key is Key.TABLED and seat not in hand.tabled:
        if showdown.betting_over(hand):
            showdown.tabled_pressed(desk, state, seat, now)
        else:
            desk.record(Refused(f"Seat {seat} tabled before the betting is over", "tda.16"))
    elif press.key in (Key.MUCK, Key.OUT_OF_HAND):
        refusal = desk.push(MuckHand(seat, press.source))
        if refusal is not None:
            desk.record(Refused(refusal.reason, refusal.rule))
        showdown.award_when_ready(desk)


def _only_one_left(desk: Desk) -> Seat | None:
    """The one live seat that has neither tabled nor mucked, when there is just one."""
    hand = desk.table.hand
    assert hand is not None
    left = [seat for seat in hand.live_seats if seat not in hand.tabled and seat not in hand.mucked]
    return left[0] if len(left) == 1 else None


# ---------------------------------------------------------------------------------------------- camera


def _zone(desk: Desk, state: TrackerState, reading: ZoneSeen, now: Millis) -> None:
    if reading.zone == "board":
        state.board = _without_barred(state, reading)
    elif reading.zone.startswith("board-"):
        runs.board_seen(desk, reading)
    elif reading.zone.startswith("seat-") and reading.zone.endswith("-bet"):
        chips.seen_in_bet_zone(desk, state, Seat(int(reading.zone.split("-")[1])), reading, now)
        chips.ask_for_declaration(desk, state, now)
    elif reading.zone.startswith("seat-") and reading.zone.endswith("-stack"):
        chips.seen_in_stack_zone(desk, state, Seat(int(reading.zone.split("-")[1])), reading)
    elif reading.zone.startswith("seat-") and reading.zone.endswith("-cards"):
        seat = Seat(int(reading.zone.split("-")[1]))
        before = state.seats.get(str(seat))
        state.seats[str(seat)] = reading
        if desk.table.in_hand and reading.face_down >= 2 and seat not in state.had_cards:
            state.had_cards.append(seat)
        seen.place_seen(desk, state, seat, before, now)
        _exposed(desk, state, seat, reading, now)
    irregular.zone_came(desk, state, reading, now)


def _without_barred(state: TrackerState, seen: ZoneSeen) -> ZoneSeen:
    """The board less the barred cards that still lie there; once taken away they may come again."""
    state.barred = [card for card in state.barred if card in seen.cards]
    return replace(seen, cards=tuple([card for card in seen.cards if card not in state.barred]))


def _exposed(desk: Desk, state: TrackerState, seat: Seat, reading: ZoneSeen, now: Millis) -> None:
    """A face-up card before the betting is over. It is said, not named, and stops nothing.

    A whole hand is most likely turned up at a showdown before which keys are missing; it is said when nothing
    after a while looks like one.
    """
    hand = desk.table.hand
    face_up = len(reading.cards) + reading.unread
    state.due.pop(f"{EXPOSED}{seat}", None)
    if hand is None or hand.ended or showdown.betting_over(hand) or not face_up or seat not in hand.live_seats:
        return
    if face_up >= HAND:
        state.due[f"{EXPOSED}{seat}"] = Millis(now + SHOWDOWN_AFTER_MS)
        return
    say_once(desk, state, "card_exposed", f"A card lies face up at seat {seat}", seat)
    irregular.exposed(desk, state, seat, reading, now)


def _say_exposed(desk: Desk, state: TrackerState, seat: Seat, now: Millis) -> None:
    hand, reading = desk.table.hand, state.seats.get(str(seat))
    if hand is None or hand.legal() is None or reading is None or len(hand.board) == WHOLE_BOARD:
        return
    if not missed.street_is_over(desk, state) and not hand.all_in and seat in hand.live_seats:
        say_once(desk, state, "card_exposed", f"The cards of seat {seat} lie face up", seat)
        irregular.exposed(desk, state, seat, reading, now)


# --------------------------------------------------------------------------------------------- devices


def _device(desk: Desk, state: TrackerState, seen: DeviceChanged, now: Millis) -> None:
    before = desk.table.devices.get(seen.device)
    if before is seen.state:
        return
    desk.record(DeviceStateChanged(seen.device, seen.state, seen.detail))
    if seen.device == "keypad":
        _keypad(state, before, seen.state, now)
    check = LOST + seen.device
    if seen.state is DeviceState.CONNECTING and before is DeviceState.OK:
        state.due[check] = Millis(now + LOST_AFTER_MS)
        return
    if seen.state is not DeviceState.CONNECTING:
        state.due.pop(check, None)
    if seen.state in _PROBLEMS:
        text = f"The {seen.device} {_PROBLEMS[seen.state]}; the game goes on"
        desk.record(Noticed(f"{seen.device}_{seen.state}", text))
    elif seen.state is DeviceState.OK and (before in _PROBLEMS or seen.device in state.lost):
        state.lost = [device for device in state.lost if device != seen.device]
        desk.record(Noticed(f"{seen.device}_back", f"The {seen.device} is back"))


def _keypad(state: TrackerState, before: DeviceState | None, after: DeviceState, now: Millis) -> None:
    if after is DeviceState.OK and state.keypad_out_at is not None:
        state.keypad_out_at, state.keypad_back_at = None, now
    elif before is DeviceState.OK:
        state.keypad_out_at = now


def _keys_held_up(desk: Desk, state: TrackerState, now: Millis) -> bool:
    """The keypad is out of reach, or has just come back: what the dealer pressed is on its way."""
    out = state.keypad_out_at is not None and now - state.keypad_out_at <= HELD_UP_MS
    back = desk.table.devices.get("keypad") is DeviceState.OK and now - state.keypad_back_at <= KEYS_COME_MS
    return out or back


def _say_lost(desk: Desk, state: TrackerState, device: str) -> None:
    """A line that broke has not come back by itself."""
    if desk.table.devices.get(device) is DeviceState.CONNECTING and device not in state.lost:
        state.lost = [*state.lost, device]
        desk.record(Noticed(f"{device}_lost", f"The {device} is out of reach; the game goes on"))


# -------------------------------------------------------------------------------- what follows from it


def settle(desk: Desk, state: TrackerState, now: Millis) -> None:
    """Whatever became possible: the board, presses that waited, hands, questions that fall due or away."""
    seen.begin_with_the_deal(desk, state)
    progress = True
    while progress:
        progress = (
            read_board(desk, state)
            or limits.carry_out_bound(desk)
            or missed.street_came(desk, state)
            or seen.fold_seen(desk, state, now)
            or _next_waiting(desk, state)
            or showdown.read_hands(desk, state)
            or seen.muck_seen(desk, state, now)
        )
    chips.follow_street(desk, state, now)
    irregular.order_of_board(desk, state)
    _close_question(desk, state)
    called_clock.follow_turn(desk, state, now)
    _watch_for_missed_keys(desk, state, now)
    _watch_for_unread_board(desk, state, now)
    ruling.ask_next(desk, state)


def _next_waiting(desk: Desk, state: TrackerState) -> bool:
    hand = desk.table.hand
    if not state.waiting or hand is None or (hand.awaiting_board and not hand.ended):
        return False
    press, state.waiting = state.waiting[0], state.waiting[1:]
    betting.act(desk, state, press)
    return True


def _close_question(desk: Desk, state: TrackerState) -> None:
    """A question that answered itself disappears."""
    question, hand = desk.table.question, desk.table.hand
    if question is None or hand is None or question.kind == ruling.KIND:
        return
    seat = question.kind.removeprefix("tabled-")
    settled = {
        "board_unread": not hand.awaiting_board,
        "missed_actions": hand.legal() is None,
        "award": hand.ended,
        missed.KIND: state.proposed is None,
    }.get(question.kind, seat.isdigit() and Seat(int(seat)) in hand.tabled)
    if settled:
        desk.record(Answered(question.question, "Settled by itself", Source.ENGINE))


def _watch_for_missed_keys(desk: Desk, state: TrackerState, now: Millis) -> None:
    hand = desk.table.hand
    street_over = missed.street_is_over(desk, state) and not _raised_by_person(state)
    if hand is None or hand.legal() is None or not street_over:
        state.due.pop("missed", None)
    elif not busy(desk):
        state.due.setdefault("missed", Millis(now + MISSED_AFTER_MS))


def _raised_by_person(state: TrackerState) -> bool:
    """Somebody wants a ruling about the board: what would be asked about it meanwhile is most likely the same."""
    return any(one.by_person and MATTERS[one.matter].group is Group.BOARD for one in state.open)


def _ask_for_missed_keys(desk: Desk, state: TrackerState, now: Millis) -> None:
    hand = desk.table.hand
    legal = hand.legal() if hand is not None else None
    if hand is None or legal is None or busy(desk) or not missed.street_is_over(desk, state):
        return
    if _keys_held_up(desk, state, now):
        state.due["missed"] = Millis(now + MISSED_AFTER_MS)
        return
    if not state.pressed:
        return  # nobody presses at this table: one question stands for all
    state.pressed = False
    street = next_street(hand) if board_is_out(desk, state) else None
    did = f"called {legal.call:,}" if legal.call else "checked"
    over = f"{street.capitalize()} is out" if street else "Hands are up"
    text = f"{over}, seat {legal.seat} to act: all {did}?"
    desk.record(Asked(desk.table.questions_asked + 1, "missed_actions", f"{text} STREET = yes"))


def _watch_for_unread_board(desk: Desk, state: TrackerState, now: Millis) -> None:
    hand = desk.table.hand
    two_burns = any(one.matter == "burn_double" for one in state.open)  # then the last card may be no board card
    out = board_is_out(desk, state) and not two_burns and not _raised_by_person(state)
    if hand is None or not hand.awaiting_board or not out:
        state.due.pop("board", None)
    elif not busy(desk):
        state.due.setdefault("board", Millis(now + UNREAD_AFTER_MS))


def _card_beyond_unread_street(desk: Desk, state: TrackerState) -> None:
    """A card left the shoe past a street that nobody read: the street is out, and the game went on."""
    hand = desk.table.hand
    street = next_street(hand) if hand is not None and hand.awaiting_board else None
    if street is None or state.waiting == []:
        return
    if len(state.handles) > street_places(desk, state, street)[-1] and deal_unknown(desk, state):
        desk.record(Noticed("street_unread", f"The {street} was not read; the hand goes on"))
