"""Chips after the betting: wrong awards until the first riffle, impounded pots, hidden chips."""

from __future__ import annotations

from collections.abc import Iterator

from table_core.messages import (
    AwardPots,
    Chips,
    CorrectBet,
    Counted,
    Noticed,
    PotAwarded,
    Report,
    Seat,
    Source,
)
from table_core.rulings.case import Case, Push, Record, Step, Way
from table_core.rulings.register import Group, matter
from table_core.rulings.showdown import award_taken_back


def _counted(case: Case, seat: Seat, change: int) -> Record:
    was = case.stack(seat)
    return Record(Counted(seat, Chips(was + change), Chips(was), Source.DIRECTOR))


def _won(case: Case) -> dict[Seat, int]:
    won: dict[Seat, int] = {}
    for logged in case.table.hand_log:
        if isinstance(logged.event, PotAwarded):
            for share in logged.event.shares:
                won[share.seat] = won.get(share.seat, 0) + share.amount
    return won


@matter("pot_query", 71, "Wrong chips or a wrong award", Group.CHIPS, after_hand=True)
def pot_query(case: Case) -> Iterator[Way]:
    """Before the award anyone may speak up; after it, until the next first riffle, the pot is moved."""
    if case.in_hand:
        told = Record(Noticed("pot_query", "The pot is counted again", case.seat, case.cite("pot_query")))
        yield Way("counted", "The pot is counted before it is pushed", case.cite("pot_query"), (told,))
        for seat in case.hand.short_calls:
            fix = (Push(CorrectBet(seat, Source.DIRECTOR)),)
            yield Way(f"made_up_{seat}", f"Seat {seat} makes its call up", case.cite("pot_query"), fix)
        return
    won, rule = _won(case), case.cite("result_stands")
    if case.seat is not None and case.seat not in won:
        steps = (*award_taken_back(case), Push(Report(AwardPots((case.seat,), Source.DIRECTOR))))
        yield Way("moved", f"The award is taken back: seat {case.seat} wins the pot", rule, steps)
        yield from _rebuilt(case, won, case.seat)
    yield Way("stands", "The award stands", rule)


def _rebuilt(case: Case, won: dict[Seat, int], to: Seat) -> Iterator[Way]:
    """The pot is mixed with other chips: it is worked out from the betting and that amount moves."""
    pot = sum(won.values())
    moves: tuple[Step, ...] = tuple([_counted(case, seat, -amount) for seat, amount in won.items()])
    text = f"Mixed already: {pot:,} go from {', '.join(f'seat {seat}' for seat in won)} to seat {to}"
    yield Way("rebuilt", text, case.cite("pot_rebuilt"), (*moves, _counted(case, to, pot)))


@matter("impound", 72, "Impound the pot", Group.CHIPS, after_hand=True)
def impound(case: Case) -> Iterator[Way]:
    """Play goes on while the decision waits; the chips are nobody's."""
    rule = case.cite("impound")
    if case.in_hand:
        return
    if case.table.impounded and case.seat is not None:
        held = case.table.impounded
        text = f"The impounded {held:,} go to seat {case.seat}"
        yield Way("released", text, rule, (_counted(case, case.seat, held),), impounded=-held)
    won = _won(case)
    if won:
        held = sum(won.values())
        steps = tuple([_counted(case, seat, -amount) for seat, amount in won.items()])
        yield Way("impounded", f"{held:,} are impounded until it is ruled", rule, steps, impounded=held)


@matter("hidden_chips", 73, "Hidden chips were found", Group.CHIPS, needs_seat=True, after_hand=True)
def hidden_chips(case: Case) -> Iterator[Way]:
    """`amount` chips of a player who lost an all-in: to the winner until the next deal, then out of play."""
    rule, found = case.cite("hidden_chips"), case.amount or 0
    out = Way("removed", f"{found:,} leave the tournament; seat {case.seat} is out", rule)
    lost = not case.in_hand and case.the_seat in case.table.seats and not case.stack(case.the_seat)
    won = _won(case) if lost and case.seat in case.hand.seats else {}
    if won and case.policy("hidden_chips_after_all_in") == "to_the_winner":
        winner = max(won, key=lambda seat: won[seat])
        text = f"{found:,} go to seat {winner}, who had them covered; seat {case.seat} is out"
        told = Record(
            Noticed("hidden_chips", f"Seat {case.seat} is out", case.seat, case.cite("hidden_chips_out"))
        )
        yield Way("to_winner", text, rule, (_counted(case, winner, found), told))
    yield out


@matter("bet_size", 74, "Too little put in", Group.CHIPS, needs_seat=True)
def bet_size(case: Case) -> Iterator[Way]:
    """A bet or call of too little is brought up to size."""
    fix = CorrectBet(case.the_seat, Source.DIRECTOR)
    answer = case.hand.decide(fix)
    if isinstance(answer, tuple):
        rule = case.rule("undersized_bet_corrected_until")
        yield Way("made_up", f"Seat {case.seat} makes it up", rule, (Push(fix),))
    yield Way("stands", "It stands", case.rule("short_call_corrected_until"))
