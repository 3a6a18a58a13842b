"""`feltwire deck`: the decks of tagged cards of a table and of a room."""

from __future__ import annotations

import argparse
from pathlib import Path

from feltwire.tools.deck import enrol, room
from firmware_bridge.decks.order import NEW_DECK

HELP = f"""The decks of tagged cards at a table.

enrol    teaches a deck: each card once through the shoe. The camera names each, in any order; without a camera, or
         with --order, the cards come in the order in which a new deck lies (runs, such as {NEW_DECK!r}).
         Interrupted, it goes on where it was. Stop the table's process first: one program has the shoe.
check    every card once through the shoe: what is missing, what does not belong
list     decks, where they are in use, how many hands each has dealt, cards whose tag did not answer
use      which decks lie at this table
rotate   puts in use, of each colour in use, the deck that has dealt least
export   decks into a file for another table
merge    the decks of such a file into this table's

A registry is as secret as the cards: its files are for their owner only. No tag is ever printed."""
EXAMPLE = "feltwire deck enrol --config /etc/feltwire/table-01/table.toml --name red-1 --back red"

IDLE_S = 120.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    commands = parser.add_subparsers(
        dest="what", required=True, metavar="enrol|check|list|use|rotate|export|merge"
    )
    enrolling = _command(commands, "enrol", "teach a deck")
    enrolling.add_argument("--name", required=True, help="such as red-1")
    enrolling.add_argument(
        "--back", default="", metavar="COLOUR", help="of its backs; its name where it is not set"
    )
    enrolling.add_argument(
        "--order", default="", metavar="new-deck|RUNS", help="without the camera, in this order"
    )
    enrolling.add_argument(
        "--again", action="store_true", help="from the first card, also of a deck that is known"
    )
    _passing(enrolling)
    checking = _command(commands, "check", "what is missing in a deck, and what does not belong")
    checking.add_argument("--name", default="", help="the deck; else the one of which most cards pass")
    checking.add_argument("--camera", action="store_true", help="lay each card down: the camera names it, too")
    _passing(checking)
    listing = _command(commands, "list", "decks and their wear")
    listing.add_argument("--json", action="store_true", help="a deck a line")
    using = _command(commands, "use", "which decks lie at this table")
    using.add_argument("names", nargs="+", metavar="NAME")
    _command(commands, "rotate", "decks that have dealt less in place of those in use")
    exporting = _command(commands, "export", "decks into a file for another table")
    exporting.add_argument("names", nargs="*", metavar="NAME", help="which; all where none is named")
    exporting.add_argument("--to", required=True, type=Path, metavar="FILE")
    merging = _command(commands, "merge", "the decks of a file into this table's")
    merging.add_argument("file", type=Path, metavar="FILE")


def _command(commands: argparse._SubParsersAction, name: str, help_: str) -> argparse.ArgumentParser:  # type: ignore[type-arg]
    parser: argparse.ArgumentParser = commands.add_parser(name, help=help_)
    parser.add_argument("--config", required=True, metavar="FILE", help="the table's configuration")
    return parser


def _passing(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--idle", type=float, default=IDLE_S, metavar="S", help="end when nothing comes for so long"
    )
    parser.add_argument("--json", action="store_true", help="one object a line")


def run(args: argparse.Namespace) -> int:
    """Raise `UsageError` for a table, a deck or a file that will not do."""
    run_one = {
        "enrol": enrol.enrol,
        "check": enrol.check,
        "list": room.listed,
        "use": room.use,
        "rotate": room.rotate,
        "export": room.export,
        "merge": room.merge,
    }[args.what]
    return run_one(args)
