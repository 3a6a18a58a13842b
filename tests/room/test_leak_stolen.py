"""Thieves with every certificate but the station's and the relay's forge all they can while a room deals and its
relay releases without delay: no card comes out that was not due, no table is fenced, nothing is lost."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from feltwire.ledger.room_ledger import CollectedLedger
from feltwire.ledger.table_ledger import Ledger
from feltwire.station.station_store import StationStore
from feltwire.table.recovery import destroy_keys
from tests.room.leak.examine import RELAYED, examine
from tests.room.leak.room import attack

pytestmark = [pytest.mark.room, pytest.mark.mosquitto]


def test_whoever_holds_a_stolen_certificate_gets_no_card_and_fences_no_table(tmp_path: Path) -> None:
    got = attack(tmp_path, hands=3, seed=11, tables=1, delay_s="0", kills=0, mischief=False, thieves=True)
    try:
        result = examine(got)
    finally:
        destroy_keys(got.plan.folder / "data")
    assert not got.stuck
    assert min(got.forged.values()) > 5, got.forged
    data = got.plan.folder / "data"
    found = [where for where in result.findings if where.startswith((*RELAYED, "mqtt"))]
    assert not found, json.dumps(result.samples, indent=1)
    released = [json.loads(line)["release"]["card"] for line in (data / "releases.jsonl").read_text().splitlines()]
    assert {card["hand"] for card in released} <= {1, 2}
    assert len({(card["hand"], card["place"]) for card in released}) == len(released)
    station = StationStore.open_file(data / "station.db", read_only=True)
    assert station.leaseholders()["01"].epoch == 1
    station.close()
    ledger, collected = (
        Ledger.open(data / "table-01.ledger", read_only=True),
        CollectedLedger.open(data / "station.ledger", read_only=True),
    )
    whole, there = list(ledger.raw_events()), list(collected.raw_events("01"))
    assert there == whole[: len(there)], "what was collected is the table's word"
    assert len(there) > 50
    assert not any(b'"thief"' in raw for _, _, raw in there)
    ledger.close()
    collected.close()
