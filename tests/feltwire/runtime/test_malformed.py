"""What nobody should send, through a real broker, to each real process: live, and kept by the broker for its next
start. The process goes on with its work."""

from __future__ import annotations

import queue
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from feltwire.config import Broker
from feltwire.relay.keys import RelayKeys
from feltwire.runtime.broker.bus import Bus
from table_core.messages import (
    MOST_BYTES,
    Ack,
    Beat,
    Birth,
    Grant,
    HistoryWanted,
    Key,
    Malformed,
    Millis,
    OpenRuling,
    Resend,
    SealedCard,
    Status,
    TableView,
    decode,
    encode,
)
from tests.feltwire.hall import at_hand, touch
from tests.feltwire.mosquitto import Mosquitto
from tests.feltwire.processes import PATIENCE_S, Process, cell, clock_settings, station_settings, table_settings
from tests.feltwire.station_room import VENUE
from tests.ports import free_port

TABLE = f"fw/{VENUE}/table/01"
NESTED = b"[" * 1_100 + b"]" * 1_100
BEYOND = (2**63, 2**64, -(2**63) - 1, 10**30, int("9" * 4_000))
EPOCHS_AND_SEQS = {
    "birth": [b'{"venue":"hall","table":"01","epoch":%s,"last_seq":%s,"schema":"x","ledger":"1","head":""}'],
    "sealed": [b'{"epoch":%s,"sealed_seq":%s,"hand":1,"attempt":1,"place":1,"box":"AAAA"}'],
    "ack": [b'{"epoch":%s,"seq":%s}'],
    "sealed/ack": [b'{"epoch":%s,"seq":%s}'],
    "grant": [
        b'{"type":"grant","id":"g","ledger":"x","epoch":%s,"after_epoch":%s}',
    ],
    "handover": [b'{"ledger":"1","epoch":1,"after_epoch":%s,"after_seq":%s}'],
    "ruling": [b'{"epoch":%s,"as_of":%s,"ruling":null}'],
    "state": [b'{"view":{"epoch":%s,"as_of":%s}}'],
    "resend": [b'{"type":"resend","id":"x","epoch":%s,"from_seq":%s}'],
    "command": [
        b'{"type":"resend","id":"x","epoch":%s,"from_seq":%s}',
        b'{"type":"set_schedule","id":"y","revision":%s,"levels":[{"no":%s,"small_blind":1,"big_blind":2}]}',
        b'{"type":"set_seats","id":"z","seats":[{"seat":%s,"stack":%s}]}',
    ],
}
LEAVES = (*EPOCHS_AND_SEQS, "event", "status", "device/keypad", "device/camera")
TOURNAMENT = ("beat", "clock", "charge/01")


def anywhere() -> Iterator[bytes]:
    """No message at all, on whatever topic."""
    yield from (
        b"",
        b"null",
        b"{",
        b"\xff\xfe",
        NESTED,
        b'{"\xff":1}',
        b'{"boot":"\xff"}',
        b'{"epoch":"\xff","seq":1}',
    )
    yield b'{"firmware":{"keypad":' + NESTED + b"}}"
    for field in (b"boot", b"at", b"epoch", b"id", b"type", b"data"):
        yield b'{"%s":%s}' % (field, NESTED)
    yield b'{"note":"' + b"a" * (2 * MOST_BYTES) + b'"}'


def attacks() -> Iterator[tuple[str, bytes]]:
    """Topics, and what comes on them."""
    for topic in [f"{TABLE}/{leaf}" for leaf in LEAVES] + [f"fw/{VENUE}/tournament/{leaf}" for leaf in TOURNAMENT]:
        yield from ((topic, raw) for raw in anywhere())
    for leaf, makes in EPOCHS_AND_SEQS.items():
        for number in BEYOND:
            for make in makes:
                yield f"{TABLE}/{leaf}", make % (str(number).encode(), b"1")
                yield f"{TABLE}/{leaf}", make % (b"1", str(number).encode())
    for number in BEYOND:
        yield f"fw/{VENUE}/tournament/beat", b'{"boot":"x","at":%d}' % number if number < 10**31 else b"{}"


class Attacker:
    """Whoever may write everything on the broker."""

    def __init__(self, url: str) -> None:
        self.heard: queue.Queue[tuple[str, bytes]] = queue.Queue()
        up: queue.Queue[None] = queue.Queue()
        self.bus = Bus(
            Broker(url=url),
            client_id="attacker",
            subscriptions=[f"{TABLE}/ack", f"{TABLE}/attacked"],
            on_message=lambda topic, payload: self.heard.put((topic, payload)),
            on_up=lambda: up.put(None),
            on_down=lambda _: None,
        )
        self.bus.start()
        up.get(timeout=PATIENCE_S)

    def say(self) -> None:
        """Everything; returns when the broker has it."""
        for topic, raw in attacks():
            assert self.bus.publish(topic, raw)
        self.bus.publish(f"{TABLE}/attacked", b"all of it")
        self.until(lambda topic, _: topic == f"{TABLE}/attacked")

    def until(self, fits: Callable[[str, bytes], bool]) -> None:
        while not fits(*self.heard.get(timeout=PATIENCE_S)):
            pass

    def keep_one(self, raw: bytes) -> None:
        """The broker keeps `raw` on every topic."""
        for leaf in LEAVES:
            self.bus.publish(f"{TABLE}/{leaf}", raw, retain=True)
        for leaf in TOURNAMENT:
            self.bus.publish(f"fw/{VENUE}/tournament/{leaf}", raw, retain=True)


