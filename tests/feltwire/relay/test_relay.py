"""The relay: a hand's cards are released after the deadline and the delay, never before, and only permitted
ones."""

from __future__ import annotations

import errno
import random
from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest

from feltwire.config import ConfigError, RelayConfig, TableConfig
from feltwire.lab.scenario.table import TableInMemory
from feltwire.ledger.releases import ReleasesError, ReleasesLog, read_releases
from feltwire.ledger.signing import LedgerKey
from feltwire.ledger.store import LedgerError
from feltwire.relay.followed import ASKS
from feltwire.relay.inbox import SealedInbox
from feltwire.relay.keys import RelayKeys
from feltwire.relay.node import RelayNode, parse_delay
from feltwire.relay.process import opened
from feltwire.relay.relay_io import (
    AckSealed,
    DropHand,
    DropStale,
    Effect,
    KeepBox,
    KeepEvent,
    KeepFollowed,
    KeepLeaseholder,
    KeepSealedUpto,
    Opened,
    OpenHand,
    SignRelease,
)
from feltwire.relay.relay_store import RelayStore
from feltwire.runtime.node_io import Arrived, BusUp, Publish, Say
from table_core.commitment import Opening
from table_core.messages import (
    Ack,
    AnyEvent,
    AwaySet,
    Beat,
    Chips,
    Envelope,
    FloorCalled,
    HandKilled,
    HandMucked,
    HandResumed,
    HandStarted,
    HandTabled,
    Key,
    Millis,
    Noticed,
    OverlayView,
    Resend,
    ResultEntered,
    Rewound,
    SealedCard,
    Seat,
    SeatStack,
    Source,
    Street,
    encode,
)
from table_core.messages.version import write_as
from table_core.tracker.dealing.evidence import HANDS_UNCOUNTED
from tests.display import fixtures
from tests.feltwire.dealt import AT, CARDS, LEVEL, DealtTable

KEYS = RelayKeys.generate()
SECOND = 1_000


class Rig:
    """A relay with a virtual clock and a disk that is kept over a restart."""

    def __init__(
        self, folder: Path, delay_s: str = "30", *, release_folded: bool = False, leased: bool = True
    ) -> None:
        self.relay_key = bytes.fromhex(KEYS.public_hex)
        self.table = DealtTable(folder / "run", self.relay_key)
        self.folder = folder
        self.release_folded = release_folded
        self.tables: tuple[str, ...] = ("01",)
        self.now = Millis(1_000_000)
        self.released: list[Opening] = []
        self.overlays: list[OverlayView] = []
        self.acks: list[int] = []
        self.said: list[str] = []
        self.asked: list[Resend] = []
        self.answers = False  # whether the table sends again what it is asked for
        self.station_is_up = True  # it acknowledges every event
        self.sealed_before = 0
        self.start(delay_s)
        if leased:
            self.name_leaseholder()

    def name_leaseholder(self) -> None:
        """The station says who is the table."""
        self.step(Arrived("fw/hall/tournament/charge/01", encode(self.table.leaseholder)))

    def start(self, delay_s: str) -> None:
        """Start, or start again after a kill."""
        self.config = RelayConfig("hall", str(self.folder), "", self.tables, delay_s, self.release_folded)
        self.store = RelayStore.open(self.folder / "relay.db")
        # No power fails here, and a slow disk is not to be waited for a thousand times a test.
        self.store._store.connection.execute("PRAGMA synchronous=OFF")
        store = self.store
        same = store.begin_run(delay_s, self.tables)
        self.node = RelayNode(
            self.config, store.inboxes(), store.leaseholders(), sealed_upto=store.sealed_upto(), same_delay=same
        )
        if "01" in self.tables:
            self.perform(self.node.restore("01", self.store.events("01"), self.now))
        self.wake_at: Millis | None = None
        self.step(None)

    def look(self) -> None:
        """The broker has the table's state as of its last event."""
        head = self.table.head
        view = fixtures.table_view(epoch=head.epoch, as_of=head.seq, hand=self.table.hand)
        self.step(Arrived("fw/hall/table/01/state", self.table.state(view)))

    def step(self, given: Arrived | Opened | None) -> None:
        effects, self.wake_at = self.node.step(given, self.now)
        self.perform(effects)

    def perform(self, effects: Sequence[Effect]) -> None:
        for effect in effects:
            match effect:
                case KeepBox():
                    self.store.keep_box(effect.table, effect.card)
                case AckSealed():
                    self.store.acked(effect.table, effect.ack.epoch, effect.ack.seq)
                    self.acks.append(effect.ack.seq)
                case KeepEvent():
                    self.store.keep_event(effect.table, effect.hand, effect.raw)
                case KeepSealedUpto():
                    self.store.keep_sealed_upto(effect.table, effect.lineage, effect.upto)
                case KeepFollowed():
                    self.store.keep_followed(effect.table, self.config.delay_s)
                case KeepLeaseholder():
                    self.store.keep_leaseholder(effect.table, effect.leaseholder)
                case DropHand():
                    self.store.drop_hand(effect.table, effect.epoch, effect.hand, effect.promises)
                case DropStale():
                    self.store.drop_stale(effect.table, effect.epoch, effect.hand)
                case OpenHand():
                    self.step(opened(self.store, KEYS, effect))
                case SignRelease():
                    self.released += effect.openings
                    self.store.released(effect.table, effect.lineage, effect.hand, effect.attempt)
                case Publish() if effect.topic.endswith("resend"):
                    self.asked.append(msgspec.json.decode(effect.payload, type=Resend))
                    if self.answers:
                        self.answer(self.asked[-1])
                case Publish() if "/overlay/" in effect.topic:
                    self.overlays.append(msgspec.json.decode(effect.payload, type=OverlayView))
                case Say():
                    self.said.append(effect.text)

    def hear(self, envelopes: Sequence[Envelope]) -> None:
        """Events arrive, and every sealed card that the table has not forgotten."""
        for seq, card in enumerate(self.table.sealed, start=self.sealed_before + 1):
            self.step(Arrived("fw/hall/table/01/sealed", self.table.seal(seq, card)))
        for envelope in envelopes:
            self.step(Arrived("fw/hall/table/01/event", encode(envelope)))
            self.acknowledge(envelope)

    def acknowledge(self, envelope: Envelope) -> None:
        if self.station_is_up:
            self.step(Arrived("fw/hall/table/01/ack", encode(Ack(envelope.epoch, envelope.seq))))

    def answer(self, wanted: Resend) -> None:
        """The table sends again what it has from there on."""
        for envelope in list(self.table.envelopes):
            if (envelope.epoch, envelope.seq) >= (wanted.epoch, wanted.from_seq):
                self.step(Arrived("fw/hall/table/01/event", encode(envelope)))
                self.acknowledge(envelope)

    def wait(self, seconds: float) -> None:
        """Let time pass, waking the node when it wants to be."""
        end = self.now + round(seconds * SECOND)
        while self.wake_at is not None and self.wake_at <= end:
            self.now = max(self.now, self.wake_at)
            self.step(None)
        self.now = Millis(end)
        self.step(None)

    @property
    def cards(self) -> list[str]:
        return [opening.card for opening in self.released]


