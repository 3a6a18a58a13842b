"""The model of cards that pass beams and antennas: its geometry, and that a dealer's truth fits it."""

from __future__ import annotations

import pytest

from firmware_bridge.sim.pico.card_path import ANTENNAS, BEAM_B, BEHIND, CARD, Card, beam_edges, coupling
from tests.firmware_bridge.deals.dealer import GONE, Dealer, Shares

UIDS = [bytes((0xE0, 4, 1, 2, 3, 4, 5, number)) for number in range(52)]


def test_a_card_at_one_metre_a_second_interrupts_both_beams_for_its_length() -> None:
    card = Card(UIDS[0], 10_000, [(0, BEHIND), (GONE - BEHIND, GONE)])
    assert beam_edges([card]) == [(20_000, 0, 1), (28_000, 1, 1), (20_000 + CARD, 0, 0), (28_000 + CARD, 1, 0)]


def test_the_field_is_strongest_above_an_antenna_and_has_a_null_beside_it() -> None:
    assert coupling(0) == 1_000
    assert coupling(10_000) > coupling(20_000) > coupling(26_000) == 0
    assert 0 < coupling(-36_000) < 50, "reversed and weak"


def test_no_two_cards_that_are_drawn_one_by_one_are_above_the_same_antenna() -> None:
    """With the widest gap that the antennas' range leaves: two tags are at least a card's length apart."""
    reach = max(offset for offset in range(0, 40_000, 500) if coupling(offset) * 20_000 // 1_000 >= 1_000)
    assert 2 * reach < CARD
    assert ANTENNAS[1] - ANTENNAS[0] < CARD


def test_a_card_that_lies_behind_the_mouth_is_out_of_the_antennas_reach() -> None:
    resting = Card(UIDS[0], 20_000, [(0, BEHIND), (1, BEHIND)])
    assert all(resting.strength(reader, 1) < 1_000 for reader in (0, 1))


@pytest.mark.parametrize("period_us", [50_000, 500_000])
@pytest.mark.parametrize("seed", range(5))
def test_without_faults_the_edges_are_those_of_single_cards(period_us: int, seed: int) -> None:
    deal = Dealer(seed, period_us, Shares()).deal(UIDS)
    assert [happened.uids for happened in deal.truth] == [(uid,) for uid in UIDS]
    in_turn = [(beam, level) for _, beam, level in deal.edges()]
    assert in_turn == [(0, 1), (1, 1), (0, 0), (1, 0)] * 52, "each card is out of both beams before the next comes"
    span = deal.truth[-1].at - deal.truth[0].at
    assert span / 51 < period_us * 2


def test_a_card_that_is_pushed_back_leaves_the_beams_the_way_it_came() -> None:
    card = Card(UIDS[0], 10_000, [(0, BEHIND), (50_000, 30_000), (100_000, BEHIND)])
    assert [(beam, level) for _, beam, level in beam_edges([card])] == [(0, 1), (1, 1), (1, 0), (0, 0)]
    assert BEAM_B < 30_000


def test_every_card_is_in_the_truth_however_it_was_drawn() -> None:
    everything = Shares(weak=0.2, dead=0.05, double=0.1, back=0.1, jitter=0.2, returned=0.05, glitch=0.1)
    for seed in range(20):
        deal = Dealer(seed, 200_000, everything).deal(UIDS)
        out = [uid for happened in deal.truth if happened.what in ("out", "together") for uid in happened.uids]
        back = sum(1 for happened in deal.truth if happened.what == "returned")
        assert len(out) - back == 52
        assert list(dict.fromkeys(uid for uid in out if uid)) == [uid for uid in UIDS if uid in out]
        assert deal.truth == sorted(deal.truth, key=lambda happened: happened.at)
