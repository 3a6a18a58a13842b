"""Commands of the station to a table."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from table_core.messages.base import (
    Chips,
    CommandId,
    Few,
    Frozen,
    Many,
    Message,
    Millis,
    Name,
    Number,
    Seat,
    Text,
)
from table_core.messages.hand.commands import Act, AwardPots, ResumeHand
from table_core.messages.parts import Level, SeatChips, SeatStack
from table_core.messages.room.clock import Mark


class Expiry(Frozen, frozen=True):
    """The instant of the station's boot time after which a command is refused."""

    boot: Name
    at: Millis


class TableCommand(Message, frozen=True):
    """A command to a table on `…/command`; the event or refusal that answers it cites `id`.

    A command that a person gave while looking at the table also has `if_seq` (in `if_epoch`), the last event that
    the person had seen, and `expires`: the table refuses it where the play has gone on since, or where it comes
    too late. `by` is the signed-in person, `Ann (floor)`; the resulting events name them.
    """


class SetSeats(TableCommand, frozen=True, tag="set_seats"):
    id: CommandId
    seats: Few[SeatStack]
    button: Seat | None = None
    hand: Number | None = None
    level: Level | None = None
    if_epoch: Number | None = None
    if_seq: Number | None = None
    expires: Expiry | None = None
    by: Name = ""


class ChangeSeats(TableCommand, frozen=True, tag="change_seats"):
    """Seats and chips between two hands: `leave` first, then `take`, then `add`. A hand in progress is finished
    before; until then a later command of this kind replaces an earlier one.

    `everybody`: all who sit there leave first. `leave` names who is to be in the seat; where somebody without
    chips has some by then, nothing is changed. A player who takes another seat of this table keeps the stack.
    `waits` and `away`: of `take`, who gets no cards between button and small blind, and who is not there;
    `no_cards`: of `away`, who is dealt out meanwhile.
    `smallest_chip`: the smallest in play from now on, behind a colour-up; 0: as before. `after_epoch` and
    `after_seq` name the last event with which seats changed that the station has seen: the command is refused
    where there is a later one.
    """

    id: CommandId
    leave: Few[SeatStack] = ()
    take: Few[SeatStack] = ()
    add: Few[SeatChips] = ()
    everybody: bool = False
    button: Seat | None = None
    hand: Number | None = None
    marks: Few[Name] = ()
    after_epoch: Number = 0
    after_seq: Number = 0
    by: Name = ""
    waits: Few[Seat] = ()
    away: Few[Seat] = ()
    smallest_chip: Chips = Chips(0)
    no_cards: Few[Seat] = ()


class SetPresence(TableCommand, frozen=True, tag="set_presence"):
    """The director has `player` away from the table, or back; `next_hand`: once the hand in progress is over.
    `no_cards`: the player is dealt out meanwhile; else dealt in, and the hand dies as the book has it."""

    id: CommandId
    seat: Seat
    player: Name
    away: bool
    no_cards: bool = False
    next_hand: bool = False
    by: Name = ""


class SetHand(TableCommand, frozen=True, tag="set_hand"):
    """*Resume from here* within a hand: `hand` is the state to go on from. A hand in progress is replaced; the
    table marks that the play before was not observed."""

    id: CommandId
    hand: ResumeHand
    if_epoch: Number | None = None
    if_seq: Number | None = None
    expires: Expiry | None = None
    by: Name = ""


class SetSchedule(TableCommand, frozen=True, tag="set_schedule"):
    id: CommandId
    revision: Number
    levels: Many[Level]


class SetLevel(TableCommand, frozen=True, tag="set_level"):
    """The level that hands started from now on are played at, of the schedule of this `revision`.

    Refused by a table that has a later schedule; one that does not have this schedule yet waits for it.
    """

    id: CommandId
    level: Level
    revision: Number


class FollowClock(TableCommand, frozen=True, tag="follow_clock"):
    """The clock of the schedule of this `revision`, for as long as the station is silent.

    No hand begins while there is a `wait` (why, for the dealer), after the hand `last_hand`, or in a break where
    there is a `break_rule`; `rule` is that of `wait` and `last_hand`. `kept_here`: this table keeps the clock.
    """

    id: CommandId
    revision: Number
    mark: Mark
    wait: Text = ""
    rule: Name = ""
    last_hand: Number | None = None
    break_rule: Name = ""
    kept_here: bool = False


