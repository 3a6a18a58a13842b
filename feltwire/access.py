"""Who may read and write what on the broker: mosquitto's access list, by the name in the client's certificate.

A table writes only its own topics; only the relay reads sealed cards and writes overlays; only the station
commands tables and runs the tournament; everybody else reads public topics.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from feltwire import topics

EVERY = "+"
PUBLIC_LEAVES = ("event", "state", "birth", "status", "device/+")
STATION, CLOCK, RELAY, OVERLAY, DISPLAY = "station", "clock", "relay", "overlay", "display"
ROLES = (STATION, CLOCK, RELAY, OVERLAY, DISPLAY)


def table_name(table: str) -> str:
    """The name in the certificate of a table."""
    return f"table-{table}"


def acl_text(venue: str, tables: Sequence[str]) -> str:
    """The whole access list of a venue. What it does not grant is refused."""
    sections = [_section(table_name(table), _table(venue, table)) for table in tables]
    sections += [
        _section(STATION, _station(venue)),
        _section(RELAY, _relay(venue)),
        _section(CLOCK, [_read(topics.tournament(venue, "#"))]),
        _section(DISPLAY, [_read(topics.tournament(venue, "#")), *_reads(venue, EVERY, PUBLIC_LEAVES)]),
        _section(OVERLAY, [_read(topics.overlay(venue, EVERY))]),
    ]
    return "\n".join(
        [f"# Made by `feltwire provision` for {venue}. Change the program, not this file.", *sections]
    )


def _table(venue: str, table: str) -> list[str]:
    return [
        *_writes(venue, table, (*PUBLIC_LEAVES, "sealed", "handover")),
        *_reads(venue, table, ("command", "ack", "sealed/ack")),
        _read(topics.tournament(venue, "#")),
    ]


def _station(venue: str) -> list[str]:
    return [
        *_reads(venue, EVERY, (*PUBLIC_LEAVES, "handover")),
        *_writes(venue, EVERY, ("command", "ack")),
        f"topic readwrite {topics.tournament(venue, '#')}",
    ]


def _relay(venue: str) -> list[str]:
    return [
        *_reads(venue, EVERY, (*PUBLIC_LEAVES, "sealed")),
        *_writes(venue, EVERY, ("sealed/ack",)),
        _read(topics.tournament(venue, "#")),
        _write(topics.overlay(venue, EVERY)),
    ]


def _section(user: str, rules: Iterable[str]) -> str:
    return "\n".join(["", f"user {user}", *rules, ""])


def _read(topic: str) -> str:
    return f"topic read {topic}"


def _write(topic: str) -> str:
    return f"topic write {topic}"


def _reads(venue: str, table: str, leaves: Iterable[str]) -> list[str]:
    return [_read(topics.table(venue, table, leaf)) for leaf in leaves]


def _writes(venue: str, table: str, leaves: Iterable[str]) -> list[str]:
    return [_write(topics.table(venue, table, leaf)) for leaf in leaves]
