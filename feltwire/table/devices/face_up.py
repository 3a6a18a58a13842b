"""Which cards lie face up for everybody, and which part of a camera's readings may therefore be shown.

The camera can read the corner of a card that its owner lifts, which the other players do not see. So a card is
named, and a part of the picture is uncovered, only where everybody at the table sees it: on the board, and at a
seat whose hand is tabled.
"""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from table_core.messages import UNKNOWN_CARD, CardText, Seat, Zone, ZoneReading
from vision.watching.watched import JOKER, Condition, WatchedZone, is_for_things

_SEEN = (Condition.CLEAR, Condition.GLARE, Condition.BLURRED)  # it lies still, and nothing lies over it


class _SeatFaces(msgspec.Struct, frozen=True):
    seat: Seat
    cards: tuple[CardText, ...] = ()


class _TableFaces(msgspec.Struct, frozen=True):
    """The part of a `TableView` that is needed here."""

    seats: tuple[_SeatFaces, ...]


class FaceUp:
    """Keeps the table's public view. Before the first view no hand counts as tabled. Usable from several
    threads."""

    def __init__(self) -> None:
        self._tabled: dict[Zone, frozenset[CardText]] = {}
        self._decode = msgspec.json.Decoder(_TableFaces).decode

    def hear(self, view: bytes) -> bool:
        """Take the table's newest public view (JSON); whether the face-up cards changed."""
        seats = self._decode(view).seats
        tabled = {Zone.cards(one.seat): frozenset(one.cards) - {UNKNOWN_CARD} for one in seats}
        tabled = {zone: cards for zone, cards in tabled.items() if cards}
        changed = tabled != self._tabled
        self._tabled = tabled
        return changed

    def forget(self) -> bool:
        """No hand counts as tabled until the next view; whether that is news."""
        changed, self._tabled = bool(self._tabled), {}
        return changed

    def public(self, seen: ZoneReading) -> ZoneReading:
        """`seen` with every card that is not public as a back."""
        if seen.zone == Zone.BOARD:
            return seen
        tabled = self._tabled.get(seen.zone, frozenset())
        named = tuple(card for card in seen.cards if card in tabled)
        unread = seen.unread if tabled else 0
        backs = seen.face_down + len(seen.cards) - len(named) + seen.unread - unread
        odd = "" if seen.odd == JOKER else seen.odd
        return replace(seen, cards=named, unread=unread, face_down=backs, odd=odd)

    def may_be_seen(self, watched: WatchedZone, condition: Condition) -> bool:
        """Whether the picture may show this zone: it is at rest and holds no hidden card."""
        seen = watched.reading
        if condition not in _SEEN:
            return False
        if seen.zone == Zone.BOARD:
            return True
        if is_for_things(seen.zone):
            counted = not watched.thing or seen.chips is not None or seen.button
            return counted and not (seen.cards or seen.unread or seen.face_down)
        tabled = self._tabled.get(seen.zone)
        return tabled is not None and tabled == set(seen.cards) and not (seen.unread or seen.face_down)
