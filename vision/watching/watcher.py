"""Watches one table: reads a zone at rest after a change, and gives only new readings.

    watcher = Watcher(felt, CardReader())
    for reading in watcher.step(frame.image, frame.taken_ms): ...

A hand over a zone, a card in the air, a blurred picture and a covered lens are normal: a zone is not read until it
can be seen again. No more than `MOST_CARDS` cards are looked at in one picture: a flop takes as long as ever, and
where everything moved at once the rest follows in the next pictures. A name is given only when no reading of the
zone at rest contradicts another, and one card keeps its name and number while it lies there
(`vision.watching.card_identity`).
"""

from __future__ import annotations

import functools
import itertools
from dataclasses import dataclass, field, replace
from typing import Protocol

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from table_core.messages import FOR_CHIPS, Chips, Zone, ZoneReading
from vision.cards import CardReading, Corners, Joker, Parts, Seen
from vision.cards.find import SearchRegion
from vision.chips.arrivals import MotionCounter
from vision.chips.zone import Lean, ZoneChipReader, ZoneChips
from vision.geometry.felt import PILES, Felt, Rect
from vision.geometry.hanging import Calibration
from vision.geometry.pixels import Pixels, as_pixels
from vision.geometry.sees import lean_at
from vision.geometry.view import View, Window, shrink_of, view_of
from vision.watching.button import ButtonWatch
from vision.watching.card_identity import Memory, Thing
from vision.watching.disc import squares
from vision.watching.sight import HIDDEN, more_than_backs, other_cloth, why_blocked, why_unread
from vision.watching.watched import JOKER, Annotation, Condition, Kind, WatchedZone, is_for_things
from vision.watching.zone_region import rims, zone_region

Image = NDArray[np.uint8]

MOVED = 11  # largest difference in grey levels of a reduced pixel between two pictures at rest
VOTES = 2  # reads that must agree
MOST_VOTES = 5  # largest number of reads while something is unread
FEWEST_HIDDEN = 3  # zones from which most of them hidden is a blocked camera: a hand over a board hides one
MOST_CARDS = 3  # looked at in one picture: a flop
SAME_CARD_MM = 12.0
SETTLES = 25  # pictures in which what moves comes to rest and is read, or does not


class Reader(Protocol):
    def read_in_parts(self, crop: Image, region: SearchRegion, px_per_mm: float) -> Parts[Seen]:
        """The cards in a zone; it yields before each. `crop` is BGR, (height, width, 3) uint8; what is found lies
        in its pixels."""


@dataclass
class _Look:
    """A look at a zone at rest that is under way: the picture of the zone, and what is left to do in it."""

    crop: Image
    parts: Parts[Seen]
    found: bool = False  # where the cards lie

    def go_on(self, most: int) -> tuple[Seen | None, int]:
        """Look at `most` more cards; what was seen once all are done, and how many cards it took."""
        cards = 0
        try:
            if not self.found:
                next(self.parts)
                self.found = True
            while cards < most:
                cards += 1
                next(self.parts)
        except StopIteration as end:
            return end.value, cards
        return None, cards


@dataclass
class _ZoneState:
    """One zone: where it is on the felt, and how far its reading has come."""

    zone: Zone
    where: Rect
    window: Window
    region: SearchRegion
    small: tuple[slice, slice]
    small_mask: NDArray[np.bool_]
    memory: Memory
    still: int = 0  # pictures since the last motion
    stale: bool = True  # it changed and has not been read since
    unread_for: int = 0  # pictures in which it was stale
    look: _Look | None = None  # the one that is under way
    looks: list[Seen] = field(default_factory=list)
    condition: Condition = Condition.MOVING
    said: WatchedZone | None = None
    chips: list[ZoneChips] = field(default_factory=list)  # seen since it lies still
    arrivals: MotionCounter = field(default_factory=MotionCounter)
    lean: Lean | None = None
    burning: int = 0  # motions among the burns since there were none

    @property
    def corner(self) -> NDArray[np.int64]:
        """The felt pixel at the top left of its crop."""
        return np.array((self.window.left, self.window.top), np.int64)

    def moved(self, moving: NDArray[np.bool_]) -> bool:
        return bool(moving[self.small][self.small_mask].any())

    def forget(self) -> None:
        """Know nothing of it any more: what is read there is said."""
        self.read_anew()
        self.said = None
        self.memory.forget()

    def read_anew(self) -> None:
        self.stale, self.still, self.look, self.looks, self.chips = True, 0, None, [], []


