"""Where a book is silent, the station says in its answers and proposals whose practice it follows instead."""

from __future__ import annotations

import pytest

from table_core.rulebook import load_rulebook, rulebook_ids
from tests.feltwire.night_room import NightRoom

SILENT = "Your book is silent; usual practice:"  # of the TDA
ANOTHER = "Your book is silent; another book has it so:"


def started(book: str, players: int = 8) -> NightRoom:
    room = NightRoom()
    room.run_up(players, rulebook=book)
    return room


def two_at(room: NightRoom, table: str) -> list[int]:
    return sorted(room.tables[table].sits)[:2]


def out(room: NightRoom, table: str) -> str:
    """One of the table goes out of the event; the director's answer."""
    winner, loser = two_at(room, table)
    room.all_in(table, winner=winner, loser=loser)
    (pending,) = room.shown["busts"]
    return room.do("confirm_bust", busts=[pending["bust"]])


@pytest.mark.parametrize(("book", "said"), [("cpp", f"{SILENT} TDA 24."), ("rpl", "")])
def test_how_odd_chips_leave_play(book: str, said: str) -> None:
    """cpp has no sentence about it; rpl.tournaments.10 has."""
    room = started(book)
    odd = [{"seat": seat, "stack": stack} for seat, stack in zip(two_at(room, "01"), (3, 1), strict=True)]
    text = room.do("colour_up", table="01", old=25, new=100, odd=odd)
    assert text.endswith(said)
    assert (SILENT in text) == bool(said)


@pytest.mark.parametrize(
    ("book", "said"), [("cpp", "Your book is silent; usual practice: TDA 11."), ("base", ""), ("ccp", "")]
)
def test_who_moves_when_tables_are_uneven(book: str, said: str) -> None:
    room = started(book, 14)
    for _ in range(2):
        out(room, "01")
    proposed = room.shown["proposals"]["moves"]
    assert proposed, "tables of five and seven"
    assert {move["silent"] for move in proposed} == {said}
    text = room.do("confirm_move", player=proposed[0]["player"])
    assert said in text
    assert ANOTHER not in text


@pytest.mark.parametrize(("book", "said"), [("cpp", True), ("wfp", False)])
def test_who_ranks_higher_of_players_out_in_one_hand(book: str, said: bool) -> None:
    """wfp.procedures.28 says it; cpp does not."""
    text = out(started(book), "01")
    assert (f"{ANOTHER} wfp.procedures.28." in text) == said


def test_a_refusal_by_usual_practice_says_so() -> None:
    reply = started("cpp").press("give_penalty", player="p1", kind="time_out", reason="a phone")
    assert reply.refused
    assert reply.text.startswith("How long?")
    assert reply.text.endswith(f"{ANOTHER} {reply.rule}.")
    assert not reply.rule.startswith("cpp.")


@pytest.mark.parametrize("book", rulebook_ids())
def test_no_book_is_called_silent_about_what_it_says(book: str) -> None:
    rulebook = load_rulebook(book)
    for name in rulebook.tournament.__struct_fields__:
        rule = getattr(rulebook.tournament, name)
        if rule is not None and name in rulebook.spoken:
            assert rulebook.tournament_practice(rule.rule) == "", name


@pytest.mark.parametrize("book", rulebook_ids())
def test_what_stands_in_for_a_silent_book_is_called_so(book: str) -> None:
    """Every rule of another book that an answer, a proposal or a refusal of the tournament can cite."""
    rulebook = load_rulebook(book)
    for name in rulebook.tournament.__struct_fields__:
        rule = getattr(rulebook.tournament, name)
        if rule is None or name in (rulebook.spoken if book != "base" else ()):
            continue
        own = rule.rule.partition(".")[0] in (book, "tda" if book == "base" else book)
        assert bool(rulebook.standing_in_words(rule.rule)) != own, (name, rule.rule)