def test_a_hand_is_released_after_the_delay_from_its_end(tmp_path: Path) -> None:
    rig = Rig(tmp_path, "30")
    rig.hear(rig.table.whole_hand())
    rig.hear(rig.table.riffle())
    rig.wait(29.9)
    assert rig.cards == []
    rig.wait(0.2)
    assert rig.cards == [CARDS[1], CARDS[2], CARDS[4], CARDS[5]], "seat 1 folded"


def test_never_before_the_next_first_riffle(tmp_path: Path) -> None:
    rig = Rig(tmp_path, "1")
    rig.hear(rig.table.whole_hand())
    rig.wait(3600)
    assert rig.cards == []
    rig.hear(rig.table.riffle())
    assert len(rig.cards) == 4


def new_hand_taken_back(table: DealtTable, *more: Envelope) -> list[Envelope]:
    """UNDO of the NEW HAND that the table told last, and of `more` before it."""
    began = next(one for one in reversed(table.envelopes) if isinstance(one.data, HandStarted))
    table.hand -= 1
    cut = tuple(sorted([one.seq for one in more] + [one.seq for one in table.envelopes if one.seq >= began.seq]))
    return table.tell(Rewound(cut[0] - 1, cut, "NEW HAND"))


@pytest.mark.parametrize("restart", [False, True])
def test_nor_while_new_hand_can_be_taken_back(tmp_path: Path, restart: bool) -> None:
    rig = Rig(tmp_path, "1")
    rig.hear(rig.table.whole_hand())
    rig.hear(rig.table.new_hand())
    rig.wait(3600)
    if restart:
        rig.start("1")
        rig.answers = True
        rig.wait(3600)
    assert rig.cards == []
    rig.hear(rig.table.deal(CARDS[6:12])[:1])
    rig.wait(10)
    assert rig.cards == [CARDS[1], CARDS[2], CARDS[4], CARDS[5]]


def test_a_fold_that_counts_again_stays_sealed(tmp_path: Path) -> None:
    """A ruling took it back, and UNDO the ruling."""
    rig = Rig(tmp_path, "1")
    rig.hear([*rig.table.riffle(), *rig.table.deal()])
    (fold,) = rig.table.projection(1)
    (ruled,) = rig.table.tell(Rewound(fold.seq - 1, (fold.seq,), "by a ruling"))
    rig.hear([fold, ruled, *rig.table.tell(Rewound(ruled.seq - 1, (ruled.seq,)))])
    rig.hear([*rig.table.end(), *rig.table.riffle()])
    rig.wait(10)
    assert rig.cards == [CARDS[1], CARDS[2], CARDS[4], CARDS[5]]


