"""A tournament run at the station: presses in, seats at the tables, busts and racks back; killed in between."""

from __future__ import annotations

import json
import random

import pytest

from feltwire.lab.station.memory import of
from feltwire.runtime.node_io import Reply
from feltwire.station.station_io import Directed
from feltwire.station.timekeeping import CLOCK_MS
from feltwire.station.tournament.words import words
from feltwire.table.node import UNDO_MS
from feltwire.table.table_io import CommandCame
from table_core.messages import ChangeSeats, Chips, Key, Refused, decode_command, encode
from table_core.tournament.events import (
    BountyWon,
    Payment,
    PayoutsSet,
    PlacesDecided,
    Redraw,
    Reinstated,
    RoundBegan,
    SeatsDrawn,
    TableHand,
    TournamentEvent,
)
from tests.feltwire.night_room import NightRoom
from tests.feltwire.station_room import MINUTE, Station, config


def started(players: int = 8) -> NightRoom:
    room = NightRoom()
    room.run_up(players)
    return room


def two_at(room: NightRoom, table: str) -> tuple[int, int]:
    first, second, *_ = sorted(room.tables[table].sits)
    return first, second


def bust(room: NightRoom, table: str) -> str:
    """A hand in which a player loses everything; who it was."""
    winner, loser = two_at(room, table)
    player = room.tables[table].sits[loser][0]
    room.all_in(table, winner=winner, loser=loser)
    return player


# ------------------------------------------------------------------------------------------ seats


def test_the_draw_seats_everybody_at_the_tables_with_the_starting_stack() -> None:
    room = started()
    for table in room.shown["tables"]:
        at = room.tables[table["table"]]
        assert at.sits == {one["seat"]: (one["player"], 2_000) for one in table["seats"]}
        assert at.view.button == table["button"]
        assert all(one["there"] for one in table["seats"])
    assert room.chips() == 16_000


def test_the_draw_stands_while_cards_are_in_the_air() -> None:
    """Without it no table would be told of a seat any more. Under rpl everybody has a seat from the entry on."""
    room = started()
    drawn = next(one["no"] for one in room.shown["log"] if one["event"]["type"] == "seats_drawn")
    reply = room.press("undo", record=drawn)
    assert reply.refused
    assert "Take that back first" in reply.text


def test_a_hand_in_progress_is_finished_before_the_draw_reaches_its_table() -> None:
    room = NightRoom()
    room.begin_hand("01")
    room.run_up(8)
    assert {who for who, _ in room.tables["01"].sits.values()} == {"yesterday's"}
    room.finish("01", winner=1, loser=2)
    assert {who for who, _ in room.tables["01"].sits.values()} < {f"p{no}" for no in range(1, 9)}


def test_who_comes_late_is_seated_and_what_is_bought_is_added_once() -> None:
    room = started()
    room.do("register", player="late", member=True, adult=True)
    room.do("enter", player="late")
    room.do("seat_player", player="late")
    table, seat = room.seat_of("late")
    assert room.tables[table].sits[seat] == ("late", 2_000)
    room.do("buy", player="late", kind="rebuy", anyway="agreed before")
    assert room.tables[table].sits[seat] == ("late", 7_000), "rpl: a rebuy is 5,000"
    room.kill_station()
    assert room.tables[table].sits[seat] == ("late", 7_000)
    bought = room.shown["log"][0]["no"]
    room.do("undo", record=bought)
    assert room.tables[table].sits[seat] == ("late", 2_000)


def test_chips_that_leave_play_change_the_stacks_at_the_table_once_and_are_given_back_by_an_undo() -> None:
    """rpl.tournaments.10: three 25s become one 100."""
    room = started()
    seat, other = two_at(room, "01")
    odd = [{"seat": seat, "stack": 3}, {"seat": other, "stack": 1}]
    room.do("colour_up", table="01", old=25, new=100, odd=odd)
    assert [room.tables["01"].sits[one][1] for one in (seat, other)] == [2_025, 2_075]
    room.kill_station()
    assert room.chips() == 16_100
    assert room.shown["chips"]["missing"] == 0
    room.do("undo", record=room.shown["log"][0]["no"])
    assert room.chips() == 16_000
    assert room.shown["chips"]["missing"] == 0


