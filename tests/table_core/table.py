"""A table for tests: seats with stacks, and a hand told in a dealer's words."""

from __future__ import annotations

from table_core.hand.button import first_positions
from table_core.hand.hand import Hand
from table_core.messages import (
    Act,
    Action,
    AnyEvent,
    AnyHandCommand,
    AwardPots,
    Chips,
    DealBoard,
    Level,
    MuckHand,
    Refusal,
    Report,
    Seat,
    SeatStack,
    StartHand,
    TableHand,
)
from table_core.rulebook import load_rulebook

BASE = load_rulebook("base")


def level(small_blind: int, big_blind: int, *, ante: int = 0, big_blind_ante: int = 0) -> Level:
    return Level(1, Chips(small_blind), Chips(big_blind), Chips(ante), Chips(big_blind_ante))


def start(stacks: dict[int, int], at: Level, *, button: int | None = None, hand: int = 1) -> StartHand:
    """A hand with these stacks by seat; the button is at the last of them unless said otherwise."""
    seats = [Seat(seat) for seat in stacks]
    positions = first_positions(Seat(button) if button else seats[-1], seats)
    return StartHand(
        hand,
        positions.button,
        positions.small_blind,
        positions.big_blind,
        at,
        tuple(SeatStack(Seat(seat), Chips(stack)) for seat, stack in stacks.items()),
    )


def new_hand(stacks: dict[int, int], at: Level, *, button: int | None = None, smallest_chip: int = 1) -> Hand:
    hand = Hand(BASE, smallest_chip=smallest_chip)
    done(hand.push(start(stacks, at, button=button)))
    return hand


def command(words: str) -> AnyHandCommand:
    """`"3 raise 600"`, `"3 all-in"`, `"3 call"`, `"3 table AhKd"`, `"3 muck"`, `"board AhKdQc"`, `"award 3 4"`;
    `"report 3 check"` for what the table did."""
    first, *rest = words.split()
    if first == "report":
        reported = command(" ".join(rest))
        assert not isinstance(reported, Report)
        return Report(reported)
    if first == "board":
        return DealBoard(_cards(rest[0]))
    if first == "award":
        return AwardPots(tuple(Seat(int(seat)) for seat in rest))
    seat, what = Seat(int(first)), rest[0]
    if what == "table":
        return TableHand(seat, _cards(rest[1]))
    if what == "muck":
        return MuckHand(seat)
    if what == "all-in":
        return Act(seat, Action.RAISE)
    return Act(seat, Action(what), Chips(int(rest[1])) if len(rest) > 1 else None)


def play(hand: Hand, *lines: str) -> list[AnyEvent]:
    """Push each line; none may be refused. Every event that came of them."""
    events: list[AnyEvent] = []
    for line in lines:
        events += done(hand.push(command(line)), line)
    return events


def refused(hand: Hand, line: str) -> Refusal:
    """Push a line that must be refused and leave everything as it was."""
    before = hand.snapshot()
    answer = hand.push(command(line))
    assert isinstance(answer, Refusal), f"{line}: not refused, {answer}"
    assert hand.snapshot() == before
    return answer


def done(answer: tuple[AnyEvent, ...] | Refusal, line: str = "") -> tuple[AnyEvent, ...]:
    assert not isinstance(answer, Refusal), f"{line}: {answer}"
    return answer


def _cards(text: str) -> tuple[str, ...]:
    return tuple(text[at : at + 2] for at in range(0, len(text), 2))
