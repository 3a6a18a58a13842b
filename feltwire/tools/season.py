"""`feltwire season`: the standing of a league's season and who plays its final, from the results of its events."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from msgspec.structs import replace

from feltwire.errors import UsageError
from feltwire.foreign_files import read_file, tell_assumed
from feltwire.ledger.season_file import SeasonFile
from feltwire.ledger.store import LedgerError
from feltwire.ledger.tournament_ledger import TournamentLedger
from feltwire.rulebooks import rulebook_named
from feltwire.station.players_store import names_in
from feltwire.station.tournament.season import AddResult, season_sheet, with_result
from feltwire.station.tournament.words import named
from table_core.messages import Refusal
from table_core.people.names import Likeness
from table_core.people.register import ByName
from table_core.rulebook import Rulebook, RulebookError
from table_core.tournament.decision import ConflictError
from table_core.tournament.money.final_field import How, final_field
from table_core.tournament.money.league import (
    EventResult,
    Finisher,
    Season,
    counts,
    events_of,
    final_pool,
    in_season,
    standing,
)
from table_core.tournament.night import Night
from table_core.tournament.sheet_text import to_csv, to_json
from table_core.tournament.tdt import TdtError, read_tdt

_HOW = {How.WINNER: "a winner", How.SCORE: "by score"}
HELP = """Keeps a season's results in a file, one event a line, and shows standing and final field.

