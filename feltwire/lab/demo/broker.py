"""The demo's broker: the embedded one, so that it can be killed and started again."""

from __future__ import annotations

import selectors
import socket
import subprocess

from feltwire.private_files import python
from feltwire.runtime.broker.embedded import HOST, READY, BrokerError, check_installed, check_port_free

START_TIMEOUT_S = 60.0


def listens(port: int, host: str = HOST) -> bool:
    """Whether somebody takes connections on `port` by now."""
    try:
        socket.create_connection((host, port), timeout=1).close()
    except OSError:
        return False
    return True


class EmbeddedBroker:
    """Runs `python -m feltwire.runtime.broker.embedded`; it ends with this process, however that ends."""

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
        check_installed()
        check_port_free(self.port)
        self._process = subprocess.Popen(
            python("feltwire.runtime.broker.embedded", "--port", str(self.port)),
            stdin=subprocess.PIPE,  # closed when this process ends, and the broker with it
            stdout=subprocess.PIPE,
            text=True,
        )
        if _first_line(self._process) != READY:
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
