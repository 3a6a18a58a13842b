"""Who speaks for a table: the station grants an epoch to one machine, and fences every other.

A machine is known by its ledger. The first that asks to be a table is granted it. Any other that asks (a spare in
the place of a dead one, the dead one come back, a machine whose disk lost what it had said) only makes a *claim*:
the director hands the table over, or not. Pure bookkeeping: `Tables` turns it into messages.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from table_core.messages import Birth, ClaimView, Frozen, Grant, Millis

HEARD_MS = 10_000  # a machine that was heard within this time is on the network
CLAIM_MS = 600_000  # a claim that is not made again is forgotten after this


class InCharge(Frozen, frozen=True):
    """The machine with `ledger` is the table, in `epoch`, which begins behind the event named here: the last one
    that was collected before, with its SHA-256 (hex). The first machine brings its own past: everything before
    `after_epoch` is as it says."""

    ledger: str
    epoch: int
    after_epoch: int = 0
    after_seq: int = 0
    head: str = ""


@dataclass(frozen=True, slots=True)
class Claim:
    """A machine that is not in charge and asks to be the table."""

    ledger: str
    epoch: int
    why: str
    asked_at: Millis


class Asked(Enum):
    """What came of a birth."""

    UNNAMED = "unnamed"  # it does not say which machine it is
    IN_CHARGE = "in_charge"
    FIRST = "first"  # nobody was in charge: take it
    CLAIM = "claim"


class Authority:
    """Who speaks for `table`. `in_charge` is what was recorded before."""

    def __init__(self, table: str, in_charge: InCharge | None = None) -> None:
        self.table = table
        self.in_charge = in_charge
        self.claim: Claim | None = None
        self.heard_at: Millis | None = None  # the machine in charge
        self._taking = 0  # the epoch that is being recorded

    @property
    def epoch(self) -> int:
        """The epoch that is granted, or about to be."""
        return max(self._taking, self.in_charge.epoch if self.in_charge is not None else 0)

    def over(self, epoch: int, seq: int) -> bool:
        """Whether this event comes from a machine that is not the table any more: it lies behind the point at
        which the next epoch began."""
        if self._taking:
            return self.in_charge is not None and epoch < self._taking
        who = self.in_charge
        return who is not None and epoch < who.epoch and (epoch, seq) > (who.after_epoch, who.after_seq)

    def asked(self, birth: Birth, collected: tuple[int, int], at: Millis) -> Asked:
        """Judge who asks to be the table, of which everything up to `collected` (epoch, seq) is here."""
        who = self.in_charge
        behind = (birth.epoch, birth.last_seq) < collected
        if not birth.ledger or self._taking:
            return Asked.UNNAMED  # or somebody is being put in charge; this one asks again
        if who is not None and birth.ledger != who.ledger:
            return self._claimed(birth, "is another machine than the one in charge", at)
        if behind and (who is None or collected[0] >= who.epoch):
            return self._claimed(birth, "lacks events that were collected from it", at)
        return Asked.FIRST if who is None or birth.epoch > who.epoch else Asked.IN_CHARGE

    def _claimed(self, birth: Birth, why: str, at: Millis) -> Asked:
        self.claim = Claim(birth.ledger, birth.epoch, why, at)
        return Asked.CLAIM

    def take(self, ledger: str, epoch: int) -> int:
        """`ledger` is to be in charge, in `epoch`: nothing of an earlier one is taken from now on. When it is
        recorded, call `taken`."""
        self._taking = epoch
        self.claim = None if self.claim is not None and self.claim.ledger == ledger else self.claim
        return epoch

    def hand_over(self, collected: tuple[int, int]) -> tuple[str, int] | None:
        """The director hands the table to the machine that claims it: its ledger and the epoch to grant."""
        claim = self.claim
        if claim is None:
            return None
        epoch = 1 + max(self.epoch, claim.epoch, collected[0])
        return claim.ledger, self.take(claim.ledger, epoch)

    def taken(self, in_charge: InCharge) -> None:
        """It is recorded that this machine is in charge."""
        self.in_charge, self._taking, self.heard_at = in_charge, 0, None

    def not_taken(self) -> None:
        """It could not be recorded; whoever asked asks again."""
        self._taking = 0

    def grant(self, id_: Callable[[], str], now: Millis) -> Grant | None:
        """The word to everybody who would be this table."""
        who = self.in_charge
        if who is None:
            return None
        return Grant(
            id_(), who.ledger, who.epoch, who.after_epoch, who.after_seq, who.head, leave=self.is_heard(now)
        )

    def heard(self, now: Millis) -> None:
        self.heard_at = now

    def is_heard(self, now: Millis) -> bool:
        return self.heard_at is not None and now - self.heard_at < HEARD_MS

    def claim_view(self, started: Millis, now: Millis) -> ClaimView | None:
        """The claim as the director sees it."""
        if self.claim is not None and now - self.claim.asked_at > CLAIM_MS:
            self.claim = None
        if self.claim is None:
            return None
        mark = self.claim.ledger[:4]
        text = f"Table {self.table}: machine {mark} asks to be it; it {self.claim.why}."
        ago = now - (started if self.heard_at is None else self.heard_at)
        return ClaimView(self.table, self.claim.ledger, mark, text, ago)
