"""The files of a room on one machine, written anew at each start: settings of every process, the broker's files.

Records, and whatever the processes keep beside them, stay as they are.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec import structs

from feltwire.config import (
    Broker,
    CameraConfig,
    ClockConfig,
    PageCode,
    PublicPageConfig,
    SerialDevice,
    StationConfig,
    TableConfig,
    Web,
)
from feltwire.home.plan import HomePlan
from feltwire.private_files import data_folder, replace
from feltwire.rulebooks import rulebook_named
from feltwire.runtime.broker.rights import password_line
from feltwire.runtime.plugged import GivenDevices, PluggedKind, read_given
from feltwire.time_zone import zone_named
from feltwire.tools.provision.access import CLOCK, STATION, acl_text, table_name
from feltwire.tools.provision.broker_files import loopback_conf
from table_core.messages import Frozen
from table_core.tournament.schedule import for_an_evening

VENUE, TITLE = "home", "Home game"
PHONE = "stream:"  # the source of a phone as a camera
DECKS = "decks.toml"  # the room's decks of tagged cards, where it has some
TABLES_BY_HAND = 2  # for which the schedule is made where no table reports
EVERYWHERE = "0.0.0.0"  # phones and tablets in the same network reach the pages


def lay_out(plan: HomePlan) -> None:
    """Write every file of the room. Raise `UsageError` for a folder in which others may write."""
    for folder in (plan.records, plan.settings, plan.devices, plan.logs, plan.broker_files):
        data_folder(folder)
    book = rulebook_named(plan.book)
    names = (STATION, CLOCK, *map(table_name, plan.tables))
    passwords = {name: secrets.token_urlsafe(32) for name in names}
    _broker(plan, passwords)
    brokers = {
        name: Broker(f"mqtt://127.0.0.1:{plan.broker_port}", username=name, password=password)
        for name, password in passwords.items()
    }
    for log in plan.logs.glob("*.log"):
        log.replace(log.with_suffix(".log.before"))
    levels, chip = for_an_evening(book, len(plan.tables) or TABLES_BY_HAND)
    station = StationConfig(
        venue=VENUE,
        data=str(plan.records),
        tables=plan.tables,
        levels=levels,
        rulebook=plan.book,
        title=TITLE,
        language=plan.language,
        time_zone=_time_zone(),
        autostart=False,  # until the director says that the cards are in the air
        admission=True,
        devices=str(plan.devices),
        public=PublicPageConfig(plan.public),
        codes=_codes(plan),
        broker=brokers[STATION],
        web=Web(EVERYWHERE, plan.station_port),
    )
    _write(plan, STATION, station)
    _write(
        plan,
        CLOCK,
        ClockConfig(
            VENUE, CLOCK, TITLE, plan.language, broker=brokers[CLOCK], web=Web(EVERYWHERE, plan.clock_port)
        ),
    )
    given = read_given(plan.devices)
    for table, port in plan.table_ports.items():
        _write(
            plan,
            table_name(table),
            with_devices(
                TableConfig(
                    venue=VENUE,
                    table=table,
                    data=str(plan.records),
                    seats=(),  # until the director seats somebody
                    levels=levels,
                    rulebook=plan.book,
                    smallest_chip=chip,
                    language=plan.language,
                    admission=True,
                    broker=brokers[table_name(table)],
                    web=Web(EVERYWHERE, port),
                ),
                given,
                plan.folder,
            ),
        )


def settings_file(plan: HomePlan, name: str) -> Path:
    return plan.settings / f"{name}.toml"


def write_settings(file: Path, config: Frozen) -> None:
    replace(file, msgspec.toml.encode(config), mode=0o600)


def with_devices(
    table: TableConfig, given: GivenDevices, folder: Path, ports: Mapping[str, str] | None = None
) -> TableConfig:
    """The table with the devices that it was given, and no others. `ports`: where they are now, by their ids; the
    rest are where they were when they were given."""
    sections: dict[str, Any] = {
        "keypad": SerialDevice(),
        "shoe": SerialDevice(),
        "camera": CameraConfig(),
        "decks": "",
    }
    for one in given.taken:
        if one.table == table.table:
            sections |= _section(one.kind, (ports or {}).get(one.id, one.port), folder)
    return structs.replace(table, **sections)


def _section(kind: PluggedKind, port: str, folder: Path) -> dict[str, Any]:
    registry = folder / DECKS
    decks = {"decks": str(registry)} if registry.exists() else {}
    match kind:
        case PluggedKind.KEYPAD:
            return {"keypad": SerialDevice(port)}
        case PluggedKind.SHOE:
            return {"shoe": SerialDevice(port), **decks}
        case PluggedKind.READER:
            types = "/input/" in port
            return {"shoe": SerialDevice(port, driver="typed-keyboard" if types else "typed-line"), **decks}
        case PluggedKind.CAMERA:
            return {"camera": CameraConfig(port if port.startswith(PHONE) else f"v4l2:{port}")}
        case _:
            return {}


def _write(plan: HomePlan, name: str, config: Frozen) -> None:
    write_settings(settings_file(plan, name), config)


def _broker(plan: HomePlan, passwords: dict[str, str]) -> None:
    lines = "".join(f"{password_line(name, password)}\n" for name, password in passwords.items())
    texts = {
        "passwords": lines,
        "acl": acl_text(VENUE, plan.tables),
        "mosquitto.conf": loopback_conf(plan.broker_files, plan.broker_port),
    }
    for name, text in texts.items():
        replace(plan.broker_files / name, text.encode(), mode=0o600)


def _codes(plan: HomePlan) -> tuple[PageCode, ...]:
    """Pages for others in the room, at this machine."""
    return (
        *(PageCode(f"Table {table}", f"http://:{port}/table/{table}") for table, port in plan.table_ports.items()),
        PageCode("Wall clock", f"http://:{plan.clock_port}/clock"),
        PageCode("Your seat", f"http://:{plan.station_port}/me"),
        PageCode("Players", f"http://:{plan.station_port}/announcements"),
    )


def _time_zone() -> str:
    """The zone of this machine's clock; empty, for UTC, where it does not say."""
    _, found, name = os.path.realpath("/etc/localtime").partition("/zoneinfo/")
    try:
        zone_named(name)
    except ValueError:
        return ""
    return name if found else ""
