"""What is taken back at the station and done again: chips at the tables, money, counts, the clock."""

from __future__ import annotations

from typing import Any

import pytest

from tests.feltwire.night_room import NightRoom

HOUSE = {"starting_stack": 2_000, "buy_in": 20, "payouts": [50, 30, 20]}


@pytest.fixture
def room() -> NightRoom:
    """Three players at one table; one has lost the last chips."""
    room = NightRoom(("01",), book="rpl")
    room.do("open", rulebook="rpl", house=HOUSE, starts=None)
    for no in range(1, 5):
        room.do("register", player=f"p{no}", member=True, adult=True)
        room.do("enter", player=f"p{no}")
    room.do("draw_seats", tables=["01"])
    room.do("set_button", table="01")
    room.do("start")
    winner, loser, *_ = sorted(room.tables["01"].sits)
    room.all_in("01", winner=winner, loser=loser)
    return room


def newest(room: NightRoom) -> int:
    return int(room.shown["log"][0]["no"])


def out(room: NightRoom) -> str:
    return str(room.shown["busts"][0]["out"][0]["player"])


def test_a_rebuy_that_is_undone_and_done_again_gives_its_chips_once(room: NightRoom) -> None:
    player = out(room)
    room.do("buy", player=player, kind="rebuy")
    _, seat = room.seat_of(player)
    bought = room.tables["01"].sits[seat]
    room.do("undo", record=newest(room))
    assert room.tables["01"].sits[seat] == (player, 0)
    room.do("redo", record=newest(room))
    assert room.tables["01"].sits[seat] == bought
    assert room.shown["chips"]["missing"] == 0
    assert room.shown["money"]["taken_in"] == 10_000


def test_what_is_done_again_can_be_taken_back_again_and_not_be_done_twice(room: NightRoom) -> None:
    room.do("count_cash", amount=8_000)
    room.do("undo", record=newest(room))
    undo = newest(room)
    said = room.do("preview", wanted="redo", arguments={"record": undo})
    assert said.startswith("Done again: Cash counted")
    room.do("redo", record=undo)
    assert room.press("redo", record=undo).text == "That has been done again already."
    assert room.shown["money"]["cash_counted"] == 8_000
    room.do("undo", record=newest(room))
    assert room.shown["money"]["cash_counted"] is None
    room.do("redo", record=newest(room))
    assert room.shown["money"]["cash_counted"] == 8_000


def test_nothing_is_done_again_over_what_has_been_decided_since(room: NightRoom) -> None:
    player = out(room)
    room.do("confirm_bust", busts=[room.shown["busts"][0]["bust"]])
    room.do("undo", record=newest(room))
    undo = newest(room)
    room.do("buy", player=player, kind="rebuy")
    assert "has come since and is about the same" in room.press("redo", record=undo).text
    assert room.press("redo", record=1).text == "Record 1 took nothing back."


def test_the_undo_of_a_payment_says_what_comes_back_and_who_is_owed_it_again(room: NightRoom) -> None:
    room.play_to_the_end()
    winner = next(one["player"] for one in room.shown["field"] if one["place"] == 1)
    room.do("pay_prize", player=winner)
    paid = newest(room)
    said = room.do("preview", wanted="undo", arguments={"record": paid})
    assert f"40.00 is to be taken back: {winner}." in said
    room.do("undo", record=paid)
    assert room.shown["money"]["paid"] == {}
    assert room.shown["money"]["owed"][winner] == 4_000


def test_the_undo_of_a_deal_has_the_places_pay_again(room: NightRoom) -> None:
    room.do("confirm_bust", busts=[room.shown["busts"][0]["bust"]])
    shares = room.shown["money"]["deals"]["by chips"]
    given = [{"player": player, "amount": amount} for player, amount in shares.items()]
    room.do("make_deal", shares=given, consent=list(shares), method="by chips")
    deal = newest(room)
    assert room.shown["money"]["owed"]
    assert "The deal holds no longer." in room.do("preview", wanted="undo", arguments={"record": deal})
    room.do("undo", record=deal)
    assert room.shown["money"]["owed"] == {}
    assert room.shown["money"]["payouts"] == [4_000, 2_400, 1_600]


def test_the_undo_of_a_count_says_which_count_holds_then(room: NightRoom) -> None:
    table, seat = room.seat_of("p3")
    has = room.tables[table].sits[seat][1]
    room.do("count_stack", player="p3", stack=has)
    room.do("count_stack", player="p3", stack=has - 500)
    said = room.do("preview", wanted="undo", arguments={"record": newest(room)})
    assert f"The count of p3, {has - 500:,}, does not stand; the count before it, {has:,}, does." in said
    room.do("undo", record=newest(room))
    assert room.shown["chips"]["items"] == []


