"""What a camera says about the felt: zone by zone, once nothing has moved there for its lag."""

from __future__ import annotations

from dataclasses import dataclass

from feltwire.lab.simroom.felt.felt import FeltCard, PhysicalFelt
from feltwire.lab.simroom.felt.scene import chip_piles
from feltwire.lab.table.wired import WiredTable
from table_core.messages import Chips, Seat, Zone, ZoneReading
from tests.workload.people import People


@dataclass
class _Zone:
    content: ZoneReading
    due: float  # when it is said


class Eye:
    """Looks at `felt` and tells `table`; `glance` after every motion, `say` whenever time has passed."""

    def __init__(self, table: WiredTable, felt: PhysicalFelt, seats: range, people: People) -> None:
        self._table = table
        self._felt = felt
        self._seats = seats
        self._people = people
        self._pending: dict[Zone, _Zone] = {}
        self._lay: dict[Zone, ZoneReading] = {}  # as it lay when it was last looked at

    def glance(self, now: float) -> None:
        """Something moved: zones that look different will be read once they have lain still."""
        for content in self._contents():
            if self._lay.get(content.zone) != content:
                self._lay[content.zone] = content
                self._pending[content.zone] = _Zone(self._as_seen(content), now + 1000 * self._people.lag_s())

    def next_due(self) -> float | None:
        return min((zone.due for zone in self._pending.values()), default=None)

    def say(self, now: float) -> None:
        """Readings that are due, oldest first."""
        due = [(pending.due, str(zone), zone) for zone, pending in self._pending.items() if pending.due <= now]
        for _, _, zone in sorted(due):
            self._table.see(self._pending.pop(zone).content)

    def _contents(self) -> list[ZoneReading]:
        felt = self._felt
        found = [_cards(Zone.BOARD, felt.board), _burns(felt.burns)]
        for number in self._seats:
            seat = Seat(number)
            found.append(_cards(Zone.cards(seat), felt.hands.get(seat, [])))
            found.append(_chips(Zone.bet(seat), felt.bets.get(seat, Chips(0))))
        return found

    def _as_seen(self, content: ZoneReading) -> ZoneReading:
        if content.chips and self._people.chips_unsure():
            return ZoneReading(content.zone)
        read = tuple(card for card in content.cards if not self._people.unread())
        unread = len(content.cards) - len(read)
        return ZoneReading(
            content.zone, read, unread, content.face_down, content.chips, content.pieces, content.motions
        )


def _cards(zone: Zone, lying: list[FeltCard]) -> ZoneReading:
    up = tuple(card.card for card in lying if card.face_up)
    return ZoneReading(zone, up, 0, len(lying) - len(up))


def _burns(lying: list[FeltCard]) -> ZoneReading:
    """A pile: each of them was laid on it in a motion of its own."""
    return ZoneReading(Zone.BURN, face_down=min(len(lying), 1), motions=len(lying))


def _chips(zone: Zone, amount: Chips) -> ZoneReading:
    pieces = sum(count for _, _, count in chip_piles(amount))
    return ZoneReading(zone, chips=amount, pieces=pieces, motions=1 if amount else 0)
