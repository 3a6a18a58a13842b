"""Reads rendered scenes and counts: `python -m vision.evaluation.rendered --scenes 400 --seed 1 [--json]`.

Every scene is a table of two to eleven seats with cards thrown a little askew under a light of its own. The reader
has never met the renderer's typeface, suits or felt. Exits 1 when a card was misread.
"""

from __future__ import annotations

import argparse
import itertools
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import cv2
import numpy as np

from table_core.messages import FOR_CHIPS, Zone, ZoneKind
from vision.annotate import annotate
from vision.cards import CardReader
from vision.geometry.felt import Felt
from vision.synthetic.felt import Cover, LyingCard, Rendered, Renderer, Scene, SceneLight
from vision.watching.watched import Annotation, Kind
from vision.watching.watcher import VOTES, Watcher

DECK = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]

MESSY = "messy"  # cards on top of each other, hands and cloths in the way: unread is right, a wrong name is not

# Conditions, from a well-lit room to an unplayable one.
LIGHTS = {
    "normal": SceneLight(),
    "bright": SceneLight(level=1.12, noise=1.5, warmth=0.0),
    "warm, uneven": SceneLight(level=0.9, gradient=0.35, warmth=0.9, noise=3.0),
    "dim": SceneLight(level=0.55, gradient=0.25, warmth=0.5, noise=4.0),
    "very dim, noisy": SceneLight(level=0.32, gradient=0.25, noise=7.0),
    "soft lens": SceneLight(blur_px=0.9, noise=2.5),
    MESSY: SceneLight(noise=2.5),
}


@dataclass
class Score:
    """Counts of one condition. `invented` are names given where no face-up card lies."""

    cards: int = 0
    read: int = 0
    wrong: int = 0
    backs: int = 0
    backs_seen: int = 0
    invented: int = 0
    zone_ms: list[float] = field(default_factory=list)
    still_ms: list[float] = field(default_factory=list)

    @property
    def unread(self) -> int:
        return self.cards - self.read


def random_scene(felt: Felt, light: SceneLight, rng: random.Random) -> Scene:
    """A table in the middle of a hand: some board, some hands tabled, some face down."""
    deck = DECK.copy()
    rng.shuffle(deck)
    cards: list[LyingCard] = []

    def lay(zone: Zone, index: int, of: int, card: str | None) -> None:
        x, y, angle = felt.spot(zone, index, of)
        turn = angle + rng.gauss(0, 2.0) + rng.choice((0, 180))
        cards.append(LyingCard(card, x + rng.uniform(-2, 2), y + rng.uniform(-4, 4), turn))

    for slot in range(rng.choice((0, 3, 4, 5, 5))):
        lay(Zone.BOARD, slot, 5, deck.pop())
    for seat in range(1, felt.seats + 1):
        how = rng.random()
        for i in range(2 if how < 0.85 else 0):
            lay(Zone.cards(seat), i, 2, deck.pop() if how < 0.5 else None)
    return Scene(felt, tuple(cards), button=rng.randint(1, felt.seats), light=light, seed=rng.randrange(1000))


def messy_scene(felt: Felt, light: SceneLight, rng: random.Random) -> Scene:
    """Cards thrown over each other in every zone for cards, and something in front of some of them."""
    deck = DECK.copy()
    rng.shuffle(deck)
    cards = []
    for zone, where in felt.zones.items():
        if zone.kind in FOR_CHIPS or zone.kind is ZoneKind.BUTTON:
            continue
        for _ in range(rng.randint(1, 3)):
            right, down = rng.uniform(-0.3, 0.3) * where.width, rng.uniform(-0.15, 0.15) * where.height
            card = deck.pop() if deck and rng.random() < 0.7 else None
            cards.append(LyingCard(card, *where.at(right, down), where.angle_deg + rng.gauss(0, 25)))
    over = rng.sample([*felt.zones], 3)
    covered = tuple((zone, rng.choice(list(Cover))) for zone in over)
    return Scene(felt, tuple(cards), light=light, covered=covered, seed=rng.randrange(1000))


