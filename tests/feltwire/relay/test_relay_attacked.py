"""Somebody with a table's certificate wants hidden cards from the relay: it has the public commitments, every
event and every box that went over the wire. Nothing comes out that was not due, and what was due still does."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from feltwire.ledger.chain import LedgerHead
from feltwire.ledger.signing import LedgerKey
from feltwire.relay.inbox import MOST_ABOVE
from feltwire.runtime.node_io import Arrived
from table_core.messages import (
    AnyEvent,
    CardDealt,
    Chips,
    EpochBegan,
    HandEnded,
    HandStarted,
    Leaseholder,
    Misdealt,
    Rewound,
    SealedCard,
    SeatsSet,
    Share,
    Source,
    Street,
    TableLeaseholder,
    TableState,
    TableView,
    encode,
)
from tests.display import fixtures
from tests.feltwire.dealt import AT, CARDS, SEATS, DealtTable
from tests.feltwire.relay.test_relay import Rig

THIEF = LedgerKey(b"a key that the station never saw")


@pytest.fixture
def rig(tmp_path: Path) -> Rig:
    return Rig(tmp_path, "0")


class Thief:
    """Says in the table's name what it likes, behind an event that was public; and acknowledges it in the
    station's, so that only what it says can keep cards sealed."""

    def __init__(self, rig: Rig, head: LedgerHead, key: LedgerKey | None = THIEF) -> None:
        self._rig = rig
        self._head = head
        self._key = key

    def say(self, *events: AnyEvent) -> None:
        for event in events:
            entry = self._head.link(event, at=AT, venue="hall", table="01", key=self._key)
            self._head = entry.head
            self._rig.step(Arrived("fw/hall/table/01/event", entry.raw))
            self._rig.acknowledge(entry.envelope)


def without_folds(table: DealtTable, hand: int, *, to: Callable[[str], str] = lambda seat: seat) -> list[AnyEvent]:
    """The public promises of a hand told again, without what happened in it; then its end and the next deal."""
    recorded = [envelope.data for envelope in table.envelopes]
    first = next(at for at, e in enumerate(recorded) if isinstance(e, HandStarted) and e.hand == hand)
    promised = [e for e in recorded[first:] if isinstance(e, CardDealt) and e.commitment]
    dealt = [msgspec.structs.replace(e, to=to(e.to)) for e in promised[:6]]
    started = recorded[first]
    assert isinstance(started, HandStarted)
    ended = HandEnded(hand, tuple(Share(seat, Chips(100)) for seat in SEATS))
    next_hand = msgspec.structs.replace(started, hand=hand + 1), CardDealt(1, "seat-1", None)
    return [started, *dealt, ended, *next_hand]


def comes_out(rig: Rig) -> list[str]:
    rig.wait(600)
    return rig.cards


# -------------------------------------------------------------------------------------------- replayed


@pytest.mark.parametrize("key", [THIEF, None])
@pytest.mark.parametrize("epochs", [0, 1, 7])
def test_promises_told_again_without_the_folds_release_nothing(
    rig: Rig, key: LedgerKey | None, epochs: int
) -> None:
    """In a later epoch, which the station granted to nobody, or in this one, not signed by the table."""
    table = rig.table
    rig.hear([*table.riffle(), *table.deal(), *table.projection(1), *table.projection(2), *table.end()])
    head = table.head if not epochs else table.head.in_epoch(1 + epochs)
    Thief(rig, head, key).say(EpochBegan("6666"), *without_folds(table, 1))
    assert comes_out(rig) == []
    rig.hear(table.riffle())
    assert comes_out(rig) == [CARDS[2], CARDS[5]], "the one hand that was not folded, when it is due"


def test_a_hand_before_the_flop_is_not_ended_by_somebody_else(rig: Rig) -> None:
    table = rig.table
    rig.hear([*table.riffle(), *table.deal()])
    ended, *next_hand = without_folds(table, 1)[-3:]
    for head in (table.head, table.head.in_epoch(2)):
        Thief(rig, head).say(ended, *next_hand)
    assert comes_out(rig) == []
    rig.hear([*table.projection(1), *table.end(), *table.riffle()])
    assert len(comes_out(rig)) == 4


def test_not_even_a_machine_that_is_handed_the_table_releases_a_hand_of_the_one_before(rig: Rig) -> None:
    """The director was deceived. Each promise is bound to its epoch, so in the next one it opens nothing."""
    table = rig.table
    rig.hear([*table.riffle(), *table.deal(), *table.projection(1), *table.end()])
    replay = without_folds(table, 1)
    table.next_epoch(THIEF)
    rig.name_leaseholder()
    Thief(rig, table.head).say(EpochBegan("6666", THIEF.public), *replay)
    assert set(comes_out(rig)) <= {CARDS[1], CARDS[2], CARDS[4], CARDS[5]}
    assert not {CARDS[0], CARDS[3]} & set(comes_out(rig)), "seat 1 folded"