def test_nor_by_an_act_that_the_table_told_before_it(tmp_path: Path) -> None:
    rig = Rig(tmp_path, "1")
    rig.hear(rig.table.whole_hand())
    rig.hear([*rig.table.new_hand(), *rig.table.tell(Noticed("x", "y"), AwaySet(Seat(2), True, Source.KEY))])
    rig.wait(3600)
    assert rig.cards == []
    rig.hear(rig.table.projection(2))
    rig.wait(10)
    assert len(rig.cards) == 4


@pytest.mark.parametrize("restart", ["never", "behind NEW HAND", "behind UNDO", "at the end"])
def test_a_hand_that_goes_on_behind_new_hand_is_released_as_it_ends_then(tmp_path: Path, restart: str) -> None:
    """NEW HAND is taken back, then the last fold, and seat 3 folds instead; its cards stay sealed."""
    rig = Rig(tmp_path, "1")

    def started(at: str) -> None:
        if at == restart:
            rig.start("1")
            rig.answers = True

    first = rig.table.whole_hand()
    rig.hear([*first, *rig.table.new_hand()])
    started("behind NEW HAND")
    rig.hear(new_hand_taken_back(rig.table))
    started("behind UNDO")
    rig.wait(3600)
    assert rig.cards == []
    fold, end = first[-2:]
    rig.hear(rig.table.tell(Rewound(fold.seq - 1, (fold.seq, end.seq))))
    rig.hear([*rig.table.projection(3), *rig.table.end(), *rig.table.new_hand()])
    rig.wait(3600)
    assert rig.cards == []
    rig.hear(rig.table.deal(CARDS[6:12]))
    started("at the end")
    rig.wait(10)
    assert rig.cards == [CARDS[0], CARDS[1], CARDS[3], CARDS[4]], "seat 3 folded, seat 1 did not"
    rig.hear([*rig.table.projection(1), *rig.table.end(), *rig.table.riffle()])
    rig.wait(10)
    assert {opening.hand for opening in rig.released} == {1, 2}, "and the next hand is released as any other"


@pytest.mark.parametrize(
    "text", ["", " ", "-1", "30 s", "1e3", "inf", "nan", "0x10", "٣٠", "1,5", "1/2", "99999999"]
)
def test_a_delay_that_is_not_plainly_seconds_means_never(tmp_path: Path, text: str) -> None:
    rig = Rig(tmp_path, text)
    rig.hear(rig.table.whole_hand())
    rig.hear(rig.table.riffle())
    rig.wait(10**7)
    assert rig.cards == []


def test_plain_seconds_are_a_delay() -> None:
    assert [parse_delay(text) for text in ("0", "30", " 1800 ", "0.5")] == [0, 30, 1800, 0.5]


def test_a_restart_begins_the_delay_anew(tmp_path: Path) -> None:
    rig = Rig(tmp_path, "30")
    rig.hear(rig.table.whole_hand())
    rig.hear(rig.table.riffle())
    rig.wait(25)
    rig.start("30")
    rig.answers = True
    rig.wait(29)
    assert rig.cards == rig.asked == []
    rig.wait(2)
    assert len(rig.cards) == 4
    again = [(one.epoch, one.from_seq) for one in rig.asked]
    assert again == [(1, rig.table.head.seq)], "the last event once more, which the station acknowledges"


def test_a_hand_of_which_the_station_lacks_an_event_waits_for_it(tmp_path: Path) -> None:
    rig = Rig(tmp_path, "30")
    rig.hear(rig.table.riffle())
    rig.station_is_up = False
    rig.hear([*rig.table.deal(), *rig.table.projection(1), *rig.table.end(), *rig.table.riffle()])
    rig.wait(3600)
    assert rig.cards == []
    waits = [words for words in rig.said if words.startswith("table 01: hand 1 waits")]
    assert len(waits) == 1
    assert "acknowledgement of its end does not come; look at the station" in waits[0]
    rig.station_is_up = True
    for envelope in rig.table.envelopes[:-3]:
        rig.acknowledge(envelope)
    rig.wait(60)
    assert rig.cards == [], "all but its end"
    rig.acknowledge(rig.table.envelopes[-3])
    assert rig.cards == [CARDS[1], CARDS[2], CARDS[4], CARDS[5]]


def test_a_hand_that_the_station_had_not_when_another_machine_became_the_table_stays_sealed(
    tmp_path: Path,
) -> None:
    """The new machine's events are acknowledged before this relay hears who is the table."""
    rig = Rig(tmp_path, "0")
    table = rig.table
    rig.hear([*table.riffle(), *table.deal(), *table.projection(1)])
    collected, rig.station_is_up = table.head, False
    rig.hear([*table.end(), *table.riffle()])
    table.head, rig.station_is_up = collected, True
    table.next_epoch(LedgerKey(b"another machine's key, of 32 byt"))
    rig.hear(table.tell(FloorCalled()))
    rig.wait(60)
    assert rig.cards == []
    rig.name_leaseholder()
    rig.wait(60)
    assert rig.cards == []
    assert rig.said[-1] == "table 01: hand 2 stays sealed: another machine is the table since"
    assert "table 01: hand 1 stays sealed: another machine is the table since" in rig.said


