"""Cameras: the newest picture or none; a camera that goes away comes back; bad sources are named."""

from __future__ import annotations

import itertools
import socket
import struct
import threading
import zlib
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.camera import CameraError, open_camera
from vision.camera.frame_server import FrameServer
from vision.camera.frame_socket import ANSWER, FRAME, CameraFrame, Format, FrameError, unpack
from vision.geometry.pixels import Image

PATIENCE_S = 240.0


def picture(grey: int) -> Image:
    return np.full((36, 64, 3), grey, np.uint8)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "cam.sock"


@pytest.fixture
def server(path: Path) -> Iterator[FrameServer]:
    with FrameServer(path, fps=500) as server:
        yield server


def test_the_camera_sees_what_is_shown(server: FrameServer, path: Path) -> None:
    server.show(picture(90), taken_ms=1234, noise=())
    with open_camera(f"socket:{path}") as camera:
        frame = camera.read(PATIENCE_S)
    assert frame is not None
    assert (frame.image == 90).all()
    assert frame.taken_ms == 1234


def test_only_the_newest_picture_is_given(server: FrameServer, path: Path) -> None:
    with open_camera(f"socket:{path}") as camera:
        for grey in (10, 20, 30):
            server.show(picture(grey), noise=())
        frame = camera.read(PATIENCE_S)
        assert frame is not None
        assert (frame.image == 30).all()
        later = camera.read(PATIENCE_S)
        assert later is not None
        assert later.number > frame.number
        assert (later.image == 30).all()


def test_a_sensor_gives_no_picture_twice_in_a_row(server: FrameServer, path: Path) -> None:
    server.show(picture(10), noise=[picture(11), picture(12)])
    with open_camera(f"socket:{path}") as camera:
        assert [mean_of(camera.read(PATIENCE_S)) for _ in range(4)] == [10, 11, 12, 10]


def test_no_picture_within_the_time_is_none_and_not_lost(server: FrameServer, path: Path) -> None:
    with open_camera(f"socket:{path}") as camera:
        assert camera.read(0.02) is None
        server.show(picture(7), noise=())
        frame = camera.read(PATIENCE_S)
        assert frame is not None
        assert (frame.image == 7).all()


def test_delivered_means_looked_at_that_many_times(server: FrameServer, path: Path) -> None:
    number = server.show(picture(50), noise=())
    assert not server.wait_delivered(number, timeout=0.02)
    with open_camera(f"socket:{path}") as camera:
        seen = threading.Thread(target=lambda: [camera.read(PATIENCE_S) for _ in range(4)])
        seen.start()
        assert server.wait_delivered(number, timeout=PATIENCE_S, frames=3)
        seen.join()


def test_a_table_that_was_started_again_looks_anew(server: FrameServer, path: Path) -> None:
    number = server.show(picture(50), noise=())
    for _ in range(2):
        with open_camera(f"socket:{path}") as camera:
            assert [mean_of(camera.read(PATIENCE_S)) for _ in range(3)] == [50, 50, 50]
            assert server.wait_delivered(number, timeout=PATIENCE_S, frames=2)
    assert not server.wait_delivered(number, timeout=0.02, frames=3)


def test_a_camera_process_may_come_back(path: Path) -> None:
    with open_camera(f"socket:{path}") as camera:
        assert camera.read(0.02) is None
        assert "does not answer" in camera.trouble
        for grey in (1, 2):
            with FrameServer(path, fps=500) as server:
                server.show(picture(grey), noise=())
                frame = camera.read(PATIENCE_S)
                assert frame is not None
                assert (frame.image == grey).all()
                assert camera.trouble == ""


def test_a_table_process_may_come_back(server: FrameServer, path: Path) -> None:
    server.show(picture(5), noise=())
    for _ in range(3):
        with open_camera(f"socket:{path}") as camera:
            assert camera.read(PATIENCE_S) is not None


def test_pictures_may_travel_as_jpeg(path: Path) -> None:
    with FrameServer(path, fps=500, format=Format.CODED) as server, open_camera(f"socket:{path}") as camera:
        server.show(picture(120), noise=())
        frame = camera.read(PATIENCE_S)
        assert frame is not None
        assert abs(int(frame.image.mean()) - 120) <= 2


@pytest.mark.parametrize(
    "answer",
    [
        b"HTTP/1.1 400 Bad Request, this is no camera's socket",
        ANSWER.pack(FRAME, 1, 0, 4, 4, 0, 7) + b"1234567",
        ANSWER.pack(FRAME, 1, 0, 60000, 60000, 0, 4_000_000_000),
        ANSWER.pack(FRAME, 1, 0, 4, 4, 1, 3) + b"abc",
    ],
)
def test_bytes_that_are_no_frame_are_trouble_and_not_a_crash(path: Path, answer: bytes) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
        listener.bind(str(path))
        listener.listen(1)

        def answer_once() -> None:
            client, _ = listener.accept()
            with client:
                client.recv(64)
                client.sendall(answer)

        thread = threading.Thread(target=answer_once)
        thread.start()
        with open_camera(f"socket:{path}") as camera:
            while not camera.trouble:  # its first look may come before the answer
                assert camera.read(0.3) is None
        thread.join()


def test_a_frame_of_the_wrong_length_says_what_was_expected() -> None:
    with pytest.raises(FrameError, match="4 x 4 needs 48"):
        unpack(b"12", 4, 4, 0)


