"""The one definition of the wire: observations, commands, events and the views that pages show.

Everything here is a frozen struct of plain facts. JSON on MQTT, in the ledger and to the browser is what
`msgspec` makes of these structs; `docs/messages.md` is generated from them.

Cards are written as text: rank `23456789TJQKA` and suit `cdhs` (`"Ah"`), or `"??"` for a card that lies there
but is not known. Chips are integers in the smallest unit in play. Seats count from 1. Times are milliseconds
of boot time (`CLOCK_BOOTTIME`) of the machine named by the boot id beside them.
"""

from __future__ import annotations

import functools
import hashlib
from enum import IntEnum, StrEnum
from typing import Annotated, Any, NewType

import msgspec
from msgspec import Meta, Struct

ENVELOPE_VERSION = 1

Seat = NewType("Seat", int)
Chips = NewType("Chips", int)
Millis = NewType("Millis", int)
CardText = Annotated[str, Meta(pattern=r"^([2-9TJQKA][cdhs]|\?\?)$")]
UNKNOWN_CARD = "??"


class Frozen(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """Base of every struct that does not carry a type tag. Frozen facts form no cycles: `gc=False`."""


class Message(Struct, frozen=True, tag_field="type", forbid_unknown_fields=True, gc=False):
    """Base of every struct that is one of several kinds and carries its type."""


# --------------------------------------------------------------------------------------------- words


class Street(StrEnum):
    PREFLOP = "preflop"
    FLOP = "flop"
    TURN = "turn"
    RIVER = "river"
    SHOWDOWN = "showdown"
    DONE = "done"


class Action(StrEnum):
    FOLD = "fold"
    CHECK = "check"
    CALL = "call"
    BET = "bet"
    RAISE = "raise"


class Post(StrEnum):
    ANTE = "ante"
    BIG_BLIND_ANTE = "big_blind_ante"
    SMALL_BLIND = "small_blind"
    BIG_BLIND = "big_blind"
    STRADDLE = "straddle"


class Source(StrEnum):
    """Where a fact comes from (real-tables.md, 4). Several of them together confirm it."""

    KEY = "key"
    SHOE = "shoe"
    CAMERA = "camera"
    SCREEN = "screen"
    DIRECTOR = "director"
    ENGINE = "engine"  # follows from the rules
    ASSUMED = "assumed"  # nobody said so; the default was taken


class Key(IntEnum):
    """Keys of the dealer's keypad; the number is the key code in a key frame.

    Digits make a number; the function key after it takes that number as its amount or seat:
    `1 2 00 RAISE` raises to 1,200, `4 TABLED` says that seat 4 tabled its hand, `5 FOLD` that seat 5 folded.
    """

    D0 = 0
    D1 = 1
    D2 = 2
    D3 = 3
    D4 = 4
    D5 = 5
    D6 = 6
    D7 = 7
    D8 = 8
    D9 = 9
    D00 = 10
    D000 = 11
    CLEAR = 12
    SEAT = 13  # turns the number typed so far into a seat for the key that follows
    FOLD = 16
    CHECK_CALL = 17
    BET_RAISE = 18  # with an amount: bet that or raise to that
    ALL_IN = 19
    STREET = 20  # confirms what the screen asks: betting closed, street dealt
    NEW_HAND = 24  # the first riffle
    POT_PUSHED = 25
    TABLED = 26
    MUCK = 27
    AWARD = 28
    SPLIT = 29
    UNDO = 32
    FLOOR = 33
    TIME = 34
    BUTTON_HERE = 35
    AWAY = 36
    COUNT = 37
    OUT_OF_HAND = 38
    OLD_LEVEL = 39


class Hint(StrEnum):
    """What a table may point out about how chips came, beside a predicted action. Off unless it is configured."""

    STRING_BETS = "string_bets"  # the first motion was another action than all of them together
    MOTIONS = "motions"  # in how many motions they came


class DeviceState(StrEnum):
    """Reader states that operators know, and their colour on every page."""

    OK = "ok"
    CONNECTING = "connecting"
    NOT_RESPONDING = "not_responding"
    BLOCKED = "blocked"  # the camera sees nothing useful
    UNKNOWN_CARD = "unknown_card"
    DUPLICATE_CARD = "duplicate_card"
    OFF = "off"


# --------------------------------------------------------------------------------------------- parts


class Level(Frozen, frozen=True):
    """One level of the schedule. `minutes` is its length; a hand keeps the level that it began with."""

    no: int
    small_blind: Chips
    big_blind: Chips
    ante: Chips = Chips(0)  # from each player
    big_blind_ante: Chips = Chips(0)  # from the big blind, for the table
    minutes: float = 20
    is_break: bool = False


class SeatStack(Frozen, frozen=True):
    seat: Seat
    stack: Chips
    player: str = ""


class Share(Frozen, frozen=True):
    seat: Seat
    amount: Chips


class ResumedSeat(Frozen, frozen=True):
    """A player where a hand is resumed: chips behind and in front, and whether the hand is still live."""

    seat: Seat
    stack: Chips
    bet: Chips = Chips(0)
    live: bool = True
    player: str = ""


class ResumedPot(Frozen, frozen=True):
    """A collected pot where a hand is resumed, and the seats that can win it."""

    amount: Chips
    seats: tuple[Seat, ...]


class Origin(Frozen, frozen=True):
    """Which device said so: its name, its boot and its own sequence number."""

    device: str
    boot: int
    seq: int

    def text(self) -> str:
        return f"{self.device}/{self.boot:x}/{self.seq}"


# -------------------------------------------------------------------------------------- observations


class Observation(Message, frozen=True):
    """What a device saw. No interpretation, and never a card that lies face down."""


class KeyPressed(Observation, frozen=True, tag="key"):
    """`device_ms` is the keypad's own clock when the key went down, where it says so."""

    origin: Origin
    at: Millis
    key: Key
    device_ms: int | None = None


class CardLeftShoe(Observation, frozen=True, tag="card_left_shoe"):
    """A card passed the reader. Which one only the vault knows, under `handle`.

    `handle` counts cards of this attempt at this hand from 1; 0 for a passage without a readable tag.
    `note` is what the registry says without naming the card: `""`, `repeat` (this card passed before in this
    hand), `unknown_tag`, `other_deck`, `joker`, `unread`. `deck` names the deck where the registry knows it.
    """

    origin: Origin
    at: Millis
    handle: int
    note: str = ""
    deck: str = ""


class ZoneSeen(Observation, frozen=True, tag="zone_seen"):
    """What lies still in one zone: `board`, `burn`, `muck`, `pot`, `seat-4-cards`, `seat-4-bet`.

    `cards` are read with certainty, left to right; `unread` are face up but not certain; `face_down` are
    backs. `chips` is the value lying there where the camera is sure of it, `pieces` how many chips that is and
    `motions` in how many motions they came since the zone was empty; `odd` names what lies among them that is
    no tournament chip: `bounty`, `unknown`.
    """

    origin: Origin
    at: Millis
    zone: str
    cards: tuple[CardText, ...] = ()
    unread: int = 0
    face_down: int = 0
    chips: Chips | None = None
    pieces: int | None = None
    motions: int = 0
    odd: str = ""


class DeviceChanged(Observation, frozen=True, tag="device"):
    origin: Origin
    at: Millis
    device: str
    state: DeviceState
    detail: str = ""


class ScreenTouched(Observation, frozen=True, tag="touch"):
    """A touch on a screen means what the key means, with its number already in it."""

    origin: Origin
    at: Millis
    key: Key
    seat: Seat | None = None
    amount: Chips | None = None
    question: int | None = None  # the question that this answers
    reason: str = ""  # from the pick-list, with a ruling


AnyObservation = KeyPressed | CardLeftShoe | ZoneSeen | DeviceChanged | ScreenTouched


# ------------------------------------------------------------------------------------ hand commands


class HandCommand(Message, frozen=True):
    """What the hand engine is asked to do; it answers with events or with a `Refusal`."""


class StartHand(HandCommand, frozen=True, tag="start_hand"):
    """Begin a hand: posts antes and blinds at once. `small_blind` is None when it is dead this hand.

    With the moving button more seats may owe blinds: `extra_small_blinds` and `extra_big_blinds` post besides
    the two. `away` are dealt in and fold as the rulebook says. `carried` chips of the hand before (an odd chip,
    a forfeited deal) lie in the pot; of a forfeited deal only the seats in `carried_for` may play.
    """

    hand: int
    button: Seat
    small_blind: Seat | None
    big_blind: Seat
    level: Level
    seats: tuple[SeatStack, ...]
    source: Source = Source.KEY
    extra_small_blinds: tuple[Seat, ...] = ()
    extra_big_blinds: tuple[Seat, ...] = ()
    away: tuple[Seat, ...] = ()
    carried: Chips = Chips(0)
    carried_for: tuple[Seat, ...] = ()


class Act(HandCommand, frozen=True, tag="act"):
    """A player acts. `to` is the total in front of the seat on this street after a bet, raise or call;
    None takes the obvious amount (call: what is to call; bet or raise: all-in)."""

    seat: Seat
    action: Action
    to: Chips | None = None
    source: Source = Source.KEY


class DealBoard(HandCommand, frozen=True, tag="deal_board"):
    """The cards of the next street, `"??"` for those nobody has read."""

    cards: tuple[CardText, ...]
    sources: tuple[Source, ...] = ()


class ReadBoard(HandCommand, frozen=True, tag="read_board"):
    """The whole board so far, to fill in cards that were `"??"` when their street was dealt."""

    cards: tuple[CardText, ...]
    sources: tuple[Source, ...] = ()


class TableHand(HandCommand, frozen=True, tag="table_hand"):
    seat: Seat
    cards: tuple[CardText, ...]
    sources: tuple[Source, ...] = ()


class MuckHand(HandCommand, frozen=True, tag="muck_hand"):
    seat: Seat
    source: Source = Source.KEY


class AwardPots(HandCommand, frozen=True, tag="award_pots"):
    """Award every pot: from tabled cards, or to `winners` (in equal shares) where the dealer says so."""

    winners: tuple[Seat, ...] = ()
    source: Source = Source.ENGINE


class CountStack(HandCommand, frozen=True, tag="count_stack"):
    """The chips behind a seat were counted in the middle of a hand."""

    seat: Seat
    stack: Chips
    source: Source = Source.KEY


class SetAway(HandCommand, frozen=True, tag="set_away"):
    """A player left the table or is back, in the middle of a hand."""

    seat: Seat
    away: bool = True
    source: Source = Source.KEY


class CloseDeal(HandCommand, frozen=True, tag="close_deal"):
    """The last hole card is out. Hands of absent players are folded now where the rulebook says so."""


class KillHand(HandCommand, frozen=True, tag="kill_hand"):
    """A ruling: this hand is dead, in turn or not. `rule` says why; its chips stay in the pot."""

    seat: Seat
    why: str
    rule: str = ""
    source: Source = Source.DIRECTOR


class RetrieveHand(HandCommand, frozen=True, tag="retrieve_hand"):
    """A ruling: a mucked hand is given back to its player."""

    seat: Seat
    source: Source = Source.DIRECTOR


class CorrectBet(HandCommand, frozen=True, tag="correct_bet"):
    """A bet, raise or call of too little that was let pass is brought up to size."""

    seat: Seat
    source: Source = Source.KEY


class CallMisdeal(HandCommand, frozen=True, tag="call_misdeal"):
    """The deal is void: everyone takes their chips back."""

    why: str = ""
    source: Source = Source.DIRECTOR


class Straddle(HandCommand, frozen=True, tag="straddle"):
    """The first player to act posts twice the big blind, unseen."""

    seat: Seat
    source: Source = Source.KEY


class ChopBlinds(HandCommand, frozen=True, tag="chop_blinds"):
    """Everyone else folded and the blinds take their chips back."""

    source: Source = Source.KEY


class ExposeCard(HandCommand, frozen=True, tag="expose_card"):
    """A card lies face up that should not: everyone is told which. `to` is `seat-4`, `burn` or `stub`."""

    to: str
    card: CardText
    sources: tuple[Source, ...] = ()


class ResumeHand(HandCommand, frozen=True, tag="resume_hand"):
    """*Resume from here* within a hand: what happened before was not observed.

    `seats` are those dealt in, `pots` what is in the middle (main pot first). `last_raise` is the size of the
    last full bet or raise of this street, None for the minimum bet.
    """

    hand: int
    button: Seat
    small_blind: Seat | None
    big_blind: Seat
    level: Level
    street: Street
    board: tuple[CardText, ...]
    seats: tuple[ResumedSeat, ...]
    pots: tuple[ResumedPot, ...] = ()
    to_act: Seat | None = None
    last_raise: Chips | None = None
    source: Source = Source.DIRECTOR


class ResultOnly(HandCommand, frozen=True, tag="result_only"):
    """Closes a hand that nobody keyed: counted stacks by seat, and who shares what nobody counted."""

    winners: tuple[Seat, ...] = ()
    stacks: tuple[Share, ...] = ()
    source: Source = Source.KEY


AnyProposal = (
    StartHand
    | Act
    | DealBoard
    | ReadBoard
    | TableHand
    | MuckHand
    | AwardPots
    | CountStack
    | SetAway
    | CloseDeal
    | KillHand
    | RetrieveHand
    | CorrectBet
    | CallMisdeal
    | Straddle
    | ChopBlinds
    | ExposeCard
    | ResumeHand
    | ResultOnly
)


class Report(HandCommand, frozen=True, tag="report"):
    """The table did this: it is recorded whatever the rules say, with the rule that it breaks.

    `all_in` says that the chips of an action are all that the player has, whatever arithmetic says.
    """

    what: AnyProposal
    all_in: bool = False


AnyHandCommand = AnyProposal | Report


class Legal(Frozen, frozen=True):
    """What the seat to act may do; amounts are totals in front of the seat on this street."""

    seat: Seat
    can_check: bool
    call: Chips | None  # chips to add, None when there is nothing to call
    min_to: Chips | None  # smallest bet or raise, None when betting is closed to this seat
    max_to: Chips | None  # all-in


class Refusal(Frozen, frozen=True):
    """Why a proposal is not taken: words a dealer reads at a glance, the rule, and what is legal instead."""

    reason: str
    rule: str
    legal: Legal | None = None


# ---------------------------------------------------------------------------------------------- events


class Event(Message, frozen=True):
    """A recorded fact. Events are public: none names a card that is not on the board, tabled or exposed.

    `flag` is the rule that a reported fact breaks; empty when it breaks none.
    """


class HandStarted(Event, frozen=True, tag="hand_started"):
    hand: int
    button: Seat
    small_blind: Seat | None
    big_blind: Seat
    level: Level
    seats: tuple[SeatStack, ...]
    source: Source
    extra_small_blinds: tuple[Seat, ...] = ()
    extra_big_blinds: tuple[Seat, ...] = ()
    away: tuple[Seat, ...] = ()
    carried: Chips = Chips(0)
    flag: str = ""


class Posted(Event, frozen=True, tag="posted"):
    seat: Seat
    what: Post
    amount: Chips
    all_in: bool = False
    source: Source = Source.ASSUMED
    dead: bool = False  # not part of the seat's bet


class CardDealt(Event, frozen=True, tag="card_dealt"):
    """A card left the deck face down. `place` counts cards of this attempt from 1; `to` is `seat-4`, `burn`
    or `board`. `commitment` (hex) binds place and card; None for a card that was not read."""

    place: int
    to: str
    commitment: str | None
    attempt: int = 1


class Acted(Event, frozen=True, tag="acted"):
    """`added` chips went in, `to` is then the total in front of the seat on this street."""

    seat: Seat
    action: Action
    added: Chips
    to: Chips
    all_in: bool
    source: Source
    flag: str = ""


class BetReturned(Event, frozen=True, tag="bet_returned"):
    seat: Seat
    amount: Chips


class BettingClosed(Event, frozen=True, tag="betting_closed"):
    street: Street
    pots: tuple[Chips, ...]


class BoardDealt(Event, frozen=True, tag="board_dealt"):
    street: Street
    cards: tuple[CardText, ...]
    sources: tuple[Source, ...]
    flag: str = ""


class BoardRead(Event, frozen=True, tag="board_read"):
    """The whole board so far: cards that were unread are filled in, known ones are unchanged."""

    cards: tuple[CardText, ...]
    sources: tuple[Source, ...]


class HandTabled(Event, frozen=True, tag="hand_tabled"):
    seat: Seat
    cards: tuple[CardText, ...]
    sources: tuple[Source, ...]
    flag: str = ""


class HandMucked(Event, frozen=True, tag="hand_mucked"):
    seat: Seat
    source: Source
    flag: str = ""


class HandKilled(Event, frozen=True, tag="hand_killed"):
    """A hand is dead by a ruling or because its player is absent; its chips stay in the pot."""

    seat: Seat
    why: str
    rule: str
    source: Source


class HandRetrieved(Event, frozen=True, tag="hand_retrieved"):
    """A ruling gave a mucked hand back."""

    seat: Seat
    source: Source
    flag: str = ""


class BetCorrected(Event, frozen=True, tag="bet_corrected"):
    """Chips that were missing from a bet or call went in; `to` is then the total in front of the seat, or what
    it was when betting is over."""

    seat: Seat
    added: Chips
    to: Chips
    source: Source


class DealClosed(Event, frozen=True, tag="deal_closed"):
    """The last hole card is out."""


class CardExposed(Event, frozen=True, tag="card_exposed"):
    to: str
    card: CardText
    sources: tuple[Source, ...]


class Reported(Event, frozen=True, tag="reported"):
    """The table did something that no hand can take in; it is kept for whoever reads the log."""

    what: str
    flag: str


class Misdealt(Event, frozen=True, tag="misdealt"):
    """The deal is void and chips went back; a `hand_ended` follows."""

    hand: int
    why: str
    stacks: tuple[Share, ...]
    source: Source
    flag: str = ""


class HandResumed(Event, frozen=True, tag="hand_resumed"):
    """The hand goes on from here; what happened before was not observed."""

    hand: int
    button: Seat
    small_blind: Seat | None
    big_blind: Seat
    level: Level
    street: Street
    board: tuple[CardText, ...]
    seats: tuple[ResumedSeat, ...]
    pots: tuple[ResumedPot, ...]
    to_act: Seat | None
    last_raise: Chips | None
    source: Source
    gap: bool = True


class HandsBeaten(Event, frozen=True, tag="hands_beaten"):
    """Hands that lost pot `no` are killed before it is awarded."""

    no: int
    seats: tuple[Seat, ...]


class PotAwarded(Event, frozen=True, tag="pot_awarded"):
    """Pot `no` (0 is the main pot) of `amount`. `why`: `cards`, `last_standing` or `dealer`; `hand` names the
    winning hand in words when cards decided. Chips not in `shares` are carried to the next hand's pot."""

    no: int
    amount: Chips
    eligible: tuple[Seat, ...]
    shares: tuple[Share, ...]
    why: str
    hand: str = ""
    flag: str = ""


class ResultEntered(Event, frozen=True, tag="result_entered"):
    """A hand that nobody keyed: what was counted at its end. `change` is what the count found more (or less)
    than arithmetic; a `hand_ended` follows."""

    hand: int
    winners: tuple[Seat, ...]
    stacks: tuple[Share, ...]
    change: int
    source: Source
    gap: bool = True


class HandEnded(Event, frozen=True, tag="hand_ended"):
    """`carried` chips stay in the pot of the next hand."""

    hand: int
    stacks: tuple[Share, ...]
    out: tuple[Seat, ...] = ()
    carried: Chips = Chips(0)


class Rewound(Event, frozen=True, tag="rewound"):
    """Cuts the events in `cut` from the effective log; `to_seq` is the last one before the first of them."""

    to_seq: int
    cut: tuple[int, ...]
    why: str = ""


class Refused(Event, frozen=True, tag="refused"):
    """A press or command that was not taken. `cause` cites it."""

    reason: str
    rule: str
    cause: str = ""


class Noticed(Event, frozen=True, tag="noticed"):
    """Something the table noticed by itself; it accuses nobody and stops nothing."""

    kind: str
    text: str
    seat: Seat | None = None
    rule: str = ""


class Asked(Event, frozen=True, tag="asked"):
    """A question on the dealer screen. One press of `key` takes the default."""

    question: int
    kind: str
    text: str
    key: Key = Key.STREET


class Answered(Event, frozen=True, tag="answered"):
    question: int
    answer: str
    source: Source = Source.KEY


class Ruled(Event, frozen=True, tag="ruled"):
    """A ruling, once confirmed: on which matter, the way that was chosen and the rule that allows it.

    `by` is `table` (the dealer's press) or `director` with `ruler` naming the person; `reason` is from the
    pick-list, `note` free text. `replaced` says what stood before, `opened_at` when the matter was raised and
    `decided_at` when it was ruled (boot time). `impounded` chips leave the stacks until a ruling gives them out;
    `carried` chips go to the pot of the next deal.
    What the ruling does follows as events of its own.
    """

    matter: str
    way: str
    text: str
    rule: str
    seat: Seat | None = None
    amount: Chips | None = None
    by: str = "table"
    ruler: str = ""
    reason: str = ""
    note: str = ""
    replaced: str = ""
    opened_at: Millis = Millis(0)
    decided_at: Millis = Millis(0)
    impounded: int = 0
    carried: int = 0


class Moved(Frozen, frozen=True):
    """The card at `place` of the deal belongs to `to` now: `seat-4`, `burn`, `board`, `barred`, `stub`."""

    place: int
    to: str


class DealCorrected(Event, frozen=True, tag="deal_corrected"):
    """A ruling changed where cards of this deal belong: dealt ones in `moved`, and from place `after` + 1 on the
    deck gives `rest`. After a reshuffle cards that were put back may come again."""

    after: int
    rest: tuple[str, ...]
    moved: tuple[Moved, ...] = ()
    reshuffled: bool = False


class SeatsSet(Event, frozen=True, tag="seats_set"):
    """*Resume from here*: who sits where with how much, who has the button, which level.

    A hand in progress is closed as not observed (`gap` is True then)."""

    seats: tuple[SeatStack, ...]
    button: Seat | None
    hand: int | None = None  # number of the hand that comes next
    level: Level | None = None
    gap: bool = False
    source: Source = Source.DIRECTOR


class Counted(Event, frozen=True, tag="counted"):
    seat: Seat
    stack: Chips
    was: Chips
    source: Source = Source.KEY


class AwaySet(Event, frozen=True, tag="away_set"):
    seat: Seat
    away: bool
    source: Source = Source.KEY


class ScheduleSet(Event, frozen=True, tag="schedule_set"):
    revision: int
    levels: tuple[Level, ...]


class LevelBegan(Event, frozen=True, tag="level_began"):
    """The level that hands started from now on are played at."""

    level: Level


class FloorCalled(Event, frozen=True, tag="floor_called"):
    on: bool = True


class DeviceStateChanged(Event, frozen=True, tag="device_state"):
    device: str
    state: DeviceState
    detail: str = ""


class EpochBegan(Event, frozen=True, tag="epoch_began"):
    """The first event of an epoch that the station granted: from here on the machine with `ledger` is the
    table."""

    ledger: str


AnyEvent = (
    HandStarted
    | Posted
    | CardDealt
    | Acted
    | BetReturned
    | BettingClosed
    | BoardDealt
    | BoardRead
    | HandTabled
    | HandMucked
    | HandKilled
    | HandRetrieved
    | BetCorrected
    | DealClosed
    | CardExposed
    | Reported
    | Misdealt
    | HandResumed
    | HandsBeaten
    | PotAwarded
    | ResultEntered
    | HandEnded
    | Rewound
    | Refused
    | Noticed
    | Asked
    | Answered
    | Ruled
    | DealCorrected
    | SeatsSet
    | Counted
    | AwaySet
    | ScheduleSet
    | LevelBegan
    | FloorCalled
    | DeviceStateChanged
    | EpochBegan
)


class At(Frozen, frozen=True):
    """When: boot time in milliseconds, the boot it belongs to, and wall time as an annotation."""

    boot: str
    ms: Millis
    wall: str = ""  # ISO 8601, UTC; empty when unknown
    wall_unc_ms: int = 0


class Envelope(Frozen, frozen=True):
    """What travels on `…/event`. `prev` is the SHA-256 (hex) of the stored bytes of the event before."""

    v: int
    venue: str
    table: str
    epoch: int
    seq: int
    at: At
    prev: str
    data: AnyEvent
    cause: str = ""  # the observation or command that led to it


# --------------------------------------------------------------------- station <-> table, tournament


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


class SetSchedule(TableCommand, frozen=True, tag="set_schedule"):
    id: str
    revision: int
    levels: tuple[Level, ...]


class SetLevel(TableCommand, frozen=True, tag="set_level"):
    id: str
    level: Level


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


AnyTableCommand = SetSeats | SetSchedule | SetLevel | Rule | TakeBackRuling | Resend | Grant | History


class Ack(Frozen, frozen=True):
    """Station -> table: every event of `epoch` up to `seq` is committed."""

    epoch: int
    seq: int


class SealedCard(Frozen, frozen=True):
    """On `…/sealed`: one fixed-length box for the relay. Says nothing but where it belongs."""

    epoch: int
    sealed_seq: int
    hand: int
    attempt: int
    place: int
    box: str  # base64


class Birth(Frozen, frozen=True):
    """A table is on the network: how far it is, and which machine it is. `ledger` names the ledger that it writes
    (drawn when that was made), `head` is the SHA-256 (hex) of its last event."""

    venue: str
    table: str
    epoch: int
    last_seq: int
    schema: str
    firmware: dict[str, str] = {}
    ledger: str = ""
    head: str = ""


class HistoryWanted(Frozen, frozen=True):
    """On `…/handover`: the machine with `ledger`, which was granted `epoch`, asks for what comes after this event.
    Answered by `History`."""

    ledger: str
    epoch: int
    after_epoch: int
    after_seq: int


class Status(Frozen, frozen=True):
    online: bool
    boot: str = ""


class ClockState(Frozen, frozen=True):
    """The tournament clock at one instant of the station's boot time."""

    boot: str
    at: Millis
    revision: int
    running: bool
    level: Level
    left_ms: int
    next_level: Level | None
    players_left: int
    entrants: int
    average_stack: Chips
    levels: tuple[Level, ...] = ()
    note: str = ""  # what a screen must say beside the time: "on its own: no word from the station"


class Beat(Frozen, frozen=True):
    """Once a second, not retained: the station's boot time, for offset estimates."""

    boot: str
    at: Millis


# ------------------------------------------------------------------------------------------------ views


class SeatView(Frozen, frozen=True):
    seat: Seat
    player: str
    stack: Chips
    bet: Chips = Chips(0)  # in front of the seat on this street
    in_hand: bool = False
    folded: bool = False
    all_in: bool = False
    away: bool = False
    cards: tuple[CardText, ...] = ()  # tabled, or `"??"` for backs
    last: str = ""  # "raise 1,200"
    won: Chips = Chips(0)
    counted_after: int = 0  # the hand after which the stack was last counted or set; since then it is arithmetic


class QuestionView(Frozen, frozen=True):
    question: int
    kind: str
    text: str
    key: Key


class NoticeView(Frozen, frozen=True):
    seq: int
    kind: str
    text: str
    seat: Seat | None = None
    rule: str = ""


class WayView(Frozen, frozen=True):
    """One way to rule: `no` STREET chooses it; `rule` is the id that allows it."""

    no: int
    way: str
    text: str
    rule: str


class RulingView(Frozen, frozen=True):
    """An open matter as the table's own screen and the director's page show it. On no public topic: it may name a
    player. `seen` is what devices and keys say about it."""

    question: int
    matter: str
    text: str
    seat: Seat | None
    ways: tuple[WayView, ...]  # the default first
    deadline: str = ""
    history: tuple[str, ...] = ()  # earlier rulings about this seat
    seen: tuple[str, ...] = ()


class OpenRuling(Frozen, frozen=True):
    """On `…/ruling`, which only the station reads: the matter that is open at a table after event `as_of`, None
    where there is none."""

    epoch: int
    as_of: int
    ruling: RulingView | None


class TableRuling(Frozen, frozen=True):
    """One table on the director's page: its open matter, and the director's own ruling that can be taken back."""

    table: str
    ruling: RulingView | None
    given: Ruled | None


class RulingsView(Frozen, frozen=True):
    """What the director's page shows of rulings, and no other page."""

    tables: tuple[TableRuling, ...]


class TableView(Frozen, frozen=True):
    """Public state of one table as of one event: what `…/state` retains and every page draws."""

    venue: str
    table: str
    epoch: int
    as_of: int  # seq
    head: str  # SHA-256 (hex) of the stored bytes of that event
    rulebook: str
    hand: int
    street: Street
    level: Level | None
    next_hand_level: Level | None
    button: Seat | None
    small_blind: Seat | None
    big_blind: Seat | None
    seats: tuple[SeatView, ...]
    board: tuple[CardText, ...]
    pots: tuple[Chips, ...]  # collected pots, main pot first
    pot: Chips  # everything in the middle and in front
    legal: Legal | None
    question: QuestionView | None
    last: str  # last event in words
    notices: tuple[NoticeView, ...]
    devices: dict[str, DeviceState]
    floor: bool = False
    hands_played: int = 0
    ruling: RulingView | None = None  # on the table's own screen only
    predicted: str = ""  # what the chips in front of the seat to act amount to; on the table's own screen only


class TileView(Frozen, frozen=True):
    """One table on the station: its state and how it is connected."""

    table: str
    online: bool
    acked: int
    seen_ms_ago: int
    state: TableView | None


class ClaimView(Frozen, frozen=True):
    """A machine that is not in charge of a table asks to be it; the director hands the table over, or not.

    `mark` is what its screen shows, `heard_ms_ago` how long ago the machine in charge was heard.
    """

    table: str
    ledger: str
    mark: str
    text: str
    heard_ms_ago: int


class RoomView(Frozen, frozen=True):
    venue: str
    rulebook: str
    tiles: tuple[TileView, ...]
    clock: ClockState | None
    alerts: tuple[str, ...] = ()
    claims: tuple[ClaimView, ...] = ()


class OverlaySeat(Frozen, frozen=True):
    seat: Seat
    player: str
    stack: Chips
    cards: tuple[CardText, ...] = ()
    folded: bool = False
    won: Chips = Chips(0)


class OverlayView(Frozen, frozen=True):
    """The delayed public feed of one table: only what the relay released."""

    table: str
    feed: str
    hand: int
    street: Street
    board: tuple[CardText, ...]
    pot: Chips
    seats: tuple[OverlaySeat, ...]
    delay_s: float | None
    level: Level | None = None
    last: str = ""


class SensedZone(Frozen, frozen=True):
    """What the camera's reader made of one zone: faces read, faces not certain, backs."""

    zone: str
    cards: tuple[CardText, ...] = ()
    unread: int = 0
    face_down: int = 0


class SensedLine(Frozen, frozen=True):
    """Bytes of one frame as they arrived (hex text, UIDs masked at the source) and the event they became."""

    at_ms: Millis
    device: str
    bytes: str
    became: str = ""


class SensedView(Frozen, frozen=True):
    """One table as its devices sense it. `picture_no` changes with every new camera picture; newest line last."""

    picture_no: int
    zones: tuple[SensedZone, ...] = ()
    lines: tuple[SensedLine, ...] = ()


# ---------------------------------------------------------------------------------------------- encoding

_encoder = msgspec.json.Encoder()
_envelope_decoder = msgspec.json.Decoder(Envelope)
_event_decoder = msgspec.json.Decoder(AnyEvent)
_observation_decoder = msgspec.json.Decoder(AnyObservation)
_command_decoder = msgspec.json.Decoder(AnyTableCommand)


def encode(message: Struct) -> bytes:
    """Canonical JSON bytes: fields in the order above, no white space."""
    return _encoder.encode(message)


def decode_envelope(raw: bytes) -> Envelope:
    """Raise `msgspec.DecodeError` (with the path of the fault) when `raw` is not an envelope."""
    return _envelope_decoder.decode(raw)


def decode_observation(raw: bytes) -> AnyObservation:
    observation: AnyObservation = _observation_decoder.decode(raw)
    return observation


def decode_command(raw: bytes) -> AnyTableCommand:
    command: AnyTableCommand = _command_decoder.decode(raw)
    return command


@functools.cache
def schema_hash() -> str:
    """Sixteen hex digits that name this version of the messages; a birth carries them."""
    schema = msgspec.json.schema(Envelope)
    return hashlib.sha256(msgspec.json.encode(schema, order="deterministic")).hexdigest()[:16]


def to_jsonable(message: Struct) -> Any:
    return msgspec.to_builtins(message)
