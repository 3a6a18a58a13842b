"""The best hand of the night, from hands that were tabled at a table with a shoe and a camera."""

from __future__ import annotations

import pytest

from table_core.messages import Key
from tests.feltwire.night_room import NightRoom, NightTable

BOARD = ("As", "Ac", "7d", "2h", "3s")


class CameraRoom:
    """Two players at a table of rpl, who paid $5 each for the best hand of the night."""

    def __init__(self, **house: object) -> None:
        self.room = NightRoom(("01",))
        self.table: NightTable = self.room.tables["01"]
        self.table._report_devices(("shoe", "camera"))
        settings = {"starting_stack": 2_000, "fee_for_best_hand": 5, "buy_in": 20, **house}
        self.room.do("open", rulebook="rpl", house=settings)
        for player in ("Ann", "Bo"):
            self.room.do("register", player=player)
            self.room.do("enter", player=player)
        at = {"Ann": {"table": "01", "seat": 1}, "Bo": {"table": "01", "seat": 2}}
        self.room.do("assign_seats", seats=[{"player": player, "at": seat} for player, seat in at.items()])
        self.room.do("start")

    def hand(
        self,
        ann: tuple[str, str],
        bo: tuple[str, str],
        board: tuple[str, ...] = BOARD,
        *,
        folds: bool = False,
        shows: bool = True,
    ) -> None:
        """Both check down; behind the last card of `board` Bo folds, or there is a showdown. Ann shows, or not."""
        table, dealt = self.table, {1: list(ann), 2: list(bo)}
        table.press(Key.NEW_HAND)
        for to in [to for to in table.node.table.destinations() if to.startswith("seat-")]:
            table.deal(dealt[int(to.removeprefix("seat-"))].pop(0))
        for seat in (1, 2):
            table.see(f"seat-{seat}-cards", backs=2)
        for burn, street in zip(("4c", "5c", "8c"), (board[:3], board[3:4], board[4:5]), strict=True):
            if street:
                self._check()
                table.deal(burn, *street)
                table.see("board", *table.view.board, *street)
        if folds:
            if table.view.legal is not None and table.view.legal.seat != 2:
                table.press(Key.CHECK_CALL)
            table.press(Key.FOLD)
        else:
            self._check()
            table.see("seat-2-cards", *bo)
        if shows:
            table.see("seat-1-cards", *ann)
        if shows and folds:
            table.press("1", Key.TABLED)
        if table.node.table.in_hand:
            table.press(Key.POT_PUSHED)
        assert not table.node.table.in_hand, table.view.question
        self.room.deliver()

    def unread_hand(self) -> None:
        """Both check down; STREET is pressed on every street before anybody reads it. Both show."""
        table = self.table
        table.press(Key.NEW_HAND)
        dealt = {1: ["Ah", "Kh"], 2: ["Qh", "Qs"]}
        for to in [to for to in table.node.table.destinations() if to.startswith("seat-")]:
            table.deal(dealt[int(to.removeprefix("seat-"))].pop(0))
        for seat in (1, 2):
            table.see(f"seat-{seat}-cards", backs=2)
        for cards in (4, 2, 2):
            self._check()
            table.deal(*[""] * cards)
            table.press(Key.STREET)
        self._check()
        table.see("seat-1-cards", "Ah", "Kh")
        table.see("seat-2-cards", "Qh", "Qs")
        table.press(Key.POT_PUSHED)
        table.press("1", Key.AWARD)
        assert not table.node.table.in_hand, table.view.question
        self.room.deliver()

    def _check(self) -> None:
        legal = self.table.view.legal
        street = self.table.view.street
        while legal is not None and self.table.view.street is street:
            self.table.press(Key.CHECK_CALL)
            legal = self.table.view.legal

    def best(self) -> list[str]:
        return [one["player"] for one in self.room.shown["best_hand"]["hands"]]


@pytest.mark.rule("rpl.league.3a")
def test_it_counts_when_everybody_else_folds_behind_the_river_and_not_when_they_fold_before_it() -> None:
    room = CameraRoom()
    room.hand(("Ah", "Ad"), ("Kh", "Kd"), BOARD[:4], folds=True)
    assert room.best() == []
    room.hand(("Ah", "Ad"), ("Kh", "Kd"), folds=True)
    assert room.best() == ["Ann"]


