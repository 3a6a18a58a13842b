"""`feltwire rollback`: back to the release that ran before."""

from __future__ import annotations

import argparse

from feltwire.install.upgrade import Programs
from feltwire.install.upgrade_command import carried_out

HELP = """Goes back to the release that ran on this machine before the last upgrade (as root): the records of each
role are backed up, the earlier program is tried, and its services are started. Records stay as they are: an
earlier program that cannot read them is not started. Called again it goes forward."""
EXAMPLE = "sudo /opt/feltwire/current/bin/feltwire rollback"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="a step a line")


def run(args: argparse.Namespace) -> int:
    return carried_out(Programs.roll_back, as_json=args.json)
