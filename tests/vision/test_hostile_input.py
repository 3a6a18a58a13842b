"""Hostile input of `feltwire vision`: one line that says what, where and what to do; never a traceback."""

from __future__ import annotations

import json
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
    (tmp_path / "trained").mkdir()
    (tmp_path / "trained" / "recipe.json").write_text("{")
    (tmp_path / "two").mkdir()
    for name in ("ok.jpg", "half.jpg"):
        (tmp_path / "two" / name).write_bytes((tmp_path / name).read_bytes())
    two: dict[str, object] = {
        "images": [{"file": name, "cards": [], "chips": {"red": 0}} for name in ("ok.jpg", "half.jpg")]
    }
    (tmp_path / "two" / "labels.json").write_text(json.dumps(two))
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
        ("score two", "half.jpg: the file ends in the middle"),
        ("score two --set gone.toml", "gone.toml: cannot be opened"),
        ("score two --set text.jpg", "is no chip set"),
        ("score two --deck gone.npz", "gone.npz: cannot be opened"),
        ("score two --sheet gone/sheet.png", "cannot be written (No such file or directory); name another file"),
        ("score two --sheet sheet.toml", "use .jpg or .png"),
        ("score two --limit 5", "are for rendered scenes"),
        ("score two --shard 1/2", "are for rendered scenes"),
        ("score --rendered 1 --set gone.toml", "are for a folder of photos"),
        ("score --rendered 1 --resume text.jpg", "is no report of scenes; name another file"),
        ("score --rendered 1 --resume gone/r.jsonl", "cannot be written"),
        ("score --rendered 0", "one scene or more"),
        ("score --rendered 5 --limit 0", "one scene or more"),
        ("enrol text.jpg --deck --out deck.npz", "is no picture that is known here"),
        ("enrol empty --deck --out deck.npz", "no pictures in this folder"),
        ("enrol half.jpg --chips 25 --out set.toml", "ends in the middle"),
        ("enrol ok.jpg half.jpg --deck --out deck.npz", "half.jpg: the file ends in the middle"),
        ("enrol ok.jpg --deck --out gone/deck.npz", "cannot be written (No such file or directory)"),
        ("enrol ok.jpg --deck --out empty", "empty: cannot be written (Is a directory); name another file"),
        ("enrol ok.jpg --deck --out deck.npz --annotate /proc", "nothing can be written in this folder"),
        ("enrol two --chips 25 --out set.toml", "half.jpg: the file ends in the middle"),
        ("enrol ok.jpg --chips 25 --out gone/set.toml", "cannot be written"),
        ("enrol ok.jpg --chips 25,25 --out set.toml", "both have the value 25"),
        ("enrol ok.jpg --chips 25 --out set.toml --diameter 0", "diameter_mm is 0: chips have 20 to 80"),
        ("enrol ok.jpg --chips 25 --out set.toml --thickness nan", "thickness_mm is nan"),
        ("enrol ok.jpg --chips 25,x --out set.toml", "is no chip"),
        ("calibrate text.jpg", "is no picture that is known here"),
        ("calibrate ok.jpg --marker-mm 0", "--marker-mm is 10 to 500"),
        ("calibrate ok.jpg --marker-mm nan", "--marker-mm is 10 to 500"),
        ("calibrate ok.jpg --rail-mm -1", "--rail-mm 0 to 300"),
        ("calibrate ok.jpg --lens open.toml", "`feltwire vision lens` writes one"),
        ("calibrate ok.jpg --fov 0", "expected 20 to 150"),
        ("calibrate webcam:1", "expected socket:PATH"),
        ("calibrate gone.jpg", "gone.jpg: no such picture"),
        ("calibrate v4l2:gone --lens gone.toml", "gone.toml: cannot be opened"),
        ("calibrate v4l2:gone --lens open.toml --lens open.toml", "2 files for 1 cameras"),
        ("calibrate v4l2:gone --fov nan", "expected 20 to 150"),
        ("calibrate v4l2:gone --out gone/felt.toml", "gone/felt.toml: cannot be written"),
        ("calibrate v4l2:gone --annotate gone/seen.jpg", "gone/seen.jpg: cannot be written"),
        ("calibrate v4l2:gone --annotate seen", "seen: this ending is of no picture"),
        ("check v4l2:gone --lens open.toml", "is no lens"),
        ("check v4l2:gone --fov 500", "expected 20 to 150"),
        ("markers --out text.jpg", "no folder can be made there"),
        ("cards ok.jpg --annotate /proc", "/proc: nothing can be written in this folder"),
        ("chips ok.jpg --annotate /proc", "/proc: nothing can be written in this folder"),
        ("train --out text.jpg", "no folder can be made there"),
        ("train --out /proc", "nothing can be written in this folder"),
        ("train --out trained", "trained/recipe.json: is damaged"),
        ("train --out trained --seed -1", "--seed: 0 to 2147483647"),
        ("train --out trained --seed 2147483648", "--seed: 0 to 2147483647"),
        ("lens half.jpg --out lens.toml", "ends in the middle"),
        ("lens ok.jpg half.jpg --out lens.toml", "ends in the middle"),
        ("lens ok.jpg --out gone/lens.toml", "gone/lens.toml: cannot be written"),
    ],
)
def test_what_cannot_be_used_is_said_in_a_line(
    folder: Path, command: str, says: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    assert cli.main(["vision", *command.split()]) == 2
    printed, said = capsys.readouterr()
    assert says in said
    assert said.count("\n") == 1
    assert not printed, "it is said before anything is done"
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
