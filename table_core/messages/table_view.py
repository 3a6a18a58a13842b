"""One table as every page draws it."""

from __future__ import annotations

from table_core.messages.base import CardText, Chips, Frozen, Seat
from table_core.messages.hand_commands import Legal
from table_core.messages.parts import Level
from table_core.messages.rulings import RulingView
from table_core.messages.words import DeviceState, Key, Street


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
