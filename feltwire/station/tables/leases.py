"""Leases: the station grants each table's epoch to one machine and fences every other.

A machine is known by its ledger and the key that it signs with. The first machine that asks for a table gets it.
Any later one (a spare, a machine that came back, one that lost its disk or its key) only makes a *claim*, and the
director decides. No I/O: `StationTables` turns the result into messages.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from feltwire.ledger.granted import EventStatus, judge, last_of, same_machine
from table_core.messages import Birth, Grant, Leaseholder, Millis, PastEpoch, StoredEvent

HEARD_MS = 10_000  # a machine that was heard within this time is on the network
CLAIM_MS = 600_000  # a claim that is not made again is forgotten after this
CLAIMS = 4  # of machines that never were this table that are remembered, the first


@dataclass(frozen=True, slots=True)
class ClaimView:
    """A machine that claims a table with a leaseholder; the director decides.

    `mark` is the short name on its screen, `key` (hex) what it signs with, `heard_ms_ago` the time since the
    leaseholder was heard.
    """

    table: str
    ledger: str
    mark: str
    text: str
    heard_ms_ago: int
    key: str = ""


@dataclass(frozen=True, slots=True)
class Claim:
    """A machine that claims a table which has a leaseholder."""

    ledger: str
    key: str
    epoch: int
    why: str
    asked_at: Millis
    past: tuple[PastEpoch, ...] | None = None  # of one that followed the leaseholder unknown to this station


class BirthAnswer(Enum):
    """The station's answer to a birth."""

    UNNAMED = "unnamed"  # it does not say which machine it is
    LEASEHOLDER = "in_charge"
    FIRST = "first"  # nobody was in charge: take it
    CLAIM = "claim"
    AGAIN = "again"  # said by the machine in charge, perhaps long ago: ask it


