"""An independent count of betting: written from the rules for small stacks, sharing nothing with the engine.

Everything is worked out anew from the list of actions, at every node. Players are numbered in order of action
after the flop; with three or more, player 0 posts the small blind and player 1 the big blind.
"""

from __future__ import annotations

from typing import NamedTuple


class Book(NamedTuple):
    """What differs between books: flat minimum raises, minimum bets by street in big blinds (else small),
    whether only who checked or called is shut out by a short all-in, measured by the last bet, and whether a
    player with chips behind may raise by any amount."""

    flat: bool = False
    big_streets: tuple[bool, bool] = (True, True)
    callers_only: bool = False
    free: bool = False


class Move(NamedTuple):
    player: int
    to: int  # total in front on this street; -1 for a fold


COMMON = Book()
FLAT = Book(flat=True)
FREE = Book(free=True)
BY_STREET = Book(flat=True, big_streets=(False, False), callers_only=True)


def count(stacks: tuple[int, ...], small: int, big: int, book: Book, streets: int) -> int:
    """How many ways the betting of the first `streets` streets can go."""
    first = {0: min(small, stacks[0]), 1: min(big, stacks[1])} if len(stacks) > 2 else {}
    if len(stacks) == 2:  # the big blind acts first after the flop, the button posts the small blind
        first = {1: min(small, stacks[1]), 0: min(big, stacks[0])}
    return _street(stacks, frozenset(), first, small, big, book, 0, streets)


def _street(
    stacks: tuple[int, ...],
    gone: frozenset[int],
    posted: dict[int, int],
    small: int,
    big: int,
    book: Book,
    street: int,
    streets: int,
) -> int:
    return _after([], stacks, gone, posted, small, big, book, street, streets)


def _after(
    moves: list[Move],
    stacks: tuple[int, ...],
    gone: frozenset[int],
    posted: dict[int, int],
    small: int,
    big: int,
    book: Book,
    street: int,
    streets: int,
) -> int:
    players = range(len(stacks))
    front = {player: posted.get(player, 0) for player in players}
    out = set(gone)
    level = big if street == 0 else 0  # a short big blind counts in full
    for move in moves:
        if move.to < 0:
            out.add(move.player)
        else:
            front[move.player] = move.to
            level = max(level, move.to)
    player = _next_player(moves, stacks, out, front, level, street)
    if player is None:
        left = tuple(stacks[other] - front[other] for other in players)
        alive = [other for other in players if other not in out]
        with_chips = [other for other in alive if left[other]]
        if len(alive) < 2 or street + 1 == streets or len(with_chips) < 2:
            return 1
        return _street(left, frozenset(out), {}, small, big, book, street + 1, streets)
    total = 0
    for to in (-1, *range(front[player], stacks[player] + 1)):
        if to < 0 or _allowed(player, to, moves, stacks, front, level, small, big, book, street):
            total += _after([*moves, Move(player, to)], stacks, gone, posted, small, big, book, street, streets)
    return total


def _next_player(
    moves: list[Move], stacks: tuple[int, ...], out: set[int], front: dict[int, int], level: int, street: int
) -> int | None:
    seats = len(stacks)
    big_blind = 1 if seats > 2 else 0
    last = moves[-1].player if moves else (big_blind if street == 0 else seats - 1)
    alive = [player for player in range(seats) if player not in out]
    able = [player for player in alive if front[player] < stacks[player]]
    if len(alive) < 2:
        return None
    for step in range(1, seats + 1):
        player = (last + step) % seats
        if player not in able:
            continue
        if able == [player] and front[player] >= max(front[other] for other in range(seats) if other != player):
            return None  # nobody left to bet into
        if front[player] < level or not any(move.player == player for move in moves):
            return player
    return None


def _allowed(
    player: int,
    to: int,
    moves: list[Move],
    stacks: tuple[int, ...],
    front: dict[int, int],
    level: int,
    small: int,
    big: int,
    book: Book,
    street: int,
) -> bool:
    everything = stacks[player]
    if to == front[player]:
        return front[player] >= level  # a check
    if to <= level:
        return to == min(level, everything)  # a call
    minimum = big if book.big_streets[street] else small
    last_full, seen, saw_at, raised_last = minimum, big if street == 0 else 0, None, False
    full_to = seen
    for move in moves:
        if move.to > seen:
            all_in = move.to == stacks[move.player]
            needed = minimum if book.flat and not book.callers_only else last_full
            if move.to - seen >= needed or not all_in:
                last_full = max(move.to - seen, last_full) if book.free else move.to - seen
                full_to = move.to
            seen = move.to
            if move.player == player:
                raised_last = True
        elif move.player == player:
            raised_last = False
        if move.player == player:
            saw_at = seen
    reopens = minimum if book.flat and not book.callers_only else max(last_full, minimum)
    if book.free and (saw_at is None or full_to > saw_at):
        return True
    if saw_at is not None and not (book.callers_only and raised_last) and level - saw_at < reopens:
        return False
    if book.free:
        return True
    step = minimum if book.flat else max(last_full, minimum)
    return to == everything or to - level >= step
