"""A real mosquitto for tests: on a free loopback port, in a folder of its own."""

from __future__ import annotations

import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.ports import HOST, free_port

PROGRAM = shutil.which("mosquitto") or "/usr/sbin/mosquitto"
START_TIMEOUT_S = 240.0


class Mosquitto:
    """`config` is the text of its configuration, `port` the one in it; without, it takes anonymous clients at
    `host`. `run` gives the command that runs a program where that address is."""

    def __init__(
        self,
        folder: Path,
        *,
        port: int | None = None,
        config: str | None = None,
        host: str = HOST,
        run: Callable[[Sequence[str]], Sequence[str]] = lambda argv: argv,
    ) -> None:
        self.host = host
        self.port = port or free_port()
        self._run = run
        self._config = folder / f"mosquitto-{self.port}.conf"
        # As a venue's broker (`feltwire.tools.provision.broker_files`): small messages do not wait for the
        # answer to others.
        open_to_all = f"listener {self.port} {host}\nallow_anonymous true\nset_tcp_nodelay true\n"
        # Started by root it would become another user, who cannot read a test's files.
        self._config.write_text((config or open_to_all) + "user root\n")
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"mqtt://{self.host}:{self.port}"

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        """Returns when it listens."""
        log = self._config.with_suffix(".log").open("ab")
        with log:
            self._process = subprocess.Popen(self._run([PROGRAM, "-c", str(self._config)]), stdout=log, stderr=log)
        deadline = time.monotonic() + START_TIMEOUT_S
        while not self._listens():
            ended = self._process.poll() is not None
            if ended or time.monotonic() > deadline:
                raise RuntimeError(f"mosquitto did not start:\n{self._config.with_suffix('.log').read_text()}")
            time.sleep(0.02)

    def _listens(self) -> bool:
        try:
            socket.create_connection((self.host, self.port), timeout=1).close()
        except OSError:
            return False
        return True

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def __enter__(self) -> Mosquitto:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()
