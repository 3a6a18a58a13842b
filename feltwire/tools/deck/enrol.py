"""`feltwire deck enrol`, `feltwire deck check`: a deck once through the shoe."""

from __future__ import annotations

import argparse

from feltwire.config import TableConfig, load
from feltwire.errors import UsageError
from feltwire.tools.deck import files
from feltwire.tools.deck.passing import Ended, Passed, Passing, Shown, Trouble
from feltwire.tools.deck.told import Told
from firmware_bridge.decks import Deck, DeckError, DeckRegistry
from firmware_bridge.decks.check import Check
from firmware_bridge.decks.enrolment import SIZE, Enrolment, enrolment
from firmware_bridge.decks.file import with_deck
from firmware_bridge.decks.order import NEW_DECK, cards_of
from firmware_bridge.reports import DeckMoved
from table_core.messages import CardText

SHOE_S = 20.0  # so long the shoe may take to answer
EXTRA_S = 1.5  # a card that comes behind the last one comes by then


def enrol(args: argparse.Namespace) -> int:
    """Raise `UsageError` for a deck, a table or a file that will not do."""
    config = load(args.config, TableConfig)
    path = files.registry_path(config)
    name, told = files.checked_name(args.name), Told(as_json=args.json)
    registry = files.load(path, or_none=True)
    if name in registry.decks and not args.again:
        raise UsageError(f"deck {name!r} is enrolled already; `feltwire deck check`, or --again to enrol it anew")
    order = _order(args, config)
    begun = files.draft_path(path, name)
    draft = files.open_draft(begun, name, args.back or "", order, again=args.again)
    others = DeckRegistry([deck for deck in registry.decks.values() if deck.name != name])
    process = enrolment(draft, others)
    with Passing(config, camera=not order) as passing:
        process.see(passing.wait_until_quiet(SHOE_S).cards, 0)
        for line in process.start():
            told.say(line)
        for happened in passing.happenings(args.idle):
            lines = _take(process, happened)
            if isinstance(happened, Passed):
                files.save_draft(begun, draft)
                passing.acknowledge(happened)
            elif isinstance(happened, Shown):
                files.save_draft(begun, draft)
            for line in lines:
                told.say(line, card=len(draft.tags), of=SIZE)
            if process.done or draft.spoilt or isinstance(happened, Ended):
                break
    if not process.done:
        why = process.end()
        told.result([f"{name} is not enrolled: {why}"], deck=name, enrolled=False, cards=len(draft.tags), why=why)
        return 1
    known = registry.decks.get(name)
    deck = Deck(name, draft.cards(), draft.back or (known.back if known is not None else name))
    try:
        files.save(path, with_deck(registry, deck))
    except DeckError as error:
        raise UsageError(str(error)) from error
    begun.unlink(missing_ok=True)
    told.result([f"{name} is enrolled: {SIZE} cards in {path}"], deck=name, enrolled=True, cards=SIZE, why="")
    return 0


def _order(args: argparse.Namespace, config: TableConfig) -> tuple[CardText, ...]:
    """Empty where the camera names the cards."""
    if not args.order and config.camera.source:
        return ()
    try:
        return cards_of(NEW_DECK if args.order in ("", "new-deck") else args.order)
    except DeckError as error:
        raise UsageError(f"--order: {error}") from error


def _take(process: Enrolment, happened: object) -> list[str]:
    match happened:
        case Passed(report=report):
            return process.take(report)
        case Shown(cards=cards, unread=unread):
            return process.see(cards, unread)
        case Trouble(words=words):
            return [words]
    return []


def check(args: argparse.Namespace) -> int:
    """Raise `UsageError` for a deck, a table or a file that will not do."""
    config = load(args.config, TableConfig)
    registry = files.load(files.registry_path(config))
    if args.name and args.name not in registry.decks:
        raise UsageError(f"there is no deck {args.name!r}; there are {', '.join(registry.decks)}")
    told, checked = Told(as_json=args.json), Check(registry, args.name or "")
    with Passing(config, camera=args.camera) as passing:
        checked.see(passing.wait_until_quiet(SHOE_S).cards)
        told.say("Draw every card of the deck, in any order. Press Enter behind the last one.")
        _pass(passing, checked, told, args.idle)
    found = checked.found()
    if not found.deck:
        lines = ["no card of an enrolled deck has passed: `feltwire deck enrol` teaches a new one"]
    else:
        lines = [f"{found.deck}: {line}" for line in found.words()] or [
            f"{found.deck}: all {SIZE} cards are there"
        ]
    right = bool(found.deck) and found.right
    told.result(lines, **(found._asdict() | {"right": right, "says": lines}))
    return 0 if right else 1


def _pass(passing: Passing, checked: Check, told: Told, idle_s: float) -> None:
    """The deck passes: until Enter, until nothing comes any more, or until it is whole and no further card
    comes."""
    wait_s = idle_s
    while True:
        for happened in passing.happenings(wait_s):
            match happened:
                case Passed(report=report):
                    checked.take(report)
                    passing.acknowledge(happened)
                    if not isinstance(report, DeckMoved):
                        told.say(f"{checked.passed} cards", card=checked.passed, of=SIZE)
                case Shown(cards=cards):
                    checked.see(cards)
                case Trouble(words=words):
                    told.say(words)
                case Ended():
                    return
            if checked.complete and wait_s != EXTRA_S:
                wait_s = EXTRA_S
                break
        else:
            return
