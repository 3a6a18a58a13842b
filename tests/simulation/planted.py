"""Faults put into the product on purpose: the simulation must find each.

A fault is a change to a class of the product while its name is planted. Each is one that somebody could make: an
acknowledgement before the commit, a note that is not kept, a message that is not sent again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from feltwire.ledger.granted import EventStatus
from feltwire.ledger.room_ledger import CollectedLedger, EventVerdict
from feltwire.ledger.table_ledger import Ledger
from feltwire.ledger.tournament_ledger import TournamentLedger
from feltwire.runtime.boot_offset import Offset
from feltwire.station.station_io import CommitEvent
from feltwire.station.station_store import StationStore
from feltwire.station.tables.leases import TableLease
from feltwire.station.tables.station_tables import StationTables
from feltwire.table.commands import Carried
from feltwire.table.node import TableNode
from feltwire.table.publisher import TablePublisher
from feltwire.table.table_io import AckFrame, SendOutbox
from feltwire.wall_clock.node import ClockNode
from table_core.messages import Beat, Origin, decode, decode_envelope

Patch = tuple[type, str, Callable[..., Any]]


def _acknowledged_before_the_commit() -> Patch:
    """A table acknowledges a key before it is recorded."""
    frame = TableNode._frame

    def faulty(node: TableNode, *given: Any) -> list[Any]:
        effects = frame(node, *given)
        return sorted(effects, key=lambda effect: not isinstance(effect, AckFrame))

    return TableNode, "_frame", faulty


def _station_acknowledges_at_once() -> Patch:
    """The station acknowledges an event before it is on its disk."""
    event = StationTables._event

    def faulty(tables: StationTables, *given: Any) -> Iterator[Any]:
        for effect in event(tables, *given):
            if isinstance(effect, CommitEvent):
                envelope = decode_envelope(effect.raw)
                yield from tables._post.ack(tables._links[envelope.table], envelope.epoch, envelope.seq)
            yield effect

    return StationTables, "_event", faulty


def _outbox_dropped_at_the_start() -> Patch:
    """A table forgets at its start what the station has not acknowledged."""
    opened = Ledger.open.__func__  # type: ignore[attr-defined]

    def faulty(kind: type[Ledger], *given: Any, **more: Any) -> Ledger:
        ledger: Ledger = opened(kind, *given, **more)
        if not more.get("read_only"):
            ledger._store.connection.execute("DELETE FROM outbox")
        return ledger

    return Ledger, "open", classmethod(faulty)  # type: ignore[return-value]


def _outbox_never_sent_again() -> Patch:
    """Events that were not acknowledged go out again on reconnection only."""
    again = TablePublisher.say_again

    def faulty(publisher: TablePublisher, *given: Any) -> list[Any]:
        return [effect for effect in again(publisher, *given) if not isinstance(effect, SendOutbox)]

    return TablePublisher, "say_again", faulty


def _sealed_never_sent_again() -> Patch:
    """Sealed cards that the relay did not acknowledge go out again on reconnection only."""
    recorded = TablePublisher.recorded

    def faulty(publisher: TablePublisher, *given: Any) -> list[Any]:
        effects = recorded(publisher, *given)
        publisher._sealed_waits = False
        return effects

    return TablePublisher, "recorded", faulty


def _duplicate_applied() -> Patch:
    """The station applies an event that came twice a second time."""
    committed = StationTables.committed

    def faulty(tables: StationTables, given: Any, now: Any) -> Iterator[Any]:
        accepted = given.accepted
        if accepted.kind is EventVerdict.DUPLICATE:
            yield from tables._new_event(tables._links[accepted.table], accepted.envelope, given.raw, now)
        else:
            yield from committed(tables, given, now)

    return StationTables, "committed", faulty


def _gap_ignored() -> Patch:
    """The station's ledger takes an event although the one before it is missing."""
    judge = CollectedLedger._judge

    def faulty(ledger: CollectedLedger, *given: Any) -> tuple[EventVerdict, str]:
        kind, why = judge(ledger, *given)
        return (EventVerdict.NEW if kind is EventVerdict.GAP else kind), why

    return CollectedLedger, "_judge", faulty


def _lease_not_kept() -> Patch:
    """The station does not write down which machine is a table after the first one."""
    save = StationStore.save_leaseholder

    def faulty(store: StationStore, table: str, leaseholder: Any) -> None:
        if table not in store.leaseholders():
            save(store, table, leaseholder)

    return StationStore, "save_leaseholder", faulty


def _old_epoch_taken() -> Patch:
    """The station takes events of an epoch that is over."""
    judge = TableLease.judge

    def faulty(lease: TableLease, *given: Any) -> Any:
        status = judge(lease, *given)
        return EventStatus.ACCEPTED if status is EventStatus.AFTER_HANDOVER else status

    return TableLease, "judge", faulty


def _commands_forgotten() -> Patch:
    """A table does not keep which commands it has carried out."""
    return Carried, "kept", lambda carried: b"[]"


def _records_not_written() -> Patch:
    """The tournament's records are said to be on the disk before they are; every third is lost."""
    append = TournamentLedger.append

    def faulty(ledger: TournamentLedger, records: Any) -> None:
        if records[0].no % 3 == 2 and all(record.by == "Tess" for record in records):
            return
        append(ledger, records)

    return TournamentLedger, "append", faulty


def _frames_of_the_history_unknown() -> Patch:
    """A machine that takes a table over does not know which frames the one before it has recorded."""
    return Origin, "parse", lambda text: None


def _late_beat_counts() -> Patch:
    """A wall clock takes the latest beat for the offset to the station's clock, however late it came."""
    return Offset, "ms", property(lambda offset: offset._bounds[-1][1])  # type: ignore[return-value]


def _offset_of_the_boot_before() -> Patch:
    """A wall clock keeps the offset to the station's boot clock when the station is another boot."""
    hear = ClockNode._hear

    def faulty(node: ClockNode, given: Any, now: Any) -> Iterator[Any]:
        if given.topic == node._beat_topic and node._offset is not None:
            node._offset.boot = decode(given.payload, Beat).boot
        return hear(node, given, now)

    return ClockNode, "_hear", faulty


PLANTED: dict[str, Callable[[], Patch]] = {
    make.__name__.lstrip("_").replace("_", "-"): make
    for make in (
        _acknowledged_before_the_commit,
        _station_acknowledges_at_once,
        _outbox_dropped_at_the_start,
        _outbox_never_sent_again,
        _sealed_never_sent_again,
        _duplicate_applied,
        _gap_ignored,
        _lease_not_kept,
        _old_epoch_taken,
        _commands_forgotten,
        _records_not_written,
        _frames_of_the_history_unknown,
        _late_beat_counts,
        _offset_of_the_boot_before,
    )
}


@contextmanager
def planted(name: str) -> Iterator[None]:
    """The fault is in the product while this lasts."""
    kind, attribute, faulty = PLANTED[name]()
    before = kind.__dict__[attribute]
    setattr(kind, attribute, faulty)
    try:
        yield
    finally:
        setattr(kind, attribute, before)
