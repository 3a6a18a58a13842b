"""Thieves with the certificate of each role but station and relay: they publish forgeries on every topic, while
hands are dealt. The broker drops what a role may not write; the rest must change nothing."""

from __future__ import annotations

import contextlib
import ssl
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
from paho.mqtt.client import Client, MQTTv311
from paho.mqtt.enums import CallbackAPIVersion

from feltwire.lab.demo.room import VENUE
from feltwire.ledger.chain import LedgerHead, hash_of
from feltwire.ledger.signing import LedgerKey
from feltwire.runtime.broker.connection import forget_callbacks
from feltwire.tools.provision.access import CLOCK, DIRECTOR, DISPLAY, OVERLAY, table_name
from table_core.messages import (
    Ack,
    At,
    Birth,
    CardDealt,
    Envelope,
    EpochBegan,
    Grant,
    HandEnded,
    HandStarted,
    Leaseholder,
    Millis,
    SealedCard,
    TableLeaseholder,
    TableState,
    decode_envelope,
    encode,
)
from tests.display import fixtures

KEY = LedgerKey(b"a key that the station never saw")
LEDGER = "6666000000000000"
EVERY_S = 4.0


class Thief:
    """Hears what the certificate `name` lets it hear; `forge` says everything that could do harm."""

    def __init__(self, port: int, name: str, folder: Path, ca: Path, tables: Sequence[str]) -> None:
        self.name = name
        self.published = 0
        self._tables = tables
        self._heard: dict[str, list[Envelope]] = {table: [] for table in tables}
        self._raw: dict[str, bytes] = {}
        self._client = Client(
            CallbackAPIVersion.VERSION2, client_id=f"thief-{name}", clean_session=True, protocol=MQTTv311
        )
        context = ssl.create_default_context(cafile=str(ca))
        context.load_cert_chain(str(folder / f"{name}.crt"), str(folder / f"{name}.key"))
        self._client.tls_set_context(context)
        self._client.on_connect = lambda client, *_: client.subscribe("fw/#", 1)
        self._client.on_message = self._on_message
        self._client.connect("127.0.0.1", port)
        self._client.loop_start()

    def _on_message(self, _client: Client, _data: Any, message: Any) -> None:
        if message.topic.endswith("/event"):
            with contextlib.suppress(msgspec.DecodeError):
                envelope = decode_envelope(message.payload)
                if envelope.at.boot != "thief" and envelope.table in self._heard:
                    self._heard[envelope.table].append(envelope)
                    self._raw[envelope.table] = message.payload

    def forge(self, public: dict[str, list[Envelope]], raws: dict[str, bytes]) -> None:
        for table in self._tables:
            self._forge(table, public.get(table, []), raws.get(table, b""))

    def _forge(self, table: str, heard: list[Envelope], raw: bytes) -> None:
        topic = f"fw/{VENUE}/table/{table}"
        lease = TableLeaseholder(table, Leaseholder(LEDGER, 99, KEY.public))
        self._say(f"fw/{VENUE}/tournament/charge/{table}", encode(lease))
        self._say(f"{topic}/grant", encode(Grant("g", LEDGER, 99, key=KEY.public)))
        self._say(f"{topic}/command", encode(Grant("g", LEDGER, 99, key=KEY.public)))
        self._say(f"{topic}/birth", KEY.sign(Birth(VENUE, table, 99, 9, "s", LEDGER, "", KEY.public)))
        self._say(f"{topic}/ack", encode(Ack(1, 10**6)))
        self._say(f"{topic}/sealed/ack", encode(Ack(1, 10**6)))
        if heard:
            # Signed as if it were the table: false stacks, far ahead. No board: the thief's own cards are no leak.
            view = fixtures.table_view(table, as_of=10**6)
            view = msgspec.structs.replace(view, venue=VENUE, epoch=heard[-1].epoch, board=())
            self._say(f"{topic}/state", KEY.sign(TableState(view)))
        for seq in (1, 7, 7):
            self._say(f"{topic}/sealed", KEY.sign(SealedCard(1, seq, 1, 1, seq, "AAAA")))
        if not heard:
            return
        last = heard[-1]
        head = LedgerHead(last.epoch, last.seq, hash_of(raw))
        for behind in (head, head.in_epoch(last.epoch + 1)):
            for event in without_folds([envelope.data for envelope in heard]):
                at = At("thief", Millis(0))
                entry = behind.link(event, at=at, venue=VENUE, table=table, key=KEY)
                behind = entry.head
                self._say(f"{topic}/event", entry.raw)

    def _say(self, topic: str, payload: bytes) -> None:
        self._client.publish(topic, payload, 0)
        self.published += 1

    def stop(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()
        forget_callbacks(self._client)


def without_folds(told: Sequence[Any]) -> list[Any]:
    """The promises of the hand that is dealt now, its end and the next deal."""
    starts = [at for at, event in enumerate(told) if isinstance(event, HandStarted)]
    if not starts:
        return [EpochBegan(LEDGER, KEY.public)]
    started = told[starts[-1]]
    dealt = [event for event in told[starts[-1] :] if isinstance(event, CardDealt)]
    again = msgspec.structs.replace(started, hand=started.hand + 1)
    next_deal = (again, CardDealt(1, "seat-1", "0" * 64))
    return [EpochBegan(LEDGER, KEY.public), started, *dealt, HandEnded(started.hand, ()), *next_deal]


@contextlib.contextmanager
def at_work(port: int, venue: Path, tables: Sequence[str]) -> Iterator[list[Thief]]:
    """One with each certificate, forging all the time from each table's first event on: whoever comes to a new
    station before the table is believed to be it (decision 19), and then the director hands the table over. What
    one hears all know."""
    names = [*map(table_name, tables), CLOCK, DISPLAY, OVERLAY, f"{DIRECTOR}-stolen"]
    thieves = [Thief(port, name, venue / name, venue / "ca.crt", tables) for name in names]
    stopping = threading.Event()
    ear = next(thief for thief in thieves if thief.name == DISPLAY)

    def forge() -> None:
        while not stopping.wait(EVERY_S):
            if not all(ear._heard.values()):
                continue
            for thief in thieves:
                thief.forge(ear._heard, ear._raw)

    thread = threading.Thread(target=forge, daemon=True)
    thread.start()
    try:
        yield thieves
    finally:
        stopping.set()
        thread.join()
        for thief in thieves:
            thief.stop()
