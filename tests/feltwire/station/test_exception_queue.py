"""The exception queue: what waits, who comes, what ended and by whom; and which tables are heard."""

from __future__ import annotations

import pytest

from feltwire.runtime.broker import topics
from feltwire.runtime.node_io import Arrived, BusDown, Reply
from feltwire.station.station_io import Directed, MachineSeen
from table_core.messages import (
    CellState,
    DeviceFault,
    DeviceReadings,
    HealthColour,
    HealthView,
    ItemKind,
    Key,
    Liveness,
    MachineReadings,
    OpenRuling,
    QueueItem,
    QueueView,
    RoomView,
    Severity,
    TableHealth,
    decode,
    encode,
)
from tests.feltwire.night_room import NightRoom
from tests.feltwire.station.tournament.test_tournament_clock import MINUTE, SECOND, VENUE, ClockRoom

FOUR_LEVELS = [{"no": no, "small_blind": 25 * no, "big_blind": 50 * no, "minutes": 20} for no in (1, 2, 3, 4)]


def queue(room: NightRoom) -> QueueView:
    return decode(room.station.pages["queue"], QueueView)


def item(room: NightRoom, kind: ItemKind) -> QueueItem:
    (found,) = [one for one in queue(room).items if one.kind is kind]
    return found


def items(room: NightRoom, *wanted: ItemKind) -> list[QueueItem]:
    """Those of some kinds, in the order of the queue."""
    return [one for one in queue(room).items if one.kind in wanted]


def kinds(room: NightRoom) -> set[ItemKind]:
    return {one.kind for one in queue(room).items}


def link(room: NightRoom, table: str) -> Liveness:
    cells = decode(room.station.pages["room"], RoomView).cells
    return next(cell.link for cell in cells if cell.table == table)


def press(room: NightRoom, command: str, by: str, **arguments: str) -> Reply:
    done = room.station.give(Directed(f"{command}-{by}-{room.station.now}", command, dict(arguments), by=by))
    room.wait(SECOND)
    return next(effect for effect in done if isinstance(effect, Reply))


@pytest.fixture
def room() -> ClockRoom:
    room = ClockRoom("rpl")
    room.wait(SECOND)
    return room


def test_a_table_is_stale_within_three_seconds_without_a_beat_and_silent_after_ten(room: ClockRoom) -> None:
    assert {link(room, "01"), link(room, "02")} == {Liveness.LIVE}
    room.cut.add("02")
    room.wait(2 * SECOND)
    assert link(room, "02") is Liveness.LIVE
    room.wait(SECOND)
    assert (link(room, "01"), link(room, "02")) == (Liveness.LIVE, Liveness.STALE)
    while link(room, "02") is Liveness.STALE:
        assert ItemKind.SILENT not in kinds(room)
        room.wait(100)
    assert link(room, "02") is Liveness.SILENT
    silent = item(room, ItemKind.SILENT)
    assert (silent.table, silent.severity) == ("02", Severity.NOW)
    room.wait(3 * SECOND)
    room.cut.clear()
    room.wait(2 * SECOND)
    assert link(room, "02") is Liveness.LIVE
    assert ItemKind.SILENT not in kinds(room)
    back = queue(room).decided[0]
    assert (back.fact, back.outcome) == (silent.fact, "Heard again after 0:14")


def test_a_table_that_is_back_within_ten_seconds_is_no_item(room: ClockRoom) -> None:
    room.cut.add("02")
    room.wait(7 * SECOND)
    room.cut.clear()
    room.wait(2 * SECOND)
    assert link(room, "02") is Liveness.LIVE
    assert ItemKind.SILENT not in kinds(room)
    assert not [one for one in queue(room).decided if "silent" in one.fact]


def test_a_table_that_comes_and_goes_is_one_item_as_old_as_the_first_time(room: ClockRoom) -> None:
    for _ in range(3):
        room.cut.add("02")
        room.wait(12 * SECOND)
        silent = item(room, ItemKind.SILENT)
        room.cut.clear()
        room.wait(2 * SECOND)
    assert "3 times" in silent.fact
    assert silent.ms_ago > 30 * SECOND
    assert len([one for one in queue(room).decided if "silent" in one.fact]) == 1


