"""Who comes in while it is played, as the tables deal: who gets cards, who posts, who has the button."""

from __future__ import annotations

import pytest

from feltwire.station.station_io import Directed
from table_core.messages import Key, Posted, Seat, SeatsChanged
from tests.feltwire.night_room import NightRoom


def seated(book: str, players: str, *, button: int = 1) -> NightRoom:
    """A night under `book`; `players` by seat, `01/1 01/3 02/1`: p1, p2, …"""
    room = NightRoom(book=book)
    places = [place.split("/") for place in players.split()]
    room.do("open", rulebook=book, house={"starting_stack": 2_000, "buy_in": 0}, starts=None)
    for no in range(1, len(places) + 1):
        room.do("register", player=f"p{no}", member=True, adult=True)
        room.do("enter", player=f"p{no}")
    room.do(
        "assign_seats",
        seats=[{"player": f"p{no}", "at": {"table": t, "seat": int(s)}} for no, (t, s) in enumerate(places, 1)],
    )
    for table in {table for table, _ in places}:
        sits = [int(seat) for at, seat in places if at == table]
        cards = ["As" if seat == button else f"{rank}c" for seat, rank in zip(sits, "23456789T", strict=False)]
        room.do("set_button", table=table, seats=sits, cards=cards)
    room.do("start")
    return room


def play(room: NightRoom, table: str) -> dict[str, object]:
    """One hand that everybody folds: who was dealt in, the button, who posted what."""
    at = room.tables[table]
    room.begin_hand(table)
    began = at.node.table.began()
    posted = [one.event for one in at.node.table.hand_log if isinstance(one.event, Posted)]
    seen = {
        "dealt": tuple(one.seat for one in began.seats),
        "button": began.button,
        "posted": {one.what.value: one.seat for one in posted},
    }
    room.finish(table, winner=0, loser=0)
    return seen


def newcomer(room: NightRoom, at: str) -> None:
    table, seat = at.split("/")
    room.do("register", player="new", member=True, adult=True)
    room.do("enter", player="new")
    room.do("seat_player", player="new", at={"table": table, "seat": int(seat)})


@pytest.mark.rule("wfp.seating.5a", "wfp.procedures.12", "wfp.blindrules.5")
def test_wfp_between_button_and_small_blind_a_newcomer_gets_no_cards_until_the_button_has_passed() -> None:
    room = seated("wfp", "01/1 01/3 01/5 01/7")
    play(room, "01")
    newcomer(room, "01/4")
    assert room.shown["tables"][0]["waits"] == [4]
    assert play(room, "01") == {"dealt": (1, 3, 5, 7), "button": 3, "posted": {"small_blind": 5, "big_blind": 7}}
    assert room.shown["tables"][0]["waits"] == []
    assert play(room, "01") == {
        "dealt": (1, 3, 4, 5, 7),
        "button": 5,
        "posted": {"small_blind": 7, "big_blind": 1},
    }


@pytest.mark.rule("rpl.tournaments.16", "rpl.blindrules.5")
def test_rpl_a_newcomer_is_dealt_in_at_once_between_button_and_small_blind() -> None:
    room = seated("rpl", "01/1 01/3 01/5 01/7")
    play(room, "01")
    newcomer(room, "01/4")
    assert room.shown["tables"][0]["waits"] == []
    assert play(room, "01")["dealt"] == (1, 3, 4, 5, 7)


@pytest.mark.parametrize("book", ["rpl", "wfp"])
@pytest.mark.rule("rpl.tournaments.16", "wfp.procedures.12")
def test_a_newcomer_takes_the_duties_of_the_seat_big_blind_small_blind_and_button(book: str) -> None:
    """On the seat that is due for the big blind: this hand the big blind, the next one the small blind, then the
    button."""
    room = seated(book, "01/1 01/3 01/5 01/7")
    play(room, "01")
    newcomer(room, "01/6")
    hands = [play(room, "01") for _ in range(3)]
    assert [hand["posted"] for hand in hands[:2]] == [
        {"small_blind": 5, "big_blind": 6},
        {"small_blind": 6, "big_blind": 7},
    ]
    assert hands[2]["button"] == 6


