"""The coverage as the relay's process drives it: a thread, a store, and a node that may be made anew."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from display.push import Hub
from feltwire.config import RelayConfig
from feltwire.relay.coverage.coverage import DESK_CHANNEL, Coverage
from feltwire.runtime.host import Host
from table_core.coverage import CoverageDesk
from table_core.messages import Millis, decode, encode
from tests.feltwire.relay.coverage.test_coverage import LEFT, all_in
from tests.feltwire.relay.coverage.told import VENUE, ToldTable, field
from tests.waiting import until

Air = tuple[Millis | None, bool]


class Process:
    """A coverage with the clock, the threads and the disk of this machine; nothing waits for a person."""

    def __init__(self, folder: Path, air: Air) -> None:
        config = RelayConfig(VENUE, str(folder), "", ("01",), coverage_grace_s=0)
        self.folder, self.hub = folder, Hub()
        self.table = ToldTable()
        self.coverage = Coverage(
            config, Host(), self.hub, air=lambda: air, note=lambda *_: None, publish=lambda _: None
        )
        self.coverage.start({}, {})
        self._hear("tournament/charge/01", encode(self.table.leaseholder))

    def _hear(self, leaf: str, payload: bytes) -> None:
        self.coverage.hear(f"fw/{VENUE}/{leaf}", payload)

    def hear_hand(self, number: int) -> None:
        for envelope in self.table.tell(*all_in(number=number)):
            self._hear("table/01/event", encode(envelope))

    def hear_field(self) -> None:
        self._hear("tournament/field", encode(field(LEFT)))

    @property
    def faults(self) -> bool:
        return any((self.folder / "quarantine").glob("*.message"))

    @property
    def hands(self) -> list[int | None]:
        """Of the lines that are out, the newest first."""
        return [line.hand for line in self.coverage.view.lines]

    @property
    def waiting(self) -> list[int | None]:
        shown = self.hub.latest(DESK_CHANNEL)
        return [] if shown is None else [line.hand for line in decode(shown.data, CoverageDesk).waiting]


Begin = Callable[[Air], Process]


@pytest.fixture
def begin(tmp_path: Path) -> Iterator[Begin]:
    """Begins a process; each time in the same folder."""
    begun: list[Process] = []

    def one(air: Air) -> Process:
        begun.append(Process(tmp_path, air))
        return begun[-1]

    yield one
    for process in begun:
        process.coverage.close()


@pytest.fixture
def faulty(monkeypatch: pytest.MonkeyPatch) -> None:
    """The node raises at each field."""

    def fail(_: object) -> None:
        raise RuntimeError("a fault")

    monkeypatch.setattr("feltwire.relay.coverage.node.field_of", fail)


ON_AIR, CUT = (Millis(0), False), (Millis(0), True)


def test_a_process_that_starts_during_a_cut_lets_nothing_out(begin: Begin) -> None:
    process = begin(CUT)
    process.hear_hand(7)
    until(lambda: process.waiting or process.hands, "the line of the hand")
    assert process.hands == []
    assert process.waiting == [7]


@pytest.mark.usefixtures("faulty")
def test_nor_does_a_node_that_is_made_anew_during_a_cut(begin: Begin) -> None:
    process = begin(CUT)
    process.hear_field()
    until(lambda: process.faults, "the fault")
    process.hear_hand(7)
    until(lambda: process.waiting or process.hands, "the line of the hand")
    assert process.hands == []


@pytest.mark.usefixtures("faulty")
def test_a_node_that_is_made_anew_knows_the_tables(begin: Begin) -> None:
    process = begin(ON_AIR)
    process.hear_hand(7)
    until(lambda: 7 in process.hands, "the line of the hand before the fault")
    process.hear_field()
    until(lambda: process.faults, "the fault")
    process.hear_hand(8)
    until(lambda: 8 in process.hands, "the line of the hand behind the fault")
    assert process.hands == [8, 7]
