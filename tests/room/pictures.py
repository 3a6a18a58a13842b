"""`python -m tests.room.pictures`: takes the README's pictures of a simulated room, with a real browser.

Starts `feltwire demo` on free ports, waits for a showdown, and writes `docs/pictures/*.jpg`.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import BrowserContext, sync_playwright

from feltwire.private_files import python
from tests import chromium

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
PATIENCE_S = 90.0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--port", type=int, default=18080)
    args = parser.parse_args()
    PICTURES.mkdir(parents=True, exist_ok=True)
    command = python("feltwire", "demo", "--seed", str(args.seed), "--port", str(args.port))
    demo = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    try:
        _take_all(f"http://127.0.0.1:{args.port}")
    finally:
        demo.terminate()
        demo.wait(timeout=20)
    return _on_air()


def _take_all(landing: str) -> None:
    urls = _wait_for(lambda: _json(f"{landing}/api/demo"))["urls"]
    table = urls["table"].replace("/table/", "/api/table/")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.PROGRAM, args=chromium.QUIET)
        context = browser.new_context()
        _wait_for(lambda: _json(table)["board"])
        context.request.post(f"{landing}/passes")  # the keys and `/sensed` want a pass
        _take(context, urls["table"], "dealer-screen", 1366, 768)
        _take(context, urls["table"], "dealer-screen-phone", 390, 844)
        _take(context, urls["station"], "station", 1366, 768)
        _take(context, urls["clock"], "clock", 1366, 768)
        _take(context, urls["sensed"], "sensed", 1366, 768)
        _take(context, landing, "landing", 1366, 1960)
        browser.close()


def _on_air() -> int:
    """A picture on air with everything in it, which a demo has only now and then."""
    with tempfile.TemporaryDirectory() as folder:
        wanted = ("--only", "whole-everything", "--format", "jpg", "--into", folder)
        command = (sys.executable, "-m", "tests.display.air_gallery", *wanted)
        taken = subprocess.run(command, check=False, stdout=subprocess.DEVNULL)
        if taken.returncode == 0:
            shutil.copy(Path(folder) / "whole-everything.jpg", PICTURES / "overlay.jpg")
    return taken.returncode


def _take(context: BrowserContext, url: str, name: str, width: int, height: int) -> None:
    page = context.new_page()
    page.set_viewport_size({"width": width, "height": height})
    page.goto(url, wait_until="load")
    page.wait_for_timeout(2_500)  # pictures of moving pages: let the first snapshots and fonts settle
    path = PICTURES / f"{name}.jpg"
    page.screenshot(path=path, type="jpeg", quality=82)
    page.close()
    print(f"{path.relative_to(PICTURES.parents[1])}: {path.stat().st_size // 1024} kB")


def _json(url: str) -> Any:
    with urllib.request.urlopen(url, timeout=5) as answer:
        return json.load(answer)


def _wait_for(look: Callable[[], Any]) -> Any:
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        try:
            if found := look():
                return found
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            pass
        time.sleep(0.25)
    raise TimeoutError("the room did not show what was waited for; look at its logs")


if __name__ == "__main__":
    sys.exit(main())
