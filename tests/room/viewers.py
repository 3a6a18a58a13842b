"""`python -m tests.room.viewers`: how long a press on the dealer screen takes while viewers load a table.

One real `feltwire table` process with a camera that sees a rendered table. Each viewer has an address of its own
and asks again as soon as it is answered: for the table's page, the picture and what the camera reads. The same
presses are timed without them in the same run. Viewers are strangers, or browsers of the director (`--signed-in`),
who may see the picture where `show_sensed` is on.
"""

from __future__ import annotations

import argparse
import contextlib
import http.client
import json
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections import Counter
from collections.abc import Iterator
from http.cookiejar import CookieJar
from pathlib import Path

import cv2

from tests.feltwire.processes import Process, signed_in, stamp, table_settings
from tests.ports import free_port
from vision.geometry.felt import Felt
from vision.synthetic.felt import Scene, render

PATHS = ("/table/01", "/picture/01", "/api/table/01", "/api/sensed/01")
PATIENCE_S = 60.0


def main() -> int:
    args = _parser().parse_args()
    if args.view:
        return view(args.view, args.port, args.cookie)
    with tempfile.TemporaryDirectory(prefix="feltwire-viewers-") as name:
        folder = Path(name)
        port = free_port()
        picture = folder / "table.png"
        cv2.imwrite(str(picture), render(Scene(Felt.for_seats(3))).image)
        settings = "show_sensed = true\n" + table_settings(folder, '[broker]\nurl = "mqtt://127.0.0.1:1"\n', port)
        settings += f'[camera]\nsource = "file:{picture}"\n'
        with Process("table", folder, port, settings) as table:
            table.shows("table/01", lambda view: True)
            screen = signed_in(folder / "table-data" / "table-01.kiosk-link")
            cookie = _director_cookie(folder / "table-data" / "table-01.td-link") if args.signed_in else ""
            alone = press_times(screen, port, args.presses)
            with viewers(args.viewers, port, cookie) as crowd:
                beside = press_times(screen, port, args.presses)
            answers = sum(crowd, Counter())
    report = {
        "viewers": args.viewers,
        "signed_in": args.signed_in,
        "presses": args.presses,
        "alone_ms": _figures(alone),
        "beside_viewers_ms": _figures(beside),
        "answers_to_viewers": dict(sorted(answers.items())),
    }
    print(json.dumps(report))
    return 0


def press_times(screen: urllib.request.OpenerDirector, port: int, count: int) -> list[float]:
    """Milliseconds from a touch of FLOOR to its answer; all are answered."""
    times = []
    for _ in range(count):
        request = urllib.request.Request(
            f"http://127.0.0.1:{port}/table/01/touch",
            data=b'{"key":33}',
            headers={"content-type": "application/json", **stamp(port)},
        )
        began = time.perf_counter()
        with screen.open(request, timeout=PATIENCE_S) as answer:
            answer.read()
        times.append((time.perf_counter() - began) * 1000)
    return times


@contextlib.contextmanager
def viewers(count: int, port: int, cookie: str) -> Iterator[list[Counter[str]]]:
    """So many processes that load the table; yields a list that holds their answers by status afterwards."""
    answers: list[Counter[str]] = []
    running = [
        subprocess.Popen(
            # A viewer's processor is not the table's: what is left over on this machine is for them.
            ["nice", "-n", "19", sys.executable, "-m", "tests.room.viewers"]
            + ["--view", f"127.0.0.{9 + no}", "--port", str(port)]
            + (["--cookie", cookie] if cookie else []),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for no in range(count)
    ]
    for viewer in running:
        assert viewer.stdout is not None
        assert viewer.stdout.readline() == "looks\n"
    yield answers
    for viewer in running:
        said, _ = viewer.communicate("\n", timeout=PATIENCE_S)
        answers.append(Counter(json.loads(said)))


def view(address: str, port: int, cookie: str) -> int:
    """One viewer, until a line comes on stdin; prints how often it got which status."""
    ended = threading.Event()

    def wait_for_a_line() -> None:
        sys.stdin.readline()
        ended.set()

    threading.Thread(target=wait_for_a_line, daemon=True).start()
    answers: Counter[str] = Counter()
    said = False
    while not ended.is_set():
        for path in PATHS:
            line = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S, source_address=(address, 0))
            with contextlib.closing(line):
                try:
                    line.request("GET", path, headers={"cookie": cookie} if cookie else {})
                    answer = line.getresponse()
                    answer.read()
                    answers[f"{path} {answer.status}"] += 1
                except (ConnectionError, http.client.HTTPException):  # more connections than an address may have
                    answers["closed"] += 1
        if not said:
            said = True
            print("looks", flush=True)
    print(json.dumps(answers))
    return 0


def _director_cookie(link: Path) -> str:
    jar = CookieJar()
    urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar)).open(link.read_text().strip()).close()
    return "; ".join(f"{cookie.name}={cookie.value}" for cookie in jar)


def _figures(times: list[float]) -> dict[str, float]:
    ordered = sorted(times)
    return {
        "median": round(statistics.median(ordered), 1),
        "p95": round(ordered[int(0.95 * (len(ordered) - 1))], 1),
        "most": round(ordered[-1], 1),
    }


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.room.viewers", description=__doc__)
    parser.add_argument("--viewers", type=int, default=12)
    parser.add_argument("--presses", type=int, default=100)
    parser.add_argument("--signed-in", action="store_true", help="viewers are browsers of the director")
    parser.add_argument("--view", default="", help=argparse.SUPPRESS)
    parser.add_argument("--port", type=int, default=0, help=argparse.SUPPRESS)
    parser.add_argument("--cookie", default="", help=argparse.SUPPRESS)
    return parser


if __name__ == "__main__":
    sys.exit(main())
