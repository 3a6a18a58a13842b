"""Chips after the betting: wrong awards until the first riffle, impounded pots, hidden chips."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations

from table_core.hand.pots import odd_chips, split
from table_core.messages import (
    Act,
    Acted,
    Action,
    AnyEvent,
    AwardPots,
    BetCorrected,
    Chips,
    CorrectBet,
    Counted,
    HandEnded,
    HandsBeaten,
    Misdealt,
    Noticed,
    PotAwarded,
    Refusal,
    Report,
    Seat,
    Share,
    Source,
)
from table_core.parameters import CorrectUntil, OddChip
from table_core.projections.words import acted, chips
from table_core.rulings.acts_again import brought_up, brought_up_words, change, instead
from table_core.rulings.case import Case, Option, Push, Record, Step, listed
from table_core.rulings.register import KEYED, Group, incident
from table_core.rulings.showdown import award_taken_back

_HOW_MANY = "How much was found? Amount, COUNT"


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


@incident("pot_query", 71, "Wrong chips or a wrong award", Group.CHIPS, after_hand=True)
def pot_query(case: Case) -> Iterator[Option]:
    """Before the award anyone may speak up; after it, until the next first riffle, the pot is moved."""
    if case.in_hand:
        if case.table.hands_played and not case.table.acts():  # only blinds: the last pot is meant
            text = f"The award of hand {case.hand.number - 1} stands: the next hand has begun"
            yield Option("too_late", text, case.cite("result_stands"))
            yield from _asked_for_in_time(case)
        notice = Record(Noticed("pot_query", "The pot is counted again", case.seat, case.cite("pot_query")))
        yield Option("counted", "The pot is counted before it is pushed", case.cite("pot_query"), (notice,))
        for seat in case.hand.short_calls:
            fix = (Push(CorrectBet(seat, Source.DIRECTOR)),)
            yield Option(f"made_up_{seat}", f"Seat {seat} makes its call up", case.cite("pot_query"), fix)
        return
    if any(isinstance(logged.event, Misdealt) for logged in case.table.hand_log):  # the hand before it is meant
        yield from _asked_for_in_time(case)
    won, rule = _won(case), case.cite("result_stands")
    stands = Option("stands", "The award stands", rule)
    folded = case.seat is not None and _folded(case, case.seat)
    if folded:
        yield stands
    if case.seat is not None and case.seat not in won and (pots := _could_win(case, case.seat)):
        steps = (*award_taken_back(case), Push(Report(_award_with(case, case.seat))))
        all_pots = len(pots) == len(_pots_awarded(case))
        what = "the pot" if all_pots else " and ".join(_pot_words(pot) for pot in pots)
        rest = "" if all_pots else "; the rest stays where it went"
        wins = f"seat {case.seat}{', keyed as folded,' if folded else ''} wins {what}{rest}"
        whose = listed(sorted({share.seat for pot in pots for share in pot.shares}))
        yield Option("moved", f"The award to {whose} is taken back: {wins}", rule, steps)
        yield from _rebuilt(case, case.seat)
    if case.seat is not None:
        yield from _single_pots(case, case.seat)
        yield from _tied(case, case.seat)
        yield from _odd_chip_to(case, case.seat)
    if not folded:
        yield stands


def _single_pots(case: Case, seat: Seat) -> Iterator[Option]:
    """One pot of several goes to the seat, the others stay where they went."""
    pots = _pots_awarded(case)
    lost = [pot for pot in pots if seat in pot.eligible and all(share.seat != seat for share in pot.shares)]
    if len(pots) < 2 or (len(lost) == 1 and seat not in _won(case)):
        return  # all that the seat could win is one pot: it is offered as a whole
    for pot in lost:
        command = _award_of(case, {other.no: _winners(other) for other in pots} | {pot.no: (seat,)})
        if command is not None:
            steps = (*award_taken_back(case), Push(Report(command)))
            had = listed(_winners(pot))
            text = f"{_pot_words(pot)} goes from {had} to seat {seat}; the rest stays where it went"
            key = f"side_pot_{pot.no}" if pot.no else "main_pot"
            yield Option(key, text[0].upper() + text[1:], case.cite("result_stands"), steps)


def _tied(case: Case, seat: Seat) -> Iterator[Option]:
    """The seat ties with those to whom pots were pushed whole: all these pots are split, or one of them. A third
    winner asks next."""
    pots = [pot for pot in _could_win(case, seat) if seat not in _winners(pot)]
    if pots:
        yield _split(case, seat, pots, "split")
    for pot in pots if len(pots) > 1 else ():
        yield _split(case, seat, [pot], f"split_{f'side_pot_{pot.no}' if pot.no else 'main_pot'}")


def _split(case: Case, seat: Seat, pots: list[PotAwarded], key: str) -> Option:
    awarded, words, moves = _pots_awarded(case), list[str](), Counter[Seat]()
    winners = {pot.no: _winners(pot) for pot in awarded}
    for pot in pots:
        winners[pot.no] = tuple([one for one in case.hand.seats if one in (*_winners(pot), seat)])
        what = "the pot" if len(awarded) == 1 else _pot_words(pot)
        words.append(f"{listed(winners[pot.no])} share {what}")
    command = _award_of(case, winners)
    for pot in pots:
        moves.update(_changes(case, pot, winners[pot.no], anew=command is not None))
    steps: tuple[Step, ...] = tuple([_counted(case, one, change) for one, change in moves.items() if change])
    if command is not None:
        steps = (*award_taken_back(case), Push(Report(command)))
    text = f"{' and '.join(words)}: {chips(moves[seat])} to seat {seat}"
    return Option(key, text[0].upper() + text[1:], case.cite("result_stands"), steps)


def _changes(case: Case, pot: PotAwarded, winners: Sequence[Seat], *, anew: bool = False) -> Counter[Seat]:
    """Chips that go to each seat, and from it, where `winners` share the pot; where it is awarded `anew` the odd
    chip may stay in the next pot."""
    carry = anew and case.book.rules.odd_chip.value is OddChip.NEXT_POT
    shares = split(pot.amount, winners, case.table.smallest_chip, carry=carry)
    changes = Counter({Seat(one): share for one, share in shares})
    changes.subtract({share.seat: int(share.amount) for share in pot.shares})
    return changes


def _winners(pot: PotAwarded) -> tuple[Seat, ...]:
    return tuple([share.seat for share in pot.shares])


def _award_of(case: Case, winners: Mapping[int, tuple[Seat, ...]]) -> AwardPots | None:
    """The award that gives each pot, by its number, to just these seats; None where no order of hands does, or
    where the hand ended without an award."""
    log = case.table.hand_log
    first = next((one for one in log if isinstance(one.event, HandsBeaten | PotAwarded)), None)
    if first is None:
        return None
    hand = case.as_of(first.seq - 1)
    for groups in permutations(dict.fromkeys(winners.values())):
        command = AwardPots(groups[0], Source.DIRECTOR, tuple(groups[1:]))
        answer = hand.decide(Report(command))
        awards = [event for event in answer if isinstance(event, PotAwarded)] if isinstance(answer, tuple) else []
        if {award.no: _winners(award) for award in awards} == winners:
            return command
    return None


def _odd_chip_to(case: Case, seat: Seat) -> Iterator[Option]:
    """The odd chip of a pot that the seat shares went to another winner."""
    for award in _pots_awarded(case):
        if all(share.seat != seat for share in award.shares):
            continue
        for other, odd in odd_chips(award):
            if other != seat:
                text = f"The odd {chips(odd)} of seat {other} go to seat {seat}"
                moves = (_counted(case, other, -odd), _counted(case, seat, odd))
                key = "odd_chip" if not award.no else f"odd_chip_{award.no}"
                yield Option(key, text, case.rule("odd_chip"), moves)


def _asked_for_in_time(case: Case) -> Iterator[Option]:
    """The ruling on the last pot was asked for before the first riffle and comes behind it: its chips move now."""
    seat = case.seat
    pots = [pot for pot in case.table.awards_before if seat in pot.eligible]
    won: dict[Seat, int] = {}
    for share in [share for pot in pots for share in pot.shares]:
        won[share.seat] = won.get(share.seat, 0) + share.amount
    if seat is None or not won or seat in won:
        return
    if all(_now(case, one) > amount for one, amount in won.items()):
        moves = {**{one: -amount for one, amount in won.items()}, seat: sum(won.values())}
        whose = " and ".join(f"{chips(amount)} of seat {one}" for one, amount in won.items())
        yield _in_time(case, "in_time", f"{whose} go to seat {seat}", moves)
    tied = Counter[Seat]()
    for pot in pots:
        tied.update(_changes(case, pot, [one for one in pot.eligible if one in (*_winners(pot), seat)]))
    if all(_now(case, one) + change > 0 for one, change in tied.items()):
        words = f"{listed([*won, seat])} share what was pushed, {chips(tied[seat])} go to seat {seat}"
        yield _in_time(case, "in_time_split", words, tied)


def _in_time(case: Case, key: str, words: str, moves: Mapping[Seat, int]) -> Option:
    steps = tuple([_moved(case, one, change) for one, change in moves.items() if change])
    return Option(key, f"It was asked for before the riffle: {words}", case.cite("result_stands"), steps)


def _now(case: Case, seat: Seat) -> int:
    """Chips behind, in the hand in progress or beside it."""
    return int(case.hand.stacks[seat]) if case.in_hand and seat in case.hand.seats else case.stack(seat)


def _moved(case: Case, seat: Seat, change: int) -> Record:
    was = _now(case, seat)
    return Record(Counted(seat, Chips(was + change), Chips(was), Source.DIRECTOR))


def _folded(case: Case, seat: Seat) -> bool:
    """The books have the seat out before the showdown: it can win only where that was wrong."""
    return any(act.seat == seat and act.action is Action.FOLD for act in case.table.acts())


def _pots_awarded(case: Case) -> list[PotAwarded]:
    """The pots that somebody has: a hand that the director set may have had nothing to win."""
    events = (logged.event for logged in case.table.hand_log)
    return [event for event in events if isinstance(event, PotAwarded) and event.shares]


def _could_win(case: Case, seat: Seat) -> list[PotAwarded]:
    """The pots that a seat was in; all of them where it was in none: its hand was taken for dead."""
    pots = _pots_awarded(case)
    return [pot for pot in pots if seat in pot.eligible] or pots


def _pot_words(pot: PotAwarded) -> str:
    return f"{f'side pot {pot.no}' if pot.no else 'the main pot'} of {chips(pot.amount)}"


def _award_with(case: Case, seat: Seat) -> AwardPots:
    """What the seat can win goes to it, the other pots to who had them (home.sidebets.3)."""
    pots, could = _pots_awarded(case), _could_win(case, seat)
    winners = {pot.no: (seat,) if pot in could else _winners(pot) for pot in pots}
    others = dict.fromkeys(_winners(pot) for pot in pots if pot not in could)
    return _award_of(case, winners) or AwardPots((seat,), Source.DIRECTOR, tuple(others))


def _rebuilt(case: Case, to: Seat) -> Iterator[Option]:
    """The pot is mixed with other chips: it is worked out from the betting and that amount moves."""
    won: dict[Seat, int] = {}
    for share in [share for pot in _could_win(case, to) for share in pot.shares]:
        won[share.seat] = won.get(share.seat, 0) + share.amount
    pot = sum(won.values())
    moves: tuple[Step, ...] = tuple([_counted(case, seat, -amount) for seat, amount in won.items()])
    text = f"Chips mixed already: {pot:,} go from {listed(list(won))} to seat {to}"
    yield Option("rebuilt", text, case.cite("pot_rebuilt"), (*moves, _counted(case, to, pot)))


def _not_decided(case: Case) -> str:
    """A pot can be impounded once nobody is to act on it any more."""
    open_still = case.in_hand and not (case.hand.betting_over and not case.hand.awaiting_board)
    return "the hand is still played: nothing is decided about the pot" if open_still else ""


def _held(case: Case) -> Option:
    """The hand ends without a winner; who has no chips left is not out while the pot may be theirs."""
    hand = case.hand
    pots = [*enumerate(hand.pots)]
    awards = [Record(PotAwarded(no, pot.amount, pot.eligible, (), "impounded")) for no, pot in reversed(pots)]
    stacks = tuple([Share(seat, Chips(hand.stacks[seat])) for seat in sorted(hand.stacks)])
    held = Chips(sum(pot.amount for _, pot in pots))
    text = f"The pot of {held:,} is impounded until it is ruled; play goes on"
    steps = (*awards, Record(HandEnded(hand.number, stacks, ())))
    return Option("impounded", text, case.cite("impound"), steps, impounded=held)


@incident("impound", 72, "Impound the pot", Group.CHIPS, after_hand=True, unfit=_not_decided)
def impound(case: Case) -> Iterator[Option]:
    """Play goes on while the decision waits; the chips are nobody's."""
    rule = case.cite("impound")
    if case.table.impounded and case.seat is not None:
        held = case.table.impounded
        text = f"The impounded {held:,} go to seat {case.seat}"
        yield Option("released", text, rule, (_counted(case, case.seat, held),), impounded=-held)
    if case.in_hand:
        yield _held(case)
        return
    won = _won(case)
    if won:
        held = sum(won.values())
        steps = tuple([_counted(case, seat, -amount) for seat, amount in won.items()])
        source = ", ".join(f"seat {seat}" for seat in won)
        yield Option(
            "impounded", f"{held:,} of {source} are impounded until it is ruled", rule, steps, impounded=held
        )


