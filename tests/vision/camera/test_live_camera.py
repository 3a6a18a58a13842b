"""Live cameras: settings locked after settling, the device opened again after a disconnect."""

from __future__ import annotations

import queue
import re
import sys
import threading
import time
from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest
import simplejpeg

from feltwire.tools.vision.shots import pictures_of
from tests.vision.camera.pi_camera import BUFFERS, PiCamera
from vision.camera import CameraError, live, open_camera
from vision.camera.csi import CsiCamera
from vision.camera.frame_socket import CameraFrame
from vision.camera.live import LOOKS_A_SECOND, MOST_DAMAGED, LiveCamera
from vision.camera.v4l2 import CONTROLS, NOT_THERE, V4l2Camera
from vision.geometry.pixels import Image

PATIENCE_S = 240.0
EXPOSURE, WHITE_BALANCE, FOCUS = CONTROLS


class UsbCamera:
    """A USB camera that is driven: pictures come when `shows` puts them, and it can be pulled out.

    `has` are its controls and where they stand; `stubborn` are those that it does not let go of.
    """

    def __init__(self, has: Mapping[int, float], stubborn: tuple[int, ...] = ()) -> None:
        self.controls = dict(has)
        self.stubborn = stubborn
        self.plugged = True
        self.opened = 0
        self._pictures: queue.Queue[int | None] = queue.Queue()

    def __call__(self, _device: str) -> UsbCamera:
        self.opened += 1
        return self

    def shows(self, *greys: int) -> None:
        for grey in greys:
            self._pictures.put(grey)

    def pull(self) -> None:
        self.plugged = False
        self._pictures.put(None)

    def plug(self) -> None:
        self.plugged = True

    def isOpened(self) -> bool:
        return self.plugged

    def set(self, prop: int, value: float) -> bool:
        if prop in self.controls and prop not in self.stubborn:
            self.controls[prop] = value
        return prop in self.controls

    def get(self, prop: int) -> float:
        return self.controls.get(prop, NOT_THERE)

    def read(self) -> tuple[bool, Any]:
        grey = self._pictures.get()
        return grey is not None, None if grey is None else np.full((4, 6, 3), grey, np.uint8)

    def release(self) -> None:
        """Nothing is held open."""


SIZED = {cv2.CAP_PROP_FRAME_WIDTH: 0.0, cv2.CAP_PROP_FRAME_HEIGHT: 0.0, cv2.CAP_PROP_FOURCC: 0.0}
ADJUSTING = {
    **SIZED,
    EXPOSURE.switch: 3.0,
    EXPOSURE.value: 157.0,
    WHITE_BALANCE.switch: 1.0,
    WHITE_BALANCE.value: 4600.0,
    FOCUS.switch: 1.0,
    FOCUS.value: 30.0,
}


def watched(device: UsbCamera, settle: int = 0) -> V4l2Camera:
    return V4l2Camera("v4l2:/dev/video0", "/dev/video0", make=device, settle=settle, retry_s=0.01)


def close(camera: LiveCamera, device: UsbCamera) -> None:
    """A driver that waits for a picture is let go with one."""
    closing = threading.Thread(target=camera.close)
    closing.start()
    device.pull()
    closing.join(PATIENCE_S)
    assert not closing.is_alive()


def grey_of(frame: CameraFrame | None) -> int:
    assert frame is not None
    return int(frame.image[0, 0, 0])


def until(camera: LiveCamera, wanted: Callable[[], bool]) -> None:
    """Wait for the camera's thread without looking at a clock: it gives pictures or trouble."""
    for _ in range(int(PATIENCE_S / 0.01)):
        if wanted():
            return
        camera.read(0.01)
    raise AssertionError("it never happened")