def test_a_change_of_the_clock_behind_which_there_is_another_is_not_taken_back_alone(room: NightRoom) -> None:
    """Each says all of the clock: without the first of them nothing would change."""
    room.do("add_time", by_ms=300_000)
    first = newest(room)
    room.do("add_time", by_ms=60_000)
    refused = room.press("undo", record=first)
    assert refused.text.startswith(f"Record {first + 1} has set the clock or the schedule since")
    room.do("undo", record=first + 1)
    left = room.station.clock.left_ms
    room.do("undo", record=first)
    assert left - room.station.clock.left_ms >= 300_000


@pytest.fixture
def four() -> NightRoom:
    """Four tables of four, under way."""
    room = NightRoom(("01", "02", "03", "04"))
    room.run_up(16, starts=None, rulebook="base")
    return room


def test_a_table_that_was_broken_by_mistake_is_there_again_with_those_who_sit_elsewhere_already(
    four: NightRoom,
) -> None:
    before = {player for player, _ in four.tables["04"].sits.values()}
    four.begin_hand("01")  # nobody gets up there before the hand is over
    four.do("break_table", table="04", anyway="the director's")
    four.begin_hand("02")
    moved = four.shown["moved"]
    assert {one["player"] for one in moved} | {one["player"] for one in four.shown["moves"]} == before
    record = moved[0]["record"]
    said = four.do("preview", wanted="undo", arguments={"record": record}).splitlines()
    assert "Table 04 is open." in said
    assert "Table 02 is in a hand: nobody gets up there before it is over." in said
    four.do("undo", record=record)
    assert four.shown["moves"] == []
    winner, loser, *_ = sorted(four.tables["02"].sits)
    four.finish("02", winner=winner, loser=loser)
    assert {player for player, _ in four.tables["04"].sits.values()} == before
    assert four.shown["chips"]["missing"] == 0


def test_the_wrong_player_is_sent_back_and_another_one_goes_instead(four: NightRoom) -> None:
    wrong, right = (four.tables["01"].sits[seat][0] for seat in sorted(four.tables["01"].sits)[:2])
    back = four.seat_of(wrong)
    to = {"table": "02", "seat": four.shown["tables"][1]["free"][0]}
    four.do("confirm_move", player=wrong, to=to, why="the director's")
    assert four.seat_of(wrong) == (to["table"], to["seat"])
    move = {"command": "confirm_move", "arguments": {"player": right, "to": to, "why": "instead"}}
    four.do("replace", record=four.shown["moved"][0]["record"], instead=[move])
    assert four.seat_of(wrong) == back
    assert four.seat_of(right) == (to["table"], to["seat"])


def test_a_move_that_is_taken_back_leaves_the_id_of_a_later_one_alone(four: NightRoom) -> None:
    for table in ("01", "02"):
        four.begin_hand(table)  # both movers wait
    to = [{"table": "03", "seat": seat} for seat in four.shown["tables"][2]["free"][:3]]
    movers = [four.tables[table].sits[min(four.tables[table].sits)][0] for table in ("01", "02")]
    for player, at in zip(movers, to, strict=False):
        four.do("confirm_move", player=player, to=at, why="the director's")
    first = next(one for one in four.shown["moves"] if one["player"] == movers[0])
    four.do("undo", record=first["record"])
    four.do("confirm_move", player=movers[0], to=to[2], why="the director's")
    assert {one["player"] for one in four.shown["moves"]} == set(movers)


def wrongly_out(room: NightRoom) -> tuple[dict[str, Any], str, str]:
    """Two all-in, the pot pushed to the wrong one, the bust confirmed: what puts it right, who is out by
    mistake, who is in."""
    (bust,) = room.shown["busts"]
    (lost,) = bust["out"]
    (won,) = lost["by"]
    room.do("confirm_bust", busts=[bust["bust"]])
    stack = next(stack for player, stack in room.tables["01"].sits.values() if player == won)
    report = {"player": won, "start_stack": 2_000, "by": [lost["player"]]}
    instead = [
        ("drop_bust", {"bust": bust["bust"], "player": lost["player"], "why": "it was the other"}),
        ("report_bust", {"table": "01", "hand": bust["hand"], "out": [report]}),
        ("confirm_bust", {"busts": [bust["bust"]]}),
        ("correct_stack", {"player": lost["player"], "stack": stack}),
    ]
    record = room.entrant(lost["player"])["out_by"]
    wanted = {
        "record": record,
        "instead": [{"command": name, "arguments": given} for name, given in instead],
    }
    return wanted, lost["player"], won


