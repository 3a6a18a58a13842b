"""`python -m tests.display.template.final_table`: tables on air, by the calls of CasparCG and of SPX.

A relay hears the signed events of random hands and releases them (`tests.on_air`, without its faults); time is the
relay's input, and the air delay is such that hole cards are there from the deal on. Two programs show its pages in
Chromium: *CasparCG* opens the template at the relay and runs statements in it; *SPX* serves a downloaded one from
a server of its own and calls it within a frame. Every picture that goes on air is compared card by card; at each
street both programs are updated and stepped through all elements; each hand they go off and come back, are cut,
and get data that cannot be read. A finding is another card than the relay's, something that stays after `stop` or
under a cut, text that became markup, a page that raises.

python -m tests.display.template.final_table --hands 100 --pictures pictures      pictures to look at
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any, TypeVar

import cv2
import msgspec
import numpy as np
from playwright.sync_api import Browser, Frame, Page, sync_playwright
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from display.app import ELEMENTS, create_app
from display.push import Hub
from display.template_pages import template_page
from feltwire.tools.shard import shard
from table_core.messages import ProgrammeView, encode
from tests import chromium
from tests.display.air_states import STATES
from tests.display.conftest import Running
from tests.on_air.dealt import TABLE, VENUE, Told
from tests.on_air.evening import HANDS, Evening

T = TypeVar("T")
PATIENCE_S = 120.0
AIR_DELAY_S = 900
EVENT_S = 2.0
MOST_FINDINGS = 20
GAME = ("seats", "board", "pot", "level", "release", "hand", "equity", "outs", "shot-clock")
OTHERS = [name for name in ELEMENTS if name not in (*GAME, "lower-third", "ticker")]
STEPS = "|".join([",".join(name for name in GAME if name in ELEMENTS), *OTHERS])
MARKUP = "<img src=x onerror=window.harmed=1>"
BROKEN = ("{", "<templateData>", "[]", '{"f3": "javascript:1"}')
SUITS = {"spades": "s", "hearts": "h", "diamonds": "d", "clubs": "c"}
RANKS = {"ace": "A", "king": "K", "queen": "Q", "jack": "J", "ten": "T"}
# The names of the cards on the board and, by seat, on the plates.
CARDS = """() => {
  const cards = (node) => [...node.querySelectorAll(".card:not(.slot)")].map((one) => one.ariaLabel);
  const all = { board: cards(document.querySelector("#board")) };
  for (const one of document.querySelectorAll(".seat")) if (cards(one).length) all[one.dataset.seat] = cards(one);
  return all;
}"""


class Report(msgspec.Struct):
    seed: int
    shard: str = "1/1"
    evenings: list[int] = []
    hands: int = 0
    states: int = 0
    faces: int = 0  # states with a hand face up
    calls: dict[str, int] = {}
    pictures: int = 0
    seconds: float = 0.0
    findings: list[str] = []


class Program:
    """A graphics system: how it makes a call in the page that holds the template."""

    def __init__(self, name: str, page: Page, address: str) -> None:
        self.name, self.page = name, page
        page.on("pageerror", lambda error: self.faults.append(f"{name}: {error}"))
        self.faults: list[str] = []
        page.goto(address)

    def call(self, what: str, data: str | None = None) -> None:
        raise NotImplementedError

    def fields(self, **texts: str) -> str:
        raise NotImplementedError

    def is_ready(self) -> bool:
        return bool(self.page.evaluate("typeof update === 'function'"))

    def frame(self) -> Frame | None:
        """The page on air within the template. Frames are known once the browser was asked something."""
        self.page.title()
        return next((one for one in self.page.frames if "/air/" in one.url), None)


class Caspar(Program):
    """Statements in the page, with quotes escaped and nothing else, and data as XML."""

    def call(self, what: str, data: str | None = None) -> None:
        quoted = "" if data is None else '"{}"'.format(data.strip(' "').replace('"', '\\"'))
        self.page.evaluate(f"{what}({quoted})")

    def fields(self, **texts: str) -> str:
        parts = [
            f'<componentData id="{name}"><data id="text" value="{escape(text)}"/></componentData>'
            for name, text in texts.items()
        ]
        return f"<templateData>{''.join(parts)}</templateData>"


class Spx(Program):
    """Calls on the window of a frame, with data as JSON."""

    def call(self, what: str, data: str | None = None) -> None:
        given = [what, *([] if data is None else [data])]
        self.page.evaluate("([what, ...data]) => frames[0][what](...data)", given)

    def fields(self, **texts: str) -> str:
        return json.dumps(texts)

    def is_ready(self) -> bool:
        return bool(self.page.evaluate("typeof frames[0]?.update === 'function'"))


def spx_server(relay: str) -> Running:
    async def host(request: Request) -> Response:
        style = "html,body,iframe{margin:0;width:100%;height:100%;border:0}"
        return HTMLResponse(f"<!doctype html><style>{style}</style><iframe src=/feltwire.html></iframe>")

    async def template(request: Request) -> Response:
        return HTMLResponse(template_page(relay)[0])

    app = Starlette(routes=[Route("/", host), Route("/feltwire.html", template)])
    app.state.hub, app.state.signin, app.state.phones = Hub(), None, None
    return Running(app)


@dataclass
class OnAir(Evening):
    """A relay that hears a table's hands and releases them; each picture that goes on air is given to `shown`."""

    shown: Callable[[dict[str, Any]], object] = print

    def start(self) -> None:
        self.delay, self.air, self.folded = "5", str(AIR_DELAY_S), True
        super().start()

    def tell(self, told: Told) -> None:
        """Each event has its moment: what comes at once is one picture."""
        super().tell(told)
        self.wait(EVENT_S)

    def disturb(self) -> None:
        """Nobody does: that is what `tests.on_air` is for."""

    def _went_out(self, what: str, where: str, body: bytes) -> None:
        super()._went_out(what, where, body)
        if what == "show" and where == f"overlay/{TABLE}":
            self.shown(json.loads(body))


