"""The camera's readings of the cards in front of the seats, and since when a seat's are gone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from table_core.messages import ZoneSeen
from table_core.tracker.kept import Millis, Seat
from table_core.tracker.memory.slice import Slice

_HAND = 2  # cards


def is_hand_of_backs(seen: ZoneSeen | None) -> bool:
    return seen is not None and seen.face_down >= _HAND


def faces_of(seen: ZoneSeen) -> int:
    return len(seen.cards) + seen.unread


class SeatCards(Slice):
    readings: Mapping[Seat, ZoneSeen] = {}
    had_cards: tuple[Seat, ...] = ()  # seats where two backs were seen in this hand
    gone_since: Mapping[Seat, Millis] = {}
    swept: bool = False  # every hand was gone at once: cards that come now are another hand's
    dealt_to: tuple[Seat, ...] = ()  # seats where two backs came since the last hand
    unseen: tuple[Seat, ...] = ()  # cameras work, but none of them sees these seats
    began_hand: bool = False  # the deal began this hand, not a key

    def has_backs(self, seat: Seat) -> bool:
        return is_hand_of_backs(self.readings.get(seat))

    def has_faces(self, seat: Seat) -> bool:
        """A whole hand lies face up in front of the seat, read or not."""
        seen = self.readings.get(seat)
        return seen is not None and faces_of(seen) >= _HAND

    def shows_one(self, seat: Seat) -> bool:
        """One card of the seat lies face up, and no second one."""
        seen = self.readings.get(seat)
        return seen is not None and faces_of(seen) == 1

    def is_empty(self, seat: Seat) -> bool:
        """Whether the seat's two backs were seen in this hand and its zone is empty now."""
        seen = self.readings.get(seat)
        return seen is not None and not (faces_of(seen) or seen.face_down) and seat in self.had_cards

    def went(self, seat: Seat, unless_known: Millis) -> Millis:
        """Since when the seat's cards are gone."""
        return self.gone_since.get(seat, unless_known)

    def read(self, seat: Seat, seen: ZoneSeen, *, in_hand: bool) -> None:
        self.readings = {**self.readings, seat: seen}
        self.unseen = tuple([other for other in self.unseen if other != seat])
        if in_hand and is_hand_of_backs(seen) and seat not in self.had_cards:
            self.had_cards = (*self.had_cards, seat)

    def seen_in_hand(self, since: Millis) -> None:
        """The hand was not over: two backs that were read since lay there in it."""
        lay = [seat for seat, seen in self.readings.items() if seen.at >= since and is_hand_of_backs(seen)]
        self.had_cards = (*self.had_cards, *[seat for seat in lay if seat not in self.had_cards])

    def are_gone(self, seat: Seat, now: Millis) -> None:
        """Mark the seat's cards as gone since then; an earlier time stays."""
        self.gone_since = {seat: now, **self.gone_since}

    def are_there(self, seat: Seat) -> None:
        self.gone_since = {other: since for other, since in self.gone_since.items() if other != seat}

    def nobody_sees(self, seat: Seat) -> None:
        """No camera sees the seat's cards any longer."""
        self.readings = {other: seen for other, seen in self.readings.items() if other != seat}
        self.unseen = (*[other for other in self.unseen if other != seat], seat)
        self.are_there(seat)

    def all_are_gone(self) -> None:
        self.swept = True

    def was_dealt_to(self, seat: Seat) -> None:
        self.dealt_to = (*[other for other in self.dealt_to if other != seat], seat)

    def hand_began(self, seats: Sequence[Seat]) -> None:
        """The hand began with the deal to `seats`, before any key."""
        self.had_cards, self.began_hand = tuple(seats), True

    def hand_began_with_its_first_card(self) -> None:
        self.began_hand = True

    def take_began_hand(self) -> bool:
        began, self.began_hand = self.began_hand, False
        return began

    def forget_faces(self) -> None:
        self.readings = {seat: seen for seat, seen in self.readings.items() if not faces_of(seen)}

    def forget_play(self) -> None:
        self.swept = False

    def end_hand(self) -> None:
        """What lies there stays."""
        self.had_cards, self.gone_since, self.dealt_to = (), {}, ()
        self.swept = self.began_hand = False
