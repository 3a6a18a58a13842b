"""What is on air: the table as it was an air delay ago, with the hole cards of released hands from their deal on.

A card that has not been released by now is a back, whatever the air delay is.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace

from feltwire.relay.on_air.air_delay import air_delay, air_floor
from feltwire.relay.on_air.overlay import overlay_of
from feltwire.relay.on_air.table_on_air import RECAP_MS
from feltwire.relay.on_air.timeline import HoleCard, ReleasedHand, Timeline
from feltwire.relay.relay_io import AirDelaySeen
from feltwire.runtime.node_io import Arrived
from table_core.hand.deal import is_to_seat, seat_of
from table_core.messages import (
    Acted,
    Action,
    CardDealt,
    CardText,
    Chips,
    Envelope,
    HandEnded,
    HandStarted,
    Level,
    Millis,
    Noticed,
    OverlayView,
    Rewound,
    Seat,
    SeatView,
    Street,
    TableView,
)
from table_core.projections.table_state import HAND_STANDS
from tests.display import fixtures
from tests.feltwire.dealt import CARDS, SEATS
from tests.feltwire.relay.test_relay import SECOND, Rig

BACK = "??"
HOLE = {seat: (CARDS[seat - 1], CARDS[seat + 2]) for seat in SEATS}


class AirRig(Rig):
    """A relay that hears each state of the table, too. `seen`: what went on air, with its time."""

    def __init__(self, folder: Path, delay_s: str, air_s: str = "", *, release_folded: bool = False) -> None:
        super().__init__(folder, delay_s, release_folded=release_folded)
        self.seen: list[tuple[int, OverlayView, frozenset[CardText]]] = []
        self.air(air_s)

    def air(self, air_s: str) -> None:
        self.step(AirDelaySeen(air_s))  # type: ignore[arg-type]

    def step(self, given: object) -> None:  # type: ignore[override]
        before = len(self.overlays)
        super().step(given)  # type: ignore[arg-type]
        released = frozenset(self.cards)
        if hasattr(self, "seen"):
            self.seen += [(self.now, view, released) for view in self.overlays[before:]]

    def hear(self, envelopes: Sequence[Envelope]) -> None:
        """Each event with the state behind it."""
        for envelope in envelopes:
            super().hear([envelope])
            view = view_of(self.table.envelopes, envelope)
            self.step(Arrived("fw/hall/table/01/state", self.table.state(view)))

    def at(self, when: int) -> OverlayView | None:
        """What was on air at this time."""
        shown = [view for at, view, _ in self.seen if at <= when]
        return shown[-1] if shown else None


def view_of(events: Sequence[Envelope], until: Envelope) -> TableView:
    """What the table shows behind this event, as far as these tests need it."""
    cut: set[int] = set()
    for one in events:
        if isinstance(one.data, Rewound) and one.seq <= until.seq:
            cut |= {*one.data.cut}
    kept = [one for one in events if one.seq <= until.seq and one.seq not in cut]
    began = max((n for n, one in enumerate(kept) if isinstance(one.data, HandStarted)), default=0)
    hand = [one.data for one in kept[began:]]
    number = next((event.hand for event in hand if isinstance(event, HandStarted)), 0)
    backs = [event.to for event in hand if isinstance(event, CardDealt) and is_to_seat(event.to)]
    folded = {event.seat for event in hand if isinstance(event, Acted) and event.action is Action.FOLD}
    over = any(isinstance(event, HandEnded) for event in hand)

    def seat_view(seat: Seat) -> SeatView:
        cards = () if seat in folded else (BACK,) * min(sum(seat_of(to) == seat for to in backs), 2)
        won = Chips(10 if over and seat == SEATS[1] else 0)
        live = seat not in folded
        return SeatView(seat, f"p{seat}", Chips(100), in_hand=live, folded=not live, cards=cards, won=won)

    return replace(
        fixtures.table_view(),
        epoch=until.epoch,
        as_of=until.seq,
        hand=number,
        street=Street.DONE if over else Street.PREFLOP,
        board=(),
        pots=(),
        contenders=(),
        legal=None,
        seats=tuple(seat_view(seat) for seat in SEATS),
    )


def played(rig: AirRig) -> None:
    """A hand of eleven seconds: seat 1 folds eight seconds after the riffle. Ten seconds later the next deal."""
    table = rig.table
    for part, pause in ((table.new_hand, 1), (table.deal, 7), (lambda: table.projection(1), 3), (table.end, 10)):
        rig.hear(part())
        rig.wait(pause)
    rig.hear(table.riffle())


def cards_of(view: OverlayView | None) -> dict[int, tuple[CardText, ...]]:
    return {} if view is None else {seat.seat: seat.cards for seat in view.seats}


def test_with_folded_hands_released_and_a_long_air_delay_cards_are_up_from_the_deal(tmp_path: Path) -> None:
    rig = AirRig(tmp_path, "30", "120", release_folded=True)
    rig.look()
    start = rig.now
    played(rig)
    rig.wait(300)
    dealt = cards_of(rig.at(start + 122 * SECOND))
    assert dealt == {seat: HOLE[seat] for seat in SEATS}
    assert cards_of(rig.at(start + 129 * SECOND)) == {1: (), 2: HOLE[Seat(2)], 3: HOLE[Seat(3)]}, "seat 1 folded"


def test_without_they_are_up_from_the_end_on_for_a_back_would_tell_who_folds(tmp_path: Path) -> None:
    rig = AirRig(tmp_path, "30", "120")
    rig.look()
    start = rig.now
    played(rig)
    rig.wait(300)
    for second in range(121, 131):
        assert {card for cards in cards_of(rig.at(start + second * SECOND)).values() for card in cards} <= {BACK}
    assert cards_of(rig.at(start + 132 * SECOND)) == {1: (), 2: HOLE[Seat(2)], 3: HOLE[Seat(3)]}


def test_where_the_air_delay_is_no_longer_than_that_of_the_cards_the_end_is_shown_once_more(
    tmp_path: Path,
) -> None:
    rig = AirRig(tmp_path, "5", "5")
    played(rig)
    rig.wait(0)
    released = rig.now
    assert {*rig.cards} == {*HOLE[Seat(2)], *HOLE[Seat(3)]}
    recap = rig.at(released)
    assert recap is not None
    assert (recap.hand, cards_of(recap)[2]) == (1, HOLE[Seat(2)])
    rig.wait(RECAP_MS / SECOND)
    now = rig.at(rig.now)
    assert now is not None
    assert now.hand == 2


def test_before_its_time_nothing_is_shown_at_all(tmp_path: Path) -> None:
    rig = AirRig(tmp_path, "30", "120")
    played(rig)
    assert not any(view.seats for _, view, _ in rig.seen)


def test_malformed_it_is_black_and_comes_back(tmp_path: Path) -> None:
    rig = AirRig(tmp_path, "5")
    played(rig)
    rig.wait(60)
    assert rig.overlays[-1].seats
    for text in ("2 minutes", "-1", "1e9", "empty", "unreadable"):
        rig.air(text)
        assert not rig.overlays[-1].seats
        rig.wait(60)
        assert not rig.overlays[-1].seats
    rig.air("30")
    assert rig.overlays[-1].seats
    assert rig.overlays[-1].air_s == 30


def test_it_is_never_below_its_floor() -> None:
    floor = air_floor("1800", "2400")
    assert floor == 2_400_000
    assert [air_delay(text, floor) for text in ("0", "2399.999", "", "3000")] == [floor, floor, floor, 3_000_000]


@pytest.mark.parametrize(("delay", "floor"), [("1800 s", ""), ("1800", "x"), ("-1", "5"), ("1800", "-0")])
def test_a_floor_that_cannot_be_read_shows_nothing(delay: str, floor: str) -> None:
    assert air_delay("3600", air_floor(delay, floor)) is None


def test_shares_are_told_only_where_the_cards_of_every_live_seat_are_shown(tmp_path: Path) -> None:
    rig = AirRig(tmp_path, "30", "120", release_folded=True)
    rig.look()
    start = rig.now
    played(rig)
    rig.wait(300)
    for at, view, _ in rig.seen:
        live = [seat for seat in view.seats if seat.in_hand]
        known = all(len(seat.cards) == 2 and BACK not in seat.cards for seat in live)
        told = [seat for seat in view.seats if seat.share is not None]
        assert not told or (known and view.street is not Street.DONE), at
    up = rig.at(start + 129 * SECOND)
    assert up is not None
    assert sum(seat.share or 0 for seat in up.seats) == pytest.approx(1_000, abs=2)


def test_a_card_that_a_ruling_moved_is_shown_there_from_the_ruling_on() -> None:
    timeline, at = Timeline(), Millis(0)
    timeline.begin((1, 1))
    timeline.show(_two_backs(as_of=5), at)
    timeline.show(_two_backs(as_of=9), Millis(1_000))
    timeline.release(
        (1, 1),
        ReleasedHand(1, {Seat(1): (HoleCard((1, 2), "Ah"), HoleCard((1, 9), "Kd"))}, from_deal=True, last=(1, 9)),
    )
    before, after = [timeline.picture(moment).view.seats[0].cards for moment in timeline.moments]
    assert before == ("Ah", BACK)
    assert after == ("Ah", "Kd")


def test_a_number_that_is_dealt_again_gets_no_card_of_the_hand_before() -> None:
    timeline = Timeline()
    mine, later = _two_backs(as_of=5), replace(_two_backs(as_of=3), epoch=2)
    for second, view in enumerate((mine, later, replace(later, as_of=8, street=Street.DONE))):
        timeline.show(view, Millis(second * 1_000))
    cards = {Seat(1): (HoleCard((1, 2), "Ah"), HoleCard((1, 3), "Kd"))}
    timeline.release((1, 1), ReleasedHand(1, cards, from_deal=True, last=(1, 9)))
    shown = [timeline.picture(moment).view.seats[0].cards for moment in timeline.moments]
    assert shown == [("Ah", "Kd"), (BACK, BACK), (BACK, BACK)], "how the later one began has not come"


def test_no_share_is_told_where_a_live_seat_has_a_third_card_that_is_a_back() -> None:
    """A ruling gave it a card that was not read."""
    seats = tuple(SeatView(Seat(n), f"p{n}", Chips(100), in_hand=True, cards=(BACK,) * (4 - n)) for n in (1, 2))
    timeline = Timeline()
    timeline.show(replace(_two_backs(as_of=9), board=(), seats=seats), Millis(0))
    held = {
        Seat(1): (HoleCard((1, 2), "Ah"), HoleCard((1, 3), "Kd")),
        Seat(2): (HoleCard((1, 2), "2c"), HoleCard((1, 3), "2d")),
    }
    timeline.release((1, 1), ReleasedHand(1, held, from_deal=True, last=(1, 9)))
    view = overlay_of(timeline.picture(timeline.moments[0]), 30.0)
    assert view.seats[0].cards == ("Ah", "Kd", BACK)
    assert [seat.share for seat in view.seats] == [None, None]


def test_what_stood_is_the_last_that_was_shown_by_then() -> None:
    timeline = Timeline()
    for second in (5, 7, 7, 9):
        timeline.show(_two_backs(as_of=second), Millis(second * 1_000))
    assert timeline.at(Millis(4_999)) is None
    at = [timeline.at(Millis(when)) for when in (5_000, 6_999, 7_000, 60_000)]
    assert [moment and moment.as_of for moment in at] == [(1, 5), (1, 5), (1, 7), (1, 9)]
    assert [timeline.changes_after(Millis(when)) for when in (0, 5_000, 9_000)] == [5_000, 7_000, None]


def _two_backs(as_of: int) -> TableView:
    seat = SeatView(Seat(1), "p1", Chips(100), in_hand=True, cards=(BACK, BACK))
    return replace(fixtures.table_view(), epoch=1, as_of=as_of, hand=1, street=Street.PREFLOP, seats=(seat,))


@pytest.mark.parametrize("seed", range(12))
def test_of_random_evenings_no_card_is_on_air_before_its_release(tmp_path: Path, seed: int) -> None:
    """Random delays, air delays that change, ends taken back, restarts, breaks; what went on air is looked at."""
    rng = random.Random(seed)
    delay = rng.choice(["0", "5", "30"])
    rig = AirRig(tmp_path, delay, rng.choice(["", "5", "60", "300"]), release_folded=rng.random() < 0.5)
    rig.answers = True
    rig.look()
    for _ in range(10):
        _something(rig, rng, delay)
    rig.wait(600)
    for at, view, released in rig.seen:
        faces = {card for seat in view.seats for card in seat.cards if card != BACK}
        assert faces <= released, f"at {at} of hand {view.hand}"
        shares = [seat for seat in view.seats if seat.share is not None]
        assert all(seat.cards and {*seat.cards} <= released for seat in shares)


def _something(rig: AirRig, rng: random.Random, delay: str) -> None:
    table = rig.table
    match rng.choice(["hand", "hand", "hand", "back", "stands", "new hand", "air", "restart"]):
        case "hand":
            rig.hear(table.new_hand())
            deck = rng.sample(CARDS, 6)
            for part in (lambda: table.deal(deck), lambda: table.projection(rng.choice(SEATS)), table.end):
                rig.wait(rng.choice([0, 1, 20]))
                rig.hear(part())
        case "back" if table.envelopes and isinstance(table.envelopes[-1].data, HandEnded):
            last = table.envelopes[-1].seq
            rig.hear([*table.tell(Rewound(last - 1, (last,))), *table.end()])
        case "stands":
            rig.hear(table.tell(Noticed(HAND_STANDS, "stands")))
        case "new hand":
            begun = table.new_hand()
            rig.hear([*begun, *table.tell(Rewound(begun[0].seq - 1, (begun[0].seq,)))])
            table.hand -= 1
        case "air":
            rig.air(rng.choice(["", "0", "7", "90", "later", "86400"]))
        case "restart":
            rig.start(delay)
            rig.look()
    rig.wait(rng.choice([0, 3, 31, 400]))


def test_what_concerns_the_dealer_alone_is_not_kept() -> None:
    timeline = Timeline()
    timeline.show(fixtures.table_view(), Millis(0))
    kept = timeline.moments[0].view
    assert (kept.question, kept.notices, kept.devices) == (None, (), {})
    assert kept.level == fixtures.table_view().level
    assert isinstance(kept.level, Level | None)


def test_the_past_is_dropped_but_for_what_stands() -> None:
    timeline = Timeline()
    for second in range(10):
        timeline.show(_two_backs(as_of=second + 1), Millis(second * 1_000))
    timeline.forget(Millis(4_500))
    assert [moment.at for moment in timeline.moments] == [4_000, 5_000, 6_000, 7_000, 8_000, 9_000]
