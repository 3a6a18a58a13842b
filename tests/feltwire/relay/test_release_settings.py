"""Settings that release cards belong to a hand from the first deal of its number on, and only the stricter counts.

Seat 1 folds in each hand. `KEPT` are the cards of the seats that did not.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from feltwire.ledger.signing import LedgerKey
from table_core.messages import CardText, Envelope
from tests.feltwire.dealt import CARDS
from tests.feltwire.relay.test_relay import Rig, rewound

AGAIN = CARDS[6:12]  # of a second deal of the same number
OTHERS = CARDS[12:18]


def kept(cards: list[CardText]) -> set[str]:
    return {*cards[1:3], *cards[4:6]}


def playing(folder: Path, *, folded: bool = False, delay_s: str = "30") -> Rig:
    rig = Rig(folder, delay_s, release_folded=folded)
    rig.answers = True
    rig.look()
    return rig


def restart(rig: Rig, *, folded: bool = False, delay_s: str = "30", look: bool = True) -> None:
    """The relay is killed and started with other settings; what the broker retains comes again."""
    rig.release_folded = folded
    rig.start(delay_s)
    if look:
        rig.name_leaseholder()
        rig.look()


def rest_of_hand(rig: Rig, cards: list[CardText]) -> list[Envelope]:
    return [*rig.table.deal(cards), *rig.table.projection(1), *rig.table.end()]


def hand(rig: Rig, cards: list[CardText] = CARDS[:6]) -> list[Envelope]:
    return [*rig.table.riffle(), *rest_of_hand(rig, cards)]


def out(rig: Rig) -> set[str]:
    rig.wait(3600)
    return {*rig.cards}


# ---------------------------------------------------------------------- a number that is dealt again


def another_machine(rig: Rig) -> None:
    rig.table.next_epoch(LedgerKey(b"another machine's key, of 32 byt"))
    rig.table.hand -= 1


def begun_and_switched(folder: Path) -> Rig:
    rig = playing(folder)
    rig.hear([*rig.table.riffle(), *rig.table.deal()])
    restart(rig, folded=True)
    return rig


def test_another_machine_that_deals_the_number_again_releases_no_folded_hand(tmp_path: Path) -> None:
    rig = begun_and_switched(tmp_path)
    another_machine(rig)
    rig.name_leaseholder()
    rig.hear([*hand(rig, AGAIN), *rig.table.riffle()])
    assert out(rig) == kept(AGAIN)


def test_nor_where_the_relay_is_killed_between(tmp_path: Path) -> None:
    """The other machine knows nothing of the first deal, and the first machine's events are deleted."""
    rig = begun_and_switched(tmp_path)
    another_machine(rig)
    rig.name_leaseholder()
    restart(rig, folded=True)
    rig.hear([*hand(rig, AGAIN), *rig.table.riffle()])
    assert out(rig) == kept(AGAIN)


def test_nor_where_the_relay_knows_the_first_deal_only_from_the_state(tmp_path: Path) -> None:
    rig = playing(tmp_path)
    rig.table.riffle()
    restart(rig, folded=True)
    another_machine(rig)
    rig.name_leaseholder()
    rig.hear([*hand(rig, AGAIN), *rig.table.riffle()])
    assert out(rig) == kept(AGAIN)


def test_nor_does_the_same_machine_that_takes_the_beginning_back(tmp_path: Path) -> None:
    rig = playing(tmp_path)
    begun = rig.table.riffle()
    rig.hear(begun)
    restart(rig, folded=True)
    rig.hear(rewound(rig.table, begun[0].data))
    rig.table.hand -= 1
    rig.hear(rig.table.riffle())
    rig.hear([*rest_of_hand(rig, AGAIN), *rig.table.riffle()])
    assert out(rig) == kept(AGAIN)


def test_a_number_that_began_under_it_may_be_dealt_again(tmp_path: Path) -> None:
    """Another machine deals it again, and the hand after it."""
    rig = playing(tmp_path, folded=True)
    rig.hear([*rig.table.riffle(), *rig.table.deal()])
    another_machine(rig)
    rig.name_leaseholder()
    rig.hear([*hand(rig, AGAIN), *hand(rig, OTHERS), *rig.table.riffle()])
    assert out(rig) == {*AGAIN, *OTHERS}


def test_boxes_that_come_before_the_number_is_dealt_again_are_deleted_with_the_first_deal(tmp_path: Path) -> None:
    """Both deals have the same epoch, number and places: which of them a box is of, nothing says."""
    rig = playing(tmp_path)
    begun = rig.table.riffle()
    rig.hear(begun)
    rig.hear([*rewound(rig.table, begun[0].data)])
    rig.table.hand -= 1
    rig.hear([*hand(rig, AGAIN), *rig.table.riffle()])
    assert out(rig) == set()
    assert "table 01: hand 1: 4 of its cards stay sealed: their boxes did not come" in rig.said


