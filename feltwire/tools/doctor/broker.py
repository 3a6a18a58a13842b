"""The broker: reached, its certificate taken, each right that the process needs, and one that it must not have.

The broker's answer to a message without content, which no process takes, says whether it may be written. Whether
one may be read shows only in what comes: the station's beat, or what tables left.
"""

from __future__ import annotations

import contextlib
import os
import socket
import ssl
import threading
from collections.abc import Iterable, Iterator
from typing import Any

from paho.mqtt.client import Client, MQTTMessage, MQTTv5, MQTTv311
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion
from paho.mqtt.reasoncodes import ReasonCode

from feltwire.config import Broker, DelayConfig, RelayConfig, StationConfig, TableConfig
from feltwire.runtime.broker import topics
from feltwire.runtime.broker.connection import Address, FindingClient, words_of
from feltwire.runtime.certificates.trust import Trust
from feltwire.tools.doctor import certificates
from feltwire.tools.doctor.findings import Finding, Refused, look, refusing, well, wrong
from feltwire.tools.doctor.settings import AnyConfig
from feltwire.tools.provision.access import CLOCK, DELAY, RELAY, STATION, rights_of, table_name

PATIENCE_S = 5.0
BEAT_S = 3.0  # the station's comes once a second
NO_LIST = "Give the broker its access list: feltwire/deploy/mosquitto."


def name_of(config: AnyConfig) -> str:
    """What the certificate of this process says."""
    if isinstance(config, TableConfig):
        return table_name(config.table)
    if isinstance(config, StationConfig):
        return STATION
    if isinstance(config, DelayConfig):
        return DELAY
    return RELAY if isinstance(config, RelayConfig) else CLOCK


def certificate_name(config: AnyConfig) -> str:
    """The name of this device, where it is one of several as its certificate says it: `clock-bar`."""
    try:
        return certificates.named(config.broker, name_of(config))
    except (OSError, ValueError):  # `check` says what is wrong with it
        return name_of(config)


def check(config: AnyConfig, *, connect: bool) -> Iterator[Finding]:
    """Without `connect` only the certificate: the broker takes one connection of each name."""
    broker = config.broker
    for url in (broker.url, *broker.also):
        try:
            yield from _one(config, broker, url, connect=connect)
        except Refused as refused:
            yield refused.finding


def _one(config: AnyConfig, broker: Broker, url: str, *, connect: bool) -> Iterator[Finding]:
    name = name_of(config)
    with refusing("broker"):
        address = Address.parse(url)
    trust = certificates.trusted(broker, config.venue) if address.tls else None
    if trust is not None:
        name = certificates.named(broker, name)
        yield from certificates.check(broker, name)
    elif address.host not in ("localhost", "::1") and not address.host.startswith("127."):
        yield look("broker", f"{url} is not encrypted.", "Write mqtts:// with certificates (feltwire provision).")
    if not connect:
        return
    line = _Line(broker, address, trust, MQTTv5)
    why = line.open()
    if why and line.reached:  # it may know the older version only, which is all that a process needs
        line.close()
        line = _Line(broker, address, trust, MQTTv311)
        why = line.open()
    try:
        if trust is not None:
            yield from certificates.ends(trust, line.peer(), name)
        if why:
            yield wrong("broker", f"{address}: {why}.", _remedy(why))
            return
        yield well("broker", f"It is at {address} and takes this device.")
        yield from _rights(config, name, line)
        yield from _heard(config, line)
    finally:
        line.close()


def _remedy(why: str) -> str:
    for part, do in (
        ("connection refused", "Start the broker there, or correct `url`."),
        ("no such host", "Enter that name in the router's DNS or in /etc/hosts (docs/venue.md)."),
        ("no answer", "Look at the network, and at the firewall of the broker's machine."),
        ("revoked", "Give this device another certificate: feltwire provision renew."),
        ("ertificate", "Copy this device's folder of `feltwire provision` again; look at both clocks."),
        ("not authori", "Correct username and password."),
    ):
        if part in why:
            return do
    return "Look at the broker's log."


# ----------------------------------------------------------------------------------------------- rights


def _rights(config: AnyConfig, name: str, line: _Line) -> Iterator[Finding]:
    wanted = [_example(config, topic) for way, topic in rights_of(config.venue, name) if way != "read"]
    wanted.append(topics.expiry(config.venue, name))
    answers = line.may_write([*wanted, _not_its_own(config)])
    if answers is None:
        do = "With mosquitto this is tried; elsewhere look at the broker's access list."
        yield look("rights", "This broker does not say what it takes.", do)
        return
    missing = [topic for topic in wanted if not answers[topic]]
    if missing:
        more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
        do = "Install the access list again that `feltwire provision` made, and reload the broker."
        yield wrong("rights", f"It may not write {missing[0]}{more}.", do)
    else:
        yield well("rights", f"It may write what it needs ({len(wanted)} topics tried).")
    if answers[_not_its_own(config)]:
        yield look(
            "access list", "It may write what only another device should: there is no access list.", NO_LIST
        )
    else:
        yield well("access list", "It may not write as another device.")


def _example(config: AnyConfig, topic: str) -> str:
    """A topic that a right covers."""
    tables = (config.table,) if isinstance(config, TableConfig) else getattr(config, "tables", ()) or ("01",)
    return topic.replace("/+", f"/{tables[0]}").replace("/#", "/clock")