def test_a_hand_that_ended_before_the_table_was_handed_over_is_released_as_it_was_played(rig: Rig) -> None:
    """The numbers of events begin again there; the hand is over, the next riffle comes from another machine."""
    table = rig.table
    rig.hear([*table.riffle(), *table.deal(), *table.projection(1), *table.end()])
    table.next_epoch(LedgerKey(b"2" * 32))
    rig.name_leaseholder()
    rig.hear(table.tell(*[EpochBegan("2222", table.key.public)] * 9))
    rig.hear(table.riffle())
    assert comes_out(rig) == [CARDS[1], CARDS[2], CARDS[4], CARDS[5]]


def sealed_again(rig: Rig, key: LedgerKey) -> None:
    """The true boxes of the evening once more, signed with `key`."""
    for seq, card in enumerate(rig.table.sealed, start=1):
        forged = msgspec.structs.replace(card, epoch=1, sealed_seq=seq)
        rig.step(Arrived("fw/hall/table/01/sealed", encode(key.sign(forged))))


def test_with_the_stations_certificate_a_table_of_an_earlier_number_opens_no_box(rig: Rig) -> None:
    """The thief says that another tournament has begun, in which its own machine is table 01 in epoch 1 again, and
    has the boxes that went over the wire."""
    table = rig.table
    rig.hear([*table.riffle(), *table.deal(), *table.projection(1)])
    mine = TableLeaseholder("01", Leaseholder("6666", 1, THIEF.public))
    rig.step(Arrived("fw/hall/tournament/charge/01", encode(mine)))
    sealed_again(rig, THIEF)
    Thief(rig, LedgerHead()).say(EpochBegan("6666", THIEF.public), *without_folds(table, 1))
    assert comes_out(rig) == []
    assert rig.said[-1] == "table 01: hand 1: 6 of its cards stay sealed: their boxes did not come"


@pytest.mark.parametrize("restart", [False, True])
def test_a_hand_that_stayed_sealed_does_so_when_a_copy_of_the_machine_plays_it_again(
    rig: Rig, restart: bool
) -> None:
    """The copy has certificate, ledger and key of hand 2, and writes more events than the table did."""
    table = rig.table
    rig.hear(table.whole_hand())
    second = table.riffle()
    rig.hear([*second, *table.deal(CARDS[10:16]), *table.projection(1)])
    rig.hear([*table.tell(STACKS), *table.riffle()])
    before = comes_out(rig)
    if restart:
        rig.start("0")
    copy = Thief(rig, LedgerHead(1, second[0].seq - 1, second[0].prev), table.key)
    copy.say(*[EpochBegan("1234", table.key.public)] * 30, *without_folds(table, 2)[:-2])
    sealed_again(rig, table.key)
    copy.say(*without_folds(table, 2)[-2:])
    assert comes_out(rig) == before


def test_a_promise_told_again_for_another_seat_opens_nothing(rig: Rig) -> None:
    """By the table's own machine: the box says whom its card was dealt to."""
    table = rig.table
    rig.hear([*table.riffle(), *table.deal(), *table.projection(1)])
    swapped = {"seat-1": "seat-2", "seat-2": "seat-1", "seat-3": "seat-3"}
    relabelled = without_folds(table, 1, to=lambda seat: swapped[seat])[1:-3]
    rig.hear(table.tell(*relabelled))
    rig.hear([*table.end(), *table.riffle()])
    assert comes_out(rig) == [CARDS[2], CARDS[5]]


# ------------------------------------------------------------------------------------------------ once


def test_a_hand_is_released_once_also_after_a_restart_and_when_everything_is_said_again(rig: Rig) -> None:
    table = rig.table
    events = [*table.whole_hand(), *table.riffle()]
    rig.hear(events)
    assert len(comes_out(rig)) == 4
    for _ in range(2):
        rig.start("0")  # between hands it follows on from whatever comes
        rig.hear(events)
        assert len(comes_out(rig)) == 4


def test_a_hand_of_a_number_that_was_released_stays_sealed_in_any_epoch(rig: Rig) -> None:
    table = rig.table
    rig.hear([*table.whole_hand(), *table.riffle(), *table.end()])
    assert len(comes_out(rig)) == 4
    table.next_epoch()
    rig.name_leaseholder()
    table.sealed.clear()
    table.hand = 0
    rig.hear([*table.whole_hand(), *table.riffle()])
    assert len(comes_out(rig)) == 4
    assert rig.said[-1] == "table 01: hand 1 stays sealed: a hand of this number was released before"


