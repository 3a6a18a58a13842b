"""A table with its dealer and devices: the real node, tracker and engine, without wires."""

from __future__ import annotations

import pytest

from feltwire.runtime.node_io import Reply, Say
from feltwire.table.node import NOT_YET, TableNode
from feltwire.table.table_io import CommandCame, Commit, DeviceSaid, FrameCame, ProcessStarted, Touched
from firmware_bridge.reports import KeyDown
from table_core.messages import (
    Acted,
    Action,
    Asked,
    At,
    BoardDealt,
    CardDealt,
    Chips,
    DeviceState,
    HandEnded,
    HandStarted,
    HandTabled,
    Key,
    Level,
    LevelBegan,
    Millis,
    Noticed,
    PotAwarded,
    Refused,
    Seat,
    SeatsSet,
    SeatStack,
    SetLevel,
    SetSeats,
    Source,
    Street,
    encode,
    write_as,
)
from table_core.messages.version import EARLIEST_WRITTEN
from table_core.tracker import tracker
from table_core.tracker.memory.timers import Check
from table_core.tracker.tracker import SettleStep
from table_core.tracker.unit_of_work import Why
from tests.table_under_test import LEVEL, TableUnderTest

# Three-handed, button 1: the deal goes 2, 3, 1, 2, 3, 1.
HOLE = ("Ah", "Kd", "7c", "As", "Kc", "2d")  # seat 2: aces, seat 3: kings, seat 1: seven-deuce
FLOP, TURN, RIVER = ("Qh", "9s", "4c"), "3d", "Jc"


def to_flop(table: TableUnderTest) -> None:
    table.start_hand(*HOLE)
    table.press(Key.FOLD, Key.CHECK_CALL, Key.CHECK_CALL)
    table.see("board")
    table.deal("5h")
    table.see("burn", backs=1)
    table.deal(*FLOP)


def to_showdown(table: TableUnderTest) -> None:
    to_flop(table)
    table.see("board", *FLOP)
    table.press(Key.CHECK_CALL, Key.CHECK_CALL)
    table.deal("5d", TURN)
    table.see("board", *FLOP, TURN)
    table.press(Key.CHECK_CALL, Key.CHECK_CALL)
    table.deal("5c", RIVER)
    table.see("board", *FLOP, TURN, RIVER)
    table.press(Key.CHECK_CALL, Key.CHECK_CALL)


def test_a_hand_is_dealt_bet_tabled_and_paid() -> None:
    table = TableUnderTest()
    to_showdown(table)
    assert table.view.street is Street.SHOWDOWN
    table.see("seat-2-cards", "Ah", "As")
    table.see("seat-3-cards", "Kc", "Kd")
    assert table.of(HandTabled)[0].sources == (Source.CAMERA, Source.SHOE)
    assert table.of(PotAwarded)[0].shares[0].seat == 2
    assert table.stacks() == [10_000, 10_100, 9_900]


def test_every_dealt_card_is_a_commitment_with_its_place() -> None:
    table = TableUnderTest()
    to_flop(table)
    dealt = table.of(CardDealt)
    assert [card.to for card in dealt] == [
        "seat-2", "seat-3", "seat-1", "seat-2", "seat-3", "seat-1", "burn", "board", "board", "board",
    ]  # fmt: skip
    assert all(card.commitment for card in dealt)


def test_no_published_byte_names_a_card_before_it_is_seen() -> None:
    table = TableUnderTest()
    table.connect()
    to_flop(table)
    said = b"".join(table.published).decode()
    assert not [card for card in (*HOLE, "5h", *FLOP) if f'"{card}"' in said or f" {card}" in said]


def test_a_frame_is_acknowledged_again_but_taken_once() -> None:
    table = TableUnderTest()
    table.press(Key.NEW_HAND)
    events = table.give(FrameCame("keypad", 5, 1, KeyDown(table.now, Key.NEW_HAND)))
    assert events == []
    assert table.acked == {"keypad": [(5, 1), (5, 1)]}


