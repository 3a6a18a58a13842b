"""A venue described once, in one file: its tables, its screens, where things are; and the settings of each device
that follow from it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Any

import msgspec
import tomli_w

from feltwire.config import (
    ClockConfig,
    ConfigError,
    DelayConfig,
    Language,
    RelayConfig,
    StationConfig,
    TableConfig,
    Web,
    load,
    of_document,
    rulebook_of,
)
from feltwire.errors import UsageError
from feltwire.install.bundle import Role
from feltwire.install.kiosk import origin
from feltwire.install.places import DATA, ETC, OBS_ETC
from feltwire.install.release_keys import checked
from feltwire.relay.obs.settings import ObsConfig
from feltwire.rulebooks import rulebook_named
from feltwire.tools.provision.access import CLOCK, DELAY, RELAY, STATION, role_of, table_name
from feltwire.tools.provision.venue_keys import check_names
from table_core.messages import Few, Frozen, Level, Name, Said
from table_core.rulebook import RulebookError
from table_core.tournament.clock import ScheduleError
from table_core.tournament.schedule import for_an_evening

KINDS: Mapping[str, type[Frozen]] = {
    "table": TableConfig,
    "station": StationConfig,
    "clock": ClockConfig,
    "relay": RelayConfig,
    "delay": DelayConfig,
}
_OBS = "obs"  # no device: it holds no key, and runs beside the relay


class Venue(Frozen, frozen=True):
    """`domain`: machines are called NAME.DOMAIN. `settings` are those of docs/venue.md over what follows from the
    rest, for a kind of device (`[settings.table]`) and for one (`[settings.table-01]`)."""

    venue: Name
    domain: Name
    tables: Few[Name]
    clocks: Few[Name] = (CLOCK,)
    relay: bool = False
    delay_box: bool = False  # for video; its source, output and floor are settings (`[settings.delay]`)
    obs: bool = False  # scenes of OBS follow the game; which ones are settings (`[settings.obs]`)
    broker: Said = ""  # its machine; empty: broker.DOMAIN
    rulebook: Said = "base"
    house: dict[str, Any] = msgspec.field(default_factory=dict)
    levels: tuple[Level, ...] = ()  # none: the rulebook's
    smallest_chip: Annotated[int, msgspec.Meta(ge=1, le=100_000)] | None = None  # none: that of the levels
    title: Name = ""
    language: Language = "en"
    time_zone: Name = ""
    addresses: dict[str, str] = msgspec.field(default_factory=dict)  # of machines that no router names
    release_keys: Few[Said] = ()  # whose releases its machines take; none: of whoever signed this program
    settings: dict[str, dict[str, Any]] = msgspec.field(default_factory=dict)

    @property
    def hosts(self) -> dict[str, str]:
        """The address of each whole name that `addresses` has."""
        return {
            self.broker_host if name == "broker" else f"{name}.{self.domain}": address
            for name, address in self.addresses.items()
        }

    @property
    def more(self) -> list[str]:
        """Screens beyond one of each kind."""
        return [name for name in self.clocks if name != CLOCK]

    @property
    def broker_host(self) -> str:
        return self.broker or f"broker.{self.domain}"

    def devices(self) -> Iterator[tuple[str, Role]]:
        """Each with its name at the broker."""
        yield STATION, "station"
        yield from ((table_name(table), "table") for table in self.tables)
        yield from ((name, "clock") for name in self.clocks)
        if self.relay:
            yield RELAY, "relay"
        if self.delay_box:
            yield DELAY, "delay"


def load_venue(path: Path) -> Venue:
    """Raise `ConfigError` for what no venue can be made of, with what to mend."""
    venue = load(path, Venue)
    names = [name for name, _ in venue.devices()]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise ConfigError(f"{path}: {twice} is there twice; give each device a name of its own")
    for name in venue.clocks:
        if name != CLOCK and role_of(name) != CLOCK:
            raise ConfigError(f"{path}: clocks: {name!r}: write {CLOCK}, or {CLOCK}-bar for a second one")
    if strange := venue.settings.keys() - {*names, *KINDS, _OBS}:
        known = ", ".join([*KINDS, _OBS, *(name for name in names if name not in KINDS)])
        raise ConfigError(f"{path}: settings.{min(strange)}: no such device; one of {known}")
    for name, address in venue.addresses.items():
        if name not in (*names, "broker"):
            raise ConfigError(f"{path}: addresses: {name}: no such device; one of broker, {', '.join(names)}")
        try:
            ip_address(address)
        except ValueError:
            raise ConfigError(f"{path}: addresses: {name}: {address!r} is no address; such as 10.0.0.2") from None
    try:
        checked([*venue.release_keys], "release_keys")
        check_names(venue.venue, venue.tables, venue.more, [venue.domain, venue.broker_host])
        for name, role in venue.devices():
            config_of(name, role, settings_of(venue, name, role))
        if venue.obs:
            obs_settings(venue, Web())
    except UsageError as error:
        raise ConfigError(f"{path}: {error}") from error
    return venue


def venue_text(venue: Venue) -> str:
    """The description as `load_venue` reads it: what it needs, and what differs from what is meant without it."""
    said: dict[str, Any] = msgspec.to_builtins(venue)
    usual = msgspec.to_builtins(Venue(venue.venue, venue.domain, venue.tables))
    needed = ("venue", "domain", "tables")
    kept = {name: value for name, value in said.items() if name in needed or value != usual[name]}
    if venue.levels:
        kept["levels"] = _short(venue.levels)
    return tomli_w.dumps(kept, multiline_strings=False)


def settings_of(venue: Venue, name: str, role: Role, sections: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The whole configuration of a device; `sections` are those that `feltwire provision` makes, and the keys."""
    made: dict[str, Any] = {"venue": venue.venue, **_of_role(venue, name, role), **(sections or {})}
    for more in (venue.settings.get(role, {}), venue.settings.get(name, {}) if name != role else {}):
        made = _over(made, more)
    return made


