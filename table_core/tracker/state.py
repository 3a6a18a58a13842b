"""What the tracker remembers between observations. It is a fold, kept beside the events it led to.

Cards that left the shoe are handles in it. What the camera read at a seat may be a hand that its owner only
lifted: those cards are `Faces`, which are kept apart and never in the clear.
"""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from table_core.messages import (
    HIGHEST_SEAT_NAMED,
    UNKNOWN_CARD,
    CardText,
    Chips,
    Key,
    KeyPressed,
    Millis,
    Refused,
    Seat,
    Source,
    ZoneSeen,
)
from table_core.tracker.memory.timers import Timers

UNKNOWN_TIME = -1  # nobody knows when a card left the shoe


class Press(msgspec.Struct, frozen=True):
    """A function key with the number typed before it: `seat` and `amount` as the dealer gave them."""

    key: Key
    number: int | None = None
    seat: Seat | None = None  # given with the SEAT key
    source: Source = Source.KEY
    reason: str = ""  # from the pick-list, with a ruling

    @property
    def of_seat(self) -> Seat | None:
        """The seat for keys that take a seat: with the SEAT key, or as a bare number."""
        if self.seat is not None:
            return self.seat
        return None if self.number is None else Seat(min(self.number, HIGHEST_SEAT_NAMED))

    @property
    def named_seat(self) -> Seat | None:
        """The seat that a betting key names: BET/RAISE takes its number as chips, the others as a seat."""
        return self.seat if self.key is Key.BET_RAISE else self.of_seat


class Opened(msgspec.Struct, frozen=True):
    """A matter that somebody or something raised and that nobody has ruled on yet. `card` lies face up."""

    matter: str
    seat: Seat | None = None
    amount: int | None = None
    cause: str = ""
    place: int | None = None
    card: str = ""  # empty, or the card that lies face up
    opened_at: Millis = Millis(0)
    by_person: bool = False


class OutOfTurn(msgspec.Struct, frozen=True):
    """A key for a seat that was not to act, as it was pressed."""

    seat: Seat
    did: str
    number: int | None = None


class Arrived(msgspec.Struct, frozen=True):
    """Motions in front of a seat since its zone was empty: before its last action, when that was told, and now."""

    before: int = 0
    at_act: int = 0
    now: int = 0


