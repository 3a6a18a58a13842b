"""With which devices a scenario is played: those of its header, or every set that its lines allow.

A line `without camera: expect board ?? ?? ??` is for tables without that device, `with shoe: …` for those that
have it. Without a keypad every press is a touch of the table's own screen.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from feltwire.lab.scenario.file import DEVICES, Scenario, ScenarioLine

DEVICE_SETS: tuple[tuple[str, ...], ...] = (
    DEVICES,
    ("keypad", "shoe"),
    ("keypad", "camera"),
    ("keypad",),
    (),
)
_CONDITIONS = ("with", "without")
_NEEDS = {"camera": "camera", "deal": "shoe", "shoe": "shoe"}  # steps that only this device makes
_EXPECTS = {"dealt": "shoe", "next": "shoe", "rest": "shoe", "predicted": "camera"}
_STREETS = ("flop", "turn", "river")


def variants(scenario: Scenario) -> Iterator[Scenario]:
    """The scenario with its own devices first, then with each other set that makes sense.

    Several tables have the devices of their headers only. Raise `ScenarioError` as `at_table`.
    """
    yield at_table(scenario, scenario.devices)
    if scenario.others:
        return
    sets = DEVICE_SETS if scenario.any_devices else scenario.other_devices
    if ("keypad",) in (scenario.devices, *sets):
        sets = (*sets, ())
    for devices in dict.fromkeys(sets):
        if devices != scenario.devices and _allows(scenario, devices):
            yield at_table(scenario, devices)


def left_out(scenario: Scenario) -> list[tuple[str, ...]]:
    """Sets of devices that the lines allow and the header does not name."""
    named = (scenario.devices, *scenario.other_devices)
    sets = [devices for devices in DEVICE_SETS if devices not in named and _allows(scenario, devices)]
    if scenario.any_devices or scenario.others:
        return []
    return [devices for devices in sets if devices or ("keypad",) not in named]


def at_table(scenario: Scenario, devices: tuple[str, ...]) -> Scenario:
    """The scenario as it is played with these devices: only the lines that are for them. Where the header names no
    devices and no camera looks, the dealer says with STREET that a street is out.

    Raise `ScenarioError` for a condition that names no device or no step.
    """
    lines = list[ScenarioLine]()
    for line in scenario.lines:
        step = _for(scenario, line, devices)
        if step is None:
            continue
        lines.append(step)
        if step.verb in _STREETS and scenario.any_devices and "camera" not in devices:
            lines.append(replace(step, verb="press", words=("STREET",), text=f"{step.text}, STREET"))
    return replace(scenario, devices=devices, lines=tuple(lines), any_devices=False, other_devices=())


def in_words(devices: tuple[str, ...]) -> str:
    return " ".join(devices) or "screen"


def _allows(scenario: Scenario, devices: tuple[str, ...]) -> bool:
    """Whether every line that is for these devices can be played with them."""
    steps = [_for(scenario, line, devices) for line in scenario.lines]
    return all(_needed(step) in ("", *devices) for step in steps if step is not None)


def _needed(line: ScenarioLine) -> str:
    word = line.words[0] if line.words else ""
    if line.verb == "device":
        return word
    if line.verb == "expect":
        return _EXPECTS.get(word, "")
    if line.verb == "press" and word == "blind":
        return "keypad"
    return _NEEDS.get(line.verb, "")


def _for(scenario: Scenario, line: ScenarioLine, devices: tuple[str, ...]) -> ScenarioLine | None:
    """The line without its condition; None where it is not for these devices."""
    if line.verb.rstrip(":") not in _CONDITIONS:
        return line
    end = next((at for at, word in enumerate(line.words, 1) if word.endswith(":")), 0)
    named, step = [word.rstrip(":") for word in line.words[:end]], line.words[end:]
    if not named or not step or not set(named) <= set(DEVICES):
        expected = f"`{line.verb} DEVICE: STEP`, and a device is one of {', '.join(DEVICES)}"
        raise scenario.error(line, expected)
    there = [name in devices for name in named]
    if not (all(there) if line.verb == "with" else not any(there)):
        return None
    return replace(line, verb=step[0], words=step[1:])
