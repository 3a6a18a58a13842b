"""What happens in a tournament, from the first registration to the last prize, as events.

The station records them; the tournament's state follows from them alone (`night.py`). A player is an id: names are
kept apart from the events, so that a person's data can be deleted. Money is in cents, chips are whole numbers.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from msgspec import Meta

from table_core.messages import (
    CardText,
    Chips,
    Frozen,
    Level,
    Mark,
    Message,
    Millis,
    Name,
    Number,
    Seat,
    SeatChips,
    Text,
)
from table_core.messages.base import BookText, Few, Many
from table_core.notices import PenaltyKind

Cents = Annotated[int, Meta(ge=-(10**12), le=10**12)]
CENTS = 100  # of a dollar: rulebooks name dollars


class Instant(Frozen, frozen=True):
    """A moment: boot time of `boot` in milliseconds, and the wall clock's (since 1970, UTC) as an annotation."""

    boot: Name
    at: Millis
    wall: Millis


def elapsed_ms(since: Instant, now: Instant) -> int:
    """Milliseconds between two moments: by boot time within one boot, across a reboot by the wall clock."""
    return max(0, now.at - since.at if now.boot == since.boot else now.wall - since.wall)


class SeatAt(Frozen, frozen=True):
    """A seat of a table."""

    table: Name
    seat: Seat

    def __str__(self) -> str:
        return f"table {self.table} seat {self.seat}"


class Seated(Frozen, frozen=True):
    """Who sits where."""

    player: Name
    at: SeatAt


class TablePlan(Frozen, frozen=True):
    """A table that may be played on, with the seats that nobody can use."""

    table: Name
    seats: Number
    unavailable: Few[Seat] = ()


class OnFile(Frozen, frozen=True):
    """A penalty of an earlier event. `day` is that event's, `served` the day on which a suspension kept the player
    out; both as `2026-11-23`."""

    player: Name
    day: Name
    kind: PenaltyKind
    reason: Text
    rule: Name
    major: bool = False
    served: Name = ""


class TournamentEvent(Message, frozen=True):
    """A recorded fact of the tournament. `rule` is the rule that it rests on."""


# ------------------------------------------------------------------------------------------- the event itself


class TournamentOpened(TournamentEvent, frozen=True, tag="opened"):
    """`house` are the organiser's published settings over the rulebook, as JSON; `starts` is wall time; every draw
    of the tournament that is not made with cards comes from `seed`. The last table breaks first. `day` is the
    event's date; `on_file` are penalties of earlier events. `own` is all that a director's own rulebook says,
    empty for a book that ships with the program."""

    name: Text
    rulebook: Name
    house: Text
    tables: Many[TablePlan]
    seed: Text = ""
    starts: Millis | None = None
    day: Name = ""
    on_file: Many[OnFile] = ()
    own: BookText = ""


class ClockChanged(TournamentEvent, frozen=True, tag="clock_changed"):
    """The blind clock after a change that a person made: its schedule, its mark, and what was done."""

    levels: Many[Level]
    mark: Mark
    what: Text


class Started(TournamentEvent, frozen=True, tag="started"):
    """Cards are in the air."""


# ------------------------------------------------------------------------------------------------- the field


class Registered(TournamentEvent, frozen=True, tag="registered"):
    """`waiting`: on the waiting list. `signed_up`: wall time of a sign-up that was not made now. `applied`: the
    membership number comes later."""

    player: Name
    member: bool = False
    adult: bool = False
    regular: bool = False
    waiting: bool = False
    rule: Name = ""
    online: bool = False
    signed_up: Millis | None = None
    applied: bool = False
    locked_out_before: bool = False


class MemberConfirmed(TournamentEvent, frozen=True, tag="member_confirmed"):
    player: Name
    rule: Name = ""


class Barred(TournamentEvent, frozen=True, tag="barred"):
    """The player may not enter this event."""

    player: Name
    why: Text
    rule: Name = ""


class Cancelled(TournamentEvent, frozen=True, tag="cancelled"):
    player: Name
    rule: Name = ""


