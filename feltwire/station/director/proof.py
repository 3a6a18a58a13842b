"""Which presses need a PIN: decided by what they would do, not by what they are called.

A command of the tournament is judged by the events that it is decided into (`table_core/tournament/touches.py`).
The other commands do the same each time: `BY_THEMSELVES` has those that hand over rights, release pictures, decide
the season's standing, or delete what cannot be brought back.

The proof names the effect: where the press would do another thing by then, it is asked again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from feltwire.station.station_io import (
    ClipAsked,
    CloseEvent,
    Directed,
    GrantLease,
    KeepSeason,
    SaveRestored,
    SaveWrites,
)
from feltwire.station.tournament.words import MOST_SAID, words
from table_core.messages import Refusal
from table_core.tournament.touches import Touched

BY_THEMSELVES: Mapping[str, str] = {
    "hand_over": "a machine gets the table",
    "admit_phone": "a phone is let in, and presses keys or rules from then on",
    "take_device": "a device becomes a table's, and what it reports counts from then on",
    "open_clip": "the pictures of a table's camera are opened",
    "records_complete": "tables are told what the restored records say",
    "records_without": "the event goes on without the records that cannot be read",
    "close_event": "the event is closed",
    "upgrade_machine": "a machine gets another program",
    "roll_back_machine": "a machine gets another program",
    "confirm_upgrade": "the room cannot go back to the version before",
    "forget_player": "a name and its penalties are deleted for good",
    "add_result": "the season's standing changes",
    "remove_result": "the season's standing changes",
    "restore_result": "the season's standing changes",
}
# What only those do: leases, pictures, records put aside, the season.
OF_RIGHTS = (GrantLease, ClipAsked, CloseEvent, SaveRestored, SaveWrites, KeepSeason)


class Unproven(Refusal, frozen=True):
    """Nothing was done: the PIN is needed for this `effect`."""

    effect: str = ""


def unproven(touched: Sequence[Touched], proven: str | None) -> Unproven | None:
    """Why a press is not done; None where it touches nothing, nobody is asked, or the PIN was given for it."""
    if proven is None or not touched:
        return None
    effect = _digest((one.back, one.event) for one in touched)
    if effect == proven:
        return None
    said = [*dict.fromkeys(f"{'Not any more: ' if one.back else ''}{words(one.event, {})}" for one in touched)]
    more = f"; {len(said) - MOST_SAID} more" if len(said) > MOST_SAID else ""
    return Unproven(f"{'; '.join(said[:MOST_SAID])}{more}.", "", effect=effect)


def unproven_by_itself(given: Directed) -> Unproven | None:
    """The same of a command that does not go through the tournament's records."""
    what = BY_THEMSELVES.get(given.command)
    if what is None or given.proven is None:
        return None
    effect = _digest([given.command, given.arguments])
    return None if effect == given.proven else Unproven(f"{what[0].upper()}{what[1:]}.", "", effect=effect)


def _digest(parts: Iterable[Any]) -> str:
    return hashlib.sha256(msgspec.json.encode([*parts])).hexdigest()
