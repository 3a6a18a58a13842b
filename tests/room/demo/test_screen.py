"""How long a dealer waits for the dealer screen, in told time."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
import pytest

from feltwire.lab.simroom.dealer.screen import ScreenDark, wait_until
from table_core.messages import TableView
from tests.display.fixtures import table_view

OLD, NEW = msgspec.structs.replace(table_view(), hand=1), msgspec.structs.replace(table_view(), hand=2)
STEP_S = 10.0
PATIENCE_S = 2.5 * STEP_S


class Screen:
    """Shows one thing after the other, None while it is dark; each look takes `STEP_S`."""

    def __init__(self, shows: Iterable[TableView | None]) -> None:
        self._shows = iter(shows)
        self.now = 0.0

    def read(self) -> TableView | None:
        self.now += STEP_S
        return next(self._shows)

    def wait(self) -> tuple[TableView, bool]:
        return wait_until(
            self, lambda view: view.hand == 2, patience_s=PATIENCE_S, check=lambda: None, now=lambda: self.now
        )


def test_patience_ends_with_what_the_screen_shows() -> None:
    assert Screen([OLD] * 4).wait() == (OLD, False)


def test_what_comes_in_time_is_seen_however_long_a_look_takes() -> None:
    assert Screen([OLD, NEW]).wait() == (NEW, True)


def test_a_table_that_is_started_again_costs_no_patience() -> None:
    assert Screen([OLD, OLD, None, None, None, OLD, OLD, NEW]).wait() == (NEW, True)


@pytest.mark.parametrize("before", [[], [OLD]])
def test_a_screen_that_stays_dark_is_said_to_be(before: list[TableView]) -> None:
    with pytest.raises(ScreenDark, match="nothing on the dealer screen for 85 s"):
        Screen([*before, *[None] * 20]).wait()
