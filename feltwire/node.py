"""A process without its I/O, and the thread that drives one.

A *node* takes one input and the boot time and answers with effects and the time at which it wants to be
woken: `step(input, now) -> effects, wake_at`. It reads no clock, opens no file and starts no thread, so a whole
room can be run in one thread with a virtual clock. Adapters (serial, MQTT, camera, web, disk) only enqueue
inputs and carry out effects; `Driver` is the loop between them.
"""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable, Iterable
from typing import Any, Protocol, TypeVar

from feltwire.boottime import boot_millis
from table_core.messages import Millis

log = logging.getLogger(__name__)

I_contra = TypeVar("I_contra", contravariant=True)
E_co = TypeVar("E_co", covariant=True)


class Node(Protocol[I_contra, E_co]):
    def step(self, given: I_contra | None, now: Millis) -> tuple[Iterable[E_co], Millis | None]:
        """Take one input (None: only time has passed); give effects in order and when to be woken."""
        ...


class Driver:
    """Runs one node in a thread of its own: inputs from a queue, effects in order, waking on time.

    `perform` carries out one effect. When it raises, the process ends with the error: a node whose effects
    were not carried out must not go on (it is started again and recovers from its ledger).
    """

    def __init__(self, node: Node[Any, Any], perform: Callable[[Any], None], *, name: str) -> None:
        self._node = node
        self._perform = perform
        self._inputs: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self.failure: BaseException | None = None
        self.failed = threading.Event()

    def put(self, given: Any) -> None:
        """Enqueue an input; from any thread."""
        self._inputs.put(given)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stopping.set()
        self._inputs.put(None)
        if self._thread.is_alive():
            self._thread.join(timeout=5)

    def _run(self) -> None:
        try:
            wake_at = self._step(None)
            while not self._stopping.is_set():
                wake_at = self._step(self._next_input(wake_at))
        except BaseException as failure:  # noqa: BLE001  (handed to the process, which ends with it)
            self.failure = failure
            self.failed.set()
            log.critical("%s stopped: %s", self._thread.name, type(failure).__name__)

    def _next_input(self, wake_at: Millis | None) -> Any:
        timeout = None if wake_at is None else max(0.0, (wake_at - boot_millis()) / 1000)
        try:
            return self._inputs.get(timeout=timeout)
        except queue.Empty:
            return None

    def _step(self, given: Any) -> Millis | None:
        effects, wake_at = self._node.step(given, boot_millis())
        for effect in effects:
            self._perform(effect)
        return wake_at
