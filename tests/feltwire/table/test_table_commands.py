"""A command of the director is carried out at the table that the director saw, in time, once, or refused with a
reason."""

from __future__ import annotations

import pytest

from feltwire.runtime.node_io import BusUp
from feltwire.table.table_io import BeatCame, CommandCame, DeviceSaid
from table_core.messages import (
    Acted,
    Answered,
    AnyTableCommand,
    AskCount,
    Beat,
    Chips,
    DeviceState,
    Expiry,
    HandKilled,
    Key,
    Level,
    LevelBegan,
    MakeRuling,
    Millis,
    Noticed,
    Refused,
    Rewound,
    Ruled,
    Seat,
    SeatsSet,
    SeatStack,
    SetLevel,
    SetSchedule,
    SetSeats,
    TakeBackRuling,
    encode,
)
from tests.table_under_test import TableUnderTest

SEATS = (SeatStack(Seat(1), Chips(5_000)), SeatStack(Seat(2), Chips(5_000)))
KILLS_SEAT_2 = {"incident": "forward_discard", "option": "dead", "seat": Seat(2)}


def commanded(table: TableUnderTest, command: AnyTableCommand) -> list:  # type: ignore[type-arg]
    return table.give(CommandCame(encode(command)))


def seen(table: TableUnderTest) -> dict[str, int]:
    return {"if_epoch": table.view.epoch, "if_seq": table.view.as_of}


def playing() -> TableUnderTest:
    table = TableUnderTest()
    table.start_hand("Ah", "Kd", "7c", "As", "Kc", "2d")
    return table


def test_a_ruling_on_the_table_as_it_was_seen_is_carried_out() -> None:
    table = playing()
    assert table.of(HandKilled, commanded(table, MakeRuling("t-1", **KILLS_SEAT_2, **seen(table))))


def test_who_saw_the_last_action_saw_everything() -> None:
    table = playing()
    table.press(Key.FOLD)
    last = table.envelopes[-1]
    assert isinstance(last.data, Acted)
    command = MakeRuling("t-1", **KILLS_SEAT_2, if_epoch=last.epoch, if_seq=last.seq)
    assert table.of(HandKilled, commanded(table, command))


def test_a_ruling_on_a_hand_that_went_on_is_refused_once_and_says_what_happened() -> None:
    table = playing()
    as_seen = seen(table)
    table.press(Key.FOLD)
    command = MakeRuling("t-1", **KILLS_SEAT_2, **as_seen)
    (refused,) = table.of(Refused, commanded(table, command))
    assert "Seat 1: fold" in refused.reason
    assert refused.cause == "t-1"
    assert not table.of(HandKilled)
    assert commanded(table, command) == [], "said again it is not carried out either"


def test_seats_decided_before_the_last_hand_are_refused() -> None:
    table = TableUnderTest()
    as_seen = seen(table)
    table.press(Key.NEW_HAND)
    assert table.of(Refused, commanded(table, SetSeats("t-1", SEATS, **as_seen)))
    assert len(table.of(SeatsSet)) == 1, "the seats of the start"


def test_what_a_device_says_meanwhile_makes_no_decision_stale() -> None:
    table = playing()
    as_seen = seen(table)
    table.give(DeviceSaid("camera", DeviceState.BLOCKED))
    assert table.view.as_of > as_seen["if_seq"]
    assert table.of(HandKilled, commanded(table, MakeRuling("t-1", **KILLS_SEAT_2, **as_seen)))


def test_a_table_that_was_restarted_still_knows_what_was_played() -> None:
    table = playing()
    as_seen = seen(table)
    table.press(Key.FOLD)
    again = TableUnderTest()
    again.node.recover([(envelope, f"{n:064x}") for n, envelope in enumerate(table.envelopes)], lambda _: None)
    assert again.of(Refused, commanded(again, MakeRuling("t-1", **KILLS_SEAT_2, **as_seen)))


# ----------------------------------------------------------------------------------------------- too late


