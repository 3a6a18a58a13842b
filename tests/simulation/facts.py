"""What must hold in a room that has had peace for a while, whatever befell it before."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from feltwire.lab.demo.night.director import wrong_now
from feltwire.rulebooks import rulebook_named
from feltwire.tools.verify.events import Proofs, verify_table
from feltwire.tools.verify.releases import check_releases
from table_core.messages import (
    ClockState,
    Counted,
    HandStarted,
    ItemKind,
    Liveness,
    QueueView,
    Rewound,
    RoomView,
    SeatsChanged,
    SeatsSet,
    Source,
    TableView,
    decode_envelope,
)
from table_core.projections.clock import run_on
from table_core.tournament.night import Night
from tests.simulation.dealer import Site
from tests.simulation.director import SimulatedStation
from tests.simulation.table_machine import SimulatedTable

if TYPE_CHECKING:
    from tests.simulation.room import SimulatedRoom

TROUBLE = (ItemKind.SILENT, ItemKind.NO_ANSWER, ItemKind.DISK)
TROUBLE_WORDS = ("broker", "Nothing can be recorded", "quarantined", "are missing here", "does not fit", "forged")
CLOCK_MS = 60  # a wall clock differs from the station's by no more: its delay to the broker and back


class Facts:
    def __init__(self, room: SimulatedRoom) -> None:
        self._room = room

    def wrong(self) -> Iterator[str]:
        """Everything that does not hold now, or did not hold once."""
        yield from self._room.watch.broken[:1]
        yield from self._room.screens.wrong[:1]
        yield from self._ended()
        process = self._room.station.process
        if not isinstance(process, SimulatedStation):
            yield "the station is not up"
            return
        for site in self._room.sites.values():
            yield from self._table(process, site)
        yield from self._shown(process)
        yield from self._tournament(process)
        yield from self._clocks(process)
        yield from self._relay()

    def _ended(self) -> Iterator[str]:
        """No process ends by itself, and no input makes a node raise."""
        for machine in self._room.machines.values():
            yield from (f"{machine.name} ended by itself: {error!r}" for error in machine.deaths)
            if machine.data.is_dir() and any((machine.data / "quarantine").glob("*")):
                yield f"{machine.name}: an input was quarantined"

    # ------------------------------------------------------------------------------------- tables

    def missing(self) -> Iterator[str]:
        """What the station has not collected of tables that are there, and what it has not acknowledged."""
        station = self._room.station.process
        if not isinstance(station, SimulatedStation):
            return
        for site in self._room.sites.values():
            table = self._leaseholder(station, site)
            if table is None:
                continue
            if list(table.ledger.raw_events()) != list(station.ledger.raw_events(site.name)):
                yield f"table {site.name}: the station has not its last events"
            elif table.ledger.outbox(1):
                yield f"table {site.name}: events wait in its outbox"

    def calm(self) -> tuple[str, ...] | None:
        """Who is which table, once every machine is up and on the broker; None before."""
        station = self._room.station.process
        machines = self._room.machines.values()
        there = (one.host.has_left_bus or (one.process is not None and one.process.bus.is_up) for one in machines)
        if not isinstance(station, SimulatedStation) or not all(there):
            return None
        holders = station.store.leaseholders()
        return tuple(holders[table].ledger if table in holders else "" for table in self._room.sites)

    def _leaseholder(self, station: SimulatedStation, site: Site) -> SimulatedTable | None:
        who = station.store.leaseholders().get(site.name)
        up = [one.process for one in site.machines if isinstance(one.process, SimulatedTable)]
        return next((one for one in up if who is not None and one.ledger.identity() == who.ledger), None)

    def _table(self, station: SimulatedStation, site: Site) -> Iterator[str]:
        """One machine is the table, and the station has what its ledger has: every event, the same state."""
        table = self._leaseholder(station, site)
        if table is None:
            yield f"table {site.name}: no machine that is up is the table"
            return
        rows = list(table.ledger.raw_events())
        collected = list(station.ledger.raw_events(site.name))
        if rows != collected:
            yield f"table {site.name}: its ledger ends at {_end(rows)}, the station's at {_end(collected)}"
            return
        yield from self._one_state(station, table, site)
        yield from self._verified(station, site, rows)
        yield from _once(site.name, rows)
        yield from self._frames(site)
        if table.ledger.outbox(1):
            yield f"table {site.name}: events wait in its outbox"
        if self._room.story.relay and table.ledger.sealed_outbox(1):
            yield f"table {site.name}: sealed cards wait in its outbox"
        for other in (one.process for one in site.machines):
            if isinstance(other, SimulatedTable) and other is not table and other.node.lease.plays:
                yield f"table {site.name}: two machines play it"

    def _one_state(self, station: SimulatedStation, table: SimulatedTable, site: Site) -> Iterator[str]:
        """The station's copy, and the page that shows it, are what the table says."""
        own = table.node.table.view()
        link = station.node._tables._links[site.name]
        if link.model.fault:
            yield f"table {site.name}: {link.model.fault}"
        elif link.model.view != own:
            yield f"table {site.name}: the station has it otherwise: {_differs(link.model.view, own)}"
        shown = station.hub.latest(f"table/{site.name}")
        if shown is None or msgspec.json.decode(shown.data, type=TableView) != own:
            yield f"table {site.name}: the station's page shows another state"
        waiting = [one.command for one in link.outgoing.values()]
        if waiting and not table.node.table.in_hand:
            yield f"table {site.name}: it has not answered {type(waiting[0]).__name__}"

    def _verified(
        self, station: SimulatedStation, site: Site, rows: list[tuple[int, int, bytes]]
    ) -> Iterator[str]:
        """`feltwire verify` holds, of the ledger and of what the relay released."""
        proofs = Proofs(station.store.leaseholders())
        verdict = verify_table(site.name, rows, rulebook_named(self._room.story.book), proofs)
        relay = self._room.machines.get("relay")
        releases = relay.data / "releases.jsonl" if relay is not None else Path("none")
        if releases.is_file():
            check_releases(releases, [verdict], key=self._room.relay_verify_key)
        if not verdict.ok:
            yield f"table {site.name} does not verify at {verdict.first_bad}: {verdict.why}"

    def _frames(self, site: Site) -> Iterator[str]:
        """What was acknowledged to a keypad or a shoe is recorded."""
        for machine, hardware in zip(site.machines, site.hardware, strict=True):
            process = machine.process
            if not isinstance(process, SimulatedTable) or machine.disks > 1:
                continue
            for name, device in hardware.items():
                lost = [frame for frame in device.acked if frame[1] not in process.ledger.seen(name, frame[0])]
                if lost:
                    yield f"{machine.name}: {name} frame {lost[0]} was acknowledged and is not recorded"
                if device.waiting and not process.node.table.in_hand:
                    yield f"{machine.name}: {device.waiting} frames wait in the {name}"

    # ----------------------------------------------------------------------------------- the room

    def _shown(self, station: SimulatedStation) -> Iterator[str]:
        """The station's page has every table live, and nothing to say of broker and disk."""
        shown = station.hub.latest("room")
        assert shown is not None
        for cell in msgspec.json.decode(shown.data, type=RoomView).cells:
            if cell.link is not Liveness.LIVE:
                yield f"the station's page shows table {cell.table} as {cell.link.value}"
        queue = station.hub.latest("queue")
        for item in msgspec.json.decode(queue.data, type=QueueView).items if queue is not None else ():
            if item.kind in TROUBLE or any(words in item.fact for words in TROUBLE_WORDS):
                yield f"the station still says: {item.fact}"

    def _tournament(self, station: SimulatedStation) -> Iterator[str]:
        """No chip is missing but those that keys counted away, everybody has one seat, the records lead to what
        the station has, and what the director was answered is in them."""
        node = station.node
        if not self._room.story.tournament or not node.tournament.records.opened:
            return
        replayed = Night.replayed(station.records.records(), station.rulebook)
        if replayed.state != node.tournament.night.state:
            yield "the tournament's records lead to another state than the station has"
        night = self._room.director.night(station)
        if night.get("started"):
            ledgers = [station.ledger.raw_events(table) for table in self._room.sites]
            chips = night["chips"]
            night["chips"] = chips | {"missing": chips["missing"] - sum(map(_counted_away, ledgers))}
        yield from wrong_now(night)
        known = {record.command for record in station.records.records()}
        for press in self._room.director.accepted:
            if (
                node.tournament.takes(press.command)
                and press.command not in NO_RECORD
                and not _is_of(press.id, known)
            ):
                yield f"the director's {press.command} ({press.id}) was answered and is not on record"
        yield from self._seated(station, night)

    def _seated(self, station: SimulatedStation, night: dict[str, Any]) -> Iterator[str]:
        """At each table sit those whom the tournament has there; seats change between hands."""
        for table in night.get("tables", ()):
            process = next(
                (one.process for one in self._room.sites[table["table"]].machines if one.process is not None), None
            )
            if not isinstance(process, SimulatedTable) or process.node.table.in_hand or not table["open"]:
                continue
            has = {seat: held.player for seat, held in process.node.table.seats.items()}
            due = {seat["seat"]: seat["player"] for seat in table["seats"]}
            if any(has.get(seat) != player for seat, player in due.items()) and process.node.lease.plays:
                yield f"table {table['table']}: there sit {has}, the tournament has {due}"

    def _clocks(self, station: SimulatedStation) -> Iterator[str]:
        """Every wall clock shows the station's clock, and none says that it is on its own."""
        shown = station.hub.latest("clock")
        assert shown is not None
        due = run_on(msgspec.json.decode(shown.data, type=ClockState), station.host.now())
        for no in range(self._room.story.clocks):
            machine = self._room.machines[f"clock-{no}"]
            seen = machine.process.hub.latest("clock") if machine.process is not None else None
            if seen is None:
                yield f"{machine.name} shows no clock"
                continue
            state = run_on(msgspec.json.decode(seen.data, type=ClockState), machine.host.now())
            if (state.level, state.running, state.note) != (due.level, due.running, due.note):
                shows, says = (state.level.no, state.note), (due.level.no, due.note)
                yield f"{machine.name} shows {shows}, the station {says}"
            elif abs(state.left_ms - due.left_ms) > CLOCK_MS:
                yield f"{machine.name} is {state.left_ms - due.left_ms} ms off"

    def _relay(self) -> Iterator[str]:
        relay = self._room.machines.get("relay")
        if relay is not None and relay.process is None:
            yield "the relay is not up"


