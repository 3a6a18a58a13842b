"""What is worth a line, as facts: each names its source, and nothing that its source does not say."""

from __future__ import annotations

from feltwire.relay.coverage.hand_facts import HandFacts
from table_core.messages import Chips, Few, Level, Many, Message, Name, Number, Seat, Text
from table_core.messages.base import Frozen


class Stack(Frozen, frozen=True):
    """Chips of a player: `player` as the tables call them, and by `name`."""

    player: Name
    name: Name
    stack: Chips
    table: Name = ""
    seat: Seat | None = None


class Out(Frozen, frozen=True):
    """A player who lost the last chips; `place` and `prize` (cents) once the tournament says so."""

    player: Name
    name: Name
    seat: Seat
    place: Number | None = None
    prize: Number = 0


class HandNews(Message, frozen=True, tag="hand"):
    """A hand that is worth a line. `kind`: `out`, `double`, `triple`, `survive`, `split`, `pot` or `hand`.
    `leader`: who has the most chips since. `left`: players who are left behind it; `in_the_money`: its best place
    was the last one without a prize."""

    hand: HandFacts
    kind: Name
    outs: Few[Out] = ()
    leader: Stack | None = None
    left: Number = 0
    in_the_money: bool = False


class Cards(Message, frozen=True, tag="cards"):
    """Cards of a hand that was told before they were released."""

    hand: HandFacts


class PlaceTaken(Message, frozen=True, tag="place"):
    """A player is out in a place, and no hand says by whom, or its line went out before."""

    out: Out
    left: Number = 0
    in_the_money: bool = False


class LevelBegins(Message, frozen=True, tag="level"):
    level: Level
    left: Number = 0
    entrants: Number = 0
    average: Chips = Chips(0)
    first: bool = False


class Break(Message, frozen=True, tag="break"):
    """`counts`: the largest stacks."""

    minutes: float
    what: Name = ""
    left: Number = 0
    entrants: Number = 0
    counts: Few[Stack] = ()


class FinalTable(Message, frozen=True, tag="final_table"):
    left: Number
    counts: Few[Stack]


class Prizes(Message, frozen=True, tag="prizes"):
    """What is played for. `first`: cents for the winner."""

    entrants: Number
    left: Number
    paid: Number = 0
    first: Number = 0


class OnTheBubble(Message, frozen=True, tag="on_the_bubble"):
    left: Number
    paid: Number


class HeadsUp(Message, frozen=True, tag="heads_up"):
    counts: Few[Stack]


class Winner(Message, frozen=True, tag="winner"):
    name: Name
    prize: Number = 0


class DealAgreed(Message, frozen=True, tag="deal"):
    """The players who are left share the prizes that are left."""

    left: Number


class TableBreaks(Message, frozen=True, tag="table_breaks"):
    table: Name
    left: Number
    moves: Many[Stack] = ()


class Note(Message, frozen=True, tag="note"):
    """A line that a person wrote."""

    text: dict[Name, Text]


News = (
    HandNews
    | Cards
    | PlaceTaken
    | Prizes
    | LevelBegins
    | Break
    | FinalTable
    | OnTheBubble
    | HeadsUp
    | Winner
    | DealAgreed
    | TableBreaks
    | Note
)
