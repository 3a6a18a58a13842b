"""`feltwire doctor`: tries everything that a process needs, and says what to do."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from feltwire.config import DelayConfig, TableConfig
from feltwire.tools.doctor import broker, delay_box, devices, machine, pages, records, settings
from feltwire.tools.doctor.findings import GREEN, RED, YELLOW, Finding, Refused, look, well
from feltwire.tools.doctor.settings import AnyConfig
from feltwire.version import in_words

HELP = """Tries everything that a process of a venue needs: settings, keys, certificates, the broker and its access
list, the pages, disk, clock and supply; at a table also keypad, shoe, decks and camera. One line each: green,
yellow (it works; see to it) or red (it does not), and what to do.

Call it as the process's user, with the process stopped: a port, a camera and a name at the broker belong to one
program. Nothing is changed, nothing that a device reports is lost, and no message has content."""
EXAMPLE = "sudo -u feltwire feltwire doctor --config /etc/feltwire/table-01/table.toml"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--config",
        required=True,
        metavar="FILE",
        help="of a table, the station, a clock, the relay or the delay box",
    )
    parser.add_argument("--json", action="store_true", help="a finding a line, and the sum")


def run(args: argparse.Namespace) -> int:
    """Raise `UsageError` for a file that cannot be read."""
    kind = settings.kind_of(args.config)
    found = dict.fromkeys((GREEN, YELLOW, RED), 0)
    for finding in examined(args.config, kind):
        found[finding.colour] += 1
        print(json.dumps(msgspec.to_builtins(finding)) if args.json else _line(finding), flush=True)
    if args.json:
        print(json.dumps({"kind": kind, **found}))
    else:
        print(", ".join(f"{count} {colour}" for colour, count in found.items()))
    return 1 if found[RED] else 0


def _line(finding: Finding) -> str:
    line = f"{finding.colour:<7} {finding.part:<21} {finding.words}"
    return f"{line} -> {finding.do}" if finding.do else line


def examined(path: str, kind: str) -> Iterator[Finding]:
    """Everything in its order; a part that cannot be tried any further leaves the next ones as they are."""
    yield well("program", f"{in_words()}.")
    try:
        config = settings.read(path, kind)
    except Refused as refused:
        yield refused.finding
        return
    runs = pages.answers(config.web)
    if runs:
        do = "The station shows how they are. To try them here, stop the process and call this again."
        yield look("process", "It runs: its name at the broker, its devices and its camera are its own now.", do)
    for check in _checks(config, kind, runs=runs):
        try:
            yield from check()
        except Refused as refused:
            yield refused.finding


def _checks(config: AnyConfig, kind: str, *, runs: bool) -> Iterator[Callable[[], Iterator[Finding]]]:
    yield lambda: settings.check(config, kind)
    yield lambda: machine.check(config)
    if config.data:
        yield lambda: records.check(config, Path(config.data))
    if isinstance(config, DelayConfig):
        yield lambda: delay_box.check(config)
    yield lambda: pages.check(config, runs=runs)
    yield lambda: broker.check(config, connect=not runs)
    if isinstance(config, TableConfig):
        yield lambda: devices.check(config, ask=not runs)
        if config.camera.source and not runs:
            # Loaded here: picture libraries take as long to load as all the rest.
            from feltwire.tools.doctor import camera

            yield lambda: camera.check(config)
        elif not config.camera.source:
            yield lambda: iter([well("camera", "None: board and hands are keyed.")])
