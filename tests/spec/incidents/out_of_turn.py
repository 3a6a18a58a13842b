"""Acts out of turn: each act, on each street, by what the skipped seats did after it.

Seats: button 1, so that 4 opens the betting before the flop and 2 after it.  One seat is skipped, or two.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tests.spec.cell import Cell, Expect, Later, Option, for_devices, ruled
from tests.spec.devices import DEVICE_SETS, DeviceSet
from tests.spec.effects import Unbinds
from tests.spec.incidents.out_of_turn_rules import Offence, at_once, at_own_turn
from tests.spec.play import up_to
from tests.spec.situation import BOOKS, POSTFLOP, Act, Acts, ActsOutOfTurn, Book, FloorIsTold, Step, Street, Table

INCIDENT = "out-of-turn"
FACTS = ("acts and their order", "act out of turn was made", "act was deliberate")
STACK = 10_000


@dataclass(frozen=True, slots=True)
class Scene:
    """Where an act out of turn can happen: `lead` are the acts in turn on the street before it."""

    name: str
    street: Street
    lead: tuple[Acts, ...]
    seat: int
    skipped: tuple[int, ...]
    facing: int


def scenes(street: Street) -> tuple[Scene, ...]:
    """The scenes of a street: nobody has bet, or somebody has; one seat or two are skipped."""
    if street == "preflop":
        to_big_blind = (Acts(4, "fold"), Acts(5, "call", 100), Acts(1, "fold"))
        return (
            Scene("facing the blind, one skipped", street, (), 5, (4,), 100),
            Scene("facing the blind, two skipped", street, (), 1, (4, 5), 100),
            Scene("big blind, small blind skipped", street, to_big_blind, 3, (2,), 0),
        )
    bet = (Acts(2, "bet", 200),)
    return (
        Scene("unopened, one skipped", street, (), 3, (2,), 0),
        Scene("unopened, two skipped", street, (), 4, (2, 3), 0),
        Scene("facing a bet, one skipped", street, bet, 4, (3,), 200),
        Scene("facing a bet, two skipped", street, bet, 5, (3, 4), 200),
    )


def offences(scene: Scene, book: Book) -> Iterator[Offence]:
    """Every act that a player could make in this scene."""
    stack = STACK - 100 * (scene.street != "preflop")
    if scene.facing:
        acts: tuple[tuple[Act, int | None, str], ...] = (
            ("check", None, "said"),
            ("call", scene.facing, "chips"),
            ("raise", scene.facing * 3, "said"),
            ("all-in", stack, "said"),
            ("fold", None, "said"),
            ("fold", None, "discard"),
        )
    else:
        wager: tuple[Act, int] = ("raise", 300) if scene.street == "preflop" else ("bet", 300)
        acts = (
            ("check", None, "said"),
            (*wager, "chips"),
            ("all-in", stack, "said"),
            ("fold", None, "said"),
            ("fold", None, "discard"),
        )
    for act, to, how in acts:
        yield Offence(book, scene.seat, act, to, how, scene.facing, scene.skipped)


def continuations(scene: Scene) -> tuple[tuple[Acts, ...], ...]:
    """What the skipped seats can do in turn after the offence; the first entry is nothing at all."""
    if scene.name.startswith("big blind"):
        seat = scene.skipped[0]
        return ((), (Acts(seat, "fold"),), (Acts(seat, "call", 100),), (Acts(seat, "raise", 300),))
    first, second = scene.skipped[0], scene.skipped[-1]
    if scene.facing:
        call, raise_to, more = scene.facing, scene.facing * 3, scene.facing * 6
        if first == second:
            return (
                (),
                (Acts(first, "fold"),),
                (Acts(first, "call", call),),
                (Acts(first, "raise", raise_to),),
                (Acts(first, "all-in", STACK - 100 * (scene.street != "preflop")),),
            )
        return (
            (),
            (Acts(first, "fold"), Acts(second, "fold")),
            (Acts(first, "fold"), Acts(second, "call", call)),
            (Acts(first, "call", call), Acts(second, "fold")),
            (Acts(first, "raise", raise_to), Acts(second, "raise", more)),
        )
    if first == second:
        return (
            (),
            (Acts(first, "check"),),
            (Acts(first, "fold"),),
            (Acts(first, "bet", 200),),
            (Acts(first, "all-in", STACK - 100),),
        )
    return (
        (),
        (Acts(first, "check"), Acts(second, "check")),
        (Acts(first, "fold"), Acts(second, "check")),
        (Acts(first, "check"), Acts(second, "fold")),
        (Acts(first, "check"), Acts(second, "bet", 200)),
        (Acts(first, "bet", 200), Acts(second, "call", 200)),
        (Acts(first, "bet", 200), Acts(second, "raise", 600)),
    )


def cells() -> Iterator[Cell]:
    """All cells of one act out of turn."""
    for book in BOOKS:
        for street in ("preflop", *POSTFLOP):
            for scene in scenes(street):
                sets = device_sets(scene)
                for offence in offences(scene, book):
                    for cell in _cells_of(scene, offence):
                        yield from for_devices(cell, sets)
    yield from _expiry()
    for book in BOOKS:
        yield from _heads_up(book)


def device_sets(scene: Scene) -> tuple[DeviceSet, ...]:
    """Every set of devices for one scene on the flop, fewer elsewhere: the ruling does not depend on them."""
    if scene.street == "flop" and scene.name == "unopened, one skipped":
        return DEVICE_SETS
    return ("keys", "all") if scene.street in ("preflop", "flop") else ("all",)


def _cells_of(scene: Scene, offence: Offence) -> Iterator[Cell]:
    table = Table(offence.book)
    made = (*up_to(table, scene.street), *scene.lead, _step(offence))
    told = FloorIsTold("out of turn", offence.seat)
    for since in continuations(scene):
        name = f"{INCIDENT}/{offence.book}/{scene.street}/{scene.name}/{offence.act} {offence.how}/{words(since)}"
        yield Cell(name, INCIDENT, table, (*made, told), at_once(offence), _later(offence, since), FACTS)
        if since and scene.street == "flop":
            late = at_own_turn(offence, since)
            yield Cell(f"{name} noticed late", INCIDENT, table, (*made, *since, told), late, (), FACTS)


def _later(offence: Offence, since: tuple[Acts, ...]) -> tuple[Later, ...]:
    """What must hold at the offender's turn, unless the hand was ruled dead for good at once."""
    if not since:
        return ()
    now = at_once(offence)
    return (Later((ruled(now, len(now.options) - 1), *since), at_own_turn(offence, since)),)


