"""Running the board more than once when all-in, where the book lets players agree to it (rpl.procedures.8)."""

from __future__ import annotations

from collections.abc import Iterator

from table_core.messages import BoardsAgreed
from table_core.rulings.case import Case, Correct, Option, Record
from table_core.rulings.register import Group, incident

_TIMES = {"twice": 2, "three_times": 3}
_NEW = {0: (3, 1, 1), 3: (1, 1), 4: (1,)}


def _no_board_to_run(case: Case) -> str:
    to_come = case.hand.betting_over and len(case.hand.board) in _NEW
    return "" if to_come else "the betting must be over, with cards of the board to come"


@incident("run_it", 65, "Run the board more than once", Group.SHOWDOWN, unfit=_no_board_to_run)
def run_it(case: Case) -> Iterator[Option]:
    """Each board is played for an equal part of every pot; the players have agreed."""
    most = case.policy("run_it_times") or 1
    size = len(case.hand.board)
    if size not in _NEW:  # the board was completed while it was asked about
        return
    for key, times in _TIMES.items():
        if times <= most:
            boards = [to for run in range(2, times + 1) for to in _run(size, f"board-{run}")]
            text = f"{times} boards, each for a part of every pot"
            yield Option(
                key,
                text,
                case.rule("run_it_times"),
                (Record(BoardsAgreed(times)), Correct(case.deal.goes_on(*case.deal.rest, *boards))),
            )
    text = "One board; no other deals between players are ruled on"
    yield Option("once", text, case.cite("run_it"), (Record(BoardsAgreed(1)),))


def _run(size: int, board: str) -> list[str]:
    """Burns and cards of one more board."""
    return [to for count in _NEW[size] for to in ("burn", *(board,) * count)]