def test_what_somebody_comes_for_stands_behind_what_nobody_does_for_two_minutes(room: ClockRoom) -> None:
    for table in ("01", "02"):
        room.tables[table].press(Key.FLOOR)
        room.wait(SECOND)
    press(room, "take_item", "Ben (floor)", item="floor-01")
    assert [one.table for one in items(room, ItemKind.FLOOR_CALL)] == ["02", "01"]
    room.wait(2 * MINUTE)
    first = queue(room).items[0]
    assert (first.table, first.taken_by, first.severity) == ("01", "Ben (floor)", Severity.STOP)


def test_who_comes_and_how_old_an_item_is_outlast_a_killed_station(room: ClockRoom) -> None:
    room.tables["01"].press(Key.FLOOR)
    room.tables["02"].press(Key.FLOOR)
    room.wait(MINUTE)
    press(room, "take_item", "Ben (floor)", item="floor-01")
    press(room, "done_item", "Mia (director)", item="floor-02")
    room.dead(8 * SECOND)
    room.wait(SECOND)
    (call,) = items(room, ItemKind.FLOOR_CALL)
    assert (call.table, call.taken_by) == ("01", "Ben (floor)")
    assert call.ms_ago > 68 * SECOND
    assert call.taken_ms_ago > 8 * SECOND


def test_done_on_the_wrong_line_can_be_undone(room: ClockRoom) -> None:
    room.tables["01"].press(Key.FLOOR)
    room.wait(MINUTE)
    press(room, "take_item", "Ben (floor)", item="floor-01")
    before = item(room, ItemKind.FLOOR_CALL)
    assert press(room, "done_item", "Mia (director)", item="floor-01").text == "Done, no ruling recorded."
    assert (
        press(room, "done_item", "Ben (floor)", item="floor-01").text == "Mia (director) has said that it is done."
    )
    assert queue(room).decided[0].can_reopen
    assert not press(room, "reopen_item", "Mia (director)", item="floor-01").refused
    after = item(room, ItemKind.FLOOR_CALL)
    assert (after.fact, after.taken_by) == (before.fact, "Ben (floor)")
    assert after.ms_ago > before.ms_ago
    assert before.fact not in {one.fact for one in queue(room).decided}


def test_without_a_broker_one_item_says_so_within_three_seconds(room: ClockRoom) -> None:
    room.station.give(BusDown("broker at hall: no connection"))
    room.station.wait(2 * SECOND)
    assert ItemKind.SILENT not in kinds(room)
    room.station.wait(20 * SECOND)
    (only,) = items(room, ItemKind.SILENT, ItemKind.OTHER, ItemKind.NO_ANSWER)
    assert "No table can be heard" in only.fact
    assert 2 * SECOND < only.ms_ago <= 3 * SECOND, "as it was when pages were told"


def test_a_device_that_the_table_does_not_have_is_no_item(room: ClockRoom) -> None:
    room.station.give(Arrived(topics.table(VENUE, "01", "device/camera"), b'{"state":"off"}'))
    room.wait(SECOND)
    assert ItemKind.DEVICE not in kinds(room)
    room.station.give(Arrived(topics.table(VENUE, "01", "device/camera"), b'{"state":"blocked"}'))
    room.wait(SECOND)
    assert item(room, ItemKind.DEVICE).fact == "The camera of table 01 sees nothing."


