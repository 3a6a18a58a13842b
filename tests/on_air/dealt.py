"""A table that deals random hands: its signed events with their boxes, and what it shows behind each event."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from msgspec.structs import replace

from feltwire.ledger.chain import LedgerHead
from feltwire.ledger.signing import LedgerKey
from feltwire.table.vault import Vault
from table_core.messages import (
    Acted,
    Action,
    AnyEvent,
    At,
    BoardDealt,
    CardDealt,
    CardText,
    Chips,
    DealCorrected,
    Envelope,
    HandEnded,
    HandKilled,
    HandMucked,
    HandResumed,
    HandStarted,
    HandTabled,
    Leaseholder,
    Level,
    Millis,
    Misdealt,
    Moved,
    Noticed,
    PastEpoch,
    ResultEntered,
    Rewound,
    SealedCard,
    Seat,
    SeatsSet,
    SeatStack,
    SeatView,
    Share,
    Source,
    Street,
    TableLeaseholder,
    TableState,
    TableView,
)
from table_core.projections.table_state import HAND_STANDS
from table_core.tracker.dealing.evidence import HANDS_UNCOUNTED
from tests.display import fixtures
from tests.feltwire.dealt import DECKS
from tests.room.leak.notation import ORDERS

VENUE, TABLE = "hall", "01"
BACK = "??"
LEVEL = Level(no=1, small_blind=Chips(1), big_blind=Chips(2))
AT = At(boot="b" * 16, ms=Millis(1))
DECK = [CardText(card) for card in ORDERS["suit by suit"]]
STREETS = ((Street.FLOP, 3), (Street.TURN, 1), (Street.RIVER, 1))
Place = tuple[int, int, int]  # which deal of the evening, attempt, place

Forget = Callable[[Place], CardText | None]


@dataclass
class Hand:
    """One deal of the evening. `cards` is the truth: what lies at each attempt and place."""

    index: int
    number: int
    events: list[Envelope] = field(default_factory=list)
    cards: dict[tuple[int, int], CardText] = field(default_factory=dict)
    by_commitment: dict[str, tuple[int, int]] = field(default_factory=dict)

    @property
    def began(self) -> tuple[int, int]:
        return self.events[0].epoch, self.events[0].seq


@dataclass(frozen=True)
class Shown:
    """A state of the table. `mark` stands in it as the stack of every seat, so that a picture tells its moment."""

    mark: int
    hand: Hand | None
    view: TableView
    raw: bytes


@dataclass(frozen=True)
class Told:
    """An event, the boxes that went with it, and the state behind it."""

    envelope: Envelope
    raw: bytes
    boxes: tuple[bytes, ...]
    shown: Shown
    hand: Hand


class Table:
    """`chance` decides what happens, `decks` which cards lie where; `other` names another card for a place, so
    that the same evening can be played with other cards where nobody looks."""

    def __init__(
        self, folder: Path, relay_key: bytes, chance: random.Random, decks: random.Random, other: Forget
    ) -> None:
        self.key = LedgerKey(bytes(range(32)))
        self._vault = Vault(DECKS, TABLE, relay_key, folder, key=self.key.public)
        self._new_vault = lambda: Vault(DECKS, TABLE, relay_key, folder, key=self.key.public)
        self._chance, self._decks, self._other = chance, decks, other
        self.past: tuple[PastEpoch, ...] = ()
        self.head = LedgerHead()
        self.hands: list[Hand] = []
        self.number = 0
        self.seats = [Seat(number) for number in sorted(chance.sample(range(1, 10), chance.randint(2, 6)))]
        self.marks: dict[int, Shown] = {}
        self._sealed = 0
        self._kept: dict[tuple[int, int], Envelope] = {}  # the log without what was taken back
        self._cut: dict[tuple[int, int], dict[tuple[int, int], Envelope]] = {}
        self._hand_of: dict[tuple[int, int], Hand] = {}
        self._deck: list[CardText] = []
        self._place, self._attempt = 0, 1

    @property
    def leaseholder(self) -> TableLeaseholder:
        return TableLeaseholder(TABLE, Leaseholder("1234", self.head.epoch, self.key.public, self.past))

    def next_epoch(self) -> None:
        """The machine starts again, and the station grants it the next epoch."""
        head = self.head
        self.past += (PastEpoch(head.epoch, head.seq, head.hash, "1234", self.key.public),)
        self.head = head.in_epoch(head.epoch + 1)
        self._sealed = 0

    # ------------------------------------------------------------------------------------- a hand

    def hand(self) -> Iterator[Told]:
        """A deal from NEW HAND to its end, and sometimes what people do to it afterwards."""
        chance = self._chance
        yield self._new_hand()
        if chance.random() < 0.06:
            yield self._take_back(1)
            self.number -= 1
            yield self._new_hand()
        hand = self.hands[-1]
        for attempt in (1, 2)[: 1 + (chance.random() < 0.05)]:
            yield from self._hole_cards(hand, attempt)
        if chance.random() < 0.04:
            yield self._tell(Noticed(HANDS_UNCOUNTED, "the hands were not counted"))
        if chance.random() < 0.06:
            yield self._move_a_card(hand)
        live = list(self.seats)
        for street, count in STREETS:
            yield from self._betting(live)
            if len(live) < 2 or chance.random() < 0.1:
                break
            yield from self._board(hand, street, count)
        else:
            yield from self._betting(live)
        yield from self._showdown(hand, live)
        yield from self._end(hand, live)

    def _new_hand(self) -> Told:
        self.number += 1
        hand = Hand(len(self.hands), self.number)
        self.hands.append(hand)
        self._vault.begin_hand(self.head.epoch, self.number)
        self._vault.forget_hand()
        self._begin_deck(1)
        stacks = tuple(SeatStack(seat, Chips(100), f"player {seat}") for seat in self.seats)
        button, *_, big = self.seats
        return self._tell(HandStarted(self.number, button, None, big, LEVEL, stacks, Source.KEY))

    def _begin_deck(self, attempt: int) -> None:
        self._deck = DECK[:]
        self._decks.shuffle(self._deck)
        self._place, self._attempt = 0, attempt

    def _hole_cards(self, hand: Hand, attempt: int) -> Iterator[Told]:
        if attempt > 1:
            self._vault.begin_hand(self.head.epoch, hand.number, attempt)
            self._vault.forget_hand()
            self._begin_deck(attempt)
        for _ in range(2):
            for seat in self.seats:
                yield self._deal(hand, f"seat-{seat}")

    def _deal(self, hand: Hand, to: str) -> Told:
        """A card leaves the shoe; one in fifty is not read."""
        self._place += 1
        card = self._deck[self._place - 1]
        card = self._other((hand.index, self._attempt, self._place)) or card
        hand.cards[self._attempt, self._place] = card
        if self._chance.random() < 0.02:
            return self._tell(CardDealt(self._place, to, None, self._attempt))
        placed = self._vault.place(self._vault.take(DECKS.tag_of("red", card)).handle, self._place, to)
        assert placed.commitment is not None
        hand.by_commitment[placed.commitment] = (self._attempt, self._place)
        return self._tell(CardDealt(self._place, to, placed.commitment, self._attempt), sealed=placed.sealed)

    def _move_a_card(self, hand: Hand) -> Told:
        """A ruling: a card that one seat got is another's, or the stub's."""
        dealt = [e.data for e in hand.events if isinstance(e.data, CardDealt) and e.data.attempt == self._attempt]
        to = self._chance.choice([*(f"seat-{seat}" for seat in self.seats), "burn", "stub"])
        return self._tell(DealCorrected(self._place, (), (Moved(self._chance.choice(dealt).place, to),)))

    def _betting(self, live: list[Seat]) -> Iterator[Told]:
        for seat in list(live):
            roll = self._chance.random()
            if len(live) > 1 and roll < 0.25:
                live.remove(seat)
                yield self._tell(Acted(seat, Action.FOLD, Chips(0), Chips(0), False, Source.KEY))
            elif len(live) > 1 and roll < 0.28:
                live.remove(seat)
                yield self._tell(HandKilled(seat, "away", "tda.30", Source.DIRECTOR))
            elif roll < 0.5:
                yield self._tell(Acted(seat, Action.CHECK, Chips(0), Chips(0), False, Source.KEY))

    def _board(self, hand: Hand, street: Street, count: int) -> Iterator[Told]:
        yield self._deal(hand, "burn")
        faces = []
        for _ in range(count):
            yield self._deal(hand, "board")
            faces.append(hand.cards[self._attempt, self._place])
        yield self._tell(BoardDealt(street, tuple(faces), (Source.CAMERA,)))

    def _showdown(self, hand: Hand, live: list[Seat]) -> Iterator[Told]:
        if len(live) < 2:
            return
        for seat in list(live):
            roll = self._chance.random()
            if roll < 0.45:
                yield self._tell(HandTabled(seat, self.held(hand, seat), (Source.CAMERA,)))
            elif roll < 0.6 and len(live) > 1:
                live.remove(seat)
                yield self._tell(HandMucked(seat, Source.KEY))

    def held(self, hand: Hand, seat: Seat) -> tuple[CardText, ...]:
        """What truly lies in front of a seat, of the last attempt."""
        to: dict[int, str] = {}
        for envelope in hand.events:
            event = envelope.data
            if isinstance(event, CardDealt) and event.attempt == self._attempt:
                to[event.place] = event.to
            elif isinstance(event, DealCorrected):
                to |= {moved.place: moved.to for moved in event.moved if moved.place in to}
        return tuple(hand.cards[self._attempt, at] for at, whose in to.items() if whose == f"seat-{seat}")

    def _end(self, hand: Hand, live: list[Seat]) -> Iterator[Told]:
        stacks = tuple(Share(seat, Chips(100)) for seat in self.seats)
        ended = HandEnded(hand.number, stacks)
        roll = self._chance.random()
        if roll < 0.04:
            yield self._tell(Misdealt(hand.number, "cards were exposed", stacks, Source.KEY))
        elif roll < 0.08:
            yield self._tell(ResultEntered(hand.number, (live[0],), stacks, 0, Source.DIRECTOR))  # type: ignore[arg-type]
        elif roll < 0.10:
            yield self._tell(self._resumed(hand))
        elif roll < 0.12:
            seats = tuple(SeatStack(seat, Chips(100), f"player {seat}") for seat in self.seats)
            yield self._tell(SeatsSet(seats, self.seats[0], gap=True))
            return
        yield self._tell(ended)
        roll = self._chance.random()
        if roll < 0.15:
            yield self._take_back(1)
            if self._chance.random() < 0.3:  # that was the wrong press: taken back itself
                yield self._take_back(1)
            else:
                yield self._tell(ended)
        elif roll < 0.35:
            yield self._tell(Noticed(HAND_STANDS, "the hand stands"))
            if self._chance.random() < 0.3:  # the floor goes back in it
                yield self._take_back(2)
                yield self._tell(ended)
                if self._chance.random() < 0.5:
                    yield self._tell(Noticed(HAND_STANDS, "the hand stands"))

    def _resumed(self, hand: Hand) -> HandResumed:
        button, *_, big = self.seats
        return HandResumed(
            hand.number, button, None, big, LEVEL, Street.RIVER, (), (), (), None, None, Source.DIRECTOR
        )  # fmt: skip

    # ------------------------------------------------------------------------------ events and states

    def _take_back(self, count: int) -> Told:
        """UNDO of the last so many events that still count, or of the UNDO that was last."""
        last = self.hands[-1].events[-1]
        if isinstance(last.data, Rewound):
            return self._tell(Rewound(last.seq - 1, (last.seq,)))
        named = sorted(seq for epoch, seq in self._kept if epoch == self.head.epoch)[-count:]
        if not named:  # a machine that has just started again
            return self._tell(Noticed("nothing_to_undo", "there is nothing to take back"))
        return self._tell(Rewound(named[0] - 1, tuple(named)))

    def _tell(self, event: AnyEvent, sealed: Sequence[SealedCard] = ()) -> Told:
        entry = self.head.link(event, at=AT, venue=VENUE, table=TABLE, key=self.key)
        self.head = entry.head
        envelope, hand = entry.envelope, self.hands[-1]
        at = (envelope.epoch, envelope.seq)
        hand.events.append(envelope)
        self._keep(at, envelope, hand)
        boxes = []
        for card in sealed:
            self._sealed += 1
            boxes.append(self.key.sign(replace(card, epoch=self.head.epoch, sealed_seq=self._sealed)))
        return Told(envelope, entry.raw, tuple(boxes), self._shown(), hand)

    def _keep(self, at: tuple[int, int], envelope: Envelope, hand: Hand) -> None:
        self._hand_of[at] = hand
        event = envelope.data
        if isinstance(event, Rewound):
            cut = [(at[0], seq) for seq in event.cut]
            back = [self._cut.pop(one) for one in cut if one in self._cut]
            self._cut[at] = {one: self._kept.pop(one) for one in cut if one in self._kept}
            for restored in back:
                self._kept |= restored
            self._kept = dict(sorted(self._kept.items()))
        else:
            self._kept[at] = envelope

    def _shown(self) -> Shown:
        mark = 1_000_000 + len(self.marks)
        began = [at for at, one in self._kept.items() if isinstance(one.data, HandStarted)]
        hand = self._hand_of[began[-1]] if began else None
        events = [one.data for at, one in self._kept.items() if began and at >= began[-1]]
        view = _view(self.head.epoch, self.head.seq, events, mark)
        shown = Shown(mark, hand, view, self.key.sign(TableState(view)))
        self.marks[mark] = shown
        if len(self._kept) > 400:  # nothing behind two hands ago is taken back
            self._kept = dict(list(self._kept.items())[-200:])
        return shown


def _view(epoch: int, seq: int, events: Sequence[AnyEvent], mark: int) -> TableView:
    """What a table shows behind these events of a hand."""
    started = next((event for event in events if isinstance(event, HandStarted)), None)
    attempt = max([event.attempt for event in events if isinstance(event, CardDealt)], default=1)
    to: dict[int, str] = {}
    board: tuple[CardText, ...] = ()
    out, tabled = set[Seat](), dict[Seat, tuple[CardText, ...]]()
    street = Street.PREFLOP
    for event in events:
        match event:
            case CardDealt() if event.attempt == attempt:
                to[event.place] = event.to
            case DealCorrected():
                to |= {moved.place: moved.to for moved in event.moved if moved.place in to}
            case Acted(action=Action.FOLD) | HandMucked() | HandKilled():
                out.add(event.seat)
            case HandTabled():
                tabled[event.seat] = event.cards
                street = Street.SHOWDOWN
            case BoardDealt():
                board, street = (*board, *event.cards), event.street
    over = any(isinstance(event, HandEnded | SeatsSet) for event in events)
    seats = [] if started is None else [one.seat for one in started.seats]
    live = [seat for seat in seats if seat not in out]

    def seat_view(seat: Seat) -> SeatView:
        backs = (CardText(BACK),) * list(to.values()).count(f"seat-{seat}")
        cards = () if seat in out else tabled.get(seat, backs)
        won = Chips(10 if over and live and seat == live[0] else 0)
        return SeatView(
            seat, f"player {seat}", Chips(mark), in_hand=seat in live, folded=seat in out, cards=cards, won=won,
            tabled=seat in tabled,
        )  # fmt: skip

    return replace(
        fixtures.table_view(),
        venue=VENUE,
        table=TABLE,
        epoch=epoch,
        as_of=seq,
        hand=0 if started is None else started.hand,
        street=Street.DONE if over else street,
        board=board,
        pots=(),
        contenders=(),
        legal=None,
        last=f"step {mark}",
        seats=tuple(seat_view(seat) for seat in seats),
    )
