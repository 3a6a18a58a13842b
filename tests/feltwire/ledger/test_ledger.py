"""The table's ledger: what is committed stays, in order, unchanged."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from feltwire.ledger.chain import chain, check_chain
from feltwire.ledger.table_ledger import Ledger, LedgerError, LedgerHead, ObservationRecord
from table_core.messages import At, FloorCalled, Millis, Noticed, SealedCard, encode

AT = At(boot="b" * 16, ms=Millis(1))
CHANGED = "prev is not the hash of the event before: that one or this one was changed"


def record(ledger: Ledger, count: int, text: str = "a fact") -> None:
    """Commit `count` events in one transaction."""
    facts = [Noticed(kind="test", text=f"{text} {n}") for n in range(count)]
    ledger.commit(entries=chain(ledger.head, facts, at=AT, venue="hall", table="01"))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "table.ledger"


@pytest.fixture
def ledger(path: Path) -> Iterator[Ledger]:
    opened = Ledger.open(path)
    yield opened
    opened.close()


def test_an_empty_ledger_has_no_head_hash(ledger: Ledger) -> None:
    assert ledger.head == LedgerHead(epoch=1, seq=0, hash="")


def test_events_are_numbered_linked_and_stored_as_they_are_sent(ledger: Ledger) -> None:
    record(ledger, 3)
    envelopes = list(ledger.events())
    assert [e.seq for e in envelopes] == [1, 2, 3]
    assert [raw for _, _, raw in ledger.outbox()] == [encode(e) for e in envelopes]
    assert check_chain(ledger.raw_events()).head == ledger.head


def test_reopening_goes_on_from_the_same_head(ledger: Ledger, path: Path) -> None:
    record(ledger, 2)
    again = Ledger.open(path)
    assert again.head == ledger.head
    again.close()


def test_a_ledger_keeps_its_name_in_which_no_card_can_be_read(ledger: Ledger, path: Path) -> None:
    """`2d6c`, as hexadecimal names begin now and then, is a deuce and a six."""
    name = ledger.identity()
    assert len(name) == 16
    assert name.isdecimal()
    again, other = Ledger.open(path), Ledger.open(path.with_name("other.ledger"))
    assert again.identity() == name != other.identity()
    again.close()
    other.close()


def test_a_new_epoch_counts_from_one_and_links_to_the_last_event(ledger: Ledger, path: Path) -> None:
    record(ledger, 2)
    ledger.begin_epoch(4)
    assert ledger.head.seq == 0
    again = Ledger.open(path)
    assert again.head == ledger.head
    again.close()
    record(ledger, 1)
    assert [(e.epoch, e.seq) for e in ledger.events()] == [(1, 1), (1, 2), (4, 1)]
    assert [(e.epoch, e.seq) for e in ledger.events(from_seq=2, epoch=1)] == [(1, 2), (4, 1)]
    assert check_chain(ledger.raw_events()).ok


def test_an_event_that_cannot_be_read_is_named_with_its_file(ledger: Ledger, path: Path) -> None:
    record(ledger, 3)
    with ledger._store.transaction() as run:
        run.execute("UPDATE events SET bytes = substr(bytes, 1, 40) WHERE seq = 2")
    with pytest.raises(LedgerError, match=f"{path}: event 1/2 is not as it was written"):
        ledger.hashed_events()


def test_an_epoch_that_is_over_cannot_begin_again(ledger: Ledger) -> None:
    ledger.begin_epoch(3)
    ledger.begin_epoch(3)
    with pytest.raises(LedgerError, match="epoch 2 is over"):
        ledger.begin_epoch(2)


def test_an_event_that_does_not_continue_the_chain_is_refused_whole(ledger: Ledger) -> None:
    stale = chain(ledger.head, [FloorCalled()], at=AT, venue="hall", table="01")
    record(ledger, 1)
    with pytest.raises(LedgerError, match="does not follow"):
        ledger.commit(entries=stale, notes={"tracker": b"half"})
    assert ledger.note("tracker") is None
    assert ledger.head.seq == 1


def test_a_changed_event_is_found(ledger: Ledger, path: Path) -> None:
    record(ledger, 5)
    ledger.close()
    with sqlite3.connect(path) as raw:
        raw.execute("UPDATE events SET bytes = CAST(replace(bytes, 'a fact', 'a liar') AS BLOB) WHERE seq = 2")
    raw.close()
    report = check_chain(Ledger.open(path, read_only=True).raw_events())
    assert (report.first_bad, report.why) == ("1/3", CHANGED)


def test_a_removed_event_is_found(ledger: Ledger, path: Path) -> None:
    record(ledger, 5)
    ledger.close()
    with sqlite3.connect(path) as raw:
        raw.execute("DELETE FROM events WHERE seq = 3")
    raw.close()
    assert check_chain(Ledger.open(path, read_only=True).raw_events()).first_bad == "1/4"


def test_a_changed_last_event_is_found_on_opening(ledger: Ledger, path: Path) -> None:
    record(ledger, 2)
    ledger.close()
    with sqlite3.connect(path) as raw:
        raw.execute("UPDATE events SET bytes = x'7b7d' WHERE seq = 2")
    raw.close()
    with pytest.raises(LedgerError, match="1/2 is not as it was written"):
        Ledger.open(path)


def test_acknowledging_clears_the_outbox_once_and_keeps_the_events(ledger: Ledger) -> None:
    record(ledger, 5)
    for _ in range(2):
        ledger.acked(1, 3)
        assert [seq for _, seq, _ in ledger.outbox()] == [4, 5]
    ledger.acked(1, 1)
    assert [seq for _, seq, _ in ledger.outbox(limit=1)] == [4]
    assert len(list(ledger.events())) == 5


def test_sealed_cards_have_their_own_numbers_and_outbox(ledger: Ledger) -> None:
    cards = [SealedCard(epoch=0, sealed_seq=0, hand=1, attempt=1, place=n, box="") for n in (1, 2)]
    ledger.begin_epoch(2)
    ledger.commit(sealed=cards)
    ledger.commit(sealed=cards[:1])
    assert [(epoch, seq) for epoch, seq, _ in ledger.sealed_outbox()] == [(2, 1), (2, 2), (2, 3)]
    ledger.sealed_acked(2, 2)
    assert [seq for _, seq, _ in ledger.sealed_outbox()] == [3]


def test_what_was_observed_is_known_after_a_restart(ledger: Ledger, path: Path) -> None:
    seen = [ObservationRecord("keypad", 7, seq, b"{}") for seq in (1, 2, 5)]
    ledger.commit(observations=seen, notes={"tracker": b"one"})
    ledger.commit(observations=seen[:1], notes={"tracker": b"two"})
    again = Ledger.open(path)
    assert again.seen("keypad", 7) == {1, 2, 5}
    assert again.observed("keypad", 7, 5)
    assert not again.observed("keypad", 8, 5)
    assert again.note("tracker") == b"two"
    assert again.observations() == seen
    again.close()


def test_boxes_of_the_hand_before_are_dropped_when_the_next_begins(ledger: Ledger) -> None:
    ledger.commit(boxes=[b"one", b"two"])
    assert ledger.boxes() == [b"one", b"two"]
    ledger.commit(boxes=[b"three"], drop_boxes=True)
    assert ledger.boxes() == [b"three"]


def test_only_its_owner_reads_the_file(ledger: Ledger, path: Path) -> None:
    assert path.stat().st_mode & 0o077 == 0


def test_a_file_that_is_no_ledger_is_named(tmp_path: Path) -> None:
    wrong = tmp_path / "notes.txt"
    wrong.write_text("not a database, but long enough to be read as one\n" * 40)
    with pytest.raises(LedgerError, match=r"notes\.txt: not a ledger"):
        Ledger.open(wrong)
    with pytest.raises(LedgerError, match="no such ledger"):
        Ledger.open(tmp_path / "absent", read_only=True)


def test_another_database_is_not_taken_for_a_ledger(tmp_path: Path) -> None:
    other = sqlite3.connect(tmp_path / "other.db")
    other.execute("CREATE TABLE events (x)")
    other.close()
    with pytest.raises(LedgerError, match="not a ledger of this kind"):
        Ledger.open(tmp_path / "other.db")


def test_a_locked_file_is_an_error_and_the_next_commit_goes_on(ledger: Ledger, path: Path) -> None:
    ledger._store.connection.execute("PRAGMA busy_timeout=10")
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(LedgerError, match="locked by another process"):
        record(ledger, 1)
    other.execute("ROLLBACK")
    other.close()
    record(ledger, 1)
    assert ledger.head.seq == 1


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of one megabyte where this may mount one, else an ordinary folder whose ledger is
    kept small by a pragma."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(disk)]
    mounted = os.geteuid() == 0 and subprocess.run(mount, check=False, capture_output=True).returncode == 0
    yield disk
    if mounted:
        subprocess.run(["umount", "-l", str(disk)], check=True)


def fill(ledger: Ledger, heads: list[LedgerHead]) -> None:
    """Commit until the disk is full; `heads` gets the head after each commit."""
    for _ in range(2_000):
        record(ledger, 10, text="x" * 200)
        heads.append(ledger.head)


def test_a_full_disk_loses_nothing_committed_and_writes_nothing_half(small_disk: Path) -> None:
    ledger = Ledger.open(small_disk / "table.ledger")
    if not os.path.ismount(small_disk):
        ledger._store.connection.execute("PRAGMA max_page_count=100")
    heads = [ledger.head]
    with pytest.raises(LedgerError, match="the disk is full and nothing was written"):
        fill(ledger, heads)
    committed = heads[-1]
    assert committed.seq > 0
    assert ledger.head == committed
    assert check_chain(ledger.raw_events()).head == committed
    ledger.close()
    again = Ledger.open(small_disk / "table.ledger")
    assert again.head == committed
    again.close()


WRITER = """
import sys
from pathlib import Path
from tests.feltwire.ledger.test_ledger import record
from feltwire.ledger.table_ledger import Ledger
ledger = Ledger.open(Path(sys.argv[1]))
while True:
    record(ledger, 3)
    print(ledger.head.seq, flush=True)
