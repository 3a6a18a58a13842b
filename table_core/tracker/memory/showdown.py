"""Keys of the showdown: hands tabled, a pot split, the winner of a hand that nobody keyed."""

from __future__ import annotations

from table_core.tracker.kept import Seat
from table_core.tracker.memory.slice import Slice


class Showdown(Slice):
    tabled_keys: tuple[Seat, ...] = ()  # seats whose TABLED key was pressed
    splitting: tuple[Seat, ...] = ()  # seats whose SPLIT key was pressed
    named: tuple[tuple[Seat, ...], ...] = ()  # winners of the decided pots, while the others are asked for
    result_for: Seat | None = None  # winner of a hand that nobody keyed, while that is asked

    def tabled(self, seat: Seat) -> None:
        if seat not in self.tabled_keys:
            self.tabled_keys = (*self.tabled_keys, seat)

    def forget_tabled(self) -> None:
        self.tabled_keys, self.named = (), ()

    def name(self, groups: tuple[tuple[Seat, ...], ...]) -> None:
        self.named = groups

    def split_with(self, seat: Seat) -> None:
        if seat not in self.splitting:
            self.splitting = (*self.splitting, seat)

    def take_splitting(self) -> tuple[Seat, ...]:
        seats, self.splitting = self.splitting, ()
        return seats

    def ask_result(self, winner: Seat) -> None:
        self.result_for = winner

    def take_result(self) -> Seat | None:
        winner, self.result_for = self.result_for, None
        return winner

    def taken_back_to(self, found: Showdown) -> None:
        """A press was taken back: these keys came before it."""
        self.tabled_keys, self.splitting = found.tabled_keys, found.splitting
        self.named, self.result_for = found.named, found.result_for

    def forget_play(self) -> None:
        self.end_hand()
        self.result_for = None

    def end_hand(self) -> None:
        self.tabled_keys, self.splitting, self.named = (), (), ()
