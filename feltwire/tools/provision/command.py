"""`feltwire provision`: certificates, access list and keys of a venue, and a bundle for each of its devices.

`new DIR` writes the description of a venue, DIR/venue.toml (docs/venue.md), `check FILE` reads one; `bundles DIR`
makes what `venue` does, and

    DIR/bundles/table-01.bundle …  all that `feltwire install` needs on that device, with its secrets alone

`venue DIR` makes

    DIR/ca.crt ca.key          the venue's authority; keep ca.key off the network
    DIR/mosquitto/             mosquitto.conf, acl, the broker's certificate, firewall rules for its port
    DIR/table-01/ …            one folder a device: certificate, key, ca.crt and broker.toml for its configuration
    DIR/ca.crl                 which certificates count no more; its copies lie beside every ca.crt
    DIR/table-01/pages.crt …   with --pages or --page: for the pages of that device, with pages.key and web.toml
    DIR/relay/cards.key        the relay's private keys for sealed cards and releases
    DIR/relay.pub              its public keys: `box` is `relay_key` in a table's configuration
    DIR/station/clip.key       the station's private key for clips of the cameras
    DIR/clip.pub               its public key: `clip_key` in a table's configuration

Each device has a certificate of its own, by whose name the broker knows it: two devices with one certificate would
take the connection from each other. `--more clock-bar,overlay-2` makes more screens.

Run again with more tables or screens it adds what is missing and leaves the keys that exist as they are.

`revoke DIR table-02` when a device is lost or stolen, `renew DIR table-02` for its successor, `renew DIR --all
--within 90` once a year, `list DIR` to see what ends when. Then copy as they say, or make the bundles
again.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import msgspec

from feltwire.errors import UsageError
from feltwire.private_files import replace
from feltwire.relay.keys import RelayKeys
from feltwire.tools.provision.access import CLOCK, STATION
from feltwire.tools.provision.bundles import make_bundles
from feltwire.tools.provision.maintenance import REASONS, issued, renew, revoke
from feltwire.tools.provision.venue_file import Venue, load_venue, venue_text
from feltwire.tools.provision.venue_keys import provision_venue

HELP = __doc__
DESCRIPTION = "venue.toml"
_ABOVE = "# A venue, described once: change it, and make its bundles again (feltwire provision bundles).\n"
EXAMPLE = "feltwire provision new hall --tables 2 --relay && feltwire provision bundles hall"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    commands = parser.add_subparsers(
        dest="what", required=True, metavar="new|bundles|check|venue|revoke|renew|list|key"
    )
    new = commands.add_parser("new", help="the description of a venue, to read over and to change")
    new.add_argument("folder", metavar="DIR", type=Path, help="made for it; its name is the venue's")
    new.add_argument("--tables", type=int, required=True, metavar="N", help="how many, from 01 on")
    new.add_argument("--clocks", type=int, default=1, metavar="N", help="wall displays; default: 1")
    new.add_argument("--relay", action="store_true", help="for a broadcast with hidden cards")
    new.add_argument("--domain", default="", metavar="NAME", help="of its machines' names; default: DIR.lan")
    new.add_argument(
        "--at",
        action="append",
        default=[],
        metavar="NAME=ADDRESS",
        help="of a machine that no router names; repeatable",
    )
    bundles = commands.add_parser("bundles", help="keys, and one file for each device, from a venue's description")
    bundles.add_argument("description", metavar="VENUE.toml", type=Path, help="or the folder that has venue.toml")
    bundles.add_argument("folder", metavar="DIR", type=Path, nargs="?", help="of the venue's keys")
    check = commands.add_parser("check", help="read a venue's description, and say what it makes")
    check.add_argument("description", metavar="VENUE.toml", type=Path)
    venue = commands.add_parser("venue", help="a venue's certificates, access list and keys")
    venue.add_argument("folder", metavar="DIR", type=Path)
    venue.add_argument("--venue", default="", help="its id in topics (default: the folder's name)")
    venue.add_argument("--tables", required=True, metavar="01,02", help="ids of every table of the venue")
    venue.add_argument(
        "--more", default="", metavar="clock-bar,overlay-2", help="more screens than one of each kind"
    )
    venue.add_argument("--host", action="append", metavar="NAME", help="name or address of the broker; repeatable")
    venue.add_argument("--port", type=int, default=8883)
    venue.add_argument("--bind", default="", metavar="ADDRESS", help="the broker listens only here")
    venue.add_argument("--etc", type=Path, help="where DIR/mosquitto will lie on the broker's machine")
    venue.add_argument("--on-device", type=Path, metavar="ETC", help="where DIR/NAME will lie on each device")
    venue.add_argument("--pages", default="", metavar="hall.lan", help="pages as https://NAME.hall.lan")
    venue.add_argument(
        "--page", action="append", default=[], metavar="NAME=HOST[,HOST]", help="more names of a device's pages"
    )
    revoking = commands.add_parser("revoke", help="a device is lost: its certificates count no more")
    revoking.add_argument("folder", metavar="DIR", type=Path)
    revoking.add_argument("name", metavar="NAME", help="such as table-02, or broker")
    revoking.add_argument("--reason", choices=tuple(REASONS), default="stolen")
    renewing = commands.add_parser("renew", help="new keys and certificates")
    renewing.add_argument("folder", metavar="DIR", type=Path)
    renewing.add_argument("names", metavar="NAME", nargs="*")
    renewing.add_argument("--all", action="store_true", help="of every device and of the broker")
    renewing.add_argument("--within", type=int, metavar="DAYS", help="only what ends in so many days")
    listing = commands.add_parser("list", help="who has which certificate, and until when")
    listing.add_argument("folder", metavar="DIR", type=Path)
    for command in (revoking, renewing, listing):
        command.add_argument("--json", action="store_true", help="for programs")
    key = commands.add_parser("key", help="private keys of a relay")
    key.add_argument("file", metavar="FILE", type=Path)


def run(args: argparse.Namespace) -> int:
    """Run one of the provision commands. Raise `UsageError` for bad arguments or unusable files."""
    if args.what == "key":
        _make_key(args.file)
        return 0
    if args.what == "check":
        return _check(args.description)
    if args.what == "bundles" and args.folder is None:
        args.description, args.folder = args.description / DESCRIPTION, args.description
    try:
        folder: Path = args.folder.resolve()
    except RuntimeError:  # as Python says it of links that lead to each other
        raise UsageError(f"{args.folder}: is a link that leads nowhere; name a folder") from None
    if args.what == "new":
        return _new(folder, args)
    if args.what == "bundles":
        for path in make_bundles(load_venue(args.description), folder):
            print(path)
        return 0
    if args.what != "venue":
        try:
            return _CERTIFICATES[args.what](folder, args)
        except OSError as error:
            raise UsageError(f"{error.filename}: cannot be read or written ({error.strerror})") from error
    provision_venue(
        folder,
        venue=args.venue or folder.name,
        tables=args.tables.split(","),
        hosts=args.host or ["localhost", "127.0.0.1"],
        port=args.port,
        bind=args.bind,
        etc=args.etc,
        on_device=args.on_device,
        more=args.more.split(",") if args.more else (),
        domain=args.pages,
        pages=_pages(args.page),
    )
    print(f"{folder}: ready; copy mosquitto/ to the broker and each other folder to its device")
    return 0


def _new(folder: Path, args: argparse.Namespace) -> int:
    """Raise `UsageError` for one that is there, and for what makes no venue."""
    path = folder / DESCRIPTION
    if path.exists():
        raise UsageError(f"{path}: is there already; change it, or name another folder")
    if not 1 <= args.tables <= 500 or not 0 <= args.clocks <= 50:
        raise UsageError("--tables, --clocks: 1 to 500 tables, and up to 50 clocks")
    domain = args.domain or f"{folder.name}.lan"
    made = Venue(
        folder.name,
        domain,
        tuple(f"{number:02}" for number in range(1, args.tables + 1)),
        tuple(CLOCK if number == 1 else f"{CLOCK}-{number}" for number in range(1, args.clocks + 1)),
        args.relay,
        broker=f"{STATION}.{domain}",
        addresses=dict(_address(one) for one in args.at),
    )
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    try:
        replace(path, f"{_ABOVE}{venue_text(made)}".encode())
        load_venue(path)
    except UsageError:
        path.unlink()
        raise
    print(f"{path}: the broker on the station's machine; what else can be set: docs/venue.md")
    return _check(path)


def _address(given: str) -> tuple[str, str]:
    name, separator, address = given.partition("=")
    if not separator:
        raise UsageError(f"--at {given!r}: write NAME=ADDRESS, such as station=10.0.0.2")
    return name, address


def _check(description: Path) -> int:
    venue = load_venue(description)
    for name, role in venue.devices():
        print(f"{name:<12} {role:<8} {name}.{venue.domain}")
    print(f"{'broker':<12} {'broker':<8} {venue.broker_host}")
    return 0


def _pages(given: Sequence[str]) -> dict[str, list[str]]:
    """`NAME=HOST,HOST` of `--page`."""
    pages: dict[str, list[str]] = {}
    for one in given:
        name, _, hosts = one.partition("=")
        if not all(hosts.split(",")):
            raise UsageError(f"--page {one!r}: write NAME=HOST[,HOST], such as table-01=10.0.0.21")
        pages.setdefault(name, []).extend(hosts.split(","))
    return pages


def _revoke(folder: Path, args: argparse.Namespace) -> int:
    count = revoke(folder, args.name, args.reason)
    if args.json:
        print(msgspec.json.encode({"name": args.name, "revoked": count, "list": str(folder / "ca.crl")}).decode())
        return 0
    print(f"{args.name}: {count} certificates revoked. Now, at once, copy {folder / 'ca.crl'}")
    print("  to the broker as /etc/mosquitto/feltwire/ca.crl.new   (it restarts; devices come back by themselves)")
    print("  to the station as /etc/feltwire/station/ca.crl        (it tells every device within seconds)")
    return 0


def _renew(folder: Path, args: argparse.Namespace) -> int:
    if bool(args.names) == args.all:
        raise UsageError("renew: name devices, or say --all")
    done = renew(folder, args.names, args.within)
    if args.json:
        print(msgspec.json.encode({"renewed": done}).decode())
        return 0
    for name in done:
        print(f"{name}: new key and certificate")
    print("copy each folder to its device; it is used from the next connection on, the broker needs a restart")
    return 0


def _list(folder: Path, args: argparse.Namespace) -> int:
    found = issued(folder)
    if args.json:
        print(msgspec.json.encode(found).decode())
        return 0
    for one in found:
        state = f"{one.state} {one.revoked}".strip()
        print(f"{one.name:<20} {one.serial[:16]:<17} {one.ends}  {one.days:>5} days  {state}")
    return 0


_CERTIFICATES = {"revoke": _revoke, "renew": _renew, "list": _list}


def _make_key(path: Path) -> None:
    keys = RelayKeys.generate()
    try:
        keys.save(path)
    except FileExistsError as error:
        raise UsageError(f"{path}: exists; a relay's keys are not overwritten") from error
    except OSError as error:
        raise UsageError(f"{path}: cannot be written ({error.strerror})") from error
    print(keys.public_text, end="")
