"""Errors of action: out of turn, skipped, string bets, chips against words, the called clock."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from table_core.hand.declarations import act_of, acting_seat
from table_core.hand.hand import Hand
from table_core.messages import (
    Act,
    Acted,
    Action,
    AnyHandCommand,
    Chips,
    KillHand,
    Noticed,
    Refusal,
    Source,
    Street,
)
from table_core.parameters import SilentChips
from table_core.projections.table_state import Logged
from table_core.projections.words import acted, chips
from table_core.rulings.case import Case, Option, Push, Record, Step, TakeBack
from table_core.rulings.register import Group, incident

_WAGERS = (Action.BET, Action.RAISE)


@incident("out_of_turn", 41, "Acted out of turn", Group.ACTION, needs_seat=True)
def out_of_turn(case: Case) -> Iterator[Option]:
    """What it costs at the player's own turn; `pressed` is what was keyed for the seat before its turn. Where the
    book is silent it costs nothing unless somebody rules so."""
    did = case.pressed or case.cause or "check"
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
    if not silent:
        yield warning
    if did in ("bet", "raise") and case.policy("out_of_turn_bet") == "conduct":
        left_open = f"{_bound_to_bet(case)}: your book does not say whether it binds"
        yield Option("binds_bet", left_open, case.cite("fairness"))


def _checked(case: Case) -> Iterator[Option]:
    kind, rule = case.policy("out_of_turn_check"), case.rule("out_of_turn_check")
    if kind == "must_call":
        yield Option("must_call", f"Seat {case.seat} checked: it may only call then", rule)
    elif kind is not None:
        yield Option("no_raise", f"Seat {case.seat} checked: no bet or raise at its turn", rule)


def _bound_to_bet(case: Case) -> str:
    amount = f" {case.pressed_amount:,}" if case.pressed_amount else ""
    return f"Seat {case.seat} is bound to bet{amount} unless someone bets"


def _called(case: Case) -> Iterator[Option]:
    kind, rule = case.policy("out_of_turn_call"), case.rule("out_of_turn_call")
    never = Option("no_raise", f"Seat {case.seat} called: never a raise at its turn", rule)
    binds = Option(
        "binds_call", f"Seat {case.seat} is bound to call unless someone bets", case.cite("out_of_turn_binds")
    )
    yield from (never, binds) if kind == "never_a_raise" else (binds,)


def _bet(case: Case) -> Iterator[Option]:
    kind, rule = case.policy("out_of_turn_bet"), case.rule("out_of_turn_bet")
    binds_rule = case.cite("out_of_turn_binds")
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
    if case.amount is None and passed is not None:
        behind += case.acted_since(passed)
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
    acts = "" if passed is not None else _loses(case)
    text = f"{behind} acted behind seat {case.seat}: its right to act is lost{acts}"
    lost = Option("lost", text, rule, () if passed is not None else _passes(case))
    yield from (lost, back)


def _loses(case: Case) -> str:
    return ", it folds" if case.to_call(case.the_seat) is Action.CALL else ", it checks"


def _passes(case: Case) -> tuple[Step, ...]:
    """Without the right to act a player checks, or folds to a bet; what was keyed for those behind it counts."""
    action = Action.FOLD if case.to_call(case.the_seat) is Action.CALL else Action.CHECK
    hand = case.as_of(case.table.hand_log[-1].seq)
    steps = []
    for act in (Act(case.the_seat, action, source=Source.DIRECTOR), *case.keyed_behind):
        legal = hand.legal()
        if legal is None or legal.seat != act.seat or isinstance(hand.push(act), Refusal):
            break
        steps.append(Push(act))
    return tuple(steps)


def _no_act(case: Case) -> str:
    """Why there is no action of the seat to rule on: it has not acted on this street, nor put chips in."""
    if case.last_act(case.the_seat) is not None:
        return ""
    chips_lie = case.to_come or (case.put_in or 0) > case.hand.bets.get(case.the_seat, Chips(0))
    return "" if case.is_to_act(case.the_seat) and chips_lie else f"seat {case.seat} has not acted {_here(case)}"


def _no_wager(case: Case) -> str:
    """As `_no_act`; who folded put nothing in."""
    last = case.last_act(case.the_seat)
    folded = last is not None and last[1].action is Action.FOLD
    return f"seat {case.seat} has folded" if folded else _no_act(case)


def _here(case: Case) -> str:
    return "before the flop" if case.hand.street is Street.PREFLOP else f"on the {case.hand.street}"


def _too_late(case: Case) -> Option:
    """Streets that are over stand; what ran out behind an all-in a person may take back with it."""
    return Option("stands", f"The next street is out: what seat {case.seat} did stands", case.cite("in_time"))


@incident("string_bet", 43, "String bet", Group.ACTION, needs_seat=True, unfit=_no_wager)
def string_bet(case: Case) -> Iterator[Option]:
    """Only the first motion counts; a call where that is no legal raise. A declared raise is made up."""
    if case.street_over or case.ran_out:
        yield _too_late(case)
    if case.street_over:
        return
    rule, declared_rule = case.cite("string_bet"), case.cite("declared_raise")
    first = case.amount if case.amount is not None else case.first_motion
    facing = bool(_before(case)[0])
    motions = case.policy("declared_raise_motions")
    call_only = facing and case.own("declared_raise_motions") and motions == "amount_stated"
    seat, how_much = f"Seat {case.seat}", "How much came first? Amount, COUNT"
    if motions == "until_hands_rest":
        yield _all_motions(case, declared_rule)
    by_first = Option("first_motion", f"{seat}: only the first motion counts", rule, asks=how_much)
    if first is not None:
        act = _by_first(case, first)
        by_first = Option("first_motion", f"{seat}: only the first motion counts, {change(case, *act)}", rule)
        by_first = replace(by_first, steps=instead(case, *act))
    if not call_only and (first is not None or not facing):
        yield by_first
    if motions in ("one_or_amount_stated", "one") and facing:
        yield _minimum(case, first, declared_rule, how_much)
    if facing:
        text = f"{seat}: a call only, {change(case, Action.CALL, None)}"
        yield Option("call", text, rule, instead(case, Action.CALL, None))
    if not call_only and first is None and facing:
        yield by_first


def _all_motions(case: Case, rule: str) -> Option:
    """What went in counts, as far as anybody knows it: counted chips, else what was keyed."""
    text = f"Raise was declared: all motions count for seat {case.seat}"
    last = case.last_act(case.the_seat)
    keyed = last[1].to if last is not None and last[1].action in _WAGERS else None
    total = case.put_in or keyed or case.amount
    if not total:
        return Option("all_motions", text, rule, asks="How much went in? Amount, COUNT")
    high, least, _ = _before(case)
    action, to = Action.RAISE if high else Action.BET, max(total, least)
    return Option("all_motions", f"{text}, {change(case, action, to)}", rule, instead(case, action, to))


def _minimum(case: Case, first: int | None, rule: str, asks: str) -> Option:
    text = f"Seat {case.seat} said raise: the first motion, made up to the minimum"
    if first is None:
        return Option("minimum", text, rule, asks=asks)
    act = Action.RAISE, max(first, _usual_raise(case))
    return Option("minimum", f"{text}, {change(case, *act)}", rule, instead(case, *act))


def _turn(case: Case, hand: Hand | None = None) -> tuple[int, int, int] | None:
    """(bet to match, smallest raise, in front of the seat) when the seat acts in `hand`, or now; else None."""
    seat, hand = case.the_seat, hand or case.hand
    legal = hand.legal()
    if legal is not None and legal.seat == seat:
        high = max(hand.bets.values(), default=Chips(0))
        return high, legal.min_to or high, hand.bets[seat]
    return None


def _before(case: Case) -> tuple[int, int, int]:
    """As `_turn`, as it was before the action of the seat that the incident is about."""
    last = case.last_act(case.the_seat)
    now = _turn(case) if last is None else _turn(case, case.as_of(last[0].seq - 1))
    if now is not None:
        return now
    high = max(case.hand.bets.values(), default=Chips(0))  # it has acted out of turn, or not at all
    return high, high + max(case.hand.level.big_blind, high), 0


def _usual_raise(case: Case) -> int:
    """The smallest raise before the seat's action; by usual practice where the book names none."""
    last = case.last_act(case.the_seat)
    hand = case.hand if last is None else case.as_of(last[0].seq - 1)
    high, least, _ = _before(case)
    return high + hand.state.last_raise if hand.state.any_raise and _turn(case, hand) is not None else least


