"""Configuration of the long-running processes: one TOML file each, read into strict structs.

A missing, unknown or malformed setting is a `ConfigError` that names the file, the setting and what is
expected.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias, TypeVar
from urllib.parse import urlsplit

import msgspec
from msgspec import field

from feltwire.errors import UsageError
from feltwire.rulebooks import rulebook_named
from feltwire.time_zone import zone_named
from table_core.messages import Chips, Few, Frozen, Hint, Level, Name, Seat, SeatStack
from table_core.people.shown import Shows
from table_core.rulebook import Rulebook, RulebookError
from table_core.toml_text import read_toml
from table_core.tournament.clock import check_schedule

MOST_OF_HOUSE = 4_000  # letters, as they are recorded at a table


class ConfigError(UsageError):
    """A configuration file that cannot be used: what, where, and what to do."""


class Broker(Frozen, frozen=True):
    """How to reach the MQTT broker: `mqtt://host:1883` or `mqtts://host:8883` with a certificate. `also` are the
    other nodes of a cluster, of the same kind: each is tried in turn."""

    url: str = "mqtt://127.0.0.1:1883"
    also: tuple[str, ...] = ()
    qos: Annotated[int, msgspec.Meta(ge=0, le=1)] = (
        1  # 0 at a NATS cluster, where a subscription of QoS 1 takes long
    )
    username: str = ""
    password: str = ""
    ca: str = ""
    cert: str = ""
    key: str = ""
    crl: str = ""  # certificates that count no more; the station passes a newer list on to every process


class Web(Frozen, frozen=True):
    host: str = "127.0.0.1"
    port: Annotated[int, msgspec.Meta(ge=0, le=65_535)] = 8080
    cert: str = ""  # its pages are at https:// (`feltwire provision venue --pages`); with `key`
    key: str = ""
    hosts: tuple[str, ...] = ()  # names that browsers use for it, beside its address and this machine's own name
    metrics_token: str = ""  # a file; who sends what it says reads /healthz and /metrics from other machines


class SerialDevice(Frozen, frozen=True):
    """`port` is a path or any URL that pyserial opens; empty: this table has no such device."""

    port: str = ""
    baud: int = 115200
    driver: str = "feltwire"  # the name of its driver (docs/drivers.md)
    options: dict[str, Any] = field(default_factory=dict)  # the driver's own settings


class GpioConfig(Frozen, frozen=True):
    """Buttons, lamps and a buzzer at the header of the table's own Raspberry Pi; pins by their GPIO numbers. No
    buttons: this table has none."""

    buttons: dict[str, int] = field(default_factory=dict)  # key (docs/wire.md) -> pin
    seat_lamps: dict[str, int] = field(default_factory=dict)  # seat -> pin
    lamp: tuple[int, ...] = ()  # whether a press is recorded: three pins for red, green, blue; or one
    buzzer: int = 0  # 0: none, GPIO0 is not for that
    settle_ms: int = 5  # a contact counts when it has held for so long
    pin_factory: str = ""  # gpiozero's: empty for GPIOZERO_PIN_FACTORY, else lgpio


class CameraProfile(StrEnum):
    """What a camera is for."""

    TABLE = "table"  # every zone that lies wholly in its picture
    BOARD = "board"  # the middle: board, burns, muck, pot
    STACKS = "stacks"  # from the side, for how high chips lie; never for cards


class FurtherCamera(Frozen, frozen=True):
    """One more camera over the same felt."""

    source: str
    profile: CameraProfile = CameraProfile.TABLE


class CameraConfig(Frozen, frozen=True):
    """`source`: `socket:/path`, `v4l2:/dev/video0`, `csi:0`, `stream:/file`, `file:/path`; empty: no camera.
    `also`: in the order in which the felt's cameras were calibrated, behind this one."""

    source: str = ""
    felt: str = ""  # felt calibration (TOML); empty: the layout that the seats imply
    chips: str = ""  # chip set (TOML, `feltwire vision enrol`); empty: chips are not read
    deck: str = ""  # the room's own deck (`feltwire vision enrol --deck`); empty: any deck is read as any other
    height_mm: float = 0.0  # of a camera that was not calibrated, above the middle of the felt; 0: not measured
    bets_spread: bool = False  # in this room no chip of a bet lies squarely on another
    profile: CameraProfile = CameraProfile.TABLE
    also: tuple[FurtherCamera, ...] = ()


Language: TypeAlias = Literal["en", "de", "es"]  # of the pages; a browser may choose another


