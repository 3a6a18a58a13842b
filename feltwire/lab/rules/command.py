"""`feltwire rules`: the rule catalogue: each rule's text, how the software handles it, which tests show it."""

from __future__ import annotations

import argparse
import difflib
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from pathlib import Path

import msgspec

from feltwire.errors import UsageError
from feltwire.lab.rules.proof import Proof, ProofVerdict, Prover, read_report
from feltwire.lab.rules.tests import Citation, citing_tests, door_tests, tools_are_missing
from feltwire.tools.shard import shard, within
from table_core.catalogue import HANDLING_IN_WORDS, Handling, RuleRow, catalogue, find_rule
from table_core.reference import in_words, settings_of
from table_core.rule_search import search
from table_core.rulebook import BASE, load_rulebook, rulebook_ids

HELP = "The rule reference: search it, see how each rule is handled and which tests show it, prove those tests."
EXAMPLE = "feltwire rules --search 'odd chip' --profile wfp"

AT_TABLE = (Handling.ENGINE, Handling.SENSOR, Handling.RULING)
CALLED_CLOCK = ("clock-called", "dead-hand")  # and these topics of the clock: the one called on a player
REPORT = Path("var/rules-proof.jsonl")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", nargs="?", metavar="ID", help="one rule, such as wfp.nolimit.4")
    parser.add_argument("--profile", metavar="P", help="rules of one rulebook (base: TDA 2024)")
    parser.add_argument("--search", metavar="TEXT", default="", help="rules about this, in the words of a table")
    parser.add_argument("--handling", choices=[*Handling], help="rules that this part sees to")
    parser.add_argument(
        "--coverage", action="store_true", help="how many rules a test shows at a door; exit 1 where one is not"
    )
    parser.add_argument("--prove", action="store_true", help="alter each of these rules: do its tests notice?")
    parser.add_argument("--shard", metavar="I/N", type=shard, default=(1, 1), help="prove every Nth rule only")
    parser.add_argument("--limit", metavar="N", type=int, help="prove at most so many rules in this run")
    parser.add_argument("--resume", action="store_true", help="go on from the report of an earlier proof")
    parser.add_argument(
        "--report", metavar="FILE", type=Path, default=REPORT, help=f"the proof's lines ({REPORT})"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object a line on stdout")


def run(args: argparse.Namespace) -> int:
    rows = _selected(args)
    if args.prove:
        return _prove(args, rows)
    missing = "" if args.coverage else tools_are_missing()
    tests = {} if missing else citing_tests()
    show = _print_whole if args.id and not args.json else _print_line
    for row in rows:
        show(row, None if missing else tests.get(row.id, []), as_json=args.json)
    if args.coverage:
        return _coverage(rows, tests)
    if missing:
        print(f"Which tests show them is not known: {missing}.", file=sys.stderr)
    if not args.json and not args.id:
        print(f"{len(rows)} rules", file=sys.stderr)
    return 0


def of_the_table(row: RuleRow) -> bool:
    """The table itself sees to the rule."""
    return row.handling in AT_TABLE or (row.handling is Handling.CLOCK and row.topic in CALLED_CLOCK)


def _selected(args: argparse.Namespace) -> tuple[RuleRow, ...]:
    if args.id is not None:
        row = find_rule(args.id)
        if row is None:
            raise UsageError(f"no rule {args.id!r}{_near(args.id)}; `feltwire rules --search TEXT` finds one")
        return (row,)
    rows = catalogue()
    if args.profile is not None:
        profiles = sorted({row.profile for row in rows})
        if args.profile not in profiles:
            raise UsageError(f"no profile {args.profile!r}; there are: {', '.join(profiles)}")
        rows = tuple(row for row in rows if row.profile == args.profile)
    if args.handling is not None:
        rows = tuple(row for row in rows if row.handling == args.handling)
    return search(args.search, rows)


def _near(rule_id: str) -> str:
    close = difflib.get_close_matches(rule_id, [row.id for row in catalogue()], n=3)
    return f"; there are {', '.join(close)}" if close else ""


def _coverage(rows: Sequence[RuleRow], tests: Mapping[str, list[Citation]]) -> int:
    found = {row.id: _status(tests.get(row.id, [])) for row in rows}
    print(coverage_line(rows, found), file=sys.stderr)
    return 0 if set(found.values()) <= {CoverageStatus.SHOWN} else 1


def coverage_line(rows: Sequence[RuleRow], found: Mapping[str, CoverageStatus]) -> str:
    """The last line: rules of the books that are shown, by handling; TDA 2024, which stands behind them, apart."""
    shown = {rule for rule, status in found.items() if status is CoverageStatus.SHOWN}
    of_books = [row for row in rows if row.profile != BASE]
    parts = [(str(handling), [row for row in of_books if row.handling is handling]) for handling in Handling]
    parts.append(("TDA 2024", [row for row in rows if row.profile == BASE]))
    said = [f"{name} {sum(row.id in shown for row in part)} of {len(part)}" for name, part in parts if part]
    only = sum(status is CoverageStatus.FUNCTION_ONLY for status in found.values())
    total = sum(row.id in shown for row in of_books)
    return f"{total} of {len(of_books)} rules are shown at a door: {', '.join(said)}; of {only} only a function"


# ------------------------------------------------------------------------------------------------ proof


def _prove(args: argparse.Namespace, rows: Sequence[RuleRow]) -> int:
    """Run the tests of each rule with the rule altered."""
    part, parts = args.shard
    known = read_report(args.report) if args.resume else {}
    mine = within(rows[part - 1 :: parts], lambda row: row.id in known, args.limit)
    print(f"proving {len(mine)} rules, report {args.report}", file=sys.stderr)
    doors = door_tests()
    proving = Prover(doors, citing_tests()).prove(mine, args.report, resume=args.resume)
    proofs = list(_printed(proving, args.json))
    print(summary(proofs), file=sys.stderr)
    fine = (ProofVerdict.PROVEN, ProofVerdict.WAITS)
    return 0 if all(proof.status in fine for proof in proofs) else 1


def summary(proofs: Sequence[Proof]) -> str:
    """The last line of a proof: how many rules of those that tests show, and what waits."""
    waits = [proof.id for proof in proofs if proof.status is ProofVerdict.WAITS]
    due = [proof for proof in proofs if proof.status is not ProofVerdict.WAITS]
    proven = sum(proof.status is ProofVerdict.PROVEN for proof in due)
    tried = [tried for proof in due for tried in proof.altered if not tried.same]
    same = sum(bool(tried.same) for proof in due for tried in proof.altered)
    noticed = sum(one.noticed for one in tried)
    line = f"{proven} of {len(due)} rules proven; {noticed} of {len(tried)} alterations noticed"
    line += f"; {same} more change nothing, with reasons" if same else ""
    return f"{line}; {len(waits)} wait: {', '.join(waits)}" if waits else line


def _printed(proofs: Iterator[Proof], as_json: bool) -> Iterator[Proof]:
    for proof in proofs:
        if as_json:
            print(msgspec.json.encode(proof).decode(), flush=True)
        else:
            _print_proof(proof)
        yield proof


def _print_proof(proof: Proof) -> None:
    print(f"{proof.status:<18} {proof.id}")
    if proof.why:
        print(f"                   {proof.why}")
    for tried in proof.altered:
        if tried.same:
            print(f"                   no different: {tried.what} ({tried.same})")
        elif not tried.noticed:
            print(f"                   not noticed: {tried.what}{f' ({tried.why})' if tried.why else ''}")


# ----------------------------------------------------------------------------------------------- output
# `tests` is None where nobody can say which they are.


class CoverageStatus(StrEnum):
    """What is known of a rule's tests."""

    SHOWN = "shown"  # a test passes the door of a process
    FUNCTION_ONLY = "function only"  # its tests call the hand engine, or a function that no process calls
    NOT_SHOWN = "not shown"  # there is none
    UNKNOWN = "unknown"


def _status(tests: Sequence[Citation] | None) -> CoverageStatus:
    if tests is None:
        return CoverageStatus.UNKNOWN
    if not tests:
        return CoverageStatus.NOT_SHOWN
    return CoverageStatus.SHOWN if any(cited.at_door for cited in tests) else CoverageStatus.FUNCTION_ONLY


def _print_line(row: RuleRow, tests: list[Citation] | None, *, as_json: bool) -> None:
    if as_json:
        ids = None if tests is None else [cited.test for cited in tests]
        fields = {"id": row.id, "handling": row.handling, "topic": row.topic, "tests": ids}
        print(json.dumps({**fields, "status": _status(tests)}))
    else:
        print(f"{row.id:<22} {row.handling:<9} {_status(tests):<13} {row.statement}")


def _print_whole(row: RuleRow, tests: list[Citation] | None, *, as_json: bool) -> None:
    """Everything about one rule."""
    del as_json
    print(f"{row.id}: {row.statement}")
    print(f"  source     {row.profile}, {row.source}; topic {row.topic}")
    print(f"  handled by {row.handling}: {HANDLING_IN_WORDS[row.handling]}")
    print(f"  needs      {', '.join(row.inputs)}")
    print(f"  expected   {row.expected}")
    for book_id in rulebook_ids():
        for setting in settings_of(row.id, load_rulebook(book_id)):
            print(f"  sets       {setting.parameter}: {in_words(setting.value)} ({book_id})")
    for cited in tests or ():
        only = "" if cited.at_door else f" (function only{': ' * bool(cited.function_only)}{cited.function_only})"
        print(f"  shown by   {cited.test}{only}")
    if tests == []:
        print("  shown by   no test")
