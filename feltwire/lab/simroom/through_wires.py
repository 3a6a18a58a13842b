"""Recorded hands all the way through: pseudo-terminals, rendered frames, a real table process, a real broker.

This process is the dealer and the director. As director it sets seats, button and level of each hand on the
table's command topic and acknowledges events as a station does; as dealer it performs the hand with simulated
devices. What came of the hand it reads from the events that the table publishes, and from nowhere else.
"""

from __future__ import annotations

import contextlib
import logging
import socket
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import msgspec

from feltwire.config import Broker, CameraConfig, SerialDevice, TableConfig, Web
from feltwire.errors import UsageError
from feltwire.lab.demo.broker import EmbeddedBroker
from feltwire.lab.simroom.config import SimroomConfig
from feltwire.lab.simroom.dealer.dealing import TableStuck
from feltwire.lab.simroom.dealer.mischief import Fault
from feltwire.lab.simroom.dealer.pace import Pace
from feltwire.lab.simroom.dealer.robot import RobotDealing
from feltwire.lab.simroom.dealer.screen import ScreenDark
from feltwire.lab.simroom.devices import SimDevices
from feltwire.lab.simroom.play.observer import ScriptError
from feltwire.lab.simroom.play.recorded import script_of
from feltwire.lab.simroom.play.script import HandScript
from feltwire.private_files import python
from feltwire.runtime.broker import topics
from feltwire.runtime.broker.bus import Bus
from feltwire.runtime.children import ChildSpec, Supervisor
from feltwire.tools.replay_outcome import HandOutcome, pots_of, refused_hand
from firmware_bridge.decks import generate
from table_core.histories.recorded import RecordedHand
from table_core.messages import (
    Ack,
    AnyEvent,
    Birth,
    Chips,
    Envelope,
    Grant,
    HandEnded,
    HandStarted,
    Malformed,
    Rewound,
    Seat,
    SeatsSet,
    SetSeats,
    decode,
    decode_envelope,
    encode,
)
from table_core.rulebook import Rulebook, load_rulebook

log = logging.getLogger(__name__)

VENUE = "replay"
TABLE = "01"
SEAT_COUNT = 9
SEED = 43
FPS = 60.0
STARTS_S = 60.0  # on a busy machine too
ANSWERS_S = 30.0
SMALLEST_CHIP = Chips(1)

Progress = Callable[[int, int], None]


def replay_through_wires(
    recorded: Sequence[RecordedHand],
    names: Sequence[str],
    *,
    rulebook: str,
    progress: Progress,
    broker: str = "",
) -> Iterator[HandOutcome]:
    """Each hand through devices, table process and broker; `names` are the hands' names in the outcome.

    `broker` is the URL of one that runs already; without it one is started. Raise `UsageError` when the table
    does not come up or stops answering.
    """
    if not recorded:
        return
    seats = max(len(hand.starting_stacks) for hand in recorded)
    with _wires(recorded[0], load_rulebook(rulebook), max(SEAT_COUNT, seats), broker) as wires:
        for number, (hand, name) in enumerate(zip(recorded, names, strict=True), 1):
            yield wires.replay(hand, name, number)
            progress(number, len(recorded))


class _Log:
    """The table's events as they come over the broker."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._events: list[Envelope] = []

    def add(self, envelope: Envelope) -> bool:
        """Take an event that continues the log; False for one that was here already, or a gap."""
        with self._changed:
            if envelope.seq != len(self._events) + 1:
                return False
            self._events.append(envelope)
            self._changed.notify_all()
            return True

    @property
    def length(self) -> int:
        return len(self._events)

    def wait(self, wanted: Callable[[AnyEvent, str], bool], since: int, timeout: float) -> bool:
        """Wait for an event after the first `since` that is wanted; `wanted(event, cause)`."""

        def there() -> bool:
            return any(wanted(envelope.data, envelope.cause) for envelope in self._events[since:])

        with self._changed:
            return self._changed.wait_for(there, timeout)

    def effective(self, since: int) -> list[AnyEvent]:
        """Events after the first `since` that no rewinding cut."""
        later = self._events[since:]
        cut: set[int] = set()
        for envelope in reversed(later):  # what rewound is rewound itself, where a later one names it
            if isinstance(envelope.data, Rewound) and envelope.seq not in cut:
                cut.update(envelope.data.cut)
        return [envelope.data for envelope in later if envelope.seq not in cut]


class _Wires:
    """One long-lived table process with this process's devices at it."""

    def __init__(self, devices: SimDevices, events: _Log, bus: Bus, rulebook: Rulebook) -> None:
        self._devices = devices
        self._events = events
        self._bus = bus
        self._rulebook = rulebook

    def replay(self, recorded: RecordedHand, name: str, number: int) -> HandOutcome:
        expected = recorded.finishing_stacks
        if expected is None:
            return refused_hand(name, "the file records no finishing_stacks to compare with")
        since = self._events.length
        try:
            script = script_of(recorded, hand=number, seed=SEED)
            self._seat(script)
            self._deal(script)
        except (ScriptError, TableStuck, ValueError) as error:
            self._devices.hands.felt.collect_cards()
            return refused_hand(name, f"{name}: {error}", expected)
        return self._outcome(name, number, expected, since)

    def _seat(self, script: HandScript) -> None:
        """Be the director: who sits where with what, which button, which level, which hand."""
        since = self._events.length
        command = SetSeats(f"hand-{script.hand}", script.seats, script.button, script.hand, script.level)

        def answered(event: AnyEvent, cause: str) -> bool:
            return isinstance(event, SeatsSet) and cause == f"command/{command.id}"

        for _ in range(round(STARTS_S)):
            self._bus.publish(topics.table(VENUE, TABLE, "command"), encode(command))
            if self._events.wait(answered, since, 1.0):
                return
        raise UsageError(f"the table did not answer the director for {STARTS_S:.0f} s")

    def _deal(self, script: HandScript) -> None:
        dealing = RobotDealing(
            self._devices.hands,
            self._rulebook,
            plan=lambda _level: script,
            level=script.level,
            fault=Fault(),
            smallest_chip=SMALLEST_CHIP,
        )
        performed = dealing.play()
        self._devices.sent()  # nobody asks for latencies here
        if performed.tally.corrections or performed.misread:
            log.warning(
                "hand %d: %d corrections, %d cards misread",
                script.hand,
                performed.tally.corrections,
                performed.misread,
            )

    def _outcome(self, name: str, number: int, expected: tuple[Chips, ...], since: int) -> HandOutcome:
        ended = self._events.wait(lambda e, _: isinstance(e, HandEnded) and e.hand == number, since, ANSWERS_S)
        events = self._events.effective(since)
        ends = [event for event in events if isinstance(event, HandEnded) and event.hand == number]
        begins = [event for event in events if isinstance(event, HandStarted) and event.hand == number]
        if not ended or not ends or len(begins) != 1:
            return refused_hand(name, f"{name}: the table did not record the hand from start to end", expected)
        stacks = {share.seat: share.amount for share in ends[-1].stacks}
        finishing = tuple(stacks.get(Seat(seat), Chips(0)) for seat in range(1, len(expected) + 1))
        return HandOutcome(name, finishing, expected, finishing == expected, pots_of(events))


