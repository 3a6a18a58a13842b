"""What the station does with what tables and the director say; no disk, no network, no waiting."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest

from feltwire.config import StationConfig
from feltwire.lab.station.memory import MemoryLedger, of
from feltwire.ledger.chain import hash_of
from feltwire.runtime.broker import topics
from feltwire.runtime.node_io import Arrived, BusDown, Publish, Reply, Show
from feltwire.station.director.director import RULING_LIFE_MS
from feltwire.station.room_screen import ROOM_MS
from feltwire.station.station_io import (
    CommitEvent,
    Directed,
    DiskWasSlow,
    Effect,
    NotRecorded,
    SaveClock,
    SaveCommand,
)
from feltwire.station.tables.cells import STALE_MS
from table_core.messages import (
    Ack,
    Beat,
    Chips,
    ClockState,
    Counted,
    Expiry,
    FollowClock,
    Grant,
    HandStarted,
    ItemKind,
    LevelBegan,
    Liveness,
    MakeRuling,
    Millis,
    OpenRuling,
    OptionView,
    QueueView,
    Refused,
    Resend,
    Ruled,
    RulingsView,
    RulingView,
    ScheduleSet,
    Seat,
    SetHand,
    SetLevel,
    SetSchedule,
    SetSeats,
    Source,
    TableBeat,
    TableRuling,
    TableView,
    TakeBackRuling,
    decode,
    decode_envelope,
    encode,
)
from table_core.rulebook import load_rulebook
from tests.feltwire.station_room import (
    LEVELS,
    MINUTE,
    VENUE,
    FakeTable,
    Station,
    acks,
    commands,
    config,
    level,
    notices,
    said,
    seated,
    sent,
)


def resends(effects: list[Effect], table: FakeTable) -> list[tuple[int, int]]:
    return [(c.epoch, c.from_seq) for c in commands(effects, table) if isinstance(c, Resend)]


# ------------------------------------------------------------------------------------------ collecting


def test_an_event_is_acknowledged_only_behind_its_commit() -> None:
    station, table = Station().up(), FakeTable()
    done = station.hear(table, *table.write(seated(100, 100)))
    kinds = [type(effect) for effect in done if isinstance(effect, (CommitEvent, Publish))]
    assert kinds.index(CommitEvent) < kinds.index(Publish)
    assert acks(done, table) == [Ack(1, 1)]


def test_an_event_that_waits_for_its_commit_is_not_missing_until_the_disk_refuses_it() -> None:
    station, table = Station().up(), FakeTable()
    raws = table.write(*notices(3))
    station.hear(table, raws[0])
    now = station.now

    def given(one: Any) -> list[Effect]:
        """The effects of one input; nothing is carried out, so nothing is committed."""
        return list(station.node.step(one, now)[0])

    for raw in raws[1:]:
        assert of(given(Arrived(table.topic("event"), raw)), CommitEvent)
    assert resends(given(table.state(3)), table) == []
    assert resends(given(NotRecorded("the disk is full")), table) == [(1, 2)]


def test_a_duplicate_is_acknowledged_again_for_the_first_answer_may_be_lost() -> None:
    station, table = Station().up(), FakeTable()
    raws = table.write(*notices(3))
    station.hear(table, *raws)
    assert acks(station.hear(table, raws[0]), table) == [Ack(1, 3)]
    assert station.ledger.rows["01"] == raws


def test_a_gap_is_asked_for_at_once_and_again_ever_later_until_it_is_filled() -> None:
    station, table = Station().up(), FakeTable()
    raws = table.write(*notices(5))
    station.hear(table, raws[0])
    done = station.hear(table, raws[3])
    assert resends(done, table) == [(1, 2)]
    assert acks(done, table) == []
    assert resends(station.hear(table, raws[4]), table) == []
    again = station.wait(8_000)
    assert resends(again, table) == [(1, 2)] * 3
    station.hear(table, *raws[1:])
    assert station.ledger.rows["01"] == raws
    assert resends(station.wait(60_000), table) == []


def test_the_epochs_before_are_missing_while_events_of_the_present_one_wait_for_the_disk() -> None:
    """A station with an empty disk: a table's outbox begins with its present epoch, and comes again and again."""
    station, table = Station().up(), FakeTable()
    table.write(*notices(3))
    table.head = table.head.in_epoch(2)
    link = station.node._tables._links["01"]
    for raw in table.write(*notices(2)):
        link.offer(decode_envelope(raw), hash_of(raw))
    assert link.misses_events
    assert list(link.missing()) == [(1, 1)]


