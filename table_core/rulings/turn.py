"""Errors of turn: time called from away, out of turn, skipped."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from table_core.hand.hand import Hand
from table_core.messages import (
    Act,
    Acted,
    Action,
    KillHand,
    Noticed,
    Refusal,
    Seat,
    SetDuties,
    Source,
)
from table_core.projections.table_state import Logged
from table_core.projections.words import acted
from table_core.record.course import on_this_street
from table_core.rulings.acts_again import acts_again, change, instead
from table_core.rulings.case import Case, Option, Push, Record, Step, TakeBack
from table_core.rulings.held_to import behind_a_check, held_to, passed_over_one
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
    """What an act costs at the player's own turn. Where nobody has said what it was, a person says it with the
    option. Where the book is silent it costs nothing unless somebody rules so."""
    late = _on_the_books(case)
    if late is not None:
        yield from _late(case, late)
        return
    did = _what_it_did(case)
    found: dict[str, Option] = {}
    for action in did:
        for option in _COSTS[action](case):
            both = found.get(option.key)  # the same for a call and for a check
            text = option.text if both is None else both.text.replace(" called:", " called or checked:")
            option = replace(both or option, text=text, drawn=len(did) > len(_SAID_BY_ONE_KEY))
            found[option.key] = option
    options, silent = [*found.values()], all(_is_silent(case, action) for action in did)
    text = f"Seat {case.seat} acts in turn as if nothing had happened"
    free = (Push(SetDuties(case.the_seat)),) if case.the_seat in case.hand.duties else ()
    warning = Option("warning", text, case.cite("out_of_turn_binds"), free)
    yield from (warning, *options) if silent else (*options, warning)


def _is_silent(case: Case, action: Action) -> bool:
    """Whether the book leaves open what the act binds to."""
    policy = "out_of_turn_bet" if action in (Action.BET, Action.RAISE) else f"out_of_turn_{action}"
    return action is not Action.FOLD and (not case.own(policy) or case.policy(policy) == "conduct")


def _what_it_did(case: Case) -> tuple[Action, ...]:
    """What the seat may have done, the likeliest first: what was keyed, else what its chips show. Facing a bet one
    key stands for a call and for a check."""
    hand, seat = case.hand, case.the_seat
    facing, early, put_in = hand.to_call(seat), case.early, case.amount or case.put_in or 0
    wager = Action.RAISE if hand.high else Action.BET
    if early is not None:
        return _SAID_BY_ONE_KEY if early.action is Action.CALL else (early.action,)
    if put_in > hand.high:
        return (wager,)
    if facing and put_in == hand.high:
        return (Action.CALL,)
    return (*(_SAID_BY_ONE_KEY if facing else (Action.CHECK,)), wager, Action.FOLD)


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
    early = case.early
    since = () if early is None else (one for one in on_this_street(case.table.hand_log) if one.seq > early.seq)
    return any(one.in_turn and one.action in _CHIPS for one in since)


def _folded(case: Case) -> Iterator[Option]:
    """A fold is one in turn or out of it, in some books only where there was something to call; else it may be
    ruled binding like any other act, and a hand that was thrown forward is dead once another player acts on it."""
    seat, early = case.the_seat, case.early
    if case.table.hand is None or seat not in case.hand.live_seats:
        return
    then = case.hand if early is None else case.as_of(early.seq)
    faced = then.to_call(seat)
    always = case.policy("fold_without_a_bet_kills")
    if not (faced or always) and _changed(case):
        rule = case.cite("forward_discard")
        text = f"Seat {seat} threw its hand away, and another player acted: it is dead"
        yield Option("thrown", text, rule, (Push(KillHand(seat, "thrown forward out of turn", rule)),))
        return
    rule = case.cite("folded" if faced or always else "out_of_turn_binds")
    text = f"Seat {seat} has folded: its hand is dead"
    yield Option("dead", text, rule, (Push(KillHand(seat, "folded out of turn", rule)),))


def _holds(case: Case, key: str, text: str, rule: str, to: int | None = None) -> Option:
    """An option that holds the seat to something at its turn."""
    owed = held_to(key, rule, case.table, case.the_seat, to)
    return Option(key, f"Seat {case.seat} {text}", rule, (Push(SetDuties(case.the_seat, owed)),))


def _checked(case: Case) -> Iterator[Option]:
    kind, rule = case.policy("out_of_turn_check"), case.rule("out_of_turn_check")
    facing = case.to_call(case.the_seat) is Action.CALL
    if kind == "must_call":
        yield _holds(case, "must_call", "checked: it may only call then", rule)
    elif kind is not None:
        yield _holds(case, "no_raise", "checked: no bet or raise at its turn", rule)
    if not facing and not _changed(case):
        yield _holds(case, "binds_check", f"checked: bound to it {_UNLESS}", case.cite("out_of_turn_binds"))


def _called(case: Case) -> Iterator[Option]:
    kind, rule = case.policy("out_of_turn_call"), case.rule("out_of_turn_call")
    if kind == "never_a_raise":
        yield _holds(case, "no_raise", "called: never a raise at its turn", rule)
    if not _changed(case):
        yield _holds(case, "binds_call", f"called: bound to it {_UNLESS}", case.cite("out_of_turn_binds"))


def _bet(case: Case) -> Iterator[Option]:
    kind, rule = case.policy("out_of_turn_bet"), case.rule("out_of_turn_bet")
    binds_rule = case.cite("out_of_turn_binds")
    if _changed(case):
        return
    if kind == "check_if_checked_before":
        check = _holds(case, "check_if_checked", "bet: a check if the player before it checks", rule)
        binds = (_bound_to_bet(case, binds_rule),) if case.own("out_of_turn_binds") else ()
        if case.is_to_act(case.the_seat) and not behind_a_check(case.table, case.the_seat):
            yield from binds
        else:
            yield from (check, *binds) if passed_over_one(case.table, case.the_seat) else (*binds, check)
    elif kind == "may_bind":
        yield _bound_to_bet(case, rule)
    elif kind == "conduct":
        option = _bound_to_bet(case, case.cite("fairness"))
        yield replace(option, text=f"{option.text}: your book does not say whether it binds")


def _bound_to_bet(case: Case, rule: str) -> Option:
    amount = case.amount or (None if case.early is None else case.early.to)
    did = "raised" if case.hand.high else "bet"
    if amount:
        did += f"{' to' if case.hand.high else ''} {amount:,}"
    option = _holds(case, "binds_bet", f"{did}: bound to it {_UNLESS}", rule, amount)
    return option if amount else replace(option, steps=(), asks="How much was it? Amount, COUNT")


_SAID_BY_ONE_KEY = (Action.CALL, Action.CHECK)
_COSTS = {
    Action.CHECK: _checked,
    Action.CALL: _called,
    Action.BET: _bet,
    Action.RAISE: _bet,
    Action.FOLD: _folded,
}


@incident("skipped", 42, "A player was skipped", Group.ACTION, needs_seat=True)
def skipped(case: Case) -> Iterator[Option]:
    """Time called soon enough keeps the turn; later the right to act may be lost."""
    passed = case.passed_over(case.the_seat)
    behind = case.amount if case.amount is not None else len(case.early_behind)
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
    return Action.FOLD if hand.to_call(case.the_seat) else Action.CHECK


def _loses(case: Case, passed: Logged | None) -> str:
    return f", it {_without_its_right(case, _then(case, passed))}s"


def _passes(case: Case, passed: Logged | None, shifted: Sequence[Acted]) -> tuple[Step, ...]:
    """It passes; what was keyed for those behind it counts, and what was keyed a seat early is the next seat's."""
    hand = _then(case, passed)
    steps: list[Step] = [] if passed is None else [TakeBack(passed.seq)]
    passing = Act(case.the_seat, _without_its_right(case, hand), source=Source.DIRECTOR)
    early = [Act(one.seat, one.action, one.to, one.source) for one in case.early_behind]
    acts: list[Act | Acted] = [passing, *early, *shifted]
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
