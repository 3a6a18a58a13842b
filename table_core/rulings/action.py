"""Errors of action: string bets, chips against words, bets that were misunderstood."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from table_core.hand.declarations import act_of, acting_seat
from table_core.messages import (
    Act,
    Action,
    Refusal,
    Source,
)
from table_core.parameters import SilentChips
from table_core.projections.words import acted, chips
from table_core.rulings.acts_again import (
    acts_again,
    before,
    change,
    here,
    instead,
    no_act,
    still_standing,
    too_late,
    turn_at,
)
from table_core.rulings.case import Case, Option, Push, Step, TakeBack
from table_core.rulings.register import Group, incident

_WAGERS = (Action.BET, Action.RAISE)


def _no_wager(case: Case) -> str:
    """As `no_act`; who folded put nothing in."""
    last = case.last_act(case.the_seat)
    folded = last is not None and last[1].action is Action.FOLD
    return f"seat {case.seat} has folded" if folded else no_act(case)


@incident("string_bet", 43, "String bet", Group.ACTION, needs_seat=True, unfit=_no_wager)
def string_bet(case: Case) -> Iterator[Option]:
    """Only the first motion counts; a call where that is no legal raise. A declared raise is made up."""
    if case.street_over or case.ran_out:
        yield too_late(case)
    if case.street_over:
        return
    rule, declared_rule = case.cite("string_bet"), case.cite("declared_raise")
    first = case.amount if case.amount is not None else case.first_motion
    facing = bool(before(case)[0])
    motions = case.policy("declared_raise_motions")
    words_alone = facing and case.own("declared_raise_motions") and motions == "amount_stated"
    if motions == "until_hands_rest":
        yield _all_motions(case, declared_rule)
    by_first = () if words_alone else (_first_motion(case, first, rule),)
    if first is not None or not facing:
        yield from by_first
    if motions == "one" and facing:
        yield _minimum(case, first, declared_rule)
    if facing and not (by_first and _first_raises(case, first)):
        text = f"Seat {case.seat}: a call only, {change(case, Action.CALL, None)}"
        yield Option("call", text, rule, instead(case, Action.CALL, None))
    if words_alone:
        yield _minimum(case, first or 0, case.cite("declaration"))
    if first is None and facing:
        yield from by_first


_FIRST = "How much came first? Amount, COUNT"


def _first_motion(case: Case, first: int | None, rule: str) -> Option:
    text = f"Seat {case.seat}: only the first motion counts"
    if first is None:
        return Option("first_motion", text, rule, asks=_FIRST)
    act = _by_first(case, first)
    return Option("first_motion", f"{text}, {change(case, *act)}", rule, instead(case, *act))


def _all_motions(case: Case, rule: str) -> Option:
    """What went in counts, as far as anybody knows it: counted chips, else what was keyed."""
    text = f"Raise was declared: all motions count for seat {case.seat}"
    last = case.last_act(case.the_seat)
    keyed = last[1].to if last is not None and last[1].action in _WAGERS else None
    total = case.put_in or keyed or case.amount
    if not total:
        return Option("all_motions", text, rule, asks="How much went in? Amount, COUNT")
    high, least, _ = before(case)
    action, to = Action.RAISE if high else Action.BET, max(total, least)
    return Option("all_motions", f"{text}, {change(case, action, to)}", rule, instead(case, action, to))


def _minimum(case: Case, first: int | None, rule: str) -> Option:
    text = f"Seat {case.seat} said raise: the first motion, made up to the minimum"
    if first is None:
        return Option("minimum", text, rule, asks=_FIRST)
    act = Action.RAISE, max(first, _usual_raise(case))
    return Option("minimum", f"{text}, {change(case, *act)}", rule, instead(case, *act))


def _usual_raise(case: Case) -> int:
    """The smallest raise before the seat's action; by usual practice where the book names none."""
    last = case.last_act(case.the_seat)
    hand = case.hand if last is None else case.as_of(last[0].seq - 1)
    high, least, _ = before(case)
    return high + hand.state.last_raise if hand.state.any_raise and turn_at(case, hand) is not None else least


def _first_raises(case: Case, first: int | None) -> bool:
    """What went in first is a raise by itself, and more came behind it: "call and raise" is one motion."""
    several = case.amount is not None or max(case.came_in, case.to_come) > 1
    return first is not None and several and _by_first(case, first)[0] is Action.RAISE


def _by_first(case: Case, first: int) -> tuple[Action, int | None]:
    """A raise where the first motion was one, else a call; without a bet to call at least the smallest bet."""
    high, least, _ = before(case)
    if not high:
        return Action.BET, max(first, least)
    return (Action.RAISE, first) if first >= least else (Action.CALL, None)


