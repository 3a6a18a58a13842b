"""A phone as a camera: a real server of MJPEG, which stops, stalls, sends elsewhere, and comes back."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from feltwire.config import CameraConfig, CameraProfile, ConfigError, TableConfig
from feltwire.table.camera.setup import places_of
from tests.vision.camera.mjpeg_phone import MjpegPhone
from vision.camera import CameraError, open_camera
from vision.camera.stream import Stream, StreamCamera, load_stream

PATIENCE_S = 30.0
SECRET = "geheim-4711"


def written(folder: Path, url: str, *more: str) -> Path:
    file = folder / "phone.toml"
    file.touch(0o600)
    file.write_text("\n".join([f'url = "{url}"', *more]))
    return file


def watched(file: Path) -> StreamCamera:
    return StreamCamera(f"stream:{file}", str(file), retry_s=0.05, patience_s=0.5)


def awaited(camera: StreamCamera, fits: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not fits():
        assert time.monotonic() < deadline, camera.trouble
        camera.read(0.1)


def size_of(camera: StreamCamera) -> tuple[int, int]:
    deadline = time.monotonic() + PATIENCE_S
    while (frame := camera.read(0.5)) is None:
        assert time.monotonic() < deadline, camera.trouble
    return frame.pixels.size


@pytest.mark.parametrize("says", ["stream", "bare"])
def test_pictures_come_with_and_without_their_lengths(tmp_path: Path, says: str) -> None:
    with MjpegPhone(says) as phone, open_camera(f"stream:{written(tmp_path, phone.url)}") as camera:
        assert isinstance(camera, StreamCamera)
        assert size_of(camera) == size_of(camera) == (640, 480)
        assert camera.gives == "" or camera.trouble == ""
    assert phone.asked == 1, "one connection for all pictures"


@pytest.mark.parametrize(
    ("says", "words"),
    [
        ("stop", "the phone ended the stream"),
        ("stall", "no picture comes from the phone"),
        ("page", "no MJPEG comes from here"),
        ("redirect file:///etc/passwd", "the phone sends elsewhere, which is not followed"),
        ("flood", "what comes is no stream of pictures"),
        ("lengthy", "what comes is no stream of pictures"),
        ("damaged", "a coded picture of"),
    ],
)
def test_what_is_wrong_is_said_and_a_stream_that_comes_back_is_read(tmp_path: Path, says: str, words: str) -> None:
    with MjpegPhone(says) as phone, watched(written(tmp_path, phone.url)) as camera:
        awaited(camera, lambda: words in camera.trouble)
        phone.says = "stream"
        assert size_of(camera) == (640, 480)
        assert camera.trouble == ""


def test_nobody_is_asked_to_whom_the_phone_sends(tmp_path: Path) -> None:
    with MjpegPhone() as other, MjpegPhone(f"redirect {other.url}") as phone:
        with watched(written(tmp_path, phone.url)) as camera:
            awaited(camera, lambda: phone.asked > 2)
            assert camera.read(0.1) is None
        assert other.asked == 0


def test_a_phone_that_was_turned_says_so_and_is_read_on(tmp_path: Path) -> None:
    with MjpegPhone() as phone, watched(written(tmp_path, phone.url)) as camera:
        assert size_of(camera) == (640, 480)
        before, phone.size = phone.asked, (480, 640)
        awaited(camera, lambda: phone.asked > before)
        assert size_of(camera) == (480, 640)


def test_a_phone_that_is_not_there_yet_is_waited_for(tmp_path: Path) -> None:
    with MjpegPhone() as phone:
        url, port = phone.url, phone.port
    with watched(written(tmp_path, url)) as camera:
        awaited(camera, lambda: "the phone is not reached" in camera.trouble)
        with MjpegPhone(port=port):
            assert size_of(camera) == (640, 480)


def test_the_password_opens_the_stream_and_is_in_no_word(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with MjpegPhone(password=SECRET) as phone:
        file = written(tmp_path, phone.url, 'user = "dealer"', 'password = "wrong-4711"')
        with watched(file) as camera:
            awaited(camera, lambda: "does not accept user and password" in camera.trouble)
            assert "4711" not in camera.trouble + repr(camera) + repr(load_stream(file))
            file.write_text(file.read_text().replace("wrong-4711", SECRET))
            assert size_of(camera) == (640, 480)
    assert "4711" not in caplog.text
    assert str(phone.port) not in caplog.text


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('url = "rtsp://192.168.1.4/live"', "RTSP is not read"),
        ('url = "file:///etc/passwd"', "write the phone's MJPEG address"),
        (f'url = "http://dealer:{SECRET}@192.168.1.4/video"', "user and password have lines of their own"),
        ('url = "http://[::1"', "write the phone's MJPEG address"),
        ('user = "x"', "write the phone's MJPEG address"),
        ('url = "http://192.168.1.4/"\nsize = 3', "size: write url, user, password, everybody_may_see"),
        (f'url = "{SECRET}', "not TOML"),
    ],
)
def test_a_file_that_does_not_say_where_the_pictures_are(tmp_path: Path, text: str, words: str) -> None:
    file = tmp_path / "phone.toml"
    file.touch(0o600)
    file.write_text(text)
    with pytest.raises(CameraError, match=r"phone\.toml: ") as caught:
        load_stream(file)
    assert words in str(caught.value)
    assert SECRET not in str(caught.value)


def test_a_file_that_others_may_read_is_not_used(tmp_path: Path) -> None:
    file = written(tmp_path, "http://192.168.1.4/")
    file.chmod(0o640)
    with pytest.raises(CameraError, match="others may read the phone's password"):
        load_stream(file)


def test_it_watches_the_board_alone_unless_its_file_says_that_everybody_may_see(tmp_path: Path) -> None:
    file = written(tmp_path, "http://192.168.1.4/")
    for source_profile in (CameraProfile.TABLE, CameraProfile.BOARD):
        config = TableConfig(
            "home", "01", "data", (), (), camera=CameraConfig(f"stream:{file}", profile=source_profile)
        )
        (place,) = places_of(config)
        assert {zone.kind.value for zone in place.felt.zones} >= {zone.kind.value for zone in place.sees}
        assert {zone.kind.value for zone in place.sees} == {"board", "burn", "muck", "pot"}
    file.write_text(f"{file.read_text()}\neverybody_may_see = true")
    (place,) = places_of(TableConfig("home", "01", "data", (), (), camera=CameraConfig(f"stream:{file}")))
    assert len({zone.kind for zone in place.sees}) > 4
    assert load_stream(file) == Stream("http://192.168.1.4/", everybody_may_see=True)
    file.unlink()
    with pytest.raises(ConfigError, match="cannot be read"):
        places_of(TableConfig("home", "01", "data", (), (), camera=CameraConfig(f"stream:{file}")))
