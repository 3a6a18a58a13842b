"""One cell beside what the table does: its options, and what follows later in the hand."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from tests.spec.cell import Cell, Expect, Later
from tests.spec.cell import Option as Given
from tests.spec.effects import (
    BoardIs,
    BurnIs,
    CardsReturn,
    CountsAs,
    PotTo,
    ResultStands,
    SplitsPot,
    TakesChipsBack,
    TurnGoesTo,
)
from tests.spec.situation import FloorIsTold, IsRuled, Step
from tests.spec_played.facts import is_so
from tests.spec_played.outcome import Outcome, holds, outcome
from tests.spec_played.table import READ_MS, CannotBePlayed, NotPlayed, SpecTable

OF_ANOTHER = ("player", "late_claim", "off_table")  # who showed a card, and where it fell, is not what happened
LETS_PASS = "warning"  # nothing is done: each book gives the floor that, as no default and beside what it says


class Ruled(NamedTuple):
    """A table behind the ruling `key`; events before number `since` are none of its. `so`: what the ruling says of
    chips, words and cards is what happened. `another`: the dealer laid the board as a later option of the text has
    it."""

    key: str
    table: SpecTable
    since: int
    so: bool = True
    another: bool = False


def kind_of(cell: Cell) -> str:
    """The incident, or the two of a pair: `no burn, then string bet`."""
    return _kind(cell.name)


def _kind(name: str) -> str:
    incident, _, what, *_ = name.split("/")
    if incident != "pair":
        return incident
    if what == "one street":
        what = name.split("/")[3]
    return re.sub(r" \([a-z ]*\)", "", what)


class Difference(NamedTuple):
    """`kind`: `not offered`, `missing` (the text gives it, no option does), `wrong` (an option does what the text
    does not give), `raised`, `cannot` (a step that is legal was not taken)."""

    cell: str
    kind: str
    words: str

    @property
    def cause(self) -> str:
        """Without the cell's own numbers: what has one cause reads the same."""
        return f"{_kind(self.cell)}, {self.cell.split('/')[1]}: {self.kind}: {self.words}"


def differences(cell: Cell) -> Iterator[Difference]:
    """Raise `NotPlayed` for a cell that cannot be played yet."""
    try:
        yield from (Difference(cell.name, kind, words) for kind, words in _differences(cell))
    except NotPlayed:
        raise
    except CannotBePlayed as error:
        yield Difference(cell.name, "cannot", str(error))
    except Exception as error:  # noqa: BLE001  (whatever a table raises is a difference)
        yield Difference(cell.name, "raised", f"{type(error).__name__}: {error}")


def _differences(cell: Cell) -> Iterator[tuple[str, str]]:
    seat = _offender(cell)
    table = SpecTable(cell.table, cell.devices, cell.steps)
    table.deal_where_no_step_does(cell.steps)
    table = _played(table, cell.steps)
    ruled = list(_each_ruling(table, cell.expect))
    if not ruled and _stands_already(cell.expect, table):
        ruled = [Ruled("by itself", table, len(table.table.events))]
    if not ruled:
        why = table.refused or "no ruling is asked for"
        yield "not offered", f"{why}; given: {' | '.join(map(_in_words, cell.expect.options))}"
        return
    found = [(one, outcome(one.table, seat, one.since)) for one in ruled]
    effects = [effect for given in cell.expect.options for effect in given.effects]
    if all(holds(effect, of, one.table) is None for effect in effects for one, of in found):
        raise NotPlayed("nothing of what the text gives can be seen here")  # else it could not differ
    yield from _beside("at once", cell.expect, found)
    for later in cell.later:
        yield from _later(later, ruled, seat)


def _stands_already(expect: Expect, table: SpecTable) -> bool:
    """The floor was told that there is nothing to put right."""
    of = outcome(table, None, len(table.table.events))
    return any(all(holds(effect, of, table) for effect in given.effects) for given in expect.options)


def _played(table: SpecTable, steps: Iterable[Step]) -> SpecTable:
    """The table behind these steps; of what a ruling could be, the first that is as the step has it."""
    for step in steps:
        if not isinstance(step, IsRuled):
            table.do(step)
        elif table.ruling is not None:
            table = _as_ruled(table, step)
            table.complete_hands(step.effects)
    return table


def _as_ruled(table: SpecTable, ruled: IsRuled) -> SpecTable:
    given = Given(ruled.effects, ())
    offers = sorted(_each_ruling(table, Expect((given,))), key=lambda one: not one.so)
    if not offers:
        raise CannotBePlayed("no ruling can be taken")
    fits = (one.table for one in offers if _is_so(given, outcome(one.table, _about(given), one.since), one.table))
    return next(fits, offers[0].table)


def _about(given: Given) -> int | None:
    """The first seat that an effect is about, but for the turn."""
    effects = [effect for effect in given.effects if not isinstance(effect, TurnGoesTo)]
    return next((effect.seat for effect in effects if hasattr(effect, "seat")), None)


