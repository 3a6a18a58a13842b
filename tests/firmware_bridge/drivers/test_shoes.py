"""One suite for every shoe and its driver: whatever stands behind it, the table hears the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import NamedTuple, Protocol

import pytest

from firmware_bridge.drivers import registry
from firmware_bridge.drivers.interface import DriverSettings, ShoeDriver
from firmware_bridge.reports import (
    CardBack,
    CardPassed,
    CardsTogether,
    CutCardPassed,
    DeckMoved,
    LidMoved,
    Report,
)
from firmware_bridge.shoe import Uid
from firmware_bridge.sim import SimShoe
from firmware_bridge.sim.firmware_device import FirmwareDevice
from table_core.messages import DeviceState
from tests.firmware_bridge.drivers.kit import Listening
from tests.firmware_bridge.pico.bench import UIDS

A, B, C, D, E = UIDS[:5]


class Shoe(Protocol):
    """What happens to a shoe."""

    def deal(self, *tags: bytes | None) -> None: ...
    def deal_together(self, first: bytes, second: bytes) -> None: ...
    def push_back(self, tag: bytes, *, was_out: bool = False) -> None: ...
    def cut_card(self) -> None: ...
    def lid(self, *, opened: bool) -> None: ...
    def deck(self, *, seated: bool) -> None: ...
    def unplug(self) -> None: ...
    def plug(self) -> None: ...
    def reboot(self) -> None: ...


class Simulated:
    def __init__(self, device: SimShoe) -> None:
        self._device = device

    def deal(self, *tags: bytes | None) -> None:
        for tag in tags:
            self._device.deal(tag)

    def __getattr__(self, name: str) -> object:
        return getattr(self._device, name)


Made = tuple[Shoe, str, DriverSettings]


@contextmanager
def in_process(folder: Path) -> Iterator[Made]:
    port = f"sim://{folder.name}"
    with SimShoe(port) as device:
        yield Simulated(device), "feltwire", DriverSettings("shoe", port)  # type: ignore[misc]


@contextmanager
def behind_a_terminal(folder: Path) -> Iterator[Made]:
    with SimShoe(folder / "shoe") as device:
        yield Simulated(device), "feltwire", DriverSettings("shoe", str(folder / "shoe"))  # type: ignore[misc]


@contextmanager
def firmware_under_micropython(folder: Path) -> Iterator[Made]:
    with FirmwareDevice("shoe", folder / "shoe") as device:
        yield device, "feltwire", DriverSettings("shoe", str(folder / "shoe"))


SHOES: dict[str, Callable[[Path], AbstractContextManager[Made]]] = {
    "in this process": in_process,
    "behind a pseudo-terminal": behind_a_terminal,
    "firmware under MicroPython": firmware_under_micropython,
}


class Bench(NamedTuple):
    shoe: Shoe
    driver: ShoeDriver
    heard: Listening

    def hears(self, *log: object) -> None:
        """The log: what each report says, but for its time."""
        self.heard.wait(lambda: len(self.heard.reports) >= len(log))
        assert [_said(report) for report in self.heard.reports] == list(log)


def _said(report: Report) -> object:
    match report:
        case CardPassed(uid=uid, doubtful=False):
            return uid and uid.reveal()
        case CardsTogether(uids=uids):
            return {uid and uid.reveal() for uid in uids}
        case CardBack(uid=uid, was_out=was_out):
            return "returned" if was_out else "back", uid and uid.reveal()
        case LidMoved(open=opened):
            return "lid", opened
        case DeckMoved(seated=seated):
            return "deck", seated
        case CutCardPassed():
            return "cut card"
    return report


@pytest.fixture(scope="module", params=SHOES)
def made(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Made]:
    with SHOES[request.param](tmp_path_factory.mktemp("shoe")) as made:
        yield made


@pytest.fixture
def bench(made: Made) -> Iterator[Bench]:
    shoe, driver, settings = made
    heard = Listening()
    if isinstance(shoe, FirmwareDevice):
        heard.check = shoe.check
    heard.driver = made_driver = registry.shoe(driver)(settings, heard)
    made_driver.start()
    heard.wait(lambda: bool(heard.states) and heard.states[-1][0] is DeviceState.OK)
    yield Bench(shoe, made_driver, heard)
    made_driver.stop()


def test_cards_come_in_order_and_one_without_a_tag_in_its_place(bench: Bench) -> None:
    bench.shoe.deal(A, B, None, C, D)
    bench.hears(A, B, None, C, D)


def test_each_card_was_seen_to_leave(bench: Bench) -> None:
    bench.shoe.deal(A, None)
    bench.hears(A, None)
    assert all(isinstance(report, CardPassed) and report.counted for report in bench.heard.reports)


def test_what_is_not_one_card_that_goes_out_is_said(bench: Bench) -> None:
    bench.shoe.deal(A)
    bench.shoe.deal_together(B, C)
    bench.shoe.push_back(D)
    bench.shoe.deal(D)
    bench.shoe.push_back(D, was_out=True)
    bench.shoe.cut_card()
    bench.shoe.deal(E)
    bench.hears(A, {B, C}, ("back", D), D, ("returned", D), "cut card", E)


def test_lid_and_deck_are_said(bench: Bench) -> None:
    log: list[object] = []
    for where in (True, False):
        bench.shoe.deck(seated=where)
        bench.hears(*log, ("deck", where))
        bench.shoe.lid(opened=where)
        log += [("deck", where), ("lid", where)]
        bench.hears(*log)


def test_the_cable_may_be_pulled_at_any_time(bench: Bench) -> None:
    bench.shoe.deal(A)
    bench.shoe.unplug()
    bench.shoe.deal(B, C)
    bench.shoe.plug()
    bench.shoe.deal(D)
    bench.shoe.unplug()
    bench.shoe.plug()
    bench.hears(A, B, C, D)


def test_a_card_that_is_not_acknowledged_survives_a_restart(bench: Bench) -> None:
    bench.heard.acknowledges = False
    bench.shoe.deal(A, B, C)
    bench.heard.wait(lambda: len(bench.heard.said) >= 5)  # 1,500 ms: the other two wait behind the first
    assert len(bench.heard.named) == 1
    bench.shoe.reboot()
    bench.heard.acknowledges = True
    bench.heard.wait(lambda: len(bench.heard.reports) == 3)
    bench.shoe.deal(D)
    bench.hears(A, B, C, D)


def test_no_tag_stands_in_what_the_page_shows(bench: Bench) -> None:
    bench.shoe.deal(A)
    bench.shoe.deal_together(B, C)
    bench.hears(A, {B, C})
    said = " ".join([*bench.heard.texts, *map(repr, bench.heard.reports), *map(repr, bench.heard.states)])
    for tag in (A, B, C):
        assert tag[1:6].hex() not in said.replace(" ", "")
    assert repr(Uid(A)) == "Uid(••)"