def test_exposure_white_balance_and_focus_are_held_where_they_settled() -> None:
    device = UsbCamera(ADJUSTING)
    camera = watched(device, settle=2)
    device.shows(1, 2)
    until(camera, lambda: device.controls[EXPOSURE.switch] == EXPOSURE.automatic)
    device.controls[EXPOSURE.value] = 211.0  # the camera adjusts itself to the room
    device.shows(3)
    until(camera, lambda: device.controls[FOCUS.switch] == FOCUS.manual)
    close(camera, device)
    assert {control.name: device.controls[control.switch] for control in CONTROLS} == {
        "exposure": EXPOSURE.manual,
        "white balance": 0,
        "focus": 0,
    }
    assert device.controls[EXPOSURE.value] == 211.0
    assert device.controls[WHITE_BALANCE.value] == 4600.0
    assert camera.refused == ()


def test_what_a_camera_refuses_is_said() -> None:
    """One that has no control over its exposure and does not let go of its white balance; its lens is fixed."""
    has = {**SIZED, WHITE_BALANCE.switch: 1.0, WHITE_BALANCE.value: 4600.0}
    device = UsbCamera(has, stubborn=(WHITE_BALANCE.switch,))
    camera = watched(device)
    device.shows(1)
    until(camera, lambda: bool(camera.refused))
    close(camera, device)
    assert camera.refused == (
        "exposure: this camera has no control for it",
        "white balance: the camera goes on adjusting it by itself",
    )


ASKED = "?size=3840x2160&rate=15&format=YUYV&exposure=120&focus=30"


def test_a_usb_camera_is_asked_for_what_stands_behind_its_name() -> None:
    device = UsbCamera(ADJUSTING | {cv2.CAP_PROP_FPS: 30.0})
    camera = V4l2Camera("v4l2:", "/dev/video0" + ASKED, make=device, settle=0, retry_s=0.01)
    device.shows(1)
    until(camera, lambda: device.controls[WHITE_BALANCE.switch] == WHITE_BALANCE.manual)
    close(camera, device)
    assert camera.gives == "3840 x 2160, 15 pictures a second, YUYV"
    assert camera.refused == ()
    assert (device.controls[EXPOSURE.switch], device.controls[EXPOSURE.value]) == (EXPOSURE.manual, 120)
    assert (device.controls[FOCUS.switch], device.controls[FOCUS.value]) == (FOCUS.manual, 30)


def test_what_a_camera_gives_instead_of_what_it_was_asked_for_is_said() -> None:
    """A 1080p webcam with a fixed lens whose driver takes the nearest that it has, and says nothing."""
    has = ADJUSTING | {
        cv2.CAP_PROP_FRAME_WIDTH: 1920.0,
        cv2.CAP_PROP_FRAME_HEIGHT: 1080.0,
        cv2.CAP_PROP_FPS: 5.0,
        cv2.CAP_PROP_FOURCC: float(cv2.VideoWriter.fourcc(*"MJPG")),
    }
    del has[FOCUS.switch]
    device = UsbCamera(has, stubborn=(*SIZED, cv2.CAP_PROP_FPS))
    camera = V4l2Camera("v4l2:", "/dev/video0" + ASKED, make=device, settle=0, retry_s=0.01)
    device.shows(1)
    until(camera, lambda: len(camera.refused) > 3)
    close(camera, device)
    assert camera.gives == "1920 x 1080, 5 pictures a second, MJPG"
    assert camera.refused == (
        "size: 3840 x 2160 was asked for, the camera gives 1920 x 1080",
        "format: YUYV was asked for, the camera gives MJPG",
        "rate: 15 pictures a second were asked for, the camera gives 5",
        "focus: this camera has no control for it",
    )


@pytest.mark.parametrize(
    ("source", "fault"),
    [
        ("v4l2:/dev/video0?zoom=2", "no setting 'zoom'; there are size, rate, format, exposure, focus"),
        ("v4l2:/dev/video0?size=4K", "size=4K: expected width and height in pixels, such as 3840x2160"),
        ("v4l2:/dev/video0?size=10x99999", "expected width and height"),
        ("csi:0?rate=0", "rate=0: expected more than 0"),
        ("csi:0?rate=often", "rate=often"),
        ("csi:0?focus=-1", "focus=-1: expected a number from 0"),
        ("csi:left?size=640x480", "csi:left"),
    ],
)
def test_settings_that_make_no_sense_are_named(source: str, fault: str) -> None:
    with pytest.raises(CameraError, match=re.escape(fault)):
        open_camera(source)