def test_behind_a_colour_up_a_table_splits_pots_in_the_chips_that_are_left() -> None:
    """tda.20, tda.24: an odd chip is not broken into chips that are no longer in play."""
    room = started()
    before = {table: room.tables[table].node.table.smallest_chip for table in ("01", "02")}
    room.do("colour_up", table="01", old=25, new=100, odd=[])
    table = room.tables["01"].node.table
    assert (table.smallest_chip, room.tables["02"].node.table.smallest_chip) == (100, before["02"])
    room.begin_hand("01")
    assert table.hand is not None
    assert table.hand.smallest_chip == 100
    first, second = two_at(room, "01")
    room.finish("01", winner=first, loser=second)
    room.kill_station()
    room.do("undo", record=next(one["no"] for one in room.shown["log"] if one["event"]["type"] == "coloured_up"))
    assert room.tables["01"].node.table.smallest_chip == 25


def test_a_table_that_refuses_seats_which_were_replaced_meanwhile_alarms_nobody() -> None:
    room = started()
    at = room.tables["01"]
    at.give(CommandCame(encode(ChangeSeats("t1/seats-01-old", after_epoch=1, after_seq=1))))
    assert isinstance(at.events[-1], Refused)
    room.deliver()
    assert room.alerts == ()


def test_chips_that_a_table_has_not_answered_yet_are_on_order_and_not_missing() -> None:
    room = started()
    seat, _ = two_at(room, "01")
    player = room.tables["01"].sits[seat][0]
    room.cut.add("01")
    room.do("buy", player=player, kind="rebuy", anyway="agreed before")
    assert {name: chips for name, chips in room.shown["chips"].items() if isinstance(chips, int)} == {
        "issued": 21_000,
        "removed": 0,
        "on_tables": 16_000,
        "in_pots": 0,
        "in_transit": 0,
        "on_order": 5_000,
        "missing": 0,
    }
    room.cut.clear()
    room.wait(20_000)
    assert (room.shown["chips"]["on_tables"], room.shown["chips"]["on_order"]) == (21_000, 0)


def test_a_rebuy_is_judged_by_the_stack_that_the_table_reports() -> None:
    room = started()
    seat, _ = two_at(room, "01")
    answer = room.press("buy", player=room.tables["01"].sits[seat][0], kind="rebuy", stack=0)
    assert (answer.refused, answer.rule) == (True, "rpl.league.6")
    assert "has 2,000" in answer.text


@pytest.mark.rule("rpl.blinds.1", "rpl.tournaments.7")
def test_rpl_the_first_hand_has_the_button_at_seat_1_and_the_blinds_at_2_and_3() -> None:
    room = NightRoom(("01",))
    room.do("open", rulebook="rpl", house={"starting_stack": 2_000}, seed="x3")
    for no in range(1, 6):
        room.do("register", player=f"p{no}")
        room.do("enter", player=f"p{no}")
    room.do("assign_seats", seats=[{"player": f"p{no}", "at": {"table": "01", "seat": no}} for no in range(1, 6)])
    room.do("set_button", table="01")
    room.do("start")
    room.begin_hand("01")
    view = room.tables["01"].view
    assert (view.hand, view.button, view.small_blind, view.big_blind) == (1, 1, 2, 3)
    assert [seat.bet for seat in view.seats] == [0, 50, 100, 0, 0], "before any card is seen"


# ------------------------------------------------------------------------------------------ busts


