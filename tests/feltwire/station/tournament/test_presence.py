"""Who is away by the director's word, as the tables deal: leaving and coming back, time-outs, dealt out."""

from __future__ import annotations

import pytest

from table_core.messages import HandKilled, Key, SeatsChanged
from tests.feltwire.night_room import NightRoom
from tests.feltwire.station.tournament.test_seats_at_tables import play, seated


def away_at(room: NightRoom, table: str = "01") -> list[int]:
    return [seat for seat, held in sorted(room.tables[table].node.table.seats.items()) if held.away]


def killed(room: NightRoom, table: str = "01") -> list[tuple[int, str]]:
    log = room.tables[table].node.table.hand_log
    return [(one.event.seat, one.event.rule) for one in log if isinstance(one.event, HandKilled)]


@pytest.mark.rule("rpl.tournaments.6", "rpl.tournaments.12", "rpl.blindrules.7")
def test_rpl_who_leaves_between_hands_is_dealt_in_posts_blinds_and_the_hand_dies_with_the_action() -> None:
    room = seated("rpl", "01/1 01/2 01/3 01/4")
    play(room, "01")
    room.do("leave", player="p4")  # due for the big blind
    assert away_at(room) == [4]
    room.begin_hand("01")
    assert [one.seat for one in room.tables["01"].node.table.began().seats] == [1, 2, 3, 4]
    for key in (Key.CHECK_CALL, Key.FOLD, Key.FOLD):  # seats 1, 2 and 3: the action is at seat 4
        assert killed(room) == []
        room.tables["01"].press(key)
        room.deliver()
    assert killed(room) == [(4, "rpl.tournaments.12")]
    room.finish("01", winner=1, loser=4)
    assert room.tables["01"].sits[4] == ("p4", 1_900)
    room.do("return", player="p4")
    assert away_at(room) == []
    assert play(room, "01")["posted"] == {"small_blind": 4, "big_blind": 1}


@pytest.mark.rule("rpl.tournaments.12")
def test_rpl_who_leaves_in_a_hand_has_a_dead_hand_once_the_action_is_there_and_a_live_one_if_back_before() -> None:
    room = seated("rpl", "01/1 01/2 01/3 01/4 01/5")
    room.begin_hand("01")
    room.do("leave", player="p5")
    room.do("leave", player="p1")
    assert killed(room) == [], "seat 4 acts first"
    room.do("return", player="p1")
    room.tables["01"].press(Key.FOLD)
    room.deliver()
    assert killed(room) == [(5, "rpl.tournaments.12")]
    legal = room.tables["01"].view.legal
    assert legal is not None
    assert legal.seat == 1


@pytest.mark.rule("ccp.leaving.1", "ccp.leaving.2")
def test_an_undo_of_the_absence_has_the_player_back_at_the_table() -> None:
    room = seated("ccp", "01/1 01/2 01/3 01/4")
    play(room, "01")
    room.do("leave", player="p2")
    assert away_at(room) == [2]
    room.do("undo", record=room.shown["log"][0]["no"])
    assert away_at(room) == []


def test_a_dealer_s_undo_takes_back_the_dealer_s_press_and_not_the_director_s() -> None:
    room = seated("rpl", "01/1 01/2 01/3 01/4 01/5")
    room.begin_hand("01")
    table = room.tables["01"]
    table.press(Key.FOLD)  # seat 4
    room.do("leave", player="p2")
    table.press(Key.UNDO)
    room.deliver()
    legal = table.view.legal
    assert legal is not None
    assert legal.seat == 4
    assert away_at(room) == [2], "told again, because the records have it"


@pytest.mark.rule("wfp.infractions.3a", "wfp.procedures.8")
def test_wfp_a_time_out_begins_with_the_next_hand_its_hands_are_killed_and_it_ends_with_the_recall() -> None:
    room = seated("wfp", "01/1 01/2 01/3 01/4")
    room.begin_hand("01")
    room.do("give_penalty", player="p1", reason="shouted", kind="time_out")
    assert away_at(room) == []
    room.finish("01", winner=0, loser=0)
    assert away_at(room) == [1]
    room.kill_station()
    room.begin_hand("01")
    assert [one.seat for one in room.tables["01"].node.table.began().seats] == [1, 2, 3, 4]
    room.finish("01", winner=0, loser=0)
    assert 1 in [seat for seat, _ in killed(room)]
    room.tables["01"].press("1", Key.AWAY)  # the dealer sees the player come back too early
    room.deliver()
    room.wait(1_000)
    assert away_at(room) == [1], "until the director recalls"
    assert not room.entrant("p1")["away"], "a time-out is no absence"
    room.do("end_time_out", penalty="penalty-1")
    assert away_at(room) == []


@pytest.mark.rule("wfp.procedures.23", "rpl.tournaments.25")
@pytest.mark.parametrize("book", ["wfp", "rpl"])
def test_who_is_dealt_out_gets_no_cards_and_posts_nothing_until_called_back(book: str) -> None:
    room = seated(book, "01/1 01/2 01/3 01/4")
    play(room, "01")
    room.do("give_penalty", player="p4", reason="threw cards off the table", kind="dealt_out", hands=2)
    hand = play(room, "01")
    assert hand["dealt"] == (1, 2, 3)
    assert hand["posted"] == {"small_blind": 3, "big_blind": 1}
    assert play(room, "01")["dealt"] == (1, 2, 3)
    assert room.tables["01"].sits[4] == ("p4", 2_000)
    room.do("end_time_out", penalty="penalty-1")
    assert play(room, "01")["dealt"] == (1, 2, 3, 4)


@pytest.mark.rule("rpl.tournaments.25")
def test_who_is_dealt_out_and_moved_sits_down_dealt_out() -> None:
    """With the seat itself, so that no hand can begin between the two."""
    room = seated("rpl", "01/1 01/2 01/3 01/4 01/5 01/6 02/1 02/2 02/3 02/4")
    play(room, "01")
    play(room, "02")
    (move,) = room.shown["proposals"]["moves"]
    room.do("give_penalty", player=move["player"], reason="threw cards", kind="dealt_out", hands=20)
    room.do("confirm_move", player=move["player"])
    table, seat = room.seat_of(move["player"])
    changed = [one.data for one in room.tables[table].envelopes if isinstance(one.data, SeatsChanged)][-1]
    assert (table, changed.away, changed.no_cards) == ("02", (seat,), (seat,))
    assert seat not in play(room, table)["dealt"]


def test_who_is_dealt_out_keeps_seat_and_chips_where_nobody_observed_the_hand() -> None:
    room = seated("wfp", "01/1 01/2 01/3 01/4")
    play(room, "01")
    room.do("give_penalty", player="p4", reason="threw cards off the table", kind="dealt_out", hands=2)
    table = room.tables["01"]
    table.press(Key.NEW_HAND, Key.FOLD)
    table.press(Key.NEW_HAND, Key.NEW_HAND)
    room.deliver()
    assert [one.seat for one in table.node.table.began().seats] == [1, 2, 3]
    assert table.sits[4] == ("p4", 2_000)
    assert away_at(room) == [4]
