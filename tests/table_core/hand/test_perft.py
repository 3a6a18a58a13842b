"""Perft for poker: how many ways the betting can go, counted by the engine and by brute force from the rules."""

import pytest

from table_core.hand.hand import Hand
from table_core.messages import Act, Action, Chips, DealBoard, Level, Seat, SeatStack, StartHand
from table_core.rulebook import load_rulebook
from tests.table_core.hand.brute_betting import BY_STREET, COMMON, FLAT, FREE, Book, count
from tests.table_core.table import done

FLOP = DealBoard(("2c", "7d", "9h"))


def perft(book: str, stacks: tuple[int, ...], small: int, big: int, streets: int) -> int:
    """The engine's count: every fold, check, call and every size of bet that it calls legal."""
    seats = tuple(SeatStack(Seat(number), Chips(stack)) for number, stack in enumerate(stacks, 1))
    last = Seat(len(stacks))
    blinds = (Seat(1), Seat(2)) if len(stacks) > 2 else (last, Seat(1))
    hand = Hand(load_rulebook(book))
    done(hand.push(StartHand(1, last, *blinds, Level(1, Chips(small), Chips(big)), seats)))
    return _count(hand, streets)


def _count(hand: Hand, streets: int) -> int:
    now = hand.legal()
    if now is None:
        if not hand.awaiting_board or streets == 1 or hand.betting_over:
            return 1
        done(hand.push(FLOP))
        total = _count(hand, streets - 1)
        hand.pop()
        return total
    moves = [Act(now.seat, Action.FOLD), Act(now.seat, Action.CALL)]
    if now.min_to is not None and now.max_to is not None:
        moves += [Act(now.seat, Action.RAISE, Chips(to)) for to in range(now.min_to, now.max_to + 1)]
    total = 0
    for move in moves:
        done(hand.push(move))
        total += _count(hand, streets)
        hand.pop()
    return total


BOOKS: dict[str, Book] = {
    "base": COMMON,
    "cpp": FREE,
    "wfp": COMMON,
    "rpl": COMMON,
    "ccp": FLAT,
    "home": BY_STREET,
}
# Stacks in order of action after the flop, small and big blind, streets: sequences under the common rules, with
# flat raises (ccp), with minimum bets by street (home), and with any raise (cpp). Brute force gave every one.
SPOTS = [
    ((6, 6), 1, 2, 2, (69, 69, 289, 289)),
    ((9, 5), 1, 2, 2, (85, 87, 305, 265)),
    ((1, 9), 1, 2, 2, (1, 1, 1, 1)),
    ((7, 1, 7), 1, 2, 1, (39, 39, 127, 127)),
    ((7, 5, 6), 1, 2, 1, (133, 133, 657, 589)),
    ((4, 3, 5), 1, 2, 2, (99, 99, 225, 203)),
    ((5, 4, 6, 3), 1, 2, 1, (180, 180, 659, 564)),
    ((9, 7, 12), 2, 4, 1, (57, 57, 313, 1_353)),
    ((8, 6, 7), 1, 2, 2, (1_164, 1_201, 14_008, 12_628)),
]
DEEP = [
    ((12, 9, 11), 1, 2, 1, (1_953, 3_276, 104_223)),
    ((10, 8, 9, 7), 1, 2, 1, (4_633, 5_942, 212_102)),
    ((14, 14), 1, 2, 2, (4_113, 8_449, 204_801)),
    ((24, 13, 17), 2, 4, 1, (1_947, 3_060, 90_457)),
]
KINDS = [COMMON, FLAT, BY_STREET, FREE]


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize(("stacks", "small", "big", "streets", "counts"), SPOTS)
def test_the_engine_counts_what_brute_force_counts(
    book: str, stacks: tuple[int, ...], small: int, big: int, streets: int, counts: tuple[int, ...]
) -> None:
    found = perft(book, stacks, small, big, streets)
    assert found == counts[KINDS.index(BOOKS[book])]
    assert found == count(stacks, small, big, BOOKS[book], streets)


@pytest.mark.parametrize("book", ["base", "ccp", "wfp", "rpl"])
@pytest.mark.parametrize(("stacks", "small", "big", "streets", "counts"), DEEP)
def test_deeper_stacks_keep_their_numbers(
    book: str, stacks: tuple[int, ...], small: int, big: int, streets: int, counts: tuple[int, ...]
) -> None:
    assert perft(book, stacks, small, big, streets) == counts[KINDS.index(BOOKS[book])]


@pytest.mark.parametrize(
    ("book", "stacks", "small", "big", "number"),
    [("home", (18, 10, 13), 2, 4, 5_541), ("cpp", (10, 7, 9), 1, 2, 10_051)],
)
def test_home_and_cpp_with_deeper_stacks(
    book: str, stacks: tuple[int, ...], small: int, big: int, number: int
) -> None:
    assert perft(book, stacks, small, big, 1) == number == count(stacks, small, big, BOOKS[book], 1)
