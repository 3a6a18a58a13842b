"""The headless check sees what it is there to see: something lost, something twice, something different."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from feltwire.config import Broker
from feltwire.lab.demo.check import RoomFiles, check_clock, check_table, latencies, quantile, states_of
from feltwire.lab.demo.room import LEVELS, VENUE, seats_of
from feltwire.lab.demo.truth import TableTruth, Truth
from feltwire.lab.demo.watch import Followed, PageWatcher
from feltwire.lab.simroom.reports import HandDone
from feltwire.ledger.chain import chain
from feltwire.ledger.room_ledger import CollectedLedger
from feltwire.ledger.table_ledger import Ledger, ObservationRecord
from table_core.messages import (
    AnyEvent,
    At,
    Chips,
    ClockState,
    Envelope,
    FloorCalled,
    LevelBegan,
    Millis,
    OverlayView,
    Seat,
    SeatsSet,
    Street,
    TableView,
    decode_envelope,
    encode,
)

PAGE = "table/01"


class Room:
    """A table's ledger, the station's copy and what one page was last sent; all agree until a test meddles."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.files = RoomFiles(folder, ["01"])
        self.truth = Truth(VENUE, ("01",), Broker())
        self.followed = Followed()
        self.table = Ledger.open(folder / "table-01.ledger")
        self.table.begin_epoch(1)
        self.station = CollectedLedger.open(folder / "station.ledger")
        self.record("config", SeatsSet(seats_of(1), Seat(1), hand=1), LevelBegan(LEVELS[0]))
        self.record("keypad/a/1", FloorCalled())
        self.show()

    def record(self, cause: str, *events: AnyEvent, station: bool = True) -> None:
        entries = chain(self.table.head, events, at=At("b", Millis(1)), venue=VENUE, table="01", cause=cause)
        device, _, rest = cause.partition("/")
        seen = []
        if rest:
            boot, _, seq = rest.partition("/")
            seen = [ObservationRecord(device, int(boot, 16), int(seq), b"{}")]
        self.table.commit(entries=entries, observations=seen)
        if station:
            for entry in entries:
                self.station.accept(entry.raw)

    def view(self) -> TableView:
        rows = [raw for _, _, raw in self.table.raw_events()]
        return list(states_of("01", [(decode_envelope(raw), raw) for raw in rows]))[-1]

    def show(self) -> None:
        self.followed.last = encode(self.view())

    def check(self) -> tuple[tuple[str, ...], int, int]:
        report, lost, duplicates = check_table(self.files, "01", {"/table/01": {PAGE: self.followed}}, self.truth)
        return report.mismatched, lost, duplicates


@pytest.fixture
def room(tmp_path: Path) -> Room:
    return Room(tmp_path)


def test_a_room_that_agrees_is_clean(room: Room) -> None:
    room.truth.tables["01"] = TableTruth(sent={"keypad/a/1": 5.0})
    assert room.check() == ((), 0, 0)


def test_an_event_that_the_station_never_got_is_lost(room: Room) -> None:
    room.record("keypad/a/2", FloorCalled(on=False), station=False)
    room.show()
    assert room.check() == (("station's ledger",), 1, 0)


def test_a_key_frame_without_a_record_is_lost(room: Room) -> None:
    room.truth.tables["01"].sent["keypad/a/9"] = 5.0
    assert room.check() == ((), 1, 0)


def test_a_frame_that_led_to_events_twice_is_a_duplicate(room: Room) -> None:
    room.record("keypad/a/2", FloorCalled(on=False))
    room.record("keypad/a/1", FloorCalled())
    room.show()
    assert room.check() == ((), 0, 1)


def test_a_page_that_stayed_behind_differs(room: Room) -> None:
    room.record("keypad/a/2", FloorCalled(on=False))
    assert room.check() == (("page /table/01",), 0, 0)


def test_a_page_with_a_wrong_stack_differs(room: Room) -> None:
    view = room.view()
    seats = (msgspec.structs.replace(view.seats[0], stack=1), *view.seats[1:])
    room.followed.last = encode(msgspec.structs.replace(view, seats=seats))
    assert room.check() == (("page /table/01",), 0, 0)


def test_a_page_that_was_sent_nothing_differs(room: Room) -> None:
    room.followed.last = b""
    assert room.check() == (("page /table/01",), 0, 0)


def test_a_wall_that_counts_other_players_than_the_tables_differs(room: Room) -> None:
    view = room.view()
    chips = sum(seat.stack for seat in view.seats)
    wall = ClockState(
        boot="b",
        at=Millis(1),
        revision=1,
        running=True,
        level=LEVELS[0],
        left_ms=1,
        next_level=None,
        players_left=len(view.seats),
        entrants=len(view.seats),
        average_stack=Chips(chips // len(view.seats)),
    )
    followed = Followed(last=encode(wall))
    assert check_clock(room.files, ["01"], {"/clock": {"clock": followed}}) == 0
    followed.last = encode(msgspec.structs.replace(wall, players_left=len(view.seats) - 1))
    assert check_clock(room.files, ["01"], {"/clock": {"clock": followed}}) == 1


def test_an_overlay_that_shows_a_board_that_never_lay_there_differs(room: Room) -> None:
    shown = OverlayView("01", "01", room.view().hand, Street.DONE, (), Chips(0), (), None)
    followed = Followed(last=encode(shown))
    pages = {"/air/01": {"overlay/01": followed}}
    assert check_table(room.files, "01", pages, room.truth)[0].mismatched == ()
    followed.last = encode(msgspec.structs.replace(shown, board=("Ah", "Kd", "2c")))
    assert check_table(room.files, "01", pages, room.truth)[0].mismatched == ("page /air/01",)


def test_stacks_that_are_not_those_on_the_felt_differ(room: Room) -> None:
    room.truth.tables["01"].hands.append(HandDone(3, False, 0, 0, 0, 0, 0, 0, (), 1.0))
    assert room.check() == (("stacks after hand 3",), 0, 0)


def test_latency_counts_to_the_first_snapshot_that_holds_the_event(room: Room) -> None:
    events: list[Envelope] = [decode_envelope(raw) for _, _, raw in room.table.raw_events()]
    key = next(envelope for envelope in events if envelope.cause == "keypad/a/1")
    followed = Followed(arrivals=[(1, key.seq - 1, 104.0), (1, key.seq + 3, 107.5), (1, key.seq + 4, 200.0)])
    assert latencies(events, followed, {"keypad/a/1": 105.0}) == [2.5]


def test_a_key_whose_event_no_page_got_has_no_latency(room: Room) -> None:
    events = [decode_envelope(raw) for _, _, raw in room.table.raw_events()]
    assert latencies(events, Followed(), {"keypad/a/1": 105.0}) == []


def test_quantiles_are_values_that_were_measured() -> None:
    values = [float(n) for n in range(1, 101)]
    assert (quantile(values, 0.5), quantile(values, 0.99), quantile([], 0.5)) == (51.0, 100.0, None)


def test_a_watcher_remembers_the_last_snapshot_and_each_step_forward() -> None:
    watcher = PageWatcher("http://127.0.0.1:1", [PAGE])
    for identity, data in (("1.4", b"a"), ("1.6", b"b"), ("1.6", b"b"), ("2.1", b"c")):
        watcher._arrived(PAGE, identity, data)
    followed = watcher.channels[PAGE]
    assert followed.last == b"c"
    assert [arrival[:2] for arrival in followed.arrivals] == [(1, 4), (1, 6), (2, 1)]
