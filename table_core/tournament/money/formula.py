"""A league's points by a formula that a person typed: `10 * sqrt(entrants) / place`.

It is read by Python's parser and calculated here, node by node: numbers, the names of `NAMES`, the operators
`+ - * / // % **`, comparisons, `and or not`, `x if y else z`, and the functions of `FUNCTIONS`. Nothing else is
carried out. Points are whole: half of one and more is rounded up.

>>> formula = parsed("10 * sqrt(entrants) / place")
>>> formula.points(Figures(entrants=25, place=2))
25
>>> parsed("10 * root(entrants)").reason
'root is unknown at character 6: write abs, ceil, floor, log, log10, max, min, round or sqrt.'
"""

from __future__ import annotations

import ast
import itertools
import math
import operator
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from table_core.messages import Refusal

LONGEST = 200  # characters
MOST = 1_000_000  # points of one place
_LARGEST = 1e12  # of any number on the way


class Figures(NamedTuple):
    """What a formula may name, of one player in one event. Money is in whole units of the currency; what a league
    does not know of an event is 0."""

    entrants: int
    place: int
    knockouts: int = 0
    won: int = 0
    paid: int = 0


NAMES = Figures._fields
FUNCTIONS: Mapping[str, Callable[..., float]] = {
    "abs": abs,
    "ceil": math.ceil,
    "floor": math.floor,
    "log": math.log,
    "log10": math.log10,
    "max": max,
    "min": min,
    "round": round,
    "sqrt": math.sqrt,
}
_TWO: Mapping[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: math.pow,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}
_ONE: Mapping[type, Callable[[Any], Any]] = {
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Not: operator.not_,
}
# A formula is tried with these before it is taken; a league has any of them.
_TRIED = tuple(
    Figures(entrants, place, knockouts, won, paid)
    for entrants in (2, 3, 9, 10, 27, 100, 1_000, 10_000)
    for place in sorted({1, 2, 3, entrants // 2, entrants} & {*range(1, entrants + 1)})
    for knockouts, won, paid in ((0, 0, 0), (1, 0, 50), (7, 2_000, 150))
)


class _Fault(Exception):
    """What cannot be calculated, in words; `at` is its character, from 0."""

    def __init__(self, words: str, at: int | None = None) -> None:
        super().__init__(words)
        self.at = at


@dataclass(frozen=True, slots=True)
class Formula:
    """`text` as it was typed."""

    text: str
    tree: ast.expr

    def points(self, figures: Figures) -> int:
        """The points for a place; 0 where the formula has no value there."""
        try:
            return _points(self.tree, figures)
        except _Fault:
            return 0


def parsed(text: str) -> Formula | Refusal:
    """The formula, or what is wrong with it and where."""
    text = text.strip()
    if not text:
        return _refused("Write a formula, such as 10 * sqrt(entrants) / place.")
    if len(text) > LONGEST or not text.isascii():
        return _refused(f"A formula has {LONGEST} characters at most, and plain letters and signs.")
    try:
        tree = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        at = getattr(error, "offset", None)
        return _refused(
            f"This is no formula{f' (character {at})' if at else ''}: 10 * sqrt(entrants) / place is one."
        )
    try:
        for fault in _strange(tree):
            raise fault
        for figures in _TRIED:
            try:
                _points(tree, figures)
            except _Fault as fault:
                said = ", ".join(f"{name} {value}" for name, value in figures._asdict().items() if value)
                raise _Fault(f"With {said} it gives no points: {fault}") from fault
    except _Fault as fault:
        where = f" at character {fault.at + 1}" if fault.at is not None else ""
        words, _, way = str(fault).partition(": ")
        return _refused(f"{words}{where}{f': {way}' if way else ''}.")
    return Formula(text, tree)


def _strange(node: ast.AST) -> Iterator[_Fault]:
    """What of a formula is none of one."""
    at = getattr(node, "col_offset", None)
    match node:
        case ast.Constant(value=value):
            number = value if isinstance(value, int | float) and not isinstance(value, bool) else _LARGEST
            if not abs(number) < _LARGEST:
                yield _Fault("A formula has numbers, none of 1,000,000,000,000 and more", at)
        case ast.Name(id=name):
            if name not in NAMES:
                yield _Fault(f"{name} is unknown: write {_list(NAMES)}", at)
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]):
            if name not in FUNCTIONS:
                yield _Fault(f"{name} is unknown: write {_list(FUNCTIONS)}", at)
            for one in args:
                yield from _strange(one)
        case ast.BinOp() | ast.UnaryOp() | ast.Compare() | ast.BoolOp() | ast.IfExp():
            for part in ast.iter_child_nodes(node):
                if isinstance(part, ast.expr):
                    yield from _strange(part)
                elif type(part) not in (*_TWO, *_ONE, ast.And, ast.Or):
                    yield _Fault("That is no operator of a formula: write + - * / // % ** < <= > >= == !=", at)
        case _:
            yield _Fault("That is no part of a formula", at)


def _list(names: Any) -> str:
    *first, last = sorted(names)
    return f"{', '.join(first)} or {last}"


def _points(tree: ast.expr, figures: Figures) -> int:
    value = _value(tree, figures._asdict())
    if not 0 <= value <= MOST:
        raise _Fault(f"{value:,.0f} is not from 0 to {MOST:,}")
    return math.floor(value + 0.5)


def _value(node: ast.expr, names: Mapping[str, float]) -> float:
    """Raise `_Fault` for what has no value, and for a value beyond all points."""
    try:
        value = _calculated(node, names)
        if isinstance(value, complex) or not abs(value) < _LARGEST:
            raise _Fault("a number on the way is too large")
    except ZeroDivisionError as error:
        raise _Fault("it divides by zero") from error
    except (ValueError, OverflowError, TypeError) as error:
        raise _Fault("a function has no value there") from error
    return value


def _calculated(node: ast.expr, names: Mapping[str, float]) -> float:
    match node:
        case ast.Constant(value=int() | float() as number):
            return number
        case ast.Name(id=name):
            return names[name]
        case ast.BinOp(left=left, op=op, right=right):
            return float(_TWO[type(op)](_value(left, names), _value(right, names)))
        case ast.UnaryOp(op=op, operand=operand):
            return float(_ONE[type(op)](_value(operand, names)))
        case ast.Compare(left=left, ops=ops, comparators=others):
            values = [_value(one, names) for one in (left, *others)]
            pairs = itertools.pairwise(values)
            return float(all(_TWO[type(op)](one, other) for op, (one, other) in zip(ops, pairs, strict=True)))
        case ast.BoolOp(op=op, values=parts):
            together = all if isinstance(op, ast.And) else any
            return float(together(_value(one, names) for one in parts))
        case ast.IfExp(test=test, body=body, orelse=other):
            return _value(body if _value(test, names) else other, names)
        case ast.Call(func=ast.Name(id=name), args=args):
            return float(FUNCTIONS[name](*(_value(one, names) for one in args)))
        case _:
            raise _Fault("that is no part of a formula")


def _refused(reason: str) -> Refusal:
    return Refusal(reason=reason, rule="")
