"""The tracker's memory between observations. It follows from the events and is stored beside them.

Cards that left the shoe are handles in it. Cards that the camera read at a seat may be a hand that its owner only
lifted: these are `Faces`, stored separately and never in the clear.
"""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from table_core.messages import (
    UNKNOWN_CARD,
    Unencodable,
    Zone,
    ZoneKind,
    ZoneSeen,
    field_in_words,
    from_text,
    to_text,
)
from table_core.tracker.kept import CardText, Seat
from table_core.tracker.memory.camera.arrivals import Arrivals
from table_core.tracker.memory.camera.bets import Bets
from table_core.tracker.memory.camera.disc import DiscWatch
from table_core.tracker.memory.camera.folds import Folds
from table_core.tracker.memory.camera.look import Look
from table_core.tracker.memory.camera.seat_cards import SeatCards
from table_core.tracker.memory.counts import Counts
from table_core.tracker.memory.dealing.board import Board
from table_core.tracker.memory.dealing.deal import Deal
from table_core.tracker.memory.dealing.decks import Decks
from table_core.tracker.memory.dealing.loose import LooseCards
from table_core.tracker.memory.dealing.witness import Witness
from table_core.tracker.memory.devices import DeviceLines
from table_core.tracker.memory.keys.key_queue import KeyQueue
from table_core.tracker.memory.keys.keypad import Keypad
from table_core.tracker.memory.keys.presses import Presses
from table_core.tracker.memory.keys.redo import Redo
from table_core.tracker.memory.keys.thinking import Thinking
from table_core.tracker.memory.keys.undoable import Undoable
from table_core.tracker.memory.notices import Notices
from table_core.tracker.memory.rulings import Rulings
from table_core.tracker.memory.showdown import Showdown
from table_core.tracker.memory.slice import Slice
from table_core.tracker.memory.timers import Timers
from table_core.tracker.old_note import upgraded

_slice = msgspec.field


class TrackerState(msgspec.Struct):
    """All slices. Each is written by its own methods only."""

    # keys and touches
    keypad: Keypad = _slice(default_factory=Keypad)
    presses: Presses = _slice(default_factory=Presses)
    key_queue: KeyQueue = _slice(default_factory=KeyQueue)
    showdown: Showdown = _slice(default_factory=Showdown)
    counts: Counts = _slice(default_factory=Counts)
    rulings: Rulings = _slice(default_factory=Rulings)
    thinking: Thinking = _slice(default_factory=Thinking)
    undoable: Undoable = _slice(default_factory=Undoable)
    redo: Redo = _slice(default_factory=Redo)
    # shoe
    deal: Deal = _slice(default_factory=Deal)
    loose: LooseCards = _slice(default_factory=LooseCards)
    decks: Decks = _slice(default_factory=Decks)
    # camera
    board: Board = _slice(default_factory=Board)
    seat_cards: SeatCards = _slice(default_factory=SeatCards)
    folds: Folds = _slice(default_factory=Folds)
    bets: Bets = _slice(default_factory=Bets)
    arrivals: Arrivals = _slice(default_factory=Arrivals)
    disc: DiscWatch = _slice(default_factory=DiscWatch)
    witness: Witness = _slice(default_factory=Witness)
    look: Look = _slice(default_factory=Look)
    # timers and notices
    devices: DeviceLines = _slice(default_factory=DeviceLines)
    timers: Timers = _slice(default_factory=Timers)
    notices: Notices = _slice(default_factory=Notices)
    at_new_hand: TrackerState | None = None  # as NEW HAND found it, until a card passes the shoe or somebody acts

    def slices(self) -> dict[str, Slice]:
        return {name: getattr(self, name) for name in self.__struct_fields__ if name != "at_new_hand"}

    def found(self) -> TrackerState:
        """A copy, without what was found before it."""
        copied = replace(self, at_new_hand=None)
        for name, one in self.slices().items():
            setattr(copied, name, replace(one))
        return copied

    def go_back_to(self, found: TrackerState) -> None:
        """As it was then, but for the lines of devices, the disc, a deck that was put in since, and doubts. What
        the camera has read since is to be read again."""
        now = self.found()
        for name, slice_ in found.slices().items():
            setattr(self, name, slice_)
        self.keypad, self.look, self.devices, self.at_new_hand = now.keypad, now.look, now.devices, None
        self.redo = now.redo
        self.loose = now.loose if now.loose.fresh_deck else self.loose
        self.disc = replace(self.disc, seat=now.disc.seat)
        self.board.street_taken_back(self.board.burned_before, camera_away=now.board.camera_away)
        self.timers.lines_as_in(now.timers)
        self.notices.doubt_too(now.notices)

    def readings(self) -> dict[Zone, ZoneSeen]:
        """What the camera read last, by zone."""
        seats = *self.seat_cards.readings.values(), *self.bets.readings.values()
        return {one.zone: one for one in (*seats, self.board.seen, self.board.burns) if one is not None}

    def end_hand(self) -> None:
        """Drop everything about the deal and the hand; readings of the felt stay."""
        self.at_new_hand = None
        for one in self.slices().values():
            one.end_hand()

    def forget_play(self) -> None:
        """Drop keys and readings of the play so far; the deal and the readings of the felt stay."""
        for one in self.slices().values():
            one.forget_play()

    def forget_faces(self) -> None:
        """A hand begins: faces seen before it belong to the last hand."""
        self.board.forget_faces()
        self.seat_cards.forget_faces()