def test_a_frame_that_overtakes_another_waits_for_it() -> None:
    table = TableUnderTest()
    table.press(Key.NEW_HAND)

    def press(seq: int, key: Key) -> list:  # type: ignore[type-arg]
        return table.give(FrameCame("keypad", 5, seq, KeyDown(table.now, key)))

    assert press(3, Key.FOLD) == []
    assert [event.action for event in press(2, Key.CHECK_CALL)] == [Action.CALL]
    assert [event.action for event in press(3, Key.FOLD)] == [Action.FOLD]


# ------------------------------------------------------------------------------------- forgotten keys


def test_a_fold_that_only_the_camera_saw_is_filled_in_at_the_next_key() -> None:
    table = TableUnderTest()
    table.start_hand(*HOLE)
    table.see("seat-1-cards")  # seat 1 mucked; the dealer pressed nothing
    table.press("600", Key.BET_RAISE)
    acted = table.of(Acted)
    assert [(a.seat, a.action, a.source) for a in acted] == [
        (1, Action.FOLD, Source.CAMERA),
        (2, Action.RAISE, Source.KEY),
    ]
    assert not table.of(Noticed), "folds need no key where the camera sees them"
    table.press(Key.FOLD)
    table.press(Key.NEW_HAND)
    assert table.of(Noticed)[0].kind == "fold_not_keyed", "in a hand with keys for folds one is missing"


def test_a_board_before_betting_is_closed_is_first_read_as_missed_keys() -> None:
    table = TableUnderTest()
    table.start_hand(*HOLE)
    table.press(Key.CHECK_CALL)
    table.deal("5h", *FLOP)
    table.see("board", *FLOP)
    assert not table.of(Asked), "the key may still come"
    assert table.of(Asked, table.wait(3_000))[0].kind == "missed_actions"
    table.press(Key.STREET)
    assert [(a.seat, a.source) for a in table.of(Acted)][1:] == [(2, Source.ASSUMED), (3, Source.ASSUMED)]
    assert table.view.board == FLOP
    assert table.view.question is None


def test_new_hand_forgotten_is_inferred_from_a_whole_deal() -> None:
    table = TableUnderTest()
    table.deal(*HOLE)
    table.press(Key.FOLD)
    assert table.view.hand == 1
    assert table.of(Acted)[0].seat == 1
    assert len(table.of(CardDealt)) == 6
    assert table.of(Noticed)[-1].kind == "new_hand_not_keyed"


def test_presses_before_the_street_is_read_wait_for_it() -> None:
    table = TableUnderTest()
    to_flop(table)
    table.press(Key.CHECK_CALL, "300", Key.BET_RAISE)
    assert table.view.street is Street.PREFLOP
    table.see("board", *FLOP)
    assert table.view.street is Street.FLOP
    assert [seat.bet for seat in table.view.seats] == [0, 0, 300]


def test_a_key_for_the_wrong_seat_is_refused_and_said() -> None:
    table = TableUnderTest()
    table.start_hand(*HOLE)
    table.press("3", Key.FOLD)
    assert not table.of(Acted)
    assert "seat 1 is to act" in table.of(Refused)[0].reason
    assert table.of(Noticed)[-1].kind == "out_of_turn_press"


def test_one_press_takes_back_a_wrong_press() -> None:
    table = TableUnderTest()
    table.start_hand(*HOLE)
    before = table.view.legal
    table.press("4000", Key.BET_RAISE, Key.UNDO)
    assert table.view.legal == before
    assert table.stacks() == [10_000, 9_950, 9_900]


def test_undo_after_the_pot_brings_the_hand_back() -> None:
    table = TableUnderTest()
    table.start_hand(*HOLE)
    table.press(Key.FOLD, Key.FOLD)
    assert table.stacks() == [10_000, 9_950, 10_050]
    table.press(Key.UNDO)
    assert table.view.legal is not None
    assert table.view.legal.seat == 2
    table.press(Key.CHECK_CALL, Key.CHECK_CALL)
    assert table.view.pots == (200,)


def test_new_hand_over_an_open_hand_asks_first_and_keeps_the_chips() -> None:
    table = TableUnderTest()
    to_flop(table)
    table.see("board", *FLOP)
    table.press(Key.NEW_HAND)
    assert table.view.hand == 1
    assert table.of(Asked)[-1].kind == "hand_open"
    table.press(Key.NEW_HAND)
    assert table.view.hand == 2
    assert table.of(SeatsSet)[-1].gap
    assert sum(table.stacks()) + table.view.pot == 30_000