class Watcher:
    """Turns pictures of one table into readings of its zones. One thread only; keeps no pictures but the last.

    Without a calibration the picture itself is the felt. A picture of another size but the same shape will do.
    With `chips` it says what lies in the zones for chips; a camera that was not calibrated hangs `height_mm` above
    the middle of the felt (0: nobody measured).
    """

    def __init__(
        self,
        felt: Felt,
        reader: Reader,
        calibration: Calibration | None = None,
        *,
        chips: ZoneChipReader | None = None,
        height_mm: float = 0.0,
    ) -> None:
        self.felt = felt
        self._calibration = calibration
        self._view: View | None = None
        self._size = (0, 0)
        self._reader = reader
        numbers = itertools.count(1)
        self._zones = [_zone_state(felt, zone, Memory(numbers, felt.px_per_mm)) for zone in felt.zones]
        self._chips, self._height_mm = chips, height_mm
        self._find_leans()
        self._rims = rims(felt)
        self._button = ButtonWatch(felt)
        self._felt: NDArray[np.float64] | None = None  # its colour in the last picture, once a zone was read
        self._last: Image | None = None
        self._minds = frozenset(felt.zones)  # the zones that it looks at
        self._cards_left = MOST_CARDS  # that may still be looked at in this picture
        self.blocked = ""  # why the camera sees nothing useful; empty while it does
        self.no_light = False  # it is the light, or something on the lens

    @property
    def readings(self) -> dict[Zone, ZoneReading]:
        """The latest reading of every zone that was read."""
        return {zone: watched.reading for zone, watched in self.watched.items()}

    @property
    def watched(self) -> dict[Zone, WatchedZone]:
        """The latest of every zone that was read."""
        return {state.zone: state.said for state in self._states if state.said is not None}

    @property
    def reading(self) -> bool:
        """Whether something at rest is not read to its end: the next pictures will say more."""
        return any(state.stale and state.still for state in self._states)

    @property
    def unsettled(self) -> frozenset[Zone]:
        """Zones in which something moves, or which are not read to their end; not one in which that lasts."""
        return frozenset(state.zone for state in self._states if 0 < state.unread_for <= SETTLES)

    @property
    def conditions(self) -> dict[Zone, Condition]:
        """How well each zone that it looks at can be seen now."""
        return {state.zone: state.condition for state in self._states}

    @property
    def hidden(self) -> frozenset[Zone]:
        """Zones that something lies over, such as a hand; their readings are the last before it came."""
        return frozenset(state.zone for state in self._states if state.condition is Condition.HIDDEN)

    def outline(self, zone: Zone, margin_mm: float = 0.0) -> NDArray[np.float64]:
        """The corners of a zone, with a margin around it, in pixels of the last picture that `step` took."""
        assert self._view is not None
        return self._view.to_picture(self.felt.to_px(self.felt.zone(zone).grown(margin_mm).corners))

    @property
    def _states(self) -> list[_ZoneState]:
        return [state for state in self._zones if state.zone in self._minds]

    def force(self) -> None:
        """Read every zone again and say it even if nothing changed, as after a restart."""
        for state in self._zones:
            state.forget()
        self._button.forget()

    def mind(self, zones: frozenset[Zone]) -> None:
        """Look at these zones alone from now on, and read each that is new among them as after a restart."""
        for state in self._zones:
            if state.zone in zones - self._minds:
                state.forget()
        self._minds = zones

    def begin_again(self) -> None:
        """Look at every zone anew, as when the camera was away; only what is new will be said."""
        self._last = None
        self._button.look_again()
        for state in self._zones:
            state.read_anew()

    def recalibrate(self, calibration: Calibration) -> None:
        """The camera was moved: zones lie elsewhere in its pictures from now on, and are read again."""
        self._calibration, self._view = calibration, None
        self._find_leans()
        self.begin_again()

    def step(self, given: Pixels | Image) -> list[WatchedZone]:
        """Take the next picture, or its pixels (BGR); the zones of which something new is read.

        Raises `ViewError` for a picture of another shape: the camera's zones would lie elsewhere.
        """
        pixels = as_pixels(given)
        view = self._view_for(pixels.size)
        small = view.shrunk(pixels)
        last, self._last = self._last, small
        self.blocked = why_blocked(small, tuple(self.felt.cloths.values()))
        self.no_light = bool(self.blocked)
        if self.blocked or last is None:
            for state in self._states:
                state.still, state.condition = 0, Condition.HIDDEN if self.blocked else Condition.MOVING
                state.look = None
            return []
        blue, green, red = cv2.split(cv2.absdiff(small, last))
        moving = cv2.max(cv2.max(blue, green), red) > MOVED
        self._felt = None
        self._follow_button(view, pixels, small, moving)
        self._cards_left = MOST_CARDS
        # What has waited longest comes first: a zone in which something moves all the time holds up no other.
        states = self._states
        waiting = sorted(states, key=lambda state: -state.still if state.stale else 0)
        read = {state.zone: self._look(state, view, pixels, moving) for state in waiting}
        for state in states:
            state.unread_for = state.unread_for + 1 if state.stale else 0
        fresh = [read[state.zone] or self._button_moved(state, view) for state in states]
        if len(self.hidden) >= FEWEST_HIDDEN and 2 * len(self.hidden) > len(states):
            self.blocked = "something is in front of the camera"
        return [watched for watched in fresh if watched is not None]

    def _find_leans(self) -> None:
        """How far off its foot a thing is seen in each zone: it tells how high chips lie."""
        middle = (self.felt.width_mm / 2, self.felt.height_mm / 2)
        for state in self._zones:
            state.lean = lean_at((state.where.x, state.where.y), self._calibration, middle, self._height_mm)

    def _view_for(self, size: tuple[int, int]) -> View:
        if self._view is None or size != self._size:
            self._view, self._size = view_of(self.felt, self._calibration, size), size
            self.begin_again()
        return self._view

    def _look(
        self, state: _ZoneState, view: View, pixels: Pixels, moving: NDArray[np.bool_]
    ) -> WatchedZone | None:
        """Move one zone on by one picture; what is read there when that is new."""
        if state.moved(moving):
            state.read_anew()
            state.condition = Condition.MOVING
            return None
        state.still += 1
        if not state.stale:
            return None
        crop = self._looked(state, view, pixels)
        if crop is None:
            return None
        if self._chips is not None and state.zone.kind in FOR_CHIPS:
            places = (state.region.inside, state.region.rim)
            state.chips.append(self._chips.read(crop, *places, state.looks[-1].cloth, state.lean))
        if len(state.looks) < VOTES:
            return None
        latest = state.looks[-1]
        things = is_for_things(state.zone)
        under_something = not things and (
            latest.clutter > HIDDEN
            or (state.zone.kind not in PILES and more_than_backs(crop, state.region, latest, self.felt.px_per_mm))
        )
        if under_something or self._covered(state, latest):
            state.condition, state.stale = Condition.HIDDEN, False  # looked at again when it moves away
            return None
        watched = self._agreed(state, view, crop)
        unread = watched.reading.unread > 0
        state.stale = unread and len(state.looks) < MOST_VOTES
        state.condition = why_unread(crop, state.region, self.felt.px_per_mm) if unread else Condition.CLEAR
        if watched == state.said:
            return None
        state.said = watched
        return watched

    def _covered(self, state: _ZoneState, seen: Seen) -> bool:
        """Whether a cloth or a sleeve lies over the whole zone: what is around it is neither this table's felt nor
        what lay there when the camera was calibrated (a logo, a line, a pad of another colour)."""
        known = self.felt.cloths.get(state.zone)
        if known is not None and not other_cloth(seen.cloth, np.asarray(known, np.float64)):
            return False
        return other_cloth(seen.cloth, self._felt_colour())

    def _looked(self, state: _ZoneState, view: View, pixels: Pixels) -> Image | None:
        """Go on with the look at a zone, or begin one: an empty zone is done at once. Its picture once a look is
        done, else None."""
        if state.look is None:
            crop = view.cut(pixels.whole(), state.window).copy()  # it may take more pictures than this one
            parts = self._reader.read_in_parts(crop, state.region, self.felt.px_per_mm)
            state.look = _Look(crop, parts)
        seen, cards = state.look.go_on(self._cards_left)
        self._cards_left -= cards
        if seen is None:
            return None
        crop, state.look = state.look.crop, None
        state.looks.append(seen)
        return crop

    def _follow_button(self, view: View, pixels: Pixels, small: Image, moving: NDArray[np.bool_]) -> None:
        cut = squares(self.felt, view, pixels)
        self._button.step(small, moving, self.felt.px_per_mm / shrink_of(self.felt), cut)

    def _button_moved(self, state: _ZoneState, view: View) -> WatchedZone | None:
        """A button zone when the disc has come or gone and nothing else there is new."""
        here = self._has_button(state.zone)
        if state.said is None or state.said.reading.button == here:
            return None
        reading = msgspec.structs.replace(state.said.reading, button=here)
        state.said = replace(state.said, reading=reading, boxes=self._button_box(view) if here else ())
        return state.said

    def _has_button(self, zone: Zone) -> bool:
        return self._button.seat is not None and zone == Zone.button(self._button.seat)

    def _button_box(self, view: View) -> tuple[Annotation, ...]:
        assert self._button.disc is not None
        corners = view.to_picture(self.felt.to_px(self._button.disc.box))
        return (Annotation(tuple((float(x), float(y)) for x, y in corners), Kind.BUTTON, ""),)

    def _felt_colour(self) -> NDArray[np.float64]:
        """The colour (BGR) of this table's felt now: most of what lies around most zones."""
        if self._felt is None:
            assert self._last is not None
            self._felt = np.asarray(np.median(self._last[self._rims], axis=0), np.float64)
        return self._felt

    def _agreed(self, state: _ZoneState, view: View, crop: Image) -> WatchedZone:
        """What all looks together say: a card is named when some look named it and none named another."""
        for_things = is_for_things(state.zone)
        latest = state.looks[-1]
        seen = [self._voted(state, card.corners) for card in latest.cards]
        if not for_things:
            seen += [self._voted(state, unread.corners, unread.why) for unread in latest.unread]
            seen += [self._voted(state, joker.corners) for joker in latest.jokers]
        seen += [Thing(back.corners, face_down=True) for back in latest.face_down]
        chips = _chips_agreed(state)
        button = self._has_button(state.zone)
        if state.zone == Zone.BURN and len(state.looks) == VOTES:
            state.burning = state.burning + 1 if seen else 0
        things = sorted(state.memory.settle(seen, crop), key=lambda thing: self._rightness(state, thing))
        reading = ZoneReading(
            state.zone,
            tuple(thing.name for thing in things if thing.name),
            sum(not thing.name and not thing.face_down for thing in things),
            sum(back.cards for back in latest.face_down),
            Chips(chips.value) if chips and chips.value is not None else None,
            chips.pieces if chips else None,
            state.arrivals.motions + state.burning,
            chips.odd if chips else JOKER if any(thing.why == JOKER for thing in things) else "",
            button,
        )
        boxes = tuple(_box(state, view, thing) for thing in things) + (self._button_box(view) if button else ())
        return WatchedZone(reading, for_things and latest.clutter > 0, boxes)

    def _voted(self, state: _ZoneState, corners: Corners, why: str = "the looks differ") -> Thing:
        said = {card.card for look in state.looks for card in look.cards if self._same_place(card, corners)}
        said |= {JOKER for look in state.looks for joker in look.jokers if self._same_place(joker, corners)}
        if len(said) != 1:
            return Thing(corners, why="the looks differ" if said else why)
        return Thing(corners, why=JOKER) if said == {JOKER} else Thing(corners, said.pop())

    def _same_place(self, card: CardReading | Joker, corners: Corners) -> bool:
        apart = np.mean(card.corners, axis=0) - np.mean(corners, axis=0)
        return float(np.hypot(*apart)) < SAME_CARD_MM * self.felt.px_per_mm

    def _rightness(self, state: _ZoneState, thing: Thing) -> float:
        x, y = self.felt.to_mm(np.mean(thing.corners, axis=0) + state.corner)
        return state.where.within(float(x), float(y))[0]