class OfferedSeat(TournamentEvent, frozen=True, tag="offered_seat"):
    """The first of the waiting list gets the place that became free."""

    player: Name
    rule: Name = ""


class PassedOver(TournamentEvent, frozen=True, tag="passed_over"):
    """Who was offered a place is not there, and keeps the place on the waiting list."""

    player: Name
    rule: Name = ""


class LotsDrawn(TournamentEvent, frozen=True, tag="lots_drawn"):
    """The lots of who came last, in order: the first `placed` of them have a place."""

    players: Many[Name]
    placed: Number
    rule: Name
    seed: Text


class LockedOut(TournamentEvent, frozen=True, tag="locked_out"):
    """No seat became free before entry ended: the player is sure of one in the next event."""

    player: Name
    rule: Name


class SignedIn(TournamentEvent, frozen=True, tag="signed_in"):
    player: Name


class CheckedOff(TournamentEvent, frozen=True, tag="checked_off"):
    """The player ticked their name before sitting down."""

    player: Name


class LatenessAnnounced(TournamentEvent, frozen=True, tag="lateness_announced"):
    player: Name
    rule: Name = ""


class Entered(TournamentEvent, frozen=True, tag="entered"):
    """The entry is paid, or free, and the starting stack is the player's. `docked` of it is taken off at once."""

    player: Name
    paid: Cents
    pool: Cents
    chips: Chips
    bonus: Chips = Chips(0)
    docked: Chips = Chips(0)
    rule: Name = ""


class Refunded(TournamentEvent, frozen=True, tag="refunded"):
    """The player gave the entry back, with its chips, for all that was paid."""

    player: Name
    paid: Cents
    rule: Name = ""


class StackPlaced(TournamentEvent, frozen=True, tag="stack_placed"):
    """A starting stack in an empty seat, for who comes late."""

    stack: Name
    at: SeatAt
    chips: Chips
    rule: Name


class StackSold(TournamentEvent, frozen=True, tag="stack_sold"):
    """The player has bought the stack as it is, with its seat."""

    stack: Name
    player: Name
    paid: Cents
    pool: Cents
    rule: Name


class Docked(TournamentEvent, frozen=True, tag="docked"):
    """Chips taken off a stack as a penalty; they leave play. `mark` (`level-2`) names what it is for, so that it
    is taken once."""

    player: Name
    chips: Chips
    mark: Name
    rule: Name


class RebuyAnnounced(TournamentEvent, frozen=True, tag="rebuy_announced"):
    """A rebuy is announced before the cards. Where that binds, the player plays behind: `chips` count at once,
    and `owed` cents are to be paid. `bust` is the pending report that it takes back."""

    player: Name
    rule: Name = ""
    chips: Chips = Chips(0)
    owed: Cents = 0
    bust: Name = ""


class RebuyPaid(TournamentEvent, frozen=True, tag="rebuy_paid"):
    """An announced rebuy is paid."""

    player: Name
    paid: Cents
    rule: Name = ""


class Purchase(StrEnum):
    REBUY = "rebuy"  # with the stack gone, or below the book's limit
    BREAK = "break"  # in the first break
    ADD_ON = "add_on"


class ChipsBought(TournamentEvent, frozen=True, tag="chips_bought"):
    player: Name
    kind: Purchase
    paid: Cents
    chips: Chips
    rule: Name = ""


class Left(TournamentEvent, frozen=True, tag="left"):
    """The player is away from the table; hands are dealt as the book says."""

    player: Name
    notified: bool = False
    mark: Name = ""


class Returned(TournamentEvent, frozen=True, tag="returned"):
    player: Name
    mark: Name = ""


class Forfeited(TournamentEvent, frozen=True, tag="forfeited"):
    """A person took the stack out of play and the player out of the event."""

    player: Name
    chips: Chips
    rule: Name
    why: Text = ""
    suspended: bool = False  # for the next date
    disqualified: bool = False


