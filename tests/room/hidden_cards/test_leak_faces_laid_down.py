"""Somebody lays cards of another deck face up on the felt, to learn from what the table says whether they are
among those that lie face down. Each hand is dealt twice, with other cards face down, and the same faces are laid
down: every byte that leaves the node is the same, but for commitments, boxes and the hashes over them.

    python -m tests.room.hidden_cards.test_leak_faces_laid_down 400 --seed 5000      # so many hands, twice each
"""

from __future__ import annotations

import argparse
import itertools
import random
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from feltwire.lab.simroom.dealer.mischief import Fault
from feltwire.lab.simroom.dealer.robot import RobotDealing
from feltwire.lab.simroom.felt.felt import FeltCard
from feltwire.lab.simroom.play.script import FULL_DECK, HandScript
from table_core.messages import Chips, Key, Zone, ZoneReading
from tests.room.hidden_cards.test_leak_nothing_depends import BASE, LEVEL, OpenTable, differing, hands, other_cards
from tests.room.robot_table import FINGER_MS

ZONES = [f"seat-{seat}-cards" for seat in range(1, 7)]


class Lie(NamedTuple):
    """Faces of another deck that lie in a zone for one look: at a seat beside a back (`keeps`) or alone, on the
    board beside its cards or in place of the newest."""

    zone: str
    faces: tuple[str, ...]
    keeps: bool


class Deceived(OpenTable):
    """A table on which faces are laid down: `lies` by how many looks of the camera came before."""

    def __init__(self, runtime: Path) -> None:
        super().__init__(runtime)
        self.lies: dict[int, Lie] = {}
        self.looks = 0
        self.board: list[FeltCard] = []

    def zone(self, name: str, cards: list[FeltCard]) -> None:
        self.looks += 1
        super().zone(name, cards)
        if name == "board":
            self.board = cards
        lie = self.lies.pop(self.looks, None)
        if lie is None:
            return
        laid = [FeltCard(face, face_up=True) for face in lie.faces]
        beside = [FeltCard("As")] * (2 - len(laid)) if lie.keeps else []  # a back, whatever it is
        seen = {*self.face_up}
        if lie.zone == "board":
            beside = self.board if lie.keeps else self.board[:-1]
            super().zone("board", [*beside, *laid])
        else:
            super().zone(lie.zone, [*laid, *beside])
        self.face_up = seen  # they are not the deck's
        self.advance(self.now + 3_000)


def at_seats(rng: random.Random, script: HandScript) -> dict[int, Lie]:
    return {
        rng.randrange(8, 160): Lie(
            rng.choice([*ZONES, *ZONES, "burn"]),
            tuple(rng.sample(script.deck[:14] if rng.random() < 0.8 else FULL_DECK, rng.choice((1, 1, 1, 2)))),
            rng.random() < 0.7,
        )
        for _ in range(rng.choice((1, 2, 4)))
    }


def on_the_board(rng: random.Random, script: HandScript) -> dict[int, Lie]:
    """Most often burns, and cards of the streets to come."""
    return {
        rng.randrange(40, 160): Lie(
            "board",
            tuple(
                rng.sample(script.deck[12:24] if rng.random() < 0.8 else FULL_DECK, rng.choice((1, 1, 1, 2, 3)))
            ),
            rng.random() < 0.6,
        )
        for _ in range(rng.choice((1, 2, 4)))
    }


Lying = Callable[[random.Random, HandScript], dict[int, Lie]]


def dealt_twice(folder: Path, seed: int, lying: Lying = at_seats) -> list[tuple[str, str]]:
    """What differs between the twins of one hand in which faces were laid down: mostly of cards that lie face down
    in the first of them."""
    rng = random.Random(seed)
    script = hands(seed).next_hand(LEVEL)
    lies = lying(rng, script)
    first = Deceived(folder / "one")
    play(first, script, lies)
    other = Deceived(folder / "other")
    play(other, other_cards(script, first.face_up, rng), lies)
    both = differing(first.said, other.said)
    return both or [("length", "")] * (len(first.said) != len(other.said))