@incident("hidden_chips", 73, "Hidden chips were found", Group.CHIPS, needs_seat=True, after_hand=True)
def hidden_chips(case: Case) -> Iterator[Option]:
    """`amount` chips of a player who lost an all-in: to the winner until the next deal, then out of play. The
    winner gets what it had covered; the rest stays with the player, who is in with it. In a silent book a
    person rules, and both are offered."""
    rule, found, seat = case.cite("hidden_chips"), case.amount or 0, case.the_seat
    busted = seat in case.table.seats and not case.stack(seat) and not (case.in_hand and seat in case.hand.seats)
    lost = busted and not case.in_hand
    winner, most = _covered_by(case) if lost else (None, 0)
    policy = case.policy("hidden_chips_after_all_in")
    silent = policy is None
    asks = "" if found else _HOW_MANY
    if lost and silent:
        text = f"{found:,} stay with seat {seat}, which is in with them" if found else "The chips stay"
        yield Option("kept", text, case.cite("fairness"), (_counted(case, seat, found),), asks=asks)
    if winner is not None and (policy == "to_the_winner" or silent):
        covered = min(found, most)
        kept = found - covered
        if covered:
            rest = f"{kept:,} stay with seat {seat}" if kept else f"seat {seat} is out"
            notice = Record(Noticed("hidden_chips", f"Seat {seat} is out", seat, case.cite("hidden_chips_out")))
            after = _counted(case, seat, kept) if kept else notice
            text = f"{covered:,} go to seat {winner}, who had them covered; {rest}"
            yield Option("to_winner", text, rule, (_counted(case, winner, covered), after))
        elif kept and not silent:
            text = f"{found:,} stay with seat {seat}: seat {winner} did not cover them"
            yield Option("kept", text, case.cite("hidden_chips_out"), (_counted(case, seat, kept),))
    leave = f"{found:,} leave the tournament" if found else "The chips leave the tournament"
    yield Option("removed", f"{leave}; seat {seat} is out" if busted else leave, rule, asks=asks)


