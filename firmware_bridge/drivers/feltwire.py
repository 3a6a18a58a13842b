"""The driver `feltwire`: any keypad or shoe that speaks docs/wire.md on a serial line."""

from __future__ import annotations

from msgspec.structs import replace

from firmware_bridge import health_words, payloads, release
from firmware_bridge.drivers.interface import Colour, DeviceCounts, DriverError, DriverSettings, Listener
from firmware_bridge.link import DeviceLink, LinkError, ReceivedFrame
from firmware_bridge.reports import CardPassed, read_report
from table_core.messages import DeviceFault, Millis


class SerialDriver:
    """A `KeypadDriver` and a `ShoeDriver`."""

    def __init__(self, kind: int, settings: DriverSettings, listener: Listener) -> None:
        self._kind = kind
        self._listener = listener
        try:
            self._link = DeviceLink(
                settings.device,
                settings.port,
                expect=kind,
                baud=settings.baud,
                on_frame=self._came,
                on_state=listener.state,
                on_bytes=listener.bytes,
                on_lost=listener.lost,
            )
        except LinkError as error:
            raise DriverError(str(error)) from error

    def _came(self, frame: ReceivedFrame) -> None:
        report = read_report(self._kind, frame, self._when)
        if isinstance(report, CardPassed) and self._sees_every_card:
            report = replace(report, counted=True)
        self._listener.report(frame.boot, frame.seq, report)

    def _when(self, device_ms: int) -> Millis:
        return Millis(int(self._link.when(device_ms)))

    @property
    def _sees_every_card(self) -> bool:
        return self._link.hello is not None and self._link.hello.can(payloads.SEES_EVERY_CARD)

    @property
    def counts(self) -> DeviceCounts | None:
        link, health = self._link, self._link.health
        if link.hello is None:
            return None
        heard = Millis(int(link.heard_ms))
        other = (DeviceFault.OTHER_FIRMWARE,) if release.is_other(link.hello) else ()
        if health is None:
            return DeviceCounts(
                link.hello.boot, heard, reports=link.acknowledged, damaged=link.damaged, faults=other
            )
        return DeviceCounts(
            link.hello.boot,
            heard,
            reports=link.acknowledged,
            resent=health.resent,
            damaged=link.damaged + health.bad,
            lost=health.lost,
            passages=health.passages if self._sees_every_card else None,
            unread=health.unread if self._sees_every_card else None,
            bounces=health.bounces,
            supply_mv=health.supply_mv or None,
            faults=(*health_words.faults_in(health.faults), *other),
        )

    def start(self) -> None:
        self._link.start()

    def stop(self) -> None:
        self._link.stop()

    def acknowledge(self, boot: int, seq: int) -> None:
        self._link.ack(boot, seq)

    def lamp(self, number: int, colour: Colour, *, blinking: bool = False) -> None:
        self._link.lamp(number, colour, blinking=blinking)

    def sound(self, hertz: int, on_ms: int, off_ms: int = 0, times: int = 1) -> None:
        self._link.sound(hertz, on_ms, off_ms, times)


def keypad(settings: DriverSettings, listener: Listener) -> SerialDriver:
    return SerialDriver(payloads.KEYPAD, settings, listener)


def shoe(settings: DriverSettings, listener: Listener) -> SerialDriver:
    return SerialDriver(payloads.SHOE, settings, listener)