def test_a_gap_that_stays_is_shown_to_the_director() -> None:
    station, table = Station().up(), FakeTable()
    raws = table.write(*notices(5))
    station.hear(table, raws[4])
    station.wait(10_000)
    assert "Table 01: some of its records are missing here; the station asks for them." in station.alerts
    station.hear(table, *raws)
    assert station.alerts == ()


def test_while_what_is_missing_flows_in_it_is_not_asked_for_again() -> None:
    station, table = Station().up(), FakeTable()
    raws = table.write(*notices(30))
    station.hear(table, raws[29])
    for raw in raws[:29]:
        station.wait(900)
        assert resends(station.hear(table, raw), table) == []


@pytest.mark.parametrize("seed", range(5))
def test_any_order_loss_and_repetition_ends_with_every_event_once(seed: int) -> None:
    chance = random.Random(seed)
    station, table = Station().up(), FakeTable()
    table.write(seated(100, 100), *notices(40))
    station.give(table.birth())
    on_the_way = list(table.rows)
    for _ in range(2_000):
        if station.ledger.rows.get("01") == table.rows:
            break
        done = station.hear(table, chance.choice(on_the_way)) if chance.random() < 0.7 else station.wait(1_000)
        for _, from_seq in resends(done, table):
            on_the_way = table.rows[from_seq - 1 : from_seq + chance.randint(0, 8)] or on_the_way
    assert station.ledger.rows["01"] == table.rows


def test_a_birth_that_is_ahead_is_asked_for_what_is_missing() -> None:
    station, table = Station().up(), FakeTable()
    raws = table.write(*notices(7))
    station.hear(table, *raws[:4])
    assert resends(station.give(table.birth()), table) == [(1, 5)]


def test_a_retained_state_that_is_ahead_is_asked_for_too() -> None:
    station, table = Station().up(), FakeTable()
    done = station.give(table.state(3)) + station.wait(1_000)
    assert resends(done, table) == [(1, 1)]


def test_the_rest_of_an_epoch_comes_before_the_next_one() -> None:
    station, table = Station().up(), FakeTable()
    first = table.write(*notices(4))
    station.hear(table, *first[:2])
    table.head = table.head.in_epoch(2)
    second = table.write(*notices(2))
    station.give(table.birth())
    assert resends(station.hear(table, second[0]) + station.wait(2_000), table)[0] == (1, 3)
    station.hear(table, *first[2:], *second)
    assert station.ledger.rows["01"] == first + second


def test_a_lower_epoch_is_fenced_where_the_director_sees_it() -> None:
    table, old = FakeTable(ledger="3333"), FakeTable()
    table.head = table.head.in_epoch(3)
    station = Station(leaseholders={"01": table.leaseholder}).up()
    station.hear(table, *table.write(*notices(2)))
    done = station.hear(old, *old.write(*notices(1)))
    assert acks(done, old) == []
    assert len(station.ledger.rows["01"]) == 2
    (alert,) = station.alerts
    assert alert.startswith("An old machine of table 01 still sends")
    assert said(done).count("fenced") == 1
    station.hear(table, *table.write(*notices(1)))
    assert station.alerts == ()


def test_a_changed_event_is_not_taken_and_shown() -> None:
    station, table, other = Station().up(), FakeTable(), FakeTable()
    station.hear(table, *table.write(*notices(2)))
    other.write(*notices(1), seated(9, 9))
    done = station.hear(table, other.rows[1])
    assert acks(done, table) == []
    assert any("verify" in alert for alert in station.alerts)
    assert station.ledger.rows["01"] == table.rows