@pytest.mark.rule("wfp.procedures.12", "rpl.tournaments.16")
@pytest.mark.parametrize("book", ["rpl", "wfp"])
def test_a_newcomer_on_the_empty_seat_that_is_due_for_the_button_gets_it(book: str) -> None:
    """The small blind went out, so the button goes to its seat; who sits down there has the button and cards."""
    room = seated(book, "01/1 01/3 01/5 01/7")
    room.all_in("01", winner=5, loser=3)
    (pending,) = room.shown["busts"]
    room.do("confirm_bust", busts=[pending["bust"]])
    newcomer(room, "01/3")
    assert play(room, "01") == {
        "dealt": (1, 3, 5, 7),
        "button": 3,
        "posted": {"small_blind": 5, "big_blind": 7},
    }


@pytest.mark.rule("rpl.blindrules.5", "rpl.tournaments.13")
def test_rpl_the_player_due_for_the_big_blind_moves_into_the_seat_that_is_due_for_it_and_posts_it() -> None:
    room = seated("rpl", "01/1 01/2 01/3 01/4 01/5 01/6 02/1 02/2 02/3 02/4 02/6")
    play(room, "01")  # the big blind was seat 3, seat 4 is due
    play(room, "02")
    room.all_in("02", winner=1, loser=6)  # the big blind was seat 4, seat 6 was due
    (pending,) = room.shown["busts"]
    room.do("confirm_bust", busts=[pending["bust"]])
    (move,) = room.shown["proposals"]["moves"]
    assert (move["player"], move["to"]) == ("p4", {"table": "02", "seat": 6})
    room.do("confirm_move", player="p4")
    assert room.seat_of("p4") == ("02", 6)
    assert play(room, "02")["posted"] == {"small_blind": 4, "big_blind": 6}


@pytest.mark.rule("rpl.tournaments.3", "rpl.tournaments.4", "rpl.tournaments.6")
def test_rpl_who_is_absent_has_a_stack_at_the_table_that_posts_blinds_and_is_dealt_in() -> None:
    room = NightRoom()
    room.do("open", rulebook="rpl", house={"starting_stack": 2_000})
    for no in range(1, 5):
        room.do("register", player=f"p{no}", adult=True)
        room.do("enter", player=f"p{no}")
    room.do("leave", player="p3")
    seats = [{"player": f"p{no}", "at": {"table": "01", "seat": no}} for no in range(1, 5)]
    room.do("assign_seats", seats=seats)
    room.do("set_button", table="01")
    room.do("start")
    table = room.tables["01"].node.table
    assert [seat for seat, held in table.seats.items() if held.away] == [3]
    assert room.tables["01"].sits[3] == ("p3", 2_000)
    assert play(room, "01") == {"dealt": (1, 2, 3, 4), "button": 1, "posted": {"small_blind": 2, "big_blind": 3}}
    second = play(room, "01")
    assert second["posted"] == {"small_blind": 3, "big_blind": 4}
    assert sum(stack for _, stack in room.tables["01"].sits.values()) == 8_000


@pytest.mark.rule("ccp.leaving.4")
def test_ccp_an_away_player_who_is_moved_is_away_at_the_new_table_too() -> None:
    room = seated("ccp", "01/1 01/2 01/3 01/4 01/5 01/6 02/1 02/2 02/3 02/4")
    play(room, "01")
    play(room, "02")
    (move,) = room.shown["proposals"]["moves"]
    room.do("leave", player=move["player"])
    room.do("confirm_move", player=move["player"])
    table, seat = room.seat_of(move["player"])
    assert table == "02"
    assert room.tables["02"].node.table.seats[seat].away
    assert room.entrant(move["player"])["away"]