def _by_first(case: Case, first: int) -> tuple[Action, int | None]:
    """A raise where the first motion was one, else a call; without a bet to call at least the smallest bet."""
    high, least, _ = _before(case)
    if not high:
        return Action.BET, max(first, least)
    return (Action.RAISE, first) if first >= least else (Action.CALL, None)


def instead(case: Case, action: Action, to: int | None) -> tuple[Step, ...]:
    """Take the seat's action back (unless it is still to act) and make this one instead; no steps where the
    seat did just that."""
    last = case.last_act(case.the_seat)
    if last is not None and last[1].action is action and to in (None, last[1].to):
        return ()
    act = Act(case.the_seat, action, None if to is None else Chips(to), Source.DIRECTOR)
    return (Push(act),) if last is None else in_its_place(case, last[0], act)


def in_its_place(case: Case, logged: Logged, *commands: AnyHandCommand) -> tuple[Step, ...]:
    """Take an action back and give these commands instead; actions behind it that mean the same stay."""
    hand = case.as_of(logged.seq - 1)
    if any(isinstance(hand.push(command), Refusal) for command in commands):
        return (TakeBack(logged.seq), *map(Push, commands))  # and the offer is refused for the same reason
    return (TakeBack(logged.seq), *map(Push, commands), *map(Push, _stand(hand, case.acts_since(logged))))


