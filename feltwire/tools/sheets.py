"""`feltwire sheets`: the tournament that a station has recorded, as CSV or JSON, without the station."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from feltwire.errors import UsageError
from feltwire.ledger.store import LedgerError
from feltwire.ledger.tournament_ledger import TournamentLedger
from feltwire.station.players_store import names_in
from feltwire.station.tournament.pages.sheets import SHEETS, sheet_of
from table_core.tournament.decision import ConflictError
from table_core.tournament.night import Night
from table_core.tournament.sheet_text import to_csv, to_json

HELP = """Writes sheets of a tournament from a station's data folder: field, seats, busts, results, money, log.

Without a name it says which there are. Stacks are at the tables: the running station knows them."""
EXAMPLE = "feltwire sheets /var/lib/feltwire/station results > results.csv"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "folder", metavar="FOLDER", type=Path, help="with tournament.ledger, and players.db for names"
    )
    parser.add_argument("sheet", nargs="?", metavar="NAME", choices=[*SHEETS], help=", ".join(SHEETS))
    parser.add_argument("--json", action="store_true", help="a list of objects instead of CSV")


def run(args: argparse.Namespace) -> int:
    try:
        ledger = TournamentLedger.open(args.folder / "tournament.ledger", read_only=True)
        try:
            night = Night.replayed(ledger.records())
        finally:
            ledger.close()
        names = names_in(args.folder)
    except (LedgerError, ConflictError) as error:
        raise UsageError(str(error)) from error
    if args.sheet is None:
        for name in SHEETS:
            sheet = sheet_of(name, night, names, {})
            print(f"{name}: {len(sheet.rows) if sheet is not None else 0} lines")
        return 0
    sheet = sheet_of(args.sheet, night, names, {})
    if sheet is not None:
        sys.stdout.write(to_json(sheet).decode() + "\n" if args.json else to_csv(sheet))
    return 0
