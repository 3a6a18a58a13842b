"""Messages between machines about themselves: presence, progress, acknowledgements."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from table_core.messages.base import Frozen, Many, Millis, Name, Number, Text
from table_core.messages.version import MESSAGES_VERSION, written

# The id of what a process cannot show; empty where it shows everything. No text: the station words it.
FaultId = Annotated[str, Meta(pattern=r"^[0-9a-f]{0,6}$(?!\n)", max_length=6)]


class Ack(Frozen, frozen=True):
    """Station -> table: every event of `epoch` up to `seq` is committed."""

    epoch: Number
    seq: Number


class SealedCard(Frozen, frozen=True):
    """On `…/sealed`: one fixed-length box for the relay, signed. It names only the card's place."""

    epoch: Number
    sealed_seq: Number
    hand: Number
    attempt: Number
    place: Number
    box: Annotated[str, msgspec.Meta(max_length=1_000)]  # base64
    signature: Name = ""


class PastEpoch(Frozen, frozen=True):
    """An epoch of a table that is over: its events up to `last_seq`, whose SHA-256 (hex) is `head`, are by the
    machine with `ledger`, signed with its `key` (hex, Ed25519)."""

    epoch: Number
    last_seq: Number
    head: Name
    ledger: Name
    key: Name


class Leaseholder(Frozen, frozen=True):
    """The machine that is the table in `epoch`: its `ledger`, the `key` that it signs with (hex, Ed25519), and
    in `past` the epochs before, in order. Messages of any other machine in the table's name are refused."""

    ledger: Name
    epoch: Number
    key: Name
    past: Many[PastEpoch] = ()


class TableLeaseholder(Frozen, frozen=True):
    """On `…/tournament/charge/<table>`, retained: the table's leaseholder, as the station granted it."""

    table: Name
    leaseholder: Leaseholder = msgspec.field(name="in_charge")


class Birth(Frozen, frozen=True):
    """A table is on the network: its progress and its machine.

    `ledger` names its ledger (drawn when the ledger was made), `key` (hex, Ed25519) is what it signs with, `head`
    the SHA-256 (hex) of its last event, `past` the epochs before; `answers` the `Resend` that asked for it;
    `question` is the name of this birth where it asks who is the table, and the `Grant` repeats it; `v` is the
    version of its messages. Signed with `key`.
    """

    venue: Name
    table: Name
    epoch: Number
    last_seq: Number
    schema: Name
    ledger: Name = ""
    head: Name = ""
    key: Name = ""
    past: Many[PastEpoch] = ()
    answers: Name = ""
    question: Name = ""
    v: Number = msgspec.field(default_factory=written)
    signature: Name = ""


class HistoryWanted(Frozen, frozen=True):
    """On `…/handover`: the machine with `ledger`, which was granted `epoch`, asks for the events after this
    one. The answer is `History`."""

    ledger: Name
    epoch: Number
    after_epoch: Number
    after_seq: Number


class Status(Frozen, frozen=True):
    online: bool
    boot: Name = ""


class AirDelay(Frozen, frozen=True):
    """On `…/process/relay/air`, retained: what is on air lies `air_s` seconds back; None: nothing is on air. The
    delay box holds the video back as long."""

    air_s: float | None


class TableBeat(Frozen, frozen=True):
    """A table's answer to each beat of the station, not retained: its machine is there. `epoch` is that of the
    machine, `boot` and `at` are those of the beat that it answers, `v` is the version of its messages."""

    epoch: Number
    boot: Name
    at: Millis
    v: Number = msgspec.field(default_factory=written)
    cannot_show: FaultId = ""


class Beat(Frozen, frozen=True):
    """Once a second, not retained: the station's boot time, for offset estimates, and the version of the messages
    that the room writes: everybody writes that version. `clock` names the clock that holds: the `at` of the last
    `ClockState` that was sent; 0 before. The relay and wall clocks say it back, with the id of what they cannot
    show."""

    boot: Name
    at: Millis
    v: Number = msgspec.field(default_factory=written)
    clock: Millis = Millis(0)
    cannot_show: FaultId = ""


class Program(msgspec.Struct, frozen=True, gc=False):
    """On `…/program`: which program a machine runs, its `version`, and up to which version of the messages it
    `reads`. To every tenth beat of a station, to the first, and while a release is on its way to the machine.
    `epoch` is that of a table, else 0; `upgrade` says how far that release is, or why the last one was not
    installed; `backup` what is wrong with the backups of the machine's records.

    Every version reads this message of every other: fields are added, and those that nobody knows are skipped.
    """

    version: Name
    reads: Number = MESSAGES_VERSION
    epoch: Number = 0
    upgrade: Name = ""
    backup: Text = ""


class UpgradeOrder(msgspec.Struct, frozen=True, gc=False):
    """On `tournament/upgrade`: the station has a release for one `machine`, which fetches it at `url`; or asks
    that machine to go `back` to its version before. `id` names the press. Every version reads it, as `Program`."""

    id: Name
    machine: Name
    version: Name = ""
    size: Number = 0
    sha256: Name = ""
    url: Text = ""
    back: bool = False


class MachineView(Frozen, frozen=True):
    """A machine of the room on the director's page: `id` is the name in its certificate, `who` in words, `state`
    what is to be said of it."""

    id: Name
    who: Text
    version: Name
    state: Text = ""
    heard: bool = True
    in_hand: bool = False


class MachinesView(Frozen, frozen=True):
    """`release` is the version of the file at the station, empty where none lies there; `why` is what is wrong
    with it. `confirmed`: no upgrade waits for the director."""

    machines: Many[MachineView]
    release: Name = ""
    why: Text = ""
    confirmed: bool = True
