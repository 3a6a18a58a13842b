"""The systemd units: one for each kind of process, hardened because of hidden cards, and such as systemd takes."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest

from feltwire import cli

UNITS = Path(__file__).parents[2] / "hardware" / "deploy" / "systemd"
KINDS = ("table", "station", "clock", "relay")


def settings(kind: str) -> dict[str, list[str]]:
    """What a unit says, by name, in order."""
    said: dict[str, list[str]] = defaultdict(list)
    for line in (UNITS / f"feltwire-{kind}.service").read_text().splitlines():
        name, separator, value = line.partition("=")
        if separator and not line.startswith("#"):
            said[name].append(value)
    return said


def complaints(kind: str, folder: Path) -> list[str]:
    """What systemd says against a unit, where this machine has systemd."""
    tool = shutil.which("systemd-analyze")
    if tool is None:
        return []
    unit = folder / f"feltwire-{kind}.service"
    # The program lies elsewhere on this machine; that it is there is checked too.
    unit.write_text((UNITS / unit.name).read_text().replace("/opt/feltwire/bin/feltwire", sys.executable))
    said = subprocess.run([tool, "verify", "--man=no", unit], capture_output=True, text=True, check=False)
    return [line for line in said.stderr.splitlines() if unit.name in line]


@pytest.mark.parametrize("kind", KINDS)
def test_a_unit_starts_its_process_without_privileges_and_leaves_no_core_dump(kind: str, tmp_path: Path) -> None:
    said = settings(kind)
    assert said["ExecStart"] == [f"/opt/feltwire/bin/feltwire {kind} --config /etc/feltwire/{kind}.toml"]
    assert kind in cli.COMMANDS
    assert said["LimitCORE"] == ["0"]
    assert said["NoNewPrivileges"] == ["yes"]
    assert said["CapabilityBoundingSet"] == [""]
    assert said["ProtectSystem"] == ["strict"]
    assert said["Restart"] == ["on-failure"]
    assert said["StartLimitIntervalSec"] == ["0"], "a room does not give up"
    assert complaints(kind, tmp_path) == []


def test_only_a_table_reaches_devices_and_only_its_recovery_key_outlives_its_process() -> None:
    assert all(settings(kind)["PrivateDevices"] == ["yes"] for kind in KINDS if kind != "table")
    table = settings("table")
    assert table["DevicePolicy"] == ["closed"]
    assert {allowed.split()[0] for allowed in table["DeviceAllow"]} >= {"char-ttyACM", "char-video4linux"}
    assert table["RuntimeDirectory"] == ["feltwire"]
    assert table["RuntimeDirectoryPreserve"] == ["restart"]
    assert not any(settings(kind)["RuntimeDirectory"] for kind in KINDS if kind != "table")


def test_who_opens_hidden_cards_is_a_user_of_its_own() -> None:
    users = {kind: settings(kind)["User"] for kind in KINDS}
    assert users["relay"] not in [users[kind] for kind in KINDS if kind != "relay"]
    lines = (UNITS / "feltwire.conf").read_text().splitlines()
    made = {line.split()[1] for line in lines if line.startswith("u ")}
    assert {user for named in users.values() for user in named} == made
