"""The gauge of the producer's desk: what is said of the delays, of hands that wait, of tables that are silent."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from feltwire.relay.desk.gauge import Delays, gauge_of, longest_of
from table_core.messages import At, GaugeView, LongestHand, Millis, Verdict, encode
from tests.feltwire.dealt import AT, CARDS
from tests.feltwire.relay.test_relay import Rig

LONGEST = LongestHand("01", 17, 400)


def minutes(number: float) -> Millis:
    return Millis(round(number * 60_000))


def waiting(rig: Rig) -> list[tuple[int, str, int | None]]:
    """Hand, why it waits, and for how many seconds at least."""
    delays = Delays(Millis(30_000), minutes(40), Millis(30_000), folded=True)
    (table,) = gauge_of(rig.node.tables, delays, None, rig.now, broker=True).tables
    return [(one.hand, one.why.partition(":")[0], one.in_s) for one in table.waiting]


def gauge(
    card: Millis | None, air: Millis | None, *, folded: bool = True, longest: LongestHand | None = LONGEST
) -> GaugeView:
    return gauge_of((), Delays(card, air, card, folded), longest, Millis(0), broker=True)


@pytest.mark.parametrize(
    ("card", "air", "verdict", "words"),
    [
        (minutes(30), minutes(40), Verdict.ENOUGH, "3:20 to spare"),
        (minutes(30), minutes(37), Verdict.LITTLE, "0:20 to spare"),
        (minutes(30), minutes(35), Verdict.SHORT, "Too short by 1:40"),
        (minutes(30), minutes(30), Verdict.SHORT, "backs while their hand is on air"),
        (None, minutes(30), Verdict.NONE, "No card is ever released"),
        (minutes(30), None, Verdict.NONE, "Nothing is on air"),
    ],
)
def test_the_air_delay_is_judged_by_the_longest_hand(
    card: Millis | None, air: Millis | None, verdict: Verdict, words: str
) -> None:
    view = gauge(card, air)
    assert view.verdict is verdict
    assert words in view.words


def test_a_delay_is_proposed_that_would_do() -> None:
    for longest in (LONGEST, replace(LONGEST, took_s=30), replace(LONGEST, took_s=3_000)):
        proposed = gauge(minutes(30), minutes(30), longest=longest).proposed_s
        assert proposed is not None
        assert gauge(minutes(30), Millis(proposed * 1_000), longest=longest).verdict is Verdict.ENOUGH
    assert gauge(minutes(30), minutes(30), longest=None).proposed_s is None


def test_where_folded_hands_stay_sealed_it_says_when_cards_show() -> None:
    assert "from the showdown on" in gauge(minutes(30), minutes(60), folded=False).words


def test_each_hand_says_what_it_waits_for(tmp_path: Path) -> None:
    rig = Rig(tmp_path, "30")
    rig.hear([*rig.table.riffle(), *rig.table.deal()])
    assert waiting(rig) == [(1, "is being played", None)]
    rig.hear(rig.table.end())
    rig.wait(10)
    assert waiting(rig) == [(1, "waits for the next deal, or the table's word that its end stands", 20)]
    rig.station_is_up = False
    rig.hear([*rig.table.riffle(), *rig.table.deal(CARDS[6:12])])
    assert waiting(rig) == [(1, "waits for the card delay", 20), (2, "is being played", None)]
    rig.wait(20)
    assert waiting(rig)[0] == (2, "is being played", None), "the station has acknowledged the end of the first"
    rig.hear([*rig.table.end(), *rig.table.riffle()])
    rig.wait(30)
    assert waiting(rig)[0] == (2, "waits for the station to acknowledge its end", None)


def test_it_names_no_card(tmp_path: Path) -> None:
    rig = Rig(tmp_path, "30", release_folded=True)
    rig.hear([*rig.table.riffle(), *rig.table.deal(), *rig.table.end(), *rig.table.riffle()])
    delays = Delays(Millis(30_000), minutes(40), Millis(30_000), folded=True)
    said = encode(gauge_of(rig.node.tables, delays, LONGEST, rig.now, broker=True)).decode()
    assert not [card for card in CARDS if f'"{card}"' in said or f" {card} " in said]


def timed(ms: int) -> At:
    return replace(AT, ms=Millis(ms))


def test_the_longest_hand_is_that_of_this_event_by_the_tables_clock(tmp_path: Path) -> None:
    rig = Rig(tmp_path, "30")
    rig.hear([*rig.table.riffle(), *rig.table.deal(), *rig.table.end()])
    (table,) = rig.node.tables
    (hand,) = table.hands()
    hand.dealt_since, hand.dealt_until = timed(1_000), timed(91_001)
    assert longest_of([table], None) == LongestHand("01", 1, 91, table.lineage)
    longer = LongestHand("01", 9, 200, table.lineage)
    assert longest_of([table], longer) == longer
    assert longest_of([table], replace(longer, event="another")) == LongestHand("01", 1, 91, table.lineage)
    hand.dealt_until = replace(timed(500_000), boot="another")
    assert longest_of([table], None) is None, "the table was started again within the hand"
