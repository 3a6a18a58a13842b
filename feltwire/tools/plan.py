"""`feltwire plan`: a blind schedule that suits the field or follows a template, a schedule checked or written in
the other form, players that a chip set is for."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from datetime import date
from pathlib import Path

from feltwire.errors import UsageError
from feltwire.foreign_files import read_file, tell_assumed
from feltwire.rulebooks import rulebook_named
from feltwire.time_zone import day_of, zone_named
from table_core.messages import Chips, Level
from table_core.rulebook import RulebookError
from table_core.tournament.chips.account import players_carried
from table_core.tournament.chips.handout import OwnChips, handout
from table_core.tournament.clock import ScheduleError
from table_core.tournament.local_day import PLAIN_DAY, LocalDay, time_of_day, times_said
from table_core.tournament.policies import Tournament
from table_core.tournament.schedule import (
    TEMPLATES,
    by_book,
    doubling,
    ladder,
    suggested,
    with_breaks,
    with_colour_ups,
)
from table_core.tournament.schedule_text import find_schedule, to_csv, to_toml

HELP = (
    "Plans a tournament: suggests a blind schedule as CSV or TOML, checks one, and counts how many players chips "
    "are for."
)
EXAMPLE = "feltwire plan --rulebook ccp --players 27 --stack 2000 --hours 4 --smallest-chip 25 > levels.csv"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--rulebook", default="base", metavar="ID", help="whose levels and breaks; a file of your own too"
    )
    parser.add_argument("--players", type=int, metavar="N", help="entrants that are expected")
    parser.add_argument("--stack", type=int, metavar="CHIPS", help="starting stack; default: the rulebook's")
    parser.add_argument("--hours", type=float, metavar="H", help="of play, without breaks")
    parser.add_argument("--minutes", type=float, metavar="M", help="of a level; default: the rulebook's")
    parser.add_argument("--smallest-chip", type=int, default=25, metavar="CHIPS", help="of a stack; default: 25")
    parser.add_argument("--template", choices=sorted(TEMPLATES), help="levels of usual lengths and steps")
    parser.add_argument("--doubling", metavar="5/10/1", help="blinds and ante that double, in the book's time")
    parser.add_argument("--levels", type=int, default=12, metavar="N", help="how many; default: 12")
    parser.add_argument("--starts", metavar="19:30", help="time of day, for the book's meals")
    parser.add_argument("--day", metavar="2026-11-01", help="of the event, where clocks may change")
    parser.add_argument("--zone", metavar="America/New_York", help="whose clocks; with --day")
    parser.add_argument(
        "--colour-up", nargs="+", type=int, metavar="VALUE", help="chips in play: what leaves when"
    )
    parser.add_argument("--toml", action="store_true", help="TOML, as in a station's configuration")
    parser.add_argument(
        "--check", type=Path, metavar="FILE", help="a schedule as CSV or TOML, also of another program, or .tdt"
    )
    parser.add_argument("--convert", type=Path, metavar="FILE", help="write this schedule as CSV, or TOML")
    parser.add_argument("--chips", nargs="+", metavar="VALUE=COUNT", help="the chips that there are")
    parser.add_argument("--rebuys", type=int, default=0, metavar="N", help="stacks more that the chips are for")
    parser.add_argument(
        "--in-stack", nargs="+", metavar="VALUE=COUNT", help="of one stack; default: the rulebook's"
    )


def run(args: argparse.Namespace) -> int:
    try:
        tournament = rulebook_named(args.rulebook).tournament
        if args.check is not None:
            levels = _read(args.check)
            played = sum(not level.is_break for level in levels)
            print(f"{played} levels, {sum(level.minutes for level in levels):g} minutes with breaks")
        elif args.chips is not None:
            print("\n".join(_chips_said(args, tournament)))
        elif args.convert is not None:
            _print(_read(args.convert), args)
        elif args.template is not None:
            book = rulebook_named(args.rulebook)
            blinds = ladder(book, args.levels, smallest_chip=args.smallest_chip)
            length = args.minutes or TEMPLATES[args.template]
            _print(by_book(book, blinds, starts=_starts(args), day=_day(args), minutes=length, runs_on=True), args)
        elif args.doubling is not None:
            book = rulebook_named(args.rulebook)
            levels = doubling(book, _blinds(args.doubling), args.levels)
            _print(with_breaks(book.tournament, levels, starts=_starts(args), day=_day(args), runs_on=True), args)
        elif args.players is not None and args.hours is not None:
            levels = suggested(
                rulebook_named(args.rulebook),
                players=args.players,
                stack=_stack(args, tournament),
                hours=args.hours,
                smallest_chip=args.smallest_chip,
                minutes=args.minutes,
                starts=_starts(args),
                day=_day(args),
            )
            _print(levels, args)
            print(_said(levels, args.players * _stack(args, tournament)), file=sys.stderr)
        else:
            raise UsageError(
                "give --players and --hours or --template for a schedule, --check FILE, --convert FILE, "
                "or --chips VALUE=COUNT …"
            )
    except RulebookError as error:
        raise UsageError(str(error)) from error
    except ScheduleError as error:
        file = args.check or args.convert
        raise UsageError(f"{file}: {error}" if file is not None else str(error)) from error
    return 0


def _read(path: Path) -> tuple[Level, ...]:
    found = read_file(path)
    schedule = find_schedule(found.text)
    tell_assumed(path, found, table=path.suffix.lower() not in (".toml", ".tdt"))
    if schedule.unread:
        print(f"{path}: not taken over: {', '.join(schedule.unread)}", file=sys.stderr)
    return schedule.levels


def _blinds(text: str) -> Level:
    """`5/10`, with an ante `5/10/1`."""
    parts = text.split("/")
    if not 2 <= len(parts) <= 3 or not all(part.isdecimal() for part in parts):
        raise UsageError(f"--doubling {text}: write blinds, with an ante 5/10/1")
    small, big, ante = (int(part) for part in (*parts, "0")[:3])
    return Level(1, Chips(small), Chips(big), Chips(ante))


def _print(levels: tuple[Level, ...], args: argparse.Namespace) -> None:
    levels = with_colour_ups(levels, args.colour_up) if args.colour_up else levels
    sys.stdout.write(to_toml(levels) if args.toml else to_csv(levels))


def _said(levels: tuple[Level, ...], chips: int) -> str:
    """The schedule in a sentence, beside the file."""
    hours, minutes = divmod(round(sum(level.minutes for level in levels)), 60)
    blinds = [level.big_blind for level in levels if not level.is_break]
    worth = f"{chips:,} chips are {chips // blinds[-1]} big blinds in the last level"
    return f"{len(blinds)} levels, {hours}:{minutes:02} with breaks; {worth}"


def _starts(args: argparse.Namespace) -> float | None:
    """Minutes since midnight: as given, or the rulebook's."""
    book = rulebook_named(args.rulebook).tournament.start_time
    said = args.starts or (book.value if book is not None else "")
    if args.starts and time_of_day(args.starts) is None:
        raise UsageError(f"--starts {args.starts}: write a time of day, 19:30")
    return time_of_day(said)


