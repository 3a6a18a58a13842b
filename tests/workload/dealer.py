"""A dealer and the players, one hand long: what they do, how long it takes, and which keys it costs.

Two people's clocks run side by side: players act as fast as they think, the dealer's fingers follow. Where the
dealer must handle cards or chips and is still pressing or reading, the game waits; `base_s` is how long the same
hand takes with the same thinking at a table without any system.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from feltwire.lab.simroom.dealer.keying import amount_keys, count_keys, seat_keys, wager_keys
from feltwire.lab.simroom.felt.felt import PhysicalFelt
from feltwire.lab.simroom.play.observer import move_chips
from feltwire.lab.simroom.play.script import BOARD_CARDS, HandScript, ScriptedAct
from feltwire.lab.table.wired import WiredTable
from table_core.hand.hand import Hand
from table_core.messages import (
    Act,
    Action,
    AnyEvent,
    AnyHandCommand,
    AwardPots,
    BettingClosed,
    CardText,
    Chips,
    DealBoard,
    Key,
    MuckHand,
    PotAwarded,
    Refusal,
    Seat,
    Source,
    StartHand,
    Street,
    TableHand,
)
from table_core.rulebook import Rulebook
from tests.workload import people as model
from tests.workload.eye import Eye
from tests.workload.people import People

_TICK_S = 0.1  # how finely waiting people look up
_WAGERS = (Action.BET, Action.RAISE)
PLAIN = {Action.FOLD: Key.FOLD, Action.CHECK: Key.CHECK_CALL, Action.CALL: Key.CHECK_CALL}
_SLIPS = {Key.FOLD: Key.CHECK_CALL, Key.CHECK_CALL: Key.FOLD}

Waits = Iterator[float]


@dataclass
class Told:
    """What a hand cost."""

    strokes: list[Key] = field(default_factory=list)
    acts: int = 0
    folds: int = 0
    keys_for_folds: int = 0
    slips: int = 0
    slips_mended: int = 0  # with one UNDO, or with none where the wrong key did nothing
    counts: int = 0
    opened: int = 0  # presses that said of hands just keyed that they lie face up
    base_s: float = 0.0
    took_s: float = 0.0
    by_hand: int = 0  # bets typed because the screen did not offer them


class Truth:
    """What really happens: an engine that is told everything, and the felt that it moves."""

    def __init__(self, script: HandScript, rulebook: Rulebook, smallest_chip: Chips, felt: PhysicalFelt) -> None:
        self.hand = Hand(rulebook, smallest_chip=smallest_chip)
        self.acts: list[ScriptedAct] = []
        self._felt = felt
        felt.set_stacks({entry.seat: entry.stack for entry in script.seats}, script.button)
        positions = (script.button, script.small_blind, script.big_blind)
        self.do(StartHand(script.hand, *positions, script.level, script.seats))

    def do(self, command: AnyHandCommand) -> None:
        events = self.hand.push(command)
        if isinstance(events, Refusal):
            raise AssertionError(f"the script cannot be played: {events.reason}")
        move_chips(self._felt, [event for event in events if not self._by_hand(event)])

    @staticmethod
    def _by_hand(event: AnyEvent) -> bool:
        """Gathering and pushing take the dealer's hands and their time."""
        return isinstance(event, BettingClosed | PotAwarded)