def _stand(hand: Hand, acts: Sequence[Acted]) -> list[Act]:
    """The first of `acts` that mean the same in `hand`: cards thrown away are away, who called or checked did so
    for no more than it was. A bet or raise, and what came behind it, is made anew."""
    stand: list[Act] = []
    for one in acts:
        legal = hand.legal()
        if legal is None or legal.seat != one.seat or one.action in _WAGERS:
            break
        if one.action is not Action.FOLD and not _as_cheap(one, hand):
            break
        act = Act(one.seat, one.action, source=one.source)
        if isinstance(hand.push(act), Refusal):
            break
        stand.append(act)
    return stand


def _as_cheap(one: Acted, hand: Hand) -> bool:
    """A check where there is nothing to call; a call where what there is to call is not more than it was."""
    high = max(hand.bets.values(), default=Chips(0))
    owes = high > hand.bets[one.seat]
    return (
        high <= (one.to or high) if one.action is Action.CALL and owes else one.action is Action.CHECK and not owes
    )


def change(case: Case, action: Action, to: int | None) -> str:
    """What changes, in words: `raise to 400 → call 100; seat 2 acts again`."""
    high, _, own = _before(case)
    added = min(high - own, _behind(case))
    new = {
        Action.CALL: f"call {chips(added)}",
        Action.BET: f"bet {chips(to or 0)}",
        Action.RAISE: f"raise to {chips(to or 0)}",
    }.get(action, str(action))
    last = case.last_act(case.the_seat)
    if last is None:
        return new
    steps = instead(case, action, to)
    if not steps:
        return f"{acted(last[1])} stands"
    return f"{acted(last[1])} → {new}{acts_again(case, last[0], steps)}"


