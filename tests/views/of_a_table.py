"""Everything that is made of a table's record, by the functions that the processes call."""

from __future__ import annotations

import random
from collections.abc import Sequence
from contextlib import suppress

from feltwire.relay.hand import HandRecord
from feltwire.relay.on_air.overlay import overlay_of
from feltwire.relay.on_air.timeline import Timeline
from feltwire.station.director.ruling_facts import ruling_facts
from feltwire.station.queue.of_tables import item_of_floor, items_of_devices
from feltwire.station.tables.cells import cell_of
from feltwire.station.tables.link import ReadModel
from feltwire.station.tournament.table_watch import Changes, TableWatch
from feltwire.table.devices.face_up import FaceUp
from feltwire.tools.export import _FORMATS as FORMATS
from feltwire.tools.export import finished_hands
from table_core.histories.recorded import HistoryError
from table_core.messages import Envelope, HandStarted, Millis, Seat, TableView, decode, encode, encode_view
from table_core.projections.room import field_of
from table_core.projections.table import TableProjection
from table_core.projections.words import describe
from table_core.rulebook import Rulebook
from table_core.tournament.money.best_hand import best_hands
from tests.views import mutants


def every_view(record: Sequence[Envelope], book: Rulebook, chance: random.Random) -> None:
    """As it is, with what nobody read or named, and with odd numbers. Raise what a view raises."""
    views_of(record, book, bears_all=True)
    views_of([mutants.unread(one, chance) for one in record], book, bears_all=True)
    mutated = [mutants.odd(one, chance) if chance.random() < 0.1 else one for one in record]
    views_of([one for one in mutated if one is not None], book, bears_all=False)


def views_of(record: Sequence[Envelope], book: Rulebook, *, bears_all: bool) -> None:
    """`bears_all`: no event may be one that cannot follow those before it."""
    if not record:
        return
    venue, table = record[0].venue, record[0].table
    watch = TableWatch(table, "t1/", Changes())
    model = ReadModel(TableProjection(venue, table, book), watch)
    hand: HandRecord | None = None
    for no, envelope in enumerate(record):
        model.apply(envelope, f"{no:064}")
        assert not (model.fault and bears_all), f"event {no}: {envelope.data}"
        if model.fault:
            break
        describe(envelope.data)
        if isinstance(envelope.data, HandStarted):
            _recap(hand)
            hand = HandRecord(table, envelope.epoch, envelope.data)
        if hand is not None:
            hand.add(envelope, envelope.at.ms)
        if no % 7 == 0 or no == len(record) - 1:
            _shown(model, watch, book, bears_all)
        assert not (model.fault and bears_all), f"as of event {no}: {envelope.data}"
    _recap(hand)
    if bears_all:
        _exported(table, record, book)


def _shown(model: ReadModel, watch: TableWatch, book: Rulebook, bears_all: bool) -> None:
    view, facts = model.view, model.facts()
    written = encode if bears_all else encode_view  # the numbers may be beyond what a message holds
    written(model.history())
    best_hands(facts.shown, book)
    _ = watch.sits(), watch.presence(), model.given
    if view is None:
        return
    raw = written(view)
    if bears_all:
        assert decode(raw, TableView) == view
    FaceUp().hear(raw)
    timeline = Timeline()
    timeline.show(view, Millis(0))
    written(overlay_of(timeline.picture(timeline.moments[0]), 1.0))
    field_of([view])
    items = [*item_of_floor(view), *items_of_devices(view.table, view.devices)]
    written(cell_of(view.table, view, facts, 0, online=True, to_act_ms=0, closed=False, items=items))
    for seat in (None, *(Seat(one.seat) for one in view.seats[:2])):
        written(ruling_facts(model.table, (), seat, "Ann (director)", {}))


def _recap(hand: HandRecord | None) -> None:
    if hand is not None:
        _ = hand.on_air(())
        _ = hand.void, hand.only_tabled, hand.places(folded=True), hand.allowed((), folded=False)


def _exported(table: str, record: Sequence[Envelope], book: Rulebook) -> None:
    """A history says what it does not know, or is left out with words; it never ends the export."""
    for hand in finished_hands(table, record, book.id):
        if isinstance(hand, HistoryError):
            continue
        for write in FORMATS.values():
            with suppress(HistoryError):
                write([hand])