def test_a_table_cannot_speak_on_another_tables_topic() -> None:
    station, table = Station().up(), FakeTable("02")
    station.give(Arrived(topics.table(VENUE, "01", "event"), table.write(*notices(1))[0]))
    assert station.ledger.rows == {}
    assert any("came in the name of table 01" in alert for alert in station.alerts)


def test_what_cannot_be_read_is_named_and_the_room_goes_on() -> None:
    station, table = Station().up(), FakeTable()
    done = station.give(Arrived(table.topic("event"), b'{"v":1'))
    done += station.give(Arrived(table.topic("status"), b"\xff"))
    assert "Table 01 sent a event that cannot be read" in said(done)
    assert acks(station.hear(table, *table.write(*notices(1))), table) == [Ack(1, 1)]


def test_a_table_that_is_not_in_the_tournament_is_shown_once() -> None:
    station, stranger = Station().up(), FakeTable("99")
    done = station.hear(stranger, *stranger.write(*notices(3)))
    assert said(done) == "Table 99 is on the network but not in this tournament's tables."
    assert stranger.table not in station.ledger.rows


def test_a_full_disk_acknowledges_nothing_and_says_so() -> None:
    station = Station().up()
    done = station.give(NotRecorded("station.ledger: the disk is full and nothing was written"))
    assert "Nothing can be recorded" in said(done)
    assert any("the disk is full" in alert for alert in station.alerts)


def test_a_slow_disk_is_said_for_a_minute() -> None:
    station = Station().up()
    assert "The station's disk took 4 s to record" in said(station.give(DiskWasSlow(4.2)))
    station.wait(59_000)
    assert any("The station's disk took 4 s" in alert for alert in station.alerts)
    station.wait(3_000)
    assert not any("disk" in alert for alert in station.alerts)


def test_an_event_that_cannot_be_folded_is_still_collected_and_acknowledged() -> None:
    station, table = Station().up(), FakeTable()
    station.hear(table, *table.write(seated(100, 100)))
    done = station.hear(table, *table.write(Counted(Seat(9), Chips(5), Chips(1))))
    done += station.hear(table, *table.write(*notices(1)))
    assert acks(done, table) == [Ack(1, 2), Ack(1, 3)]
    assert any("Table 01: what it reported cannot be read, or does not fit" in alert for alert in station.alerts)


# ------------------------------------------------------------------------------------- killed, network


def test_a_killed_station_has_every_event_that_it_acknowledged_and_the_same_view() -> None:
    station, table = Station().up(), FakeTable()
    station.hear(table, *table.write(seated(300, 100), *notices(3)))
    again = station.killed().up()
    assert (again.room.cells[0].as_of, again.room.cells[0].seats) == (4, station.room.cells[0].seats)


def test_back_on_the_network_it_acknowledges_again_and_asks_for_what_came_meanwhile() -> None:
    station, table = Station().up(), FakeTable()
    station.hear(table, *table.write(*notices(3)))
    station.give(BusDown("gone"))
    assert of(station.wait(5_000), Publish) == []
    station.effects.clear()
    done = station.up().effects
    assert acks(done, table) == [Ack(1, 3)]
    assert resends(done, table) == [(1, 4)]


def test_a_broker_that_is_down_at_the_start_is_waited_for_visibly() -> None:
    station = Station()
    assert station.alerts == ()
    done = station.give(BusDown("broker 10.0.0.2:1883: connection refused; waiting for it"))
    assert "connection refused" in said(done)
    station.wait(3_000)
    assert [one.kind for one in station.queue.items] == [ItemKind.SILENT], "without its address"
    assert station.clock.running
    station.up()
    assert station.alerts == ()


def test_an_answered_beat_and_the_will_decide_who_is_online() -> None:
    station, table = Station().up(), FakeTable()
    assert station.room.cells[0].link is Liveness.STALE
    station.give(table.birth())  # which may have waited for long, where a cable was out
    assert station.room.cells[0].link is Liveness.STALE
    station.give(Arrived(table.topic("beat"), encode(TableBeat(table.head.epoch, "b1", station.now))))
    station.wait(200)
    assert station.room.cells[0].link is Liveness.LIVE
    station.give(table.status(online=False))
    assert station.room.cells[0].link is Liveness.STALE


