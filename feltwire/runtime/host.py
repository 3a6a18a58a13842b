"""What a process takes from the machine that it runs on: clocks, the broker, the thread of its node.

The simulation puts a machine of its own under the same processes: a virtual clock, a broker in memory, no thread
(`tests/simulation`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

from feltwire.config import Broker
from feltwire.runtime.boottime import at, boot_id, boot_millis
from feltwire.runtime.broker.bus import Bus
from feltwire.runtime.broker.bus_port import BusPort, OnMessage, Will
from feltwire.runtime.certificates.trust import Trust
from feltwire.runtime.disk import Disk
from feltwire.runtime.machine import EVERY_S, Regularly
from feltwire.runtime.node import Driver, Node
from feltwire.runtime.notify import Supervisor
from table_core.messages import At, Millis


class Host:
    """This machine. `supervisor` is who started the process, and may end it."""

    supervisor = Supervisor()

    def __init__(self, supervisor: Supervisor | None = None) -> None:
        if supervisor is not None:
            self.supervisor = supervisor

    @property
    def boot(self) -> str:
        """Sixteen hex digits that name this boot."""
        return boot_id()

    def now(self) -> Millis:
        """Boot time."""
        return boot_millis()

    def wall(self) -> Millis:
        """Wall time, milliseconds since 1970: an annotation."""
        return Millis(time.time_ns() // 1_000_000)

    def at(self, now: Millis) -> At:
        """`now` with its boot and the wall time."""
        return at(now)

    def bus(
        self,
        broker: Broker,
        *,
        client_id: str,
        subscriptions: Sequence[str],
        on_message: OnMessage,
        on_up: Callable[[], object],
        on_down: Callable[[str], object],
        will: Will | None,
        trust: Trust | None,
    ) -> BusPort:
        """A client of `broker` that is not started yet."""
        return Bus(
            broker,
            client_id=client_id,
            subscriptions=subscriptions,
            on_message=on_message,
            on_up=on_up,
            on_down=on_down,
            will=will,
            trust=trust,
        )

    def disk(self, say: Callable[[str], None], over: Callable[[], None]) -> Disk:
        """The disk of a process; what it calls: see `Disk`."""
        return Disk(say, over, self.supervisor.alive)

    def regularly(self, do: Callable[[], object], name: str, every_s: float = EVERY_S) -> Regularly:
        """Calls `do` each ten seconds, or as often as is said, until it is closed."""
        return Regularly(do, name, every_s)

    def driver(self, node: Node[Any, Any], perform: Callable[[Any], None], **options: Any) -> Driver:
        """What drives `node`; `options` are those of `Driver`."""
        return Driver(node, perform, **options)
