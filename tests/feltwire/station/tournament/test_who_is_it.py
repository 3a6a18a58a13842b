"""Who a name is: nobody on file is given a second id unasked, a ban follows the name, an id is given once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from feltwire.runtime.node_io import Choice, Reply
from feltwire.station.players_store import PlayersStore
from table_core.notices import PenaltyKind
from table_core.tournament.events import OnFile
from table_core.tournament.money.league import EventResult, Finisher
from tests.feltwire.night_room import NightRoom

BANNED = (OnFile("p1", "2026-11-20", PenaltyKind.BANNED, "cheating", "house.conduct"),)
NEW = {"member": True, "adult": True}


@pytest.fixture
def room() -> NightRoom:
    room = NightRoom(on_file=BANNED)
    room.station.names |= {"p1": "José Peña", "p2": "Ann Lee"}
    room.kill_station()
    room.do("open", house={"starting_stack": 2_000})
    return room


def pressed(room: NightRoom, choice: Choice) -> Reply:
    return room.press(choice.command, **choice.arguments)


def chosen(reply: Reply, words: str) -> Choice:
    return next(one for one in reply.choices if one.words == words)


@pytest.mark.parametrize(
    "name", ["José Peña", "JOSE\u0301  PEN\u0303A", "José\u00a0Peña", "Peña, José", "Jоsé\u200b Pеñа"]
)
def test_a_banned_players_name_is_refused_however_it_is_written(room: NightRoom, name: str) -> None:
    reply = room.press("register_new", name=name, **NEW)
    assert (reply.refused, reply.rule) == (True, "house.conduct")
    assert "José Peña (p1), banned on 2026-11-20: cheating" in reply.text
    assert "banned on 2026-11-20: cheating" in room.press("register", player="p1", **NEW).text
    listed = room.press("import_players", text=f'name,member,adult\n"{name}",yes,yes\n')
    assert "banned on 2026-11-20: cheating" in listed.text
    assert room.press("register", player=name, **NEW).refused
    assert room.shown["field"] == []


@pytest.mark.parametrize(
    "name", ["Jose Pena", "Peña José", "JoséPeña", "José Peña Ruiz", "J. Peña", "José Peña Jr."]
)
def test_what_is_perhaps_a_banned_players_name_is_asked_and_a_second_press_goes_on(
    room: NightRoom, name: str
) -> None:
    reply = room.press("register_new", name=name, **NEW)
    assert reply.refused
    assert not reply.rule
    lead, who = reply.text.splitlines()
    assert lead == "On file with a name that is perhaps the same. Is it another person?"
    assert who == "José Peña (p1), banned on 2026-11-20: cheating"
    assert [one.words for one in reply.choices] == ["It is José Peña (p1)", "Another person"]
    assert "banned on 2026-11-20" in pressed(room, chosen(reply, "It is José Peña (p1)")).text
    assert not pressed(room, chosen(reply, "Another person")).refused
    assert [one["player"] for one in room.shown["field"]] == ["p3"]
    assert room.station.apart == [("p3", "p1")]


def test_a_birthday_tells_two_of_one_name_apart_and_goes_with_the_name(room: NightRoom) -> None:
    assert room.press("register_new", name="Kim Lee", born="1988-02-30", **NEW).text == (
        "Write the birthday as 1991-03-02."
    )
    room.do("register_new", name="Kim Lee", born="1988-02-03", **NEW)
    room.do("import_players", text="name,member,adult,born,another\nKim Lee,yes,yes,1990-04-05,yes\n")
    room.kill_station()
    asked = room.press("register_new", name="KIM LEE", **NEW).text.splitlines()[1:]
    assert asked == [
        "Kim Lee (p3), born 1988-02-03, member, registered",
        "Kim Lee (p4), born 1990-04-05, member, registered",
    ]
    room.do("register", player="p2", born="1970-06-07", **NEW)
    room.do("forget_player", player="p3")
    assert room.station.born == {"p2": "1970-06-07", "p3": "", "p4": "1990-04-05"}
    assert "line 2: born is 'noon'" in room.press("import_players", text="name,born\nCy Ash,noon\n").text


def test_in_a_list_a_spelling_that_is_exactly_on_file_is_that_player_of_several_of_one_name(
    room: NightRoom,
) -> None:
    room.do("add_player", name="ANN LEE", id="m9", another=["p2"])
    reply = room.press("import_players", text="name,member,adult\nAnn Lee,yes,yes\n")
    assert not reply.refused
    assert [one["player"] for one in room.shown["field"]] == ["p2"]
    reply = room.press("import_players", text="name,member,adult\nann lee,yes,yes\n")
    assert "the register has ann lee as p2 and m9: write which as id" in reply.text


def test_in_a_list_what_is_perhaps_on_file_is_asked_about_and_a_column_answers(room: NightRoom) -> None:
    text = "name,member,adult,another\nLee Ann,yes,yes,{}\nBo Ek,yes,yes,\nBø Ek,yes,yes,{}\n"
    reply = room.press("import_players", text=text.format("no", "no"))
    assert reply.text.splitlines() == [
        "Nobody is registered: 2 of 3 lines are wrong.",
        "line 2: Lee Ann is perhaps Ann Lee (p2): write the id, or `another` yes for another person",
        "line 4: Bø Ek is perhaps who stands in line 3: leave one out, or write `another` yes",
    ]
    room.do("import_players", text=text.format("yes", "yes"))
    assert [one["name"] for one in room.shown["field"]] == ["Lee Ann", "Bo Ek", "Bø Ek"]
    assert ("p3", "p2") in room.station.apart


def test_somebody_on_file_who_comes_again_is_that_player(room: NightRoom) -> None:
    reply = room.press("register_new", name="ann  lee", **NEW)
    assert reply.text == "On file with this name. Is it another person?\nAnn Lee (p2)"
    assert not pressed(room, chosen(reply, "It is Ann Lee (p2)")).refused
    assert [(one["player"], one["name"]) for one in room.shown["field"]] == [("p2", "Ann Lee")]
    again = room.press("register_new", name="Ann Lee", **NEW)
    assert "Ann Lee (p2), member, registered" in again.text
    assert [one.words for one in again.choices] == ["Another person"]


def test_whoever_was_told_apart_once_is_not_asked_about_again_in_a_later_life_of_the_station(
    room: NightRoom,
) -> None:
    room.do("add_player", name="Jose Pena", another=["p1"])
    room.kill_station()
    room.do("register", player="p3", **NEW)
    assert room.station.apart == [("p3", "p1")]


def test_another_entry_on_file_with_a_banned_players_name_is_not_let_in_unasked() -> None:
    room = NightRoom(on_file=BANNED)
    room.station.names |= {"p1": "José Peña", "p7": "JOSÉ PEÑA", "p8": "Jose Pena"}
    room.kill_station()
    room.do("open", house={"starting_stack": 2_000})
    for player in ("p7", "p8"):
        reply = room.press("register", player=player, **NEW)
        assert "José Peña (p1), banned on 2026-11-20" in reply.text
        assert not pressed(room, chosen(reply, "Another person")).refused
    assert [one["player"] for one in room.shown["field"]] == ["p7", "p8"]


def test_entries_on_file_with_one_name_are_listed_in_the_queue_and_never_merged_unasked() -> None:
    room = NightRoom()
    room.station.names |= {"p1": "José Peña", "p7": "JOSE\u0301 PEN\u0303A", "p8": "Ann Lee"}
    room.kill_station()
    room.wait(1_000)
    (item,) = [
        one for one in json.loads(room.station.pages["queue"])["items"] if one["id"].startswith("same-name")
    ]
    assert item["fact"] == "José Peña (p1) and JOSE\u0301 PEN\u0303A (p7) are one name."
    assert room.station.names.keys() == {"p1", "p7", "p8"}
    room.do(item["primary"]["command"], **item["primary"]["arguments"])
    room.wait(1_000)
    assert json.loads(room.station.pages["queue"])["items"] == []


def test_the_entry_that_is_given_to_a_name_on_file_is_asked_about(room: NightRoom) -> None:
    room.do("register_new", name="Bo Ek", **NEW)
    reply = room.press("give_entry", player="p3", name="Lee, Ann", why="misheard")
    assert not pressed(room, chosen(reply, "It is Ann Lee (p2)")).refused
    assert [one["player"] for one in room.shown["field"]] == ["p2"]


@pytest.mark.parametrize(
    "name", ["Ann\x00Lee", "Ann\nLee", "Ann\u202eeeL", "\u2067Ann", "x" * 101, "\u200b", "\u2800"]
)
def test_what_is_no_name_passes_no_door(room: NightRoom, name: str) -> None:
    before = dict(room.station.names)
    for command in ("register_new", "add_player"):
        assert room.press(command, name=name).refused
    for command in ("register", "enter"):
        assert room.press(command, player=name, **(NEW if command == "register" else {})).refused
    assert (
        "Nobody is registered" in room.press("import_players", text=f'name,member,adult\n"{name}",yes,yes\n').text
    )
    assert room.station.names == before
    assert room.shown["field"] == []


# ------------------------------------------------------------------------------------------ ids


def test_an_id_is_never_given_again_nor_chosen_again(room: NightRoom) -> None:
    room.do("register_new", name="Bo Ek", **NEW)
    room.do("cancel", player="p3")
    room.do("forget_player", player="p3")
    assert "nobody gets that id again" in room.press("add_player", name="Cy Ash", id="p3").text
    assert "nobody gets that id again" in room.press("register_new", name="Cy Ash", id="p3").text
    assert "nobody gets that id again" in room.press("import_players", text="id,name\np3,Cy Ash\n").text
    for other in ("P3", "p３"):
        assert "That id is taken" in room.press("register_new", name="Cy Ash", id=other).text
    room.kill_station()
    room.do("register_new", name="Cy Ash", **NEW)
    assert [one["player"] for one in room.shown["field"] if one["status"] == "registered"] == ["p4"]


def test_a_newcomer_gets_no_id_that_the_season_has() -> None:
    room = NightRoom()
    room.station.season = (EventResult("Friday", 2, (Finisher("p1", 1), Finisher("p9", 2))),)
    room.kill_station()
    room.do("open", house={"starting_stack": 2_000})
    room.do("register_new", name="Bo Ek", **NEW)
    assert [one["player"] for one in room.shown["field"]] == ["p10"]


def test_forgetting_a_banned_player_says_that_the_ban_ends_and_ends_it_only_when_told_to(room: NightRoom) -> None:
    reply = room.press("forget_player", player="p1")
    assert reply.refused
    assert "José Peña (p1) is banned on 2026-11-20: cheating." in reply.text
    assert room.station.names["p1"] == "José Peña"
    done = pressed(room, chosen(reply, "Delete the name, and end that"))
    assert "p1 is no longer banned" in done.text
    room.do("register_new", name="José Peña", **NEW)
    assert [one["player"] for one in room.shown["field"]] == ["p3"]
    assert "nobody gets that id again" in room.press("register", player="p1", **NEW).text


def test_whoever_is_forgotten_and_is_perhaps_on_file_a_second_time_is_named() -> None:
    room = NightRoom()
    room.station.names |= {"p1": "Nikolina Babić", "p2": "Nikolina Babic", "p3": "Nikolina Babić-Kos"}
    room.kill_station()
    room.do("tell_apart", one="p1", other="p3")
    said = room.do("forget_player", player="p1")
    assert said.endswith("which nobody else gets. Still on file: Nikolina Babic (p2).")


def test_what_is_kept_of_people_is_on_the_disk(tmp_path: Path) -> None:
    store = PlayersStore.open(tmp_path)
    store.save("p1", "Ann Lee", "1991-03-02")
    store.save("p2", "Lee Ann")
    assert store.born() == {"p1": "1991-03-02"}
    store.keep_apart("p2", "p1")
    store.keep_apart("p1", "p2")
    store.close()
    store = PlayersStore.open(tmp_path)
    assert store.apart() == (("p1", "p2"),)
    store.save("p1", "")
    assert store.known() == {"p2": "Lee Ann", "p1": ""}
    assert store.born() == {}
    assert store.apart() == ()
    store.close()


def test_a_spelling_is_corrected_wherever_the_player_is_named(room: NightRoom) -> None:
    room.do("register", player="p2", **NEW)
    assert room.do("correct_name", player="p2", name="Anne  Lee", born="1991-03-02") == "Ann Lee (p2) is Anne Lee."
    assert room.entrant("p2")["name"] == "Anne Lee"
    room.kill_station()
    assert room.entrant("p2")["name"] == "Anne Lee"
    assert "born 1991-03-02" in room.press("register_new", name="anne lee", **NEW).text


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"player": "p9", "name": "Ann Lea"}, "No name is kept for p9."),
        ({"player": "p2", "name": "\0"}, "name"),
        ({"player": "p2", "name": "Ann Lee", "born": "2 March"}, "Write the birthday as 1991-03-02."),
        (
            {"player": "p2", "name": "Jose Pena"},
            "On file with a name that is perhaps the same. Is it another person?",
        ),
    ],
)
def test_a_correction_is_refused_with_words(room: NightRoom, arguments: dict[str, str], said: str) -> None:
    reply = room.press("correct_name", **arguments)
    assert reply.refused
    assert said in reply.text


def test_a_banned_players_name_was_misspelt_and_the_ban_goes_with_it(room: NightRoom) -> None:
    room.do("correct_name", player="p1", name="José Pena")
    asked = room.press("correct_name", player="p1", name="José Peñas")
    assert asked.refused
    assert "banned on 2026-11-20: cheating" in asked.text
    assert "keeps out José Peñas, and nobody who is called José Pena" in asked.text
    assert not pressed(room, chosen(asked, "It is José Peñas")).refused
    assert "banned on 2026-11-20: cheating" in room.press("register_new", name="José Peñas", **NEW).text


def test_a_correction_that_is_perhaps_somebody_else_is_asked_once(room: NightRoom) -> None:
    asked = room.press("correct_name", player="p2", name="J. Peña")
    assert pressed(room, chosen(asked, "Another person")).text == "Ann Lee (p2) is J. Peña."
    assert not room.press("correct_name", player="p2", name="J Peña").refused