def test_who_lost_the_last_chips_is_pending_with_the_stack_at_the_start_until_it_is_confirmed() -> None:
    room = started()
    player = bust(room, "01")
    (pending,) = room.shown["busts"]
    assert [(out["player"], out["start_stack"]) for out in pending["out"]] == [(player, 2_000)]
    assert pending["may_rebuy"] == [player]
    assert pending["out"][0]["by"] == [room.tables["01"].sits[two_at(room, "01")[0]][0]]
    room.do("confirm_bust", busts=[pending["bust"]])
    assert room.entrant(player)["place"] == 8
    said = [one["text"] for one in room.shown["log"]]
    assert f"Bust confirmed: {player}, place 8" in said
    assert f"Bust reported: {player}, table 01, hand 1" in said
    assert player not in {who for who, _ in room.tables["01"].sits.values()}


def test_a_bust_is_reported_once_also_by_a_station_that_is_started_again() -> None:
    room = started()
    bust(room, "01")
    for boot in ("b1", "b2"):
        room.kill_station(boot=boot)
        assert len(room.shown["busts"]) == 1
    assert sum(one["event"]["type"] == "bust_reported" for one in room.shown["log"]) == 1


def test_a_bust_that_the_director_took_back_is_not_reported_again() -> None:
    room = started()
    player = bust(room, "01")
    room.do("undo", record=room.shown["log"][0]["no"])
    assert room.entrant(player)["status"] == "playing"
    room.kill_station()
    assert room.shown["busts"] == []


def test_a_hand_of_a_table_without_a_wire_is_reported_when_it_comes() -> None:
    room = started()
    room.cut.add("01")
    bust(room, "01")
    assert room.shown["busts"] == []
    room.kill_station()
    room.cut.clear()
    room.wait(20_000)
    assert len(room.shown["busts"]) == 1


# ------------------------------------------------------------------------------------------ moves


def one_short(room: NightRoom) -> None:
    """Table 01 plays with two players fewer than table 02."""
    for _ in range(2):
        bust(room, "01")
        (pending,) = room.shown["busts"]
        room.do("confirm_bust", busts=[pending["bust"]])


def test_a_move_goes_from_proposed_to_seated_by_what_the_tables_answer() -> None:
    room = started(14)
    one_short(room)
    (proposed,) = room.shown["proposals"]["moves"]
    player, before = proposed["player"], room.chips()
    room.begin_hand("02")
    room.do("confirm_move", player=player)
    assert [move["stage"] for move in room.shown["moves"]] == ["confirmed"]
    assert player in {who for who, _ in room.tables["02"].sits.values()}, "the hand is not disturbed"
    first, second = [seat for seat, (who, _) in room.tables["02"].sits.items() if who != player][:2]
    room.finish("02", winner=first, loser=second)
    assert room.seat_of(player) == ("01", proposed["to"]["seat"])
    assert room.shown["moves"] == []
    assert room.chips() == before


def test_a_wrong_award_is_taken_back_before_the_seats_change() -> None:
    """real-tables.md, 12: one press to undo a wrong press, also where a player is to get up behind the hand."""
    room = started(14)
    one_short(room)
    (proposed,) = room.shown["proposals"]["moves"]
    player, at = proposed["player"], room.tables["02"]
    room.begin_hand("02")
    room.do("confirm_move", player=player)
    first, second = [seat for seat, (who, _) in at.sits.items() if who != player][:2]
    room.award("02", winner=first, loser=second)
    at.wait(UNDO_MS - 1_000)
    room.deliver()
    assert player in {who for who, _ in at.sits.values()}, "he gets up when the award stands"
    at.press(Key.UNDO)
    assert at.node.table.in_hand, "the pot went to the wrong seat"
    room.finish("02", winner=second, loser=first)
    assert room.seat_of(player) == ("01", proposed["to"]["seat"])
    assert at.sits[second][1] >= 4_000
    assert [bust["out"][0]["player"] for bust in room.shown["busts"]] == [at.sits[first][0]]


