"""Devices that fail and return: the notices, and whether keys of the keypad may still be on their way."""

from __future__ import annotations

from table_core.messages import DeviceChanged, DeviceState, DeviceStateChanged, Millis, Noticed
from table_core.tracker import waits
from table_core.tracker.dealing.evidence import shoe_away
from table_core.tracker.memory.timers import Check
from table_core.tracker.state import TrackerState
from table_core.tracker.unit_of_work import UnitOfWork

_PROBLEMS = {
    DeviceState.BLOCKED: "is blocked",
    DeviceState.NOT_RESPONDING: "does not respond",
    DeviceState.OFF: "is off",
}


def device_changed(unit: UnitOfWork, state: TrackerState, seen: DeviceChanged, now: Millis) -> None:
    """Record a device's state, with a notice where the dealer should know."""
    before = unit.table.devices.get(seen.device)
    if before is seen.state:
        return
    unit.record(DeviceStateChanged(seen.device, seen.state, seen.detail))
    if seen.device == "camera" and seen.state is not DeviceState.OK:
        state.board.camera_went()
        state.look.is_lost()
    connects = seen.origin.seq == 1 and seen.state is DeviceState.CONNECTING  # the process has just started
    if seen.device == "shoe" and before is DeviceState.OK and not connects:
        shoe_away(unit, state)
    if seen.device == "keypad":
        state.devices.keypad_changed(before, seen.state, now)
    if seen.state is DeviceState.CONNECTING and before is DeviceState.OK:
        patience = waits.LINE_LOST_MS if unit.table.in_hand else waits.PASSED_ON_MS
        state.timers.start(Check.DEVICE_LOST, Millis(now + patience), device=seen.device)
        return
    if seen.state is not DeviceState.CONNECTING:
        state.timers.stop(Check.DEVICE_LOST, device=seen.device)
    name = seen.device.replace("-", " ")
    if seen.state in _PROBLEMS:
        text = f"The {name} {_PROBLEMS[seen.state]}; the game goes on"
        unit.record(Noticed(f"{seen.device}_{seen.state}", text))
    elif seen.state is DeviceState.OK and (before in _PROBLEMS or seen.device in state.devices.lost):
        state.devices.is_back(seen.device)
        unit.record(Noticed(f"{seen.device}_back", f"The {name} is back"))


def say_lost(unit: UnitOfWork, state: TrackerState, device: str) -> None:
    """Report a line that did not come back within the waiting time."""
    if unit.table.devices.get(device) is DeviceState.CONNECTING and device not in state.devices.lost:
        state.devices.is_lost(device)
        unit.record(Noticed(f"{device}_lost", f"The {device} is out of reach; the game goes on"))


def keys_held_up(unit: UnitOfWork, state: TrackerState, now: Millis) -> bool:
    """Whether keys may be on their way: the keypad is not connected, or has just come back."""
    return state.devices.keys_held_up(now, works=unit.table.devices.get("keypad") is DeviceState.OK)