def test_a_device_that_fails_is_an_item_of_the_queue() -> None:
    station, table = Station().up(), FakeTable()
    station.hear(table, *table.write(seated(1, 1)))
    health = msgspec.json.encode({"state": "not_responding", "detail": "no bytes"})
    station.give(Arrived(table.topic("device/shoe"), health))
    station.wait(200)
    (item,) = [one for one in decode(station.pages["queue"], QueueView).items if one.kind is ItemKind.DEVICE]
    assert (item.table, "shoe" in item.fact) == ("01", True)


# ------------------------------------------------------------------------------------ clock and tables


def online(station: Station) -> tuple[FakeTable, list[Effect]]:
    table = FakeTable()
    station.up()
    return table, station.hear(table, *table.write(seated(100, 100)))


def scheduled(station: Station) -> tuple[FakeTable, list[Effect]]:
    """An online table that has the station's schedule."""
    table = FakeTable()
    station.up()
    return table, station.hear(table, *table.write(seated(100, 100), ScheduleSet(1, LEVELS)))


def test_a_table_is_told_schedule_and_level_until_its_event_cites_the_command() -> None:
    station = Station()
    table, done = online(station)
    (schedule,) = commands(done, table)
    assert isinstance(schedule, SetSchedule)
    assert (schedule.revision, schedule.levels) == (1, LEVELS)
    assert commands(station.wait(1_000), table) == [schedule], "a level comes when its schedule is there"
    done = station.hear(table, *table.write(ScheduleSet(1, LEVELS), cause=f"command/{schedule.id}"))
    first, clock = commands(done, table)
    assert isinstance(first, SetLevel)
    assert (first.level, first.revision) == (LEVELS[0], 1)
    assert isinstance(clock, FollowClock), "its screen shows what is left of the level, without a tournament too"
    assert commands(station.wait(1_000), table) == [first, clock]
    station.hear(table, *table.write(LevelBegan(LEVELS[0]), cause=f"command/{first.id}"))
    station.hear(table, *table.obey(clock))
    assert commands(station.wait(60_000), table) == []


def test_a_table_that_already_is_as_it_should_be_need_not_answer() -> None:
    station, table = Station().up(), FakeTable()
    done = station.hear(table, *table.write(ScheduleSet(1, LEVELS), LevelBegan(LEVELS[0])))
    *others, clock = commands(done, table)
    assert len(others) <= 2
    station.hear(table, *table.obey(clock))
    assert commands(station.wait(60_000), table) == []


def test_a_table_that_had_the_level_once_and_has_another_one_since_is_told() -> None:
    """What a station with an empty disk collects of a table ends later than where the level was right."""
    station, table = Station().up(), FakeTable()
    station.hear(table, *table.write(ScheduleSet(1, LEVELS), LevelBegan(LEVELS[0])))
    done = station.hear(table, *table.write(LevelBegan(LEVELS[1])))
    (told,) = commands(done, table)
    assert isinstance(told, SetLevel)
    assert told.level == LEVELS[0]


def test_the_next_level_is_told_when_it_is_announced_and_a_superseded_one_never_again() -> None:
    station = Station()
    table, _ = scheduled(station)
    done = station.wait(21 * MINUTE)
    assert station.clock.level == LEVELS[1]
    levels = [c.level.no for c in commands(done, table) if isinstance(c, SetLevel)]
    assert levels == sorted(levels)
    assert levels[-1] == 2


def test_in_a_break_tables_are_told_no_level() -> None:
    station = Station()
    table, _ = scheduled(station)
    done = station.wait(39 * MINUTE)
    last = [c for c in commands(done, table) if isinstance(c, SetLevel)][-1]
    station.hear(table, *table.write(LevelBegan(last.level), cause=last.id))
    during = station.wait(5 * MINUTE)
    assert station.clock.level.is_break
    assert [c for c in commands(during, table) if isinstance(c, SetLevel)] == []


