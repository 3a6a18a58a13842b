"""A phone as a table's camera: its address and password are asked for, and lie in a file for this user alone."""

from __future__ import annotations

import getpass
import sys
from pathlib import Path

import tomli_w

from feltwire.errors import UsageError
from feltwire.home.files import PHONE
from feltwire.home.plan import HomePlan
from feltwire.private_files import data_folder, replace
from feltwire.runtime.plugged import GivenDevices, PluggedKind, TakenDevice, read_given, write_given
from vision.camera.stream import wrong_with

EVERYBODY_SEES = (
    "Whoever is in the same Wi-Fi can look at the phone's picture, at cards too. It watches the board, burns, "
    "muck and pot alone: hang it so that it sees nothing else."
)
WHOLE_TABLE = "Watch the whole table with it all the same, everybody in the Wi-Fi being able to look on? [y/N] "


def add_phone(plan: HomePlan, table: str) -> None:
    """Ask whoever sits at the terminal, and give the phone to `table`. Raise `UsageError` for a table that there
    is not or that has a camera, and for an address that gives no pictures."""
    table = table.zfill(2)
    if table not in plan.tables:
        raise UsageError(f"--phone-camera {table}: there is no such table; there are {', '.join(plan.tables)}")
    data_folder(plan.devices)
    given = read_given(plan.devices)
    if any(one.table == table and one.kind is PluggedKind.CAMERA for one in given.taken):
        raise UsageError(f"--phone-camera {table}: the table has a camera; give it back first, under Devices")
    url = _asked("Address of the phone's video (its app shows it, as http://192.168.1.40:8080/video): ")
    if wrong := wrong_with(url):
        raise UsageError(f"--phone-camera: {wrong}")
    user = _asked("User, where the app has one: ")
    password = _secret("Password, where it has one: ") if user else ""
    print(EVERYBODY_SEES, file=sys.stderr)
    whole = _asked(WHOLE_TABLE).strip().lower() in ("y", "yes")
    file = _file(plan.devices, table)
    said = {"url": url, "user": user, "password": password, "everybody_may_see": whole}
    replace(file, tomli_w.dumps(said).encode(), mode=0o600)
    taken = TakenDevice(f"phone:{table}", PluggedKind.CAMERA, "A phone", f"{PHONE}{file}", table)
    write_given(plan.devices, GivenDevices((*given.taken, taken), given.ask))


def forget_phones(devices: Path, given: GivenDevices) -> None:
    """Delete what is known of phones that no table has any more."""
    kept = {one.port for one in given.taken}
    for file in devices.glob("phone-*.toml"):
        if f"{PHONE}{file}" not in kept:
            file.unlink()


def _file(devices: Path, table: str) -> Path:
    return devices / f"phone-{table}.toml"


def _asked(words: str) -> str:
    print(words, end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip()


def _secret(words: str) -> str:
    """Not shown where it is typed."""
    return getpass.getpass(words) if sys.stdin.isatty() else _asked(words)
