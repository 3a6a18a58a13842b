"""A deck is enrolled: each card once through the shoe. Pure: reports and what the camera reads go in, lines for
whoever holds the deck come out; the draft is kept by the caller after each.

With a camera the cards come in any order, and the camera names each (`ByCamera`). Without one they come in the
order in which a new deck lies, and the last card of each suit passes once more as a proof (`InOrder`): it shows a
missing card that shifts what follows, and not two cards that changed places. What is not certain is never guessed:
the card is asked for again, or the deck is not enrolled.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import msgspec

from firmware_bridge.decks.registry import CARDS, DeckRegistry
from firmware_bridge.reports import (
    CardBack,
    CardPassed,
    CardsTogether,
    DeckMoved,
    Report,
    ReportsLost,
    Unreadable,
)
from firmware_bridge.shoe import Uid
from table_core.messages import CardText

SIZE = len(CARDS)
PROOFS = (51, 38, 25, 12)  # places of a new deck: the last card of each suit


class Draft(msgspec.Struct):
    """A deck that is being enrolled, as it is kept. `order`: of a deck without a camera, else empty. `place`: how
    many of it have passed. `tags`: in hex, of each card that is known."""

    name: str
    back: str
    order: tuple[CardText, ...] = ()
    place: int = 0
    tags: dict[CardText, str] = msgspec.field(default_factory=dict)
    again: tuple[CardText, ...] = ()  # passed, and to pass once more
    spoilt: str = ""  # why it cannot be completed

    def __repr__(self) -> str:
        return f"Draft({self.name!r}, {len(self.tags)} cards)"

    def cards(self) -> dict[CardText, Uid]:
        return {card: Uid(bytes.fromhex(tag)) for card, tag in self.tags.items()}

    @property
    def missing(self) -> list[CardText]:
        return [card for card in CARDS if card not in self.tags]

    def card_of(self, uid: Uid) -> CardText | None:
        tag = uid.reveal().hex()
        return next((card for card, known in self.tags.items() if known == tag), None)

    def know(self, card: CardText, uid: Uid) -> None:
        self.tags[card] = uid.reveal().hex()


class Enrolment(Protocol):
    """What both ways have."""

    draft: Draft

    @property
    def done(self) -> bool:
        """Whether the deck may be written into the registry."""

    def start(self) -> list[str]:
        """What to do now."""

    def take(self, report: Report) -> list[str]:
        """The shoe reports."""

    def see(self, cards: Sequence[CardText], unread: int) -> list[str]:
        """The camera reads these cards where the deck is laid down, and cannot read `unread` more."""

    def end(self) -> str:
        """Nothing more comes: why the deck is not enrolled, and what to do."""


class ByCamera:
    """`others`: the decks that are enrolled already."""

    def __init__(self, draft: Draft, others: DeckRegistry) -> None:
        self.draft = draft
        self._others = others
        self._waits: Uid | None = None  # passed, and not named yet
        self._lies: frozenset[CardText] = frozenset()
        self._silent: set[CardText] = set()
        self._twice: set[CardText] = set()
        self._no_tag = False  # the last card that passed had none that answered

    @property
    def done(self) -> bool:
        return not self.draft.missing

    def start(self) -> list[str]:
        count = len(self.draft.tags)
        begun = f"{count} cards are known; it goes on with any of the others. " if count else ""
        return [f"{begun}Pass each card through the shoe and lay it face up on the board's place, one by one."]

    def take(self, report: Report) -> list[str]:
        match report:
            case CardPassed(uid=uid, doubtful=doubtful):
                return self._left_unnamed() + self._passed(None if doubtful else uid)
            case CardsTogether(uids=uids):
                self._waits, self._no_tag = None, False
                return [f"{len(uids)} cards at once: pass them again, one by one."]
            case ReportsLost(count=count) if count:
                self._waits = None
                return ["The shoe lost messages: pass the last cards again."]
            case Unreadable(why=why):
                return [f"The shoe sent an unreadable message: {why}."]
        return []

    def _left_unnamed(self) -> list[str]:
        waits, self._waits = self._waits, None
        return [] if waits is None else ["The camera has not named the card before: pass that one again later."]

    def _passed(self, uid: Uid | None) -> list[str]:
        self._no_tag = uid is None
        if uid is None:
            return ["Its tag does not answer: pass it again. A card whose tag never answers cannot be used."]
        if (found := self._others.find(uid)) is not None:
            return [f"That is the {found[1]} of the deck {found[0]}: take it out."]
        if (card := self.draft.card_of(uid)) is not None:
            return [f"The {card} has passed already."]
        self._waits = uid
        return []

    def see(self, cards: Sequence[CardText], unread: int) -> list[str]:
        fresh = [card for card in cards if card not in self._lies]
        self._lies = frozenset(cards)
        if len(fresh) > 1:
            return ["The camera sees several new cards: lay them down one by one."]
        if not fresh:
            return ["The camera cannot read the card: lay it flat, with both its corners free."] if unread else []
        return self._named(fresh[0])

    def _named(self, card: CardText) -> list[str]:
        waits, self._waits = self._waits, None
        if waits is not None and card in self.draft.tags:
            self._twice.add(card)
            del self.draft.tags[card]  # which of the two stays nobody knows yet
            return [f"A second {card}: take out the one that is not of this deck, and pass the other again."]
        if waits is not None:
            self.draft.know(card, waits)
            self._silent.discard(card)
            return [f"{len(self.draft.tags)} of {SIZE}: {card}"]
        if self._no_tag and card not in self.draft.tags:
            self._silent.add(card)
            return [f"The tag of the {card} does not answer."]
        return []

    def end(self) -> str:
        missing = self.draft.missing
        words = [f"{SIZE - len(missing)} of {SIZE} cards are known", f"missing: {', '.join(missing)}"]
        if self._silent & {*missing}:
            words.append(f"without a tag that answers: {', '.join(sorted(self._silent & {*missing}))}")
        if self._twice:
            words.append(f"twice: {', '.join(sorted(self._twice))}")
        return f"{'; '.join(words)}. Find or replace them and call the command again: it goes on from there."


class InOrder:
    """`others`: the decks that are enrolled already."""

    def __init__(self, draft: Draft, others: DeckRegistry) -> None:
        self.draft = draft
        self._others = others
        self._proofs = [draft.order[place] for place in PROOFS if place < len(draft.order)]

    @property
    def done(self) -> bool:
        return self._complete and not self._proofs and not self.draft.spoilt

    @property
    def _complete(self) -> bool:
        return self.draft.place == len(self.draft.order) and not self.draft.again

    def start(self) -> list[str]:
        draft = self.draft
        if draft.spoilt:
            return []
        if draft.place == 0:
            first, last = draft.order[0], draft.order[-1]
            return [
                "Take out jokers and advertising, spread the deck face up and see that it lies in its order: "
                f"first comes the {first}, last the {last}. Put it into the shoe and draw the cards one by one."
            ]
        return self._asked() or [
            f"It goes on with card {draft.place + 1}, the {draft.order[draft.place]}: put the cards from it on "
            "into the shoe, in their order."
        ]

    def take(self, report: Report) -> list[str]:
        if self.draft.spoilt:
            return []
        match report:
            case CardPassed(uid=uid, doubtful=doubtful):
                return self._passed(None if doubtful else uid)
            case CardsTogether(uids=uids):
                return self._came_together(uids)
            case CardBack(uid=uid, was_out=True):
                return self._went_back(uid)
            case ReportsLost(count=count, why=why) if count or self.draft.place:
                return self._spoil(f"the shoe lost messages ({why}), so nobody knows which card is which")
            case DeckMoved(seated=False) if not self._complete and not self.draft.again:
                return [f"{self.draft.place} of {SIZE}: put in the rest. Where there is no more, press Enter."]
        return []

    def see(self, cards: Sequence[CardText], unread: int) -> list[str]:
        return []

    def _passed(self, uid: Uid | None) -> list[str]:
        if self._complete:
            return self._proven(uid)
        if self.draft.again and self.draft.place == len(self.draft.order):
            return self._repeated(uid)
        if uid is None:
            return self._left_open(1, "did not answer")
        if (words := self._known(uid)) is not None:
            return words
        if self.draft.place == len(self.draft.order):
            return self._spoil(f"there are more than {SIZE} cards")
        card = self.draft.order[self.draft.place]
        self.draft.know(card, uid)
        self.draft.place += 1
        return [f"{self.draft.place} of {SIZE}: {card}", *self._asked()]

    def _known(self, uid: Uid) -> list[str] | None:
        """What is said of a card that takes no place; None where it takes one."""
        if (found := self._others.find(uid)) is not None:
            at = self.draft.place
            expected = f"; card {at + 1}, the {self.draft.order[at]}, comes next" if at < SIZE else ""
            return [f"That is the {found[1]} of the deck {found[0]}: take it out{expected}."]
        card = self.draft.card_of(uid)
        return None if card is None else [f"The {card} has passed already."]

    def _came_together(self, uids: Sequence[Uid | None]) -> list[str]:
        if self._complete or self.draft.place == len(self.draft.order):
            return ["Several cards at once: pass them again, one by one."]
        known = [uid for uid in uids if uid is not None and self._known(uid) is not None]
        return self._left_open(len(uids) - len(known), "came together")

    def _left_open(self, count: int, why: str) -> list[str]:
        draft = self.draft
        if draft.place + count > len(draft.order):
            return self._spoil(f"there are more than {SIZE} cards")
        cards = draft.order[draft.place : draft.place + count]
        draft.place += count
        draft.again = (*draft.again, *cards)
        named = " and ".join(f"the {card}" for card in cards)
        return [f"{named[0].upper()}{named[1:]} {why}: keep it apart, it passes again at the end.", *self._asked()]

    def _went_back(self, uid: Uid | None) -> list[str]:
        draft = self.draft
        if draft.place == 0 or self._complete:
            return []
        last = draft.order[draft.place - 1]
        tag = draft.tags.get(last)
        if uid is None or tag is None:
            right = uid is None and tag is None and draft.again[-1:] == (last,)
        else:
            right = tag == uid.reveal().hex()
        if not right:
            return self._spoil("a card went back into the shoe, and nobody knows which")
        draft.place -= 1
        draft.tags.pop(last, None)
        draft.again = tuple([card for card in draft.again if card != last])
        return [f"The {last} went back: it comes next."]

    def _repeated(self, uid: Uid | None) -> list[str]:
        card = self.draft.again[0]
        if uid is None:
            return [f"The tag of the {card} does not answer. Where it never does, replace the card."]
        if (words := self._known(uid)) is not None:
            return [*words, *self._asked()]
        self.draft.know(card, uid)
        self.draft.again = self.draft.again[1:]
        return [f"The {card} is known now.", *self._asked()]

    def _proven(self, uid: Uid | None) -> list[str]:
        if not self._proofs:
            return []
        card = self._proofs[0]
        if uid is None:
            return [f"Its tag does not answer: pass the {card} again."]
        found = self.draft.card_of(uid)
        if found != card:
            what = f"the shoe takes it for the {found}" if found else "it is none of the cards that passed"
            return self._spoil(
                f"the deck did not lie in the order {_words(self.draft.order)}: of the {card} {what}"
            )
        self._proofs.pop(0)
        return [f"That is the {card}.", *self._asked()]

    def _asked(self) -> list[str]:
        """What to pass once every card has passed."""
        draft = self.draft
        if draft.place < len(draft.order):
            return []
        if draft.again:
            return [f"Pass these again, in this order: {', '.join(draft.again)}"]
        return [f"To be sure, look for the {self._proofs[0]} and pass it."] if self._proofs else []

    def _spoil(self, why: str) -> list[str]:
        self.draft.spoilt = why
        return []

    def end(self) -> str:
        draft = self.draft
        if draft.spoilt:
            return f"{draft.spoilt}. Sort the deck and begin again with --again, or enrol it with the camera."
        if draft.place < len(draft.order):
            return (
                f"{draft.place} of {SIZE} cards have passed. Call the command again to go on with card "
                f"{draft.place + 1}, the {draft.order[draft.place]}. If there is none left, one is missing, and "
                "without a camera nobody can tell which: count the deck, and begin again with --again."
            )
        if draft.again:
            return f"These have no tag that answers: {', '.join(draft.again)}. Replace them and call again."
        return "The cards that prove the order have not passed: call the command again."


def _words(order: Sequence[CardText]) -> str:
    """Suit by suit, as in `As…Ks Ad…Kd`."""
    suits: dict[str, list[CardText]] = {}
    for card in order:
        suits.setdefault(card[1], []).append(card)
    return " ".join(f"{cards[0]}…{cards[-1]}" for cards in suits.values())


def enrolment(draft: Draft, others: DeckRegistry) -> Enrolment:
    """In the order of the draft, or by the camera where it has none."""
    return InOrder(draft, others) if draft.order else ByCamera(draft, others)
