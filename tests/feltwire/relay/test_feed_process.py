"""The feed of a relay that is a real process on a real broker, killed behind the release of a hand."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import httpx
import pytest

from feltwire.relay.keys import RelayKeys
from feltwire.tools.hands import checks
from tests.feltwire.mosquitto import Mosquitto
from tests.feltwire.processes import PATIENCE_S, Process
from tests.feltwire.relay.feed_rig import BURNS, HOLE, PlayedTable
from tests.feltwire.relay.test_relay_process import TableOnBus
from tests.ports import free_port

pytestmark = pytest.mark.mosquitto
AIR = "https://stats.example"


def relay(folder: Path, url: str, air_s: str) -> Process:
    port = free_port()
    settings = (
        f'venue = "hall"\ndata = "{folder / "relay"}"\nkey = "{folder / "cards.key"}"\ntables = ["01"]\n'
        f'delay_s = "0.2"\nair_delay_s = "{air_s}"\nfeed_origins = ["{AIR}"]\n'
        f'[broker]\nurl = "{url}"\n[web]\nport = {port}\n'
    )
    return Process("relay", folder, port, settings)


def hands(process: Process) -> list[dict[str, Any]]:
    answer = httpx.get(f"http://127.0.0.1:{process.port}/feed/hands.json", headers={"origin": AIR})
    assert answer.headers["access-control-allow-origin"] == AIR
    found: list[dict[str, Any]] = answer.json()["hands"]
    return found


def until_shown(process: Process, count: int) -> list[dict[str, Any]]:
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        if len(found := hands(process)) >= count:
            return found
        time.sleep(0.05)
    raise AssertionError(process.log.read_text()[-2_000:])


@pytest.mark.slow("a relay that starts twice, with an air delay of seconds")
def test_killed_behind_the_release_it_shows_the_hand_once_its_end_is_on_air(
    tmp_path: Path, keys: RelayKeys, broker: Mosquitto
) -> None:
    dealt = PlayedTable(tmp_path / "run", bytes.fromhex(keys.public_hex))
    table = TableOnBus(broker.url, dealt)
    with relay(tmp_path, broker.url, "6") as process:
        process.connected()
        events = dealt.played()
        table.seal()
        table.say([*events, *dealt.riffle()])
        table.shows()
        process.says("hand 1 released")
        assert hands(process) == []
        process.kill()
        process.start()
        process.connected()
        assert hands(process) == []
        (hand,) = until_shown(process, 1)
        address = f"http://127.0.0.1:{process.port}"
        line = httpx.get(f"{address}/feed/hand/01/1.json").content
        page = httpx.get(f"{address}{hand['page']}").text
        assert process.end() == 0
    assert hand["seats"][1]["cards"] == [*HOLE[2]]
    assert all(holds for _, holds in checks(line, keys.verify_hex))
    secret = {*HOLE[1], *HOLE[3], *BURNS}
    said = line.decode() + page + process.log.read_text()
    assert not [card for card in secret if f'"{card}"' in said or f" {card} " in said]
    table.bus.stop()