def _not_its_own(config: AnyConfig) -> str:
    """A topic that only another device writes."""
    if isinstance(config, TableConfig):
        return topics.table(config.venue, config.table, "grant")
    if isinstance(config, StationConfig):
        return topics.table(config.venue, config.tables[0] if config.tables else "01", "event")
    return topics.tournament(config.venue, "clock")


# ------------------------------------------------------------------------------------------ what is heard


def _heard(config: AnyConfig, line: _Line) -> Iterator[Finding]:
    if isinstance(config, StationConfig):
        wanted = {topics.table(config.venue, table, "status"): table for table in config.tables}
        answered = line.hear(list(wanted), BEAT_S)
        online = [table for topic, table in wanted.items() if b"true" in answered.get(topic, b"")]
        away = [table for table in config.tables if table not in online]
        if away:
            words = f"{', '.join(online) or 'None'} here; not here: {', '.join(away)}."
            yield look("tables", words, "Start those, or look at `feltwire doctor` there. They may come later.")
        else:
            yield well("tables", f"All {len(online)} are here.")
        return
    beat = topics.tournament(config.venue, "beat")
    if line.hear([beat], BEAT_S):
        yield well("station", "Its beat is heard.")
    else:
        do = "Start it, or call `feltwire doctor` there. A table plays on without it."
        yield look("station", "Nothing is heard of it.", do)


class _Line:
    """One connection to the broker."""

    def __init__(
        self, broker: Broker, address: Address, trust: Trust | None, version: MQTTProtocolVersion
    ) -> None:
        self.reached = False  # somebody is at that address
        self._version = version
        self._address = address
        self._trust = trust
        self._ready = threading.Event()
        self._why = ""
        self._answered: dict[int, bool] = {}
        self._came: dict[str, bytes] = {}
        self._news = threading.Condition()
        client = FindingClient(
            CallbackAPIVersion.VERSION2,
            client_id=f"doctor-{os.getpid()}",
            protocol=version,
            reconnect_on_failure=False,
        )
        client.connect_timeout = PATIENCE_S
        client.on_connect = self._connected
        client.on_disconnect = self._disconnected
        client.on_publish = self._published
        client.on_message = self._message
        if broker.username:
            client.username_pw_set(broker.username, broker.password)
        if trust is not None:
            client.tls_set_context(trust.context())
        self._client = client

    def open(self) -> str:
        """Empty, or why it cannot be reached."""
        try:
            self._client.connect(self._address.host, self._address.port)
        except (OSError, ssl.SSLError) as error:
            return words_of(error).removesuffix("; waiting for it")
        self.reached = True
        self._client.loop_start()
        if not self._ready.wait(PATIENCE_S):
            return "does not answer as an MQTT broker"
        if self._why and self._trust is not None and not self._trust.refused:
            self._listen(self._trust)
        return (self._trust.refused if self._trust is not None else "") or self._why

    def _listen(self, trust: Trust) -> None:
        """A second connection that sends nothing: what was sent can make the broker's system reset the connection,
        and a reset loses the alert which says what is wrong with the certificate."""
        where = (self._address.host, self._address.port)
        with (
            contextlib.suppress(OSError),
            socket.create_connection(where, PATIENCE_S) as plain,
            trust.context().wrap_socket(plain, server_hostname=self._address.host) as line,
        ):
            line.recv(1)

    def close(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()

    def peer(self) -> bytes:
        sock = self._client.socket()
        return (sock.getpeercert(binary_form=True) or b"") if isinstance(sock, ssl.SSLSocket) else b""

    def may_write(self, wanted: Iterable[str]) -> dict[str, bool] | None:
        """None where the broker does not say: before MQTT 5 it takes whatever comes, and drops what may not."""
        if self._version is not MQTTv5:
            return None
        sent = {topic: self._client.publish(topic, b"", qos=1).mid for topic in wanted}
        with self._news:
            if not self._news.wait_for(lambda: self._answered.keys() >= {*sent.values()}, PATIENCE_S):
                return None
            return {topic: self._answered[mid] for topic, mid in sent.items()}

    def hear(self, wanted: list[str], patience_s: float) -> dict[str, bytes]:
        """What came on these topics by then; at once when all have something."""
        self._client.subscribe([(topic, 1) for topic in wanted])
        with self._news:
            self._news.wait_for(lambda: self._came.keys() >= {*wanted}, patience_s)
            return dict(self._came)

    # The callbacks of paho-mqtt, in its network thread.

    def _connected(self, _client: Client, _data: Any, _flags: Any, code: ReasonCode, _more: Any) -> None:
        if code.is_failure:
            self._why = f"refuses this client ({code})".lower()
        self._ready.set()

    def _disconnected(self, _client: Client, _data: Any, _flags: Any, code: ReasonCode, _more: Any) -> None:
        if not self._ready.is_set():
            self._why = "hangs up on this client"
            self._ready.set()

    def _published(self, _client: Client, _data: Any, mid: int, code: ReasonCode, _more: Any) -> None:
        with self._news:
            self._answered[mid] = not code.is_failure
            self._news.notify_all()

    def _message(self, _client: Client, _data: Any, message: MQTTMessage) -> None:
        with self._news:
            self._came.setdefault(message.topic, bytes(message.payload))
            self._news.notify_all()
