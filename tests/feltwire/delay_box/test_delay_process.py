"""The delay box as a real process between real programs: no picture comes out before its time.

Each picture shows when it was made (`tests/delay_box/camera.py`), so that its age is read behind the box.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from itertools import pairwise
from pathlib import Path

import pytest
from msgspec.structs import replace

from feltwire.config import Broker
from feltwire.delay_box.ltc import Timecode
from feltwire.runtime.broker.bus import Bus
from table_core.messages import AirDelay, CardText, Chips, OverlaySeat, OverlayView, Seat, Street, encode
from tests.delay_box.camera import HEIGHT, WIDTH, Camera, Seen, viewed
from tests.feltwire.delay_box.test_ltc import read
from tests.feltwire.mosquitto import Mosquitto
from tests.feltwire.processes import Process
from tests.ports import free_port
from tests.waiting import until

FLOOR_MS = 2_000
WAV_HEADER = 44
SHOWN = OverlayView(
    table="07",
    feed="07",
    hand=3,
    street=Street.FLOP,
    board=(CardText("Qc"), CardText("Jc"), CardText("Th")),
    pot=Chips(300),
    seats=(
        OverlaySeat(
            seat=Seat(1),
            player="Ann",
            stack=Chips(900),
            cards=(CardText("As"), CardText("Kd")),
            folded=False,
            won=Chips(0),
        ),
        OverlaySeat(
            seat=Seat(2),
            player="Bob",
            stack=Chips(900),
            cards=(CardText("??"), CardText("??")),
            folded=False,
            won=Chips(0),
        ),
    ),
    delay_s=1.0,
    last="Ann <b> calls.",
)
Viewer = Callable[[list[str]], Iterator[Seen]]


def box(folder: Path, source_at: str, output: str, **more: str) -> Process:
    """A small box with a floor of two seconds and a delay of three; `more` settings as TOML."""
    port = free_port()
    (folder / "data").mkdir(exist_ok=True)
    said = {
        "venue": '"hall"',
        "data": f'"{folder / "data"}"',
        "source": f'"{source_at}"',
        "output": f'"{output}"',
        "air_floor_s": f'"{FLOOR_MS // 1_000}"',
        "air_delay_s": '"3"',
        "longest_s": "30",
        "most_mbit_s": "8",
        "broker": '{url = "mqtt://127.0.0.1:1"}',
        "web": f"{{port = {port}}}",
        "slate": f'{{width = {WIDTH}, height = {HEIGHT}, fps = "25"}}',
    } | more
    return Process("delay", folder, port, "".join(f"{name} = {value}\n" for name, value in said.items()))


@pytest.fixture
def viewer() -> Iterator[Viewer]:
    """Who looks at the output."""
    with ExitStack() as opened:
        yield lambda source: opened.enter_context(closing(viewed(source)))


def status(process: Process) -> dict[str, object]:
    with urllib.request.urlopen(f"http://127.0.0.1:{process.port}/delay/status") as answer:
        found: dict[str, object] = json.load(answer)
    return found


def next_one(pictures: Iterator[Seen], fits: Callable[[Seen], bool], least_ms: int = FLOOR_MS) -> Seen:
    """The first picture that fits; none before it, nor itself, may be early."""
    for seen in pictures:
        assert seen.age_ms is None or seen.age_ms >= least_ms, "a picture is early"
        if fits(seen):
            return seen
    raise AssertionError("the stream ended")


def is_live(seen: Seen) -> bool:
    return seen.age_ms is not None


def is_black(seen: Seen) -> bool:
    return seen.black


def test_srt_in_and_out_with_a_source_that_is_lost_and_comes_back(tmp_path: Path, viewer: Viewer) -> None:
    come, go = free_port(), free_port()
    camera = ["-f", "mpegts", f"srt://127.0.0.1:{come}?mode=caller"]
    pictures = viewer(["-i", f"srt://127.0.0.1:{go}?mode=listener"])
    with box(tmp_path, f"srt://127.0.0.1:{come}?mode=listener", f"srt://127.0.0.1:{go}") as process:
        process.says("a picture goes out 3 s after it came")
        with Camera(camera):
            next_one(pictures, is_black)
            next_one(pictures, is_live, 3_000)
            for _ in range(25):
                next_one(pictures, is_live, 3_000)
        assert status(process)["playing"] is True
        next_one(pictures, is_black, 3_000)
        with Camera(camera):
            next_one(pictures, is_live, 3_000)


def test_killed_and_started_again_it_begins_black(tmp_path: Path, viewer: Viewer) -> None:
    """What had waited is gone with the key; and no program of the killed box goes on."""
    come, go = free_port(), free_port()
    pictures = viewer(["-i", f"udp://127.0.0.1:{go}?fifo_size=1000000&overrun_nonfatal=1"])
    with (
        box(tmp_path, f"srt://127.0.0.1:{come}?mode=listener", f"udp://127.0.0.1:{go}") as process,
        Camera(["-f", "mpegts", f"srt://127.0.0.1:{come}?mode=caller"]),
    ):
        next_one(pictures, is_live, 3_000)
        process.kill()
        process.start()
        next_one(pictures, is_black, 3_000)
        next_one(pictures, is_live, 3_000)
        assert list((tmp_path / "data").glob("ring*")) == []


@pytest.mark.slow("a program that takes nothing is given ten seconds, and each life of the box three")
def test_its_programs_are_killed_and_stopped(tmp_path: Path, viewer: Viewer) -> None:
    """The one that brings is killed, the one that sends stands still: each is started again."""
    come, go = free_port(), free_port()
    pictures = viewer(["-i", f"udp://127.0.0.1:{go}?fifo_size=1000000&overrun_nonfatal=1"])
    with (
        box(tmp_path, f"rtmp://0.0.0.0:{come}/live/cam", f"udp://127.0.0.1:{go}") as process,
        Camera(["-f", "flv", f"rtmp://127.0.0.1:{come}/live/cam"]),
    ):
        next_one(pictures, is_live, 3_000)
        children = {name: pid for pid, name in children_of(process.pid)}
        os.kill(children["source"], signal.SIGKILL)
        next_one(pictures, is_black, 3_000)
        next_one(pictures, is_live, 3_000)
        os.kill(children["output"], signal.SIGSTOP)
        process.says("the output is lost: it takes nothing")
        next_one(pictures, is_live, 3_000)


def picture_of_day(code: Timecode) -> int:
    return ((code.hours * 60 + code.minutes) * 60 + code.seconds) * 25 + code.pictures


def children_of(pid: int) -> Iterator[tuple[int, str]]:
    """Which of its programs brings, and which sends."""
    for child in Path(f"/proc/{pid}/task").glob("*/children"):
        for one in child.read_text().split():
            line = Path(f"/proc/{one}/cmdline").read_bytes()
            yield int(one), "source" if line.rstrip(b"\0").endswith(b"pipe:1") else "output"


@pytest.mark.mosquitto
def test_the_relay_says_how_long_and_changes_it(tmp_path: Path, viewer: Viewer) -> None:
    broker = Mosquitto(tmp_path)
    broker.start()
    relay = Bus(Broker(url=broker.url), client_id="relay", subscriptions=[], on_message=lambda *_: None,
                on_up=lambda: None, on_down=lambda _: None)  # fmt: skip
    relay.start()
    come, go = free_port(), free_port()
    pictures = viewer(["-i", f"udp://127.0.0.1:{go}?fifo_size=1000000&overrun_nonfatal=1"])

    def graphics(view: OverlayView) -> None:
        until(lambda: relay.publish("fw/hall/overlay/07", encode(view), retain=True), "shown")

    def tell(air_s: float | None) -> None:
        said = encode(AirDelay(air_s))
        until(lambda: relay.publish("fw/hall/process/relay/air", said, retain=True), "told")

    subtitles, sound = tmp_path / "hands.vtt", tmp_path / "timecode.wav"
    follows = {
        "air_delay_s": '""',
        "broker": f'{{url = "{broker.url}"}}',
        "subtitles": f'"{subtitles}"',
        "subtitles_of": '"07"',
        "timecode": f'"{sound}"',
    }
    source = f"srt://127.0.0.1:{come}?mode=listener"
    with (
        box(tmp_path, source, f"udp://127.0.0.1:{go}", **follows) as process,
        Camera(["-f", "mpegts", f"srt://127.0.0.1:{come}?mode=caller"]),
    ):
        process.says("no picture goes out: the relay has not said yet")
        next_one(pictures, is_black)
        assert status(process)["delay_s"] is None
        tell(3)
        next_one(pictures, is_live, 3_000)
        tell(5)
        process.says("a picture goes out 5 s after it came")
        next_one(pictures, is_black, 3_000)
        graphics(SHOWN)
        next_one(pictures, is_live, 5_000)
        tell(0.5)
        graphics(replace(SHOWN, seats=()))
        next_one(pictures, lambda seen: seen.age_ms is not None and seen.age_ms < 5_000)
        tell(None)
        next_one(pictures, is_black)
        until(lambda: "Ann As Kd, board Qc Jc Th\nAnn &lt;b&gt; calls." in subtitles.read_text(), "a cue")
        assert subtitles.read_text().startswith("WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:")
        assert sum(map(str.isdigit, subtitles.read_text().split(" --> ")[1][:12])) == 9
        broker.kill()
        assert status(process)["playing"] is False
    timecodes = read(sound.read_bytes()[WAV_HEADER:], 25)
    assert timecodes, "it counts while the picture is out"
    assert {after - before for before, after in pairwise(map(picture_of_day, timecodes))} >= {1}
    relay.stop()


def test_it_says_what_is_missing_before_the_show(tmp_path: Path) -> None:
    for name, value, words in (
        ("longest_s", "86400", "the video that waits needs"),
        ("source", '"gopher://cam"', "source = 'gopher://cam': write one of srt://…"),
        ("slate", '{picture = "/nowhere.png"}', "slate: ffmpeg cannot make it"),
    ):
        process = box(tmp_path, "x.ts", "y.ts", **{"most_mbit_s": "1000", "longest_s": "1", name: value})
        done = subprocess.run(
            [Path(sys.executable).with_name("feltwire"), "delay", "--config", process.config],
            capture_output=True,
            check=False,
        )
        assert (done.returncode, words in done.stderr.decode()) == (2, True), done.stderr