@contextlib.contextmanager
def _wires(first: RecordedHand, rulebook: Rulebook, seat_count: int, broker: str) -> Iterator[_Wires]:
    """Broker, table process (its seats as in the `first` hand), bus and devices, all up."""
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="feltwire-replay-")))
        url = broker or stack.enter_context(EmbeddedBroker(free_port())).url
        web_port = free_port()
        simroom = _lay_out(folder, first, rulebook.id, seat_count, url, web_port)
        argv = python("feltwire", "table", "--config", str(folder / "table.toml"))
        log_file = folder / "table.log"
        stack.enter_context(Supervisor([ChildSpec(name="table", argv=argv, log_file=log_file)]))
        events = _Log()
        bus = _listen(url, events)
        stack.callback(bus.stop)
        devices = stack.enter_context(SimDevices(simroom, Pace(0)))
        try:
            yield _Wires(devices, events, bus, rulebook)
        except ScreenDark as dark:
            last = log_file.read_text(errors="replace").splitlines()[-1:] or ["nothing in its log"]
            raise UsageError(f"the table process is gone: {dark}; {last[0]}") from dark


def _listen(url: str, events: _Log) -> Bus:
    """Subscribed to what the table says: it is put in charge and acknowledged as a station does it."""

    def came(topic: str, payload: bytes) -> None:
        try:
            if topic.endswith("birth"):
                birth = decode(payload, Birth)
                grant = Grant(f"grant-{birth.ledger}", birth.ledger, birth.epoch, key=birth.key)
                bus.publish(topics.table(VENUE, TABLE, "grant"), encode(grant))
                return
            envelope = decode_envelope(payload)
        except Malformed as error:
            log.warning("the table published what is no event: %s", error)
            return
        if events.add(envelope):
            ack = Ack(envelope.epoch, envelope.seq)
            bus.publish(topics.table(VENUE, TABLE, "ack"), encode(ack))

    up = threading.Event()
    bus = Bus(
        Broker(url),
        client_id=f"{VENUE}-director",
        subscriptions=[topics.table(VENUE, TABLE, leaf) for leaf in ("event", "birth")],
        on_message=came,
        on_up=up.set,
        on_down=lambda reason: log.warning("%s", reason),
    )
    bus.start()
    if not up.wait(STARTS_S):
        bus.stop()
        raise UsageError(f"the broker at {url} does not answer; start one, or leave it to this command")
    return bus


def _lay_out(
    folder: Path, first: RecordedHand, rulebook: str, seat_count: int, url: str, web_port: int
) -> SimroomConfig:
    """Write the table's configuration and decks; what the devices are told."""
    decks = folder / "decks.toml"
    decks.write_text(generate(SEED, decks=2))
    keypad, shoe, camera = (str(folder / name) for name in ("keypad", "shoe", "camera"))
    table = TableConfig(
        venue=VENUE,
        table=TABLE,
        data=str(folder),
        seats=first.seats,
        levels=(first.level,),
        seat_count=seat_count,
        rulebook=rulebook,
        smallest_chip=SMALLEST_CHIP,
        broker=Broker(url),
        web=Web(port=web_port),
        keypad=SerialDevice(keypad),
        shoe=SerialDevice(shoe),
        decks=str(decks),
        camera=CameraConfig(f"socket:{camera}"),
    )
    (folder / "table.toml").write_bytes(msgspec.toml.encode(table))
    return SimroomConfig(
        table=TABLE,
        seats=table.seats,
        levels=table.levels,
        keypad=keypad,
        shoe=shoe,
        camera=camera,
        decks=str(decks),
        screen=f"http://127.0.0.1:{web_port}/api/table/{TABLE}",
        seat_count=seat_count,
        rulebook=rulebook,
        smallest_chip=SMALLEST_CHIP,
        seed=SEED,
        speed=0,
        fps=FPS,
    )


def free_port() -> int:
    """A port of this machine that nobody uses now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
