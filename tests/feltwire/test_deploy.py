"""The systemd units: one for each kind of process, hardened because of hidden cards, and such as systemd takes."""

from __future__ import annotations

import argparse
import importlib
import itertools
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections import defaultdict
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from display.server.connection_limits import ConnectionLimits
from feltwire import cli

UNITS = Path(__file__).parents[2] / "feltwire" / "deploy" / "systemd"
ROOT = UNITS.parents[2]
LOCKS = ("requirements.lock", "requirements-demo.lock", "requirements-dev.lock")
KINDS = ("table", "station", "clock", "relay", "delay")


def settings(kind: str) -> dict[str, list[str]]:
    """What a unit says, by name, in order."""
    said: dict[str, list[str]] = defaultdict(list)
    for line in (UNITS / f"feltwire-{kind}@.service").read_text().splitlines():
        name, separator, value = line.partition("=")
        if separator and not line.startswith("#"):
            said[name].append(value)
    return said


def test_backups_are_made_each_minute_without_network_or_privileges() -> None:
    said = settings("backup")
    (call,) = said["ExecStart"]
    program, command, *arguments = call.split()
    assert (program, command) == ("/opt/feltwire/current/bin/feltwire", "backup")
    parser = argparse.ArgumentParser()
    importlib.import_module(cli.COMMANDS[command][0]).add_arguments(parser)
    given = parser.parse_args(arguments)
    assert {str(given.data), str(given.to)} == set(said["ReadWritePaths"][0].split())
    assert said["PrivateNetwork"] == said["NoNewPrivileges"] == ["yes"]
    assert "OnCalendar=minutely" in (UNITS / "feltwire-backup@.timer").read_text()


def complaints(kind: str, folder: Path) -> list[str]:
    """What systemd says against a unit, where this machine has systemd."""
    tool = shutil.which("systemd-analyze")
    if tool is None:
        return []
    unit = folder / f"feltwire-{kind}@.service"
    # The program lies elsewhere on this machine; that it is there is checked too.
    unit.write_text((UNITS / unit.name).read_text().replace("/opt/feltwire/current/bin/feltwire", sys.executable))
    said = subprocess.run([tool, "verify", "--man=no", unit], capture_output=True, text=True, check=False)
    return [line for line in said.stderr.splitlines() if unit.name in line]


@pytest.mark.parametrize("kind", KINDS)
def test_a_unit_starts_its_process_without_privileges_and_leaves_no_core_dump(kind: str, tmp_path: Path) -> None:
    said = settings(kind)
    program = "/opt/feltwire/current/bin/feltwire"
    assert said["ExecStart"] == [f"{program} {kind} --config /etc/feltwire/%i/{kind}.toml"]
    assert kind in cli.COMMANDS
    assert said["LimitCORE"] == ["0"]
    assert int(said["LimitNOFILE"][0]) >= 2 * ConnectionLimits().total, (
        "connections leave descriptors for its work"
    )
    assert said["NoNewPrivileges"] == ["yes"]
    assert said["CapabilityBoundingSet"] == [""]
    assert said["ProtectSystem"] == ["strict"]
    assert said["Restart"] == ["on-failure"]
    assert said["StartLimitIntervalSec"] == ["0"], "a room does not give up"
    assert said["RestartPreventExitStatus"] == ["2"], "a wrong configuration is a person's to mend"
    assert said["TimeoutStartFailureMode"] == ["abort"], "what it was reading is remembered (Starts)"
    assert (said["Type"], said["NotifyAccess"]) == (["notify"], ["main"])
    assert int(said["WatchdogSec"][0].removesuffix("s")) >= 30, "longer than a disk stands still"
    assert complaints(kind, tmp_path) == []


def test_only_a_table_reaches_devices_and_only_its_recovery_key_outlives_its_process() -> None:
    assert all(settings(kind)["PrivateDevices"] == ["yes"] for kind in KINDS if kind != "table")
    table = settings("table")
    assert table["DevicePolicy"] == ["closed"]
    assert {allowed.split()[0] for allowed in table["DeviceAllow"]} >= {"char-ttyACM", "char-video4linux"}
    assert table["RuntimeDirectory"] == ["feltwire/%i"]
    assert table["RuntimeDirectoryPreserve"] == ["restart"]
    assert not any(settings(kind)["RuntimeDirectory"] for kind in KINDS if kind != "table")