def test_a_refusal_that_cites_the_command_answers_it_and_is_shown() -> None:
    station = Station()
    table, done = scheduled(station)
    (first,) = [command for command in commands(done, table) if isinstance(command, SetLevel)]
    station.hear(table, *table.write(Refused("A hand is on.", "", cause=first.id)))
    assert any("refused: A hand is on." in alert for alert in station.alerts)
    assert first not in commands(station.wait(30_000), table)


def test_an_offline_table_is_told_when_it_is_back() -> None:
    station = Station()
    table, _ = online(station)
    station.give(table.status(online=False))
    assert commands(station.wait(30_000), table) == []
    assert [type(c) for c in commands(station.give(table.birth()), table)] == [Grant, SetSchedule]


def test_it_beats_once_a_second_and_publishes_the_clock_every_ten() -> None:
    station = Station().up()
    done = station.wait(30_000)
    beats = [p for p in of(done, Publish) if p.topic == topics.tournament(VENUE, "beat")]
    clocks = [p for p in of(done, Publish) if p.topic == topics.tournament(VENUE, "clock")]
    assert (len(beats), {p.retain for p in beats}) == (30, {False})
    assert (len(clocks), {p.retain for p in clocks}) == (3, {True})
    held = msgspec.json.decode(clocks[-2].payload, type=ClockState)  # until the one of this moment is sent
    assert msgspec.json.decode(beats[-1].payload, type=Beat) == Beat("b1", station.now, clock=held.at)


