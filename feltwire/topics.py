"""MQTT topics, one function each (docs/topics.asyncapi.json lists what travels on them)."""

from __future__ import annotations

# Read by the station alone: an accusation is public only once it is confirmed.
PRIVATE_LEAVES = ("handover", "ruling")


def table(venue: str, table_id: str, leaf: str) -> str:
    """`leaf`: event, state, birth, status, handover, ruling, resend, sealed, sealed/ack, command, ack,
    device/<name>."""
    return f"fw/{venue}/table/{table_id}/{leaf}"


def tournament(venue: str, leaf: str) -> str:
    """`leaf`: state, clock, event, beat."""
    return f"fw/{venue}/tournament/{leaf}"


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
