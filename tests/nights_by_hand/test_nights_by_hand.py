"""A few nights of `python -m tests.nights_by_hand`, and that it finds what is wrong."""

from __future__ import annotations

import pytest

from table_core.tournament.chips import account
from table_core.tournament.field import out_by_hand
from table_core.tournament.state import State
from tests.nights_by_hand.__main__ import main
from tests.nights_by_hand.director import NightByHand

SEEDS = (2, 7, 9, 114, 121)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_night_by_hand_has_no_false_alarm(seed: int) -> None:
    assert NightByHand(seed).play() == []


def test_missing_chips_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The account of a room with tables, kept with nobody there to keep it."""

    def kept(state: State, facts: account.Facts) -> account.ChipAccount:
        issued = sum(one.chips for one in state.field.entrants.values())
        there = sum(state.field.entrants[player].chips for player in state.seats.at)
        return account.ChipAccount(issued, 0, there, 0, 0, issued - there)

    monkeypatch.setattr("feltwire.station.tournament.pages.accounts.chip_account", kept)
    assert any("chips are missing" in text for text in NightByHand(2).play())


def test_places_by_the_order_of_the_presses_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(out_by_hand, "_with", lambda groups, event: [*groups, [event.player]])
    found = [text for seed in range(2, 40) for text in NightByHand(seed).play()]
    assert any("places (shown, right)" in text for text in found)


def test_it_is_called_with_a_shard_that_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--shard", "3/2"])
    assert "write 1/4 to 4/4" in capsys.readouterr().err
