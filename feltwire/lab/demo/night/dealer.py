"""A dealer of the tournament: deals to whoever the station has seated, when the director lets the table play.

Who plays with how much, the button and the blinds are read off the dealer screen once a hand has begun there. Only
what players do comes from the seed.
"""

from __future__ import annotations

import logging
import random
import threading
import time
from dataclasses import dataclass, field
from typing import Protocol

from feltwire.lab.simroom.config import SimroomConfig
from feltwire.lab.simroom.dealer import keying
from feltwire.lab.simroom.dealer.attentive import Shows
from feltwire.lab.simroom.dealer.dealing import Moment, TableStuck
from feltwire.lab.simroom.dealer.glance import done_with, in_hand
from feltwire.lab.simroom.dealer.hands import Hands
from feltwire.lab.simroom.dealer.mischief import Fault
from feltwire.lab.simroom.dealer.pace import Stopped
from feltwire.lab.simroom.dealer.performed import Performed
from feltwire.lab.simroom.dealer.robot import RobotDealing
from feltwire.lab.simroom.dealer.screen import ScreenDark
from feltwire.lab.simroom.play.bots import Temper, play_out
from feltwire.lab.simroom.play.observer import ScriptError
from feltwire.lab.simroom.play.script import FULL_DECK, HandScript
from table_core.messages import Chips, Key, Seat, SeatStack, TableView
from table_core.rulebook import Rulebook, load_rulebook

log = logging.getLogger(__name__)

BEGINS_S = 0.5  # NEW HAND is refused after this long
EMPTY_S = 0.1  # until a dealer with nobody to deal to looks again
SHORT, DEEP = 8, 20  # big blinds of an average stack
_SHOVING = Temper(fold=0.3, attack=0.6, all_in=0.9, preflop_fold=0.5, preflop_attack=0.5)
_PRESSING = Temper(fold=0.3, attack=0.5, all_in=0.5, preflop_fold=0.55, preflop_attack=0.35)
_PATIENT = Temper(fold=0.35, attack=0.3, all_in=0.15, preflop_fold=0.62, preflop_attack=0.2)


class Sign:
    """What the director lets one table do: deal on, deal so many hands, or wait."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._hands: int | None = 0  # that may begin; None: any number
        self._dealing = False
        self.hand = 0  # the last one that was dealt
        self.smallest_chip = Chips(0)  # in play; 0: that of the configuration

    def deal_on(self) -> None:
        self._let(None)

    def hold(self) -> None:
        """No further hand begins; the one that is being dealt is finished."""
        self._let(0)

    def one_hand(self) -> None:
        self._let(1)

    def _let(self, hands: int | None) -> None:
        with self._changed:
            self._hands = hands
            self._changed.notify_all()

    @property
    def idle(self) -> bool:
        """Nothing is being dealt and nothing will be before the next sign."""
        with self._changed:
            return not self._dealing and self._hands == 0

    def take_turn(self, timeout: float) -> bool:
        """Wait until a hand may begin, and begin it; False after `timeout` seconds."""
        with self._changed:
            if not self._changed.wait_for(lambda: self._hands != 0, timeout):
                return False
            self._dealing = True
            return True

    def turn_over(self, hand: int = 0) -> None:
        """The turn is over; `hand` is the number of the one that was dealt, 0 where none has begun."""
        with self._changed:
            self._dealing = False
            if hand:
                self.hand = hand
                self._hands = max(0, self._hands - 1) if self._hands is not None else None
            self._changed.notify_all()


@dataclass
class Dealt:
    """What one dealer has done: `stacks` are those on the felt after each hand, `wrong` says what should not have
    happened."""

    hands: int = 0
    presses: int = 0
    corrections: int = 0
    counts: int = 0
    seconds: list[float] = field(default_factory=list)
    stacks: dict[int, dict[Seat, Chips]] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)

    def take(self, performed: Performed, seconds: float) -> None:
        self.hands += 1
        self.presses += performed.tally.presses
        self.corrections += performed.tally.corrections
        self.counts += performed.tally.counts
        self.seconds.append(seconds)
        self.stacks[performed.hand] = dict(performed.stacks)


class SeatedHand(RobotDealing):
    """A hand that has begun on the screen: `script` was made from what it shows."""

    def __init__(
        self, hands: Hands, rulebook: Rulebook, script: HandScript, fault: Fault, smallest_chip: Chips
    ) -> None:
        self.has_camera = hands.has_camera
        super().__init__(
            hands,
            rulebook,
            plan=lambda _level: script,
            level=script.level,
            fault=fault,
            smallest_chip=smallest_chip,
        )

    def riffle(self) -> None:
        self.next_deck()
        self.look()  # the blinds are in

    def agrees(self, view: TableView) -> bool:
        """With the end of a hand the seats may change at once: then the screen shows nothing of it any more."""
        if not in_hand(view):
            return self.observer.betting_over or self.observer.hand.ended
        return super().agrees(view)

    def say_tabled(self, seat: Seat) -> None:
        """Where no camera looks, the dealer's word is enough. Of a hand without any action no card is opened."""
        if self.has_camera:
            super().say_tabled(seat)
            return
        self.press(*keying.seat_keys(seat, Key.TABLED))
        self.follow(lambda view: done_with(view, seat), Moment.CORRECTED)
        self.mind()

    def watch(self, shows: Shows) -> bool:
        return super().watch(lambda view: shows(view) or not in_hand(view))

    def count_what_differs(self) -> TableView:
        """Nothing is counted: what players brought or bought lies there already, and the screen has it."""
        return self.view


