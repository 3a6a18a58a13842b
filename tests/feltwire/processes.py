"""Real processes for tests: started with a configuration file, watched through their pages, killed."""

from __future__ import annotations

import json
import resource
import secrets
import signal
import subprocess
import threading
import time
import tomllib
import urllib.error
import urllib.request
from collections.abc import Callable, Iterable, Iterator
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any

import msgspec

from feltwire.config import Broker
from feltwire.private_files import python
from feltwire.runtime.broker.bus import Bus
from feltwire.runtime.broker.bus_port import Will
from table_core.messages import Ack, Resend, Status, decode_command, decode_envelope, encode
from tests.feltwire.station_room import VENUE, FakeTable

PATIENCE_S = 240.0  # how long a fact may take on a busy machine before the test gives up


class Process:
    """`feltwire COMMAND --config FILE` with its pages on `port`."""

    def __init__(self, command: str, folder: Path, port: int, settings: str) -> None:
        self.command = command
        self.port = port
        self.config = folder / f"{command}.toml"
        self.log = folder / f"{command}.log"
        self.config.write_text(settings)
        self._process: subprocess.Popen[bytes] | None = None
        self.screen: urllib.request.OpenerDirector | None = None  # a browser that is signed in here
        self.started_with: Callable[[tuple[str, ...]], tuple[str, ...]] = lambda argv: argv
        self.descriptors = 0  # it may have no more than so many; 0: as many as this test
        self._logged_before = 0  # bytes that earlier lives of it left in the log

    def start(self) -> Process:
        with self.log.open("ab") as log:
            self._logged_before = log.tell()
            self._process = subprocess.Popen(
                self.started_with(python("feltwire", self.command, "--config", str(self.config))),
                stdout=log,
                stderr=log,
                preexec_fn=self._with_few_descriptors if self.descriptors else None,
            )
        return self

    def _with_few_descriptors(self) -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (self.descriptors, self.descriptors))

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def kill(self) -> None:
        """kill -9."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def freeze(self) -> None:
        """SIGSTOP: it stands still with everything that it holds, as behind a cable that was pulled."""
        self._signal(signal.SIGSTOP)

    def thaw(self) -> None:
        self._signal(signal.SIGCONT)

    def _signal(self, which: signal.Signals) -> None:
        assert self._process is not None
        self._process.send_signal(which)

    def end(self) -> int:
        """SIGTERM; the exit status."""
        assert self._process is not None
        self._process.terminate()
        status = self._process.wait(timeout=PATIENCE_S)
        self._process = None
        return status

    def __enter__(self) -> Process:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.kill()

    @property
    def state(self) -> str:
        """For the report of a test: whether it runs, or how it ended; and its log."""
        status = None if self._process is None else self._process.poll()
        lives = "was ended by the test" if self._process is None else "runs"
        return f"{self.command} {lives if status is None else f'ended ({status})'}:\n{self.log.read_text()}"

    def says(self, words: str) -> None:
        """Wait until the log has these words since the process was started."""
        deadline = time.monotonic() + PATIENCE_S
        while words not in self.log.read_bytes()[self._logged_before :].decode():
            assert time.monotonic() < deadline, f"{self.command} does not say {words!r}:\n{self.log.read_text()}"
            time.sleep(0.05)

    def connected(self) -> None:
        """Wait until everything that is said on the broker reaches it (station, clock, relay)."""
        self.says("connected to the broker")

    def snapshots(self, channel: str) -> Iterator[dict[str, Any]]:
        """What a browser gets on a channel, from the latest snapshot on; waits for the process to serve. It is
        the signed-in `screen` where there is one; room and queue are the director's to see."""
        deadline = time.monotonic() + PATIENCE_S
        url = f"http://127.0.0.1:{self.port}/events?channel={channel}"
        while True:
            try:
                if channel in ("room", "queue") and self.screen is None:
                    link = Path(tomllib.loads(self.config.read_text())["data"]) / "td-link"
                    self.screen = signed_in(link)
                opener = self.screen or urllib.request.build_opener()
                stream = opener.open(url, timeout=PATIENCE_S)
                break
            except (urllib.error.URLError, ConnectionError, FileNotFoundError):
                if time.monotonic() > deadline:
                    raise AssertionError(f"{self.command} does not serve:\n{self.log.read_text()}") from None
                time.sleep(0.05)
        with stream:
            event = ""
            for line in self._lines(stream):
                if time.monotonic() > deadline:
                    raise AssertionError(f"{self.command}: not shown in time:\n{self.log.read_text()}")
                name, _, value = line.decode().rstrip("\n").partition(": ")
                if name == "event":
                    event = value
                elif name == "data" and event == channel:
                    yield json.loads(value)

    def _lines(self, stream: Iterable[bytes]) -> Iterator[bytes]:
        try:
            yield from stream
        except ConnectionError as error:
            raise AssertionError(f"a stream ended ({error}); {self.state}") from error

    def shows(self, channel: str, fits: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The first snapshot of the channel that fits."""
        return next(snapshot for snapshot in self.snapshots(channel) if fits(snapshot))


def signed_in(link: Path) -> urllib.request.OpenerDirector:
    """A browser that has opened the one-time link in that file."""
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
    browser.open(link.read_text().strip()).close()
    return browser


def stamp(port: int, *, id_: str = "", within_ms: int = 60_000) -> dict[str, str]:
    """The headers of a press that is carried out within that time, by the time of the server on `port`."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/now", timeout=PATIENCE_S) as answer:
        now = json.load(answer)
    return {"press-id": id_ or secrets.token_hex(12), "press-until": f"{now['server']}/{now['ms'] + within_ms}"}


