"""`feltwire deck list`, `use`, `rotate`, `export`, `merge`: the decks of a table among those of its room."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

from feltwire.config import TableConfig, load
from feltwire.errors import UsageError
from feltwire.ledger.store import LedgerError
from feltwire.ledger.table_ledger import Ledger
from feltwire.table import deck_wear
from feltwire.tools.deck import files
from firmware_bridge.decks import Deck, DeckError, DeckRegistry, wear
from firmware_bridge.decks.file import merged, using
from firmware_bridge.decks.wear import Worn

SILENT_SHARE = 0.05  # of the times a card lay face up: more, and its tag is going


def listed(args: argparse.Namespace) -> int:
    registry = known_decks(load(args.config, TableConfig))
    for deck in registry.decks.values():
        worn = wear.total(deck.worn)
        failing = failing_cards(worn)
        fields = {
            "deck": deck.name,
            "back": deck.back,
            "in_use": deck.name in registry.in_use,
            "hands": worn.hands,
            "hands_at": {table: one.hands for table, one in deck.worn.items()},
            "failing": failing,
        }
        print(json.dumps(fields) if args.json else _line(fields))
    return 0


def _line(fields: dict[str, object]) -> str:
    where = "in use" if fields["in_use"] else "put aside"
    line = f"{fields['deck']}: {fields['back']} backs, {where}, {fields['hands']} hands"
    failing = fields["failing"]
    assert isinstance(failing, list)
    return f"{line}; tags that often do not answer: {', '.join(failing)}: replace these cards" if failing else line


def failing_cards(worn: Worn) -> list[str]:
    """Cards whose tag did not answer twice or more, and in more than a twentieth of the times that they were
    seen."""
    return [
        card
        for card, silent in sorted(worn.silent.items())
        if silent > 1 and silent > SILENT_SHARE * worn.seen.get(card, 0)
    ]


def use(args: argparse.Namespace) -> int:
    config = load(args.config, TableConfig)
    path = files.registry_path(config)
    return _put_in_use(path, files.load(path), args.names)


def rotate(args: argparse.Namespace) -> int:
    config = load(args.config, TableConfig)
    path = files.registry_path(config)
    return _put_in_use(path, files.load(path), rotated(known_decks(config)))


def rotated(registry: DeckRegistry) -> list[str]:
    """Of each colour in use the deck that has dealt least, and that is not in use unless it is the only one."""
    chosen: list[str] = []
    for name in registry.in_use:
        back = registry.decks[name].back
        rested = [
            deck
            for deck in registry.decks.values()
            if deck.back == back and deck.name not in registry.in_use and deck.name not in chosen
        ]
        chosen.append(min(rested, key=_hands).name if rested else name)
    return chosen


def _hands(deck: Deck) -> int:
    return wear.total(deck.worn).hands


def _put_in_use(path: Path, registry: DeckRegistry, names: Sequence[str]) -> int:
    try:
        chosen = using(registry, names)
    except DeckError as error:
        raise UsageError(str(error)) from error
    files.save(path, chosen)
    for name in registry.in_use:
        if name not in chosen.in_use:
            print(f"take out {name} ({registry.decks[name].back} backs)")
    for name in chosen.in_use:
        print(f"{'stays' if name in registry.in_use else 'put in'} {name} ({registry.decks[name].back} backs)")
    return 0


def export(args: argparse.Namespace) -> int:
    registry = known_decks(load(args.config, TableConfig))
    for name in args.names:
        if name not in registry.decks:
            raise UsageError(f"there is no deck {name!r}; there are {', '.join(registry.decks)}")
    chosen = [registry.decks[name] for name in args.names or registry.decks]
    files.save(args.to, DeckRegistry(chosen))
    names = ", ".join(deck.name for deck in chosen)
    print(f"{args.to}: {names}; as secret as the cards, delete it when it is merged")
    return 0


def merge(args: argparse.Namespace) -> int:
    config = load(args.config, TableConfig)
    path = files.registry_path(config)
    registry, more = files.load(path, or_none=True), files.load(args.file)
    in_use = registry.in_use  # what comes is put aside
    try:
        together = merged(registry, more.decks.values())
    except DeckError as error:
        raise UsageError(f"{args.file}: {error}") from error
    files.save(path, using(together, in_use) if in_use else together)
    added = [name for name in together.decks if name not in registry.decks]
    print(f"{path}: {', '.join(together.decks)}" + (f"; new: {', '.join(added)}, put aside" if added else ""))
    return 0


def known_decks(config: TableConfig) -> DeckRegistry:
    """The table's registry, with what its own ledger knows of wear."""
    registry = files.load(files.registry_path(config))
    here = _worn_here(config)
    decks = [
        Deck(deck.name, deck.cards, deck.back, wear.merged(deck.worn, {config.table: here[deck.name]}))
        if deck.name in here
        else deck
        for deck in registry.decks.values()
    ]
    return DeckRegistry(decks, registry.in_use)


def _worn_here(config: TableConfig) -> dict[str, Worn]:
    path = Path(config.data) / f"table-{config.table}.ledger"
    if not path.exists():
        return {}
    try:
        ledger = Ledger.open(path, read_only=True)
    except LedgerError as error:
        raise UsageError(str(error)) from error
    try:
        return deck_wear.read(ledger.note(deck_wear.NOTE))
    finally:
        ledger.close()
