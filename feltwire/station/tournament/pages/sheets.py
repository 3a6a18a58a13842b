"""The tournament as sheets for spreadsheets and other programs, from the station or from its ledger alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

import msgspec

from feltwire.station.tournament.words import words
from table_core.tournament.by_hand import stacks_known
from table_core.tournament.events import (
    CENTS,
    BustConfirmed,
    BustReported,
    Instant,
    OutByHand,
    PenaltyGiven,
    Purchase,
)
from table_core.tournament.field.finishing import undecided_of
from table_core.tournament.money.league import credited
from table_core.tournament.money.prizes import owed, payouts
from table_core.tournament.night import Night, Recorded
from table_core.tournament.sheet_text import Sheet
from table_core.tournament.state import Facts

Names = Mapping[str, str]
Rows = Iterator[tuple[Any, ...]]


def sheet_of(name: str, night: Night, names: Names, facts: Facts) -> Sheet | None:
    """The sheet with this name; None where there is none. Without `facts` nobody's stack is known."""
    found = SHEETS.get(name)
    if found is None:
        return None
    columns, rows = found
    return Sheet(columns, tuple(rows(night, names, facts)))


def _players(night: Night, names: Names, facts: Facts) -> Rows:
    for one in night.state.field.entrants.values():
        bought = one.bought
        yield (
            one.player, names.get(one.player, ""), one.status.value, one.member, one.adult, one.regular,
            one.signed_in is not None, _time(one.registered), one.entries,
            bought.get(Purchase.REBUY, 0) + bought.get(Purchase.BREAK, 0), bought.get(Purchase.ADD_ON, 0),
            one.paid / CENTS, one.place,
        )  # fmt: skip


def _seats(night: Night, names: Names, facts: Facts) -> Rows:
    for table in night.state.seats.tables.values():
        for seat, player in sorted(table.players.items()):
            yield table.plan.table, seat, player, names.get(player, ""), table.button == seat


def _chips(night: Night, names: Names, facts: Facts) -> Rows:
    stacks = stacks_known(night.state, facts)
    for one in night.state.field.entrants.values():
        if one.entries:
            yield one.player, names.get(one.player, ""), one.chips, one.removed, stacks.get(one.player)


def _busts(night: Night, names: Names, facts: Facts) -> Rows:
    places: dict[tuple[str, str], int] = {}
    for record in _standing(night):
        if isinstance(record.event, BustConfirmed):
            for player, place in zip(record.event.players, record.event.places, strict=True):
                places |= {(bust, player): place for bust in record.event.busts}
    state = night.state
    for record in _standing(night):
        event = record.event
        if isinstance(event, OutByHand):
            yield (
                event.together,
                state.field.went[event.player].table if event.player in state.field.went else "",
                None,
                event.player,
                names.get(event.player, ""),
                event.stack or None,
                " ".join(event.by),
                state.field.entrants[event.player].place,
                _time(record.at),
            )
        if isinstance(event, BustReported):
            for out in event.out:
                by = " ".join(out.by)
                row = (event.bust, event.table, event.hand, out.player, names.get(out.player, ""), out.start_stack)
                yield *row, by, places.get((event.bust, out.player)), _time(record.at)


def _results(night: Night, names: Names, facts: Facts) -> Rows:
    """Everybody with a place, as league sites ask for it."""
    state, due = night.state, owed(night.state)
    rule = state.book.tournament.points_by_place
    placed = [one for one in state.field.entrants.values() if one.place is not None]
    for one in sorted(placed, key=lambda one: one.place or 0):
        gives = rule is not None and undecided_of(state, one.player) is None and credited(state, one)
        points = rule.value[min(one.place or 1, len(rule.value)) - 1] if rule is not None and gives else None
        yield one.place, names.get(one.player, one.player), due.get(one.player, 0) / CENTS, points


def _prizes(night: Night, names: Names, facts: Facts) -> Rows:
    for place, amount in enumerate(payouts(night.state), 1):
        yield place, amount / CENTS


def _payments(night: Night, names: Names, facts: Facts) -> Rows:
    due, paid = owed(night.state), night.state.prizes.paid
    for player in dict.fromkeys((*due, *paid)):
        yield player, names.get(player, ""), due.get(player, 0) / CENTS, paid.get(player, 0) / CENTS


def _penalties(night: Night, names: Names, facts: Facts) -> Rows:
    for record in _standing(night):
        event = record.event
        if isinstance(event, PenaltyGiven):
            open_ = event.penalty in night.state.penalties.since
            player = (event.player, names.get(event.player, ""))
            yield event.penalty, *player, event.kind.value, event.reason, event.rule, open_, _time(record.at)


def _log(night: Night, names: Names, facts: Facts) -> Rows:
    for record in night.records:
        tag = str(record.event.__struct_config__.tag)
        text = words(record.event, names)
        yield record.no, _time(record.at), record.by, record.command, tag, text, not night.stands(record.no)


def _schedule(night: Night, names: Names, facts: Facts) -> Rows:
    """As `schedule_text.to_csv` has it, so that `feltwire plan --check` reads it."""
    for level in night.state.clock.levels if night.state.clock is not None else ():
        plain = msgspec.structs.asdict(level)
        blinds = (plain[name] for name in ("small_blind", "big_blind", "ante", "big_blind_ante"))
        number = None if level.is_break else level.no
        minutes = int(level.minutes) if level.minutes == int(level.minutes) else level.minutes
        yield number, *blinds, minutes, "break" if level.is_break else "", level.what, level.colour_up or None


_Sheet = tuple[tuple[str, ...], Callable[[Night, Names, Facts], Rows]]
SHEETS: Mapping[str, _Sheet] = {
    "players": (
        (
            *("player", "name", "status", "member", "adult", "regular", "signed_in", "registered", "entries"),
            *("rebuys", "add_ons", "paid", "place"),
        ),
        _players,
    ),
    "seats": (("table", "seat", "player", "name", "button"), _seats),
    "chips": (("player", "name", "put_in", "removed", "stack"), _chips),
    "busts": (("bust", "table", "hand", "player", "name", "start_stack", "by", "place", "at"), _busts),
    "results": (("place", "name", "prize", "points"), _results),
    "prizes": (("place", "prize"), _prizes),
    "payments": (("player", "name", "owed", "paid"), _payments),
    "penalties": (("penalty", "player", "name", "kind", "reason", "rule", "open", "at"), _penalties),
    "log": (("no", "at", "by", "command", "event", "text", "undone"), _log),
    "schedule": (
        (
            *("level", "small_blind", "big_blind", "ante", "big_blind_ante", "minutes", "break", "what"),
            "colour_up",
        ),
        _schedule,
    ),
}


def _standing(night: Night) -> Iterator[Recorded]:
    """The records that nobody has taken back."""
    return (record for record in night.records if night.stands(record.no))


def _time(at: Instant) -> str:
    """`2026-11-21T19:30:05Z`"""
    return datetime.fromtimestamp(at.wall // 1_000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
