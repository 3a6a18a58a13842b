"""What a device finds wrong with itself: the bits of HEALTH by their names, and in words."""

from __future__ import annotations

from firmware_bridge import payloads
from table_core.messages import DeviceFault
from table_core.projections.health import FAULTS

_BITS = {  # the worst first
    payloads.SAFE_MODE: DeviceFault.SAFE_MODE,
    payloads.LOW_SUPPLY: DeviceFault.LOW_SUPPLY,
    payloads.READER_1_SILENT: DeviceFault.READER_1_SILENT,
    payloads.READER_2_SILENT: DeviceFault.READER_2_SILENT,
    payloads.NO_MEMORY: DeviceFault.NO_MEMORY,
    payloads.BEAM_1_COVERED: DeviceFault.BEAM_1_COVERED,
    payloads.BEAM_2_COVERED: DeviceFault.BEAM_2_COVERED,
    payloads.KEY_HELD: DeviceFault.KEY_HELD,
}


def faults_in(found: int) -> tuple[DeviceFault, ...]:
    """The faults in a HEALTH, the worst first."""
    return tuple(fault for bit, fault in _BITS.items() if found & bit)


def in_words(fault: DeviceFault) -> str:
    what, do, _, _ = FAULTS[fault]
    return f"{what}: {do}"


def faults(found: int) -> str:
    """The faults in a HEALTH in words; empty for none."""
    return "; ".join(in_words(fault) for fault in faults_in(found))