def _nothing_said(case: Case) -> str:
    """As `no_act`; without a camera nobody but the dealer sees the chips of the seat to act."""
    return "" if case.is_to_act(case.the_seat) else no_act(case)


@incident("declared", 44, "What did the player say?", Group.ACTION, needs_seat=True, unfit=_nothing_said)
def declared(case: Case) -> Iterator[Option]:
    """Words bind; silent chips alone ask for the declaration (home.suggest.2). A key is the player's word."""
    if case.street_over or case.ran_out:
        yield too_late(case)
    if case.street_over:
        return
    rule, amount = case.cite("declaration"), case.amount or case.put_in  # a said amount wins over chips
    high, least, own = before(case)
    last = case.last_act(case.the_seat)
    action = Action.RAISE if high else Action.BET
    wager = Option("raise", f"Seat {case.seat} said {action}", rule, asks="How much was said? Amount, COUNT")
    if amount:
        to = max(amount, least)
        text = f"Seat {case.seat} said {action}: {change(case, action, to)}"
        wager = Option("raise", text, rule, instead(case, action, to))
    passes = Action.CALL if high > own else Action.CHECK
    raises = bool(case.amount and case.amount > high)  # no more than the bet is the call of it
    raises = raises or (passes is Action.CHECK and (case.put_in or 0) > own)  # nobody checks with chips
    if raises:
        yield wager
    if last is not None and last[1].source in (Source.KEY, Source.SCREEN):
        yield Option("as_keyed", f"Seat {case.seat} said what was keyed: {acted(last[1])}", rule)
    text = f"Seat {case.seat} said {passes}: {change(case, passes, None)}"
    yield Option("call", text, rule, instead(case, passes, None))
    if not raises:
        yield wager
    yield from _said_nothing(case)
    yield from _raise_of_the_next(case)


def _raise_of_the_next(case: Case) -> Iterator[Option]:
    """The call behind a keyed raise was filled in from chips that lay there: the raise may be theirs, and the call
    of this seat was not keyed. What was keyed behind it counts."""
    last = case.last_act(case.the_seat)
    behind = [] if last is None else case.acts_since(last[0])
    if last is None or not behind or last[1].action not in _WAGERS:
        return
    raised, caller, hand = last[1], behind[0], case.as_of(last[0].seq - 1)
    if caller.action is not Action.CALL or caller.source is not Source.CAMERA or caller.to != raised.to:
        return
    legal = hand.legal()
    passes = Action.CHECK if legal is not None and legal.can_check else Action.CALL
    acts = [
        Act(case.the_seat, passes, source=Source.DIRECTOR),
        Act(caller.seat, raised.action, raised.to, Source.DIRECTOR),
    ]
    if any(isinstance(hand.push(act), Refusal) for act in acts):
        return
    acts += still_standing(hand, behind[1:])
    folds = case.the_seat in case.gone and hand.to_act == case.the_seat
    if folds:
        acts.append(Act(case.the_seat, Action.FOLD, source=Source.CAMERA))
    wager = f"{raised.action} to {chips(raised.to)}"
    text = f"The {wager} was seat {caller.seat}'s, behind a {passes} of seat {case.seat}"
    text += ", which has folded" if folds else ""
    steps: tuple[Step, ...] = (TakeBack(last[0].seq), *map(Push, acts))
    yield Option("next_raised", text, case.cite("declaration"), steps)


def _said_nothing(case: Case) -> Iterator[Option]:
    """Chips without a word are what the book makes of them; a book in which only words count asks for the word."""
    silent, lies = case.book.rules.silent_chips, case.put_in or case.amount
    last = case.last_act(case.the_seat)
    hand = case.hand if last is None else case.as_of(last[0].seq - 1)
    legal = hand.legal()
    if silent.value is SilentChips.CALL or legal is None or legal.seat != case.seat:
        return
    if not lies and last is None:
        text = f"Seat {case.seat} said nothing: its chips count"
        yield Option("silent", text, case.cite("declaration"), asks="How much lies there? Amount, COUNT")
    if not lies:
        return
    acting = acting_seat(hand)
    added = lies - acting.bet
    if added > 0:
        single = case.one_chip or added == 1
        act = act_of(acting, case.book, [added] if single else [added - 1, 1])
        rule = case.rule(_silent_rule(single=single, facing=acting.high > acting.bet))
        text = f"Seat {case.seat} said nothing, {chips(lies)} lie there: {change(case, act.action, act.to)}"
        yield Option("silent", text, rule, instead(case, act.action, act.to))