class TableLease:
    """The lease of `table`; `leaseholder` is the recorded one."""

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
        """The epoch that is granted, or being granted."""
        return max(self._taking, self.leaseholder.epoch if self.leaseholder is not None else 0)

    def judge(self, envelope: StoredEvent, raw: bytes) -> EventStatus | None:
        """The status of an event; None while there is no leaseholder or one is being recorded."""
        who = self.leaseholder
        if who is None:
            return None
        if self._taking:
            return EventStatus.AFTER_HANDOVER if envelope.epoch < self._taking else None
        return judge(who, envelope.epoch, envelope.seq, raw)

    def asked(self, birth: Birth, collected: tuple[int, int], at: Millis) -> BirthAnswer:
        """Answer a machine that asks for the table; events up to `collected` (epoch, seq) are here. The birth
        is signed with the key that it names."""
        who = self.leaseholder
        behind = (birth.epoch, birth.last_seq) < collected
        if not birth.ledger or self._taking:
            return BirthAnswer.UNNAMED  # or somebody is being put in charge; this one asks again
        if who is not None and birth.ledger != who.ledger:
            if not _succeeds(birth, who, collected):
                return self._claimed(birth, "is another machine than the one that has the table", at)
            why = "followed another one of which this station has no record"
            return self._claimed(birth, why, at, birth.past)
        if who is not None and not same_machine(who, birth.ledger, birth.key):
            return self._claimed(birth, "has lost its key, or uses another machine's name", at)
        if behind and (who is None or collected[0] >= who.epoch):
            # What it once said truly, anybody can say again.
            if who is not None and (not self.question or birth.answers != self.question):
                return BirthAnswer.AGAIN
            self.question = ""
            return self._claimed(birth, "lacks events that were collected from it", at)
        if who is not None and birth.epoch <= who.epoch:
            return BirthAnswer.LEASEHOLDER
        if not _covers(birth, collected):
            return self._claimed(birth, "has another past than was collected", at)
        return BirthAnswer.FIRST

    def _claimed(
        self, birth: Birth, why: str, at: Millis, past: tuple[PastEpoch, ...] | None = None
    ) -> BirthAnswer:
        """Keep the claims of the first that asked, so that invented machines push none out. Former leaseholders
        have a slot each."""
        asked = birth.ledger, birth.key
        self._forget(at)
        strangers = [who for who in self.claims if not self._was_leaseholder(*who)]
        if asked not in self.claims and len(strangers) >= CLAIMS and not self._was_leaseholder(*asked):
            self._crowded_at = at
        else:
            self.claims[asked] = Claim(birth.ledger, birth.key, birth.epoch, why, at, past)
        return BirthAnswer.CLAIM

    def _was_leaseholder(self, ledger: str, key: str) -> bool:
        who = self.leaseholder
        known = () if who is None else ((who.ledger, who.key), *((past.ledger, past.key) for past in who.past))
        return (ledger, key) in known

    def _forget(self, now: Millis) -> None:
        self.claims = {who: claim for who, claim in self.claims.items() if now - claim.asked_at <= CLAIM_MS}

    def is_crowded(self, now: Millis) -> bool:
        """Whether more machines asked recently than are remembered."""
        return self._crowded_at is not None and now - self._crowded_at <= CLAIM_MS

    def claims_it(self, birth: Birth) -> bool:
        """Whether this machine makes a claim already."""
        return (birth.ledger, birth.key) in self.claims

    def take(self, ledger: str, key: str, epoch: int) -> int:
        """Make this machine the leaseholder in `epoch`; events of earlier epochs are refused from now on. Call
        `taken` when it is recorded."""
        self._taking = epoch
        self.claims.pop((ledger, key), None)
        return epoch

    def hand_over(
        self, ledger: str, key: str, collected: tuple[int, int]
    ) -> tuple[int, tuple[PastEpoch, ...] | None] | None:
        """Hand the table to a machine that claims it: the epoch to grant, and its past. It is None where a new
        epoch begins behind what was collected; a machine that was handed the table before keeps its epoch."""
        claim = self.claims.get((ledger, key))
        if claim is None:
            return None
        if claim.past is not None and claim.epoch > max(self.epoch, collected[0]):
            return self.take(ledger, key, claim.epoch), claim.past
        return self.take(ledger, key, 1 + max(self.epoch, claim.epoch, collected[0])), None

    def taken(self, leaseholder: Leaseholder) -> None:
        """The leaseholder is recorded."""
        self.leaseholder, self._taking, self.heard_at = leaseholder, 0, None

    def not_taken(self) -> None:
        """It could not be recorded; the machine asks again."""
        self._taking = 0

    @property
    def is_vacant(self) -> bool:
        """Whether no machine is the table, nor about to become it."""
        return self.leaseholder is None and not self._taking

    def grant(self, id_: Callable[[], str], now: Millis, answers: str = "") -> Grant | None:
        """The grant, for every machine of this table. `answers`: the birth that asked."""
        who = self.leaseholder
        if who is None:
            return None
        leave = self.is_heard(now)
        return Grant(id_(), who.ledger, who.epoch, *last_of(who), leave=leave, key=who.key, answers=answers)

    def heard(self, now: Millis) -> None:
        self.heard_at = now

    def is_heard(self, now: Millis) -> bool:
        return self.heard_at is not None and now - self.heard_at < HEARD_MS

    def claim_views(self, started: Millis, now: Millis) -> list[ClaimView]:
        """The claims for the director's page."""
        self._forget(now)
        ago = now - (started if self.heard_at is None else self.heard_at)
        return [self._view(claim, ago) for claim in self.claims.values()]

    def _view(self, claim: Claim, ago: int) -> ClaimView:
        mark = claim.ledger[:4]
        text = f"Table {self.table}: machine {mark} claims it; it {claim.why}."
        return ClaimView(self.table, claim.ledger, mark, text, ago, claim.key)


def _succeeds(birth: Birth, who: Leaseholder, collected: tuple[int, int]) -> bool:
    """Whether the machine says that it followed the leaseholder that is known here, and has all that was
    collected: the station was restored from a backup, or the machine's ledger was."""
    known = (who.epoch, who.ledger, who.key)
    told = any((past.epoch, past.ledger, past.key) == known for past in birth.past)
    later = birth.epoch > max(who.epoch, collected[0])
    return later and told and set(who.past) <= set(birth.past) and _covers(birth, collected)


def _covers(birth: Birth, collected: tuple[int, int]) -> bool:
    """Whether the machine's past holds everything that was collected, as far as sequence numbers tell."""
    epoch, seq = collected
    reached = next((past.last_seq for past in birth.past if past.epoch == epoch), 0)
    return epoch >= birth.epoch or reached >= seq
