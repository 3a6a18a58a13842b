"""How the tests of rules are told: which rules of which books a test shows, and hands played by a book."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from table_core.hand.hand import Hand
from table_core.messages import AnyEvent, Legal, PotAwarded, Refusal, Seat, StartHand
from table_core.rulebook import Rulebook, load_rulebook
from tests.table_core.table import command, done, level, play, refused, start

__all__ = ["command", "done", "play", "refused"]

BOOKS = ("base", "ccp", "cpp", "wfp", "home", "rpl")
FLOP, TURN, RIVER = "board 2c7d9h", "board Ts", "board 3d"
BOARD = (FLOP, TURN, RIVER)
FIVE = dict.fromkeys(range(1, 6), 5_000)
THREE = {1: 5_000, 2: 5_000, 3: 5_000}


def shown(**books: str) -> Any:
    """Run a test for each of `books`, marked with the ids of its rules: `shown(wfp="wfp.nolimit.4")`."""
    return pytest.mark.parametrize(
        "book", [pytest.param(book, marks=pytest.mark.rule(*ids.split())) for book, ids in books.items()]
    )


def book_of(book: str, house: dict[str, Any] | None = None) -> Rulebook:
    rulebook = load_rulebook(book)
    return rulebook.with_house(house) if house else rulebook


def with_tournament(book: str, **values: Any) -> Rulebook:
    """The rulebook with other values for the tournament, which no house can set."""
    rulebook = load_rulebook(book)
    changed = {name: replace(getattr(rulebook.tournament, name), value=value) for name, value in values.items()}
    return replace(rulebook, tournament=replace(rulebook.tournament, **changed))


def hand_of(
    book: str,
    stacks: dict[int, int] | None = None,
    blinds: tuple[int, int] = (50, 100),
    *,
    button: int | None = None,
    house: dict[str, Any] | None = None,
    smallest_chip: int = 1,
    **posts: int,
) -> Hand:
    """A hand begun by this book; the button is at the last seat unless said otherwise."""
    hand = Hand(book_of(book, house), smallest_chip=smallest_chip)
    done(hand.push(start(stacks or THREE, level(*blinds, **posts), button=button)))
    return hand


def with_away(book: str, *away: int) -> Hand:
    """Five players, button 5, of whom some are away when the first card is drawn."""
    command = start(FIVE, level(50, 100))
    hand = Hand(book_of(book))
    seats = tuple(Seat(seat) for seat in away)
    done(
        hand.push(
            StartHand(
                1,
                command.button,
                command.small_blind,
                command.big_blind,
                command.level,
                command.seats,
                away=seats,
            )
        )
    )
    return hand


def on_flop(book: str, stacks: dict[int, int] | None = None, *, flop: str = FLOP, **options: Any) -> Hand:
    """Everyone called 100 before the flop, so that `stacks` are what is left; seat 1 is to act."""
    left = stacks or THREE
    hand = hand_of(book, {seat: chips + 100 for seat, chips in left.items()}, **options)
    seats = list(left)
    play(hand, *[f"{seat} call" for seat in seats[2:] + seats[:2]], flop)
    assert hand.to_act == 1
    return hand


def checked_down(
    book: str, stacks: dict[int, int] | None = None, *, board: tuple[str, ...] = BOARD, **options: Any
) -> Hand:
    """The showdown of a hand without a bet after the flop."""
    hand = on_flop(book, stacks, flop=board[0], **options)
    for cards in ("", *board[1:]):
        play(hand, *([cards] if cards else []))
        while hand.to_act is not None:
            play(hand, f"{hand.to_act} check")
    return hand


def legal(hand: Hand) -> Legal:
    now = hand.legal()
    assert now is not None
    return now


def least(hand: Hand) -> int | None:
    """The smallest bet or raise that the player to act may make."""
    return legal(hand).min_to


def accepted(hand: Hand, line: str) -> bool:
    """Whether a line would be taken; the hand stays as it is."""
    return not isinstance(hand.decide(command(line)), Refusal)


def awards(events: list[AnyEvent]) -> list[PotAwarded]:
    return [event for event in events if isinstance(event, PotAwarded)]


def won(events: list[AnyEvent]) -> dict[int, int]:
    """Chips that each seat was awarded."""
    total: dict[int, int] = {}
    for award in awards(events):
        for share in award.shares:
            total[share.seat] = total.get(share.seat, 0) + share.amount
    return total
