"""A process without its I/O, and the thread that drives one.

A *node* takes one input and the boot time and answers with effects and the time at which it wants to be
woken: `step(input, now) -> effects, wake_at`. It reads no clock, opens no file and starts no thread, so a whole
room can be run in one thread with a virtual clock. Adapters (serial, MQTT, camera, web, disk) only enqueue
inputs and carry out effects; `Driver` is the loop between them.

An input at which a node raises is quarantined, and the node is rebuilt from its ledger, because its memory may be
half changed (docs/decisions/0020-malformed-input-and-quarantine.md).
"""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol, TypeVar

from feltwire.runtime.boottime import boot_millis
from feltwire.runtime.fair_queue import FairQueue, source_of
from feltwire.runtime.node_io import Quarantined
from feltwire.runtime.parts import NOT_THE_INPUTS, InputFailed, PartFailed, Parts
from feltwire.runtime.quarantine import Quarantine, digest_of
from feltwire.runtime.throttled_log import ThrottledLog
from supervised.thread import SupervisedThread
from table_core.messages import Millis, Unencodable

log = logging.getLogger(__name__)

BEAT_MS = 1_000
PART, INPUT = "part ", "input "
SHORTEST_PAUSE_MS, LONGEST_PAUSE_MS = 250, 60_000  # of a node that raises when only time has passed

I_contra = TypeVar("I_contra", contravariant=True)
E_co = TypeVar("E_co", covariant=True)


class Node(Protocol[I_contra, E_co]):
    def step(self, given: I_contra | None, now: Millis) -> tuple[Iterable[E_co], Millis | None]:
        """Take one input (None: only time has passed); give effects in order and when to be woken."""
        ...