def play(table: Deceived, script: HandScript, lies: dict[int, Lie]) -> None:
    table.lies = dict(lies)
    dealing = RobotDealing(
        table.hands(), BASE, plan=lambda _: script, level=LEVEL, fault=Fault(), smallest_chip=Chips(25)
    )
    dealing.play()


# 15: the screen said which card of the deal it was; 106: whether both faces at a seat were hole cards
@pytest.mark.parametrize("seed", [15, 106, *range(3)])
def test_no_face_that_is_laid_down_tells_of_a_card_that_lies_face_down(tmp_path: Path, seed: int) -> None:
    assert not dealt_twice(tmp_path, seed)[:1]


@pytest.mark.parametrize("seed", range(3))
def test_nor_does_one_on_the_board(tmp_path: Path, seed: int) -> None:
    assert not dealt_twice(tmp_path, seed, on_the_board)[:1]


# ------------------------------------------------------- one moment of a hand, and one face at its worst

FALSE = "Kc"  # the face that is laid down
HOLE = ("3c", "4c", "5c", "6c", "7c", "8c", "3d", "4d", "5d", "6d", "7d", "8d")  # seat 2 first, seat 1 last
FLOP, TURN, RIVER = ("9c", "9d", "9h"), "Td", "Jh"
BURNS = ("Qc", "Qd", "Qh")


class Moment:
    """A hand that is played step by step. The card `FALSE` says is dealt at `place` of the deal, or is not."""

    def __init__(self, folder: Path, place: int | None) -> None:
        self.table = OpenTable(folder)
        deck = [*HOLE, BURNS[0], *FLOP, BURNS[1], TURN, BURNS[2], RIVER, "As", "Ad"]
        if place is not None:
            deck[place - 1] = FALSE
        self._deck = iter(deck)
        self.table.press(Key.NEW_HAND)
        self.deal(len(HOLE))
        for seat in range(1, 7):
            self.see(f"seat-{seat}-cards", backs=2)
        self.all(Key.CHECK_CALL)

    def deal(self, count: int = 1) -> None:
        for card in itertools.islice(self._deck, count):
            self.table.tag(self.table.registry.tag_of("red", card).reveal())

    def see(self, zone: str, *faces: str, unread: int = 0, backs: int = 0, motions: int = 0) -> None:
        self.table.see(ZoneReading(Zone.parse(zone), faces, unread, backs, motions=motions))
        self.wait()

    def press(self, *keys: Key) -> None:
        for key in keys:
            self.table.press(key)
            self.table.advance(self.table.now + FINGER_MS)
        self.wait()

    def all(self, key: Key) -> None:
        self.press(*[key] * 6)

    def wait(self) -> None:
        self.table.advance(self.table.now + 3_000)

    def flop(self) -> None:
        self.deal()
        self.see("burn", backs=1, motions=1)
        self.deal(3)
        self.see("board", *FLOP)
        self.all(Key.CHECK_CALL)

    def to_showdown(self) -> None:
        self.flop()
        for motions, card, board in ((2, TURN, (*FLOP, TURN)), (3, RIVER, (*FLOP, TURN, RIVER))):
            self.deal()
            self.see("burn", backs=1, motions=motions)
            self.deal()
            self.see("board", *board)
            assert card in self.table.view.board
            self.all(Key.CHECK_CALL)

    def on(self) -> None:
        """A person presses what is asked for, the hand ends, and the next one begins."""
        self.press(Key.STREET)
        self.press(Key.STREET)
        self.press(Key.SEAT_2, Key.AWARD)
        self.press(Key.NEW_HAND)


def false_turn_behind_a_burn(hand: Moment) -> None:
    hand.flop()
    hand.deal()
    hand.see("board", *FLOP, FALSE)


def false_turn_behind_a_burn_that_was_seen(hand: Moment) -> None:
    hand.flop()
    hand.deal()
    hand.see("burn", backs=1, motions=2)
    hand.see("board", *FLOP, FALSE)


def false_turn_before_the_next_burn(hand: Moment) -> None:
    hand.flop()
    hand.deal(3)
    hand.see("board", *FLOP, FALSE)


