"""Single cards under a coarse, noisy webcam, through the watcher: `python -m tests.vision.looks --limit 20000`.

A run is one card on a piece of cloth at 0.7 to 1.3 px/mm, at any angle, of any deck, in a light of its own, and
nine pictures of it as a webcam gives them: noise, sharpening, JPEG with its colours halved. The watcher looks two
to five times and says what it says. The number and the seed decide everything.

    --limit 20000              runs; about two and a half looks each, 0.1 s of a core
    --seed 1  --shard 2/4      other chance; every fourth run from the second
    --resume FILE              add to this report (a line a run) what it has not yet
    --taught                   each deck was taught to the reader by two pictures of it spread out

Exit status: 0; 1 where any name was wrong, be it only for a moment.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from feltwire.tools.shard import shard
from table_core.messages import Zone
from vision.cards import CardReader
from vision.cards.deck import ALL_CARDS, DeckPrints
from vision.cards.enrol import DeckTeacher
from vision.cards.find import SearchRegion
from vision.cards.seen import Seen
from vision.evaluation.scenes import CLOTHS, DECK
from vision.geometry.felt import Felt, Rect
from vision.pictures import Image
from vision.synthetic.felt import LyingCard, Renderer, Scene, SceneLight
from vision.synthetic.felt.faces import DECKS
from vision.synthetic.felt.table import bare_cloth
from vision.watching.watcher import Watcher

SCALES = (0.7, 0.8, 0.9, 1.0, 1.1, 1.2, 1.3)  # px/mm
SIZE_MM, ZONE_MM = 150.0, 115.0
SPREAD = Felt(620.0, 430.0, 1.5, {}, 2)  # a piece of felt with room for 26 cards
PICTURES = 9  # two until it rests, and more than the watcher looks at
EVERY = 500  # runs between two lines of progress


class CountingReader(CardReader):
    """Counts its looks."""

    looks = 0

    def read_in_parts(self, crop: Image, region: SearchRegion, px_per_mm: float) -> Iterator[Seen | int]:
        self.looks += 1
        return super().read_in_parts(crop, region, px_per_mm)


class Webcam:
    """What a webcam makes of a picture; its noise is another in each."""

    def __init__(self, rng: random.Random) -> None:
        self._noise, self._sharpens = rng.uniform(1.0, 8.0), rng.choice((0.0, 0.5, 1.0))
        self._quality = rng.randint(50, 92)
        self._chance = np.random.default_rng(rng.getrandbits(32))

    def take(self, image: Image) -> Image:
        seen = image + self._chance.standard_normal(image.shape, np.float32) * np.float32(self._noise)
        seen += np.float32(self._sharpens) * (seen - cv2.GaussianBlur(seen, (0, 0), 1.0))
        how = [cv2.IMWRITE_JPEG_QUALITY, self._quality]
        how += [cv2.IMWRITE_JPEG_SAMPLING_FACTOR, cv2.IMWRITE_JPEG_SAMPLING_FACTOR_420]
        coded = cv2.imencode(".jpg", np.clip(seen, 0, 255).astype(np.uint8), how)[1]
        return np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)


def taught(deck: str) -> DeckPrints:
    """The prints of a deck, learnt from two pictures of it spread out on cloth."""
    pictures = [spread(cards, deck, seed=i) for i, cards in enumerate((ALL_CARDS[:26], ALL_CARDS[26:]))]
    return DeckTeacher().enrol(pictures)[0].whole()


def spread(cards: Iterable[str], deck: str = "slab", seed: int = 1) -> Image:
    """A picture of cards laid out in rows."""
    chance = np.random.default_rng(seed)
    lying = tuple(
        LyingCard(card, 50.0 + 86 * (i % 7), 55.0 + 105 * (i // 7), float(chance.normal(0, 6)))
        for i, card in enumerate(cards)
    )
    cloth = bare_cloth(SPREAD, CLOTHS["green"])
    return Renderer(SPREAD, cloth).render(Scene(SPREAD, lying, deck=deck, seed=seed)).image


@cache
def renderer(cloth: str, px_per_mm: float) -> Renderer:
    felt = felt_of(px_per_mm)
    return Renderer(felt, bare_cloth(felt, CLOTHS[cloth]))


@cache
def felt_of(px_per_mm: float) -> Felt:
    middle = SIZE_MM / 2
    return Felt(SIZE_MM, SIZE_MM, px_per_mm, {Zone.BOARD: Rect(middle, middle, ZONE_MM, ZONE_MM)}, 2)


def look(number: int, seed: int, reader: CountingReader) -> dict[str, Any]:
    """One run: what lay there, how often it was looked at, every name that was said, and the last one."""
    rng = random.Random(f"{seed}:{number}")
    deck, card = list(DECKS)[number % len(DECKS)], DECK[number // len(DECKS) % len(DECK)]
    px_per_mm, cloth = rng.choice(SCALES), rng.choice(list(CLOTHS))
    light = SceneLight(
        level=rng.uniform(0.6, 1.1), gradient=rng.uniform(0.05, 0.3), towards_deg=rng.uniform(0, 360),
        warmth=rng.uniform(-0.1, 0.6), noise=0.0, blur_px=rng.uniform(0.3, 0.7),
    )  # fmt: skip
    x, y = (SIZE_MM / 2 + rng.uniform(-6, 6) for _ in range(2))
    lying = LyingCard(card, x, y, rng.uniform(0, 360))
    image = renderer(cloth, px_per_mm).render(Scene(felt_of(px_per_mm), (lying,), light=light, deck=deck)).image
    webcam, before = Webcam(rng), reader.looks
    watcher = Watcher(felt_of(px_per_mm), reader)
    said = [one.reading.cards for _ in range(PICTURES) for one in watcher.step(webcam.take(image))]
    names = sorted({name for cards in said for name in cards})
    last = list(said[-1]) if said else []
    return {"run": number, "seed": seed, "px_per_mm": px_per_mm, "deck": deck, "card": card,
            "looks": reader.looks - before, "names": names, "last": last}  # fmt: skip


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.vision.looks")
    parser.add_argument("--limit", type=int, default=200, metavar="RUNS")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--shard", type=shard, default=(1, 1), metavar="I/N")
    parser.add_argument("--resume", type=Path, metavar="FILE")
    parser.add_argument("--taught", action="store_true")
    args = parser.parse_args(argv)
    done = {line["run"]: line for line in lines(args.resume) if line["seed"] == args.seed}
    readers = [CountingReader(deck=taught(deck) if args.taught else None) for deck in DECKS]
    sums = {scale: Counter[str]() for scale in SCALES}
    part, parts = args.shard
    numbers = range(part - 1, args.limit, parts)
    try:
        for at, number in enumerate(numbers, start=1):
            line = done.get(number) or look(number, args.seed, readers[number % len(DECKS)])
            if args.resume and number not in done:
                with args.resume.open("a") as report:
                    report.write(json.dumps(line) + "\n")
            add(sums[line["px_per_mm"]], line)
            if at % EVERY == 0:
                print(f"{at} of {len(numbers)} runs", file=sys.stderr, flush=True)
    except KeyboardInterrupt:
        print("interrupted; so far:", file=sys.stderr)
    table(sums)
    return 1 if sum(one["wrong"] for one in sums.values()) else 0


def lines(report: Path | None) -> Iterator[dict[str, Any]]:
    """A last line that was cut short is left out."""
    if report and report.exists():
        for line in report.read_text().splitlines():
            if line.endswith("}"):
                yield json.loads(line)


def add(found: Counter[str], line: dict[str, Any]) -> None:
    wrong = {*line["names"]} - {line["card"]}
    found.update(runs=1, looks=line["looks"], read=line["last"] == [line["card"]], wrong=bool(wrong))
    if wrong:
        print(
            f"run {line['run']}: {line['card']} of {line['deck']} at {line['px_per_mm']} px/mm was {wrong}",
            flush=True,
        )


def table(sums: dict[float, Counter[str]]) -> None:
    print(f"{'px/mm':>6}{'runs':>8}{'looks':>8}{'read':>8}{'unread':>8}{'wrong':>7}")
    for name, one in [*sums.items(), ("all", sum(sums.values(), Counter()))]:
        unread = one["runs"] - one["read"]
        print(f"{name:>6}{one['runs']:>8}{one['looks']:>8}{one['read']:>8}{unread:>8}{one['wrong']:>7}")


if __name__ == "__main__":
    sys.exit(main())
