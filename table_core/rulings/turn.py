"""Errors of turn: time called from away, out of turn, skipped."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from table_core.hand.hand import Hand
from table_core.messages import (
    Act,
    Acted,
    Action,
    Chips,
    KillHand,
    Noticed,
    Refusal,
    Seat,
    Source,
)
from table_core.projections.table_state import Logged
from table_core.projections.words import acted
from table_core.rulings.acts_again import acts_again, change, instead
from table_core.rulings.case import Case, Option, Push, Record, Step, TakeBack
from table_core.rulings.register import Group, incident

_CHIPS = (Action.BET, Action.RAISE, Action.CALL)
_UNLESS = "unless somebody before it bets, calls or raises"


@incident("away_time", 40, "Time called from away", Group.ACTION, needs_seat=True)
def away_time(case: Case) -> Iterator[Option]:
    """Only a player at the table stops the action."""
    rule = case.cite("away_time")
    notice = Record(Noticed("time_refused", "Time counts only at the table", case.seat, rule))
    yield Option("refused", f"Seat {case.seat} is away: the action goes on", rule, (notice,))


@incident("out_of_turn", 41, "Acted out of turn", Group.ACTION, needs_seat=True)
def out_of_turn(case: Case) -> Iterator[Option]:
    """What it costs at the player's own turn; `pressed` is what was keyed for the seat before its turn. Where the
    book is silent it costs nothing unless somebody rules so."""
    late = _on_the_books(case)
    if late is not None:
        yield from _late(case, late)
        return
    did = case.pressed or case.cause or _by_its_chips(case)
    text = f"Seat {case.seat} acts in turn as if nothing had happened"
    warning = Option("warning", text, case.cite("out_of_turn_binds"))
    about = "bet" if did == "raise" else did
    silent = about in ("check", "call", "bet") and not case.own(f"out_of_turn_{about}")
    if silent:
        yield warning
    if did == "check":
        yield from _checked(case)
    elif did == "call":
        yield from _called(case)
    elif did in ("bet", "raise"):
        yield from _bet(case)
    elif did == "fold":
        yield from _folded(case)
    if not silent:
        yield warning
    if did in ("bet", "raise") and case.policy("out_of_turn_bet") == "conduct" and not _changed(case):
        left_open = f"{_bound_to_bet(case)}: your book does not say whether it binds"
        yield Option("binds_bet", left_open, case.cite("fairness"))


def _by_its_chips(case: Case) -> str:
    """What nobody keyed follows from the amount that was said, or from the chips in front of the seat."""
    hand, seat = case.hand, case.the_seat
    high, own = max(hand.bets.values(), default=Chips(0)), hand.bets.get(seat, Chips(0))
    put_in = case.amount or case.put_in or 0
    if put_in > high:
        return "bet"
    return "call" if own < put_in == high else "check"


def _on_the_books(case: Case) -> Acted | None:
    """The bet or call of the seat where the table went on from it: its turn on this street is over."""
    last = case.last_act(case.the_seat)
    over = not case.in_hand or case.the_seat not in case.hand.snapshot().pending
    return last[1] if last is not None and over and last[1].action in _CHIPS else None


def _late(case: Case, act: Acted) -> Iterator[Option]:
    """It was taken for an action in turn, and only then somebody says so: what was done since stands, or a person
    takes it back. A check is due where the book says so."""
    about = "call" if act.action is Action.CALL else "bet"
    kind, rule = case.policy(f"out_of_turn_{about}"), case.rule(f"out_of_turn_{about}")
    said = Option("stands", f"Seat {case.seat}, {acted(act)}: it was accepted and stands", rule)
    yield said
    if case.street_over or case.ran_out:
        return
    if kind == "check_if_checked_before" and act.action is Action.BET:
        text = f"Seat {case.seat} must check: {change(case, Action.CHECK, None)}"
        yield Option("check_if_checked", text, rule, instead(case, Action.CHECK, None))
        return
    last = case.last_act(case.the_seat)
    if last is not None:
        text = f"Seat {case.seat} decides anew: {acted(act)} is taken back{acts_again(case, last[0])}"
        yield Option("taken_back", text, rule, (TakeBack(last[0].seq),))


def _changed(case: Case) -> bool:
    """Somebody has bet, called or raised since: what was done before its turn binds no more."""
    acts = [one.event for one in case.table.hand_log if one.seq > (case.pressed_after or one.seq)]
    return any(isinstance(act, Acted) and act.action in _CHIPS for act in acts)


def _folded(case: Case) -> Iterator[Option]:
    """A fold is one in turn or out of it, in some books only where there was something to call; else it may be
    ruled binding like any other act."""
    seat = case.the_seat
    if case.table.hand is None or seat not in case.hand.live_seats:
        return
    then = case.hand if case.pressed_after is None else case.as_of(case.pressed_after)
    faced = max(then.bets.values(), default=Chips(0)) > then.bets.get(seat, Chips(0))
    always = case.policy("fold_without_a_bet_kills")
    if not (faced or always) and _changed(case):
        return
    rule = case.cite("folded" if faced or always else "out_of_turn_binds")
    text = f"Seat {seat} has folded: its hand is dead"
    yield Option("dead", text, rule, (Push(KillHand(seat, "folded out of turn", rule)),))


def _checked(case: Case) -> Iterator[Option]:
    yield from _limits_of_a_check(case)
    if not _changed(case):
        binds = case.cite("out_of_turn_binds")
        yield Option("binds_check", f"Seat {case.seat} is bound to check {_UNLESS}", binds)


def _limits_of_a_check(case: Case) -> Iterator[Option]:
    kind, rule = case.policy("out_of_turn_check"), case.rule("out_of_turn_check")
    if kind == "must_call":
        yield Option("must_call", f"Seat {case.seat} checked: it may only call then", rule)
    elif kind is not None:
        yield Option("no_raise", f"Seat {case.seat} checked: no bet or raise at its turn", rule)


def _bound_to_bet(case: Case) -> str:
    raises = max(case.hand.bets.values(), default=0) > 0
    amount = case.pressed_amount or case.amount
    to = f"{' to' if raises else ''} {amount:,}" if amount else ""
    return f"Seat {case.seat} is bound to {'raise' if raises else 'bet'}{to} {_UNLESS}"


def _called(case: Case) -> Iterator[Option]:
    kind, rule = case.policy("out_of_turn_call"), case.rule("out_of_turn_call")
    if kind == "never_a_raise":
        yield Option("no_raise", f"Seat {case.seat} called: never a raise at its turn", rule)
    if not _changed(case):
        binds = case.cite("out_of_turn_binds")
        yield Option("binds_call", f"Seat {case.seat} is bound to call {_UNLESS}", binds)


def _bet(case: Case) -> Iterator[Option]:
    kind, rule = case.policy("out_of_turn_bet"), case.rule("out_of_turn_bet")
    binds_rule = case.cite("out_of_turn_binds")
    if _changed(case):
        return
    if kind == "check_if_checked_before":
        check = Option("check_if_checked", f"Seat {case.seat}: a check if the player before it checks", rule)
        binds = (
            (Option("binds_bet", _bound_to_bet(case), binds_rule),)
            if binds_rule.startswith(f"{case.book.id}.")
            else ()
        )
        yield from (check, *binds) if _next_to_act(case) else (*binds, check)
    elif kind == "may_bind":
        yield Option("binds_bet", _bound_to_bet(case), rule)


def _next_to_act(case: Case) -> bool:
    """The turn is with the player directly before the seat."""
    hand, legal = case.hand, case.hand.legal()
    if legal is None or legal.seat not in hand.live_seats or case.seat not in hand.live_seats:
        return False
    around = [seat for seat in hand.seats if seat in hand.live_seats]
    return around[(around.index(legal.seat) + 1) % len(around)] == case.seat


@incident("skipped", 42, "A player was skipped", Group.ACTION, needs_seat=True)
def skipped(case: Case) -> Iterator[Option]:
    """Time called soon enough keeps the turn; later the right to act may be lost."""
    passed = case.passed_over(case.the_seat)
    behind = case.amount if case.amount is not None else case.behind
    shifted = () if passed is None else _keyed_one_seat_early(case, passed)
    if case.amount is None and passed is not None:
        behind += len(shifted) or case.acted_since(passed)
    most = case.policy("skipped_player_actions_behind") or 3
    legal = case.hand.legal()
    in_front = passed is None and legal is not None and legal.seat != case.seat
    steps = () if passed is None else (TakeBack(passed.seq),)
    text = f"Seat {case.seat} acts; what came behind it is taken back"
    back = Option("rolled_back", text, case.cite("skipped"), steps)
    if behind < most or in_front:
        yield back
        return
    rule = case.rule("skipped_player_actions_behind")
    acts = "" if passed is not None and not shifted else _loses(case, passed)
    text = f"{behind} acted behind seat {case.seat}: its right to act is lost{acts}"
    lost = Option("lost", text, rule, () if passed is not None and not shifted else _passes(case, passed, shifted))
    yield from (lost, back)


def _keyed_one_seat_early(case: Case, passed: Logged) -> tuple[Acted, ...]:
    """An action was keyed for a seat that has not acted: the keys from there on were the next players'."""
    act = passed.event
    keyed = isinstance(act, Acted) and act.source in (Source.KEY, Source.SCREEN)
    return (act, *case.acts_since(passed)) if isinstance(act, Acted) and keyed else ()


