"""Somebody with a certificate of the room wants hidden cards out of the real relay: a real mosquitto with the
venue's access list, the real station that says who is the table, and everything that was ever public."""

from __future__ import annotations

import queue
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest
from paho.mqtt.client import Client, MQTTv311
from paho.mqtt.enums import CallbackAPIVersion

from feltwire.ledger.chain import LedgerHead
from feltwire.ledger.releases import read_releases
from feltwire.ledger.signing import LedgerKey
from feltwire.relay.keys import RelayKeys
from feltwire.runtime.broker.connection import forget_callbacks
from feltwire.tools.provision.access import CLOCK, DISPLAY, OVERLAY, table_name
from table_core.messages import (
    Ack,
    Beat,
    Birth,
    Envelope,
    EpochBegan,
    Grant,
    Leaseholder,
    Millis,
    TableLeaseholder,
    TableState,
    encode,
)
from tests.display import fixtures
from tests.feltwire.dealt import AT, CARDS, DealtTable
from tests.feltwire.hall import Hall
from tests.feltwire.processes import PATIENCE_S, Process, cell
from tests.feltwire.relay.test_relay_attacked import without_folds
from tests.ports import free_port
from tests.waiting import until

pytestmark = pytest.mark.mosquitto

THIEF = LedgerKey(b"a key that the station never saw")
TABLE = "fw/hall/table/01"
TOURNAMENT = "fw/hall/tournament"
LEASEHOLDER = f"{TOURNAMENT}/charge/01"


class Holder:
    """Whoever holds the certificate of `name`: hears all that the broker lets it hear, and says what it likes."""

    def __init__(self, hall: Hall, name: str) -> None:
        self.heard: queue.Queue[tuple[str, bytes]] = queue.Queue()
        self.topics: set[str] = set()
        self._up = threading.Event()
        own = hall.venue / name
        context = ssl.create_default_context(cafile=str(hall.venue / "ca.crt"))
        context.load_cert_chain(str(own / f"{name}.crt"), str(own / f"{name}.key"))
        self.client = Client(CallbackAPIVersion.VERSION2, client_id=name, protocol=MQTTv311)
        self.client.tls_set_context(context)
        self.client.on_connect = lambda client, *_: client.subscribe([("#", 1), ("fw/+/table/01/#", 1)])
        self.client.on_subscribe = lambda *_: self._up.set()
        self.client.on_message = self._on_message
        self.client.connect("localhost", hall.broker.port)
        self.client.loop_start()
        assert self._up.wait(PATIENCE_S)

    def _on_message(self, _client: Client, _data: Any, message: Any) -> None:
        self.topics.add(message.topic)
        self.heard.put((message.topic, message.payload))

    def say(self, topic: str, payload: bytes, *, retain: bool = False) -> None:
        """Returns when the broker has it, or has thrown it away."""
        self.client.publish(topic, payload, 1, retain).wait_for_publish(PATIENCE_S)

    def wait(self, topic: str) -> bytes:
        while True:
            heard_on, payload = self.heard.get(timeout=PATIENCE_S)
            if heard_on == topic:
                return payload

    def stop(self) -> None:
        self.client.disconnect()
        self.client.loop_stop()
        forget_callbacks(self.client)


@contextmanager
def holder(hall: Hall, name: str) -> Iterator[Holder]:
    held = Holder(hall, name)
    try:
        yield held
    finally:
        held.stop()


