"""The letters to draw ranks with: outline fonts of the machine, free ones only, and OpenCV's strokes.

Playing cards are set in all kinds of letters, so the more kinds a training sees the better it knows a rank in one
that it has not seen. What was there is written into the recipe beside the trained files; a training on a machine
with other fonts gives other files.
"""

from __future__ import annotations

import functools
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image as Pil
from PIL import ImageDraw, ImageFont

from vision.train.suits import cut_to_ink

Grey = NDArray[np.float32]
Face = Path | int  # an outline font, or the number of one of OpenCV's

# Debian: fonts-dejavu fonts-liberation fonts-urw-base35 fonts-freefont-ttf fonts-roboto-slab fonts-lato
# fonts-linuxlibertine fonts-ebgaramond fonts-crosextra-carlito fonts-crosextra-caladea fonts-lmodern
# fonts-gfs-didot fonts-gfs-artemisia fonts-sil-gentium-basic fonts-comfortaa fonts-cantarell fonts-open-sans
# fonts-quattrocento fonts-play fonts-roboto-unhinted fonts-jura fonts-bebas-neue fonts-vollkorn fonts-cabin
# fonts-prociono fonts-goudybookletter fonts-inter
_SHARE = Path("/usr/share/fonts")
FOLDERS = (
    *(_SHARE / "truetype" / name for name in ("dejavu", "liberation", "freefont", "lato", "crosextra")),
    *(_SHARE / "truetype" / name for name in ("gentium-basic", "comfortaa", "open-sans", "play", "vollkorn")),
    _SHARE / "truetype" / "roboto" / "unhinted" / "RobotoTTF",
    *(_SHARE / "opentype" / name for name in ("urw-base35", "roboto/slab", "linux-libertine", "ebgaramond")),
    *(_SHARE / "opentype" / name for name in ("didot", "artemisia", "cantarell", "quattrocento", "jura")),
    *(_SHARE / "opentype" / name for name in ("bebas-neue", "cabin", "fonts-prociono", "sortsmill", "inter")),
    Path("/usr/share/texmf/fonts/opentype/public/lm"),
)
LEANING = ("italic", "oblique", "slant", "-it", "caps", "initials", "symbol", "d050000l", "z003", "dunhill")
HERSHEY = (
    cv2.FONT_HERSHEY_SIMPLEX,
    cv2.FONT_HERSHEY_DUPLEX,
    cv2.FONT_HERSHEY_COMPLEX,
    cv2.FONT_HERSHEY_TRIPLEX,
    cv2.FONT_HERSHEY_PLAIN,
)
SAMPLE_PX = 110


def typefaces() -> list[Path]:
    """The upright outline fonts to draw from, in a fixed order; raise FileNotFoundError when there are none."""
    files = [p for folder in FOLDERS for ending in ("*.ttf", "*.otf") for p in sorted(folder.glob(ending))]
    found = [p for p in files if not any(word in p.stem.lower() for word in LEANING)]
    if not found:
        raise FileNotFoundError("no fonts to draw with: apt install fonts-dejavu fonts-liberation")
    return found


@functools.lru_cache(maxsize=8192)
def lettering(face: Face, text: str) -> Grey | None:
    """Ink (0 to 1) of a text, cut to its box; None when the face has no such sign.

    The shape is (height, width), in pixels.
    """
    if isinstance(face, int):
        return _hershey(face, text) if text.isascii() else None
    font = _opened(face)
    if not text.isascii() and bytes(font.getmask(text)) == bytes(font.getmask("\uffff")):
        return None
    page = Pil.new("L", (420, 260), 0)
    ImageDraw.Draw(page).text((60, 40), text, font=font, fill=255)
    return cut_to_ink(np.asarray(page, np.float32) / 255)


@functools.lru_cache(maxsize=256)
def _opened(face: Path) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(face), SAMPLE_PX)


def _hershey(face: int, text: str) -> Grey | None:
    page = np.zeros((260, 420), np.uint8)
    cv2.putText(page, text, (60, 180), face, 4.0 if face != cv2.FONT_HERSHEY_PLAIN else 8.0, 255, 12, cv2.LINE_AA)
    return cut_to_ink(page.astype(np.float32) / 255)