def _covered_by(case: Case) -> tuple[Seat | None, int]:
    """Of those who won a pot that the seat could have won the one with the most chips, and how many more than
    the seat it had as the hand began."""
    awards = [logged.event for logged in case.table.hand_log if isinstance(logged.event, PotAwarded)]
    winners = {share.seat for award in awards if case.the_seat in award.eligible for share in award.shares}
    if not winners:  # nor is there a hand, where the seats were set since
        return None, 0
    began = {seated.seat: int(seated.stack) for seated in case.table.stacks_at_start()}
    if case.the_seat not in began:
        return None, 0
    winner = max(winners, key=lambda seat: began[seat])
    return winner, max(began[winner] - began[case.the_seat], 0)


def _full_size(case: Case) -> str:
    """Why there is nothing to bring up; empty where the seat is to act, or the books have too little of it."""
    if case.is_to_act(case.the_seat) or _called(case) is not None:
        return ""
    answer = case.hand.decide(CorrectBet(case.the_seat, Source.DIRECTOR))
    if not isinstance(answer, Refusal) or brought_up(case):
        return ""
    last = case.last_act(case.the_seat)
    if last is None or not last[1].added:
        return answer.reason
    return f"seat {case.seat}, {acted(last[1])}: that is of full size"


@incident("bet_size", 74, "Too little put in", Group.CHIPS, needs_seat=True, unfit=_full_size)
def bet_size(case: Case) -> Iterator[Option]:
    """A bet or call of too little is brought up to size, or was let pass."""
    if case.is_to_act(case.the_seat):
        yield from _too_little_now(case)
        if case.cause != KEYED and not case.put_in:  # else it is about what lies there now
            yield from _found_short(case)
        return
    fix = CorrectBet(case.the_seat, Source.DIRECTOR)
    answer = case.hand.decide(fix)
    behind = brought_up(case)
    if behind:
        yield Option("made_up", brought_up_words(case, behind), case.cite("proper_size"), behind)
    if isinstance(answer, tuple):
        text = f"Seat {case.seat} adds {_made_up(answer)}"
        yield Option("made_up", text, case.cite("proper_size"), (Push(fix),))
        yield from _only_a_call(case)
    if isinstance(answer, tuple) or behind or _called(case) is None:
        yield Option("stands", f"What seat {case.seat} put in stands", case.rule("short_call_corrected_until"))
    yield from _found_short(case)


