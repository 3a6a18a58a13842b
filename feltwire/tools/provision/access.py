"""The broker's access list (mosquitto): who may read and write which topic, by the name in the client's
certificate."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from feltwire.runtime.broker import topics

EVERY = "+"
_OF_A_TABLE = ("event", "state", "birth", "status", "beat", *(f"device/{name}" for name in topics.DEVICES))
PUBLIC_LEAVES = ("event", "state", "birth", "status", "device/+")
STATION, CLOCK, RELAY, OVERLAY, DISPLAY = "station", "clock", "relay", "overlay", "display"
DELAY = "delay"  # the delay box
DIRECTOR = "director"  # commands tables beside the station; nobody has it unless it is asked for
ROLES = (STATION, CLOCK, RELAY, OVERLAY, DISPLAY, DELAY)
SEVERAL = (CLOCK, OVERLAY, DISPLAY, DELAY, DIRECTOR)  # roles of which a venue may have several devices


def table_name(table: str) -> str:
    """The name in the certificate of a table."""
    return f"table-{table}"


def role_of(name: str) -> str:
    """The role of one more device, `clock` for `clock-bar`; empty where a venue has only one such device."""
    role, dash, rest = name.partition("-")
    return role if role in SEVERAL and dash and rest else ""


def acl_text(venue: str, tables: Sequence[str], more: Sequence[str] = ()) -> str:
    """The whole access list of a venue, with `more` devices than one of each role. What it does not grant is
    refused."""
    sections = [_section(venue, table_name(table), _table(venue, table)) for table in tables]
    sections += [
        _section(venue, STATION, _station(venue)),
        _section(venue, RELAY, _relay(venue)),
        *(_section(venue, role, _screen(venue, role, role)) for role in (CLOCK, DISPLAY, OVERLAY, DELAY)),
        *(_section(venue, name, _screen(venue, role_of(name), name)) for name in more),
    ]
    return "\n".join(
        [f"# Made by `feltwire provision` for {venue}. Change the program, not this file.", *sections]
    )


def rights_of(venue: str, name: str) -> list[tuple[str, str]]:
    """What the device with this certificate may do: `write`, `read` or `readwrite`, and the topic."""
    if name.startswith("table-"):
        rules = _table(venue, name.removeprefix("table-"))
    elif name == STATION:
        rules = _station(venue)
    elif name == RELAY:
        rules = _relay(venue)
    else:
        rules = _screen(venue, role_of(name) or name, name)
    return [(way, topic) for _, way, topic in (rule.split(" ", 2) for rule in rules)]


def _table(venue: str, table: str) -> list[str]:
    return [
        *_writes(venue, table, (*_OF_A_TABLE, *topics.PRIVATE_LEAVES, "sealed")),
        *_reads(venue, table, ("command", "grant", "ack", "resend", "sealed/ack")),
        _read(topics.tournament(venue, "#")),
    ]


def _screen(venue: str, role: str, name: str) -> list[str]:
    """Roles of which there may be several."""
    match role:
        case "clock":
            return [_read(topics.tournament(venue, "#")), *_beats(venue, name)]
        case "delay":
            air = _read(topics.process(venue, RELAY, "air"))
            graphics = _read(topics.overlay(venue, EVERY))  # for the subtitles
            return [_read(topics.tournament(venue, "#")), air, graphics, *_beats(venue, name)]
        case "display":
            return [_read(topics.tournament(venue, "#")), *_reads(venue, EVERY, PUBLIC_LEAVES)]
        case "overlay":
            return [_read(topics.overlay(venue, EVERY))]
        case _:
            return _writes(venue, EVERY, ("command",))


def _station(venue: str) -> list[str]:
    return [
        *_reads(venue, EVERY, (*PUBLIC_LEAVES, "beat", *topics.PRIVATE_LEAVES)),
        *_writes(venue, EVERY, ("command", "grant", "ack")),
        _read(topics.expiry(venue, EVERY)),
        *(_read(topics.process(venue, EVERY, leaf)) for leaf in topics.PROCESS_LEAVES),
        f"topic readwrite {topics.tournament(venue, '#')}",
    ]


def _relay(venue: str) -> list[str]:
    return [
        *_reads(venue, EVERY, (*PUBLIC_LEAVES, "sealed", "ack")),
        *_writes(venue, EVERY, ("sealed/ack", "resend")),
        _read(topics.tournament(venue, "#")),
        _write(topics.overlay(venue, EVERY)),
        _write(topics.process(venue, RELAY, "air")),
        *_beats(venue, RELAY),
    ]


def _beats(venue: str, name: str) -> list[str]:
    return [_write(topics.process(venue, name, leaf)) for leaf in topics.PROCESS_LEAVES]


def _section(venue: str, user: str, rules: Iterable[str]) -> str:
    return "\n".join(["", f"user {user}", *rules, _write(topics.expiry(venue, user)), ""])


def _read(topic: str) -> str:
    return f"topic read {topic}"


def _write(topic: str) -> str:
    return f"topic write {topic}"


def _reads(venue: str, table: str, leaves: Iterable[str]) -> list[str]:
    return [_read(topics.table(venue, table, leaf)) for leaf in leaves]


def _writes(venue: str, table: str, leaves: Iterable[str]) -> list[str]:
    return [_write(topics.table(venue, table, leaf)) for leaf in leaves]