def _chips_agreed(state: _ZoneState) -> ZoneChips | None:
    """What the looks at chips say together; the first time after a motion they may be new ones."""
    if not state.chips:
        return None
    together = functools.reduce(ZoneChips.agreed, state.chips)
    if len(state.chips) == VOTES:
        state.arrivals.still(together)
    return together


def _box(state: _ZoneState, view: View, thing: Thing) -> Annotation:
    face = Kind.READ if thing.name else Kind.JOKER if thing.why == JOKER else Kind.UNREAD
    kind = Kind.FACE_DOWN if thing.face_down else face
    corners = view.to_picture(np.array(thing.corners) + state.corner)
    return Annotation(
        tuple((float(x), float(y)) for x, y in corners), kind, thing.name or thing.why, thing.identity
    )


def _zone_state(felt: Felt, zone: Zone, memory: Memory) -> _ZoneState:
    """Masks and places of one zone, made once."""
    where = felt.zone(zone)
    cut, region = zone_region(felt, zone)
    width, height = felt.size_px
    shrink = shrink_of(felt)
    small = np.zeros((height // shrink, width // shrink), np.uint8)
    cv2.fillPoly(small, [np.round(felt.to_px(where.corners) / shrink - 0.5).astype(np.int32)], 1)
    ys, xs = np.nonzero(small)
    window = np.s_[int(ys.min()) : int(ys.max()) + 1, int(xs.min()) : int(xs.max()) + 1]
    return _ZoneState(zone, where, cut, region, window, small[window] > 0, memory)