class Driver:
    """Runs one node in a thread of its own: inputs from a queue, effects in order, waking on time.

    `perform` carries out one effect. An input at which the node or `perform` raises is quarantined, and `rebuild`
    gives a new node from what is on the disk, with its first inputs. A part of the node that raises is left out
    where it raises again (`parts`); where the passing of time raises, it is an input ever more seldom. Without
    `rebuild`, and for a fault of the disk or the machine, the process ends with the error; it is started again and
    recovers from its ledger. `between` is called before each input, with whether one waits
    already: effects that cost less together are carried out there. `beat` is called each second by the thread that
    drives the node: not while a step lasts. `now` is boot time.
    """

    def __init__(
        self,
        node: Node[Any, Any],
        perform: Callable[[Any], None],
        *,
        name: str,
        rebuild: Callable[[], tuple[Node[Any, Any], Sequence[Any]]] | None = None,
        quarantine: Quarantine | None = None,
        parts: Parts | None = None,
        between: Callable[[bool], None] | None = None,
        beat: Callable[[], None] = lambda: None,
        now: Callable[[], Millis] = boot_millis,
    ) -> None:
        self._node = node
        self._perform = perform
        self._rebuild = rebuild
        self._quarantine = quarantine or Quarantine(None)
        self._parts = parts or Parts()
        self._between = between
        self._beat = beat
        self._beats_at = now()
        self._now = now
        self._wake_at: Millis | None = None
        self._renewing = False
        self._rests_until = now()  # time alone is no input before this
        self._pause_ms = 0
        self._given: Any = None
        self.name = name
        self._inputs = FairQueue()
        self._throttled = ThrottledLog(log)
        self._stopping = threading.Event()
        self._thread = SupervisedThread(self._run, name)
        self._told: Quarantined | None = None  # what a new node is told
        self._again: Sequence[Any] = ()  # what it is given once more
        self.failure: BaseException | None = None
        self.failed = threading.Event()

    def put(self, given: Any) -> bool:
        """Enqueue an input, from any thread; False where too much of its source waits already."""
        taken = self._inputs.put(given)
        if not taken:
            source = source_of(given)
            self._throttled.warn(source, f"{source} sends more than can be processed; some of it is dropped")
        return taken

    def renew(self) -> None:
        """A new node from what is on the disk, once the effects of this step are carried out; called by
        `perform`."""
        self._renewing = True

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stopping.set()
        self._inputs.put(None)
        self._thread.join(5)

    def _run(self) -> None:
        try:
            self._begin()
            while not self._stopping.is_set():
                self._turn()
        except BaseException as failure:  # noqa: BLE001  (handed to the process, which ends with it)
            self.failure = failure
            self.failed.set()
            log.critical("%s stopped: %s", self._thread.name, type(failure).__name__)

    def _begin(self) -> None:
        self._wake_at = self._take(None)

    def _turn(self) -> None:
        """Wait for the next input, or until the node wants to be woken, and take it."""
        self._wake_at = self._take(self._next_input(self._wake_at))

    def _next_input(self, wake_at: Millis | None) -> Any:
        if self._between is not None:
            self._between(self._inputs.has_inputs)
        while True:
            now = self._now()
            if now >= self._beats_at:
                self._beats_at = Millis(now + BEAT_MS)
                self._beat()
            until = self._beats_at if wake_at is None else min(wake_at, self._beats_at)
            try:
                return self._inputs.next(max(0.0, (until - now) / 1000))
            except queue.Empty:
                if wake_at is not None and self._now() >= wake_at:
                    return None

    def _take(self, given: Any) -> Millis | None:
        """One step. What raises is put aside, and the node is made anew without it."""
        if self._rebuild is None:
            return self._step(given)
        if self._quarantine.knows(given):
            given = None
        try:
            return self._rested(self._step(given))
        except NOT_THE_INPUTS:
            raise
        except Exception as error:  # noqa: BLE001  (whatever it was)
            told = self._put_aside(given, error)
            # Nothing of this step was carried out: where it was not its input that raised, that is given again.
            innocent = isinstance(error, PartFailed) or told.given is not given
            self._again = [given] if innocent and given is not None else []
        return self._rested(self._go_on_anew(told))

    def to_come(self) -> list[Any]:
        """The inputs of others that a new node is given, or told that they were put aside."""
        aside = [self._told.given] if self._told is not None else []
        return [*aside, *self._again, *self._inputs.of_others()]

    def _put_aside(self, given: Any, error: Exception) -> Quarantined:
        """What raised, for the page: an input, a part of the node, or the passing of time."""
        if isinstance(error, PartFailed):
            words = self._parts.failed(error.part, self._now())
            self._quarantine.count_fault(error.part, error.__cause__ or error)
            return Quarantined(None, words, self._quarantine.count)
        if isinstance(error, InputFailed) and isinstance(error.__cause__, Exception):
            return self._put_aside(error.given, error.__cause__)
        if given is None:
            self._pause_ms = min(max(2 * self._pause_ms, SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS)
            self._rests_until = Millis(self._now() + self._pause_ms)
        why = str(error) if isinstance(error, Unencodable) else ""
        return Quarantined(given, self._quarantine.keep(given, error), self._quarantine.count, why)

    def _go_on_anew(self, told: Quarantined) -> Millis | None:
        """A new node takes over: with its first inputs, what it is told, and what is given again. One of these at
        which it raises is left out, and it is made once more."""
        refused = [told.given] if told.given is not None else []
        while True:
            self._told, wake_at, failed = told, None, False
            for one in (*self._new_node(), told, *self._again):
                if one in refused:
                    continue
                try:
                    wake_at = self._step(one)
                except NOT_THE_INPUTS:
                    raise
                except Exception as error:  # noqa: BLE001  (whatever it was)
                    told, failed = self._put_aside(one, error), True
                    if told.given is not None:
                        refused.append(told.given)
                    if isinstance(one, Quarantined) and not isinstance(error, PartFailed):
                        refused.append(told)
                    break
            if not failed:
                self._told, self._again = None, ()
                return wake_at

    def _rested(self, wake_at: Millis | None) -> Millis | None:
        """When to wake the node: not at once, where what it asks to be woken for is left out or raised."""
        if wake_at is None:
            return None
        if self._parts.left_out:
            wake_at = Millis(max(wake_at, self._now() + SHORTEST_PAUSE_MS))
        return max(wake_at, self._rests_until)

    @property
    def faults(self) -> int:
        """Inputs and parts at which the node raised, since the start."""
        return self._quarantine.count

    @property
    def waiting(self) -> int:
        """Inputs that wait; from any thread."""
        return len(self._inputs)

    @property
    def at(self) -> str:
        """What the node is at, or was at when it ended; from any thread."""
        given = self._given
        if self._parts.running:
            return f"{PART}{self._parts.running}"
        return f"{INPUT}{digest_of(given).hex()}" if hasattr(given, "payload") else type(given).__name__

    def leave_out(self, what: str) -> None:
        """Start without what ended earlier lives of this process, as `at` named it there; and say so."""
        if what.startswith(PART):
            words = what.removeprefix(PART)
            self._parts.left_out.add(words)
        elif what.startswith(INPUT):
            words = "a message that came again and again"
            self._quarantine.refuse(what.removeprefix(INPUT))
        else:
            return
        self.put(Quarantined(None, f"The last lives of this process ended at {words}: it is left out now", 1))

    def _step(self, given: Any) -> Millis | None:
        self._given = given
        effects, wake_at = self._node.step(given, self._now())
        for effect in effects:
            self._perform(effect)
        if self._renewing:
            self._renewing = False
            for one in (None, *self._new_node()):
                wake_at = self._step(one)
        return wake_at

    def _new_node(self) -> Sequence[Any]:
        """The first inputs of the node that takes the place of the one so far."""
        assert self._rebuild is not None
        self._inputs.forget_own()
        self._node, first = self._rebuild()
        return first
