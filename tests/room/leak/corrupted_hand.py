"""One hand that is dealt as it should not be, drawn by chance. What truly lies on the felt is known here.

Where a camera has worked in the hand, anything is pressed at any time. Where none has, nobody but the dealer knows
what lies on the felt: a dealer who errs keys what is true, and a street only when all of it lies there.

A shoe that counts (protocol 2) says what it sees: a card whose tag does not answer, two at once, one that goes
back, a deck, a lid, a cut card, what it lost. Now and then it does not see it.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

from firmware_bridge import frames
from table_core.cards import DECK, card_text
from table_core.messages import CardText, DeviceState, Key, MakeRuling, Seat, Street, TakeBackRuling
from table_core.projections.next_hand import able_to_play, positions
from table_core.rulings.all_incidents import INCIDENTS
from tests.room.leak.corrupted_table import CorruptedTable

STREETS = (3, 1, 1)  # cards
TAKEN_BACK = 0.1  # of the NEW HANDs, which are pressed again
NUMBERS = tuple(incident.no for incident in INCIDENTS.values())
UNDER_CAMERA = ("", "", "first seat", "burn too soon 0", "burn too soon 1", "burn too soon 2")
CORRUPTIONS = (
    "none",
    "hands more",
    "hands fewer",
    "extra hole cards",
    "hole card pulled back",
    "burns",
    "street size",
    "street card pulled back",
    "two decks",
    "card missed",
    "misdeal",
)


@dataclass
class Corruption:
    """What is wrong with this deal, and on which street."""

    kind: str = "none"
    street: int = 0
    by: int = 1
    deep: bool = False  # a card pulled back goes into the deck, not on top of it


def drawn_corruption(chance: random.Random) -> Corruption:
    return Corruption(
        chance.choice(CORRUPTIONS), chance.randrange(3), chance.choice([1, 1, 1, 2, 3]), chance.random() < 0.5
    )


@dataclass
class CorruptedHand:
    """`deck_no`: of the room's two decks. `hands` are the cards that lie at each seat."""

    table: CorruptedTable
    chance: random.Random
    corruption: Corruption
    deck_no: int = 0
    deck: list[CardText] = field(default_factory=list)
    hands: dict[int, list[CardText]] = field(default_factory=dict)
    board: list[CardText] = field(default_factory=list)
    burns: int = 0
    missed: int | None = None  # this card of the deal passes the reader without a word
    passed: int = 0
    _begun_watched: bool = False
    shoe: random.Random = field(default_factory=random.Random)  # what a counting shoe meets with
    _left_already: CardText | None = None  # it left together with the one before it
    under_camera: str = ""  # one more deviation, which a camera that has worked in the hand must not let through

    def play(self) -> None:
        self._riffle()
        self._hole_cards()
        if self.corruption.kind == "misdeal":
            self._misdeal()
        self._bet()
        for no, size in enumerate(STREETS):
            self._street(no, size)
            self._bet()
            self._trouble()
        self._show_down()
        self._end()

    # ------------------------------------------------------------------------------------- who may deviate

    @property
    def watched(self) -> bool:
        """A camera has worked since the books began the hand, so that no press opens anything alone."""
        if self.table.state_of("camera") is DeviceState.OK:
            self._begun_watched |= self.table.node.table.in_hand
            return True
        return self._begun_watched or "shoe" not in self.table.devices

    def _maybe(self, share: float) -> bool:
        return self.chance.random() < share

    def _wild(self) -> None:
        """Anything at any time, where a camera watches."""
        if self.watched and self._maybe(0.15):
            self._anything()

    def _anything(self) -> None:
        table, chance = self.table, self.chance
        seat = chance.randint(1, len(self.table.config.seats))
        doings: list[Callable[[], None]] = [
            lambda: table.say(Key.STREET),
            lambda: table.say(Key.STREET),
            lambda: table.say(Key.UNDO),
            lambda: table.say(Key.CHECK_CALL),
            lambda: table.say(Key.FOLD),
            lambda: table.say(Key.TABLED, seat),
            lambda: table.wait(4_000),
            self._rule,
        ]
        chance.choice(doings)()

    # ------------------------------------------------------------------------------------------ the deal

    def _riffle(self) -> None:
        table, chance = self.table, self.chance
        table.riffle()
        self._deck_is_seated()
        self.deck = [card_text(card) for card in chance.sample(DECK, len(DECK))]
        if self.corruption.kind == "card missed":
            self.missed = chance.randint(1, 2 * len(table.view.seats) + 8)
        for zone in ("board", "burn", *(f"seat-{seat}-cards" for seat in range(1, 12))):
            table.see(zone)
        table.wait(2_000)
        self._new_hand_at = chance.choice([0, 0, 0, 0, 0, 0, 3, 99, 99])
        if self._new_hand_at == 0:
            table.say(Key.NEW_HAND)
            if random.Random(table.now).random() < TAKEN_BACK:
                table.say(Key.UNDO)
                table.say(Key.NEW_HAND)

    def _top(self) -> CardText:
        """The next card passes the shoe; some pass unread, some are of the other deck."""
        card = self.deck.pop(0)
        self.passed += 1
        if card == self._left_already:
            self._left_already = None
            return card
        if self.passed == self.missed:
            if self.table.counting:
                self.table.pass_unread()
            return card
        if self.table.counting and self._leaves_oddly(card):
            self._wild()
            return card
        stray = self.corruption.kind == "two decks" and self._maybe(0.08 * self.corruption.by)
        self.table.draw(card, deck=1 - self.deck_no if stray else self.deck_no)
        self._wild()
        return card

    def _deck_is_seated(self) -> None:
        """What the shoe's other sensors say of a new deck; seldom all of it."""
        table = self.table
        if not table.counting or self.shoe.random() < 0.3:
            return
        for kind, on in ((frames.DECK, False), (frames.LID, True), (frames.LID, False), (frames.DECK, True)):
            if self.shoe.random() < 0.8:
                table.switch(kind, on)

    def _leaves_oddly(self, card: CardText) -> bool:
        """The card leaves, and not as one that is read; False: as any other."""
        table, pick = self.table, self.shoe.random()
        if pick < 0.03 and self.deck:
            self._left_already = self.deck[0]
            table.draw_together(card, self.deck[0])
        elif pick < 0.05:
            table.draw_doubtful()
        elif pick < 0.06:
            table.says_lost(self.shoe.choice([0, 1, 2]), self.shoe.randint(1, 5))
        elif pick < 0.08:
            table.card_back(card, was_out=False)
            return False
        elif pick < 0.09:
            table.cut_card()
            return False
        else:
            return False
        return True

    def _pull_back(self, card: CardText) -> None:
        """The card goes back, on top of the deck or into it."""
        if self.table.counting and self.shoe.random() < 0.7:
            self.table.card_back(card, was_out=self.shoe.random() < 0.7)
        self.deck.insert(self.chance.randint(1, 8) if self.corruption.deep else 0, card)

    def _hole_cards(self) -> None:
        table, corruption = self.table, self.corruption
        projection = table.node.table
        players = [*able_to_play(projection)]
        more = {"hands more": corruption.by, "hands fewer": -corruption.by}.get(corruption.kind, 0)
        seats = [int(seat) for seat in players]
        while more > 0:
            seats.append(max(seats) + 1)
            more -= 1
        seats = seats[: max(1, len(seats) + more)]
        button = int(
            positions(projection).button if not table.node.table.in_hand else projection.button or seats[-1]
        )
        order = [seat for seat in seats if seat > button] + [seat for seat in seats if seat <= button]
        if self.under_camera == "first seat" and self.watched:
            order = [*order[1:], order[0]]
        pulled = self.chance.randrange(2 * len(order)) if corruption.kind == "hole card pulled back" else -1
        for at, seat in enumerate(order * 2):
            if at == self._new_hand_at and at:
                table.say(Key.NEW_HAND)
            card = self._top()
            if at == pulled:
                self._pull_back(card)
                card = self._top()
            self.hands.setdefault(seat, []).append(card)
            table.see(f"seat-{seat}-cards", backs=len(self.hands[seat]))
        if corruption.kind == "extra hole cards":
            for _ in range(corruption.by):
                self._top()
        table.wait(self.chance.choice([300, 3_000]))
        if self._new_hand_at > 3 and self._maybe(0.5):
            table.say(Key.NEW_HAND)

    def _misdeal(self) -> None:
        """The deal is void; the cards are dealt again from the same deck, perhaps with nothing said of it."""
        table = self.table
        if self._maybe(0.7):
            table.command(MakeRuling(f"misdeal-{table.now}", "button_wrong", "misdeal", None, ruler="Ruth"))
        self.hands, self.board = {}, []
        self.corruption = Corruption("none")
        self._riffle()
        self._hole_cards()

    # --------------------------------------------------------------------------------------- the betting

    def _bet(self) -> None:
        """Keys for whoever is to act, with some missing; seldom a raise, seldom folds."""
        table, chance = self.table, self.chance
        street = table.view.street
        keyed = chance.choice([1.0, 1.0, 1.0, 0.9, 0.0])
        for _ in range(2 * len(self.hands)):
            legal = table.view.legal
            if legal is None or table.view.street is not street or not self._maybe(keyed):
                break
            pick = chance.random()
            if pick < 0.06 and len([one for one in table.view.seats if one.in_hand]) > 2:
                self._projection(legal.seat)
            elif pick < 0.1 and legal.min_to is not None:
                table.say(Key.BET_RAISE, None, legal.min_to)
            else:
                table.say(Key.CHECK_CALL)
            table.wait()
            self._wild()

    def _projection(self, seat: int) -> None:
        self.table.say(Key.FOLD)
        self.hands.pop(seat, None)
        self.table.see(f"seat-{seat}-cards")

    # --------------------------------------------------------------------------------------- the streets

    def _street(self, no: int, size: int) -> None:
        table, corruption, chance = self.table, self.corruption, self.chance
        here = corruption.street == no
        burns = chance.choice([0, 2, 3]) if here and corruption.kind == "burns" else 1
        if here and corruption.kind == "street size":
            size = max(1, size + chance.choice([-1, 1, 1, 2]))
        too_soon = self.under_camera == f"burn too soon {no}" and self.watched
        burns = 0 if too_soon else burns
        if self._maybe(0.05):
            table.unplug()
        for _ in range(burns):
            self._top()
            self.burns += 1
        if burns:
            together = self.burns if self._maybe(0.8) else 1
            table.see("burn", backs=self.burns, motions=together)
        pulled = here and corruption.kind == "street card pulled back"
        for at in range(size):
            card = self._top()
            if pulled and at == size - 1:
                self._pull_back(card)
                table.wait(chance.choice([300, 5_000]))
                if self._maybe(0.5):
                    self._top()  # and one more is burned
                card = self._top()
            self.board.append(card)
        table.show(*self.board)
        if too_soon:
            self._top()
            self.burns += 1
            table.see("burn", backs=self.burns, motions=self.burns)
        table.plug()
        self._look()
        self._say_street()

    def _look(self) -> None:
        unread = self.chance.choice([0, 0, 0, 1, len(self.board)])
        read = len(self.board) - unread
        self.table.see("board", *self.board[:read], unread=self.board[read:])

    def _say_street(self) -> None:
        """All of the street lies there, and somebody says so or answers what is asked."""
        for _ in range(self.chance.choice([0, 1, 1, 2, 3])):
            self.table.wait(self.chance.choice([300, 4_000]))
            self.table.say(Key.STREET)

    def _trouble(self) -> None:
        """UNDO, a restart, a ruling, a camera that is blocked for a while."""
        table, chance = self.table, self.chance
        if self._maybe(0.15):
            for _ in range(chance.choice([1, 1, 2, 5])):
                table.say(Key.UNDO)
        if self._maybe(0.1):
            table.restart(key=self._maybe(0.7))
        if self._maybe(0.1):
            self._rule()
        if "camera" in table.devices and self._maybe(0.1):
            off = table.state_of("camera") is DeviceState.OK
            table.device("camera", DeviceState.BLOCKED if off else DeviceState.OK)
            if not off:
                self._look()

    def _rule(self) -> None:
        """An incident is raised and ruled on, by the dealer or by the director; a ruling is taken back."""
        table, chance = self.table, self.chance
        seat = chance.choice([None, chance.randint(1, len(table.config.seats))])
        pick = chance.random()
        if pick < 0.15:
            table.command(TakeBackRuling(f"back-{table.now}", "Ruth"))
        elif pick < 0.5:
            at = None if seat is None else Seat(seat)
            table.command(MakeRuling(f"open-{table.now}", chance.choice([*INCIDENTS]), "", at, ruler="Ruth"))
            table.wait()
            ruling = table.ruling
            if ruling is not None and ruling.options:
                option = chance.choice(ruling.options).option
                table.command(MakeRuling(f"rule-{table.now}", ruling.incident, option, ruling.seat, ruler="Ruth"))
        else:
            table.say(Key.FLOOR, seat, chance.choice(NUMBERS))
            table.say(Key.STREET, None, chance.choice([None, 1, 2, 3]))

    # -------------------------------------------------------------------------------------- the showdown

    def _show_down(self) -> None:
        """Some turn their hands up, and the key says so; some hands are said to be tabled that are not."""
        table, chance = self.table, self.chance
        for seat, cards in [*self.hands.items()]:
            if self._maybe(0.6):
                table.show(*cards)
                unread = chance.choice([0, 0, 1, 2])
                read = len(cards) - min(unread, len(cards))
                table.see(f"seat-{seat}-cards", *cards[:read], unread=cards[read:])
                table.say(Key.TABLED, seat)
                self._say_street()
            elif self.watched and self._maybe(0.3):
                if self._maybe(0.5):
                    table.see(f"seat-{seat}-cards")  # held in the hand
                table.say(Key.TABLED, seat)
                self._say_street()

    def _end(self) -> None:
        table = self.table
        table.device("camera", DeviceState.OK if "camera" in table.devices else DeviceState.OFF)
        for _ in range(3):
            if table.view.street is Street.DONE:
                break
            live = [one.seat for one in table.view.seats if one.in_hand]
            if live:
                table.say(Key.AWARD, self.chance.choice(live))
            table.say(Key.STREET)
            table.say(Key.POT_PUSHED)
            table.wait(2_000)
        if self._maybe(0.3):
            table.say(Key.UNDO)  # with the cards of the next deal on their way
