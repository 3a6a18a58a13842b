"""The station's ledger: every table's events, once, in order, or a clear reason why not."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from feltwire.ledger.chain import ChainEntry, LedgerHead, chain
from feltwire.ledger.room_ledger import CollectedLedger, EventVerdict
from feltwire.ledger.store import LedgerError
from table_core.messages import At, Millis, Noticed

AT = At(boot="b" * 16, ms=Millis(1))


def events(table: str, count: int, head: LedgerHead | None = None, text: str = "fact") -> list[ChainEntry]:
    facts = [Noticed(kind="test", text=f"{text} {n}") for n in range(count)]
    return chain(head or LedgerHead(), facts, at=AT, venue="hall", table=table)


@pytest.fixture
def collected(tmp_path: Path) -> Iterator[CollectedLedger]:
    opened = CollectedLedger.open(tmp_path / "station.ledger")
    yield opened
    opened.close()


def take(collected: CollectedLedger, entry: ChainEntry) -> tuple[EventVerdict, int, int]:
    accepted = collected.accept(entry.raw)
    return accepted.kind, accepted.epoch, accepted.expected_seq


def test_tables_are_collected_side_by_side(collected: CollectedLedger) -> None:
    for first, second in zip(events("01", 3), events("02", 3), strict=True):
        assert take(collected, first)[0] is EventVerdict.NEW
        assert take(collected, second)[0] is EventVerdict.NEW
    assert {table: head.seq for table, head in collected.heads().items()} == {"01": 3, "02": 3}
    assert list(collected.events("02")) == [entry.envelope for entry in events("02", 3)]


def test_an_event_twice_is_committed_once(collected: CollectedLedger) -> None:
    one, two = events("01", 2)
    take(collected, one)
    take(collected, two)
    assert take(collected, one) == (EventVerdict.DUPLICATE, 1, 3)
    assert len(list(collected.events("01"))) == 2


def test_a_gap_says_what_is_expected_and_closes_when_it_comes(collected: CollectedLedger) -> None:
    one, two, three = events("01", 3)
    assert take(collected, two) == (EventVerdict.GAP, 1, 1)
    take(collected, one)
    assert take(collected, three) == (EventVerdict.GAP, 1, 2)
    assert take(collected, two) == (EventVerdict.NEW, 1, 3)
    assert take(collected, three) == (EventVerdict.NEW, 1, 4)


def test_another_event_under_a_known_number_breaks_the_chain(collected: CollectedLedger) -> None:
    take(collected, events("01", 1)[0])
    assert take(collected, events("01", 1, text="other")[0]) == (EventVerdict.BROKEN_CHAIN, 1, 2)
    other_second = events("01", 2, text="other")[1]
    assert take(collected, other_second) == (EventVerdict.BROKEN_CHAIN, 1, 2)


def test_a_later_epoch_continues_only_when_the_earlier_one_is_whole(collected: CollectedLedger) -> None:
    one, two = events("01", 2)
    (later,) = events("01", 1, head=two.head.in_epoch(3))
    take(collected, one)
    assert take(collected, later) == (EventVerdict.GAP, 1, 2)
    take(collected, two)
    assert take(collected, later) == (EventVerdict.NEW, 3, 2)


def test_an_epoch_that_is_over_is_fenced(collected: CollectedLedger) -> None:
    one, two = events("01", 2)
    take(collected, one)
    take(collected, events("01", 1, head=one.head.in_epoch(3))[0])
    assert take(collected, two) == (EventVerdict.BROKEN_CHAIN, 3, 2)


def test_noise_is_malformed_and_changes_nothing(collected: CollectedLedger) -> None:
    assert collected.accept(b'{"v":1}').kind is EventVerdict.MALFORMED
    assert collected.accept(b"\xff\x00").kind is EventVerdict.MALFORMED
    assert collected.heads() == {}


def test_heads_survive_a_restart(collected: CollectedLedger, tmp_path: Path) -> None:
    for entry in events("01", 4):
        take(collected, entry)
    again = CollectedLedger.open(tmp_path / "station.ledger")
    assert again.heads() == collected.heads()
    again.close()


@pytest.mark.parametrize("seed", range(5))
def test_losses_repetitions_and_disorder_end_in_the_whole_chain(collected: CollectedLedger, seed: int) -> None:
    chance = random.Random(seed)
    sent = events("01", 60)
    expected = 1
    for _ in range(5_000):
        if expected > len(sent):
            break
        # Somewhere around what is expected: repeated, late, or too early.
        at = min(max(expected - 1 + chance.randint(-3, 3), 0), len(sent) - 1)
        expected = collected.accept(sent[at].raw).expected_seq
    assert list(collected.events("01")) == [entry.envelope for entry in sent]


def test_events_of_busy_tables_are_committed_together_as_one_by_one(collected: CollectedLedger) -> None:
    one, two, three = events("01", 3)
    other = events("02", 1)[0]
    together = collected.accept_all([entry.raw for entry in (one, other, one, three, two, three)])
    assert [accepted.kind for accepted in together] == [
        EventVerdict.NEW,
        EventVerdict.NEW,
        EventVerdict.DUPLICATE,
        EventVerdict.GAP,
        EventVerdict.NEW,
        EventVerdict.NEW,
    ]
    assert [len(list(collected.events(table))) for table in ("01", "02")] == [3, 1]


def test_a_full_disk_takes_none_of_the_events_that_came_together(tmp_path: Path) -> None:
    collected = CollectedLedger.open(tmp_path / "station.ledger")
    take(collected, events("01", 1)[0])
    heads, connection = collected.heads(), collected._store.connection
    pages = connection.execute("PRAGMA page_count").fetchone()[0]
    connection.execute(f"PRAGMA max_page_count={pages + 1}")
    many = [entry.raw for table in range(2, 100) for entry in events(f"{table:02}", 3)]
    with pytest.raises(LedgerError, match="the disk is full and nothing was written"):
        collected.accept_all(many)
    assert collected.heads() == heads
    connection.execute("PRAGMA max_page_count=1000000")
    assert {accepted.kind for accepted in collected.accept_all(many)} == {EventVerdict.NEW}
    collected.close()
