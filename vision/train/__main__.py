"""Train the reader's classifiers: `feltwire vision train --out DIR`, or `python -m vision.train`.

Draws whole cards and corners. Some typefaces train; others are held out and measure the result. The same seed,
fonts and library versions give the same files; `recipe.json` beside them records all of these.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.metadata
import importlib.util
import json
import platform
import sys
import time
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.corner import MODEL as CORNER_MODEL
from vision.cards.joker import MODEL as JOKER_MODEL
from vision.cards.network import store, vote
from vision.cards.signs import CLASSES, CLASSIFIERS, MODEL, features, names
from vision.cards.whole import MODEL as WHOLE_MODEL
from vision.train.count import train_whole
from vision.train.drawn import UNKNOWN, Drawn, Sample, drawn_in_parts
from vision.train.jokers import train_jokers
from vision.train.learn import fit
from vision.train.typefaces import HERSHEY, Face, typefaces

SIGNS_OF = 96_000  # of the corners the signs are cut out: more would fill a small machine's memory
HELD_OUT = ("DejaVuSerif", "LiberationMono", "RobotoSlab", "LinBiolinum", "P052")
LIMITS = (0.5, 0.9, 0.99, 0.999)
PARTS = ("signs", "corner", "whole", "joker")
RECIPE = "recipe.json"


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m vision.train", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--corners", type=int, default=240_000, help="corners to learn from (default 240,000)")
    parser.add_argument("--held-out", type=int, default=4_000, help="corners in other typefaces to judge by")
    parser.add_argument("--epochs", type=float, default=12, help="for the network of the corner (default 12)")
    parser.add_argument("--whole", type=int, default=16_000, help="whole cards to learn from (default 16,000)")
    parser.add_argument("--jokers", type=int, default=32_000, help="jokers' corners and others (default 32,000)")
    parser.add_argument(
        "--processes", type=int, default=2, help="that draw corners (default 2); the same come out"
    )
    parser.add_argument("--only", choices=PARTS, help="train one of the classifiers")
    parser.add_argument("--out", type=Path, default=MODEL.parent, help="folder for the trained files")
    given = parser.parse_args(argv)
    parts = [given.only] if given.only else list(PARTS)
    if "corner" in parts and importlib.util.find_spec("torch") is None:  # fail now, not after drawing
        _say("the network of the corner is trained by PyTorch, which is not here: pip install -e .[train]")
        return 2
    cv2.setNumThreads(1)
    cv2.setRNGSeed(given.seed)
    scores: dict[str, Any] = {}
    if "signs" in parts or "corner" in parts:
        learn, held = _drawn(given.seed, given.corners, given.held_out, given.processes)
        if "signs" in parts:
            scores["signs"] = _train_signs(given.seed, learn, held, given.out / MODEL.name)
        if "corner" in parts:
            scores["corner"] = _train_corner(given, learn, held)
    if "whole" in parts:
        train_whole(given.seed, given.whole, given.held_out // 2, given.out / WHOLE_MODEL.name, _say)
    if "joker" in parts:
        faces = split_typefaces()
        scores["joker"] = train_jokers(
            given.seed, *faces, given.jokers, given.held_out, given.out / JOKER_MODEL.name, _say
        )
    _write_recipe(given, parts, scores)
    return 0


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def split_typefaces() -> tuple[list[Face], list[Face]]:
    """The faces to learn from, and those held out."""
    found = typefaces()
    held = [face for face in found if face.name.startswith(HELD_OUT)]
    return [*(face for face in found if face not in held), *HERSHEY[:3]], [*held, *HERSHEY[3:]]


def _drawn(seed: int, corners: int, held_out: int, processes: int) -> tuple[Drawn, Drawn]:
    learn_faces, held_faces = split_typefaces()
    started = time.monotonic()
    learn = drawn_in_parts(learn_faces, (seed, 1), corners, SIGNS_OF, processes)
    held = drawn_in_parts(held_faces, (seed, 2), held_out, held_out, processes)
    _say(f"drew {corners} + {held_out} corners in {time.monotonic() - started:.0f} s")
    return learn, held


def _train_signs(seed: int, learn: Drawn, held: Drawn, path: Path) -> dict[str, Any]:
    arrays: dict[str, NDArray[np.generic]] = {}
    scores = {}
    for kind in CLASSES:
        given, truth = _table(learn.samples, kind)
        networks = [fit(given, truth, CLASSES[kind], seed * 100 + i) for i in range(CLASSIFIERS)]
        for i, network in enumerate(networks):
            arrays |= network.arrays(*names(kind, i))
        unseen, answers = _table(held.samples, kind)
        scores[kind] = _score(f"sign of a {kind}", vote(networks, unseen), answers)
    store(path, arrays)
    return scores


def _train_corner(given: argparse.Namespace, learn: Drawn, held: Drawn) -> dict[str, Any]:
    from vision.train.convolve import fit_corner, scores_of  # it needs PyTorch, which nothing else does

    path = given.out / CORNER_MODEL.name
    fit_corner(learn, given.epochs, given.seed, path, _say)
    ranks, suits = scores_of(path, held)
    return {
        "rank": _score("rank of a corner", ranks, held.ranks),
        "suit": _score("suit of a corner", suits, held.suits),
    }


def _table(samples: list[Sample], kind: str) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    chosen = [s for s in samples if s.kind == kind]
    ink = np.stack([s.glyph.ink for s in chosen])
    aspect = np.array([s.glyph.aspect for s in chosen], np.float32)
    parts = [features(ink[i : i + 2000], aspect[i : i + 2000]) for i in range(0, len(ink), 2000)]
    return np.vstack(parts), np.array([CLASSES[kind].index(s.truth) for s in chosen])


def _score(name: str, odds: NDArray[np.float32], truth: NDArray[np.int64]) -> dict[str, Any]:
    """How many held-out signs are read right and wrong above each limit of confidence."""
    nothing = odds.shape[1] - 1
    said, confidence = odds.argmax(axis=1), odds.max(axis=1)
    signs = (truth != nothing) & (truth != UNKNOWN)
    right, wrong = signs & (said == truth), (said != truth) & (said != nothing) & (truth != UNKNOWN)
    rows = {
        str(limit): [round(float((right & (confidence > limit)).sum() / signs.sum()), 4),
                     int((wrong & (confidence > limit)).sum())]
        for limit in LIMITS
    }  # fmt: skip
    _say(f"{name}: {len(truth)} held out; above each limit the share read and how many wrong: {rows}")
    return {"held_out": len(truth), "read_and_wrong_above": rows}


def _write_recipe(given: argparse.Namespace, parts: list[str], scores: dict[str, Any]) -> None:
    """What the files were made from, what they scored, and what they are: `recipe.json`."""
    path = given.out / RECIPE
    before = json.loads(path.read_text()) if path.exists() else {}
    learn_faces, held_faces = split_typefaces()
    versions = {name: _version(name) for name in ("numpy", "opencv-python-headless", "pillow", "torch")}
    recipe = {
        "command": f"python -m vision.train --seed {given.seed} --corners {given.corners} "
        f"--held-out {given.held_out} --epochs {given.epochs:g} --whole {given.whole} --jokers {given.jokers}",
        "python": platform.python_version(),
        "versions": versions,
        "typefaces": [face.name for face in learn_faces if isinstance(face, Path)],
        "held_out_typefaces": [face.name for face in held_faces if isinstance(face, Path)],
        "scores": {**before.get("scores", {}), **scores},
        "sha256": {
            file.name: hashlib.sha256(file.read_bytes()).hexdigest()
            for file in (given.out / model.name for model in (MODEL, CORNER_MODEL, WHOLE_MODEL, JOKER_MODEL))
            if file.exists()
        },
    }
    path.write_text(json.dumps(recipe, indent=1, ensure_ascii=False) + "\n")
    _say(f"{', '.join(parts)}: {path} written")


def _version(name: str) -> str | None:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


if __name__ == "__main__":
    sys.exit(main())