def test_scenes_of_obs_follow_beside_the_relay_with_less_than_it_may(tmp_path: Path) -> None:
    name = "feltwire-obs.service"
    text = (UNITS / name).read_text()
    hardened = {line for line in (UNITS / "feltwire-relay@.service").read_text().splitlines() if "=yes" in line}
    assert hardened <= {*text.splitlines()}
    for line in (
        "ExecStart=/opt/feltwire/current/bin/feltwire obs --config /etc/feltwire/obs/obs.toml",
        "User=feltwire-obs",
        "PartOf=feltwire-relay@relay.service",
        "WantedBy=feltwire-relay@relay.service",
        "RestartPreventExitStatus=2",
        "CapabilityBoundingSet=",
        "ProtectSystem=strict",
        "LimitCORE=0",
    ):
        assert line in text.splitlines()
    assert "StateDirectory" not in text
    if tool := shutil.which("systemd-analyze"):
        (tmp_path / name).write_text(text.replace("/opt/feltwire/current/bin/feltwire", sys.executable))
        asked = [tool, "verify", "--man=no", tmp_path / name]
        said = subprocess.run(asked, capture_output=True, text=True, check=False)
        assert [line for line in said.stderr.splitlines() if name in line] == []


def test_the_broker_watches_for_a_new_revocation_list() -> None:
    broker = UNITS.parent / "mosquitto"
    path, service = ((broker / f"feltwire-list.{kind}").read_text() for kind in ("path", "service"))
    assert "PathChanged=/etc/mosquitto/feltwire/ca.crl.new\nUnit=feltwire-list.service\n" in path
    assert "ExecStart=/usr/local/lib/feltwire/take-list /etc/mosquitto/feltwire systemctl " in service
    assert os.access(broker / "take-list", os.X_OK)


def test_who_opens_hidden_cards_is_a_user_of_its_own() -> None:
    users = {kind: settings(kind)["User"] for kind in KINDS}
    for own in ("relay", "delay"):
        assert users[own] not in [users[kind] for kind in KINDS if kind != own]
    lines = (UNITS / "feltwire.conf").read_text().splitlines()
    made = {line.split()[1] for line in lines if line.startswith("u ")}
    assert {user for named in users.values() for user in named} | {"feltwire-kiosk", "feltwire-obs"} == made


def locked(name: str) -> dict[str, tuple[str, int]]:
    """Package -> its version and how many hashes the lock has for it."""
    text = (ROOT / name).read_text().replace("\\\n", " ")
    found = {}
    for line in text.splitlines():
        if line and not line.lstrip().startswith("#"):
            package, _, version = line.split()[0].partition("==")
            found[package] = (version, line.count("--hash=sha256:"))
    return found


def asked_for(*extras: str) -> dict[str, Requirement]:
    """What pyproject.toml names, for a venue or with `extras`."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    lists = [project["dependencies"], *(project["optional-dependencies"][extra] for extra in extras)]
    return {one.name: one for one in map(Requirement, itertools.chain.from_iterable(lists))}


@pytest.mark.parametrize(("name", "extras"), list(zip(LOCKS, [(), ("demo",), ("demo", "dev")], strict=True)))
def test_a_lock_has_what_the_program_asks_for_and_a_hash_of_each_file(name: str, extras: tuple[str, ...]) -> None:
    lock = locked(name)
    for package, requirement in asked_for(*extras).items():
        assert package in lock, f"run `make lock`: {name} has no {package}"
        assert requirement.specifier.contains(lock[package][0]), f"run `make lock`: {requirement}"
    assert all(version and hashes for version, hashes in lock.values())
    assert not re.search(r"https?://|--(extra-)?index-url|--find-links|/opt/", (ROOT / name).read_text())


def test_the_three_locks_agree_and_the_demo_stays_at_home() -> None:
    venue, demo, dev = map(locked, LOCKS)
    assert venue.items() <= demo.items() <= dev.items()
    assert not venue.keys() & asked_for("demo").keys() - asked_for().keys()
    brought = {"pyyaml"}  # amqtt, the demo's broker, needs it too
    assert demo.keys() & asked_for("dev").keys() - asked_for("demo").keys() == brought


def test_the_broker_reads_what_was_provisioned_and_its_port_has_the_rules_of_the_firewall() -> None:
    said = (UNITS.parent / "mosquitto" / "feltwire.conf").read_text()
    etc = "/etc/mosquitto/feltwire"
    assert f"ExecStart=\nExecStart=/usr/sbin/mosquitto -c {etc}/mosquitto.conf\n" in said
    assert f"ExecStartPre=-+/usr/sbin/nft -f {etc}/feltwire.nft\n" in said
    checks = f"ExecReload=\nExecReload=/usr/local/lib/feltwire/take-list --check {etc}\n"
    assert f"{checks}ExecReload=/bin/kill -HUP $MAINPID\n" in said, "a list that is not whole lets everybody in"
