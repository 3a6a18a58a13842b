"""Everything on the mischief panel, done to a whole room while it deals as fast as it can.

The table notices, misreads nothing, and has the right stacks again when the hand is over.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pytest

from feltwire.lab.simroom.dealer.mischief import Mischief
from feltwire.lab.simroom.reports import HandDone
from table_core.messages import AnyEvent, Asked, HandStarted, Noticed, Rewound
from tests.room.killing import Outcome, judge
from tests.room.moments import MOMENTS
from tests.room.open_room import OpenRoom

pytestmark = [
    pytest.mark.room,
    pytest.mark.slow("seven mischiefs in a real room, each in a hand of its own; a killed broker stays away 3 s"),
]

# What the table says about each, any of them. A forgotten fold is seen by the camera. A forgotten check or call
# comes up when the street is out, as a question or because its key comes late; or the dealer takes the next key
# back before, which is on the record too.
LATE = {"keys_late_flop", "keys_late_turn", "keys_late_river"}
SAYS = {
    Mischief.SKIP_BURN: {"burn_missing"},
    Mischief.EXPOSE_CARD: {"card_exposed"},
    Mischief.FORGET_KEY: {"fold_not_keyed", "missed_actions", "taken_back", *LATE},
    Mischief.WRONG_SEAT: {"out_of_turn_press"},
    Mischief.BLOCK_CAMERA: {"camera_blocked"},
    Mischief.PULL_SHOE: {"shoe_lost"},
    Mischief.KILL_BROKER: {"bus_lost"},
}
# Troubles that last: these words may come a hand later.
SAYS_AFTERWARDS = {
    Mischief.BLOCK_CAMERA: "camera_back",
    Mischief.PULL_SHOE: "shoe_back",
    Mischief.KILL_BROKER: "bus_back",
}


@dataclass(frozen=True)
class Seen:
    """The hand that a mischief happened in, what the table said in it, and what it said from its start on."""

    hand: HandDone
    said: set[str]
    said_since: set[str]


@dataclass(frozen=True)
class Evening:
    seen: dict[Mischief, Seen]
    outcome: Outcome


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Evening]:
    """One room, in which everything happens once, each in a hand of its own."""
    with OpenRoom(tmp_path_factory.mktemp("mischief") / "room", seed=5, back_s=None) as room:
        numbers = {kind: do(room, kind) for kind in Mischief}
        outcome = judge(room, [], shoe_saw_all=False)
        events = [envelope.data for envelope in room.ledger.envelopes]
        yield Evening({kind: seen(room, events, number) for kind, number in numbers.items()}, outcome)


def do(room: OpenRoom, kind: Mischief) -> int:
    """Have it happen; the number of the hand that it happened in, which is over."""
    if kind is Mischief.KILL_BROKER:
        return kill_broker(room)
    room.mischief(kind)
    hand = room.wait(lambda: next((hand for hand in room.hands if kind in hand.faults), None), f"{kind} is done")
    return hand.hand


def kill_broker(room: OpenRoom) -> int:
    def betting() -> bool:
        room.ledger.look()
        return MOMENTS["betting"](room.ledger.projection, room.ledger.state)

    room.wait(betting, "a hand is being bet")
    number, lost_at = room.ledger.projection.hand_number, room.ledger.projection.seq
    assert room.supervisor.kill("broker")
    room.wait(lambda: room.station_seq() > lost_at, "the broker is back and the station hears the table")
    room.wait(lambda: room.hand(number), f"hand {number} is over")
    return number


def seen(room: OpenRoom, events: Sequence[AnyEvent], number: int) -> Seen:
    hand = room.hand(number)
    assert hand is not None
    starts = {event.hand: at for at, event in enumerate(events) if isinstance(event, HandStarted)}
    first, after = starts[number], starts.get(number + 1)
    return Seen(hand, said(events[first:after]), said(events[first:]))


def said(events: Sequence[AnyEvent]) -> set[str]:
    """Kinds of notices and questions, and whether the dealer took something back."""
    kinds = {event.kind for event in events if isinstance(event, (Noticed, Asked))}
    return kinds | {"taken_back" for event in events if isinstance(event, Rewound)}


@pytest.mark.parametrize("kind", Mischief)
def test_the_table_says_what_it_noticed(evening: Evening, kind: Mischief) -> None:
    one = evening.seen[kind]
    noticed = (one.said_since if kind in SAYS_AFTERWARDS else one.said) & SAYS[kind]
    # A fold forgotten before another fold: the dealer sees one fold too few and presses it late, which is no more
    # than a late key. It counts as the dealer's correction then.
    late = kind is Mischief.FORGET_KEY and one.hand.corrections > 0
    assert noticed or late, one


@pytest.mark.parametrize("kind", Mischief)
def test_the_table_catches_up_within_the_hand(evening: Evening, kind: Mischief) -> None:
    one = evening.seen[kind]
    assert one.hand.stacks_agree
    assert one.hand.misread == 0
    assert one.hand.counts == 0


@pytest.mark.parametrize("kind", SAYS_AFTERWARDS)
def test_what_comes_back_is_said_to_be_back(evening: Evening, kind: Mischief) -> None:
    assert SAYS_AFTERWARDS[kind] in evening.seen[kind].said_since


def test_after_all_of_it_ledgers_pages_and_felt_agree(evening: Evening) -> None:
    """No event lost or taken twice, chips conserved, stacks as the perfect observer has them. Of the hand in which
    the camera was blocked cards may stay unknown: the shoe does not speak for it."""
    blocked = evening.seen[Mischief.BLOCK_CAMERA].hand.hand
    assert {*evening.outcome.wrong} <= {f"hand {blocked}: card never read"}
