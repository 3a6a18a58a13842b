"""A story: the room, and what befalls it when. It follows from a seed, and it is a value: it can be cut
shorter."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import NamedTuple

BOOKS = ("base", "rpl", "cpp", "home", "wfp", "ccp")
LONGEST_DOWN_MS = 15_000
MOST_STEPS = 9
KINDS = (
    "kill", "kill_in_step", "kill_in_step", "reboot", "lose_disk", "replace", "replace", "full", "freeze", "wall",
    "cut", "cut", "lose", "double", "reorder", "delay", "broker", "press", "press",
)  # fmt: skip


class Step(NamedTuple):
    """What happens at `at_ms` to `target` (a machine, a table, the broker); `amount` and `ms` are its measure."""

    at_ms: int
    kind: str
    target: str
    ms: int = 0
    amount: float = 0.0

    def text(self) -> str:
        return f"{self.at_ms / 1000:7.2f} s  {TEXTS[self.kind](self)}"


TEXTS: dict[str, Callable[[Step], str]] = {
    "kill": lambda s: f"{s.target} is killed and back after {s.ms / 1000:.1f} s",
    "kill_in_step": lambda s: (
        f"{s.target} is killed behind {s.amount:.0f} effects, and back after {s.ms / 1000:.1f} s"
    ),
    "reboot": lambda s: f"{s.target}: its power is off for {s.ms / 1000:.1f} s",
    "lose_disk": lambda s: f"{s.target} is replaced by a machine with an empty disk, after {s.ms / 1000:.1f} s",
    "replace": lambda s: (
        f"{s.target} breaks behind {s.amount:.0f} effects; one with an empty disk has its devices "
        f"after {s.ms / 1000:.1f} s"
    ),
    "full": lambda s: f"{s.target}: its disk is full for {s.ms / 1000:.1f} s",
    "freeze": lambda s: f"{s.target} stands still for {s.ms / 1000:.1f} s",
    "wall": lambda s: f"{s.target}: its wall clock jumps by {s.amount:.0f} s",
    "cut": lambda s: f"{s.target}: its cable is out for {s.ms / 1000:.1f} s",
    "lose": lambda s: f"{s.target}: {s.amount:.0%} of its messages are lost, for {s.ms / 1000:.1f} s",
    "double": lambda s: f"{s.target}: {s.amount:.0%} of its messages come twice, for {s.ms / 1000:.1f} s",
    "reorder": lambda s: f"{s.target}: messages overtake each other by {s.amount:.0f} ms, for {s.ms / 1000:.1f} s",
    "delay": lambda s: f"{s.target}: messages are late by up to {s.amount:.0f} ms, for {s.ms / 1000:.1f} s",
    "broker": lambda s: (
        f"the broker is gone for {s.ms / 1000:.1f} s, and {'keeps' if s.amount else 'forgets'} what it retained"
    ),
    "spare": lambda s: f"a second machine for table {s.target} is switched on",
    "press": lambda s: f"the director presses {PRESSES[int(s.amount)]} (table {s.target})",
}
PRESSES = ("pause", "resume", "next_level", "undo", "hand_over", "set_seats", "ask_count", "leave", "give_penalty")


class Story(NamedTuple):
    seed: str
    tables: tuple[str, ...]
    players: int  # at each table
    book: str
    tournament: bool
    shoe: bool
    relay: bool
    clocks: int
    ms: int  # until every fault is over
    steps: tuple[Step, ...]
    rests_at_ms: int | None = None  # nobody presses a key any more, until the room is in step

    def text(self) -> str:
        what = "a tournament" if self.tournament else "hands"
        rests = "" if self.rests_at_ms is None else f", dealers rest from {self.rests_at_ms / 1000:.1f} s on"
        room = (
            f"story {self.seed}: {what} under {self.book}, tables {', '.join(self.tables)} with {self.players} "
            f"players, {'shoes, ' if self.shoe else ''}{'a relay, ' if self.relay else ''}{self.clocks} wall "
            f"clocks; {self.ms / 1000:.0f} s{rests}"
        )
        return "\n".join([room, *(step.text() for step in self.steps)])

    def machines(self) -> tuple[str, ...]:
        """Every machine that a fault may befall from the start."""
        tables = [f"table-{table}" for table in self.tables]
        relay = ["relay"] if self.relay else []
        return (*tables, *tables, "station", "station", *relay, *(f"clock-{no}" for no in range(self.clocks)))


def story_of(seed: str) -> Story:
    """The story of a seed."""
    chance = random.Random(f"story {seed}")
    story = Story(
        seed=seed,
        tables=tuple(f"{no:02}" for no in range(1, chance.choice([1, 2, 2, 3]) + 1)),
        players=chance.choice([2, 3, 3, 4]),
        book=chance.choice(BOOKS),
        tournament=chance.random() < 0.5,
        shoe=chance.random() < 0.5,
        relay=chance.random() < 0.7,
        clocks=chance.choice([1, 1, 2]),
        ms=chance.choice([15_000, 25_000, 40_000]),
        steps=(),
    )
    steps = [_step(story, chance) for _ in range(chance.randint(1, MOST_STEPS))]
    if chance.random() < 0.4:
        steps += _second_machine(story, chance)
    rests_at = story.ms - chance.randint(0, 5_000) if chance.random() < 0.4 else None
    if rests_at is not None and chance.random() < 0.6:
        steps += _last_words(story, chance, rests_at)
    return story._replace(steps=tuple(sorted(steps)), rests_at_ms=rests_at)


def _step(story: Story, chance: random.Random) -> Step:
    at, target = chance.randint(1_000, story.ms), chance.choice(story.machines())
    down = chance.choice([0, 100, 700, 3_000, LONGEST_DOWN_MS])
    kind = chance.choice(KINDS)
    match kind:
        case "kill" | "reboot" | "cut" | "freeze":
            return Step(at, kind, target, down)
        case "kill_in_step":
            return Step(at, kind, target, down, chance.choice([0, 1, 1, 2, 3, 5, 8]))
        case "lose_disk":
            return _lost_disk(story, chance, at, down)
        case "replace":
            table = f"table-{chance.choice(story.tables)}"
            return Step(at, kind, table, down, chance.choice([0, 1, 2, 3, 4, 5, 6, 8]))
        case "full":
            full = [f"table-{chance.choice(story.tables)}", "station", *(["relay"] if story.relay else [])]
            return Step(at, kind, chance.choice(full), down)
        case "wall":
            return Step(at, kind, target, amount=chance.choice([-86_400, -30, 5, 3_600]))
        case "lose" | "double":
            return Step(at, kind, target, down, chance.choice([0.05, 0.2, 0.5, 1.0]))
        case "reorder" | "delay":
            return Step(at, kind, target, down, chance.choice([20, 300, 2_500]))
        case "broker":
            return Step(at, kind, "broker", down, chance.choice([0, 1]))
    return Step(at, "press", chance.choice(story.tables), amount=chance.randrange(len(PRESSES)))


def _lost_disk(story: Story, chance: random.Random, at: int, down: int) -> Step:
    """A tournament is on the disk of its station and nowhere else: that disk is mirrored in a venue."""
    targets = [f"table-{table}" for table in story.tables] + [f"clock-{no}" for no in range(story.clocks)]
    if not story.tournament:
        targets.append("station")
    return Step(at, "lose_disk", chance.choice(targets), down)


def _second_machine(story: Story, chance: random.Random) -> Iterator[Step]:
    table, at = chance.choice(story.tables), chance.randint(1_000, story.ms)
    yield Step(at, "spare", table)
    if chance.random() < 0.7:
        yield Step(at + chance.randint(500, 8_000), "press", table, amount=PRESSES.index("hand_over"))


def _last_words(story: Story, chance: random.Random, rests_at: int) -> Iterator[Step]:
    """What is said before a break is lost: a queue is full, and nobody's connection ends. A relay, which asks
    again for what the station has not acknowledged, makes the table say it again."""
    target = chance.choice(["station", *(f"table-{table}" for table in story.tables)])
    at = max(0, rests_at - chance.randint(100, 2_000))
    yield Step(at, "lose", target, 4_000, chance.choice([0.5, 1.0, 1.0]))