def test_a_count_between_hands_sets_the_stack() -> None:
    table = TableUnderTest()
    table.press("2", Key.SEAT, "12000", Key.COUNT)
    assert table.stacks() == [10_000, 12_000, 10_000]
    table.press(Key.NEW_HAND, "2", Key.SEAT, "1", Key.COUNT)
    assert "finish this hand" in table.of(Refused)[-1].reason


def test_the_button_key_between_hands_changes_nothing_about_the_players() -> None:
    table = TableUnderTest()
    table.press(Key.NEW_HAND, Key.FOLD, Key.FOLD)
    table.press("2", Key.AWAY)
    before = {seat.seat: (seat.away, seat.counted_after) for seat in table.view.seats}
    table.press("3", Key.BUTTON_HERE)
    assert {seat.seat: (seat.away, seat.counted_after) for seat in table.view.seats} == before
    assert [seat for seat, (away, _) in before.items() if away] == [2]


# ------------------------------------------------------------------------------- shoe against camera


def test_a_missing_burn_is_noticed_and_the_flop_stands() -> None:
    table = TableUnderTest()
    table.start_hand(*HOLE)
    table.press(Key.FOLD, Key.CHECK_CALL, Key.CHECK_CALL)
    table.deal(*FLOP)
    table.see("board", *FLOP)
    assert table.view.board == FLOP
    noticed = table.of(Noticed)[-1]
    assert (noticed.kind, noticed.rule) == ("burn_missing", "tda.38")
    assert [table.node.table.destination(place) for place in (7, 8, 9)] == ["board", "board", "board"]


def test_a_board_card_that_the_camera_cannot_read_is_filled_in_from_the_shoe() -> None:
    table = TableUnderTest()
    to_flop(table)
    table.see("board", "Qh", "4c", unread=1)
    assert set(table.view.board) == set(FLOP)
    assert table.vault.opened == [((9,), Why.SEEN_FACE_UP)]


def test_a_board_that_is_seen_with_an_unknown_card_is_filled_in_when_all_of_it_is_read() -> None:
    table = TableUnderTest(devices=("keypad", "camera"))
    table.press(Key.NEW_HAND, Key.FOLD, Key.CHECK_CALL, Key.CHECK_CALL)
    table.see("board", unread=3)
    table.wait(5_000)
    table.press(Key.STREET)
    assert table.view.board == ("??", "??", "??")
    table.see("board", "Qh", "9s", "??")
    assert table.view.board == ("??", "??", "??"), "and the table goes on: it says so once, not for ever"
    table.see("board", *FLOP)
    assert set(table.view.board) == set(FLOP)


def test_what_follows_from_an_input_without_end_is_a_fault_of_that_input(monkeypatch: pytest.MonkeyPatch) -> None:
    table = TableUnderTest()
    endless = SettleStep(lambda *_: True, "it says each time that something has changed")
    monkeypatch.setattr(tracker, "STEPS", (endless,))
    with pytest.raises(RuntimeError, match="no end"):
        table.press(Key.NEW_HAND)


def test_a_turn_that_the_camera_cannot_read_is_asked_about_and_not_opened() -> None:
    table = TableUnderTest()
    to_flop(table)
    table.see("board", *FLOP)
    table.press(Key.CHECK_CALL, Key.CHECK_CALL)
    table.deal("5d", TURN)
    table.see("board", *FLOP, unread=1)
    assert not table.vault.opened
    assert table.of(Asked, table.wait(3_000))[0].kind == "board_unread"


def test_a_misread_board_card_is_withheld_and_asked_about() -> None:
    table = TableUnderTest()
    to_flop(table)
    table.see("board", "Qd", "9s", "4c")  # the shoe dealt the queen of hearts
    assert not table.of(BoardDealt)
    assert table.of(Noticed)[-1].kind == "board_disputed_flop"
    table.wait(3_000)
    table.press(Key.STREET)
    assert table.view.board == FLOP


