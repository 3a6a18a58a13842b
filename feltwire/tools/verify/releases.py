"""Whether the cards that a relay released are those that were promised, and may be released."""

from __future__ import annotations

from pathlib import Path

from feltwire.ledger.releases import ReleasesError, read_releases
from feltwire.relay.hand import HandRecord
from feltwire.tools.verify.verdict import DealPosition, LedgerVerdict
from table_core.commitment import Opening


def check_releases(path: Path, verdicts: list[LedgerVerdict], *, key: str) -> None:
    """Hold every released card of these tables against its promise; a bad log fails every table."""
    tables = {verdict.table: verdict for verdict in verdicts}
    others = 0
    try:
        for line, opening in enumerate(read_releases(path, key=key), start=1):
            if opening.table in tables:
                _check_release(tables[opening.table], line, opening)
            else:
                others += 1
    except ReleasesError as error:
        for verdict in verdicts:
            verdict.fail("releases", str(error))
    for verdict in verdicts:
        verdict.unchecked += [
            "whether lines were cut off the end of the releases, now or before others followed, and whether a "
            "card was released early",
            *(
                [f"whether the relay was told to release folded hands too: {', '.join(verdict.folded)}"]
                if verdict.folded
                else []
            ),
            *([f"{others} released cards of tables that are not in this ledger"] if others else []),
        ]


def _check_release(verdict: LedgerVerdict, line: int, opening: Opening) -> None:
    verdict.released += 1
    where, what = f"releases line {line}", f"hand {opening.hand} place {opening.place}"
    try:
        promise = opening.commitment()
    except ValueError:
        promise = ""
    place = DealPosition(opening.table, opening.epoch, opening.hand, opening.attempt, opening.place, opening.to)
    if place not in verdict.promises.get(promise, set()):
        verdict.fail(where, f"{what}: no event promised this card at this place, for {opening.to}")
    else:
        _check_allowed(verdict, where, what, opening, verdict.hand_of.get(promise))
    if promise in verdict.seen:
        verdict.fail(where, f"{what}: was released before")
    verdict.seen.add(promise)


def _check_allowed(
    verdict: LedgerVerdict, where: str, what: str, opening: Opening, hand: HandRecord | None
) -> None:
    """Whether a relay that follows these events may release it."""
    if hand is None or hand.void or hand.ended_at is None:
        verdict.fail(where, f"{what}: this ledger does not tell that the hand was played to its end")
    elif not hand.allowed([opening], folded=True):
        verdict.fail(where, f"{what}: a burn, a card that was put back, or of an earlier deal stays sealed")
    elif not hand.allowed([opening], folded=False):
        seat = f"hand {opening.hand} {opening.to}"
        verdict.folded += [] if seat in verdict.folded else [seat]
