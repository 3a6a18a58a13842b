"""The pages of a process: served until it is told to stop or its node fails."""

from __future__ import annotations

import socket
import threading

from starlette.applications import Starlette

from display.serve import DisplayError, bind, server_for
from feltwire.config import Web
from feltwire.errors import UsageError


def listen(web: Web) -> socket.socket:
    """The listening socket, taken before anything else starts; `UsageError` names a port that is in use."""
    try:
        return bind(web.host, web.port)
    except DisplayError as error:
        raise UsageError(str(error)) from error


def serve_until(app: Starlette, listener: socket.socket, failed: threading.Event) -> None:
    """Serve in the main thread until SIGINT, SIGTERM or `failed`."""
    server = server_for(app)

    def end_with_node() -> None:
        failed.wait()
        server.should_exit = True

    threading.Thread(target=end_with_node, name="end-with-node", daemon=True).start()
    server.run(sockets=[listener])
