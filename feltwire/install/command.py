"""`feltwire install`: makes this machine a table, the station, a clock, the relay or the broker of a venue."""

from __future__ import annotations

import argparse
import json
import os
from pathlib import Path

from feltwire.errors import UsageError
from feltwire.install.bundle import ROLES, read_bundle, wipe
from feltwire.install.machine import Machine

HELP = """Makes this machine (Debian 12 or newer, as root) a table, the station, a clock, the relay or the broker
of a venue, from the bundle that `feltwire provision bundles` made for it: user, keys, settings, folders, backups,
service. One machine may have several roles: each has a folder of its own. Then it tries everything (`feltwire
doctor`), starts the service, and wipes the bundle. Called again with a new bundle it replaces keys and settings,
never records.

With --root DIR it writes into the disk of a machine that does not run, such as an image, and starts nothing."""
EXAMPLE = "sudo /opt/feltwire/1.0/bin/feltwire install table --bundle table-01.bundle"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("role", choices=ROLES)
    parser.add_argument(
        "--bundle", type=Path, required=True, metavar="FILE", help="of this device; wiped at the end"
    )
    parser.add_argument("--root", type=Path, default=Path("/"), metavar="DIR", help="of a disk; default: /")
    parser.add_argument("--keep-bundle", action="store_true", help="do not wipe it")
    parser.add_argument("--json", action="store_true", help="a step a line")


def run(args: argparse.Namespace) -> int:
    """Raise `UsageError` for a bundle that is not this role's, and for a step that cannot be done."""
    bundle = read_bundle(args.bundle)
    if bundle.label.role != args.role:
        raise UsageError(f"{args.bundle}: is of {bundle.label.name}: feltwire install {bundle.label.role} …")
    os.umask(0o022)  # whatever root's is: users of services must reach their folders
    machine = Machine(bundle, args.root.resolve())
    for step in machine.steps():
        step.do()
        _say(args, machine.name, step.words)
    red = machine.runs and args.role != "broker" and machine.doctor() != 0
    machine.start()
    _say(args, machine.name, "started" if machine.runs else "starts with the machine")
    if not args.keep_bundle:
        wipe(args.bundle)
        _say(args, machine.name, f"{args.bundle} is wiped")
    return 1 if red else 0


def _say(args: argparse.Namespace, name: str, words: str) -> None:
    print(json.dumps({"device": name, "step": words}) if args.json else f"{name}: {words}", flush=True)
