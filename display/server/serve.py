"""Serving an app: quietly, on a port that is known to be free, until told to stop."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import signal
import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from types import FrameType
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import HTTPConnection

from display.identity.signin import session_of
from display.push import Hub
from display.server.connection_limits import OF_PHONES, ConnectionLimits, LimitedListener, TimedConnection
from display.server.hosts import Hosts
from display.server.request_filter import REQUESTS_OF_PHONES, RequestFilter, RequestLimits
from display.server.throttled_log import throttle
from display.server.tls import Certificate

_WAITING = 1024  # connections that the kernel holds until they are taken
_GRACE_S = 2  # for answers under way; event streams are ended at once


class DisplayError(Exception):
    """The pages cannot be served: one line with what, why and what to do."""


def bind(host: str, port: int) -> socket.socket:
    """A listening socket (`port` 0: any free one). Raise `DisplayError` when the address is not available."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio sets TCP_NODELAY only where the protocol is named; without it answers wait 40 ms (delayed ACK).
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(_WAITING)
    except (OSError, OverflowError) as error:
        listener.close()
        raise DisplayError(_why(host, port, error)) from error
    listener.setblocking(False)
    return listener


def _why(host: str, port: int, error: Exception) -> str:
    number = error.errno if isinstance(error, OSError) else None
    if number == errno.EADDRINUSE:
        return f"port {port} on {host} is in use by another program; stop it, or choose another port"
    if number == errno.EACCES:
        return f"port {port} on {host} needs privileges; choose a port from 1024 up"
    return f"cannot serve on {host}, port {port} ({error}); check the host and the port of this process"


class Server(uvicorn.Server):
    """A uvicorn that ends the event streams first, and leaves signals to the caller."""

    def __init__(
        self,
        config: uvicorn.Config,
        hub: Hub,
        connections: ConnectionLimits,
        certificate: Certificate | None = None,
        session_of: Callable[[HTTPConnection], str] = lambda _: "",
    ) -> None:
        super().__init__(config)
        self._hub = hub
        self._session_of = session_of
        self._limits = connections
        self._context = certificate.context if certificate else lambda: None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """In place of asyncio's server, which accepts without limit and logs megabytes without descriptors."""

        def make() -> TimedConnection:
            return TimedConnection(self.config, self.server_state, {})

        limits = self._limits.within_descriptors()
        listeners = [
            LimitedListener(listener, make, limits=limits, context=self._context, session_of=self._session_of)
            for listener in sockets or []
        ]
        self.servers = listeners  # type: ignore[assignment]
        self.started = True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._hub.close()
        await super().shutdown(sockets)
        await asyncio.sleep(0)  # one that was accepted just before is a connection by now
        for connection in self.server_state.connections.copy():
            connection.transport.abort()
        await asyncio.sleep(0)  # the loop closes the sockets in its next turn

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        # uvicorn would raise the signal again after the stop and so kill the process before its other parts
        # have stopped in order.
        if threading.current_thread() is not threading.main_thread():
            yield
            return

        def leave(number: int, frame: FrameType | None) -> None:
            self.handle_exit(number, frame)

        before: dict[int, Any] = {n: signal.signal(n, leave) for n in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


def server_for(
    app: Starlette,
    hosts: Sequence[str] = (),
    *,
    connections: ConnectionLimits | None = None,
    requests: RequestLimits | None = None,
    certificate: Certificate | None = None,
) -> Server:
    """A server that is not running yet: `.run(sockets=[bind(…)])` runs it, `.should_exit = True` stops it.

    `hosts` are names that it answers to beside its address and this machine's name. `connections` and `requests`
    are its limits; without them those of a process that serves players' phones, or not. With a `certificate` the
    pages are at https://."""
    throttle("asyncio", "uvicorn.error", "display.server.connection_limits", "display.server.tls")
    session, phones = session_of(app.state.signin), app.state.phones
    if phones is not None:
        connections, requests = connections or OF_PHONES, requests or REQUESTS_OF_PHONES
        guarded = RequestFilter(app, Hosts(hosts), requests, session_of=session, player_of=phones.player_of)
    else:
        guarded = RequestFilter(app, Hosts(hosts), requests, session_of=session)
    config = uvicorn.Config(
        guarded,
        log_config=None,
        log_level="warning",
        access_log=False,
        server_header=False,
        lifespan="off",
        ws="none",
        proxy_headers=False,  # who asks is who is connected, not who a header names
        timeout_graceful_shutdown=_GRACE_S,
    )
    return Server(config, app.state.hub, connections or ConnectionLimits(), certificate, session)


def serve(app: Starlette, host: str, port: int, *, ready: Callable[[int], None] | None = None) -> None:
    """Serve `app` until SIGINT or SIGTERM, then return. Call it in the main thread.

    `ready` is called with the port once connections are accepted. Raises `DisplayError` when the port cannot
    be had.
    """
    listener = bind(host, port)
    if ready is not None:
        ready(listener.getsockname()[1])
    server_for(app).run(sockets=[listener])
