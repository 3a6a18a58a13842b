"""Accepts connections with limits: how many from one address and in all, and how long one may be idle.

Without limits a thousand idle connections leave no descriptor for the serial lines, the ledger and the broker.
So there is a limit for each address, a total well below the descriptors of the process, and places reserved for
this machine's own screen and for browsers that are signed in. At a limit the new connection replaces the one
that has been idle longest: of the same address, or of the address with most idle connections. A connection with
a request in progress is closed only where its answer is no stream and is not read within `ANSWER_READ_S`.

A whole hall may be one address, staff and players alike (docs/decisions/0101-the-players-phone.md). So a
connection beyond the limits of strangers waits *at the door*: it is heard when its first request has the cookie
of a session, and closed otherwise. Few wait there at a time; a newer one takes the place of the oldest.
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
from starlette.requests import HTTPConnection
from uvicorn.protocols.http.h11_impl import H11Protocol

from display.server.rates import Rate, Rates, is_own_screen, is_stream, who_is

log = logging.getLogger(__name__)

REQUEST_S = 10.0  # within which a request has arrived whole, counted from when it was waited for
HANDSHAKE_S = 10.0
UNREAD_MS = 30_000  # a peer that takes nothing for so long is gone
ANSWER_READ_S = 10.0  # in which an answer that is no stream is read; after that its connection makes place
DOOR_S = 2.0  # in which a connection at the door has sent its first request
AT_THE_DOOR = 64
_MOST_HEAD = 16_384  # bytes of a head at the door
_AT_ONCE = 256  # connections taken in one go, before others have their turn
_AGAIN_S = 0.25  # when no descriptor was left
_MOST_SELECTED, _FOR_ITS_WORK = 1_024, 224  # descriptors
_NO_DESCRIPTOR = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)


class ConnectionLimits(NamedTuple):
    """How many connections there may be. Of `total`, `own` are reserved for this machine's screen and `staff` for
    browsers that are signed in; `per_address` counts neither."""

    total: int = 512
    per_address: int = 64
    own: int = 64
    staff: int = 96
    arrivals: Rate = Rate(per_s=30.0, burst=150)  # new connections of an address

    def within_descriptors(self) -> ConnectionLimits:
        """No more than half of the descriptors of this process, or all but those that its work needs.

        They stay below 1,024, whatever the limit of the process: the client of the broker waits with `select`."""
        soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        room = min(soft, _MOST_SELECTED)
        total = min(self.total, max(16, room // 2, room - _FOR_ITS_WORK))
        return self._replace(total=total, own=min(self.own, total // 2), staff=min(self.staff, total // 4))


# Where every phone of the hall asks, perhaps all behind one address.
OF_PHONES = ConnectionLimits(total=800, per_address=560, arrivals=Rate(per_s=60.0, burst=400))


class TimedConnection(H11Protocol):
    """A connection that is closed when no whole request arrives in time. `gone` is called when it has closed.

    `session_of` names the session of a request, empty for none. `signed_in`: the last request had one. `first` is
    what was read of it before, at the door; over TLS nothing can be: `at_the_door` reads it here.
    """

    gone: Callable[[], object]
    session_of: Callable[[HTTPConnection], str] = staticmethod(lambda _: "")
    made = False
    at_the_door = False
    signed_in = False
    _deadline: asyncio.TimerHandle | None = None
    _answers_since = 0.0
    _judged: object = None  # the request that `signed_in` is about
    first = b""

    @property
    def awaits_request(self) -> bool:
        """True while no request, or only a part of one, has arrived."""
        return self.conn.their_state in (h11.IDLE, h11.SEND_BODY)

    @property
    def makes_place(self) -> bool:
        """Whether a newer connection may have the place of this one."""
        if not self.made or self.awaits_request:
            return True
        unread = time.monotonic() - self._answers_since > ANSWER_READ_S
        return unread and not self.signed_in and not self.is_stream

    @property
    def is_stream(self) -> bool:
        return self.scope is not None and is_stream(self.scope["path"])

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.made = True
        self._update_deadline()
        if self.first:
            data, self.first = self.first, b""
            self.data_received(data)

    def data_received(self, data: bytes) -> None:
        if self.at_the_door:
            self.first += data
            if not _is_head(self.first):
                return
            if not session_in(self.first, str(self.scheme), self.session_of):
                self.transport.abort()
                return
            self.at_the_door, data, self.first = False, self.first, b""
        super().data_received(data)
        if self.scope is not self._judged:
            self._judged, self._answers_since = self.scope, time.monotonic()
            self.signed_in = bool(self.session_of(HTTPConnection(dict(self.scope))))
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
            patience = DOOR_S if self.at_the_door else REQUEST_S
            self._deadline = self.loop.call_later(patience, self.transport.abort)

    def _stop_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


def _said_by(connection: socket.socket) -> bytes | None:
    """What has come by now; None from a peer that has gone."""
    try:
        return connection.recv(_MOST_HEAD) or None
    except (BlockingIOError, InterruptedError):
        return b""
    except OSError:
        return None


def _is_head(said: bytes) -> bool:
    """Whether a whole head has come, or more than one may have."""
    return b"\r\n\r\n" in said or len(said) >= _MOST_HEAD


def session_in(said: bytes, scheme: str, session_of: Callable[[HTTPConnection], str]) -> str:
    """The session of the first request, found without the parser: strangers cost little."""
    head, whole, _ = said.partition(b"\r\n\r\n")
    if not whole or b"cookie" not in head.lower():
        return ""
    lines = (line.partition(b":") for line in head.split(b"\r\n")[1:])
    headers = [(name.lower(), value.strip(b" \t")) for name, _, value in lines]
    asked = {"type": "http", "scheme": scheme, "server": ("", 0), "path": "/", "query_string": b""}
    return session_of(HTTPConnection(asked | {"headers": headers}))


class _Connection:
    """An accepted connection."""

    def __init__(self, who: str, connection: socket.socket, protocol: TimedConnection) -> None:
        self.who = who
        self.connection = connection
        self.protocol = protocol
        self.arriving: asyncio.Task[None] | None = None

    @property
    def makes_place(self) -> bool:
        return self.protocol.makes_place

    @property
    def is_strange(self) -> bool:
        """Counted among those of its address: not signed in, and not this machine's own screen."""
        return not (self.protocol.signed_in or self.protocol.at_the_door or is_own_screen(self.who))

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
        session_of: Callable[[HTTPConnection], str] = lambda _: "",
    ) -> None:
        self._listener = listener
        self._make = make
        self._limits = limits
        self._context = context
        self._arrivals = Rates(limits.arrivals)
        self._connections: dict[_Connection, None] = {}  # in the order in which they came
        self._session_of = session_of
        self._door: dict[socket.socket, tuple[float, bytes]] = {}  # since when, and what was said
        self._door_over_tls: list[_Connection] = []
        self._loop = asyncio.get_running_loop()
        self._open()

    def _open(self) -> None:
        if self._listener.fileno() >= 0:
            self._loop.add_reader(self._listener.fileno(), self._take)

    def close(self) -> None:
        if self._listener.fileno() >= 0:
            self._loop.remove_reader(self._listener.fileno())
        for connection in [*self._door]:
            self._turn_away(connection)

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
        connection.setblocking(False)
        over_tls = self._context() is not None
        said = b"" if over_tls else _said_by(connection)
        if said is None:
            connection.close()
        elif _is_head(said) and session_in(said, "http", self._session_of):
            self._accept_signed_in(connection, who, said)
        elif self._may_come(who):
            self._accept(connection, who, said)
        elif not self._limits.staff or _is_head(said):
            connection.close()
        elif over_tls:
            self._make_place_at_the_door()
            self._accept(connection, who, at_the_door=True)
        else:
            self._wait_at_the_door(connection, who, said)

    def _may_come(self, who: str) -> bool:
        """Whether a stranger may: not too often, and where there is a place."""
        granted = is_own_screen(who) or self._arrivals.grant(who, time.monotonic())
        return granted and self._make_place(who)

    def _accept_signed_in(self, connection: socket.socket, who: str, said: bytes) -> None:
        if len(self._connections) >= self._limits.total:
            self._abort(self._oldest_idle(self._connections))
        self._accept(connection, who, said, signed_in=True)

    def _accept(
        self,
        connection: socket.socket,
        who: str,
        said: bytes = b"",
        *,
        signed_in: bool = False,
        at_the_door: bool = False,
    ) -> None:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNREAD_MS)
        accepted = _Connection(who, connection, self._make())
        accepted.protocol.session_of = self._session_of
        accepted.protocol.first, accepted.protocol.signed_in = said, signed_in
        if at_the_door:
            accepted.protocol.at_the_door = True
            self._door_over_tls.append(accepted)
        accepted.protocol.gone = lambda: self._connections.pop(accepted, None)
        self._connections[accepted] = None
        accepted.arriving = self._loop.create_task(self._receive(accepted))
        accepted.arriving.add_done_callback(lambda _: self._received(accepted))

    # ---------------------------------------------------------------------------------- at the door

    def _wait_at_the_door(self, connection: socket.socket, who: str, said: bytes) -> None:
        """Without a protocol and a task: in a flood there are thousands a second."""
        if len(self._door) >= AT_THE_DOOR:
            self._turn_away(next(iter(self._door)))
        if not self._door:
            self._loop.call_later(DOOR_S, self._sweep)
        self._door[connection] = time.monotonic(), said
        self._loop.add_reader(connection.fileno(), self._hear_at_the_door, connection, who)

    def _hear_at_the_door(self, connection: socket.socket, who: str) -> None:
        since, before = self._door[connection]
        more = _said_by(connection)
        said = before + (more or b"")
        if more is not None and not _is_head(said):
            self._door[connection] = since, said
        elif more is not None and session_in(said, "http", self._session_of):
            self._leave_the_door(connection)
            self._accept_signed_in(connection, who, said)
        else:
            self._turn_away(connection)

    def _leave_the_door(self, connection: socket.socket) -> None:
        self._loop.remove_reader(connection.fileno())
        del self._door[connection]

    def _turn_away(self, connection: socket.socket) -> None:
        self._leave_the_door(connection)
        connection.close()

    def _sweep(self) -> None:
        """Who has said nothing for long is turned away."""
        long_ago = time.monotonic() - DOOR_S
        for connection, (since, _) in [*self._door.items()]:
            if since <= long_ago:
                self._turn_away(connection)
        if self._door:
            self._loop.call_later(DOOR_S, self._sweep)

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
        """True when one more connection of `who` fits; another one may have been closed for it."""
        own = is_own_screen(who)
        of_who = [one for one in self._connections if one.who == who and (own or one.is_strange)]
        if len(of_who) >= (self._limits.own or 1 if own else self._limits.per_address):
            log.warning("%s has %d connections, the limit of an address", who, len(of_who))
            return self._abort(self._oldest_idle(of_who))
        if own and len(self._connections) < self._limits.total:
            return True
        strange = [accepted for accepted in self._connections if accepted.is_strange]
        kept = self._limits.own + self._limits.staff
        if not own and len(strange) + kept < self._limits.total and len(self._connections) < self._limits.total:
            return True
        log.warning("%d connections, the limit of this process", len(self._connections))
        return self._abort(self._oldest_idle(self._of_largest_holder()))

    def _make_place_at_the_door(self) -> None:
        """Over TLS: the oldest there may be closed for one more."""
        waiting = self._door_over_tls = [
            one for one in self._door_over_tls if one in self._connections and one.protocol.at_the_door
        ]
        if len(waiting) >= min(AT_THE_DOOR, self._limits.staff):
            self._abort(waiting.pop(0))

    def _of_largest_holder(self) -> Iterable[_Connection]:
        """The connections that make place of the address that has most of them."""
        idle: dict[str, list[_Connection]] = {}
        for accepted in self._connections:
            if accepted.is_strange and accepted.makes_place:
                idle.setdefault(accepted.who, []).append(accepted)
        return max(idle.values(), key=len, default=[])

    def _oldest_idle(self, connections: Iterable[_Connection]) -> _Connection | None:
        return next((accepted for accepted in connections if accepted.makes_place), None)

    def _abort(self, accepted: _Connection | None) -> bool:
        if accepted is None:
            return False
        self._connections.pop(accepted, None)
        accepted.abort()
        return True