class SpeakingTable(FakeTable):
    """A table on a real bus that resends when asked, and notes what it is told."""

    def __init__(self, url: str, table: str = "01") -> None:
        super().__init__(table)
        self.acked: list[Ack] = []
        self.asked: list[Resend] = []
        self._heard = threading.Condition()
        self.bus = Bus(
            Broker(url=url),
            client_id=f"fake-{table}",
            subscriptions=[self.topic("ack"), self.topic("command"), self.topic("grant")],
            on_message=self._message,
            on_up=self._up,
            on_down=lambda reason: None,
            will=Will(self.topic("status"), encode(Status(online=False))),
        )

    def _up(self) -> None:
        self.bus.publish(self.topic("status"), encode(Status(online=True)), retain=True)
        self.bus.publish(self.topic("birth"), self.birth().payload)

    def _message(self, topic: str, payload: bytes) -> None:
        with self._heard:
            if topic == self.topic("ack"):
                self.acked.append(msgspec.json.decode(payload, type=Ack))
            else:
                command = decode_command(payload)
                if isinstance(command, Resend):
                    self.asked.append(command)
                    if command.birth:
                        self.bus.publish(self.topic("birth"), self.birth().payload)
                    self.resend(command)
            self._heard.notify_all()

    def resend(self, command: Resend) -> None:
        for raw in list(self.rows):
            envelope = decode_envelope(raw)
            if (envelope.epoch, envelope.seq) >= (command.epoch, command.from_seq):
                self.say(raw)

    def say(self, *raws: bytes) -> None:
        for raw in raws:
            self.bus.publish(self.topic("event"), raw)

    def say_state(self) -> None:
        """The retained snapshot, of which the station needs to know only how far the table is."""
        self.bus.publish(self.topic("state"), self.state(self.head.seq).payload, retain=True)

    def wait(self, fits: Callable[[], bool]) -> None:
        with self._heard:
            assert self._heard.wait_for(fits, PATIENCE_S), (self.acked[-3:], self.asked[-3:])

    def wait_acked(self) -> None:
        """Until all that was written is acknowledged."""
        self.wait(lambda: bool(self.acked) and self.acked[-1] == Ack(self.head.epoch, self.head.seq))

    def __enter__(self) -> SpeakingTable:
        self.bus.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.bus.stop()


def station_settings(folder: Path, broker: str, port: int, *, minutes: float = 20, levels: int = 6) -> str:
    """`broker` is a URL, or the `[broker]` section of a provisioned device."""
    section = broker if broker.startswith("[broker]") else f'[broker]\nurl = "{broker}"\n'
    schedule = "".join(
        f"[[levels]]\nno = {no}\nsmall_blind = {50 * no}\nbig_blind = {100 * no}\nminutes = {minutes}\n"
        for no in range(1, levels + 1)
    )
    return (
        f'venue = "{VENUE}"\ndata = "{folder / "station-data"}"\ntables = ["01", "02"]\nautostart = true\n'
        f"{schedule}{section}[web]\nport = {port}\n"
    )


def table_settings(folder: Path, broker: str, port: int) -> str:
    """Three players at table 01, which has neither keypad nor shoe nor camera: its screen is touched."""
    seats = "".join(f"[[seats]]\nseat = {seat}\nstack = 10000\n" for seat in (1, 2, 3))
    return (
        f'venue = "{VENUE}"\ntable = "01"\ndata = "{folder / "table-data"}"\nruntime = "{folder / "run"}"\n'
        f"{seats}[[levels]]\nno = 1\nsmall_blind = 50\nbig_blind = 100\nminutes = 20\n"
        f"{broker}[web]\nport = {port}\n"
    )


def clock_settings(broker: str, port: int) -> str:
    return f'venue = "{VENUE}"\n[broker]\nurl = "{broker}"\n[web]\nport = {port}\n'


def cell(room: dict[str, Any], table: str) -> dict[str, Any]:
    return next(one for one in room["cells"] if one["table"] == table)
