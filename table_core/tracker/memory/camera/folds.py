"""Folds that the camera saw, and the keys for them."""

from __future__ import annotations

from collections.abc import Sequence

from table_core.tracker import waits
from table_core.tracker.kept import Millis, Seat
from table_core.tracker.memory.slice import Slice


def _without(seats: tuple[Seat, ...], seat: Seat) -> tuple[Seat, ...]:
    return tuple([other for other in seats if other != seat])


class Folds(Slice):
    seen: tuple[Seat, ...] = ()  # folds whose key may still come
    seen_at: Millis = Millis(0)  # the last of them
    late_key_at: Millis | None = None  # when a FOLD key came for a fold that was seen long before
    held: tuple[Seat, ...] = ()  # seats that did not fold, by a person's word or the camera
    undone: Seat | None = None  # its keyed fold was taken back last, and the camera does not key it again
    keyed: bool = False  # a FOLD key was pressed in this hand
    known: tuple[Seat, ...] = ()  # folds for which no key is expected
    unkeyed: tuple[Seat, ...] = ()  # folds whose key is overdue

    def just_seen(self, now: Millis) -> bool:
        return now - self.seen_at <= waits.SAME_FOLD_MS

    def keys_come_late(self, now: Millis) -> bool:
        return self.late_key_at is not None and now - self.late_key_at <= waits.QUEUE_MS

    def fold(self, seat: Seat, now: Millis) -> None:
        self.seen, self.seen_at = (*self.seen, seat), now

    def needs_no_key(self, seat: Seat) -> None:
        self.known = (*self.known, seat)

    def key_pressed(self) -> None:
        self.keyed = True

    def key_of_first(self) -> None:
        """A key for the first fold that misses one, or else for the first that was seen."""
        if self.unkeyed:
            self.unkeyed = self.unkeyed[1:]
        else:
            self.seen = self.seen[1:]

    def key_of(self, seat: Seat, now: Millis) -> None:
        if not self.just_seen(now):
            self.late_key_at = now
        self.seen, self.unkeyed = _without(self.seen, seat), _without(self.unkeyed, seat)

    def keys_come_no_more(self) -> None:
        """Another key came, so no keys for these folds will come."""
        missing = [seat for seat in self.seen if seat not in self.known]
        self.unkeyed, self.seen = (*self.unkeyed, *missing), ()

    def take_unkeyed(self) -> tuple[Seat, ...]:
        unkeyed, self.unkeyed = self.unkeyed, ()
        return unkeyed

    def take_back(self, seat: Seat) -> None:
        """The seat did not fold; its empty zone is no evidence any more."""
        self.seen = _without(self.seen, seat)
        self.hold(seat)

    def hold(self, seat: Seat) -> None:
        self.held = (*self.held, seat)

    def key_undone(self, seat: Seat | None) -> None:
        """UNDO took this seat's keyed fold back; where it goes on to what came before, the fold was right."""
        self.undone = seat

    def taken_back_to(self, found: Folds, said: Sequence[Seat]) -> None:
        """A press was taken back: as it found them, and what was seen since. That those in `said` had no key has
        been said since."""
        since = [seat for seat in self.seen if seat not in found.seen]
        self.seen = (*[seat for seat in found.seen if seat not in said], *since)
        self.late_key_at, self.keyed = found.late_key_at, found.keyed
        self.held, self.undone, self.known = found.held, found.undone, found.known
        self.unkeyed = tuple([seat for seat in found.unkeyed if seat not in said])

    def is_held(self, seat: Seat) -> bool:
        return seat in self.held or seat == self.undone

    def release(self, seat: Seat) -> None:
        self.held = _without(self.held, seat)
        if seat == self.undone:
            self.undone = None

    def forget_seen(self) -> None:
        self.seen = ()

    def round_read(self, without_key: Sequence[Seat]) -> None:
        """Keys in their order explain the round, but for folds before the last of them that have none."""
        missing = tuple([seat for seat in without_key if seat not in self.known])
        self.seen, self.unkeyed, self.late_key_at = (), missing, None

    def forget_play(self) -> None:
        self.seen, self.known, self.unkeyed, self.held, self.late_key_at = (), (), (), (), None
        self.undone = None

    def end_hand(self) -> None:
        self.forget_play()
        self.keyed = False
