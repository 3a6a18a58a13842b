"""What the director reads before a ruling: what a folded hand allows, who is out, and who may rule."""

from __future__ import annotations

import pytest

from feltwire.station.director.ruling_facts import OutThere, RulingFacts
from table_core.messages import Key, MakeRuling, Refused, Seat, decode
from table_core.rulings.all_incidents import INCIDENTS
from table_core.tracker.ruling.fitting import unfit_about
from tests.feltwire.night_room import NightRoom
from tests.feltwire.station.tournament.test_seats_at_tables import play, seated
from tests.table_under_test import TableUnderTest


def folded(*, flop: bool) -> TableUnderTest:
    """Four players: seat 4 raises, seat 1 folds, the others call."""
    table = TableUnderTest(4)
    table.start_hand("Ah", "Kd", "7c", "As", "Kc", "2d", "8h", "8d")
    table.press("3", "00", Key.BET_RAISE, Key.FOLD, Key.CHECK_CALL)
    if flop:
        table.press(Key.CHECK_CALL)
        table.deal("9c", "2c", "3d", "4h")
        table.see("board", "2c", "3d", "4h")
    return table


def test_it_can_be_read_about_a_seat_that_folded_first() -> None:
    """A misdeal is possible still, and the station does not know in which order the cards were dealt."""
    table = TableUnderTest(4)
    table.start_hand("Ah", "Kd", "7c", "As", "Kc", "2d", "8h", "8d")
    table.press(Key.FOLD)
    assert "retrieve" not in unfit_about(table.node.table, Seat(4))


@pytest.mark.parametrize("flop", [False, True], ids=["before the flop", "on the flop"])
def test_what_is_greyed_about_a_folded_hand_is_what_the_table_refuses(flop: bool) -> None:
    greyed = unfit_about(folded(flop=flop).node.table, Seat(1))
    assert "string_bet" in greyed
    assert "retrieve" not in greyed, "a mucked hand may be given back"
    for incident in (one for one in INCIDENTS.values() if one.needs_seat):
        answers = folded(flop=flop).command(MakeRuling("r-1", incident.key, seat=Seat(1)))
        refused = [one for one in answers if isinstance(one, Refused)]
        assert bool(refused) == (incident.key in greyed), incident.title
        if refused:
            assert greyed[incident.key].lower() in refused[0].reason.lower()


def test_nothing_is_greyed_about_a_player_in_the_hand() -> None:
    assert not unfit_about(folded(flop=True).node.table, Seat(2))


def facts_of(room: NightRoom, by: str = "Ida (director)", seat: int | None = None) -> RulingFacts:
    reply = room.pressed_by(by, "ruling_facts", table="01", seat=seat)
    assert not reply.refused
    return decode(reply.text.encode(), RulingFacts)


def test_who_lost_the_last_chips_is_pending_then_out_with_hand_and_place_and_in_again_after_undo() -> None:
    room = seated("wfp", "01/1 01/3 01/5 01/7")
    play(room, "01")
    room.all_in("01", winner=5, loser=3)
    assert facts_of(room).out == (OutThere(Seat(3), "p2", "p2", "bust pending, hand 2", pending=True),)
    (pending,) = room.shown["busts"]
    room.do("confirm_bust", busts=[pending["bust"]])
    assert 3 not in room.tables["01"].sits
    assert facts_of(room).out == (OutThere(Seat(3), "p2", "p2", "out since hand 2, place 4", pending=False),)
    room.kill_station()
    assert [one.words for one in facts_of(room).out] == ["out since hand 2, place 4"]
    record = next(one for one in room.shown["log"] if one["event"]["type"] == "bust_confirmed")
    room.do("undo", record=record["no"])
    assert [one.pending for one in facts_of(room).out] == [True]


@pytest.mark.parametrize(
    ("book", "third", "rule"),
    [
        ("ccp", "The book asks for a third person: let somebody else rule.", "ccp.commissioner.4"),
        ("wfp", "Your book is silent on a director who plays in it.", ""),
    ],
)
def test_a_director_in_the_hand_is_told_so_and_whether_the_book_asks_for_somebody_else(
    book: str, third: str, rule: str
) -> None:
    room = seated(book, "01/1 01/3 01/5")
    assert not facts_of(room, "p2 (director)").third, "no hand is in progress"
    room.begin_hand("01")
    facts = facts_of(room, "p2 (director)")
    assert (facts.third, facts.third_rule) == (f"You are in this hand. {third}", rule)
    assert not facts_of(room).third