def test_the_next_hand_does_not_wait_for_the_seats() -> None:
    room = started(14)
    one_short(room)
    (proposed,) = room.shown["proposals"]["moves"]
    at = room.tables["02"]
    room.begin_hand("02")
    room.do("confirm_move", player=proposed["player"])
    first, second = [seat for seat, (who, _) in at.sits.items() if who != proposed["player"]][:2]
    room.award("02", winner=first, loser=second)
    room.begin_hand("02")
    assert at.node.table.in_hand
    assert proposed["player"] not in {who for who, _ in at.sits.values()}, "nobody who is to leave gets cards"


def test_a_player_on_the_way_is_neither_lost_nor_doubled_when_the_station_is_killed() -> None:
    room = started(14)
    one_short(room)
    player, before = room.shown["proposals"]["moves"][0]["player"], room.chips()
    room.cut.add("01")
    room.do("confirm_move", player=player)
    (move,) = room.shown["moves"]
    assert (move["stage"], move["rack"]) == ("in_transit", 2_000)
    assert room.chips() == before - 2_000
    room.kill_station(boot="b2")
    room.cut.clear()
    room.wait(20_000)
    assert room.seat_of(player)[0] == "01"
    assert (room.chips(), room.shown["moves"]) == (before, [])


def test_a_table_that_breaks_sends_its_players_to_the_other_with_their_racks() -> None:
    room = started(4)
    reply = room.press("break_table", table="02", anyway="the room closes it")
    assert not reply.refused, reply
    room.wait(20_000)
    names = sorted(who for who, _ in room.tables["01"].sits.values())
    assert names == ["p1", "p2", "p3", "p4"]
    assert room.tables["02"].sits == {}
    assert room.chips() == 8_000


def test_two_tables_play_down_to_one_winner_with_a_kill_after_every_hand() -> None:
    room = started(6)
    for hand in range(40):
        if room.shown["finished"]:
            break
        for table in room.tables:
            if len([stack for _, stack in room.tables[table].sits.values() if stack]) >= 2:
                bust(room, table)
                room.kill_station(boot=f"boot-{hand % 2}")
                for pending in room.shown["busts"]:
                    room.do("confirm_bust", busts=[pending["bust"]])
            settle(room)
    assert sorted(one["place"] for one in room.shown["field"]) == list(range(1, 7))
    assert room.chips() == 12_000
    assert room.shown["chips"]["missing"] == 0, room.shown["chips"]


@pytest.mark.parametrize("seed", range(2))
def test_killed_at_any_of_forty_moments_the_night_is_the_same_after_each(seed: int) -> None:
    room, chance = started(12), random.Random(seed)
    for kill in range(40):
        press_something(room, chance, kill)
        before = room.shown
        room.kill_station()
        assert room.shown == before, kill
        held = [who for table in room.tables.values() for who, _ in table.sits.values()]
        assert len(held) == len(set(held)), "nobody is doubled"
    room.cut.clear()
    room.wait(40_000)
    night = room.shown
    without_seat = [one for one in night["field"] if one["status"] == "playing" and one["table"] is None]
    assert night["moves"] == []
    assert (night["chips"]["missing"], night["chips"]["on_order"]) == (0, 2_000 * len(without_seat))


def press_something(room: NightRoom, chance: random.Random, kill: int) -> None:
    """What may happen next in a night; the director may be refused."""
    night, table = room.shown, chance.choice(list(room.tables))
    if night["busts"] and chance.random() < 0.7:
        pending = night["busts"][0]
        bought = {"player": pending["out"][0]["player"], "kind": "rebuy", "anyway": "agreed"}
        if chance.random() < 0.5:
            room.press("buy", **bought)
        else:
            room.press("confirm_bust", busts=[pending["bust"]])
    elif (moves := night["proposals"]["moves"]) and chance.random() < 0.7:
        room.cut = set(chance.sample(sorted(room.tables), chance.randrange(2)))
        room.press("confirm_move", player=moves[0]["player"])
    elif chance.random() < 0.5 and sum(stack > 0 for _, stack in room.tables[table].sits.values()) > 2:
        bust(room, table)
    else:
        player = f"late-{kill}"
        room.press("register", player=player, member=True, adult=True)
        room.press("enter", player=player, anyway="let in")
        room.press("seat_player", player=player)
        room.press(chance.choice(["pause", "resume", "next_level"]))
    if chance.random() < 0.5:
        room.cut.clear()
        room.wait(20_000)


