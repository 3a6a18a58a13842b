"""The dealing robot: performs one hand physically, as a dealer does who glances at the dealer screen.

It deals cards through the shoe, lays them on the felt, moves chips, presses keys and answers what the screen
asks. What it knows of the table's mind is what any dealer sees: the public screen. What truly happened it follows
with an engine of its own (`Observer`), to move the chips and to check afterwards; the table never hears of it.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence

from feltwire.lab.simroom.dealer import keying
from feltwire.lab.simroom.dealer.desk import FOLLOW_S, MOST_CORRECTIONS, Desk
from feltwire.lab.simroom.dealer.hands import Hands
from feltwire.lab.simroom.dealer.mischief import Fault, Mischief
from feltwire.lab.simroom.dealer.pace import ADMIRE_S, THINK_S
from feltwire.lab.simroom.dealer.performed import DealerWorkload, Performed
from feltwire.lab.simroom.play.observer import Observer
from feltwire.lab.simroom.play.script import BOARD_CARDS, HandScript, ScriptedAct
from table_core.messages import Action, CardText, Chips, Key, Level, Seat, Street, TableView
from table_core.rulebook import Rulebook

log = logging.getLogger(__name__)

READ_S = 4.0  # the camera's reading of still cards reaches the screen this fast, or the dealer helps
STARTS_S = 6.0
LOOKS_UP_S = 1.5  # until a dealer notices a wrong press

Plan = Callable[[Level], HandScript]
_PLAIN_KEYS = {Action.FOLD: Key.FOLD, Action.CHECK: Key.CHECK_CALL, Action.CALL: Key.CHECK_CALL}


class TableStuck(Exception):
    """The table does not go on whatever the dealer presses; which hand, and where."""


class Dealing:
    """One hand being dealt. `play()` once.

    `plan(level)` gives the script for a level: `level` first, and the one that the screen shows should it differ.
    """

    def __init__(
        self, hands: Hands, rulebook: Rulebook, *, plan: Plan, level: Level, fault: Fault, smallest_chip: Chips
    ) -> None:
        self._hands = hands
        self._felt = hands.felt
        self._rulebook = rulebook
        self._plan = plan
        self._fault = fault
        self._smallest_chip = smallest_chip
        self._script = plan(level)
        self._tally = DealerWorkload()
        self._desk = Desk(hands, self._tally)

    @property
    def hand(self) -> int:
        return self._script.hand

    def play(self) -> Performed:
        self._riffle()
        script = self._script
        self._deck = list(script.deck)
        self._felt.set_stacks({entry.seat: entry.stack for entry in script.seats}, script.button)
        self._observer = Observer(script, self._rulebook, smallest_chip=self._smallest_chip, felt=self._felt)
        self._hands.glimpse()  # the blinds are in
        self._deal_hole_cards()
        self._desk.moved(self._observer.hand, ())
        self._bet()
        self._show_down()
        return self._finish()

    # --------------------------------------------------------------------------------- the first riffle

    def _riffle(self) -> None:
        """Press NEW HAND until the screen shows this hand begun, with the button where it lies."""
        self._hands.next_deck()
        for _ in range(MOST_CORRECTIONS):
            self._desk.press(Key.NEW_HAND)
            view, begun = self._hands.watch(self._has_begun, STARTS_S)
            if not begun:
                self._desk.answer(view)
                continue
            if view.level is not None and view.level != self._script.level:
                self._script = self._plan(view.level)
            if view.button == self._script.button:
                return
            raise TableStuck(f"hand {self._script.hand}: the screen has the button at seat {view.button}")
        raise TableStuck(f"hand {self._script.hand} does not begin on the dealer screen")

    def _has_begun(self, view: TableView) -> bool:
        return view.hand == self._script.hand and in_hand(view)

    def _deal_hole_cards(self) -> None:
        order = self._script.dealt
        exposed = order[len(order) // 2] if self._takes(Mischief.EXPOSE_CARD) else None
        for turn in (0, 1):
            for seat in order:
                card = self._next_card()
                if exposed == seat and turn == 1:
                    self._expose(seat, card)
                else:
                    self._felt.deal(seat, card)
                self._hands.glimpse()
        # The camera must have seen that the board of the hand before is gone.
        self._hands.look()

    def _expose(self, seat: Seat, card: CardText) -> None:
        """A card turns over while it is pitched; everybody has seen it, and it is turned back."""
        self._felt.deal(seat, card, face_up=True)
        self._hands.look()
        self._hands.pace.hold(LOOKS_UP_S)
        self._felt.turn_down(seat)

    def _next_card(self) -> CardText:
        """The card on top of the deck leaves the shoe."""
        card = self._deck.pop(0)
        self._hands.draw(card)
        return card

    # ------------------------------------------------------------------------------------------ betting

    def _bet(self) -> None:
        """Every betting round, and the board cards between them."""
        todo = list(self._script.acts)
        while not self._observer.at_showdown and not self._observer.hand.ended:
            if self._observer.awaiting_board:
                self._deal_street()
                continue
            act = self._next_act(todo)
            self._hands.pace.pause(THINK_S)
            self._observer.act(act)
            self._desk.moved(self._observer.hand, keys_of(act))
            self._hands.glimpse()
            self._key(act)
            self._cause_trouble()

    def _next_act(self, todo: list[ScriptedAct]) -> ScriptedAct:
        """What the script has next; where a fault changed the hand, the seat to act checks or folds."""
        if todo and todo[0].seat == self._observer.to_act:
            return todo.pop(0)
        return self._observer.passive_act()

    def _key(self, act: ScriptedAct) -> None:
        """Press the keys of `act`, unless a fault interferes; then see that the screen agrees."""
        if not self._observer.hand.ended and self._takes(Mischief.FORGET_KEY):
            return
        wrong = self._neighbour(act)
        if wrong is not None and self._takes(Mischief.WRONG_SEAT):
            self._desk.press(*keying.seat_keys(wrong, Key.FOLD))
            self._hands.pace.hold(LOOKS_UP_S)
        else:
            self._desk.press(*keys_of(act))
        self._reconcile()

    def _neighbour(self, act: ScriptedAct) -> Seat | None:
        """A live seat that is not the one acting, for a finger that slips."""
        others = [seat for seat in self._observer.live_seats if seat != act.seat]
        return others[-1] if len(others) > 1 else None

    def _deal_street(self) -> None:
        street = self._observer.next_street
        self._show_all_in_hands()
        if not self._takes(Mischief.SKIP_BURN):
            self._felt.burn(self._next_card())
        cards = tuple(self._next_card() for _ in range(BOARD_CARDS[street]))
        self._felt.put_on_board(cards)
        self._observer.deal_board(cards)
        self._desk.moved(self._observer.hand, ())
        self._hands.show()
        self._follow_board()
        self._reconcile()
        self._hands.pace.pause(THINK_S)

    def _reconcile(self) -> None:
        if not self._desk.reconcile():
            log.warning("hand %d: the screen differs from the felt; to be counted", self._script.hand)

    def _follow_board(self) -> None:
        """Wait until the camera has read the street; help with STREET where it cannot."""
        size = len(self._observer.board)
        for _ in range(MOST_CORRECTIONS):
            view, _ = self._hands.watch_camera(lambda v: len(v.board) >= size or self._desk.is_new(v), READ_S)
            if len(view.board) >= size:
                return
            if not self._desk.answer(view):
                if view.legal is not None:
                    return  # betting is still open on the screen: that is put right first
                self._desk.press(Key.STREET)

    # -------------------------------------------------------------------------------------------- showdown

    def _show_all_in_hands(self) -> None:
        """Once nobody can bet any more, all hands are tabled before the next card (tda.16)."""
        if self._observer.betting_over:
            for seat in self._script.tables:
                if seat in self._observer.live_seats and seat not in self._observer.tabled:
                    self._table(seat)

    def _show_down(self) -> None:
        if not self._observer.at_showdown:
            return
        shows = [seat for seat in self._script.tables if seat in self._observer.live_seats]
        if Mischief.SKIP_BURN in self._tally.faults or not shows:
            shows = list(self._observer.live_seats)  # another board: the planned winner may have lost
        for seat in shows:
            if seat not in self._observer.tabled:
                self._table(seat)
        for seat in [seat for seat in self._observer.live_seats if seat not in shows]:
            self._felt.throw_away(seat)
            self._observer.muck_hand(seat)
            self._desk.press(*keying.seat_keys(seat, Key.MUCK))
            self._hands.glimpse()
        self._hands.pace.pause(ADMIRE_S)

    def _table(self, seat: Seat) -> None:
        self._felt.turn_up(seat)
        self._observer.table_hand(seat, tuple(lying.card for lying in self._felt.hands[seat]))
        self._desk.press(*keying.seat_keys(seat, Key.TABLED))
        self._hands.show()
        self._follow_hand(seat)

    def _follow_hand(self, seat: Seat) -> None:
        """Wait until the hand of `seat` is on the screen; say it again where it is not."""
        for _ in range(4):
            view, _ = self._hands.watch_camera(lambda v: done_with(v, seat) or self._desk.is_new(v), READ_S)
            if done_with(view, seat):
                return
            if not self._desk.answer(view):
                self._desk.press(*keying.seat_keys(seat, Key.TABLED))

    # ---------------------------------------------------------------------------------------------- the end

    def _finish(self) -> Performed:
        before = self._observer.stacks
        self._observer.award()
        winners = [seat for seat, stack in self._observer.stacks.items() if stack > before[seat]]
        self._push_pot(winners)
        self._hands.mend_all()
        self._hands.settle_shoe()
        shown = self._desk.see()
        view = self._count_what_differs()
        self._felt.collect_cards()
        self._hands.glimpse()
        return Performed(
            hand=self._script.hand,
            stacks=dict(self._felt.stacks),
            board=self._observer.board,
            tabled=dict(self._observer.tabled),
            shown_board=shown.board,
            shown_hands={s.seat: s.cards for s in shown.seats if is_tabled(shown, s.seat)},
            shown_stacks={s.seat: s.stack for s in view.seats},
            tally=self._tally,
        )

    def _push_pot(self, winners: Sequence[Seat]) -> None:
        """Push the pot and press POT PUSHED; name the winners where the table cannot tell."""
        self._desk.press(Key.POT_PUSHED)
        for _ in range(MOST_CORRECTIONS):
            view, ended = self._hands.watch(lambda v: not in_hand(v), FOLLOW_S)
            if ended:
                return
            if view.question is not None and view.question.key is Key.AWARD and winners:
                self._award(winners)
            elif not self._desk.answer(view):
                self._desk.press(Key.POT_PUSHED)
        log.warning("hand %d does not end on the screen", self._script.hand)

    def _award(self, winners: Sequence[Seat]) -> None:
        if len(winners) == 1:
            self._desk.press(*keying.seat_keys(winners[0], Key.AWARD))
            return
        for seat in winners:
            self._desk.press(*keying.seat_keys(seat, Key.SPLIT))
        self._desk.press(Key.POT_PUSHED)

    def _count_what_differs(self) -> TableView:
        """The dealer counts every stack that the screen has differently."""
        true = self._felt.stacks

        def right(view: TableView) -> bool:
            return all(true.get(s.seat, s.stack) == s.stack for s in view.seats)

        view, agreed = self._hands.watch(right, FOLLOW_S)
        if agreed:
            return view
        for shown in view.seats:
            stack = true.get(shown.seat, shown.stack)
            if stack != shown.stack:
                self._tally.counts += 1
                self._desk.press(*keying.count_keys(shown.seat, stack))
        return self._hands.watch(right, FOLLOW_S)[0]

    # ------------------------------------------------------------------------------------------- in short

    def _takes(self, kind: Mischief) -> bool:
        """Whether `kind` is to be done now; noted when it is."""
        if not self._fault.take(kind):
            return False
        self._tally.faults.append(kind)
        return True

    def _cause_trouble(self) -> None:
        """Faults that last a while and fit any moment."""
        for kind in (Mischief.BLOCK_CAMERA, Mischief.PULL_SHOE):
            if self._takes(kind):
                self._hands.trouble(kind)


def keys_of(act: ScriptedAct) -> tuple[Key, ...]:
    """The keys that say `act` when it is that seat's turn."""
    if act.action in _PLAIN_KEYS:
        return (_PLAIN_KEYS[act.action],)
    return (Key.ALL_IN,) if act.to is None else keying.wager_keys(act.to)


def in_hand(view: TableView) -> bool:
    return view.street is not Street.DONE


def is_tabled(view: TableView, seat: Seat) -> bool:
    """Both cards of `seat` are on the screen, or one with its neighbour unread."""
    return any(s.seat == seat and len(s.cards) == 2 and s.cards != ("??", "??") for s in view.seats)


def done_with(view: TableView, seat: Seat) -> bool:
    return is_tabled(view, seat) or not in_hand(view)
