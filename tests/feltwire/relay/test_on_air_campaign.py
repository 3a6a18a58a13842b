"""A share of `python -m tests.on_air`: nothing goes out before its time, and a relay that gives something away is
found."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from feltwire.relay import followed, hand, node
from feltwire.relay.on_air import overlay as on_air
from feltwire.relay.on_air import table_on_air, timeline
from table_core.messages import Chips, Millis, OverlayView
from tests.on_air.campaign import Report, evenings, play
from tests.on_air.evening import HANDS


def campaign(folder: Path, seed: int, count: int) -> Report:
    report = Report(seed, count * HANDS, "1/1")
    for number in evenings(report):
        play(report, number, folder / "evening")
    return report


@pytest.mark.slow("evenings of nine hands, each played twice")
def test_of_a_share_of_the_evenings_nothing_goes_out_before_its_time(tmp_path: Path) -> None:
    report = campaign(tmp_path, seed=38, count=3)
    assert not report.findings
    counts = report.counts
    assert counts["hands released"] > counts["hands"] / 3
    assert min(counts[what] for what in ("pictures with faces", "compared", "cards exchanged")) > 20
    assert counts["shares"], "somewhere every live seat's cards were on air before the end"


def _a_second_early(monkeypatch: pytest.MonkeyPatch) -> None:
    due = node.RelayNode._release_at
    monkeypatch.setattr(node.RelayNode, "_release_at", lambda self, hand: Millis(max(0, due(self, hand) - 1_000)))


def _not_waiting_for_the_next_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hand.HandRecord, "stands", property(lambda self: self.ended_at is not None))


def _not_waiting_for_the_station(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(followed.FollowedTable, "is_collected", lambda self, hand: True)


def _folded_hands_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hand.HandRecord, "folded", lambda self: frozenset())


def _void_hands_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hand.HandRecord, "void", property(lambda self: self.taken_back))


def _hands_of_which_only_the_tabled_ones_may(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hand.HandRecord, "only_tabled", False)


def _under_a_changed_delay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("feltwire.relay.relay_store.RelayStore.begin_run", lambda self, delay, tables: {*tables})


def _no_floor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(node, "air_floor", lambda delay_s, floor_s: Millis(0))


def _any_number_of_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    def parsed(text: str) -> float | None:
        try:
            return max(0.0, min(float(text), 999_999.0))
        except ValueError:
            return None

    monkeypatch.setattr("feltwire.relay.on_air.air_delay.parse_delay", parsed)


def _from_the_deal_where_folded_hands_stay_sealed(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = hand.HandRecord.on_air
    monkeypatch.setattr(hand.HandRecord, "on_air", lambda *given: shown(*given)._replace(from_deal=True))


def _before_they_were_dealt(monkeypatch: pytest.MonkeyPatch) -> None:
    dealt = timeline.HoleCard
    monkeypatch.setattr(hand, "HoleCard", lambda at, card: dealt((0, 0), card))


def _what_stands_now(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timeline.Timeline, "at", lambda self, when: self.moments[-1] if self.moments else None)


def _a_picture_at_each_release(monkeypatch: pytest.MonkeyPatch) -> None:
    number = itertools.count()
    monkeypatch.setattr(table_on_air, "_without_times", lambda view: replace(view, hand=next(number)))


def _sealed_cards_change_what_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    """The relay opens a box when it comes, and where its card is red a picture has one chip more."""
    from tests.on_air.evening import KEYS  # the relay's own key

    peek: dict[str, int] = {"red": 0}
    sealed = followed.FollowedTable.sealed

    def opened(self: Any, card: Any, *given: Any, **more: Any) -> Any:
        opening = KEYS.open(card.box)
        peek["red"] += opening is not None and opening.card[1] in "hd"
        return sealed(self, card, *given, **more)

    monkeypatch.setattr(followed.FollowedTable, "sealed", opened)
    drawn: Callable[..., OverlayView] = on_air.overlay_of
    monkeypatch.setattr(
        table_on_air,
        "overlay_of",
        lambda *given, **more: replace(drawn(*given, **more), pot=Chips(peek["red"] % 2)),
    )


TRAITORS = [  # with the evening of seed 5 at which the search begins, and what is found
    (_a_second_early, 0, "after its end"),
    (_not_waiting_for_the_next_deal, 0, "can be taken back"),
    (_not_waiting_for_the_station, 6, "has not acknowledged"),
    (_folded_hands_too, 0, "which stays sealed"),
    (_void_hands_too, 0, "a void hand goes out"),
    (_hands_of_which_only_the_tabled_ones_may, 2, "which stays sealed"),
    (_under_a_changed_delay, 7, "whose delay was changed"),
    (_no_floor, 1, "are asked for"),
    (_any_number_of_seconds, 1, "where nothing may be"),
    (_from_the_deal_where_folded_hands_stay_sealed, 2, "before the showdown"),
    (_before_they_were_dealt, 15, "none of its own by then"),
    (_what_stands_now, 0, "a moment is on air"),
    (_a_picture_at_each_release, 13, "says once more"),
    (_sealed_cards_change_what_is_sent, 2, "depends on hidden cards"),
]


@pytest.mark.parametrize(
    ("traitor", "evening", "found"), TRAITORS, ids=[traitor.__name__[1:] for traitor, *_ in TRAITORS]
)
def test_a_relay_that_lets_something_out_is_found(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    traitor: Callable[[pytest.MonkeyPatch], None],
    evening: int,
    found: str,
) -> None:
    traitor(monkeypatch)
    report = Report(5, 60 * HANDS, "1/1")
    for number in evenings(report)[evening:]:
        play(report, number, tmp_path / "evening")
        if any(found in finding for finding in report.findings):
            return
    pytest.fail(f"nothing of: {found}")
