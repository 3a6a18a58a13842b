"""Faults of the deal: what the reader misses, and what a dealer's hands do wrong."""

from __future__ import annotations

from abc import abstractmethod

from feltwire.lab.simroom.felt.felt import FeltCard
from feltwire.lab.simroom.play.script import BOARD_CARDS, HandScript, ScriptedAct
from table_core.messages import CardText, Chips, QuestionView, Seat, Street
from table_core.rulebook import Rulebook
from tests.faults.course import Turn, course, streets
from tests.faults.dealing import THINK_MS
from tests.faults.kinds import Kind
from tests.faults.room import Room
from tests.faults.staged.staging import Staging

# Numbers of incidents on the keypad.
EXPOSED, EXTRA, OUT_OF_SEQUENCE, NO_RIGHT, FOREIGN, PREMATURE = 11, 13, 15, 17, 22, 35


class _Passage(Staging):
    """Something is wrong with one passage through the shoe."""

    def __init__(self, room: Room, script: HandScript, book: Rulebook, chip: Chips, seed: int) -> None:
        super().__init__(room, script, book, chip, seed)
        cards = 2 * len(script.dealt) + (0, 4, 6, 8)[streets(script, book, chip)]
        self._which = self.chance.randrange(cards)
        self._passed = 0

    def pass_shoe(self, card: CardText) -> None:
        if self._passed == self._which and not self.staged:
            self.stage(f"card {self._which + 1}")
            self.wrongly(card)
        else:
            super().pass_shoe(card)
        self._passed += 1

    @abstractmethod
    def wrongly(self, card: CardText) -> None: ...


class ReadFailed(_Passage):
    kind = Kind.READ_FAILED

    def wrongly(self, card: CardText) -> None:
        self.room.pass_shoe(None)


class ReadSkipped(_Passage):
    kind = Kind.READ_SKIPPED

    def wrongly(self, card: CardText) -> None:
        """Nothing is sent."""


class DoubleRead(_Passage):
    kind = Kind.DOUBLE_READ

    def wrongly(self, card: CardText) -> None:
        self.room.pass_shoe(card)
        self.wait(20, 120)
        self.room.pass_shoe(card)


class ExtraCard(Staging):
    kind = Kind.EXTRA_CARD

    def dealt(self) -> None:
        if self.staged:
            return
        seat = self.script.dealt[0]
        self.felt.deal(seat, self.top())
        self.stage(f"seat {seat}")
        self.incidents["extra_card"] = ""
        self.look()
        self.wait(1_800, 3_500)
        self.have_ruled("extra_card", EXTRA, seat)

    def ruled(self, incident: str, option: str) -> None:
        """It goes back and is the first burn."""
        super().ruled(incident, option)
        felt = self.felt
        extra = felt.hands[self.script.dealt[0]].pop()
        felt.burn(extra.card)
        self._burned_ahead = True
        self.look()


class _Street(Staging):
    """Something is wrong with the burn before one street."""

    @classmethod
    def fits(cls, script: HandScript, book: Rulebook, chip: Chips) -> bool:
        return streets(script, book, chip) > 0

    def __init__(self, room: Room, script: HandScript, book: Rulebook, chip: Chips, seed: int) -> None:
        super().__init__(room, script, book, chip, seed)
        seen = list(BOARD_CARDS)[: streets(script, book, chip)]
        self.which = self.chance.choice(seen) if seen else Street.DONE

    def burn(self, street: Street) -> None:
        if street is self.which and not self.staged:
            self.stage(street)
            self.wrongly(street)
        else:
            super().burn(street)

    @abstractmethod
    def wrongly(self, street: Street) -> None: ...


class MissingBurn(_Street):
    kind = Kind.MISSING_BURN

    def wrongly(self, street: Street) -> None:
        """No burn."""


class DoubleBurn(_Street):
    """The dealer may stop when it has happened, or deal on."""

    kind = Kind.DOUBLE_BURN

    def wrongly(self, street: Street) -> None:
        self.burn_one()
        self.burn_one()
        self.incidents["burn_double"] = "stands"
        if self.chance.random() < 0.5:
            self.incidents["burn_double"] = "corrected"
            self.wait(1_500, 3_000)
            self.mind()

    def ruled(self, incident: str, option: str) -> None:
        """The second burn goes back on the deck, or is the burn of the next street."""
        super().ruled(incident, option)
        if option == "corrected":
            self.deck.insert(0, self.felt.burns.pop().card)
            self.felt.changes += 1
            self.look()
            self.wait(800, 1_500)
        elif option == "stands":
            self._burned_ahead = True


