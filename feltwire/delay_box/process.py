"""`feltwire delay`: the video of the table, held back as far as the graphics lie back.

Two programs beside it bring the video and send it on (`programs`); in between it waits, encrypted (`ring`).
Whatever fails, what goes out is black, and never early: a piece leaves the ring by `DelayLine.due` alone.
"""

from __future__ import annotations

import argparse
import logging
import threading
from collections.abc import Iterator
from pathlib import Path

from starlette.applications import Starlette

from display.delay.pages import box_app
from feltwire.config import DelayConfig, load
from feltwire.delay_box import measure
from feltwire.delay_box.beside import Cues, send_timecode
from feltwire.delay_box.line import DelayLine
from feltwire.delay_box.node import RELAY, DelayNode, Effect, Subtitle, Wait
from feltwire.delay_box.playout import Playout, Slate, aligned
from feltwire.delay_box.programs import (
    OUT_SCHEMES,
    SCHEMES,
    TIMECODE_SCHEMES,
    Child,
    check_address,
    made,
    need_program,
    output_call,
    slate_call,
    source_call,
    without_secrets,
)
from feltwire.delay_box.ring import Ring
from feltwire.delay_box.status import BoxStatus
from feltwire.errors import UsageError
from feltwire.private_files import data_folder
from feltwire.runtime.broker import topics
from feltwire.runtime.broker.bus_port import Will
from feltwire.runtime.certificates.trust import name_of
from feltwire.runtime.concealed import harden_process
from feltwire.runtime.host import Host
from feltwire.runtime.node_io import BusUp, Say
from feltwire.runtime.pages.figures import Figure
from feltwire.runtime.pages.operation import Health
from feltwire.runtime.process import Process, main
from supervised.thread import SupervisedThread
from table_core.messages import Millis, Status, encode

log = logging.getLogger(__name__)

HELP = """Holds the video of a table back as far as the graphics lie back, encrypted on its disk.

`feltwire delay measure` reads the clock page that a camera films, and says how old its pictures are."""
EXAMPLE = "feltwire delay --config /etc/feltwire/delay/delay.toml"

MOST_READ = 188 * 340
SOURCE_SILENT_S = 10.0  # then it is started again: it waits for a camera, or it hangs
OUTPUT_STUCK_S = 10.0
BACKLOG_MS = 500  # what the output did not take for so long is dropped
FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.5, 5.0
LONGEST_SLEEP_S = 0.05


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--config", metavar="FILE", help="TOML file of the delay box")
    parser.add_argument(
        "--log", choices=("text", "json"), default="text", help="one line of text or one JSON object each (text)"
    )
    what = parser.add_subparsers(dest="what", metavar="measure")
    measure.add_arguments(what.add_parser("measure", help=measure.HELP, description=measure.HELP))


def run(args: argparse.Namespace) -> int:
    harden_process()  # both hold live pictures
    if args.what == "measure":
        return measure.run(args)
    if args.config is None:
        raise UsageError("--config: name the file of the delay box")
    return main(lambda host: DelayProcess(load(args.config, DelayConfig), host), args.log)


