"""A dealer and the players, one hand long: how long what they do takes, and which keys it costs.

Two people's clocks run side by side: players act as fast as they think, the dealer's fingers follow. Where the
dealer must handle cards or chips and is still pressing or reading, the game waits; `base_s` is how long the same
hand takes with the same thinking at a table without any system.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from feltwire.lab.simroom.dealer.dealing import Dealing, Moment, keys_of
from feltwire.lab.simroom.dealer.glance import in_hand
from feltwire.lab.simroom.dealer.keying import amount_keys, count_keys, seat_keys
from feltwire.lab.simroom.felt.felt import PhysicalFelt
from feltwire.lab.simroom.play.script import HandScript, ScriptedAct
from feltwire.lab.table.wired import WiredTable
from table_core.messages import UNKNOWN_CARD, Action, Chips, Key, Seat, Street
from table_core.rulebook import Rulebook
from tests.workload import people as model
from tests.workload.beside import Beside, Waits
from tests.workload.eye import Eye
from tests.workload.people import People

_TICK_S = 0.1  # how finely waiting people look up
_WAGERS = (Action.BET, Action.RAISE)
_SLIPS = {Key.FOLD: Key.CHECK_CALL, Key.CHECK_CALL: Key.FOLD}
TASKS_S = {
    Moment.PITCH: model.PITCH_S,
    Moment.BURN: model.BURN_S,
    Moment.TURN: model.TURN_S,
    Moment.SHOW: model.SHOW_S,
    Moment.PUSH: model.PUSH_S,
}


@dataclass
class HandEffort:
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


class HandDealt(Dealing):
    """Deals one hand of `script`; `play()` once. `acted` is what the players did."""

    gathers = False

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
        self._beside = Beside(table, eye, felt, deck)
        super().__init__(self._beside, script, rulebook, smallest_chip)
        self.effort = HandEffort()
        self.acted: list[ScriptedAct] = []
        self._table, self._people = table, people
        self._presses = presses
        self._seen = "camera" in table.devices
        self._todo: list[ScriptedAct] = []  # acts to key
        self._acting = True

    def play(self) -> HandEffort:
        began = self._beside.now
        self.deal()
        self._beside.finish()
        self.effort.took_s = (self._beside.now - began) / 1000
        return self.effort

    # ---------------------------------------------------------------------------------- time and cards

    @property
    def _now(self) -> float:
        return self._beside.now

    def pause(self, moment: Moment) -> None:
        if moment in TASKS_S:
            self.task(TASKS_S[moment])

    def task(self, seconds: float) -> None:
        """The dealer's hands are at cards and chips: as long with a system as without."""
        self.effort.base_s += seconds
        self.wait(seconds)

    def wait(self, seconds: float) -> None:
        self._beside.wait(seconds)

    def watch(self, shows: Callable[[], bool]) -> None:
        waited = 0.0
        while not shows() and waited < model.PATIENCE_S:
            waited += _TICK_S
            self.wait(_TICK_S)

    # ----------------------------------------------------------------------------------- along the hand

    def riffle(self) -> None:
        self.task(model.RIFFLE_S / 2)
        if not self._seen:
            self.press(Key.NEW_HAND)
        self.look()  # blinds are posted
        self.task(model.RIFFLE_S / 2)

    def betting(self, todo: list[ScriptedAct]) -> None:
        """Players act in their own time; the dealer keys what the devices do not see."""
        self._acting = True
        self._beside.start(self._players(todo))
        while self._acting or self._todo:
            if self._todo:
                self.say(self._todo.pop(0))
            else:
                self.wait(_TICK_S)
        self.gather()

    def gather(self) -> None:
        if any(self.felt.bets.values()):
            self.task(model.GATHER_S)
            self.felt.gather()
            self.look()

    def _players(self, todo: list[ScriptedAct]) -> Waits:
        while self.observer.to_act is not None and not self.observer.hand.ended:
            act = self.next_act(todo)
            think_s = self._people.think_s(act.action)
            self.effort.base_s += think_s
            yield think_s
            self.acted.append(act)
            self.do(act)
            self.heard(act)
        self._acting = False

    def heard(self, act: ScriptedAct) -> None:
        """The dealer sees an act, and has it to key."""
        self._todo.append(act)

    def say_street(self) -> None:
        """A glance: is the street on the screen? One press where it is not."""
        betting_over = self.observer.betting_over or not self._betting_open()
        if not self._presses or (self._no_cards_seen() and betting_over):
            return  # nothing to say before somebody acts, or the pot is awarded
        if self._seen:
            self._beside.start(self._help_street(len(self.observer.board)))
        else:
            self.press(Key.STREET)

    def _help_street(self, size: int) -> Waits:
        """Beside the game: players think already while the dealer looks."""
        for _ in range(3):
            waited = 0.0
            while not (len(self.view.board) >= size or self._betting_open()) and waited < model.PATIENCE_S:
                waited += _TICK_S
                yield _TICK_S
            if len(self.view.board) >= size:
                return
            yield model.PRESS_S
            self._tap(Key.STREET)
            yield model.LOOK_S

    def _betting_open(self) -> bool:
        return self.view.legal is not None

    # ------------------------------------------------------------------------------------------ keys

    def say(self, act: ScriptedAct) -> None:
        self.effort.acts += 1
        self.effort.folds += act.action is Action.FOLD
        if not self._presses:
            return
        self.wait(model.REACT_S)
        if self._seen:
            if act.action in _WAGERS:
                self._take_prediction(act)
        elif self._acting or self._todo or act.action in (*_WAGERS, Action.FOLD) or self.observer.betting_over:
            self.key(act)  # the last check or call of a street goes with the street

    def _take_prediction(self, act: ScriptedAct) -> None:
        """Chips that the camera saw wait on the screen as an action: one press; typed where it offers another."""
        assert act.to is not None, "bots name every amount"
        wanted = f"seat {act.seat}: {act.action} {'to ' if act.action is Action.RAISE else ''}{act.to:,}?"
        self.watch(lambda: self._offers(wanted) or self._has(act))
        if self._has(act):
            return
        self.wait(model.LOOK_S)
        if self._offers(wanted):
            if self._people.slips():
                self.slip(Key.FOLD)
            self.press(Key.STREET)
            return
        self.effort.by_hand += 1
        self.press(*amount_keys(act.seat), Key.SEAT, *keys_of(act))
        self.answer()

    def _offers(self, wanted: str) -> bool:
        """Whether one press on the screen's prediction ends with this bet."""
        return self.view.predicted.lower().endswith(wanted)

    def _has(self, act: ScriptedAct) -> bool:
        """The screen shows the bet in front of its seat."""
        return any(seat.seat == act.seat and seat.bet == act.to for seat in self.view.seats)

    def key(self, act: ScriptedAct) -> None:
        keys = keys_of(act)
        if len(keys) == 1 and keys[0] in _SLIPS and self._people.slips():
            self.slip(_SLIPS[keys[0]])
        before = len(self.effort.strokes)
        self.press(*keys)
        if act.action is Action.FOLD:
            self.effort.keys_for_folds += len(self.effort.strokes) - before
        self.answer()

    def slip(self, *wrong: Key) -> None:
        """A wrong press, seen on the screen and taken back where it did something."""
        before = self._shown()
        self.effort.slips += 1
        self.press(*wrong)
        self.wait(model.LOOKS_UP_S)
        if self._shown() != before:
            self.press(Key.UNDO)
        self.effort.slips_mended += self._shown() == before

    def _shown(self) -> tuple[object, ...]:
        """What a wrong key changes on the screen and UNDO must put back: bets, and who is out."""
        return tuple((seat.bet, seat.folded, seat.stack) for seat in self.view.seats)

    def answer(self) -> None:
        """One press where the screen asks whether what was not keyed happened."""
        question = self.view.question
        if question is not None and question.key is Key.STREET:
            self.effort.opened += question.kind.startswith("tabled-")
            self.wait(model.LOOK_S)
            self.press(Key.STREET)

    def press(self, *keys: Key) -> None:
        if not self._presses:
            return
        for key in keys:
            self.wait(model.PRESS_S)
            self._tap(key)

    def _tap(self, key: Key) -> None:
        self._table.press(key)
        self.effort.strokes.append(key)

    # -------------------------------------------------------------------------------------- the end

    def show_all_in_hands(self) -> None:
        if self.observer.betting_over:
            if self._presses and self._betting_open():
                self.press(Key.STREET)
            super().show_all_in_hands()

    def show_down(self) -> None:
        if self.observer.at_showdown:
            self.open_showdown()
            self.turn_hands_up()

    def open_showdown(self) -> None:
        """STREET where betting is still open on the screen."""
        hand = self.observer.hand
        for _ in range(3):
            unseen = self._no_cards_seen() and self.view.street is not Street.SHOWDOWN
            if not self._presses or not (self._betting_open() or (unseen and not hand.all_in)):
                break
            self.wait(model.LOOK_S)
            self.press(Key.STREET)

    def say_tabled(self, seat: Seat) -> None:
        if self._presses and not self._seen and "shoe" in self._table.devices:
            self.press(*seat_keys(seat, Key.TABLED))
            self.watch(lambda: self.view.question is not None)
            self.answer()

    def say_mucked(self, seat: Seat) -> None:
        """No key."""

    def end(self) -> None:
        """The pot is pushed; then the screen is put right where it does not show the end of the hand."""
        super().end()
        self.felt.collect_cards()
        self.look()
        if self._presses:
            self.watch(self._agrees)
            for seat, stack in self.observer.stacks.items():
                if self._table.stacks().get(seat) != stack:
                    self.effort.counts += 1
                    self.press(*count_keys(seat, stack))

    def push_chips(self) -> None:
        self.felt.gather()
        self.felt.pot = Chips(0)
        self.felt.stacks.update(self.observer.stacks)

    def push_pot(self) -> None:
        """POT PUSHED where cards decide; the winner's seat where the table cannot know."""
        if self._presses:
            self.watch(lambda: not in_hand(self.view))
            self.put_right()

    def put_right(self) -> None:
        for _ in range(5):
            if not in_hand(self.view):
                return
            question, unread = self.view.question, self._not_read()
            if question is not None and question.key is Key.STREET:
                self.answer()
            elif self._no_cards_seen() or (question is not None and question.key is Key.AWARD):
                self.name_winners(0 if question is None else question.question)
            elif self._seen and unread is not None:
                self.press(*seat_keys(unread, Key.TABLED))
                self.wait(model.PATIENCE_S / 2)
            else:
                self.press(Key.POT_PUSHED)
            self.watch(lambda: not in_hand(self.view) or self.view.question is not None)

    def _no_cards_seen(self) -> bool:
        return not self._seen and "shoe" not in self._table.devices

    def _not_read(self) -> Seat | None:
        """A hand that lies face up and is not on the screen."""
        shown = {seat.seat for seat in self.view.seats if len(seat.cards) == 2 and UNKNOWN_CARD not in seat.cards}
        return next((seat for seat in self.observer.tabled if seat not in shown), None)

    def _agrees(self) -> bool:
        stacks = self._table.stacks()
        return not in_hand(self.view) and all(stacks.get(s) == c for s, c in self.observer.stacks.items())
