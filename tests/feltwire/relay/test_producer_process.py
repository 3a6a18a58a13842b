"""The relay as a real process: who signs in there, what they may press, and what a kill leaves on air."""

from __future__ import annotations

import json
import re
import stat
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from feltwire.cli import main
from feltwire.relay.desk.audit import AUDIT
from feltwire.relay.keys import RelayKeys
from tests.feltwire.dealt import DealtTable
from tests.feltwire.hall import post
from tests.feltwire.mosquitto import Mosquitto
from tests.feltwire.processes import Process, signed_in
from tests.feltwire.relay.test_relay_process import TableOnBus
from tests.ports import free_port

WAITS = "waits for the card delay"
pytestmark = pytest.mark.mosquitto


def relay_of(folder: Path, url: str, *, delay: str = "0.2") -> Process:
    port = free_port()
    settings = (
        f'venue = "hall"\ndata = "{folder / "relay"}"\nkey = "{folder / "cards.key"}"\ntables = ["01", "02"]\n'
        f'delay_s = "{delay}"\n[broker]\nurl = "{url}"\n[web]\nport = {port}\n'
    )
    return Process("relay", folder, port, settings)


def producer(process: Process, link: str = "producer-link") -> urllib.request.OpenerDirector:
    process.says("is at http")
    return signed_in(process.config.parent / "relay" / link)


def answered(
    process: Process, browser: urllib.request.OpenerDirector | None, path: str, press: dict[str, Any] | None = None
) -> tuple[int, bytes]:
    """Status and body. Where there is no answer the test fails and says whether the relay runs."""
    opener = browser or urllib.request.build_opener()
    try:
        asked = f"http://127.0.0.1:{process.port}{path}" if press is None else post(process, path, press)
        with opener.open(asked, timeout=60) as answer:
            return int(answer.status), bytes(answer.read())
    except urllib.error.HTTPError as error:
        return error.code, error.read()
    except OSError as error:
        raise AssertionError(f"{path}: no answer ({error}); {process.state}") from error


def pressed(process: Process, browser: urllib.request.OpenerDirector | None, **press: Any) -> int:
    return answered(process, browser, "/broadcast", press)[0]


def body(process: Process, browser: urllib.request.OpenerDirector, path: str) -> bytes:
    return answered(process, browser, path)[1]


def reads(process: Process, browser: urllib.request.OpenerDirector | None, path: str) -> int:
    """The status. A stream is not read: it has no end."""
    opener = browser or urllib.request.build_opener()
    try:
        with opener.open(f"http://127.0.0.1:{process.port}{path}", timeout=60) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code
    except OSError as error:
        raise AssertionError(f"{path}: no answer ({error}); {process.state}") from error


def test_a_link_in_a_file_makes_a_producer_and_whoever_has_none_sees_and_presses_nothing(
    tmp_path: Path, keys: RelayKeys, broker: Mosquitto
) -> None:
    with relay_of(tmp_path, broker.url) as process:
        browser = producer(process)
        links = [tmp_path / "relay" / name for name in ("producer-link", "relay.td-link")]
        assert [stat.S_IMODE(link.stat().st_mode) for link in links] == [0o600, 0o600]
        private = ("/broadcast", "/api/desk", "/api/staged", "/events?channel=desk", "/events?channel=preview/01")
        assert [reads(process, None, path) for path in private] == [403] * len(private)
        assert [reads(process, browser, path) for path in private[:3]] == [200] * 3
        assert pressed(process, None, do="cut") == 403
        assert pressed(process, browser, do="cut") == 200
        assert reads(process, browser, "/people") == 403
        director = producer(process, "relay.td-link")
        assert reads(process, director, "/people") == 200
        assert pressed(process, director, do="release") == 200


def test_in_a_folder_of_several_processes_it_touches_nothing_of_the_stations(
    tmp_path: Path, keys: RelayKeys, broker: Mosquitto
) -> None:
    stations = {"td-link": b"the station's", "people.db": b"of the station"}
    (tmp_path / "relay").mkdir()
    for name, content in stations.items():
        (tmp_path / "relay" / name).write_bytes(content)
    with relay_of(tmp_path, broker.url) as process:
        producer(process)
        assert {name: (tmp_path / "relay" / name).read_bytes() for name in stations} == stations


