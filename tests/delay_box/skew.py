"""How far the video behind a real delay box is from the graphics: pictures that say when they were made.

It does what docs/delay-box.md says: the latency is measured first, with the product's command, and set. Graphics
at the time T show T less the air delay; a picture that is seen at T and was made then has no skew.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path
from statistics import median

from tests.delay_box.camera import HEIGHT, WIDTH, Camera, viewed
from tests.feltwire.processes import Process
from tests.ports import free_port

FPS = 50
FLOOR_S, AIR_S = 3, 5
TWO_PICTURES_MS = 40
WAYS = ("srt", "rtmp")


def skew(way: str, seconds: int) -> int:
    """Print the distribution; 1 where no picture was seen."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        come, go = free_port(), free_port()
        source = {
            "srt": f"srt://127.0.0.1:{come}?mode=listener&latency=20000",
            "rtmp": f"rtmp://0.0.0.0:{come}/live/cam",
        }[way]
        to = {
            "srt": ["-f", "mpegts", f"srt://127.0.0.1:{come}?mode=caller&latency=20000"],
            "rtmp": ["-f", "flv", f"rtmp://127.0.0.1:{come}/live/cam"],
        }[way]
        latency = _measured(source, to)
        print(f"{way}: what feltwire delay measure reads: median {latency} ms")
        port = free_port()
        (folder / "data").mkdir()
        settings = f"""
venue = "hall"
data = "{folder / "data"}"
source = "{source}"
output = "udp://127.0.0.1:{go}"
air_floor_s = "{FLOOR_S}"
air_delay_s = "{AIR_S}"
latency_ms = {latency}
longest_s = 60
broker = {{url = "mqtt://127.0.0.1:1"}}
web = {{port = {port}}}
slate = {{width = {WIDTH}, height = {HEIGHT}, fps = "{FPS}"}}
"""
        found: list[int] = []
        with Process("delay", folder, port, settings), Camera(to, FPS):
            for seen in viewed(["-i", f"udp://127.0.0.1:{go}?fifo_size=1000000&overrun_nonfatal=1"]):
                if seen.age_ms is not None:
                    found.append(seen.age_ms - AIR_S * 1_000)
                if len(found) >= seconds * FPS:
                    break
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/delay/status") as answer:
                print(f"{way}: out of the box after its time, at most: {json.load(answer)['slowest_ms']} ms")
    return _said(way, found)


def _measured(source: str, to: list[str]) -> int:
    call = [Path(sys.executable).with_name("feltwire"), "delay", "measure", "--source", source, "--json"]
    with Camera(to, FPS):
        done = subprocess.run([*map(str, call), "--pictures", "500"], capture_output=True, check=True)
    return int(json.loads(done.stdout)["median_ms"])


def _said(way: str, found: list[int]) -> int:
    if not found:
        print(f"{way}: no picture came")
        return 1
    ordered = sorted(found)

    def at(share: float) -> int:
        return ordered[min(int(share * len(ordered)), len(ordered) - 1)]

    within = sum(abs(one) <= TWO_PICTURES_MS for one in found) / len(found)
    spread = f"p1 {at(0.01)}, p5 {at(0.05)}, p95 {at(0.95)}, p99 {at(0.99)}, most {ordered[-1]}"
    print(f"{way}: {len(found)} pictures; video behind the graphics by {median(found):.0f} ms ({spread})")
    print(f"{way}: {within:.1%} within two pictures ({TWO_PICTURES_MS} ms)")
    return 0
