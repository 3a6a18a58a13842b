"""What follows for viewers from a table's public state: positions, what is to call, amounts in big blinds, who
is out, and what was done last, in words."""

from __future__ import annotations

from collections.abc import Callable

from table_core.messages import Action, Chips, Level, Seat, SeatView, Street, TableView

_FROM_THE_BUTTON = ("CO", "HJ", "LJ")  # before the button, the nearest first
_MOST_NAMED_SO = 3


def positions(view: TableView) -> dict[Seat, str]:
    """By seat that was dealt in. Heads-up the button, which is the small blind, is `BTN`.

    Six others than button and blinds are `UTG`, `UTG+1`, `UTG+2`, `LJ`, `HJ`, `CO`; two `UTG`, `CO`; one `CO`.
    """
    dealt = [seat.seat for seat in view.seats if seat.in_hand or seat.folded]
    if view.button is None or not dealt:
        return {}
    start = view.button
    in_order = sorted(dealt, key=lambda seat: (seat <= start, seat))
    named = {
        seat: name for seat, name in ((view.big_blind, "BB"), (view.small_blind, "SB"), (start, "BTN")) if seat
    }
    others = [seat for seat in in_order if seat not in named]
    late = min(_MOST_NAMED_SO, len(others) if len(others) < 2 else len(others) - 1)
    for place, seat in enumerate(others):
        from_end = len(others) - 1 - place
        early = f"UTG+{place}" if place else "UTG"
        named[seat] = _FROM_THE_BUTTON[from_end] if from_end < late else early
    return {seat: named[seat] for seat in in_order}


def to_call(view: TableView) -> dict[Seat, Chips]:
    """What each live seat that can still bet has to add to stay in, while the betting is open."""
    if view.legal is None:
        return {}
    high = max([seat.bet for seat in view.seats], default=0)
    behind = {
        seat.seat: min(high - seat.bet, seat.stack) for seat in view.seats if seat.in_hand and not seat.all_in
    }
    return {seat: Chips(added) for seat, added in behind.items()} | {view.legal.seat: view.legal.call or Chips(0)}


def runs_out(view: TableView) -> bool:
    """Whether the cards to come decide alone: nobody can bet any more."""
    live = [seat for seat in view.seats if seat.in_hand]
    can_bet = sum(not seat.all_in for seat in live)
    open_ = view.legal is not None or view.street is Street.DONE
    return not open_ and len(live) > 1 and can_bet <= 1 and any(seat.all_in for seat in live)


def is_out(seat: SeatView, street: Street) -> bool:
    """Whether the player has no chips, and wins none in this hand any more."""
    return not seat.stack and not seat.won and (street is Street.DONE or not seat.in_hand)


def tenths(chips: int | None, level: Level | None) -> int | None:
    """In tenths of a big blind, rounded down."""
    return None if chips is None or level is None or not level.big_blind else chips * 10 // level.big_blind


def acted_last(before: TableView | None, view: TableView) -> Seat | None:
    """The seat that acted with this state, where one did."""
    then = {} if before is None else {seat.seat: (seat.action, seat.amount) for seat in before.seats}
    if before is not None and (before.hand, before.street) != (view.hand, view.street):
        then = {seat: (Action.FOLD, None) if act[0] is Action.FOLD else (None, None) for seat, act in then.items()}
    acted = [one.seat for one in view.seats if one.action and (one.action, one.amount) != then.get(one.seat)]
    return acted[-1] if acted else None


def in_words(view: TableView, last: Seat | None, name: Callable[[SeatView], str]) -> str:
    """What happened last, for viewers: `Ann Lee raises to 1,200`; at the end who wins."""
    won = [f"{name(seat)} wins {seat.won:,}" for seat in view.seats if seat.won]
    if view.street is Street.DONE and won:
        return ", ".join(won)
    acted = next((seat for seat in view.seats if seat.seat == last and seat.action is not None), None)
    if acted is None:
        return view.street.capitalize() if view.board and view.street is not Street.DONE else ""
    words = {
        Action.FOLD: "folds",
        Action.CHECK: "checks",
        Action.CALL: f"calls {acted.amount or 0:,}",
        Action.BET: f"bets {acted.amount or 0:,}",
        Action.RAISE: f"raises to {acted.amount or 0:,}",
    }
    assert acted.action is not None
    return f"{name(acted)} {words[acted.action]}{', all-in' if acted.all_in else ''}"
