"""One cell beside what the table does: its options, and what follows later in the hand."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from tests.spec.cell import Cell, Expect, Later
from tests.spec.cell import Option as Given
from tests.spec.effects import BoardIs, BurnIs, TurnGoesTo
from tests.spec.situation import FloorIsTold, IsRuled, Step
from tests.spec_played.outcome import Outcome, holds, outcome
from tests.spec_played.table import READ_MS, CannotBePlayed, NotPlayed, SpecTable

LAID = ", the board laid as "
OF_ANOTHER = ("player", "late_claim", "off_table")  # who showed a card, and where it fell, is not what happened
LETS_PASS = "warning"  # nothing is done: each book gives the floor that, as no default and beside what it says


class Difference(NamedTuple):
    """`kind`: `not offered`, `missing` (the text gives it, no option does), `wrong` (an option does what the text
    does not give), `raised`, `cannot` (a step that is legal was not taken)."""

    cell: str
    kind: str
    words: str

    @property
    def cause(self) -> str:
        """Without the cell's own numbers: what has one cause reads the same."""
        incident, book, *_ = self.cell.split("/")
        return f"{incident}, {book}: {self.kind}: {self.words}"


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
    table = SpecTable(cell.table, cell.devices)
    table.deal_where_no_step_does(cell.steps)
    table = _played(table, cell.steps)
    ruled = list(_each_ruling(table, cell.expect))
    if not ruled:
        why = table.refused or "no ruling is asked for"
        yield "not offered", f"{why}; given: {' | '.join(map(_in_words, cell.expect.options))}"
        return
    found = [(key, outcome(one, seat, before)) for key, one, before in ruled]
    tables = {key: one for key, one, _ in ruled}
    effects = [effect for given in cell.expect.options for effect in given.effects]
    if all(holds(effect, of, tables[key]) is None for effect in effects for key, of in found):
        raise NotPlayed("nothing of what the text gives can be seen here")  # else it could not differ
    yield from _beside("at once", cell.expect, found, tables)
    for later in cell.later:
        yield from _later(later, ruled, seat)


def _played(table: SpecTable, steps: Iterable[Step]) -> SpecTable:
    """The table behind these steps; of what a ruling could be, the first that is as the step has it."""
    for step in steps:
        if not isinstance(step, IsRuled):
            table.do(step)
        elif table.ruling is not None:
            table = _as_ruled(table, step)
    return table


def _as_ruled(table: SpecTable, ruled: IsRuled) -> SpecTable:
    given = Given(ruled.effects, ())
    offers = [*_each_ruling(table, Expect((given,)))]
    fits = (one for _, one, before in offers if _is_so(given, outcome(one, _about(given), before), one))
    return next(fits, offers[0][1])


def _about(given: Given) -> int | None:
    """The first seat that an effect is about, but for the turn."""
    effects = [effect for effect in given.effects if not isinstance(effect, TurnGoesTo)]
    return next((effect.seat for effect in effects if hasattr(effect, "seat")), None)


def _each_ruling(table: SpecTable, expect: Expect) -> Iterator[tuple[str, SpecTable, int]]:
    """The table behind each ruling that it offers; as it is where none is asked for, or what the book has was done
    by itself."""
    ruling = table.ruling
    if ruling is None and not table.refused:
        yield "by itself", table, len(table.table.events)
    options = [] if ruling is None else [one for one in ruling.options if not table.says_otherwise(one)]
    for option in options:
        if option.asks:
            raise NotPlayed("an option that asks for a number")
        chosen = table.copy()
        before = len(chosen.table.events)
        chosen.choose(option.no)
        yield from ((f"{option.option}{how}", one, before) for how, one in _put_right(chosen, expect))


def _put_right(chosen: SpecTable, expect: Expect) -> Iterator[tuple[str, SpecTable]]:
    """The dealer lays the board as one of the options of the text has it, or as another has."""
    if any(isinstance(effect, BurnIs) for given in expect.options for effect in given.effects):
        chosen.burn_again()
    boards = [effect.stub for given in expect.options for effect in given.effects if isinstance(effect, BoardIs)]
    if not boards or chosen.is_void:
        yield "", chosen
        return
    for number, lie in enumerate(dict.fromkeys(boards)):
        one = chosen.copy()
        one.put_right(lie)
        yield f"{LAID}{lie}" if number else "", one


def _later(later: Later, ruled: list[tuple[str, SpecTable, int]], seat: int | None) -> Iterator[tuple[str, str]]:
    """What the text gives, some ruling must give; what the text does not give, none that is as the step has it."""
    first, *steps = later.steps
    assert isinstance(first, IsRuled)
    given = Given(first.effects, ())
    as_stated = {key for key, one, before in ruled if _is_so(given, outcome(one, seat, before), one)}
    found, tables = [], {}
    last = None
    for key, one, before in ruled:
        try:
            table = _played(one.copy(), steps)
        except CannotBePlayed as error:  # behind another ruling than the step means
            last = error
            continue
        table.table.wait(READ_MS)
        found.append((key, outcome(table, seat, before)))
        tables[key] = table
    if last is not None and not as_stated & tables.keys():
        raise last
    yield from _beside("later", later.expect, found, tables, as_stated)


def _beside(
    when: str,
    expect: Expect,
    found: list[tuple[str, Outcome]],
    tables: dict[str, SpecTable],
    as_stated: Collection[str] = (),
) -> Iterator[tuple[str, str]]:
    for given in expect.options:
        if not any(_is_so(given, of, tables[key]) for key, of in found):
            yield "missing", f"{when}: {_in_words(given)} ({', '.join(given.rules)})"
    so = {
        key.partition(LAID)[0]
        for key, of in found
        if any(_is_so(given, of, tables[key]) for given in expect.options)
    }
    for no, (key, of) in enumerate(found):
        if (no and key in (LETS_PASS, *OF_ANOTHER)) or (as_stated and key not in as_stated) or LAID in key:
            continue
        if key not in so:
            yield "wrong", f"{when}: behind {key} {of}; given: {' | '.join(map(_in_words, expect.options))}"


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
