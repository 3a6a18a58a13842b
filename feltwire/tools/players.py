"""`feltwire players`: a list of players checked, and written as the CSV that the station takes."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from feltwire.errors import UsageError
from feltwire.foreign_files import read_file, tell_assumed
from table_core.tournament.players_text import read_players, to_sheet
from table_core.tournament.sheet_text import to_csv
from table_core.tournament.tdt import TdtError, read_tdt

HELP = """Checks a list of players and writes it as CSV for the station (`import_players` on the tournament page).

FILE is CSV with a head line, or a tournament of The Tournament Director 3 (.tdt)."""
EXAMPLE = "feltwire players last-friday.tdt > players.csv"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", type=Path)


def run(args: argparse.Namespace) -> int:
    found = read_file(args.file)
    lost = ""
    try:
        if args.file.suffix.lower() == ".tdt":
            tournament = read_tdt(found.text)
            (listed, wrong), lost = tournament.listed(), tournament.lost()
        else:
            listed, wrong = read_players(found.text)
    except TdtError as error:
        raise UsageError(f"{args.file}: {error}") from error
    tell_assumed(args.file, found, table=args.file.suffix.lower() != ".tdt")
    if lost:
        print(f"{args.file}: not taken over: {lost}", file=sys.stderr)
    for fault in wrong:
        print(f"{args.file}: {fault}", file=sys.stderr)
    sys.stdout.write(to_csv(to_sheet(listed)))
    print(f"{len(listed)} players, {len(wrong)} lines left out", file=sys.stderr)
    return 1 if wrong else 0
