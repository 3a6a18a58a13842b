"""Thieves with every certificate but the station's and the relay's forge all they can while a room deals and its
relay releases without delay: no card comes out that was not due, no table is fenced, nothing is lost."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from feltwire.ledger.room_ledger import CollectedLedger
from feltwire.ledger.table_ledger import Ledger
from feltwire.station.station_store import StationStore
from feltwire.table.recovery import destroy_keys
from tests.room.leak.examine import Examined, examine
from tests.room.leak.room import Attack, attack

pytestmark = [
    pytest.mark.room,
    pytest.mark.mosquitto,
    pytest.mark.slow("a room deals two hands while five thieves forge; then all that was read is searched"),
]


@pytest.fixture(scope="module")
def got(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Attack]:
    """What thieves and spies brought home from a room that dealt two hands."""
    folder = tmp_path_factory.mktemp("stolen")
    brought = attack(folder, hands=2, seed=11, tables=1, delay_s="0", kills=0, mischief=False, thieves=True)
    yield brought
    destroy_keys(brought.plan.folder / "data")


@pytest.fixture(scope="module")
def result(got: Attack) -> Examined:
    return examine(got)


def test_a_relay_without_delay_shows_no_hand_before_the_next_first_riffle(got: Attack, result: Examined) -> None:
    assert not result.findings, json.dumps(result.samples, indent=1)
    lines = (got.plan.folder / "data" / "releases.jsonl").read_text().splitlines()
    released = [json.loads(line)["release"]["card"] for line in lines]
    assert {card["hand"] for card in released} in ({1}, {1, 2})
    assert len({(card["hand"], card["place"]) for card in released}) == len(released)


def test_whoever_holds_a_stolen_certificate_gets_no_card_and_fences_no_table(
    got: Attack, result: Examined
) -> None:
    assert not result.findings, json.dumps(result.samples, indent=1)
    assert not got.stuck, got.stuck
    assert min(got.forged.values()) > 5, got.forged
    data = got.plan.folder / "data"
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
