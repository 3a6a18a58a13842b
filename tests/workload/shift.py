"""Hours at one table: hand after hand in boot time, with levels, knock-outs and new players, and their cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from feltwire.config import TableConfig
from feltwire.lab.simroom.felt.felt import PhysicalFelt
from feltwire.lab.simroom.play.bots import Bots
from feltwire.lab.simroom.play.names import player_name
from feltwire.lab.simroom.play.script import HandScript
from feltwire.lab.table.wired import WiredTable
from table_core.messages import (
    UNKNOWN_CARD,
    Acted,
    AnyEvent,
    Asked,
    BoardDealt,
    BoardRead,
    CardText,
    Chips,
    Envelope,
    HandEnded,
    HandStarted,
    HandTabled,
    Level,
    Noticed,
    Refused,
    Rewound,
    Seat,
    SeatStack,
    SetLevel,
    SetSeats,
)
from table_core.rulebook import load_rulebook
from tests.workload.dealer import HandDealt, HandEffort
from tests.workload.eye import Eye
from tests.workload.people import Odds, People
from tests.workload.practised import PractisedHand

SEATS = range(1, 10)
STACK = Chips(20_000)
SMALLEST = Chips(25)
LEVEL_HANDS = 13  # about twenty minutes; counted in hands, every set of devices sees the same ones
FEWEST = 7  # then players of a broken table sit down
_BLINDS = [(50, 100), (75, 150), (100, 200), (150, 300), (200, 400), (300, 600), (400, 800), (500, 1000)]
_BLINDS += [(600, 1200), (800, 1600), (1000, 2000), (1500, 3000), (2000, 4000), (3000, 6000), (4000, 8000)]
LEVELS = tuple(
    Level(no, Chips(small), Chips(big), big_blind_ante=Chips(big)) for no, (small, big) in enumerate(_BLINDS, 1)
)


@dataclass(frozen=True)
class DeviceSet:
    """What a table has, whether anybody presses, and how: `HandDealt` keys every act before anything else."""

    name: str
    devices: frozenset[str]
    presses: bool = True
    dealer: type[HandDealt] = HandDealt


DEVICE_SETS = {
    one.name: one
    for one in (
        DeviceSet("all", frozenset({"keypad", "shoe", "camera"})),
        DeviceSet("shoe+keys", frozenset({"keypad", "shoe"}), dealer=PractisedHand),
        DeviceSet("camera+keys", frozenset({"keypad", "camera"})),
        DeviceSet("keys", frozenset({"keypad"}), dealer=PractisedHand),
        DeviceSet("nobody", frozenset({"shoe", "camera"}), presses=False),
        DeviceSet("shoe+every-key", frozenset({"keypad", "shoe"})),
        DeviceSet("every-key", frozenset({"keypad"})),
    )
}


@dataclass
class HandCost:
    """One hand: what it cost, what was asked and said, and how much of it the table knows."""

    hand: int
    seats: int
    effort: HandEffort
    asked: list[str]
    noticed: list[str]
    refused: list[str]
    fully_known: bool
    closed: bool  # it ended with the right stacks, without a count
    why: str = ""  # the first thing that the table does not know


@dataclass
class Workload:
    """What the dealer did in all hands."""

    devices: DeviceSet
    hands: list[HandCost] = field(default_factory=list)
    hours: float = 0.0
    set_by_director: int = 0  # hands after which the director set the seats
    keys: Counter[str] = field(default_factory=Counter)


class Shift:
    """Deals at one table until its hours are over."""

    def __init__(
        self,
        devices: DeviceSet,
        runtime: Path,
        *,
        seed: int,
        odds: Odds | None = None,
        table_type: type[WiredTable] = WiredTable,
    ) -> None:
        self.devices = devices
        self.rulebook = load_rulebook("base")
        seats = _seated(dict.fromkeys(map(Seat, SEATS), STACK))
        self.table = table_type(_config(seats), runtime, devices.devices)
        self.bots = Bots(seats=seats, button=Seat(1), rulebook=self.rulebook, seed=seed, smallest_chip=SMALLEST)
        self.felt = PhysicalFelt()
        self.people = People(f"{seed}", odds or Odds())
        self.eye = Eye(self.table, self.felt, SEATS, self.people)
        self.hand_type: Callable[..., HandDealt] = devices.dealer
        self._commands = 0
        self._newcomers = len(SEATS)
        self._level = 0
        self._director = 0
        self._began = self.table.now

    def deal(self, *, hours: float = 0.0, hands: int = 0) -> Workload:
        """Deal for so many hours, or so many hands."""
        workload = Workload(self.devices)
        for cost in self._hands(hours, hands):
            workload.hands.append(cost)
            workload.keys.update(key.name for key in cost.effort.strokes)
        workload.hours = self._hours()
        workload.set_by_director = self._director
        return workload

    def hands(self, count: int) -> Iterator[HandCost]:
        """So many hands, one after the other."""
        return self._hands(0.0, count)

    def _hours(self) -> float:
        return (self.table.now - self._began) / 3_600_000

    def _hands(self, hours: float, hands: int) -> Iterator[HandCost]:
        dealt = 0
        while (hours and self._hours() < hours) or dealt < hands:
            self._set_level()
            if len(self.bots.seats) < FEWEST:
                self._sit_down()
            yield self._hand()
            dealt += 1

    # ------------------------------------------------------------------------------------- the director

    def _set_level(self) -> None:
        due = min((self.bots.hand - 1) // LEVEL_HANDS, len(LEVELS) - 1)
        if due != self._level:
            self._level = due
            self.table.command(SetLevel(self._id(), LEVELS[due], 0))

    def _sit_down(self) -> None:
        """Players of a broken table take the empty seats with the average stack."""
        stacks = {entry.seat: entry.stack for entry in self.bots.seats}
        names = {entry.seat: entry.player for entry in self.bots.seats}
        average = Chips(sum(stacks.values()) // len(stacks) // SMALLEST * SMALLEST)
        for seat in map(Seat, SEATS):
            if seat not in stacks:
                self._newcomers += 1
                stacks[seat], names[seat] = average, player_name(self._newcomers)
        seats = tuple(SeatStack(seat, stacks[seat], names[seat]) for seat in sorted(stacks))
        button = self.bots.button
        self.bots.sit_down_again(seats, button)
        self.table.command(SetSeats(self._id(), seats, button, self.bots.hand))

    def _as_felt(self) -> None:
        """What the table does not know after a hand, the director sets: stacks, button, number of the hand."""
        self._director += 1
        self.table.command(SetSeats(self._id(), self.bots.seats, self.bots.button, self.bots.hand))

    def _id(self) -> str:
        self._commands += 1
        return f"workload-{self._commands}"

    # ------------------------------------------------------------------------------------------- a hand

    def _hand(self) -> HandCost:
        script = self.bots.next_hand(LEVELS[self._level])
        before = len(self.table.envelopes)
        dealt = self.hand_type(
            self.table,
            self.eye,
            self.felt,
            self.people,
            script,
            self.rulebook,
            deck=self.table.registry.deck_names[script.hand % 2],
            presses=self.devices.presses,
            smallest_chip=SMALLEST,
        )
        effort = dealt.play()
        cost = _cost(script, effort, dealt, self.table.envelopes[before:])
        self.bots.settle(dealt.observer.stacks)
        stacks = self.table.stacks()
        if any(stacks[seat] != stack for seat, stack in dealt.observer.stacks.items()) or self._open():
            self._as_felt()
            cost.closed = False
        return cost

    def _open(self) -> bool:
        return self.table.node.table.in_hand


def _cost(script: HandScript, effort: HandEffort, dealt: HandDealt, envelopes: Sequence[Envelope]) -> HandCost:
    events = [envelope.data for envelope in envelopes]
    why = _unknown(dealt, _effective(envelopes))
    return HandCost(
        script.hand,
        len(script.seats),
        effort,
        [event.kind for event in events if isinstance(event, Asked)],
        [event.kind for event in events if isinstance(event, Noticed)],
        [event.reason for event in events if isinstance(event, Refused)],
        not why and not effort.counts,
        not effort.counts,
        why or ("stacks counted" if effort.counts else ""),
    )


def _effective(envelopes: Sequence[Envelope]) -> list[AnyEvent]:
    """Events that nothing took back."""
    cut = {seq for envelope in envelopes if isinstance(envelope.data, Rewound) for seq in envelope.data.cut}
    return [envelope.data for envelope in envelopes if envelope.seq not in cut]


def _unknown(dealt: HandDealt, events: Sequence[AnyEvent]) -> str:
    """What a perfect observer knows of this hand and the table does not; empty when it knows everything."""
    hand = dealt.observer.hand
    if not any(isinstance(event, HandStarted) for event in events):
        return "start not seen"
    acts = [(event.seat, event.action, event.to) for event in events if isinstance(event, Acted)]
    for number, act in enumerate(dealt.acted):
        if number >= len(acts):
            return "actions missing"
        seat, action, to = acts[number]
        if (seat, action) != (act.seat, act.action) or (act.to is not None and to != act.to):
            return "an action differs"
    board = tuple(card for event in events if isinstance(event, BoardDealt) for card in event.cards)
    read = [event.cards for event in events if isinstance(event, BoardRead)]
    board = read[-1] if read else board
    if UNKNOWN_CARD in board or _as_dealt(board) != _as_dealt(hand.board):
        return "board not read"
    tabled = {event.seat: set(event.cards) for event in events if isinstance(event, HandTabled)}
    if any(tabled.get(seat) != set(cards) for seat, cards in hand.tabled.items()):
        return "a tabled hand not read"
    if not any(isinstance(event, HandEnded) for event in events):
        return "end not seen"
    return ""


def _as_dealt(board: Sequence[CardText]) -> tuple[frozenset[CardText], tuple[CardText, ...]]:
    """The flop in no order, turn and river in theirs."""
    return frozenset(board[:3]), tuple(board[3:])


def _seated(stacks: dict[Seat, Chips]) -> tuple[SeatStack, ...]:
    return tuple(SeatStack(seat, stack, player_name(no)) for no, (seat, stack) in enumerate(stacks.items()))


def _config(seats: tuple[SeatStack, ...]) -> TableConfig:
    return TableConfig(
        venue="v", table="01", data="", seats=seats, levels=LEVELS, button=Seat(1), smallest_chip=SMALLEST
    )
