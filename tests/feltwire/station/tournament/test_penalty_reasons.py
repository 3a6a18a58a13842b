"""Penalties at the station: every reason of every book by name, with its rule and what the book has for it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.feltwire.night_room import NightRoom

LADDER = {
    "ccp": ["warning", "time_out", "out"],  # the book has none of its own: usual practice
    "cpp": ["warning", "time_out", "out"],
    "wfp": ["warning", "time_out", "out_for_day"],  # wfp.infractions.3a
    "home": ["warning", "time_out", "out"],  # home.suggest.16
    "rpl": ["warning", "time_out", "out"],  # rpl.tournaments.0a
}
MAJOR = {"ccp": ["out", "banned"], "wfp": ["membership_revoked", "banned"]}  # ccp.conduct.7, wfp.infractions.3c

# What the catalogue expects at the director's station: rule, name of the reason. Lines of one rule are one row.
MINOR = """
ccp.etiquette.1 touching others' cards or chips
ccp.etiquette.3 deliberate out of turn
ccp.etiquette.4 splashing
ccp.etiquette.5 revealing a hand
ccp.etiquette.6 obstructing view
ccp.etiquette.7 influencing play
ccp.etiquette.8 cell phone
ccp.actions.6 stalling
cpp.misdeals.5 touching the muck
cpp.misdeals.10 reviewing the muck
cpp.intentions.6 hiding big chips
wfp.decisions.12 language
wfp.infractions.2 damage
wfp.infractions.4a deliberate out of turn
wfp.infractions.4b splashing
wfp.infractions.4c agreed check-down
wfp.infractions.4d reading another's hand
wfp.infractions.4e telling to show
wfp.infractions.4g helping another hand
wfp.infractions.4h revealing folded hand
wfp.infractions.4i stalling
wfp.infractions.4j careless discard
wfp.infractions.4k obstructing chips
wfp.infractions.4l influencing play
wfp.infractions.4m playing for another
wfp.infractions.4n looking through the stub
wfp.infractions.4p cell phone
wfp.infractions.4s profanity
wfp.infractions.4t disturbance
wfp.infractions.4u property or card damage
wfp.infractions.4v theft
wfp.infractions.4w illegal substance
wfp.infractions.4x weapon
wfp.procedures.0b discussing the hand
wfp.procedures.17 guest interference
wfp.procedures.18 showing a live hand
wfp.procedures.21 hiding big chips
wfp.procedures.22 chips off the table
wfp.procedures.29 chopping
wfp.procedures.30 hiding cards
home.suggest.4 splashing
home.conduct.1 cheating
home.conduct.2 threats or assault
home.conduct.3 disturbance
home.conduct.4 property or card damage
home.conduct.5 property damage
home.conduct.6 weapon
home.conduct.7 cell phone
home.etiquette.1 deliberate out of turn
home.etiquette.2 splashing
home.etiquette.3 agreed check-down
home.etiquette.4 reading another's hand
home.etiquette.5 revealing a hand
home.etiquette.6 stalling
home.etiquette.7 careless discard
home.etiquette.8 obstructing chips
home.etiquette.9 influencing play
home.tobacco.1 smoking
home.procedures.3 cash on table
home.procedures.4a helping another hand
home.procedures.6 hiding cards
home.procedures.9 looking through the stub
rpl.conduct.a cheating
rpl.conduct.b threats or assault
rpl.conduct.c profanity
rpl.conduct.d disturbance
rpl.conduct.e property or card damage
rpl.conduct.f property damage
rpl.conduct.g illegal substance
rpl.conduct.h weapon
rpl.etiquette.a deliberate out of turn
rpl.etiquette.b splashing
rpl.etiquette.c agreed check-down
rpl.etiquette.d reading another's hand
rpl.etiquette.e telling to show
rpl.etiquette.f revealing a hand
rpl.etiquette.g stalling
rpl.etiquette.h careless discard
rpl.etiquette.i obstructing chips
rpl.etiquette.j influencing play
rpl.etiquette.k cell phone
rpl.procedures.2 playing from a rack
rpl.procedures.3 helping another hand
rpl.procedures.4 playing for another
rpl.procedures.5 pushing bets
rpl.procedures.9 hiding cards
rpl.procedures.11 looking through the stub
rpl.procedures.13 stalling
rpl.procedures.15 language
rpl.tournaments.0b discussing the hand
rpl.tournaments.21 showing a live hand
rpl.tournaments.23 hiding big chips
rpl.tournaments.24 chips off the table
"""
A_PERSON_CHOOSES = """
ccp.conduct.1 threats
ccp.conduct.2 profanity
ccp.conduct.3 disturbance
ccp.conduct.4 throwing equipment
ccp.conduct.5 property damage
ccp.conduct.6 weapon
wfp.infractions.4q cheating
wfp.infractions.4r threats or assault
"""
# What the book itself has for it, by how often.
OWN_LADDER = {
    ("ccp.conduct.8", "excessive celebration"): ["warning"],
    ("ccp.conduct.9", "cheating"): ["banned"],
    ("wfp.preamble.4", "gambling or soliciting"): ["membership_revoked"],
    ("wfp.decisions.10", "side betting"): ["banned"],
    ("wfp.infractions.4f", "side betting"): ["banned"],
    ("wfp.decisions.13", "pocketing chips"): ["out", "banned"],
    ("wfp.procedures.23", "throwing cards off the table"): ["dealt_out", "out"],
    ("rpl.tournaments.25", "throwing cards off the table"): ["dealt_out", "out"],
}


def pairs(text: str) -> list[tuple[str, str]]:
    """`rule name of the reason` in every line."""
    split = (line.partition(" ") for line in text.strip().splitlines())
    return [(rule, name) for rule, _, name in split]


def cases(rows: Any) -> list[Any]:
    return [pytest.param(*row, marks=pytest.mark.rule(row[0]), id=row[0]) for row in rows]


START = 1_700_000_000_000  # by the wall clock of the room: money is taken now
_rooms: dict[str, NightRoom] = {}


def room_under(book: str) -> NightRoom:
    """A station with an event under the book; one room for all reasons of a book, with a new player for each."""
    if book not in _rooms:
        _rooms[book] = NightRoom()
        house = {"starting_stack": 2_000, "max_entrants": 500}
        _rooms[book].do("open", rulebook=book, house=house, starts=START)
    return _rooms[book]


def newcomer(room: NightRoom) -> str:
    player = f"q{len(room.shown['field']) + 1}"
    room.do("register", player=player, member=True, adult=True, anyway="for the test")
    room.do("enter", player=player, anyway="for the test")
    return player


def offered(room: NightRoom, name: str) -> dict[str, Any]:
    """The reason as pages and programs have it."""
    found = {reason["name"]: reason for reason in room.shown["reasons"]}
    assert name in found, sorted(found)
    return found[name]


def last(room: NightRoom, player: str) -> dict[str, Any]:
    """The player's last penalty."""
    given: dict[str, Any] = room.shown["penalties"][player][-1]
    return given


