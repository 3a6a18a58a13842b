"""The roles of this machine while it is upgraded: their backup, what doctor says of them, their restart, and
whether they work."""

from __future__ import annotations

import contextlib
import json
import shutil
import ssl
import subprocess
import time
import urllib.request
from pathlib import Path
from typing import Any

import msgspec

from feltwire.config import (
    ClockConfig,
    ConfigError,
    DelayConfig,
    RelayConfig,
    StationConfig,
    TableConfig,
    Web,
    load,
)
from feltwire.errors import UsageError
from feltwire.install.machine import Machine, roles_here
from feltwire.install.places import BACKUPS
from feltwire.tools.backup_manifest import SCHEMAS
from table_core.messages import Frozen

HEALTHY_S = 90.0  # in which every process must say that it works, with its new version
STAYS_S = 10.0  # that it then goes on without a restart
_EACH_S = 0.5
_KEPT = 3  # backups before an upgrade, beside those of each minute
_LIVES = 3  # that ended one after the other
_PATIENCE_S = 3.0
_CONFIGS: dict[str, type[Frozen]] = {
    "table": TableConfig,
    "station": StationConfig,
    "clock": ClockConfig,
    "relay": RelayConfig,
    "delay": DelayConfig,
}


class Services:
    """Those of the processes; the broker is no process of this program."""

    def __init__(self) -> None:
        self._roles = [one for one in roles_here() if one.role != "broker"]

    def back_up(self, name: str) -> list[str]:
        """Copy the records of each role into `before-NAME` beside its other backups, as its user; who was backed
        up. Raise `UsageError` where that fails."""
        done = []
        for role in self._roles:
            if not any(next(role.data.glob(pattern), None) for pattern, _ in SCHEMAS):
                continue  # it has not recorded anything yet
            to = BACKUPS / role.name / f"before-{name}"
            program = str(Path("/opt/feltwire/current/bin/feltwire"))
            found = _as_user(role, [program, "backup", str(role.data), "--to", str(to)])
            if found.returncode:
                said = (found.stderr or found.stdout).strip().splitlines()
                raise UsageError(
                    f"{role.name}: no backup, so no upgrade: {said[-1] if said else found.returncode}"
                )
            done.append(role.name)
            _keep_newest(to.parent)
        return done

    def newly_red(self, program: Path, before: Path) -> str:
        """What doctor of `program` calls red and doctor of `before` does not; empty for nothing."""
        for role in self._roles:
            red, was = _red(program, role), _red(before, role)
            if worse := sorted(red.keys() - was.keys()):
                return f"{role.name}: {worse[0]}: {red[worse[0]]}"
        return ""

    def settle(self, program: Path) -> None:
        """Units and folders as this program has them. Raise `UsageError`."""
        found = subprocess.run(
            [str(program / "bin" / "feltwire"), "install", "--again"], capture_output=True, text=True, check=False
        )
        if found.returncode:
            raise UsageError(f"{program}: {(found.stderr or found.stdout).strip()[-300:]}")

    def restart(self) -> None:
        """One after the other, the station first; whether they work is asked afterwards."""
        for role in self._roles:
            subprocess.run(["systemctl", "restart", role.unit], capture_output=True, check=False)

    def restart_running(self) -> None:
        """Those that run, without waiting for them: at the start of a machine none does."""
        for role in self._roles:
            subprocess.run(["systemctl", "try-restart", "--no-block", role.unit], capture_output=True, check=False)

    def fault(self, version: str) -> str:
        """Why a role does not work, or does not stay; empty when all do. `version` empty: whichever."""
        ends = time.monotonic() + HEALTHY_S
        for role in self._roles:
            while why := _unwell(role, version):
                if time.monotonic() > ends or _gave_up(role):
                    return f"{role.name}: {why}"
                time.sleep(_EACH_S)
        lives = [_life(role) for role in self._roles]
        time.sleep(STAYS_S)
        for role, life in zip(self._roles, lives, strict=True):
            if _life(role) != life:
                return f"{role.name}: it was started again within {STAYS_S:.0f} s"
            if why := _unwell(role, version):
                return f"{role.name}: {why}"
        return ""


def _keep_newest(backups: Path) -> None:
    made = sorted(backups.glob("before-*"), key=lambda one: one.lstat().st_mtime)
    for old in made[:-_KEPT]:
        with contextlib.suppress(OSError):  # a link there is not followed
            shutil.rmtree(old)


def _as_user(role: Machine, command: list[str]) -> subprocess.CompletedProcess[str]:
    user = ["setpriv", f"--reuid={role.user}", f"--regid={role.user}", "--init-groups"]
    return subprocess.run([*user, *command], capture_output=True, text=True, check=False, cwd="/")


def _red(program: Path, role: Machine) -> dict[str, str]:
    """Part -> words."""
    command = [str(program / "bin" / "feltwire"), "doctor", "--json", "--config", str(role.config)]
    found = _as_user(role, command)
    lines: list[dict[str, Any]] = []
    with contextlib.suppress(ValueError):
        lines = [json.loads(line) for line in found.stdout.splitlines()]
    if found.returncode not in (0, 1) or not lines or "red" not in lines[-1]:
        *_, said = "", *found.stderr.strip().splitlines()
        return {"doctor": f"it does not run there: {said[-300:]}"}
    return {str(one["part"]): str(one["words"]) for one in lines if one.get("colour") == "red"}


def _life(role: Machine) -> str:
    """The number of its process, which is another after a restart."""
    shown = ["systemctl", "show", "--property=MainPID,NRestarts", role.unit]
    return subprocess.run(shown, capture_output=True, text=True, check=False).stdout


def _state(role: Machine) -> str:
    asked = ["systemctl", "is-active", role.unit]
    return subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip()


def _gave_up(role: Machine) -> bool:
    """It ended for good, or again and again."""
    shown = ["systemctl", "show", "--property=NRestarts", "--value", role.unit]
    lives = subprocess.run(shown, capture_output=True, text=True, check=False).stdout.strip()
    return _state(role) in ("failed", "inactive") or (lives.isdecimal() and int(lives) >= _LIVES)


def _unwell(role: Machine, version: str) -> str:
    """Empty: its service runs and its page says that it does its work."""
    if (state := _state(role)) != "active":
        return f"its service is {state or 'unknown'}; journalctl -u {role.unit}"
    try:
        web = load(role.config, _CONFIGS[role.role]).web  # type: ignore[attr-defined]
        said = _healthz(web)
    except (OSError, ValueError, ConfigError) as error:
        return f"its page /healthz does not answer ({error})"
    if not said.ok:
        return "; ".join(said.why) or "it says that it does not work"
    if version and said.version != version:
        return f"it is {said.version}, not {version}"
    return ""


class _Said(msgspec.Struct):
    ok: bool
    version: str
    why: tuple[str, ...] = ()


def _healthz(web: Web) -> _Said:
    trusting = ssl.create_default_context()
    trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE  # it is this machine
    host = "127.0.0.1" if web.host in ("0.0.0.0", "::") else web.host
    url = f"{'https' if web.cert else 'http'}://{host}:{web.port}/healthz"
    with urllib.request.urlopen(url, timeout=_PATIENCE_S, context=trusting) as answer:
        return msgspec.json.decode(answer.read(10_000), type=_Said)