class DelayProcess(Process):
    """A `DelayNode`, the ring, and one thread each for what comes and what goes."""

    holds_cards = True

    def __init__(self, config: DelayConfig, host: Host | None = None) -> None:
        super().__init__(host)
        self.config = config
        check_settings(config)
        self.status = BoxStatus()
        self._ends = threading.Event()
        with self._opening():
            self._listen(config.web)
            data_folder(data := Path(config.data))
            self._slate = slate_of(config)
            self.ring = self._open(Ring(data, config.ring_bytes))
            self.line = DelayLine(self.ring)
            self._name = name_of(config.broker, "delay")
            self._drive(self._node(), "delay", data)
            self._cues = cues_of(config, self.host.now())
            self._subscribe(data)
        self._threads = [
            SupervisedThread(self._brings, "source", stopping=self._ends, failed=self.line.new_run),
            SupervisedThread(self._sends, "output", stopping=self._ends),
        ]
        if config.timecode:
            self._threads.append(SupervisedThread(self._counts, "timecode", stopping=self._ends))

    def _node(self) -> DelayNode:
        return DelayNode(self.config, name=self._name, views=self.views)

    def _rebuilt(self) -> tuple[DelayNode, list[BusUp]]:
        return self._node(), self._bus_state()

    def _subscribe(self, data: Path) -> None:
        config = self.config
        self._connect(
            config.broker,
            f"{config.venue}-{self._name}",
            [
                topics.tournament(config.venue, "beat"),
                topics.process(config.venue, RELAY, "air"),
                *([topics.overlay(config.venue, config.subtitles_of)] if config.subtitles else []),
            ],
            venue=config.venue,
            data=data,
            will=Will(topics.process(config.venue, self._name, "status"), encode(Status(online=False))),
            program=topics.process(config.venue, self._name, "program"),
            machine=self._name,
        )

    def start(self) -> None:
        log.info("video: %s, then %s", without_secrets(self.config.source), without_secrets(self.config.output))
        log.info("no picture goes out before %s s have passed (air_floor_s)", self.config.air_floor_s)
        log.info("how it is: %s/delay; the page that the camera films: %s/delay/clock", self.address, self.address)
        super().start()
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        self._ends.set()
        for thread in self._threads:
            thread.join(5)
        super().stop()

    def _app(self) -> Starlette:
        return box_app(self.config.venue, self.host.now, self.said)

    def _perform(self, effect: Effect) -> None:
        if isinstance(effect, Wait):
            self.line.set_wait(effect.wait)
            self.status.delay = effect.delay
        elif isinstance(effect, Subtitle):
            self._subtitle(effect.words)
        else:
            self._tell(effect)

    def _subtitle(self, words: str) -> None:
        try:
            if self._cues is not None:
                self._cues.show(words, self.host.now())
        except OSError as error:
            self._tell(Say(f"subtitles: {self.config.subtitles}: {error.strerror}", "warning", "subtitles"))

    # ------------------------------------------------------------------------------- what comes

    def _brings(self) -> None:
        pause = FIRST_PAUSE_S
        while not self._ends.is_set():
            child = Child(source_call(self.config.source), self.config.source)
            try:
                came = self._reads(child)
            finally:
                said = child.end()
                self.line.new_run()
                self.status.source_at = None
            if not self._ends.is_set() and said:
                self._tell(Say(f"the source is lost: {said}", "warning", "source"))
            pause = FIRST_PAUSE_S if came else min(2 * pause, LONGEST_PAUSE_S)
            self._ends.wait(pause)

    def _reads(self, child: Child) -> bool:
        """Keep what it brings, until it ends or nothing comes; whether anything did."""
        rest, came, silent_since = b"", False, self.host.now()
        while not self._ends.is_set():
            data = child.read(MOST_READ - len(rest), 0.5)
            now = self.host.now()
            if data == b"":
                break
            if data is None:
                if now - silent_since >= SOURCE_SILENT_S * 1_000:
                    break
                continue
            came, silent_since = True, now
            whole, rest = aligned(rest + data)
            if whole and not self.line.arrive(now, whole):
                self._tell(Say(f"video is lost: {self.ring.refused}", "warning", "lost"))
            self.status.source_at = now
        return came

    # ------------------------------------------------------------------------------- what goes

    def _sends(self) -> None:
        playout = Playout(self.line, self._slate)
        pause = FIRST_PAUSE_S
        while not self._ends.is_set():
            child = Child(output_call(self.config.output), self.config.output, reads=True)
            began = self.host.now()
            try:
                self._writes(child, playout)
            finally:
                said = child.end()
                self.status.output_at = None
            if not self._ends.is_set():
                self._tell(Say(f"the output is lost: {said or 'it takes nothing'}", "warning", "output"))
                long = self.host.now() - began > LONGEST_PAUSE_S * 1_000
                pause = FIRST_PAUSE_S if long else min(2 * pause, LONGEST_PAUSE_S)
                self._passes_over(playout, pause)

    def _passes_over(self, playout: Playout, pause_s: float) -> None:
        """Without an output what is due is let go: it does not go out late."""
        until = self.host.now() + pause_s * 1_000
        while not self._ends.is_set() and self.host.now() < until:
            playout.step(self.host.now())
            self._ends.wait(LONGEST_SLEEP_S)

    def _writes(self, child: Child, playout: Playout) -> None:
        """Send what is due, until the output ends or takes nothing."""
        waiting, taken_at, since = b"", self.host.now(), Millis(0)
        while not self._ends.is_set() and not child.has_ended:
            now = self.host.now()
            out = playout.step(now)
            self.status.playing = playout.is_live
            self.status.gaps = playout.gaps
            if not waiting:
                since = now
            waiting += out
            try:
                taken = child.write(waiting) if waiting else 0
            except OSError:
                return
            if taken:
                waiting, taken_at = waiting[taken:], now
                self.status.output_at = now
            elif waiting and now - taken_at >= OUTPUT_STUCK_S * 1_000:
                return
            if waiting and now - since >= BACKLOG_MS:
                waiting = waiting[: len(waiting) % 188]  # the rest of a packet that was begun
            sleep = (playout.wake_at(now) - self.host.now()) / 1_000
            self._ends.wait(min(max(sleep, 0.001), LONGEST_SLEEP_S) if not waiting else 0.005)

    def _counts(self) -> None:
        config, now = self.config, self.host.now
        send_timecode(config.timecode, config.timecode_fps, self._ends, now, self._taken_at, self._lost_timecode)

    def _lost_timecode(self, said: str) -> None:
        self._tell(Say(f"the timecode is lost: {said}", "warning", "timecode"))

    def _taken_at(self) -> int | None:
        """The time of day at which the picture was taken that goes out now."""
        wait = self.line.wait
        if wait is None or not self.status.playing:
            return None
        return self.host.wall() - wait - self.config.latency_ms

    # ------------------------------------------------------------------------------- operation

    def said(self) -> dict[str, object]:
        """How the box is, for its page."""
        return self.status.said(self.host.now(), self.line, self.ring, self.config)

    def health(self) -> Health:
        """A source that is away, an output or a relay is no fault of this process: its page and figures say it."""
        found = super().health()
        return (
            found._replace(why=(*found.why, f"video is lost: {self.ring.refused}")) if self.ring.refused else found
        )

    def _between_hands(self) -> bool:
        """A start makes the stream black for the whole delay: not while a camera sends."""
        return not self.status.source_up(self.host.now())

    def _figures(self) -> Iterator[Figure]:
        yield from super()._figures()
        yield from self.status.figures(self.host.now(), self.line, self.ring)