# --------------------------------------------------------------------------- there and back, and away


def test_switched_off_and_on_again_within_the_delay_it_stays_off(tmp_path: Path) -> None:
    rig = playing(tmp_path, folded=True)
    rig.hear([*hand(rig), *rig.table.riffle()])
    restart(rig)
    restart(rig, folded=True)
    rig.hear([*rest_of_hand(rig, AGAIN), *hand(rig, OTHERS), *rig.table.riffle()])
    assert out(rig) == kept(CARDS[:6]) | kept(AGAIN) | {*OTHERS}


def test_a_table_that_was_cut_off_when_it_was_switched_releases_no_folded_hand_of_before(tmp_path: Path) -> None:
    """The broker retains the state from before the cut. When the table is back it says its state first."""
    rig = playing(tmp_path)
    rig.hear(hand(rig))
    restart(rig, folded=True)
    meanwhile = [*hand(rig, AGAIN), *rig.table.riffle()]
    rig.look()
    rig.hear([*meanwhile, *rest_of_hand(rig, OTHERS), *hand(rig, CARDS[18:24]), *rig.table.riffle()])
    assert out(rig) == kept(CARDS[:6]) | kept(AGAIN) | kept(OTHERS) | {*CARDS[18:24]}


def test_a_cut_in_the_evening_costs_nothing_once_the_table_was_heard(tmp_path: Path) -> None:
    """The state comes before the events that the cut kept back."""
    rig = playing(tmp_path, delay_s="600")
    restart(rig, folded=True)
    rig.hear(hand(rig))
    meanwhile = [*hand(rig, AGAIN), *rig.table.riffle()]
    rig.look()
    rig.hear(meanwhile)
    assert out(rig) == {*CARDS[:6], *AGAIN}


# ------------------------------------------------------------------------------ the delay, the tables


def started_twice(rig: Rig) -> None:
    restart(rig, delay_s="0", look=False)
    restart(rig, delay_s="0")


def looked_twice(rig: Rig) -> None:
    restart(rig, delay_s="0")
    restart(rig, delay_s="0")


def there_and_back(rig: Rig) -> None:
    restart(rig, delay_s="0", look=False)
    restart(rig, delay_s="600")


def away_and_named_again(rig: Rig) -> None:
    rig.tables = ("02",)
    restart(rig, delay_s="600", look=False)
    rig.tables = ("01", "02")
    restart(rig, delay_s="600")


CHANGES = [started_twice, looked_twice, there_and_back, away_and_named_again]


@pytest.mark.parametrize("change", CHANGES)
def test_a_hand_that_began_under_another_delay_is_never_released(
    tmp_path: Path, change: Callable[[Rig], None]
) -> None:
    """It ended before, began before and its events come later, or was being dealt."""
    rig = playing(tmp_path, delay_s="600")
    rig.hear([*hand(rig), *rig.table.riffle()])
    begun = [*rest_of_hand(rig, AGAIN), *rig.table.riffle(), *rig.table.deal(OTHERS)]
    change(rig)
    rig.hear([*begun, *rig.table.projection(1), *rig.table.end(), *hand(rig, CARDS[18:24]), *rig.table.riffle()])
    assert out(rig) == kept(CARDS[18:24]), "the hand that began under the delay of now"


@pytest.mark.parametrize("change", CHANGES)
def test_nor_where_another_machine_deals_its_number_again(tmp_path: Path, change: Callable[[Rig], None]) -> None:
    rig = playing(tmp_path, delay_s="600")
    rig.hear([*rig.table.riffle(), *rig.table.deal()])
    change(rig)
    another_machine(rig)
    rig.name_leaseholder()
    rig.hear([*hand(rig, AGAIN), *hand(rig, OTHERS), *rig.table.riffle()])
    assert out(rig) == kept(OTHERS)


def test_of_a_table_that_is_named_later_only_hands_that_begin_then_are_released(tmp_path: Path) -> None:
    """Its boxes wait at the table, which no relay ever answered, and its events come again from the first on."""
    rig = Rig(tmp_path, "0", leased=False)
    rig.tables, rig.answers = ("02",), True
    restart(rig, delay_s="0", look=False)
    before = [*hand(rig), *rig.table.riffle()]
    rig.tables = ("01", "02")
    restart(rig, delay_s="0")
    rig.hear([*before, *rest_of_hand(rig, AGAIN), *hand(rig, OTHERS), *rig.table.riffle()])
    assert out(rig) == kept(OTHERS)