def test_a_configured_device_that_was_never_heard_is_an_item_and_one_that_is_not_configured_is_none(
    room: ClockRoom,
) -> None:
    def say(leaf: str, payload: bytes) -> None:
        room.station.give(Arrived(topics.table(VENUE, "01", leaf), payload))
        room.wait(SECOND)

    say("device/shoe", b'{"state":"none"}')
    say("device/keypad", b'{"state":"connecting"}')
    assert ItemKind.DEVICE not in kinds(room), "it may still come"
    say("health", encode(TableHealth(1, MachineReadings(), (DeviceReadings("keypad"),))))
    waits = item(room, ItemKind.DEVICE)
    assert waits.fact == "The keypad of table 01: nothing has come from it since the table was started."
    say("device/keypad", b'{"state":"not_responding"}')
    assert item(room, ItemKind.DEVICE).id == waits.id, "one matter"
    say("device/keypad", b'{"state":"ok"}')
    say("health", encode(TableHealth(1, MachineReadings(), (DeviceReadings("keypad", 100, 1),))))
    assert ItemKind.DEVICE not in kinds(room)


def test_an_idle_table_in_a_long_break_is_live(room: ClockRoom) -> None:
    room.wait(2 * MINUTE)
    assert {link(room, "01"), link(room, "02")} == {Liveness.LIVE}
    assert ItemKind.SILENT not in kinds(room)


def test_where_no_table_is_heard_one_item_says_so_within_three_seconds(room: ClockRoom) -> None:
    room.cut |= {"01", "02"}
    room.wait(3 * SECOND)
    silent = item(room, ItemKind.SILENT)
    assert "No table can be heard. The tables play on" in silent.fact
    room.wait(9 * SECOND)
    assert item(room, ItemKind.SILENT).fact == silent.fact, "the same item, not one for each table"


def test_the_beat_of_another_machine_does_not_count(room: ClockRoom) -> None:
    room.cut.add("02")
    room.wait(12 * SECOND)
    beat = {"epoch": 7, "boot": room.station.boot, "at": room.station.now}
    room.station.give(Arrived(topics.table(VENUE, "02", "beat"), encode(beat)))
    room.wait(SECOND)
    assert link(room, "02") is Liveness.SILENT


def test_everybody_sees_who_comes_and_somebody_else_can_come_instead(room: ClockRoom) -> None:
    room.cut.add("02")
    room.wait(12 * SECOND)
    wanted = item(room, ItemKind.SILENT).id
    assert press(room, "take_item", "Ben (floor)", item=wanted).text == "Ben (floor) comes."
    assert item(room, ItemKind.SILENT).taken_by == "Ben (floor)"
    assert press(room, "take_item", "Ben (floor)", item=wanted).text == "Ben (floor) comes already."
    assert press(room, "leave_item", "Cleo (floor)", item=wanted).refused
    room.wait(2 * MINUTE)
    instead = press(room, "take_item", "Cleo (floor)", item=wanted)
    assert instead.text == "Cleo (floor) comes instead of Ben (floor)."
    assert item(room, ItemKind.SILENT).ms_ago > 2 * MINUTE, "the age is that of the matter"
    assert press(room, "done_item", "Cleo (floor)", item=wanted).refused, "it ends when the table is heard"


def test_of_two_who_press_at_once_one_comes(room: ClockRoom) -> None:
    room.cut.add("02")
    room.wait(12 * SECOND)
    wanted = item(room, ItemKind.SILENT).id
    first, second = (
        room.station.give(Directed(by, "take_item", {"item": wanted}, by=by)) for by in ("Ben", "Cleo")
    )
    (taken,) = [effect for effect in first if isinstance(effect, Reply)]
    (refused,) = [effect for effect in second if isinstance(effect, Reply)]
    assert (taken.refused, refused.refused, refused.text) == (False, True, "Ben comes.")


def test_a_bust_waits_with_its_button_and_the_queue_says_who_confirmed_it(room: ClockRoom) -> None:
    winner, loser, *_ = sorted(room.tables["02"].sits)
    room.all_in("02", winner=winner, loser=loser)
    room.wait(SECOND)
    bust = item(room, ItemKind.BUST)
    assert (bust.table, bust.severity) == ("02", Severity.NOW)
    assert bust.primary is not None
    reply = room.station.give(
        Directed("confirm", bust.primary.command, dict(bust.primary.arguments), by="Mia (director)")
    )
    assert not [one for one in reply if isinstance(one, Reply) and one.refused]
    room.wait(SECOND)
    assert ItemKind.BUST not in kinds(room)
    decided = queue(room).decided[0]
    assert (decided.fact, decided.outcome, decided.by) == (bust.fact, "Decided", "Mia (director)")