def test_a_card_that_left_the_shoe_unread_is_read_by_the_camera() -> None:
    table = TableUnderTest()
    table.start_hand(*HOLE)
    table.press(Key.FOLD, Key.CHECK_CALL, Key.CHECK_CALL)
    table.deal("5h", "Qh", "", "4c")
    table.see("board", *FLOP)
    assert table.view.board == FLOP


def test_a_blocked_camera_asks_once_and_one_press_opens_the_street() -> None:
    table = TableUnderTest()
    table.give(DeviceSaid("camera", DeviceState.BLOCKED))
    to_flop(table)
    assert not table.vault.opened
    asked = table.of(Asked, table.wait(3_000))
    assert [question.kind for question in asked] == ["board_unread"]
    table.press(Key.STREET)
    assert table.view.board == FLOP
    assert table.vault.opened == [((8, 9, 10), Why.STREET_CONFIRMED)]


def test_a_pulled_shoe_stops_nothing() -> None:
    table = TableUnderTest()
    table.start_hand(*HOLE)
    table.press(Key.FOLD, Key.CHECK_CALL, Key.CHECK_CALL)
    table.see("board", *FLOP)
    assert table.view.board == FLOP
    table.press(Key.CHECK_CALL)
    table.deal("5h", *FLOP)  # the cable is back: the shoe sends what it kept
    assert [card.to for card in table.of(CardDealt)][-4:] == ["burn", "board", "board", "board"]
    assert not table.of(Asked, table.wait(5_000))


# --------------------------------------------------------------------------------- tabled and sealed


def test_one_press_of_tabled_never_opens_a_hand_that_lies_face_down() -> None:
    table = TableUnderTest()
    to_showdown(table)
    table.press("3", Key.TABLED)
    table.wait(10_000)
    assert not table.of(HandTabled)
    assert not table.vault.opened
    assert table.of(Noticed)[-1].kind == "tabled_face_down"


def test_without_a_camera_tabled_asks_and_the_second_press_opens() -> None:
    table = TableUnderTest(devices=("keypad", "shoe"))
    to_flop(table)
    table.press(Key.STREET, Key.CHECK_CALL, Key.CHECK_CALL)
    table.deal("5d", TURN)
    table.press(Key.STREET, Key.CHECK_CALL, Key.CHECK_CALL)
    table.deal("5c", RIVER)
    table.press(Key.STREET, Key.CHECK_CALL, Key.CHECK_CALL)
    for seat in ("2", "3"):
        table.press(seat, Key.TABLED)
        table.wait(3_000)
        assert table.view.question is not None
        table.press(Key.STREET)
    assert {seat.seat: seat.cards for seat in table.view.seats}[Seat(2)] == ("Ah", "As")
    assert table.of(HandEnded)


def test_keys_alone_play_a_hand_with_an_unknown_board() -> None:
    table = TableUnderTest(devices=("keypad",))
    table.press(Key.NEW_HAND, Key.FOLD, Key.CHECK_CALL, Key.CHECK_CALL)
    for _ in range(3):
        table.press(Key.CHECK_CALL, Key.CHECK_CALL)
    assert table.view.board == ("??",) * 5
    table.press("3", Key.AWARD)
    assert table.stacks() == [10_000, 9_900, 10_100]


@pytest.mark.parametrize("waits", [(Key.D5,), (Key.NEW_HAND, Key.CHECK_CALL)])
def test_a_table_that_was_restored_records_nothing_before_its_epoch_begins(waits: tuple[Key, ...]) -> None:
    """Its ledger takes no event of the old epoch any more; what waits since before the backup is due at once."""
    table = TableUnderTest()
    table.start_hand(*HOLE)
    table.press(*waits)
    again = TableNode(
        table.config, table.vault, known=lambda *_: (), stamp=lambda now: At("later", now), boot=9, ledger="2"
    )
    again.recover(list(table.stored), table.notes.get, epoch=2)
    later = Millis(table.now + 3_600_000)
    committed = [effect for effect in again.step(None, later)[0] if isinstance(effect, Commit)]
    assert not committed
    began = [effect for effect in again.step(ProcessStarted(), later)[0] if isinstance(effect, Commit)]
    assert {envelope.epoch for commit in began for envelope in commit.envelopes} == {2}


