"""`feltwire device test`: tries anybody's keypad or shoe against docs/wire.md."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from typing import NamedTuple

import serial

from feltwire.errors import UsageError
from firmware_bridge.conformance.checks import ALONE, TOUCHED, Check, Fails, Skips, Trial
from firmware_bridge.conformance.probe import Came, Probe

HELP = """Tries a keypad or a shoe against the protocol of docs/wire.md.

test PORT   asks the device who it is, sends noise, orders and acknowledgements, and looks at what it says. Then
            it asks you to press keys or draw cards. Stop the table's process first: one program has the port.

Nothing that it prints names a tag."""
EXAMPLE = "feltwire device test /dev/serial/by-id/usb-keypad"


class Verdict(NamedTuple):
    check: str
    result: str  # holds, fails, skipped
    why: str = ""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("action", choices=["test"])
    parser.add_argument("port", metavar="PORT", help="a path, or any URL that pyserial opens")
    parser.add_argument("--baud", type=int, default=115200)
    parser.add_argument("--untouched", action="store_true", help="only what needs nobody at the device")
    parser.add_argument("--wait", type=float, default=60.0, metavar="S", help="how long to wait for a touch; 60")
    parser.add_argument("--json", action="store_true", help="a check a line, and the sum")


def run(args: argparse.Namespace) -> int:
    port = _opened(args.port, args.baud)
    try:
        verdicts = list(_told(tried(Probe(port), _asking(args.wait), untouched=args.untouched), args.json))
    except serial.SerialException as error:
        raise UsageError(f"{args.port}: the line broke ({error}); plug it in and begin again") from error
    finally:
        port.close()
    failed = sum(verdict.result == "fails" for verdict in verdicts)
    skipped = sum(verdict.result == "skipped" for verdict in verdicts)
    if args.json:
        print(json.dumps({"checks": len(verdicts), "failed": failed, "skipped": skipped}))
    else:
        print(f"{len(verdicts)} checks, {failed} failed, {skipped} skipped")
    return 1 if failed else 0


def _opened(port: str, baud: int) -> serial.SerialBase:
    try:
        opened = serial.serial_for_url(port, do_not_open=True, baudrate=baud, timeout=0.02, exclusive=True)
        opened.open()
    except (ValueError, OSError) as error:
        raise UsageError(f"{port}: cannot be opened ({error}); name the device's port, free of others") from error
    return opened


def _asking(wait: float) -> Callable[[Probe, str], Came | None]:
    """Asks whoever is there, and waits for a report."""

    def touch(probe: Probe, words: str) -> Came | None:
        print(f"  now: {words}", file=sys.stderr, flush=True)
        return probe.report(wait)

    return touch


def tried(probe: Probe, touch: Callable[[Probe, str], Came | None], *, untouched: bool) -> Iterator[Verdict]:
    """Each check in its turn. `touch` has somebody make a report."""
    trial = Trial(probe, lambda words: touch(probe, words))
    for check in ALONE:
        yield _verdict(check, trial)
    for check in TOUCHED:
        if untouched:
            yield Verdict(check.says, "skipped", "nobody was to touch it")
            continue
        _quiet(probe)
        yield _verdict(check, trial)


def _quiet(probe: Probe) -> None:
    """Take what waits, so that the next report is a fresh one."""
    while (came := probe.report(1.4)) is not None:
        probe.acknowledge(came.frame)


def _verdict(check: Check, trial: Trial) -> Verdict:
    try:
        check.run(trial)
    except Fails as why:
        return Verdict(check.says, "fails", str(why))
    except Skips as why:
        return Verdict(check.says, "skipped", str(why))
    return Verdict(check.says, "holds")


def _told(verdicts: Iterator[Verdict], as_json: bool) -> Iterator[Verdict]:
    for verdict in verdicts:
        if as_json:
            print(json.dumps(verdict._asdict()), flush=True)
        else:
            why = f": {verdict.why}" if verdict.why else ""
            print(f"{verdict.result:<8} {verdict.check}{why}", flush=True)
        yield verdict