@pytest.mark.rule("rpl.league.3b")
def test_it_is_shown_and_uses_both_hole_cards() -> None:
    room = CameraRoom()
    room.hand(("Ah", "Ad"), ("Kh", "Kd"), folds=True, shows=False)
    assert room.best() == [], "nobody has seen it"
    room.hand(("Ah", "3d"), ("Kh", "Kd"), ("As", "Ac", "Ad", "Kc", "2s"), folds=True)
    assert room.best() == [], "four aces with one card from the hand"
    room.hand(("2h", "3d"), ("Kh", "Kd"), ("As", "Ks", "Qs", "Js", "Ts"), folds=True)
    assert room.best() == [], "all five are the board's"
    room.hand(("7h", "7s"), ("Kh", "Kd"), ("7d", "9c", "2h", "4s", "Tc"), folds=True)
    assert room.best() == ["Ann"]


@pytest.mark.rule("rpl.league.5")
def test_equal_best_hands_split_the_prize() -> None:
    room = CameraRoom()
    room.hand(("9h", "8h"), ("9s", "8d"), ("7d", "6c", "5s", "2h", "2c"))
    assert sorted(room.best()) == ["Ann", "Bo"]
    assert room.room.shown["best_hand"]["pool"] == 1_000
    assert room.room.shown["money"]["pool"] == 3_000, "of each $20"
    room.room.do("award_best_hand")
    assert room.room.shown["best_hand"]["won"] == {"Ann": 500, "Bo": 500}
    assert room.room.shown["money"]["cash_expected"] == 3_000
    assert room.room.press("award_best_hand").refused


def test_a_better_hand_takes_its_place_and_a_hand_taken_back_gives_it_up() -> None:
    room = CameraRoom()
    room.hand(("9h", "8h"), ("Kh", "Kd"), ("7d", "6c", "5s", "2h", "2c"), folds=True)
    room.hand(("Kh", "Kd"), ("9s", "8d"), ("Ks", "Kc", "5s", "2h", "3c"), folds=True)
    (best,) = room.room.shown["best_hand"]["hands"]
    assert best["cards"] == ["Kh", "Kd"]
    room.room.kill_station()
    assert room.best() == ["Ann"]
    room.table.press(Key.UNDO)
    room.room.deliver()
    (best,) = room.room.shown["best_hand"]["hands"]
    assert (best["hand"], best["cards"]) == (1, ["9h", "8h"])


def test_without_a_fee_for_it_there_is_no_prize() -> None:
    room = CameraRoom(fee_for_best_hand=0)
    room.hand(("Ah", "Ad"), ("Kh", "Kd"))
    assert "Nobody paid" in room.room.press("award_best_hand").text


def test_a_hand_on_a_board_that_nobody_read_ends_nothing_and_the_prize_waits_for_a_person() -> None:
    room = CameraRoom()
    room.unread_hand()
    assert room.room.shown["best_hand"]["hands"] == []
    assert {one["player"] for one in room.room.shown["best_hand"]["unread"]} == {"Ann", "Bo"}
    assert "Not every card was read" in room.room.press("award_best_hand").text
    room.hand(("7h", "7s"), ("Kh", "Kd"), ("7d", "9c", "2h", "4s", "Tc"), folds=True)
    refused = room.room.press("award_best_hand")
    assert refused.refused
    assert "Ann at table 01 in hand 1; Bo at table 01 in hand 1" in refused.text
    room.room.do("award_best_hand", anyway="both folders saw it")
    assert room.room.shown["best_hand"]["won"] == {"Ann": 1_000}


def test_a_person_says_who_has_it_where_cards_were_not_read() -> None:
    room = CameraRoom()
    room.hand(("7h", "7s"), ("Kh", "Kd"), ("7d", "9c", "2h", "4s", "Tc"), folds=True)
    assert room.room.press("award_best_hand", players=["Bo"]).refused, "every hand was read"
    room.unread_hand()
    assert room.room.press("award_best_hand", players=["Bo"]).refused, "nobody says why"
    assert room.room.press("award_best_hand", players=["Cy"], anyway="seen").refused, "not in the event"
    room.room.do("award_best_hand", players=["Bo"], anyway="the floor saw the straight flush")
    assert room.room.shown["best_hand"]["won"] == {"Bo": 1_000}
