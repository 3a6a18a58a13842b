"""The disks of a recording after a cut at each operation, and a process started from each of them."""

from __future__ import annotations

import random
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.powercuts.disk import KINDS, Disk
from tests.powercuts.record import Recorded

CHUNK = 100  # images between two looks at the report


class Cut(NamedTuple):
    """A power cut behind so many operations, and what of the rest reached the disk."""

    after: int
    kind: str


class Chunk(NamedTuple):
    """What came of some cuts: images by kind, and what was wrong."""

    images: Counter[str]
    faults: list[str]


def plan(recorded: Recorded, seed: int) -> list[Cut]:
    """Every cut of a recording, shuffled. Where everything is certain there is one disk, whatever the kind."""
    disk, cuts = Disk(), []
    for after, operation in enumerate(recorded.recording.operations, start=1):
        disk.do(operation)
        cuts += [Cut(after, kind) for kind in (("nothing",) if disk.is_certain else KINDS)]
    random.Random(f"{seed}/{recorded.kind}").shuffle(cuts)
    return cuts


def carry_out(recorded: Recorded, cuts: list[Cut], seed: int, folder: Path) -> Iterator[Chunk]:
    """Start the process from each disk, a chunk after the other."""
    for first in range(0, len(cuts), CHUNK):
        yield _chunk(recorded, sorted(cuts[first : first + CHUNK]), seed, folder)


def _chunk(recorded: Recorded, cuts: list[Cut], seed: int, folder: Path) -> Chunk:
    disk, images, faults, done = Disk(), Counter[str](), list[str](), 0
    operations, said = recorded.recording.operations, recorded.recording.said
    for cut in cuts:
        for operation in operations[done : cut.after]:
            disk.do(operation)
        done = cut.after
        chance = random.Random(f"{seed}/{recorded.kind}/{cut.after}/{cut.kind}")
        data = _written(KINDS[cut.kind](disk, chance), recorded.data, folder)
        told = [one for one in said if one.after <= cut.after]
        found = recorded.restart.check(data, told)
        faults += [f"{recorded.kind}, cut behind operation {cut.after}, {cut.kind}: {fault}" for fault in found]
        images[cut.kind] += 1
    return Chunk(images, list(dict.fromkeys(faults)))


def _written(image: dict[str, bytes], data: Path, folder: Path) -> Path:
    """The data folder after the cut."""
    shutil.rmtree(folder, ignore_errors=True)
    root = folder / "data"
    root.mkdir(parents=True, mode=0o700)
    for path, content in image.items():
        target = root / Path(path).relative_to(data)
        target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        target.write_bytes(content)
        target.chmod(0o600)
    return root