def _called(case: Case) -> Acted | None:
    """The seat's last action with chips, on any street, where it is a call that may be found short."""
    acts = [act for act in case.table.acts() if act.seat == case.seat and act.added]
    short = case.the_seat in case.hand.short_calls or case.the_seat in case.hand.all_in
    return acts[-1] if acts and acts[-1].action is Action.CALL and not short else None


def _found_short(case: Case) -> Iterator[Option]:
    """Less lay there than the call that is recorded. Made up it is as recorded, at any time; else it stands as it
    was, because the round is over or the table let it pass."""
    call, seat = _called(case), case.seat
    if call is None:
        return
    rule, last = case.book.cites.undersized_bet, case.last_act(case.the_seat)
    seen = case.put_in if last is not None and last[1] == call else None
    amount = case.amount or (seen if seen and seen < call.to else None)
    stands = Option("stands", f"Seat {seat}: its call stands as recorded, {chips(call.to)}", rule)
    if amount is None:
        text = f"Seat {seat} put in less than its call of {chips(call.added)}"
        yield Option("found_short", text, rule, asks="How much lay there? Amount, COUNT")
        yield stands
        return
    missing = Chips(call.to - amount)
    if not 0 < missing <= call.added:
        yield stands
        return
    until = case.book.rules.short_call_corrected_until
    in_time = until.value is CorrectUntil.POT_AWARDED or (last is not None and last[1] == call)
    if in_time:
        made = f"Seat {seat} adds {chips(missing)}: its call stands as recorded, {chips(call.to)}"
        yield Option("call_full", made, until.rule)
    text = f"Seat {seat}: its call stands at {chips(amount)}, {chips(missing)} back to it"
    yield Option("found_short", text, rule, (Push(CorrectBet(case.the_seat, Source.DIRECTOR, missing)),))
    if not in_time:
        yield stands


