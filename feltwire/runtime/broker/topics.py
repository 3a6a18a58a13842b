"""MQTT topics, one function each (docs/topics.asyncapi.json lists the messages on them)."""

from __future__ import annotations

# Read by the station alone: an accusation is public only once it is confirmed.
PRIVATE_LEAVES = ("clip", "handover", "health", "picture", "presses", "program", "ruling", "screens")
PROCESS_LEAVES = ("status", "beat", "program")  # of the relay and of wall clocks, read by the station
# What the broker may keep for whoever comes later. Anything else that it kept was put there by somebody who should
# not: a command of yesterday, a message that fells a process at each start.
RETAINED_LEAVES = ("state", "status", "device")
# Of a table. Where it has several cameras, `camera` is all of them together.
DEVICES = ("keypad", "shoe", "camera", "camera-1", "camera-2", "camera-3", "camera-4", "bus")


def table(venue: str, table_id: str, leaf: str) -> str:
    """`leaf`: event, state, birth, status, beat, clip, handover, health, picture, presses, program, ruling,
    screens, resend, sealed, sealed/ack, command, grant, ack, device/<name>."""
    return f"fw/{venue}/table/{table_id}/{leaf}"


def tournament(venue: str, leaf: str) -> str:
    """`leaf`: clock, field, look, beat, charge/<table>, revoked, upgrade."""
    return f"fw/{venue}/tournament/{leaf}"


def expiry(venue: str, name: str) -> str:
    """The topic where the device with this certificate name reports when it expires."""
    return f"fw/{venue}/expiry/{name}"


def process(venue: str, name: str, leaf: str) -> str:
    """Of the relay, of each wall clock and of the delay box. `leaf`: status, beat, program; of the relay: air."""
    return f"fw/{venue}/process/{name}/{leaf}"


def split_process(topic: str) -> tuple[str, str] | None:
    """`(name, leaf)` of such a topic, None for any other."""
    match topic.split("/"):
        case ["fw", _, "process", name, leaf]:
            return name, leaf
    return None


def device_of_expiry(topic: str) -> str | None:
    """The device of such a topic, None for any other."""
    parts = topic.split("/")
    return parts[3] if len(parts) == 4 and (parts[0], parts[2]) == ("fw", "expiry") else None


def overlay(venue: str, feed: str) -> str:
    return f"fw/{venue}/overlay/{feed}"


def leaf_of(topic: str) -> str:
    """The leaf of a table's topic."""
    return "/".join(topic.split("/")[4:])


def split_table(topic: str) -> tuple[str, str] | None:
    """`(table id, leaf)` of a table's topic, None for any other."""
    parts = topic.split("/")
    if len(parts) < 5 or parts[0] != "fw" or parts[2] != "table":
        return None
    return parts[3], leaf_of(topic)


def table_of_leaseholder(topic: str) -> str | None:
    """The table of a `tournament/charge/<table>` topic, None for any other."""
    parts = topic.split("/")
    return parts[4] if len(parts) == 5 and parts[0] == "fw" and parts[2:4] == ["tournament", "charge"] else None


def may_be_retained(topic: str) -> bool:
    """Whether the broker may retain messages on this topic."""
    match topic.split("/"):
        case ["fw", _, "table", _, leaf, *_]:
            return leaf in RETAINED_LEAVES
        case ["fw", _, "tournament", leaf]:
            return leaf in ("clock", "field", "look", "revoked")
        case ["fw", _, "tournament", "charge", _]:
            return True
        case ["fw", _, "process", _, leaf]:
            return leaf in ("status", "air")
        case ["fw", _, "overlay", *_] | ["fw", _, "expiry", _]:
            return True
        case ["fw", *_]:
            return False
    return True  # not one of ours
