"""The settings of a process: whose file it is, and every value that can be wrong by itself."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from feltwire.config import (
    ClockConfig,
    ConfigError,
    DelayConfig,
    RelayConfig,
    StationConfig,
    TableConfig,
    load,
    rulebook_of,
)
from feltwire.relay.feed.feed import checked_origins
from feltwire.relay.keys import RelayKeys
from feltwire.relay.on_air.air_delay import AIR_DELAY, air_delay, air_floor, read_air_delay
from feltwire.runtime.clip_box import ClipKey, public_key
from feltwire.tools.doctor.findings import Finding, Refused, look, refusing, secret, well, wrong
from table_core.toml_text import read_toml

AnyConfig = TableConfig | StationConfig | ClockConfig | RelayConfig | DelayConfig
KINDS: dict[str, type[AnyConfig]] = {
    "table": TableConfig,
    "station": StationConfig,
    "relay": RelayConfig,
    "clock": ClockConfig,
    "delay": DelayConfig,
}
_HEX_OF_A_KEY = 64


def kind_of(path: str) -> str:
    """Whose file it is, by settings that only one kind of process has. Raise `ConfigError` for one that cannot be
    read."""
    try:
        document = read_toml(Path(path).read_text())
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read ({error.strerror}); name an existing file") from error
    except ValueError as error:
        raise ConfigError(f"{path}: not TOML ({error}); mend that line") from error
    if "table" in document:
        return "table"
    if "levels" in document:
        return "station"
    if "source" in document or "output" in document:
        return "delay"
    return "relay" if "delay_s" in document or "tables" in document else "clock"


def read(path: str, kind: str) -> AnyConfig:
    """Raise `Refused` for settings that the process would not take."""
    with refusing("settings"):
        return load(path, KINDS[kind])


def check(config: AnyConfig, kind: str) -> Iterator[Finding]:
    yield from _rulebook(config, kind)
    if isinstance(config, TableConfig):
        yield _key_in_hex("relay key", config.relay_key, "no hidden card is ever released", "`box` of relay.pub")
        yield _key_in_hex("clip key", config.clip_key, "no clip of the camera is kept", "`clip_key` of clip.pub")
    if isinstance(config, StationConfig):
        yield from _clips(config.clip_key)
    if isinstance(config, RelayConfig):
        yield from _relay(config)


def _rulebook(config: AnyConfig, kind: str) -> Iterator[Finding]:
    whose = getattr(config, "table", "") or getattr(config, "name", "") or config.venue
    if isinstance(config, TableConfig | StationConfig):
        with refusing("settings"):
            book = rulebook_of(config)
        house = f", {len(config.house)} settings of the house" if config.house else ""
        yield well("settings", f"A {kind}'s ({whose}), rulebook {book.id}{house}.")
    else:
        yield well("settings", f"A {kind}'s ({whose}).")


def _key_in_hex(part: str, given: str, without: str, where: str) -> Finding:
    if not given:
        return well(part, f"None: {without}.")
    try:
        public_key(given)
    except ConfigError:
        return wrong(part, f"It is no key of {_HEX_OF_A_KEY} hex digits.", f"Copy {where} again.")
    return well(part, "It is a key.")


def _clips(path: str) -> Iterator[Finding]:
    if not path:
        yield well("clip key", "None: no clip can be opened.")
        return
    with refusing("clip key"):
        ClipKey.load(path)
    yield well("clip key", "It opens clips of tables that have its public half.")


def _relay(config: RelayConfig) -> Iterator[Finding]:
    try:
        with refusing("relay key"):
            RelayKeys.load(config.key)
        yield from secret("relay key", config.key)
        yield well("relay key", "It opens sealed cards.")
    except Refused as refused:
        yield refused.finding
    if not (config.delay_s.isascii() and config.delay_s.isdecimal()):
        yield look(
            "delay", "No hand is ever released.", 'Set delay_s = "1800", in quotes, if a stream shows hands.'
        )
    else:
        yield well("delay", f"Hands are released {int(config.delay_s) // 60} minutes after their end.")
    floor = air_floor(config.delay_s, config.air_floor_s)
    air = air_delay(read_air_delay(Path(config.data)) or config.air_delay_s, floor)
    if air is None:
        yield look(
            "air delay",
            "Nothing is on air.",
            "Set delay_s, air_floor_s and air_delay_s to plain numbers of seconds, in quotes, or leave them out; "
            f"look into {Path(config.data) / AIR_DELAY} as well.",
        )
    else:
        yield well("air delay", f"What is on air lies {air / 1_000:g} seconds back.")
    if config.feed_origins:
        with refusing("feed"):
            checked_origins(config.feed_origins)
        yield well("feed", f"Pages of {', '.join(config.feed_origins)} may read /feed and /air.")
