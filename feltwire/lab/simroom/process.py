"""`python -m feltwire.lab.simroom --config FILE`: one simulated table in a process of its own.

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
from collections.abc import Iterable, Sequence
from types import FrameType

import msgspec

from feltwire.config import load
from feltwire.errors import UsageError
from feltwire.lab.simroom.config import SimroomConfig
from feltwire.lab.simroom.dealer.mischief import Fault, Mischief
from feltwire.lab.simroom.dealer.pace import Pace, Stopped
from feltwire.lab.simroom.dealer.shift import Dealer
from feltwire.lab.simroom.devices import SimDevices
from feltwire.lab.simroom.reports import AnyReport, Order
from feltwire.private_files import keep_files_private
from feltwire.runtime.boottime import boot_millis
from feltwire.runtime.log_lines import log_to_stderr
from table_core.messages import Malformed, decode

log = logging.getLogger(__name__)


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m feltwire.lab.simroom", description=__doc__)
    parser.add_argument("--config", required=True, metavar="FILE", help="TOML file of this simulated table")
    arguments = parser.parse_args(argv)
    log_to_stderr()
    keep_files_private()
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
    # Unbuffered: a buffered reader that is left waiting in a thread is fatal when the interpreter ends.
    orders = open(0, "rb", buffering=0, closefd=False)  # noqa: SIM115
    threading.Thread(target=hear, args=(pace, fault, orders), name="orders", daemon=True).start()
    with SimDevices(config, pace) as devices:
        try:
            Dealer(config, devices, fault=fault, report=_print).work()
            pace.wait_stop()
        except Stopped:
            log.info("the room closes")
    return 0


def hear(pace: Pace, fault: Fault, orders: Iterable[bytes]) -> None:
    """Take orders until they end, which is the end of the room."""
    for line in orders:
        try:
            order = decode(line, Order)
            if order.mischief and (order.until is None or boot_millis() <= order.until):
                fault.ask(Mischief(order.mischief))
        except (Malformed, ValueError) as error:
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
