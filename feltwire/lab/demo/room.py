"""The simulated room on disk: a folder with a configuration for every process, and the processes to start."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from feltwire.config import (
    Broker,
    CameraConfig,
    ClockConfig,
    RelayConfig,
    SerialDevice,
    StationConfig,
    TableConfig,
    Web,
)
from feltwire.errors import UsageError
from feltwire.lab.simroom.config import SimroomConfig
from feltwire.lab.simroom.felt.camera import calibrate
from feltwire.lab.simroom.felt.enrolment import enrol_chips
from feltwire.lab.simroom.play.names import player_name
from feltwire.private_files import python
from feltwire.relay.keys import RelayKeys
from feltwire.runtime.broker.connection import Address
from feltwire.runtime.broker.embedded import check_installed, check_port_free
from feltwire.runtime.children import SHORTEST_BACKOFF_S, ChildSpec
from feltwire.runtime.clip_box import ClipKey
from feltwire.tools.provision.access import CLOCK, RELAY, STATION, table_name
from firmware_bridge.decks import generate
from table_core.messages import Chips, Level, Seat, SeatStack
from table_core.people.shown import Shows
from vision.synthetic.felt.renderer import CAMERA_HEIGHT_MM

HOST = "127.0.0.1"
VENUE = "demo"
FELT_FILE = "felt.toml"
DEMO_DIRECTOR = "director-demo"  # who seats the simulated players
RULEBOOK = "base"
TITLE = "Friday night hold'em"
SEAT_COUNT = 9
STARTING_STACK = Chips(20_000)
SMALLEST_CHIP = Chips(25)
RELAY_DELAY_S = "20"
BROKER_BACK_S = 3.0  # a killed broker stays away this long
MOST_TABLES = 40
CLIP_KEY = "clip.key"

_BLINDS = ((100, 200), (150, 300), (200, 400), (300, 600), (400, 800), (500, 1000), (800, 1600), (1000, 2000))
LEVELS = tuple(
    Level(no, Chips(small), Chips(big), big_blind_ante=Chips(big), minutes=20)
    for no, (small, big) in enumerate(_BLINDS, 1)
)


@dataclass(frozen=True)
class Ports:
    """Every port of the room, from the landing page's upwards."""

    landing: int

    @property
    def station(self) -> int:
        return self.landing + 1

    @property
    def clock(self) -> int:
        return self.landing + 2

    @property
    def relay(self) -> int:
        return self.landing + 3

    @property
    def broker(self) -> int:
        return self.landing + 4

    def table(self, number: int) -> int:
        """Table `number`, from 1."""
        return self.landing + 10 + number


@dataclass(frozen=True, kw_only=True)
class RoomPlan:
    """What kind of room: `hands` 0 deals for ever; `histories` are dealt in place of the bots' hands;
    `broker` is the URL of one that runs already, empty for the embedded one; for one with TLS, `certificates` is
    the folder that `feltwire provision venue` made for the venue `demo`. `tournament`: the tables are empty until
    the station seats players. `cameras` are the tables that have one, None: all. `camera` is what hangs
    over them, one of `vision.synthetic.felt.models`; empty: a small table seen straight from above."""

    folder: Path
    tables: int
    seed: int
    speed: float
    hands: int = 0
    histories: tuple[Path, ...] = ()
    broker: str = ""
    certificates: Path | None = None
    port: int = 8080
    fps: float = 15.0
    light: str = ""  # what the rendered cameras see; one of `feltwire.lab.simroom.felt.lights`
    delay_s: str = RELAY_DELAY_S
    rulebook: str = RULEBOOK
    levels: tuple[Level, ...] = LEVELS
    tournament: bool = False
    cameras: frozenset[str] | None = None
    camera: str = ""
    cloth: str = "green"  # of every table
    deck_style: str = "house"  # one of `vision.synthetic.felt.faces`

    @property
    def ports(self) -> Ports:
        return Ports(self.port)

    @property
    def table_ids(self) -> tuple[str, ...]:
        return tuple(f"{number:02}" for number in range(1, self.tables + 1))

    @property
    def broker_url(self) -> str:
        return self.broker or f"mqtt://{HOST}:{self.ports.broker}"

    def broker_of(self, device: str) -> Broker:
        """How `device` (`station`, `table-01`, …) reaches the broker."""
        if self.certificates is None:
            return Broker(self.broker_url)
        own = self.certificates / device
        ca, cert, key = (str(own / name) for name in ("ca.crt", f"{device}.crt", f"{device}.key"))
        return Broker(self.broker_url, ca=ca, cert=cert, key=key)

    @property
    def station_url(self) -> str:
        return f"http://{HOST}:{self.ports.station}"

    def table_url(self, table: str) -> str:
        return f"http://{HOST}:{self.ports.table(int(table))}"

    def check(self) -> None:
        """Raise `UsageError` for a room that cannot be; a port in use is named."""
        if not 1 <= self.tables <= MOST_TABLES:
            raise UsageError(f"--tables {self.tables}: a demo has 1 to {MOST_TABLES} tables")
        share = len(self.histories) or self.hands
        if share and share < self.tables:
            what = "hand files" if self.histories else "hands"
            raise UsageError(f"--hands: {share} {what} for {self.tables} tables; name fewer tables")
        if not 1 <= self.port <= 65_535 - 10 - self.tables:
            raise UsageError(f"--port {self.port}: choose a port from 1 to {65_535 - 10 - self.tables}")
        if Address.parse(self.broker_url).tls and self.certificates is None:
            raise UsageError(
                f"--broker {self.broker}: needs --certificates DIR, made by `feltwire provision venue DIR "
                f"--venue {VENUE} --tables {','.join(self.table_ids)} --more {DEMO_DIRECTOR}`"
            )
        if not self.broker:
            check_installed()
        ports = self.ports
        used = [ports.landing, ports.station, ports.clock, ports.relay]
        used += [] if self.broker else [ports.broker]
        for port in [*used, *(ports.table(int(table)) for table in self.table_ids)]:
            check_port_free(port)