def _each_ruling(table: SpecTable, expect: Expect) -> Iterator[Ruled]:
    """The table behind each ruling that it offers and somebody can answer for; as it is where none is asked for,
    or what the book has was done by itself."""
    if table.which_card and table.ruling is not None and any(option.asks for option in table.ruling.options):
        table = table.copy()
        table.count(table.which_card)
    ruling = table.ruling
    if ruling is None and not table.refused:
        yield Ruled("by itself", table, len(table.table.events))
    for option in ruling.options if ruling is not None else ():
        if table.says_otherwise(option):
            continue
        one = table.copy()
        chosen = one.answered(option) if option.asks else option
        if chosen is None:
            continue
        since = len(one.table.events)
        one.choose(chosen.no)
        so = is_so(ruling.incident, option.option, table.done) if ruling is not None else True
        for number, lies in enumerate(_put_right(one, expect)):
            of = [given for given in expect.options if _is_so(given, outcome(lies, _about(given), since), lies)]
            effects = of[0].effects if of else ()
            lies.put_back(
                card
                for back in effects
                if isinstance(back, CardsReturn) and back.how == "top"
                for card in back.stub
            )
            yield Ruled(option.option, lies, since, so, bool(number))


def _put_right(chosen: SpecTable, expect: Expect) -> Iterator[SpecTable]:
    """The dealer lays the board as one of the options of the text has it, or as another has."""
    if any(isinstance(effect, BurnIs) for given in expect.options for effect in given.effects):
        chosen.burn_again()
    boards = [effect.stub for given in expect.options for effect in given.effects if isinstance(effect, BoardIs)]
    if not boards or chosen.is_void:
        yield chosen
        return
    for lie in dict.fromkeys(boards):
        one = chosen.copy()
        one.put_right(lie)
        yield one


def _later(later: Later, ruled: list[Ruled], seat: int | None) -> Iterator[tuple[str, str]]:
    """What the text gives, some ruling must give; what the text does not give, none that is as the step has it."""
    first, *steps = later.steps
    assert isinstance(first, IsRuled)
    given = Given(first.effects, ())
    stated = {
        (one.key, one.another) for one in ruled if _is_so(given, outcome(one.table, seat, one.since), one.table)
    }
    found, last = list[tuple[Ruled, Outcome]](), None
    for one in ruled:
        try:
            table = _played(one.table.copy(), steps)
        except CannotBePlayed as error:  # behind another ruling than the step means
            last = error
            continue
        table.table.wait(READ_MS)
        found.append((one._replace(table=table), outcome(table, seat, one.since)))
    if last is not None and all((one.key, one.another) not in stated for one, _ in found):
        raise last
    yield from _beside("later", later.expect, found, {key for key, _ in stated})


def _beside(
    when: str, expect: Expect, found: list[tuple[Ruled, Outcome]], as_stated: Collection[str] = ()
) -> Iterator[tuple[str, str]]:
    by_itself = found[0][0].key == "by itself"  # which of several the text means, the devices know
    for given in expect.options:
        if not any(_is_so(given, of, one.table) for one, of in found) and not (
            by_itself and len(expect.options) > 1
        ):
            yield "missing", f"{when}: {_in_words(given)} ({', '.join(given.rules)})"
    right = {one.key for one, of in found if any(_is_so(given, of, one.table) for given in expect.options)}
    for no, (one, of) in enumerate(found):
        passes = one.another or not one.so or (no and one.key in (LETS_PASS, *OF_ANOTHER))
        if passes or (as_stated and one.key not in as_stated) or one.key in right:
            continue
        is_so_now = _stands(expect, one.table) or of
        given_words = " | ".join(map(_in_words, expect.options))
        yield "wrong", f"{when}: behind {one.key} {is_so_now}; given: {given_words}"


def _stands(expect: Expect, table: SpecTable) -> str:
    """What the chips of the seat, or the pot, have come to, where the text is about these; else empty."""
    for effect in expect.options[0].effects:
        match effect:
            case CountsAs(seat=seat) | TakesChipsBack(seat=seat):
                return "it is {} to {}".format(*table.counted_as(seat) or ("nothing", 0))
            case PotTo() | SplitsPot() | ResultStands():
                won = [f"seat {seat} won {table.won(seat)}" for seat in table.stacks() if table.won(seat) > 0]
                return "the hand goes on" if table.table.node.table.in_hand else ", ".join(won)
    return ""


def _is_so(given: Given, of: Outcome, table: SpecTable) -> bool:
    """Nothing of it that can be seen is otherwise."""
    return all(holds(effect, of, table) is not False for effect in given.effects)


def _in_words(given: Given) -> str:
    return ", ".join(map(_effect, given.effects))


def _effect(effect: object) -> str:
    slots = [getattr(effect, name) for name in effect.__slots__ if name != "seat"]  # type: ignore[attr-defined]
    return " ".join([type(effect).__name__, *(str(one) for one in slots if one is not None)])


def _offender(cell: Cell) -> int | None:
    for step in reversed(cell.steps):
        if isinstance(step, FloorIsTold):
            return step.seat
    return None
