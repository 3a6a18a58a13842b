"""Accepts connections with limits: how many from one address and in all, and how long one may be idle.

Without limits a thousand idle connections leave no descriptor for the serial lines, the ledger and the broker. So
there is a limit for each address, a total well below the descriptors of the process, and a number reserved for
this machine's own screen. At a limit the new connection replaces the one that has been idle longest: of the same
address, or of the address with most idle connections. A connection with a request in progress is never closed.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import logging
import os
import resource
import socket
import ssl
import time
from collections.abc import Callable, Iterable
from typing import NamedTuple

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from display.server.rates import Rate, Rates, is_own_screen, who_is

log = logging.getLogger(__name__)

REQUEST_S = 10.0  # within which a request has arrived whole, counted from when it was waited for
HANDSHAKE_S = 10.0
UNREAD_MS = 30_000  # a peer that takes nothing for so long is gone
_AT_ONCE = 32  # connections taken in one go, before others have their turn
_AGAIN_S = 0.25  # when no descriptor was left
_NO_DESCRIPTOR = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)


class ConnectionLimits(NamedTuple):
    """How many connections there may be. `own` of `total` are reserved for this machine's screen."""

    total: int = 512
    per_address: int = 64
    own: int = 64
    arrivals: Rate = Rate(per_s=30.0, burst=150)  # new connections of an address

    def within_descriptors(self) -> ConnectionLimits:
        """No more than half of the descriptors of this process; the rest is for its work."""
        soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        total = min(self.total, max(16, soft // 2))
        return self._replace(total=total, own=min(self.own, total // 2))


class TimedConnection(H11Protocol):
    """A connection that is closed when no whole request arrives in time. `gone` is called when it has closed."""

    gone: Callable[[], object]
    made = False
    _deadline: asyncio.TimerHandle | None = None

    @property
    def awaits_request(self) -> bool:
        """True while no request, or only a part of one, has arrived."""
        return self.conn.their_state in (h11.IDLE, h11.SEND_BODY)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.made = True
        self._update_deadline()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._update_deadline()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._update_deadline()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._stop_deadline()
        self.gone()

    def _update_deadline(self) -> None:
        if not self.awaits_request or self.transport.is_closing():
            self._stop_deadline()
        elif self._deadline is None:
            self._deadline = self.loop.call_later(REQUEST_S, self.transport.abort)

    def _stop_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


class _Connection:
    """An accepted connection."""

    def __init__(self, who: str, connection: socket.socket, protocol: TimedConnection) -> None:
        self.who = who
        self.connection = connection
        self.protocol = protocol
        self.arriving: asyncio.Task[None] | None = None

    @property
    def idle(self) -> bool:
        return not self.protocol.made or self.protocol.awaits_request

    def abort(self) -> None:
        if self.protocol.made:
            self.protocol.transport.abort()
        elif self.arriving is not None:
            self.arriving.cancel()


class LimitedListener:
    """Takes connections from `listener` in the running loop and gives each a protocol of `make`.

    `context` is asked for every connection, so that a renewed certificate needs no restart; None: no TLS."""

    def __init__(
        self,
        listener: socket.socket,
        make: Callable[[], TimedConnection],
        *,
        limits: ConnectionLimits,
        context: Callable[[], ssl.SSLContext | None],
    ) -> None:
        self._listener = listener
        self._make = make
        self._limits = limits
        self._context = context
        self._arrivals = Rates(limits.arrivals)
        self._connections: dict[_Connection, None] = {}  # in the order in which they came
        self._loop = asyncio.get_running_loop()
        self._open()

    def _open(self) -> None:
        if self._listener.fileno() >= 0:
            self._loop.add_reader(self._listener.fileno(), self._take)

    def close(self) -> None:
        if self._listener.fileno() >= 0:
            self._loop.remove_reader(self._listener.fileno())

    async def wait_closed(self) -> None:
        """Called by uvicorn; connections are counted here instead."""

    # ---------------------------------------------------------------------------------- arriving

    def _take(self) -> None:
        for _ in range(_AT_ONCE):
            try:
                connection, peer = self._listener.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                return
            except OSError as error:
                if error.errno not in _NO_DESCRIPTOR:
                    raise
                log.warning("no connection can be taken: %s", os.strerror(error.errno))
                self._abort(self._oldest_idle(self._connections))
                self.close()
                self._loop.call_later(_AGAIN_S, self._open)
                return
            self._admit(connection, who_is(peer[0]))

    def _admit(self, connection: socket.socket, who: str) -> None:
        if not (is_own_screen(who) or self._arrivals.grant(who, time.monotonic())) or not self._make_place(who):
            connection.close()
            return
        connection.setblocking(False)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNREAD_MS)
        accepted = _Connection(who, connection, self._make())
        accepted.protocol.gone = lambda: self._connections.pop(accepted, None)
        self._connections[accepted] = None
        accepted.arriving = self._loop.create_task(self._receive(accepted))
        accepted.arriving.add_done_callback(lambda _: self._received(accepted))

    async def _receive(self, accepted: _Connection) -> None:
        context = self._context()
        patience = None if context is None else HANDSHAKE_S
        with contextlib.suppress(OSError):  # it left again, or does not speak TLS
            await self._loop.connect_accepted_socket(
                lambda: accepted.protocol, accepted.connection, ssl=context, ssl_handshake_timeout=patience
            )

    def _received(self, accepted: _Connection) -> None:
        accepted.arriving = None
        if not accepted.protocol.made:
            self._connections.pop(accepted, None)
            accepted.connection.close()

    def _make_place(self, who: str) -> bool:
        """True when one more connection of `who` fits; an idle one may have been closed for it."""
        of_who = [accepted for accepted in self._connections if accepted.who == who]
        if len(of_who) >= self._limits.per_address:
            log.warning("%s has %d connections, the limit of an address", who, len(of_who))
            return self._abort(self._oldest_idle(of_who))
        kept = (
            0
            if is_own_screen(who)
            else self._limits.own - sum(is_own_screen(one.who) for one in self._connections)
        )
        if len(self._connections) + max(0, kept) < self._limits.total:
            return True
        log.warning("%d connections, the limit of this process", len(self._connections))
        return self._abort(self._oldest_idle(self._of_largest_holder()))

    def _of_largest_holder(self) -> Iterable[_Connection]:
        """The idle connections of the address that has most of them."""
        idle: dict[str, list[_Connection]] = {}
        for accepted in self._connections:
            if accepted.idle and not is_own_screen(accepted.who):
                idle.setdefault(accepted.who, []).append(accepted)
        return max(idle.values(), key=len, default=[])

    def _oldest_idle(self, connections: Iterable[_Connection]) -> _Connection | None:
        return next((accepted for accepted in connections if accepted.idle), None)

    def _abort(self, accepted: _Connection | None) -> bool:
        if accepted is None:
            return False
        self._connections.pop(accepted, None)
        accepted.abort()
        return True
