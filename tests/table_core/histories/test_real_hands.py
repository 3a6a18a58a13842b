"""Every recorded hand beside the project, through every format."""

from pathlib import Path

import pytest

from table_core.histories.ohh_write import ohh_text
from table_core.histories.phh_write import phh_text
from table_core.histories.played import play
from table_core.histories.stars_write import stars_text
from tests.table_core.histories.reading import parse_ohh, parse_phh
from tests.table_core.histories.stars_tracker import Tracker
from tests.table_core.histories.test_histories import same
from tests.table_core.table import BASE

HANDS = Path(__file__).parents[4] / "shared" / "hands"


@pytest.mark.shared
def test_real_hands_survive_every_format() -> None:
    files = sorted(HANDS.rglob("*.phh"))
    assert files
    for file in files:
        (hand,) = parse_phh(file.read_text(), file.name)
        (again,) = parse_phh(phh_text(hand), file.name)
        assert same(again) == same(hand)
        text = ohh_text([play(hand, BASE)])
        (over,) = parse_ohh(text, file.name)
        assert over.finishing_stacks == hand.finishing_stacks
        assert ohh_text([play(over, BASE)]) == text
        finishing = Tracker(stars_text([play(hand, BASE)])).read()
        assert tuple(finishing[seat] for seat in hand.table_seats) == hand.finishing_stacks
