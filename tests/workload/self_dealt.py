"""A self-dealt table: players deal in turn, the shoe travels, two decks alternate. None of it is an irregularity.

The hands themselves are clean. What happens around them is what real-tables.md, 1 and 7, tells: every dealer has
habits of their own, the shoe's line breaks while it is passed on, the idle deck is shuffled beside the reader, the
cut card has no tag, the stub comes out after the hand, and once in mid-hand the muck is washed past the reader.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from feltwire.lab.simroom.dealer.dealing import PLAIN_KEYS
from feltwire.lab.simroom.play.script import FULL_DECK, HandScript, ScriptedAct
from feltwire.table.table_io import DeviceSaid
from table_core.messages import Asked, DeviceState, Envelope, Key, Noticed, Refused, Ruled, Seat, Street
from tests.workload import people as model
from tests.workload.beside import Waits
from tests.workload.dealer import HandDealt
from tests.workload.people import Odds
from tests.workload.shift import DEVICE_SETS, HandCost, Shift

# What a table may say without accusing anybody: a shoe on its way from dealer to dealer is out of reach, STREET
# was pressed for a street that the camera had read a moment before, POT PUSHED for a pot that was given already.
HARMLESS = {"shoe_lost", "shoe_back", "street_twice", "again"}
_STRAYS = (0, 6)  # cards of the idle deck that pass the reader in one hand
_WASHED = 8  # cards of the muck that pass again in the reshuffle


@dataclass(frozen=True)
class Habits:
    """What one player does when it is their turn to deal."""

    new_hand: bool
    keys_all: bool  # folds, checks and calls too, while the screen waits for them
    takes_stub_out: bool


@dataclass
class SelfDealt:
    """What came of it. `alarms` are questions, notices and rulings at a table where nothing was wrong."""

    hands: list[HandCost] = field(default_factory=list)
    alarms: Counter[str] = field(default_factory=Counter)
    done: Counter[str] = field(default_factory=Counter)  # what happened around the hands
    hours: float = 0.0


class SelfDealtHand(HandDealt):
    """One hand, dealt by a player; `around` counts what happens beside it."""

    habits: Habits
    around: Counter[str]
    chance: random.Random
    idle_deck: str
    reshuffle: bool = False

    def deal(self) -> None:
        if self.habits.new_hand:
            self.press(Key.NEW_HAND)
        self._beside.start(self._shuffles_beside())
        super().deal()
        if self.habits.takes_stub_out:
            self.around["stub out"] += 1
            for card in self.deck:
                self.wait(0.02)
                self.pass_shoe(card)
            self._beside.pass_shoe(None)  # the cut card at the bottom
            self.around["cut card passed"] += 1

    def _shuffles_beside(self) -> Waits:
        """A neighbour shuffles the idle deck, now and then over the reader."""
        yield model.RIFFLE_S + 2 * len(self.script.dealt) * model.PITCH_S
        deck = list(FULL_DECK)
        self.chance.shuffle(deck)
        for card in deck[: self.chance.randint(*_STRAYS)]:
            yield self.chance.uniform(0.3, 4.0)
            self._table.card(self.idle_deck, card)
            self.around["stray cards of the idle deck"] += 1

    def say(self, act: ScriptedAct) -> None:
        super().say(act)
        if self.habits.keys_all and act.action in PLAIN_KEYS and self._turn_of(act.seat):
            self.press(PLAIN_KEYS[act.action])

    def _turn_of(self, seat: Seat) -> bool:
        legal = self.view.legal
        return legal is not None and legal.seat == seat

    def street(self, street: Street) -> None:
        muck = [card.card for card in self.felt.muck]
        if self.reshuffle and street is Street.RIVER and len(muck) >= _WASHED:
            self.around["reshuffles in mid-hand"] += 1
            self.reshuffle = False
            self.chance.shuffle(muck)
            for card in muck:
                self.wait(0.3)
                self.pass_shoe(card)
        super().street(street)


def deal(runtime: Path, *, hands: int, seed: int) -> SelfDealt:
    """Deal so many hands at a table with shoe, camera and keys."""
    chance = random.Random(f"self-dealt {seed}")
    shift = Shift(DEVICE_SETS["all"], runtime, seed=seed, odds=Odds(slip=0.0, chips_unsure=0.0, card_unread=0.0))
    habits = {seat: _habits(chance) for seat in range(1, 10)}
    found = SelfDealt()
    due = {"reshuffle": True}

    def make(*arguments: Any, **options: Any) -> HandDealt:
        script: HandScript = arguments[4]
        dealt = SelfDealtHand(*arguments, **options)
        dealers = [entry.seat for entry in script.seats]
        dealt.habits, dealt.around = habits[dealers[script.hand % len(dealers)]], found.done
        dealt.chance = chance
        decks = shift.table.registry.deck_names
        dealt.idle_deck = next(deck for deck in decks if deck != options["deck"])
        dealt.reshuffle = due["reshuffle"] and script.hand > 10 and len(script.acts) > 12
        return dealt

    shift.hand_type = make
    for cost in _hands(shift, hands, found, chance):
        found.hands.append(cost)
        due["reshuffle"] = not found.done["reshuffles in mid-hand"]
    found.hours = (shift.table.now - 1_000) / 3_600_000
    return found


def _hands(shift: Shift, hands: int, found: SelfDealt, chance: random.Random) -> Iterator[HandCost]:
    for _ in range(hands):
        before = len(shift.table.envelopes)
        _pass_shoe_on(shift, found, chance)
        yield from shift.hands(1)
        found.alarms.update(_alarms(shift.table.envelopes[before:]))


def _pass_shoe_on(shift: Shift, found: SelfDealt, chance: random.Random) -> None:
    """The shoe's line breaks while it is lifted, and is back before the next deal."""
    found.done["shoe passed on"] += 1
    table = shift.table
    table.give(DeviceSaid("shoe", DeviceState.CONNECTING))
    table.advance(table.now + chance.randint(500, 4_000))
    table.give(DeviceSaid("shoe", DeviceState.OK))


def _alarms(envelopes: Sequence[Envelope]) -> Iterator[str]:
    for envelope in envelopes:
        match envelope.data:
            case Noticed(kind=kind) if kind not in HARMLESS:
                yield f"notice {kind}"
            case Asked(kind=kind):
                yield f"question {kind}"
            case Refused(reason=reason):
                yield f"refused: {reason}"
            case Ruled(incident=incident):
                yield f"ruling {incident}"


def _habits(chance: random.Random) -> Habits:
    return Habits(chance.random() < 0.5, chance.random() < 0.5, chance.random() < 0.7)


def figures(found: SelfDealt) -> dict[str, Any]:
    return {
        "hands": len(found.hands),
        "hours of table time": round(found.hours, 2),
        **found.done,
        "hands fully known": sum(cost.fully_known for cost in found.hands),
        "false alarms": sum(found.alarms.values()),
        **found.alarms,
    }


def markdown(found: SelfDealt) -> str:
    rows = [f"| {name} | {value:,} |" for name, value in figures(found).items()]
    return "\n".join(["| | |", "|---|---|", *rows])