def cited(reason: dict[str, Any]) -> set[str]:
    return {reason["rule"], *reason["also"]}


@pytest.mark.parametrize(("rule", "name"), cases(pairs(MINOR)))
def test_a_minor_infraction_has_its_rule_and_climbs_the_ladder_of_the_book(rule: str, name: str) -> None:
    book = rule.partition(".")[0]
    room, ladder = room_under(book), LADDER[book]
    reason = offered(room, name)
    assert rule in cited(reason)
    assert (reason["outcomes"], reason["choice"], reason["origin"]) == (ladder, False, "book")
    player = newcomer(room)
    for kind in ladder[:2]:
        room.do("give_penalty", player=player, reason=name, minutes=5)
        assert (last(room, player)["kind"], last(room, player)["reason"]) == (kind, name)
        assert last(room, player)["rule"] == reason["rule"]
    room.do("give_penalty", player=player, reason=name)
    assert last(room, player)["kind"] == ladder[2]
    assert room.entrant(player)["status"] == "out"


@pytest.mark.parametrize(("rule", "name"), cases(pairs(A_PERSON_CHOOSES)))
def test_a_major_infraction_is_a_persons_choice_among_the_books_penalties(rule: str, name: str) -> None:
    book = rule.partition(".")[0]
    room = room_under(book)
    reason = offered(room, name)
    assert (reason["rule"], reason["major"], reason["choice"]) == (rule, True, True)
    assert reason["outcomes"] == MAJOR[book]
    player = newcomer(room)
    answer = room.press("give_penalty", player=player, reason=name)
    assert (answer.refused, answer.rule) == (True, {"ccp": "ccp.conduct.7", "wfp": "wfp.infractions.3c"}[book])
    room.do("give_penalty", player=player, reason=name, kind=MAJOR[book][0])
    assert (last(room, player)["kind"], last(room, player)["rule"]) == (MAJOR[book][0], rule)
    assert last(room, player)["major"]
    assert room.entrant(player)["status"] == "out"


