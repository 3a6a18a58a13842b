"""`python -m tests.room.latency`: how long a press is on its way, beside the broker's own time.

A venue's processes: station and table behind a mosquitto with certificates, a keypad on a pseudo-terminal, the
table's page in Chromium. Each press is timed from the write of its frame: to a subscriber of the table's
events (a display's certificate), and to the paint of the page that shows it. Between two presses a message as
long as an event goes bare through the same broker, from another table's certificate to the same subscriber, and a
record as long is written to the same disk and synced: a press is told to nobody before that.

Exit status 0; 1 where a press takes more than three times as long to the subscriber as the bare message (both
p50), or more than 50 ms to the paint (p99).
"""

from __future__ import annotations

import argparse
import json
import os
import ssl
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from paho.mqtt.client import Client, MQTTv311
from paho.mqtt.enums import CallbackAPIVersion
from playwright.sync_api import Page, sync_playwright

from feltwire.runtime.broker import topics
from feltwire.runtime.broker.connection import forget_callbacks
from feltwire.tools.provision.access import DISPLAY, table_name
from firmware_bridge.sim import SimKeypad
from table_core.messages import Key
from tests import chromium
from tests.feltwire.hall import Hall
from tests.feltwire.processes import Process
from tests.feltwire.station_room import VENUE

MOST_TIMES, MOST_PAINT_MS = 3.0, 50.0
PATIENCE_S = 120.0
FINGER_S = 0.12  # between two presses
WARM = 20  # presses before the first that counts
BARE = topics.table(VENUE, "02", "device/bus")  # a topic of a table that is not there
EVENTS = topics.table(VENUE, "01", "event")
PAINTS = """() => {
    window.paints = [];
    const listen = EventSource.prototype.addEventListener;
    EventSource.prototype.addEventListener = function (name, act) {
        return listen.call(this, name, (event) => {
            act(event);
            if (name !== 'table/01') return;
            const seq = Number(/"as_of":(\\d+)/.exec(event.data)[1]);
            requestAnimationFrame(() => { const painted = new MessageChannel();
                painted.port1.onmessage = () => window.paints.push([seq, Date.now()]);
                painted.port2.postMessage(0); });
        });
    };
}"""


def boot_ms() -> float:
    return time.clock_gettime(time.CLOCK_BOOTTIME) * 1_000