class Room:
    """A station, a table, a clock and a relay behind one mosquitto that lets everybody write everything."""

    def __init__(self, folder: Path, url: str) -> None:
        RelayKeys.generate().save(folder / "cards.key")
        section = f'[broker]\nurl = "{url}"\n'
        ports = [free_port() for _ in range(4)]
        relay = (
            f'venue = "{VENUE}"\ndata = "{folder / "relay"}"\nkey = "{folder / "cards.key"}"\ntables = ["01"]\n'
            f'delay_s = "1"\n{section}[web]\nport = {ports[3]}\n'
        )
        self.station = Process("station", folder, ports[0], station_settings(folder, url, ports[0]))
        self.table = Process("table", folder, ports[1], table_settings(folder, section, ports[1]))
        self.clock = Process("clock", folder, ports[2], clock_settings(url, ports[2]))
        self.relay = Process("relay", folder, ports[3], relay)
        self.processes = (self.station, self.table, self.clock, self.relay)

    def start(self) -> None:
        for process in self.processes:
            process.start()
        for process in (self.station, self.clock, self.relay):
            process.connected()
        self.table.shows("table/01", lambda view: view["devices"].get("bus") == "ok" and bool(view["seats"]))

    def kill(self) -> None:
        for process in self.processes:
            process.kill()

    def works(self, attacker: Attacker, hand: int) -> None:
        """A hand begins at the table, the station collects and acknowledges it, the clock follows the station, and
        the relay shows the table, later."""
        touch(self.table, Key.NEW_HAND)
        self.station.shows("room", at_hand(hand))
        attacker.until(lambda topic, raw: topic == f"{TABLE}/ack" and _ack(raw) is not None and _ack(raw).seq > 3)
        self.clock.shows("clock", lambda state: not state.get("note"))
        self.relay.shows("overlay/01", lambda view: view["hand"] == hand)
        for _ in range(2):
            touch(self.table, Key.FOLD)
        self.station.shows("room", lambda room: cell(room, "01")["state"] == "between_hands")


def _ack(raw: bytes) -> Any:
    try:
        return decode(raw, Ack)
    except Malformed:
        return None


@pytest.fixture
def room(tmp_path: Path) -> Iterator[tuple[Room, Attacker]]:
    with Mosquitto(tmp_path) as broker:
        room, attacker = Room(tmp_path, broker.url), Attacker(broker.url)
        try:
            room.start()
            yield room, attacker
        finally:
            attacker.bus.stop()
            room.kill()


@pytest.mark.mosquitto
def test_no_malformed_message_ends_a_process_or_stops_its_work(room: tuple[Room, Attacker]) -> None:
    processes, attacker = room
    processes.works(attacker, 1)
    attacker.say()
    processes.works(attacker, 2)


@pytest.mark.mosquitto
def test_nor_does_one_that_the_broker_keeps_for_every_start(room: tuple[Room, Attacker]) -> None:
    processes, attacker = room
    for hand, raw in enumerate((b'{"\xff":1}', b'{"boot":' + NESTED + b"}"), start=1):
        processes.kill()
        attacker.keep_one(raw)
        processes.start()
        processes.works(attacker, hand)


@pytest.mark.mosquitto
def test_a_command_that_the_broker_kept_is_not_carried_out(room: tuple[Room, Attacker]) -> None:
    processes, attacker = room
    processes.kill()
    seats = b'{"type":"set_seats","id":"old","seats":[{"seat":1,"stack":7},{"seat":2,"stack":7}]}'
    attacker.bus.publish(f"{TABLE}/command", seats, retain=True)
    processes.start()
    processes.works(attacker, 1)
    view = processes.table.shows("table/01", lambda view: bool(view["seats"]))
    assert sum(seat["stack"] for seat in view["seats"]) == 30_000


@pytest.mark.parametrize(
    "kind", [Ack, Beat, Birth, Grant, HistoryWanted, OpenRuling, Resend, SealedCard, Status, TableView]
)
def test_decoding_raises_one_thing_only(kind: type[Any]) -> None:
    for raw in anywhere():
        with pytest.raises(Malformed) as fault:
            decode(raw, kind)
        assert len(str(fault.value)) < 300


def test_what_is_bounded_is_refused_with_the_place_of_the_fault() -> None:
    with pytest.raises(Malformed, match=r"\$\.from_seq"):
        decode(b'{"type":"resend","id":"x","epoch":1,"from_seq":%d}' % 2**63, Resend)
    assert decode(encode(Beat("b", Millis(5))), Beat) == Beat("b", Millis(5))
