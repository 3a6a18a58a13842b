"""The corner classifier: it reads rank and suit from a corner as one small picture, without cutting signs out
first.

It works beside the signs that `index` cuts out and does not need ink that is separate from its neighbours, so
bleached, smeared and touching print does not hinder it. The network is small and convolutional, trained by
`vision.train`, stored as ONNX and run by onnxruntime.
"""

from __future__ import annotations

import functools
from pathlib import Path

import cv2
import numpy as np
import onnxruntime
from numpy.typing import NDArray

from vision.cards.find import Image
from vision.cards.index import FLAT_PX_PER_MM
from vision.cards.network import ModelError
from vision.cards.signs import NOTHING, RANKS, SUITS

MODEL = Path(__file__).resolve().parent.parent / "models" / "corner.onnx"
WINDOW_MM = (20.0, 42.0)  # of the card's corner that is looked at
WINDOW_SIZE = (40, 84)  # width, height in pixels
RANK_CLASSES, SUIT_CLASSES = RANKS + NOTHING, SUITS + NOTHING

Window = NDArray[np.uint8]
Odds = NDArray[np.float32]


def window(flat: Image, paper: NDArray[np.float32]) -> Window:
    """How much ink lies in the top left corner of a flat card: (3, 84, 40), blue, green, red, 0 (paper) to 255."""
    width, height = (round(mm * FLAT_PX_PER_MM) for mm in WINDOW_MM)
    small = cv2.resize(flat[:height, :width], WINDOW_SIZE, interpolation=cv2.INTER_AREA)
    ink = 255.0 - np.minimum(small * (255.0 / paper), 255.0)
    return np.ascontiguousarray(ink.astype(np.uint8).transpose(2, 0, 1))


class CornerClassifier:
    """The network of the corner. Safe to share between threads."""

    def __init__(self, path: Path = MODEL) -> None:
        """Raise `ModelError` when the trained file is missing or damaged."""
        self._session = _opened(path)

    def __call__(self, windows: list[Window]) -> tuple[Odds, Odds]:
        """How likely each window shows each rank (n, 14) and each suit (n, 5); the last class is `NOTHING`."""
        given = np.stack(windows).astype(np.float32) / 255.0
        (scores,) = self._session.run(None, {"ink": given})
        return _odds(scores[:, : len(RANK_CLASSES)]), _odds(scores[:, len(RANK_CLASSES) :])


def _odds(scores: Odds) -> Odds:
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True), np.float32)


@functools.lru_cache(maxsize=2)
def _opened(path: Path) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1  # leave the other cores to the rest of the table
    options.log_severity_level = 3
    try:
        return onnxruntime.InferenceSession(path.read_bytes(), options, providers=["CPUExecutionProvider"])
    except OSError as error:
        raise ModelError(f"{path} is missing: feltwire vision train writes it") from error
    except Exception as error:  # onnxruntime's own errors share no base class
        raise ModelError(f"{path} is no trained file; feltwire vision train writes one") from error