def check_settings(config: DelayConfig) -> None:
    """Raise `UsageError` for what the box cannot start with."""
    check_address("source", config.source, SCHEMES)
    check_address("output", config.output, OUT_SCHEMES)
    if config.subtitles and not config.subtitles_of:
        raise UsageError("subtitles: name the table as subtitles_of")
    if config.timecode:
        check_address("timecode", config.timecode, TIMECODE_SCHEMES)
    need_program()


def cues_of(config: DelayConfig, now: Millis) -> Cues | None:
    """None where no subtitles are asked for. Raise `UsageError` where the file cannot be written."""
    if not config.subtitles:
        return None
    try:
        return Cues(Path(config.subtitles), now)
    except OSError as error:
        raise UsageError(
            f"subtitles: {config.subtitles}: {error.strerror}; name a file that can be written"
        ) from error


def slate_of(config: DelayConfig) -> Slate:
    """Made beforehand. Raise `UsageError` where it cannot be."""
    slate = config.slate
    data = made(
        slate_call(
            picture=slate.picture,
            width=slate.width,
            height=slate.height,
            fps=slate.fps,
            video=slate.video,
            audio=slate.audio,
        ),
        "slate",
    )
    try:
        return Slate(data)
    except ValueError as error:
        raise UsageError(f"slate: {error}; look at [slate] of the settings") from error
