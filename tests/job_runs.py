"""Runs of jobs that somebody does at a page: each job by each way, with a line for each; a run can be resumed."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from playwright.sync_api import Browser, sync_playwright

from tests import chromium

RIGHT_S = 60.0  # how long a job's result may take on a busy machine
LOOK_S = 0.05

J = TypeVar("J")
Line: TypeAlias = dict[str, Any]  # `job`, `way`, `right`, and what its `text` says


def run(
    argv: Sequence[str] | None,
    prog: str,
    heading: str,
    jobs: Mapping[str, J],
    ways: Sequence[str],
    done: Callable[[Browser, J, str], Line],
    text: Callable[[Line], str],
) -> int:
    """Exit status: 0 every job ended right, 1 one did not."""
    args = _arguments(argv, prog, [*jobs], ways)
    lines: list[Line] = json.loads(args.json.read_text()) if args.resume and args.json.exists() else []
    have = {(line["job"], line["way"]) for line in lines}
    print(heading)
    for line in lines:
        print(text(line))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.PROGRAM, args=chromium.QUIET)
        for name in args.job or jobs:
            for way in args.way or ways:
                if (name, way) in have:
                    continue
                lines.append(done(browser, jobs[name], way))
                print(text(lines[-1]), flush=True)
                if args.json:
                    args.json.write_text(json.dumps(lines, indent=1))
        browser.close()
    return 0 if all(line["right"] for line in lines) else 1


def holds(fact: Callable[[], bool]) -> bool:
    """Whether it comes to hold within `RIGHT_S`."""
    until = time.monotonic() + RIGHT_S
    while time.monotonic() < until:
        if fact():
            return True
        time.sleep(LOOK_S)
    return False


def steps_text(line: Line) -> str:
    """A line of a run that counts steps: those over what is asked have a star."""
    steps = f"{line['steps']}{' ' if line['few'] else '*'}"
    right = "yes" if line["right"] else f"NO {line['why']}"
    return f"{line['job']:30}{line['way']:10}{steps:>7}{line['wrong']:>6}{line['seconds']:>9.1f}  {right}"


def _arguments(
    argv: Sequence[str] | None, prog: str, jobs: Sequence[str], ways: Sequence[str]
) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog=prog)
    parser.add_argument("--job", action="append", choices=jobs, metavar="NAME", help="only this one")
    parser.add_argument("--way", action="append", choices=ways, help="only by this")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the lines there, after each")
    parser.add_argument("--resume", action="store_true", help="leave out what stands in that file")
    args = parser.parse_args(argv)
    if args.resume and not args.json:
        parser.error("--resume goes with --json FILE")
    return args
