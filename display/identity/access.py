"""Roles: who may read which page and channel, and give which command.

| role | who | may, in addition to what everyone may |
|---|---|---|
| viewer | everyone else | see clock, overlay, rules and the public view of tables |
| display | a paired wall display | see the station's overview: a screen at the staff's desk |
| producer | the broadcast | see the station's overview, without any card; at the relay, say what is on air |
| dealer | the screen of one table | press its keys, read its open ruling |
| floor | a person | the overview, every table's keys, rulings, `/sensed`; rule, set seats and hands |
| director | the tournament director | everything |
"""

from __future__ import annotations

from enum import StrEnum


class Role(StrEnum):
    VIEWER = "viewer"
    DISPLAY = "display"
    PRODUCER = "producer"
    DEALER = "dealer"
    FLOOR = "floor"
    TD = "director"  # not `td`: that is also a card, to whoever searches files for one


ROLE_WORDS = {
    Role.VIEWER: "a viewer",
    Role.DISPLAY: "a display",
    Role.PRODUCER: "the producer",
    Role.DEALER: "the dealer screen",
    Role.FLOOR: "the floor",
    Role.TD: "the tournament director",
}

STATION_ROLES = (Role.FLOOR, Role.TD, Role.PRODUCER, Role.DISPLAY)
TABLE_ROLES = (Role.DEALER, Role.FLOOR, Role.TD)
RELAY_ROLES = (Role.PRODUCER, Role.TD)

RULERS = frozenset({Role.FLOOR, Role.TD})
AT_THE_TABLE = RULERS | {Role.DEALER}
DIRECTORS = frozenset({Role.TD})
PRODUCERS = frozenset(RELAY_ROLES)
STAFF = RULERS | {Role.DISPLAY, Role.PRODUCER}

# What is not here everyone may read. `room` has alerts, failing devices and machines that ask for a table.
# `rulings` and `ruling/<table>` may name a player whom nobody has ruled against; what the camera reads and sees
# may be cards that are not tabled.
CHANNELS = {
    "room": STAFF,
    "ruling": AT_THE_TABLE,
    "health": AT_THE_TABLE,
    "sensed": RULERS,
    **dict.fromkeys(("rulings", "queue", "history", "names", "picture", "presses"), RULERS),
    **dict.fromkeys(("night", "book", "field", "stacks", "seats", "tiles", "chips", "prizes", "kept"), RULERS),
    **dict.fromkeys(("penalties", "league", "log"), RULERS),
    **dict.fromkeys(("staged", "desk", "gauge", "preview", "coverage_desk"), PRODUCERS),
    "clip": DIRECTORS,
    "phones": DIRECTORS,
    "machines": DIRECTORS,
}
PAGES = {
    "station": STAFF,
    "night": RULERS,
    "sensed": RULERS,
    "machines": DIRECTORS,
    "wall": DIRECTORS,
    "broadcast": PRODUCERS,
}
_OF_RULERS = (
    *("rule", "take_back_ruling", "set_seats", "set_hand", "ask_count", "take_picture"),
    *("preview_rewind", "rewind", "ruling_facts"),
    *("let_player_in", "refuse_player"),
    *("take_item", "leave_item", "done_item", "reopen_item"),
)
COMMANDS = dict.fromkeys(_OF_RULERS, RULERS)

WHO = {
    RULERS: "the tournament director and the floor",
    AT_THE_TABLE: "this table's dealer screen, the floor and the tournament director",
    DIRECTORS: "the tournament director",
    PRODUCERS: "the producer and the tournament director",
    STAFF: "the tournament director, the floor, and screens and producers who are signed in",
}


def may_command(role: Role, command: str) -> bool:
    """Whether `role` may give `command` at the station; only a director may try an unknown one."""
    return role in commanders(command)


def presses_of(role: Role) -> frozenset[str]:
    """The commands that `role` may give; `*` is every one."""
    if role in DIRECTORS:
        return frozenset({"*"})
    return frozenset(command for command, roles in COMMANDS.items() if role in roles)


def commanders(command: str) -> frozenset[Role]:
    return COMMANDS.get(command, DIRECTORS)


def may_press(role: Role, own_table: str, table: str) -> bool:
    """Whether `role` may touch the keys of `table`; `own_table` is the one that its screen belongs to."""
    return role in RULERS or (role is Role.DEALER and own_table == table)


def may_read(role: Role, own_table: str, channel: str) -> bool:
    """Whether `role` may read `channel`, such as `clock` or `ruling/07`."""
    kind, _, table = channel.partition("/")
    allowed = CHANNELS.get(kind)
    if allowed is None or role in RULERS:
        return allowed is None or role in allowed
    return role in allowed and (role is not Role.DEALER or own_table == table)


def readers(channel: str) -> str:
    """Who may read `channel`, in words."""
    allowed = CHANNELS.get(channel.partition("/")[0])
    return "everyone" if allowed is None else WHO[allowed]