def _heads_up(book: Book) -> Iterator[Cell]:
    """Two players: the big blind (seat 2) is first to act on the flop and the button acts before it."""
    table = Table(book, stacks=(STACK, STACK))
    for act, to, how in (("check", None, "said"), ("bet", 300, "chips"), ("all-in", STACK - 100, "said")):
        offence = Offence(book, 1, act, to, how, 0, (2,))  # type: ignore[arg-type]
        steps = (*up_to(table, "flop"), _step(offence), FloorIsTold("out of turn", 1))
        for since in ((), (Acts(2, "check"),), (Acts(2, "bet", 200),)):
            name = f"{INCIDENT}/{book}/flop/heads-up/{act} {how}/{words(since)}"
            cell = Cell(name, INCIDENT, table, steps, at_once(offence), _later(offence, since), FACTS)
            yield from for_devices(cell, ("keys", "all"))


def _expiry() -> Iterator[Cell]:
    """A check out of turn restricts one turn only: seat 3 checks, 2 bets, 3 calls, 4 raises; then 3 is free
    again."""
    for book in BOOKS:
        offence = Offence(book, 3, "check", None, "said", 0, (2,))
        bet = (Acts(2, "bet", 200),)
        rest = (Acts(3, "call", 200), Acts(4, "raise", 600), Acts(5, "fold"), Acts(1, "fold"), Acts(2, "fold"))
        first = at_own_turn(offence, bet)
        rules = first.options[0].rules
        words_ = (
            ("'the actual bet': whether a later raise must be called too",) if book == "home" else first.open_words
        )
        free = Expect((Option((Unbinds(3),), rules, by_default=first.options[0].by_default),), words_)
        later = (
            Later((ruled(at_once(offence)), *bet), first),
            Later((ruled(at_once(offence)), *bet, ruled(first), *rest), free),
        )
        steps = (*up_to(Table(book), "flop"), _step(offence), FloorIsTold("out of turn", 3))
        name = f"{INCIDENT}/{book}/flop/one skipped/check said/the turn after the restricted one"
        cell = Cell(name, INCIDENT, Table(book), steps, at_once(offence), later, FACTS)
        yield from for_devices(cell, ("keys", "all"))


def _step(offence: Offence) -> Step:
    return ActsOutOfTurn(offence.seat, offence.act, offence.to, offence.how)  # type: ignore[arg-type]


def words(since: tuple[Acts, ...]) -> str:
    """A readable name for what came since."""
    return "then " + " and ".join(f"{act.seat} {act.act}" for act in since) if since else "then nothing"