def test_another_tournament_begins_with_hand_one(rig: Rig) -> None:
    """New ledgers; the relay's data folder is the same."""
    rig.hear([*rig.table.whole_hand(), *rig.table.riffle()])
    rig.table = DealtTable(rig.folder / "tomorrow", rig.relay_key, key=LedgerKey(b"t" * 32))
    rig.name_leaseholder()
    rig.hear([*rig.table.whole_hand(), *rig.table.riffle()])
    assert len(comes_out(rig)) == 8


# ----------------------------------------------------------------------------------------------- boxes


def test_boxes_that_the_table_did_not_sign_are_neither_kept_nor_acknowledged(rig: Rig) -> None:
    """Kept under the number of the next true box, they would keep that one out."""
    table = rig.table
    rig.table.riffle()
    for seq in (1, 2, 6, 6, 900, 900):
        for epoch in (1, 2, 10**9):
            forged = SealedCard(epoch=epoch, sealed_seq=seq, hand=1, attempt=1, place=seq, box="AAAA")
            rig.step(Arrived("fw/hall/table/01/sealed", encode(forged)))
            rig.step(Arrived("fw/hall/table/01/sealed", THIEF.sign(forged)))
    assert rig.acks == []
    rig.hear([*table.envelopes, *table.deal(), *table.projection(1), *table.end(), *table.riffle()])
    assert len(comes_out(rig)) == 4
    assert len([text for text in rig.said if "refused" in text]) == 1, "one line for all of them"


def boxes_on_disk(rig: Rig) -> int:
    """How many boxes somebody finds who reads the relay's disk, deleted ones included."""
    rig.store._store.connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
    disk = b"".join(path.read_bytes() for path in rig.folder.glob("relay.db*"))
    return sum(card.box.encode() in disk for card in rig.table.sealed)


def voided(table: DealtTable, *events: AnyEvent) -> None:
    table.tell(*events)
    table.riffle()


STACKS = SeatsSet((), None, gap=True, source=Source.DIRECTOR)
ENDS: dict[str, Callable[[DealtTable], None]] = {
    "released": lambda t: voided(t, HandEnded(1, ())),
    "misdealt": lambda t: voided(t, Misdealt(1, "", (), Source.KEY), HandEnded(1, ())),
    "not observed": lambda t: voided(t, STACKS, HandEnded(1, ())),
    "taken back": lambda t: voided(t, Rewound(0, tuple(range(1, 8)))),
    "never ended": lambda t: voided(t),
}


@pytest.mark.parametrize("end", ENDS)
def test_boxes_are_deleted_when_a_hand_is_released_and_when_it_never_will_be(rig: Rig, end: str) -> None:
    table = rig.table
    rig.hear([*table.riffle(), *table.deal()])
    assert boxes_on_disk(rig) == 6
    before = len(table.envelopes)
    ENDS[end](table)
    for envelope in table.envelopes[before:]:
        rig.step(Arrived("fw/hall/table/01/event", encode(envelope)))
        rig.acknowledge(envelope)
    rig.wait(10)
    assert bool(rig.cards) is (end == "released")
    assert boxes_on_disk(rig) == 0


@pytest.mark.parametrize("delay", ["never", "1800"])
def test_boxes_are_deleted_when_the_delay_is_another_one(rig: Rig, delay: str) -> None:
    rig.hear([*rig.table.riffle(), *rig.table.deal()])
    rig.start(delay)
    assert boxes_on_disk(rig) == 0


def test_boxes_are_deleted_when_an_event_of_their_hand_never_comes(rig: Rig) -> None:
    table = rig.table
    events = [*table.riffle(), *table.deal(), *table.projection(1)]
    rig.hear([*events[:-1], *table.end()])
    rig.wait(3_600)
    assert boxes_on_disk(rig) == 0


def test_boxes_are_deleted_when_another_machine_is_the_table(rig: Rig) -> None:
    table = rig.table
    rig.hear([*table.riffle(), *table.deal()])
    table.head = LedgerHead(1, 3, "3" * 64)  # the rest was never collected
    table.next_epoch(THIEF)
    rig.name_leaseholder()
    assert boxes_on_disk(rig) == 0


def test_where_nothing_is_ever_released_no_box_is_kept_and_the_table_may_forget_it(tmp_path: Path) -> None:
    rig = Rig(tmp_path, "never")
    rig.hear([*rig.table.riffle(), *rig.table.deal()])
    assert rig.acks[-1] == 6
    assert boxes_on_disk(rig) == 0


