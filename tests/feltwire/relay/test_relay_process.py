"""The relay as a real process on a real broker: killed in mid-hand it still releases the hand, and only then."""

from __future__ import annotations

import queue
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from feltwire.config import Broker
from feltwire.ledger.releases import read_releases
from feltwire.relay.keys import RelayKeys
from feltwire.runtime.broker.bus import Bus
from table_core.messages import Ack, Envelope, Resend, encode
from tests.feltwire.dealt import CARDS, DealtTable
from tests.feltwire.mosquitto import Mosquitto
from tests.feltwire.processes import PATIENCE_S, Process
from tests.feltwire.relay.test_timeline import view_of
from tests.ports import free_port

pytestmark = pytest.mark.mosquitto


class TableOnBus:
    """Sends what a table sends, and events again that the relay asks for; acknowledges them as a station does."""

    def __init__(self, url: str, table: DealtTable) -> None:
        self.dealt = table
        self.acks: queue.Queue[Ack] = queue.Queue()
        up: queue.Queue[None] = queue.Queue()
        self.bus = Bus(
            Broker(url=url),
            client_id="table-01",
            subscriptions=[self.topic("sealed/ack"), self.topic("resend")],
            on_message=self._heard,
            on_up=lambda: up.put(None),
            on_down=lambda _: None,
        )
        self.bus.start()
        up.get(timeout=PATIENCE_S)
        # As the station says it.
        assert self.bus.publish("fw/hall/tournament/charge/01", encode(table.leaseholder), retain=True)

    def _heard(self, topic: str, payload: bytes) -> None:
        if topic == self.topic("sealed/ack"):
            self.acks.put(msgspec.json.decode(payload, type=Ack))
            return
        wanted = msgspec.json.decode(payload, type=Resend)
        self.say([e for e in list(self.dealt.envelopes) if (e.epoch, e.seq) >= (wanted.epoch, wanted.from_seq)])

    @staticmethod
    def topic(leaf: str) -> str:
        return f"fw/hall/table/01/{leaf}"

    def say(self, envelopes: Sequence[Envelope]) -> None:
        for envelope in envelopes:
            assert self.bus.publish(self.topic("event"), encode(envelope))
            assert self.bus.publish(self.topic("ack"), encode(Ack(envelope.epoch, envelope.seq)))

    def shows(self) -> None:
        """Its state, as of its last event."""
        events = self.dealt.envelopes
        assert self.bus.publish(self.topic("state"), self.dealt.state(view_of(events, events[-1])), retain=True)

    def seal(self) -> None:
        """Returns when the relay, which is connected, has every sealed card on its disk, and so every event said
        before."""
        for seq, card in enumerate(self.dealt.sealed, start=1):
            assert self.bus.publish(self.topic("sealed"), self.dealt.seal(seq, card))
        # It acknowledges each; an acknowledgement that is left over would answer for what is said next.
        acks = [self.acks.get(timeout=PATIENCE_S) for _ in self.dealt.sealed]
        assert acks[-1].seq == len(self.dealt.sealed)


def relay(folder: Path, url: str, delay: str) -> Process:
    port = free_port()
    settings = (
        f'venue = "hall"\ndata = "{folder / "relay"}"\nkey = "{folder / "cards.key"}"\ntables = ["01"]\n'
        f'delay_s = "{delay}"\n[broker]\nurl = "{url}"\n[web]\nport = {port}\n'
    )
    return Process("relay", folder, port, settings)


def cards_shown(view: dict[str, Any]) -> list[tuple[str, ...]]:
    return [tuple(seat.get("cards", ())) for seat in view["seats"]]


def test_killed_in_mid_hand_it_releases_the_hand_afterwards(
    tmp_path: Path, keys: RelayKeys, broker: Mosquitto
) -> None:
    dealt = DealtTable(tmp_path / "run", bytes.fromhex(keys.public_hex))
    table = TableOnBus(broker.url, dealt)
    with relay(tmp_path, broker.url, "0.2") as process:
        process.connected()
        before, hand = dealt.whole_hand(), [*dealt.riffle(), *dealt.deal(CARDS[10:16])]
        table.seal()
        table.say([*before, *hand])
        table.seal()
        process.kill()
        process.start()
        process.connected()
        table.say([*dealt.projection(3), *dealt.end()])
        table.shows()
        table.say(dealt.riffle())
        live = [(CARDS[10], CARDS[13]), (CARDS[11], CARDS[14]), ()]
        process.shows("overlay/01", lambda view: view["hand"] == 2 and cards_shown(view) == live)
        table.seal()
        assert process.end() == 0
    released = [
        opening.card for opening in read_releases(tmp_path / "relay" / "releases.jsonl", key=keys.verify_hex)
    ]
    assert {CARDS[10], CARDS[13], CARDS[11], CARDS[14]} <= set(released)
    assert not {CARDS[0], CARDS[3], CARDS[12], CARDS[15]} & set(released), "folded hands stay sealed"
    said = process.log.read_text()
    assert not [card for card in CARDS if f"'{card}'" in said or f" {card} " in said]
    table.bus.stop()


def test_what_it_missed_while_it_was_away_it_asks_for_and_releases(
    tmp_path: Path, keys: RelayKeys, broker: Mosquitto
) -> None:
    dealt = DealtTable(tmp_path / "run", bytes.fromhex(keys.public_hex))
    table = TableOnBus(broker.url, dealt)
    with relay(tmp_path, broker.url, "0.2") as process:
        process.connected()
        hand = [*dealt.riffle(), *dealt.deal()]
        table.seal()
        table.say(hand)
        table.seal()
        process.kill()
        table.say([*dealt.projection(3), *dealt.end()])
        process.start()
        process.connected()
        table.shows()
        table.seal()
        table.say(dealt.riffle())
        live = [(CARDS[0], CARDS[3]), (CARDS[1], CARDS[4]), ()]
        process.shows("overlay/01", lambda view: view["hand"] == 1 and cards_shown(view) == live)
        assert process.end() == 0
    table.bus.stop()


def test_without_a_delay_it_starts_and_says_that_nothing_is_released(
    tmp_path: Path, keys: RelayKeys, broker: Mosquitto
) -> None:
    dealt = DealtTable(tmp_path / "run", bytes.fromhex(keys.public_hex))
    table = TableOnBus(broker.url, dealt)
    with relay(tmp_path, broker.url, "30 minutes") as process:
        process.connected()
        events = [*dealt.whole_hand(), *dealt.riffle()]
        table.seal()
        table.say(events)
        table.seal()
        process.end()
    assert "nothing is ever released" in process.log.read_text()
    assert not (tmp_path / "relay" / "releases.jsonl").exists()
    table.bus.stop()


def test_its_boxes_name_no_card_on_the_disk(tmp_path: Path, keys: RelayKeys, broker: Mosquitto) -> None:
    dealt = DealtTable(tmp_path / "run", bytes.fromhex(keys.public_hex))
    table = TableOnBus(broker.url, dealt)
    with relay(tmp_path, broker.url, "3600") as process:
        process.connected()
        table.say([*dealt.riffle(), *dealt.deal()])
        table.seal()
    files = [path for path in (tmp_path / "relay").rglob("*") if path.is_file()]
    stored = b"".join(path.read_bytes() for path in files)
    assert not [card for card in CARDS if f'"card":"{card}"'.encode() in stored]
    table.bus.stop()
