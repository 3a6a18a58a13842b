"""What tables and machines bring into the exception queue: calls, rulings, devices, claims, alerts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256

from table_core.messages import (
    ClaimView,
    DeviceState,
    ItemKind,
    Primary,
    QueueItem,
    RulingsView,
    Severity,
    TableView,
)

FAULTS = {
    DeviceState.OFF: "is off",
    DeviceState.NOT_RESPONDING: "does not respond",
    DeviceState.BLOCKED: "sees nothing",
}


def items_of_tables(
    views: Iterable[TableView],
    devices: Mapping[str, Mapping[str, DeviceState]],
    rulings: RulingsView,
    claims: Iterable[ClaimView],
    alerts: Iterable[str],
) -> Iterator[QueueItem]:
    """One item for each matter. `devices` are those of each table, `alerts` what is said of the
    station and its tables."""
    ruled = set()
    for one in rulings.tables:
        if one.ruling is not None:
            ruled.add(one.table)
            yield QueueItem(
                f"ruling-{one.table}-{one.ruling.question}",
                ItemKind.RULING,
                Severity.NOW,
                one.ruling.text,
                one.table,
                one.ruling.seat,
                rule=one.ruling.options[0].rule if one.ruling.options else "",
                decides=one.ruling.by,
            )
    for view in views:
        if view.floor and view.table not in ruled:
            fact = f"Table {view.table} calls the floor."
            yield QueueItem(
                f"floor-{view.table}",
                ItemKind.FLOOR_CALL,
                Severity.NOW,
                fact,
                view.table,
                decides="director",
                can_be_done=True,
            )
    for table, known in devices.items():
        yield from _devices(table, known)
    for claim in claims:
        yield QueueItem(
            f"claim-{claim.table}-{claim.ledger}",
            ItemKind.CLAIM,
            Severity.NOW,
            claim.text,
            claim.table,
            decides="director",
            primary=_hand_over(claim),
        )
    for text in alerts:
        id_ = f"alert-{sha256(text.encode()).hexdigest()[:12]}"
        yield QueueItem(id_, ItemKind.OTHER, Severity.SOON, text, can_be_done=True)


def _devices(table: str, devices: Mapping[str, DeviceState]) -> Iterator[QueueItem]:
    for name, state in devices.items():
        if state in FAULTS and name != "bus":
            fact = f"The {name} of table {table} {FAULTS[state]}."
            do = "Look at its cable and its power. The dealer keys meanwhile what it would report."
            id_ = f"device-{table}-{name}"
            yield QueueItem(id_, ItemKind.DEVICE, Severity.SOON, fact, table, do=do, can_be_done=True)


def _hand_over(claim: ClaimView) -> Primary:
    return Primary(
        "Hand over",
        "hand_over",
        {"table": claim.table, "ledger": claim.ledger, "key": claim.key},
        f"Hand table {claim.table} over to machine {claim.mark}? The machine in charge was heard "
        f"{claim.heard_ms_ago // 1_000} s ago; nothing it says counts from then on. A hand in progress ends "
        "unobserved: the dealer counts the stacks.",
    )
