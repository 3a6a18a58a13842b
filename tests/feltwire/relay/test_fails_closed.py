"""Whatever fails, cards stay sealed: each row of the table in docs/hidden-cards.md is tried, a day long.

Of the hand seat 1 folded; without a fault the cards of seats 2 and 3 go out (the first test).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from feltwire.ledger.signing import LedgerKey
from feltwire.relay.keys import RelayKeys
from feltwire.runtime.node_io import Arrived
from feltwire.tools.describe import DOCS
from table_core.messages import Misdealt, Noticed, Rewound, Source
from table_core.projections.table_state import HAND_STANDS
from tests.feltwire.dealt import CARDS, DealtTable
from tests.feltwire.relay import test_relay
from tests.feltwire.relay.test_relay import Rig

DAY_S = 86_400
KEPT = {CARDS[1], CARDS[2], CARDS[4], CARDS[5]}
Fault = Callable[[Rig], None]


def played(rig: Rig) -> None:
    """A hand, and the first riffle of the next."""
    rig.hear([*rig.table.whole_hand(), *rig.table.riffle()])


def without(*, event: int) -> Fault:
    def fault(rig: Rig) -> None:
        events = [*rig.table.whole_hand(), *rig.table.riffle()]
        del events[event]
        rig.hear(events)

    return fault


def with_boxes(change: Callable[[DealtTable], None]) -> Fault:
    def fault(rig: Rig) -> None:
        events = [*rig.table.whole_hand(), *rig.table.riffle()]
        change(rig.table)
        rig.hear(events)

    return fault


def no_boxes(table: DealtTable) -> None:
    table.sealed.clear()


def flipped_bits(table: DealtTable) -> None:
    table.sealed = [msgspec.structs.replace(card, box=card.box[:-8] + card.box[:8]) for card in table.sealed]


def another_hands_boxes(table: DealtTable) -> None:
    table.sealed = [msgspec.structs.replace(card, hand=card.hand + 1) for card in table.sealed]


def no_next_riffle(rig: Rig) -> None:
    rig.hear(rig.table.whole_hand())


def a_stand_that_is_taken_back(rig: Rig) -> None:
    events = rig.table.whole_hand()
    rig.hear([*events, *rig.table.tell(Noticed(HAND_STANDS, "Hand 1 stands"))])
    rig.hear(rig.table.tell(Rewound(events[-1].seq - 1, (events[-1].seq,))))


def a_thiefs_stand(rig: Rig) -> None:
    rig.hear(rig.table.whole_hand())
    rig.table.key = LedgerKey(b"a thief's key of thirty-two byte")
    rig.hear(rig.table.tell(Noticed(HAND_STANDS, "Hand 1 stands")))


def new_hand_alone(rig: Rig) -> None:
    rig.hear([*rig.table.whole_hand(), *rig.table.new_hand()])


def no_end(rig: Rig) -> None:
    rig.hear([*rig.table.riffle(), *rig.table.deal(), *rig.table.projection(1)])
    rig.hear(rig.table.riffle())


def an_end_taken_back(rig: Rig) -> None:
    events = rig.table.whole_hand()
    rig.hear([*events, *rig.table.tell(Rewound(events[-1].seq - 1, (events[-1].seq,))), *rig.table.riffle()])


def a_void_hand(rig: Rig) -> None:
    rig.hear(
        [
            *rig.table.riffle(),
            *rig.table.deal(),
            *rig.table.tell(Misdealt(1, "", (), Source.KEY)),
            *rig.table.end(),
            *rig.table.riffle(),
        ]
    )


def a_changed_delay(rig: Rig) -> None:
    played(rig)
    rig.start("0")


def a_delay_of(text: str) -> Fault:
    def fault(rig: Rig) -> None:
        rig.start(text)
        played(rig)

    return fault


def restarts(rig: Rig) -> None:
    played(rig)
    for _ in range(100):
        rig.wait(29)
        rig.start("30")


def unsigned_events(rig: Rig) -> None:
    events = [*rig.table.whole_hand(), *rig.table.riffle()]
    rig.hear([msgspec.structs.replace(envelope, signature="00" * 64) for envelope in events])


def a_thiefs_end(rig: Rig) -> None:
    rig.hear([*rig.table.riffle(), *rig.table.deal(), *rig.table.projection(1)])
    rig.table.key = LedgerKey(b"a thief's key of thirty-two byte")
    rig.hear([*rig.table.end(), *rig.table.riffle()])


def another_machine(rig: Rig) -> None:
    """It has not the fold, which the station never took."""
    rig.hear([*rig.table.riffle(), *rig.table.deal()])
    before = rig.table.head
    rig.hear(rig.table.projection(1))
    rig.table.envelopes.pop()
    rig.table.head = before
    rig.table.next_epoch(LedgerKey(b"another machine's key, of 32 byt"))
    rig.name_leaseholder()
    rig.hear([*rig.table.end(), *rig.table.riffle()])


def noise(rig: Rig) -> None:
    rig.hear([*rig.table.riffle(), *rig.table.deal(), *rig.table.projection(1)])
    for leaf in ("event", "sealed", "state"):
        rig.step(Arrived(f"fw/hall/table/01/{leaf}", b'{"data":{"type":"hand_ended"'))
        rig.step(Arrived(f"fw/hall/table/01/{leaf}", bytes(range(256))))


def no_acknowledgement_of_the_end(rig: Rig) -> None:
    rig.hear([*rig.table.riffle(), *rig.table.deal(), *rig.table.projection(1)])
    rig.station_is_up = False
    rig.hear([*rig.table.end(), *rig.table.riffle()])


def another_relays_key(rig: Rig) -> None:
    """The relay's key file was made anew: the boxes are for the one before."""
    played(rig)


