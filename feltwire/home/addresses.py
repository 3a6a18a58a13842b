"""What `feltwire home` prints: the addresses of the room, codes for telephones, links that sign in."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import msgspec
import segno

from feltwire.config import StationConfig, load
from feltwire.home.files import settings_file
from feltwire.home.plan import HomePlan
from feltwire.runtime.pages.lan import lan_address, reached
from feltwire.tools.provision.access import STATION
from table_core.messages import Frozen

MOST_CODES = 6  # on a terminal; more are on the page `/codes`
_WHITE_ON_BLACK, _PLAIN = "\033[97;40m", "\033[0m"  # whatever colours the terminal has, a camera reads the code


class Address(Frozen, frozen=True, omit_defaults=True):
    """A page of the room. `url`: as others in the network reach it. `link`: signs one browser on this machine in,
    once: at the station as the director, at a table as its screen. `code`: whether it is shown as a QR code."""

    page: str
    url: str
    link: str = ""
    code: bool = False


def addresses_of(plan: HomePlan) -> Iterator[Address]:
    """Every page, the station first."""
    yield Address(
        "station",
        reached(f"http://:{plan.station_port}/station"),
        _link(plan.records / "td-link", plan.station_port),
    )
    ports = {f"Table {table}": (table, port) for table, port in plan.table_ports.items()}
    for code in load(settings_file(plan, STATION), StationConfig).codes:
        table, port = ports.get(code.name, ("", 0))
        link = _link(plan.records / f"table-{table}.kiosk-link", port) if table else ""
        yield Address(code.name.lower(), reached(code.url), link, code=True)


def _link(file: Path, port: int) -> str:
    """The one-time link in `file` as this machine's own browser opens it; empty while there is none."""
    try:
        link = urlsplit(file.read_text().strip())
    except FileNotFoundError:
        return ""
    return link._replace(netloc=f"127.0.0.1:{port}").geturl()


def as_json(addresses: list[Address]) -> str:
    """A page a line: `{"page": "table 01", "url": …, "link": …}`."""
    return "\n".join(msgspec.json.encode(one).decode() for one in addresses)


def as_text(plan: HomePlan, addresses: list[Address], *, codes: bool, name: str = "") -> str:
    """For a person; with `codes` each page for others also as a QR code, where they are few; `name` is that of the
    room in its network."""
    station, *others = addresses
    shown = [_drawn(one) for one in others] if codes and len(others) <= MOST_CODES else []
    lines = [
        *shown,  # first: the links below stay in sight
        "The room is open. Ctrl-C closes it; the next `feltwire home` goes on where it ended.",
        "",
        "On this machine (each link signs one browser in, once):",
        f"  director    {station.link or 'the station is not up yet'}",
        *(f"  {one.page:<11} {one.link}" for one in others if one.link),
        "",
        "In this network:",
        *(f"  {one.page:<11} {one.url}" for one in addresses),
        "",
    ]
    if name:
        lines += [
            f"Where telephones know such names, it is also http://{name}:{plan.station_port}.",
            "",
        ]
    if not lan_address():
        lines += ["This machine is in no network: nobody else reaches these pages.", ""]
    lines += [
        f"Codes to print: http://127.0.0.1:{plan.station_port}/codes, for the director. They give no right.",
        f"Records and logs: {plan.folder}",
    ]
    return "\n".join(lines)


def _drawn(address: Address) -> str:
    out = io.StringIO()
    segno.make(address.url, micro=False).terminal(out, compact=True)
    rows = "\n".join(f"{_WHITE_ON_BLACK}{row}{_PLAIN}" for row in out.getvalue().splitlines())
    return f"{address.page}\n{rows}\n"
