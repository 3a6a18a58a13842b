"""`feltwire provision`: certificates, access list and keys of a venue.

    DIR/ca.crt ca.key          the venue's authority; keep ca.key off the network
    DIR/mosquitto/             mosquitto.conf, acl, the broker's certificate
    DIR/table-01/ …            one folder a device: certificate, key, ca.crt and broker.toml for its configuration
    DIR/relay/cards.key        the relay's private keys for sealed cards and releases
    DIR/relay.pub              its public keys: `box` is `relay_key` in a table's configuration

Each device has a certificate of its own, by whose name the broker knows it: two devices with one certificate would
take the connection from each other. `--more clock-bar,overlay-2` makes more screens.

Run again with more tables or screens it adds what is missing and leaves the keys that exist as they are.
"""

from __future__ import annotations

import argparse
import re
import shutil
from collections.abc import Sequence
from pathlib import Path

from feltwire.access import RELAY, ROLES, SEVERAL, acl_text, role_of, table_name
from feltwire.certificates import Authority
from feltwire.errors import UsageError
from feltwire.relay_keys import RelayKeys

HELP = __doc__
EXAMPLE = "feltwire provision venue /etc/feltwire/hall --venue hall --tables 01,02,03 --host broker.hall.lan"

_ID = re.compile(r"[A-Za-z0-9_-]{1,32}", re.ASCII)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    commands = parser.add_subparsers(dest="what", required=True, metavar="venue|key")
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
    key = commands.add_parser("key", help="private keys of a relay")
    key.add_argument("file", metavar="FILE", type=Path)


def run(args: argparse.Namespace) -> int:
    if args.what == "key":
        _make_key(args.file)
        return 0
    folder: Path = args.folder.resolve()
    provision_venue(
        folder,
        venue=args.venue or folder.name,
        tables=args.tables.split(","),
        hosts=args.host or ["localhost", "127.0.0.1"],
        port=args.port,
        bind=args.bind,
        etc=args.etc,
        more=args.more.split(",") if args.more else (),
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
    more: Sequence[str] = (),
) -> None:
    """Make everything that is missing under `folder`; the access list and the configurations anew."""
    for kind, name in [
        ("venue", venue),
        *(("table", table) for table in tables),
        *(("device", one) for one in more),
    ]:
        if not _ID.fullmatch(name):
            raise UsageError(f"{kind} {name!r}: write letters, digits, - or _ (32 at most)")
    for name in more:
        if not role_of(name):
            raise UsageError(f"device {name!r}: begin it with {', '.join(f'{role}-' for role in SEVERAL)}")
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        authority = Authority.open(folder, venue)
        broker_url = f"mqtts://{hosts[0]}:{port}"
        for name in [*map(table_name, tables), *ROLES, *more]:
            _device(authority, folder, name, broker_url)
        _relay_keys(folder)
        _broker(authority, folder, hosts, mosquitto_conf(etc or folder / "mosquitto", port, bind))
        _access_list(folder / "mosquitto" / "acl", acl_text(venue, tables, more))
    except OSError as error:
        raise UsageError(f"{error.filename}: cannot be written ({error.strerror})") from error


def _device(authority: Authority, folder: Path, name: str, broker_url: str) -> None:
    own = folder / name
    own.mkdir(exist_ok=True, mode=0o700)
    if not (own / f"{name}.crt").exists():
        authority.issue(own, name)
    shutil.copy(folder / "ca.crt", own / "ca.crt")
    lines = [
        "[broker]",
        f'url = "{broker_url}"',
        f'ca = "{own / "ca.crt"}"',
        f'cert = "{own / f"{name}.crt"}"',
        f'key = "{own / f"{name}.key"}"',
    ]
    (own / "broker.toml").write_text("\n".join([*lines, ""]))


def _relay_keys(folder: Path) -> None:
    path = folder / RELAY / "cards.key"
    if not path.exists():
        RelayKeys.generate().save(path)
    keys = RelayKeys.load(path)
    (folder / "relay.pub").write_text(f'box = "{keys.public_hex}"\nsign = "{keys.verify_hex}"\n')


def _make_key(path: Path) -> None:
    keys = RelayKeys.generate()
    try:
        keys.save(path)
    except FileExistsError as error:
        raise UsageError(f"{path}: exists; a relay's keys are not overwritten") from error
    except OSError as error:
        raise UsageError(f"{path}: cannot be written ({error.strerror})") from error
    print(f'box = "{keys.public_hex}"\nsign = "{keys.verify_hex}"')


def _broker(authority: Authority, folder: Path, hosts: Sequence[str], configuration: str) -> None:
    own = folder / "mosquitto"
    own.mkdir(exist_ok=True, mode=0o700)
    if not (own / "broker.crt").exists():
        authority.issue(own, "broker", hosts=hosts)
    shutil.copy(folder / "ca.crt", own / "ca.crt")
    (own / "mosquitto.conf").write_text(configuration)


def _access_list(path: Path, text: str) -> None:
    path.write_text(text)
    path.chmod(0o600)


def mosquitto_conf(etc: Path, port: int, bind: str = "") -> str:
    """The broker's configuration, its files in `etc`."""
    return f"""\
# Made by `feltwire provision`.
listener {port}{f" {bind}" if bind else ""}
cafile {etc}/ca.crt
certfile {etc}/broker.crt
keyfile {etc}/broker.key
tls_version tlsv1.3
# The name in a client's certificate is who it is; the access list says what that one may do.
require_certificate true
use_identity_as_username true
# It is also the client id: nobody takes the connection of another device away from it.
use_username_as_clientid true
allow_anonymous false
acl_file {etc}/acl
# Nothing relies on the broker's memory: tables resend what was not acknowledged.
persistence false
set_tcp_nodelay true
max_queued_messages 10000
log_type error
log_type warning
log_type notice
"""
