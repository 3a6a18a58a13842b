"""The network between one machine and the broker: delays, and the faults that a story gives it."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from tests.simulation.memory_broker import MemoryBroker, MemoryBus
from tests.simulation.world import World

FASTEST_MS, SLOWEST_MS = 0.2, 2.0
KEEPALIVE_MS = 10_000  # a client of a silent broker gives up after it, the broker after half as much again


@dataclass(frozen=True)
class Noise:
    """What befalls messages: the share of them that is lost or comes twice, and how much later the latest comes.
    `reorder`: what is late is overtaken."""

    drop: float = 0.0
    duplicate: float = 0.0
    late_ms: float = 0.0
    reorder: bool = False


class Link:
    """A `Wire`. While it is `cut` what is on the way waits, as TCP has it: it arrives when the cable is in
    again, unless an end has given up its connection by then."""

    def __init__(self, world: World, broker: MemoryBroker, chance: random.Random) -> None:
        self.noise = Noise()
        self.carried = 0
        self.said = 0  # when the newest message of this machine that came to the broker was sent
        self.trace = 0  # of what was carried when: the same for the same story
        self._world = world
        self._broker = broker
        self._chance = chance
        self._held: list[Callable[[], None]] | None = None
        self._cuts = 0
        self._last = {True: 0, False: 0}  # when the last of a direction arrives

    @property
    def is_out(self) -> bool:
        return self._held is not None

    def carry(self, act: Callable[[], None], *, to_broker: bool, message: bool) -> None:
        self.carried += 1
        self.trace = hash((self.trace, self._world.now, to_broker, message))
        noise, chance = self.noise, self._chance
        if message and noise.drop and chance.random() < noise.drop:
            return
        if to_broker and message:
            act = self._said(act, self._world.now)
        self._arrive(act, to_broker, overtakes=message and noise.reorder)
        if message and noise.duplicate and chance.random() < noise.duplicate:
            self._arrive(act, to_broker, overtakes=True)

    def _said(self, act: Callable[[], None], sent: int) -> Callable[[], None]:
        def arrived() -> None:
            self.said = max(self.said, sent)
            act()

        return arrived

    def later(self, seconds: float, act: Callable[[], None]) -> None:
        self._world.after(seconds * 1_000 * self._chance.uniform(0.75, 1.25), act)

    def cut(self, bus: Callable[[], MemoryBus | None]) -> None:
        """The cable is out, and nobody is told: each end notices by itself."""
        if self._held is not None:
            return
        self._held = []
        self._cuts += 1
        this = self._cuts
        client = bus()
        line = client.line if client is not None else None

        def client_notices() -> None:
            if self._is_still_out(this) and client is not None and client.line is line:
                client.silent()

        def broker_notices() -> None:
            if self._is_still_out(this) and line is not None:
                self._broker.disconnect(line, will=True)

        self._world.after(KEEPALIVE_MS, client_notices)
        self._world.after(KEEPALIVE_MS * 1.5, broker_notices)

    def mend(self) -> None:
        held, self._held = self._held or [], None
        time = self._world.now
        for act in held:  # in their order, and before whatever comes now
            time += round(FASTEST_MS * 1_000)
            self._world.at(time, act)
        self._last = {way: max(last, time) for way, last in self._last.items()}

    def _is_still_out(self, cut: int) -> bool:
        return self._held is not None and self._cuts == cut

    def _arrive(self, act: Callable[[], None], to_broker: bool, *, overtakes: bool) -> None:
        time = self._world.now + round(self._delay_ms() * 1_000)
        if not overtakes:
            time = self._last[to_broker] = max(self._last[to_broker], time)
        self._world.at(time, lambda: self._hold_or_do(act))

    def _hold_or_do(self, act: Callable[[], None]) -> None:
        if self._held is not None:
            self._held.append(act)
        else:
            act()

    def _delay_ms(self) -> float:
        return self._chance.uniform(FASTEST_MS, SLOWEST_MS) + self._chance.random() * self.noise.late_ms