def settle(room: NightRoom) -> None:
    """The director confirms what is proposed."""
    for _ in range(10):
        proposals = room.shown["proposals"]
        if proposals["break"]:
            room.do("break_table", table=proposals["break"]["table"])
        elif proposals["moves"]:
            room.do("confirm_move", player=proposals["moves"][0]["player"])
        else:
            return
        room.wait(20_000)


# ------------------------------------------------------------------------------------------ records


def test_a_full_disk_is_said_and_nothing_is_half_done() -> None:
    room = started()
    before = room.shown
    room.station.disk_full = True
    reply = room.press("register", player="p9", member=True, adult=True)
    assert reply.refused
    assert "the disk is full" in reply.text
    assert room.shown == before
    assert any("No press does anything until it does" in alert for alert in room.alerts)
    room.station.disk_full = False
    room.wait(2_000)
    room.do("register", player="p9", member=True, adult=True)
    assert room.alerts == ()


def test_a_bust_that_the_disk_does_not_take_is_reported_when_it_does() -> None:
    room = started()
    room.station.disk_full = True
    bust(room, "01")
    assert room.shown["busts"] == []
    room.station.disk_full = False
    room.wait(2_000)
    assert len(room.shown["busts"]) == 1


def test_a_press_is_carried_out_once_also_over_a_restart() -> None:
    room = started()
    reply = room.press("register", player="p9", member=True, adult=True)
    count = len(room.station.records)
    room._presses -= 1
    assert room.press("register", player="p9", member=True, adult=True) == reply
    room.kill_station()
    room._presses -= 1
    assert "on record already" in room.press("register", player="p9", member=True, adult=True).text
    assert len(room.station.records) == count


def test_nobody_sees_what_is_not_known_to_be_on_the_disk_and_after_a_kill_it_is_there() -> None:
    room = started()
    before, given = room.shown, Directed("last", "register", {"player": "p9", "member": True, "adult": True})
    room.station.dies = True
    assert not of(room.station.give(given), Reply)
    assert room.shown == before
    room.kill_station()
    assert room.entrant("p9")["status"] == "registered"
    (reply,) = of(room.station.give(given), Reply)
    assert "on record already" in reply.text


def test_a_refusal_has_its_reason_and_rule() -> None:
    room = started()
    reply = room.press("buy", player="p1", kind="rebuy", stack=50_000)
    assert reply.refused
    assert reply.rule.startswith("rpl.")
    unknown = room.press("confirm_bust", busts=["01-77"])
    assert (unknown.refused, unknown.text) == (True, "That bust is not pending.")


def test_arguments_that_are_none_of_the_command_are_refused() -> None:
    reply = started().press("register", player="p9", chips=5)
    assert (reply.refused, "chips" in reply.text) == (True, True)


def test_before_there_is_an_event_everything_but_opening_it_is_refused() -> None:
    station = Station().up()
    assert station.press("register", player="p1").text == "There is no event yet: open one."


# ------------------------------------------------------------------------------------------ the clock


def test_the_station_without_a_tournament_runs_its_clock_as_before() -> None:
    station = Station().up()
    assert station.press("pause").text == "The clock is stopped."
    assert station.records == []