@pytest.mark.parametrize(
    ("rule", "name", "ladder"), cases([(*reason, ladder) for reason, ladder in OWN_LADDER.items()])
)
def test_a_reason_with_outcomes_of_its_own_has_no_others(rule: str, name: str, ladder: list[str]) -> None:
    book = rule.partition(".")[0]
    room = room_under(book)
    reason = offered(room, name)
    assert rule in cited(reason)
    assert reason["outcomes"] == ladder
    player = newcomer(room)
    other = "suspended"
    answer = room.press("give_penalty", player=player, reason=name, kind=other)
    assert (answer.refused, answer.rule) == (True, reason["rule"])
    room.do("give_penalty", player=player, reason=name, hands=3)
    assert last(room, player)["kind"] == ladder[0]
    assert last(room, player)["rule"] == reason["rule"]
    gone = ladder[0] in ("banned", "membership_revoked", "out")
    assert room.entrant(player)["status"] == ("out" if gone else "playing")


@pytest.mark.rule("rpl.tournaments.0a", "home.suggest.16", "wfp.procedures.0a")
@pytest.mark.parametrize("book", ["rpl", "home", "wfp"])
def test_the_stack_of_a_disqualified_player_leaves_play(book: str) -> None:
    room = NightRoom()
    room.run_up(6, rulebook=book, starts=START)
    before = room.shown["chips"]
    (player, stack), *_ = room.tables["01"].sits.values()
    room.do("give_penalty", player=player, reason="disturbance", kind="out")
    room.wait(2_000)
    after = room.shown["chips"]
    assert stack == 2_000
    assert after["removed"] - before["removed"] == stack
    assert after["on_tables"] == before["on_tables"] - stack
    assert (after["missing"], room.chips()) == (0, before["on_tables"] - stack)
    assert player not in {who for who, _ in room.tables["01"].sits.values()}


@pytest.mark.rule("wfp.procedures.22", "rpl.tournaments.24")
@pytest.mark.parametrize("book", ["wfp", "rpl"])
def test_chips_that_were_taken_off_the_table_leave_the_event_and_the_stack(book: str) -> None:
    room = NightRoom()
    room.run_up(6, rulebook=book, starts=START)
    seat, (player, _) = next(iter(room.tables["01"].sits.items()))
    room.do("give_penalty", player=player, reason="chips off the table", removed=500)
    room.wait(2_000)
    assert room.tables["01"].sits[seat] == (player, 1_500)
    assert (room.shown["chips"]["removed"], room.shown["chips"]["missing"]) == (500, 0)
    assert last(room, player)["rule"] == {"wfp": "wfp.procedures.22", "rpl": "rpl.tournaments.24"}[book]
    room.do("give_penalty", player=player, reason="chips off the table", kind="out")
    assert room.entrant(player)["status"] == "out"


@pytest.mark.rule("tda.71")
def test_a_missed_round_is_a_hand_for_each_player_at_the_table() -> None:
    room = NightRoom()
    room.run_up(12)
    (player, _), *_ = room.tables["01"].sits.values()
    room.do("give_penalty", player=player, reason="disturbance", kind="dealt_out", rounds=1)
    (time_out,) = room.shown["time_outs"]
    assert (time_out["player"], time_out["hands"]) == (player, len(room.tables["01"].sits))
    winner, loser = sorted(room.tables["01"].sits)[:2]
    room.begin_hand("01")
    assert room.shown["time_outs"][0]["hands"] == len(room.tables["01"].sits) - 1
    room.finish("01", winner=winner, loser=loser)


@pytest.mark.rule("wfp.infractions.3a")
def test_free_words_are_a_reason_too_and_count_for_the_ladder() -> None:
    room = room_under("wfp")
    player = newcomer(room)
    climbed = {"sang at the table": "warning", "profanity": "time_out", "sang again": "out_for_day"}
    for reason, kind in climbed.items():
        room.do("give_penalty", player=player, reason=reason)
        assert last(room, player)["kind"] == kind
    assert last(room, player)["outcome_rule"] == "wfp.infractions.3a"
    said = next(one["text"] for one in room.shown["log"] if one["event"]["type"] == "penalty_given")
    assert said == f"Penalty given: {player}, out for day, sang again"
