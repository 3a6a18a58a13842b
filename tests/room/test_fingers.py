"""A dealer whose fingers slip, told by the screen alone: a share of `python -m tests.fingers`, in given time."""

from __future__ import annotations

import pytest

from tests.fingers.__main__ import SETS, evening

HANDS = 8


@pytest.mark.parametrize("devices", SETS)
def test_no_press_is_lost_and_no_slip_goes_on_record_without_a_line_that_names_it(devices: str) -> None:
    hands = evening(devices, "share/0", HANDS)
    assert sum(sum(hand.slips.values()) for hand in hands) > 0
    assert [lost for hand in hands for lost in hand.lost] == []
    assert [silent for hand in hands for silent in hand.silent] == []
    assert [stuck for hand in hands for stuck in hand.stuck] == []
