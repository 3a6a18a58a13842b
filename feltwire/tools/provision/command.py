"""`feltwire provision`: certificates, access list and keys of a venue.

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
--within 90` once a year, `list DIR` to see what ends when. Then copy as they say.
"""

from __future__ import annotations

import argparse
import re
import shutil
from collections.abc import Mapping, Sequence
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path

import msgspec
import tomli_w

from feltwire.errors import UsageError
from feltwire.private_files import replace
from feltwire.relay.keys import RelayKeys
from feltwire.runtime.clip_box import ClipKey
from feltwire.tools.provision.access import CLOCK, RELAY, ROLES, SEVERAL, STATION, acl_text, role_of, table_name
from feltwire.tools.provision.broker_files import mosquitto_conf, nft_rules
from feltwire.tools.provision.certificates import CertificateAuthority, load_certificate
from feltwire.tools.provision.maintenance import (
    PAGES,
    REASONS,
    adopt,
    hosts_of,
    issued,
    pages_of,
    renew,
    revoke,
    spread_list,
)

HELP = __doc__
EXAMPLE = "feltwire provision venue /etc/feltwire/hall --venue hall --tables 01,02,03 --host broker.hall.lan"

WITH_PAGES = ("table", STATION, CLOCK, RELAY)
_HOST = re.compile(r"[A-Za-z0-9]([A-Za-z0-9_.-]{0,251}[A-Za-z0-9])?", re.ASCII)
_ID = re.compile(r"[A-Za-z0-9_-]{1,32}", re.ASCII)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    commands = parser.add_subparsers(dest="what", required=True, metavar="venue|revoke|renew|list|key")
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
    try:
        folder: Path = args.folder.resolve()
    except RuntimeError:  # as Python says it of links that lead to each other
        raise UsageError(f"{args.folder}: is a link that leads nowhere; name a folder") from None
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


def provision_venue(
    folder: Path,
    *,
    venue: str,
    tables: Sequence[str],
    hosts: Sequence[str] = ("localhost", "127.0.0.1"),
    port: int = 8883,
    bind: str = "",
    etc: Path | None = None,
    on_device: Path | None = None,
    more: Sequence[str] = (),
    domain: str = "",
    pages: Mapping[str, Sequence[str]] | None = None,
) -> None:
    """Make everything that is missing under `folder`; the access list and the configurations anew.

    Raise `UsageError` for a bad name of the venue, a table or a device.
    """
    for kind, name in [
        ("venue", venue),
        *(("table", table) for table in tables),
        *(("device", one) for one in more),
    ]:
        if not _ID.fullmatch(name):
            raise UsageError(f"{kind} {name!r}: write letters, digits, - or _ (32 at most)")
    limits = [*hosts, *([domain] if domain else ()), *(host for each in (pages or {}).values() for host in each)]
    for host in limits:
        _check_host(host)
    for name in more:
        if not role_of(name):
            raise UsageError(f"device {name!r}: begin it with {', '.join(f'{role}-' for role in SEVERAL)}")
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        pages, names = pages or {}, [*map(table_name, tables), *ROLES, *more]
        if unknown := set(pages) - set(names):
            raise UsageError(f"--page {min(unknown)}: no such device; one of {', '.join(names)}")
        authority = CertificateAuthority.open(folder, venue, limits)
        adopt(authority, folder)
        broker_url = f"mqtts://{hosts[0]}:{port}"
        for name in names:
            there = on_device or folder / name
            _device(authority, folder / name, there, broker_url)
            own = [f"{name}.{domain}"] if domain and name.partition("-")[0] in WITH_PAGES else []
            _page(authority, folder / name, there, [*own, *pages.get(name, ())])
        _relay_keys(folder)
        _clip_key(folder)
        _broker(authority, folder, hosts)
        at_broker = folder / "mosquitto"
        (at_broker / "mosquitto.conf").write_text(mosquitto_conf(etc or at_broker, port, bind))
        (at_broker / "feltwire.nft").write_text(nft_rules(port))
        _access_list(folder / "mosquitto" / "acl", acl_text(venue, tables, more))
        spread_list(folder)
    except OSError as error:
        raise UsageError(f"{error.filename}: cannot be written ({error.strerror})") from error


def _device(authority: CertificateAuthority, own: Path, there: Path, broker_url: str) -> None:
    """`there` is where the folder `own` will lie on the device."""
    own.mkdir(exist_ok=True, mode=0o700)
    name = own.name
    if not (own / f"{name}.crt").exists():
        authority.issue(own, name)
    shutil.copy(own.parent / "ca.crt", own / "ca.crt")
    files = {"ca": "ca.crt", "cert": f"{name}.crt", "key": f"{name}.key", "crl": "ca.crl"}
    _settings(own / "broker.toml", url=broker_url, **{what: str(there / file) for what, file in files.items()})


def _page(authority: CertificateAuthority, own: Path, there: Path, hosts: Sequence[str]) -> None:
    """For browsers on the network by these names, and on the device itself."""
    if not hosts:
        return
    names, certificate = [*hosts, "localhost", "127.0.0.1"], own / f"{PAGES}.crt"
    if not certificate.exists() or set(names) - set(hosts_of(load_certificate(certificate))):
        authority.issue(own, PAGES, hosts=names, subject=pages_of(own.name))
    pair = {"cert": str(there / f"{PAGES}.crt"), "key": str(there / f"{PAGES}.key")}
    _settings(own / "web.toml", host="0.0.0.0", hosts=list(hosts), **pair)


def _settings(path: Path, **values: str | list[str]) -> None:
    """One section of a device's configuration, named as its file."""
    path.write_text(tomli_w.dumps({path.stem: values}))


def _check_host(host: str) -> None:
    """Raise `UsageError` for what is neither a host name nor an address: an authority for `""` speaks for all."""
    with suppress(ValueError):
        ip_address(host)
        return
    if not _HOST.fullmatch(host):
        raise UsageError(f"host {host[:80]!r}: is no name or address; write letters, digits, - and .")


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
    print("  to the station as /etc/feltwire/ca.crl                (it tells every device within seconds)")
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


def _relay_keys(folder: Path) -> None:
    path = folder / RELAY / "cards.key"
    if not path.exists():
        RelayKeys.generate().save(path)
    keys = RelayKeys.load(path)
    (folder / "relay.pub").write_text(f'box = "{keys.public_hex}"\nsign = "{keys.verify_hex}"\n')


def _clip_key(folder: Path) -> None:
    path = folder / STATION / "clip.key"
    if not path.exists():
        ClipKey.generate().save(path)
    (folder / "clip.pub").write_text(f'clip_key = "{ClipKey.load(path).public_hex}"\n')


def _make_key(path: Path) -> None:
    keys = RelayKeys.generate()
    try:
        keys.save(path)
    except FileExistsError as error:
        raise UsageError(f"{path}: exists; a relay's keys are not overwritten") from error
    except OSError as error:
        raise UsageError(f"{path}: cannot be written ({error.strerror})") from error
    print(f'box = "{keys.public_hex}"\nsign = "{keys.verify_hex}"')


def _broker(authority: CertificateAuthority, folder: Path, hosts: Sequence[str]) -> None:
    own = folder / "mosquitto"
    own.mkdir(exist_ok=True, mode=0o700)
    there = own / "broker.crt"
    if not there.exists() or set(hosts) - set(hosts_of(load_certificate(there))):
        authority.issue(own, "broker", hosts=hosts)
    shutil.copy(folder / "ca.crt", own / "ca.crt")


def _access_list(path: Path, text: str) -> None:
    replace(path, text.encode(), mode=0o600)
