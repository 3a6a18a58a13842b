"""The tournament as it is on air, as late as its tables."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from table_core.messages.base import Chips, Few, Frozen, Millis, Name, Number, Seat, Signed, Text
from table_core.messages.parts import Level
from table_core.messages.room.look import Colour, WallSound


class Standing(Frozen, frozen=True):
    """A player who is left, by chips; `place` counts from 1, equal stacks have one place. `icm`: what the stack is
    worth in cents, at a final table."""

    place: Number
    player: Name
    stack: Chips
    table: Name = ""
    seat: Seat | None = None
    country: Name = ""  # two letters (ISO 3166-1), where the tournament knows them
    icm: Number | None = None


class Eliminated(Frozen, frozen=True):
    """A player who is out. `prize` in cents; 0 for none."""

    place: Number
    player: Name
    prize: Number = 0
    country: Name = ""


class Payout(Frozen, frozen=True):
    """What a place pays, in cents."""

    place: Number
    cents: Number


class EventView(Frozen, frozen=True):
    """On the relay's channel `event`: the tournament as it was `air_s` seconds ago. `left_ms` is what was left
    of the level then, when this is sent; it runs down while `running`. Without a level there is nothing to show.

    Standings and the players who are out come from the station; the list names the first hundred of each.
    """

    air_s: float | None
    level: Level | None = None
    next_level: Level | None = None
    left_ms: Signed = 0
    running: bool = False
    on_break: bool = False
    name: Text = ""  # of the event
    players_left: Number = 0
    entrants: Number = 0
    average_stack: Chips = Chips(0)
    chips: Chips = Chips(0)  # in play
    average_bb: Number | None = None  # the average stack in tenths of a big blind
    standings: Few[Standing] = ()
    out: Few[Eliminated] = ()  # the last one first
    payouts: Few[Payout] = ()  # best place first
    next_out: Number | None = None  # cents for the player who goes out next; None where no places are posted
    pay_jump: Number | None = None  # cents that everybody else wins by it
    to_the_money: Number | None = None  # players who go out before a place is paid; None without places
    wall_ms: Millis | None = None  # wall time (ms since 1970) of the picture: a label, by the relay's machine


class FieldPlayer(Frozen, frozen=True):
    """A player who is left: `player` as the tables call them, `name` as the register does. `stack`: at the
    beginning of the hand that is played, else now; None where the table has not said."""

    player: Name
    name: Name
    table: Name = ""
    seat: Seat | None = None
    stack: Chips | None = None


class FieldOut(Frozen, frozen=True):
    """A player who is out. `place` is None while a person decides it; `prize` in cents, 0 for none; `table`: where
    they sat."""

    player: Name
    name: Name
    place: Number | None
    prize: Number = 0
    table: Name = ""


class FieldMove(Frozen, frozen=True):
    """A player who is on the way to another seat."""

    player: Name
    name: Name
    from_table: Name
    from_seat: Seat
    table: Name
    seat: Seat


class FieldRebuys(Frozen, frozen=True):
    """Rebuys and add-ons that the event has. They are `open` until the first hand of level `before_level`, None
    for as long as the director sells them; `sold` so far. `add_on`: there are add-ons."""

    open: bool
    before_level: Number | None = None
    sold: Number = 0
    add_on: bool = False


class FieldNotice(Frozen, frozen=True):
    """A penalty that is served now: for so many `minutes` as it was given, or for the
    `hands` that are left of it."""

    name: Name
    kind: Name
    minutes: Number = 0
    hands: Number = 0


class FieldChip(Frozen, frozen=True):
    """What a chip of this value looks like: `name` as the club says it, `colour` where a screen can show it,
    `dark` where words on it are white."""

    value: Chips
    name: Name = ""
    colour: Colour | None = None
    dark: bool = False


class FieldMoment(Frozen, frozen=True):
    """Something that sounds: every screen sounds it at `at` of the station's boot, which is a moment after it was
    said. `no` counts the moments."""

    no: Number
    what: WallSound
    boot: Name
    at: Millis


class TournamentField(Frozen, frozen=True):
    """On `…/tournament/field`: who is left, the most chips first, and who is out, the last one first. Of a large
    field the first of both. Money in cents. `entry_open`: somebody may still enter, so places are not final.
    `deal`: the players shared what was left. `winner`: once the event is over.

    `starts` is the wall time that was announced. `over`: it is finished, or was cancelled. `final_table`: one
    table is left of several. `moves` are under way, `notices` are penalties that run, `chips` are those of the
    venue, `moments` the newest."""

    event: Text
    players: Annotated[tuple[FieldPlayer, ...], Meta(max_length=1_000)] = ()
    out: Few[FieldOut] = ()
    left: Number = 0
    entrants: Number = 0
    payouts: Few[Number] = ()
    entry_open: bool = False
    deal: bool = False
    winner: Name = ""
    starts: Millis | None = None
    started: bool = False
    over: bool = False
    hand_for_hand: bool = False
    final_table: bool = False
    rebuys: FieldRebuys | None = None
    moves: Few[FieldMove] = ()
    notices: Few[FieldNotice] = ()
    chips: Few[FieldChip] = ()
    moments: Few[FieldMoment] = ()
