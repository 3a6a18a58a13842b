"""`python -m tests.mutation`: draw mutants of the hand engine, try each, and say which no test noticed.

No file is changed: a mutant lives in the memory of one forked process. Results go to a file line by line, so that
a run can be stopped at any time, go on later with `--resume`, and be split with `--shard`.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from feltwire.tools.shard import shard
from tests.mutation.mutants import Mutant, sample
from tests.mutation.trial import Outcome, attempt, module_of, preload

ROOT = Path(__file__).parent.parent.parent
PACKAGE = "table_core/hand"
# Fast ones that say most about the engine come first: the first failure ends a trial.
TESTS = (
    "tests/table_core/hand/test_betting.py",
    "tests/table_core/hand/test_showdown.py",
    "tests/table_core/hand/test_button.py",
    "tests/table_core/rules",
    "tests/table_core/hand/test_pots.py",
    "tests/table_core/hand/test_fuzz.py",
    "tests/table_core/hand/test_properties.py",
    "tests/table_core/hand/test_reports.py",
    "tests/table_core/hand/test_rulebooks.py",
    "tests/table_core/hand/test_survivors.py",
    "tests/table_core/hand/test_survivors_reported.py",
    "tests/table_core/hand/test_survivors_rulings.py",
)
EQUIVALENT = Path(__file__).with_name("equivalent.toml")


class Trial(msgspec.Struct, frozen=True):
    """A line of the result file."""

    mutant: Mutant
    outcome: Outcome


class Judged(msgspec.Struct, frozen=True):
    """A survivor that was looked at: no test could notice it, or none needs to."""

    file: str
    before: str
    after: str
    why: str
    within: str = ""  # the function, where another one has the same line


def main() -> int:
    options = _options()
    drawn, places = sample(ROOT, PACKAGE, options.seed, options.limit, options.only)
    part, parts = options.shard
    mutants = drawn[part - 1 :: parts]
    known = _read(options.results) if options.resume else {}
    if options.again:
        known = {mutant: outcome for mutant, outcome in known.items() if outcome is not Outcome.SURVIVED}
    if not options.report:
        preload("table_core.hand")
        _try_all([mutant for mutant in mutants if mutant not in known], options, known)
    _report(mutants, f"{places} places in {PACKAGE}: {' '.join(options.only)}", known)
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m tests.mutation", description=__doc__)
    parser.add_argument("--limit", type=int, default=360, help="mutants to draw; 0 for one at every place")
    parser.add_argument("--seed", type=int, default=3, help="of the draw")
    parser.add_argument(
        "--only", nargs="+", default=["*.py"], metavar="FILE", help="modules to draw from: betting.py ..."
    )
    parser.add_argument("--shard", type=shard, default=(1, 1), metavar="I/N", help="the I-th of N parts")
    parser.add_argument("--examples", type=int, default=25, help="Hypothesis examples a test, if it sets none")
    parser.add_argument("--seconds", type=int, default=60, help="processor time a mutant may take")
    parser.add_argument("--results", type=Path, default=ROOT / "var" / "mutation.jsonl")
    parser.add_argument("--resume", action="store_true", help="keep the results of the file that still stand")
    parser.add_argument("--again", action="store_true", help="with --resume: try survivors again, by new tests")
    parser.add_argument("--report", action="store_true", help="with --resume: only say what the file holds")
    options = parser.parse_args()
    options.limit = options.limit or None
    return options


def _read(results: Path) -> dict[Mutant, Outcome]:
    lines = results.read_bytes().splitlines() if results.exists() else []
    trials = [msgspec.json.decode(line, type=Trial) for line in lines]
    return {trial.mutant: trial.outcome for trial in trials}


def _try_all(mutants: Sequence[Mutant], options: argparse.Namespace, known: dict[Mutant, Outcome]) -> None:
    """Try each mutant and add its outcome to `known` and to the file. Exit when the tests fail by themselves."""
    tests = [str(ROOT / test) for test in TESTS]
    if attempt("", None, tests, options.examples, options.seconds) is not Outcome.SURVIVED:
        sys.exit("the tests fail without any mutant: run them, then this again")
    options.results.parent.mkdir(parents=True, exist_ok=True)
    with options.results.open("ab" if options.resume else "wb") as file:
        for number, mutant in enumerate(mutants, 1):
            outcome = attempt(module_of(mutant.path), mutant.code(ROOT), tests, options.examples, options.seconds)
            known[mutant] = outcome
            file.write(msgspec.json.encode(Trial(mutant, outcome)) + b"\n")
            file.flush()
            print(f"{number}/{len(mutants)} {mutant.path}:{mutant.line} {mutant.operator}: {outcome}", flush=True)


def _report(mutants: Sequence[Mutant], drawn_from: str, known: Mapping[Mutant, Outcome]) -> None:
    tried = [mutant for mutant in mutants if mutant in known]
    survivors = [mutant for mutant in tried if known[mutant] is Outcome.SURVIVED]
    judged = {(entry.file, entry.within, entry.before, entry.after): entry.why for entry in _equivalent()}
    reasons = {mutant: _reason(mutant, judged) for mutant in survivors}
    for mutant, why in reasons.items():
        before, after = mutant.change(ROOT)
        print(f"\n{mutant.path}:{mutant.line} {mutant.operator}{' – judged: ' + why if why else ''}")
        print(f"  - {before}\n  + {after}")
    equivalent = sum(1 for why in reasons.values() if why)
    killed = len(tried) - len(survivors)
    ran_on = sum(1 for mutant in tried if known[mutant] is Outcome.RAN_ON)
    print(f"\n{len(tried)} of {len(mutants)} mutants tried; {drawn_from}")
    print(f"killed: {killed} ({ran_on} ran on), {_share(killed, len(tried))}")
    print(f"survivors judged: {equivalent}; without them {_share(killed, len(tried) - equivalent)}")
    print(f"survivors to look at: {len(survivors) - equivalent}")


def _reason(mutant: Mutant, judged: Mapping[tuple[str, str, str, str], str]) -> str:
    """Why a survivor needs no test; nothing when nobody has said so."""
    file, change = str(Path(mutant.path).relative_to(PACKAGE)), mutant.change(ROOT)
    return judged.get((file, "", *change)) or judged.get((file, mutant.function(ROOT), *change), "")


def _equivalent() -> list[Judged]:
    return msgspec.toml.decode(EQUIVALENT.read_bytes(), type=dict[str, list[Judged]]).get("mutant", [])


def _share(part: int, whole: int) -> str:
    """A share with its 95% interval (Wilson)."""
    if not whole:
        return "none"
    z, share = 1.96, part / whole
    middle = (share + z * z / (2 * whole)) / (1 + z * z / whole)
    reach = z * math.sqrt(share * (1 - share) / whole + z * z / (4 * whole * whole)) / (1 + z * z / whole)
    return f"{share:.1%} ({middle - reach:.1%} to {middle + reach:.1%})"


if __name__ == "__main__":
    sys.exit(main())
