"""`feltwire obs`: switches the scenes of OBS at moments of what is on air.

A process of its own, so that the one that opens sealed cards speaks to no other program. It reads the relay's
public channels and nothing else: a moment comes when viewers see it. A scene that cannot be shown within three
seconds of its moment is left out: a switch that comes late is worse than none.
"""

from __future__ import annotations

import argparse
import logging
import signal
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from feltwire.config import load
from feltwire.errors import UsageError
from feltwire.private_files import readable_by_others
from feltwire.relay.obs.client import Obs, ObsError, WrongPassword
from feltwire.relay.obs.moments import Moment, Watched
from feltwire.relay.obs.settings import ObsConfig
from feltwire.relay.obs.stream import Stream, StreamLost, parts_of
from feltwire.runtime.log_lines import log_to_stderr
from feltwire.runtime.process import add_config
from supervised.thread import SupervisedThread
from table_core.messages import (
    EventView,
    LaterVersion,
    Malformed,
    OverlayView,
    ProgrammeView,
    decode,
)

log = logging.getLogger(__name__)

HELP = "Switches the scenes of OBS at moments of what is on air: all-in, flop, break, cut."
EXAMPLE = "feltwire obs --config obs.toml"

FRESH_S = 3.0  # for so long after its moment a scene may still be shown
LOOK_S = 1.0  # how often the line to OBS is looked at while nothing happens
SOON_S, AGAIN_S, LONGEST_AGAIN_S = 0.1, 1.0, 30.0  # until a line is opened again: one that was good, another one


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_config(parser, "the scenes")
    parser.add_argument(
        "--check", action="store_true", help="say whether OBS is there and has the scenes, and end"
    )


def run(args: argparse.Namespace) -> int:
    log_to_stderr(args.log)
    switcher = Switcher(load(args.config, ObsConfig))
    if args.check:
        return switcher.check()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    switcher.start()
    switcher.follow()
    return 0


@dataclass(frozen=True)
class Wanted:
    scene: str
    moment: Moment
    at: float  # monotonic seconds


class Switcher:
    """Follows the relay in the thread that calls `follow`, and speaks to OBS in another one: neither waits.

    Only the newest scene is wanted. Where the scene on program is none of the settings', or that of a cut,
    somebody chose the picture by hand, and it stays; a cut is carried out over that, too.
    """

    def __init__(self, config: ObsConfig, now: Callable[[], float] = time.monotonic) -> None:
        if not config.scenes:
            raise UsageError('[scenes]: names no moment; write all_in = "Heads-up", or another one')
        parts_of("url", config.url, ("ws", "wss"), "ws://127.0.0.1:4455")
        self._config = config
        self._now = now
        self._left = {scene for moment, scene in config.scenes.items() if moment is not Moment.CUT}
        self._password()
        channels = (f"overlay/{config.feed}", "event", "programme")
        self._stream = Stream(config.relay, channels, config.ca)
        self._watched = Watched()
        self._wanted: Wanted | None = None
        self._news = threading.Condition()
        self._stopping = threading.Event()
        self._said = ""
        self._thread = SupervisedThread(self._speak, "obs", stopping=self._stopping)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stopping.set()
        self._thread.join(10)

    def check(self) -> int:
        """Says which scenes of the settings OBS has."""
        try:
            with Obs.at(self._config.url, self._password()) as obs:
                there = obs.scenes()
        except ObsError as error:
            print(error)
            return 1
        missing = {*self._config.scenes.values()} - {*there.names}
        print(f"OBS has: {', '.join(there.names)}; on program: {there.current}")
        if missing:
            print(f"missing: {', '.join(sorted(missing))}")
        return 1 if missing else 0

    # ------------------------------------------------------------------------------- what is on air

    def follow(self) -> None:
        """Until `stop`."""
        pause_s = AGAIN_S
        while not self._stopping.is_set():
            try:
                for channel, raw in self._stream.snapshots():
                    pause_s = AGAIN_S
                    if self._stopping.is_set():
                        return
                    self._came(channel, raw)
            except StreamLost as error:
                self._say(str(error))
            self._watched.lost()
            self._stopping.wait(pause_s)
            pause_s = min(2 * pause_s, LONGEST_AGAIN_S)

    def _came(self, channel: str, raw: bytes) -> None:
        try:
            for moment in self._moments(channel, raw):
                self._want(moment)
        except LaterVersion as error:
            self._say(f"the relay has a later version ({error}): update this program")
        except Malformed as error:
            self._say(f"{channel}: malformed, and ignored ({error})")

    def _moments(self, channel: str, raw: bytes) -> list[Moment]:
        match channel:
            case "event":
                return self._watched.event(decode(raw, EventView))
            case "programme":
                return self._watched.programme(decode(raw, ProgrammeView))
            case "":
                return []
        return self._watched.table(decode(raw, OverlayView))

    def _want(self, moment: Moment) -> None:
        scene = self._config.scenes.get(moment)
        if scene is None or (self._watched.is_cut and moment is not Moment.CUT):
            return
        with self._news:
            self._wanted = Wanted(scene, moment, self._now())
            self._news.notify()

    # ------------------------------------------------------------------------------------------ OBS

    def _speak(self) -> None:
        pause_s = AGAIN_S
        while not self._stopping.is_set():
            try:
                with Obs.at(self._config.url, self._password()) as obs:
                    self._say("connected to OBS", logging.INFO)
                    pause_s = SOON_S
                    self._serve(obs)
            except WrongPassword as error:
                pause_s = LONGEST_AGAIN_S
                self._say(str(error))
            except (ObsError, UsageError) as error:
                self._say(str(error))
            self._stopping.wait(pause_s)
            pause_s = min(max(2 * pause_s, AGAIN_S), LONGEST_AGAIN_S)

    def _serve(self, obs: Obs) -> None:
        while not self._stopping.is_set():
            with self._news:
                if self._wanted is None:
                    self._news.wait(LOOK_S)
                wanted, self._wanted = self._wanted, None
            if wanted is None:
                obs.look()
            elif self._now() - wanted.at > FRESH_S:
                self._say(f"{wanted.moment}: {wanted.scene} is left out, OBS was away at its moment")
            else:
                self._show(obs, wanted)

    def _show(self, obs: Obs, wanted: Wanted) -> None:
        """The line may have ended unseen: then the scene is wanted still."""
        try:
            there = obs.scenes()
        except ObsError:
            with self._news:
                self._wanted = self._wanted or wanted
            raise
        if wanted.scene not in there.names:
            self._say(f"{wanted.moment}: OBS has no scene {wanted.scene}; it has {', '.join(there.names)}")
        elif there.current not in self._left and wanted.moment is not Moment.CUT:
            self._say(f"{wanted.moment}: {there.current} was chosen by hand and stays", logging.INFO)
        elif there.current != wanted.scene:
            obs.show(wanted.scene)
            self._say(f"{wanted.moment}: {wanted.scene}", logging.INFO)

    def _password(self) -> str:
        """Read anew for each line; raise `UsageError` where it cannot be, or others may read it."""
        if not self._config.password:
            return ""
        path = Path(self._config.password)
        if readable_by_others(path):
            raise UsageError(f"{path}: others may read it; chmod 600, and give OBS another password")
        try:
            return path.read_text("utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            raise UsageError(f"{path}: cannot be read ({error}); name the file with the password of OBS") from None

    def _say(self, words: str, level: int = logging.WARNING) -> None:
        """What is said again and again is logged once."""
        if words != self._said:
            log.log(level, "%s", words)
        self._said = words
