"""A deck is checked: what of it passes the shoe, what is missing, what does not belong. Pure, as `enrolment`
is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from firmware_bridge.decks.registry import CARDS, Deck, DeckRegistry
from firmware_bridge.reports import CardPassed, CardsTogether, Report, ReportsLost
from firmware_bridge.shoe import Uid
from table_core.messages import CardText


class Found(NamedTuple):
    """What a check found. `silent`: passages of cards whose tag did not answer; `unknown`: cards whose tag is in
    no deck, named by the camera where there is one; `lost`: the shoe lost messages."""

    deck: str
    missing: tuple[CardText, ...]
    foreign: tuple[str, ...]
    unknown: tuple[str, ...]
    silent: int
    misnamed: tuple[str, ...]
    lost: bool

    @property
    def right(self) -> bool:
        return not (self.missing or self.foreign or self.unknown or self.misnamed)

    def words(self) -> list[str]:
        """One line for each thing that is wrong, with what to do."""
        lines = []
        if self.missing and self.silent:
            lines.append(
                f"{len(self.missing)} cards did not show: {', '.join(self.missing)}. {self.silent} passages had "
                "no tag that answered: pass these cards again, alone; replace those that never answer"
            )
        elif self.missing:
            lines.append(f"missing: {', '.join(self.missing)}. Look for them, or put the deck aside")
        lines += [f"{card} is in it: take it out" for card in self.foreign]
        lines += [
            f"{card} with a tag of no deck is in it: take it out, or enrol the deck again" for card in self.unknown
        ]
        lines += [f"{words}: enrol the deck again" for words in self.misnamed]
        if self.lost:
            lines.append("the shoe lost messages: check again")
        return lines


class Check:
    """`name`: the deck that is checked; empty: the one of which most cards pass. Two decks on one stack are one
    that is full of foreign cards."""

    def __init__(self, registry: DeckRegistry, name: str = "") -> None:
        self._registry = registry
        self._name = name
        self._came: dict[str, set[CardText]] = {}
        self._unknown: dict[Uid, str] = {}
        self._silent = 0
        self._lost = False
        self._last: Uid | None = None
        self._lies: frozenset[CardText] = frozenset()
        self._misnamed: dict[CardText, str] = {}

    @property
    def passed(self) -> int:
        """Different cards that have passed."""
        return sum(map(len, self._came.values())) + len(self._unknown)

    @property
    def complete(self) -> bool:
        """Whether every card of the deck has passed."""
        deck = self._deck()
        return deck is not None and len(self._came.get(deck.name, ())) == len(CARDS)

    def take(self, report: Report) -> None:
        match report:
            case CardPassed(uid=uid, doubtful=doubtful):
                self._passed(None if doubtful else uid)
            case CardsTogether(uids=uids):
                for uid in uids:
                    self._passed(uid)
                self._last = None
            case ReportsLost(count=count):
                self._lost = self._lost or bool(count or self.passed)

    def see(self, cards: Sequence[CardText]) -> None:
        """The camera reads these cards where the deck is laid down."""
        fresh = [card for card in cards if card not in self._lies]
        self._lies = frozenset(cards)
        if len(fresh) == 1 and self._last is not None:
            self._named(self._last, fresh[0])
            self._last = None

    def found(self) -> Found:
        deck = self._deck()
        name = deck.name if deck is not None else ""
        here = self._came.get(name, set())
        missing = tuple([card for card in CARDS if card not in here])
        foreign = [
            f"the {card} of {other}"
            for other, cards in self._came.items()
            if other != name
            for card in sorted(cards)
        ]
        unknown = tuple([f"a {card}" if card else "a card" for card in self._unknown.values()])
        misnamed = tuple(self._misnamed.values())
        return Found(name, missing, tuple(foreign), unknown, self._silent, misnamed, self._lost)

    def _deck(self) -> Deck | None:
        if self._name:
            return self._registry.decks[self._name]
        if not self._came:
            return None
        ((most, _),) = Counter({name: len(cards) for name, cards in self._came.items()}).most_common(1)
        return self._registry.decks[most]

    def _passed(self, uid: Uid | None) -> None:
        self._last = uid
        if uid is None:
            self._silent += 1
        elif (found := self._registry.find(uid)) is not None:
            self._came.setdefault(found[0], set()).add(found[1])
        else:
            self._unknown.setdefault(uid, "")

    def _named(self, uid: Uid, card: CardText) -> None:
        found = self._registry.find(uid)
        if found is None:
            self._unknown[uid] = card
        elif found[1] != card:
            self._misnamed[card] = f"the camera names a {card} whose tag stands for the {found[1]}"