def test_a_restart_in_mid_hand_still_releases_it(tmp_path: Path) -> None:
    rig = Rig(tmp_path, "30")
    rig.hear([*rig.table.riffle(), *rig.table.deal()])
    rig.start("30")
    rig.hear([*rig.table.projection(1), *rig.table.end(), *rig.table.riffle()])
    rig.wait(31)
    assert len(rig.cards) == 4


def test_a_changed_delay_never_releases_what_was_played_under_the_old_one(tmp_path: Path) -> None:
    rig = Rig(tmp_path, "1800")
    rig.hear(rig.table.whole_hand())
    rig.hear(rig.table.riffle())
    rig.start("0")
    rig.wait(10_000)
    assert rig.cards == []


def test_a_missed_event_is_asked_for_and_its_hand_is_released(tmp_path: Path) -> None:
    rig = Rig(tmp_path, "0")
    events = rig.table.whole_hand()
    rig.hear([*events[:4], *events[5:]])
    rig.hear(rig.table.riffle())
    assert rig.cards == []
    assert rig.asked == [], "it may just be under way"
    rig.answers = True
    rig.wait(1)
    assert [(one.epoch, one.from_seq) for one in rig.asked] == [(1, events[4].seq)]
    assert len(rig.cards) == 4


def test_an_event_that_never_comes_keeps_its_hand_sealed_and_says_so(tmp_path: Path) -> None:
    rig = Rig(tmp_path, "0")
    events = rig.table.whole_hand()
    rig.hear([*events[:4], *events[5:]])
    rig.hear(rig.table.riffle())
    rig.wait(3600)
    assert rig.cards == []
    assert len(rig.asked) == ASKS, "ever less often, and not for ever"
    assert rig.said == ["table 01: hand 1 stays sealed: an event of it did not come"]
    rig.hear(rig.table.end())
    rig.hear(rig.table.whole_hand())
    rig.hear(rig.table.riffle())
    assert len(rig.cards) == 4, "the hand after it is followed again"


def test_the_state_tells_of_a_last_event_that_did_not_come(tmp_path: Path) -> None:
    """No event comes behind it that would show the gap."""
    rig = Rig(tmp_path, "0")
    rig.hear(rig.table.whole_hand())
    riffle = rig.table.riffle()
    rig.answers = True
    view = msgspec.structs.replace(fixtures.table_view(), epoch=1, as_of=riffle[-1].seq)
    rig.step(Arrived("fw/hall/table/01/state", rig.table.state(view)))
    rig.wait(1)
    assert len(rig.cards) == 4


def test_what_happened_while_the_relay_was_away_is_asked_for_and_released(tmp_path: Path) -> None:
    rig = Rig(tmp_path, "30")
    rig.hear([*rig.table.riffle(), *rig.table.deal()])
    rig.table.projection(1)
    rig.table.end()
    rig.start("30")
    rig.answers = True
    rig.hear(rig.table.riffle())
    rig.wait(32)
    assert len(rig.cards) == 4


def test_a_hand_that_another_machine_took_over_stays_sealed_and_the_next_is_followed(tmp_path: Path) -> None:
    """This relay heard an event of the old machine that the station never took."""
    rig = Rig(tmp_path, "0")
    rig.hear([*rig.table.riffle(), *rig.table.deal()])
    before = rig.table.head
    rig.hear(rig.table.projection(1))
    rig.table.envelopes.pop()
    rig.table.head = before
    rig.table.next_epoch()
    rig.name_leaseholder()
    rig.answers = True
    rig.hear(rig.table.end())
    rig.wait(10)
    assert rig.said == ["table 01: hand 1 stays sealed: another machine is the table since"]
    rig.hear(rig.table.whole_hand())
    rig.hear(rig.table.riffle())
    rig.wait(1)
    assert {opening.hand for opening in rig.released} == {2}


def test_only_a_state_of_the_epoch_that_was_granted_is_shown(tmp_path: Path) -> None:
    rig = Rig(tmp_path, "0")
    rig.table.next_epoch()
    rig.name_leaseholder()
    for epoch, as_of, pot in ((2, 5, 700), (1, 900, 12), (3, 4, 13)):
        view = msgspec.structs.replace(fixtures.table_view(), epoch=epoch, as_of=as_of, pot=pot)
        rig.step(Arrived("fw/hall/table/01/state", rig.table.state(view)))
    assert [overlay.pot for overlay in rig.overlays] == [700]


