"""Pictures that somebody sends: what is shown is always ours, and nothing that comes fells the station."""

from __future__ import annotations

import struct
import subprocess
import zlib
from io import BytesIO

import cv2
import numpy as np
import pytest
from PIL import Image

from feltwire.private_files import python
from feltwire.station import picture
from feltwire.station.picture import MOST, MOST_SENT, PictureRefusedError, checked_head, coded_anew


def drawn(width: int = 60, height: int = 40) -> Image.Image:
    return Image.linear_gradient("L").resize((width, height)).convert("RGB")


def saved(image: Image.Image, kind: str, **how: object) -> bytes:
    file = BytesIO()
    image.save(file, kind, **how)  # type: ignore[arg-type]
    return file.getvalue()


def read(webp: bytes) -> np.ndarray:
    assert webp.startswith(b"RIFF")
    assert webp[8:12] == b"WEBP"
    found = cv2.imdecode(np.frombuffer(webp, np.uint8), cv2.IMREAD_UNCHANGED)
    assert found is not None
    return found


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width: int, height: int, data: bytes = b"", *more: bytes) -> bytes:
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    return b"".join([b"\x89PNG\r\n\x1a\n", head, *more, chunk(b"IDAT", zlib.compress(data)), chunk(b"IEND", b"")])


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
def test_each_kind_is_shown(kind: str) -> None:
    assert read(coded_anew(saved(drawn(), kind), "logo")).shape[:2] == (40, 60)


def test_transparent_parts_stay_so() -> None:
    image = drawn().convert("RGBA")
    image.putalpha(Image.linear_gradient("L").resize(image.size))
    shown = read(coded_anew(saved(image, "PNG"), "logo"))
    assert shown.shape[2] == 4
    assert shown[0, 0, 3] < shown[-1, 0, 3]


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "I;16"])
def test_grey_and_palettes_are_shown(mode: str) -> None:
    image = drawn().convert("L").convert(mode) if mode != "P" else drawn().quantize()
    assert read(coded_anew(saved(image, "PNG"), "logo")).shape[:2] == (40, 60)


def test_a_photo_is_turned_as_it_was_held_and_says_no_longer_where() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # turned by a quarter
    exif[0x010F] = "marker of the camera"
    exif.get_ifd(0x8825)[2] = (52.0, 31.0, 12.0)
    raw = saved(drawn(), "JPEG", exif=exif, comment=b"marker of a comment")
    assert b"marker" in raw
    shown = coded_anew(raw, "logo")
    assert read(shown).shape[:2] == (60, 40)
    assert b"marker" not in shown
    assert b"EXIF" not in shown
    assert b"ICCP" not in shown


def test_a_large_picture_is_made_small() -> None:
    rng = np.random.default_rng(7)
    noise = Image.fromarray(rng.integers(0, 255, (700, 900, 3), np.uint8)).resize((3_000, 2_200))
    raw = saved(noise, "JPEG", quality=60)
    assert len(raw) <= MOST_SENT
    for slot, (most, width, height) in MOST.items():
        coded = coded_anew(raw, slot)
        shown = read(coded)
        assert len(coded) <= most
        assert shown.shape[0] <= height
        assert shown.shape[1] <= width


SVG = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (b"", "PNG, JPEG or WebP"),
        (SVG, "PNG, JPEG or WebP"),
        (b"<?xml version='1.0'?>" + SVG, "PNG, JPEG or WebP"),
        (saved(drawn(), "GIF"), "PNG, JPEG or WebP"),
        (saved(drawn(), "BMP"), "PNG, JPEG or WebP"),
        (saved(drawn(), "TIFF"), "PNG, JPEG or WebP"),
        (b"\xff\xd8\xff\xe0\x00\x00", "PNG, JPEG or WebP"),
        (b"\xff\xd8\xff" + b"\xff" * 5_000, "PNG, JPEG or WebP"),
        (b"RIFF\x00\x00\x00\x00WEBPVP8X", "PNG, JPEG or WebP"),
        (b"\x89PNG\r\n\x1a\n", "PNG, JPEG or WebP"),
        (png(0, 5), "pixels"),
        (png(2**31 - 1, 2**31 - 1), "pixels"),
        (png(8_000, 8_000), "pixels"),
        (b"x" * (MOST_SENT + 1), "2 MB are the most"),
        (saved(drawn(), "PNG", save_all=True, append_images=[drawn()] * 2), "moves"),
        (saved(drawn(), "WEBP", save_all=True, append_images=[drawn().rotate(90)] * 2), "moves"),
    ],
)  # fmt: skip
def test_what_is_no_still_picture_is_refused_before_a_decoder_sees_it(raw: bytes, words: str) -> None:
    with pytest.raises(PictureRefusedError, match=words):
        checked_head(raw)


def shown_or_refused(raw: bytes) -> tuple[int, ...] | str:
    """The size of what is shown, or the words of a refusal."""
    try:
        return read(coded_anew(raw, "logo")).shape[:2]
    except PictureRefusedError as refused:
        return str(refused)


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
def test_a_picture_that_ends_early_is_refused_in_words_or_shown(kind: str) -> None:
    raw = saved(drawn(300, 200), kind)
    for cut in (30, len(raw) // 2, len(raw) - 3):
        assert shown_or_refused(raw[:cut])


def test_bombs_are_refused_or_shown_as_large_as_their_head_says() -> None:
    """Four million pixels that the head names, and far more that the data holds; a second head that names more."""
    bomb = png(2_000, 2_000, b"\x00" * 300_000_000)
    assert len(bomb) < MOST_SENT
    assert shown_or_refused(bomb) in (
        (400, 400),
        "it cannot be read to its end; save it anew, with another program",
    )
    lies = png(4, 4, b"\x00" * 50_000_000, chunk(b"IHDR", struct.pack(">IIBBBBB", 30_000, 30_000, 8, 2, 0, 0, 0)))
    assert shown_or_refused(lies) in ((4, 4), "it cannot be read to its end; save it anew, with another program")


def test_a_decoder_that_dies_or_hangs_takes_nothing_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = saved(drawn(), "PNG")
    monkeypatch.setattr(picture, "python", lambda *_: ("/bin/sh", "-c", "kill -SEGV $$"))
    with pytest.raises(PictureRefusedError, match="cannot be read"):
        coded_anew(raw, "logo")
    monkeypatch.setattr(picture, "python", lambda *_: ("/bin/sh", "-c", "exec sleep 600"))
    monkeypatch.setattr(picture, "TIMES_OUT_S", 0.2)
    with pytest.raises(PictureRefusedError, match="smaller"):
        coded_anew(raw, "logo")
    monkeypatch.setattr(picture, "python", lambda *_: ("/bin/sh", "-c", "echo '<svg>'"))
    with pytest.raises(PictureRefusedError):
        coded_anew(raw, "logo")


def test_the_child_may_write_no_file_and_use_no_more_memory() -> None:
    """Its limits, as it sees them itself."""
    code = (
        "import resource,sys; from feltwire.station import picture; import io;"
        "sys.stdin = io.TextIOWrapper(io.BytesIO(b'no picture')); picture.main('logo', 'png');"
        "print(resource.getrlimit(resource.RLIMIT_FSIZE)[0], resource.getrlimit(resource.RLIMIT_CPU)[0])"
    )
    command = (python("x")[0], "-c", code)
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["0", "10"]
