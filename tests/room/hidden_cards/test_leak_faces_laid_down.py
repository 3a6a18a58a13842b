"""Somebody lays cards of another deck face up on the felt, to learn from what the table says whether they are
among those that lie face down. Each hand is dealt twice, with other cards face down, and the same faces are laid
down: every byte that leaves the node is the same, but for commitments, boxes and the hashes over them.

    python -m tests.room.hidden_cards.test_leak_faces_laid_down 400      # so many hands
"""

from __future__ import annotations

import random
import sys
import tempfile
from pathlib import Path

import pytest

from feltwire.lab.simroom.dealer.mischief import Fault
from feltwire.lab.simroom.dealer.robot import RobotDealing
from feltwire.lab.simroom.felt.felt import FeltCard
from feltwire.lab.simroom.play.script import FULL_DECK, HandScript
from table_core.messages import Chips
from tests.room.hidden_cards.test_leak_nothing_depends import BASE, LEVEL, OpenTable, differing, hands, other_cards

ZONES = [f"seat-{seat}-cards" for seat in range(1, 7)]


class Deceived(OpenTable):
    """A table on which faces are laid down: `lies` by how many looks of the camera came before, each a zone and
    the cards of another deck that lie there for one look."""

    def __init__(self, runtime: Path) -> None:
        super().__init__(runtime)
        self.lies: dict[int, tuple[str, tuple[str, ...], bool]] = {}
        self.looks = 0

    def zone(self, name: str, cards: list[FeltCard]) -> None:
        self.looks += 1
        super().zone(name, cards)
        lie = self.lies.pop(self.looks, None)
        if lie is None:
            return
        zone, faces, keeps = lie
        laid = [FeltCard(face, face_up=True) for face in faces]
        beside = [FeltCard("As")] * (2 - len(laid)) if keeps else []  # a back, whatever it is
        seen = {*self.face_up}
        super().zone(zone, [*laid, *beside])
        self.face_up = seen  # they are not the deck's
        self.advance(self.now + 3_000)


def dealt_twice(folder: Path, seed: int) -> list[tuple[str, str]]:
    """What differs between the twins of one hand in which faces were laid down: mostly of cards that lie face down
    in the first of them."""
    rng = random.Random(seed)
    script = hands(seed).next_hand(LEVEL)
    lies = {
        rng.randrange(8, 160): (
            rng.choice([*ZONES, *ZONES, "burn"]),
            tuple(rng.sample(script.deck[:14] if rng.random() < 0.8 else FULL_DECK, rng.choice((1, 1, 1, 2)))),
            rng.random() < 0.7,
        )
        for _ in range(rng.choice((1, 2, 4)))
    }
    first = Deceived(folder / "one")
    play(first, script, lies)
    other = Deceived(folder / "other")
    play(other, other_cards(script, first.face_up, rng), lies)
    both = differing(first.said, other.said)
    return both or [("length", "")] * (len(first.said) != len(other.said))


def play(table: Deceived, script: HandScript, lies: dict[int, tuple[str, tuple[str, ...], bool]]) -> None:
    table.lies = dict(lies)
    dealing = RobotDealing(
        table.hands(), BASE, plan=lambda _: script, level=LEVEL, fault=Fault(), smallest_chip=Chips(25)
    )
    dealing.play()


@pytest.mark.parametrize("seed", [15, *range(4)])  # 15: the screen said which card of the deal it was
def test_no_face_that_is_laid_down_tells_of_a_card_that_lies_face_down(tmp_path: Path, seed: int) -> None:
    assert not dealt_twice(tmp_path, seed)[:1]


if __name__ == "__main__":
    found = 0
    for seed in range(int(sys.argv[1])):
        with tempfile.TemporaryDirectory() as folder:
            found += bool(told := dealt_twice(Path(folder), seed))
            for one, other in told[:1]:
                at = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), 0)
                print(
                    seed, "…" + one[max(0, at - 120) : at + 120], "…" + other[max(0, at - 60) : at + 120], sep="\n"
                )
    print(f"{sys.argv[1]} hands, {found} of them tell of a hidden card")
    sys.exit(1 if found else 0)
