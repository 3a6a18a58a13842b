"""Amounts of hand histories as whole chips: 12.50 of a file with two decimals are 1,250 chips of 0.01."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from table_core.messages import Chips
from table_core.messages.base import MOST_CHIPS

ONE, HUNDREDTH = Decimal(1), Decimal("0.01")


class AmountError(ValueError):
    """An amount that is no count of chips: which, and what was expected."""


class Unit:
    """The amount that is one chip. Where nobody states it, it is 1, or 0.01 where that makes all `amounts` whole.

    >>> Unit(None, [Decimal("0.05"), 20]).chips(Decimal("0.05"))
    5
    """

    def __init__(self, stated: Decimal | None, amounts: Iterable[Any]) -> None:
        self._stated = stated is not None
        self.value = stated or ONE
        if stated is None and not all(isinstance(amount, int) or _is_whole(amount, ONE) for amount in amounts):
            self.value = HUNDREDTH

    def chips(self, amount: Any) -> Chips:
        """Raise `AmountError` for what is no number, below 0, too large or no whole count of the unit."""
        if type(amount) is int and self.value is ONE and 0 <= amount <= MOST_CHIPS:
            return Chips(amount)
        number = _number(amount)
        if number is None:
            raise AmountError(f"{str(amount)[:40]!r}; expected a number")
        if number < 0 or number > MOST_CHIPS:
            raise AmountError(f"{number:.6g}; expected 0 to {MOST_CHIPS:,}")
        count = number / self.value
        if count != int(count) or count > MOST_CHIPS:
            hint = "" if self._stated else "; say what one chip is, such as --unit 0.001"
            raise AmountError(f"{str(number)[:40]}; expected a whole number of chips of {self.value}{hint}")
        return Chips(int(count))


def _is_whole(amount: Any, unit: Decimal) -> bool:
    number = _number(amount)
    return number is None or number > MOST_CHIPS or number % unit == 0


def _number(amount: Any) -> Decimal | None:
    """A finite number; a text of digits is one too."""
    if isinstance(amount, bool) or not isinstance(amount, int | float | Decimal | str):
        return None
    text = str(amount) if not isinstance(amount, int) or abs(amount) < 10**100 else "1e100"
    try:
        number = Decimal(text[:60])
    except ArithmeticError:
        return None
    return number if number.is_finite() else None