class PrematureStreet(Staging):
    """The next street comes while the last player to act has not: the dealer says so when it is noticed."""

    kind = Kind.PREMATURE_STREET

    @classmethod
    def suits(cls, turn: Turn, turns: list[Turn]) -> bool:
        able = len(turn.live) > 1 and turn.legal.max_to is not None
        return turn.left == 1 and turn.closes and turn.passive and able and turn.street is not Street.RIVER

    def interrupt(self, todo: list[ScriptedAct]) -> None:
        self._street = self.observer.next_street
        self.stage(self._street)
        self.incidents["board_premature"] = "barred"
        self.wait(400, 1_500)
        self.burn(self._street)
        self._early = tuple([self.top() for _ in range(BOARD_CARDS[self._street])])
        self.felt.put_on_board(self._early)
        self.look()
        self.wait(2_200, 4_500)
        self.have_ruled("board_premature", PREMATURE)

    def answer(self, question: QuestionView) -> bool:
        """ "All checked?" No: the street came too early."""
        if question.kind == "missed_actions" and "board_premature" in self.incidents:
            return False
        return super().answer(question)

    def ruled(self, incident: str, option: str) -> None:
        """The cards are taken aside; when the betting is over they go back, as the book has it."""
        super().ruled(incident, option)
        if incident != "board_premature":
            return
        felt = self.felt
        early = dict.fromkeys(self._early)
        felt.board = [lying for lying in felt.board if lying.card not in early]
        felt.changes += 1
        self.look()
        self._barred = list(self._early)
        self.wait(*THINK_MS)

    def burn(self, street: Street) -> None:
        """A new flop and a new river come without a burn; so does the river after a barred turn."""
        barred = getattr(self, "_barred", [])
        again = street is self._street if self.staged else False
        if barred and again and street is not Street.TURN:
            self._shuffle_in(barred)
            return
        if barred and self._street is Street.TURN and street is Street.RIVER:
            self._shuffle_in(barred)
            return
        super().burn(street)

    def _shuffle_in(self, barred: list[CardText]) -> None:
        self.deck += barred
        self.chance.shuffle(self.deck)
        barred.clear()
        self.wait(3_000, 6_000)

    _street = Street.DONE


class ExposedDealing(Staging):
    """A card turns over while it is pitched and stays so until somebody rules on it."""

    kind = Kind.EXPOSED_DEALING

    def __init__(self, room: Room, script: HandScript, book: Rulebook, chip: Chips, seed: int) -> None:
        super().__init__(room, script, book, chip, seed)
        self._which = self.chance.randrange(2 * len(script.dealt))
        self._pitched = 0

    def pitch(self, seat: Seat, lap: int) -> None:
        if self._pitched == self._which and not self.staged:
            self.stage(f"card {self._which + 1}, seat {seat}")
            self.incidents["exposed"] = ""
            self._seat = seat
            self.felt.deal(seat, self.top(), face_up=True)
            self.look()
            self.wait(150, 400)
        else:
            super().pitch(seat, lap)
        self._pitched += 1

    def dealt(self) -> None:
        if not self.incidents:
            return
        self.wait(500, 1_500)
        self.have_ruled("exposed", EXPOSED, self._seat)

    def ruled(self, incident: str, option: str) -> None:
        """Replaced when the deal is done; the exposed card is the first burn."""
        super().ruled(incident, option)
        felt = self.felt
        if option in ("replaced", "off_table"):
            exposed = next(lying for lying in felt.hands[self._seat] if lying.face_up)
            felt.hands[self._seat].remove(exposed)
            felt.deal(self._seat, self.top())
            felt.burn(exposed.card)
            self._burned_ahead = True
        else:
            felt.turn_down(self._seat)
        self.look()
        self.wait(500, 900)


