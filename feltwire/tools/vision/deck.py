"""`feltwire vision enrol --deck`: teaches the room's own deck from pictures of its cards."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from feltwire.errors import UsageError
from vision.annotate import annotate, boxes_of
from vision.cards.deck import DeckPrintsError
from vision.cards.enrol import DeckTeacher
from vision.cards.network import ModelError
from vision.pictures import open_picture, save_picture

MOST_PICTURES = 200


def enrol(files: Sequence[Path], args: argparse.Namespace) -> int:
    """Write the deck to `args.out`. Raise `UsageError` with what to show again where it is not whole."""
    if len(files) > MOST_PICTURES:
        raise UsageError(f"{len(files)} pictures: {MOST_PICTURES} are enough for a deck; name fewer")
    try:
        known, seen_in = DeckTeacher().enrol(open_picture(file) for file in files)
        if args.annotate:
            for file, seen in zip(files, seen_in, strict=True):
                save_picture(args.annotate / f"{file.stem}.jpg", annotate(open_picture(file), boxes_of(seen)))
        deck = known.whole()
        deck.save(args.out)
    except (DeckPrintsError, ModelError) as error:
        raise UsageError(str(error)) from error
    sure = len(deck.prints) - len(known.by_leaning)
    rest = f"; by what was left: {' '.join(known.by_leaning)}" if known.by_leaning else ""
    print(f"{args.out}: {len(deck.prints)} cards, {sure} read for certain{rest}")
    return 0
