"""The demo's broker: amqtt in a process of its own, so that it can be killed and started again.

It ends when its standard input closes. For loopback only, for amqtt checks no certificates: a venue runs mosquitto
(hardware/deploy/mosquitto).
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import selectors
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Sequence

from feltwire.errors import UsageError
from feltwire.private_files import python

HOST = "127.0.0.1"
START_TIMEOUT_S = 60.0
_READY = "ready"
INTERRUPTED = 130  # the exit status of a program that SIGINT ended


class BrokerError(UsageError):
    """The broker cannot start: which port, why, what to do."""


def check_port_free(port: int, host: str = HOST) -> None:
    """Raise `BrokerError` when somebody listens on `port` already."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise BrokerError(
                f"port {port} is in use ({error.strerror}): stop what listens there, or name another port"
            ) from error


def listens(port: int, host: str = HOST) -> bool:
    """Whether somebody takes connections on `port` by now."""
    try:
        socket.create_connection((host, port), timeout=1).close()
    except OSError:
        return False
    return True


class EmbeddedBroker:
    """Runs `python -m feltwire.lab.demo.broker`; it ends with this process, however that ends."""

    def __init__(self, port: int) -> None:
        self.port = port
        self._process: subprocess.Popen[str] | None = None

    @property
    def url(self) -> str:
        return f"mqtt://{HOST}:{self.port}"

    @property
    def pid(self) -> int | None:
        return self._process.pid if self.running and self._process else None

    @property
    def running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def start(self) -> None:
        """Start and wait until it listens. Raise `BrokerError` when it does not."""
        if self.running:
            return
        check_port_free(self.port)
        self._process = subprocess.Popen(
            python("feltwire.lab.demo.broker", "--port", str(self.port)),
            stdin=subprocess.PIPE,  # closed when this process ends, and the broker with it
            stdout=subprocess.PIPE,
            text=True,
        )
        if _first_line(self._process) != _READY:
            self.kill()
            raise BrokerError(f"the broker on port {self.port} did not start within {START_TIMEOUT_S:.0f} s")

    def kill(self) -> None:
        """End it at once, as kill -9 does."""
        if self._process is None:
            return
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()
        self._process = None

    def restart(self) -> None:
        self.kill()
        self.start()

    def __enter__(self) -> EmbeddedBroker:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()


def _first_line(process: subprocess.Popen[str]) -> str:
    """What it prints first, `""` when it ends or stays silent."""
    assert process.stdout is not None
    with selectors.DefaultSelector() as waiting:
        waiting.register(process.stdout, selectors.EVENT_READ)
        return process.stdout.readline().strip() if waiting.select(START_TIMEOUT_S) else ""


async def _serve(port: int) -> None:
    from amqtt.broker import Broker  # here, for only this process needs it

    class OneConnectionEach(Broker):  # type: ignore[misc]  # amqtt has no types
        """amqtt forgets a client that connects anew, and leaves its other connection open, which hears nothing
        more from then on. It is cut off here, as the protocol has it [MQTT-3.1.4-2], and connects again."""

        async def _delete_session(self, client_id: str) -> None:
            _, handler = self._sessions.get(client_id, (None, None))
            await super()._delete_session(client_id)
            if handler is not None:
                await self._stop_handler(handler)

    config = {
        "listeners": {"default": {"type": "tcp", "bind": f"{HOST}:{port}", "max_connections": 500}},
        "plugins": {"amqtt.plugins.authentication.AnonymousAuthPlugin": {"allow_anonymous": True}},
    }
    broker = OneConnectionEach(config)
    await broker.start()
    # Nothing is kept here that must be written down, and its tasks do not always let themselves be cancelled.
    asyncio.get_running_loop().add_signal_handler(signal.SIGINT, os._exit, INTERRUPTED)
    print(_READY, flush=True)
    await _stdin_closed()
    await broker.shutdown()


async def _stdin_closed() -> None:
    """Returns when whoever started this process has ended."""
    closed, loop = asyncio.Event(), asyncio.get_running_loop()

    def wait() -> None:
        # Unbuffered: a buffered reader that is left waiting in a thread is fatal when the interpreter ends.
        with open(0, "rb", buffering=0, closefd=False) as stdin:
            while stdin.read(1024):
                pass
        loop.call_soon_threadsafe(closed.set)

    # A daemon, so that Ctrl-C does not wait for it.
    threading.Thread(target=wait, name="stdin", daemon=True).start()
    await closed.wait()


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m feltwire.lab.demo.broker", description=__doc__)
    parser.add_argument("--port", type=int, default=1883)
    arguments = parser.parse_args(argv)
    # It logs every connection and, at a client's sudden end, a traceback that means nothing here.
    logging.basicConfig(level=logging.CRITICAL)
    try:
        check_port_free(arguments.port)
    except BrokerError as error:
        print(f"broker: {error}", file=sys.stderr)
        return 2
    try:
        asyncio.run(_serve(arguments.port))
    except KeyboardInterrupt:
        return INTERRUPTED
    return 0


if __name__ == "__main__":
    sys.exit(main())