class Line:
    """A client with a certificate of the venue."""

    def __init__(self, hall: Hall, name: str, heard: Callable[[str, bytes, float], None] | None = None) -> None:
        folder = hall.venue / name
        self._client = Client(CallbackAPIVersion.VERSION2, client_id=f"latency-{name}", protocol=MQTTv311)
        context = ssl.create_default_context(cafile=str(folder / "ca.crt"))
        context.load_cert_chain(str(folder / f"{name}.crt"), str(folder / f"{name}.key"))
        self._client.tls_set_context(context)
        self._client.on_message = lambda _c, _d, message: (
            heard and heard(message.topic, message.payload, boot_ms())
        )
        self._up = threading.Event()
        self._client.on_subscribe = lambda *_: self._up.set()
        self._client.on_connect = lambda client, *_: client.subscribe([(EVENTS, 1), (BARE, 1)])
        self._client.on_socket_open = lambda _c, _d, sock: sock.setsockopt(6, 1, 1)  # as the processes do
        self._client.connect("localhost", hall.broker.port)
        self._client.loop_start()
        assert self._up.wait(PATIENCE_S)

    def say(self, payload: bytes) -> None:
        self._client.publish(BARE, payload, qos=1)

    def close(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()
        forget_callbacks(self._client)


class Heard:
    """When each event of a press, by the press, and each bare message, by its number, was heard."""

    def __init__(self) -> None:
        self.events: dict[tuple[int, int], tuple[int, float, int]] = {}  # event's number, when, at the table
        self.bare: dict[int, float] = {}
        self.size = 600
        self._news = threading.Condition()

    def __call__(self, topic: str, payload: bytes, at: float) -> None:
        with self._news:
            if topic == BARE:
                self.bare[int(payload[:8])] = at
            else:
                said = json.loads(payload)
                device, *name = said["cause"].split("/")
                if device == "keypad":
                    self.size = len(payload)
                    boot, seq = int(name[0], 16), int(name[1])
                    self.events.setdefault((boot, seq), (said["seq"], at, said["at"]["ms"]))
            self._news.notify_all()

    def wait(self, fact: Callable[[], bool]) -> None:
        with self._news:
            assert self._news.wait_for(fact, PATIENCE_S), "it was not heard"


@contextmanager
def room(folder: Path) -> Iterator[tuple[Hall, Process, SimKeypad]]:
    keypad_at = folder / "keypad"
    with Hall(folder) as hall, SimKeypad(keypad_at) as keypad:
        machine = hall.machine("one")
        settings = machine.config.read_text()
        section = f'[keypad]\nport = "{keypad_at}"\n'
        machine.config.write_text(settings.replace("[[seats]]", f"{section}[[seats]]", 1))
        machine.start()
        machine.shows("table/01", lambda view: view["devices"].get("keypad") == "ok")
        yield hall, machine, keypad


def measure(presses: int, where: str | None = None) -> dict[str, Any]:
    with (
        tempfile.TemporaryDirectory(prefix="feltwire-latency-", dir=where) as name,
        room(Path(name)) as (hall, machine, keypad),
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium.PROGRAM, args=chromium.QUIET)
        page = browser.new_context(viewport={"width": 1366, "height": 768}).new_page()
        page.add_init_script(f"({PAINTS})()")
        page.goto(f"http://127.0.0.1:{machine.port}/table/01")
        heard = Heard()
        subscriber, peer = Line(hall, DISPLAY, heard), Line(hall, table_name("02"))
        try:
            return timed(page, keypad, heard, peer, Path(name), presses)
        finally:
            subscriber.close()
            peer.close()


def timed(page: Page, keypad: SimKeypad, heard: Heard, peer: Line, folder: Path, presses: int) -> dict[str, Any]:
    pressed: list[tuple[int, int]] = []
    bare: list[float] = []
    synced: list[float] = []
    load = os.getloadavg()[0]
    with (folder / "bare").open("wb", buffering=0) as file:
        for no in range(presses + WARM):
            name = keypad.press(Key.FLOOR)
            heard.wait(lambda name=name: name in heard.events)  # type: ignore[misc]
            pressed.append(name)
            payload = f"{no:08}".encode().ljust(heard.size, b"x")
            sent = boot_ms()
            peer.say(payload)
            heard.wait(lambda no=no: no in heard.bare)  # type: ignore[misc]
            bare.append(heard.bare[no] - sent)
            began = boot_ms()
            file.write(payload)
            os.fdatasync(file.fileno())
            synced.append(boot_ms() - began)
            page.wait_for_timeout(FINGER_S * 1_000)
    wall = time.time() * 1_000 - boot_ms()
    paints = {seq: at - wall for seq, at in page.evaluate("window.paints")}
    counted = pressed[WARM:]
    press = [heard.events[name][1] - keypad.sent_at[name] for name in counted]
    at_table = [heard.events[name][2] - keypad.sent_at[name] for name in counted]
    painted = [
        paints[heard.events[name][0]] - keypad.sent_at[name] for name in counted if heard.events[name][0] in paints
    ]
    return {
        "presses": len(counted),
        "load": round(load, 1),
        "press to subscriber ms": _two(press),
        "bare broker ms": _two(bare[WARM:]),
        "times": round(_at(press, 0.5) / _at(bare[WARM:], 0.5), 2),
        "press to table ms": _two(at_table),
        "bare sync ms": _two(synced[WARM:]),
        "press to paint ms": _two(painted),
        "painted": len(painted),
    }


def _at(values: Sequence[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def _two(values: Sequence[float]) -> dict[str, float]:
    return {"p50": round(_at(values, 0.5), 2), "p99": round(_at(values, 0.99), 2)}


def main(argv: Sequence[str] | None = None) -> int:
    assert __doc__ is not None
    parser = argparse.ArgumentParser(prog="python -m tests.room.latency", description=__doc__.splitlines()[0])
    parser.add_argument("--presses", type=int, default=300, metavar="N", help="that count (300)")
    parser.add_argument("--folder", metavar="DIR", help="where the room's disk is; /dev/shm: without one")
    args = parser.parse_args(argv)
    found = measure(args.presses, args.folder)
    print(json.dumps(found, indent=1))
    return 0 if found["times"] <= MOST_TIMES and found["press to paint ms"]["p99"] <= MOST_PAINT_MS else 1


if __name__ == "__main__":
    sys.exit(main())
