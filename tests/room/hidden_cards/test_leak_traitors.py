"""A room whose tables give their cards away, on every way out of them: each reader of the attacker finds it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from feltwire.table.recovery import destroy_keys
from tests.room.leak.examine import Examined, examine
from tests.room.leak.room import attack
from tests.room.leak.traitors import FOUND, TABLE

pytestmark = [
    pytest.mark.room,
    pytest.mark.mosquitto,
    pytest.mark.slow("two tables deal ten hands while everything is read; then all of it is searched"),
]

HANDS = 10


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Examined]:
    brought = attack(tmp_path_factory.mktemp("traitors"), hands=HANDS, seed=7, tables=2, kills=0, traitor=TABLE)
    assert not brought.stuck, brought.stuck
    yield examine(brought)
    destroy_keys(brought.plan.folder / "data")


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("what", FOUND)
def test_each_reader_finds_what_is_given_away_there(result: Examined, what: str) -> None:
    assert [found for found in result.findings if what in found], sorted(result.findings)
