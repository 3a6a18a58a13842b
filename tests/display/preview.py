"""All pages with moving fixture data: `python -m tests.display.preview --port 8099`."""

from __future__ import annotations

import argparse
import threading
import time

import cv2
import msgspec
import numpy as np

from display.app import PAGES, Picture, create_app
from display.identity.signin import SignIn
from display.push import Hub
from display.server.serve import DisplayError, serve
from table_core.messages import Millis, OpenRuling, encode
from tests.display import fixtures
from tests.display.conftest import Recorded


def _felt_picture() -> bytes:
    """A green felt with three cards face down, as JPEG."""
    felt = np.full((720, 1280, 3), (58, 96, 22), np.uint8)
    cv2.ellipse(felt, (640, 360), (590, 310), 0, 0, 360, (70, 118, 30), -1)
    for left in (540, 610, 680):
        cv2.rectangle(felt, (left, 320), (left + 58, 400), (150, 60, 40), -1)
        cv2.rectangle(felt, (left, 320), (left + 58, 400), (240, 240, 240), 3)
    return cv2.imencode(".jpg", felt)[1].tobytes()


PICTURE = _felt_picture()


def publish_all(
    hub: Hub, step: int = 0, at: int = 5_000_000, td_link: str = "", urls: dict[str, str] | None = None
) -> None:
    """One moment of the room on every channel; `step` turns the page of the first table's hand."""
    hands = (fixtures.table_view, fixtures.asking, fixtures.showdown, fixtures.between_hands)
    for number, table in enumerate(fixtures.TABLES):
        view = hands[(step + number) % len(hands)](table)
        hub.publish(f"table/{table}", encode(view), event_id=str(view.as_of))
        hub.publish(f"names/{table}", b"{}")
        hub.publish(f"overlay/{table}", encode(fixtures.overlay_view(table)))
        hub.publish(f"sensed/{table}", encode(fixtures.sensed_view()))
    hub.publish("room", encode(fixtures.room_view(at=at)))
    hub.publish("queue", encode(fixtures.queue_view()))
    hub.publish("rulings", encode(fixtures.rulings_view()))
    hub.publish("announcements", msgspec.json.encode(fixtures.announcements()))
    hub.publish("clock", encode(fixtures.clock_state(at=at)))
    hub.publish("beat", encode(fixtures.beat(at)))
    hub.publish("ruling/01", encode(OpenRuling(3, 1234, None)))
    hub.publish("demo", msgspec.json.encode(fixtures.demo_view(urls) | {"td_link": td_link}))


def urls(port: int) -> dict[str, str]:
    """A browser opens six streams to one host; two names for this one give it twelve."""
    one, two = f"http://127.0.0.1:{port}", f"http://localhost:{port}"
    near = {"clock": f"{one}/clock", "station": f"{one}/station"}
    near |= {page: f"{two}/{page}/{fixtures.TABLES[0]}" for page in ("table", "sensed")}
    return near | {"overlay": f"{two}/air/{fixtures.TABLES[0]}"}


def _move(hub: Hub, td_link: str, port: int) -> None:
    began = time.monotonic()
    publish_all(hub, td_link=td_link, urls=urls(port))
    for step in range(1, 1_000_000):
        time.sleep(1)
        at = 5_000_000 + int((time.monotonic() - began) * 1000)
        hub.publish("beat", encode(fixtures.beat(Millis(at))))
        if step % 4 == 0:
            view = (fixtures.table_view, fixtures.asking, fixtures.showdown)[step // 4 % 3]("01")
            hub.publish("table/01", encode(view), event_id=str(view.as_of))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=8099)
    port = parser.parse_args().port
    hub, signin = Hub(), SignIn()
    app = create_app(
        hub=hub,
        pages=PAGES,
        venue=fixtures.VENUE,
        title=fixtures.TITLE,
        tables=fixtures.TABLES,
        actions=Recorded(),
        signin=signin,
        public_overview=True,
        picture=lambda table: Picture(1, PICTURE),
    )
    threading.Thread(target=_move, args=(hub, signin.new_link(), port), daemon=True).start()
    try:
        serve(app, "127.0.0.1", port, ready=lambda bound: print(f"http://127.0.0.1:{bound}/", flush=True))
    except DisplayError as error:
        print(f"preview: {error}")
        return 2
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