@pytest.mark.parametrize("ending", [".jpg", ".png", ".webp", ".bmp"])
def test_a_coded_frame_of_another_size_is_refused_before_it_is_decoded(
    ending: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A head that lies about its size could ask for gigabytes: nothing of it is decoded."""
    body = cv2.imencode(ending, picture(9))[1].tobytes()
    assert unpack(body, 64, 36, 1).whole().shape == (36, 64, 3)
    decoded: list[int] = []
    monkeypatch.setattr(cv2, "imdecode", lambda *given: decoded.append(1))
    for lie, says in ((body, "64 x 36: 4 x 4 was announced"), (enormous_png(60_000, 60_000), "60000 x 60000")):
        with pytest.raises(FrameError, match=says):
            unpack(lie, 4, 4, 1)
    with pytest.raises(FrameError, match=r"ends in the middle|head is damaged"):
        unpack(body[: len(body) // 2], 64, 36, 1)
    assert not decoded


def test_a_picture_file_is_looked_at_again_and_again(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "felt.png"), picture(77))
    with open_camera(f"file:{tmp_path / 'felt.png'}") as camera:
        first, second = camera.read(1), camera.read(0.01)
        assert first is not None
        assert second is not None
        assert second.number > first.number


def test_a_folder_is_seen_picture_by_picture(tmp_path: Path) -> None:
    for i in range(3):
        cv2.imwrite(str(tmp_path / f"{i}.png"), picture(i * 10))
    (tmp_path / "notes.txt").write_text("no picture")
    with open_camera(f"file:{tmp_path}") as camera:
        frames = [camera.read(1) for _ in range(3)]
        assert [int(f.image.mean()) for f in frames if f is not None] == [0, 10, 20]
        assert camera.read(0.01) is None


def test_a_bad_picture_in_a_folder_is_passed_over_and_said(tmp_path: Path) -> None:
    """Truncated, enormous and none at all: the pictures around them are still seen."""
    cv2.imwrite(str(tmp_path / "1.png"), picture(10))
    whole = cv2.imencode(".jpg", picture(99))[1].tobytes()
    (tmp_path / "2.jpg").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "3.png").write_bytes(enormous_png(60_000, 60_000))
    (tmp_path / "4.jpg").write_text("no picture")
    cv2.imwrite(str(tmp_path / "5.png"), picture(50))
    with open_camera(f"file:{tmp_path}") as camera:
        assert [mean_of(camera.read(1)), mean_of(camera.read(1))] == [10, 50]
        assert "4.jpg: is no picture" in camera.trouble
        assert camera.read(0.01) is None


def enormous_png(width: int, height: int) -> bytes:
    """A head that promises a picture of that size; decoding it would take gigabytes."""
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunk = struct.pack(">I", len(head)) + b"IHDR" + head + struct.pack(">I", zlib.crc32(b"IHDR" + head))
    return b"\x89PNG\r\n\x1a\n" + chunk


def mean_of(frame: CameraFrame | None) -> int:
    assert frame is not None
    return round(float(frame.image.mean()))


def test_an_enormous_picture_is_not_opened(tmp_path: Path) -> None:
    (tmp_path / "wall.png").write_bytes(enormous_png(60_000, 60_000))
    with pytest.raises(CameraError, match="too many"):
        open_camera(f"file:{tmp_path / 'wall.png'}")


def test_a_video_is_seen_picture_by_picture_at_its_own_speed(tmp_path: Path) -> None:
    path = tmp_path / "evening.avi"
    video = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10.0, (64, 48))
    for grey in (20, 120, 220):
        video.write(np.full((48, 64, 3), grey, np.uint8))
    video.release()
    with open_camera(f"file:{path}") as camera:
        frames = [camera.read(1) for _ in range(3)]
        assert [mean_of(frame) for frame in frames] == pytest.approx([20, 120, 220], abs=3)
        times = [frame.taken_ms for frame in frames if frame is not None]
        assert [later - earlier for earlier, later in itertools.pairwise(times)] == [100, 100]
        assert camera.read(0.01) is None
        assert "has shown all its pictures" in camera.trouble


def test_an_enormous_video_is_not_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "evening.avi"
    video = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10.0, (64, 48))
    video.write(np.zeros((48, 64, 3), np.uint8))
    video.release()
    monkeypatch.setattr("vision.camera.files.MOST_PIXELS", 3000)
    with pytest.raises(CameraError, match="64 × 48 pixels are too many"):
        open_camera(f"file:{path}")


def test_a_video_that_ends_in_the_middle_ends_there(tmp_path: Path) -> None:
    path = tmp_path / "evening.avi"
    video = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10.0, (640, 480))
    chance = np.random.default_rng(1)
    for _ in range(20):
        video.write(chance.integers(0, 255, (480, 640, 3), np.uint8))
    video.release()
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    with open_camera(f"file:{path}") as camera:
        seen = 0
        while camera.read(0.01) is not None:
            seen += 1
        assert 0 < seen < 20
        assert camera.trouble


def test_bad_sources_say_what_was_expected(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "text.png").write_text("no picture")
    (tmp_path / "text.mp4").write_text("no video")
    for source, says in (
        ("", "expected socket:PATH"),
        ("webcam:3", "expected socket:PATH"),
        ("csi:x", "csi:0"),
        ("csi:0", "picamera2"),
        (f"file:{tmp_path}/none.png", "is not there"),
        (f"file:{tmp_path}/empty", "no pictures in this folder"),
        (f"file:{tmp_path}/text.png", "is no picture"),
        (f"file:{tmp_path}/text.mp4", "is no video"),
    ):
        with pytest.raises(CameraError, match=says):
            open_camera(source)


def test_a_usb_camera_that_is_not_there_is_trouble(tmp_path: Path) -> None:
    with open_camera(f"v4l2:{tmp_path}/video0") as camera:
        assert camera.read(0.05) is None
