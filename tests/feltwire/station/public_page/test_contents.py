"""What the station makes of a night for the public page, and when."""

from __future__ import annotations

import json
import re
from itertools import pairwise

from msgspec.structs import replace

from display.public_page import PAGES, SPOKEN
from feltwire.config import PublicPageConfig
from feltwire.station.station_io import PublicPageSeen
from table_core.messages import QueueView, decode
from tests.display.public_room import PEOPLE, PublicRoom, files_of


def text_of(room: PublicRoom) -> str:
    return b"\n".join(files_of(room.newest()).values()).decode()


def test_it_is_off_until_it_is_switched_on() -> None:
    room = PublicRoom(public=PublicPageConfig())
    room.begin(*PEOPLE)
    room.wait(120_000)
    assert room.made == []


def test_it_has_stacks_seats_payouts_and_the_clock() -> None:
    room = PublicRoom()
    room.begin(*PEOPLE)
    live = room.newest().contents["live"]
    assert (live["event"], live["left"], live["entrants"], live["payouts"]) == ("Friday", 10, 10, [30_000, 20_000])
    assert {one["stack"] for one in live["players"]} == {2_000}
    assert [len(one["seats"]) for one in live["tables"]] == [5, 5]
    clock = live["clock"]
    assert (clock["running"], clock["level"]["no"], clock["level"]["big_blind"]) == (True, 1, 100)
    assert clock["ends"] - room.made[-1].wall == clock["left_ms"]


def test_every_file_names_players_as_they_chose_and_nobody_by_the_full_name() -> None:
    room = PublicRoom()
    room.begin(*PEOPLE[:4])
    room.do("show_as", player="p3", shown="number")
    text = text_of(room)
    assert {"A.B.", "A.B. 2", "#3", "M.L.O."} <= {*re.findall(r">([^<>]+)</bdi>", text)}
    assert not any(name in text for name in PEOPLE[:4])
    room.do("show_as", player="p1", shown="name")
    assert "Ann Bell" in text_of(room)


def test_who_is_forgotten_is_gone_from_every_file_with_the_next_update_old_results_too() -> None:
    room = PublicRoom(("01",))
    room.begin("Ann Bell", "Bo Cole", "Cy Dow")
    for player in ("p1", "p2", "p3"):
        room.do("show_as", player=player, shown="name")
    room.play_to_the_end()
    room.do("add_result")
    room.do("close_event", anyway="prizes are paid tomorrow")
    assert "Ann Bell" in text_of(room)
    room.do("forget_player", player="p1")
    text = text_of(room)
    assert "Ann Bell" not in text
    assert {"p1", "Bo Cole"} <= {*re.findall(r">([^<>]+)</bdi>", text)}


def test_results_and_season_stay_after_the_event_is_put_aside() -> None:
    room = PublicRoom(("01",))
    room.begin(*PEOPLE[:3])
    room.play_to_the_end()
    room.do("add_result")
    room.do("close_event", anyway="prizes are paid tomorrow")
    contents = room.newest().contents
    assert contents["live"] is None
    (event,) = contents["results"]
    assert (event["event"], [one["place"] for one in event["places"]]) == ("Friday", [1, 2, 3])
    assert [one["prize"] for one in event["places"]] == [9_000, 6_000, 0]
    assert contents["season"]["events"] == ["Friday"]
    room.kill_station()
    assert room.newest().contents == contents


def test_what_the_house_does_not_post_is_on_no_page() -> None:
    room = PublicRoom(("01",))
    room.begin(*PEOPLE[:3], money_posted=False)
    room.play_to_the_end()
    contents = room.newest().contents
    assert contents["live"]["payouts"] == []
    assert {one["prize"] for one in contents["live"]["out"]} == {None}
    assert {one["prize"] for one in contents["results"][0]["places"]} == {None}


def test_there_is_no_card_in_it() -> None:
    room = PublicRoom(("01",))
    room.begin(*PEOPLE[:3])
    room.begin_hand("01")
    said = json.dumps(room.newest().contents)
    assert not re.search(r'"[2-9TJQKA][cdhs]"', said)
    assert not {"hole", "board", "cards"} & {*re.findall(r'"(\w+)":', said)}


def test_it_is_made_where_something_changed_and_each_minute_of_a_tournament() -> None:
    room = PublicRoom(public=replace(PublicPageConfig(folder="/srv/site"), every_s=20))
    room.begin(*PEOPLE)
    room.wait(20_000)
    for _ in range(30):
        room.do("pause")
        room.do("resume")
        room.wait(2_000)
    gaps = [after.wall - before.wall for before, after in pairwise(room.made)]
    assert min(gaps) >= 20_000
    assert len(gaps) >= 3
    room.wait(20_000)
    before = len(room.made)
    room.wait(180_000)
    assert len(room.made) == before + 3
    assert room.made[-1].live
    quiet = PublicRoom()
    quiet.wait(60_000)
    before = len(quiet.made)
    quiet.wait(600_000)
    assert len(quiet.made) == before
    assert not quiet.made[-1].live


def test_that_it_is_not_where_people_read_it_is_in_the_queue_until_it_is() -> None:
    room = PublicRoom()

    def said() -> list[str]:
        room.wait(2_000)
        items = decode(room.station.pages["queue"], QueueView).items
        return [one.fact for one in items if "public page" in one.fact]

    room.station.give(PublicPageSeen("The command rsync failed with status 23: no space. Again in 5 s."))
    assert said() == [
        "The public page is not up to date: The command rsync failed with status 23: no space. Again in 5 s."
    ]
    room.station.give(PublicPageSeen())
    assert said() == []


def test_every_page_is_there_in_every_language_and_is_whole_without_a_script() -> None:
    room = PublicRoom()
    room.begin(*PEOPLE)
    files = files_of(room.newest(), "de")
    assert {f"{page}.{language}.html" for page in PAGES for language in SPOKEN} <= files.keys()
    assert files["index.html"] == files["index.de.html"]
    for name in files:
        if name.endswith(".html"):
            page = files[name].decode()
            assert not [one for one in ("<script>", "style=", "http://") if one in page]
    assert json.loads(files["live.json"])["live"]["left"] == 10


def test_names_are_text_in_it_whatever_they_look_like() -> None:
    room = PublicRoom(("01",))
    room.do("open", house={"starting_stack": 2_000}, name="<b>Friday</b>")
    room.register('<script>alert("x")</script>', "</script><b>Bo", shown="name")
    text = text_of(room)
    assert not [one for one in ("<script>alert", "<b>Bo", "<b>Friday") if one in text]
