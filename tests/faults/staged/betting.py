"""Faults of the betting: what players do, and how a dealer keys it and has it ruled on."""

from __future__ import annotations

import msgspec

from feltwire.lab.simroom.dealer import keying
from feltwire.lab.simroom.dealer.dealing import keys_of
from feltwire.lab.simroom.play.script import ScriptedAct
from table_core.messages import Action, Chips, Key
from tests.faults.course import Turn
from tests.faults.dealing import SAY_MS
from tests.faults.kinds import Kind
from tests.faults.staged.staging import Staging

OUT_OF_TURN, STRING_BET, DECLARED = 41, 43, 44  # numbers of their incidents
CHIP = Chips(5_000)  # a single one


class OutOfTurn(Staging):
    """A player who will check or call does so before the turn comes; nobody raises between."""

    kind = Kind.OUT_OF_TURN

    @classmethod
    def suits(cls, turn: Turn, turns: list[Turn]) -> bool:
        later = turns[turn.no + 1 :][:1]
        return (
            bool(later)
            and later[0].street is turn.street
            and later[0].passive
            and turn.act.action in (Action.FOLD, Action.CHECK, Action.CALL)
            and later[0].act.seat != turn.act.seat
            and len(turn.live) > 2
        )

    def interrupt(self, todo: list[ScriptedAct]) -> None:
        eager = todo[1].seat
        self.stage(f"seat {eager} before seat {todo[0].seat}")
        self.incidents["out_of_turn"] = ""
        self.wait(*SAY_MS)
        self.press(*keying.seat_keys(eager, Key.CHECK_CALL))
        self.wait(1_000, 2_500)
        self.have_ruled("out_of_turn", OUT_OF_TURN, eager)


class WrongAmount(Staging):
    """A raise below the minimum, keyed as the player made it; it is then made the minimum."""

    kind = Kind.WRONG_AMOUNT

    @classmethod
    def suits(cls, turn: Turn, turns: list[Turn]) -> bool:
        least, most = turn.legal.min_to, turn.legal.max_to
        return (
            turn.act.action in (Action.BET, Action.RAISE)
            and least is not None
            and most is not None
            and most > least
            and least > 50
        )

    def act_wrongly(self, act: ScriptedAct, least: Chips) -> None:
        high = max(self.observer.hand.bets.values(), default=Chips(0))
        short = Chips(high + max(25, (least - high) // 2 // 25 * 25))
        self.stage(f"seat {act.seat}: {short} instead of at least {least}")
        self.wait(*SAY_MS)
        self.press(*keying.wager_keys(short))
        self.wait(1_000, 2_500)
        super().act_wrongly(msgspec.structs.replace(act, to=least), least)


class StringBet(Staging):
    """A raise in two motions, keyed as it lies there in the end; somebody objects."""

    kind = Kind.STRING_BET

    @classmethod
    def suits(cls, turn: Turn, turns: list[Turn]) -> bool:
        to, most = turn.act.to, turn.legal.max_to
        return (
            turn.act.action is Action.RAISE
            and to is not None
            and most is not None
            and turn.legal.min_to is not None
            and turn.legal.min_to < to < most
        )

    def act_wrongly(self, act: ScriptedAct, least: Chips) -> None:
        first, felt = least, self.felt
        self.stage(f"seat {act.seat}: {first}, then {act.to}")
        self.incidents["string_bet"] = "first_motion"
        in_front = felt.bets.get(act.seat, Chips(0))
        self.put_in(act.seat, Chips(first - in_front))
        self.wait(700, 1_500)
        self.put_in(act.seat, Chips((act.to or 0) - first))
        self.wait(*SAY_MS)
        self.press(*keys_of(act))
        self.wait(1_000, 2_500)
        self.raise_incident(STRING_BET, act.seat)
        self.press(*keying.amount_keys(first), Key.COUNT)
        felt.take_back(act.seat, Chips((act.to or 0) - in_front))
        self.do(msgspec.structs.replace(act, to=first))
        self.wait(500, 1_000)
        self.mind()
        self.reconcile()


class SingleChip(Staging):
    """One oversized chip without a word, facing a bet, keyed as a raise: it is a call."""

    kind = Kind.SINGLE_CHIP

    @classmethod
    def suits(cls, turn: Turn, turns: list[Turn]) -> bool:
        return (
            turn.act.action is Action.CALL
            and turn.legal.min_to is not None
            and turn.legal.max_to is not None
            and turn.legal.max_to > 2 * CHIP > CHIP > turn.legal.min_to
        )

    def act_wrongly(self, act: ScriptedAct, least: Chips) -> None:
        felt = self.felt
        self.stage(f"seat {act.seat}")
        self.incidents["declared"] = "call"
        in_front = felt.bets.get(act.seat, Chips(0))
        self.put_in(act.seat, CHIP)
        self.wait(*SAY_MS)
        self.press(*keying.wager_keys(in_front + CHIP))
        self.wait(1_000, 2_500)
        felt.take_back(act.seat, CHIP)  # the dealer makes change for it
        self.do(act)
        self.have_ruled("declared", DECLARED, act.seat)
        self.reconcile()
