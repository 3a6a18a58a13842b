"""The only place that knows cards lying face down.

A tag from the shoe goes in; a *handle* comes out, which tells nothing about the card. When the tracker knows the
card's place in the deal, `place` makes a public commitment and a box that only the relay can open. Questions about
a card are answered only after somebody saw it face up or the dealer confirmed its street; the caller is
responsible for that.

A restarted process gets the cards of its hand back from recovery boxes in the ledger (`recover`); after a power
cut they stay unknown and the hand goes on.
"""

from __future__ import annotations

import base64
import os
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple, Protocol

from nacl.public import PublicKey, SealedBox

from feltwire.runtime.concealed import Concealed
from feltwire.table.deck_wear import HandWear
from feltwire.table.recovery import Kept, RecoveryBox, RecoveryKeys
from firmware_bridge.shoe import Uid
from table_core.commitment import SALT_BYTES, Opening
from table_core.messages import (
    UNKNOWN_CARD,
    CardText,
    Malformed,
    SealedCard,
    decode,
    encode,
)
from table_core.tracker.unit_of_work import Why

_BOX_BODY_BYTES = 384  # of JSON, filled up with spaces: every box is as long as every other

_TABLE_ID_BYTES = 64


class Registry(Protocol):
    """The deck registry: `firmware_bridge.decks.DeckRegistry`."""

    def find(self, uid: Uid) -> tuple[str, CardText] | None:
        """`(deck name, card)` of a tag, None for a tag of no deck."""
        ...


class Taken(NamedTuple):
    """A passage of the shoe. `handle` counts the cards of this attempt from 1 (0: no tag answered); `note` is
    that of `CardLeftShoe`. `boxes` belong into the ledger in the commit that records the passage."""

    handle: int
    note: str
    boxes: tuple[bytes, ...] = ()
    deck: str = ""  # which deck it is of, where the registry knows it


class Placed(NamedTuple):
    """A card at a place of the deal: `commitment` for `CardDealt` (None: the card was not read), `sealed` for
    the relay (none without its key) and `boxes`, both for the same commit as the event."""

    commitment: str | None
    sealed: tuple[SealedCard, ...] = ()
    boxes: tuple[bytes, ...] = ()


class Recovered(NamedTuple):
    """How many cards of the hand came back, and how many are now unknown."""

    known: int
    unknown: int


@dataclass(frozen=True, slots=True)
class _Card:
    """One card of the attempt. `kept` is None for a card that is lost."""

    kept: Concealed[Kept | None]
    place: int = 0


@dataclass(slots=True)
class _Attempt:
    """The cards of one attempt at a hand, by handle from 1, and the handle at each place."""

    epoch: int = 0
    hand: int = 0
    attempt: int = 1
    cards: dict[int, _Card] = field(default_factory=dict, repr=False)
    places: dict[int, int] = field(default_factory=dict)