class Out(Frozen, frozen=True):
    """One player who lost the last chips: the stack at the hand's start, and who won them, largest stack first."""

    player: Name
    start_stack: Chips
    by: Few[Name] = ()


class BustReported(TournamentEvent, frozen=True, tag="bust_reported"):
    """A table's hand took the last chips of these players. Pending until a person confirms."""

    bust: Name
    table: Name
    hand: Number
    out: Few[Out]


class BustConfirmed(TournamentEvent, frozen=True, tag="bust_confirmed"):
    """These places are final; `places` in the order of `players`, equal numbers share a place."""

    busts: Few[Name]
    players: Few[Name]
    places: Few[Number]
    rule: Name


class BustDropped(TournamentEvent, frozen=True, tag="bust_dropped"):
    """The player is in after all: a rebuy, a mistake in the report."""

    bust: Name
    player: Name
    why: Text


# ------------------------------------------------------------------------------------------------- seats


class SeatReserved(TournamentEvent, frozen=True, tag="seat_reserved"):
    at: SeatAt
    player: Name
    why: Text = ""
    rule: Name = ""


class KeptApart(TournamentEvent, frozen=True, tag="kept_apart"):
    one: Name
    other: Name
    rule: Name = ""


class Redraw(StrEnum):
    START = "start"
    TABLES_MERGED = "tables_merged"
    FINAL_TABLE = "final_table"


class SeatsDrawn(TournamentEvent, frozen=True, tag="seats_drawn"):
    """Everybody's seat, drawn from `seed` (or by cards, `cards` in the order of `seats`). Tables that are not
    named are not played on any more."""

    why: Redraw
    tables: Many[Name]
    seats: Many[Seated]
    rule: Name
    seed: Text = ""
    cards: Many[CardText] = ()


class ButtonSet(TournamentEvent, frozen=True, tag="button_set"):
    table: Name
    seat: Seat
    rule: Name
    cards: Few[CardText] = ()


class DealerSet(TournamentEvent, frozen=True, tag="dealer_set"):
    """The player at `seat` deals; without one, somebody who does not play."""

    table: Name
    seat: Seat | None = None
    rule: Name = ""


class PlayerSeated(TournamentEvent, frozen=True, tag="player_seated"):
    """A player who joins while it is played. `waits`: no cards between button and small blind."""

    player: Name
    at: SeatAt
    rule: Name
    waits: bool = False


class CardsDealt(TournamentEvent, frozen=True, tag="cards_dealt"):
    """Cards dealt for the move with this number: one a table, or one for each of `seats` of the only table."""

    tables: Many[Name]
    seats: Few[Seat]
    cards: Few[CardText]
    turn: Number
    rule: Name


class MoveConfirmed(TournamentEvent, frozen=True, tag="move_confirmed"):
    move: Name
    player: Name
    start: SeatAt
    to: SeatAt
    why: Text
    rule: Name


class MoveLeft(TournamentEvent, frozen=True, tag="move_left"):
    """The player got up after the hand with `rack` chips."""

    move: Name
    rack: Chips
    player: Name


class MoveSeated(TournamentEvent, frozen=True, tag="move_seated"):
    """The player sits at the new table and `rack` was counted there."""

    move: Name
    rack: Chips
    player: Name


class MoveWithdrawn(TournamentEvent, frozen=True, tag="move_withdrawn"):
    move: Name
    why: Text
    player: Name


class ClockStopped(TournamentEvent, frozen=True, tag="clock_stopped"):
    """The clock stands while tables are balanced, or goes on afterwards."""

    mark: Mark
    rule: Name
    goes_on: bool = False


class TableClosed(TournamentEvent, frozen=True, tag="table_closed"):
    """The table is not played on any more; its players move."""

    table: Name
    rule: Name


# ------------------------------------------------------------------------------------------------- chips


class ColouredUp(TournamentEvent, frozen=True, tag="coloured_up"):
    """Chips of value `old` left play at a table. `changes`: what each player has more, or less; `cards` were drawn
    by `racing`, in this order."""

    table: Name
    old: Chips
    new: Chips
    changes: Few[SeatChips]
    rule: Name
    racing: Few[Seat] = ()
    cards: Many[CardText] = ()
    at_table: Number = 0  # counts that the table had reported by then