def test_a_cut_is_held_through_a_kill_and_is_no_pages_business(
    tmp_path: Path, keys: RelayKeys, broker: Mosquitto
) -> None:
    dealt = DealtTable(tmp_path / "run", bytes.fromhex(keys.public_hex))
    table = TableOnBus(broker.url, dealt)
    with relay_of(tmp_path, broker.url) as process:
        process.connected()
        dealt.riffle()
        table.shows()
        for feed in ("overlay/01", "overlay/feature"):
            process.shows(feed, lambda view: bool(view["seats"]))
        browser = producer(process)
        assert pressed(process, browser, do="cut") == 200
        for _ in range(2):
            for feed in ("overlay/01", "overlay/feature"):
                process.shows(feed, lambda view: not view["seats"])
            process.shows("programme", lambda view: view["cut"])
            process.kill()
            process.start()
            process.connected()
        assert pressed(process, browser, do="release") == 200  # the session outlives it, too
        dealt.deal()
        table.shows()
        process.shows("overlay/01", lambda view: bool(view["seats"]))
    table.bus.stop()


def test_who_sits_at_the_relays_machine_reads_no_card_that_waits(
    tmp_path: Path, keys: RelayKeys, broker: Mosquitto
) -> None:
    """Its journal, its pages from the machine itself, and its files that are no sealed box."""
    dealt = DealtTable(tmp_path / "run", bytes.fromhex(keys.public_hex))
    table = TableOnBus(broker.url, dealt)
    with relay_of(tmp_path, broker.url, delay="3600") as process:
        process.connected()
        hand = [*dealt.whole_hand(), *dealt.riffle()]
        table.seal()
        table.say(hand)
        table.shows()
        browser = producer(process)
        process.screen = browser
        assert pressed(process, browser, do="prepare", title="Ann", line="leads") == 200
        process.shows("gauge", lambda view: WAITS in [one["why"] for one in view["tables"][0]["waiting"]])
        private = ("/broadcast", "/api/desk", "/api/gauge", "/api/staged", "/api/preview", "/api/preview/01")
        assert [reads(process, None, path) for path in private] == [403] * len(private)
        pages = ("/healthz", "/metrics", "/air/01", "/api/overlay/01", "/api/programme", "/api/desk", "/api/gauge")
        files = ("audit.jsonl", "programme.json", "relay.people", "producer-link")
        said = [process.log.read_bytes(), *(body(process, browser, path) for path in pages)]
        said += [(tmp_path / "relay" / name).read_bytes() for name in files]
        process.kill()
    for text in said:
        assert not re.findall(rb"(?<![0-9a-z])(?:[2-9TJQKA][cdhs])(?![0-9a-z])", text), text[:300]
    table.bus.stop()


def test_who_changed_what_is_on_record_a_file_and_a_restart_too(
    tmp_path: Path, keys: RelayKeys, broker: Mosquitto, capsys: pytest.CaptureFixture[str]
) -> None:
    with relay_of(tmp_path, broker.url) as process:
        browser = producer(process)
        assert pressed(process, browser, do="air_delay", seconds="60") == 200
        assert pressed(process, browser, do="air_delay", seconds="0.1") == 409
        (tmp_path / "relay" / "air-delay").write_text("90")
        process.says("lies 90 s back")
        assert pressed(process, browser, do="look", feature="02") == 200
        process.end()
    (tmp_path / "relay" / "air-delay").write_text("9999")
    with relay_of(tmp_path, broker.url, delay="900") as process:
        producer(process)
        process.end()
    assert main(["audit", str(tmp_path / "relay"), "--key", keys.verify_hex, "--json"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    said = [(line["who"], line["what"], line["text"]) for line in lines[:-1]]
    assert said[0][:2] == ("a start of the relay", "settings")
    assert said[1] == ("Producer (producer)", "air delay", "0.2 s → 60 s")
    assert said[2] == ("a file of the relay's machine", "air delay", "60 s → 90 s")
    assert said[3] == ("Producer (producer)", "on air", "feature 01 → 02")
    assert said[4][:2] == ("a start of the relay", "settings")
    assert "card delay 0.2, air delay not set" in said[4][2]
    assert "→ card delay 900, air delay not set" in said[4][2]
    assert said[5:] == [("a start of the relay", "air delay", "90 s → 9999 s")]


def test_an_air_delay_in_the_file_holds_once_it_is_on_record(
    tmp_path: Path, keys: RelayKeys, broker: Mosquitto
) -> None:
    folder, away = tmp_path / "relay", tmp_path / "audit"
    with relay_of(tmp_path, broker.url) as process:
        producer(process)
        (folder / "air-delay").write_text("60")
        process.says("lies 60 s back")
        (folder / AUDIT).rename(away)
        (folder / AUDIT).mkdir()  # a disk that takes nothing
        (folder / "air-delay").write_text("90")
        process.says("not in the audit")
        assert "lies 90 s back" not in process.log.read_text()
        (folder / AUDIT).rmdir()
        away.rename(folder / AUDIT)
        process.says("lies 90 s back")
        (folder / AUDIT).rename(away)
        (folder / AUDIT).mkdir()
        (folder / "air-delay").write_text("later")
        process.says("nothing is on air")
        (folder / AUDIT).rmdir()
        away.rename(folder / AUDIT)
