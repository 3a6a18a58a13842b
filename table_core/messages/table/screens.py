"""Browsers that ask to be a table's keypad, and those that were let in; for the director's page."""

from __future__ import annotations

from table_core.messages.base import Few, Frozen, Millis, Name, Number, Text


class AskingScreen(Frozen, frozen=True):
    """A browser that shows `digits` and waits. `id` names the request; `secure`: its page came over TLS.
    `name` and `role`: as whom, where it does not ask for a table's keypad."""

    id: Name
    digits: Name
    ms_ago: Number = 0
    address: Name = ""
    secure: bool = False
    name: Name = ""
    role: Name = ""


class AdmittedScreen(Frozen, frozen=True):
    """A browser that was let in: its session's id, its name in the ledger, since when (wall)."""

    id: Name
    name: Name
    since: Millis
    address: Name = ""


class TableScreens(Frozen, frozen=True):
    """On `…/screens`, which only the station reads, when either list changes. Signed with the ledger's key."""

    epoch: Number
    asking: Few[AskingScreen] = ()
    admitted: Few[AdmittedScreen] = ()
    signature: Name = ""


class AskingPhone(Frozen, frozen=True):
    """As the director's page shows it; `table` is empty for one that asks to be staff. `warning`:
    what is asked before it is let in."""

    table: Name
    screen: Name
    digits: Name
    ms_ago: Number
    address: Name = ""
    words: Name = ""
    warning: Text = ""


class AdmittedPhone(Frozen, frozen=True):
    table: Name
    screen: Name
    name: Name
    since: Millis
    address: Name = ""


class PhonesView(Frozen, frozen=True):
    """On the channel `phones`: those that ask anywhere in the room, and those that tables have let in."""

    asking: Few[AskingPhone] = ()
    admitted: Few[AdmittedPhone] = ()
