"""The tournament as a page sees it: its channels put together, for sheets and other programs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from display.push import Hub

# `night` first: without an event there is nothing else.
CHANNELS = (
    "night",
    "book",
    "field",
    "stacks",
    "seats",
    "chips",
    "prizes",
    "penalties",
    "league",
    "log",
    "tiles",
    "kept",
)


def night_of(snapshots: Iterable[bytes | None]) -> dict[str, Any]:
    """The keys of all these channels in one; everybody in `field` with every fact, and with `stack`."""
    return together(msgspec.json.decode(raw) for raw in snapshots if raw is not None)


def night_in(hub: Hub, channels: Iterable[str]) -> dict[str, Any]:
    """What `hub` has of these channels now."""
    latest = (hub.latest(channel) for channel in channels)
    return night_of(snapshot.data for snapshot in latest if snapshot is not None)


def together(parts: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """As `night_of`, of channels that are read already."""
    night: dict[str, Any] = {}
    for part in parts:
        night |= part
    if "field" in night:
        stacks = night.get("stacks", {})
        night["field"] = [night["blank"] | {"stack": stacks.get(one["player"])} | one for one in night["field"]]
    return night
