"""`feltwire plan`: a blind schedule that suits the field, a schedule checked, players that a chip set is for."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from feltwire.errors import UsageError
from table_core.rulebook import RulebookError, load_rulebook
from table_core.tournament.chips.account import players_carried
from table_core.tournament.clock import ScheduleError
from table_core.tournament.policies import Tournament
from table_core.tournament.schedule import from_csv, suggested, to_csv

HELP = (
    "Plans a tournament: suggests a blind schedule as CSV, checks one, and counts how many players chips are for."
)
EXAMPLE = "feltwire plan --rulebook ccp --players 27 --stack 2000 --hours 4 --smallest-chip 25 > levels.csv"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--rulebook", default="base", metavar="ID", help="whose levels and breaks")
    parser.add_argument("--players", type=int, metavar="N")
    parser.add_argument("--stack", type=int, metavar="CHIPS", help="starting stack; default: the rulebook's")
    parser.add_argument("--hours", type=float, metavar="H", help="of play, without breaks")
    parser.add_argument("--minutes", type=float, metavar="M", help="of a level; default: the rulebook's")
    parser.add_argument("--smallest-chip", type=int, default=25, metavar="CHIPS")
    parser.add_argument("--check", type=Path, metavar="FILE", help="a schedule as CSV")
    parser.add_argument("--chips", nargs="+", metavar="VALUE=COUNT", help="the chips that there are")
    parser.add_argument(
        "--in-stack", nargs="+", metavar="VALUE=COUNT", help="of one stack; default: the rulebook's"
    )


def run(args: argparse.Namespace) -> int:
    try:
        tournament = load_rulebook(args.rulebook).tournament
        if args.check is not None:
            levels = from_csv(args.check.read_text())
            played = sum(not level.is_break for level in levels)
            print(f"{played} levels, {sum(level.minutes for level in levels):g} minutes with breaks")
        elif args.chips is not None:
            print(f"{players_carried(chip_counts(args.chips), _in_stack(args, tournament))} players")
        elif args.players is not None and args.hours is not None:
            levels = suggested(
                load_rulebook(args.rulebook),
                players=args.players,
                stack=_stack(args, tournament),
                hours=args.hours,
                smallest_chip=args.smallest_chip,
                minutes=args.minutes,
            )
            sys.stdout.write(to_csv(levels))
        else:
            raise UsageError("give --players and --hours for a schedule, --check FILE, or --chips VALUE=COUNT …")
    except (OSError, RulebookError, ScheduleError) as error:
        raise UsageError(f"{args.check or args.rulebook}: {error}") from error
    return 0


def _stack(args: argparse.Namespace, tournament: Tournament) -> int:
    rule = tournament.starting_stack
    if not args.stack and rule is None:
        raise UsageError(f"rulebook {args.rulebook} names no starting stack; give one: --stack 5000")
    return args.stack or (rule.value if rule is not None else 0)


def _in_stack(args: argparse.Namespace, tournament: Tournament) -> dict[int, int]:
    rule = tournament.starting_chips
    if not args.in_stack and rule is None:
        raise UsageError(f"rulebook {args.rulebook} names no chips of a stack; give them: --in-stack 25=8 100=8")
    return chip_counts(args.in_stack) if args.in_stack else dict(rule.value if rule is not None else ())


def chip_counts(words: list[str]) -> dict[int, int]:
    """`["25=8", "100=6"]`: how many of each value. Raise `UsageError`."""
    found = {}
    for word in words:
        value, equals, count = word.partition("=")
        if not (equals and value.isdecimal() and count.isdecimal()):
            raise UsageError(f"{word!r}: write the value and how many there are, 25=8")
        found[int(value)] = int(count)
    return found
