"""`feltwire install`: makes this machine a table, the station, a clock, the relay or the broker of a venue."""

from __future__ import annotations

import argparse
import json
import os
from pathlib import Path

from feltwire.errors import UsageError
from feltwire.install.bundle import ROLES, read_bundle, wipe
from feltwire.install.kiosk import ROLES as SCREENS
from feltwire.install.machine import Machine, roles_here

HELP = """Makes this machine (Debian 12 or newer, as root) a table, the station, a clock, the relay or the broker
of a venue, from the bundle that `feltwire provision bundles` made for it: what Debian has, user, keys, settings,
folders, backups, service. One machine may have several roles: name all of its bundles, each role has a folder of
its own. Then it tries everything (`feltwire doctor`), starts the services, and wipes the bundles. Called again
with a new bundle it replaces keys and settings, never records.

With --root DIR it writes into the disk of a machine that does not run, such as an image, and starts nothing."""
EXAMPLE = "python3 feltwire-0.2.0.pyz install --bundle broker.bundle station.bundle"


LINKS = {"station": ("td-link", "director"), "relay": ("producer-link", "producer")}  # file, and whom it signs in


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("role", nargs="?", choices=ROLES, help="of the bundle; it says its role itself")
    parser.add_argument(
        "--bundle", type=Path, nargs="+", default=[], metavar="FILE", help="of this machine; wiped at the end"
    )
    parser.add_argument("--root", type=Path, default=Path("/"), metavar="DIR", help="of a disk; default: /")
    parser.add_argument("--keep-bundle", action="store_true", help="do not wipe it")
    parser.add_argument(
        "--again",
        action="store_true",
        help="no bundle: services of its roles as this program has them, not started",
    )
    parser.add_argument(
        "--screen", metavar="NAME", help="show the page of this table or clock on this machine's own monitor"
    )
    parser.add_argument("--json", action="store_true", help="a step a line")


def run(args: argparse.Namespace) -> int:
    """Raise `UsageError` for a bundle that is not this role's, and for a step that cannot be done."""
    if bool(args.bundle) == args.again:
        raise UsageError("name the bundles of this machine: --bundle FILE …")
    root = args.root.resolve()
    bundles = [(path, read_bundle(path)) for path in args.bundle]
    for path, bundle in bundles:
        if args.role and bundle.label.role != args.role:
            raise UsageError(f"{path}: is of {bundle.label.name}: feltwire install {bundle.label.role} …")
    if len({(one.label.venue, one.label.domain) for _, one in bundles}) > 1:
        raise UsageError("these bundles are of several venues; a machine is of one")
    shown = [one.label for _, one in bundles if one.label.name == args.screen]
    if args.screen and not (shown and shown[0].role in SCREENS):
        raise UsageError(f"--screen {args.screen}: name a table or a clock of these bundles, such as table-01")
    os.umask(0o022)  # whatever root's is: users of services must reach their folders
    if args.again:
        for machine in roles_here(root):
            _prepare(args, machine)
        return 0
    first = ("broker", "station")  # without them the others are told that they are missing
    bundles.sort(key=lambda one: first.index(one[1].label.role) if one[1].label.role in first else len(first))
    red = False
    for path, bundle in bundles:
        name, role = bundle.label.name, bundle.label.role
        machine = Machine(name, role, bundle, root, screen=name == args.screen)
        _prepare(args, machine)
        red |= machine.runs and machine.role != "broker" and machine.doctor() != 0
        machine.start()
        _say(args, machine.name, "started" if machine.runs else "starts with the machine")
        if not args.keep_bundle:
            wipe(path)
            _say(args, machine.name, f"{path} is wiped")
        if machine.role in LINKS:
            name, whom = LINKS[machine.role]
            link = machine.data / name
            if machine.runs and link.exists():
                words = f"signs the {whom} in, once, in the {whom}'s browser: {link.read_text().strip()}"
                _say(args, machine.name, words)
    return 1 if red else 0


def _prepare(args: argparse.Namespace, machine: Machine) -> None:
    for step in machine.steps():
        step.do()
        _say(args, machine.name, step.words)


def _say(args: argparse.Namespace, name: str, words: str) -> None:
    print(json.dumps({"device": name, "step": words}) if args.json else f"{name}: {words}", flush=True)