def test_the_clock_is_on_the_disk_before_anyone_sees_it() -> None:
    station = Station().up()
    station.wait(5_000)
    done = station.give(None) + station.wait(MINUTE)
    order = [
        "save" if isinstance(e, SaveClock) else "show"
        for e in done
        if isinstance(e, SaveClock) or (isinstance(e, Show) and e.channel == "clock")
    ]
    assert order == ["save", "show"] * (len(order) // 2)


def test_players_left_and_average_stack_come_from_the_tables() -> None:
    station, one, two = Station(config(entrants=5)).up(), FakeTable("01"), FakeTable("02")
    station.hear(one, *one.write(seated(300, 100, 0)))
    station.hear(two, *two.write(seated(500, 100)))
    station.wait(100)
    clock = station.clock
    assert (clock.players_left, clock.entrants, clock.average_stack) == (4, 5, 250)


def test_the_table_page_gets_the_newest_event_at_once_or_a_tenth_of_a_second_after_the_last() -> None:
    station, table = Station().up(), FakeTable()
    station.wait(1_500)  # half a second behind a beat
    first, *more = table.write(seated(1, 2), *notices(2))

    def shown(done: list[Effect]) -> list[str]:
        return [show.event_id for show in of(done, Show) if show.channel == "table/01"]

    assert shown(station.hear(table, first)) == ["1.1"]
    assert shown(station.hear(table, *more)) == []
    done = station.wait(ROOM_MS)
    assert shown(done) == ["1.3"]
    (newest,) = [show.snapshot for show in of(done, Show) if show.channel == "table/01"]
    assert msgspec.json.decode(newest, type=TableView).as_of == 3


# ------------------------------------------------------------------------------------------ the director


def test_pause_and_resume() -> None:
    station = Station().up()
    station.wait(5 * MINUTE)
    assert station.press("pause", "a").text == "The clock is stopped."
    station.wait(30 * MINUTE)
    assert (station.clock.running, station.clock.left_ms) == (False, 15 * MINUTE)
    station.press("resume", "b")
    assert (station.clock.running, station.clock.left_ms) == (True, 15 * MINUTE)


def test_one_press_counts_once_however_often_it_comes() -> None:
    station = Station().up()
    first = station.press("next_level", "same")
    assert station.press("next_level", "same") == first
    assert station.clock.level.no == 2


def test_the_answer_comes_when_it_is_recorded() -> None:
    station = Station().up()
    station.wait(1_000)
    done = station.give(Directed("x", "next_level"))
    kinds = [type(effect) for effect in done]
    assert kinds.index(SaveClock) < kinds.index(Reply)


def test_reselecting_the_current_level_says_so_and_does_not_reset_it() -> None:
    station = Station().up()
    station.wait(7 * MINUTE)
    assert station.press("select_level", level=1).text == "Level 1 is on already; its time runs on."
    station.wait(MINUTE)
    assert station.clock.left_ms == 12 * MINUTE


def test_a_break_is_selected_by_its_entry() -> None:
    station = Station().up()
    assert station.press("select_level", entry=2).text == "The break has begun."
    assert station.clock.level.is_break


@pytest.mark.parametrize(
    ("command", "arguments", "says"),
    [
        ("dance", {}, "There is no command 'dance'; there are: pause, resume"),
        ("select_level", {"level": 8}, "There is no level 8; levels: 1, 2, 3."),
        ("select_level", {"level": "two"}, "Expected `int | null`, got `str` - at `$.level`"),
        ("select_level", {}, "Name a level or an entry"),
        ("select_level", {"entry": 17}, "The schedule has 4 entries"),
        ("set_seats", {"table": "77", "seats": []}, "There is no table '77'"),
        ("set_seats", {"table": "01", "seats": []}, "at least one seat"),
        ("set_seats", {"table": "01", "seats": [{"seat": 1, "stack": 5}] * 2}, "named twice"),
    ],
)
def test_what_cannot_be_done_is_refused_in_words(command: str, arguments: dict[str, Any], says: str) -> None:
    reply = Station().up().press(command, **arguments)
    assert reply.refused
    assert says in reply.text


def test_what_is_told_to_a_table_that_is_not_heard_is_recorded_and_has_no_answer() -> None:
    station = Station()
    online(station)
    station.wait(5_000)
    reply = station.press("set_seats", "s1", table="01", seats=[{"seat": 2, "stack": 900, "player": "Ada"}])
    assert reply.text == "Recorded. Table 01 has not been heard for 5 s and has not answered yet."


def test_seats_reach_the_table_even_if_the_station_dies_first() -> None:
    station = Station()
    table, _ = online(station)
    station.give(table.status(online=False))
    reply = station.press("set_seats", "s1", table="01", seats=[{"seat": 2, "stack": 900, "player": "Ada"}])
    assert reply.text == "Table 01 is told: 1 players seated."
    again = station.killed().up()
    done = again.give(table.birth())
    (command,) = [c for c in commands(done, table) if isinstance(c, SetSeats)]
    assert command.seats[0].player == "Ada"
    again.hear(table, *table.write(seated(900), cause=f"command/{command.id}"))
    assert again.outgoing == []
    assert again.killed().outgoing == []


def test_the_save_of_seats_comes_before_their_command() -> None:
    station = Station()
    online(station)
    station.press("set_seats", "s1", table="01", seats=[{"seat": 2, "stack": 900}])
    tail = station.effects[-12:]
    saved = next(i for i, e in enumerate(tail) if isinstance(e, SaveCommand))
    sent = next(i for i, e in enumerate(tail) if isinstance(e, Publish) and b"set_seats" in e.payload)
    assert saved < sent


def test_a_hand_resumed_by_the_director_is_told_as_it_was_said_with_its_expiry() -> None:
    station = Station()
    table, _ = online(station)
    seats = [{"seat": 1, "stack": 900}, {"seat": 2, "stack": 800, "bet": 100}]
    places = {"hand": 7, "button": 1, "small_blind": 1, "big_blind": 2, "to_act": 1}
    hand = {**places, "level": LEVELS[0], "street": "turn", "board": ["??"] * 4, "seats": seats}
    before = len(station.effects)
    reply = station.press("set_hand", "h1", table="01", hand=hand, if_epoch=1, if_seq=7)
    assert reply.text == "Table 01 is told: hand 7 goes on from there."
    (command,) = [c for c in commands(station.effects[before:], table) if isinstance(c, SetHand)]
    assert (command.hand.to_act, command.hand.seats[1].bet, command.if_seq) == (1, 100, 7)
    assert command.expires is not None
    assert station.press("set_hand", "h2", table="77", hand=hand).refused
    assert "seats" in station.press("set_hand", "h3", table="01", hand={**hand, "seats": 5}).text


@pytest.mark.parametrize(
    ("wrong", "about"),
    [
        ({"board": ["Qh"]}, "board"),
        ({"board": ["Qh", "Qh", "2c", "3d"]}, "board"),
        ({"seats": [{"seat": 1, "stack": 900}, {"seat": 2, "stack": 800, "live": False}]}, "seats"),
        ({"to_act": 9}, "to_act"),
        ({"big_blind": 9}, "big_blind"),
        ({"pots": [{"amount": 300, "seats": [9]}]}, "pots"),
    ],
)
def test_a_hand_that_cannot_be_so_is_told_to_nobody_and_the_director_hears_which_field_is_wrong(
    wrong: dict[str, Any], about: str
) -> None:
    station = Station()
    table, _ = online(station)
    seats = [{"seat": 1, "stack": 900}, {"seat": 2, "stack": 800, "bet": 100}]
    places = {"hand": 7, "button": 1, "small_blind": 1, "big_blind": 2, "to_act": 1}
    hand = {**places, "level": LEVELS[0], "street": "turn", "board": ["??"] * 4, "seats": seats, **wrong}
    before = len(station.effects)
    reply = station.press("set_hand", "h1", table="01", hand=hand)
    assert (reply.refused, reply.about) == (True, about)
    assert reply.rule == load_rulebook("base").cites.hand_start
    assert reply.text
    assert not [c for c in commands(station.effects[before:], table) if isinstance(c, SetHand)]


def rulings(effects: list[Any], table: FakeTable) -> list[MakeRuling]:
    return [command for command in commands(effects, table) if isinstance(command, MakeRuling)]


def test_a_ruling_says_what_the_director_had_seen_and_when_it_expires() -> None:
    station = Station()
    table, _ = online(station)
    wanted = {"table": "01", "incident": "string_bet", "seat": 3, "if_epoch": 1, "if_seq": 7}
    (command,) = rulings(station.give(Directed("r1", "rule", wanted)), table)
    assert (command.if_epoch, command.if_seq) == (1, 7)
    assert command.expires == Expiry("b1", Millis(station.now + RULING_LIFE_MS))


def test_a_ruling_that_no_table_answers_in_time_is_dropped_and_the_director_told_once() -> None:
    station = Station()
    table, _ = online(station)
    station.give(Directed("r1", "rule", {"table": "01", "incident": "string_bet", "seat": 3}))
    assert rulings(station.wait(RULING_LIFE_MS - 1), table), "said again until then"
    late = station.wait(60_000)
    assert rulings(late, table) == []
    assert said(late).count("the ruling on string bet is not done") == 1
    assert any("Decide again" in alert for alert in station.alerts)
    assert station.outgoing == []
    station.press("pause")
    assert not any("Decide again" in alert for alert in station.alerts)


def test_a_ruling_from_before_a_reboot_is_not_carried_out_any_more() -> None:
    station = Station()
    online(station)
    station.press("rule", "r1", table="01", incident="string_bet", seat=3)
    again = station.killed(boot="b2", now=5).up()
    table = FakeTable()
    assert rulings(again.give(table.birth()), table) == []
    assert again.outgoing == []


def rulings_page(station: Station) -> RulingsView:
    station.wait(100)
    return msgspec.json.decode(station.pages["rulings"], type=RulingsView)


STRING_BET = RulingView(4, "string_bet", "String bet", Seat(3), (OptionView(1, "call", "A call only", "tda.44"),))


def open_ruling(table: FakeTable, as_of: int, ruling: RulingView | None) -> Arrived:
    return Arrived(table.topic("ruling"), encode(OpenRuling(1, as_of, ruling)))


def test_an_open_incident_is_on_the_directors_channels_and_on_no_other() -> None:
    station = Station()
    table, _ = online(station)
    station.give(open_ruling(table, 7, STRING_BET))
    assert rulings_page(station).tables[0] == TableRuling("01", STRING_BET, None)
    said = (b"A call only", b'"String bet"', b'"string_bet"')  # announcements speak of string bets, too
    told = {name for name, page in station.pages.items() if any(words in page for words in said)}
    assert told == {"rulings", "queue"}
    assert not [one for one in of(station.effects, Publish) if b"tring" in one.payload]
    station.give(open_ruling(table, 9, None))
    station.give(open_ruling(table, 8, STRING_BET))
    assert rulings_page(station).tables[0].ruling is None, "the older word came late"


def test_a_ruling_of_the_director_stands_on_the_directors_page_until_the_hand_is_over() -> None:
    station = Station()
    table, _ = online(station)
    began = HandStarted(1, Seat(1), Seat(2), Seat(3), level(1), seated(900, 900, 900).seats, Source.KEY)
    ruled = Ruled("string_bet", "call", "A call only", "tda.44", Seat(3), by="director", ruler="Ann")
    station.hear(table, *table.write(seated(900, 900, 900), began, ruled))
    assert rulings_page(station).tables[0].given == ruled
    station.hear(table, *table.write(began))
    assert rulings_page(station).tables[0].given is None


def test_the_director_takes_a_ruling_back() -> None:
    station = Station()
    table, _ = online(station)
    done = station.give(Directed("t1", "take_back_ruling", {"table": "01", "ruler": "Ann"}))
    (command,) = [one for one in commands(done, table) if isinstance(one, TakeBackRuling)]
    assert command.ruler == "Ann"


# ----------------------------------------------------------------------------------------- started again


def test_killed_in_the_same_boot_the_clock_has_run_on() -> None:
    station = Station().up()
    station.wait(5 * MINUTE)
    again = station.killed(now=station.now + 20 * MINUTE)
    assert (again.clock.level.no, again.clock.left_ms) == (2, 15 * MINUTE)
    assert not any("reboot" in alert for alert in again.alerts)


def test_after_a_reboot_the_clock_goes_on_from_the_record_and_says_so_until_the_director_acts() -> None:
    station = Station().up()
    station.wait(5 * MINUTE)
    again = station.killed(now=777, boot="b2").up()
    assert (again.clock.boot, again.clock.left_ms) == ("b2", 15 * MINUTE)
    (alert,) = again.alerts
    assert "goes on from 15:00 left in level 1" in alert
    again.press("pause")
    assert again.alerts == ()


def test_a_changed_schedule_gets_a_new_revision_and_reaches_the_tables() -> None:
    station = Station()
    table, _ = online(station)
    longer = (level(1, 30), *LEVELS[1:])
    again = Station(config(levels=longer), ledger=station.ledger, recorded=station.clock_record, now=station.now)
    done = again.up().hear(table, *table.write(*notices(1)))
    (schedule,) = [c for c in commands(done, table) if isinstance(c, SetSchedule)]
    assert (schedule.revision, schedule.levels) == (2, longer)


def test_no_clock_runs_before_an_event_is_open_unless_the_settings_say_so() -> None:
    station = Station(StationConfig(VENUE, "unused", ("01", "02"), LEVELS))
    station.wait(MINUTE)
    assert (station.clock.running, station.clock.left_ms) == (False, 20 * MINUTE)


def test_no_ledger_of_an_unconfigured_table_is_touched() -> None:
    ledger, old = MemoryLedger(), FakeTable("88")
    for raw in old.write(*notices(2)):
        ledger.accept(raw)
    station = Station(ledger=ledger)
    assert [cell.table for cell in station.room.cells] == ["01", "02"]
    assert sent(station.effects, old, "ack") == []


def test_a_table_that_goes_quiet_while_the_page_pauses_keeps_no_core_busy() -> None:
    table, station = FakeTable(), Station().up()
    station.hear(table, *table.write(*notices(1)))
    heard = station.now
    station.now = Millis(heard + STALE_MS - 50)
    station.give(table.status(online=True))  # the page is drawn, and not again at once
    station.now = Millis(heard + STALE_MS)
    station.give(None)
    assert station.wake_at > station.now
