"""How a table's devices and its machine are: what was counted and measured. The words for it are made in
`table_core/projections/health.py`."""

from __future__ import annotations

from enum import StrEnum

from table_core.messages.base import Few, Frozen, Name, Number, Signed, Text


class DeviceFault(StrEnum):
    """What a device finds wrong with itself (HEALTH, docs/wire.md), and the last what the table finds."""

    SAFE_MODE = "safe_mode"
    LOW_SUPPLY = "low_supply"
    READER_1_SILENT = "reader_1_silent"
    READER_2_SILENT = "reader_2_silent"
    NO_MEMORY = "no_memory"
    BEAM_1_COVERED = "beam_1_covered"
    BEAM_2_COVERED = "beam_2_covered"
    KEY_HELD = "key_held"
    OTHER_FIRMWARE = "other_firmware"


class DeviceReadings(Frozen, frozen=True):
    """Of one device; the counts are those of the last ten minutes. None: it does not count or measure that."""

    device: Name
    heard_ms_ago: Number | None = None  # None: nothing has come from it
    reports: Number | None = None  # that the table has taken
    resent: Number | None = None
    damaged: Number | None = None  # frames, in both directions
    lost: Number | None = None
    passages: Number | None = None  # cards that left the shoe,
    unread: Number | None = None  # of which so many without a tag
    bounces: Number | None = None  # contacts of keys, or beams, that did not hold
    supply_mv: Number | None = None
    faults: Few[DeviceFault] = ()


class ClockSetting(StrEnum):
    SYNCHRONISED = "synchronised"
    SET = "set"  # nobody says how exactly
    UNSET = "unset"  # earlier than this program is


class MachineReadings(Frozen, frozen=True):
    """Of the machine under a process. None: it cannot be had there."""

    celsius: Signed | None = None
    throttled: Number | None = None  # the bits of `vcgencmd get_throttled`, on a Raspberry Pi
    disk_free_mb: Number | None = None
    disk_read_only: bool = False
    clock: ClockSetting | None = None
    clock_chip: bool | None = None
    chip_off_s: Signed | None = None  # how far the chip's time is ahead of the machine's


class TableHealth(Frozen, frozen=True):
    """On `…/health`, which only the station reads: when a colour changes, and each half minute."""

    epoch: Number
    machine: MachineReadings
    devices: Few[DeviceReadings] = ()


class HealthColour(StrEnum):
    GREEN = "green"
    YELLOW = "yellow"  # it works: look at it before it does not
    RED = "red"


class HealthFact(Frozen, frozen=True):
    """One thing about a device, in words. `do`: what a person does about it, unless it is green. `at_the_table`:
    the dealer can do it, or should know."""

    device: Name
    what: Name
    words: Text
    colour: HealthColour = HealthColour.GREEN
    do: Text = ""
    at_the_table: bool = False


class HealthView(Frozen, frozen=True):
    """On the channel `health/<table>`."""

    table: Name
    facts: Few[HealthFact] = ()
