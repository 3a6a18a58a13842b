"""The notices of this hand, so that each is given once, and the doubts about places of cards."""

from __future__ import annotations

from collections.abc import Container
from enum import StrEnum

import msgspec
from msgspec.structs import replace

from table_core.tracker.kept import Seat
from table_core.tracker.memory.slice import Slice


class Doubt(StrEnum):
    """Why the shoe's card for a place may be wrong."""

    MISCOUNTED = "deal_miscounted"  # more or fewer cards left the shoe than the deal has
    DISPUTED = "board_disputed"  # camera and shoe name different cards
    NOT_READ = "card_not_read"  # a card passed unread; unknown which
    MISLAID = "mislaid"  # positions are lost for the whole hand, also after a ruling


_SETTLED_BY_RULING = (Doubt.MISCOUNTED, Doubt.DISPUTED)


class NoticeRecord(msgspec.Struct, frozen=True, omit_defaults=True):
    """One notice: its kind, its seat and detail, and the doubt that it raises. A ruling on the deal settles those
    that are `of_deal`."""

    kind: str
    seat: Seat | None = None
    detail: str = ""
    doubt: Doubt | None = None
    of_deal: bool = False
    settled: bool = False

    @property
    def settles(self) -> bool:
        return self.of_deal or self.doubt in _SETTLED_BY_RULING


class Notices(Slice):
    said: tuple[NoticeRecord, ...] = ()

    def first_time(self, said: NoticeRecord) -> bool:
        """Whether it is new, or was settled since; it then counts as given."""
        if said in self.said:
            return False
        self.said = (*self.said, said)
        return True

    def note_doubt(self, doubt: Doubt) -> bool:
        """Add a doubt without a notice of its own; whether it is new."""
        return self.first_time(NoticeRecord(doubt, doubt=doubt))

    def doubts(self, *kinds: Doubt) -> bool:
        """Whether there is a doubt of these kinds; without `kinds`, any."""
        return any(
            one.doubt is not None and not one.settled and (not kinds or one.doubt in kinds) for one in self.said
        )

    def settle_deal(self) -> None:
        """A ruling on the deal settles its notices."""
        self.said = tuple([replace(one, settled=True) if one.settles else one for one in self.said])

    def unsettle_deal(self) -> None:
        """A ruling was taken back, or was not possible: reopen what it settled."""
        self.said = tuple([replace(one, settled=False) for one in self.said])

    def doubted_since(self, first: int) -> bool:
        """Whether a count is in doubt since so many notices were given."""
        return any(one.doubt is Doubt.MISCOUNTED for one in self.said[first:])

    def take_back(self, first: int, end: int, *, word: bool) -> None:
        """Notices `first` to before `end` were said of a press that is taken back. A doubt stays, but for a
        person's `word` against the count: it was that press."""
        gone = (None, Doubt.MISCOUNTED) if word else (None,)
        doubts = [one for one in self.said[first:end] if one.doubt not in gone]
        self.said = (*self.said[:first], *doubts, *self.said[end:])

    def forget(self, kind: str, seats: Container[Seat | None]) -> None:
        """What these were about is taken back."""
        self.said = tuple([one for one in self.said if one.kind != kind or one.seat not in seats])

    def doubt_too(self, other: Notices) -> None:
        """Doubts that came up since."""
        self.said += tuple([one for one in other.said if one.doubt is not None and one not in self.said])

    def end_hand(self) -> None:
        self.said = ()