class TrackerState(msgspec.Struct):
    timers: Timers = msgspec.field(default_factory=Timers)
    # the keypad's grammar
    typed: str = ""
    typed_seat: Seat | None = None
    last_key: KeyPressed | None = None
    # the deal: handle at place 1, 2, …; 0 for a card that was not read
    handles: list[int] = []
    left_at: list[int] = []  # the event before each of them left the shoe
    first_out: int | None = None  # how many of them were out when the first action was recorded, taken back or not
    flop_counted: bool = False  # the camera read the whole flop where the plan has it
    burns_counted: bool = False  # and that was the plan as the books made it
    skipped_burns: list[str] = []
    loose_more: bool = False  # cards of this deal may have passed before the first that was counted
    passed_since: int = 0  # cards that passed in this hand and took no place: the next deal, when they are many
    loose: list[int] = []  # cards that left the shoe while no hand was in progress
    loose_decks: list[str] = []  # and of which deck each is
    loose_at: list[Millis] = []  # and when it passed
    loose_last: tuple[Millis, str] | None = None  # when the newest of them passed, of whichever hand, and its deck
    # what the camera sees lying still
    board: ZoneSeen | None = None
    burns: ZoneSeen | None = None
    burned_before: int = 0  # motions among the burns when the last street was dealt
    camera_away: bool = False  # since then it could not see for a while
    seats: dict[str, ZoneSeen] = {}
    had_cards: list[Seat] = []  # seats where two backs were seen in this hand
    disc: Seat | None = None  # where the button disc lies
    disc_hand: int = 0  # number of the hand in progress for which that is looked at
    # presses that wait for the board, seats whose TABLED or SPLIT key was pressed
    waiting: list[Press] = []
    tabled_keys: list[Seat] = []
    hands_asked: int = 0  # seq of the event that asked whether hands lie face up
    splitting: list[Seat] = []
    result_for: Seat | None = None  # who won a hand that nobody keyed, while that is asked
    undid: bool = False  # the last press was an UNDO
    counted: list[tuple[Seat, Chips]] = []  # stacks before they were counted since the last hand
    closing_asked: bool = False  # NEW HAND was pressed over an open hand once
    # what was already said in this hand
    said: list[str] = []
    # rulings: matters in line, the first of them asked; cards that a ruling barred and that still lie there
    open: list[Opened] = []
    barred: list[CardText] = []
    out_of_turn: list[OutOfTurn] = []
    # chips in front of the seats, and what lay there after each motion
    bets: dict[str, ZoneSeen] = {}
    motions: dict[str, list[int]] = {}
    arrived: dict[str, Arrived] = {}
    arrived_after: int = 0  # the last event that these know of
    acted_at: dict[str, Millis] = {}  # when each seat last acted, as the books have it
    stale: dict[str, int] = {}  # chips that lay there when this street began: nobody bets them
    came: list[ZoneSeen] = []  # chips put in on this street, in the order in which they came
    street: str = ""  # the street that these are about, and since when
    street_since: Millis = Millis(0)
    settled_at: Millis = Millis(-10_000)  # when a question last settled itself
    street_key_at: Millis = Millis(-10_000)  # when STREET was last pressed
    # what the camera saw without a key: since when a place lies empty, folds whose key may still come,
    # seats of which somebody said that they did not fold, seats that were dealt to since the last hand
    gone: dict[str, Millis] = {}
    swept: bool = False  # every place lay empty at once: cards that come now are another hand's
    folds_seen: list[Seat] = []
    fold_seen_at: Millis = Millis(0)
    late_fold_at: Millis | None = None  # when a FOLD key came for a fold that was seen long before
    held: list[Seat] = []
    folds_keyed: bool = False  # a FOLD key was pressed in this hand
    folds_known: list[Seat] = []  # folds that were seen before their turn came
    folds_unkeyed: list[Seat] = []  # folds whose key does not come any more
    dealt_backs: list[Seat] = []
    began_unkeyed: bool = False  # the deal began this hand, not a key
    pressed: bool = True  # anybody pressed a key since missing ones were last asked for
    # keys that come fast on each other, the event before what they may be about, what waits for the last of them
    heap: list[Press] = []
    heap_after: int = 0
    heap_refused: list[Refused] = []
    proposed: Press | None = None  # a key for a later seat, until it is said what those before it did
    # whose turn, since when, and the seat that the clock was called on
    turn: str = ""
    turn_since: Millis = Millis(0)
    clock: Seat | None = None
    # decks of this hand and of the hand before
    deck: str = ""
    deck_before: str = ""
    alternating: bool = False  # the last two hands were dealt with different decks
    strays: list[int] = []  # first cards of this hand, of the deck that should be idle
    foreign: int = 0  # cards of another deck that passed in this hand
    # since when the keypad is out of reach, and when it came back with what was pressed meanwhile
    keypad_out_at: Millis | None = None
    keypad_back_at: Millis = Millis(-10_000)
    lost: list[str] = []  # devices that were said to be out of reach

    def forget_hand(self) -> None:
        """Everything about the deal and the hand; what lies on the felt stays."""
        self.handles, self.left_at, self.skipped_burns, self.loose, self.burns = [], [], [], [], None
        self.first_out = None
        self.flop_counted, self.burns_counted, self.loose_more, self.passed_since = False, False, False, 0
        self.burned_before, self.camera_away = 0, False
        self.had_cards, self.waiting, self.tabled_keys, self.splitting = [], [], [], []
        self.closing_asked = False
        self.open, self.barred, self.out_of_turn, self.motions = [], [], [], {}
        self.clock, self.foreign, self.acted_at = None, 0, {}
        self.stale, self.came, self.street = {}, [], ""
        self.swept, self.late_fold_at = False, None
        self.gone, self.folds_seen, self.held, self.dealt_backs = {}, [], [], []
        self.began_unkeyed, self.proposed = False, None
        self.heap, self.heap_refused = [], []
        self.folds_keyed, self.folds_known, self.folds_unkeyed = False, [], []
        self.alternating = bool(self.deck and self.deck_before and self.deck != self.deck_before)
        self.deck_before, self.deck = self.deck or self.deck_before, ""
        self.loose_decks, self.loose_at, self.strays = [], [], []
        self.timers.end_hand()
        self.said, self.counted = [], []

    def forget_play(self) -> None:
        """Everything that was said and seen of the play so far; the deal and what lies on the felt stay."""
        self.waiting, self.tabled_keys, self.splitting, self.result_for = [], [], [], None
        self.out_of_turn, self.heap, self.heap_refused, self.proposed = [], [], [], None
        self.came, self.motions, self.street = [], {}, ""
        self.folds_seen, self.folds_known, self.folds_unkeyed, self.held = [], [], [], []
        self.swept, self.late_fold_at, self.closing_asked = False, None, False
        self.timers.forget_play()

    def forget_faces(self) -> None:
        """A hand begins: what was seen face up lay there in the hand before, seen again or not."""
        if self.board is not None and _faces(self.board):
            self.board = None
        self.seats = {seat: seen for seat, seen in self.seats.items() if not _faces(seen)}


