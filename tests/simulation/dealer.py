"""Who deals at a table: looks at it as it is, and presses the next right key; now and then another one.

As in the fuzz there is no plan of a hand (decision 31): a hand goes on after any kill, takeover or resumption.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from feltwire.table.node import TableNode
from firmware_bridge.decks import DeckRegistry
from table_core.cards import DECK, card_text
from table_core.messages import Key, Seat
from table_core.projections.next_hand import able_to_play
from tests.simulation.machine import Machine
from tests.simulation.table_machine import Hardware, SimulatedTable

BUSY = 4  # keys that wait at a keypad before a dealer stops pressing
WRONG = 0.02  # of the presses
STUCK_LOOKS = 12  # at a table that does not change
FUNCTION_KEYS = [key for key in Key if key > Key.SEAT]


@dataclass
class Site:
    """One table of the room: the machines that would be it, each with its devices."""

    name: str
    machines: list[Machine] = field(default_factory=list)
    hardware: list[dict[str, Hardware]] = field(default_factory=list)

    def playing(self) -> int | None:
        """Which machine a dealer would work at: one that is up and does not say that another is the table."""
        for number, machine in enumerate(self.machines):
            process = machine.process
            if isinstance(process, SimulatedTable) and process.node.lease.plays:
                return number
        return None


class Dealer:
    """`shoves`: how often a player goes all-in. Whether hands begin says `deals`; who `rests`
    presses nothing."""

    def __init__(self, site: Site, decks: DeckRegistry, chance: random.Random, shoves: float) -> None:
        self.site = site
        self.deals = False
        self.rests = False
        self.presses = 0
        self._decks = decks
        self._chance = chance
        self._shoves = shoves
        self._plan: deque[Key] = deque()
        self._dealt = (0, 0)  # hand, cards that have left the shoe in it
        self._seen: tuple[int, int] = (0, 0)
        self._looks = 0

    def look(self) -> None:
        """One look at the table, and what is pressed then."""
        number = self.site.playing()
        if number is None or self.rests:
            self._plan.clear()
            return
        hardware = self.site.hardware[number]
        if hardware["keypad"].waiting > BUSY:
            return
        node = self._node(number)
        if not self._plan:
            self._plan.extend(self._next(node, hardware.get("shoe")))
        if self._plan:
            self._press(hardware["keypad"], self._plan.popleft())

    def _node(self, number: int) -> TableNode:
        process = self.site.machines[number].process
        assert isinstance(process, SimulatedTable)
        return process.node

    def _press(self, keypad: Hardware, key: Key) -> None:
        if self.deals and self._chance.random() < WRONG:
            key = self._chance.choice([Key.UNDO, Key.UNDO, *FUNCTION_KEYS])
        self.presses += 1
        keypad.press(key)

    # ------------------------------------------------------------------------------------ a hand

    def _next(self, node: TableNode, shoe: Hardware | None) -> Iterator[Key]:
        table = node.table
        hand = table.hand
        if self._is_stuck(node):
            yield from (Key.NEW_HAND, Key.STREET, Key.NEW_HAND)
        elif table.question is not None and self._chance.random() < 0.8:
            yield table.question.key
        elif hand is None or hand.ended:
            if self.deals and len(able_to_play(table)) > 1 and table.why_no_hand() is None:
                yield Key.NEW_HAND
        elif (legal := hand.legal()) is not None:
            self._cards(shoe, table.hand_number, 2 * len(hand.live_seats))
            yield from self._act(legal.min_to)
        elif len(hand.board) < 5 and len(hand.live_seats) > 1:
            self._cards(shoe, table.hand_number, 2 * len(hand.stacks) + {0: 4, 3: 6, 4: 8}.get(len(hand.board), 0))
            yield Key.STREET
        else:
            yield from self._show([seat for seat in hand.live_seats if seat not in (*hand.tabled, *hand.mucked)])

    def _act(self, min_to: int | None) -> Iterator[Key]:
        roll = self._chance.random()
        if roll < self._shoves:
            yield Key.ALL_IN
        elif roll < self._shoves + 0.25:
            yield Key.FOLD
        elif roll < self._shoves + 0.35 and min_to:
            yield from _digits(min_to)
            yield Key.BET_RAISE
        else:
            yield Key.CHECK_CALL

    def _show(self, live: Sequence[Seat]) -> Iterator[Key]:
        if len(live) > 1 and self._chance.random() < 0.3:
            yield from (*_digits(live[-1]), Key.MUCK)
        elif live:
            yield from (*_digits(self._chance.choice(live)), Key.AWARD)
        yield Key.POT_PUSHED

    def _cards(self, shoe: Hardware | None, hand: int, upto: int) -> None:
        """So many cards of the hand have left the shoe."""
        if shoe is None:
            return
        dealt = self._dealt[1] if self._dealt[0] == hand else 0
        order = random.Random(f"{self.site.name} {hand}").sample(DECK, len(DECK))
        deck = self._decks.deck_names[hand % len(self._decks.deck_names)]
        for card in order[dealt:upto]:
            shoe.pass_card(self._decks.tag_of(deck, card_text(card)).reveal())
        self._dealt = hand, max(dealt, upto)

    def _is_stuck(self, node: TableNode) -> bool:
        """Nothing has come of what was pressed for long: the hand is left as it is."""
        seen = node.table.epoch, node.table.seq
        self._looks = self._looks + 1 if seen == self._seen and node.table.in_hand else 0
        self._seen = seen
        if self._looks < STUCK_LOOKS:
            return False
        self._looks = 0
        return True


def _digits(number: int) -> Iterator[Key]:
    return (Key(int(digit)) for digit in str(number))
