"""A table's process with its keypad and its shoe, which speak bytes over cables."""

from __future__ import annotations

from collections.abc import Callable

from feltwire.config import TableConfig
from feltwire.lab.table.wired import KINDS, StillLink
from feltwire.table.devices.keypad_and_shoe import TableDevices
from feltwire.table.process import TableProcess
from feltwire.table.table_io import AckFrame, ClearOutbox, DeviceSaid
from firmware_bridge import payloads
from firmware_bridge.device import Device
from firmware_bridge.frames import CARD, KEY
from firmware_bridge.sim.kept import KeptReports
from table_core.messages import DeviceState, Key
from tests.simulation.beats import Beats
from tests.simulation.machine import SimulatedHost
from tests.simulation.watch import Watch
from tests.simulation.world import World

CABLE_MS = 1.0
STACK = 200  # frames that a device keeps


class Hardware:
    """A keypad or a shoe: its firmware, and the cable to whichever process has opened it. It outlives the process.

    `acked` are the frames that were acknowledged to it, by boot and number.
    """

    def __init__(self, world: World, name: str, boot: int) -> None:
        self.name = name
        self.acked: list[tuple[int, int]] = []
        self.firmware = Device(KINDS[name], f"{name} 1.0", boot=boot, room=STACK, log=KeptReports())
        self._world = world
        self._link: StillLink | None = None
        self._clock: Callable[[], int] = self._now_ms
        self._due: int | None = None

    @property
    def waiting(self) -> int:
        return self.firmware.waiting

    def plug(self, link: StillLink, clock: Callable[[], int]) -> None:
        """`clock` is boot time of the machine that reads it."""
        self._link, self._clock = link, clock
        link.plug()
        self.firmware.greet()
        self.soon()

    def unplug(self) -> None:
        self._link = None

    def press(self, key: Key) -> None:
        self.firmware.report(KEY, payloads.key(key, self._now_ms()), self._now_ms())
        self.soon()

    def pass_card(self, tag: bytes) -> None:
        self.firmware.report(CARD, payloads.card(tag, self._now_ms()), self._now_ms())
        self.soon()

    def soon(self) -> None:
        self._plan(self._world.now + round(CABLE_MS * 1_000))

    def _now_ms(self) -> int:
        return self._world.now // 1_000

    def _plan(self, time: int) -> None:
        if self._due is None or time < self._due:
            self._due = time
            self._world.at(time, lambda: self._serve(time))

    def _serve(self, time: int) -> None:
        """Bytes go to and fro."""
        if time != self._due:
            return
        self._due = None
        link = self._link
        if link is None:
            return  # nobody listens; whoever plugs it in asks
        oldest = self.firmware.oldest
        self.firmware.receive(link.line.take(), self._now_ms())
        if oldest is not None and self.firmware.oldest != oldest:
            self.acked.append(oldest)
        link.feed(self.firmware.transmit(self._now_ms()), self._clock())
        wake_at = self.firmware.wake_at()
        if wake_at is not None:
            self._plan(max(wake_at * 1_000, self._world.now + 1_000))


class SimulatedDevices(TableDevices):
    """The devices of a table on cables of the simulation."""

    def __init__(self, config: TableConfig, process: SimulatedTable, hardware: dict[str, Hardware]) -> None:
        super().__init__(config, process.sensed, process._device_put)
        self._hardware = hardware
        self._host = process.host
        self._links = {
            name: StillLink(name, process._device_put, lambda: float(process.host.now())) for name in hardware
        }

    def start(self) -> None:
        for name in ("keypad", "shoe"):
            if name not in self._hardware:
                self._put(DeviceSaid(name, DeviceState.NONE))
        for name, link in self._links.items():
            self._hardware[name].plug(link, self._host.now)

    def stop(self) -> None:
        for name in self._links:
            self._hardware[name].unplug()

    def acknowledge(self, frame: AckFrame) -> None:
        self._links[frame.device].ack(frame.boot, frame.seq)
        self._hardware[frame.device].soon()


class SimulatedTable(TableProcess):
    """`feltwire table` with the hardware of its machine; `beats` are those that come to it."""

    def __init__(
        self,
        config: TableConfig,
        host: SimulatedHost,
        hardware: dict[str, Hardware],
        watch: Watch,
        beats: Beats,
    ) -> None:
        self._watch = watch
        self.beats = beats
        super().__init__(config, host)
        watch.started(self)
        self.devices = SimulatedDevices(config, self, hardware)

    def _message(self, topic: str, payload: bytes) -> None:
        self.beats.came(topic, payload)
        super()._message(topic, payload)

    def _clear_outbox(self, cleared: ClearOutbox) -> None:
        if not cleared.sealed:
            self._watch.acknowledged(self, cleared.epoch, cleared.seq)
        super()._clear_outbox(cleared)