@pytest.mark.rule("ccp.seating.5")
def test_ccp_the_ace_has_the_button_on_hand_one_the_two_and_the_three_post_the_blinds() -> None:
    room = NightRoom()
    room.do("open", rulebook="ccp", house={"starting_stack": 2_000})
    for name in ("Ann", "Bob", "Cy", "Dot"):
        room.do("register", player=name, member=True, adult=True)
        room.do("enter", player=name)
    cards = {"Ann": "3s", "Bob": "As", "Cy": "4s", "Dot": "2s"}
    drawn = [{"player": name, "card": card} for name, card in cards.items()]
    room.do("draw_seats", tables=["01"], drawn=drawn)
    room.do("set_button", table="01")
    room.do("start")
    hand = play(room, "01")
    sits = {who: seat for seat, (who, _) in room.tables["01"].sits.items()}
    assert hand["button"] == sits["Bob"]
    assert hand["posted"] == {"small_blind": sits["Dot"], "big_blind": sits["Ann"]}


@pytest.mark.rule("ccp.moving.8")
def test_ccp_who_is_moved_posts_the_big_blind_as_he_would_have_had_to_at_his_table() -> None:
    """The third left of the button goes out; the third left of the button moves, and is the big blind."""
    room = seated("ccp", "01/1 01/2 01/3 01/4 01/5 01/6 02/1 02/2 02/3 02/4 02/5")
    play(room, "01")
    room.all_in("02", winner=1, loser=4)
    (pending,) = room.shown["busts"]
    room.do("confirm_bust", busts=[pending["bust"]])
    (move,) = room.shown["proposals"]["moves"]
    assert (move["player"], move["to"]) == ("p4", {"table": "02", "seat": 4})
    room.do("confirm_move", player="p4")
    assert play(room, "02")["posted"] == {"small_blind": 3, "big_blind": 4}


@pytest.mark.rule("ccp.leaving.5")
def test_a_player_whom_the_dealer_keys_away_is_absent_until_the_dealer_keys_the_return() -> None:
    room = seated("ccp", "01/1 01/2 01/3 01/4")
    room.wait(1_000)
    room.tables["01"].press("3", Key.AWAY)
    room.deliver()
    (absence,) = room.shown["proposals"]["absences"]
    assert (absence["player"], absence["rule"]) == ("p3", "ccp.leaving.5")
    room.kill_station()
    assert len(room.shown["proposals"]["absences"]) == 1
    room.do("undo", record=room.shown["log"][0]["no"])
    assert room.shown["proposals"]["absences"] == [], "an undo stands: the key is not reported again"
    room.do("leave", player="p3")
    room.tables["01"].press("3", Key.AWAY)
    room.deliver()
    assert not room.entrant("p3")["away"]
    assert room.shown["log"][0]["by"] == "table 01"


@pytest.mark.parametrize("in_hand", [False, True])
def test_undo_of_away_at_the_table_stands_at_the_station_too(in_hand: bool) -> None:
    room = seated("base", "01/1 01/2 01/3 01/4")
    room.wait(1_000)
    if in_hand:
        room.begin_hand("01")
    room.tables["01"].press("3", Key.AWAY)
    room.deliver()
    assert room.entrant("p3")["away"]
    room.tables["01"].press(Key.UNDO)
    room.deliver()
    assert not room.tables["01"].node.table.seats[3].away
    assert not room.entrant("p3")["away"]
    room.tables["01"].press("0", Key.UNDO)
    room.deliver()
    assert room.tables["01"].node.table.seats[3].away, "REDO"
    assert room.entrant("p3")["away"]


