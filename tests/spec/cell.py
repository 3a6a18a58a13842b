"""A cell: one situation, what a book prescribes in it, and what must hold later in the hand."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from tests.spec.devices import DEVICE_SETS, DeviceSet, facts_to_ask
from tests.spec.effects import Effect
from tests.spec.situation import IsRuled, Step, Table


@dataclass(frozen=True, slots=True)
class Option:
    """One ruling that the text allows.

    `rules`: ids in the catalogue of the book itself, or, with `by_default`, of the default used where it is
    silent. `when`: the condition under which this option is the right one; empty where the director chooses
    freely.
    """

    effects: tuple[Effect, ...]
    rules: tuple[str, ...]
    when: str = ""
    by_default: bool = False


@dataclass(frozen=True, slots=True)
class Expect:
    """What holds at a point of the hand.

    `options`: exactly one where the book is definite.  The effects of an option hold together.
    `open_words`: the words, or the silence, that leave the point open.
    `director_may`: effects that may be added to any option, for instance a penalty.
    """

    options: tuple[Option, ...]
    open_words: tuple[str, ...] = ()
    director_may: tuple[Effect, ...] = ()


@dataclass(frozen=True, slots=True)
class Later:
    """What must hold after further steps; the first of them is the ruling on the cell's own error."""

    steps: tuple[Step, ...]
    expect: Expect


@dataclass(frozen=True, slots=True)
class Cell:
    """One situation and what the table's book prescribes in it.

    `facts`: what the ruling rests on.  `needs`: those of them that the devices at this table cannot know, so
    that a person has to be asked first.
    """

    name: str
    incident: str
    table: Table
    steps: tuple[Step, ...]
    expect: Expect
    later: tuple[Later, ...] = ()
    facts: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    devices: DeviceSet = "all"

    @property
    def rules(self) -> tuple[str, ...]:
        """All rule ids that this cell rests on, sorted."""
        expects = (self.expect, *(later.expect for later in self.later))
        return tuple(sorted({rule for expect in expects for option in expect.options for rule in option.rules}))

    @property
    def is_open(self) -> bool:
        """True when the text leaves some point of this cell open."""
        return any(expect.open_words for expect in (self.expect, *(later.expect for later in self.later)))


def ruled(expect: Expect, option: int = 0) -> IsRuled:
    """The step that an expectation's option is ruled."""
    return IsRuled(option, expect.options[option].effects)


def definite(*effects: Effect, rules: tuple[str, ...], by_default: bool = False) -> Expect:
    """The expectation of a text that leaves no choice."""
    return Expect((Option(effects, rules, by_default=by_default),))


def for_devices(cell: Cell, sets: tuple[DeviceSet, ...] = DEVICE_SETS) -> Iterator[Cell]:
    """The same situation at tables with different devices; the ruling is the same, what must be asked is not."""
    for devices in sets:
        yield replace(
            cell, name=f"{cell.name}/{devices}", devices=devices, needs=facts_to_ask(cell.facts, devices)
        )