def test_the_wrong_one_of_two_is_out_and_one_press_puts_the_other_out_with_the_chips(room: NightRoom) -> None:
    wanted, lost, won = wrongly_out(room)
    stacks = dict(room.tables["01"].sits.values())
    said = room.do("preview", wanted="replace", arguments=wanted).splitlines()
    assert said[0].startswith(f"Taken back: Bust confirmed: {lost}, place 4")
    assert said[1].startswith("Instead: ")
    assert f"{lost} is playing, not out." in said
    assert f"{won} is out, not playing." in said
    room.do("replace", **wanted)
    assert room.entrant(won)["place"] == 4
    stacks[lost] = stacks.pop(won)
    for _ in range(2):
        assert dict(room.tables["01"].sits.values()) == stacks
        assert room.shown["chips"]["missing"] == 0
        assert room.shown["busts"] == []
        room.kill_station()
    room.do("undo", record=newest(room))
    assert room.entrant(won)["status"] == "playing"
    assert out(room) == lost
    assert room.shown["chips"]["missing"] == 0


def test_a_replacement_is_done_whole_or_not_at_all(room: NightRoom) -> None:
    wanted, lost, _ = wrongly_out(room)
    wanted["instead"][-1]["arguments"]["player"] = "nobody"
    before = newest(room)
    reply = room.press("replace", **wanted)
    assert reply.refused
    assert "nobody sits at no table" in reply.text
    assert newest(room) == before
    assert room.entrant(lost)["status"] == "out"


def test_no_money_is_given_in_place_of_what_is_taken_back(room: NightRoom) -> None:
    wanted, lost, _ = wrongly_out(room)
    wanted["instead"] = [{"command": "pay_prize", "arguments": {"player": lost}}]
    reply = room.press("replace", **wanted)
    assert reply.refused
    assert "not pay_prize" in reply.text


def test_a_bust_is_not_confirmed_twice_at_once_and_who_is_out_of_chips_loses_none(room: NightRoom) -> None:
    assert room.press("confirm_bust", busts=["01-1", "01-1"]).text == "Name each bust once."
    penalty = {"player": out(room), "reason": "profanity", "kind": "warning", "removed": 500}
    assert room.press("give_penalty", **penalty).text == f"{out(room)} has no chips to lose: busted."
    assert room.shown["penalties"] == {}


def test_a_bust_that_cannot_be_is_not_reported(room: NightRoom) -> None:
    out = [{"player": "p1", "start_stack": 9}]
    assert room.press("report_bust", table="77", hand=2, out=out).text == "There is no table 77."
    room.do("buy", player=room.shown["busts"][0]["out"][0]["player"], kind="rebuy")
    assert room.press("report_bust", table="01", hand=2, out=out * 2).text == "Name each player once."
    assert room.shown["busts"] == []


def test_who_was_put_out_by_hand_comes_back_with_the_chips_of_before(room: NightRoom) -> None:
    """Nobody keys hands at this table; the director reported the wrong player."""
    room.do("buy", player=out(room), kind="rebuy")
    (wrong, stack), (right, _), *_ = room.tables["01"].sits.values()
    room.do("report_bust", table="01", hand=2, out=[{"player": wrong, "start_stack": stack}])
    room.do("confirm_bust", busts=["01-2"])
    assert wrong not in {player for player, _ in room.tables["01"].sits.values()}
    report = {"table": "01", "hand": 2, "out": [{"player": right, "start_stack": 9}]}
    instead = [
        {"command": "drop_bust", "arguments": {"bust": "01-2", "player": wrong, "why": "it was the other"}},
        {"command": "report_bust", "arguments": report},
        {"command": "confirm_bust", "arguments": {"busts": ["01-2"]}},
    ]
    room.do("replace", record=room.entrant(wrong)["out_by"], instead=instead)
    sits = dict(room.tables["01"].sits.values())
    assert sits[wrong] == stack
    assert right not in sits


def test_who_is_out_instead_has_the_place_that_is_free_then() -> None:
    """Another player went out in between and keeps the place; while that bust waits, it is named."""
    room = NightRoom()
    room.run_up(10)
    (winner, (won, _)), (loser, (lost, _)), *_ = sorted(room.tables["01"].sits.items())
    room.all_in("01", winner=winner, loser=loser)
    room.do("confirm_bust", busts=["01-1"])
    (winner, _), (loser, (later, _)), *_ = sorted(room.tables["02"].sits.items())
    room.all_in("02", winner=winner, loser=loser)
    instead = [
        ("drop_bust", {"bust": "01-1", "player": lost, "why": "it was the other"}),
        ("report_bust", {"table": "01", "hand": 1, "out": [{"player": won, "start_stack": 2_000, "by": [lost]}]}),
        ("confirm_bust", {"busts": ["01-1"]}),
    ]
    wanted = {
        "record": room.entrant(lost)["out_by"],
        "instead": [{"command": name, "arguments": given} for name, given in instead],
    }
    assert room.press("replace", **wanted).text == f"Decide the earlier bust first: {later} at table 02."
    assert room.press("break_table", table="02").text == f"Decide the pending bust first: {later} at table 02."
    room.do("confirm_bust", busts=["02-1"])
    room.do("replace", **wanted)
    assert (room.entrant(won)["place"], room.entrant(later)["place"]) == (10, 9)
    assert room.entrant(lost)["status"] == "playing"
