"""`feltwire night`: plays the story of a tournament, written in lines that a director can read, and checks it."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from feltwire.errors import UsageError
from feltwire.lab.night.play import play
from feltwire.lab.night.story import read_story

HELP = "Plays the story of a night: what the director presses and tables report, with what must follow."
EXAMPLE = "feltwire night tests/nights/ccp/c10-rebuy-in-the-break.txt"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", metavar="FILE", type=Path, help="stories, or folders of them")


def run(args: argparse.Namespace) -> int:
    steps = failed = 0
    for path in _files(args.files):
        story = read_story(path)
        done = list(play(story))
        wrong = [step for step in done if step.wrong]
        steps, failed = steps + len(done), failed + len(wrong)
        print(f"{'FAILED' if wrong else 'ok    '} {path} [{story.rulebook}] {story.title}")
        for step in wrong:
            print(f"  {path}:{step.line.no}: {step.line.text}\n    {step.wrong}")
    print(f"{steps} steps, {failed} failed", file=sys.stderr)
    return 1 if failed else 0


def _files(given: list[Path]) -> list[Path]:
    files: list[Path] = []
    for path in given:
        found = sorted(path.rglob("*.txt")) if path.is_dir() else [path]
        if not found:
            raise UsageError(f"{path}: no stories (*.txt) in this folder; name a file or another folder")
        files += found
    return files
