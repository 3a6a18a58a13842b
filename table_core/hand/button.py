"""How button and blinds move from one hand to the next."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from table_core.hand.seats import clockwise_from
from table_core.messages import Post, Seat
from table_core.parameters import ButtonMethod, HeadsUpButton, SmallBlindBust
from table_core.rulebook import Rulebook


class Positions(Struct, frozen=True):
    """Button (perhaps an empty seat), small blind (None when it is dead) and big blind of one hand.

    With the moving button other seats may owe blinds besides, so that nobody skips one.
    """

    button: Seat
    small_blind: Seat | None
    big_blind: Seat
    extra_small_blinds: tuple[Seat, ...] = ()
    extra_big_blinds: tuple[Seat, ...] = ()


def first_positions(button: Seat, live_seats: Iterable[Seat]) -> Positions:
    """Positions of a first hand with the button at `button`. Raise `ValueError` for fewer than two players."""
    around = _two_or_more(clockwise_from(button, live_seats))
    if len(around) == 2:  # tda.34: heads-up the small blind is the button
        return Positions(around[1], around[1], around[0])
    return Positions(button, around[0], around[1])


def next_positions(
    previous_button: Seat,
    previous_sb: Seat | None,
    previous_bb: Seat,
    live_seats: Iterable[Seat],
    rulebook: Rulebook,
    vacated: Seat | None = None,
) -> Positions:
    """Positions of the next hand. Raise `ValueError` for fewer than two players. `vacated` is the seat where a
    dead small blind of the last hand was due: its player had left.

    Heads-up the big blind passes to the next player and the other one is the button (tda.34, ccp.headsup.1).
    """
    around = _two_or_more(clockwise_from(previous_bb, live_seats))
    rules = rulebook.rules
    if len(around) == 2:
        big_blind, other = around
        if rules.heads_up_button.value is HeadsUpButton.SMALL_BLIND:
            return Positions(other, other, big_blind)
        return Positions(big_blind, other, big_blind)
    if rules.button.value is ButtonMethod.MOVING:
        return _moving(previous_button, previous_sb, previous_bb, around)
    stays = rules.small_blind_bust_button.value is SmallBlindBust.STAYS
    was_due = previous_sb if previous_sb is not None else vacated
    return _dead(previous_button, was_due, previous_bb, around, stays=stays and previous_sb is not None)


def _dead(
    button: Seat, small_blind: Seat | None, big_blind: Seat, around: Sequence[Seat], *, stays: bool
) -> Positions:
    """The dead button (tda.32): everyone takes the blinds that are due.

    The big blind passes to the next player, so nobody takes it twice running; the small blind goes to whoever
    had the big blind, or is dead when that player left; the button goes where the small blind was, be it an
    empty seat, unless the book leaves it at its player then (ccp.deadbutton.3).
    """
    next_small = big_blind if big_blind in around else None
    if small_blind is None:
        next_button = _dead_small_blind(button, big_blind)
    elif stays and small_blind not in around:
        next_button = button
    else:
        next_button = small_blind
    if next_button == around[0]:  # heads-up until now, and a third player came in between the two
        next_button = around[-2]
    return Positions(next_button, next_small, around[0])


def _dead_small_blind(button: Seat, big_blind: Seat) -> Seat:
    """The empty seat of a dead small blind, between button and big blind. Any of several plays the same."""
    return Seat(big_blind - 1) if big_blind > 1 else Seat(button + 1)


def _moving(button: Seat, small_blind: Seat | None, big_blind: Seat, around: Sequence[Seat]) -> Positions:
    """The moving button (home.button.5): always at a player, and everyone still posts every blind they owe.

    The button goes to the next player. Whoever has it now and the player on its left are done with blinds after
    this hand, so they post what they have not posted yet; the player after them posts the big blind.
    """
    ring = clockwise_from(button, around)
    dealer, small, big = (*ring, *ring)[:3]
    owes_small = [seat for seat in (dealer, small) if not _within(seat, button, small_blind or button)]
    owes_big = [seat for seat in owes_small if not _within(seat, small_blind or button, big_blind)]
    return Positions(
        dealer,
        small,
        big,
        tuple([seat for seat in owes_small if seat != small]),
        tuple(owes_big),
    )


def _within(seat: Seat, after: Seat, until: Seat) -> bool:
    """Whether going clockwise from `after` comes to `seat` before it has passed `until`."""
    if after == until:
        return False
    return clockwise_from(after, {seat, until})[0] == seat


def corrected_positions(
    proper: Positions, met: Mapping[Seat, Iterable[Post]], live_seats: Iterable[Seat]
) -> Positions:
    """Positions of a new hand after one with the button in the wrong place (ccp.irregularities.1).

    `proper` is where button and blinds belong now, had everything been right; `met` is what each seat posted in
    the wrong hand already. The big blind goes to the next player who has not posted it, the small blind is dead
    where its player has, or is that player; so each player has every position once a round. Raise `ValueError`
    when everyone has posted a big blind.
    """
    done = {seat: set(posts) for seat, posts in met.items()}
    order = clockwise_from(Seat(proper.big_blind - 1), live_seats)
    owing = [seat for seat in order if Post.BIG_BLIND not in done.get(seat, ())]
    if not owing:
        raise ValueError("everyone has posted a big blind already; take the positions as they are due")
    small = proper.small_blind
    if small is not None and (Post.SMALL_BLIND in done.get(small, ()) or small == owing[0]):
        small = None
    return Positions(proper.button, small, owing[0])


def _two_or_more(around: tuple[Seat, ...]) -> tuple[Seat, ...]:
    if len(around) < 2:
        raise ValueError(f"a hand needs two players, there are {len(around)}")
    return around