class Show:
    """The pages of a relay, and two programs that show them."""

    def __init__(self, report: Report, browser: Browser, pictures: Path) -> None:
        self.report, self.pictures = report, pictures
        self.hub = Hub()
        self.relay = Running(create_app(hub=self.hub, pages={"air"}, venue=VENUE, tables=[TABLE]))
        self.spx = spx_server(self.relay.url)
        air = f"{self.relay.url}/air/{TABLE}"
        self.hub.publish("event", encode(STATES["everything"]().event))
        self.programme(cut=False)
        self.programs: list[Program] = [
            Caspar("caspar", new_page(browser), f"{self.relay.url}/template/feltwire.html"),
            Spx("spx", new_page(browser), self.spx.url),
        ]
        for program in self.programs:
            wait_for(program.is_ready)
            program.call("update", program.fields(f3=air, f4=STEPS))
            program.call("play")
            wait_for(program.frame)
        self._streets: set[tuple[int, str]] = set()

    def close(self) -> None:
        for program in self.programs:
            self.report.findings += program.faults
            program.page.context.close()
        self.spx.stop()
        self.relay.stop()

    def programme(self, *, cut: bool) -> None:
        self.hub.publish("programme", encode(ProgrammeView(feature=TABLE, cut=cut)))

    def picture(self, view: dict[str, Any]) -> None:
        """One picture of the relay, through both programs; each street of a hand through all elements."""
        if len(self.report.findings) >= MOST_FINDINGS:
            return
        self.hub.publish(f"overlay/{TABLE}", json.dumps(view).encode())
        if not view["seats"]:
            return
        self.report.states += 1
        self.report.faces += any(one["cards"] and "??" not in one["cards"] for one in view["seats"])
        is_new = view["hand"] not in {hand for hand, _ in self._streets}
        every = (view["hand"], view["street"]) not in self._streets
        self._streets.add((view["hand"], view["street"]))
        self.report.hands += is_new
        for program in self.programs:
            compare(self.report, program, view)
            if is_new:
                off_and_on(self.report, program, self.programme)
            if every:
                state(self.report, program, view, self.pictures)


