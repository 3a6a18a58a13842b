"""`python -m tests.display.broadcast.cut`: from the press of a cut to an empty picture in another browser, in ms.

The press is the key on the producer's page; the picture is empty with the first frame in which the page on air
shows nothing, and a screenshot then has no pixel left. Both browsers are on this machine and share its clock.
`--viewers` more pages' streams hang on the relay, and each table shows something new `--rate` times a second.
Exit status: 0 every cut was within `--most` ms, 1 one was not.
"""

from __future__ import annotations

import argparse
import json
import socket
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager

import cv2
import numpy as np
from playwright.sync_api import Page, sync_playwright

from tests import chromium
from tests.display.broadcast.desk import Desk, a_desk

# When the page on air first shows nothing, and when its next frame begins: then the empty one has been drawn.
EMPTY = """() => new Promise((done) => {
    const look = () => {
        if (!document.getElementById('air').hidden) return requestAnimationFrame(look);
        requestAnimationFrame(() => done(performance.timeOrigin + performance.now()));
    };
    look();
})"""
PRESSED = """addEventListener('keydown', (event) => {
    window.pressedAt = performance.timeOrigin + event.timeStamp;
}, true)"""


def main(argv: Sequence[str] | None = None) -> int:
    args = _arguments(argv)
    took: list[float] = []
    with ExitStack() as held:
        desk = held.enter_context(a_desk())
        browsers = held.enter_context(sync_playwright()).chromium
        launched = [browsers.launch(executable_path=chromium.PROGRAM, args=chromium.QUIET) for _ in range(2)]
        size = {"width": 1920, "height": 1080}
        producer = desk.producer(launched[0].new_context(viewport=size))  # type: ignore[arg-type]
        air = launched[1].new_context(viewport=size).new_page()  # type: ignore[arg-type]
        air.goto(f"{desk.url}/air/feature")
        producer.evaluate(PRESSED)
        held.enter_context(_crowd(desk, args.viewers, args.rate))
        took += [_cut(producer, air) for _ in range(args.times)]
        for browser in launched:
            browser.close()
    took.sort()
    figures = {
        "cuts": len(took),
        "viewers": args.viewers,
        "rate": args.rate,
        "p50_ms": round(took[len(took) // 2], 1),
        "p95_ms": round(took[int(len(took) * 0.95)], 1),
        "max_ms": round(took[-1], 1),
    }
    print(json.dumps(figures) if args.json else ", ".join(f"{name} {value}" for name, value in figures.items()))
    return 0 if took[-1] <= args.most else 1


def _cut(producer: Page, air: Page) -> float:
    air.locator("#air").wait_for(state="visible")
    producer.evaluate("window.pressedAt = 0")
    air.evaluate(f"void (window.emptied = ({EMPTY})())")
    producer.keyboard.press("x")
    emptied = float(air.evaluate("window.emptied"))
    pressed = float(producer.evaluate("window.pressedAt"))
    png = np.frombuffer(air.screenshot(omit_background=True), np.uint8)
    left = int(cv2.imdecode(png, cv2.IMREAD_UNCHANGED)[:, :, 3].max())
    assert left == 0, "something is left on air"
    producer.locator("#release").click()
    return emptied - pressed


@contextmanager
def _crowd(desk: Desk, viewers: int, rate: float) -> Iterator[None]:
    """Streams that are read by somebody, and tables that show something new."""
    ends = threading.Event()
    streams = [_stream(desk.port) for _ in range(viewers)]
    reading = threading.Thread(target=_read, args=(streams, ends), daemon=True)
    playing = threading.Thread(target=_play, args=(desk, rate, ends), daemon=True)
    for thread in (reading, playing):
        thread.start()
    yield
    ends.set()
    for thread in (reading, playing):
        thread.join()
    for stream in streams:
        stream.close()


def _stream(port: int) -> socket.socket:
    stream = socket.create_connection(("127.0.0.1", port))
    path = "/events?channel=overlay/feature&channel=programme&channel=event"
    stream.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
    stream.setblocking(False)
    return stream


def _read(streams: Sequence[socket.socket], ends: threading.Event) -> None:
    while not ends.wait(0.05):
        for stream in streams:
            try:
                stream.recv(1 << 20)
            except BlockingIOError:
                continue


def _play(desk: Desk, rate: float, ends: threading.Event) -> None:
    while rate and not ends.wait(1 / rate):
        desk.relay.overlays()


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.display.broadcast.cut")
    parser.add_argument("--times", type=int, default=20, help="cuts (20)")
    parser.add_argument("--viewers", type=int, default=0, help="streams beside (0); 32 an address at most")
    parser.add_argument("--rate", type=float, default=0, help="pictures a second of each table (0)")
    parser.add_argument("--most", type=float, default=100, metavar="MS", help="no cut may take longer (100)")
    parser.add_argument("--json", action="store_true", help="the figures as one JSON object")
    return parser.parse_args(argv)


if __name__ == "__main__":
    sys.exit(main())
