"""The last hand before a break, and of a table that plays no more, goes out once its table has signed that it
stands. Whatever else comes, it does not go out before that and the delay."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from feltwire.ledger.signing import LedgerKey
from feltwire.runtime.node_io import BusDown, BusUp
from table_core.messages import (
    AnyEvent,
    CardDealt,
    FloorCalled,
    HandEnded,
    HandKilled,
    Misdealt,
    Noticed,
    Rewound,
    SeatsChanged,
    Source,
)
from table_core.projections.table_state import HAND_STANDS
from tests.feltwire.dealt import CARDS, SEATS
from tests.feltwire.relay.test_relay import Rig

STANDS = Noticed(HAND_STANDS, "Hand 1 stands")
KEPT = {CARDS[1], CARDS[2], CARDS[4], CARDS[5]}  # seat 1 folded


def said_to_stand(rig: Rig) -> None:
    rig.hear([*rig.table.whole_hand(), *rig.table.tell(STANDS)])


def test_it_goes_out_after_the_delay_from_its_end_and_not_before(tmp_path: Path) -> None:
    rig = Rig(tmp_path, "30")
    rig.hear(rig.table.whole_hand())
    rig.wait(10)
    rig.hear(rig.table.tell(STANDS))
    rig.wait(19.9)
    assert rig.cards == []
    rig.wait(0.1)
    assert {*rig.cards} == KEPT


def test_it_goes_out_once_and_the_next_hand_as_ever(tmp_path: Path) -> None:
    rig = Rig(tmp_path, "30")
    said_to_stand(rig)
    rig.wait(60)
    first = [*rig.cards]
    rig.hear([*rig.table.tell(FloorCalled()), *rig.table.whole_hand()])
    rig.wait(3_600)
    assert rig.cards == first, "the second hand waits for the third"
    rig.hear(rig.table.riffle())
    rig.wait(60)
    assert [opening.hand for opening in rig.released] == [1] * 4 + [2] * 4


def test_a_break_that_ends_before_the_delay_takes_nothing_from_it(tmp_path: Path) -> None:
    rig = Rig(tmp_path, "30")
    said_to_stand(rig)
    rig.hear(rig.table.riffle())
    rig.wait(29.9)
    assert rig.cards == []
    rig.wait(0.1)
    assert {*rig.cards} == KEPT


def test_a_new_hand_that_is_taken_back_does_not_keep_it(tmp_path: Path) -> None:
    rig = Rig(tmp_path, "30")
    said_to_stand(rig)
    begun = rig.table.new_hand()
    rig.hear([*begun, *rig.table.tell(Rewound(begun[0].seq - 1, (begun[0].seq,)))])
    rig.wait(30)
    assert {*rig.cards} == KEPT


def test_a_restart_begins_the_delay_anew_and_then_it_goes_out(tmp_path: Path) -> None:
    rig = Rig(tmp_path, "30")
    said_to_stand(rig)
    rig.answers = True  # the station acknowledges the last event once more
    rig.wait(29)
    rig.start("30")
    rig.wait(29)
    assert rig.cards == []
    rig.wait(1)
    assert {*rig.cards} == KEPT


def test_while_the_broker_is_away_it_waits_until_the_table_has_said_how_it_stands(tmp_path: Path) -> None:
    rig = Rig(tmp_path, "30")
    said_to_stand(rig)
    rig.perform(rig.node.step(BusDown("the broker is away"), rig.now)[0])
    rig.wait(3_600)
    rig.node.step(BusUp(), rig.now)
    rig.wait(1)
    assert rig.cards == []
    rig.look()
    assert {*rig.cards} == KEPT


def test_while_an_event_of_its_table_is_missing_it_waits(tmp_path: Path) -> None:
    rig = Rig(tmp_path, "30")
    said_to_stand(rig)
    ended = rig.table.envelopes[-2]
    back = rig.table.tell(Rewound(ended.seq - 1, (ended.seq, ended.seq + 1)))
    rig.look()
    rig.wait(60)
    assert rig.cards == []
    rig.hear([*back, *rig.table.end(), *rig.table.tell(STANDS)])
    rig.wait(30)
    assert {*rig.cards} == KEPT


def taken_back(rig: Rig) -> None:
    """The floor goes back in the hand before the delay is over."""
    said_to_stand(rig)
    ended = rig.table.envelopes[-2]
    rig.hear(rig.table.tell(Rewound(ended.seq - 1, (ended.seq,))))


def taken_back_and_ended_again(rig: Rig) -> None:
    """What was said of an earlier end says nothing of this one."""
    taken_back(rig)
    rig.hear(rig.table.end())


def said_too_early(rig: Rig) -> None:
    rig.hear([*rig.table.riffle(), *rig.table.deal(), *rig.table.tell(STANDS), *rig.table.end()])


def saying_was_taken_back(rig: Rig) -> None:
    said_to_stand(rig)
    stands = rig.table.envelopes[-1]
    rig.hear(rig.table.tell(Rewound(stands.seq - 1, (stands.seq,))))


def another_notice(rig: Rig) -> None:
    rig.hear([*rig.table.whole_hand(), *rig.table.tell(Noticed("hand_stands_not", HAND_STANDS))])


def seats_alone(rig: Rig) -> None:
    """A player is moved, the table plays on: the next deal confirms the hand."""
    rig.hear([*rig.table.whole_hand(), *rig.table.tell(SeatsChanged())])


def said_by_a_thief(rig: Rig) -> None:
    rig.hear(rig.table.whole_hand())
    rig.table.key = LedgerKey(b"a thief's key of thirty-two byte")
    rig.hear(rig.table.tell(STANDS))


def unsigned(rig: Rig) -> None:
    rig.hear(rig.table.whole_hand())
    rig.hear([replace(envelope, signature="") for envelope in rig.table.tell(STANDS)])


def an_event_missing_before(rig: Rig) -> None:
    rig.hear(rig.table.whole_hand())
    rig.table.tell(Rewound(rig.table.head.seq - 1, (rig.table.head.seq,)))
    rig.hear(rig.table.tell(STANDS))


def not_acknowledged(rig: Rig) -> None:
    rig.hear(rig.table.whole_hand())
    rig.station_is_up = False
    rig.hear(rig.table.tell(STANDS))


def a_void_hand(rig: Rig) -> None:
    rig.hear([*rig.table.riffle(), *rig.table.deal(), *rig.table.tell(Misdealt(1, "", (), Source.KEY))])
    rig.hear([*rig.table.end(), *rig.table.tell(STANDS)])


def another_machine(rig: Rig) -> None:
    """The station never took that the hand ended: the next machine has it in progress."""
    rig.hear([*rig.table.riffle(), *rig.table.deal()])
    before, kept = rig.table.head, len(rig.table.envelopes)
    rig.hear([*rig.table.end(), *rig.table.tell(STANDS)])
    rig.table.head, rig.table.envelopes = before, rig.table.envelopes[:kept]
    rig.table.next_epoch(LedgerKey(b"another machine's key, of 32 byt"))
    rig.name_leaseholder()


ATTACKS: list[Callable[[Rig], None]] = [
    taken_back,
    taken_back_and_ended_again,
    said_too_early,
    saying_was_taken_back,
    another_notice,
    seats_alone,
    said_by_a_thief,
    unsigned,
    an_event_missing_before,
    not_acknowledged,
    a_void_hand,
    another_machine,
]


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.__name__)
def test_it_stays_sealed_when(attack: Callable[[Rig], None], tmp_path: Path) -> None:
    rig = Rig(tmp_path, "30")
    attack(rig)
    rig.wait(86_400)
    assert rig.cards == []


@pytest.mark.parametrize("delay", ["", "-1", "30 s"])
def test_a_delay_that_cannot_be_read_keeps_it_sealed(delay: str, tmp_path: Path) -> None:
    rig = Rig(tmp_path, delay)
    said_to_stand(rig)
    rig.wait(86_400)
    assert rig.cards == []


def test_of_random_evenings_no_card_goes_out_before_its_end_stands_and_the_delay_is_over(tmp_path: Path) -> None:
    for seed in range(10):
        folder = tmp_path / str(seed)
        folder.mkdir()
        rig = Rig(folder, "30")
        _evening(rig, random.Random(seed))
        assert rig.released, "an evening in which nothing goes out shows nothing"


def _evening(rig: Rig, rng: random.Random) -> None:
    """Hands, breaks, ends taken back, clock jumps. `due`: when each hand may go out, as this test counts."""
    ended: dict[int, int] = {}
    confirmed: set[int] = set()
    for _ in range(30):
        before = len(rig.released)
        seconds = rng.choice([0, 1, 5, 29, 31, 600])
        rig.wait(seconds)
        _are_due(rig, before, ended, confirmed)
        hand, last = rig.table.hand, rig.table.envelopes[-1] if rig.table.envelopes else None
        match rng.choice(["hand", "stands", "back", "seats", "new hand"]):
            case "hand":
                first = rig.table.riffle()
                confirmed |= {*ended}
                rig.hear(first)
                _are_due(rig, before, ended, confirmed)
                rig.hear([*rig.table.deal(), *rig.table.projection(rng.choice(SEATS)), *rig.table.end()])
                ended[rig.table.hand] = rig.now
            case "stands" if hand in ended:
                confirmed.add(hand)
                rig.hear(rig.table.tell(STANDS))
            case "back" if last is not None and isinstance(last.data, HandEnded) and hand in ended:
                del ended[hand]
                rig.hear(rig.table.tell(Rewound(last.seq - 1, (last.seq,))))
                if rng.random() < 0.5:
                    rig.hear(rig.table.end())
                    ended[hand] = rig.now
            case "seats":
                rig.hear(rig.table.tell(SeatsChanged()))
            case "new hand":
                begun = rig.table.new_hand()
                rig.hear([*begun, *rig.table.tell(Rewound(begun[0].seq - 1, (begun[0].seq,)))])
                rig.table.hand -= 1
        _are_due(rig, before, ended, confirmed)


def _are_due(rig: Rig, before: int, ended: dict[int, int], confirmed: set[int]) -> None:
    for opening in rig.released[before:]:
        assert opening.hand in confirmed, "nothing confirmed its end"
        assert rig.now >= ended[opening.hand] + 30_000, "the delay was not over"


def test_a_hand_that_a_ruling_killed_meanwhile_keeps_its_cards(tmp_path: Path) -> None:
    rig = Rig(tmp_path, "30")
    killed: list[AnyEvent] = [HandKilled(SEATS[1], "a ruling", "tda.1", Source.DIRECTOR)]
    said_to_stand(rig)
    rig.hear(rig.table.tell(*killed))
    rig.wait(60)
    assert {*rig.cards} == {CARDS[2], CARDS[5]}
    assert not any(isinstance(one.data, CardDealt) for one in rig.table.envelopes[-2:])