# ------------------------------------------------------------------------------------- what else it says


def view(as_of: int, pot: int) -> TableView:
    return msgspec.structs.replace(
        fixtures.table_view(), venue="hall", epoch=1, as_of=as_of, pot=Chips(pot), street=Street.FLOP
    )


def test_no_overlay_shows_what_the_table_did_not_say(rig: Rig) -> None:
    """Stacks and pots of somebody with its certificate, not signed or signed by somebody else; an earlier picture
    of its own, said again; another table's."""
    table = rig.table
    early, late = table.state(view(3, 300)), table.state(view(5, 500))
    other = DealtTable(rig.folder / "other", rig.relay_key, "02", key=table.key).state(view(9, 900))
    forged = TableState(view(7, 666))
    for raw in (early, late, encode(forged), THIEF.sign(forged), encode(forged.view), early, other, late):
        rig.step(Arrived("fw/hall/table/01/state", raw))
        rig.wait(1)
    assert [overlay.pot for overlay in rig.overlays] == [300, 500]


def test_a_state_said_over_and_over_fills_no_memory(tmp_path: Path) -> None:
    rig = Rig(tmp_path, "1800")
    for _ in range(500):
        for raw in (rig.table.state(view(5, 500)), THIEF.sign(TableState(view(10**6, 1)))):
            rig.step(Arrived("fw/hall/table/01/state", raw))
    assert len(rig.node._tables["01"].timeline.moments) == 1


def test_what_the_relay_keeps_of_one_table_has_an_end(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody has the machine itself, and its key: it seals without end, in numbers with gaps."""
    monkeypatch.setattr("feltwire.relay.relay_store.MOST_OF_HAND", 30)
    monkeypatch.setattr("feltwire.relay.relay_store.MOST_OF_TABLE", 70)
    monkeypatch.setattr("feltwire.relay.followed.MOST_EVENTS", 40)
    table = rig.table
    table.riffle()
    for seq in range(2, 2 * MOST_ABOVE + 500, 2):
        box = SealedCard(epoch=1, sealed_seq=seq, hand=1 + seq // 100, attempt=1, place=1, box="AAAA")
        rig.step(Arrived("fw/hall/table/01/sealed", table.seal(seq, box)))
    assert len(rig.table.sealed) == len(rig.acks) == 0
    assert [len(rig.store.boxes("01", 1, hand)) for hand in (1, 2, 3, 4)] == [30, 30, 10, 0]
    assert len(rig.node._tables["01"].inbox._above) == MOST_ABOVE
    rig.hear([*table.envelopes, *table.tell(*[EpochBegan("1234", table.key.public)] * 50)])
    assert rig.said[-1] == "table 01: hand 1 stays sealed: it has more than 40 events"
    assert rig.node._tables["01"].current is None


def test_a_state_that_is_not_true_leaves_no_hand_sealed(rig: Rig) -> None:
    table = rig.table
    rig.hear([*table.riffle(), *table.deal()])
    for raw in (encode(TableState(view(10**9, 1))), THIEF.sign(TableState(view(10**9, 1)))):
        rig.step(Arrived("fw/hall/table/01/state", raw))
    rig.wait(3_600)
    rig.hear([*table.projection(1), *table.end(), *table.riffle()])
    assert len(comes_out(rig)) == 4


def test_an_epoch_keeps_the_key_that_the_station_first_named(rig: Rig) -> None:
    table = rig.table
    rig.hear(table.riffle())
    table.next_epoch()
    rig.name_leaseholder()
    true = table.leaseholder.leaseholder
    for who in (
        msgspec.structs.replace(true, key=THIEF.public),
        Leaseholder("1234", 1, table.past[0].key),
    ):
        rig.step(Arrived("fw/hall/tournament/charge/01", encode(TableLeaseholder("01", who))))
    Thief(rig, table.head).say(*without_folds(table, 1))
    assert comes_out(rig) == []
    rig.hear([*table.whole_hand(), *table.riffle()])
    assert len(comes_out(rig)) == 4


def test_before_the_station_said_who_is_the_table_nothing_is_followed_and_then_it_is_asked_for(
    tmp_path: Path,
) -> None:
    rig = Rig(tmp_path, "0", leased=False)
    events = rig.table.whole_hand()
    rig.hear(events)
    assert rig.cards == rig.acks == []
    rig.answers = True
    rig.name_leaseholder()
    assert [(one.epoch, one.from_seq) for one in rig.asked] == [(1, 1)]
    rig.hear(rig.table.riffle())
    assert len(comes_out(rig)) == 4
