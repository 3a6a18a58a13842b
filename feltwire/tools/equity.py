"""`feltwire equity`: the exact equity of each hand."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from typing import Any

from feltwire.errors import UsageError
from table_core.cards import Card, card_text, parse_card
from table_core.equity.exact import Equity, equities
from table_core.equity.outs import Outs, outs
from table_core.equity.spot import EquityError, Spot, spot_of

HELP = "Exact equities of two to eleven hands on any board, and the outs of those behind on flop and turn."
EXAMPLE = 'feltwire equity AhKh QsQd 7c6c --board "Qh 8h 5c" --dead "2d 9s"'


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("hands", nargs="+", metavar="HAND", help="two cards, such as AhKd")
    parser.add_argument("--board", nargs="+", default=[], metavar="CARDS", help="board cards so far: Qh8h5c")
    parser.add_argument("--dead", nargs="+", default=[], metavar="CARDS", help="cards known to be out of the deck")
    parser.add_argument("--json", action="store_true", help="one JSON object on stdout")


def run(args: argparse.Namespace) -> int:
    spot = parse_spot(args.hands, args.board, args.dead)
    equities(spot)  # builds the tables that such boards need, once a process; the time shown is without them
    begun = time.perf_counter()
    results = equities(spot)
    milliseconds = (time.perf_counter() - begun) * 1_000
    hints = outs(spot)
    if args.json:
        print(json.dumps(_as_json(results, hints, milliseconds)))
    else:
        print(*_as_text(spot, results, hints, milliseconds), sep="\n")
    return 0


def parse_spot(hands: Sequence[str], board: Sequence[str], dead: Sequence[str]) -> Spot:
    """A spot from cards as people type them. Raise `UsageError` for what is not a card, is given twice or does
    not make a spot."""
    named = [_parse(hand, f"hand {number}") for number, hand in enumerate(hands, 1)]
    try:
        return spot_of(named, _parse(" ".join(board), "--board"), _parse(" ".join(dead), "--dead"))
    except EquityError as error:
        raise UsageError(f"{error}. For example: {EXAMPLE}") from error


def _parse(text: str, where: str) -> list[Card]:
    """Cards of `"AhKd"`, `"Ah Kd"` or `"Ah,Kd"`; a ten may be `10h`, and small letters do for ranks."""
    bare = "".join(text.replace(",", " ").split()).replace("10", "T")
    if len(bare) % 2:
        raise UsageError(f"{where}: {text!r} has a card of one letter; write rank and suit, such as AhKd")
    try:
        return [parse_card(bare[at].upper() + bare[at + 1].lower()) for at in range(0, len(bare), 2)]
    except ValueError as error:
        raise UsageError(f"{where}: {error}") from error


def _as_json(results: Sequence[Equity], hints: Sequence[Outs], milliseconds: float) -> dict[str, Any]:
    line: dict[str, Any] = {
        "equities": [result.equity for result in results],
        "win": [result.win for result in results],
        "tie": [result.tie for result in results],
        "shares": [str(result.share) for result in results],
        "boards": results[0].boards,
        "ms": round(milliseconds, 3),
    }
    if hints:
        line["outs"] = [{"win": _texts(hint.to_win), "tie": _texts(hint.to_tie)} for hint in hints]
    return line


def _as_text(spot: Spot, results: Sequence[Equity], hints: Sequence[Outs], milliseconds: float) -> list[str]:
    lines = [f"{'hand':<6}{'equity':>10}{'win':>10}{'tie':>10}"]
    for number, (hand, result) in enumerate(zip(spot.hands, results, strict=True)):
        line = f"{''.join(_texts(hand)):<6}{result.equity:>10.4%}{result.win:>10.4%}{result.tie:>10.4%}"
        lines.append(line + (_hint(hints[number]) if hints else ""))
    return [*lines, f"{results[0].boards:,} boards, exact, in {milliseconds:.2f} ms"]


def _hint(hint: Outs) -> str:
    if hint.ahead:
        return "  ahead"
    wins = f"  {len(hint.to_win)} outs {' '.join(_texts(hint.to_win))}".rstrip()
    return wins + (f"; {len(hint.to_tie)} to tie {' '.join(_texts(hint.to_tie))}" if hint.to_tie else "")


def _texts(cards: Sequence[Card]) -> list[str]:
    return [card_text(card) for card in cards]