RESTARTED = "the relay is restarted before each end of the delay"
UNKNOWN = "the station has not said who is the table"
ROWS: dict[str, Fault] = {
    "`delay_s` is missing": a_delay_of(""),
    "`delay_s` is negative": a_delay_of("-1"),
    "`delay_s` is no plain number": a_delay_of("30 s"),
    "`delay_s` is too large": a_delay_of("99999999"),
    "`delay_s` was changed since": a_changed_delay,
    RESTARTED: restarts,
    "the relay has another key": another_relays_key,
    "the next hand does not begin": no_next_riffle,
    "the hand stands, and the floor goes back in it": a_stand_that_is_taken_back,
    "somebody else signs that the hand stands": a_thiefs_stand,
    "NEW HAND comes, and no card of its deal": new_hand_alone,
    "the end of the hand does not come": no_end,
    "the station does not acknowledge the end": no_acknowledgement_of_the_end,
    "the end of the hand is taken back": an_end_taken_back,
    "the hand is void": a_void_hand,
    "the event that began the hand does not come": without(event=0),
    "a card's event does not come": without(event=3),
    "the fold does not come": without(event=8),
    "no box comes": with_boxes(no_boxes),
    "boxes are damaged": with_boxes(flipped_bits),
    "boxes are those of another hand": with_boxes(another_hands_boxes),
    "events are not signed": unsigned_events,
    "somebody else signs the end": a_thiefs_end,
    "another machine becomes the table and lacks events": another_machine,
    "messages cannot be read, the end among them": noise,
    UNKNOWN: played,
}


def rig_of(folder: Path, row: str, monkeypatch: pytest.MonkeyPatch) -> Rig:
    rig = Rig(folder, "30", leased=row != UNKNOWN)
    if row == "the relay has another key":
        monkeypatch.setattr(test_relay, "KEYS", RelayKeys.generate())
    return rig


def test_without_a_fault_the_hand_goes_out(tmp_path: Path) -> None:
    rig = Rig(tmp_path, "30")
    played(rig)
    rig.wait(DAY_S)
    assert {*rig.cards} == KEPT


@pytest.mark.parametrize("row", ROWS)
def test_with_it_no_card_does(tmp_path: Path, row: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rig = rig_of(tmp_path, row, monkeypatch)
    ROWS[row](rig)
    rig.wait(0 if row == RESTARTED else DAY_S)
    assert rig.cards == []
    shown = {card for view in rig.overlays for seat in view.seats for card in seat.cards}
    assert not shown & {*CARDS[:6]}


def test_the_document_has_each_row_and_no_other() -> None:
    text = (DOCS / "hidden-cards.md").read_text()
    table = text.partition("| fault at the relay |")[2].partition("\n\n")[0]
    assert re.findall(r"^\| (.+?) \|", table, re.MULTILINE) == list(ROWS)