def _faces(seen: ZoneSeen) -> int:
    return len(seen.cards) + seen.unread


class Faces(msgspec.Struct, frozen=True):
    """The cards of a state that may be hidden: read at the seats, and those of the open matters in their order."""

    seats: dict[str, tuple[CardText, ...]]
    opened: tuple[str, ...]

    def __repr__(self) -> str:
        return "Faces(••)"


def covered(seen: ZoneSeen) -> ZoneSeen:
    """The reading as it may be kept in the clear: only the board's cards are everybody's."""
    if not seen.cards or seen.zone == "board" or seen.zone.startswith("board-"):
        return seen
    return replace(seen, cards=(UNKNOWN_CARD,) * len(seen.cards))


def encode_state(state: TrackerState) -> bytes:
    """Everything but the faces."""
    seats = {seat: covered(seen) for seat, seen in state.seats.items()}
    opened = [replace(one, card="") if one.card else one for one in state.open]
    return msgspec.json.encode(replace(state, seats=seats, open=opened))


def encode_faces(state: TrackerState) -> bytes:
    """The faces that `encode_state` leaves out; empty where there are none."""
    seats = {seat: seen.cards for seat, seen in state.seats.items() if seen.cards}
    opened = tuple([one.card for one in state.open])
    return msgspec.json.encode(Faces(seats, opened)) if seats or any(opened) else b""


def decode_state(raw: bytes, faces: bytes | None = None) -> TrackerState:
    """Without `faces` what was read at the seats lies face up unread. Raise `msgspec.DecodeError` when `raw` is
    not a tracker's state."""
    state = msgspec.json.decode(raw, type=TrackerState)
    known = msgspec.json.decode(faces, type=Faces) if faces else Faces({}, ())
    state.seats = {seat: _uncovered(seen, known.seats.get(seat)) for seat, seen in state.seats.items()}
    cards = known.opened or ("",) * len(state.open)
    state.open = [replace(one, card=card) for one, card in zip(state.open, cards, strict=True)]
    return state


def _uncovered(seen: ZoneSeen, cards: tuple[CardText, ...] | None) -> ZoneSeen:
    if cards is not None:
        return replace(seen, cards=cards)
    return replace(seen, cards=(), unread=seen.unread + len(seen.cards)) if seen.cards else seen