`--add` writes the result of a tournament that a station has recorded into the file."""
EXAMPLE = "feltwire season season.jsonl --rulebook rpl --points 100 70 50 30 20 10"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", type=Path, help="the season's results")
    parser.add_argument(
        "--rulebook", default="base", metavar="ID", help="whose points and final; a file of your own too"
    )
    parser.add_argument(
        "--points", nargs="+", type=int, default=[], metavar="N", help="by place, first place first"
    )
    parser.add_argument("--declined", nargs="+", default=[], metavar="PLAYER", help="who does not play the final")
    parser.add_argument(
        "--add",
        type=Path,
        metavar="LEDGER",
        help="a station's tournament.ledger, or a file of Tournament Director 3 (.tdt)",
    )
    parser.add_argument(
        "--form", choices=["text", "csv", "json"], default="text", help="csv, json: the standing alone"
    )
    parser.add_argument("--names", metavar="FOLDER", type=Path, help="of the station, with the players' names")
    parser.add_argument(
        "--last-chance", action="store_true", help="with --add: the event for the final's last seat"
    )
    parser.add_argument(
        "--same",
        action="append",
        nargs=2,
        default=[],
        metavar=("NAME", "ID"),
        help="with --add of a .tdt: a player of it is this one of the season",
    )
    parser.add_argument(
        "--another",
        action="append",
        default=[],
        metavar="NAME",
        help="with --add of a .tdt: a player of it is nobody of the season",
    )
    parser.add_argument("--event", metavar="NAME", help="the event's name, with --add; default: the tournament's")


def run(args: argparse.Namespace) -> int:
    try:
        book = rulebook_named(args.rulebook)
        if args.add is not None:
            return _add(args, book)
    except (ConflictError, LedgerError, RulebookError) as error:
        raise UsageError(str(error)) from error
    rule = book.tournament.points_by_place
    points = tuple(args.points) or (rule.value if rule is not None else ())
    if not points:
        raise UsageError(f"rulebook {book.id} names no points; give them by place: --points 100 70 50")
    if not args.file.exists():
        raise UsageError(f"{args.file}: there is no season yet; write its first event: --add LEDGER")
    season, names = Season(_results(args.file), points, book), _names(args.names)
    if args.form == "text":
        print("\n".join(_lines(season, args.declined, names)))
        return 0
    sheet = season_sheet("season", season, names)
    assert sheet is not None
    print(to_csv(sheet) if args.form == "csv" else to_json(sheet).decode(), end="" if args.form == "csv" else "\n")
    return 0


def _results(path: Path) -> tuple[EventResult, ...]:
    try:
        return in_season(_whole(path).results)
    except LedgerError as error:
        raise UsageError(str(error)) from error


def _whole(path: Path) -> SeasonFile:
    """A standing that lacks an event is none. Raise `LedgerError`."""
    season = SeasonFile(path, read_only=True)
    if season.unread.words:
        raise LedgerError(f"{path.parent}/{season.unread.words[0]} Each line is one event, as --add writes it")
    return season


def _names(folder: Path | None) -> dict[str, str]:
    try:
        return names_in(folder) if folder is not None else {}
    except LedgerError as error:
        raise UsageError(str(error)) from error


def _add(args: argparse.Namespace, book: Rulebook) -> int:
    path: Path = args.file
    ledger: Path = args.add
    season = _whole(path)
    if ledger.suffix.lower() == ".tdt":
        result = _of_tdt(ledger, args.event or "")
        played = (one.player for event in season.results for one in event.finishers)
        known = {player: player for player in played} | _names(args.names)
        return _append(season, path, _with_ids(result, known, args))
    records = TournamentLedger.open(ledger, read_only=True)
    try:
        night = Night.replayed(records.records())
    finally:
        records.close()
    wanted = AddResult(args.event or "", args.last_chance)
    changed = with_result(season.results, wanted, night.state, book)
    if isinstance(changed, Refusal):
        raise UsageError(f"{ledger}: {changed.reason}")
    return _append(season, path, changed[-1])


def _of_tdt(path: Path, event: str) -> EventResult:
    found = read_file(path)
    try:
        tournament = read_tdt(found.text)
        result = tournament.result(event)
    except TdtError as error:
        raise UsageError(f"{path}: {error}") from error
    tell_assumed(path, found)
    lost = "; ".join(filter(None, ("entries and prizes, which a season does not keep", tournament.lost())))
    print(f"{path}: not taken over: {lost}", file=sys.stderr)
    return result


def _with_ids(result: EventResult, known: Mapping[str, str], args: argparse.Namespace) -> EventResult:
    """The result with the ids of the season where names are equal; of who is perhaps in it a person says so."""
    people, same = ByName(known), dict(args.same)
    if strange := next((player for player in same.values() if player not in known), None):
        raise UsageError(f"--same: {strange} is nobody of the season")
    finishers: list[Finisher] = []
    for one in result.finishers:
        alike = () if one.player in {*same, *args.another} else people.alike(one.player)
        equal = [who.player for who in alike if who.likeness is Likeness.EQUAL]
        if alike and len(equal) != 1:
            who = "; ".join(f"{known[other.player]} ({other.player})" for other in alike)
            way = f"--same {one.player!r} ID, or --another {one.player!r}"
            raise UsageError(f"{args.add}: {one.player} is perhaps {who} of the season: say {way}")
        finishers.append(replace(one, player=same.get(one.player, equal[0] if equal else one.player)))
    twice, places = Counter(one.player for one in finishers).most_common(1)[0]
    if places > 1:
        raise UsageError(f"{args.add}: two of its players are {twice} of the season: rename one in it")
    return replace(result, finishers=tuple(finishers))


def _append(season: SeasonFile, path: Path, result: EventResult) -> int:
    if any(known.event == result.event for known in in_season(season.results)):
        raise UsageError(f"{path}: has an event {result.event!r} already; name this one: --event")
    season.keep((*season.results, result))
    print(f"{result.event}: {result.entrants} entrants, won by {result.finishers[0].player}")
    return 0


def _lines(season: Season, declined: list[str], names: Mapping[str, str]) -> list[str]:
    scores = standing(season)
    few = {True: "", False: ", too few for points"}
    lines = [
        f"{result.event}: {result.entrants} entrants{few[counts(result, season.rulebook)]}"
        for result in events_of(season)
    ]
    lines += [
        f"{one.rank:3} {named(one.player, names)}: {one.points} points, {one.events} events, {one.wins} won"
        for one in scores
    ]
    if pool := final_pool(season):
        lines.append(f"For the final: {pool / 100:,.2f}")
    if season.rulebook.tournament.final_event_provisional_seats is None:
        return lines
    found = final_field(season, declined)
    last = season.rulebook.tournament.final_event_last_chance_seat
    lines.append("Final:")
    for one in found:
        who = named(one.player, names)
        if one.how in (How.WINNER, How.SCORE):
            lines.append(f"{one.seat or 'seat to be drawn'} {who}, {_HOW[one.how]}")
        elif one.how is How.LAST_CHANCE and last is not None:
            return [*lines, f"seat to be drawn {who}, entrant {last.value}: the last chance"]
    chance = [named(one.player, names) for one in found if one.how is How.MAY_PLAY_LAST_CHANCE]
    return [*lines, f"Last chance: {', '.join(chance) or 'nobody'}"]