def _day(args: argparse.Namespace) -> LocalDay:
    """The day by the clocks of the zone; without a date or a zone their clocks do not change."""
    if not (args.day and args.zone):
        if args.day or args.zone:
            raise UsageError("give --day and --zone together: --day 2026-11-01 --zone America/New_York")
        return PLAIN_DAY
    try:
        day = day_of(date.fromisoformat(args.day), zone_named(args.zone))
    except ValueError as error:
        raise UsageError(f"--day {args.day} --zone {args.zone}: {error}") from None
    book = rulebook_named(args.rulebook)
    if said := " ".join(filter(None, (times_said(book, day), day.said(args.starts or "")))):
        print(said, file=sys.stderr)
    return day


def _stack(args: argparse.Namespace, tournament: Tournament) -> int:
    rule = tournament.starting_stack
    if not args.stack and rule is None:
        raise UsageError(f"rulebook {args.rulebook} names no starting stack; give one: --stack 5000")
    return args.stack or (rule.value if rule is not None else 0)


def _chips_said(args: argparse.Namespace, tournament: Tournament) -> Iterator[str]:
    """For how many players the chips are; with `--players`, what a stack is made of and how many are needed."""
    there = chip_counts(args.chips)
    if args.players is None:
        yield f"{players_carried(there, _in_stack(args, tournament))} players"
        return
    made = handout(
        tuple(OwnChips("", value, count) for value, count in there.items()),
        stack=_stack(args, tournament),
        players=args.players,
        rebuys=args.rebuys,
        made_of=chip_counts(args.in_stack) if args.in_stack else None,
    )
    yield from made.says
    for one in made.lines:
        yield f"{one.value:>7,}: {one.each:>3} a stack, {one.needed:>5} needed, {one.left:>5} left"


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