class Scene:
    """Table 01 and the thief of its certificate speak over one connection, as the broker knows one name."""

    def __init__(self, folder: Path, hall: Hall) -> None:
        self.hall = hall
        self.keys = RelayKeys.load(hall.venue / "relay" / "cards.key")
        self.dealt = DealtTable(folder / "run", bytes.fromhex(self.keys.public_hex))
        self.releases = folder / "relay-data" / "releases.jsonl"
        port = free_port()
        broker = (hall.venue / "relay" / "broker.toml").read_text()
        settings = (
            f'venue = "hall"\ndata = "{folder / "relay-data"}"\nkey = "{hall.venue / "relay" / "cards.key"}"\n'
            f'tables = ["01", "02"]\ndelay_s = "0.2"\n{broker}\n[web]\nport = {port}\n'
        )
        self.relay = Process("relay", folder, port, settings)
        self.sealed = 0

    def begin(self, line: Holder) -> None:
        self.line = line
        key = self.dealt.key
        line.say(f"{TABLE}/birth", key.sign(Birth("hall", "01", 1, 0, "s", "1234", "", key.public)))
        line.wait(LEASEHOLDER)

    def tell(self, envelopes: list[Envelope]) -> None:
        for envelope in envelopes:
            self.line.say(f"{TABLE}/event", encode(envelope))

    def seal(self) -> None:
        """Returns when the relay has every box, and so whatever was said before on this line."""
        for card in self.dealt.sealed:
            self.sealed += 1
            self.line.say(f"{TABLE}/sealed", self.dealt.seal(self.sealed, card))
        self.dealt.sealed.clear()
        while msgspec.json.decode(self.line.wait(f"{TABLE}/sealed/ack"), type=Ack).seq < self.sealed:
            pass

    def released(self) -> list[str]:
        if not self.releases.exists():
            return []
        return [opening.card for opening in read_releases(self.releases, key=self.keys.verify_hex)]

    def released_by_now(self, hand: int) -> None:
        until(lambda: f"hand {hand} released" in self.relay.log.read_text(), f"the release of hand {hand}")


@pytest.fixture
def scene(tmp_path: Path) -> Iterator[Scene]:
    with Hall(tmp_path) as hall:
        scene = Scene(tmp_path, hall)
        with scene.relay as relay:
            hall.station.connected()
            relay.connected()
            yield scene


def forgeries(scene: Scene, key: LedgerKey, table: str = "01") -> list[tuple[str, bytes, bool]]:
    """The public promises of hand 1 once more without its folds, and all else in the table's name."""
    topic, dealt = f"fw/hall/table/{table}", scene.dealt
    said = []
    for head in (dealt.head, dealt.head.in_epoch(2), LedgerHead().in_epoch(9)):
        for event in (EpochBegan("6666", key.public), *without_folds(dealt, 1)):
            entry = head.link(event, at=AT, venue="hall", table=table, key=key)
            head = entry.head
            said.append((f"{topic}/event", entry.raw, False))
    view = msgspec.structs.replace(fixtures.table_view(), venue="hall", table=table, epoch=1, as_of=10**6)
    who = Leaseholder("6666000000000000", 9, key.public)
    born = Birth("hall", table, 9, 10**6, "s", "6666000000000000", "", key.public)
    boxes = [msgspec.structs.replace(card, epoch=1, sealed_seq=no) for no, card in enumerate(dealt.sealed, 1)]
    return [
        *said,
        *[(f"{topic}/sealed", key.sign(box), False) for box in boxes],
        (f"{topic}/birth", key.sign(born), False),
        (f"{topic}/state", key.sign(TableState(view)), True),
        (f"{topic}/state", b"", True),
        (f"{topic}/status", b'{"online":false}', True),
        (f"{topic}/ruling", b'{"epoch":9,"as_of":1,"ruling":null}', False),
        (f"{topic}/handover", b'{"ledger":"1234","epoch":1,"after_epoch":0,"after_seq":0}', False),
        (f"{topic}/grant", encode(Grant("g", who.ledger, 9, key=key.public)), True),
        (f"{topic}/command", encode(Grant("g", who.ledger, 9, key=key.public)), True),
        (f"{topic}/ack", encode(Ack(1, 10**6)), False),
        (f"{topic}/sealed/ack", encode(Ack(1, 10**6)), False),
        (f"{topic}/resend", b'{"type":"resend","id":"x","epoch":1,"from_seq":1}', False),
        (f"{TOURNAMENT}/charge/{table}", encode(TableLeaseholder(table, who)), True),
        (f"{TOURNAMENT}/beat", encode(Beat("b" * 16, Millis(10**9))), False),
        (f"{TOURNAMENT}/clock", b'{"level":9}', True),
        (f"fw/hall/overlay/{table}", b'{"forged":true}', True),
    ]


