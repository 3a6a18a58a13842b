"""What follows for viewers from a table's public state."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from feltwire.relay.on_air.overlay import overlay_of
from feltwire.relay.on_air.players import Listed, Players
from feltwire.relay.on_air.seat_facts import acted_last, in_words, is_out, positions, runs_out, tenths, to_call
from feltwire.relay.on_air.timeline import HoleCard, ReleasedHand, Timeline
from table_core.messages import (
    Action,
    CalledOn,
    CardText,
    Chips,
    FieldPlayer,
    Legal,
    Level,
    Millis,
    OverlayView,
    Seat,
    SeatView,
    Street,
    TableView,
    TournamentField,
)
from tests.display import fixtures

LEVEL = Level(1, Chips(50), Chips(100))


def seat(no: int, stack: int = 5_000, **more: Any) -> SeatView:
    return SeatView(Seat(no), f"p{no}", Chips(stack), **({"in_hand": True} | more))


def view(seats: Sequence[SeatView], button: int = 1, **more: Any) -> TableView:
    dealt = [one.seat for one in seats if one.in_hand or one.folded]
    behind = sorted(dealt, key=lambda one: (one <= button, one))
    blinds = {"small_blind": behind[0], "big_blind": behind[1]} if len(behind) > 2 else {}
    if len(behind) == 2:
        blinds = {"small_blind": Seat(button), "big_blind": next(one for one in behind if one != button)}
    given = {"street": Street.PREFLOP, "board": (), "pots": (), "contenders": (), "legal": None, "level": LEVEL}
    return replace(fixtures.table_view(), seats=tuple(seats), button=Seat(button), **blinds, **given | more)


@pytest.mark.parametrize(
    ("count", "named"),
    [
        (2, "BTN BB"),
        (3, "BTN SB BB"),
        (4, "BTN SB BB CO"),
        (5, "BTN SB BB UTG CO"),
        (6, "BTN SB BB UTG HJ CO"),
        (7, "BTN SB BB UTG LJ HJ CO"),
        (9, "BTN SB BB UTG UTG+1 UTG+2 LJ HJ CO"),
        (10, "BTN SB BB UTG UTG+1 UTG+2 UTG+3 LJ HJ CO"),
    ],
)
def test_positions_from_the_button(count: int, named: str) -> None:
    found = positions(view([seat(no) for no in range(1, count + 1)]))
    assert [found[Seat(no)] for no in range(1, count + 1)] == named.split()


def test_who_is_not_dealt_in_has_none_and_who_folded_keeps_it() -> None:
    seats = [seat(1), seat(2, in_hand=False, folded=True), seat(3), seat(4, in_hand=False), seat(5)]
    assert positions(view(seats)) == {2: "SB", 3: "BB", 5: "CO", 1: "BTN"}


def test_a_dead_button_is_nobodys() -> None:
    found = positions(view([seat(2), seat(3), seat(4), seat(5)], button=1))
    assert found == {2: "SB", 3: "BB", 4: "UTG", 5: "CO"}


def test_what_is_to_call_is_no_more_than_the_stack_and_nothing_where_betting_is_closed() -> None:
    seats = [seat(1, bet=Chips(300)), seat(2, 80, bet=Chips(50)), seat(3, 0, all_in=True, bet=Chips(120)), seat(4)]
    legal = Legal(Seat(4), False, Chips(300), None, None)
    assert to_call(view(seats, legal=legal)) == {1: 0, 2: 80, 4: 300}
    assert to_call(view(seats)) == {}


def test_a_run_out_is_where_nobody_can_bet_any_more() -> None:
    live = [seat(1, 0, all_in=True), seat(2)]
    assert runs_out(view(live))
    assert not runs_out(view([*live, seat(3)])), "two can still bet"
    assert not runs_out(view(live, legal=Legal(Seat(2), False, Chips(10), None, None)))
    assert not runs_out(view(live, street=Street.DONE))
    assert not runs_out(view([seat(1, 0, all_in=True), seat(2, in_hand=False, folded=True)]))


def test_who_has_no_chips_is_out_once_the_hand_is_over() -> None:
    broke = seat(1, 0, all_in=True)
    assert not is_out(broke, Street.RIVER)
    assert is_out(replace(broke, all_in=False), Street.DONE)
    assert not is_out(replace(broke, all_in=False, won=Chips(900)), Street.DONE)


def test_amounts_in_big_blinds_are_rounded_down_to_tenths() -> None:
    assert [tenths(chips, LEVEL) for chips in (0, 9, 10, 1_234)] == [0, 0, 1, 123]
    assert tenths(100, None) is None
    assert tenths(100, replace(LEVEL, big_blind=Chips(0))) is None


def test_the_last_act_is_said_in_words_of_viewers() -> None:
    def said(*seats: SeatView, **more: Any) -> str:
        now = view(seats, **more)
        before = view([replace(one, action=None, amount=None) for one in seats], **more)
        return in_words(now, acted_last(before, now), lambda one: {1: "Ann", 2: "Bo"}[one.seat])

    assert said(seat(1, action=Action.RAISE, amount=Chips(1_200)), seat(2)) == "Ann raises to 1,200"
    assert said(seat(1), seat(2, 0, action=Action.CALL, amount=Chips(90), all_in=True)) == "Bo calls 90, all-in"
    assert said(seat(1, won=Chips(500)), seat(2), street=Street.DONE) == "Ann wins 500"
    assert said(seat(1), seat(2), street=Street.FLOP, board=("Ah", "7d", "2c")) == "Flop"
    assert said(seat(1), seat(2)) == ""


# ------------------------------------------------------------------------------------------------ a picture of it


def overlay(now: TableView, *, at: int = 0, cards: dict[int, str] | None = None, **more: Any) -> OverlayView:
    """That state on air, `at` ms behind its beginning, where these cards are released."""
    timeline = Timeline()
    timeline.begin((now.epoch, 1))
    timeline.show(now, Millis(1_000), Millis(50_000))
    if cards is not None:
        held: dict[Seat, tuple[HoleCard, ...]] = {
            Seat(no): (HoleCard((now.epoch, 1), text[:2]), HoleCard((now.epoch, 1), text[2:]))
            for no, text in cards.items()
        }
        timeline.release((now.epoch, 1), ReleasedHand(now.hand, held, from_deal=True, last=(now.epoch, now.as_of)))
    return overlay_of(timeline.picture(timeline.moments[0]), 0.0, when=Millis(1_000 + at), **more)


BACKS: tuple[CardText, ...] = ("??", "??")
FLOP = {"street": Street.FLOP, "board": ("Ah", "7d", "2c")}


def test_outs_and_shares_are_told_where_every_live_hand_is_released() -> None:
    seats = [seat(1, cards=BACKS), seat(2, cards=BACKS), seat(3, in_hand=False, folded=True)]
    shown = overlay(view(seats, **FLOP), cards={1: "AsAd", 2: "7h7s", 3: "7cKd"})
    ahead, behind, folded = shown.seats
    assert (ahead.ahead, ahead.outs, folded.share) == (True, (), None)
    assert not behind.ahead
    assert behind.outs == (), "the last seven was folded, and quads are dead"
    assert (ahead.share or 0) + (behind.share or 0) == 1_000


def test_outs_are_the_cards_that_put_a_hand_in_front_or_level() -> None:
    seats = [seat(1, cards=BACKS), seat(2, cards=BACKS)]
    shown = overlay(view(seats, street=Street.TURN, board=("Kh", "Qh", "7d", "2c")), cards={1: "KsKd", 2: "AhJh"})
    helps = {f"{rank}h" for rank in "345689T"} | {"Tc", "Td", "Ts"}  # a flush, or a straight
    assert {*shown.seats[1].outs} == helps
    assert shown.seats[1].share is not None


@pytest.mark.parametrize("hidden", [1, 2, 3])
def test_nothing_is_told_while_one_live_hand_is_not_released(hidden: int) -> None:
    seats = [seat(no, cards=BACKS) for no in (1, 2, 3)]
    cards = {no: text for no, text in {1: "AsAd", 2: "7h7s", 3: "KcKd"}.items() if no != hidden}
    shown = overlay(view(seats, **FLOP), cards=cards)
    assert [(one.share, one.tie, one.outs, one.outs_to_tie, one.ahead) for one in shown.seats] == [
        (None, None, (), (), False)
    ] * 3


def test_the_called_clock_runs_from_the_moment_at_which_it_was_called() -> None:
    called = view([seat(1), seat(2)], called=CalledOn(Seat(2), 30_000, 7))
    clock = overlay(called, at=12_000).shot_clock
    assert clock is not None
    assert (clock.seat, clock.left_ms, clock.of_ms) == (2, 18_000, 30_000)
    ended = overlay(called, at=99_000).shot_clock
    assert ended is not None
    assert ended.left_ms == 0
    timeline = Timeline()
    timeline.show(called, Millis(1_000))
    timeline.show(replace(called, as_of=called.as_of + 1), Millis(6_000))
    assert timeline.moments[1].called == 1_000


def test_a_picture_has_its_wall_time_as_a_label() -> None:
    assert overlay(view([seat(1), seat(2)]), at=250).wall_ms == 50_250


def test_players_have_the_names_of_the_station_and_the_flags_of_the_producer() -> None:
    players = Players()
    players.take(TournamentField("Friday", players=(FieldPlayer("p1", "Ann Lee"),)))
    players.take_list({"Ann Lee": Listed("SE", "ann.png"), "p2": Listed("NO")})
    one, other = overlay(view([seat(1, won=Chips(5)), seat(2)], street=Street.DONE), players=players).seats
    assert (one.player, one.country, one.photo) == ("Ann Lee", "SE", "ann.png")
    assert (other.player, other.country, other.photo) == ("p2", "NO", "")


def test_no_dealers_words_are_in_a_picture() -> None:
    prompt = "Deal the flop, then press STREET"
    shown = overlay(replace(view([seat(1), seat(2)]), last=prompt, next_step=prompt, no_hand=prompt))
    assert prompt not in str(shown)
