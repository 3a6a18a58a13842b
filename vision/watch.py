"""Watches one table: reads a zone once it lies still after a change, and says only what is new.

    watcher = Watcher(felt, CardReader())
    for reading in watcher.step(frame.image, frame.taken_ms): ...

A hand over a zone, a card in the air, a covered lens are states of a table, not errors: nothing is said about a
zone until it can be seen again. A name is given only when no look at the still zone contradicts another.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards import Corners, Reading, Seen
from vision.cards.find import Place
from vision.felt import Felt, Zone

Image = NDArray[np.uint8]

RIM_MM = 8.0  # bare felt looked at around a zone
SHRINK = 6  # motion is judged on a picture this many times smaller
MOVED = 11  # grey levels by which a shrunken pixel of a still zone never differs from the last picture
VOTES = 2  # looks that must not contradict each other
MOST_VOTES = 5  # further looks while something is unread
HIDDEN = 0.24  # of a card zone under something that is no card: a hand is over it
OTHER_HUE, OTHER_LIGHT = 0.22, 2.5  # how unlike felt (parts of its colour, times its light) the rim may be
SAME_CARD_MM = 12.0
DARK, FLAT = 16.0, 5.0  # mean and spread of a picture in grey levels: less is a covered lens


class Reader(Protocol):
    def read(self, crop: Image, place: Place, px_per_mm: float) -> Seen: ...


class Kind(StrEnum):
    READ = "read"
    UNREAD = "unread"
    FACE_DOWN = "face_down"


@dataclass(frozen=True)
class Box:
    """Something seen, for a person to look at: four corners in pixels of the whole picture, and what it is.

    `text` is the card's name, or why it was not read; always empty for a card that lies face down.
    """

    corners: Corners
    kind: Kind
    text: str


@dataclass(frozen=True)
class ZoneReading:
    """What lies still in a zone: cards left to right as seen from its seat; how many unread and face down.

    `chips_value` is None where the camera is not sure of it. `thing` is True when something that is no card lies
    there (the dealer button in a button zone).
    """

    zone: str
    at_ms: int
    cards: tuple[str, ...] = ()
    unread: int = 0
    face_down: int = 0
    chips_value: int | None = None
    thing: bool = False
    boxes: tuple[Box, ...] = field(default=(), compare=False)

    def same_as(self, other: ZoneReading) -> bool:
        """Whether both say the same, whenever that was."""
        return _said(self) == _said(other)


def _said(reading: ZoneReading) -> tuple[object, ...]:
    return reading.cards, reading.unread, reading.face_down, reading.chips_value, reading.thing


@dataclass
class _ZoneState:
    """One zone: where it is in the picture, and how far its reading has come."""

    zone: Zone
    left: int
    top: int
    place: Place
    small: tuple[slice, slice]
    small_mask: NDArray[np.bool_]
    still: int = 0  # pictures since the last motion
    stale: bool = True  # it changed and has not been read since
    looks: list[Seen] = field(default_factory=list)
    hidden: bool = False
    said: ZoneReading | None = None

    def moved(self, moving: NDArray[np.bool_]) -> bool:
        return bool(moving[self.small][self.small_mask].any())


class Watcher:
    """Turns pictures of one table into readings of its zones. One thread only; keeps no pictures but the last."""

    def __init__(self, felt: Felt, reader: Reader) -> None:
        self.felt = felt
        self._reader = reader
        self._zones = [_zone_state(felt, zone) for zone in felt.zones]
        self._in_zones = _in_any_zone(felt)
        self._felt = np.zeros(3)
        self._last: Image | None = None
        self.blocked = ""  # why the camera sees nothing useful; empty while it does

    @property
    def readings(self) -> dict[str, ZoneReading]:
        """The latest reading of every zone that was read."""
        return {state.zone.name: state.said for state in self._zones if state.said is not None}

    @property
    def hidden(self) -> frozenset[str]:
        """Zones that something lies over, such as a hand; their readings are the last before it came."""
        return frozenset(state.zone.name for state in self._zones if state.hidden)

    def force(self) -> None:
        """Read every zone again and say it even if nothing changed, as after a restart."""
        for state in self._zones:
            state.stale, state.still, state.looks, state.said = True, 0, [], None

    def step(self, image: Image, at_ms: int) -> list[ZoneReading]:
        """Take the next picture (BGR, of the felt's size); the readings that are new.

        Raises ValueError for a picture of another size: the camera's zones would lie elsewhere.
        """
        width, height = self.felt.size_px
        if image.shape != (height, width, 3):
            raise ValueError(
                f"picture is {image.shape[1]} x {image.shape[0]}: this felt is calibrated for {width} x {height}"
            )
        small = np.asarray(
            cv2.resize(image, (width // SHRINK, height // SHRINK), interpolation=cv2.INTER_AREA), np.uint8
        )
        last, self._last = self._last, small
        self.blocked = _why_blocked(small)
        if self.blocked or last is None:
            for state in self._zones:
                state.still = 0
            return []
        blue, green, red = cv2.split(cv2.absdiff(small, last))
        moving = cv2.max(cv2.max(blue, green), red) > MOVED
        self._felt = self._felt_colour(small)
        fresh = [self._look(state, image, moving, at_ms) for state in self._zones]
        if 2 * len(self.hidden) > len(self._zones):
            self.blocked = "something is in front of the camera"
        return [reading for reading in fresh if reading is not None]

    def _look(self, state: _ZoneState, image: Image, moving: NDArray[np.bool_], at_ms: int) -> ZoneReading | None:
        """Move one zone on by one picture; its reading when that is new."""
        if state.moved(moving):
            state.still, state.stale, state.looks = 0, True, []
            return None
        state.still += 1
        if not state.stale:
            return None
        state.looks.append(self._read(state, image))
        if len(state.looks) < VOTES:
            return None
        latest = state.looks[-1]
        state.hidden = _unlike(latest.cloth, self._felt) or (
            not _is_for_things(state.zone) and latest.clutter > HIDDEN
        )
        if state.hidden:
            state.stale = False  # looked at again when whatever it is moves away
            return None
        reading = self._agreed(state, at_ms)
        state.stale = reading.unread > 0 and len(state.looks) < MOST_VOTES
        if state.said is not None and reading.same_as(state.said):
            return None
        state.said = reading
        return reading

    def _felt_colour(self, small: Image) -> NDArray[np.float64]:
        """The colour (BGR) of this table's felt now: most of what lies in most zones."""
        return np.asarray(np.median(small[self._in_zones][::4], axis=0), np.float64)

    def _read(self, state: _ZoneState, image: Image) -> Seen:
        height, width = state.place.inside.shape
        crop = image[state.top : state.top + height, state.left : state.left + width]
        return self._reader.read(crop, state.place, self.felt.px_per_mm)

    def _agreed(self, state: _ZoneState, at_ms: int) -> ZoneReading:
        """What all looks together say: a card is named when some look named it and none named another."""
        things = _is_for_things(state.zone)
        latest = state.looks[-1]
        boxes = [self._card_box(state, card.corners) for card in latest.cards]
        if not things:
            boxes += [self._card_box(state, unread.corners, unread.why) for unread in latest.unread]
        boxes += [_box(state, back.corners, Kind.FACE_DOWN, "") for back in latest.face_down]
        boxes.sort(key=lambda box: self._rightness(state, box))
        return ZoneReading(
            state.zone.name,
            at_ms,
            tuple(box.text for box in boxes if box.kind is Kind.READ),
            sum(box.kind is Kind.UNREAD for box in boxes),
            sum(back.cards for back in latest.face_down),
            None,
            things and latest.clutter > 0,
            tuple(boxes),
        )

    def _card_box(self, state: _ZoneState, corners: Corners, why: str = "the looks differ") -> Box:
        names = {card.card for look in state.looks for card in look.cards if self._same_place(card, corners)}
        if len(names) == 1:
            return _box(state, corners, Kind.READ, names.pop())
        return _box(state, corners, Kind.UNREAD, why)

    def _same_place(self, card: Reading, corners: Corners) -> bool:
        apart = np.mean(card.corners, axis=0) - np.mean(corners, axis=0)
        return float(np.hypot(*apart)) < SAME_CARD_MM * self.felt.px_per_mm

    def _rightness(self, state: _ZoneState, box: Box) -> float:
        x, y = self.felt.to_mm(np.mean(box.corners, axis=0))
        return state.zone.within(float(x), float(y))[0]


def _unlike(cloth: tuple[float, float, float], felt: NDArray[np.float64]) -> bool:
    """Whether what lies around a zone is not this table's felt: of another hue, or far brighter or darker."""
    one, other = np.maximum(cloth, 1.0), np.maximum(felt, 1.0)
    hue = float(np.abs(one / one.sum() - other / other.sum()).sum())
    return hue > OTHER_HUE or not 1 / OTHER_LIGHT < one.sum() / other.sum() < OTHER_LIGHT


def _is_for_things(zone: Zone) -> bool:
    """Zones for chips and the button: what is no card there hides nothing."""
    return zone.name == "pot" or zone.name.endswith("-bet") or zone.name.startswith("button")


def _box(state: _ZoneState, corners: Corners, kind: Kind, text: str) -> Box:
    return Box(tuple((x + state.left, y + state.top) for x, y in corners), kind, text)


def _why_blocked(small: Image) -> str:
    grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY)
    mean, spread = (float(v[0, 0]) for v in cv2.meanStdDev(grey))
    if spread < FLAT:
        return "the camera sees one even surface: is something over the lens?"
    if mean < DARK:
        return "the camera sees almost no light: are the lamps on?"
    return ""