def test_an_award_that_is_taken_back_behind_the_confirmation_leaves_the_player_the_chips() -> None:
    room = NightRoom()
    room.run_up(8, rulebook="rpl")
    winner, loser, *_ = sorted(room.tables["02"].sits)
    (name, _), (other, _) = room.tables["02"].sits[loser], room.tables["02"].sits[winner]
    room.tables["02"].press(Key.NEW_HAND)
    room.award("02", winner=winner, loser=loser)
    room.do("confirm_bust", busts=["02-1"])
    room.tables["02"].press(Key.UNDO, str(winner), Key.MUCK)
    room.award("02", winner=loser, loser=winner)
    room.tables["02"].press(Key.NEW_HAND)
    room.deliver()
    assert "can be taken back" in room.press("confirm_bust", busts=["02-1"]).text, "the hand may go on"
    room.tables["02"].press(Key.FOLD)
    room.deliver()
    assert room.tables["02"].sits[loser] == (name, 4_100), "two stacks and the blind of a third player"
    assert room.shown["chips"]["missing"] == 0
    waits = next(one for one in queue(room).items if one.id == f"not-out-{name}")
    assert waits.fact.startswith(f"{name} is out of the event and has ")
    wrong = next(one["no"] for one in room.shown["log"] if one["event"]["type"] == "bust_confirmed")
    room.do("confirm_bust", busts=["02-1"])
    assert room.entrant(other)["place"] == 7, "behind the one who is not out"
    room.do("undo", record=wrong)
    assert room.entrant(other)["place"] == 8, "places follow"
    room.do("undo", record=room.entrant(other)["out_by"])
    room.wait(SECOND)
    assert f"not-out-{name}" not in {one.id for one in queue(room).items}
    room.kill_station()
    assert room.entrant(name)["status"] == "playing"
    assert [out["player"] for bust in room.shown["busts"] for out in bust["out"]] == [other]
    room.do("confirm_bust", busts=["02-1"])
    assert room.entrant(other)["place"] == 8, "the first of eight"
    room.finish("02", winner=3, loser=4)
    stack = dict(room.tables["02"].sits.values())[name]
    room.do("report_bust", table="02", hand=7, out=[{"player": name, "start_stack": stack}])
    room.do("confirm_bust", busts=["02-7"])
    room.wait(SECOND)
    assert f"not-out-{name}" not in {one.id for one in queue(room).items}, "that is another bust"
    assert name not in dict(room.tables["02"].sits.values())


def test_a_table_to_break_waits_with_where_its_players_go() -> None:
    room = NightRoom()
    room.run_up(10, rulebook="rpl")
    winner, loser, *_ = sorted(room.tables["02"].sits)
    room.all_in("02", winner=winner, loser=loser)
    room.do("confirm_bust", busts=["02-1"])
    room.wait(SECOND)
    said = "Everybody draws a new seat at table 01, when no table is in a hand."
    assert item(room, ItemKind.BREAK_TABLE).fact == f"Table 02 breaks: 9 players are left. {said}"


def test_hand_for_hand_one_press_confirms_everybody_who_went_out_in_the_round(room: ClockRoom) -> None:
    room.do("set_hand_for_hand", on=True)
    room.wait(SECOND)
    for table in ("01", "02"):
        winner, loser, *_ = sorted(room.tables[table].sits)
        room.all_in(table, winner=winner, loser=loser)
    room.wait(SECOND)
    first, second = items(room, ItemKind.BUST)
    assert first.primary is not None
    assert first.primary == second.primary
    reply = room.station.give(
        Directed("confirm", first.primary.command, dict(first.primary.arguments), by="Mia (director)")
    )
    assert not [one for one in reply if isinstance(one, Reply) and one.refused]
    room.wait(SECOND)
    assert ItemKind.BUST not in kinds(room)


