"""The simulated room: its machines, its people, and a story that befalls it."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

from feltwire.config import ClockConfig, RelayConfig, StationConfig, TableConfig, Web
from feltwire.relay.keys import RelayKeys
from feltwire.relay.process import RelayProcess
from feltwire.runtime.process import Process
from firmware_bridge.decks import DeckRegistry, generate
from table_core.messages import Chips, Leaseholder, Level, Seat, SeatStack
from tests.simulation.beats import Beats
from tests.simulation.clock_machine import SimulatedClock
from tests.simulation.dealer import Dealer, Site
from tests.simulation.director import STACK, Director, SimulatedStation
from tests.simulation.facts import Facts
from tests.simulation.link import Link, Noise
from tests.simulation.machine import Machine, Maker, SimulatedHost
from tests.simulation.memory_broker import MemoryBroker
from tests.simulation.screens import LOOK_MS as SCREENS_MS
from tests.simulation.screens import Screens
from tests.simulation.story import Step, Story
from tests.simulation.table_machine import Hardware, SimulatedTable
from tests.simulation.watch import Watch
from tests.simulation.world import World

VENUE = "hall"
LEVELS = tuple(
    Level(no=no, small_blind=Chips(25 * 2**no), big_blind=Chips(50 * 2**no), minutes=0.5) for no in range(1, 5)
)
GLANCE_MS, DIRECTOR_MS = (150, 900), 150
SETTLES_MS, LOOK_MS = 90_000, 5_000
AGAIN_MS, REST_LOOK_MS = 18_000, 2_000  # what was lost is said again after sixteen seconds at most
STARTED_AGAIN_MS = 3_000
PORT = Web(port=0)


class SimulatedRoom:
    """Every process of a venue on a machine of its own, with its data below `folder`."""

    def __init__(self, story: Story, folder: Path) -> None:
        self.story = story
        self.world = World()
        self.broker = MemoryBroker()
        self.links: dict[str, Link] = {}
        self.machines: dict[str, Machine] = {}
        self.watch = Watch()
        self._folder = folder
        self._chance = random.Random(f"room {story.seed}")
        self._decks = folder / "decks.toml"
        self._decks.write_text(generate(1, decks=2))
        self.registry = DeckRegistry.load(self._decks)
        self._relay_key = folder / "relay.key"
        self._keys = RelayKeys.generate()
        self._keys.save(self._relay_key)
        self.relay_verify_key = bytes(self._keys.signing.verify_key).hex()
        self.sites = {table: Site(table) for table in story.tables}
        self.station = self._machine("station", self._station)
        self.watch.station = self.station
        self.screens = Screens(self)
        self.director = Director(story, self.station, self._own("director"), self.is_abandoned)
        if story.relay:
            self._machine("relay", self._relay)
        for no in range(story.clocks):
            self._machine(f"clock-{no}", self._clock)
        for table in story.tables:
            self._table(table)
        shoves = 0.25 if story.tournament else 0.05
        self.dealers = [
            Dealer(site, self.registry, self._own(f"dealer {name}"), shoves) for name, site in self.sites.items()
        ]

    # ------------------------------------------------------------------------------------ the story

    def play(self) -> None:
        """The whole story, and then peace until the room is in step again. Raise `Broken` where it is not."""
        for machine in self.machines.values():
            machine.start()
        for step in self.story.steps:
            self.world.at(step.at_ms * 1_000, lambda step=step: self._do(step))  # type: ignore[misc]
        self._look_after_table()
        self._look_after_room()
        self._look_at_screens()
        if self.story.rests_at_ms is not None:
            self.world.at(self.story.rests_at_ms * 1_000, lambda: self._rest(rests=True))
        self.world.run(self.story.ms)
        self._make_peace()
        facts = Facts(self)
        if self.story.rests_at_ms is not None:
            self._is_collected_in_rest(facts)
            self._rest(rests=False)
        wrong: list[str] = []
        for _ in range(0, SETTLES_MS, LOOK_MS):
            self.world.run(LOOK_MS)
            wrong = list(facts.wrong())
            if not wrong or self.watch.broken or self.screens.wrong:
                break
        if wrong:
            raise Broken("\n".join(wrong))

    def close(self) -> None:
        for machine in self.machines.values():
            machine.kill()

    @property
    def trace(self) -> int:
        """A number for everything that was carried, by whom and when."""
        return hash(tuple((link.carried, link.trace) for link in self.links.values()))

    def is_abandoned(self, table: str) -> bool:
        """No machine that is up has the lease of the table; or nobody has it, and none that is up asks for it."""
        if self.station.process is None:
            return False
        who = self._leaseholder(table)
        up = [one for one in self.sites[table].machines if isinstance(one.process, SimulatedTable)]
        if who is None:
            return all(machine.host.has_left_bus for machine in up)
        return all(_ledger_of(machine) != who.ledger for machine in up)

    def _leaseholder(self, table: str) -> Leaseholder | None:
        """Whom the station that is up has granted the table."""
        process = self.station.process
        return process.store.leaseholders().get(table) if isinstance(process, SimulatedStation) else None

    def _look_after_table(self) -> None:
        for dealer in self.dealers:
            dealer.deals = True

            def look(dealer: Dealer = dealer) -> None:
                dealer.look()
                self.world.after(self._chance.uniform(*GLANCE_MS), look)

            look()

    def _look_after_room(self) -> None:
        self.director.look()
        self._start_again()
        self.world.after(DIRECTOR_MS, self._look_after_room)

    def _look_at_screens(self) -> None:
        self.screens.look()
        self.world.after(SCREENS_MS, self._look_at_screens)

    def _start_again(self) -> None:
        """A machine that left the broker to another one and was then handed the table, or whose table nobody is
        any more (a station with an empty disk shows it silent): somebody starts it again, as its screen and the
        station say it."""
        for table, site in self.sites.items():
            who = self._leaseholder(table)
            for machine in site.machines:
                if not isinstance(machine.process, SimulatedTable) or not machine.host.has_left_bus:
                    continue
                if (who is not None and _ledger_of(machine) == who.ledger) or self.is_abandoned(table):
                    machine.hold_down(STARTED_AGAIN_MS)

    def _rest(self, *, rests: bool) -> None:
        for dealer in self.dealers:
            dealer.rests = rests

    def _is_collected_in_rest(self, facts: Facts) -> None:
        """Nothing new comes of the tables. Raise `Broken` where the station has not what they have though all
        machines were up for a while: whoever misses something asks, or is told again."""
        calm_ms, before, missing = 0, facts.calm(), ""
        while calm_ms < AGAIN_MS and self.world.now < (self.story.ms + SETTLES_MS) * 1_000:
            self.world.run(REST_LOOK_MS)
            missing, now = next(facts.missing(), ""), facts.calm()
            if not missing and now is not None:
                return
            calm_ms, before = (calm_ms + REST_LOOK_MS if now and now == before else 0), now
        if missing:
            raise Broken(f"while dealers rest, {missing}")

    def _make_peace(self) -> None:
        for dealer in self.dealers:
            dealer.deals = False
        if not self.broker.runs:
            self.broker.start()
        for link in self.links.values():
            link.noise = Noise()
            link.mend()
        for machine in self.machines.values():
            machine.fill_disk(full=False)
            machine.thaw()

    # -------------------------------------------------------------------------------------- a step

    def _do(self, step: Step) -> None:
        if step.kind == "broker":
            self.broker.kill(forget_retained=not step.amount)
            self.world.after(step.ms, self.broker.start)
        elif step.kind == "spare":
            self._second_machine(step.target)
        elif step.kind == "press":
            self.director.press(int(step.amount), step.target)
        else:
            self._befall(self.machines[step.target], step)

    def _befall(self, machine: Machine, step: Step) -> None:
        link = self.links[machine.name]
        match step.kind:
            case "kill":
                machine.hold_down(step.ms)
            case "kill_in_step":
                machine.kill_after(int(step.amount), step.ms)
            case "replace":
                machine.kill_after(int(step.amount), step.ms, lose_disk=True)
            case "reboot":
                machine.hold_down(step.ms, reboot=True)
            case "lose_disk":
                machine.hold_down(step.ms, lose_disk=True)
            case "full":
                machine.fill_disk(full=True)
                self.world.after(step.ms, lambda: machine.fill_disk(full=False))
            case "freeze":
                machine.freeze(step.ms)
            case "wall":
                machine.host.wall_off_ms += round(step.amount * 1_000)
            case "cut":
                link.cut(lambda: machine.host.current_bus)
                self.world.after(step.ms, link.mend)
            case "lose":
                self._noise(link, step.ms, drop=step.amount)
            case "double":
                self._noise(link, step.ms, duplicate=step.amount)
            case "reorder":
                self._noise(link, step.ms, late_ms=step.amount, reorder=True)
            case "delay":
                self._noise(link, step.ms, late_ms=step.amount)

    def _noise(self, link: Link, ms: int, **what: float) -> None:
        link.noise = replace(link.noise, **what)  # type: ignore[arg-type]
        nothing = Noise()
        calm = {name: getattr(nothing, name) for name in what}
        self.world.after(ms, lambda: setattr(link, "noise", replace(link.noise, **calm)))

    # ------------------------------------------------------------------------------- its machines

    def _own(self, name: str) -> random.Random:
        return random.Random(f"{name} {self.story.seed}")

    def _machine(self, name: str, make: Maker) -> Machine:
        link = self.links[name] = Link(self.world, self.broker, self._own(f"link {name}"))
        host = SimulatedHost(self.world, self.broker, link, name, self._own(f"host {name}"))
        self.machines[name] = Machine(name, host, self._folder, make)
        return self.machines[name]

    def _table(self, table: str, suffix: str = "") -> Machine:
        site = self.sites[table]
        names = ("keypad", "shoe") if self.story.shoe else ("keypad",)
        boot = 1 + 10 * len(site.machines)
        hardware = {name: Hardware(self.world, name, boot + no) for no, name in enumerate(names)}

        def make(host: SimulatedHost, data: Path, memory: Path) -> Process:
            beats = Beats(host, self.station.host)
            return SimulatedTable(self._table_config(table, data, memory), host, hardware, self.watch, beats)

        machine = self._machine(f"table-{table}{suffix}", make)
        site.machines.append(machine)
        site.hardware.append(hardware)
        return machine

    def _second_machine(self, table: str) -> None:
        name = f"table-{table}-b"
        machine = self.machines.get(name) or self._table(table, "-b")
        machine.start()

    def _table_config(self, table: str, data: Path, memory: Path) -> TableConfig:
        """In a tournament the seats are the station's; before, nobody sits there."""
        story = self.story
        stacks = () if story.tournament else tuple(
            SeatStack(Seat(no), Chips(STACK), f"q{no}") for no in range(1, story.players + 1)
        )  # fmt: skip
        return TableConfig(
            VENUE, table, str(data), stacks, LEVELS, 6, rulebook=story.book, web=PORT, decks=str(self._decks),
            runtime=str(memory), relay_key=self._keys.public_hex,
        )  # fmt: skip

    def _station(self, host: SimulatedHost, data: Path, _memory: Path) -> Process:
        config = StationConfig(VENUE, str(data), self.story.tables, LEVELS, rulebook=self.story.book, web=PORT)
        process = SimulatedStation(config, host)
        process.replies = self.director.replies
        process.announces, process.hears = self.screens.heard_clock, self.screens.came_to_station
        return process

    def _relay(self, host: SimulatedHost, data: Path, _memory: Path) -> Process:
        config = RelayConfig(VENUE, str(data), str(self._relay_key), self.story.tables, delay_s="1", web=PORT)
        return RelayProcess(config, host)

    def _clock(self, host: SimulatedHost, _data: Path, _memory: Path) -> Process:
        return SimulatedClock(ClockConfig(VENUE, name=host.name, web=PORT), host, Beats(host, self.station.host))


def _ledger_of(machine: Machine) -> str:
    assert isinstance(machine.process, SimulatedTable)
    return machine.process.ledger.identity()


class Broken(AssertionError):
    """Something does not hold at the end of a story."""
