"""The pages of a process: served until it is told to stop or its node fails."""

from __future__ import annotations

import socket
import threading
from pathlib import Path

from starlette.applications import Starlette

from display.server.serve import DisplayError, bind, server_for
from display.server.tls import Certificate
from feltwire.config import Web
from feltwire.errors import PortInUse, UsageError
from feltwire.private_files import say_if_wide
from supervised.thread import SupervisedThread


def listen(web: Web) -> socket.socket:
    """The listening socket, taken before anything else starts; raise `UsageError` for a port that is in use, or a
    certificate that is none."""
    certificate_of(web)
    say_if_wide(web.key)
    try:
        return bind(web.host, web.port)
    except DisplayError as error:
        raise PortInUse(str(error)) from error


def certificate_of(web: Web) -> Certificate | None:
    """The certificate of the pages; None where they have none. Raise `UsageError` where it cannot be used."""
    if not (web.cert or web.key):
        return None
    if not (web.cert and web.key):
        raise UsageError("[web]: cert and key belong together; name both files, or neither")
    try:
        return Certificate(Path(web.cert), Path(web.key))
    except OSError as error:
        raise UsageError(
            f"[web]: cert {web.cert} and key {web.key} are no usable pair ({error.strerror or error}); "
            "copy them anew from what `feltwire provision` made"
        ) from error


def serve_until(app: Starlette, listener: socket.socket, failed: threading.Event, web: Web) -> None:
    """Serve in the main thread until SIGINT, SIGTERM or `failed`."""
    server = server_for(app, web.hosts, certificate=certificate_of(web))

    def end_with_node() -> None:
        failed.wait()
        server.should_exit = True

    SupervisedThread(end_with_node, "end-with-node").start()
    server.run(sockets=[listener])
