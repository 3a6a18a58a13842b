"""Recorded hands all the way through devices, frames, the table process and a broker."""

from __future__ import annotations

from pathlib import Path

import pytest

from feltwire.lab.simroom.through_wires import replay_through_wires
from feltwire.tools.hand_files import read_all

pytestmark = pytest.mark.room

# Two made-up hands: one that ends before the flop, one that is split at the showdown after an all-in.
HANDS = {
    "folded": """\
variant = "NT"
antes = [0, 0, 0]
blinds_or_straddles = [100, 200, 0]
min_bet = 200
starting_stacks = [10000, 10000, 10000]
actions = ["d dh p1 2c7d", "d dh p2 3h8s", "d dh p3 AsAd", "p3 cbr 600", "p1 f", "p2 f"]
finishing_stacks = [9900, 9800, 10300]
""",
    "all-in": """\
variant = "NT"
antes = [0, 0, 0]
blinds_or_straddles = [100, 200, 0]
min_bet = 200
starting_stacks = [10000, 4000, 10000]
actions = ["d dh p1 AhKh", "d dh p2 AcKc", "d dh p3 2h7s", "p3 f", "p1 cbr 10000", "p2 cc", \
"d db 2c5d9s", "d db Jd", "d db 3s", "p1 sm AhKh", "p2 sm AcKc"]
finishing_stacks = [10000, 4000, 10000]
""",
}


def test_recorded_hands_end_with_their_recorded_stacks(tmp_path: Path) -> None:
    recorded = []
    for name, text in HANDS.items():
        path = tmp_path / f"{name}.phh"
        path.write_text(text)
        recorded += read_all(path)
    done: list[tuple[int, int]] = []
    outcomes = list(
        replay_through_wires(recorded, list(HANDS), rulebook="base", progress=lambda *so_far: done.append(so_far))
    )
    assert [(o.hand, o.equal, o.refused) for o in outcomes] == [("folded", True, None), ("all-in", True, None)]
    assert done == [(1, 2), (2, 2)]
