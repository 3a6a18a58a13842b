"""What tables say in the scenarios, in another language: which words stay English.

    python -m tests.said_at_tables [--lang de] [--limit N] [FOLDER…]

Plays scenarios and takes every text of a dealer's screen, open rulings with it, through the catalogue `said`.
Prints the share of texts that are whole, and of the others the clauses that stay English, by how often.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any
from unittest.mock import patch

import msgspec

from display.language import TRANSLATED, catalogue
from display.said import Said
from feltwire.lab.scenario.devices import variants
from feltwire.lab.scenario.file import read_scenario
from feltwire.lab.scenario.play import play
from feltwire.lab.table.memory import MemoryTable
from feltwire.runtime.node_io import Show
from table_core.messages import OpenRuling, TableView

SCENARIOS = Path(__file__).with_name("scenarios")
# Cards, numbers, rule ids, and names of the scenarios' players: nothing to say in another language.
NO_WORDS = re.compile(r"[^a-z]*|[\d,]+|([2-9TJQKA?][cdhs?] ?)+|[a-z]+\.[\w.]+|[A-Z][a-z]+")


class Noting(Said):
    """Notes what it could not say."""

    def __init__(self, language: str) -> None:
        texts = catalogue("said", language)
        super().__init__({key: text for key, text in texts.items() if isinstance(text, str)}, ".")
        self.left: list[str] = []

    def _is_known(self, value: str) -> bool:
        left = [*self.left]
        known = super()._is_known(value)
        self.left = left  # it was a trial
        return known

    def unknown(self, text: str) -> str:
        if not NO_WORDS.fullmatch(text):
            self.left.append(text)
        return text


def texts_of(snapshot: bytes, channel: str) -> Iterator[str]:
    """The texts of a dealer's screen in a snapshot of its channels."""
    if channel.startswith("ruling/"):
        ruling = msgspec.json.decode(snapshot, type=OpenRuling).ruling
        if ruling is not None:
            yield from (ruling.text, ruling.deadline, ruling.holds, *ruling.seen)
            yield from (text for one in ruling.options for text in (one.text, one.asks, one.effect))
    elif channel.startswith("table/"):
        view = msgspec.json.decode(snapshot, type=TableView)
        yield from (view.last, view.next_step, view.no_hand, view.predicted, view.waiting, view.typed)
        yield from (one.text for one in view.notices)
        yield from (one.last for one in view.seats)
        yield view.question.text if view.question is not None else ""


def said_in(folders: list[Path], limit: int | None = None) -> Counter[str]:
    """Each text that tables say in the scenarios of the folders, with how often."""
    found: Counter[str] = Counter()
    perform = MemoryTable._perform

    def noted(table: MemoryTable, effect: Any) -> None:
        if isinstance(effect, Show):
            found.update(filter(None, texts_of(effect.snapshot, effect.channel)))
        perform(table, effect)

    paths = sorted(path for folder in folders for path in folder.rglob("*.txt"))[:limit]
    with patch.object(MemoryTable, "_perform", noted):
        for path in paths:
            scenario = read_scenario(path)
            for variant in islice(variants(scenario), 1):
                for _ in play(variant, scenario.rulebooks[0]):
                    pass
    return found


def left_in_english(texts: Counter[str], language: str) -> tuple[int, Counter[str]]:
    """How many of the texts are said whole, and the clauses of the others that are not."""
    said, left, whole = Noting(language), Counter[str](), 0
    for text in texts:
        said.left = []
        said(text)
        whole += not said.left
        left.update(said.left)
    return whole, left


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("folders", nargs="*", type=Path, default=[SCENARIOS], metavar="FOLDER")
    parser.add_argument("--lang", choices=TRANSLATED, default=TRANSLATED[0])
    parser.add_argument("--limit", type=int, metavar="N", help="the first N scenarios")
    args = parser.parse_args()
    texts = said_in(args.folders, args.limit)
    whole, left = left_in_english(texts, args.lang)
    for clause, count in left.most_common(200):
        print(f"{count:5} {clause}")
    print(f"{whole} of {len(texts)} texts whole in {args.lang}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