def test_with_a_tournament_every_change_of_the_clock_is_on_record_and_can_be_undone() -> None:
    room = started()
    room.wait(MINUTE)
    room.do("pause", why="a spill")
    left = room.station.clock.left_ms
    assert not room.station.clock.running
    room.wait(5 * MINUTE)
    assert room.station.clock.left_ms == left
    room.do("select_level", level=2)
    assert room.station.clock.level.no == 2
    room.do("undo", record=room.shown["log"][0]["no"])
    assert (room.station.clock.level.no, room.station.clock.left_ms) == (1, left)


def test_the_clock_comes_back_to_the_second() -> None:
    room = started()
    room.wait(7 * MINUTE)
    left = room.station.clock.left_ms
    room.kill_station(after_ms=30_000)
    room.do("pause")
    assert room.station.clock.left_ms == left - 30_000 - 1_000, "a second of the kit's"


def test_after_a_reboot_the_clock_goes_on_from_where_it_was_last_on_the_disk() -> None:
    room = started()
    room.wait(7 * MINUTE)
    left = room.station.clock.left_ms
    room.kill_station(boot="b2", after_ms=30_000)  # nobody knows how long a machine was off
    room.do("pause")
    assert 0 <= room.station.clock.left_ms - left + 1_000 <= CLOCK_MS
    assert any("machine was started again" in one["text"] for one in room.shown["log"])


def test_the_tables_take_the_schedule_of_the_tournament() -> None:
    room = NightRoom()
    levels = [{"no": 1, "small_blind": 25, "big_blind": 50, "minutes": 15}]
    room.run_up(8, levels=levels)
    room.wait(20_000)
    for table in room.tables.values():
        assert table.view.next_hand_level is not None
        assert table.view.next_hand_level.big_blind == 50


# ------------------------------------------------------------------------------------------ names


def test_a_player_is_an_id_in_records_and_at_tables_and_the_name_can_be_deleted() -> None:
    room = NightRoom()
    room.do("open", house={"starting_stack": 2_000})
    assert room.do("add_player", name="Ann Example", seen=2) == "Ann Example is player p1."  # as a page sends it
    room.do("register", player="p1", member=True, adult=True)
    assert room.entrant("p1")["name"] == "Ann Example"
    room.do("forget_player", player="p1", seen=4)
    assert room.entrant("p1")["name"] == "p1"
    assert not any("Ann" in repr(record.event) for record in room.station.records)


def test_a_new_name_is_kept_and_registered_with_one_press() -> None:
    room = NightRoom()
    room.do("open")
    assert room.do("register_new", name="Bo Example", member=True, adult=True) == "Registered: Bo Example."
    assert room.press("register_new", name="Cy Example", id="p1").refused
    room.station.names["cy"] = "Cy Example"  # the name was kept, and a kill came before the record
    room.kill_station()
    assert room.do("register_new", name="Cy Example", id="cy", member=True, adult=True).startswith("Registered")
    assert room.press("register_new", name="Cy Example", id="cy", member=True, adult=True).refused
    assert [one["name"] for one in room.shown["field"]] == ["Bo Example", "Cy Example"]


# ------------------------------------------------------------------------------------------ commands to tables


def test_a_table_is_told_again_until_it_has_answered_and_then_no_more() -> None:
    room = started()
    room.cut.add("01")
    room.do("register", player="late", member=True, adult=True)
    room.do("enter", player="late")
    room.do("seat_player", player="late", at={"table": "01", "seat": room.shown["tables"][0]["free"][0]})
    told = [
        decode_command(p.payload) for p in room.station.wait(10_000) if getattr(p, "topic", "").endswith("command")
    ]
    assert sum(isinstance(command, ChangeSeats) for command in told) >= 2
    room.cut.clear()
    room.wait(20_000)
    assert room.seat_of("late")[0] == "01"
    later = room.station.wait(60_000)
    assert not any(b"change_seats" in getattr(effect, "payload", b"") for effect in later)


