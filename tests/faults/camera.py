"""The camera over the felt: as measured on rendered frames and drawn again by chance, or rendered and recognised.

Both are looked at the same way: `look` when the felt has changed, `due` for when it has something to say next.
"""

from __future__ import annotations

import random
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

import msgspec

from feltwire.lab.simroom.felt.felt import FeltCard, PhysicalFelt
from feltwire.lab.simroom.felt.scene import chip_piles
from table_core.messages import CardText, Chips, DeviceState
from tests.faults import wire

RATES = Path(__file__).with_name("rates.toml")
NOTICED_MS = 300  # until a watcher says that something is in front of the lens
SEATS = range(1, 10)
DECK: tuple[CardText, ...] = tuple(rank + suit for suit in "cdhs" for rank in "23456789TJQKA")


class Rates(msgspec.Struct, frozen=True):
    """How the recogniser sees lying cards (`python -m tests.faults measure` writes them).

    Shares of cards: `unread` and `wrong` of those face up, `miscounted` of places with cards face down; `burns` is
    what is counted of a pile of 0, 1, 2, … cards (they lie on each other), each count as often as it was, and
    `burn_motions` the share of burns that were seen to come. `disc_unseen`: of discs. Of bets, `first_motions` and
    `later_motions` are the shares of motions that were seen as one, and `chips_counted` that of which value and
    number were told. `delays_ms` are evenly spaced quantiles of the time from a change to its reading.
    """

    unread: float
    wrong: float
    miscounted: float
    burns: tuple[tuple[int, ...], ...]
    burn_motions: float
    disc_unseen: float
    first_motions: float
    later_motions: float
    chips_counted: float
    delays_ms: tuple[int, ...]

    @classmethod
    def load(cls, path: Path = RATES) -> Rates:
        """Raise `msgspec.ValidationError` for a file that holds other things."""
        raw = tomllib.loads(path.read_text("utf-8"))
        return msgspec.convert(raw["drawn"], cls)


class Eye(Protocol):
    """A camera that the dealing process shows the felt to. `unread`: cards that lay face up, and it could not
    name, where that is known."""

    unread: int

    def look(self, felt: PhysicalFelt, now: int) -> None:
        """The felt may have changed."""
        ...

    def cover(self, covered: bool, felt: PhysicalFelt, now: int) -> None:
        """Something is put over the lens, or taken away."""
        ...

    def due(self) -> int | None:
        """When it has something to say."""
        ...

    def say(self, now: int) -> wire.AnyGiven | None:
        """What it says, once; None when there is nothing (more)."""
        ...

    def heard(self, said: wire.Said) -> None:
        """What the table answered."""
        ...


def zones_of(felt: PhysicalFelt) -> dict[str, tuple[FeltCard, ...]]:
    """The cards in every zone for cards."""
    zones = {"board": tuple(felt.board), "burn": tuple(felt.burns)}
    hands: Mapping[Any, list[FeltCard]] = felt.hands
    return zones | {f"seat-{seat}-cards": tuple(hands.get(seat, ())) for seat in SEATS}


def things_on(felt: PhysicalFelt) -> dict[str, tuple[Any, ...]]:
    """What lies in every zone that a reading can be about: cards, the motions of a bet, the button."""
    motions: Mapping[Any, list[Any]] = felt.motions
    bets = {f"seat-{seat}-bet": tuple(motions.get(seat, ())) for seat in SEATS}
    discs: dict[str, tuple[Any, ...]] = {f"button-{seat}": (seat,) * (felt.button == seat) for seat in SEATS}
    return {**zones_of(felt), **bets, **discs}