def false_turn_that_street_says_is_out(hand: Moment) -> None:
    hand.flop()
    hand.deal()
    hand.see("burn", backs=1, motions=2)
    hand.deal()
    hand.see("board", *FLOP, FALSE)


def false_face_on_a_flop_that_is_not_read(hand: Moment) -> None:
    hand.see("board")
    hand.deal()
    hand.see("burn", backs=1, motions=1)
    hand.deal(3)
    hand.see("board", FALSE, unread=2)


def false_face_on_a_flop_that_lacks_a_card(hand: Moment) -> None:
    hand.deal(3)
    hand.see("board", *FLOP[:2], FALSE)


def false_face_on_a_flop_with_a_card_more(hand: Moment) -> None:
    hand.deal(5)
    hand.see("board", *FLOP[1:], FALSE)


def false_fourth_face_on_a_flop(hand: Moment) -> None:
    """Three of the four newest cards lie there, behind what may be two burns."""
    hand.deal(6)
    hand.see("board", *FLOP[1:], BURNS[1], FALSE)


def false_card_tabled(hand: Moment) -> None:
    hand.to_showdown()
    hand.see("seat-2-cards", FALSE, "3d")


def false_hand_tabled(hand: Moment) -> None:
    hand.to_showdown()
    hand.see("seat-2-cards", FALSE, "4c")


def false_hand_tabled_by_key(hand: Moment) -> None:
    false_hand_tabled(hand)
    hand.press(Key.SEAT_2, Key.TABLED)


def false_card_tabled_beside_one_unread(hand: Moment) -> None:
    hand.to_showdown()
    hand.press(Key.SEAT_2, Key.TABLED)
    hand.see("seat-2-cards", FALSE, unread=1)


OTHER_HOLE, FIRST_BURN, SECOND_BURN, FOURTH, THIRD_BURN = 3, 13, 17, 18, 19
MOMENTS = {
    false_turn_behind_a_burn: (OTHER_HOLE, FIRST_BURN, SECOND_BURN),
    false_turn_behind_a_burn_that_was_seen: (OTHER_HOLE, SECOND_BURN),
    false_turn_before_the_next_burn: (OTHER_HOLE, SECOND_BURN, THIRD_BURN),
    false_turn_that_street_says_is_out: (OTHER_HOLE, SECOND_BURN),
    false_face_on_a_flop_that_is_not_read: (OTHER_HOLE, FIRST_BURN),
    false_face_on_a_flop_that_lacks_a_card: (OTHER_HOLE, FIRST_BURN),
    false_face_on_a_flop_with_a_card_more: (OTHER_HOLE, FIRST_BURN, SECOND_BURN),
    false_fourth_face_on_a_flop: (OTHER_HOLE, FIRST_BURN, FOURTH),
    false_card_tabled: (OTHER_HOLE, FIRST_BURN),
    false_hand_tabled: (OTHER_HOLE, FIRST_BURN),
    false_hand_tabled_by_key: (OTHER_HOLE, FIRST_BURN),
    false_card_tabled_beside_one_unread: (OTHER_HOLE, FIRST_BURN),
}


@pytest.mark.parametrize("moment", MOMENTS)
def test_where_a_false_face_was_dealt_changes_nothing(tmp_path: Path, moment: Callable[[Moment], None]) -> None:
    said = []
    for place in (None, *MOMENTS[moment]):
        hand = Moment(tmp_path / str(place), place)
        moment(hand)
        hand.on()
        said.append(hand.table.said)
    for place, other in zip(MOMENTS[moment], said[1:], strict=True):
        assert not differing(said[0], other)[:1], f"the face was dealt at place {place}"
        assert len(said[0]) == len(other)


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("hands", type=int)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    found = 0
    for seed in range(args.seed, args.seed + args.hands):
        for lying in (at_seats, on_the_board):
            with tempfile.TemporaryDirectory() as folder:
                told = dealt_twice(Path(folder), seed, lying)
            found += bool(told)
            for one, other in told[:1]:
                at = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), 0)
                print(seed, lying.__name__, "…" + one[max(0, at - 120) : at + 120], sep="\n")
                print("…" + other[max(0, at - 60) : at + 120])
    print(f"{args.hands} hands, twice each; {found} of them tell of a hidden card")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