@pytest.mark.rule("ccp.pot.7")
def test_side_pots_are_on_the_overlay_each_with_who_contests_it(tmp_path: Path) -> None:
    seats = tuple(SeatStack(Seat(n), Chips(n * 1_000)) for n in (1, 2, 3))
    at = TableInMemory(TableConfig("hall", "01", "unused", seats, (LEVEL,), 9), ("keypad",))
    at.press(Key.NEW_HAND, Key.ALL_IN, Key.ALL_IN, Key.CHECK_CALL)
    rig = Rig(tmp_path, "0")
    rig.step(Arrived("fw/hall/table/01/state", rig.table.state(msgspec.structs.replace(at.view, epoch=1))))
    (shown,) = rig.overlays
    assert [(pot.amount, pot.seats) for pot in shown.pots] == [(3_000, (1, 2, 3)), (2_000, (2, 3))]
    assert shown.pot == 5_000


def test_events_that_come_twice_change_nothing(tmp_path: Path) -> None:
    rig = Rig(tmp_path, "0")
    events = [*rig.table.whole_hand(), *rig.table.riffle()]
    rig.hear(events)
    rig.hear(events)
    assert len(rig.cards) == 4


@pytest.mark.parametrize(
    "gone",
    [HandMucked(Seat(2), Source.KEY), HandKilled(Seat(2), "fouled", "tda.1", Source.DIRECTOR)],
    ids=["mucked", "dead"],
)
def test_mucked_and_dead_hands_stay_sealed_unless_the_room_says_otherwise(tmp_path: Path, gone: AnyEvent) -> None:
    for folder, release_folded, count in (("strict", False, 2), ("open", True, 6)):
        (tmp_path / folder).mkdir()
        rig = Rig(tmp_path / folder, "0", release_folded=release_folded)
        rig.look()
        events = [*rig.table.riffle(), *rig.table.deal(), *rig.table.projection(1)]
        events += rig.table.tell(gone)
        rig.hear([*events, *rig.table.end(), *rig.table.riffle()])
        assert len(rig.cards) == count


def test_of_a_deal_that_nobody_could_count_only_tabled_hands_go_out(tmp_path: Path) -> None:
    """The place that the books give to one who stayed may be that of one who folded."""
    for folder, release_folded in (("strict", False), ("open", True)):
        (tmp_path / folder).mkdir()
        rig = Rig(tmp_path / folder, "0", release_folded=release_folded)
        events = [*rig.table.riffle(), *rig.table.deal(), *rig.table.projection(1)]
        events += rig.table.tell(HandTabled(Seat(2), (CARDS[1], CARDS[4]), (Source.CAMERA,)))
        events += rig.table.end()
        events += rig.table.tell(Noticed(HANDS_UNCOUNTED, "Whose hole cards are whose is not known"))
        rig.hear([*events, *rig.table.riffle()])
        rig.wait(600)
        assert {*rig.cards} == {CARDS[1], CARDS[4]}, folder


KEPT = [CARDS[1], CARDS[2], CARDS[4], CARDS[5]]  # of those who did not fold


def switched(rig: Rig, *, folded: bool) -> None:
    """The relay is killed and started with the other setting; what the broker retained comes again."""
    rig.release_folded, rig.answers = folded, True
    rig.start("30")
    rig.name_leaseholder()
    rig.look()


@pytest.mark.parametrize("begun", ["in its betting", "at its end"])
def test_a_hand_keeps_the_setting_that_it_began_under(tmp_path: Path, begun: str) -> None:
    """Switched on behind a hand but within its delay, the setting released all its hole cards. Two restarts must
    not make it the hand's own."""
    rig = Rig(tmp_path, "30")
    rig.look()
    rig.hear([*rig.table.riffle(), *rig.table.deal()])
    if begun == "in its betting":
        switched(rig, folded=True)
    rig.hear([*rig.table.projection(1), *rig.table.end(), *rig.table.riffle()])
    switched(rig, folded=True)
    switched(rig, folded=True)
    rig.wait(31)
    assert rig.cards == KEPT


def test_the_setting_holds_for_hands_that_begin_under_it_and_over_a_kill(tmp_path: Path) -> None:
    rig = Rig(tmp_path, "30", release_folded=True)
    rig.look()
    rig.hear([*rig.table.whole_hand(), *rig.table.riffle()])
    switched(rig, folded=True)
    rig.wait(31)
    assert rig.cards == [*CARDS[:6]]


def test_the_stricter_of_two_settings_wins(tmp_path: Path) -> None:
    rig = Rig(tmp_path, "30", release_folded=True)
    rig.look()
    rig.hear([*rig.table.whole_hand(), *rig.table.riffle()])
    switched(rig, folded=False)
    rig.wait(31)
    assert rig.cards == KEPT