def test_with_the_tables_certificate_promises_told_again_release_nothing(scene: Scene) -> None:
    """The one hand that was not folded is released when it is due, once, also when all is said again and the relay
    is killed and started."""
    dealt = scene.dealt
    with holder(scene.hall, "table-01") as line:
        scene.begin(line)
        first = [*dealt.riffle(), *dealt.deal(), *dealt.projection(1), *dealt.projection(2)]
        scene.tell(first)
        boxes = list(dealt.sealed)
        for topic, payload, retain in forgeries(scene, THIEF):
            line.say(topic, payload, retain=retain)
        scene.seal()
        assert scene.released() == []
        scene.tell([*dealt.end(), *dealt.riffle()])
        scene.released_by_now(1)
        assert scene.released() == [CARDS[2], CARDS[5]]
        for _ in range(2):
            scene.relay.kill()
            scene.relay.start().connected()
            scene.tell(list(dealt.envelopes))
            for seq, card in enumerate(boxes, 1):
                line.say(f"{TABLE}/sealed", dealt.seal(seq, card))
            scene.tell(dealt.deal(CARDS[10:16]))
            scene.seal()
            scene.tell([*dealt.projection(1), *dealt.projection(2), *dealt.end(), *dealt.riffle()])
            scene.released_by_now(dealt.hand - 1)
        assert scene.released() == [CARDS[2], CARDS[5], *[CARDS[12], CARDS[15]] * 2]
        scene.hall.station.shows("room", lambda room: len(scene.hall.collected()) == len(dealt.envelopes))
        assert [raw for _, _, raw in scene.hall.collected()] == [encode(envelope) for envelope in dealt.envelopes]
    said = scene.relay.log.read_text()
    assert not [card for card in CARDS if f"'{card}'" in said or f" {card} " in said]


def test_with_another_devices_certificate_nothing_is_said_for_the_table_and_nothing_private_heard(
    scene: Scene,
) -> None:
    """Another table's, a clock's, a display's, an overlay's; and even with the table's own signing key."""
    dealt = scene.dealt
    heard: dict[str, list[tuple[str, bytes]]] = {}
    with holder(scene.hall, "table-01") as line:
        scene.begin(line)
        for name in (table_name("02"), CLOCK, DISPLAY, OVERLAY):
            with holder(scene.hall, name) as thief:
                scene.tell([*dealt.riffle(), *dealt.deal(), *dealt.projection(1)])
                for table in ("01", "02"):
                    for topic, payload, retain in forgeries(scene, dealt.key, table):
                        if name != table_name(table):
                            thief.say(topic, payload, retain=retain)
                scene.seal()
                scene.tell([*dealt.end(), *dealt.riffle()])
                scene.released_by_now(dealt.hand - 1)
                heard[name] = list(thief.heard.queue)
        assert scene.released() == [CARDS[1], CARDS[2], CARDS[4], CARDS[5]] * 4
        scene.hall.station.shows("room", lambda room: len(scene.hall.collected()) == len(dealt.envelopes))
        room = scene.hall.station.shows("room", lambda room: True)
        assert cell(room, "02")["state"] == "empty"
        queue = scene.hall.station.shows("queue", lambda queue: True)
        assert not [one for one in queue["items"] if one["kind"] == "claim"]
    of_tables = {name: {topic for topic, _ in messages if "/table/" in topic} for name, messages in heard.items()}
    assert of_tables[CLOCK] == of_tables[OVERLAY] == set()
    assert not [topic for topic in of_tables["table-02"] if "/table/02/" not in topic]
    assert of_tables[DISPLAY] == {f"{TABLE}/event"}, "what is public"
    assert not [topic for messages in heard.values() for topic, payload in messages if b"forged" in payload]