class TableConfig(Frozen, frozen=True):
    venue: Name
    table: Name
    data: str  # folder of the ledger
    seats: Few[SeatStack]
    levels: tuple[Level, ...]
    seat_count: int = 9
    button: Seat = Seat(1)
    rulebook: str = "base"  # an id of the program's, or the file of a director's own
    house: dict[str, Any] = field(default_factory=dict)  # the house's settings over the rulebook
    smallest_chip: Chips = Chips(1)
    language: Language = "en"
    hints: tuple[Hint, ...] = ()  # what the camera saw of how chips came, on the dealer screen only
    broker: Broker = Broker()
    web: Web = Web()
    keypad: SerialDevice = SerialDevice()
    gpio: GpioConfig = GpioConfig()  # in place of `keypad`
    shoe: SerialDevice = SerialDevice()
    decks: str = ""  # deck registry file: which UID is which card
    camera: CameraConfig = CameraConfig()
    admission: bool = False  # a phone may ask the director to let it in as the table's keypad
    show_sensed: bool = False  # the page *as it is sensed*: device bytes, and what the camera may show
    runtime: str = ""  # folder in tmpfs for per-hand recovery keys; empty: /run/feltwire or /dev/shm
    relay_key: str = ""  # the relay's public key, hex; empty: cards are sealed to nobody
    clip_key: str = ""  # the station's public key for clips, hex; empty: no clip is kept

    def __post_init__(self) -> None:
        if self.levels:
            check_schedule(self.levels)
        if self.keypad.port and self.gpio.buttons:
            raise ValueError("keypad and gpio: a table has one keypad; remove one of the two sections")


class PageCode(Frozen, frozen=True):
    """A page of the room whose QR code the station shows. `url` without a host is a page of this machine:
    `http://:8082/table/01`."""

    name: Name
    url: str

    def __post_init__(self) -> None:
        if urlsplit(self.url).scheme not in ("http", "https"):
            raise ValueError(f"url {self.url!r}: write http://:8082/table/01, or with the machine's name")


Place: TypeAlias = Annotated[int, msgspec.Meta(ge=1, le=99)]


class PublicPageConfig(Frozen, frozen=True):
    """The room's public page as files for any web host (docs/public-page.md)."""

    folder: str = ""  # where the files are written
    command: tuple[str, ...] = ()  # run after each update, `{folder}` in it is the folder; no shell
    every_s: Annotated[int, msgspec.Meta(ge=5, le=3_600)] = 15  # between two updates at least
    limit_s: Annotated[int, msgspec.Meta(ge=1, le=600)] = 60  # of the command; then it is ended

    def __post_init__(self) -> None:
        if self.folder and not self.folder.startswith("/"):
            raise ValueError(f"public.folder: {self.folder!r}: write the whole path, as /srv/site")
        if self.command and not self.command[0].strip():
            raise ValueError(
                'public.command: write the program first, as ["rsync", "-a", "{folder}/", "web:site/"]'
            )

    @property
    def is_on(self) -> bool:
        return bool(self.folder or self.command)


class StationConfig(Frozen, frozen=True):
    venue: Name
    data: str
    tables: tuple[Name, ...]
    levels: tuple[Level, ...]
    rulebook: str = "base"
    house: dict[str, Any] = field(default_factory=dict)  # the same as at the tables
    entrants: int = 0
    title: Name = ""  # the tournament's name on the pages
    players_shown: Shows = Shows.INITIALS  # what the public reads of a player who chose nothing
    language: Language = "en"  # of the public pages and the sheets
    time_zone: str = ""  # of the book's times of day, `America/New_York`; empty: UTC
    pin_required: bool = False  # nobody moves money at the station without a PIN
    admission: bool = (
        False  # phones may ask the director: as keypads at tables that have this set, too; as staff here
    )
    public_overview: bool = False  # everybody may see the station's page, as in the demo
    plan: dict[str, tuple[Place, Place]] = field(default_factory=dict)  # row and column of each table in the room
    devices: str = ""  # folder in which `feltwire home` says what is plugged in, and finds which table has it
    phones: bool = True  # players' phones may open `/me`
    codes: Few[PageCode] = ()  # pages whose QR codes are on the page `/codes`
    broker: Broker = Broker()
    web: Web = Web(port=8081)
    autostart: bool = False  # run the clock from the start, without an event
    clip_key: str = ""  # file of the private key for clips; empty: none can be opened
    public: PublicPageConfig = PublicPageConfig()

    def __post_init__(self) -> None:
        if self.levels:
            check_schedule(self.levels)
        try:
            zone_named(self.time_zone)
        except ValueError as error:
            raise ValueError(f"time_zone: {error}") from None
        if strange := self.plan.keys() - {*self.tables}:
            raise ValueError(f"plan: there is no table {min(strange)}; name those in tables")
        if len({*self.plan.values()}) < len(self.plan):
            raise ValueError("plan: two tables stand in the same place")


class ClockConfig(Frozen, frozen=True):
    venue: Name
    name: Name = "wall"
    title: Name = ""
    language: Language = "en"
    data: str = ""  # a revocation list that came over the bus outlives the process here; empty: it does not
    broker: Broker = Broker()
    web: Web = Web(port=8082)