class StackCounted(TournamentEvent, frozen=True, tag="stack_counted"):
    """A person counted a player's stack behind hand `hand` of `table`; `expected` is what the records had, and
    `at_table` how many counts the table had reported by then."""

    player: Name
    stack: Chips
    expected: Chips
    table: Name = ""
    hand: Number = 0
    at_table: Number = 0


# ------------------------------------------------------------------------------------------------- penalties


class PenaltyGiven(TournamentEvent, frozen=True, tag="penalty_given"):
    """`rule` is that of the reason, `outcome_rule` that of the outcome. `chips` leave play. `hand` is the number
    of the hand at the player's table, `tables` is how many were open."""

    penalty: Name
    player: Name
    kind: PenaltyKind
    reason: Text
    rule: Name
    major: bool = False
    minutes: Number = 0
    hands: Number = 0
    hand: Number = 0
    chips: Chips = Chips(0)
    outcome_rule: Name = ""
    tables: Number = 0


class PenaltyServed(TournamentEvent, frozen=True, tag="penalty_served"):
    penalty: Name


class HandForHand(TournamentEvent, frozen=True, tag="hand_for_hand"):
    """All tables begin their hands together, or no longer. The clock is charged `charged_ms` a hand."""

    on: bool
    charged_ms: Number = 0
    rule: Name = ""


# ------------------------------------------------------------------------------------------------- money


class Payment(Frozen, frozen=True):
    """Cents for a player."""

    player: Name
    amount: Cents


class DealMade(TournamentEvent, frozen=True, tag="deal_made"):
    """The players who are left share the prizes that are left; places are played for. `noted`: it is their own
    affair, and places pay what they pay. `warning` says what a deal ought not to do, with its rule."""

    shares: Few[Payment]
    method: Text
    rule: Name
    noted: bool = False
    warning: Text = ""


class PrizePaid(TournamentEvent, frozen=True, tag="prize_paid"):
    """`to` is who got the money where that is not the player: the organiser of another event."""

    player: Name
    amount: Cents
    to: Text = ""
    rule: Name = ""


class ShownHand(Frozen, frozen=True):
    """A hand that a player tabled: their cards, and the board."""

    player: Name
    table: Name
    hand: Number
    cards: Few[CardText]
    board: Few[CardText]


class BestHandWon(TournamentEvent, frozen=True, tag="best_hand_won"):
    """What the best hand of the night paid; several hands tied."""

    shares: Few[Payment]
    hands: Few[ShownHand]
    rule: Name = ""


class CashCounted(TournamentEvent, frozen=True, tag="cash_counted"):
    amount: Cents


class TargetNamed(TournamentEvent, frozen=True, tag="target_named"):
    """The player is the target of this bounty game; `carried` cents come from the tournament before."""

    game: Name
    player: Name
    carried: Cents
    rule: Name


class BountyEntered(TournamentEvent, frozen=True, tag="bounty_entered"):
    player: Name
    game: Name
    paid: Cents
    rule: Name


class BountyWon(TournamentEvent, frozen=True, tag="bounty_won"):
    """What a bounty game paid; `over` goes to the same game of the next tournament."""

    game: Name
    shares: Few[Payment]
    over: Cents
    rule: Name


class BountyChipsWon(TournamentEvent, frozen=True, tag="bounty_chips_won"):
    """A player's own bounty chip went to `player`."""

    out: Name
    player: Name
    rule: Name


class BountyChipsCashed(TournamentEvent, frozen=True, tag="bounty_chips_cashed"):
    player: Name
    chips: Number
    amount: Cents
    rule: Name


# ------------------------------------------------------------------------------------------------- undo


class Undone(TournamentEvent, frozen=True, tag="undone"):
    """These events never happened: numbers of records."""

    records: Many[Number]
    why: Text = ""
