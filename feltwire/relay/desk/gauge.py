"""What the producer's desk says of time: how late the picture is, whether the cards come in time for it, which
hands wait for their release and for what. It names no card.

Cards are up from the deal on where the air delay is the card delay and the longest hand, or more.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from feltwire.relay.followed import FollowedTable
from feltwire.relay.hand import HandRecord
from table_core.messages import GaugeTable, GaugeView, LongestHand, Millis, Verdict, WaitingHand

LITTLE_S = 120  # less to spare than this is said in amber
SPARE = 1.25  # of the longest hand: what is proposed
SILENT_S = 15 * 60  # no table plays a hand for as long
MOST_SHOWN = 20  # hands of a table


class Delays(NamedTuple):
    """In ms; None: no number of seconds, and nothing is released, or nothing on air."""

    card: Millis | None
    air: Millis | None
    floor: Millis | None
    folded: bool


def gauge_of(
    tables: Iterable[FollowedTable], delays: Delays, longest: LongestHand | None, now: Millis, *, broker: bool
) -> GaugeView:
    """`longest`: of the hands that have ended so far."""
    spare = _spare(delays, longest)
    verdict, words = _verdict(delays, longest, spare)
    return GaugeView(
        verdict=verdict,
        words=words,
        card_s=_seconds(delays.card),
        air_s=_seconds(delays.air),
        floor_s=_seconds(delays.floor),
        spare_s=spare,
        proposed_s=_proposed(delays, longest),
        longest=longest,
        folded=delays.folded,
        broker=broker,
        tables=tuple([_table(one, delays, now) for one in tables]),
    )


def longest_of(tables: Iterable[FollowedTable], before: LongestHand | None) -> LongestHand | None:
    """The longest hand so far, by the tables' own clocks; one of another event counts no more once its table plays
    this one."""
    for table in tables:
        lineage = table.lineage
        for hand in table.hands():
            took_s = math.ceil(hand.took_ms / 1_000)
            another_event = before is not None and before.table == table.table and before.event != lineage
            if took_s and (before is None or another_event or took_s > before.took_s):
                before = LongestHand(table.table, hand.started.hand, took_s, lineage)
    return before


def _seconds(delay: Millis | None) -> float | None:
    return None if delay is None else delay / 1_000


def _spare(delays: Delays, longest: LongestHand | None) -> float | None:
    if delays.air is None or delays.card is None:
        return None
    return (delays.air - delays.card) / 1_000 - (longest.took_s if longest is not None else 0)


def _proposed(delays: Delays, longest: LongestHand | None) -> int | None:
    """In whole minutes, with a quarter of the longest hand to spare."""
    if delays.card is None or delays.floor is None or longest is None:
        return None
    wanted = delays.card / 1_000 + max(longest.took_s * SPARE, longest.took_s + LITTLE_S)
    return 60 * math.ceil(max(wanted, delays.floor / 1_000) / 60)


def _verdict(delays: Delays, longest: LongestHand | None, spare: float | None) -> tuple[Verdict, str]:
    if delays.air is None:
        return (
            Verdict.NONE,
            "Nothing is on air: one of the delays, or the floor, is no number of seconds.",
        )
    if delays.card is None or spare is None:
        return (
            Verdict.NONE,
            "No card is ever released: delay_s is no number of seconds. Cards stay backs.",
        )
    if delays.air <= delays.card:
        return (
            Verdict.SHORT,
            "Hole cards are backs while their hand is on air: the air delay is no longer than theirs.",
        )
    if longest is None:
        return Verdict.LITTLE, "No hand has ended yet: it is not known how long one takes here."
    if spare < 0:
        return Verdict.SHORT, (
            f"Too short by {in_minutes(-spare)}: the cards of a long hand come after it has begun on air."
        )
    if not delays.folded:
        return (
            Verdict.LITTLE,
            "Cards show from the showdown on: with release_folded off a back would tell a fold.",
        )
    if spare < LITTLE_S:
        return Verdict.LITTLE, f"{in_minutes(spare)} to spare: a longer hand begins on air with backs."
    return Verdict.ENOUGH, f"Hole cards are up from the deal on, {in_minutes(spare)} to spare."


def in_minutes(seconds: float) -> str:
    """
    >>> in_minutes(75), in_minutes(3725)
    ('1:15', '62:05')
    """
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"


def _table(table: FollowedTable, delays: Delays, now: Millis) -> GaugeTable:
    newest = table.timeline.moments[-1] if table.timeline.moments else None
    heard = None if newest is None else max(0, (now - newest.at) // 1_000)
    if table.who is None:
        trouble = "The station has not said which machine is this table."
    elif heard is None:
        trouble = "Nothing was heard of it yet."
    elif table.missing:
        trouble = "Events of it are missing; they are asked for."
    elif heard > SILENT_S:
        trouble = f"Nothing was heard of it for {heard // 60} minutes: it is black on air once that is shown."
    else:
        trouble = ""
    return GaugeTable(
        table=table.table,
        hand=0 if newest is None else newest.view.hand,
        players=0 if newest is None else sum(seat.stack > 0 or seat.in_hand for seat in newest.view.seats),
        heard_s=heard,
        trouble=trouble,
        waiting=tuple(_waiting(table, delays, now))[-MOST_SHOWN:],
    )


def _waiting(table: FollowedTable, delays: Delays, now: Millis) -> Iterator[WaitingHand]:
    """The hands whose cards are not out, the oldest first."""
    for hand in table.hands():
        why, in_s = _why(table, hand, delays, now)
        yield WaitingHand(hand.started.hand, why, in_s)


def _why(table: FollowedTable, hand: HandRecord, delays: Delays, now: Millis) -> tuple[str, int | None]:
    if delays.card is None:
        return "never: the card delay is no number of seconds", None
    if hand.void:
        return "never: it does not count", None
    if hand.stays_sealed:
        return "never: it began before the relay followed this table under this delay", None
    if hand.ended_at is None:
        return "is being played", None
    left = math.ceil(max(0, hand.ended_at + delays.card - now) / 1_000)
    if hand is not table.opening and hand not in table.waiting and not hand.stands:
        return "waits for the next deal, or the table's word that its end stands", left
    if hand is table.current and (table.missing or not table.in_touch):
        return "waits to hear from the table whether its end still stands", left
    if left:
        return "waits for the card delay", left
    if not table.is_collected(hand):
        return "waits for the station to acknowledge its end", None
    return "goes out now", 0