class MakeRuling(TableCommand, frozen=True, tag="rule"):
    """The director rules on an incident at a table: opens it where it is not open, and chooses its option.

    Without an `option` the table only opens the incident and asks. `dismiss` closes it without a ruling. `ruler`
    names who ruled.
    """

    id: CommandId
    incident: Name
    option: Name = ""
    seat: Seat | None = None
    amount: Chips | None = None
    ruler: Name = ""
    reason: Text = ""
    note: Text = ""
    if_epoch: Number | None = None
    if_seq: Number | None = None
    expires: Expiry | None = None
    by: Name = ""


class TakeBackRuling(TableCommand, frozen=True, tag="take_back_ruling"):
    """The director takes back the last ruling of the director, with its consequences."""

    id: CommandId
    ruler: Name = ""
    if_epoch: Number | None = None
    if_seq: Number | None = None
    expires: Expiry | None = None
    by: Name = ""


class Rewind(TableCommand, frozen=True, tag="rewind"):
    """The director takes back the event `seq` of the hand and everything behind it. With `instead` another action
    or award takes its place, and what was keyed behind it is kept as far as it still fits."""

    id: CommandId
    seq: Number
    instead: Act | AwardPots | None = None
    if_epoch: Number | None = None
    if_seq: Number | None = None
    expires: Expiry | None = None
    by: Name = ""


class AskCount(TableCommand, frozen=True, tag="ask_count"):
    """The director asks the dealer to count the stack of a seat."""

    id: CommandId
    seat: Seat
    expires: Expiry | None = None
    by: Name = ""


class TakePicture(TableCommand, frozen=True, tag="take_picture"):
    """Send the camera's picture, with everything covered that is not public; answered by a `CameraPicture` and
    recorded by no event."""

    id: CommandId
    expires: Expiry | None = None


class OpenClip(TableCommand, frozen=True, tag="open_clip"):
    """The director opens the last minutes of the table's camera: recorded at the table, and answered by
    `ClipPart`s that only the station can read."""

    id: CommandId
    expires: Expiry | None = None
    by: Name = ""


class ScreenAnswer(StrEnum):
    ADMIT = "admit"
    REFUSE = "refuse"
    END = "end"  # of a screen that was let in


class AnswerScreen(TableCommand, frozen=True, tag="answer_screen"):
    """The director's answer to a browser that asks to be the table's keypad, or the end of one that was let in:
    `screen` is the id that the table gave it. On `…/grant`, which only the station writes; recorded in the table's
    audit."""

    id: CommandId
    screen: Name
    answer: ScreenAnswer
    expires: Expiry
    by: Name = ""


class Resend(TableCommand, frozen=True, tag="resend"):
    """Send every event from `from_seq` of `epoch` on again, later epochs included; with `birth`, report this
    machine first."""

    id: CommandId
    epoch: Number
    from_seq: Number
    birth: bool = False


class Grant(TableCommand, frozen=True, tag="grant"):
    """The machine with `ledger` and `key` is this table, in `epoch`; any other machine of the table is fenced.

    The epoch begins after the event `after_seq` of `after_epoch`, whose SHA-256 (hex) is `head`; a machine that
    ends elsewhere asks for the history up to there first. With `leave` the leaseholder was heard a moment ago:
    others leave the broker, because two clients with one name would take the connection from each other.
    `answers` names the `Birth` that it answers, where it answers one.
    """

    id: CommandId
    ledger: Name
    epoch: Number
    after_epoch: Number = 0
    after_seq: Number = 0
    head: Name = ""
    leave: bool = False
    key: Text = ""
    answers: Name = ""


class History(TableCommand, frozen=True, tag="history"):
    """Events of this table as they were collected, in order, for the machine with `ledger` that asked for them;
    each is an `Envelope`, byte for byte."""

    id: CommandId
    ledger: Name
    events: Many[msgspec.Raw]


AnyTableCommand = (
    SetSeats
    | ChangeSeats
    | SetPresence
    | SetHand
    | SetSchedule
    | SetLevel
    | FollowClock
    | MakeRuling
    | TakeBackRuling
    | Rewind
    | AskCount
    | TakePicture
    | OpenClip
    | AnswerScreen
    | Resend
    | Grant
    | History
)
