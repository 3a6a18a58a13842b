"""Events of a table around its hands: questions, rulings, corrections, seats, levels, devices."""

from __future__ import annotations

from table_core.messages.base import (
    BookText,
    Chips,
    Event,
    Few,
    Frozen,
    Many,
    Millis,
    Name,
    Number,
    Seat,
    Signed,
    Text,
)
from table_core.messages.devices.keys import Key
from table_core.messages.parts import DeskWish, Level, SeatChips, SeatStack
from table_core.messages.room.clock import Mark
from table_core.messages.vocabulary import DeviceState, Source


class Rewound(Event, frozen=True, tag="rewound"):
    """Cuts the events in `cut` from the effective log; `to_seq` is the last one before the first of them. What an
    earlier one among them had cut counts again."""

    to_seq: Number
    cut: Many[Number]
    why: Text = ""


class Refused(Event, frozen=True, tag="refused"):
    """A press or command that was refused. `cause` cites it."""

    reason: Text
    rule: Name
    cause: Name = ""


class Noticed(Event, frozen=True, tag="noticed"):
    """A notice of the table: it raises no incident and stops nothing."""

    kind: Name
    text: Text
    seat: Seat | None = None
    rule: Name = ""


class Asked(Event, frozen=True, tag="asked"):
    """A question on the dealer screen. One press of `key` takes the default."""

    question: Number
    kind: Name
    text: Text
    key: Key = Key.STREET


class Answered(Event, frozen=True, tag="answered"):
    question: Number
    answer: Text
    source: Source = Source.KEY


class Ruled(Event, frozen=True, tag="ruled"):
    """A confirmed ruling: its incident, the chosen option and the rule that allows it.

    `by` is `table` (the dealer's press) or `director` with `ruler` naming the person; `reason` is from the
    pick-list, `note` free text. `replaced` is the text of what it replaces, `opened_at` when the incident was
    raised and `decided_at` when it was ruled on (boot time). `impounded` chips leave the stacks until a ruling
    returns them; `carried` chips go to the pot of the next deal.

    The ruling's consequences follow as events of their own.
    """

    incident: Name
    option: Name
    text: Text
    rule: Name
    seat: Seat | None = None
    amount: Chips | None = None
    by: Name = "table"
    ruler: Name = ""
    reason: Text = ""
    note: Text = ""
    replaced: Text = ""
    opened_at: Millis = Millis(0)
    decided_at: Millis = Millis(0)
    impounded: Signed = 0
    carried: Signed = 0


class Moved(Frozen, frozen=True):
    """The card at `place` of the deal belongs to `to` now: `seat-4`, `burn`, `board`, `barred`, `stub`."""

    place: Number
    to: Name


class DealCorrected(Event, frozen=True, tag="deal_corrected"):
    """A ruling changed where cards of this deal belong: dealt ones in `moved`, and from place `after` + 1 on the
    deck gives `rest`. After a reshuffle cards that were put back may come again."""

    after: Number
    rest: Many[Text]
    moved: Many[Moved] = ()
    reshuffled: bool = False


class SeatsSet(Event, frozen=True, tag="seats_set"):
    """*Resume from here*: who sits where with how much, who has the button, which level.

    A hand in progress is closed as not observed (`gap` is True then)."""

    seats: Few[SeatStack]
    button: Seat | None
    hand: Number | None = None  # number of the hand that comes next
    level: Level | None = None
    gap: bool = False
    source: Source = Source.DIRECTOR


class SeatsChanged(Event, frozen=True, tag="seats_changed"):
    """Between two hands, by the station: who left with what, who sits down with what, whose stack was changed.

    `button` and `hand` (the number of the hand that comes next) where they were set. `marks` repeat those of the
    command: what the station asks for once. `waits`: of `taken`, who gets no cards between button and small blind;
    `away`: who is not there; `no_cards`: of these, who is dealt out meanwhile. `smallest_chip`: the smallest
    in play from now on; 0: as before.
    """

    left: Few[SeatStack] = ()
    taken: Few[SeatStack] = ()
    added: Few[SeatChips] = ()
    button: Seat | None = None
    hand: Number | None = None
    marks: Few[Name] = ()
    waits: Few[Seat] = ()
    away: Few[Seat] = ()
    smallest_chip: Chips = Chips(0)
    no_cards: Few[Seat] = ()


class Counted(Event, frozen=True, tag="counted"):
    seat: Seat
    stack: Chips
    was: Signed  # below zero where a player put in more than the books had
    source: Source = Source.KEY


class AwaySet(Event, frozen=True, tag="away_set"):
    """`no_cards`: the player is dealt out while away."""

    seat: Seat
    away: bool
    source: Source = Source.KEY
    no_cards: bool = False


class ScheduleSet(Event, frozen=True, tag="schedule_set"):
    revision: Number
    levels: Many[Level]


class LevelBegan(Event, frozen=True, tag="level_began"):
    """The level that hands started from now on are played at."""

    level: Level


class ClockFollowed(Event, frozen=True, tag="clock_followed"):
    """The clock from here on, as the station said it (`FollowClock`) or as the table ran it on by itself."""

    revision: Number
    mark: Mark
    wait: Text = ""
    rule: Name = ""
    last_hand: Number | None = None
    break_rule: Name = ""
    kept_here: bool = False


class ClockAsked(Event, frozen=True, tag="clock_asked"):
    """The table that keeps the clock stops it, or lets it go on."""

    running: bool


class FloorCalled(Event, frozen=True, tag="floor_called"):
    on: bool = True


class DeskAsked(Event, frozen=True, tag="desk_asked"):
    """The table asks the tournament's desk for something, or, not `on`, does so no more."""

    wish: DeskWish
    on: bool = True


class DeviceStateChanged(Event, frozen=True, tag="device_state"):
    device: Name
    state: DeviceState
    detail: Text = ""


class EpochBegan(Event, frozen=True, tag="epoch_began"):
    """The first event of an epoch: from here on the machine with `ledger` is the table, and signs its events
    with `key` (hex, Ed25519)."""

    ledger: Name
    key: Name = ""


class RulebookSet(Event, frozen=True, tag="rulebook_set"):
    """The rulebook that hands begun from now on are played under: its id, the settings of the house over it (a
    JSON object, by parameter) and the SHA-256 (hex) of the two as one book. `own` is all that a book of the
    director's own says, empty for a book that ships with the program."""

    rulebook: Name
    house: Text
    sha256: Name
    own: BookText = ""


AnyTableEvent = (
    Rewound
    | Refused
    | Noticed
    | Asked
    | Answered
    | Ruled
    | DealCorrected
    | SeatsSet
    | SeatsChanged
    | Counted
    | AwaySet
    | ScheduleSet
    | LevelBegan
    | ClockFollowed
    | ClockAsked
    | FloorCalled
    | DeskAsked
    | DeviceStateChanged
    | EpochBegan
    | RulebookSet
)