@pytest.mark.rule("ccp.buyin.3")
def test_a_bust_offers_the_rebuy_as_long_as_the_book_has_it_open_whatever_the_clock_says() -> None:
    room = ClockRoom("ccp", levels=FOUR_LEVELS)
    winner, loser, *_ = sorted(room.tables["02"].sits)
    room.all_in("02", winner=winner, loser=loser)
    room.wait(SECOND)
    offered = {way.label: way for way in item(room, ItemKind.BUST).also}
    assert "2,000 chips" in offered["Rebuy"].confirm
    assert "the first hand of level 4 is dealt (ccp.buyin.3)" in offered["Rebuy"].confirm
    while room.level("01") < 4:
        room.do("next_level")
        room.wait(SECOND)
    assert "Rebuy" in {way.label for way in item(room, ItemKind.BUST).also}, "no hand of level 4 was dealt"
    room.play("01")
    room.wait(SECOND)
    assert "Rebuy" in {way.label for way in item(room, ItemKind.BUST).also}, "the chips were lost before it"
    winner, loser, *_ = sorted(room.tables["01"].sits)
    room.do("confirm_bust", busts=[bust["bust"] for bust in room.shown["busts"]])
    room.all_in("01", winner=winner, loser=loser)
    room.wait(SECOND)
    assert "Rebuy" not in {way.label for way in item(room, ItemKind.BUST).also}, "lost in a hand of level 4"


def test_who_sold_the_rebuy_is_who_decided_the_bust() -> None:
    room = ClockRoom("ccp")
    winner, loser, *_ = sorted(room.tables["02"].sits)
    room.all_in("02", winner=winner, loser=loser)
    room.wait(SECOND)
    rebuy = next(way for way in item(room, ItemKind.BUST).also if way.label == "Rebuy")
    room.station.give(Directed("rebuy", rebuy.command, dict(rebuy.arguments), by="Mia (director)"))
    room.wait(SECOND)
    assert ItemKind.BUST not in kinds(room)
    assert queue(room).decided[0].by == "Mia (director)"


def test_a_count_that_is_asked_for_says_what_the_records_have_and_when_it_was_counted(room: ClockRoom) -> None:
    asked = next(one for one in items(room, ItemKind.COUNT) if one.table == "01")
    assert "the start" in asked.fact
    seat = min(room.tables["01"].sits)
    assert f"seat {seat} {room.tables['01'].sits[seat][1]:,}" in asked.do
    assert asked.do.endswith("not counted yet.")
    assert asked.primary is not None
    assert asked.primary.open == "/station/chips?table=01"


@pytest.mark.rule("ccp.timer.2")
def test_a_hand_that_began_on_the_old_level_after_the_turn_is_said_and_nothing_else_happens() -> None:
    room = ClockRoom("ccp", levels=FOUR_LEVELS)
    room.play("02")
    room.wait(SECOND)
    room.cut.add("02")
    room.do("next_level")
    room.wait(5 * SECOND)
    room.play("02")
    room.cut.clear()
    room.play("01")
    room.wait(2 * SECOND)
    (late,) = items(room, ItemKind.LATE)
    assert (late.table, late.rule, late.severity) == ("02", "ccp.timer.2", Severity.KNOW)
    assert late.fact == "Table 02 played hand 2 at level 1; level 2 was due."
    room.play("02")
    room.wait(2 * SECOND)
    assert [one.id for one in items(room, ItemKind.LATE)] == [late.id], "it stands until somebody has seen it"
    press(room, "done_item", "Mia (director)", item=late.id)
    assert not items(room, ItemKind.LATE)


def test_a_hand_over_the_turn_is_on_its_own_level_and_said_only_when_it_lasts() -> None:
    room = ClockRoom("ccp", levels=FOUR_LEVELS)
    room.begin_hand("01")
    room.wait(SECOND)
    room.do("next_level")
    room.wait(MINUTE)
    assert not items(room, ItemKind.LATE)
    room.wait(5 * MINUTE)
    assert item(room, ItemKind.LATE).fact == "Table 01 still plays hand 1 of level 1; level 2 was due."


