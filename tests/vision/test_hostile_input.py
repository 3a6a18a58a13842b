"""Hostile input of `feltwire vision`: one line that says what, where and what to do; never a traceback."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from feltwire import cli
from feltwire.tools.vision import shots
from vision.camera import Camera
from vision.camera.frame_socket import CameraFrame
from vision.geometry.pixels import RawPixels


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A picture, a truncated one, text, an unfinished table, a folder without labels, a loop of links."""
    whole = cv2.imencode(".jpg", np.full((90, 120, 3), (60, 90, 30), np.uint8))[1].tobytes()
    (tmp_path / "ok.jpg").write_bytes(whole)
    (tmp_path / "half.jpg").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "text.jpg").write_text("no picture")
    (tmp_path / "open.toml").write_text("a = [")
    (tmp_path / "empty").mkdir()
    (tmp_path / "loop.jpg").symlink_to(tmp_path / "loop.jpg")
    return tmp_path


@pytest.mark.parametrize(
    ("command", "says"),
    [
        ("cards half.jpg", "ends in the middle of the picture; copy it again"),
        ("cards empty", "no pictures in this folder"),
        ("cards loop.jpg", "cannot be opened"),
        ("cards ok.jpg --deck text.jpg", "is no enrolled deck"),
        ("cards ok.jpg --deck empty", "cannot be opened"),
        ("cards ok.jpg --annotate text.jpg", "no folder can be made there"),
        ("chips half.jpg", "ends in the middle"),
        ("chips ok.jpg --set ok.jpg", "is no chip set"),
        ("chips ok.jpg --set open.toml", "is no chip set"),
        ("chips ok.jpg --set gone.toml", "`feltwire vision enrol` writes one"),
        ("score empty", "labels.json: cannot be opened"),
        ("score --rendered 0", "one scene or more"),
        ("score --rendered 5 --limit 0", "one scene or more"),
        ("enrol text.jpg --deck --out deck.npz", "is no picture that is known here"),
        ("enrol empty --deck --out deck.npz", "no pictures in this folder"),
        ("enrol half.jpg --chips 25 --out set.toml", "ends in the middle"),
        ("enrol ok.jpg --chips 25,x --out set.toml", "is no chip"),
        ("calibrate text.jpg", "is no picture that is known here"),
        ("calibrate ok.jpg --marker-mm 0", "--marker-mm is 10 to 500"),
        ("calibrate ok.jpg --marker-mm nan", "--marker-mm is 10 to 500"),
        ("calibrate ok.jpg --rail-mm -1", "--rail-mm 0 to 300"),
        ("calibrate ok.jpg --lens open.toml", "`feltwire vision lens` writes one"),
        ("calibrate ok.jpg --fov 0", "expected 20 to 150"),
        ("calibrate webcam:1", "expected socket:PATH"),
        ("lens half.jpg --out lens.toml", "ends in the middle"),
    ],
)
def test_what_cannot_be_used_is_said_in_a_line(
    folder: Path, command: str, says: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    assert cli.main(["vision", *command.split()]) == 2
    said = capsys.readouterr().err
    assert says in said
    assert said.count("\n") == 1
    assert not {path.name for path in folder.iterdir()} & {"deck.npz", "set.toml", "lens.toml"}


class Unplugged(Camera):
    """A camera that is pulled out after a few pictures."""

    def __init__(self, pictures: int) -> None:
        super().__init__("v4l2:/dev/video0")
        self.left, self.asked = pictures, 0

    def read(self, timeout: float) -> CameraFrame | None:
        self.asked += 1
        self.left -= 1
        if self.left >= 0:
            return CameraFrame(RawPixels(np.full((90, 120, 3), 90, np.uint8)), self.asked, self.asked)
        self.trouble = "camera /dev/video0 gives no pictures: was it unplugged?"
        return None

    def close(self) -> None:
        """Nothing is held open."""


@pytest.mark.parametrize("pictures", [0, 3])
def test_a_camera_that_goes_away_while_it_is_calibrated_is_not_waited_for_again_and_again(
    pictures: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    camera = Unplugged(pictures)
    monkeypatch.setattr(shots, "open_camera", lambda source: camera)
    assert cli.main(["vision", "calibrate", "v4l2:/dev/video0"]) == 2
    assert "was it unplugged?" in capsys.readouterr().err
    assert camera.asked == pictures + 1
