"""The coverage of a tournament: what goes out, when, and what becomes of it."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from feltwire.ledger.signing import LedgerKey
from feltwire.relay.coverage.coverage_io import KeepLine, NoteAct
from feltwire.relay.coverage.desk import HOLD, Kept
from feltwire.relay.coverage.wording import shown
from feltwire.runtime.node_io import Arrived, Publish
from table_core.coverage import LineState
from table_core.messages import (
    Acted,
    Action,
    AnyEvent,
    BoardDealt,
    CardText,
    Chips,
    ClockState,
    Envelope,
    HandEnded,
    HandStarted,
    HandTabled,
    Level,
    Millis,
    Misdealt,
    PotAwarded,
    Rewound,
    Ruled,
    Seat,
    SeatStack,
    Share,
    Source,
    Street,
    decode,
    encode,
)
from tests.feltwire.relay.coverage.test_sentences import CARD
from tests.feltwire.relay.coverage.told import LEVEL, CoverageRig, ToldTable, field
from tests.table_core.hand.random_hand import random_hand

BOARD: tuple[CardText, ...] = ("2c", "7d", "Qs", "Jh", "3c")  # type: ignore[assignment]
HIGH: tuple[CardText, ...] = ("Qh", "Qd")  # type: ignore[assignment]
LOW: tuple[CardText, ...] = ("As", "Kd")  # type: ignore[assignment]
LEFT = {"ann": ("01", 1, 9_000), "bo": ("01", 2, 6_000), "cy": ("02", 3, 5_000)}


def all_in(
    winner: int = 1,
    loser: int = 2,
    *,
    stacks: dict[int, tuple[str, int]] | None = None,
    number: int = 7,
    tabled: bool = True,
    showdown: bool = True,
) -> list[AnyEvent]:
    """Two players are all-in before the flop; the shorter stack goes in, and the winner takes it."""
    sit = stacks or {1: ("ann", 4_000), 2: ("bo", 4_000)}
    at_risk = min(sit[winner][1], sit[loser][1])
    seats = tuple(SeatStack(Seat(seat), Chips(chips), player) for seat, (player, chips) in sorted(sit.items()))
    ends = {seat: chips for seat, (_, chips) in sit.items()}
    ends[winner] += at_risk
    ends[loser] -= at_risk
    is_all_in = {seat: sit[seat][1] == at_risk for seat in (winner, loser)}
    events: list[AnyEvent] = [
        HandStarted(number, Seat(loser), Seat(loser), Seat(winner), LEVEL, seats, Source.KEY),
        Acted(Seat(loser), Action.RAISE, Chips(at_risk), Chips(at_risk), is_all_in[loser], Source.KEY),
        Acted(Seat(winner), Action.CALL, Chips(at_risk), Chips(at_risk), is_all_in[winner], Source.KEY),
    ]
    if tabled:
        events += [
            HandTabled(Seat(loser), LOW, (Source.CAMERA,)),
            HandTabled(Seat(winner), HIGH, (Source.CAMERA,)),
            BoardDealt(Street.FLOP, BOARD[:3], (Source.CAMERA,)),
            BoardDealt(Street.TURN, BOARD[3:4], (Source.CAMERA,)),
            BoardDealt(Street.RIVER, BOARD[4:], (Source.CAMERA,)),
        ]
    pot, both = Chips(2 * at_risk), (Seat(winner), Seat(loser))
    why = "cards" if showdown else "last_standing"
    events.append(PotAwarded(0, pot, both, (Share(Seat(winner), pot),), why))
    events.append(HandEnded(number, tuple(Share(Seat(seat), Chips(end)) for seat, end in sorted(ends.items()))))
    return events


def clock(
    level: Level, *, entry: int = 4, left: int = 3, running: bool = True, average: int = 6_000
) -> ClockState:
    length = round(level.minutes * 60_000)
    return ClockState("b1", Millis(1), 1, running, level, length, None, left, 10, Chips(average), entry=entry)


def take_back(rig: CoverageRig, events: Sequence[Envelope]) -> None:
    rig.hear(Rewound(events[0].seq - 1, tuple(one.seq for one in events), "UNDO"))


# -------------------------------------------------------------------------------------------- when


def test_a_line_is_as_late_as_what_is_on_air_and_waits_for_a_person() -> None:
    rig = CoverageRig(air_s=1_800, grace_s=20)
    rig.hear(*all_in())
    rig.wait(1_819)
    assert rig.said == []
    rig.wait(2)
    assert len(rig.said) == 1
    assert "Q♥ Q♦" in rig.said[0]


def test_public_facts_may_go_out_at_once() -> None:
    rig = CoverageRig(air_s=1_800, at_once=True)
    rig.hear(*all_in())
    assert len(rig.said) == 1


@pytest.mark.parametrize("at_once", [False, True])
def test_nothing_goes_out_while_nothing_is_on_air(at_once: bool) -> None:
    rig = CoverageRig(air_s=None, at_once=at_once)
    rig.hear(*all_in())
    rig.wait(10_000)
    assert rig.said == []
    rig.on_air(60)
    assert len(rig.said) == 1


def test_nor_during_a_cut() -> None:
    rig = CoverageRig(air_s=10)
    rig.on_air(10, cut=True)
    rig.hear(*all_in())
    rig.wait(100)
    assert rig.said == []
    rig.on_air(10)
    assert len(rig.said) == 1


def test_a_longer_air_delay_holds_what_waits() -> None:
    rig = CoverageRig(air_s=10)
    rig.hear(*all_in())
    rig.on_air(100)
    rig.wait(99)
    assert rig.said == []
    rig.wait(2)
    assert len(rig.said) == 1


# --------------------------------------------------------------------------------------- who is out


def test_who_is_out_before_a_place_is_known_has_lost_the_last_chips() -> None:
    rig = CoverageRig(grace_s=5)
    rig.hear(*all_in())
    rig.wait(6)
    assert "last 4,000 chips" in rig.said[0]
    assert "place" not in rig.said[0]


def test_a_place_that_comes_before_the_line_goes_out_stands_in_it() -> None:
    rig = CoverageRig(grace_s=5)
    rig.field(field(LEFT, payouts=(60_000, 30_000, 10_000), entrants=10))
    rig.hear(*all_in(stacks={1: ("ann", 9_000), 2: ("bo", 6_000)}))
    left = {"ann": ("01", 1, 15_000), "cy": ("02", 3, 5_000)}
    rig.field(field(left, [("bo", 3, 10_000)], payouts=(60_000, 30_000, 10_000), entrants=10))
    rig.wait(6)
    told = next(line for line in rig.lines if line.kind == "out")
    assert told.text["en"].startswith(("Ann eliminates Bo in 3rd place", "Bo is out in 3rd place for 100"))
    assert [line.kind for line in rig.lines].count("place") == 0


def test_a_place_that_comes_later_is_a_line_of_its_own() -> None:
    rig = CoverageRig()
    rig.field(field(LEFT, payouts=(60_000,), entrants=10))
    rig.hear(*all_in(stacks={1: ("ann", 9_000), 2: ("bo", 6_000)}))
    rig.field(field({"ann": ("01", 1, 15_000), "cy": ("02", 3, 5_000)}, [("bo", 3, 0)], entrants=10))
    assert "Bo is out in 3rd place." in rig.said
    assert all(not line.before for line in rig.lines), "what was said before was true"


def test_while_somebody_may_come_in_no_place_is_told() -> None:
    rig = CoverageRig()
    rig.field(field(LEFT, entry_open=True))
    rig.hear(*all_in(stacks={1: ("ann", 9_000), 2: ("bo", 6_000)}))
    left = {"ann": ("01", 1, 15_000), "cy": ("02", 3, 5_000)}
    rig.field(field(left, [("bo", 3, 0)], entry_open=True))
    rig.field(field({**left, "bo": ("02", 5, 6_000)}, entry_open=True))  # a new entry
    assert not any("place" in words for words in rig.said)


def test_the_bubble_and_two_players_out_in_one_hand() -> None:
    rig = CoverageRig(grace_s=5)
    pays = (60_000, 30_000)
    four = {"ann": ("01", 1, 9_000), "bo": ("01", 2, 2_000), "cy": ("01", 3, 3_000), "di": ("01", 4, 5_000)}
    rig.field(field(four, payouts=pays))
    three = tuple(
        SeatStack(Seat(n), Chips(c), p) for n, p, c in ((1, "ann", 9_000), (2, "bo", 2_000), (3, "cy", 3_000))
    )
    ends = (Share(Seat(1), Chips(14_000)), Share(Seat(2), Chips(0)), Share(Seat(3), Chips(0)))
    rig.hear(
        HandStarted(3, Seat(1), Seat(2), Seat(3), LEVEL, three, Source.KEY),
        Acted(Seat(2), Action.RAISE, Chips(2_000), Chips(2_000), True, Source.KEY),
        Acted(Seat(3), Action.RAISE, Chips(3_000), Chips(3_000), True, Source.KEY),
        Acted(Seat(1), Action.CALL, Chips(3_000), Chips(3_000), False, Source.KEY),
        PotAwarded(1, Chips(2_000), (Seat(1), Seat(3)), (Share(Seat(1), Chips(2_000)),), "dealer"),
        PotAwarded(0, Chips(6_000), (Seat(1), Seat(2), Seat(3)), (Share(Seat(1), Chips(6_000)),), "dealer"),
        HandEnded(3, ends),
    )
    left = {"ann": ("01", 1, 14_000), "di": ("01", 4, 5_000)}
    rig.field(field(left, [("cy", 3, 0), ("bo", 4, 0)], payouts=pays, entrants=4))
    rig.wait(6)
    told = next(line.text["en"] for line in rig.lines if line.kind == "out")
    assert told.startswith("2 players lose their last chips in one hand.")
    assert told.index("Bo") < told.index("Cy"), "the better place last"
    assert "bubble" in told
    assert "in 3rd place" in told
    assert "in 4th place" in told
    assert "The 2 players who are left are in the money." in told


def test_players_who_share_a_place_have_the_same_one() -> None:
    rig = CoverageRig()
    rig.field(field({**LEFT, "di": ("02", 4, 1)}, payouts=(9, 9), entrants=9))
    rig.field(
        field({"ann": LEFT["ann"], "cy": LEFT["cy"]}, [("bo", 3, 0), ("di", 3, 0)], payouts=(9, 9), entrants=9)
    )
    assert sum("in 3rd place" in words for words in rig.said) == 2


def test_a_place_that_is_put_right_is_put_right_for_everybody() -> None:
    rig = CoverageRig()
    rig.field(field(LEFT))
    left = {"ann": LEFT["ann"], "cy": LEFT["cy"]}
    rig.field(field(left, [("bo", 4, 0)], entrants=9))
    rig.field(field(left, [("bo", 3, 0)], entrants=9))
    (line,) = (line for line in rig.lines if line.kind == "place")
    assert line.text["en"] == "Bo is out in 3rd place."
    assert [one.text["en"] for one in line.before] == ["Bo is out in 4th place."]


def test_a_player_who_is_in_after_all_is_not_out() -> None:
    rig = CoverageRig()
    rig.field(field(LEFT))
    rig.field(field({"ann": LEFT["ann"], "cy": LEFT["cy"]}, [("bo", 3, 0)], entrants=9))
    rig.field(field(LEFT, entrants=9))
    (line,) = (line for line in rig.lines if line.kind == "place")
    assert line.state is LineState.WITHDRAWN


def test_of_a_large_field_the_first_ones_out_leave_the_list_and_stay_out() -> None:
    rig = CoverageRig()
    rig.field(field(LEFT, [("p9", 9, 0)], entrants=9))
    rig.field(field(LEFT, [("p8", 8, 0)], entrants=9))
    assert [line.state for line in rig.lines] == [LineState.OUT]


def test_who_was_out_when_the_relay_first_heard_of_it_is_no_news() -> None:
    rig = CoverageRig()
    rig.field(field(LEFT, [("p8", 8, 0), ("p9", 9, 0)]))
    assert rig.said == []


# ------------------------------------------------------------------------------------ hands put right


def test_a_hand_that_is_taken_back_before_its_line_is_out_has_none() -> None:
    rig = CoverageRig(grace_s=5)
    take_back(rig, rig.hear(*all_in())[-2:])
    rig.wait(60)
    assert rig.said == []
    assert rig.waiting == []


def test_a_line_whose_hand_is_taken_back_is_withdrawn_and_comes_again_as_it_ends_then() -> None:
    rig = CoverageRig()
    said = rig.hear(*all_in())
    take_back(rig, said[-2:])
    (line,) = rig.lines
    assert (line.state is LineState.WITHDRAWN and "Ann" not in line.text["en"]) or line.text["en"]
    events = all_in(winner=2, loser=1)
    rig.hear(*events[-2:])
    (line,) = rig.lines
    assert line.state is LineState.OUT
    assert line.before
    assert "ann" in line.text["en"]


def put_right(rig: CoverageRig) -> list[str]:
    """The line of a hand is out for a minute, the hand is taken back, and ends otherwise; what the line said."""
    said = rig.hear(*all_in())
    rig.wait(61)
    before = rig.said
    take_back(rig, said[-2:])
    assert rig.lines[0].state is LineState.WITHDRAWN, "that tells nothing"
    version = rig.view.version
    rig.hear(*all_in(winner=2, loser=1)[-2:])
    assert rig.view.version == version
    return before


def test_new_words_of_a_line_that_is_out_are_as_late_as_what_is_on_air() -> None:
    rig = CoverageRig(air_s=60)
    before = put_right(rig)
    rig.wait(59)
    assert (rig.said, rig.lines[0].state) == (before, LineState.WITHDRAWN)
    rig.wait(2)
    assert "ann" in rig.said[0]
    assert rig.said != before
    assert rig.lines[0].state is LineState.OUT
    assert [one.text["en"] for one in rig.lines[0].before] == before


def test_nor_do_they_come_during_a_cut() -> None:
    rig = CoverageRig(air_s=60)
    before = put_right(rig)
    rig.on_air(60, cut=True)
    rig.wait(600)
    assert rig.said == before
    rig.on_air(60)
    assert rig.lines[0].state is LineState.OUT


def test_after_a_reboot_new_words_wait_anew() -> None:
    rig = CoverageRig(air_s=60)
    before = put_right(rig)
    rig.wait(59)
    rig.start(boot="b2")
    rig.wait(59)
    assert rig.said == before
    rig.wait(2)
    assert rig.lines[0].state is LineState.OUT


def test_of_a_hand_that_is_taken_back_twice_no_new_word_comes() -> None:
    rig = CoverageRig(air_s=60)
    before = put_right(rig)
    take_back(rig, rig.table.envelopes[-2:])
    rig.wait(600)
    assert (rig.said, rig.lines[0].state) == (before, LineState.WITHDRAWN)


def test_a_place_that_is_put_right_waits_too_and_no_press_tells_it_before() -> None:
    rig = CoverageRig(air_s=60)
    left = {"ann": LEFT["ann"], "cy": LEFT["cy"]}
    rig.field(field(LEFT))
    rig.field(field(left, [("bo", 4, 0)], entrants=9))
    rig.wait(61)
    (line,) = (line for line in rig.lines if line.kind == "place")
    rig.field(field(left, [("bo", 3, 0)], entrants=9))
    rig.press("edit", line.id, de="Bo ist weg.")
    (line,) = (line for line in rig.lines if line.kind == "place")
    assert line.text == {"en": "Bo is out in 4th place.", "de": "Bo ist weg."}
    rig.wait(61)
    (line,) = (line for line in rig.lines if line.kind == "place")
    assert line.text == {"en": "Bo is out in 3rd place.", "de": "Bo ist weg."}


def test_what_is_removed_stays_so_while_new_words_wait() -> None:
    rig = CoverageRig(air_s=60)
    put_right(rig)
    rig.press("remove", rig.lines[0].id)
    rig.wait(61)
    assert rig.lines[0].state is LineState.REMOVED


@pytest.mark.parametrize(("press", "stays"), [("hold", True), ("edit", True), ("out", False), ("pin", False)])
def test_a_line_that_somebody_had_in_hand_comes_again_with_its_facts(press: str, stays: bool) -> None:
    rig = CoverageRig(air_s=60, grace_s=10)
    said = rig.hear(*all_in())
    (line,) = rig.waiting
    rig.press(press, line, **({"en": "Ann busts Bo."} if press == "edit" else {}))
    take_back(rig, said[-2:])
    assert rig.waiting == []
    rig.hear(*all_in(winner=2, loser=1)[-2:])
    assert rig.waiting == [line]
    rig.wait(100)
    assert (rig.waiting == [line], len(rig.said)) == (stays, not stays)


def test_a_line_that_somebody_removed_does_not_come_again() -> None:
    rig = CoverageRig(grace_s=10)
    said = rig.hear(*all_in())
    rig.press("remove", rig.waiting[0])
    take_back(rig, said[-2:])
    rig.hear(*all_in(winner=2, loser=1)[-2:])
    assert rig.waiting == []


@pytest.mark.parametrize("why", ["misdealt", "impounded"])
def test_a_hand_that_is_void_is_no_news(why: str) -> None:
    rig = CoverageRig()
    rig.hear(*all_in())
    void: AnyEvent = Misdealt(7, "cards were exposed", (), Source.DIRECTOR)
    impound = Ruled("impound", "impounded", "The pot is impounded", "tda.1", impounded=8_000)
    rig.hear(void if why == "misdealt" else impound)
    assert [line.state for line in rig.lines] == [LineState.WITHDRAWN]


def test_new_hand_taken_back_leaves_the_hand_before() -> None:
    rig = CoverageRig()
    rig.hear(*all_in())
    began = rig.hear(all_in(number=8)[0])
    take_back(rig, began)
    assert [line.state for line in rig.lines] == [LineState.OUT]
    assert rig.view.lines[0].hand == 7


# --------------------------------------------------------------------------------------- the desk


def test_where_each_line_waits_for_a_press_nothing_goes_out_without_one() -> None:
    rig = CoverageRig(mode=HOLD, air_s=30)
    rig.hear(*all_in())
    rig.wait(10_000)
    assert rig.said == []
    assert rig.desk is not None
    assert [line.state for line in rig.desk.waiting] == [LineState.HELD]
    assert not rig.press("out", rig.waiting[0]).refused
    assert len(rig.said) == 1


def test_a_press_does_not_send_a_line_out_before_its_time() -> None:
    rig = CoverageRig(mode=HOLD, air_s=30)
    rig.hear(*all_in())
    rig.press("out", rig.waiting[0])
    rig.wait(29)
    assert rig.said == []
    rig.wait(2)
    assert len(rig.said) == 1


def test_a_line_is_held_edited_and_let_out() -> None:
    rig = CoverageRig(grace_s=10)
    rig.hear(*all_in())
    (line,) = rig.waiting
    rig.press("hold", line)
    rig.wait(100)
    assert rig.said == []
    rig.press("edit", line, en="Ann takes it all.", de="Ann gewinnt alles.")
    rig.press("out", line)
    assert rig.said == ["Ann takes it all."]
    notes = [(one.by, one.what) for one in rig.effects if isinstance(one, NoteAct)]
    assert notes == [("Pia (producer)", f"coverage {what}") for what in ("hold", "edit", "out")]


def test_an_edited_line_whose_facts_change_waits_for_a_person() -> None:
    rig = CoverageRig(grace_s=10)
    said = rig.hear(*all_in())
    (line,) = rig.waiting
    rig.press("edit", line, en="Ann busts Bo.")
    take_back(rig, said[-2:])
    rig.hear(*all_in(winner=2, loser=1)[-2:])
    rig.wait(100)
    assert rig.said == []
    assert rig.waiting == [line], "it was dropped with its hand, and comes again, but not by itself"


def test_an_edit_of_a_line_that_is_out_shows_what_it_said() -> None:
    rig = CoverageRig()
    rig.hear(*all_in())
    before = rig.said[0]
    rig.press("edit", rig.lines[0].id, en="It was queens.")
    (line,) = rig.lines
    assert line.text["en"] == "It was queens."
    assert [one.text["en"] for one in line.before] == [before]


def test_a_line_is_pinned_removed_and_written() -> None:
    rig = CoverageRig(air_s=600)
    assert not rig.press("write", en="Welcome to the final table.").refused
    (line,) = rig.lines
    assert line.text == {"en": "Welcome to the final table.", "de": "Welcome to the final table."}
    rig.press("pin", line.id)
    assert rig.lines[0].pinned
    rig.press("remove", line.id)
    assert rig.lines[0].state is LineState.REMOVED
    assert rig.lines[0].text == {}
    kept = rig.kept[line.id]
    assert kept.said["en"] == "Welcome to the final table.", "the trace of it stays"  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("command", "line", "text", "says"),
    [
        ("hold", "none", "", "not there"),
        ("write", "", "", "Write something"),
        ("write", "", "x" * 601, "600 letters"),
        ("mode", "often", "", "no mode"),
        ("burn", "", "", "nothing like"),
    ],
)
def test_a_press_that_cannot_be_is_refused_in_words(command: str, line: str, text: str, says: str) -> None:
    rig = CoverageRig()
    reply = rig.press(command, line, en=text)
    assert reply.refused
    assert says in reply.text


def test_the_mode_is_kept_over_a_restart() -> None:
    rig = CoverageRig()
    rig.press("mode", HOLD)
    rig.start()
    rig.hear(*all_in())
    assert rig.said == []


# ----------------------------------------------------------------------------------- the tournament


def test_levels_breaks_and_the_average() -> None:
    rig = CoverageRig()
    rig.clock(clock(LEVEL))
    assert rig.said[-1].startswith("Level 3 begins: blinds 100/200, big blind ante 200. 3 of 10 players are left.")
    assert "6,000, 30 big blinds" in rig.said[-1]
    rig.clock(clock(LEVEL))
    rig.clock(clock(replace(LEVEL, is_break=True, what="dinner", minutes=45), entry=5))
    assert "break (dinner) of 45 minutes" in rig.said[-1]
    assert len(rig.said) == 2


def test_what_is_played_for_is_told_with_the_next_level() -> None:
    rig = CoverageRig()
    rig.field(field(LEFT, payouts=(60_000, 30_000)))
    rig.field(field(LEFT, payouts=(70_000, 30_000)))
    assert rig.said == []
    rig.clock(clock(LEVEL))
    assert rig.said[0] == "There are 3 entries, and 3 players are left. Paid places: 2. The winner gets 700."


def test_how_many_are_left_is_not_told_while_somebody_without_chips_is_counted() -> None:
    rig = CoverageRig()
    rig.field(field(LEFT))
    rig.hear(*all_in(stacks={1: ("ann", 9_000), 2: ("bo", 6_000)}))
    rig.clock(clock(LEVEL))
    assert rig.said[-1] == "Level 3 begins: blinds 100/200, big blind ante 200."


def test_a_level_that_begins_before_the_field_is_known_is_told_once_and_stays() -> None:
    rig = CoverageRig()
    rig.clock(clock(LEVEL))
    rig.field(field(LEFT))
    rig.start()
    rig.clock(clock(LEVEL))
    assert len(rig.said) == 1


def test_a_level_that_began_long_ago_is_not_told_as_one_that_begins() -> None:
    rig = CoverageRig()
    rig.clock(replace(clock(LEVEL), left_ms=600_000))
    assert rig.said == []


def test_the_final_table_heads_up_and_the_winner() -> None:
    rig = CoverageRig()
    two = ToldTable("02")
    rig.lease(two)
    rig.seats({1: ("ann", 9_000), 2: ("bo", 6_000)})
    rig.seats({3: ("cy", 5_000)}, two)
    rig.field(field(LEFT, payouts=(500, 300)))
    rig.field(field({**LEFT, "cy": ("01", 3, 5_000)}, payouts=(500, 300)))
    final = next(line for line in rig.lines if line.kind == "final_table")
    assert (
        final.text["en"]
        == "The final table is set: 3 players are left. The chip counts: Ann 9,000, Bo 6,000, Cy 5,000."
    )
    left = {"ann": ("01", 1, 14_000), "bo": ("01", 2, 6_000)}
    rig.seats({1: ("ann", 14_000), 2: ("bo", 6_000), 3: ("cy", 0)})
    rig.field(field(left, [("cy", 3, 0)], payouts=(500, 300)))
    assert "Heads-up: Ann 14,000, Bo 6,000." in rig.said
    rig.field(field({"ann": ("01", 1, 20_000)}, [("bo", 2, 300), ("cy", 3, 0)], payouts=(500, 300), winner="Ann"))
    assert rig.said[-1] == "Ann wins the tournament and 5."


def test_a_table_that_breaks_names_where_its_players_go() -> None:
    rig = CoverageRig()
    two = ToldTable("02")
    rig.lease(two)
    rig.field(field({**LEFT, "di": ("02", 4, 7_000)}))
    rig.hear(*all_in(stacks={3: ("cy", 5_000), 4: ("di", 7_000)}, winner=3, loser=4), table=two)
    rig.field(field({**LEFT, "cy": ("01", 5, 10_000), "di": ("", 0, 2_000)}))
    assert not any("breaks" in words for words in rig.said), "one of them has no seat yet"
    rig.field(field({**LEFT, "cy": ("01", 5, 10_000), "di": ("01", 7, 2_000)}))
    assert "Table 02 breaks; 4 players are left. Its players move: Cy and Di to table 01." in rig.said


def test_a_deal_at_the_end() -> None:
    rig = CoverageRig()
    rig.field(field(LEFT, payouts=(500,)))
    rig.field(field(LEFT, payouts=(500,), deal=True))
    assert rig.said[-1] == "The 3 players who are left agree on a deal."
    rig.field(field(LEFT, payouts=(500,)))
    assert rig.lines[-1].state is LineState.WITHDRAWN


def test_who_takes_the_lead_has_more_chips_than_everybody_who_is_left() -> None:
    rig = CoverageRig()
    two = ToldTable("02")
    rig.lease(two)
    rig.field(field(LEFT))
    rig.hear(*all_in(stacks={1: ("ann", 9_000), 2: ("bo", 6_000)}))
    assert not any("lead" in words for words in rig.said), "nobody knows what Cy has"
    rig.seats({3: ("cy", 5_000)}, two)
    rig.field(field({"ann": LEFT["ann"], "cy": LEFT["cy"], "di": ("01", 4, 4_000)}, [("bo", 4, 0)]))
    rig.hear(*all_in(stacks={1: ("ann", 15_000), 4: ("di", 4_000)}, loser=4, number=8))
    assert any("chip lead" in words and "19,000" in words for words in rig.said)


def test_another_tournament_begins_a_page_of_its_own() -> None:
    rig = CoverageRig()
    rig.field(field(LEFT))
    rig.hear(*all_in(stacks={1: ("ann", 9_000), 2: ("bo", 6_000)}))
    assert len(rig.said) == 1
    rig.field(field({"eve": ("01", 1, 100)}, event="Saturday"))
    assert rig.said == []
    assert rig.view.name == "Saturday"


@pytest.mark.parametrize("event", ["Friday\tnight", "Friday " * 500])
def test_a_tournament_has_whatever_name_the_station_gives_it(event: str) -> None:
    rig = CoverageRig()
    rig.field(field(LEFT, event=event))
    rig.hear(*all_in(stacks={1: ("ann", 9_000), 2: ("bo", 6_000)}))
    rig.field(field({"ann": LEFT["ann"], "cy": LEFT["cy"]}, [("bo", 3, 0)], entrants=9, event=event))
    assert rig.view.name == event
    assert len(rig.said) == 3
    for line in rig.kept.values():
        assert decode(encode(line), Kept) == line
    before = rig.said
    rig.start()
    rig.field(field({"ann": LEFT["ann"], "cy": LEFT["cy"]}, [("bo", 3, 0)], entrants=9, event=event))
    assert rig.said == before, "it is the same tournament"


def test_the_chip_counts_are_as_late_as_the_lines() -> None:
    rig = CoverageRig(air_s=60)
    rig.seats({1: ("ann", 9_000), 2: ("bo", 6_000)})
    rig.wait(59)
    assert rig.view.counts == ()
    rig.wait(2)
    assert [(one.place, one.player, one.stack) for one in rig.view.counts] == [(1, "ann", 9_000), (2, "bo", 6_000)]


# -------------------------------------------------------------------------------- who may say so


def test_what_the_tables_machine_did_not_sign_is_not_covered() -> None:
    rig = CoverageRig()
    thief = ToldTable()
    thief.key = LedgerKey(b"t" * 32)
    rig.send(thief.tell(*all_in()))
    assert rig.said == []


def test_events_that_are_missing_are_asked_for_and_taken_in_their_turn() -> None:
    rig = CoverageRig()
    rig.hear(Ruled("x", "y", "z", "tda.1"))
    said = rig.table.tell(*all_in())
    rig.send([said[0], *said[4:]])
    assert rig.said == []
    rig.wait(4)
    asked = [one for one in rig.effects if isinstance(one, Publish)]
    assert asked
    assert asked[-1].topic == "fw/hall/table/01/resend"
    rig.send(said[1:])
    assert len(rig.said) == 1


def test_a_hand_of_which_an_event_never_comes_is_not_told_and_the_next_one_is() -> None:
    rig = CoverageRig()
    rig.hear(Ruled("x", "y", "z", "tda.1"))
    said = rig.table.tell(*all_in())
    rig.send([said[0], *said[4:]])
    rig.wait(300)
    assert rig.said == []
    rig.hear(*all_in(number=8))
    assert [line.hand for line in rig.lines] == [8]


def test_another_machine_begins_while_an_event_of_the_one_before_is_missing() -> None:
    rig = CoverageRig()
    rig.hear(Ruled("x", "y", "z", "tda.1"))
    said = rig.table.tell(*all_in())
    rig.send([said[0], *said[4:]])
    other = ToldTable()
    other.key = LedgerKey(b"o" * 32)
    rig.lease(other)
    rig.wait(300)
    rig.hear(*all_in(number=8), table=other)
    assert [line.hand for line in rig.lines] == [8]


@pytest.mark.parametrize("raw", [b"", b"{", b"[]", b'{"v":9}', b"\xff" * 40])
@pytest.mark.parametrize(
    "leaf", ["table/01/event", "table/01/state", "tournament/field", "tournament/clock", "tournament/charge/01"]
)
def test_what_cannot_be_read_is_said_and_left_out(raw: bytes, leaf: str) -> None:
    rig = CoverageRig()
    rig.step(Arrived(f"fw/hall/{leaf}", raw))
    rig.hear(*all_in())
    assert len(rig.said) == 1


# --------------------------------------------------------------------------------------- restarts


def test_after_a_restart_nothing_is_told_twice_and_nothing_is_lost() -> None:
    rig = CoverageRig(grace_s=5, air_s=60)
    rig.field(field(LEFT))
    said = rig.hear(*all_in(stacks={1: ("ann", 9_000), 2: ("bo", 6_000)}))
    rig.wait(30)
    rig.start()
    rig.send(said)
    rig.wait(36)
    assert len(rig.said) == 1
    rig.start()
    rig.send(said)
    rig.wait(200)
    assert len(rig.said) == 1


def test_after_a_reboot_the_wait_begins_anew() -> None:
    rig = CoverageRig(air_s=60)
    rig.hear(*all_in())
    rig.wait(59)
    rig.start(boot="b2")
    rig.wait(59)
    assert rig.said == []
    rig.wait(2)
    assert len(rig.said) == 1


# ------------------------------------------------------------------------------------ hidden cards


def test_cards_that_are_released_before_a_line_goes_out_stand_in_it() -> None:
    rig = CoverageRig(air_s=60)
    events = all_in(tabled=False)
    said = rig.hear(*events)
    rig.wait(50)
    rig.release(said[0], {1: HIGH, 2: LOW})
    rig.wait(20)
    assert "Q♥ Q♦" in rig.said[0]
    assert "A♠ K♦" in rig.said[0]


def test_cards_that_are_released_later_are_a_line_of_their_own() -> None:
    rig = CoverageRig()
    said = rig.hear(*all_in(tabled=False))
    assert not CARD.findall(rig.said[0])
    rig.release(said[0], {1: HIGH, 2: LOW})
    assert rig.said[1].startswith("With the cards of hand 7 public: ")
    assert "Q♥ Q♦" in rig.said[1]
    assert rig.lines[0].before == ()


@pytest.mark.parametrize("seed", range(6))
def test_no_card_is_named_before_everybody_may_know_it(seed: int) -> None:
    """Random hands with releases, waits, restarts and presses in between: each card in each view, and in each line
    that is stored, lay face up or was released by then."""
    chance = random.Random(seed)
    rig = CoverageRig(
        air_s=chance.choice([0, 30, 300]), grace_s=chance.choice([0, 20]), at_once=chance.random() < 0.3
    )
    public: set[str] = set()
    seen = 0
    due: list[tuple[Envelope, dict[int, tuple[str, ...]]]] = []
    for number in range(25):
        events = random_hand(1_000 * seed + number)
        deck = {card for event in events for card in getattr(event, "cards", ())}
        started = events[0]
        assert isinstance(started, HandStarted)
        seats = tuple(replace(one, player=f"p{one.seat}") for one in started.seats)
        big = replace(
            started.level, small_blind=Chips(1), big_blind=Chips(2)
        )  # so that most hands are worth a line
        envelopes: list[Envelope] = []
        for event in (replace(started, hand=number + 1, seats=seats, level=big), *events[1:]):
            public |= {shown([card]) for card in getattr(event, "cards", ()) if card != "??"}
            envelopes += rig.hear(event)
            seen = judge(rig, public, seen)
        rest = [card for card in (rank + suit for rank in "23456789TJQKA" for suit in "cdhs") if card not in deck]
        chance.shuffle(rest)
        due.append((envelopes[0], {one.seat: (rest.pop(), rest.pop()) for one in seats}))
        if chance.random() < 0.2:
            rig.start(boot=chance.choice(["b1", "b2"]))
        if rig.waiting and chance.random() < 0.4:
            rig.press(chance.choice(["hold", "out", "pin", "remove"]), chance.choice(rig.waiting))
        if chance.random() < 0.5:
            began, cards = due.pop(0)
            public |= {shown([card]) for held in cards.values() for card in held}  # type: ignore[list-item]
            rig.release(began, cards)
        rig.wait(chance.choice([1, 40, 400]))
        seen = judge(rig, public, seen)
    assert rig.said, "something went out"


def judge(rig: CoverageRig, public: set[str], seen: int) -> int:
    for effect in rig.effects[seen:]:
        words = list(effect.line.words.values()) if isinstance(effect, KeepLine) else []
        view = getattr(effect, "view", None)
        words += [text for line in view.lines for text in line.text.values()] if view is not None else []
        desk = getattr(effect, "desk", None)
        words += [text for line in desk.waiting for text in line.text.values()] if desk is not None else []
        assert {card for text in words for card in CARD.findall(text)} <= public
        if isinstance(effect, KeepLine):
            raw = encode(effect.line).decode()
            hidden = {r + s for r in "23456789TJQKA" for s in "cdhs" if shown([r + s]) not in public}  # type: ignore[list-item]
            assert not [card for card in hidden if f'"{card}"' in raw]
    return len(rig.effects)