class HandDealt:
    """Deals one hand of `script`; `play()` once."""

    def __init__(
        self,
        table: WiredTable,
        eye: Eye,
        felt: PhysicalFelt,
        people: People,
        script: HandScript,
        rulebook: Rulebook,
        *,
        deck: str,
        presses: bool,
        smallest_chip: Chips,
    ) -> None:
        self.told = Told()
        self.truth: Truth
        self._table, self._eye, self._felt, self._people = table, eye, felt, people
        self._script, self._rulebook, self._deck = script, rulebook, deck
        self._presses, self._smallest_chip = presses, smallest_chip
        self._cards = list(script.deck)
        self._seen = "camera" in table.devices
        self._now = float(table.now)
        self._todo: list[ScriptedAct] = []
        self._acting = True
        self._agenda: list[tuple[float, int, Waits]] = []
        self._order = itertools.count()

    # ---------------------------------------------------------------------------------------- time

    def play(self) -> Told:
        began = self._now
        self._start(self._dealer())
        while self._agenda:
            due, _, person = heapq.heappop(self._agenda)
            self._until(due)
            wait_s = next(person, None)
            if wait_s is not None:
                heapq.heappush(self._agenda, (self._now + 1000 * wait_s, next(self._order), person))
        self.told.took_s = (self._now - began) / 1000
        return self.told

    def _start(self, person: Waits) -> None:
        heapq.heappush(self._agenda, (self._now, next(self._order), person))

    def _until(self, to: float) -> None:
        """Time passes; the camera says what it has looked at for long enough."""
        to = max(to, self._now)
        while (due := self._eye.next_due()) is not None and due <= to:
            self._table.advance(int(due))
            self._eye.say(due)
        self._table.advance(int(to))
        self._now = max(to, float(self._table.now))

    def _moved(self) -> None:
        self._eye.glance(self._now)

    def _task(self, seconds: float) -> Waits:
        """The dealer's hands are at cards and chips: as long with a system as without."""
        self.told.base_s += seconds
        yield seconds

    # ------------------------------------------------------------------------------------- the dealer

    def _dealer(self) -> Waits:
        yield from self._task(model.RIFFLE_S / 2)
        if not self._seen:
            yield from self._press(Key.NEW_HAND)
        self.truth = Truth(self._script, self._rulebook, self._smallest_chip, self._felt)  # blinds are posted
        self._moved()
        yield from self._task(model.RIFFLE_S / 2)
        yield from self._pitch()
        while not self.truth.hand.ended and self.truth.hand.street is not Street.SHOWDOWN:
            if self.truth.hand.awaiting_board:
                yield from self._street()
            else:
                yield from self._betting_round()
        if not self.truth.hand.ended:
            yield from self._showdown()
        yield from self._push()

    def _pitch(self) -> Waits:
        for _ in (0, 1):
            for seat in self._script.dealt:
                yield from self._task(model.PITCH_S)
                self._felt.deal(seat, self._draw())
                self._moved()

    def _draw(self) -> CardText:
        card = self._cards.pop(0)
        self._table.card(self._deck, card)
        return card

    def _betting_round(self) -> Waits:
        """Players act in their own time; the dealer keys what the devices do not see."""
        self._acting = True
        self._start(self._players())
        while self._acting or self._todo:
            if self._todo:
                yield from self._tell(self._todo.pop(0))
            else:
                yield _TICK_S
        if any(self._felt.bets.values()):
            yield from self._task(model.GATHER_S)
            self._felt.gather()
            self._moved()

    def _players(self) -> Waits:
        hand, script = self.truth.hand, self._script
        while hand.to_act is not None and not hand.ended:
            act = script.acts[len(self.truth.acts)]
            think_s = self._people.think_s(act.action)
            self.told.base_s += think_s
            yield think_s
            self.truth.acts.append(act)
            self.truth.do(Act(act.seat, act.action, act.to))
            self._moved()
            self._heard(act)
        self._acting = False

    def _heard(self, act: ScriptedAct) -> None:
        """The dealer sees an act, and has it to key."""
        self._todo.append(act)

    def _street(self) -> Waits:
        size = len(self.truth.hand.board)
        street = next(street for street, before in _BEFORE.items() if before == size)
        if self.truth.hand.betting_over:
            yield from self._turn_up_all_in()
        yield from self._task(model.BURN_S)
        self._felt.burn(self._draw())
        self._moved()
        cards = []
        for _ in range(BOARD_CARDS[street]):
            yield from self._task(model.TURN_S)
            cards.append(self._draw())
        self._felt.put_on_board(cards)
        self.truth.do(DealBoard(tuple(cards), (Source.CAMERA,)))
        self._moved()
        if self._presses:
            yield from self._see_street(size + len(cards))

    def _see_street(self, size: int) -> Waits:
        """A glance: is the street on the screen? One press where it is not."""
        if self._no_cards_seen() and (self.truth.hand.betting_over or not self._betting_open()):
            return  # nothing to say before somebody acts, or the pot is awarded
        if not self._seen:
            yield from self._press(Key.STREET)
            return
        self._start(self._help_street(size))

    def _help_street(self, size: int) -> Waits:
        """Beside the game: players think already while the dealer looks."""
        for _ in range(3):
            yield from self._watch(lambda: len(self._table.shown.board) >= size or self._betting_open())
            if len(self._table.shown.board) >= size:
                return
            yield from self._press(Key.STREET)
            yield model.LOOK_S

    def _betting_open(self) -> bool:
        return self._table.shown.legal is not None

    # ------------------------------------------------------------------------------------------ keys

    def _tell(self, act: ScriptedAct) -> Waits:
        self.told.acts += 1
        self.told.folds += act.action is Action.FOLD
        if not self._presses:
            return
        yield model.REACT_S
        if self._seen:
            if act.action in _WAGERS:
                yield from self._take_prediction(act)
        elif self._acting or self._todo or act.action in (*_WAGERS, Action.FOLD) or self.truth.hand.betting_over:
            yield from self._key(act)  # the last check or call of a street goes with the street

    def _take_prediction(self, act: ScriptedAct) -> Waits:
        """Chips that the camera saw wait on the screen as an action: one press; typed where it offers another."""
        wanted = (
            f"seat {act.seat}: {act.action} {'to ' if act.action is Action.RAISE else ''}{_amount(act, self)}?"
        )
        yield from self._watch(lambda: self._offers(wanted) or self._has(act))
        if self._has(act):
            return
        yield model.LOOK_S
        if self._offers(wanted):
            if self._people.slips():
                yield from self._slip(Key.FOLD)
            yield from self._press(Key.STREET)
            return
        self.told.by_hand += 1
        yield from self._press(*amount_keys(act.seat), Key.SEAT, *_wager(act))
        yield from self._answer()

    def _offers(self, wanted: str) -> bool:
        """Whether one press on the screen's prediction ends with this bet."""
        return self._table.shown.predicted.lower().endswith(wanted)

    def _key(self, act: ScriptedAct) -> Waits:
        keys = (PLAIN[act.action],) if act.action in PLAIN else _wager(act)
        if len(keys) == 1 and keys[0] in _SLIPS and self._people.slips():
            yield from self._slip(_SLIPS[keys[0]])
        before = len(self.told.strokes)
        yield from self._press(*keys)
        if act.action is Action.FOLD:
            self.told.keys_for_folds += len(self.told.strokes) - before
        yield from self._answer()

    def _slip(self, *wrong: Key) -> Waits:
        """A wrong press, seen on the screen and taken back where it did something."""
        before = _shown(self._table)
        self.told.slips += 1
        yield from self._press(*wrong)
        yield model.LOOKS_UP_S
        if _shown(self._table) != before:
            yield from self._press(Key.UNDO)
        self.told.slips_mended += _shown(self._table) == before

    def _has(self, act: ScriptedAct) -> bool:
        """The screen shows the bet in front of its seat."""
        total = _total(act, self)
        return any(seat.seat == act.seat and seat.bet == total for seat in self._table.shown.seats)

    def _answer(self) -> Waits:
        """One press where the screen asks whether what was not keyed happened."""
        question = self._table.shown.question
        if question is not None and question.key is Key.STREET:
            self.told.opened += question.kind.startswith("tabled-")
            yield model.LOOK_S
            yield from self._press(Key.STREET)

    def _press(self, *keys: Key) -> Waits:
        if not self._presses:
            return
        for key in keys:
            yield model.PRESS_S
            self._table.press(key)
            self.told.strokes.append(key)

    def _watch(self, shows: Callable[[], bool]) -> Waits:
        waited = 0.0
        while not shows() and waited < model.PATIENCE_S:
            waited += _TICK_S
            yield _TICK_S

    # -------------------------------------------------------------------------------------- the end

    def _turn_up_all_in(self) -> Waits:
        if self._presses and self._betting_open():
            yield from self._press(Key.STREET)
        for seat in self._script.tables:
            if seat in self.truth.hand.live_seats and seat not in self.truth.hand.tabled:
                yield from self._table_hand(seat)

    def _showdown(self) -> Waits:
        hand = self.truth.hand
        for _ in _BEFORE:
            unseen = self._no_cards_seen() and self._table.shown.street is not Street.SHOWDOWN
            if not self._presses or not (self._betting_open() or (unseen and not hand.all_in)):
                break
            yield model.LOOK_S
            yield from self._press(Key.STREET)
        yield from self._show_down()

    def _show_down(self) -> Waits:
        """Hands are turned up or thrown away."""
        hand = self.truth.hand
        shows = [seat for seat in self._script.tables if seat in hand.live_seats]
        for seat in shows:
            if seat not in hand.tabled:
                yield from self._table_hand(seat)
        for seat in [seat for seat in hand.live_seats if seat not in shows]:
            self.truth.do(MuckHand(seat))
            self._felt.throw_away(seat)
            self._moved()
        self.truth.do(AwardPots())

    def _table_hand(self, seat: Seat) -> Waits:
        yield from self._task(model.SHOW_S)
        self._turned_up(seat)
        if self._presses and not self._seen and "shoe" in self._table.devices:
            yield from self._press(*seat_keys(seat, Key.TABLED))
            yield from self._watch(lambda: self._table.shown.question is not None)
            yield from self._answer()

    def _turned_up(self, seat: Seat) -> None:
        self._felt.turn_up(seat)
        self.truth.do(TableHand(seat, tuple(lying.card for lying in self._felt.hands[seat]), (Source.CAMERA,)))
        self._moved()

    def _push(self) -> Waits:
        """Chips go to the winners; then the screen is put right where it does not show the end of the hand."""
        winners = _winners(self.truth.hand, self._felt)
        yield from self._task(model.PUSH_S)
        self._felt.gather()
        self._felt.pot = Chips(0)
        for seat, stack in self.truth.hand.stacks.items():
            self._felt.stacks[seat] = Chips(stack)
        self._moved()
        if self._presses:
            yield from self._close(winners)
        self._felt.collect_cards()
        self._moved()
        if self._presses:
            yield from self._watch(self._agrees)
            for seat, stack in self.truth.hand.stacks.items():
                if self._table.stacks().get(seat) != stack:
                    self.told.counts += 1
                    yield from self._press(*count_keys(seat, stack))

    def _close(self, winners: list[Seat]) -> Waits:
        """POT PUSHED where cards decide; the winner's seat where the table cannot know."""
        yield from self._watch(lambda: not self._open())
        yield from self._put_right(winners)

    def _put_right(self, winners: list[Seat]) -> Waits:
        for _ in range(5):
            if not self._open():
                return
            question, unread = self._table.shown.question, self._not_read()
            if question is not None and question.key is Key.STREET:
                yield from self._answer()
            elif self._no_cards_seen() or (question is not None and question.key is Key.AWARD):
                yield from self._award(winners)
            elif self._seen and unread is not None:
                yield from self._press(*seat_keys(unread, Key.TABLED))
                yield model.PATIENCE_S / 2
            else:
                yield from self._press(Key.POT_PUSHED)
            yield from self._watch(lambda: not self._open() or self._table.shown.question is not None)

    def _no_cards_seen(self) -> bool:
        return not self._seen and "shoe" not in self._table.devices

    def _not_read(self) -> Seat | None:
        """A hand that lies face up and is not on the screen."""
        shown = {seat.seat for seat in self._table.shown.seats if len(seat.cards) == 2 and "??" not in seat.cards}
        return next((seat for seat in self.truth.hand.tabled if seat not in shown), None)

    def _award(self, winners: list[Seat]) -> Waits:
        if len(winners) == 1:
            yield from self._press(*seat_keys(winners[0], Key.AWARD))
            return
        for seat in winners:
            yield from self._press(*seat_keys(seat, Key.SPLIT))
        yield from self._press(Key.POT_PUSHED)

    def _open(self) -> bool:
        return self._table.shown.street is not Street.DONE

    def _agrees(self) -> bool:
        stacks = self._table.stacks()
        return not self._open() and all(stacks.get(s) == c for s, c in self.truth.hand.stacks.items())


_BEFORE = {Street.FLOP: 0, Street.TURN: 3, Street.RIVER: 4}  # board cards before a street


def _total(act: ScriptedAct, dealt: HandDealt) -> int:
    """What lies in front of the seat after a bet or raise (the bots name every one)."""
    assert act.to is not None, dealt
    return act.to


def _amount(act: ScriptedAct, dealt: HandDealt) -> str:
    return f"{_total(act, dealt):,}"


def _wager(act: ScriptedAct) -> tuple[Key, ...]:
    return (Key.ALL_IN,) if act.to is None else wager_keys(act.to)


def _winners(hand: Hand, felt: PhysicalFelt) -> list[Seat]:
    """Who has more now than lies behind their line."""
    return [seat for seat, stack in hand.stacks.items() if stack > felt.stacks[seat]]


def _shown(table: WiredTable) -> tuple[object, ...]:
    """What a wrong key changes on the screen and UNDO must put back: bets, and who is out."""
    return tuple((seat.bet, seat.folded, seat.stack) for seat in table.shown.seats)