class Faces(msgspec.Struct, frozen=True):
    """Cards of a state that may be hidden: those read at the seats, and those of open incidents in their order."""

    seats: dict[Seat, tuple[CardText, ...]]
    opened: tuple[str, ...]
    before: Faces | None = None  # of the state that NEW HAND found

    def __repr__(self) -> str:
        return "Faces(••)"


def covered(seen: ZoneSeen) -> ZoneSeen:
    """The reading as it may be stored in the clear: only the board's cards are public."""
    if not seen.cards or seen.zone.kind is ZoneKind.BOARD:
        return seen
    return replace(seen, cards=(UNKNOWN_CARD,) * len(seen.cards))


def encode_state(state: TrackerState) -> bytes:
    """The state without its faces, and without how far the camera has looked. Raise `Unencodable`; what it returns
    can be read again (`tracker/kept.py`)."""
    return _encoded(_without_faces(state))


def _without_faces(state: TrackerState) -> TrackerState:
    readings = {seat: covered(seen) for seat, seen in state.seat_cards.readings.items()}
    opened = tuple([replace(one, card="") if one.card else one for one in state.rulings.open])
    cards, rulings = replace(state.seat_cards, readings=readings), replace(state.rulings, open=opened)
    before = None if state.at_new_hand is None else _without_faces(state.at_new_hand)
    return replace(state, seat_cards=cards, rulings=rulings, look=Look(), at_new_hand=before)


def encode_faces(state: TrackerState) -> bytes:
    """The faces that `encode_state` leaves out; empty where there are none."""
    faces = _faces(state)
    return b"" if faces is None else _encoded(faces)


def _faces(state: TrackerState) -> Faces | None:
    seats = {seat: seen.cards for seat, seen in state.seat_cards.readings.items() if seen.cards}
    opened = tuple([one.card for one in state.rulings.open])
    before = None if state.at_new_hand is None else _faces(state.at_new_hand)
    return Faces(seats, opened, before) if seats or any(opened) or before is not None else None


def _encoded(kept: msgspec.Struct) -> bytes:
    try:
        return msgspec.json.encode(kept, enc_hook=to_text)
    except (ValueError, OverflowError) as error:
        raise Unencodable(field_in_words(error)) from None


def decode_state(raw: bytes, faces: bytes | None = None) -> TrackerState:
    """Without `faces` what was read at the seats lies face up unread. Raise `msgspec.DecodeError` when `raw` is
    not a tracker's state."""
    state = msgspec.json.decode(upgraded(raw), type=TrackerState, dec_hook=from_text)
    _uncover(state, msgspec.json.decode(faces, type=Faces) if faces else None)
    return state


def _uncover(state: TrackerState, faces: Faces | None) -> None:
    known = faces or Faces({}, ())
    readings = {seat: _uncovered(seen, known.seats.get(seat)) for seat, seen in state.seat_cards.readings.items()}
    cards = known.opened or ("",) * len(state.rulings.open)
    opened = tuple([replace(one, card=card) for one, card in zip(state.rulings.open, cards, strict=True)])
    state.seat_cards = replace(state.seat_cards, readings=readings)
    state.rulings = replace(state.rulings, open=opened)
    if state.at_new_hand is not None:
        _uncover(state.at_new_hand, known.before)


def _uncovered(seen: ZoneSeen, cards: tuple[CardText, ...] | None) -> ZoneSeen:
    if cards is not None:
        return replace(seen, cards=cards)
    return replace(seen, cards=(), unread=seen.unread + len(seen.cards)) if seen.cards else seen