def _behind(case: Case) -> int:
    """Chips that the seat could still put in, its action that the incident is about taken back."""
    last = case.last_act(case.the_seat)
    stack = int(case.hand.stacks[case.the_seat])
    return stack if last is None else stack + int(last[1].added)


def acts_again(case: Case, logged: Logged, steps: Sequence[Step] = ()) -> str:
    """Who must act again because an action before theirs is taken back and theirs cannot stand behind `steps`."""
    stand = [step.command for step in steps[2:] if isinstance(step, Push)]
    seats = sorted({act.seat for act in case.acts_since(logged)[len(stand) :]})
    if not seats:
        return ""
    return f"; seats {', '.join(map(str, seats))} act again" if len(seats) > 1 else f"; seat {seats[0]} acts again"


@incident("declared", 44, "What did the player say?", Group.ACTION, needs_seat=True, unfit=_no_act)
def declared(case: Case) -> Iterator[Option]:
    """Words bind; silent chips alone ask for the declaration (home.suggest.2). A key is the player's word."""
    if case.street_over or case.ran_out:
        yield _too_late(case)
    if case.street_over:
        return
    rule, amount = case.cite("declaration"), case.amount or case.put_in  # a said amount wins over chips
    high, least, own = _before(case)
    last = case.last_act(case.the_seat)
    action = Action.RAISE if high else Action.BET
    wager = Option("raise", f"Seat {case.seat} said {action}", rule, asks="How much was said? Amount, COUNT")
    if amount:
        to = max(amount, least)
        text = f"Seat {case.seat} said {action}: {change(case, action, to)}"
        wager = Option("raise", text, rule, instead(case, action, to))
    if case.amount:
        yield wager
    if last is not None and last[1].source in (Source.KEY, Source.SCREEN):
        yield Option("as_keyed", f"Seat {case.seat} said what was keyed: {acted(last[1])}", rule)
    passes = Action.CALL if high > own else Action.CHECK
    text = f"Seat {case.seat} said {passes}: {change(case, passes, None)}"
    yield Option("call", text, rule, instead(case, passes, None))
    if not case.amount:
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
    acts += _stand(hand, behind[1:])
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
    if silent.value is SilentChips.CALL or not lies or legal is None or legal.seat != case.seat:
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
    return "" if case.is_to_act(case.the_seat) else f"seat {case.seat} is not to act {_here(case)}"


@incident("forward_motion", 45, "Forward motion with chips", Group.ACTION, needs_seat=True, unfit=_no_motion)
def forward_motion(case: Case) -> Iterator[Option]:
    """A motion that made another player act may have to be completed (rpl.betting.11)."""
    if case.street_over or case.ran_out:
        yield _too_late(case)
    if case.street_over:
        return
    rule, amount = case.cite("forward_motion"), case.amount or case.put_in
    text = f"Seat {case.seat}: the action is completed"
    if not amount:
        yield Option("completed", text, rule, asks="How much was it? Amount, COUNT")
    else:
        high, least, own = _before(case)
        act: tuple[Action, int | None] = (Action.RAISE if high else Action.BET, max(amount, least))
        if high > own and amount <= high:
            act = Action.CALL, None
        yield Option("completed", f"{text}, {change(case, *act)}", rule, instead(case, *act))
    yield Option("withdrawn", f"Seat {case.seat} may take it back: nobody acted on it", rule)


def _no_call(case: Case) -> str:
    """Why there is no call of the seat on this street that could be misread."""
    last = case.last_act(case.the_seat)
    called = last is not None and last[1].action is Action.CALL
    return "" if called else f"seat {case.seat} has not called {_here(case)}"


