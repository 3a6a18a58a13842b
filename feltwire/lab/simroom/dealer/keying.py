"""The keys of an action: numbers in as few presses as the keypad allows, then a function key."""

from __future__ import annotations

from table_core.messages import Key


def amount_keys(amount: int) -> tuple[Key, ...]:
    """The digits of `amount`, its trailing zeros on the `00` and `000` keys."""
    if amount < 0:
        raise ValueError(f"no key for the negative amount {amount}")
    text = str(amount)
    head = text.rstrip("0")
    keys = [Key(int(digit)) for digit in head]
    zeros = len(text) - len(head)
    if not head:
        return (Key.D0,)
    triples, rest = divmod(zeros, 3)
    keys += [Key.D000] * triples
    keys += {0: [], 1: [Key.D0], 2: [Key.D00]}[rest]
    return tuple(keys)


def seat_keys(seat: int, function: Key) -> tuple[Key, ...]:
    """`5 FOLD`: a function key that takes a seat."""
    return (*amount_keys(seat), function)


def wager_keys(to: int) -> tuple[Key, ...]:
    """`1 2 00 BET_RAISE`: a bet of, or a raise to, `to`."""
    return (*amount_keys(to), Key.BET_RAISE)


def count_keys(seat: int, stack: int) -> tuple[Key, ...]:
    """`4 SEAT 1 2 000 COUNT`: the stack of seat 4 was counted at 12,000."""
    return (*amount_keys(seat), Key.SEAT, *amount_keys(stack), Key.COUNT)