def _in_any_zone(felt: Felt) -> NDArray[np.bool_]:
    """Where in the shrunken picture there are zones."""
    width, height = felt.size_px
    mask = np.zeros((height // SHRINK, width // SHRINK), np.uint8)
    for zone in felt.zones:
        cv2.fillPoly(mask, [np.round(felt.to_px(zone.corners) / SHRINK - 0.5).astype(np.int32)], 1)
    return mask > 0


def _zone_state(felt: Felt, zone: Zone) -> _ZoneState:
    """Masks and places of one zone, made once."""
    around = Zone(zone.name, zone.x, zone.y, zone.width + 2 * RIM_MM, zone.height + 2 * RIM_MM, zone.angle_deg)
    outer, inner = felt.to_px(around.corners), felt.to_px(zone.corners)
    size = np.array(felt.size_px)
    low = np.clip(np.floor(outer.min(axis=0)), 0, size - 2).astype(int)
    high = np.clip(np.ceil(outer.max(axis=0)) + 1, low + 1, size).astype(int)
    inside = np.zeros((high[1] - low[1], high[0] - low[0]), np.uint8)
    cv2.fillPoly(inside, [np.round(outer - low).astype(np.int32)], 255)
    rim = inside.copy()
    cv2.fillPoly(rim, [np.round(inner - low).astype(np.int32)], 0)
    small = np.zeros((size[1] // SHRINK, size[0] // SHRINK), np.uint8)
    cv2.fillPoly(small, [np.round(inner / SHRINK - 0.5).astype(np.int32)], 1)
    ys, xs = np.nonzero(small)
    window = np.s_[int(ys.min()) : int(ys.max()) + 1, int(xs.min()) : int(xs.max()) + 1]
    return _ZoneState(zone, int(low[0]), int(low[1]), Place.of(inside, rim), window, small[window] > 0)