class Vault:
    """`relay_public_key` is 32 bytes, None where cards are sealed to nobody. `runtime_dir` is a folder in
    memory that only this process uses (`recovery.runtime_folder`). `rng(n)` gives n random bytes. `key` (hex) is
    what the ledger signs with whose events promise these cards: boxes say it, so that the relay opens them for no
    other machine."""

    def __init__(
        self,
        registry: Registry,
        table_id: str,
        relay_public_key: bytes | None,
        runtime_dir: Path,
        rng: Callable[[int], bytes] = os.urandom,
        *,
        key: str = "",
    ) -> None:
        if len(table_id.encode()) > _TABLE_ID_BYTES:
            raise ValueError(f"table id {table_id!r} is longer than {_TABLE_ID_BYTES} bytes")
        self._registry = registry
        self._table = table_id
        self._relay = None if relay_public_key is None else SealedBox(PublicKey(relay_public_key))
        self._keys = RecoveryKeys(runtime_dir, rng)
        self._rng = rng
        self._key = key
        self._now = _Attempt()
        self._before: _Attempt | None = None  # the hand before, until the deal stands

    def __repr__(self) -> str:
        return f"Vault(table={self._table!r}, hand={self._now.hand}, cards={len(self._now.cards)})"

    # ---------------------------------------------------------------------------- the hand's life

    def begin_hand(self, epoch: int, hand: int, attempt: int = 1, carry: Sequence[int] = ()) -> tuple[bytes, ...]:
        """Begin an attempt at a hand with a recovery key of its own. The cards before it are kept until
        `deal_stands`, or are those of the hand once more by `take_back_deal`.

        `carry`: handles of cards that passed before anybody knew that this hand had begun; they become
        handles 1, 2, … of this attempt.
        """
        carried = [self._now.cards[handle] for handle in carry]
        self._before, self._now = self._now, _Attempt(epoch, hand, attempt)
        self._now.cards = {handle: replace(card, place=0) for handle, card in enumerate(carried, start=1)}
        self._keys.new()
        return self._boxes()

    def deal_stands(self) -> tuple[bytes, ...]:
        """The hand before is over: its cards are forgotten. Commit the boxes with `drop_boxes=True`, then call
        `forget_hand`."""
        self._before = None
        return self._boxes()

    def take_back_deal(self) -> tuple[bytes, ...]:
        """The hand did not begin: the cards before it are those of the hand. The boxes as of `deal_stands`."""
        if self._before is not None:
            self._now, self._before = self._before, None
        return self._boxes()

    def _boxes(self) -> tuple[bytes, ...]:
        """All that recovers the cards of this attempt, under the newest key; a label comes first."""
        label = encode(RecoveryBox(self._now.epoch, self._now.hand, self._now.attempt))
        return (label, *(box for handle in self._now.cards for box in self._recovery_box(handle)))

    def forget_hand(self) -> None:
        """Destroy the recovery keys but the newest, after the commit that no earlier one opens anything of."""
        self._keys.forget_earlier()

    def recover(self, boxes: Iterable[bytes]) -> Recovered:
        """Take up the hand whose boxes the ledger kept (`Ledger.boxes`), and nothing else. Raises nothing: a
        card whose box no key opens stays unknown."""
        self._before, self._now = None, _Attempt()
        for raw in boxes:
            try:
                box = decode(raw, RecoveryBox)
            except Malformed:
                continue
            if not box.handle:
                self._before = self._now if self._now.hand else None
                self._now = _Attempt(box.epoch, box.hand, box.attempt)
            if box.handle:
                self._now.cards[box.handle] = _Card(Concealed(Kept.read(self._keys.open(box.box))))
                self._set_place(box.handle, box.place)
        known = sum(card.kept.reveal() is not None for card in self._now.cards.values())
        return Recovered(known, len(self._now.cards) - known)

    # ------------------------------------------------------------------------------ cards go in

    def take(self, uid: Uid | None) -> Taken:
        """A card passed the reader; None when no tag answered. It may pass before its hand has begun."""
        if uid is None:
            return Taken(0, "unread")
        # Neither tag nor card is ever a local variable here: a traceback may print those.
        kept = Kept.of(uid.reveal(), self._registry.find(uid))
        again = self._handle_of(lambda earlier: earlier.uid == kept.uid)
        if again:
            return Taken(again, "repeat", (), kept.deck)
        note = self._note(kept)
        handle = len(self._now.cards) + 1
        self._now.cards[handle] = _Card(Concealed(kept))
        return Taken(handle, note, self._recovery_box(handle), kept.deck)

    def handle_of(self, uid: Uid | None) -> int:
        """The handle of a card that has passed in this attempt; 0 for any other."""
        if uid is None:
            return 0
        return self._handle_of(lambda earlier: earlier.uid == uid.reveal().hex())

    def _note(self, passing: Kept) -> str:
        if passing.card == UNKNOWN_CARD:
            return "unknown_tag"
        first = next((kept.deck for kept in self._kept() if kept.card != UNKNOWN_CARD), passing.deck)
        return "" if passing.deck == first else "other_deck"

    def place(self, handle: int, place: int, to: str) -> Placed:
        """The card of `handle` went to `place` of the deal, which is that of `to`: a seat, a burn or the board.
        Asked again (a burn was missing) it makes a new commitment, and the card lies at the new place only."""
        card = self._now.cards.get(handle)
        if card is None:
            return Placed(None)
        self._set_place(handle, place)
        boxes = self._recovery_box(handle)
        kept = card.kept.reveal()
        if kept is None or kept.card == UNKNOWN_CARD:
            return Placed(None, (), boxes)
        now = self._now
        salt = self._rng(SALT_BYTES)
        opening = Opening(
            self._table, now.epoch, now.hand, now.attempt, place, to, kept.card, salt.hex(), self._key
        )
        return Placed(opening.commitment(), self._seal(opening), boxes)

    replace = place

    def take_back(self, handle: int) -> tuple[bytes, ...]:
        """The card lies at no place any more; its recovery box says so."""
        self._set_place(handle, 0)
        return self._recovery_box(handle)

    def _set_place(self, handle: int, place: int) -> None:
        card = self._now.cards[handle]
        if self._now.places.get(card.place) == handle:
            del self._now.places[card.place]
        self._now.cards[handle] = replace(card, place=place)
        if place:
            self._now.places[place] = handle

    def _seal(self, opening: Opening) -> tuple[SealedCard, ...]:
        if self._relay is None:
            return ()
        box = self._relay.encrypt(encode(opening).ljust(_BOX_BODY_BYTES))
        # The ledger numbers it when it commits it.
        card = SealedCard(
            epoch=opening.epoch,
            sealed_seq=0,
            hand=opening.hand,
            attempt=opening.attempt,
            place=opening.place,
            box=base64.b64encode(box).decode(),
        )
        return (card,)

    def _recovery_box(self, handle: int) -> tuple[bytes, ...]:
        card = self._now.cards[handle]
        kept, now = card.kept.reveal(), self._now
        box = self._keys.seal(encode(kept) if kept is not None else b"")  # a lost card stays one
        return (encode(RecoveryBox(now.epoch, now.hand, now.attempt, handle, card.place, box)),)

    # ------------------------------------------------------------------ what the camera read

    def cover(self, faces: bytes) -> bytes:
        """A recovery box with faces that the camera read, for the ledger. Empty for none."""
        return self._keys.seal(faces) if faces else b""

    def uncover(self, box: bytes) -> bytes | None:
        """The content of such a box; None once its hand is over, or after a power cut."""
        return self._keys.open(box) if box else b""

    # ------------------------------------------------------------------------------- questions

    def is_card(self, place: int, card: CardText) -> bool | None:
        """Whether `card`, which was read face up, is the card at `place`; None when that is unknown."""
        found = self._at(place)
        return None if found == UNKNOWN_CARD else found == card

    def wear(self, public: frozenset[CardText], places: Collection[int]) -> HandWear | None:
        """The deck of this attempt, and which of its `public` cards, which everybody has seen, lie at none of
        `places`, which are public. None where a card is lost, or no card of a deck was placed."""
        kept = [self._now.cards[handle].kept.reveal() for handle in self._now.places.values()]
        decks = [one.deck for one in kept if one is not None and one.card != UNKNOWN_CARD]
        if not decks or any(card.kept.reveal() is None for card in self._now.cards.values()):
            return None
        return HandWear(decks[0], tuple(sorted(public - {self._at(place) for place in places})))

    def open_places(self, places: Sequence[int], why: Why) -> tuple[CardText, ...]:
        """The cards at `places`, `"??"` for unknown ones, now that `why` has made them public."""
        if not isinstance(why, Why):
            raise TypeError("say why these cards may be opened")
        return tuple(self._at(place) for place in places)

    def _at(self, place: int) -> CardText:
        card = self._now.cards.get(self._now.places.get(place, 0))
        kept = card.kept.reveal() if card else None
        return UNKNOWN_CARD if kept is None else kept.card

    def _kept(self) -> Iterable[Kept]:
        return (kept for card in self._now.cards.values() if (kept := card.kept.reveal()) is not None)

    def _handle_of(self, wanted: Callable[[Kept], bool]) -> int:
        for handle, card in self._now.cards.items():
            kept = card.kept.reveal()
            if kept is not None and wanted(kept):
                return handle
        return 0