def obs_settings(venue: Venue, relay: Web) -> dict[str, Any]:
    """The configuration of the service beside the relay that switches scenes of OBS; `relay`: where its pages are.
    Raise `ConfigError` where there is no relay, or no scene."""
    if not venue.relay:
        raise ConfigError("obs = true: the scenes follow the relay's pages, so relay = true, too")
    made = {"relay": origin(relay, RELAY, venue.domain), "ca": str(OBS_ETC / "ca.crt") if relay.cert else ""}
    said = made | venue.settings.get(_OBS, {})
    try:
        if not msgspec.convert(said, ObsConfig).scenes:
            raise ConfigError("settings.obs: scenes: names no moment (graphics-systems.md)")
    except msgspec.ValidationError as error:
        raise ConfigError(f"settings.obs: {error}") from error
    return said


def _of_role(venue: Venue, name: str, role: Role) -> dict[str, Any]:
    data, spoken = str(DATA / name), {"language": venue.language}
    rules = {"rulebook": venue.rulebook, "house": venue.house}
    match role:
        case "table":
            levels, chip = _schedule(venue)
            own = {"table": name.removeprefix("table-"), "data": data, "runtime": f"/run/feltwire/{name}"}
            return {
                **own,
                "seats": [],
                "levels": levels,
                "smallest_chip": chip,
                **rules,
                "language": venue.language,
            }
        case "station":
            said = {"title": venue.title, **spoken, "time_zone": venue.time_zone}
            began = {"autostart": False}  # until the director says that the cards are in the air
            return {
                "data": data,
                "tables": [*venue.tables],
                "levels": _schedule(venue)[0],
                **rules,
                **said,
                **began,
            }
        case "delay":
            return {"data": data}
        case "clock":
            return {"name": name, "title": venue.title, **spoken, "data": data}
        case _:
            return {"data": data, "tables": [*venue.tables], "key": str(ETC / name / "cards.key")}


def _schedule(venue: Venue) -> tuple[list[dict[str, Any]], int]:
    """The levels, without what says nothing, and the smallest chip."""
    try:
        levels, chip = for_an_evening(rulebook_named(venue.rulebook), len(venue.tables))
    except (RulebookError, ScheduleError) as error:
        raise ConfigError(str(error)) from error
    return _short(venue.levels or levels), venue.smallest_chip or chip


def _short(levels: Sequence[Level]) -> list[dict[str, Any]]:
    plain: list[dict[str, Any]] = msgspec.to_builtins(levels)
    needed = ("no", "small_blind", "big_blind")
    return [{name: said for name, said in level.items() if said or name in needed} for level in plain]


def _over(below: dict[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """`above` over `below`, sections setting by setting."""
    both = dict(below)
    for name, value in above.items():
        there = both.get(name)
        both[name] = _over(there, value) if isinstance(there, dict) and isinstance(value, Mapping) else value
    return both


def config_of(name: str, role: Role, settings: Mapping[str, Any]) -> Frozen:
    """The configuration as the process will read it. Raise `ConfigError` with the device's name."""
    try:
        config = of_document(settings, KINDS[role])
        if isinstance(config, TableConfig | StationConfig):
            rulebook_of(config)
    except (msgspec.ValidationError, ConfigError) as error:
        raise ConfigError(f"{name}: {error}") from error
    return config
