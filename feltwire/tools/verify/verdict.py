"""What `feltwire verify` found about one table."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from feltwire.relay.hand import HandRecord


class DealPosition(NamedTuple):
    """A place of a deal, as the event that published its commitment names it."""

    table: str
    epoch: int
    hand: int
    attempt: int
    place: int
    to: str


@dataclass(slots=True)
class LedgerVerdict:
    """What was found about one table. `first_bad` is `epoch/seq` of the first event that does not hold, or
    the line of the releases log; `state_hash` is the SHA-256 of the replayed public state."""

    table: str
    events: int = 0
    hands: int = 0
    released: int = 0
    checkpoints: int = 0
    first_bad: str = ""
    why: str = ""
    state_hash: str = ""
    promises: dict[str, set[DealPosition]] = field(default_factory=dict)  # commitment -> what was published for it
    # In which a card was first promised; behind a new draw hands have the numbers of earlier ones.
    hand_of: dict[str, HandRecord] = field(default_factory=dict)
    folded: list[str] = field(default_factory=list)  # places of folded or mucked hands that were released
    unchecked: list[str] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)  # commitments of released cards

    @classmethod
    def gone(cls, table: str) -> LedgerVerdict:
        """Of a table that the station signed and of which its ledger has nothing."""
        verdict = cls(table)
        verdict.fail("1/1", "the station signed ends of hands of this table, and the ledger has nothing of it")
        return verdict

    @property
    def ok(self) -> bool:
        return not self.why

    def fail(self, where: str, why: str) -> None:
        """Keep the first fault."""
        if self.ok:
            self.first_bad, self.why = where, why

    def as_json(self) -> dict[str, object]:
        return {
            "table": self.table,
            "events": self.events,
            "ok": self.ok,
            "first_bad": self.first_bad or None,
            "why": self.why,
            "hands": self.hands,
            "released": self.released,
            "checkpoints": self.checkpoints,
            "state_hash": self.state_hash,
            "unchecked": self.unchecked,
        }

    def as_text(self) -> str:
        found = f"table {self.table}: {self.events} events, {self.hands} hands, {self.released} cards released"
        if not self.table:
            found = f"tournament: {self.events} records"
        if self.checkpoints:
            found += f", {self.checkpoints} checkpoints"
        held = f"ok, state {self.state_hash[:16]}" if self.ok else f"DOES NOT HOLD at {self.first_bad}: {self.why}"
        return "\n".join([f"{found}: {held}", *[f"  not checked: {what}" for what in self.unchecked]])