def test_an_exposed_card_is_said_but_not_named() -> None:
    table = TableUnderTest()
    table.start_hand(*HOLE)
    events = table.see("seat-2-cards", "Ah", backs=1)
    assert [event.kind for event in table.of(Noticed, events)] == ["card_exposed"]
    assert b"Ah" not in b"".join(encode(event) for event in events)


# ------------------------------------------------------------------------------------ the station


def test_seats_set_by_the_director_are_answered_once_and_mark_the_gap() -> None:
    table = TableUnderTest()
    to_flop(table)
    seats = tuple(SeatStack(Seat(seat), Chips(5_000)) for seat in (1, 4))
    command = encode(SetSeats("t-1", seats, Seat(4), 7, Level(3, Chips(200), Chips(400))))
    assert [event.gap for event in table.of(SeatsSet, table.give(CommandCame(command)))] == [True]
    assert table.give(CommandCame(command)) == []
    table.press(Key.NEW_HAND)
    view = table.view
    assert (view.hand, view.button, view.small_blind, view.big_blind) == (7, 4, 4, 1)


def test_a_command_that_changes_nothing_is_answered_too() -> None:
    table = TableUnderTest()
    events = table.give(CommandCame(encode(SetLevel("t-2", LEVEL, 0))))
    assert table.of(LevelBegan, events)


def test_a_message_that_cannot_be_read_is_logged_and_recorded_nowhere() -> None:
    table = TableUnderTest()
    effects, _ = table.node.step(CommandCame(b'{"type":"set_seats","id":7}'), table.now)
    assert [type(effect) for effect in effects] == [Say], "what anybody can send fills no ledger"


@pytest.mark.parametrize("state", [DeviceState.NOT_RESPONDING, DeviceState.BLOCKED])
def test_a_device_in_trouble_and_back_is_said(state: DeviceState) -> None:
    table = TableUnderTest()
    table.give(DeviceSaid("camera", state))
    table.give(DeviceSaid("camera", DeviceState.OK))
    assert [notice.kind for notice in table.of(Noticed)] == [f"camera_{state}", "camera_back"]


def test_cards_that_lay_there_before_the_hand_are_not_read_into_it() -> None:
    """The camera is blocked before it saw the felt cleared: the old board and the old hands count for nothing."""
    table = TableUnderTest()
    to_showdown(table)
    table.see("seat-2-cards", "Ah", "As")
    table.see("seat-3-cards", "Kd", "Kc")
    table.give(DeviceSaid("camera", DeviceState.BLOCKED))
    table.give(DeviceSaid("shoe", DeviceState.OFF))
    table.press(Key.MUCK, Key.POT_PUSHED)
    table.press(Key.NEW_HAND)
    events = table.press(Key.CHECK_CALL, Key.CHECK_CALL, Key.CHECK_CALL)
    events += table.wait(10_000)
    assert table.view.hand == 2
    assert not table.of(BoardDealt, events)
    assert not table.of(Noticed, events)


@pytest.mark.parametrize("device", ["keypad", "shoe", "bus"])
def test_a_line_that_stays_broken_is_said_and_so_is_its_return(device: str) -> None:
    table = TableUnderTest(devices=("keypad", "shoe", "camera", "bus"))
    table.start_hand(*HOLE)
    table.give(DeviceSaid(device, DeviceState.CONNECTING, "the line broke"))
    assert [said.kind for said in table.of(Noticed, table.wait(5_000))] == [f"{device}_lost"]
    back = table.give(DeviceSaid(device, DeviceState.OK))
    assert [said.kind for said in table.of(Noticed, back)] == [f"{device}_back"]


def test_a_line_that_is_back_at_once_is_not_worth_a_word() -> None:
    table = TableUnderTest()
    table.give(DeviceSaid("shoe", DeviceState.CONNECTING, "the line broke"))
    table.press(Key.NEW_HAND)
    events = table.wait(1_000)
    events += table.give(DeviceSaid("shoe", DeviceState.OK))
    events += table.wait(5_000)
    assert not table.of(Noticed, events)


