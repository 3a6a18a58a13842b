"""One table as every page shows it."""

from __future__ import annotations

from table_core.messages.base import CardText, Chips, Few, Frozen, Many, Name, Number, Seat, Signed, Text
from table_core.messages.devices.keys import Key
from table_core.messages.hand.commands import Legal
from table_core.messages.parts import DeskWish, Level
from table_core.messages.vocabulary import Action, DeviceState, Street


class SeatView(Frozen, frozen=True):
    seat: Seat
    player: Name
    stack: Chips
    bet: Chips = Chips(0)  # in front of the seat on this street
    in_hand: bool = False
    folded: bool = False
    all_in: bool = False
    away: bool = False
    cards: Few[CardText] = ()  # tabled, or `"??"` for backs
    last: Text = ""  # "raise 1,200"
    won: Chips = Chips(0)
    counted_after: Number = 0  # the hand after which it was last counted or set; computed since then
    tabled: bool = False  # its hand lies face up, read or not
    action: Action | None = None  # what `last` says
    amount: Chips | None = None  # of that action: what it added to call, or its bet or raise in all


class QuestionView(Frozen, frozen=True):
    question: Number
    kind: Name
    text: Text
    key: Key


class NoticeView(Frozen, frozen=True):
    seq: Number
    kind: Name
    text: Text
    seat: Seat | None = None
    rule: Name = ""


class CalledOn(Frozen, frozen=True):
    """The clock that runs on the seat to act: how long it is, and the event (seq) with which it began."""

    seat: Seat
    of_ms: Number
    since: Number


class TableView(Frozen, frozen=True):
    """Public state of one table as of one event: the content of `TableState`, for every page."""

    venue: Name
    table: Name
    epoch: Number
    as_of: Number  # seq
    head: Name  # SHA-256 (hex) of the stored bytes of that event
    rulebook: Name
    hand: Number
    street: Street
    level: Level | None
    next_hand_level: Level | None
    button: Seat | None
    small_blind: Seat | None
    big_blind: Seat | None
    seats: Few[SeatView]
    board: Few[CardText]
    pots: Few[Chips]  # collected pots, main pot first
    pot: Chips  # everything in the middle and in front
    legal: Legal | None
    question: QuestionView | None
    last: Text  # what the last step did, in words
    notices: Few[NoticeView]
    devices: dict[Name, DeviceState]  # those that the table has
    by_hand: bool = False  # it has no keypad, shoe or camera: all is keyed on its screen
    floor: bool = False
    wishes: Few[DeskWish] = ()  # what it asks of the tournament's desk
    no_hand: Text = ""  # why no new hand is to begin
    hands_played: Number = 0
    predicted: Text = ""  # what the chips in front of the seat to act amount to; on the table's own screen only
    shows: Few[Seat] = ()  # who is still to show, in the order that the book prescribes; likewise
    waiting: Text = ""  # presses that wait for a street; likewise
    typed: Text = ""  # what was typed on the keypad and no key has taken yet; likewise
    outcome: Name = ""  # of the last press: `refused`, `again` (counted once), or nothing; likewise
    contenders: Few[Few[Seat]] = ()  # who can win each of `pots`, where there is a side pot
    next_step: Text = ""  # what the dealer does next, in one sentence
    called: CalledOn | None = None


class TableState(Frozen, frozen=True):
    """On `…/state`: the table's public state, signed by its machine."""

    view: TableView
    signature: Name = ""


class BlindClock(Frozen, frozen=True):
    """The tournament clock as this table knows it; `entry` is the place of `level` in `levels`, from 0."""

    running: bool
    level: Level
    left_ms: Signed
    next_level: Level | None
    levels: Many[Level]
    entry: Number


class CalledClock(Frozen, frozen=True):
    """The clock that was called on a player; `words` say by whom, and how long it is."""

    seat: Seat
    left_ms: Number
    of_ms: Number
    words: Text


class TableClocks(Frozen, frozen=True):
    """On the channel `clock/<table>` of the table's own screen: what is left at the instant it is published."""

    blinds: BlindClock | None = None  # None without a station that keeps one
    called: CalledClock | None = None