def main() -> int:
    args = _parser().parse_args()
    part = "{}/{}".format(*args.shard)
    report = Report(args.seed, part)
    if args.resume and args.report is not None and args.report.exists():
        report = msgspec.json.decode(args.report.read_bytes(), type=Report)
        if (report.seed, report.shard) != (args.seed, part):
            print(f"{args.report} is of another run; give its --seed and --shard", file=sys.stderr)
            return 2
    first, of = args.shard
    numbers = [n for n in range(-(-args.hands // HANDS)) if n % of == first - 1 and n not in report.evenings]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.PROGRAM, args=chromium.QUIET)
        for number in numbers[: args.limit]:
            play(report, browser, number, args.pictures)
            if args.report is not None:
                args.report.write_bytes(msgspec.json.encode(report) + b"\n")
        browser.close()
    print(msgspec.json.encode(report).decode())
    return 1 if report.findings else 0


def play(report: Report, browser: Browser, number: int, pictures: Path, hands: int = HANDS) -> None:
    """One evening of some hands."""
    pictures.mkdir(parents=True, exist_ok=True)
    began = time.monotonic()
    show = Show(report, browser, pictures)
    try:
        with tempfile.TemporaryDirectory(prefix="feltwire-air-") as folder:
            seed = f"{report.seed} {number}"
            evening = OnAir(Path(folder), seed, lambda place: None, shown=show.picture)
            evening.play(hands)
            evening.wait(2 * AIR_DELAY_S)
            report.findings += evening.finds
    finally:
        show.close()
    report.evenings.append(number)
    report.seconds = round(report.seconds + time.monotonic() - began, 1)


def state(report: Report, program: Program, view: dict[str, Any], pictures: Path) -> None:
    """One state through one program: its texts, then every step."""
    third, where = f"Hand {view['hand']} {MARKUP}", f"{program.name}: hand {view['hand']}"
    do(report, program, "update", program.fields(f0=third, f1=view["last"] or view["street"]))
    frame = program.frame()
    if frame is None:
        report.findings.append(f"{where}: the page on air is gone")
        return
    if not holds(lambda: third in frame.locator("#lower-third").inner_text()):
        report.findings.append(f"{where}: the lower third is not {third!r}")
    if frame.locator("img[src='x']").count() or frame.evaluate("window.harmed"):
        report.findings.append(f"{where}: text became markup")
    picture(report, program, pictures / f"{program.name}-{view['street']}.png")
    for step in STEPS.split("|")[1:]:
        do(report, program, "next")
        if not holds(lambda: frame.locator("#board").is_hidden()):
            report.findings.append(f"{where}: the board stays in the step {step}")
        picture(report, program, pictures / f"{program.name}-{step}.png")
    do(report, program, "stop")
    do(report, program, "play")
    if not holds(lambda: frame.locator("#board").is_visible()):
        report.findings.append(f"{where}: behind stop and play it does not begin with its first step")


def off_and_on(report: Report, program: Program, programme: Callable[..., object]) -> None:
    """Off, and cut: nothing is painted. Data that cannot be read changes nothing."""
    do(report, program, "stop")
    if not holds(lambda: is_blank(program.page)):
        report.findings.append(f"{program.name}: something stays after stop")
    for data in BROKEN:
        do(report, program, "update", data)
    do(report, program, "play")
    if not holds(lambda: not is_blank(program.page)):
        report.findings.append(f"{program.name}: nothing is there after play")
    programme(cut=True)
    if not holds(lambda: is_blank(program.page)):
        report.findings.append(f"{program.name}: something stays under a cut")
    programme(cut=False)
    if not holds(lambda: not is_blank(program.page)):
        report.findings.append(f"{program.name}: nothing is there after a cut")


def is_blank(page: Page) -> bool:
    return bool(pixels(page)[:, :, 3].max() == 0)


def do(report: Report, program: Program, what: str, data: str | None = None) -> None:
    program.call(what, data)
    name = f"{program.name} {what}"
    report.calls[name] = report.calls.get(name, 0) + 1


def compare(report: Report, program: Program, view: dict[str, Any]) -> None:
    """The cards on the page are those of the relay, within the moment that a picture needs."""
    shown: list[Any] = []

    def same() -> bool:
        frame = program.frame()
        shown[:] = [] if frame is None else [shown_in(frame)]
        return shown == [wanted_of(view)]

    if not holds(same):
        report.findings.append(f"{program.name}: shows {shown}, the relay says {wanted_of(view)}")


def wanted_of(view: dict[str, Any]) -> dict[str, list[str]]:
    seats = {str(one["seat"]): one["cards"] for one in view["seats"] if one["cards"]}
    return {"board": view["board"], **seats}


def shown_in(frame: Frame) -> dict[str, list[str]]:
    found: dict[str, list[str]] = frame.evaluate(CARDS)
    return {where: [card_of(name) for name in names] for where, names in found.items()}


def card_of(name: str) -> str:
    if name == "card face down":
        return "??"
    rank, _, suit = name.partition(" of ")
    return RANKS.get(rank, rank) + SUITS[suit]


def picture(report: Report, program: Program, path: Path) -> None:
    """The first of each kind, over a green cloth."""
    if path.exists():
        return
    program.page.wait_for_timeout(400)  # motion ends
    shown = pixels(program.page).astype(float)
    alpha = shown[:, :, 3:] / 255
    cloth = np.full_like(shown[:, :, :3], (60, 90, 40))
    cv2.imwrite(str(path), (shown[:, :, :3] * alpha + cloth * (1 - alpha)).astype(np.uint8))
    report.pictures += 1


def pixels(page: Page) -> Any:
    png = page.screenshot(omit_background=True)
    return cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_UNCHANGED)


def new_page(browser: Browser) -> Page:
    return browser.new_context(viewport={"width": 1920, "height": 1080}).new_page()


def holds(fact: Callable[[], bool], within_s: float = 15.0) -> bool:
    end = time.monotonic() + within_s
    while not fact():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


def wait_for(get: Callable[[], T | None]) -> T:
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        found = get()
        if found:
            return found
        time.sleep(0.2)
    raise TimeoutError(f"not within {PATIENCE_S:.0f} s")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hands", type=int, default=100, help="rounded up to evenings of eight (100)")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--shard", type=shard, default=(1, 1), metavar="I/N", help="this part of the evenings")
    parser.add_argument("--limit", type=int, help="at most so many evenings now")
    parser.add_argument("--pictures", type=Path, default=Path("pictures"), help="folder of the pictures")
    parser.add_argument("--report", type=Path, help="JSON, written behind each evening")
    parser.add_argument("--resume", action="store_true", help="go on where the report ends")
    return parser


if __name__ == "__main__":
    sys.exit(main())