def lay_out(plan: RoomPlan) -> None:
    """Write every configuration, the decks and the relay's keys."""
    for folder in ("log", "data", "run"):
        (plan.folder / folder).mkdir(parents=True, exist_ok=True, mode=0o700)
    keys = RelayKeys.generate()
    key_file = plan.folder / "relay.key"
    key_file.unlink(missing_ok=True)
    keys.save(key_file)
    (plan.folder / "relay.pub").write_text(keys.public_text)  # for whoever verifies a hand
    clip = plan.folder / CLIP_KEY
    clip.unlink(missing_ok=True)
    clips = ClipKey.generate()
    clips.save(clip)
    data = str(plan.folder / "data")
    _write(plan, "station", _station(plan, data))
    _write(plan, "clock", _clock(plan))
    _write(
        plan,
        "relay",
        RelayConfig(
            VENUE,
            data,
            str(key_file),
            plan.table_ids,
            plan.delay_s,
            broker=plan.broker_of(RELAY),
            web=Web(HOST, plan.ports.relay),
        ),
    )
    if plan.camera:
        calibrate(plan.camera, SEAT_COUNT, plan.cloth, plan.folder / FELT_FILE)
    for table in plan.table_ids:
        _lay_out_table(plan, table, data, keys.public_hex, clips.public_hex)


def _clock(plan: RoomPlan) -> ClockConfig:
    return ClockConfig(VENUE, title=TITLE, broker=plan.broker_of(CLOCK), web=Web(HOST, plan.ports.clock))


def _station(plan: RoomPlan, data: str) -> StationConfig:
    return StationConfig(
        venue=VENUE,
        data=data,
        tables=plan.table_ids,
        levels=plan.levels,
        rulebook=plan.rulebook,
        entrants=0 if plan.tournament else sum(len(seats_of(int(table))) for table in plan.table_ids),
        title=TITLE,
        autostart=True,
        public_overview=True,
        players_shown=Shows.NAME,  # nobody is real
        clip_key=str(plan.folder / CLIP_KEY),
        broker=plan.broker_of(STATION),
        web=Web(HOST, plan.ports.station),
    )


def _lay_out_table(plan: RoomPlan, table: str, data: str, relay_key: str, clip_key: str) -> None:
    number = int(table)
    devices = simroom_of(plan, table)
    decks = Path(devices.decks)
    decks.write_text(generate(plan.seed * 100 + number, decks=2))
    decks.chmod(0o600)  # a tag is a card
    camera = CameraConfig()
    if devices.camera:
        chips = plan.folder / f"chips-{table}.toml"
        enrol_chips(chips, SEAT_COUNT)
        felt = str(plan.folder / FELT_FILE) if plan.camera else ""
        height_mm = 0.0 if plan.camera else CAMERA_HEIGHT_MM
        camera = CameraConfig(f"socket:{devices.camera}", felt, chips=str(chips), height_mm=height_mm)
    _write(
        plan,
        f"table-{table}",
        TableConfig(
            venue=VENUE,
            table=table,
            data=data,
            seats=devices.seats,
            levels=plan.levels,
            seat_count=SEAT_COUNT,
            button=Seat(1),
            rulebook=plan.rulebook,
            smallest_chip=SMALLEST_CHIP,
            broker=plan.broker_of(table_name(table)),
            web=Web(HOST, plan.ports.table(number)),
            keypad=SerialDevice(devices.keypad),
            shoe=SerialDevice(devices.shoe),
            decks=devices.decks,
            camera=camera,
            show_sensed=True,
            relay_key=relay_key,
            clip_key=clip_key,
        ),
    )
    _write(plan, f"simroom-{table}", devices)