@pytest.mark.rule("ccp.moving.4", "ccp.timer.7", "ccp.timer.8")
def test_ccp_the_timer_stops_for_a_move_and_the_player_gets_up_when_the_last_hand_is_over() -> None:
    room = seated("ccp", "01/1 01/2 01/3 01/4 01/5 01/6 02/1 02/2 02/3 02/4")
    play(room, "01")
    room.begin_hand("02")
    (move,) = room.shown["proposals"]["moves"]
    room.do("confirm_move", player=move["player"])
    room.wait(2_000)
    assert not room.station.clock.running
    assert room.seat_of(move["player"]) == ("01", move["start"]["seat"]), "table 02 is in its hand"
    assert any(player == move["player"] for player, _ in room.tables["01"].sits.values())
    room.finish("02", winner=0, loser=0)
    assert room.seat_of(move["player"]) == ("02", move["to"]["seat"])
    assert room.station.clock.running


def test_an_order_about_seats_is_the_same_order_whatever_happens_at_other_tables() -> None:
    """Its id names it: another one would reach a table that has carried it out already, and be refused as late."""
    room = seated("base", "01/1 01/2 01/3 01/4 02/1 02/2")
    room.begin_hand("01")
    room.do("confirm_move", player="p2", to={"table": "02", "seat": 5})
    (order,) = orders(room, "01")
    newcomer(room, "02/7")
    room.all_in("02", winner=1, loser=2)
    assert orders(room, "01") == [order]
    room.finish("01", winner=0, loser=0)
    assert orders(room, "01") == []
    assert room.seat_of("p2") == ("02", 5)
    assert room.alerts == ()


def test_who_moves_back_and_forth_brings_the_stack_of_the_table_left_last() -> None:
    room = seated("base", "01/1 01/2 01/3 02/1 02/2")
    room.do("confirm_move", player="p2", to={"table": "02", "seat": 5})
    room.all_in("02", winner=5, loser=1)
    won = room.tables["02"].sits[5]
    assert won > ("p2", 2_000)
    room.do("confirm_move", player="p2", to={"table": "01", "seat": 6})
    assert room.tables["01"].sits[6] == won


def orders(room: NightRoom, table: str) -> list[str]:
    """The ids of what the table is to be told about its seats."""
    node = room.station.node
    after = node._tables.known.seats_changed_at(table)
    return [command.id for command in node.tournament.orders.seats(table, after)]


def test_more_changes_of_chips_than_one_command_holds_reach_their_table_one_command_behind_the_other() -> None:
    room = NightRoom()
    room.run_up(6)
    table, seat = room.seat_of("p1")
    had = room.tables[table].node.table.seats[Seat(seat)].stack
    rebuy = {"player": "p1", "kind": "rebuy", "stack": 0, "anyway": "agreed"}
    for no in range(130):  # the table does not answer meanwhile
        room.station.give(Directed(f"rebuy-{no}", "buy", rebuy, by="TD"))
    room.wait(30_000)
    bought = room.tables[table].node.table.seats[Seat(seat)].stack - had
    taken = [event for event in room.tables[table].events if isinstance(event, SeatsChanged) and event.added]
    assert bought > 0
    assert bought % 130 == 0
    assert sum(change.chips for event in taken for change in event.added) == bought
    assert max(len(event.marks) for event in taken) <= 100


@pytest.mark.parametrize(
    ("book", "house", "chairs"),
    [
        ("base", {"seats_per_table": 9}, 9),
        ("base", {"seats_per_table": 6}, 6),
        ("base", {}, 11),
        ("wfp", {}, 11),  # ten, and the player more of the start
        ("ccp", {}, 9),
    ],
)
def test_a_table_has_as_many_chairs_as_the_event_sets(book: str, house: dict[str, int], chairs: int) -> None:
    room = NightRoom()
    room.do("open", rulebook=book, house={"starting_stack": 2_000} | house)
    for no in range(1, 10):
        room.do("register", player=f"p{no}", member=True, adult=True)
        room.do("enter", player=f"p{no}")
    room.do("draw_seats", tables=["01", "02"])
    for table in room.shown["tables"]:
        assert len(table["seats"]) + len(table["free"]) == chairs
