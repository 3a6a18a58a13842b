"""A host that listens to one simulated device, with the memory of a table: what it heard, in order."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from firmware_bridge.link import DeviceLink, ReceivedFrame
from table_core.messages import DeviceState

PATIENCE = 240.0  # seconds before a wait counts as failed; never measured


class Host:
    """Records what a link brings; acknowledges at once unless told to hold back."""

    def __init__(self, device: str, port: Path | str, *, expect: int | None = None, acks: bool = True) -> None:
        self.frames: list[ReceivedFrame] = []
        self.states: list[tuple[DeviceState, str]] = []
        self.texts: list[str] = []
        self.lost: list[int] = []
        self.acks = acks
        self._news = threading.Condition()
        self.link = DeviceLink(
            device,
            str(port),
            on_frame=self._frame,
            on_state=self._state,
            on_bytes=self._text,
            on_lost=self.lost.append,
            expect=expect,
        )

    @property
    def payloads(self) -> list[bytes]:
        """Payloads of different frames, in the order in which they were first heard."""
        return list({(frame.boot, frame.seq): frame.payload for frame in self.frames}.values())

    def wait(self, fact: Callable[[], bool]) -> None:
        with self._news:
            assert self._news.wait_for(fact, PATIENCE), (
                f"{self.states[-3:]}, {len(self.frames)} frames, {self.frames[-3:]}"
            )

    def wait_state(self, state: DeviceState) -> None:
        self.wait(lambda: bool(self.states) and self.states[-1][0] is state)

    def _frame(self, frame: ReceivedFrame) -> None:
        with self._news:
            self.frames.append(frame)
            self._news.notify_all()
        if self.acks:
            self.link.ack(frame.boot, frame.seq)

    def _state(self, state: DeviceState, detail: str) -> None:
        with self._news:
            self.states.append((state, detail))
            self._news.notify_all()

    def _text(self, text: str) -> None:
        with self._news:
            self.texts.append(text)
            self._news.notify_all()


@pytest.fixture
def hosts() -> Iterator[Callable[..., Host]]:
    """Makes started hosts and stops them in the end."""
    made: list[Host] = []

    def make(device: str, port: Path | str, *, expect: int | None = None, acks: bool = True) -> Host:
        made.append(Host(device, port, expect=expect, acks=acks))
        made[-1].link.start()
        return made[-1]

    yield make
    for host in made:
        host.link.stop()