def test_of_a_hand_that_began_while_no_relay_looked_no_folded_hand_goes_out(tmp_path: Path) -> None:
    rig = Rig(tmp_path, "30")
    rig.look()
    rig.hear(rig.table.whole_hand())
    begun = [*rig.table.riffle(), *rig.table.deal(), *rig.table.projection(1)]
    switched(rig, folded=True)
    rig.hear([*begun, *rig.table.end(), *rig.table.whole_hand(), *rig.table.riffle()])
    rig.wait(31)
    assert rig.cards == [*KEPT, *KEPT, *CARDS[:6]], "the third hand began under the new setting"


def test_a_hand_that_began_unseen_under_another_delay_is_never_released(tmp_path: Path) -> None:
    rig = Rig(tmp_path, "600")
    rig.look()
    rig.hear([*rig.table.whole_hand(), *rig.table.riffle()])
    begun = [*rig.table.end(), *rig.table.riffle(), *rig.table.deal()]
    rig.start("0")
    rig.look()
    rig.hear([*begun, *rig.table.projection(1), *rig.table.end(), *rig.table.riffle()])
    rig.wait(3600)
    assert rig.cards == []


UNSEEN = {
    "only its result": ResultEntered(1, (Seat(2),), (), 0, Source.KEY),
    "resumed": HandResumed(
        1, Seat(3), Seat(1), Seat(2), LEVEL, Street.FLOP, (), (), (), None, None, Source.DIRECTOR
    ),
}


@pytest.mark.parametrize("unseen", UNSEEN.values(), ids=UNSEEN)
def test_of_a_hand_that_was_not_observed_whole_only_tabled_hands_go_out(tmp_path: Path, unseen: AnyEvent) -> None:
    """AWARD on the flop, or *resume from here*: who folded without a key, and who plays on, nobody knows."""
    rig = Rig(tmp_path, "0")
    events = [*rig.table.riffle(), *rig.table.deal()]
    events += rig.table.tell(HandTabled(Seat(2), (CARDS[1], CARDS[4]), (Source.CAMERA,)))
    events += rig.table.tell(unseen)
    rig.hear([*events, *rig.table.end(), *rig.table.riffle()])
    rig.wait(600)
    assert {*rig.cards} == {CARDS[1], CARDS[4]}


def test_cards_whose_boxes_never_came_stay_sealed_and_that_is_said(tmp_path: Path) -> None:
    """Somebody with the relay's certificate acknowledged them."""
    rig = Rig(tmp_path, "0")
    events = [*rig.table.whole_hand(), *rig.table.riffle()]
    del rig.table.sealed[1:4]
    rig.hear(events)
    assert rig.cards == [CARDS[4], CARDS[5]]
    assert rig.said == ["table 01: hand 1: 2 of its cards stay sealed: their boxes did not come"]


def rewound(table: DealtTable, *cut: AnyEvent) -> list[Envelope]:
    seqs = tuple(e.seq for e in table.envelopes if any(e.data is event for event in cut))
    return table.tell(Rewound(min(seqs) - 1, seqs))


def test_an_end_that_was_taken_back_is_no_end(tmp_path: Path) -> None:
    rig = Rig(tmp_path, "0")
    events = rig.table.whole_hand()
    rig.hear([*events, *rewound(rig.table, events[-1].data)])
    rig.hear(rig.table.riffle())
    assert rig.cards == []


def test_a_fold_that_was_taken_back_is_no_fold(tmp_path: Path) -> None:
    rig = Rig(tmp_path, "0")
    events = [*rig.table.riffle(), *rig.table.deal(), *rig.table.projection(1)]
    rig.hear([*events, *rewound(rig.table, events[-1].data), *rig.table.end(), *rig.table.riffle()])
    assert len(rig.cards) == 6


def test_a_box_that_breaks_its_public_promise_is_not_released(tmp_path: Path) -> None:
    rig = Rig(tmp_path, "0")
    events = [*rig.table.whole_hand(), *rig.table.riffle()]
    first = rig.table.sealed[1]
    rig.table.sealed[1] = msgspec.structs.replace(rig.table.sealed[2], place=first.place)
    rig.hear(events)
    assert len(rig.cards) == 3


def test_noise_is_left_and_said(tmp_path: Path) -> None:
    rig = Rig(tmp_path)
    for leaf in ("event", "sealed", "state"):
        rig.step(Arrived(f"fw/hall/table/01/{leaf}", b"{}"))
    rig.step(Arrived("fw/hall/table/99/event", b"{}"))
    assert len(rig.said) == 3


# ------------------------------------------------------------------------------------- acknowledging


def test_an_acknowledgement_never_skips_a_card() -> None:
    inbox = SealedInbox()
    acks = [ack.seq if (ack := inbox.take(1, seq)) else None for seq in (1, 2, 4, 5, 3, 3)]
    assert acks == [1, 2, None, None, 5, 5]


def test_a_table_that_no_longer_has_the_first_cards_is_not_stuck() -> None:
    inbox = SealedInbox()
    assert inbox.take(2, 7) is None
    assert inbox.take(2, 8) is None
    ack = inbox.take(2, 7)
    assert ack is not None
    assert ack.seq == 8


