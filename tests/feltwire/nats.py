"""A NATS JetStream cluster for tests: three nodes with MQTT listeners on free loopback ports, in a folder of its
own."""

from __future__ import annotations

import json
import shutil
import subprocess
import time
import urllib.request
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from feltwire.config import Broker
from feltwire.runtime.broker.bus import Bus
from tests.ports import HOST, free_port

PROGRAM = shutil.which("nats-server") or "/usr/sbin/nats-server"
START_TIMEOUT_S = 240.0
NODES = 3
STREAMS = ("$MQTT_sess", "$MQTT_msgs", "$MQTT_rmsgs")  # of its MQTT listeners
GLANCE_S = 0.2

CONFIG = """\
server_name: node-{no}
listen: {host}:{client}
jetstream {{ store_dir: "{folder}", max_mem: 256MB, max_file: 4GB }}
cluster {{ name: hall, listen: {host}:{route}, routes: [{routes}] }}
mqtt {{ listen: {host}:{mqtt} }}
http: {host}:{http}
"""


class NatsCluster:
    """`urls` are those of the nodes; `broker` is the configuration of a client that knows all of them. `hosts` are
    the addresses of the nodes, `run` gives the command that runs a program where node `no` is."""

    def __init__(
        self,
        folder: Path,
        *,
        hosts: Sequence[str] = (HOST,) * NODES,
        run: Callable[[int, Sequence[str]], Sequence[str]] = lambda _no, argv: argv,
    ) -> None:
        self._hosts = hosts
        self._run = run
        self._folder = folder / "nats"
        self._folder.mkdir()
        self._ports = [tuple(free_port() for _ in range(4)) for _ in range(NODES)]
        self._nodes: list[subprocess.Popen[bytes] | None] = [None] * NODES
        pairs = zip(hosts, self._ports, strict=True)
        routes = ", ".join(f'"nats://{host}:{route}"' for host, (_, route, _, _) in pairs)
        for no, (client, route, mqtt, http) in enumerate(self._ports):
            store, host = self._folder / f"node-{no}", hosts[no]
            ports = {"client": client, "route": route, "mqtt": mqtt, "http": http}
            text = CONFIG.format(no=no, host=host, **ports, folder=store, routes=routes)
            (self._folder / f"node-{no}.conf").write_text(text)

    @property
    def urls(self) -> list[str]:
        return [f"mqtt://{host}:{mqtt}" for host, (_, _, mqtt, _) in zip(self._hosts, self._ports, strict=True)]

    @property
    def broker(self) -> Broker:
        first, *also = self.urls
        return Broker(url=first, also=tuple(also), qos=0)

    @property
    def pids(self) -> list[int]:
        return [node.pid for node in self._nodes if node is not None]

    def clients(self) -> set[str]:
        """The names of the MQTT clients that are connected."""
        up = [no for no in range(NODES) if self._nodes[no] is not None]
        clients = [one for no in up for one in self._asked(no, "connz?limit=100000")["connections"]]
        return {one["mqtt_client"] for one in clients if "mqtt_client" in one}

    def leader(self, stream: str) -> int | None:
        """The node that leads a stream; None while none does."""
        up = [no for no in range(NODES) if self._nodes[no] is not None]
        for account in self._asked(up[0], "jsz?streams=1")["account_details"]:
            for one in account["stream_detail"]:
                if one["name"] == stream and (name := one["cluster"].get("leader")):
                    return int(name.removeprefix("node-"))
        return None

    def _asked(self, no: int, what: str) -> dict[str, Any]:
        with urllib.request.urlopen(f"http://{self._hosts[no]}:{self._ports[no][3]}/{what}") as answer:
            found: dict[str, Any] = json.load(answer)
            return found

    def start(self) -> None:
        """Every node that is not up; returns when a client can subscribe at each."""
        for no in range(NODES):
            if self._nodes[no] is None:
                self.start_node(no)
        deadline = time.monotonic() + START_TIMEOUT_S
        for no in range(NODES):
            while not self._serves(no):
                if time.monotonic() > deadline:
                    raise RuntimeError(f"node {no} did not start:\n{self._log(no).read_text()}")
                time.sleep(GLANCE_S)

    def start_node(self, no: int) -> None:
        with self._log(no).open("ab") as log:
            config = str(self._folder / f"node-{no}.conf")
            self._nodes[no] = subprocess.Popen(self._run(no, [PROGRAM, "-c", config]), stdout=log, stderr=log)

    def kill_node(self, no: int) -> None:
        node, self._nodes[no] = self._nodes[no], None
        if node is not None:
            node.kill()
            node.wait()

    def kill(self) -> None:
        for no in range(NODES):
            self.kill_node(no)

    def _serves(self, no: int) -> bool:
        """A client comes up there: the cluster has chosen who leads its streams."""
        ups: list[bool] = []
        probe = Bus(
            Broker(url=self.urls[no], qos=0),
            client_id=f"probe-{no}",
            subscriptions=["probe"],
            on_message=lambda topic, payload: None,
            on_up=lambda: ups.append(True),
            on_down=lambda reason: None,
        )
        probe.start()
        for _ in range(round(10 / GLANCE_S)):
            if ups:
                break
            time.sleep(GLANCE_S)
        probe.stop()
        return bool(ups)

    def _log(self, no: int) -> Path:
        return self._folder / f"node-{no}.log"

    def __enter__(self) -> NatsCluster:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()
