"""The table's camera thread: every fault of a camera is reported, and the table goes on."""

from __future__ import annotations

import queue
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from msgspec.structs import replace as replaced

from display.push import Hub
from feltwire.config import CameraConfig, ConfigError, TableConfig
from feltwire.table.camera.eyes import TableEyes
from feltwire.table.devices.face_up import FaceUp
from feltwire.table.devices.sensed import Sensed
from feltwire.table.table_io import DeviceSaid, ZoneCame
from table_core.messages import DeviceState, SensedView, SensedZone, Sight, Zone, ZoneReading, decode
from vision.camera import Camera, CameraError
from vision.camera.frame_socket import CameraFrame
from vision.geometry.felt import Felt
from vision.geometry.pixels import Image, RawPixels
from vision.synthetic.felt import LyingCard, Renderer, Scene
from vision.watching.watched import Condition, WatchedZone

PATIENCE_S = 240.0
SEATS = 6
FELT = Felt.for_seats(SEATS)
EMPTY = Scene(FELT)


class Hands(Camera):
    """A camera that gives what the test hands it: pictures, troubles, time, a fault when it is opened."""

    def __init__(self) -> None:
        super().__init__("hands")
        self.given: queue.Queue[Image | str | int] = queue.Queue()
        self.opens = 0
        self.faults: list[Exception] = []
        self.relocks = 0
        self._at = 0

    def open(self, _source: str) -> Camera:
        self.opens += 1
        if self.faults:
            raise self.faults.pop(0)
        return self

    def read(self, timeout: float) -> CameraFrame | None:
        try:
            given = self.given.get(timeout=timeout)
        except queue.Empty:
            return None
        if isinstance(given, int):  # so many ms pass
            self._at += given
            return None
        if isinstance(given, str):
            self.trouble = given
            return None
        self.trouble = ""
        self._at += 66
        return CameraFrame(RawPixels(given), self._at, self._at // 66)

    def relock(self) -> None:
        self.relocks += 1

    def close(self) -> None:
        """Nothing is held open."""


def config(felt: str = "") -> TableConfig:
    return TableConfig(
        venue="v", table="1", data="", seats=(), levels=(), seat_count=SEATS, camera=CameraConfig("hands:", felt)
    )


class Table:
    """What the table hears from its camera's thread."""

    def __init__(self) -> None:
        self.hands = Hands()
        self.heard: queue.Queue[Any] = queue.Queue()
        self.eye = TableEyes(config(), self.heard.put, Sensed(Hub(), "1"), open_source=self.hands.open)
        self.renderer = Renderer(FELT)
        self._seed = 0

    def shows(self, scene: Scene, times: int = 5) -> None:
        for _ in range(times):
            self._seed += 1
            self.hands.given.put(self.renderer.render(replace(scene, seed=self._seed)).image)

    def hears(self, wanted: Callable[[Any], bool]) -> Any:
        """The first that is wanted; what comes before it is let pass."""
        while True:
            said = self.heard.get(timeout=PATIENCE_S)
            if wanted(said):
                return said

    def hears_state(self, state: DeviceState) -> DeviceSaid:
        said = self.hears(lambda said: isinstance(said, DeviceSaid) and said.state is state)
        assert isinstance(said, DeviceSaid)
        return said

    def hears_zone(self, zone: Zone) -> ZoneReading:
        said = self.hears(lambda said: isinstance(said, ZoneCame) and said.reading.zone == zone)
        assert isinstance(said, ZoneCame)
        return said.reading


@pytest.fixture
def table() -> Iterator[Table]:
    table = Table()
    table.eye.start()
    yield table
    table.eye.stop()


FLOP = tuple(LyingCard(card, *FELT.spot(Zone.BOARD, i, 5)) for i, card in enumerate(("Ah", "Td", "2c")))


def test_what_lies_still_is_told(table: Table) -> None:
    table.shows(replace(EMPTY, cards=FLOP))
    assert table.hears_state(DeviceState.OK).detail == ""
    assert table.hears_zone(Zone.BOARD).cards == ("Ah", "Td", "2c")


def test_a_camera_pulled_out_in_the_middle_and_plugged_in_again(table: Table) -> None:
    table.shows(replace(EMPTY, cards=FLOP))
    table.hears_zone(Zone.BOARD)
    table.hands.given.put("camera /dev/video0 gives no pictures: was it unplugged?")
    assert "unplugged" in table.hears_state(DeviceState.NOT_RESPONDING).detail
    turn = LyingCard("9s", *FELT.spot(Zone.BOARD, 3, 5))
    table.shows(replace(EMPTY, cards=(*FLOP, turn)))
    table.hears_state(DeviceState.OK)
    assert table.hears_zone(Zone.BOARD).cards == ("Ah", "Td", "2c", "9s")


def test_a_picture_of_another_shape_is_said_and_passes(table: Table) -> None:
    table.shows(EMPTY)
    table.hears_state(DeviceState.OK)
    table.hands.given.put(np.zeros((480, 640, 3), np.uint8))
    assert "640 x 480" in table.hears_state(DeviceState.BLOCKED).detail
    table.shows(replace(EMPTY, cards=FLOP))
    table.hears_state(DeviceState.OK)
    assert table.hears_zone(Zone.BOARD).cards == ("Ah", "Td", "2c")


def test_a_source_that_does_not_open_is_tried_again() -> None:
    """Whatever the fault: a source that is none, or a fault of our own in opening it or in reading a picture."""
    table = Table()
    table.hands.faults = [CameraError("camera 'webcam:3': expected socket:PATH"), ZeroDivisionError()]
    table.eye.start()
    assert "expected socket:PATH" in table.hears_state(DeviceState.NOT_RESPONDING).detail
    assert "the log says where" in table.hears_state(DeviceState.NOT_RESPONDING).detail
    table.shows(replace(EMPTY, cards=FLOP))
    assert table.hears_zone(Zone.BOARD).cards == ("Ah", "Td", "2c")
    table.hands.given.put(np.zeros((1080, 1920), np.uint8))  # no colours: no camera gives that
    assert "the log says where" in table.hears_state(DeviceState.NOT_RESPONDING).detail
    table.shows(EMPTY)
    assert table.hears_zone(Zone.BOARD).cards == ()
    table.eye.stop()


def test_a_camera_that_sees_no_light_for_long_measures_the_room_again(table: Table) -> None:
    dark = replace(EMPTY, lens_covered=True)
    table.shows(dark, times=2)
    table.hears_state(DeviceState.BLOCKED)
    table.hands.given.put(30_000)
    table.shows(dark, times=1)
    table.shows(EMPTY)
    table.hears_state(DeviceState.OK)
    assert table.hands.relocks == 1


def test_after_a_restart_board_button_and_seats_are_read_again() -> None:
    """A table process that comes up over a hand in progress: a few cards in each picture, until all are read."""
    seats = tuple(LyingCard(None, *FELT.spot(Zone.cards(seat), i, 2)) for seat in (1, 3, 6) for i in range(2))
    table = Table()
    table.shows(replace(EMPTY, cards=FLOP + seats, button=3), times=20)
    table.eye.start()
    try:
        came = {}
        while len(came) < len(FELT.zones):
            said = table.hears(lambda said: isinstance(said, ZoneCame))
            came[said.reading.zone] = said.reading
    finally:
        table.eye.stop()
    assert came[Zone.BOARD].cards == ("Ah", "Td", "2c")
    assert [zone for zone, seen in table.eye.watched.items() if seen.thing] == [Zone.button(3)]
    assert {zone for zone, said in came.items() if said.face_down == 2} == {Zone.cards(s) for s in (1, 3, 6)}


def test_a_bad_felt_file_is_named_when_the_table_starts(tmp_path: Path) -> None:
    path = tmp_path / "felt.toml"
    FELT.save(path, camera={"turn": 3})
    for text in ("not toml", path.read_text()):
        path.write_text(text)
        with pytest.raises(ConfigError, match=r"camera\.felt: .*felt\.toml"):
            TableEyes(config(str(path)), print, Sensed(Hub(), "1"))


# ------------------------------------------------------------------------- the page as it is sensed


class Page:
    """What the page *as it is sensed* would show."""

    def __init__(self) -> None:
        self._hub = Hub()
        self.sensed = Sensed(self._hub, "1")

    def tables(self, seat: int, *cards: str) -> None:
        """What the table's public view says of that seat; nothing for no cards."""
        self.sensed.table(msgspec.json.encode({"seats": [{"seat": seat, "cards": cards}]}))

    @property
    def view(self) -> SensedView:
        latest = self._hub.latest("sensed/1")
        assert latest is not None
        return decode(latest.data, SensedView)

    @property
    def zones(self) -> dict[Zone, SensedZone]:
        return {zone.zone: zone for zone in self.view.zones}


def lying(zone: Zone, *cards: str, thing: bool = False, **more: Any) -> WatchedZone:
    """What the watcher says lies in a zone."""
    return WatchedZone(ZoneReading(zone, cards, **more), thing)


def test_the_page_shows_what_lies_there_and_how_well_it_is_seen() -> None:
    page = Page()
    board = lying(Zone.BOARD, "Ah", "Td", unread=1, odd="joker")
    page.sensed.zones([board, lying(Zone.button(2), thing=True, button=True), lying(Zone.MUCK)], 7)
    assert page.view.picture_no == 7
    assert (page.zones[Zone.BOARD].cards, page.zones[Zone.BOARD].odd) == (("Ah", "Td"), "joker")
    assert page.zones[Zone.button(2)].button
    assert Zone.MUCK not in page.zones, "an empty zone that is seen well is no news"
    page.sensed.sights({Zone.BOARD: Sight.HIDDEN, Zone.MUCK: Sight.MOVING, Zone.button(2): Sight.CLEAR})
    assert {name: zone.sight for name, zone in page.zones.items()} == {
        Zone.BOARD: Sight.HIDDEN,
        Zone.MUCK: Sight.MOVING,
        Zone.button(2): Sight.CLEAR,
    }
    assert page.zones[Zone.BOARD].cards == ("Ah", "Td"), "under a hand the last reading stands"
    page.sensed.sights({Zone.BOARD: Sight.CLEAR, Zone.MUCK: Sight.CLEAR, Zone.button(2): Sight.CLEAR})
    assert Zone.MUCK not in page.zones


def test_a_hand_is_named_while_the_table_has_it_tabled_and_no_longer() -> None:
    page = Page()
    peeked = lying(Zone.cards(2), "Ah", unread=1, odd="joker")
    page.sensed.zones([peeked, lying(Zone.BURN, "2c"), lying(Zone.bet(3), "3c")], 1)
    hidden = page.zones[Zone.cards(2)]
    assert (hidden.cards, hidden.unread, hidden.face_down, hidden.odd) == ((), 0, 2, "")
    assert [page.zones[zone].face_down for zone in (Zone.BURN, Zone.bet(3))] == [1, 1]
    page.tables(2, "Ah", "Kd")
    assert (page.zones[Zone.cards(2)].cards, page.zones[Zone.cards(2)].unread) == (("Ah",), 1)
    page.tables(2, "??", "??")
    assert page.zones[Zone.cards(2)] == hidden, "a new hand lies there"
    page.tables(2, "Qc", "Kd")
    assert page.zones[Zone.cards(2)].cards == (), "what lies there is not what was tabled"


def test_the_picture_shows_a_tabled_hand_only_while_exactly_that_lies_still_there() -> None:
    face_up = FaceUp()
    face_up.hear(b'{"seats":[{"seat":2,"cards":["Ah","Kd"]}]}')
    tabled = lying(Zone.cards(2), "Kd", "Ah")
    assert face_up.may_be_seen(tabled, Condition.CLEAR)
    assert not face_up.may_be_seen(tabled, Condition.MOVING)
    assert not face_up.may_be_seen(tabled, Condition.HIDDEN)
    zone = Zone.cards(2)
    for other in (lying(zone, "Ah", "Qd"), lying(zone, "Ah"), lying(zone, "Kd", "Ah", unread=1)):
        assert not face_up.may_be_seen(other, Condition.CLEAR)
    face_up.hear(b'{"seats":[{"seat":2,"cards":["??","??"]}]}')
    assert not face_up.may_be_seen(tabled, Condition.CLEAR)


def test_chips_are_in_the_picture_where_they_are_counted_and_no_card_lies_with_them() -> None:
    face_up = FaceUp()
    bet = lying(Zone.bet(2), chips=500, thing=True)
    assert face_up.may_be_seen(bet, Condition.CLEAR)
    assert face_up.may_be_seen(lying(Zone.bet(2)), Condition.CLEAR)
    for more in ({"face_down": 1}, {"cards": ("Ah",)}, {"chips": None}):
        other = replace(bet, reading=replaced(bet.reading, **more))
        assert not face_up.may_be_seen(other, Condition.CLEAR)
    assert not face_up.may_be_seen(lying(Zone.MUCK), Condition.CLEAR)


def test_one_picture_is_coded_once_for_everybody_and_none_while_nobody_knows_where_the_zones_are() -> None:
    table = Table()
    table.eye.start()
    try:
        assert table.eye.picture("1") is None
        table.shows(replace(EMPTY, cards=FLOP))
        table.hears_zone(Zone.BOARD)
        first = table.eye.picture("1")
        assert first is not None
        assert table.eye.picture("1") is first
        table.hands.given.put(np.zeros((480, 640, 3), np.uint8))
        table.hears_state(DeviceState.BLOCKED)
        assert table.eye.picture("1") is None
        table.shows(EMPTY)
        table.hears_state(DeviceState.OK)
        table.hears_zone(Zone.BOARD)
        again = table.eye.picture("1")
        assert again is not None
        assert again.version > first.version
    finally:
        table.eye.stop()


def test_chips_are_shown_with_their_value_or_as_not_counted() -> None:
    page = Page()
    counted = lying(Zone.bet(1), chips=1_200, pieces=4, thing=True)
    page.sensed.zones([counted, lying(Zone.bet(2), thing=True)], 1)
    assert page.zones[Zone.bet(1)].chips == 1_200
    assert (page.zones[Zone.bet(2)].chips, page.zones[Zone.bet(2)].thing) == (None, True)


def test_what_is_wrong_with_the_camera_stands_on_the_page() -> None:
    page = Page()
    page.sensed.camera("the camera sees almost no light: are the lamps on?")
    assert "no light" in page.view.camera
    page.sensed.camera("")
    assert page.view.camera == ""


def test_every_sight_of_the_camera_has_its_word_on_the_page() -> None:
    assert {sight.value for sight in Sight} == {condition.value for condition in Condition}


def test_a_deck_file_that_is_none_is_named(tmp_path: Path) -> None:
    (tmp_path / "deck.npz").write_bytes(b"no deck")
    camera = CameraConfig("hands:", deck=str(tmp_path / "deck.npz"))
    with pytest.raises(ConfigError, match=r"camera\.deck: .*deck\.npz"):
        TableEyes(replaced(config(), camera=camera), print, Sensed(Hub(), "1"))