def test_cards_acknowledged_before_a_restart_stay_so(tmp_path: Path) -> None:
    rig = Rig(tmp_path)
    rig.hear([*rig.table.riffle(), *rig.table.deal()])
    rig.hear([])
    assert rig.acks[-1] == 6
    rig.start("30")
    sealed = SealedCard(epoch=1, sealed_seq=7, hand=1, attempt=1, place=7, box="")
    rig.step(Arrived("fw/hall/table/01/sealed", rig.table.seal(7, sealed)))
    assert rig.acks[-1] == 7


# --------------------------------------------------------------------------------------- keys and log


def openings(folder: Path) -> list[Opening]:
    rig = Rig(folder, "0", release_folded=True)
    rig.look()
    rig.hear([*rig.table.whole_hand(), *rig.table.riffle()])
    return rig.released


def test_the_releases_log_is_signed_and_linked(tmp_path: Path) -> None:
    cards = openings(tmp_path)
    path = tmp_path / "releases.jsonl"
    ReleasesLog(path, "hall", KEYS.signing).append(cards[:3], AT)
    ReleasesLog(path, "hall", KEYS.signing).append(cards[3:], AT)
    assert list(read_releases(path, key=KEYS.verify_hex)) == cards


def test_a_changed_removed_or_foreign_line_is_found(tmp_path: Path) -> None:
    path = tmp_path / "releases.jsonl"
    ReleasesLog(path, "hall", KEYS.signing).append(openings(tmp_path), AT)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines).replace(b'"card":"3c"', b'"card":"As"'))
    with pytest.raises(ReleasesError, match="line 2: not signed"):
        list(read_releases(path, key=KEYS.verify_hex))
    path.write_bytes(b"".join(lines[:2] + lines[3:]))
    with pytest.raises(ReleasesError, match="line 3: does not follow"):
        list(read_releases(path, key=KEYS.verify_hex))
    path.write_bytes(b"".join(lines))
    with pytest.raises(ReleasesError, match="line 1: not signed"):
        list(read_releases(path, key=RelayKeys.generate().verify_hex))


def test_a_line_torn_by_a_power_cut_is_written_again(tmp_path: Path) -> None:
    cards = openings(tmp_path)
    path = tmp_path / "releases.jsonl"
    ReleasesLog(path, "hall", KEYS.signing).append(cards, AT)
    path.write_bytes(path.read_bytes()[:-40])
    ReleasesLog(path, "hall", KEYS.signing).append(cards[-1:], AT)
    assert list(read_releases(path, key=KEYS.verify_hex)) == cards


def test_lines_of_which_a_power_cut_lost_the_middle_are_written_again_certain_ones_stay(
    tmp_path: Path,
) -> None:
    cards, path = openings(tmp_path), tmp_path / "releases.jsonl"
    ReleasesLog(path, "hall", KEYS.signing).append(cards[:2], AT)
    log = ReleasesLog(path, "hall", KEYS.signing, certain=2)
    log.append(cards[2:], AT)
    whole = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*whole[:3], bytes(len(whole[3]) - 1) + b"\n", *whole[4:]]))
    ReleasesLog(path, "hall", KEYS.signing, certain=2).append(cards[3:], AT)
    assert list(read_releases(path, key=KEYS.verify_hex)) == cards

    path.write_bytes(b"".join([whole[0], bytes(len(whole[1]) - 1) + b"\n", *whole[2:]]))
    ReleasesLog(path, "hall", KEYS.signing, certain=len(whole))
    with pytest.raises(ReleasesError, match="line 2: not a release"):
        list(read_releases(path, key=KEYS.verify_hex))


def test_lines_that_the_disk_refused_are_written_once_when_it_takes_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cards, path = openings(tmp_path), tmp_path / "releases.jsonl"
    log = ReleasesLog(path, "hall", KEYS.signing)
    log.append(cards[:2], AT)
    before = log.end

    def refuse(_handle: int) -> None:
        raise OSError(errno.EIO, "Input/output error")

    with monkeypatch.context() as broken:
        broken.setattr("os.fsync", refuse)
        for _ in range(2):
            with pytest.raises(LedgerError, match=r"releases\.jsonl: cannot be written \(Input/output error\)"):
                log.append(cards, AT)
            assert log.end == before
    log.append(cards, AT)
    assert list(read_releases(path, key=KEYS.verify_hex)) == cards


def test_lines_that_were_cut_off_the_releases_are_missed(tmp_path: Path) -> None:
    path, cards = tmp_path / "releases.jsonl", openings(tmp_path)
    store = RelayStore.open(tmp_path / "relay.db")

    def log() -> ReleasesLog:
        return ReleasesLog(path, "hall", KEYS.signing)

    assert log().had(store.log_end()), "a new one"
    first = log()
    first.append(cards[:4], AT)
    store.released("01", "", 1, 1, first.end)
    assert log().had(store.log_end())
    log().append(cards[4:5], AT)  # and killed before the store had it
    assert log().had(store.log_end())
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:2]))
    assert not log().had(store.log_end())
    log().append(cards[4:], AT)
    assert not log().had(store.log_end()), "others follow"