def score_scene(
    renderer: Renderer, scene: Scene, reader: CardReader, score: Score
) -> tuple[Rendered, list[Annotation]]:
    """Show a scene to a fresh watcher until everything is read, and count. Boxes are in pixels."""
    watcher = Watcher(scene.felt, reader)
    shots = [renderer.render(replace(scene, seed=scene.seed + i)) for i in range(VOTES + 2)]
    watcher.step(shots[0].image)
    started = time.perf_counter()
    pictures = itertools.cycle(shots[1:])
    watcher.step(next(pictures).image)
    while watcher.reading:
        watcher.step(next(pictures).image)
    boxes = [box for watched in watcher.watched.values() for box in watched.boxes]
    score.zone_ms.append((time.perf_counter() - started) * 1e3 / VOTES / len(scene.felt.zones))
    started = time.perf_counter()
    watcher.step(next(pictures).image)
    score.still_ms.append((time.perf_counter() - started) * 1e3)
    _count(shots[0], boxes, score)
    return shots[0], boxes


def _count(shot: Rendered, boxes: list[Annotation], score: Score) -> None:
    """Every name must be that of a face-up card lying there; every card and back should have its box."""
    named = [box for box in boxes if box.kind is Kind.READ]
    for box in named:
        near = [label for label in shot.labels if _together(box.corners, label.corners)]
        if not any(label.card == box.text for label in near):
            faces = any(label.face_up for label in near)
            score.wrong += faces
            score.invented += not faces
    for label in shot.labels:
        here = [box for box in boxes if _together(box.corners, label.corners)]
        if label.card is None:
            score.backs += 1
            score.backs_seen += any(box.kind is Kind.FACE_DOWN for box in here)
        else:
            score.cards += 1
            score.read += any(box.kind is Kind.READ and box.text == label.card for box in here)


def _together(one: object, other: object) -> bool:
    apart = np.mean(np.asarray(one), axis=0) - np.mean(np.asarray(other), axis=0)
    return float(np.hypot(*apart)) < 15


def run(scenes: int, seed: int, pictures: Path | None = None) -> Iterator[tuple[str, Score]]:
    """Scores by condition; scenes with a fault are written to the folder `pictures`."""
    rng = random.Random(seed)
    reader = CardReader()
    scores = {name: Score() for name in LIGHTS}
    renderer = Renderer(Felt.for_seats(9))
    for number in range(scenes):
        if number % 24 == 0:
            renderer = Renderer(Felt.for_seats(rng.randint(2, 11)))
        name = list(LIGHTS)[number * len(LIGHTS) // scenes]
        scene = (messy_scene if name == MESSY else random_scene)(renderer.felt, LIGHTS[name], rng)
        before = Counter(wrong=scores[name].wrong, unread=scores[name].unread, invented=scores[name].invented)
        shot, boxes = score_scene(renderer, scene, reader, scores[name])
        after = Counter(wrong=scores[name].wrong, unread=scores[name].unread, invented=scores[name].invented)
        if pictures is not None and after != before:
            cv2.imwrite(str(pictures / f"scene-{number}.png"), annotate(shot.image, boxes))
    yield from scores.items()


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m vision.evaluation.rendered", description=__doc__)
    parser.add_argument("--scenes", type=int, default=120)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pictures", type=Path, help="write annotated pictures of scenes with faults here")
    parser.add_argument("--json", action="store_true", help="one JSON object a line on stdout")
    given = parser.parse_args(argv)
    cv2.setNumThreads(1)
    print(f"seed {given.seed}, {given.scenes} scenes", file=sys.stderr)
    faults = 0
    for name, score in run(given.scenes, given.seed, given.pictures):
        faults += score.wrong + score.invented
        _tell(name, score, given.json)
    return 1 if faults else 0


def _tell(name: str, score: Score, as_json: bool) -> None:
    totals = {
        "light": name,
        "cards": score.cards,
        "read": score.read,
        "unread": score.unread,
        "wrong": score.wrong,
        "invented": score.invented,
        "backs": score.backs,
        "backs_seen": score.backs_seen,
        "zone_ms": round(float(np.mean(score.zone_ms or [0])), 2),
        "still_ms": round(float(np.median(score.still_ms or [0])), 2),
    }
    print(json.dumps(totals) if as_json else "  ".join(f"{key} {value}" for key, value in totals.items()))


if __name__ == "__main__":
    sys.exit(main())