@pytest.mark.rule("wfp.decisions.14")
def test_where_play_is_free_no_setting_of_the_house_brings_in_money() -> None:
    room = NightRoom()
    for house in ({"buy_in": 25}, {"entry_fee": 5}, {"rebuys": 1}, {"bounty_price": 2}):
        reply = room.press("open", rulebook="wfp", house={"starting_stack": 4_000, **house})
        assert (reply.refused, reply.rule) == (True, "wfp.decisions.14")
    room.do("open", rulebook="wfp", house={"starting_stack": 4_000, "buy_in": 0})


@pytest.mark.rule("rpl.tournaments.29")
def test_an_announced_rebuy_is_behind_the_player_in_the_next_hand_and_is_paid_without_more_chips() -> None:
    room = started()
    player = bust(room, "01")
    room.do("announce_rebuy", player=player)
    room.wait(2_000)
    assert room.shown["busts"] == []
    assert room.tables["01"].sits[room.seat_of(player)[1]] == (player, 5_000)
    room.begin_hand("01")
    assert {seat.seat: seat.in_hand for seat in room.tables["01"].view.seats}[room.seat_of(player)[1]]
    room.do("buy", player=player, kind="rebuy")
    assert room.entrant(player)["owes"] is None
    assert room.entrant(player)["chips"] == 7_000


def test_without_tables_in_its_configuration_an_event_names_none() -> None:
    station = Station(config(("01",))).up()
    reply = station.press("open", tables=[{"table": "09", "seats": 9}], by_hand=False)
    assert "there is no table 09" in reply.text


def test_only_a_name_that_several_have_is_told_apart_by_the_id() -> None:
    room = NightRoom()
    room.do("open", name="Friday", house={"starting_stack": 2_000})
    for name in ("Jo Smith", "John Smith"):
        room.do("register_new", name=name, member=True, adult=True)
    room.do("register_new", name="jo  smith", another=["p1"], member=True, adult=True)
    assert [one["name"] for one in room.shown["field"]] == ["Jo Smith (p1)", "John Smith", "jo smith (p3)"]
    room.do("cancel", player="p3")
    room.do("forget_player", player="p3")
    assert room.entrant("p1")["name"] == "Jo Smith"


def test_the_stations_pages_call_the_players_of_a_table_by_name_until_it_is_deleted() -> None:
    room = NightRoom()
    room.do("open", name="Friday", house={"starting_stack": 2_000})
    for name in ("Ann Example", "Bo Example", "Cy Example", "Di Example"):
        room.do("register_new", name=name, member=True, adult=True)
    for no in range(1, 5):
        room.do("enter", player=f"p{no}")
    room.do("draw_seats", tables=["01"])
    room.wait(1_000)
    assert json.loads(room.station.pages["names/01"])["p1"] == "Ann Example"
    assert json.loads(room.station.pages["names/02"]) == {}
    room.do("forget_player", player="p1")
    room.wait(1_000)
    assert "p1" not in json.loads(room.station.pages["names/01"])


@pytest.mark.parametrize(
    ("event", "said"),
    [
        (
            RoundBegan((TableHand("01", 10), TableHand("02", 20))),
            "Round began: table 01 to hand 10 and table 02 to hand 20",
        ),
        (SeatsDrawn(Redraw.FINAL_TABLE, ("01",), (), "", ""), "Seats drawn: final table"),
        (PayoutsSet((50.0, 30.5, 19.5)), "Payouts set: payouts 50 and 30.5 and 19.5"),
        (BountyWon("A", (Payment("p1", 700),), 700, ""), "Bounty won: game A, Ann 7.00, over 7.00"),
        (Reinstated("p1", Chips(1_200), "a tie", "p2"), "Reinstated: Ann, chips 1,200, from Bob, a tie"),
        (PlacesDecided(("p2", "p1"), (5, 6)), "Places decided: Bob and Ann, place 5 and 6"),
    ],
)
def test_a_record_is_said_in_words(event: TournamentEvent, said: str) -> None:
    assert words(event, {"p1": "Ann", "p2": "Bob"}) == said
