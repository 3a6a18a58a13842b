"""What the station asks of a table."""

from __future__ import annotations

import msgspec

from table_core.messages.base import Chips, Frozen, Message, Millis, Seat
from table_core.messages.hand_commands import ResumeHand
from table_core.messages.parts import Level, SeatStack


class Expiry(Frozen, frozen=True):
    """The instant of the station's boot time after which a command is not carried out any more."""

    boot: str
    at: Millis


class TableCommand(Message, frozen=True):
    """What the station asks of a table on `…/command`; `id` is cited by the event or refusal that answers it.

    What a person decided by looking at the table also says `if_seq` (in `if_epoch`), the last event that the
    person had seen, and when it `expires`: where the play has gone on since, or too late, the table refuses it.
    """


class SetSeats(TableCommand, frozen=True, tag="set_seats"):
    id: str
    seats: tuple[SeatStack, ...]
    button: Seat | None = None
    hand: int | None = None
    level: Level | None = None
    if_epoch: int | None = None
    if_seq: int | None = None
    expires: Expiry | None = None


class SetHand(TableCommand, frozen=True, tag="set_hand"):
    """*Resume from here* within a hand: `hand` says how things stand. A hand in progress is replaced; the table
    marks that what came before was not observed."""

    id: str
    hand: ResumeHand
    if_epoch: int | None = None
    if_seq: int | None = None
    expires: Expiry | None = None


class SetSchedule(TableCommand, frozen=True, tag="set_schedule"):
    id: str
    revision: int
    levels: tuple[Level, ...]


class SetLevel(TableCommand, frozen=True, tag="set_level"):
    """The level that hands started from now on are played at, of the schedule of this `revision`.

    Refused by a table that has a later schedule; one that does not have this schedule yet waits for it.
    """

    id: str
    level: Level
    revision: int


class Rule(TableCommand, frozen=True, tag="rule"):
    """The director rules on a matter at a table: opens it where it is not open, and chooses its way.

    Without a `way` the matter is opened only, and the table asks; the way `dismiss` closes an open matter without
    a ruling. `ruler` names who ruled.
    """

    id: str
    matter: str
    way: str = ""
    seat: Seat | None = None
    amount: Chips | None = None
    ruler: str = ""
    reason: str = ""
    note: str = ""
    if_epoch: int | None = None
    if_seq: int | None = None
    expires: Expiry | None = None


class TakeBackRuling(TableCommand, frozen=True, tag="take_back_ruling"):
    """The director takes back the ruling that the director made last, with everything it did."""

    id: str
    ruler: str = ""
    if_epoch: int | None = None
    if_seq: int | None = None
    expires: Expiry | None = None


class Resend(TableCommand, frozen=True, tag="resend"):
    """Send again every event from `from_seq` of `epoch` on, later epochs included; with `birth`, say first which
    machine this is."""

    id: str
    epoch: int
    from_seq: int
    birth: bool = False


class Grant(TableCommand, frozen=True, tag="grant"):
    """The machine with `ledger` is this table, in `epoch`; any other that hears this is fenced.

    The epoch begins behind the event `after_seq` of `after_epoch`, whose SHA-256 (hex) is `head`; a machine that
    ends elsewhere asks for the history up to there first. With `leave` the machine in charge was heard a moment
    ago: others leave the broker, for two with one name would take the connection from each other.
    """

    id: str
    ledger: str
    epoch: int
    after_epoch: int = 0
    after_seq: int = 0
    head: str = ""
    leave: bool = False


class History(TableCommand, frozen=True, tag="history"):
    """Events of this table as they were collected, in order, for the machine with `ledger` that asked for them;
    each is an `Envelope`, byte for byte."""

    id: str
    ledger: str
    events: tuple[msgspec.Raw, ...]


AnyTableCommand = SetSeats | SetHand | SetSchedule | SetLevel | Rule | TakeBackRuling | Resend | Grant | History
