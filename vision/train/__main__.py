"""Train the reader's voices: `python -m vision.train --seed 1` (about ten minutes on one core).

Draws whole cards, and corners in some typefaces to learn from and in others, held out, to see how sure is sure
enough. The limits of confidence come from the hold-out alone. The same seed and fonts give the same networks.
"""

from __future__ import annotations

import argparse
import itertools
import sys
import time
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.signs import MODEL, NOTHING, RANKS, SUITS, Network, features, vote
from vision.cards.whole import MODEL as WHOLE_MODEL
from vision.train.count import train_whole
from vision.train.drawn import HERSHEY, Press, Sample, typefaces
from vision.train.learn import fit

VOICES = 2
LEAST_SURE, LEAST_VERY_SURE = 0.95, 0.98  # however good the hold-out looks
HELD_OUT = ("DejaVuSerif", "LiberationMono")
CLASSES = {"rank": RANKS + NOTHING, "suit": SUITS + NOTHING}


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m vision.train", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--samples", type=int, default=60_000, help="signs to learn from (default 60,000)")
    parser.add_argument("--held-out", type=int, default=12_000, help="signs to set the limits with")
    parser.add_argument("--whole", type=int, default=24_000, help="whole cards to learn from (default 24,000)")
    parser.add_argument("--only", choices=("signs", "whole"), help="train one of the two voices")
    parser.add_argument("--out", type=Path, default=MODEL.parent, help="folder for signs.npz and whole.npz")
    given = parser.parse_args(argv)
    cv2.setNumThreads(1)
    cv2.setRNGSeed(given.seed)
    if given.only != "whole":
        _train_signs(given.seed, given.samples, given.held_out, given.out / MODEL.name)
    if given.only != "signs":
        train_whole(given.seed, given.whole, given.held_out // 3, given.out / WHOLE_MODEL.name, _say)
    return 0


def _train_signs(seed: int, samples: int, held_out: int, path: Path) -> None:
    learn, held = _drawn(seed, samples, held_out)
    networks = {kind: _voices(kind, learn, seed) for kind in CLASSES}
    sure, very_sure = _limits(networks, held)
    _save(path, networks, sure, very_sure)
    _say(f"{path} written: sure {sure:.4f}, very sure {very_sure:.4f}")


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def _drawn(seed: int, samples: int, held_out: int) -> tuple[list[Sample], list[Sample]]:
    fonts = typefaces()
    held_fonts = [f for f in fonts if f.name.startswith(HELD_OUT)]
    others = [f for f in fonts if f not in held_fonts]
    started = time.monotonic()
    learn = Press([*others, *HERSHEY[:3]], np.random.default_rng([seed, 1])).samples()
    held = Press([*held_fonts, *HERSHEY[3:]], np.random.default_rng([seed, 2])).samples()
    drawn = list(itertools.islice(learn, samples)), list(itertools.islice(held, held_out))
    _say(f"drew {samples} + {held_out} signs in {time.monotonic() - started:.0f} s")
    return drawn


def _table(samples: list[Sample], kind: str) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    chosen = [s for s in samples if s.kind == kind]
    ink = np.stack([s.glyph.ink for s in chosen])
    aspect = np.array([s.glyph.aspect for s in chosen], np.float32)
    parts = [features(ink[i : i + 2000], aspect[i : i + 2000]) for i in range(0, len(ink), 2000)]
    return np.vstack(parts), np.array([CLASSES[kind].index(s.truth) for s in chosen])


def _voices(kind: str, samples: list[Sample], seed: int) -> tuple[Network, ...]:
    given, truth = _table(samples, kind)
    return tuple(fit(given, truth, CLASSES[kind], seed * 100 + voice) for voice in range(VOICES))


def _limits(networks: dict[str, tuple[Network, ...]], held: list[Sample]) -> tuple[float, float]:
    """How sure a corner must be: with the other one agreeing, and alone.

    Alone: surer than any wrong sign of the hold-out was, half way again to certainty. Agreeing: surer than all but
    one in a thousand wrong signs among all; two corners that err alike at that level are one in a million.
    """
    wrong, count = [], 0
    for kind, voices in networks.items():
        given, truth = _table(held, kind)
        odds = vote(voices, given)
        said, confidence = odds.argmax(axis=1), odds.max(axis=1)
        named = said != len(CLASSES[kind]) - 1
        bad = named & (said != truth)
        wrong += [float(c) for c in confidence[bad]]
        count += len(truth)
        right, signs = (said == truth) & named, (truth < len(CLASSES[kind]) - 1).sum()
        _say(
            f"{kind}: {len(truth)} held out, {right.sum() / signs:.4%} of signs right, "
            f"{bad.sum()} wrong, surest wrong {max(confidence[bad], default=0):.4f}"
        )
        for limit in (0.8, 0.9, 0.95, 0.99, 0.999):
            share = (right & (confidence > limit)).sum() / signs
            _say(f"  above {limit}: {share:.4%} read, {(bad & (confidence > limit)).sum()} wrong")
    wrong.sort(reverse=True)
    allowed = wrong[min(len(wrong) - 1, count // 1000)] if wrong else 0.0
    surest = wrong[0] if wrong else 0.0
    return max(LEAST_SURE, allowed), max(LEAST_VERY_SURE, (1 + surest) / 2)


def _save(path: Path, networks: dict[str, tuple[Network, ...]], sure: float, very_sure: float) -> None:
    arrays: dict[str, Any] = {}
    for kind, voices in networks.items():
        arrays[f"{kind}_mean"], arrays[f"{kind}_scale"] = voices[0].mean, voices[0].scale
        for voice, network in enumerate(voices):
            for i, (weight, bias) in enumerate(zip(network.weights, network.biases, strict=True)):
                arrays[f"{kind}{voice}_w{i}"] = weight.astype(np.float16)
                arrays[f"{kind}{voice}_b{i}"] = bias
    depth = len(networks["rank"][0].weights)
    path.parent.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(
        path,
        **arrays,
        voices=np.array(VOICES),
        depth=np.array(depth),
        sure=np.array(sure),
        very_sure=np.array(very_sure),
    )


if __name__ == "__main__":
    sys.exit(main())
