"""`feltwire scenario`: plays a situation at a table, written in lines that a director can read, and checks it."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from feltwire.errors import UsageError
from feltwire.lab.scenario.devices import variants
from feltwire.lab.scenario.file import Scenario, read_scenario
from feltwire.lab.scenario.play import StepDone, jsonable, play

HELP = "Plays scenarios: a rulebook, seats and stacks, then what happens at the table, with what must follow."
EXAMPLE = "feltwire scenario tests/scenarios/wfp/burn-double-turn.txt"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", metavar="FILE", type=Path, help="scenario files, or folders of them")
    parser.add_argument("--rulebook", metavar="ID", help="only under this rulebook of those that a file names")
    parser.add_argument("--json", action="store_true", help="one JSON object a step on stdout")


def run(args: argparse.Namespace) -> int:
    steps = failed = 0
    for path in _files(args.files):
        scenario = read_scenario(path)
        for rulebook in scenario.rulebooks:
            if args.rulebook not in (None, rulebook):
                continue
            for step in _shown(scenario, rulebook, as_json=args.json):
                steps += 1
                failed += bool(step.wrong)
    if args.json:
        print(json.dumps({"steps": steps, "failed": failed}))
    else:
        print(f"{steps} steps, {failed} failed", file=sys.stderr)
    return 1 if failed else 0


def _files(given: list[Path]) -> list[Path]:
    files: list[Path] = []
    for path in given:
        found = sorted(path.rglob("*.txt")) if path.is_dir() else [path]
        if not found:
            raise UsageError(f"{path}: no scenarios (*.txt) in this folder; name a file or another folder")
        files += found
    return files


def _shown(scenario: Scenario, rulebook: str, *, as_json: bool) -> list[StepDone]:
    """Play it with every set of devices."""
    done = [step for variant in variants(scenario) for step in play(variant, rulebook)]
    if as_json:
        for step in done:
            print(jsonable(step).decode())
        return done
    wrong = [step for step in done if step.wrong]
    print(f"{'FAILED' if wrong else 'ok    '} {scenario.path} [{rulebook}] {scenario.title}")
    for step in wrong:
        print(f"  {step.file}:{step.line}: [{step.devices}] {step.step}\n    {step.wrong}")
    return done
