"""What holds at a table whatever is done to it; each is checked after every step or at a moment of choice."""

from __future__ import annotations

import re
from collections.abc import Iterable

from feltwire.relay.hand import HandRecord
from table_core.messages import (
    AnyEvent,
    CardText,
    Counted,
    Envelope,
    HandResumed,
    HandStarted,
    Key,
    Millis,
    PotAwarded,
    Refused,
    ResultEntered,
    Rewound,
    Ruled,
    SeatsSet,
    encode,
)
from table_core.projections.table import TableProjection
from table_core.tracker.memory.keys.undoable import BeforePress
from table_core.tracker.unit_of_work import Why
from table_core.tracker.waits import NEW_HAND_TWICE_MS
from tests.fuzz.table import FuzzedTable

CARDS = re.compile(rb"(?<![0-9A-Za-z.])(?:[2-9TJQKA][cdhs])+(?![0-9A-Za-z])")
SETTLES_MS = 3_000  # what the camera saw, and keys that came fast on each other, are done with


class Broken(AssertionError):
    """A fact that did not hold."""


class Witness:
    """Folds what a table records once more, event by event, and reads what it says."""

    def __init__(self, table: FuzzedTable) -> None:
        memory = table.node.memory
        config, rulebook = memory.config, memory.projection.rulebook
        self.projection = TableProjection(
            config.venue, config.table, rulebook, smallest_chip=config.smallest_chip, hints=config.hints, epoch=1
        )
        self._due: int | None = None  # chips that must be here; None where they were set anew
        self._since: list[AnyEvent] = []
        self._chips_at: dict[int, int] = {}
        self._entered: dict[int, int | None] = {}  # by event: chips of which it said that they came or went
        self._face_up: set[CardText] = set()
        self._relayed: HandRecord | None = None  # the hand as the relay has it
        self._read = [0, 0, 0, 0]
        self.look(table)

    def look(self, table: FuzzedTable) -> None:
        """After something was done."""
        for envelope, head in table.stored[self._read[0] :]:
            self._projection(envelope, head)
        self._count()
        self._no_hidden_card(table)
        self._read[0] = len(table.stored)
        if encode(self.projection.view()) != encode(table.view):
            raise Broken("the recorded events do not lead to the table as it is")

    def _projection(self, envelope: Envelope, head: str) -> None:
        event = envelope.data
        if isinstance(event, Refused) and not (event.reason and event.rule):
            raise Broken(f"refused without a reason or a rule: {event}")
        self.projection.apply(envelope, head)
        change = told_change(event)
        if change != 0:
            self._entered[envelope.seq] = change
        if isinstance(event, Rewound):
            self._due = self._chips_at.get(event.to_seq)
            self._entered = {seq: entered for seq, entered in self._entered.items() if seq not in event.cut}
            kept = [entered for seq, entered in self._entered.items() if seq > event.to_seq]
        else:
            kept = [change]
        for entered in kept:  # what was counted stands, also behind an UNDO
            self._due = None if entered is None or self._due is None else self._due + entered
        self._since.append(event)
        self._stays_sealed(envelope)

    def _stays_sealed(self, envelope: Envelope) -> None:
        """The relay, which reads the same events, takes no dead hand for one that was kept."""
        if isinstance(envelope.data, HandStarted):
            self._relayed = HandRecord(envelope.table, envelope.epoch, envelope.data)
        hand, relayed = self.projection.hand, self._relayed
        if relayed is None:
            return
        relayed.add(envelope, Millis(0))
        if hand is None or not hand.ended or relayed.void or relayed.only_tabled:
            return
        kept = {seated.seat for seated in relayed.started.seats} - relayed.folded()
        if dead := kept & set(hand.folded):
            raise Broken(f"the relay releases dead hands of hand {hand.number}: {sorted(dead)}")

    def _count(self) -> None:
        """All chips that are here are those that were, and those of which it was said that they came."""
        now = chips_of(self.projection)
        if self._due is not None and self._due != now:
            raise Broken(f"{now - self._due:+} chips came of {self._since}")
        self._due, self._since = now, []
        self._chips_at[self.projection.seq] = now

    def _no_hidden_card(self, table: FuzzedTable) -> None:
        """Of this deal, or of the one that ended with what was just done."""
        for places, why in table.vault.opened[self._read[3] :]:
            belong = {self.projection.destination(place).split("-")[0] for place in places}
            if belong - ({"seat", ""} if why is Why.TABLED else {"board", ""}):
                raise Broken(f"cards of {belong} were opened for {why}")
        self._read[3] = len(table.vault.opened)
        said: Iterable[bytes] = [encode(one.data) for one, _ in table.stored[self._read[0] :]]
        said = [*said, *table.published[self._read[1] :], *table.private[self._read[2] :], table.screen]
        self._read[1:3] = len(table.published), len(table.private)
        for raw in said:
            for found in CARDS.findall(raw):
                named = {found[at : at + 2].decode() for at in range(0, len(found), 2)}
                if named - table.face_up - self._face_up:
                    raise Broken(f"a card that nobody turned up was said: {raw.decode()[:400]}")
        self._face_up = set(table.face_up)