def test_keys_are_kept_privately_and_print_nothing(tmp_path: Path) -> None:
    path = tmp_path / "relay.key"
    KEYS.save(path)
    assert path.stat().st_mode & 0o077 == 0
    again = RelayKeys.load(path)
    assert (again.public_hex, again.verify_hex) == (KEYS.public_hex, KEYS.verify_hex)
    assert repr(again) == "RelayKeys(••)"
    with pytest.raises(FileExistsError):
        RelayKeys.generate().save(path)


@pytest.mark.parametrize("text", ["", "box = 1", 'box = "zz"\nsign = "zz"', 'box = "00"\nsign = "00"'])
def test_a_file_without_keys_is_named_and_not_repeated(tmp_path: Path, text: str) -> None:
    path = tmp_path / "relay.key"
    path.write_text(text)
    path.chmod(0o600)
    with pytest.raises(ConfigError, match="holds no relay keys"):
        RelayKeys.load(path)
    with pytest.raises(ConfigError, match="cannot be read"):
        RelayKeys.load(tmp_path / "absent")


def test_boxes_for_somebody_else_and_noise_open_to_nothing() -> None:
    noise = random.Random(1).randbytes(80).hex()
    assert [KEYS.open(box) for box in ("", "????", noise)] == [None, None, None]


# -------------------------------------------------------------------------------------- anything goes


class Evening:
    """Hands dealt, folded, taken back, lost on the way and interrupted, as a seed says; what the relay may have
    released of each hand and from when on is kept beside it, from what really happened."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.chance = random.Random(seed)
        self.rig = Rig(folder, "30")
        self.rig.answers = True
        self.may: set[str] = set()  # hand and card

    def hear(self, envelopes: Sequence[Envelope]) -> bool:
        """Whether every one of them came through."""
        lost = self.chance.random() < 0.04
        for envelope in envelopes:
            if self.chance.random() < 0.02:
                self.rig.start("30")
            twice = self.chance.random() < 0.1
            if not lost:
                self.rig.hear([envelope, envelope] if twice else [envelope])
        return not lost

    def play_hand(self) -> None:
        rig, table = self.rig, self.rig.table
        self.check()
        rig.sealed_before += len(table.sealed)
        table.sealed.clear()
        self.hear(table.riffle())
        cards = self.chance.sample(CARDS, 6)
        self.hear(table.deal(cards))
        folded = set(self.chance.sample((1, 2, 3), self.chance.randrange(3)))
        for seat in sorted(folded):
            projection = table.projection(seat)
            self.hear(projection)
            if self.chance.random() < 0.2:
                self.hear(rewound(table, projection[0].data))
                folded.discard(seat)
        rig.wait(self.chance.uniform(0, 5))
        hidden = len(rig.released)
        self.hear(table.end())
        rig.wait(self.chance.uniform(0, 60))
        assert not {opening.hand for opening in rig.released[hidden:]} & {table.hand}, "not before the riffle"
        kept = [card for place, card in enumerate(cards) if place % 3 + 1 not in folded]
        self.may |= {f"{table.hand} {card}" for card in kept}

    def check(self) -> None:
        out = [f"{opening.hand} {opening.card}" for opening in self.rig.released]
        assert set(out) <= self.may
        assert len(out) == len(set(out)), "each card once"


@pytest.mark.parametrize("seed", range(12))
def test_whatever_happens_only_what_may_go_out_does(tmp_path: Path, seed: int) -> None:
    evening = Evening(tmp_path, seed)
    for _ in range(12):
        evening.play_hand()
    while not evening.hear(evening.rig.table.riffle()):
        pass
    evening.rig.wait(100)
    evening.check()
    played = {entry.split()[0] for entry in evening.may}
    assert {str(opening.hand) for opening in evening.rig.released} == played, "what was missed was asked for"


def test_in_a_room_that_writes_an_earlier_version_the_delay_is_told_with_the_first_beat_of_this_one(
    tmp_path: Path,
) -> None:
    rig = Rig(tmp_path, "30")
    beat = Arrived("fw/hall/tournament/beat", encode(Beat("b" * 16, Millis(5))))

    def told(given: BusUp | Arrived) -> list[str]:
        effects, _ = rig.node.step(given, rig.now)
        return [
            effect.topic for effect in effects if isinstance(effect, Publish) and effect.topic.endswith("/air")
        ]

    write_as(3)
    assert told(BusUp()) == told(beat) == []
    write_as(4)
    assert told(beat) == ["fw/hall/process/relay/air"]
    assert told(beat) == []
    assert told(BusUp()) == ["fw/hall/process/relay/air"]
