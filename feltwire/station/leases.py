"""Who speaks for a table: the station grants an epoch to one machine, and fences every other.

A machine is known by its ledger and the key that it signs with. The first that asks to be a table is granted it.
Any other that asks only makes a *claim*: the director hands the table over, or not. Such are a spare in the place
of a dead one, the dead one come back, a machine whose disk lost what it had said, or its key. Pure bookkeeping:
`Tables` turns it into messages.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from feltwire.ledger.granted import EventStatus, judge, last_of, same_machine
from table_core.messages import Birth, ClaimView, Envelope, Grant, Leaseholder, Millis

HEARD_MS = 10_000  # a machine that was heard within this time is on the network
CLAIM_MS = 600_000  # a claim that is not made again is forgotten after this
CLAIMS = 4  # of machines that never were this table that are remembered, the first


@dataclass(frozen=True, slots=True)
class Claim:
    """A machine that is not in charge and asks to be the table."""

    ledger: str
    key: str
    epoch: int
    why: str
    asked_at: Millis


class BirthAnswer(Enum):
    """What came of a birth."""

    UNNAMED = "unnamed"  # it does not say which machine it is
    LEASEHOLDER = "in_charge"
    FIRST = "first"  # nobody was in charge: take it
    CLAIM = "claim"
    AGAIN = "again"  # said by the machine in charge, perhaps long ago: ask it


class TableLease:
    """Who speaks for `table`. `in_charge` is what was recorded before."""

    def __init__(self, table: str, leaseholder: Leaseholder | None = None) -> None:
        self.table = table
        self.leaseholder = leaseholder
        self.claims: dict[tuple[str, str], Claim] = {}  # by ledger and key, the oldest first
        self.heard_at: Millis | None = None  # the machine in charge
        self.question = ""  # the id of the last `Resend` that asked for a birth
        self._crowded_at: Millis | None = None  # a machine asked for which there was no room
        self._taking = 0  # the epoch that is being recorded

    @property
    def epoch(self) -> int:
        """The epoch that is granted, or about to be."""
        return max(self._taking, self.leaseholder.epoch if self.leaseholder is not None else 0)

    def judge(self, envelope: Envelope, raw: bytes) -> EventStatus | None:
        """Whether an event is the table's word; None while nobody is in charge or somebody is being put there."""
        who = self.leaseholder
        if who is None:
            return None
        if self._taking:
            return EventStatus.AFTER_HANDOVER if envelope.epoch < self._taking else None
        return judge(who, envelope.epoch, envelope.seq, raw)

    def asked(self, birth: Birth, collected: tuple[int, int], at: Millis) -> BirthAnswer:
        """Judge who asks to be the table, of which everything up to `collected` (epoch, seq) is here. The birth is
        signed with the key that it names."""
        who = self.leaseholder
        behind = (birth.epoch, birth.last_seq) < collected
        if not birth.ledger or self._taking:
            return BirthAnswer.UNNAMED  # or somebody is being put in charge; this one asks again
        if who is not None and birth.ledger != who.ledger:
            return self._claimed(birth, "is another machine than the one in charge", at)
        if who is not None and not same_machine(who, birth.ledger, birth.key):
            return self._claimed(birth, "has lost its key, or is not the machine that it says it is", at)
        if behind and (who is None or collected[0] >= who.epoch):
            # What it once said truly, anybody can say again.
            if who is not None and (not self.question or birth.answers != self.question):
                return BirthAnswer.AGAIN
            self.question = ""
            return self._claimed(birth, "lacks events that were collected from it", at)
        if who is not None and birth.epoch <= who.epoch:
            return BirthAnswer.LEASEHOLDER
        if not _covers(birth, collected):
            return self._claimed(birth, "tells another past than was collected", at)
        return BirthAnswer.FIRST

    def _claimed(self, birth: Birth, why: str, at: Millis) -> BirthAnswer:
        """Who asks first keeps its place: whoever makes up machines pushes none out. Machines that were the table
        once have a place each."""
        asked = birth.ledger, birth.key
        self._forget(at)
        strangers = [who for who in self.claims if not self._was_leaseholder(*who)]
        if asked not in self.claims and len(strangers) >= CLAIMS and not self._was_leaseholder(*asked):
            self._crowded_at = at
        else:
            self.claims[asked] = Claim(birth.ledger, birth.key, birth.epoch, why, at)
        return BirthAnswer.CLAIM

    def _was_leaseholder(self, ledger: str, key: str) -> bool:
        who = self.leaseholder
        known = () if who is None else ((who.ledger, who.key), *((past.ledger, past.key) for past in who.past))
        return (ledger, key) in known

    def _forget(self, now: Millis) -> None:
        self.claims = {who: claim for who, claim in self.claims.items() if now - claim.asked_at <= CLAIM_MS}

    def is_crowded(self, now: Millis) -> bool:
        """More machines asked, not long ago, than are remembered."""
        return self._crowded_at is not None and now - self._crowded_at <= CLAIM_MS

    def claims_it(self, birth: Birth) -> bool:
        """Whether this machine makes a claim already."""
        return (birth.ledger, birth.key) in self.claims

    def take(self, ledger: str, key: str, epoch: int) -> int:
        """This machine is to be in charge, in `epoch`: nothing of an earlier one is taken from now on. When it is
        recorded, call `taken`."""
        self._taking = epoch
        self.claims.pop((ledger, key), None)
        return epoch

    def hand_over(self, ledger: str, key: str, collected: tuple[int, int]) -> int | None:
        """The director hands the table to a machine that claims it: the epoch to grant."""
        claim = self.claims.get((ledger, key))
        if claim is None:
            return None
        return self.take(ledger, key, 1 + max(self.epoch, claim.epoch, collected[0]))

    def taken(self, leaseholder: Leaseholder) -> None:
        """It is recorded that this machine is in charge."""
        self.leaseholder, self._taking, self.heard_at = leaseholder, 0, None

    def not_taken(self) -> None:
        """It could not be recorded; whoever asked asks again."""
        self._taking = 0

    def grant(self, id_: Callable[[], str], now: Millis) -> Grant | None:
        """The word to everybody who would be this table."""
        who = self.leaseholder
        if who is None:
            return None
        return Grant(id_(), who.ledger, who.epoch, *last_of(who), leave=self.is_heard(now), key=who.key)

    def heard(self, now: Millis) -> None:
        self.heard_at = now

    def is_heard(self, now: Millis) -> bool:
        return self.heard_at is not None and now - self.heard_at < HEARD_MS

    def claim_views(self, started: Millis, now: Millis) -> list[ClaimView]:
        """The claims as the director sees them."""
        self._forget(now)
        ago = now - (started if self.heard_at is None else self.heard_at)
        return [self._view(claim, ago) for claim in self.claims.values()]

    def _view(self, claim: Claim, ago: int) -> ClaimView:
        mark = claim.ledger[:4]
        text = f"Table {self.table}: machine {mark} asks to be it; it {claim.why}."
        return ClaimView(self.table, claim.ledger, mark, text, ago, claim.key)


def _covers(birth: Birth, collected: tuple[int, int]) -> bool:
    """Whether the past that it brings has everything that was collected, as far as numbers tell."""
    epoch, seq = collected
    told = next((past.last_seq for past in birth.past if past.epoch == epoch), 0)
    return epoch >= birth.epoch or told >= seq
