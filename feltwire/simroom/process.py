"""`python -m feltwire.simroom --config FILE`: one simulated table in a process of its own.

It owns the pseudo-terminals, the frame socket and the dealing robot, and touches the table in no other way.
Orders come as JSON lines on stdin (`{"mischief": "skip_burn"}`, `{"last_hand": true}`, `{"stop": true}`), reports
go out on stdout.
"""

from __future__ import annotations

import argparse
import logging
import signal
import sys
import threading
from collections.abc import Sequence
from types import FrameType

import msgspec

from feltwire.config import load
from feltwire.errors import UsageError
from feltwire.simroom.config import SimroomConfig
from feltwire.simroom.dealer import Dealer
from feltwire.simroom.devices import SimDevices
from feltwire.simroom.mischief import Fault, Mischief
from feltwire.simroom.pace import Pace, Stopped
from feltwire.simroom.reports import AnyReport, Order

log = logging.getLogger(__name__)


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m feltwire.simroom", description=__doc__)
    parser.add_argument("--config", required=True, metavar="FILE", help="TOML file of this simulated table")
    arguments = parser.parse_args(argv)
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    try:
        return run(load(arguments.config, SimroomConfig))
    except UsageError as error:
        print(f"simroom: {error}", file=sys.stderr)
        return 2


def run(config: SimroomConfig) -> int:
    """Deal until done or told to stop; stay, with the devices plugged in, until stdin ends."""
    pace, fault = Pace(config.speed), Fault()

    def leave(_number: int, _frame: FrameType | None) -> None:
        pace.stop()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, leave)
    threading.Thread(target=_hear, args=(pace, fault), name="orders", daemon=True).start()
    with SimDevices(config, pace) as devices:
        try:
            Dealer(config, devices, fault=fault, report=_print).work()
            pace.wait_stop()
        except Stopped:
            log.info("the room closes")
    return 0


def _hear(pace: Pace, fault: Fault) -> None:
    """Take orders until stdin ends, which is the end of the room."""
    # Unbuffered: a buffered reader that is left waiting in a thread is fatal when the interpreter ends.
    orders = open(0, "rb", buffering=0, closefd=False)  # noqa: SIM115
    for line in orders:
        try:
            order = msgspec.json.decode(line, type=Order)
            if order.mischief:
                fault.ask(Mischief(order.mischief))
        except (msgspec.DecodeError, ValueError) as error:
            log.warning("an order that is none: %s", error)
        else:
            if order.last_hand:
                pace.end_after_hand()
            if order.stop:
                break
    pace.stop()


def _print(report: AnyReport) -> None:
    sys.stdout.buffer.write(msgspec.json.encode(report) + b"\n")
    sys.stdout.buffer.flush()
