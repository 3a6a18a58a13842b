"""What must hold when a night is over: chips, places, prizes; station, tables and records tell the same."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from feltwire.lab.demo.check import RoomFiles
from feltwire.lab.demo.night.balance import balance_of
from feltwire.lab.demo.night.dealer import Dealt
from feltwire.lab.demo.night.director import Done
from feltwire.lab.demo.room import SMALLEST_CHIP, VENUE, RoomPlan
from feltwire.ledger.chain import hash_of
from feltwire.ledger.tournament_ledger import TournamentLedger
from table_core.messages import Envelope, Frozen, HandEnded
from table_core.projections.table import TableProjection
from table_core.rulebook import load_rulebook
from table_core.tournament.money.prizes import owed, payouts, purse
from table_core.tournament.night import Night


class NightReport(Frozen, frozen=True):
    """What `--report` writes. `wrong` is empty where everything holds."""

    seed: int
    rulebook: str
    tables: int
    players: int
    hands: int
    events: int
    records: int
    rebuys: int
    moves: int
    breaks: int
    rounds: int
    coloured: int
    undone: int
    presses: int
    keys: int
    corrections: int
    snapshots: int
    seconds: float
    unequal: int  # times that the book asked for moves; the hands are those of `balance.Balance`
    hands_before_move: int
    hands_after_move: int
    wrong: tuple[str, ...]
    killed: int = 0  # processes, by kill -9
    restarts: int = 0  # of processes that ended by themselves

    @property
    def ok(self) -> bool:
        return not self.wrong and not self.restarts


def report_of(
    plan: RoomPlan, shown: dict[str, Any], done: Done, dealt: dict[str, Dealt], seconds: float
) -> NightReport:
    """`shown` is the tournament as the station shows it at the end."""
    files = RoomFiles(plan.folder / "data", plan.table_ids)
    records = recorded(plan.folder / "data")
    logs = {table: files.envelopes(table) for table in plan.table_ids}
    wrong = [*done.wrong, *(what for one in dealt.values() for what in one.wrong)]
    if "tables" in shown:
        wrong += wrong_at_the_end(Night.replayed(records), shown)
        wrong += wrong_ledgers(plan, files, shown)
    for table, log in logs.items():
        wrong += wrong_hands(table, [envelope for envelope, _ in log], dealt[table])
    equal = balance_of(records, {table: [envelope for envelope, _ in log] for table, log in logs.items()})
    return NightReport(
        seed=plan.seed,
        rulebook=plan.rulebook,
        tables=plan.tables,
        players=len(shown.get("field", ())),
        hands=sum(one.hands for one in dealt.values()),
        events=sum(map(len, logs.values())),
        records=len(records),
        rebuys=done.rebuys,
        moves=done.moves,
        breaks=done.breaks,
        rounds=done.rounds,
        coloured=done.coloured,
        undone=done.undone,
        presses=done.presses,
        keys=sum(one.presses for one in dealt.values()),
        corrections=sum(one.corrections for one in dealt.values()),
        snapshots=done.seen,
        seconds=round(seconds, 1),
        unequal=equal.asked,
        hands_before_move=equal.hands_before,
        hands_after_move=equal.hands_after,
        wrong=(*wrong, *equal.wrong),
    )


def recorded(data: Path) -> list[Any]:
    """The records of the tournament, as they lie on the disk."""
    ledger = TournamentLedger.open(data / "tournament.ledger", read_only=True)
    try:
        return list(ledger.records())
    finally:
        ledger.close()


def wrong_at_the_end(night: Night, shown: dict[str, Any]) -> Iterator[str]:
    """Every place once, prizes that add up, and the page's state that of the replayed records."""
    state = night.state
    entered = [one for one in state.field.entrants.values() if one.entries]
    places = sorted(one.place or 0 for one in entered)
    if state.finished is None:
        yield "the event is not finished"
        return
    if any(place not in (at, (places[at - 2] if at > 1 else 1)) for at, place in enumerate(places, 1)):
        yield f"places are not given once each, or shared: {places}"
    if sum(payouts(state)) not in (0, purse(state)):
        yield f"places pay {sum(payouts(state))}, the purse is {purse(state)}"
    if state.prizes.paid != owed(state):
        yield f"paid {state.prizes.paid}, owed {owed(state)}"
    known = {one.player: (one.place, str(one.status)) for one in state.field.entrants.values()}
    pages = {one["player"]: (one["place"], one["status"]) for one in shown["field"]}
    if known != pages:
        yield f"the page shows {pages}, the records say {known}"
    if shown["chips"]["missing"]:
        yield f"{shown['chips']['missing']} chips are missing"


def wrong_ledgers(plan: RoomPlan, files: RoomFiles, shown: dict[str, Any]) -> Iterator[str]:
    """The station's copy of each table's ledger, and the seats that the page shows, against the table's own."""
    heads, collected = files.heads(), files.station_heads()
    for table in plan.table_ids:
        if heads[table] != collected.get(table):
            yield f"table {table}: its ledger ends at {heads[table]}, the station's copy at {collected.get(table)}"
        sits = _seats(files, table, plan.rulebook)
        page = next(one for one in shown["tables"] if one["table"] == table)["facts"]["stacks"]
        if {seat: stack for seat, (_, stack) in sits.items()} != {
            int(seat): stack for seat, stack in page.items()
        }:
            yield f"table {table}: the page shows {page}, the table has {sits}"
        for seat, (player, stack) in sits.items():
            there = next((one for one in shown["field"] if one["player"] == player), None)
            if stack and (there is None or (there["table"], there["seat"]) != (table, seat)):
                yield f"table {table} has {player} in seat {seat} with {stack} chips, the station elsewhere"


def _seats(files: RoomFiles, table: str, rulebook: str) -> dict[int, tuple[str, int]]:
    projection = TableProjection(VENUE, table, load_rulebook(rulebook), smallest_chip=SMALLEST_CHIP)
    for envelope, raw in files.envelopes(table):
        projection.apply(envelope, hash_of(raw))
    return {seat: (held.player, held.stack) for seat, held in projection.seats.items()}


def wrong_hands(table: str, log: list[Envelope], dealt: Dealt) -> Iterator[str]:
    """Every hand that was dealt ended in the ledger with the stacks that lay on the felt. Who has no chips, and
    buys in meanwhile, was not dealt in."""
    ended = {one.data.hand: one.data.stacks for one in log if isinstance(one.data, HandEnded)}
    for hand, stacks in dealt.stacks.items():
        there = {share.seat: share.amount for share in ended.get(hand, ())}
        if there != {seat: stack for seat, stack in stacks.items() if stack or seat in there}:
            yield f"table {table}, hand {hand}: the ledger has {there}, on the felt lay {stacks}"
