"""Every bundle of a venue, from its description and its keys."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal

import tomli_w

from feltwire.config import RelayConfig
from feltwire.errors import UsageError
from feltwire.install.bundle import FORM, HOSTS, OBS, RELEASE_PUB, Bundle, Label, Role, write_bundle
from feltwire.install.hosts_file import lines_of
from feltwire.install.places import BROKER_ETC, ETC
from feltwire.install.release_keys import own_key
from feltwire.tools.provision.maintenance import issued
from feltwire.tools.provision.venue_file import Venue, config_of, obs_settings, settings_of
from feltwire.tools.provision.venue_keys import provision_venue
from table_core.toml_text import read_toml

BROKER: Literal["broker"] = "broker"
_SETTINGS = ("broker.toml", "web.toml")  # sections, which go into the configuration


def make_bundles(venue: Venue, folder: Path) -> Iterator[Path]:
    """Make what is missing of the venue's keys in `folder`, and all bundles anew in its `bundles`.

    Raise `UsageError` for a device whose certificate counts no more, and for a file that cannot be written.
    """
    provision_venue(
        folder,
        venue=venue.venue,
        tables=venue.tables,
        hosts=[venue.broker_host],
        etc=BROKER_ETC,
        on_device=ETC,
        more=venue.more,
        domain=venue.domain,
    )
    devices: list[tuple[str, Role]] = [*venue.devices(), (BROKER, BROKER)]
    good = {one.name for one in issued(folder) if one.state == "in use"}
    if ended := [name for name, _ in devices if name not in good]:
        raise UsageError(
            f"{ended[0]}: its certificate is revoked or has ended; feltwire provision renew {folder} {ended[0]}"
        )
    there = folder / "bundles"
    try:
        there.mkdir(exist_ok=True, mode=0o700)
        made = []
        for name, role in devices:
            files = _read(folder / "mosquitto") if role == BROKER else _device_files(venue, folder, name, role)
            made.append(_written(there, venue, name, role, files | _of_machine(venue)))
            yield made[-1]
        for left in {*there.glob("*.bundle")} - {*made}:  # of a device that the venue has no more
            left.unlink()
    except OSError as error:
        raise UsageError(f"{error.filename}: cannot be written ({error.strerror})") from error


def _written(there: Path, venue: Venue, name: str, role: Role, files: dict[str, bytes]) -> Path:
    path = there / f"{name}.bundle"
    write_bundle(path, Bundle(Label(FORM, venue.venue, venue.domain, name, role, version("feltwire")), files))
    return path


def _of_machine(venue: Venue) -> dict[str, bytes]:
    """What a machine knows beside its roles: the names of the others, and whose releases it takes."""
    keys = venue.release_keys or tuple(filter(None, [own_key()]))
    files = {HOSTS: lines_of(venue.hosts), RELEASE_PUB: "".join(f"{key}\n" for key in keys)}
    return {name: text.encode() for name, text in files.items() if text}


def _device_files(venue: Venue, folder: Path, name: str, role: Role) -> dict[str, bytes]:
    files = _read(folder / name)
    sections: dict[str, Any] = {}
    for one in _SETTINGS:
        sections |= read_toml(files.pop(one, b"").decode())
    if role == "table":
        sections |= read_toml((folder / "clip.pub").read_text())
        if venue.relay:
            sections["relay_key"] = read_toml((folder / "relay.pub").read_text())["box"]
    elif role == "station":
        sections["clip_key"] = str(ETC / name / "clip.key")
    settings = settings_of(venue, name, role, sections)
    config = config_of(name, role, settings)
    if venue.obs and isinstance(config, RelayConfig):
        files[OBS] = tomli_w.dumps(obs_settings(venue, config.web)).encode()
    return files | {f"{role}.toml": tomli_w.dumps(settings).encode()}


def _read(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.is_file()}
