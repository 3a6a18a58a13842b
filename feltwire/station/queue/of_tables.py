"""What tables and machines bring into the exception queue: calls, rulings, devices, claims, alerts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256

from feltwire.station.tables.leases import ClaimView
from table_core.messages import (
    DeviceState,
    HealthColour,
    HealthView,
    ItemKind,
    Millis,
    Primary,
    QueueItem,
    Severity,
    TableRuling,
    TableView,
    Wish,
)
from table_core.projections.words import WISHES

NO_TABLE = "silent--"  # the id also where every table is silent by itself
CABLE = "Look at its cable and its power. The dealer keys meanwhile what it would report."
FAULTS = {
    DeviceState.NOT_RESPONDING: ("does not respond", CABLE),
    DeviceState.BLOCKED: (
        "sees nothing",
        "Look what lies before it. The dealer keys meanwhile what it would report.",
    ),
    DeviceState.UNKNOWN_CARD: (
        "reads a card that it does not know",
        "Change the deck when the hand is over. The dealer keys meanwhile what it would report.",
    ),
}


def items_of_rulings(rulings: Iterable[TableRuling]) -> Iterator[QueueItem]:
    """An incident that waits for somebody."""
    for one in rulings:
        if one.ruling is not None:
            yield QueueItem(
                f"ruling-{one.table}-{one.ruling.question}",
                ItemKind.RULING,
                Severity.NOW if one.ruling.by == "table" else Severity.STOP,
                one.ruling.text,
                one.table,
                one.ruling.seat,
                rule=one.ruling.options[0].rule if one.ruling.options else "",
                decides=one.ruling.by,
            )


def item_of_floor(view: TableView) -> Iterator[QueueItem]:
    """The table calls the floor."""
    if view.floor:
        fact = f"Table {view.table} calls the floor."
        yield QueueItem(
            f"floor-{view.table}",
            ItemKind.FLOOR_CALL,
            Severity.STOP,
            fact,
            view.table,
            decides="director",
            can_be_done=True,
        )


def items_of_wishes(view: TableView) -> Iterator[QueueItem]:
    """What the dealer asks for a player: the director gives it on the page that opens, or says that it is done."""
    for wish in view.wishes:
        at = next((one for one in view.seats if one.seat == wish.seat), None)
        whose = f" for {at.player}" if at is not None else "" if wish.seat is None else f" at seat {wish.seat}"
        page = "/station/seats" if wish.what is Wish.SEAT_CHANGE else "/station/players"
        yield QueueItem(
            f"wish-{view.table}-{wish.what}-{wish.seat or 0}",
            ItemKind.MONEY if wish.what is Wish.REBUY else ItemKind.SEAT,
            Severity.NOW,
            f"Table {view.table} asks for {WISHES[wish.what]}{whose}.",
            view.table,
            wish.seat,
            at.player if at is not None else "",
            decides="director",
            primary=Primary("Open its page", open=page),
            can_be_done=True,
        )


def items_of_claims(claims: Iterable[ClaimView]) -> Iterator[QueueItem]:
    """Machines that claim a table that has a leaseholder."""
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


def items_of_alerts(alerts: Iterable[str]) -> Iterator[QueueItem]:
    """What is said of the station and its tables."""
    for text in alerts:
        id_ = f"alert-{sha256(text.encode()).hexdigest()[:12]}"
        yield QueueItem(id_, ItemKind.OTHER, Severity.SOON, text, can_be_done=True)


def items_of_health(view: HealthView, devices: Mapping[str, DeviceState]) -> Iterator[QueueItem]:
    """What is red. A device that is not heard is, unless its state is an item already: one that was configured and
    never answered waits for its line for ever."""
    for fact in view.facts:
        silent = fact.what == "contact"
        if fact.colour is HealthColour.RED and not (silent and devices.get(fact.device) in FAULTS):
            of = f"{view.table}-{fact.device}"
            id_ = f"device-{of}" if silent else f"health-{of}-{fact.what}"
            words = f"The {fact.device} of table {view.table}: {fact.words[:1].lower()}{fact.words[1:]}"
            yield QueueItem(id_, ItemKind.DEVICE, Severity.SOON, words, view.table, do=fact.do, can_be_done=True)


def no_table(ms_ago: Millis) -> QueueItem:
    """The station hears none of its tables: one matter, whichever tables there are."""
    fact = "No table can be heard. The tables play on; what happens there comes later."
    do = "Look at the network and at the machine of the room's message server."
    return QueueItem(NO_TABLE, ItemKind.SILENT, Severity.NOW, fact, do=do, ms_ago=ms_ago)


def items_of_devices(table: str, devices: Mapping[str, DeviceState]) -> Iterator[QueueItem]:
    """Devices of a table that do not do their work."""
    for name, state in devices.items():
        if state in FAULTS and name != "bus":
            what, do = FAULTS[state]
            fact, id_ = f"The {name} of table {table} {what}.", f"device-{table}-{name}"
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
