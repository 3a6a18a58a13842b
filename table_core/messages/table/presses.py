"""The dealer's last presses at a table, for the director's page."""

from __future__ import annotations

from table_core.messages.base import Few, Frozen, Name, Number, Text


class PressView(Frozen, frozen=True):
    """What was pressed on keypad or screen, with the number typed before it, and when. `facts` are the events that
    it led to at once, by number; none where it changed nothing, or waited."""

    wall: Name
    device: Name
    keys: Text
    by: Name = ""
    facts: Few[Number] = ()


class LastPresses(Frozen, frozen=True):
    """On `…/presses`, which only the station reads: the newest last."""

    epoch: Number
    presses: Few[PressView]