def _silent_rule(*, single: bool, facing: bool) -> str:
    if not single:
        return "silent_chips"
    return "single_chip_facing_bet" if facing else "single_chip_opens"


def _no_motion(case: Case) -> str:
    """Why no motion of the seat can be completed: it bets already, or its turn has not come."""
    last = case.last_act(case.the_seat)
    if last is not None:
        return f"seat {case.seat} has put its chips in" if last[1].action in _WAGERS else ""
    return "" if case.is_to_act(case.the_seat) else f"seat {case.seat} is not to act {here(case)}"


@incident("forward_motion", 45, "Forward motion with chips", Group.ACTION, needs_seat=True, unfit=_no_motion)
def forward_motion(case: Case) -> Iterator[Option]:
    """A motion that made another player act may have to be completed (rpl.betting.11); where the book does not say
    so, only chips that were released bind (wfp.nolimit.6)."""
    if case.street_over or case.ran_out:
        yield too_late(case)
    if case.street_over:
        return
    motion, released = case.cite("forward_motion"), case.cite("chips_released")
    if case.own("forward_motion"):
        yield _completed(case, "the action is completed", motion)
        yield Option("withdrawn", f"Seat {case.seat} may take it back: nobody acted on it", released)
        return
    yield Option("withdrawn", f"Seat {case.seat} may take it back: the chips were not released", released)
    yield _completed(case, "the chips were released", released)


def _completed(case: Case, why: str, rule: str) -> Option:
    text, amount = f"Seat {case.seat}: {why}", case.amount or case.put_in
    if not amount:
        return Option("completed", text, rule, asks="How much was it? Amount, COUNT")
    high, least, own = before(case)
    act: tuple[Action, int | None] = (Action.RAISE if high else Action.BET, max(amount, least))
    if high > own and amount <= high:
        act = Action.CALL, None
    return Option("completed", f"{text}, {change(case, *act)}", rule, instead(case, *act))


def _no_call(case: Case) -> str:
    """Why there is no call of the seat on this street that could be misread."""
    last = case.last_act(case.the_seat)
    called = last is not None and last[1].action is Action.CALL
    return "" if called else f"seat {case.seat} has not called {here(case)}"


@incident("misunderstood", 46, "The amount was misunderstood", Group.ACTION, needs_seat=True, unfit=_no_call)
def misunderstood(case: Case) -> Iterator[Option]:
    """Released from the call, unless so much was put in that no claim is left."""
    last = case.last_act(case.the_seat)
    if case.street_over or case.ran_out or last is None:
        yield too_late(case)
    if case.street_over or last is None:
        return
    logged, act = last
    share, put_in = case.policy("misunderstanding_share"), case.amount if case.amount is not None else case.put_in
    binds = Option("binds", f"Seat {case.seat} put in enough: the call binds", case.cite("misunderstood_share"))
    text = f"Seat {case.seat} misread the bet: its {acted(act)} goes back, it may fold{acts_again(case, logged)}"
    released = Option(
        "released", text, case.cite("misunderstood"), (TakeBack(logged.seq),), replaced=f"call {act.added:,}"
    )
    if share is None:
        yield from (binds, released)
    elif put_in is None:
        yield from (replace(one, asks="How much was put in? Amount, COUNT") for one in (binds, released))
    else:
        yield from (binds,) if put_in >= share * act.to else (released, binds)


def _no_chips(case: Case) -> str:
    """Why the seat has no chips of this street to take back."""
    last = case.last_act(case.the_seat)
    return "" if last is not None and last[1].added else f"seat {case.seat} has put no chips in {here(case)}"


@incident("unaware", 47, "Unaware of the raise", Group.ACTION, needs_seat=True, unfit=_no_chips)
def unaware(case: Case) -> Iterator[Option]:
    """Chips may be taken back while nobody has acted after them."""
    if not case.policy("unaware_of_raise_until_next_action"):
        return
    last, rule = case.last_act(case.the_seat), case.cite("unaware")
    if case.street_over or case.ran_out or last is None:
        yield too_late(case)
    if case.street_over or last is None:
        return
    logged, act = last
    if case.acted_since(logged):
        yield Option("too_late", f"Someone acted after seat {case.seat}: what it did stands", rule)
        return
    text = f"Seat {case.seat} takes its chips back and acts again: {acted(act)} goes back"
    yield Option("withdrawn", text, rule, (TakeBack(logged.seq),), replaced=f"{act.action} {act.added:,}")