def test_an_open_ruling_says_who_decides_it_and_that_the_table_closed_it(room: ClockRoom) -> None:
    ruling = {"question": 7, "incident": "string_bet", "text": "Seat 3: string bet?"}
    ruling |= {"seat": 3, "options": [], "by": "director"}
    for as_of, opened in ((900, ruling), (901, None)):
        said = encode({"epoch": 1, "as_of": as_of, "ruling": opened})
        decode(said, OpenRuling)
        room.station.give(Arrived(topics.table(VENUE, "01", "ruling"), said))
        room.wait(SECOND)
        if opened:
            assert item(room, ItemKind.RULING).decides == "director"
    assert (queue(room).decided[0].outcome, queue(room).decided[0].by) == ("Closed", "table 01")


def test_the_worst_comes_first_and_then_the_oldest(room: ClockRoom) -> None:
    winner, loser, *_ = sorted(room.tables["01"].sits)
    room.all_in("01", winner=winner, loser=loser)
    room.wait(SECOND)
    room.cut.add("02")
    room.wait(12 * SECOND)
    shown = queue(room).items
    assert shown[0].kind is ItemKind.SILENT
    order = [list(Severity).index(one.severity) for one in shown]
    assert order == sorted(order)


def test_a_cell_says_what_the_table_does(room: ClockRoom) -> None:
    cell = next(one for one in decode(room.station.pages["room"], RoomView).cells if one.table == "01")
    assert cell.state in (CellState.BETWEEN_HANDS, CellState.PLAYING, CellState.HELD)
    assert set(cell.seats) == set(room.tables["01"].sits)
    assert cell.chips_agree in (None, True)


def health(epoch: int, *devices: DeviceReadings, celsius: int = 50) -> Arrived:
    said = TableHealth(epoch, MachineReadings(celsius=celsius, throttled=0), devices)
    return Arrived(topics.table(VENUE, "01", "health"), encode(said))


def test_a_device_that_fails_is_an_item_until_it_is_well_again(room: ClockRoom) -> None:
    covered = DeviceReadings("shoe", 900, passages=40, unread=0, faults=(DeviceFault.BEAM_1_COVERED,))
    room.station.give(health(1, covered))
    room.wait(SECOND)
    found = item(room, ItemKind.DEVICE)
    assert (found.fact, found.do) == (
        "The shoe of table 01: its inner beam is covered.",
        "Clean it, take the card away.",
    )
    shown = decode(room.station.pages["health/01"], HealthView)
    assert {fact.colour for fact in shown.facts if fact.device == "machine"} == {HealthColour.GREEN}
    room.station.give(health(1, DeviceReadings("shoe", 900, passages=40, unread=0), celsius=84))
    room.wait(SECOND)
    assert item(room, ItemKind.DEVICE).fact == "The machine of table 01: it is at 84 degrees."
    room.station.give(health(1, DeviceReadings("shoe", 900, passages=40, unread=0)))
    room.wait(SECOND)
    assert ItemKind.DEVICE not in kinds(room)


def test_the_stations_own_machine_is_an_item_while_it_fails(room: ClockRoom) -> None:
    room.station.give(MachineSeen(MachineReadings(celsius=50, throttled=0x1, disk_free_mb=30)))
    room.wait(SECOND)
    said = [one.fact for one in items(room, ItemKind.OTHER)]
    assert len(said) == 2
    assert said[0].startswith("The station's machine: its voltage is too low: it may stop at any time.")
    assert said[1].startswith("The station's machine: its disk has 30 MB free. Make room on it")
    room.station.give(MachineSeen(MachineReadings(celsius=50, throttled=0x10000, disk_free_mb=3_000)))
    room.wait(SECOND)
    assert not items(room, ItemKind.OTHER)


def test_the_health_of_a_machine_that_was_replaced_is_not_taken(room: ClockRoom) -> None:
    room.station.give(health(0, celsius=90))
    room.wait(SECOND)
    assert ItemKind.DEVICE not in kinds(room)