NO_RECORD = ("preview", "add_player", "correct_name", "show_as", "forget_player", "tell_apart", "suggest_schedule")


def _is_of(press: str, known: set[str]) -> bool:
    return any(command == press or command.endswith(f"/{press}") for command in known)


def _once(table: str, rows: list[tuple[int, int, bytes]]) -> Iterator[str]:
    """What a frame or a command led to is one step: nothing is applied twice."""
    steps: dict[str, tuple[str, int]] = {}
    for _, _, raw in rows:
        envelope = decode_envelope(raw)
        cause, at = envelope.cause, (envelope.at.boot, envelope.at.ms)
        if cause.startswith(("command/", "keypad/", "shoe/")):
            if cause in steps and steps[cause] != at:
                yield f"table {table}: {cause} was carried out twice"
            steps[cause] = at


def _counted_away(rows: Iterable[tuple[int, int, bytes]]) -> int:
    """The chips by which the stacks that were keyed at a table are smaller than those that it had: a wrong key
    makes `8 00 RAISE` a player who is all-in with 80. Nobody counts the chips of this room: they stay missing."""
    settled, hand = 0, dict[tuple[int, int], int]()  # by event: of the hand that may be taken back or closed
    for epoch, seq, raw in rows:
        match decode_envelope(raw).data:
            case HandStarted():
                settled, hand = settled + sum(hand.values()), {}
            case Counted(stack=stack, was=was, source=Source.KEY):
                hand[epoch, seq] = was - stack
            case Rewound(cut=cut):
                hand = {at: chips for at, chips in hand.items() if at[0] != epoch or at[1] not in cut}
            case SeatsSet(gap=True):  # everybody has the stack of its start again
                hand = {}
            case SeatsChanged(hand=1):  # the first seats, with starting stacks
                settled, hand = 0, {}
    return settled + sum(hand.values())


def _end(rows: list[tuple[int, int, bytes]]) -> str:
    return f"{rows[-1][0]}/{rows[-1][1]}" if rows else "nothing"


def _differs(one: object, other: object) -> str:
    if not isinstance(one, msgspec.Struct) or not isinstance(other, msgspec.Struct):
        return f"{one!r}"[:80]
    return ", ".join(
        f"{name} {getattr(one, name)!r} instead of {getattr(other, name)!r}"[:200]
        for name in one.__struct_fields__
        if getattr(one, name) != getattr(other, name)
    )
