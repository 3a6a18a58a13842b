"""The cards of this deal as they left the shoe, and the state of their count."""

from __future__ import annotations

from table_core.record.deal import UNKNOWN_TIME
from table_core.tracker import waits
from table_core.tracker.kept import Millis
from table_core.tracker.memory.slice import Slice


class Deal(Slice):
    handles: tuple[int, ...] = ()  # of the cards at position 1, 2, …; 0 for a card that was not read
    left_at: tuple[int, ...] = ()  # the event before each of them left the shoe
    passed_at: Millis = Millis(-10_000)  # when the newest of them passed
    stood: tuple[int, ...] = ()  # numbers of cards out at which the deal stood still, or a street was keyed
    first_out: int | None = None  # how many were out when the first action was recorded, taken back or not
    flop_counted: bool = False  # the camera read the whole flop where the plan has it
    burns_counted: bool = False  # and that was the plan as the books made it
    more_before: bool = False  # cards of this deal may have passed before the first that was counted
    together: tuple[int, ...] = ()  # cards that left at once, while they are the newest; which is where is unknown
    never_passed: tuple[int, ...] = ()  # places that cards took because they lay there
    taken_back: tuple[int, ...] = ()  # cards that went back into the shoe and may come again
    passed_since: int = 0  # cards that passed in this hand and took no position: the next deal, when they are many

    def place(self, handle: int, seq: int = UNKNOWN_TIME) -> int:
        """The place that the card takes; `seq` of the event before it left the shoe."""
        self.handles, self.left_at = (*self.handles, handle), (*self.left_at, seq)
        self.together = ()
        self.taken_back = tuple([other for other in self.taken_back if other != handle])
        return len(self.handles)

    def lay_there(self) -> None:
        """The newest place was taken by a card that no shoe saw leave."""
        self.never_passed = tuple({*self.never_passed, len(self.handles)})

    def passes(self, now: Millis) -> None:
        """A card passes now. Whether the cards before it stood still until then is kept."""
        if now - self.passed_at >= waits.DEAL_STILL_MS:
            self.stands()
        self.passed_at = now

    def stands(self) -> None:
        """The cards that are out by now came as one: the next street comes behind them."""
        if self.handles and len(self.handles) not in self.stood:
            self.stood = (*self.stood, len(self.handles))

    def left_together(self, handles: tuple[int, ...]) -> None:
        """The newest places are theirs, in whichever order."""
        self.together = handles

    def took_back(self, handle: int) -> bool:
        """The card went back into the shoe: the newest place is free again. False where it was not the newest."""
        newest = bool(self.handles) and handle != 0 and (self.handles[-1] == handle or handle in self.together)
        if newest:
            self.handles, self.left_at = self.handles[:-1], self.left_at[:-1]
            self.together = tuple([other for other in self.together if other != handle])
            self.may_come_again(handle)
            self.stood = tuple([out for out in self.stood if out <= len(self.handles)])
        return newest

    def may_come_again(self, handle: int) -> None:
        self.taken_back = (*self.taken_back, handle)

    def first_action(self, out: int | None) -> None:
        """Keep the number of cards out at the first recorded action; later calls change nothing."""
        if self.first_out is None:
            self.first_out = out

    def flop_found(self, *, burns: bool) -> None:
        """The flop lies at its planned places; `burns`: and the burns are as recorded."""
        self.flop_counted, self.burns_counted = True, burns

    def began_before(self, *, more: bool = True) -> None:
        self.more_before = more

    def passed_beside(self) -> None:
        self.passed_since += 1

    def end_hand(self) -> None:
        self.handles, self.left_at = (), ()
        self.together = self.taken_back = self.stood = self.never_passed = ()
        self.passed_at = Millis(-10_000)
        self.first_out, self.passed_since = None, 0
        self.flop_counted = self.burns_counted = self.more_before = False
