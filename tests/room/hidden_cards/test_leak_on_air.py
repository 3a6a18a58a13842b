"""What is on air while hands go out: a room whose relay releases, is killed and is told other delays, with a
producer who presses everything; and one whose relay gives each card away when its box comes.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from feltwire.relay.desk.audit import AUDIT, read_audit
from feltwire.relay.keys import RelayKeys
from feltwire.table.recovery import destroy_keys
from tests.room.leak.examine import Examined, examine
from tests.room.leak.on_air import OnAir
from tests.room.leak.room import Attack, attack
from tests.room.leak.traitors import FOUND_ON_AIR, RELAY

pytestmark = [
    pytest.mark.room,
    pytest.mark.mosquitto,
    pytest.mark.slow("two tables deal eight hands while everything is read; then all of it is searched"),
]

HANDS = 8


@pytest.fixture(scope="module")
def got(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Attack]:
    on_air = OnAir(folded=True, air_s="20", styles=True, to_the_end=True)
    brought = attack(
        tmp_path_factory.mktemp("air"), hands=HANDS, seed=38, tables=2, kills=0, on_air=on_air, cameras=1
    )
    yield brought
    destroy_keys(brought.plan.folder / "data")


@pytest.mark.timeout(1800)
def test_cards_go_out_and_none_before_its_time(got: Attack) -> None:
    assert not got.stuck, got.stuck
    result = examine(got)
    assert not result.findings, result.samples
    assert result.cards_on_air, "hole cards were on air, and the search had something to judge"
    assert result.guessed, "pages of hands were asked for before they were out"
    assert got.trouble.done["relay killed"]
    assert got.trouble.done["pressed air_delay"]
    assert got.trouble.done["last hand out"], "the tables closed behind it"
    assert got.trouble.done["held back by a page's policy"], "a thief's styles in a page on air asked elsewhere"
    assert {"relay as producer", "relay as director"} <= got.signed_in


def test_what_was_pressed_is_on_record_through_the_kills(got: Attack) -> None:
    folder = got.plan.folder
    key = RelayKeys.load(folder / "relay.key").signing.verify_key.encode().hex()
    notes, _ = read_audit(folder / "data" / AUDIT, key=key)
    said = {note.what for note in notes}
    assert {"settings", "air delay", "on air", "cut"} <= said
    assert "a file of the relay's machine" in {note.who for note in notes if note.what == "air delay"}


@pytest.fixture(scope="module")
def given_away(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Examined]:
    folder = tmp_path_factory.mktemp("traitor")
    brought = attack(folder, hands=HANDS, seed=7, tables=2, kills=0, on_air=OnAir(), relay_traitor=RELAY)
    assert not brought.stuck, brought.stuck
    yield examine(brought)
    destroy_keys(brought.plan.folder / "data")


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("what", FOUND_ON_AIR)
def test_each_reader_finds_what_the_relay_gives_away_there(given_away: Examined, what: str) -> None:
    assert [found for found in given_away.findings if what in found], sorted(given_away.findings)
