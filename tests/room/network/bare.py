"""How long a cluster that lost a node takes no new connection: paho-mqtt alone, nothing of Feltwire."""

from __future__ import annotations

import contextlib
import itertools
import threading
import time
from collections.abc import Sequence
from urllib.parse import urlsplit

from paho.mqtt.client import Client, MQTTv311
from paho.mqtt.enums import CallbackAPIVersion

PAUSE_S = 0.1


def connects_after_s(urls: Sequence[str]) -> float:
    """From now until one of the nodes, asked in turn, has taken a client."""
    began = time.monotonic()
    for url in itertools.cycle(urls):
        if _connects(url):
            return time.monotonic() - began
        time.sleep(PAUSE_S)
    raise AssertionError("no node")


def _connects(url: str) -> bool:
    """Until the node answers or hangs up."""
    where, answered, taken = urlsplit(url), threading.Event(), threading.Event()
    client = Client(CallbackAPIVersion.VERSION2, client_id="bare", protocol=MQTTv311, reconnect_on_failure=False)

    def connected(*_: object) -> None:
        taken.set()
        answered.set()

    client.on_connect = connected
    client.on_disconnect = lambda *_: answered.set()
    with contextlib.suppress(OSError):
        client.connect(str(where.hostname), where.port or 1883)
        client.loop_start()
        answered.wait()
        client.disconnect()
        client.loop_stop()
    return taken.is_set()