def test_a_key_that_was_forgotten_until_the_flop_is_out_is_said_to_be_late() -> None:
    table = TableUnderTest()
    table.start_hand(*HOLE)
    table.press(Key.FOLD, Key.CHECK_CALL)
    table.deal("5h", *FLOP)
    late = table.press(Key.CHECK_CALL)
    assert [said.kind for said in table.of(Noticed, late)] == ["keys_late_flop"]


def test_a_fold_that_is_seen_as_the_question_for_its_key_falls_due_answers_it() -> None:
    table = TableUnderTest()
    table.start_hand(*HOLE)
    table.press(Key.CHECK_CALL, Key.CHECK_CALL)
    table.deal("5h", *FLOP)  # missing keys are asked for two seconds after the flop
    table.wait(800)
    table.see("seat-3-cards")  # a fold is read out of an empty place after 1.2 s: at the same moment
    table.see("board", *FLOP)
    timers = table.node.state.timers
    gone, missing = timers.find(Check.EMPTY_SEAT), timers.find(Check.MISSING_KEYS)
    assert gone is not None
    assert missing is not None
    assert gone.due == missing.due
    timers.stop(Check.MISSING_KEYS)
    timers.start(Check.MISSING_KEYS, missing.due)  # started later, carried out later
    assert not table.of(Asked, table.wait(10_000))
    assert [(act.seat, act.action) for act in table.of(Acted)][-1] == (3, Action.FOLD)


@pytest.mark.parametrize("touched", [False, True])
def test_cards_of_a_shuffle_are_none_of_the_hand_that_is_begun_by_a_person(touched: bool) -> None:
    table = TableUnderTest()
    table.deal("Ah", "Kd", "7c", "2s", "3s")  # the stub is put together
    events = table.give(Touched(Key.NEW_HAND)) if touched else table.press(Key.NEW_HAND)
    assert table.of(HandStarted, events)
    assert not table.of(CardDealt, events)


def test_a_key_that_the_room_does_not_write_yet_is_refused_and_nothing_is_put_aside() -> None:
    table = TableUnderTest()
    table.start_hand(*HOLE)
    write_as(EARLIEST_WRITTEN)
    effects, _ = table.node.step(Touched(Key.CARD, None, Chips(105), id="t1"), table.now)
    assert [(effect.text, effect.refused) for effect in effects if isinstance(effect, Reply)] == [(NOT_YET, True)]
    assert len(effects) == 1


def _press_at(table: TableUnderTest, seq: int, device_ms: int) -> None:
    table.give(FrameCame("keypad", 5, seq, KeyDown(table.now, Key.CHECK_CALL, device_ms)))


def test_a_worn_key_that_comes_through_twice_counts_once() -> None:
    table = TableUnderTest()
    table.start_hand(*HOLE)
    _press_at(table, 2, 7_000)
    _press_at(table, 3, 7_030)  # by the keypad's own clock: no finger is so fast
    assert [act.seat for act in table.of(Acted)] == [1]
    assert [notice.kind for notice in table.of(Noticed)] == ["key_bounced"]


def test_two_presses_that_arrive_together_are_two_where_the_finger_came_twice() -> None:
    table = TableUnderTest()
    table.start_hand(*HOLE)
    _press_at(table, 2, 7_000)
    _press_at(table, 3, 7_400)  # the cable was out: both frames come at once
    assert [act.seat for act in table.of(Acted)] == [1, 2]
    assert not table.of(Noticed)


def test_what_was_said_of_a_key_ends_with_its_hand() -> None:
    table = TableUnderTest(devices=("keypad",))
    table.connect()
    table.press(Key.NEW_HAND, Key.CHECK_CALL, Key.CHECK_CALL, Key.CHECK_CALL, Key.STREET)
    table.press(Key.STREET, blind=True)
    assert [one.kind for one in table.view.notices] == ["street_twice"]
    table.press(Key.FOLD, Key.FOLD)
    assert table.view.notices, "the hand may still be put right"
    table.advance(table.now + 5_000)
    table.press(Key.NEW_HAND)
    assert not table.view.notices