@incident("misunderstood", 46, "The amount was misunderstood", Group.ACTION, needs_seat=True, unfit=_no_call)
def misunderstood(case: Case) -> Iterator[Option]:
    """Released from the call, unless so much was put in that no claim is left."""
    last = case.last_act(case.the_seat)
    if case.street_over or case.ran_out or last is None:
        yield _too_late(case)
    if case.street_over or last is None:
        return
    logged, act = last
    share, put_in = case.policy("misunderstanding_share"), case.amount if case.amount is not None else case.put_in
    binds = Option("binds", f"Seat {case.seat} put in enough: the call binds", case.cite("misunderstood_share"))
    if share is not None and put_in is not None and put_in >= share * act.to:
        yield binds
        return
    if share is not None and put_in is None:
        yield replace(binds, asks="How much was put in? Amount, COUNT")
    text = f"Seat {case.seat} misread the bet: its {acted(act)} goes back, it may fold{acts_again(case, logged)}"
    yield Option(
        "released", text, case.cite("misunderstood"), (TakeBack(logged.seq),), replaced=f"call {act.added:,}"
    )
    if share is None or put_in is not None:
        yield binds


def _no_chips(case: Case) -> str:
    """Why the seat has no chips of this street to take back."""
    last = case.last_act(case.the_seat)
    return "" if last is not None and last[1].added else f"seat {case.seat} has not acted {_here(case)} with chips"


@incident("unaware", 47, "Unaware of the raise", Group.ACTION, needs_seat=True, unfit=_no_chips)
def unaware(case: Case) -> Iterator[Option]:
    """Chips may be taken back while nobody has acted after them."""
    if not case.policy("unaware_of_raise_until_next_action"):
        return
    last, rule = case.last_act(case.the_seat), case.cite("unaware")
    if case.street_over or case.ran_out or last is None:
        yield _too_late(case)
    if case.street_over or last is None:
        return
    logged, act = last
    if case.acted_since(logged):
        yield Option("too_late", f"Someone acted after seat {case.seat}: what it did stands", rule)
        return
    text = f"Seat {case.seat} takes its chips back and acts again: {acted(act)} goes back"
    yield Option("withdrawn", text, rule, (TakeBack(logged.seq),), replaced=f"{act.action} {act.added:,}")


@incident("clock", 48, "The clock on a player", Group.ACTION, needs_seat=True)
def clock(case: Case) -> Iterator[Option]:
    """Where the dealer starts it on direction only, the floor says yes first (rpl.nolimit.14a)."""
    seconds = case.policy("clock_seconds")
    rule = case.rule("clock_called_by")
    yield Option("start", f"Seat {case.seat} has {seconds} seconds", rule)
    yield Option("refused", "No clock", rule)


@incident("clock_expired", 49, "Time is up", Group.ACTION, needs_seat=True)
def clock_expired(case: Case) -> Iterator[Option]:
    """Facing a bet the hand is dead. Without one no book says what it is: usual practice is a check. A book with a
    sentence that kills the hand all the same leaves it to a person (`disputed`)."""
    rule, kills = case.cite("clock_expired"), case.policy("clock_expiry_kills")
    facing = case.to_call(case.the_seat) is Action.CALL
    if not facing and kills != "always":
        check = Push(Act(case.the_seat, Action.CHECK, source=Source.DIRECTOR))
        text = f"Time is up for seat {case.seat}, which faces no bet: not dead; usual practice: a check"
        yield Option("check", text, rule, (check,))
    if facing or kills in ("always", "disputed"):
        rule = rule if facing else case.rule("clock_expiry_kills")
        dead = Push(KillHand(case.the_seat, "time is up", rule))
        yield Option("dead", f"Time is up for seat {case.seat}: dead hand", rule, (dead,))
    yield Option("in_time", f"Seat {case.seat} acted in time", case.cite("clock_expired"))


@incident("away_time", 40, "Time called from away", Group.ACTION, needs_seat=True)
def away_time(case: Case) -> Iterator[Option]:
    """Only a player at the table stops the action."""
    rule = case.cite("away_time")
    notice = Record(Noticed("time_refused", "Time counts only at the table", case.seat, rule))
    yield Option("refused", f"Seat {case.seat} is away: the action goes on", rule, (notice,))
