"""What `feltwire provision` makes of a venue: certificates, access list and keys, a folder a device."""

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping, Sequence
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path

import tomli_w

from feltwire.errors import UsageError
from feltwire.private_files import replace
from feltwire.relay.keys import RelayKeys
from feltwire.runtime.clip_box import ClipKey
from feltwire.tools.provision.access import (
    CLOCK,
    DELAY,
    RELAY,
    ROLES,
    SEVERAL,
    STATION,
    acl_text,
    role_of,
    table_name,
)
from feltwire.tools.provision.broker_files import mosquitto_conf, nft_rules
from feltwire.tools.provision.certificates import CertificateAuthority, load_certificate
from feltwire.tools.provision.maintenance import PAGES, adopt, hosts_of, pages_of, spread_list

WITH_PAGES = ("table", STATION, CLOCK, RELAY, DELAY)
_HOST = re.compile(r"[A-Za-z0-9]([A-Za-z0-9_.-]{0,251}[A-Za-z0-9])?", re.ASCII)
_ID = re.compile(r"[A-Za-z0-9_-]{1,32}", re.ASCII)


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
    """Make everything that is missing under `folder`; the access list and the configurations anew. `etc` is where
    the broker's folder will lie on its machine, `on_device` where those of the others will lie on theirs.

    Raise `UsageError` for a bad name of the venue, a table or a device.
    """
    limits = [*hosts, *([domain] if domain else ()), *(host for each in (pages or {}).values() for host in each)]
    check_names(venue, tables, more, limits)
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        pages, names = pages or {}, [*map(table_name, tables), *ROLES, *more]
        if unknown := set(pages) - set(names):
            raise UsageError(f"--page {min(unknown)}: no such device; one of {', '.join(names)}")
        authority = CertificateAuthority.open(folder, venue, limits)
        adopt(authority, folder)
        broker_url = f"mqtts://{hosts[0]}:{port}"
        for name in names:
            there = (on_device or folder) / name
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


def check_names(venue: str, tables: Sequence[str], more: Sequence[str], hosts: Sequence[str]) -> None:
    """Raise `UsageError` for a name that no venue, table, further device or machine can have."""
    for kind, name in [
        ("venue", venue),
        *(("table", table) for table in tables),
        *(("device", one) for one in more),
    ]:
        if not _ID.fullmatch(name):
            raise UsageError(f"{kind} {name!r}: write letters, digits, - or _ (32 at most)")
    for host in hosts:
        _check_host(host)
    for name in more:
        if not role_of(name):
            raise UsageError(f"device {name!r}: begin it with {', '.join(f'{role}-' for role in SEVERAL)}")


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


def _relay_keys(folder: Path) -> None:
    path = folder / RELAY / "cards.key"
    if not path.exists():
        RelayKeys.generate().save(path)
    keys = RelayKeys.load(path)
    (folder / "relay.pub").write_text(keys.public_text)


def _clip_key(folder: Path) -> None:
    path = folder / STATION / "clip.key"
    if not path.exists():
        ClipKey.generate().save(path)
    (folder / "clip.pub").write_text(f'clip_key = "{ClipKey.load(path).public_hex}"\n')


def _broker(authority: CertificateAuthority, folder: Path, hosts: Sequence[str]) -> None:
    own = folder / "mosquitto"
    own.mkdir(exist_ok=True, mode=0o700)
    there = own / "broker.crt"
    if not there.exists() or set(hosts) - set(hosts_of(load_certificate(there))):
        authority.issue(own, "broker", hosts=hosts)
    shutil.copy(folder / "ca.crt", own / "ca.crt")


def _access_list(path: Path, text: str) -> None:
    replace(path, text.encode(), mode=0o600)