def _only_a_call(case: Case) -> Iterator[Option]:
    """A raise of too little is a call only: for a book that asks for the proper size and does not say how."""
    raised = case.is_to_act(case.the_seat) or _raised_too_little(case)
    if raised and not case.own("undersized_bet"):
        steps, words = instead(case, Action.CALL, None), change(case, Action.CALL, None)
        text = f"Seat {case.seat}: {words}. Your book does not say how it is put right"
        yield Option("call", text, case.cite("fairness"), steps)


def _raised_too_little(case: Case) -> bool:
    last = case.last_act(case.the_seat)
    return last is not None and last[1].action is Action.RAISE


def _too_little_now(case: Case) -> Iterator[Option]:
    """The seat to act put in less than it may: that is brought up to exactly the least (wfp.nolimit.11), or the
    table has let it pass, which is recorded with the rule that it breaks."""
    seat, rule = case.the_seat, case.cite("proper_size")
    legal, bets = case.hand.legal(), case.hand.bets
    assert legal is not None
    high, own, stack = max(bets.values()), int(bets[seat]), int(case.hand.stacks[seat])
    amount = case.amount or (case.put_in if (case.put_in or 0) > own else None)
    if amount is None:
        text = f"Seat {seat}: say how much lies there first"
        yield Option("made_up", text, rule, asks=f"How much lies in front of seat {seat}? Amount, COUNT")
        return
    wager = amount > high and legal.min_to is not None
    least = int(legal.min_to or high) if wager else min(int(high), own + stack)
    if not own < amount < least:
        yield Option("stands", f"{chips(amount)} is of full size: key it", rule)
        return
    action = (Action.RAISE if high else Action.BET) if wager else Action.CALL
    full = Act(seat, action, Chips(least) if wager else None, Source.DIRECTOR)
    small = Act(seat, action, Chips(amount), Source.DIRECTOR)
    word = "raise to" if action is Action.RAISE else str(action)
    yield Option("made_up", f"Seat {seat}, {word}: {chips(amount)} → {chips(least)}", rule, (Push(full),))
    if action is Action.RAISE:
        yield from _only_a_call(case)
    passed = f"Seat {seat}, {word} {chips(amount)}: the table let it pass"
    yield Option("let_pass", passed, rule, (Push(Report(small)),))


def _made_up(answer: tuple[AnyEvent, ...]) -> str:
    fixed = answer[0]
    assert isinstance(fixed, BetCorrected)
    if not fixed.to:  # the street is over: the chips go to the main pot
        return f"{chips(fixed.added)} to the main pot"
    return f"{chips(fixed.added)}: {chips(fixed.to - fixed.added)} → {chips(fixed.to)}"