def beat(table: TableUnderTest, at: int, boot: str = "station") -> None:
    table.give(BeatCame(Beat(boot, Millis(at))))


def expiring(at: int, boot: str = "station") -> SetSeats:
    return SetSeats("t-1", SEATS, expires=Expiry(boot, Millis(at)))


def test_the_stations_time_is_told_from_its_beats_whatever_the_tables_own_clock_says() -> None:
    table = TableUnderTest()
    beat(table, 50_000_000)
    table.wait(59_000)
    assert table.of(SeatsSet, commanded(table, expiring(50_060_000)))


def test_no_hand_is_numbered_below_one() -> None:
    table = TableUnderTest()
    (refused,) = table.of(Refused, commanded(table, SetSeats("t-0", SEATS, hand=0)))
    assert refused.reason == "The next hand's number is 1 at least"
    assert table.view.hand == 0


def test_a_command_that_comes_too_late_is_refused() -> None:
    table = TableUnderTest()
    beat(table, 50_000_000)
    table.wait(61_000)
    (refused,) = table.of(Refused, commanded(table, expiring(50_060_000)))
    assert "too late" in refused.reason


def test_a_beat_that_was_held_up_makes_nothing_late() -> None:
    """It arrives two seconds old; the one before was quick."""
    table = TableUnderTest()
    beat(table, 50_000_000)
    table.wait(3_000)
    beat(table, 50_001_000)
    assert table.of(SeatsSet, commanded(table, expiring(50_003_500)))


def test_a_command_from_before_the_stations_last_reboot_is_too_late() -> None:
    table = TableUnderTest()
    beat(table, 5_000, boot="after")
    assert table.of(Refused, commanded(table, expiring(90_000_000, boot="before")))


def test_before_the_first_beat_nobody_can_tell_and_the_command_is_taken_when_it_is_said_again() -> None:
    table = TableUnderTest()
    assert commanded(table, expiring(50_060_000)) == []
    beat(table, 50_000_000)
    assert table.of(SeatsSet, commanded(table, expiring(50_060_000)))


LEVELS = tuple(Level(number, Chips(100 * number), Chips(200 * number)) for number in (1, 2, 3))


def test_a_level_of_the_tables_schedule_is_taken_however_the_play_has_gone_on() -> None:
    table = playing()
    commanded(table, SetSchedule("t-1", 2, LEVELS))
    table.press(Key.FOLD)
    (began,) = table.of(LevelBegan, commanded(table, SetLevel("t-2", LEVELS[1], 2)))
    assert began.level == LEVELS[1]
    assert table.view.next_hand_level == LEVELS[1]


def test_a_level_of_an_older_schedule_is_refused_and_changes_nothing() -> None:
    """It was under way when the schedule was changed."""
    table = playing()
    commanded(table, SetSchedule("t-1", 2, LEVELS))
    commanded(table, SetLevel("t-2", LEVELS[1], 2))
    (refused,) = commanded(table, SetLevel("t-3", LEVELS[0], 1))
    assert isinstance(refused, Refused)
    assert "older schedule" in refused.reason
    assert refused.cause == "t-3"
    assert table.view.next_hand_level == LEVELS[1]


def test_a_level_whose_schedule_is_not_here_yet_is_taken_when_it_is_said_again() -> None:
    table = playing()
    assert commanded(table, SetLevel("t-2", LEVELS[2], 1)) == []
    commanded(table, SetSchedule("t-1", 1, LEVELS))
    assert table.of(LevelBegan, commanded(table, SetLevel("t-2", LEVELS[2], 1)))


def test_a_machine_that_starts_again_knows_which_schedule_it_has() -> None:
    table = playing()
    commanded(table, SetSchedule("t-1", 2, LEVELS))
    again = TableUnderTest()
    again.node.recover([(envelope, f"{n:064x}") for n, envelope in enumerate(table.envelopes)], lambda _: None)
    assert again.of(Refused, commanded(again, SetLevel("t-3", LEVELS[0], 1)))


# ------------------------------------------------------------------------------- the director's rulings


