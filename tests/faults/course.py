"""How a scripted hand goes, turn by turn: to find a moment in it that a fault needs."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from feltwire.lab.simroom.play.observer import Observer
from feltwire.lab.simroom.play.script import HandScript, ScriptedAct
from table_core.messages import Action, Chips, Legal, Seat, Street
from table_core.rulebook import Rulebook


class Turn(msgspec.Struct, frozen=True):
    """One action of the script. `left`: how many still act on this street, this one counted, if all go as written;
    `closes`: betting is over with it and cards or a showdown follow."""

    no: int
    street: Street
    act: ScriptedAct
    legal: Legal
    live: tuple[Seat, ...]
    bet_open: bool
    left: int = 0
    closes: bool = False

    @property
    def passive(self) -> bool:
        return self.act.action in (Action.CHECK, Action.CALL)


def course(script: HandScript, book: Rulebook, chip: Chips) -> list[Turn]:
    """Every action with what surrounds it."""
    turns = [*_turns(script, book, chip)]
    ends = [turn.no + 1 < len(turns) and turns[turn.no + 1].street is turn.street for turn in turns]
    out: list[Turn] = []
    for turn, goes_on in zip(turns, ends, strict=True):
        left = sum(1 for other in turns[turn.no :] if other.street is turn.street)
        last = turn.no == len(turns) - 1
        closes = not goes_on and not (last and turn.act.action is Action.FOLD and len(turn.live) == 2)
        out.append(msgspec.structs.replace(turn, left=left, closes=closes))
    return out


def _turns(script: HandScript, book: Rulebook, chip: Chips) -> Iterator[Turn]:
    observer = Observer(script, book, smallest_chip=chip)
    for no, act in enumerate(observer.course()):
        legal = observer.hand.legal()
        assert legal is not None
        opened = any(observer.hand.bets.values())
        yield Turn(no, observer.hand.street, act, legal, observer.live_seats, opened)
        observer.act(act)


def streets(script: HandScript, book: Rulebook, chip: Chips) -> int:
    """How many streets of board cards the hand sees."""
    observer = Observer(script, book, smallest_chip=chip)
    for act in observer.course():
        observer.act(act)
    return {0: 0, 3: 1, 4: 2, 5: 3}[len(observer.board)]
