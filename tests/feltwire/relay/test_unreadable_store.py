"""A relay whose store holds something that it cannot read: nothing of that is released, and the rest goes on."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from feltwire.ledger.chain import LedgerHead, hash_of
from feltwire.relay.relay_store import ALL_LINES, RelayStore
from feltwire.runtime.node_io import Arrived
from feltwire.tools.start_check import start_faults
from tests.feltwire.dealt import CARDS
from tests.feltwire.relay.test_relay import Rig
from tests.feltwire.unreadable import plant, unreadable_event

GARBAGE = b'\xff{"no":'


@pytest.fixture
def path(tmp_path: Path) -> Path:
    found = tmp_path / "relay.db"
    RelayStore.open(found).close()
    return found


def words(path: Path) -> list[str]:
    return [fault.words for fault in start_faults(path.parent) if not fault.stops]


def test_a_table_whose_leaseholder_cannot_be_read_is_followed_by_nobody(path: Path) -> None:
    plant(path, "INSERT INTO charges VALUES ('01', ?)", GARBAGE)
    assert any("which machine is table 01 cannot be read" in one for one in words(path))
    with closing(RelayStore.open(path)) as store:
        assert store.leaseholders() == {}


def test_the_commitments_of_an_event_that_cannot_be_read_open_nothing_any_more(path: Path) -> None:
    promise = "ab" * 32
    raw = f'{{"v":2,"data":{{"type":"card_dealt","commitment":"{promise}","new":1}}}}'.encode()
    insert = "INSERT INTO events (table_id, hand, epoch, seq, bytes) VALUES ('01', 1, 1, 1, ?)"
    plant(path, insert, raw)
    assert any("The hand stays sealed" in one for one in words(path))
    with closing(RelayStore.open(path)) as store:
        assert not store.is_spent(promise)
        store.drop_all()
        assert store.is_spent(promise)
        assert store.events("01") == []


def test_of_a_log_whose_end_cannot_be_read_no_line_is_cut(path: Path) -> None:
    plant(path, "INSERT INTO settings VALUES ('log_end', 'many lines')")
    assert any("where the releases log ends cannot be read" in one for one in words(path))
    with closing(RelayStore.open(path)) as store:
        assert store.log_end() == (ALL_LINES, "")


def test_a_line_of_the_releases_that_is_none_is_named(path: Path) -> None:
    (path.parent / "releases.jsonl").write_bytes(b"no release\n")
    assert words(path) == ["releases.jsonl: line 1 cannot be read."]


def test_a_hand_with_an_event_that_nobody_can_read_stays_sealed_and_the_next_is_released(
    tmp_path: Path,
) -> None:
    rig = Rig(tmp_path, "0")
    table = rig.table
    rig.hear([*table.riffle(), *table.deal()])
    raw = unreadable_event(table.head, "hall", "01", bytes(range(32)))
    table.head = LedgerHead(table.head.epoch, table.head.seq + 1, hash_of(raw))
    rig.step(Arrived("fw/hall/table/01/event", raw))
    rig.hear([*table.projection(1), *table.end()])
    rig.hear(table.riffle())
    rig.wait(60)
    assert rig.cards == []
    assert "table 01: hand 1 stays sealed: an event of it cannot be read" in rig.said
    assert rig.asked == [], "nobody is asked for what nobody can read"
    rig.hear([*table.deal(CARDS[6:12]), *table.projection(1), *table.end(), *table.riffle()])
    rig.wait(60)
    assert rig.cards == [CARDS[7], CARDS[8], CARDS[10], CARDS[11]]
