"""What was said in this hand, so that it is said once, and what makes the places of cards doubtful."""

from __future__ import annotations

from enum import StrEnum

import msgspec
from msgspec.structs import replace

from table_core.messages import Seat
from table_core.tracker.memory.slice import Slice


class Doubt(StrEnum):
    """Why the shoe's word for a card may be wrong."""

    MISCOUNTED = "deal_miscounted"  # more or fewer cards are out than the deal has
    DISPUTED = "board_disputed"  # camera and shoe name different cards
    NOT_READ = "card_not_read"  # a card passed unread, nobody knows which
    MISLAID = "mislaid"  # which card is where is lost for the whole hand, whatever is ruled


_SETTLED_BY_RULING = (Doubt.MISCOUNTED, Doubt.DISPUTED)


class NoticeRecord(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing said: its kind, the seat and the detail that it was about, and the doubt that it raises. A ruling
    on the deal settles what is `of_deal`."""

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
        """Whether it was not said before, or settled since; from now on it was."""
        if said in self.said:
            return False
        self.said = (*self.said, said)
        return True

    def note_doubt(self, doubt: Doubt) -> bool:
        """A doubt that is told nobody, or in other words; whether it is new."""
        return self.first_time(NoticeRecord(doubt, doubt=doubt))

    def doubts(self, *kinds: Doubt) -> bool:
        """Whether one of these doubts stands; without `kinds`, any."""
        return any(
            one.doubt is not None and not one.settled and (not kinds or one.doubt in kinds) for one in self.said
        )

    def settle_deal(self) -> None:
        """A ruling on the deal says how it is."""
        self.said = tuple([replace(one, settled=True) if one.settles else one for one in self.said])

    def unsettle_deal(self) -> None:
        """A ruling is taken back, or was not possible: what it settled is open again."""
        self.said = tuple([replace(one, settled=False) for one in self.said])

    def end_hand(self) -> None:
        self.said = ()