def test_the_director_takes_back_the_directors_ruling_which_the_table_cannot() -> None:
    table = playing()
    before = [(seat.in_hand, seat.stack, seat.bet) for seat in table.view.seats]
    commanded(table, MakeRuling("t-1", **KILLS_SEAT_2, ruler="Ann"))
    table.press(Key.UNDO)
    assert "only the director" in table.of(Refused)[-1].reason
    events = commanded(table, TakeBackRuling("t-2", "Ann"))
    assert table.of(Rewound, events)
    assert [(seat.in_hand, seat.stack, seat.bet) for seat in table.view.seats] == before


def test_what_was_played_after_a_ruling_is_taken_back_at_the_table_first() -> None:
    table = playing()
    commanded(table, MakeRuling("t-1", **KILLS_SEAT_2))
    table.press(Key.FOLD)
    (refused,) = table.of(Refused, commanded(table, TakeBackRuling("t-2")))
    assert refused.reason.endswith("take that back at the table first")
    table.press(Key.UNDO)
    assert table.of(Rewound, commanded(table, TakeBackRuling("t-3")))


def test_without_a_ruling_of_the_director_there_is_nothing_to_take_back() -> None:
    table = playing()
    table.press(Key.FOLD)
    assert "ruled on nothing" in table.of(Refused, commanded(table, TakeBackRuling("t-1")))[0].reason
    assert table.of(Acted), "the fold stands"


@pytest.mark.parametrize("ask", [True, False])
def test_the_director_dismisses_an_incident_and_nothing_of_it_is_public(ask: bool) -> None:
    table = playing()
    table.press("600", Key.BET_RAISE)
    if ask:
        commanded(table, MakeRuling("t-1", "string_bet", seat=Seat(1)))
        assert table.view.question is not None
    events = commanded(table, MakeRuling("t-2", "string_bet", "dismiss", Seat(1)))
    assert events, "every command is answered"
    assert bool(table.of(Answered, events)) is ask
    assert table.view.question is None
    assert not table.of(Ruled)
    assert not [raw for raw in table.published if b"string" in raw.lower()]


def test_the_dealer_is_asked_for_a_count_in_the_hand_too_and_the_count_answers() -> None:
    table = TableUnderTest()
    (asked,) = table.command(AskCount("c-1", Seat(2)))
    assert isinstance(asked, Noticed)
    assert (asked.kind, asked.seat) == ("count_asked", 2)
    assert asked.text == "The director asks for a count: 2, SEAT, amount, COUNT"
    table.press("2", Key.SEAT, "9500", Key.COUNT)
    assert table.stacks()[1] == 9_500
    table.start_hand("Ah", "Kd", "7c", "As", "Kc", "2d")
    (asked,) = table.command(AskCount("c-2", Seat(3)))
    assert isinstance(asked, Noticed)
    assert "when this hand is over" in asked.text
    (refused,) = table.command(AskCount("c-3", Seat(9)))
    assert isinstance(refused, Refused)


# -------------------------------------------------------------------------------- the station is silent


def test_the_networks_lamp_is_lit_only_while_the_station_is_heard() -> None:
    """A broker that answers nobody breaks no connection for a while. Nothing of it is recorded."""
    table = TableUnderTest()
    table.give(BusUp())
    assert table.shown.devices["bus"] is DeviceState.NOT_RESPONDING
    beat(table, 50_000)
    recorded = len(table.envelopes)
    table.wait(2_000)
    assert table.shown.devices["bus"] is DeviceState.OK
    table.wait(700)
    assert table.shown.devices["bus"] is DeviceState.NOT_RESPONDING
    beat(table, 50_010)  # which was long on its way
    assert table.shown.devices["bus"] is DeviceState.NOT_RESPONDING
    beat(table, 53_000)
    assert table.shown.devices["bus"] is DeviceState.OK
    assert len(table.envelopes) == recorded
    assert table.view.devices["bus"] is DeviceState.OK  # what is published is of the connection
