"""A desk at which decks are enrolled: a table's settings, a shoe on a pseudo-terminal, a camera, and the real
command as a process of its own."""

from __future__ import annotations

import json
import signal
import subprocess
import threading
import time
from pathlib import Path
from typing import Any

from feltwire.lab.simroom.felt.eye import SocketEye
from feltwire.lab.simroom.felt.felt import PhysicalFelt
from feltwire.private_files import python
from table_core.messages import CardText
from tests.feltwire.processes import PATIENCE_S
from vision.geometry.felt import Felt
from vision.synthetic.felt.renderer import Renderer

SETTINGS = """venue = "hall"
table = "{table}"
data = "{folder}/data"
seats = [{{seat = 1, stack = 1000}}, {{seat = 2, stack = 1000}}]
levels = [{{no = 1, small_blind = 5, big_blind = 10}}]
decks = "{folder}/decks.toml"
{camera}
[shoe]
port = "{folder}/shoe"
"""


def settings(folder: Path, table: str = "01", *, camera: bool = False) -> Path:
    """The configuration of a table whose shoe is at `shoe` in its folder, and its camera at `eye`."""
    folder.mkdir(exist_ok=True)
    seen = f'[camera]\nsource = "socket:{folder}/eye"' if camera else ""
    path = folder / "table.toml"
    path.write_text(SETTINGS.format(table=table, folder=folder, camera=seen))
    return path


class Told:
    """`feltwire deck …` as a process, and the lines that it prints."""

    def __init__(self, *arguments: str | Path) -> None:
        self.lines: list[dict[str, Any]] = []
        self._news = threading.Condition()
        self._process = subprocess.Popen(
            python("feltwire", "deck", *map(str, arguments), "--json"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._reading = threading.Thread(target=self._read, daemon=True)
        self._reading.start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            with self._news:
                self.lines.append(json.loads(line))
                self._news.notify_all()

    def wait(self, count: int) -> None:
        """Until it has printed so many lines."""
        with self._news:
            fits = self._news.wait_for(lambda: len(self.lines) >= count or self._ended, PATIENCE_S)
            assert fits, self.lines[-3:]
            assert len(self.lines) >= count, self.lines[-3:]

    @property
    def _ended(self) -> bool:
        return self._process.poll() is not None

    @property
    def says(self) -> str:
        return str(self.lines[-1].get("says", ""))

    def enter(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write("\n")
        self._process.stdin.flush()

    def freeze(self) -> None:
        """SIGSTOP: the machine has something else to do."""
        self._process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        self._process.send_signal(signal.SIGCONT)

    def kill(self) -> None:
        self._process.kill()
        self.end()

    def end(self) -> int:
        """Wait for its end; its exit status."""
        status = self._process.wait(PATIENCE_S)
        self._reading.join(PATIENCE_S)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.stdout.close()
        return status


class Eye:
    """The camera over the board's place; cards are laid upon each other."""

    def __init__(self, path: Path) -> None:
        self._felt = PhysicalFelt()
        self._eye = SocketEye(path, Renderer(Felt.for_seats(9)), fps=30.0, still_frames=3)
        self._eye.show(self._felt)

    def lay(self, card: CardText | None) -> None:
        """This card lies there, and no other."""
        self._felt.board.clear()
        self._felt.put_on_board([] if card is None else [card])
        self._eye.show(self._felt)
        self._eye.wait_seen(lambda: time.sleep(0))

    def close(self) -> None:
        self._eye.close()
