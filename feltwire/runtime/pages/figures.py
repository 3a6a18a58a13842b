"""What a process tells its operator in figures, and the text in which Prometheus reads them.

No figure has a name of a person or a text of a table, and none depends on a card that is not public: those of a
table come from its public view, and neither processor time nor memory of a process that holds hidden cards are
there (docs/operation.md).
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from prometheus_client import CollectorRegistry, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from feltwire.runtime.backup_status import read_status
from table_core.messages import (
    Cell,
    CellState,
    ClockState,
    DeviceState,
    ItemKind,
    Liveness,
    QueueView,
    RoomView,
    TableView,
)

GAUGE, COUNTER = GaugeMetricFamily, CounterMetricFamily
# Name -> kind, and what it says.
FIGURES: Mapping[str, tuple[type[GaugeMetricFamily | CounterMetricFamily], str]] = {
    "feltwire_program_info": (GAUGE, "1; which program this is"),
    "feltwire_broker_connected": (GAUGE, "1 while the broker is connected"),
    "feltwire_broker_losses_total": (COUNTER, "how often the broker was lost or could not be reached"),
    "feltwire_beat_age_seconds": (GAUGE, "since the thread that does the work last said that it gets on"),
    "feltwire_inputs_waiting": (GAUGE, "inputs that wait to be processed (station, clock)"),
    "feltwire_faults_total": (COUNTER, "faults of this program that were put aside since the start"),
    "feltwire_parts_left_out": (GAUGE, "parts of the program that are left out because they failed twice"),
    "feltwire_failed_lives": (GAUGE, "lives of this process that ended by a fault, in a row"),
    "feltwire_disk_refuses": (GAUGE, "1 while nothing can be recorded"),
    "feltwire_disk_sync_seconds": (GAUGE, "the longest that the disk took to record in the last minute"),
    "feltwire_disk_free_megabytes": (GAUGE, "room on the disk of the records"),
    "feltwire_backup_age_seconds": (GAUGE, "since the last backup ended"),
    "feltwire_backup_failed": (GAUGE, "1 where the last backup failed or is damaged"),
    "feltwire_epoch": (GAUGE, "of a table's ledger"),
    "feltwire_events": (GAUGE, "events of a table in this epoch"),
    "feltwire_last_event_age_seconds": (GAUGE, "since a table's last event"),
    "feltwire_hand": (GAUGE, "number of the hand"),
    "feltwire_seats_taken": (GAUGE, "players at a table"),
    "feltwire_outbox_events": (GAUGE, "events that the station has not acknowledged"),
    "feltwire_device_works": (GAUGE, "1 where a device that the table has works"),
    "feltwire_tables": (GAUGE, "tables in the room"),
    "feltwire_tables_connected": (GAUGE, "tables that answer the station's beats"),
    "feltwire_table_connected": (GAUGE, "1 where a table answers the station's beats"),
    "feltwire_queue_items": (GAUGE, "what waits in the director's queue, but for rulings and decks"),
    "feltwire_clock_running": (GAUGE, "1 while the tournament clock runs"),
    "feltwire_level": (GAUGE, "number of the blind level"),
    "feltwire_players_left": (GAUGE, "players in the tournament"),
    "feltwire_hands_released_total": (COUNTER, "hands whose cards the relay released since the start"),
    "feltwire_delay_seconds": (GAUGE, "from the camera to the stream, at the delay box; absent: not known"),
    "feltwire_delay_source_up": (GAUGE, "1 while video comes to the delay box"),
    "feltwire_delay_output_up": (GAUGE, "1 while the output of the delay box takes video"),
    "feltwire_delay_picture": (GAUGE, "1 while the picture goes out of the delay box, and not the slate"),
    "feltwire_delay_gaps_total": (COUNTER, "how often the slate took the picture's place"),
    "feltwire_delay_lost_total": (COUNTER, "pieces of video that did not go out: no room, damaged, too late"),
    "feltwire_delay_slowest_seconds": (
        GAUGE,
        "how long after its time video left the delay box, at most, in a minute",
    ),
    "feltwire_delay_ring_used": (GAUGE, "share of the delay box's ring that waits"),
}
# An incident may be known because of a card that is hidden: neither kind is counted.
NOT_COUNTED = (ItemKind.RULING, ItemKind.DECK)
_NOT_THERE = (DeviceState.NONE, DeviceState.OFF)  # OFF: as records of earlier versions say it
HIDING = ("process_cpu_seconds", "process_resident_memory_bytes", "process_virtual_memory_bytes")


class Figure(NamedTuple):
    """One value of one name of `FIGURES`."""

    name: str
    value: float
    labels: Mapping[str, str] = {}


def exposition(figures: Iterable[Figure], *, holds_cards: bool) -> bytes:
    """The figures and those of the operating system, as Prometheus reads them; where the process `holds_cards`,
    without those that may depend on what it computes with them."""
    registry = CollectorRegistry()
    registry.register(_Given(figures, holds_cards))
    return generate_latest(registry)


class _Given(Collector):
    def __init__(self, figures: Iterable[Figure], holds_cards: bool) -> None:
        self._figures = [*figures]
        self._hiding = HIDING if holds_cards else ()

    def collect(self) -> Iterator[Metric]:
        families: dict[str, GaugeMetricFamily | CounterMetricFamily] = {}
        for figure in self._figures:
            kind, says = FIGURES[figure.name]
            if figure.name not in families:
                families[figure.name] = kind(figure.name, says, labels=[*figure.labels])
            families[figure.name].add_metric([*figure.labels.values()], float(figure.value))
        yield from families.values()
        yield from (one for one in ProcessCollector(registry=None).collect() if one.name not in self._hiding)


def of_table(view: TableView) -> Iterator[Figure]:
    """What the public view of a table says."""
    yield Figure("feltwire_epoch", view.epoch)
    yield Figure("feltwire_events", view.as_of)
    yield Figure("feltwire_hand", view.hand)
    yield Figure("feltwire_seats_taken", len(view.seats))
    if view.level is not None:
        yield Figure("feltwire_level", view.level.no)
    for device, state in view.devices.items():
        if device != "bus" and state not in _NOT_THERE:  # the broker has a figure of its own
            yield Figure("feltwire_device_works", state is DeviceState.OK, {"device": device})


def of_room(view: RoomView) -> Iterator[Figure]:
    """The tables as the station knows them."""
    playing = [cell for cell in view.cells if cell.state is not CellState.CLOSED]
    yield Figure("feltwire_tables", len(playing))
    yield Figure("feltwire_tables_connected", sum(map(_answers, playing)))
    for cell in playing:
        yield Figure("feltwire_table_connected", _answers(cell), {"table": cell.table})
        yield Figure("feltwire_events", cell.as_of, {"table": cell.table})


def _answers(cell: Cell) -> bool:
    return cell.link is Liveness.LIVE


def of_queue(view: QueueView) -> Iterator[Figure]:
    yield Figure("feltwire_queue_items", sum(item.kind not in NOT_COUNTED for item in view.items))


def of_clock(state: ClockState) -> Iterator[Figure]:
    yield Figure("feltwire_clock_running", state.running)
    yield Figure("feltwire_level", state.level.no)
    yield Figure("feltwire_players_left", state.players_left)


def of_backups(data: Path) -> Iterator[Figure]:
    """What became of the last backup of this data folder; nothing where none was ever tried."""
    status = read_status(data)
    if status is None:
        return
    yield Figure("feltwire_backup_failed", bool(status.fault))
    if status.at.wall:
        ended = datetime.fromisoformat(status.at.wall).timestamp()
        yield Figure("feltwire_backup_age_seconds", max(0, round(time.time() - ended)))
