"""Files that anybody may hand over: an error a person can mend, never a crash and never half a picture."""

from __future__ import annotations

import contextlib
import struct
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.pictures import PictureError, open_picture, pictures_in


def coded(ending: str) -> bytes:
    image = np.random.default_rng(1).integers(0, 255, (60, 80, 3), dtype=np.uint8)
    return cv2.imencode(ending, image)[1].tobytes()


@pytest.mark.parametrize("ending", [".jpg", ".png", ".bmp", ".webp"])
def test_every_format_opens_and_keeps_its_size(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"table{ending}"
    path.write_bytes(coded(ending))
    assert open_picture(path).shape == (60, 80, 3)


@pytest.mark.parametrize("ending", [".jpg", ".png", ".bmp", ".webp"])
@pytest.mark.parametrize("share", [0.0, 0.02, 0.5, 0.97])
def test_a_truncated_picture_is_refused(tmp_path: Path, ending: str, share: float) -> None:
    data = coded(ending)
    path = tmp_path / f"table{ending}"
    path.write_bytes(data[: int(len(data) * share)])
    with pytest.raises(PictureError, match="table"):
        open_picture(path)


@pytest.mark.parametrize(
    "behind", [b"\0" * 500, b"\xff\xda\0\x08 notes of a camera", b"\xff\xd8\xff\xe0\0\x10 half a preview"]
)
def test_a_photo_with_something_behind_it_opens(tmp_path: Path, behind: bytes) -> None:
    path = tmp_path / "photo.jpg"
    photo = coded(".jpg")
    path.write_bytes(photo + behind)
    assert open_picture(path).shape == (60, 80, 3)
    path.write_bytes(photo[: len(photo) // 2] + behind)
    with pytest.raises(PictureError):
        open_picture(path)


def test_half_a_photo_with_a_whole_preview_in_its_head_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "photo.jpg"
    photo = coded(".jpg")
    preview = b"\xff\xe1" + (len(photo[:400]) + 4).to_bytes(2, "big") + photo[:400] + b"\xff\xd9"
    path.write_bytes(photo[:2] + preview + photo[2:])
    assert open_picture(path).shape == (60, 80, 3)
    path.write_bytes((photo[:2] + preview + photo[2:])[: len(photo) // 2 + len(preview)])
    with pytest.raises(PictureError, match="middle of the picture"):
        open_picture(path)


def test_an_enormous_picture_is_refused_before_it_is_decoded(tmp_path: Path) -> None:
    data = bytearray(coded(".png"))
    data[16:24] = struct.pack(">II", 200_000, 200_000)
    path = tmp_path / "bomb.png"
    path.write_bytes(data)
    with pytest.raises(PictureError, match="too many"):
        open_picture(path)


def test_noise_in_the_middle_of_a_file_never_crashes(tmp_path: Path) -> None:
    rng = np.random.default_rng(7)
    path = tmp_path / "table.jpg"
    for ending in (".jpg", ".png", ".bmp", ".webp"):
        for _ in range(25):
            data = bytearray(coded(ending))
            for at in rng.integers(0, len(data), 12):
                data[at] = int(rng.integers(0, 256))
            path.write_bytes(data)
            with contextlib.suppress(PictureError):
                assert open_picture(path).ndim == 3


@pytest.mark.parametrize(
    ("name", "data"), [("notes.txt", b"two pair"), ("table.jpg", b""), ("seat.png", b"\x89PNG")]
)
def test_what_is_no_picture_is_named(tmp_path: Path, name: str, data: bytes) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(PictureError, match=name):
        open_picture(tmp_path / name)


def test_a_missing_file_and_a_folder_without_pictures_are_named(tmp_path: Path) -> None:
    with pytest.raises(PictureError, match="cannot be opened"):
        open_picture(tmp_path / "gone.jpg")
    with pytest.raises(PictureError, match="not a file"):
        open_picture(tmp_path)
    with pytest.raises(PictureError, match="no pictures"):
        pictures_in(tmp_path)