def told_change(event: AnyEvent) -> int | None:
    """Chips that an event says came or went; None where it sets them anew."""
    match event:
        case Counted():
            return event.stack - event.was
        case ResultEntered():
            return event.change
        case Ruled():
            return event.impounded + event.carried
        case PotAwarded(why="impounded"):
            return -event.amount  # the ruling says that they are kept
        case SeatsSet() | HandResumed():
            return None
    return 0


def chips_of(projection: TableProjection) -> int:
    """Every chip at the table: behind, in front, in the pots, kept for the next pot, impounded."""
    hand = projection.hand
    kept = projection.carried + projection.impounded
    if hand is None or hand.ended:
        return kept + sum(seat.stack for seat in projection.seats.values())
    out = sum(seat.stack for number, seat in projection.seats.items() if number not in hand.stacks)
    pots = sum(pot.amount for pot in hand.pots)
    return kept + out + sum(hand.stacks.values()) + sum(hand.bets.values()) + pots


# ------------------------------------------------------------------------------- at a moment of choice


def is_the_same_after_a_restart(table: FuzzedTable) -> FuzzedTable:
    """The process that starts again from the ledger."""
    other = table.again()
    for what, before, after in zip(("view", "memory"), table.remembered(), other.remembered(), strict=True):
        if before != after:
            raise Broken(f"another {what} after a restart:\n{before.decode()}\n{after.decode()}")
    return other


def undo_comes_to_an_end(table: FuzzedTable) -> None:
    """UNDO again and again, on a copy: each takes something back, until it says that nothing is left."""
    table = table.again()
    state, before_hand = table.node.state, table.node.table.before_hand
    most = len(table.node.table.hand_log) + len(kept_presses(table)) + 5
    if before_hand is not None and state.at_new_hand is not None:
        most += len(before_hand.hand_log) + len(state.at_new_hand.undoable.presses)
    for _ in range(most):
        before = effective(table), kept_presses(table)
        said = table.press(Key.UNDO)
        if any(isinstance(event, Refused) for event in said):
            return
        if (effective(table), kept_presses(table)) == before and table.of(Rewound, said):
            raise Broken(f"UNDO took back nothing: {table.of(Rewound, said)}")
        table.wait(SETTLES_MS)
    raise Broken(f"{most} times UNDO, and the hand is not at its start: {effective(table)[-3:]}")


def kept_presses(table: FuzzedTable) -> tuple[BeforePress, ...]:
    """The presses that UNDO can still take back: some only asked something."""
    return table.node.state.undoable.presses


def effective(table: FuzzedTable) -> tuple[bytes, ...]:
    """What stands of this hand."""
    return tuple(encode(logged.event) for logged in table.node.table.hand_log)


def next_hand_begins(table: FuzzedTable) -> None:
    """On a copy: at most two presses of NEW HAND, one more where a ruling is open, and where too few have chips
    the director's seats."""
    table = table.again()
    number = None
    while number != table.node.table.hand_number:  # of one that a deal begins meanwhile, NEW HAND is pressed twice
        number = table.node.table.hand_number
        table.wait(NEW_HAND_TWICE_MS)
    if table.node.state.seat_cards.began_hand:
        table.press(Key.NEW_HAND)  # says nothing new about a hand that its deal began
    for _ in range(3 if table.node.state.rulings.open else 2):
        said = table.press(Key.NEW_HAND)
        if any("director" in event.reason for event in table.of(Refused, said)):
            table.give_seats()
            table.press(Key.NEW_HAND)
        if table.node.table.hand_number > number:
            break
    if table.node.table.hand_number == number:
        raise Broken(f"NEW HAND again and again, and no hand began: {table.events[-4:]}")
    folds_to_the_last(table)


def folds_to_the_last(table: FuzzedTable) -> None:
    """Everybody folds to the last one, who has the pot; or all are all-in with the blinds."""
    hand = table.node.table.hand
    assert hand is not None
    for _ in range(12):
        if hand.legal() is None:
            break
        table.press(Key.FOLD)
        table.wait(SETTLES_MS)
        hand = table.node.table.hand
        assert hand is not None
    if hand.legal() is not None:
        raise Broken(f"the next hand began, and nobody can fold in it: {table.events[-4:]}")
    if len(hand.live_seats) == 1 and not hand.ended:
        raise Broken(f"the next hand began, and its last player did not get the pot: {table.events[-4:]}")
