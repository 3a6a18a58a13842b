"""Which pins are joined: a net is the set of pins that are one conductor. A pin is `Connector.label`."""

from __future__ import annotations

from collections.abc import Iterable

Net = frozenset[str]


class Joined:
    """Pins that are joined pair by pair."""

    def __init__(self) -> None:
        self._parent: dict[str, str] = {}

    def join(self, first: str, second: str) -> None:
        self._parent[self._root(first)] = self._root(second)

    def nets(self) -> set[Net]:
        """All nets of two pins and more."""
        found: dict[str, set[str]] = {}
        for pin in self._parent:
            found.setdefault(self._root(pin), set()).add(pin)
        return {frozenset(pins) for pins in found.values() if len(pins) > 1}

    def _root(self, pin: str) -> str:
        parent = self._parent.setdefault(pin, pin)
        return pin if parent == pin else self._root(parent)


def join_grounds(joined: Joined, pins: Iterable[str]) -> None:
    """A module's pins GND, GND2 … are joined inside it."""
    first: dict[str, str] = {}
    for pin in pins:
        connector, _, label = pin.partition(".")
        if label.startswith("GND"):
            joined.join(pin, first.setdefault(connector, pin))


def only(nets: Iterable[Net], pins: set[str]) -> set[Net]:
    """The nets as far as they join these pins."""
    return {kept for net in nets if len(kept := net & pins) > 1}
