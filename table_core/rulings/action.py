"""Errors of action: out of turn, skipped, string bets, chips against words, the called clock."""

from __future__ import annotations

from collections.abc import Iterator

from table_core.hand.hand import Hand
from table_core.messages import Act, Action, Chips, KillHand, Noticed, Source
from table_core.rulings.case import Case, Push, Record, Step, TakeBack, Way
from table_core.rulings.register import Group, matter


@matter("out_of_turn", 41, "Acted out of turn", Group.ACTION, needs_seat=True)
def out_of_turn(case: Case) -> Iterator[Way]:
    """What it costs at the player's own turn; `pressed` is what was keyed for the seat before its turn."""
    did = case.pressed or case.cause or "check"
    seat = case.seat
    if did == "check":
        kind, rule = case.policy("out_of_turn_check"), case.rule("out_of_turn_check")
        if kind == "must_call":
            yield Way("must_call", f"Seat {seat} checked: it may only call then", rule)
        elif kind is not None:
            yield Way("no_raise", f"Seat {seat} checked: no bet or raise at its turn", rule)
    elif did == "call":
        yield from _called(case)
    elif did in ("bet", "raise"):
        yield from _bet(case)
    yield Way("warning", f"Seat {seat} acts in turn as if nothing had happened", case.cite("out_of_turn_binds"))


def _called(case: Case) -> Iterator[Way]:
    kind, rule = case.policy("out_of_turn_call"), case.rule("out_of_turn_call")
    never = Way("no_raise", f"Seat {case.seat} called: never a raise at its turn", rule)
    binds = Way(
        "binds_call", f"Seat {case.seat} is bound to call unless someone bets", case.cite("out_of_turn_binds")
    )
    yield from (never, binds) if kind == "never_a_raise" else (binds,)


def _bet(case: Case) -> Iterator[Way]:
    kind, rule = case.policy("out_of_turn_bet"), case.rule("out_of_turn_bet")
    amount = f" {case.pressed_amount:,}" if case.pressed_amount else ""
    if kind == "check_if_checked_before":
        yield Way("check_if_checked", f"Seat {case.seat}: a check if the player before it checks", rule)
    elif kind == "may_bind":
        yield Way("binds_bet", f"Seat {case.seat} is bound to bet{amount} unless someone bets", rule)


@matter("skipped", 42, "A player was skipped", Group.ACTION, needs_seat=True)
def skipped(case: Case) -> Iterator[Way]:
    """Time called soon enough keeps the turn; later the right to act may be lost."""
    behind = case.amount if case.amount is not None else case.behind
    most = case.policy("skipped_player_actions_behind") or 3
    legal = case.hand.legal()
    in_front = legal is not None and legal.seat != case.seat
    back = Way("rolled_back", f"Seat {case.seat} acts; what came behind it is taken back", case.cite("skipped"))
    if behind < most or in_front:
        yield back
        return
    rule = case.rule("skipped_player_actions_behind")
    lost = Way("lost", f"{behind} acted behind seat {case.seat}: its right to act is lost", rule, (_passes(case),))
    yield from (lost, back)


def _passes(case: Case) -> Push:
    """Without the right to act a player checks, or folds to a bet."""
    action = Action.FOLD if case.to_call(case.the_seat) is Action.CALL else Action.CHECK
    return Push(Act(case.the_seat, action, source=Source.DIRECTOR))


@matter("string_bet", 43, "String bet", Group.ACTION, needs_seat=True)
def string_bet(case: Case) -> Iterator[Way]:
    """Only the first motion counts; a call where that is no legal raise. A declared raise is made up."""
    rule = case.cite("string_bet")
    first = case.amount if case.amount is not None else case.first_motion
    call_only = case.own("declared_raise_motions") and case.policy("declared_raise_motions") == "amount_stated"
    if case.policy("declared_raise_motions") == "until_hands_rest":
        total = case.put_in or (case.last_act(case.the_seat) or (None, None))[1]
        if total:
            words = f"Raise was declared: all motions count for seat {case.seat}"
            yield Way("all_motions", words, case.cite("declared_raise"), _instead(case, Action.RAISE, case.put_in))
    if first is not None and not call_only:
        yield Way(
            "first_motion", f"Seat {case.seat}: the first motion stands, {first:,}", rule, _first(case, first)
        )
    if case.policy("declared_raise_motions") in ("one_or_amount_stated", "one"):
        words = f"Seat {case.seat} said raise: the first motion, made up to the minimum"
        yield Way("minimum", words, case.cite("declared_raise"), _at_least_minimum(case, first))
    yield Way("call", f"Seat {case.seat}: a call only", rule, _instead(case, case.to_call(case.the_seat), None))


def _turn(case: Case, hand: Hand | None = None) -> tuple[int, int, int] | None:
    """(bet to match, smallest raise, in front of the seat) when the seat acts in `hand`, or now; else None."""
    seat, hand = case.the_seat, hand or case.hand
    legal = hand.legal()
    if legal is not None and legal.seat == seat:
        high = max(hand.bets.values(), default=Chips(0))
        return high, legal.min_to or high, hand.bets[seat]
    return None


def _before(case: Case) -> tuple[int, int, int]:
    """As `_turn`, as it was before the seat's last action."""
    now, last = _turn(case), case.last_act(case.the_seat)
    if now is None and last is not None:
        now = _turn(case, case.as_of(last[0].seq - 1))
    if now is not None:
        return now
    high = max(case.hand.bets.values(), default=Chips(0))  # it has acted out of turn, or not at all
    return high, high + max(case.hand.level.big_blind, high), 0


