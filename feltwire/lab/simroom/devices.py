"""The simulated devices of one table, plugged in: keypad and shoe on pseudo-terminals, a camera on a socket."""

from __future__ import annotations

import contextlib
from types import TracebackType
from typing import Self

from feltwire.lab.simroom.config import SimroomConfig
from feltwire.lab.simroom.dealer.hands import Hands
from feltwire.lab.simroom.dealer.pace import Pace
from feltwire.lab.simroom.dealer.screen import HttpScreen
from feltwire.lab.simroom.felt.camera import view_of
from feltwire.lab.simroom.felt.eye import SocketEye
from feltwire.lab.simroom.felt.felt import PhysicalFelt
from feltwire.lab.simroom.felt.lights import LIGHTS
from firmware_bridge.decks import DeckRegistry
from firmware_bridge.sim import SimKeypad, SimShoe
from table_core.messages import CardText
from vision.geometry.felt import Felt
from vision.synthetic.felt.hung_view import HungView
from vision.synthetic.felt.renderer import Renderer
from vision.synthetic.felt.table import empty_table

STILL_FRAMES = 3  # pictures of the same scene that a careful watcher wants before it believes it


class SimDevices:
    """A context manager; `hands` works them. `sent()` tells when key frames left."""

    def __init__(self, config: SimroomConfig, pace: Pace) -> None:
        registry = DeckRegistry.load(config.decks)
        self._stack = contextlib.ExitStack()
        self._keypad = self._stack.enter_context(SimKeypad(config.keypad))
        self._shoe = self._stack.enter_context(SimShoe(config.shoe))
        eye = self._eye_of(config) if config.camera else None
        self.screen = HttpScreen(config.screen)
        self._stack.callback(self.screen.close)

        def tag(deck: str, card: CardText) -> bytes:
            return registry.tag_of(deck, card).reveal()

        self.hands = Hands(
            felt=PhysicalFelt(),
            keypad=self._keypad,
            shoe=self._shoe,
            eye=eye,
            screen=self.screen,
            pace=pace,
            decks=registry.deck_names,
            tag=tag,
        )
        if eye is not None:
            eye.show(self.hands.felt)

    def _eye_of(self, config: SimroomConfig) -> SocketEye:
        light = LIGHTS[config.light] if config.light else None
        if config.camera_model:
            seen: HungView | Renderer = view_of(
                config.camera_model, config.seat_count, config.cloth, seed=config.seed
            )
        else:
            felt = Felt.for_seats(config.seat_count)
            seen = Renderer(felt, empty_table(felt, config.cloth))
        eye = SocketEye(
            config.camera,
            seen,
            fps=config.fps,
            still_frames=STILL_FRAMES,
            light=light,
            deck_style=config.deck_style,
        )
        self._stack.callback(eye.close)
        return eye

    def sent(self) -> dict[str, float]:
        """Key frames since the last call: origin as in an event's `cause`, boot time (ms) of its last byte."""
        sent: dict[str, float] = {}
        for name in list(self._keypad.sent_at):
            boot, seq = name
            sent[f"keypad/{boot:x}/{seq}"] = self._keypad.sent_at.pop(name)
        for name in list(self._shoe.sent_at):
            del self._shoe.sent_at[name]
        return sent

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()
