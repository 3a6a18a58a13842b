"""What the station says of its field for whoever shows it on air."""

from __future__ import annotations

import msgspec
import pytest

from feltwire.runtime.broker import topics
from feltwire.runtime.node_io import Publish
from feltwire.station.chip_colours import field_chips
from table_core.messages import EARLIEST_WRITTEN, MESSAGES_VERSION, TournamentField, WallSound, write_as
from table_core.tournament.chips.handout import OwnChips
from tests.feltwire.night_room import NightRoom

TOPIC = "fw/hall/tournament/field"


@pytest.fixture
def room() -> NightRoom:
    room = NightRoom(("01",))
    room.run_up(4, name="Friday")
    return room


@pytest.fixture
def two_tables() -> NightRoom:
    room = NightRoom(("01", "02"))
    room.run_up(8, name="Friday")
    return room


def said(room: NightRoom) -> list[TournamentField]:
    published = [one for one in room.station.effects if isinstance(one, Publish) and one.topic == TOPIC]
    assert all(one.retain and topics.may_be_retained(one.topic) for one in published)
    return [msgspec.json.decode(one.payload, type=TournamentField) for one in published]


def last(room: NightRoom) -> TournamentField:
    room.wait(5_000)
    return said(room)[-1]


def test_players_by_chips_with_their_seats(room: NightRoom) -> None:
    field = last(room)
    assert (field.event, field.left, field.entrants) == ("Friday", 4, 4)
    assert {one.stack for one in field.players} == {2_000}
    sits = {(one.player, one.seat) for one in field.players}
    assert sits == {(who, seat) for seat, (who, _) in room.tables["01"].sits.items()}


def registered(*names: str, **said: str) -> NightRoom:
    room = NightRoom(("01",))
    room.do("open", house={"starting_stack": 2_000}, name="Friday")
    for no, name in enumerate(names, 1):
        room.do("register_new", name=name, member=True, adult=True, **said)
        room.do("enter", player=f"p{no}")
    return room


def called(room: NightRoom) -> dict[str, str]:
    return {one.player: one.name for one in last(room).players}


def test_they_have_the_names_of_the_register_where_the_players_chose_that() -> None:
    room = registered("Ann Example", "Bo Example", shown="name")
    assert called(room) == {"p1": "Ann Example", "p2": "Bo Example"}
    room.do("correct_name", player="p2", name="Bo Sample")
    assert called(room) == {"p1": "Ann Example", "p2": "Bo Sample"}


def test_who_chose_nothing_is_shown_by_initials_and_two_of_them_stay_apart() -> None:
    room = registered("Ann Bell", "Al Berg", "Cy Dow")
    assert called(room) == {"p1": "A.B.", "p2": "A.B. 2", "p3": "C.D."}
    assert room.do("show_as", player="p3", shown="number") == "The public reads Cy Dow by number."
    room.do("show_as", player="p1", shown="name")
    assert called(room) == {"p1": "Ann Bell", "p2": "A.B.", "p3": "#3"}
    said = room.do("show_as", player="p1")
    assert said == "The public reads Ann Bell by initials, as the club has it."
    assert called(room)["p1"] == "A.B."


def test_the_choice_is_kept_on_the_disk_and_goes_with_the_name() -> None:
    room = registered("Ann Bell", "Bo Cole")
    room.do("show_as", player="p1", shown="name")
    room.kill_station()
    assert called(room) == {"p1": "Ann Bell", "p2": "B.C."}
    room.do("forget_player", player="p1")
    assert (called(room)["p1"], room.station.shown["p1"]) == ("p1", "")


def test_what_is_no_choice_is_refused() -> None:
    room = registered("Ann Bell")
    assert (
        room.press("show_as", player="p1", shown="face").text == "A player is shown by name, initials or number."
    )
    assert room.press("show_as", player="p9", shown="name").text == "No name is kept for p9."
    assert room.press("register_new", name="Bo", shown="Bo").refused


def test_a_list_of_players_may_say_it() -> None:
    room = NightRoom(("01",))
    room.do("open", house={"starting_stack": 2_000}, name="Friday")
    room.do("import_players", text="name,adult,member,shown\nAnn Bell,yes,yes,name\nBo Cole,yes,yes,\n")
    for player in ("p1", "p2"):
        room.do("enter", player=player)
    assert called(room) == {"p1": "Ann Bell", "p2": "B.C."}
    again = "name,shown\nAnn Bell,initials\nCy Dow,face\n"
    assert "shown is 'face'; write name, initials or number" in room.press("import_players", text=again).text


def test_while_a_hand_is_played_stacks_are_those_at_its_beginning(room: NightRoom) -> None:
    room.begin_hand("01")
    assert {one.stack for one in last(room).players} == {2_000}


def test_who_goes_out_has_a_place_and_a_table(room: NightRoom) -> None:
    seats = sorted(room.tables["01"].sits)
    loser = room.tables["01"].sits[seats[1]][0]
    room.all_in("01", winner=seats[0], loser=seats[1])
    room.do("confirm_bust", busts=[room.shown["busts"][0]["bust"]])
    field = last(room)
    assert [(one.player, one.place, one.table) for one in field.out] == [(loser, 4, "01")]
    most = max(stack for _, stack in room.tables["01"].sits.values())
    assert (field.left, field.players[0].stack, field.winner) == (3, most, "")


def test_the_winner_is_named_when_the_event_is_over(room: NightRoom) -> None:
    room.play_to_the_end()
    field = last(room)
    assert ([one.place for one in field.out], field.left) == ([2, 3, 4], 1)
    assert [one.name for one in field.players] == [field.winner]


def test_it_is_said_again_only_where_it_differs(room: NightRoom) -> None:
    last(room)
    before = len(said(room))
    room.wait(60_000)
    assert len(said(room)) == before


def test_a_room_of_the_version_before_does_without() -> None:
    write_as(EARLIEST_WRITTEN)
    try:
        room = NightRoom(("01",))
        room.run_up(3, name="Friday")
        room.wait(5_000)
        assert said(room) == []
    finally:
        write_as(MESSAGES_VERSION)


def test_who_goes_out_and_the_final_table_are_said_once_for_every_screen(two_tables: NightRoom) -> None:
    room = two_tables
    last(room)
    assert said(room)[-1].moments == (), "nothing of before is heard again"
    table = room.tables["01"]
    seats = sorted(table.sits)
    room.all_in("01", winner=seats[0], loser=seats[1])
    room.do("confirm_bust", busts=[room.shown["busts"][0]["bust"]])
    (moment,) = last(room).moments
    assert (moment.what, moment.boot) == (WallSound.BUST, room.station.boot)
    before = len(said(room))
    room.wait(60_000)
    assert [one.moments for one in said(room)[before:]] == [] or said(room)[-1].moments == (moment,)


def test_a_night_says_that_it_has_not_started_and_that_it_is_over(room: NightRoom) -> None:
    early = NightRoom(("01",))
    early.do("open", house={"starting_stack": 2_000}, name="Friday")
    assert (last(early).started, last(early).over) == (False, False)
    assert (last(room).started, last(room).over) == (True, False)
    room.play_to_the_end()
    assert last(room).over


def test_chips_have_the_colours_that_the_club_typed() -> None:
    chips = field_chips((OwnChips("Green", 25, 200), OwnChips("weiß", 100, 200), OwnChips("zebra", 500, 20)))
    assert [(one.name, one.dark) for one in chips] == [("Green", True), ("weiß", False), ("zebra", False)]
    assert [one.colour is not None for one in chips] == [True, True, False]