def _then(case: Case, passed: Logged | None) -> Hand:
    return case.as_of(case.table.hand_log[-1].seq if passed is None else passed.seq - 1)


def _without_its_right(case: Case, hand: Hand) -> Action:
    """Without the right to act a player checks, or folds to a bet."""
    high = max(hand.bets.values(), default=Chips(0))
    return Action.FOLD if high > hand.bets.get(case.the_seat, Chips(0)) else Action.CHECK


def _loses(case: Case, passed: Logged | None) -> str:
    return f", it {_without_its_right(case, _then(case, passed))}s"


def _passes(case: Case, passed: Logged | None, shifted: Sequence[Acted]) -> tuple[Step, ...]:
    """It passes; what was keyed for those behind it counts, and what was keyed a seat early is the next seat's."""
    hand = _then(case, passed)
    steps: list[Step] = [] if passed is None else [TakeBack(passed.seq)]
    passing = Act(case.the_seat, _without_its_right(case, hand), source=Source.DIRECTOR)
    acts: list[Act | Acted] = [passing, *case.keyed_behind, *shifted]
    for act in acts:
        legal = hand.legal()
        if legal is None:
            break
        command = act if isinstance(act, Act) else _by(legal.seat, act)
        if legal.seat != command.seat or isinstance(hand.push(command), Refusal):
            break
        steps.append(Push(command))
    return tuple(steps)


def _by(seat: Seat, act: Acted) -> Act:
    to = act.to if act.action in (Action.BET, Action.RAISE) else None
    return Act(seat, act.action, to, act.source)
