"""The camera's readings of the middle: the board, the burns, and cards there that a ruling barred."""

from __future__ import annotations

from msgspec.structs import replace

from table_core.messages import ZoneSeen
from table_core.tracker.kept import CardText
from table_core.tracker.memory.slice import Slice


class Board(Slice):
    seen: ZoneSeen | None = None
    barred: tuple[CardText, ...] = ()
    some_stay: bool = False  # of the barred cards: which, the card shows that comes beside them
    burns: ZoneSeen | None = None
    burned_before: int = 0  # motions among the burns when the last street was dealt
    camera_away: bool = False  # since then it could not see for a while
    unseen: bool = False  # cameras work, but none of them sees the board
    taken_back: tuple[CardText, ...] = ()  # the board as an action before its streets was taken back

    @property
    def faces(self) -> int:
        """Cards that lie face up there, read or not."""
        return 0 if self.seen is None else len(self.seen.cards) + self.seen.unread

    @property
    def motions_since_street(self) -> int | None:
        """Motions among the burns since the last street was dealt; None where nothing was seen of them."""
        return None if self.burns is None else self.burns.motions - self.burned_before

    def read(self, seen: ZoneSeen) -> None:
        """Take a reading without the barred cards that still lie there; once taken away they may come again."""
        known = (*self.barred, *(() if self.seen is None else self.seen.cards))
        laid = self.some_stay and not set(seen.cards) <= set(known)
        self.barred = () if laid else tuple([card for card in self.barred if card in seen.cards])
        self.seen, self.unseen = self._without_barred(seen), False

    def bar(self, cards: tuple[CardText, ...], *, some_stay: bool = False) -> None:
        """Bar these of the cards that lie there: a ruling made them no board cards, or some of them."""
        self.barred, self.some_stay = cards, some_stay
        self.seen = None if self.seen is None else self._without_barred(self.seen)

    def _without_barred(self, seen: ZoneSeen) -> ZoneSeen:
        return replace(seen, cards=tuple([card for card in seen.cards if card not in self.barred]))

    def burns_read(self, seen: ZoneSeen) -> None:
        self.burns = seen

    def lay_there(self, board: tuple[CardText, ...]) -> None:
        """All of it lies there still, whatever was keyed wrongly before its streets."""
        self.taken_back = board

    def camera_went(self) -> None:
        self.camera_away = True

    def nobody_sees(self) -> None:
        """No camera sees the board any longer."""
        self.seen, self.camera_away, self.unseen = None, True, True

    def nobody_sees_burns(self) -> None:
        self.burns = None

    def street_dealt(self) -> None:
        """A street was dealt: the cards among the burns by now were burned before it."""
        self.camera_away = False
        self.burned_before = 0 if self.burns is None else self.burns.motions

    def street_taken_back(self, burned_before: int, *, camera_away: bool) -> None:
        """The street was not dealt after all: as these stood before it."""
        self.burned_before = burned_before
        self.camera_away = self.camera_away or camera_away

    def forget_faces(self) -> None:
        if self.faces:
            self.seen = None

    def end_hand(self) -> None:
        """What lies on the board stays."""
        self.barred, self.burns, self.burned_before, self.camera_away = (), None, 0, False
        self.taken_back, self.some_stay = (), False
