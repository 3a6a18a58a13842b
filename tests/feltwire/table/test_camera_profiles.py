"""Cameras of a table as an installer configures them, through a real table process: two that share one felt, one
over the board alone, one at the side for stacks. Their pictures are what hung cameras see of a rendered table."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import pytest

from feltwire.config import CameraConfig, CameraProfile, ConfigError, FurtherCamera, TableConfig
from feltwire.lab.simroom.felt.enrolment import enrol_chips
from feltwire.table.camera.setup import places_of
from table_core.messages import Key, Zone
from tests.feltwire.processes import Process, table_settings
from tests.feltwire.table.test_peeking import NO_BROKER, Viewer
from tests.ports import free_port
from tests.vision.camera.photograph import photograph
from tests.vision.camera.test_several_cameras import BETWEEN, LEFT, RIGHT
from vision.calibration.light import with_cloths
from vision.calibration.table import calibrate_cameras
from vision.camera.frame_server import FrameServer
from vision.geometry.felt import Felt
from vision.synthetic.felt import ChipPile, LyingCard, Scene
from vision.synthetic.felt.hung import HungCamera, Rail

FELT = Felt.for_seats(9)
EMPTY = Scene(FELT)
OVER = HungCamera((0.0, 0.0, 700.0), focal_px=1000.0, size_px=(1280, 720))
AROUND = Rail(height_mm=0.0, around_mm=(640.0, 300.0))
WHOLE = HungCamera((30.0, 20.0, 1700.0), focal_px=1400.0)
SIDE = HungCamera((-750.0, 1050.0, 800.0), focal_px=1900.0, looks_at_mm=(-600.0, 60.0))  # over seats 1 to 5
BOARD = ("Qh", "9s", "4c", "2d", "Jc")
HANDS = {1: ("Ah", "Ad"), 2: ("Ks", "7h"), 3: ("8c", "8d")}
BACKS = tuple(LyingCard(None, *FELT.spot(Zone.cards(seat), i, 2)) for seat in HANDS for i in range(2))


def board(count: int) -> tuple[LyingCard, ...]:
    return tuple(LyingCard(card, *FELT.spot(Zone.BOARD, i, 5)) for i, card in enumerate(BOARD[:count]))


def tabled() -> tuple[LyingCard, ...]:
    return tuple(
        LyingCard(card, *FELT.spot(Zone.cards(seat), i, 2))
        for seat, cards in HANDS.items()
        for i, card in enumerate(cards)
    )


class Room:
    """A table process and its cameras, each behind a socket; `scene` is what lies there."""

    def __init__(
        self,
        folder: Path,
        cameras: list[HungCamera],
        rail: Rail,
        settings: str,
        *,
        fine: float = 1.5,
        cloth: str = "green",
        **how: Any,
    ) -> None:
        """`fine` is how finely (px/mm) the table is drawn before the cameras see it."""
        self._fine, self._cloth = fine, cloth
        self._cameras = cameras
        self._folder = folder
        self._rail = rail
        self._scene = EMPTY
        self._stack = ExitStack()
        shots = [(self._taken(camera), camera.lens) for camera in cameras]
        done = calibrate_cameras(shots, 9, **how)
        with_cloths(done, [picture for picture, _ in shots]).save(folder / "felt.toml")
        self._servers: dict[int, FrameServer] = {}
        for number in range(len(cameras)):
            self.plug_in(number)
        port = free_port()
        section = f'[camera]\nsource = "socket:{folder / "eye-0"}"\nfelt = "{folder / "felt.toml"}"\n{settings}'
        text = table_settings(folder, NO_BROKER, port) + section.format(folder=folder)
        self.table = self._stack.enter_context(Process("table", folder, port, text))
        self.dealer = Viewer(self.table)

    def close(self) -> None:
        self._stack.close()
        for server in self._servers.values():
            server.close()

    def _taken(self, camera: HungCamera) -> Any:
        seen = photograph(self._scene, camera, self._rail, fine=self._fine, cloth=self._cloth)
        return cv2.convertScaleAbs(seen, alpha=0.8) if self._cloth == "white" else seen  # as it is exposed

    def shows(self, *cards: LyingCard, chips: tuple[ChipPile, ...] = ()) -> None:
        self._scene = replace(EMPTY, cards=cards, chips=chips)
        for number, server in self._servers.items():
            server.show(self._taken(self._cameras[number]))

    def pull_out(self, number: int) -> None:
        self._servers.pop(number).close()

    def plug_in(self, number: int) -> None:
        server = self._servers[number] = FrameServer(self._folder / f"eye-{number}", fps=15)
        server.show(self._taken(self._cameras[number]))

    def freeze(self, number: int) -> None:
        """The camera goes on, and gives the picture of this moment for ever."""
        self._servers[number].show(self._taken(self._cameras[number]), noise=())

    def sees(self, **wanted: str) -> None:
        """Wait until the screen says so of these devices: `camera_2="ok"`."""
        expected = {name.replace("_", "-"): state for name, state in wanted.items()}
        self.table.shows("table/01", lambda view: expected.items() <= view["devices"].items())

    def reads(self, count: int) -> dict[str, Any]:
        """Wait until so many cards of the board are on the screen."""
        return self.table.shows("table/01", lambda view: tuple(view["board"]) == BOARD[:count])

    def ended(self) -> dict[str, Any]:
        """Wait until seat 1 has won all the chips."""
        won = [30_000, 0, 0]
        return self.table.shows("table/01", lambda view: [seat["stack"] for seat in view["seats"]] == won)

    def all_in(self) -> None:
        for key in (Key.NEW_HAND, Key.ALL_IN, Key.ALL_IN, Key.ALL_IN):
            self.dealer.touch(key)


@pytest.mark.parametrize("cloth", ["green", "white"])
def test_two_cameras_share_a_table_and_one_that_fails_leaves_the_other(tmp_path: Path, cloth: str) -> None:
    """The left one sees seats 1 to 3; both see the board."""
    also = 'also = [{{source = "socket:{folder}/eye-1"}}]\n'
    cameras = [LEFT, RIGHT]
    if cloth == "white":  # needs 0.9 px/mm
        cameras = [replace(one, focal_px=1.5 * one.focal_px, size_px=(1920, 1440)) for one in cameras]
    room = Room(tmp_path, cameras, BETWEEN, also, cloth=cloth)
    try:
        room.sees(camera="ok", camera_1="ok", camera_2="ok")
        room.shows(*BACKS)
        room.all_in()
        room.shows(*BACKS, *board(3))
        room.reads(3)
        room.pull_out(1)
        room.sees(camera="ok", camera_2="not_responding")
        room.shows(*BACKS, *board(4))
        room.reads(4)
        room.plug_in(1)
        room.sees(camera_2="ok")
        room.pull_out(0)
        room.sees(camera="ok", camera_1="not_responding")
        room.shows(*tabled(), *board(5))
        view = room.reads(5)
        assert [seat["cards"] for seat in view["seats"]] == [[], [], []], "nobody sees their seats"
        room.plug_in(0)
        done = room.ended()
        assert {seat["seat"]: tuple(seat["cards"]) for seat in done["seats"]} == HANDS
        kinds = [notice["kind"] for notice in done["notices"]]
        assert kinds.count("camera-1_not_responding") == kinds.count("camera-2_back") == 1
        assert not [kind for kind in kinds if kind.startswith("camera_")], (
            "as a whole the cameras worked all the time"
        )
    finally:
        room.close()


@pytest.mark.slow("a camera is frozen after ten seconds")
def test_a_frozen_camera_is_no_good_camera(tmp_path: Path) -> None:
    """It gave the same bytes for ever and nothing was said. Here another camera sees the board, too; when its
    pictures change again the frozen one is back."""
    also = 'also = [{{source = "socket:{folder}/eye-1"}}]\n'
    room = Room(tmp_path, [LEFT, RIGHT], BETWEEN, also)
    try:
        room.sees(camera="ok", camera_1="ok", camera_2="ok")
        room.shows(*BACKS)
        room.all_in()
        room.freeze(1)
        room.sees(camera="ok", camera_2="not_responding")
        room.shows(*BACKS, *board(3))
        room.reads(3)
        room.sees(camera="ok", camera_1="ok", camera_2="ok")
    finally:
        room.close()


def test_a_camera_over_the_board_alone_reads_it_and_a_person_says_the_rest(tmp_path: Path) -> None:
    room = Room(tmp_path, [OVER], AROUND, 'profile = "board"\n', board_only=True)
    try:
        room.sees(camera="ok")
        room.all_in()
        for count in (3, 4, 5):
            room.shows(*tabled(), *board(count))
            room.reads(count)
        room.dealer.touch(Key.AWARD, seat=1)
        room.ended()
    finally:
        room.close()


def test_a_camera_at_the_side_tells_how_high_a_bet_is_stacked(tmp_path: Path) -> None:
    """Straight from above three chips look like one."""
    enrol_chips(tmp_path / "chips.toml", 9)
    chips = 'chips = "{folder}/chips.toml"\n'
    also = 'also = [{{source = "socket:{folder}/eye-1", profile = "stacks"}}]\n'
    room = Room(tmp_path, [WHOLE, SIDE], Rail(), chips + also, fine=2.0)
    try:
        room.sees(camera="ok", camera_1="ok", camera_2="ok")
        room.dealer.touch(Key.NEW_HAND)
        where = FELT.zone(Zone.bet(1))
        room.shows(*BACKS, chips=(ChipPile(500, "purple", 3, where.x, where.y),))
        room.table.shows("table/01", lambda view: view["predicted"] == "Seat 1: raise to 1,500?")
        room.pull_out(1)
        room.table.shows("table/01", lambda view: not view["predicted"])
    finally:
        room.close()


def configured(folder: Path, camera: CameraConfig) -> TableConfig:
    return TableConfig(venue="v", table="1", data=str(folder), seats=(), levels=(), camera=camera)


def test_what_a_table_cannot_use_is_refused_when_it_starts(tmp_path: Path) -> None:
    felt = str(tmp_path / "felt.toml")
    FELT.save(tmp_path / "felt.toml")
    further = (FurtherCamera("socket:b"),)
    with pytest.raises(
        ConfigError, match=r"has 0 cameras, camera and camera\.also name 2: calibrate them together"
    ):
        places_of(configured(tmp_path, CameraConfig("socket:a", felt, also=further)))
    with pytest.raises(ConfigError, match="a camera for stacks reads no cards"):
        places_of(configured(tmp_path, CameraConfig("socket:a", felt, profile=CameraProfile.STACKS)))
    (board,) = places_of(configured(tmp_path, CameraConfig("socket:a", felt, profile=CameraProfile.BOARD)))
    assert set(board.sees) == {Zone.BOARD, Zone.BURN, Zone.MUCK, Zone.POT}