class DrawnEye:
    """Readings as the recogniser gives them, with its delays, its misses and its mistakes."""

    def __init__(self, rates: Rates, chance: random.Random) -> None:
        self.unread = 0
        self._rates = rates
        self._chance = chance
        self._lying: dict[str, tuple[Any, ...]] = {}
        self._due: dict[str, int] = {}
        self._said: dict[str, wire.Zone] = {}
        self._motions: dict[str, int] = {}  # seen in a zone since it was empty
        self._came: dict[str, int] = {}  # and how many there truly were when it was last looked at
        self._covered = False
        self._state_due: int | None = 0

    def look(self, felt: PhysicalFelt, now: int) -> None:
        if self._covered:
            return
        for zone, lying in things_on(felt).items():
            if self._lying.get(zone) != lying:
                self._lying[zone] = lying
                self._due[zone] = now + self._chance.choice(self._rates.delays_ms)

    def cover(self, covered: bool, felt: PhysicalFelt, now: int) -> None:
        self._covered = covered
        self._state_due = now + NOTICED_MS
        self._due.clear()
        if not covered:
            self._lying.clear()
            self.look(felt, now)

    def due(self) -> int | None:
        times = [*self._due.values()] + ([self._state_due] if self._state_due is not None else [])
        return min(times, default=None)

    def say(self, now: int) -> wire.AnyGiven | None:
        if self._state_due is not None and self._state_due <= now:
            self._state_due = None
            detail = "something is in front of the camera" if self._covered else ""
            return wire.Camera(now, DeviceState.BLOCKED if self._covered else DeviceState.OK, detail)
        for zone in [zone for zone, due in self._due.items() if due <= now]:
            del self._due[zone]
            reading = self._read(zone, self._lying[zone])
            if self._said.get(zone) != reading:
                self._said[zone] = reading
                return msgspec.structs.replace(reading, now=now)
        return None

    def heard(self, said: wire.Said) -> None:
        del said

    def _read(self, zone: str, lying: tuple[Any, ...]) -> wire.Zone:
        if zone.startswith("button-"):
            return wire.Zone(0, zone, button=bool(lying) and self._chance.random() >= self._rates.disc_unseen)
        return self._bet(zone, lying) if zone.endswith("-bet") else self._cards(zone, lying)

    def _cards(self, zone: str, lying: tuple[FeltCard, ...]) -> wire.Zone:
        rates, chance = self._rates, self._chance
        cards: list[CardText] = []
        unread = backs = 0
        for card in lying:
            roll = chance.random()
            if not card.face_up:
                backs += 1
            elif roll < rates.wrong:
                cards.append(chance.choice(DECK))
            elif roll < rates.wrong + rates.unread:
                unread += 1
                self.unread += 1
            else:
                cards.append(card.card)
        if zone == "burn":
            motions = self._moved(zone, backs, rates.burn_motions, rates.burn_motions)
            counted = chance.choice(rates.burns[min(backs, len(rates.burns) - 1)])
            return wire.Zone(0, zone, tuple(cards), unread, counted, motions=motions)
        if backs and chance.random() < rates.miscounted:
            backs += chance.choice((-1, 1))
        return wire.Zone(0, zone, tuple(cards), unread, backs)

    def _bet(self, zone: str, motions: tuple[int, ...]) -> wire.Zone:
        seen = self._moved(zone, len(motions), self._rates.first_motions, self._rates.later_motions)
        if not motions:
            return wire.Zone(0, zone, chips=Chips(0), pieces=0)
        if self._chance.random() >= self._rates.chips_counted:
            return wire.Zone(0, zone, motions=seen)
        pieces = sum(count for amount in motions for _, _, count in chip_piles(amount))
        return wire.Zone(0, zone, chips=Chips(sum(motions)), pieces=pieces, motions=seen)

    def _moved(self, zone: str, came: int, first: float, later: float) -> int:
        """How many motions were seen there since it was empty, of `came`; those between two looks are one."""
        seen = self._motions.get(zone, 0)
        if came > self._came.get(zone, 0):
            seen += self._chance.random() < (later if seen else first)
        elif not came:
            seen = 0
        self._motions[zone], self._came[zone] = seen, came
        return seen


class RenderedEye:
    """Pictures of the felt, rendered when it has changed and shown at a camera's pace until nothing new comes."""

    FRAME_MS = 150
    LOOKS = 4  # frames of a scene: it moved, it lies still, and is looked at twice

    unread = 0  # the table's process knows

    def __init__(self, seats: int, seed: int) -> None:
        from vision.geometry.felt import Felt
        from vision.synthetic.felt.renderer import Renderer

        self._felt = Felt.for_seats(seats)
        self._renderer = Renderer(self._felt)
        self._shown: tuple[int, bool] | None = None
        self._wanted: tuple[int, bool] = (-1, False)
        self._physical: PhysicalFelt | None = None
        self._covered = False
        self._left = 0
        self._next_ms = 0
        self._seed = seed
        self.frames = 0

    def look(self, felt: PhysicalFelt, now: int) -> None:
        self._physical = felt
        wanted = (felt.changes, self._covered)
        if wanted != self._wanted:
            self._wanted = wanted
            self._left = self.LOOKS
            self._next_ms = max(self._next_ms, now + 1)

    def cover(self, covered: bool, felt: PhysicalFelt, now: int) -> None:
        self._covered = covered
        self.look(felt, now)

    def due(self) -> int | None:
        return self._next_ms if self._left else None

    def say(self, now: int) -> wire.AnyGiven | None:
        if not self._left or self._next_ms > now:
            return None
        self._left -= 1
        self._next_ms = now + self.FRAME_MS
        if self._shown == self._wanted:
            return wire.Same(now)
        self._shown = self._wanted
        return self._picture(now)

    def _picture(self, now: int) -> wire.Picture:
        from feltwire.lab.simroom.felt.scene import scene_of

        assert self._physical is not None
        self._seed += 1
        self.frames += 1
        scene = scene_of(self._physical, self._felt, covered=self._covered, seed=self._seed)
        image = self._renderer.render(scene).image
        return wire.Picture(now, image.shape[1], image.shape[0], image.tobytes())

    def heard(self, said: wire.Said) -> None:
        del said