def simroom_of(plan: RoomPlan, table: str) -> SimroomConfig:
    """What the devices of `table` are told."""
    number, run = int(table), plan.folder / "run"
    keypad, shoe, camera = (str(run / f"{device}-{table}") for device in ("keypad", "shoe", "camera"))
    has_camera = plan.cameras is None or table in plan.cameras
    return SimroomConfig(
        table=table,
        seats=() if plan.tournament else seats_of(number),
        levels=plan.levels,
        keypad=keypad,
        shoe=shoe,
        camera=camera if has_camera else "",
        decks=str(plan.folder / f"decks-{table}.toml"),
        screen=f"{plan.table_url(table)}/api/table/{table}",
        seat_count=SEAT_COUNT,
        rulebook=plan.rulebook,
        smallest_chip=SMALLEST_CHIP,
        seed=plan.seed * 1000 + number,
        speed=plan.speed,
        hands=hands_of(plan, number),
        histories=tuple(str(path) for path in plan.histories[number - 1 :: plan.tables]),
        fps=plan.fps,
        light=plan.light,
        camera_model=plan.camera,
        cloth=plan.cloth,
        deck_style=plan.deck_style,
    )


def seats_of(number: int) -> tuple[SeatStack, ...]:
    """The players of table `number`: seven to nine of them."""
    players = 7 + (number - 1) % 3
    first = SEAT_COUNT * (number - 1)
    return tuple(SeatStack(Seat(s), STARTING_STACK, player_name(first + s - 1)) for s in range(1, players + 1))


def hands_of(plan: RoomPlan, number: int) -> int:
    """How many of the room's hands table `number` deals; 0 for ever."""
    share, rest = divmod(plan.hands, plan.tables)
    return share + (number <= rest)


def children(plan: RoomPlan, on_report: Callable[[str, bytes], None]) -> Sequence[ChildSpec]:
    """Every process of the room in the order in which they start; `on_report(table, line)` hears simulated
    tables."""
    specs = []
    if not plan.broker:
        # Its stdin is the life line: the embedded broker ends when that closes.
        argv = python("feltwire.runtime.broker.embedded", "--port", str(plan.ports.broker))
        specs.append(_child(plan, "broker", argv, talks=True, first_backoff_s=BROKER_BACK_S, stops_last=True))
    for table in plan.table_ids:
        specs.append(_process(plan, "table", f"table-{table}"))
        if not plan.tournament:  # its dealers are of this process
            specs.append(_simroom(plan, table, on_report))
    specs += [_process(plan, name, name) for name in ("station", "clock", "relay")]
    return specs


def _process(plan: RoomPlan, command: str, name: str) -> ChildSpec:
    config = str(plan.folder / f"{name}.toml")
    return _child(plan, name, python("feltwire", command, "--config", config))


def _simroom(plan: RoomPlan, table: str, on_report: Callable[[str, bytes], None]) -> ChildSpec:
    name = f"simroom-{table}"
    argv = python("feltwire.lab.simroom", "--config", str(plan.folder / f"{name}.toml"))
    return _child(plan, name, argv, talks=True, on_line=lambda line: on_report(table, line))


def _child(
    plan: RoomPlan,
    name: str,
    argv: tuple[str, ...],
    *,
    talks: bool = False,
    on_line: Callable[[bytes], None] | None = None,
    first_backoff_s: float = SHORTEST_BACKOFF_S,
    stops_last: bool = False,
) -> ChildSpec:
    log_file = plan.folder / "log" / f"{name}.log"
    return ChildSpec(
        name=name,
        argv=argv,
        log_file=log_file,
        talks=talks,
        on_line=on_line,
        first_backoff_s=first_backoff_s,
        stops_last=stops_last,
    )


def _write(plan: RoomPlan, name: str, config: object) -> None:
    path = plan.folder / f"{name}.toml"
    path.write_bytes(msgspec.toml.encode(config))
    path.chmod(0o600)