class DealtHand(Protocol):
    """A hand that has begun on the screen, and is dealt once."""

    @property
    def hand(self) -> int: ...
    def play(self) -> Performed: ...


class NightDealer:
    """Deals at one table until its pace is stopped; `work` is a thread's. `fault` is asked for mischief."""

    hand_type = SeatedHand

    def __init__(self, config: SimroomConfig, hands: Hands) -> None:
        self.sign = Sign()
        self.dealt = Dealt()
        self.fault = Fault()
        self._config = config
        self._hands = hands
        self._rulebook = load_rulebook(config.rulebook)
        self._before: TableView | None = None  # the screen between the hands

    def work(self) -> None:
        try:
            while True:
                self._hands.pace.check()
                if self.sign.take_turn(EMPTY_S):
                    self.sign.turn_over(self._turn())
        except Stopped:
            pass
        except (ScreenDark, TableStuck, ScriptError, ValueError) as error:
            log.warning("table %s: %s", self._config.table, error)
            self.dealt.wrong.append(f"table {self._config.table}: the dealer cannot go on: {error}")

    def _turn(self) -> int:
        """One hand, where there is anybody to deal to; its number, or 0."""
        began = time.monotonic()
        hand = self._begun()
        if hand is None:
            self._hands.pace.hold(EMPTY_S)
            return 0
        self.dealt.take(hand.play(), time.monotonic() - began)
        return hand.hand

    def _begun(self) -> DealtHand | None:
        """The hand that begins at NEW HAND; None where too few sit there, or where no hand is to begin now."""
        view = self._hands.view
        if not in_hand(view):
            self._before = view
            if view.no_hand or sum(seat.stack > 0 for seat in view.seats) < 2:
                return None
            self._hands.press(Key.NEW_HAND)
            view, begun = self._hands.watch(in_hand, BEGINS_S)
            if not begun:
                return None
        if self._before is None or view.hand == self.sign.hand:
            raise TableStuck(f"hand {view.hand} is still on the screen")
        chip = self.sign.smallest_chip or self._config.smallest_chip
        return self.hand_of(view, self._before, chip)

    def hand_of(self, view: TableView, before: TableView, chip: Chips) -> DealtHand:
        """The hand that `view` shows as it begins; `before` is the screen a moment before."""
        script = self._script_of(view, stacks_at_start(before, view), chip)
        return self.hand_type(self._hands, self._rulebook, script, self.fault, chip)

    def _script_of(self, view: TableView, seats: tuple[SeatStack, ...], chip: Chips) -> HandScript:
        """The hand that `view` shows as it begins, played out."""
        if view.level is None or view.button is None or view.big_blind is None:
            raise ValueError(f"hand {view.hand}: the screen shows no level, button or big blind")
        rng = random.Random(f"{self._config.seed}/{view.hand}")
        deck = list(FULL_DECK)
        rng.shuffle(deck)
        blank = HandScript(
            hand=view.hand,
            level=view.level,
            button=view.button,
            small_blind=view.small_blind,
            big_blind=view.big_blind,
            seats=seats,
            deck=tuple(deck),
            acts=(),
        )
        depth = sum(seat.stack for seat in seats) / len(seats) / max(1, view.level.big_blind)
        temper = _SHOVING if depth < SHORT else _PRESSING if depth < DEEP else _PATIENT
        return play_out(rng, blank, self._rulebook, chip, temper)


def stacks_at_start(before: TableView, view: TableView) -> tuple[SeatStack, ...]:
    """What everybody has who plays the hand that begins: `view` shows it, `before` is the screen a moment before.

    The station may have changed seats in between: then it is what lies there now, with the blinds. Raise
    `ValueError` where that cannot be told any more, because the blinds are in the pot already.
    """
    had = {(seat.seat, seat.player): seat.stack for seat in before.seats}
    playing = [seat for seat in view.seats if seat.in_hand]
    whole = sum(seat.stack for seat in playing) + view.pot
    if sum(had.get((seat.seat, seat.player), 0) for seat in playing) == whole:
        return tuple(SeatStack(seat.seat, had[seat.seat, seat.player], seat.player) for seat in playing)
    if sum(seat.bet for seat in playing) != view.pot:
        raise ValueError(f"hand {view.hand}: the seats changed as it began, and the blinds are in the pot")
    return tuple(SeatStack(seat.seat, Chips(seat.stack + seat.bet), seat.player) for seat in playing)
