"""With which devices a scenario is played: its own, and where the header names none every set that its lines allow.

A line `without camera: expect board ?? ?? ??` is for tables without that device, `with shoe: …` for those that have
it; `screen` in a set means that there is no keypad, and every press is a touch.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from feltwire.lab.scenario.file import Scenario, ScenarioError, ScenarioLine

DEVICE_SETS: tuple[tuple[str, ...], ...] = (
    ("keypad", "shoe", "camera"),
    ("keypad", "shoe"),
    ("keypad", "camera"),
    ("keypad",),
    (),
)
_CONDITIONS = ("with", "without")
_NAMES = ("keypad", "shoe", "camera")
_NEEDS = {"camera": "camera", "deal": "shoe"}  # steps that nothing but this device can say
_EXPECTS = {"dealt": "shoe", "next": "shoe", "rest": "shoe", "predicted": "camera"}
_STREETS = ("flop", "turn", "river")


def variants(scenario: Scenario) -> Iterator[Scenario]:
    """The scenario with its own devices first, then with each other set that makes sense."""
    yield at_table(scenario, scenario.devices)
    if scenario.any_devices and not scenario.others:
        for devices in DEVICE_SETS:
            if devices != scenario.devices and allows(scenario, devices):
                yield at_table(scenario, devices)


def at_table(scenario: Scenario, devices: tuple[str, ...]) -> Scenario:
    """The scenario as it is played with these devices: only the lines that are for them. Where no camera looks,
    the dealer says with STREET that a street is out.

    Raise `ScenarioError` for a condition that names no device.
    """
    lines = []
    for line in scenario.lines:
        said = _for(scenario, line, devices)
        if said is not None:
            lines.append(said)
            if said.verb in _STREETS and scenario.any_devices and "camera" not in devices:
                lines.append(ScenarioLine(said.no, "press", ("STREET",), f"{said.text} [STREET]"))
    return replace(scenario, devices=devices, lines=tuple(lines), any_devices=False)


def allows(scenario: Scenario, devices: tuple[str, ...]) -> bool:
    """Whether every line that is for these devices can be played with them."""
    said = [_for(scenario, line, devices) for line in scenario.lines]
    return all(_needed(line) in (None, *devices) for line in said if line is not None)


def _needed(line: ScenarioLine) -> str | None:
    word = line.words[0] if line.words else ""
    if line.verb == "device":
        return word
    if line.verb == "press" and word == "blind":
        return "keypad"
    if line.verb == "expect":
        return _EXPECTS.get(word)
    return _NEEDS.get(line.verb)


def _for(scenario: Scenario, line: ScenarioLine, devices: tuple[str, ...]) -> ScenarioLine | None:
    """The line without its condition; None where it is not for these devices."""
    if line.verb not in _CONDITIONS:
        return line
    end = next((at for at, word in enumerate(line.words) if word.endswith(":")), -1)
    named = [word.rstrip(":") for word in line.words[: end + 1]]
    step = line.words[end + 1 :]
    if not named or not step or not set(named) <= set(_NAMES):
        expected = f"`{line.verb} DEVICE …: STEP` with some of {', '.join(_NAMES)}"
        raise ScenarioError(f"{scenario.path}:{line.no}: {line.text!r}; expected {expected}")
    there = [name in devices for name in named]
    if not (all(there) if line.verb == "with" else not any(there)):
        return None
    return replace(line, verb=step[0], words=step[1:])
