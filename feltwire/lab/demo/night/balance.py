"""Whether the tables were as equal as the book has it: in every snapshot, and hand by hand at the end.

A difference that the book does not allow is proposed away in the snapshot that shows it. Where moves wait for the
hands at all tables, no hand begins from then until everybody sits; else who is to move plays the hand in progress,
and one that began before the order came, at most: or more that began within the ten seconds that people wait for
it, since simulated hands may take two.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from table_core.messages import Envelope, Frozen, HandStarted, Millis
from table_core.tournament.events import MoveConfirmed, MoveLeft, MoveSeated, MoveWithdrawn
from table_core.tournament.night import Night, Recorded
from table_core.tournament.seats.balance import balance
from table_core.tournament.state import MoveStage

WITH_THE_ORDER = 1  # a hand that began while the order was on its way
ORDER_COMES_MS = 10_000


class Balance(Frozen, frozen=True):
    """`asked`: how often the book asked for moves. `hands_before`: most hands that began at one table until the
    director confirmed them; `hands_after`: most that a player was dealt in behind that, at the old table."""

    asked: int
    hands_before: int
    hands_after: int
    wrong: tuple[str, ...]


def unequal_now(night: Mapping[str, Any], trigger: int) -> Iterator[str]:
    """Tables that differ too much in a snapshot that proposes nothing for it."""
    proposed = night.get("proposals")
    if not night.get("started") or night.get("finished") or not proposed or night["busts"]:
        return
    counts = {table["table"]: len(table["seats"]) for table in night["tables"] if table["open"]}
    for move in night["moves"]:
        start, to = move["start"]["table"], move["to"]["table"]
        if start in counts and move["stage"] == MoveStage.CONFIRMED:
            counts[start] -= 1
        if to in counts:
            counts[to] += 1
    unequal = len(counts) > 1 and max(counts.values()) - min(counts.values()) >= trigger
    if unequal and not proposed["moves"] and proposed["break"] is None:
        yield f"the tables have {counts} players, and no move is proposed after record {night['log'][0]['no']}"


def balance_of(records: Sequence[Recorded], logs: Mapping[str, Sequence[Envelope]]) -> Balance:
    """The whole night, from its records and the tables' ledgers."""
    began = {
        table: [(one.at.ms, one.data) for one in log if isinstance(one.data, HandStarted)]
        for table, log in logs.items()
    }
    asked, before, wrong = 0, 0, list[str]()
    since: Millis | None = None
    for no in range(1, len(records) + 1):
        wanted = bool(balance(Night.replayed(records[:no]).state, {}))
        at = records[no - 1].at.at
        if wanted and since is None:
            asked, since = asked + 1, at
        elif not wanted and since is not None:
            before = max(before, *(sum(since < ms <= at for ms, _ in hands) for hands in began.values()))
            since = None
    after = 0
    for confirmed, left, seated, everybody in _moves(records):
        start, mover = confirmed.start.table, confirmed.player
        hands = [ms for ms, hand in began.get(start, ()) if mover in {one.player for one in hand.seats}]
        dealt = sum(left[0] < ms <= left[1] for ms in hands)
        after = max(after, dealt)
        too_late = sum(left[0] + ORDER_COMES_MS < ms <= left[1] for ms in hands)
        if dealt > WITH_THE_ORDER and too_late:
            wrong.append(f"{confirmed.move}: {mover} was dealt {dealt} more hands at table {start}")
        if everybody and (
            late := sum(left[0] < ms <= seated for hands_at in began.values() for ms, _ in hands_at)
        ):
            wrong.append(f"{confirmed.move}: {late} hands began while {mover} moved")
    return Balance(asked, before, after, tuple(wrong))


def _moves(
    records: Sequence[Recorded],
) -> Iterator[tuple[MoveConfirmed, tuple[Millis, Millis], Millis, bool]]:
    """Each move that keeps tables equal: when it was confirmed and left, when it was seated, and whether all hands
    wait for it."""
    confirmed: dict[str, tuple[MoveConfirmed, Millis]] = {}
    left: dict[str, Millis] = {}
    book = Night.replayed(records).state.book.tournament
    waits, mover = book.balance_waits_for_all_hands, book.balance_mover
    for record in records:
        match record.event:
            case MoveConfirmed() as event if mover is not None and event.rule == mover.rule:
                confirmed[event.move] = event, record.at.at
            case MoveLeft(move=move):
                left[move] = record.at.at
            case MoveWithdrawn(move=move):
                confirmed.pop(move, None)
            case MoveSeated(move=move) if move in confirmed and move in left:
                event, at = confirmed[move]
                yield event, (at, left[move]), record.at.at, waits is not None and waits.value