def _first(case: Case, first: int) -> tuple[Step, ...]:
    high, least, _ = _before(case)
    if not high or first >= least:
        return _instead(case, Action.RAISE if high else Action.BET, first)
    return _instead(case, case.to_call(case.the_seat) if _turn(case) else Action.CALL, None)


def _at_least_minimum(case: Case, first: int | None) -> tuple[Step, ...]:
    high, least, _ = _before(case)
    return _instead(case, Action.RAISE if high else Action.BET, max(first or 0, least))


def _instead(case: Case, action: Action, to: int | None) -> tuple[Step, ...]:
    """The seat's last action is taken back (unless it is still to act) and this one made."""
    chips = None if to is None else Chips(to)
    act = Push(Act(case.the_seat, action, chips, Source.DIRECTOR))
    if _turn(case) is not None:
        return (act,)
    last = case.last_act(case.the_seat)
    if last is None:
        return ()
    if action is Action.CHECK and last[1].action in (Action.RAISE, Action.CALL):
        act = Push(Act(case.the_seat, Action.CALL, None, Source.DIRECTOR))
    return (TakeBack(last[0].seq), act)


@matter("declared", 44, "What did the player say?", Group.ACTION, needs_seat=True)
def declared(case: Case) -> Iterator[Way]:
    """Words bind; silent chips alone ask for the declaration (home.suggest.2)."""
    rule, put_in = case.cite("declaration"), case.put_in or case.amount
    yield Way("call", f"Seat {case.seat} said call", rule, _instead(case, case.to_call(case.the_seat), None))
    if put_in:
        high = _before(case)[0]
        action = Action.RAISE if high else Action.BET
        yield Way("raise", f"Seat {case.seat} said {action}, {put_in:,}", rule, _instead(case, action, put_in))


@matter("forward_motion", 45, "Forward motion with chips", Group.ACTION, needs_seat=True)
def forward_motion(case: Case) -> Iterator[Way]:
    """A motion that made another player act may have to be completed (rpl.betting.11)."""
    amount = case.amount or case.put_in
    action = case.to_call(case.the_seat)
    if amount and amount > max(case.hand.bets.values(), default=Chips(0)):
        action = Action.RAISE if max(case.hand.bets.values(), default=Chips(0)) else Action.BET
    raising = action in (Action.RAISE, Action.BET)
    steps = _instead(case, action, amount if raising else None)
    rule = case.cite("forward_motion")
    yield Way("completed", f"Seat {case.seat}: the action is completed", rule, steps)
    yield Way("withdrawn", f"Seat {case.seat} may take it back: nobody acted on it", rule)


@matter("misunderstood", 46, "The amount was misunderstood", Group.ACTION, needs_seat=True)
def misunderstood(case: Case) -> Iterator[Way]:
    """Released from the call, unless so much was put in that no claim is left."""
    last = case.last_act(case.the_seat)
    if last is None:
        return
    logged, act = last
    share, put_in = case.policy("misunderstanding_share"), case.amount if case.amount is not None else act.added
    binds = Way("binds", f"Seat {case.seat} put in enough: the call binds", case.cite("misunderstood_share"))
    if share is not None and put_in >= share * act.to:
        yield binds
        return
    text = f"Seat {case.seat} misread the bet: the call goes back, it may fold"
    yield Way(
        "released", text, case.cite("misunderstood"), (TakeBack(logged.seq),), replaced=f"call {act.added:,}"
    )
    yield binds


@matter("unaware", 47, "Unaware of the raise", Group.ACTION, needs_seat=True)
def unaware(case: Case) -> Iterator[Way]:
    """Chips may be taken back while nobody has acted after them."""
    last = case.last_act(case.the_seat)
    if last is None or not case.policy("unaware_of_raise_until_next_action"):
        return
    logged, act = last
    rule = case.cite("unaware")
    if case.acted_since(logged):
        yield Way("too_late", f"Someone acted after seat {case.seat}: it stands", rule)
        return
    text = f"Seat {case.seat} takes its chips back and acts again"
    yield Way("withdrawn", text, rule, (TakeBack(logged.seq),), replaced=f"{act.action} {act.added:,}")


@matter("clock", 48, "The clock on a player", Group.ACTION, needs_seat=True)
def clock(case: Case) -> Iterator[Way]:
    """Where the dealer starts it on direction only, the floor says yes first (rpl.nolimit.14a)."""
    seconds = case.policy("clock_seconds")
    rule = case.rule("clock_called_by")
    yield Way("start", f"Seat {case.seat} has {seconds} seconds", rule)
    yield Way("refused", "No clock", rule)


@matter("clock_expired", 49, "Time is up", Group.ACTION, needs_seat=True)
def clock_expired(case: Case) -> Iterator[Way]:
    """Facing a bet the hand is dead; without one it is a check. Some books kill it always."""
    rule = case.cite("clock_expired")
    facing = case.to_call(case.the_seat) is Action.CALL
    dead = Push(KillHand(case.the_seat, "time is up", rule))
    if facing or case.policy("clock_expiry_kills") == "always":
        yield Way("dead", f"Time is up for seat {case.seat}: dead hand", rule, (dead,))
    else:
        check = Push(Act(case.the_seat, Action.CHECK, source=Source.DIRECTOR))
        yield Way("check", f"Time is up for seat {case.seat}: a check", case.rule("clock_expiry_kills"), (check,))
    yield Way("in_time", f"Seat {case.seat} acted in time", rule)


@matter("away_time", 40, "Time called from away", Group.ACTION, needs_seat=True)
def away_time(case: Case) -> Iterator[Way]:
    """Only a player at the table stops the action."""
    rule = case.cite("away_time")
    told = Record(Noticed("time_refused", "Time counts only at the table", case.seat, rule))
    yield Way("refused", f"Seat {case.seat} is away: the action goes on", rule, (told,))
