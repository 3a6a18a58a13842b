"""A line to the broker: a connection that is made again whenever it is lost, at the nodes of a cluster in turn."""

from __future__ import annotations

import itertools
import random
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import Protocol

from feltwire.config import ConfigError
from feltwire.runtime.broker import topics
from feltwire.runtime.broker.connection import CONNECT_TIMEOUT_S, Address, BusClient, Connection
from supervised.thread import SupervisedThread

BACKOFF_S = (0.2, 2.0)  # first and longest pause between attempts
UNREACHED_S = 0.5  # longest pause where nobody answers: that costs the broker nothing
REST_S = 0.05  # a line that stands by reads so seldom: to be woken for each message would cost ten times as much
UNNOTICED_S = 0.5  # so late may a process learn that a node was killed
MOST_KEPT_BYTES = 32 * 1024 * 1024


class Owner(Protocol):
    """Whose line it is. The line's threads call it."""

    @property
    def nodes(self) -> Sequence[Address]: ...

    def new_client(self, line: Line) -> BusClient:
        """For one attempt; raise `ConfigError` where its files cannot be used now."""
        ...

    def subscriptions(self, line: Line) -> Sequence[tuple[str, int]]: ...

    def heard(self, line: Line, topic: str, payload: bytes) -> None: ...

    def up(self, line: Line) -> None:
        """The line's subscriptions are in force."""
        ...

    def down(self, line: Line, reason: str) -> None:
        """The line was lost, or an attempt failed."""
        ...

    def next_node(self, line: Line) -> None:
        """Set the node that the line tries next."""
        ...


class Overheard:
    """What a line heard while it stands by, for the moment it takes over: what came last, for the other line may
    have been lost a little before that was noticed; and the newest on each topic that a broker may retain, as a
    new connection would be told."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._newest: dict[str, bytes] = {}
        self._newest_bytes = 0
        self._last: deque[tuple[float, str, bytes]] = deque()
        self._last_bytes = 0

    def put(self, topic: str, payload: bytes) -> None:
        if topics.may_be_retained(topic):
            size = len(payload) - len(self._newest.get(topic, b""))
            if self._newest_bytes + size <= MOST_KEPT_BYTES:
                self._newest_bytes += size
                self._newest[topic] = payload
        now = self._now()
        self._last.append((now, topic, payload))
        self._last_bytes += len(payload)
        while self._last[0][0] < now - UNNOTICED_S or self._last_bytes > MOST_KEPT_BYTES:
            self._last_bytes -= len(self._last.popleft()[2])

    def take(self) -> list[tuple[str, bytes]]:
        """It is forgotten here."""
        since = self._now() - UNNOTICED_S
        last = [(topic, payload) for at, topic, payload in self._last if at >= since]
        newer = {topic for topic, _ in last}
        told = [*(one for one in self._newest.items() if one[0] not in newer), *last]
        self._newest, self._newest_bytes = {}, 0
        self._last.clear()
        self._last_bytes = 0
        return told


class Line:
    """It has a thread of its own. `after`: a line whose first attempt comes before."""

    def __init__(self, owner: Owner, name: str, *, node: int = 0, after: Line | None = None) -> None:
        self._owner = owner
        self.name = name
        self.node = node  # which it is at, or tries
        self._overheard = Overheard()
        self.reason = ""  # why it is not up
        self._after = after
        self._stopping = threading.Event()
        self._tried = threading.Event()
        self._in_use = threading.Event()
        self._in_use.set()
        self._connection: Connection | None = None  # while it is up
        self._thread = SupervisedThread(self._run, f"bus {name}", stopping=self._stopping, failed=self._failed)

    @property
    def address(self) -> Address:
        return self._owner.nodes[self.node]

    @property
    def is_up(self) -> bool:
        return self._connection is not None

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Disconnect after the messages handed over have been sent."""
        self._stopping.set()
        self._tried.set()
        connection = self._connection
        if connection is not None:
            connection.close()

    def join(self) -> None:
        self._thread.join(CONNECT_TIMEOUT_S)

    def publish(self, topic: str, payload: bytes, qos: int, retain: bool) -> bool:
        connection = self._connection
        return connection is not None and connection.publish(topic, payload, qos, retain)

    def ends(self) -> tuple[str, str]:
        """As of the connection."""
        connection = self._connection
        return connection.ends() if connection is not None else ("", "")

    def peer(self) -> bytes:
        """The broker's certificate (DER), else empty."""
        connection = self._connection
        return connection.peer() if connection is not None else b""

    def hang_up(self, reason: str) -> None:
        """End the current connection; the line then reconnects."""
        connection = self._connection
        if connection is not None:
            connection.end(reason)

    def stand_by(self) -> None:
        """Another line is in use."""
        self._in_use.clear()

    def keep(self, topic: str, payload: bytes) -> None:
        """A message that this line heard while it stands by."""
        self._overheard.put(topic, payload)

    def take_over(self) -> list[tuple[str, bytes]]:
        """This line is in use from now on; what it kept."""
        self._in_use.set()
        return self._overheard.take()

    def _failed(self) -> None:
        """Whoever is told of its connection raised."""
        self._tried.set()
        self._owner.down(self, "this program failed at the connection; the log says where")

    def _rest(self) -> None:
        self._in_use.wait(REST_S)

    def _run(self) -> None:
        if self._after is not None:
            self._after._tried.wait(CONNECT_TIMEOUT_S)
        pause = BACKOFF_S[0]
        for attempt in itertools.count(1):
            if self._stopping.is_set():
                return
            came_up, reached = self._one_connection()
            if came_up:
                pause = BACKOFF_S[0]
            longest = BACKOFF_S[1] if reached else UNREACHED_S
            self._owner.next_node(self)
            if attempt % len(self._owner.nodes):
                continue  # another node may be there
            # A little at random, so that a room does not come back all at once.
            self._stopping.wait(min(longest, pause) * random.uniform(0.75, 1.25))
            pause = min(BACKOFF_S[1], pause * 2)

    def _one_connection(self) -> tuple[bool, bool]:
        """Connect and stay until the connection is lost; whether it had come up, and whether the broker's machine
        answered."""
        try:
            client = self._owner.new_client(self)
        except ConfigError as error:  # files of certificates that are being renewed
            self._tried.set()
            self._owner.down(self, str(error))
            return False, True
        self._in_use.set()  # it reads at once what it is told at the start
        self._overheard.take()
        connection = Connection(
            client,
            self.address,
            self._owner.subscriptions(self),
            lambda topic, payload: self._owner.heard(self, topic, payload),
            self._rest,
        )
        try:
            reason = connection.open()
            came_up = not reason
            if came_up:
                self._connection = connection
                self._owner.up(self)
            self._tried.set()
            if came_up:
                if self._stopping.is_set():  # `stop` did not see this connection yet
                    connection.close()
                reason = connection.wait_lost()
        finally:
            self._connection = None
            connection.drop()
        self._owner.down(self, reason)
        return came_up, connection.reached