"""


def test_kill_9_in_the_middle_of_commits_loses_no_committed_event(path: Path) -> None:
    for run in range(1, 6):
        writer = subprocess.Popen(
            [sys.executable, "-c", WRITER, str(path)],
            stdout=subprocess.PIPE,
            text=True,
            cwd=Path(__file__).parents[3],
        )
        assert writer.stdout is not None
        for _ in range(run * 7):  # dies somewhere in the commits that follow
            promised = int(writer.stdout.readline())
        writer.send_signal(signal.SIGKILL)
        promised = max([promised, *map(int, writer.stdout.read().split())])
        writer.wait()
        writer.stdout.close()
        ledger = Ledger.open(path)
        report = check_chain(ledger.raw_events())
        assert report.ok
        assert report.head == ledger.head
        assert ledger.head.seq >= promised
        assert ledger.head.seq % 3 == 0, "a commit is whole or not there"
        ledger.close()


def test_a_ledger_in_use_is_read_beside_its_writer(ledger: Ledger, path: Path) -> None:
    record(ledger, 3)
    reader = Ledger.open(path, read_only=True)
    record(ledger, 2)
    assert check_chain(reader.raw_events()).head == ledger.head
    with pytest.raises(LedgerError):
        reader.acked(1, 1)
    reader.close()
