"""`python -m tests.tournaments.kills --count 200 --seed 1`: the station killed at random moments of nights.

Every moment is a random step of a random story under `tests/nights`: there the station is killed and started again
with what is on its disk. Field, seats, chips, money, clock and what the tables have reported are the same as
before, so are stacks, button and schedule at the tables, and the story goes on as it says.
Exit status: 0 all of it holds, 1 something does not.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from feltwire.lab.night.play import failure
from feltwire.lab.night.story import Line, Story, read_story
from feltwire.lab.night.table import StoryTable
from feltwire.lab.station.room import MemoryRoom

STORIES = Path(__file__).resolve().parents[1] / "nights"
KILL = "kill station"


def moments(story: Story) -> list[int]:
    """Before which steps the station can be killed: a refusal is expected right behind its press."""
    return [at for at, line in enumerate(story.steps) if not line.text.startswith("expect refused")]


def known(room: MemoryRoom, tables: Mapping[str, StoryTable]) -> dict[str, Any]:
    """What the station knows, and what lies at the tables."""
    node = room.station.node
    return {
        "the tournament": node.tournament.night.state,
        "what tables reported": node.tournament.facts(room.station.now),
        "the tables": {
            name: (one.table.hand_number, one.table.button, one.table.stacks_all(), one.table.schedule)
            for name, one in tables.items()
        },
    }


def killed_at(story: Story, at: int) -> Iterator[str]:
    """What does not hold where the station is killed before step `at`."""
    differs: list[str] = []
    kill = MemoryRoom.kill_station

    def killing(room: MemoryRoom, **options: Any) -> None:
        tables: Any = room._tables
        before = known(room, tables)
        kill(room, **options)
        after = known(room, tables)
        differs.extend(what for what in before if before[what] != after[what])

    steps = (*story.steps[:at], Line(story.steps[at].no, KILL), *story.steps[at:])
    MemoryRoom.kill_station = killing  # type: ignore[method-assign]
    try:
        wrong = failure(replace(story, steps=steps))
    finally:
        MemoryRoom.kill_station = kill  # type: ignore[method-assign]
    where = f"{story.path}:{story.steps[at].no}: {story.steps[at].text}"
    yield from (f"{where}: {what} differs" for what in differs)
    if wrong:
        yield f"{where}: {wrong}"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.tournaments.kills", description=__doc__)
    parser.add_argument("--count", type=int, default=200, metavar="N", help="kills (200)")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    rng, began = random.Random(args.seed), time.monotonic()
    found = (read_story(path) for path in sorted(STORIES.rglob("*.txt")))
    stories = [story for story in found if moments(story)]  # a season that is only looked at has none
    wrong: list[str] = []
    books: dict[str, int] = {}
    for _ in range(args.count):
        story = rng.choice(stories)
        books[story.rulebook] = books.get(story.rulebook, 0) + 1
        wrong += killed_at(story, rng.choice(moments(story)))
    print("\n".join(wrong), file=sys.stderr)
    by_book = ", ".join(f"{count} {book}" for book, count in sorted(books.items()))
    print(f"{args.count} kills ({by_book}), {len(wrong)} wrong, {time.monotonic() - began:.0f} s")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
