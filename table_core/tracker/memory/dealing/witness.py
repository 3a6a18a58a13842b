"""What camera and shoe can confirm of each other's reading of this hand's board."""

from __future__ import annotations

from table_core.tracker import waits
from table_core.tracker.kept import Millis
from table_core.tracker.memory.slice import Slice


class Witness(Slice):
    watched: bool = False  # a camera has worked at some time in this hand
    faces: int | None = None  # on the board when the newest card left the shoe; None: not seen yet
    burned: bool = False  # and a burn had been seen since the last street
    shoe_boot: int | None = None  # since the hand's first card
    refused: str = ""  # the street for which STREET came before its cards, and when it first did
    refused_at: Millis = Millis(0)

    def camera_works(self) -> None:
        self.watched = True

    def card_left(self, faces: int | None, *, burned: bool) -> None:
        self.faces, self.burned = faces, burned

    def boot_changed(self, boot: int) -> bool:
        """Whether the shoe has restarted since the last card."""
        before, self.shoe_boot = self.shoe_boot, boot
        return before not in (None, boot)

    def refused_before(self, street: str, now: Millis) -> bool:
        """STREET comes before the cards of `street`. Whether it did before, by a press of its own."""
        if self.refused != street:
            self.refused, self.refused_at = street, now
        return now - self.refused_at >= waits.STREET_TWICE_MS

    def taken_back_to(self, refused: str, at: Millis) -> None:
        """The press that came too early was taken back."""
        self.refused, self.refused_at = refused, at

    def end_hand(self) -> None:
        self.watched, self.faces, self.burned, self.shoe_boot = False, None, False, None
        self.refused, self.refused_at = "", Millis(0)
