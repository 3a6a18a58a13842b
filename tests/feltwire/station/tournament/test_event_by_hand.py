"""The station in an event that no table reports: what waits for a person, tables that come later."""

from __future__ import annotations

import msgspec

from table_core.messages import CellState, QueueView
from tests.feltwire.night_room import NightRoom
from tests.feltwire.station_by_hand import StationByHand


def test_without_a_table_an_event_is_by_hand_by_itself_and_nothing_waits() -> None:
    station = StationByHand()
    assert station.event["by_hand"] is True
    station.run_up(12)
    assert station.queue == []
    assert [(cell.table, cell.state) for cell in station.room.cells] == [
        ("01", CellState.BY_HAND),
        ("02", CellState.BY_HAND),
    ]
    shown = station.event
    assert shown["by_hand"] is True
    assert all(seat["there"] for table in shown["tables"] for seat in table["seats"])
    assert shown["chips"]["missing"] == 0
    station.wait(3_600_000)
    assert station.queue == []


def test_out_is_one_press_and_its_undo_says_what_it_changes() -> None:
    station = StationByHand()
    station.run_up(12)
    assert station.do("put_out", player="p3", by=["p4"]) == "Out: p3, place 12, won by p4."
    (out,) = station.event["tiles"]["outs"]
    assert (out["player"], out["place"]) == ("p3", 12)
    said = station.do("preview", wanted="undo", arguments={"record": out["record"]})
    assert "p3 is playing, not out." in said
    station.do("undo", record=out["record"])
    assert station.event["tiles"]["outs"] == []
    said = station.do("preview", wanted="buy", arguments={"player": "p3", "kind": "rebuy"})
    assert "p3 pays 20.00." in said


def test_unequal_tables_ask_who_moves_and_a_table_breaks_at_once() -> None:
    station = StationByHand()
    station.run_up(20)
    at_3 = [seat["player"] for seat in station.event["tiles"]["tables"][2]["seats"]]
    for player in at_3[:2]:
        station.do("put_out", player=player)
    assert station.queue == ["Table 03 breaks: 18 players are left. " + BREAKS]
    station.do("break_table", table="03")
    assert station.queue == []
    assert len(station.room.cells) == 2
    at_1 = [seat["player"] for seat in station.event["tiles"]["tables"][0]["seats"]]
    for player in at_1[:3]:
        station.do("put_out", player=player)
    (asked,) = station.queue
    assert asked.startswith("One player from table 02 to table 01")


BREAKS = "Its players take free seats at the other tables, each after the hand."


def test_a_table_that_is_connected_is_said_once_and_takes_over_with_counted_stacks() -> None:
    room = NightRoom()
    room.do("open", name="Friday", house={"starting_stack": 2_000}, by_hand=True)
    for no in (1, 2, 3):
        room.do("register", player=f"p{no}", member=True, adult=True)
        room.do("enter", player=f"p{no}")
    room.do("draw_seats", tables=["01"])
    room.do("set_button", table="01")
    room.do("start")
    room.wait(2_000)
    queue = msgspec.json.decode(room.station.pages["queue"], type=QueueView).items
    said = [item.fact for item in queue]
    assert any("is connected, and the event is played by hand" in one for one in said)
    assert "p1" not in {player for player, _ in room.tables["01"].sits.values()}
    room.do("put_out", player="p3")
    for player, stack in (("p1", 4_500), ("p2", 1_500)):
        room.do("count_stack", player=player, stack=stack)
    room.do("play_by_hand", on=False)
    room.wait(2_000)
    assert sorted(room.tables["01"].sits.values()) == [("p1", 4_500), ("p2", 1_500)]
    assert room.shown["chips"]["missing"] == 0