def test_when_the_light_changes_for_good_the_camera_measures_it_again() -> None:
    device = UsbCamera(ADJUSTING)
    camera = watched(device, settle=1)
    device.shows(1, 2)
    until(camera, lambda: device.controls[EXPOSURE.switch] == EXPOSURE.manual)
    camera.relock()
    device.shows(3)
    until(camera, lambda: device.controls[EXPOSURE.switch] == EXPOSURE.automatic)
    device.controls[EXPOSURE.value] = 900.0
    device.shows(4)
    until(camera, lambda: device.controls[EXPOSURE.switch] == EXPOSURE.manual)
    close(camera, device)
    assert device.controls[EXPOSURE.value] == 900.0


def test_pictures_are_dropped_and_never_queued() -> None:
    device = UsbCamera(ADJUSTING)
    camera = watched(device)
    device.shows(1, 2, 3, 4, 5)
    until_drained = threading.Event()
    device.shows(6)
    while device._pictures.qsize():
        until_drained.wait(0.001)
    newest = [grey_of(camera.read(PATIENCE_S))]
    while newest[-1] != 6:
        newest.append(grey_of(camera.read(PATIENCE_S)))
    assert newest == sorted(newest)
    assert len(newest) <= 2, "the last picture may still have been on its way, but none before it"
    assert camera.read(0.01) is None
    close(camera, device)


def coded(grey: int, size: tuple[int, int] = (640, 360)) -> np.ndarray:
    """A JPEG as a driver gives it: one row of bytes, in a buffer that is longer than the picture."""
    picture = np.full((size[1], size[0], 3), grey, np.uint8)
    body = cv2.imencode(".jpg", picture)[1].tobytes() + b"\0" * 7
    return np.frombuffer(body, np.uint8)[None, :]


