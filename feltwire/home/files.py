"""The files of a room on one machine, written anew at each start: settings of every process, the broker's files.

Records, and whatever the processes keep beside them, stay as they are.
"""

from __future__ import annotations

import os
import secrets
from pathlib import Path

import msgspec

from feltwire.config import Broker, ClockConfig, PageCode, StationConfig, TableConfig, Web
from feltwire.home.plan import HomePlan
from feltwire.private_files import data_folder, replace
from feltwire.rulebooks import rulebook_named
from feltwire.runtime.broker.rights import password_line
from feltwire.time_zone import zone_named
from feltwire.tools.provision.access import CLOCK, STATION, acl_text, table_name
from feltwire.tools.provision.broker_files import loopback_conf
from table_core.messages import Frozen
from table_core.tournament.schedule import for_an_evening

VENUE, TITLE = "home", "Home game"
EVERYWHERE = "0.0.0.0"  # phones and tablets in the same network reach the pages


def lay_out(plan: HomePlan) -> None:
    """Write every file of the room. Raise `UsageError` for a folder in which others may write."""
    for folder in (plan.records, plan.settings, plan.logs, plan.broker_files):
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
    levels, chip = for_an_evening(book, len(plan.tables))
    station = StationConfig(
        venue=VENUE,
        data=str(plan.records),
        tables=plan.tables,
        levels=levels,
        rulebook=plan.book,
        title=TITLE,
        time_zone=_time_zone(),
        autostart=False,  # until the director says that the cards are in the air
        admission=True,
        codes=_codes(plan),
        broker=brokers[STATION],
        web=Web(EVERYWHERE, plan.station_port),
    )
    _write(plan, STATION, station)
    _write(
        plan, CLOCK, ClockConfig(VENUE, CLOCK, TITLE, broker=brokers[CLOCK], web=Web(EVERYWHERE, plan.clock_port))
    )
    for table, port in plan.table_ports.items():
        _write(
            plan,
            table_name(table),
            TableConfig(
                venue=VENUE,
                table=table,
                data=str(plan.records),
                seats=(),  # until the director seats somebody
                levels=levels,
                rulebook=plan.book,
                smallest_chip=chip,
                admission=True,
                broker=brokers[table_name(table)],
                web=Web(EVERYWHERE, port),
            ),
        )


def settings_file(plan: HomePlan, name: str) -> Path:
    return plan.settings / f"{name}.toml"


def _write(plan: HomePlan, name: str, config: Frozen) -> None:
    replace(settings_file(plan, name), msgspec.toml.encode(config), mode=0o600)


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
