"""What was counted and measured of devices and machines, as facts: each with a colour and with what to do.

The limits are for a table's evening: a shoe passes some 200 cards in ten minutes, a keypad some 100 presses.
"""

from __future__ import annotations

from collections.abc import Iterator

from table_core.messages import (
    ClockSetting,
    DeviceFault,
    DeviceReadings,
    HealthColour,
    HealthFact,
    HealthView,
    MachineReadings,
    TableHealth,
)

MACHINE = "machine"
GREEN, YELLOW, RED = HealthColour.GREEN, HealthColour.YELLOW, HealthColour.RED

# What is wrong with a device: what it is, what to do, how bad, whether the dealer can do it.
FAULTS: dict[DeviceFault, tuple[str, str, HealthColour, bool]] = {
    DeviceFault.SAFE_MODE: ("it keeps restarting and does nothing", "connect it to a computer", RED, False),
    DeviceFault.LOW_SUPPLY: (
        "its supply is low",
        "another cable or power supply, or a charged battery",
        RED,
        True,
    ),
    DeviceFault.READER_1_SILENT: ("its first reader does not answer", "look at the wires", RED, False),
    DeviceFault.READER_2_SILENT: ("its second reader does not answer", "look at the wires", RED, False),
    DeviceFault.NO_MEMORY: (
        "it has no memory for reports: a power cut loses those under way",
        "look at the memory chip on its board",
        YELLOW,
        False,
    ),
    DeviceFault.BEAM_1_COVERED: ("its inner beam is covered", "clean it, take the card away", RED, True),
    DeviceFault.BEAM_2_COVERED: ("its outer beam is covered", "clean it, take the card away", RED, True),
    DeviceFault.KEY_HELD: ("a key is held down", "look whether something lies on it", YELLOW, True),
    DeviceFault.OTHER_FIRMWARE: (
        "its firmware is not the one of this release",
        "put that onto it before the next night (hardware/firmware/README.md)",
        YELLOW,
        False,
    ),
}

LATE_MS, GONE_MS = 5_000, 60_000  # a device that works is heard every two seconds
HOT_C, TOO_HOT_C = 70, 80  # a Raspberry Pi slows down at 80
LITTLE_MB, FULL_MB = 1_000, 100  # an evening of a table takes less than 100 MB
CHIP_OFF_S = 60  # certificates are judged by the time after a power cut

_NOW_LOW, _NOW_SLOW = 0x1, 0x2 | 0x4 | 0x8  # of get_throttled: under-voltage; capped, throttled, soft limit
_WAS_LOW, _WAS_SLOW = 0x1_0000, 0xE_0000


def view_of(table: str, health: TableHealth) -> HealthView:
    return HealthView(table, tuple(facts_of(health)))


def facts_of(health: TableHealth) -> Iterator[HealthFact]:
    for device in health.devices:
        yield from of_device(device)
    yield from of_machine(health.machine)


# ------------------------------------------------------------------------------------------------ a device


def of_device(device: DeviceReadings) -> Iterator[HealthFact]:
    if device.heard_ms_ago is not None:
        yield _contact(device.device, device.heard_ms_ago)
    elif device.reports is None:
        words, do = "Nothing has come from it since the table was started.", "Look at its cable and its power."
        yield HealthFact(device.device, "contact", words, RED, do, at_the_table=True)
    for fault in device.faults:
        words, do, colour, dealer = FAULTS[fault]
        yield HealthFact(device.device, fault, _sentence(words), colour, _sentence(do), dealer)
    if device.supply_mv and DeviceFault.LOW_SUPPLY not in device.faults:
        yield HealthFact(device.device, "supply", f"Its supply has {device.supply_mv / 1000:.2f} V.")
    if device.passages is not None and device.unread is not None:
        yield _reads(device.device, device.passages, device.unread)
    if device.reports is not None and device.resent is not None:
        yield _resent(device.device, device.reports, device.resent)
    if device.damaged is not None:
        yield _damaged(device.device, device.damaged)
    if device.bounces is not None:
        yield _bounces(device)
    if device.lost:
        words = f"{_of(device.lost, 'report')} lost."
        do = "The table's log says what is missing. Look at the supply and the cable."
        yield HealthFact(device.device, "lost", words, YELLOW, do)


def _contact(device: str, ms_ago: int) -> HealthFact:
    colour = GREEN if ms_ago < LATE_MS else YELLOW if ms_ago < GONE_MS else RED
    words = "It is heard." if colour is GREEN else f"Nothing has come from it for {_time(ms_ago)}."
    do = "" if colour is GREEN else "Look at its cable and its power."
    return HealthFact(device, "contact", words, colour, do, colour is not GREEN)


def _reads(device: str, passages: int, unread: int) -> HealthFact:
    colour = _share(unread, passages, (3, 0.02), (5, 0.10))
    do = {
        GREEN: "",
        YELLOW: "See with `feltwire deck list` whether it is always the same card; replace that one.",
        RED: "Take the idle deck and telephones away from it. If it goes on, change the deck; then the shoe.",
    }[colour]
    words = f"{_of(passages, 'card')} passed, {unread} without a tag."
    return HealthFact(device, "reads", words, colour, do, colour is RED)


def _resent(device: str, reports: int, resent: int) -> HealthFact:
    colour = _share(resent, reports, (5, 0.05), (20, 0.25))
    do = "" if colour is GREEN else "Plug its cable in again, without a hub; then try another cable."
    return HealthFact(
        device, "resent", f"{_of(resent, 'message')} sent again, {_of(reports, 'report')} taken.", colour, do
    )