class RelayConfig(Frozen, frozen=True):
    """`delay_s` counts from the end of a hand. It is text on purpose: a missing, malformed, negative or
    changed value means *never*. What `release_folded` and `tables` add holds for hands that begin from now on.
    `air_delay_s`: how far what is on air lies back, never less than `air_floor_s` and `delay_s`; empty: as little
    as that. `preview_s`: how far what the producer previews lies back; what is no plain number shows nothing.
    `coverage`: its lines go out by themselves (`auto`), by a press (`hold`), or there is none (`off`);
    as late as what is on `air`, or `at once`; after `coverage_grace_s` for a person.
    `feed_origins`: sites whose pages may read `/feed` and `/air`, `https://stats.example`."""

    venue: Name
    data: str
    key: str  # file of the relay's private key
    tables: tuple[Name, ...]
    delay_s: str = ""
    release_folded: bool = False
    air_delay_s: str = ""
    air_floor_s: str = ""
    broker: Broker = Broker()
    web: Web = Web(port=8083)
    preview_s: str = "0"
    coverage: Name = "auto"
    coverage_wait: Name = "air"
    coverage_grace_s: float = 20
    feed_origins: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if "feature" in self.tables:
            raise ValueError("tables: `feature` is the table that the producer points to; name it otherwise")


class SlateConfig(Frozen, frozen=True):
    """What goes out of a delay box where there is no picture: black, or `picture` (PNG or JPEG). The rest is the
    form of the source, so that whoever shows it sees one stream."""

    picture: str = ""
    width: Annotated[int, msgspec.Meta(ge=16, le=7_680)] = 1_920
    height: Annotated[int, msgspec.Meta(ge=16, le=4_320)] = 1_080
    fps: Literal["24", "25", "30", "50", "60", "24000/1001", "30000/1001", "60000/1001"] = "50"
    video: Literal["h264", "hevc"] = "h264"
    audio: bool = True  # AAC; False: the source has no sound


class DelayConfig(Frozen, frozen=True):
    """The delay box: video from `source` to `output`, held back as far as what is on air lies back.

    Nothing goes out before `air_floor_s` have passed since it arrived, whatever else is said; it is text as the
    relay's is, and what is no plain number of seconds lets nothing out. `air_delay_s`: a delay of its own; empty:
    the relay's, as it says it on the bus. `latency_ms`: from what the camera sees to its arrival here
    (`feltwire delay measure`). The disk holds `longest_s` of a source that sends `most_mbit_s`. Beside the video:
    `subtitles` (WebVTT) of what the graphics of a table show, and `timecode` (LTC).
    """

    venue: Name
    data: str
    source: str
    output: str
    air_floor_s: str
    air_delay_s: str = ""
    latency_ms: Annotated[int, msgspec.Meta(ge=0, le=10_000)] = 0
    longest_s: Annotated[int, msgspec.Meta(ge=1, le=86_400)] = 3_600
    most_mbit_s: Annotated[int, msgspec.Meta(ge=1, le=1_000)] = 12
    subtitles: str = ""  # a file that grows
    subtitles_of: Name = ""  # a table
    timecode: str = ""  # a WAV file, or srt:// or udp://; of the time of day at which the picture was taken, UTC
    timecode_fps: Literal[24, 25, 30] = 25
    slate: SlateConfig = SlateConfig()
    broker: Broker = Broker()
    web: Web = Web(port=8084)

    @property
    def ring_bytes(self) -> int:
        return self.longest_s * self.most_mbit_s * 125_000


C = TypeVar("C", bound=Frozen)


def load(path: str | Path, kind: type[C]) -> C:
    """Read `path` as a `kind`; raise `ConfigError` with one line that says what to mend."""
    try:
        raw = Path(path).read_bytes()
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read ({error.strerror}); name an existing file") from error
    try:
        return of_document(read_toml(raw.decode()), kind)
    except msgspec.ValidationError as error:
        raise ConfigError(f"{path}: {error}") from error
    except ValueError as error:
        raise ConfigError(f"{path}: not TOML ({error}); mend that line") from error


def of_document(document: Mapping[str, Any], kind: type[C]) -> C:
    """The settings as a process of this kind reads them. A section that says a part has the rest from its kind: a
    station that only names its host keeps its own port. Raise `msgspec.ValidationError`."""
    whole = dict(document)
    own = {field.name: field.default for field in msgspec.structs.fields(kind)}
    for name, section in document.items():
        default = own.get(name)
        if isinstance(section, dict) and isinstance(default, Frozen):
            whole[name] = msgspec.to_builtins(default) | section
    return msgspec.convert(whole, kind)


def rulebook_of(config: TableConfig | StationConfig) -> Rulebook:
    """The rulebook in force: the one that the configuration names, with the settings of the house over it.

    Raise `ConfigError` for a rulebook or a setting that does not exist, and for a file that is no rulebook.
    """
    try:
        book = rulebook_named(config.rulebook).with_house(config.house)
    except RulebookError as error:
        raise ConfigError(f"rulebook and house: {error}") from error
    letters = len(msgspec.json.encode(book.house_settings()).decode())
    if letters > MOST_OF_HOUSE:
        raise ConfigError(
            f"house: {letters:,} letters of settings, {MOST_OF_HOUSE:,} at most are recorded: write them into a "
            "rulebook of your own (feltwire rulebook check)"
        )
    return book
