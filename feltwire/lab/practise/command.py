"""`feltwire practise`: a dealer learns the keys with simulated players, before anybody's chips depend on it."""

from __future__ import annotations

import argparse
import json
import secrets
import threading
import time
from collections.abc import Callable
from typing import Any

from starlette.applications import Starlette

from display.actions import ActionRefused, RulingsWanted, Touch
from display.app import create_app
from display.identity.access import Role
from display.identity.people import Person
from display.identity.signin import SignIn
from display.presses import TimedPress
from display.push import Hub
from feltwire.config import Web
from feltwire.errors import UsageError
from feltwire.home.browser import open_browser, there_is_one
from feltwire.lab.practise.practice import NAMES, TABLE, Practice
from feltwire.rulebooks import rulebook_named
from feltwire.runtime.pages.web import listen, serve_until
from supervised.thread import SupervisedThread
from table_core.messages import encode
from table_core.rulebook import BASE, RulebookError

HELP = """A dealer practises: simulated players play, you press what they do, and are told what was missed. Three
lessons, some thirty minutes, with a score for each key. It needs no device and no other process."""
EXAMPLE = "feltwire practise --book wfp --players 6"
TICK_S = 0.05
STOPS_S = 10.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--book", default=BASE, metavar="ID", help="rulebook: an id or a file of your own (base)")
    parser.add_argument("--players", type=int, default=6, metavar="N", help="2 to 9 (6)")
    parser.add_argument("--port", type=int, default=0, metavar="P", help="of its page (any that is free)")
    parser.add_argument("--seed", type=int, metavar="S", help="the same players again")
    parser.add_argument("--no-browser", action="store_true", help="do not open a browser")
    parser.add_argument("--json", action="store_true", help="print the address, and at the end the score, as JSON")


def run(args: argparse.Namespace) -> int:
    """Practise until Ctrl-C; then the score is printed. Raise `UsageError` for what a person must mend."""
    if not 2 <= args.players <= len(NAMES):
        raise UsageError(f"--players: 2 to {len(NAMES)}, not {args.players}")
    if not 0 <= args.port <= 65_535:
        raise UsageError(f"--port: 0 to 65535, not {args.port}")
    try:
        rulebook_named(args.book)
    except RulebookError as error:
        raise UsageError(f"--book: {error}") from error
    seed = secrets.randbelow(2**32) if args.seed is None else args.seed
    practice = Practice(args.book, players=args.players, seed=seed, now=lambda: time.monotonic_ns() // 1_000_000)
    room = PracticeRoom(practice)
    web = Web(port=args.port)
    listener = listen(web)
    address = f"http://127.0.0.1:{listener.getsockname()[1]}"
    link = address + room.link
    if not args.no_browser and there_is_one():
        open_browser(link)
    if args.json:
        print(json.dumps({"link": link, "seed": seed}), flush=True)
    else:
        print(f"Practise at {link} (seed {seed}). Ctrl-C ends it and prints your score.", flush=True)
    try:
        serve_until(room.app, listener, room.failed, web)
    finally:
        room.stop()
    if args.json:
        print(encode(practice.shown()).decode())
        return 0
    shown = practice.shown()
    for one in shown.score:
        print(f"{one.key:14} {one.right} of {one.of}")
    print(f"{shown.right} of {shown.of} right in {shown.hands} hands. {shown.lesson}.")
    return 0


class PracticeRoom:
    """The pages of one practice: its own, and the dealer's screen in it. `link` signs its dealer in, once."""

    def __init__(self, practice: Practice) -> None:
        self._practice = practice
        self._hub = Hub()
        self._hub.beats_by_itself()
        signin = SignIn(name="practise")
        self.link = signin.new_link(signin.keep(Person("dealer", "Dealer", Role.DEALER, TABLE)))
        self._said: dict[str, bytes] = {}
        self.failed = threading.Event()
        self._stopping = threading.Event()
        self._publish()
        self.app: Starlette = create_app(
            hub=self._hub,
            pages={"practise", "table"},
            venue="practice",
            tables=[TABLE],
            actions=_Keys(self._press, lambda wanted: encode(self._practice.rulings(wanted.seat, wanted.words))),
            signin=signin,
        )
        self._clock = SupervisedThread(self._run, "practice-clock")
        self._clock.start()

    def stop(self) -> None:
        self._stopping.set()
        self._clock.join(STOPS_S)

    def _press(self, touch: Touch) -> None:
        self._practice.press(touch)
        self._publish()

    def _run(self) -> None:
        try:
            while not self._stopping.wait(TICK_S):
                self._practice.tick()
                self._publish()
        finally:
            self.failed.set()

    def _publish(self) -> None:
        """What has changed on the screens."""
        screen, ruling = self._practice.screens()
        now = {"practise": encode(self._practice.shown()), f"table/{TABLE}": screen, f"ruling/{TABLE}": ruling}
        for channel, data in now.items():
            if data and self._said.get(channel) != data:
                self._said[channel] = data
                self._hub.publish(channel, data)


class _Keys:
    """The presses of the dealer's screen."""

    def __init__(self, press: Callable[[Touch], None], rulings: Callable[[RulingsWanted], bytes]) -> None:
        self._press = press
        self._rulings = rulings

    async def touch(self, table: str, touch: Touch, press: TimedPress) -> str:
        self._press(touch)
        return ""

    async def rulings(self, table: str, wanted: RulingsWanted, press: TimedPress) -> str:
        return self._rulings(wanted).decode()

    async def director(self, command: str, arguments: dict[str, Any], press: TimedPress) -> str:
        raise ActionRefused("Nobody directs a practice")

    async def mischief(self, table: str, kind: str, press: TimedPress) -> str:
        raise ActionRefused("This is no demo")