class Flashed(Staging):
    """A live player shows one card while the betting goes on, and turns it back."""

    kind = Kind.FLASHED

    @classmethod
    def suits(cls, turn: Turn, turns: list[Turn]) -> bool:
        return len(turn.live) > 2 and turn.no > 0

    def interrupt(self, todo: list[ScriptedAct]) -> None:
        seat = self.chance.choice(self.observer.live_seats)
        self.stage(f"seat {seat}")
        felt = self.felt
        first, *others = felt.hands[seat]
        felt.hands[seat] = [FeltCard(first.card, face_up=True), *others]
        felt.changes += 1
        self.look()
        self.wait(1_200, 3_000)
        felt.turn_down(seat)
        self.look()


class ForeignCard(Staging):
    """A card of the idle deck got among the others."""

    kind = Kind.FOREIGN_CARD

    def __init__(self, room: Room, script: HandScript, book: Rulebook, chip: Chips, seed: int) -> None:
        super().__init__(room, script, book, chip, seed)
        self._which = self.chance.randrange(2 * len(script.dealt))
        self._passed = 0

    def pass_shoe(self, card: CardText) -> None:
        foreign = self._passed == self._which and not self.staged
        if foreign:
            self.stage(f"card {self._which + 1}")
            self.incidents["foreign_card"] = "void"
        self.room.pass_shoe(card, other_deck=foreign)
        self._passed += 1

    def dealt(self) -> None:
        if self.incidents:
            self.wait(1_500, 3_000)
            self.have_ruled("foreign_card", FOREIGN)


class WrongSeat(Staging):
    """A card of the second round goes to the neighbour: one hand has three cards, one has one."""

    kind = Kind.WRONG_SEAT

    def __init__(self, room: Room, script: HandScript, book: Rulebook, chip: Chips, seed: int) -> None:
        super().__init__(room, script, book, chip, seed)
        self._seat = self.chance.choice(script.dealt[:-1])

    def pitch(self, seat: Seat, lap: int) -> None:
        if lap == 1 and seat == self._seat and not self.staged:
            order = self.script.dealt
            to = order[order.index(seat) + 1]
            self.stage(f"seat {seat}'s card to seat {to}")
            self.incidents["out_of_sequence"] = "misdeal"
            super().pitch(to, lap)
        else:
            super().pitch(seat, lap)

    def dealt(self) -> None:
        if self.incidents:
            self.wait(1_500, 3_000)
            self.have_ruled("out_of_sequence", OUT_OF_SEQUENCE)


class EmptySeat(Staging):
    """A seat that nobody has is dealt in."""

    kind = Kind.EMPTY_SEAT

    @classmethod
    def fits(cls, script: HandScript, book: Rulebook, chip: Chips) -> bool:
        return bool(_empty(script)) and bool(course(script, book, chip))

    def pitch(self, seat: Seat, lap: int) -> None:
        super().pitch(seat, lap)
        empty = _empty(self.script)
        if not empty or (self.staged and not self.incidents):
            return
        to = empty[0]
        if seat == max((s for s in self.script.dealt if s < to), default=self.script.dealt[-1]):
            self.stage(f"seat {to}")
            self.incidents["no_right_to_cards"] = "misdeal"
            super().pitch(to, lap)

    def dealt(self) -> None:
        if self.incidents:
            self.wait(1_500, 3_000)
            self.have_ruled("no_right_to_cards", NO_RIGHT)


class ButtonForgotten(Staging):
    """The disc lies where it lay in the hand before; it is moved on when the screen says so."""

    kind = Kind.BUTTON_FORGOTTEN
    _told = 0  # the last event before it

    def set_up(self) -> None:
        super().set_up()
        before = [seat for seat in self.script.dealt if seat != self.script.button][-1]
        self.felt.button = before
        self.felt.changes += 1
        self._told = self.room.view.as_of
        self.stage(f"at seat {before}")

    def before_act(self, todo: list[ScriptedAct]) -> None:
        felt = self.felt
        if felt.button != self.script.button and any(
            notice.kind == "button_elsewhere" and notice.seq > self._told for notice in self.room.view.notices
        ):
            felt.button = self.script.button
            felt.changes += 1
            self.look()


def _empty(script: HandScript) -> list[Seat]:
    taken = {entry.seat for entry in script.seats if entry.stack > 0}
    return [Seat(no) for no in range(1, 10) if no not in taken]