class CodedUsbCamera(UsbCamera):
    """It gives its pictures as they come over the cable; a negative number is one that was cut off."""

    def read(self) -> tuple[bool, Any]:
        grey = self._pictures.get()
        if grey is None:
            return False, None
        body = coded(abs(grey))
        return True, body[:, : body.shape[1] // 2] if grey < 0 else body


def test_a_coded_picture_is_decoded_as_far_as_it_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    device = CodedUsbCamera(ADJUSTING)
    camera = watched(device)
    device.shows(90)
    frame = camera.read(PATIENCE_S)
    assert frame is not None
    decoded: list[int] = []
    decode = simplejpeg.decode_jpeg

    def counted(data: bytes, colours: str, **how: int) -> np.ndarray:
        decoded.append(how["min_factor"])
        return np.asarray(decode(data, colours, **how))

    monkeypatch.setattr(simplejpeg, "decode_jpeg", counted)
    assert frame.pixels.size == (640, 360)
    assert frame.pixels.reduced((150, 80)).shape == (90, 160, 3)
    assert frame.pixels.reduced((300, 100)).shape == (180, 320, 3)
    assert decoded == [4, 2]
    for _ in range(2):
        assert frame.image.shape == (360, 640, 3)
    assert frame.pixels.reduced((20, 20)).shape == (45, 80, 3), (
        "two ways of making it small would look like motion"
    )
    assert decoded[2:] == [1, 8]
    close(camera, device)


def test_a_picture_that_was_cut_off_on_the_cable_is_left_out() -> None:
    device = CodedUsbCamera(ADJUSTING)
    camera = watched(device)
    device.shows(-90, -91, 60)
    assert grey_of(camera.read(PATIENCE_S)) == 60
    assert device.opened == 1
    device.shows(*[-1] * MOST_DAMAGED)
    until(camera, lambda: "ends in the middle" in camera.trouble)
    close(camera, device)


def test_no_more_pictures_are_given_than_a_table_needs() -> None:
    device = UsbCamera(ADJUSTING)
    camera = watched(device)
    device.shows(1)
    began = time.monotonic()
    assert grey_of(camera.read(PATIENCE_S)) == 1
    device.shows(2)
    assert grey_of(camera.read(PATIENCE_S)) == 2
    assert time.monotonic() - began >= 0.9 / LOOKS_A_SECOND
    close(camera, device)


def test_a_camera_that_is_pulled_out_and_plugged_in_again_goes_on() -> None:
    device = UsbCamera(ADJUSTING)
    camera = watched(device)
    device.shows(10)
    assert grey_of(camera.read(PATIENCE_S)) == 10
    device.pull()
    until(camera, lambda: "unplugged" in camera.trouble or "plugged in" in camera.trouble)
    assert camera.read(0.01) is None
    device.plug()
    device.shows(20)
    back = camera.read(PATIENCE_S)
    assert grey_of(back) == 20
    assert back is not None
    assert back.number == 2
    assert camera.trouble == ""
    assert device.opened > 1
    close(camera, device)


def test_a_picture_from_before_the_cable_was_pulled_is_not_given_afterwards() -> None:
    device = UsbCamera(ADJUSTING)
    camera = watched(device)
    device.shows(10)
    device.pull()
    while not camera.trouble:
        threading.Event().wait(0.001)
    assert camera.read(0.01) is None
    close(camera, device)


def pi_camera(device: PiCamera, where: str = "0", settle: int = 1_000) -> CsiCamera:
    return CsiCamera("csi:0", where, driver=device, settle=settle, retry_s=0.01)


def close_pi(camera: CsiCamera, device: PiCamera) -> None:
    device.pictures.put(None)
    camera.close()
    assert device.state == "closed"


def taken(camera: CsiCamera, device: PiCamera, picture: int | Image) -> CameraFrame:
    device.pictures.put(picture)
    frame = camera.read(PATIENCE_S)
    assert frame is not None
    return frame


def test_a_pi_camera_gives_a_small_picture_and_the_large_one_where_it_lies() -> None:
    device = PiCamera({}, focuses=False)
    camera = pi_camera(device, "0?size=4056x3040")
    whole = np.full((3040, 4056, 3), 60, np.uint8)
    whole[1000:1400, 2000:2600] = (40, 200, 90)
    frame = taken(camera, device, whole)
    small = frame.pixels.reduced((507, 300))
    assert small.shape == (380, 508, 3)
    assert np.abs(small[:120].astype(int) - 60).max() <= 1
    assert np.abs(small[130:170, 260:320].astype(int) - (40, 200, 90)).max() <= 3
    large = frame.image
    assert (large == whole).all()
    assert np.shares_memory(large, next(b for b in device.buffers if b.held).mapped("main")), "nothing is copied"
    with pytest.raises(ValueError, match="read-only"):
        large[0, 0, 0] = 1
    assert (frame.pixels.reduced((509, 300)) == whole).all(), "more than the small one has"
    del frame, small, large
    close_pi(camera, device)


def test_a_pi_cameras_buffer_is_written_to_again_when_nothing_shows_its_picture() -> None:
    """A part of a picture that the camera overwrites would be another card."""
    device = PiCamera({}, focuses=False)
    camera = pi_camera(device)
    rng = np.random.default_rng(1)
    pictures = [rng.integers(0, 256, (1080, 1920, 3), np.uint8) for _ in range(BUFFERS + 1)]
    frame = taken(camera, device, pictures[0])
    part = frame.image[500:700, 300:450]
    corner = part[-20:, -20:]
    del frame, part
    for picture in pictures[1:]:
        later = taken(camera, device, picture)
        assert (later.image == picture).all()
        assert device.held == 2
    assert (corner == pictures[0][680:700, 430:450]).all()
    del later
    until(camera, lambda: device.held == 1)  # the camera's thread lets go of it too
    del corner
    assert device.held == 0, "the last array that shows it was dropped"
    close_pi(camera, device)


def test_a_picture_outlives_its_pi_camera() -> None:
    device = PiCamera({}, focuses=False)
    camera = pi_camera(device)
    part = taken(camera, device, 77).image[10:20, 10:20]
    close_pi(camera, device)
    assert (part == 77).all()
    assert not all(buffer.closed for buffer in device.buffers)
    del part
    assert all(buffer.closed for buffer in device.buffers)


def test_more_pictures_in_a_row_than_a_pi_camera_has_buffers(monkeypatch: pytest.MonkeyPatch) -> None:
    """`vision check` looks at that many."""
    device = PiCamera({}, focuses=False)
    device.largest = (640, 360)
    monkeypatch.setitem(sys.modules, "picamera2", device)
    monkeypatch.setattr(device.pictures, "get", lambda: 77)
    monkeypatch.setattr(live, "LOOKS_A_SECOND", 1e6)
    images = pictures_of("csi:0", 2 * BUFFERS)
    assert [int(image.mean()) for image in images] == 2 * BUFFERS * [77]
    assert device.held == 0, "they are copies"


def test_a_picamera2_that_only_copies_is_too_old(monkeypatch: pytest.MonkeyPatch) -> None:
    def mapped_array(request: object, stream: str, reshape: bool = True) -> None: ...

    monkeypatch.setitem(sys.modules, "picamera2", SimpleNamespace(MappedArray=mapped_array))
    with pytest.raises(CameraError, match="too old"):
        open_camera("csi:0")


def test_a_pi_camera_is_held_at_what_it_says_of_its_pictures() -> None:
    says = {"ExposureTime": 9990, "AnalogueGain": 1.5, "ColourGains": (1.9, 1.6), "LensPosition": 0.7}
    device = PiCamera(says, focuses=True)
    camera = pi_camera(device, settle=0)
    device.pictures.put(30)
    assert grey_of(camera.read(PATIENCE_S)) == 30
    until(camera, lambda: device.set_to.get("AfMode") == 0)
    device.pictures.put(None)
    camera.close()
    assert device.state == "closed"
    assert device.asked == (1920, 1080)
    assert device.set_to == says | {"AeEnable": False, "AwbEnable": False, "AfMode": 0}
    assert camera.refused == ()


def test_a_pi_camera_is_asked_for_what_stands_behind_its_number() -> None:
    """A Camera Module 3 that is asked for a larger picture than it has."""
    says = {"ExposureTime": 8000, "AnalogueGain": 1.5, "ColourGains": (1.9, 1.6), "LensPosition": 0.5}
    device = PiCamera(says, focuses=True)
    where = "0?size=5000x3000&rate=10&exposure=8000&focus=0.5"
    camera = pi_camera(device, where, settle=5)
    device.pictures.put(30)
    assert grey_of(camera.read(PATIENCE_S)) == 30
    assert device.set_to == {
        "AeEnable": True,
        "AwbEnable": True,
        "AfMode": 0,
        "LensPosition": 0.5,
        "ExposureTime": 8000,
        "FrameDurationLimits": (100_000, 100_000),
    }
    device.pictures.put(None)
    camera.close()
    assert camera.gives == "4608 x 2592"
    assert camera.refused == ("size: 5000 x 3000 was asked for, the camera gives 4608 x 2592",)


def test_a_pi_camera_that_keeps_quiet_is_said_and_a_fixed_lens_is_not() -> None:
    device = PiCamera({"ExposureTime": 9990, "AnalogueGain": 1.0}, focuses=False)
    camera = pi_camera(device, settle=0)
    device.pictures.put(30)
    until(camera, lambda: bool(camera.refused))
    device.pictures.put(None)
    camera.close()
    assert camera.refused == ("white balance: this camera does not say where it stands",)


def test_a_pi_camera_that_is_not_there_is_trouble() -> None:
    camera = CsiCamera("csi:3", "3", driver=PiCamera({}, focuses=False), retry_s=0.01)
    until(camera, lambda: "check the ribbon" in camera.trouble)
    assert camera.read(0.01) is None
    camera.close()