def _damaged(device: str, damaged: int) -> HealthFact:
    colour = GREEN if damaged < 5 else YELLOW if damaged < 50 else RED
    do = "" if colour is GREEN else "Another cable, away from power supplies and motors."
    return HealthFact(device, "damaged", f"{_of(damaged, 'message')} damaged on the line.", colour, do)


def _bounces(device: DeviceReadings) -> HealthFact:
    """A contact bounces some times with each press; one that does so ten times is worn. A beam does not."""
    of_beams = device.passages is not None
    each = device.passages if device.passages is not None else device.reports or 0
    limits = ((5, 0.5), (20, 2.0)) if of_beams else ((30, 6.0), (100, 20.0))
    colour = _share(device.bounces or 0, each, *limits)
    what, do = (
        (
            f"{_of(device.bounces or 0, 'flicker')} of the beams, {_of(each, 'card')}.",
            "Clean the beams; keep sunlight off them.",
        )
        if of_beams
        else (
            f"{device.bounces} bounces of contacts in {each} presses.",
            "Change the worn switch after the night.",
        )
    )
    return HealthFact(device.device, "bounces", what, colour, "" if colour is GREEN else do)


def _share(count: int, of: int, yellow: tuple[int, float], red: tuple[int, float]) -> HealthColour:
    """`(least, share)` each: few of few say nothing."""
    for colour, (least, share) in ((RED, red), (YELLOW, yellow)):
        if count >= least and count >= share * of:
            return colour
    return GREEN


# --------------------------------------------------------------------------------------------- the machine


def of_machine(machine: MachineReadings) -> Iterator[HealthFact]:
    if machine.celsius is not None:
        yield _heat(machine.celsius)
    if machine.throttled is not None:
        yield _supply(machine.throttled)
        yield _speed(machine.throttled)
    yield from _disk(machine)
    if machine.clock is not None:
        yield _clock(machine.clock)
    if machine.clock_chip is not None:
        yield _chip(machine)


def _heat(celsius: int) -> HealthFact:
    colour = GREEN if celsius < HOT_C else YELLOW if celsius < TOO_HOT_C else RED
    do = "" if colour is GREEN else "Give it air, or a fan: covers off, nothing on top of it."
    return HealthFact(MACHINE, "temperature", f"It is at {celsius} degrees.", colour, do)


def _supply(bits: int) -> HealthFact:
    do = "The power supply made for this Raspberry Pi, on its own short cable; nothing else on that supply."
    if bits & _NOW_LOW:
        return HealthFact(MACHINE, "supply", "Its voltage is too low: it may stop at any time.", RED, do)
    if bits & _WAS_LOW:
        return HealthFact(MACHINE, "supply", "Its voltage has been too low since it was started.", YELLOW, do)
    return HealthFact(MACHINE, "supply", "Its voltage is right.")


def _speed(bits: int) -> HealthFact:
    do = "Look at its temperature and its power supply."
    if bits & _NOW_SLOW:
        return HealthFact(MACHINE, "speed", "It runs slower, to protect itself.", YELLOW, do)
    if bits & _WAS_SLOW:
        return HealthFact(MACHINE, "speed", "It has run slower since it was started.", YELLOW, do)
    return HealthFact(MACHINE, "speed", "It runs at full speed.")


def _disk(machine: MachineReadings) -> Iterator[HealthFact]:
    if machine.disk_read_only:
        do = "Nothing is recorded. Put in another disk and restore the backup (docs/storage.md)."
        yield HealthFact(MACHINE, "disk", "Its disk can only be read: it may have failed.", RED, do)
    elif (free := machine.disk_free_mb) is not None:
        colour = GREEN if free >= LITTLE_MB else YELLOW if free >= FULL_MB else RED
        do = "" if colour is GREEN else "Make room on it, or put in a larger one (docs/storage.md)."
        yield HealthFact(MACHINE, "disk", f"Its disk has {_size(free)} free.", colour, do)


def _clock(clock: ClockSetting) -> HealthFact:
    if clock is ClockSetting.UNSET:
        do = "Connect it to the network's time server, or set it: `timedatectl set-time`."
        words = "Its clock is not set: certificates do not count, and records have a wrong date."
        return HealthFact(MACHINE, "clock", words, RED, do)
    words = {ClockSetting.SYNCHRONISED: "Its clock is synchronised.", ClockSetting.SET: "Its clock is set."}[clock]
    return HealthFact(MACHINE, "clock", words)


def _chip(machine: MachineReadings) -> HealthFact:
    if not machine.clock_chip:
        do = "Add one (hardware/parts.md): without it and without a network the date is wrong after a power cut."
        return HealthFact(MACHINE, "clock chip", "It has no clock chip.", YELLOW, do)
    off = abs(machine.chip_off_s or 0)
    if off > CHIP_OFF_S:
        do = "Set it with `hwclock --systohc` when the clock is right; if it comes again, change its battery."
        return HealthFact(MACHINE, "clock chip", f"Its clock chip is {_time(off * 1000)} off.", YELLOW, do)
    return HealthFact(MACHINE, "clock chip", "Its clock chip has the time.")


# ------------------------------------------------------------------------------------------------- words


def _of(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


def _sentence(words: str) -> str:
    return f"{words[0].upper()}{words[1:]}."


def _time(ms: int) -> str:
    seconds = ms // 1000
    for unit, of in (("days", 86_400), ("hours", 3_600), ("minutes", 60)):
        if seconds >= 2 * of:
            return f"{seconds // of} {unit}"
    return f"{seconds} seconds"


def _size(mb: int) -> str:
    return f"{mb / 1000:.0f} GB" if mb >= 10_000 else f"{mb / 1000:.1f} GB" if mb >= 1_000 else f"{mb} MB"
