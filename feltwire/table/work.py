"""One step of a table's work: its unit of work, the commit, and the effects after it.

The dealer screen, the bus and the lamp are updated only after the commit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from feltwire.ledger.signing import Signer
from feltwire.ledger.table_ledger import ObservationRecord
from feltwire.runtime.node_io import Show
from feltwire.runtime.views import Part, Views
from feltwire.table.clocks import ShownClocks
from feltwire.table.last_presses import PressLog
from feltwire.table.lease import Lease
from feltwire.table.memory import TableMemory
from feltwire.table.publisher import TablePublisher
from feltwire.table.screen import TableScreen, became, public_view
from feltwire.table.table_io import Effect, ForgetHand, FramesLost
from feltwire.table.unit_of_work import TableUnitOfWork, Vault
from table_core.messages import (
    AnyObservation,
    At,
    DeviceChanged,
    Millis,
    Noticed,
    Origin,
    PressView,
    RulingChoices,
    Seat,
    ZoneSeen,
    encode,
)
from table_core.tracker.dealing.evidence import frames_lost
from table_core.tracker.state import covered
from table_core.tracker.tracker import observe

CLOCKS = Part("The clocks of this table")
PRESSES = Part("What was pressed last")
BECAME = Part("What the bytes became")


class TableWork:
    """`stamp` annotates boot time, `key` signs what is recorded."""

    def __init__(
        self,
        memory: TableMemory,
        lease: Lease,
        publisher: TablePublisher,
        vault: Vault,
        stamp: Callable[[Millis], At],
        key: Signer | None,
        views: Views,
    ) -> None:
        self._views = views
        self._memory = memory
        self._lease = lease
        self._publisher = publisher
        self._vault = vault
        self._stamp = stamp
        self._key = key
        self._screen = TableScreen(lease, views)
        self._clocks = ShownClocks()
        self._presses = PressLog()

    def recover(self, presses: Iterable[PressView] | None) -> None:
        """Take up the last presses."""
        self._presses.recover(presses or ())
        self._publisher.pressed(self._presses.last())

    def begin(self, now: Millis, cause: str, by: str = "") -> TableUnitOfWork:
        memory, at = self._memory, self._stamp(now)
        return TableUnitOfWork(
            memory.projection,
            self._vault,
            memory.config.venue,
            at,
            cause,
            self._key,
            by,
            memory.set_rulebook,
            memory.worn,
        )

    def finish(self, unit: TableUnitOfWork, now: Millis, *, lease: bool = False) -> list[Effect]:
        """The commit and the effects after it. `lease`: the leaseholder has changed."""
        memory, commit = self._memory, unit.commit
        if lease:
            commit.notes["charge"] = self._lease.kept()
        commit.notes |= memory.tracker_notes(self._vault)
        effects: list[Effect] = [commit]
        if commit.drop_boxes:
            effects.append(ForgetHand())
        public = public_view(memory.projection, self._views)
        own, ruling = (
            self._screen.drawn(unit, memory.state, public, now),
            self._screen.open_incident(unit, memory.state),
        )
        changed, ruling_changed = self._screen.shows(own, ruling)
        if commit.entries or changed:
            effects.append(self._screen.show(own, memory.projection))
        if commit.entries:
            memory.staleness.recorded(commit.envelopes)
            effects += self._publisher.recorded(commit, public, now)
            effects += self._views.all(BECAME, lambda: became(commit))
            effects += self._screen.lights(memory.projection, commit)
        if ruling_changed:
            effects += [self._screen.show_incident(memory.projection, ruling), *self._publisher.incident(ruling)]
        return [*effects, *self._show_clocks(now)]

    def _show_clocks(self, now: Millis) -> list[Effect]:
        memory = self._memory
        if not self._lease.plays:
            return []
        args = memory.projection, memory.state, memory.staleness, now
        return self._views.all(CLOCKS, lambda: [*self._clocks.changed(*args)])

    def choices(self, seat: Seat | None, words: str, now: Millis) -> RulingChoices:
        """What a person may have ruled on now; nothing is recorded."""
        unit = self.begin(now, "screen")
        return self._screen.choices(unit, self._memory.state, now, seat, words)

    def station_heard(self, now: Millis) -> list[Effect]:
        """Show that the station is heard no more, or again."""
        unheard = now >= self._memory.staleness.unheard_from
        if unheard == self._screen.unheard:
            return []
        self._screen.unheard = unheard
        return self.finish(self.begin(now, "beat"), now) if self._lease.plays else [self.fenced()]

    def unheard_at(self) -> Millis | None:
        """When that is to be shown next."""
        return None if self._screen.unheard else self._memory.staleness.unheard_from

    def fenced(self) -> Show:
        """The screen of a fenced machine."""
        return self._screen.fenced(self._memory.projection)

    # -------------------------------------------------------------------------------- observations

    def observed(
        self,
        seen: AnyObservation,
        origin: Origin,
        now: Millis,
        *,
        boxes: tuple[bytes, ...] = (),
        lost: bool = False,
        by: str = "",
    ) -> list[Effect]:
        """A step for one observation; `lost`: earlier messages never came, `by`: who pressed."""
        unit = self.begin(now, origin.text(), by)
        unit.commit.boxes += boxes
        if lost:
            unit.record(Noticed("device_gap", f"The {origin.device} lost messages before this one"))
            frames_lost(unit, self._memory.state, origin.device)
        kept = covered(seen) if isinstance(seen, ZoneSeen) else seen
        unit.commit.observations.append(ObservationRecord(origin.device, origin.boot, origin.seq, encode(kept)))
        observe(unit, self._memory.state, seen, now)
        wall, led_to = self._stamp(now).wall, unit.commit.envelopes
        pressed = self._views.show(PRESSES, lambda: self._presses.take(seen, wall, by, led_to), lambda _: False)
        if pressed:
            unit.commit.notes["presses"] = self._presses.kept()
        effects = self.finish(unit, now)
        return [*effects, *self._publisher.pressed(self._presses.last())] if pressed else effects

    def frames_lost(self, given: FramesLost, now: Millis) -> list[Effect]:
        """A step for frames that a device reports as lost."""
        unit = self.begin(now, given.device)
        text = f"The {given.device} lost {given.count} messages: it could not keep them"
        unit.record(Noticed("device_gap", text))
        frames_lost(unit, self._memory.state, given.device)
        return self.finish(unit, now)

    def device(self, seen: DeviceChanged, now: Millis) -> list[Effect]:
        """Publish a device's state; only a change is recorded as an event."""
        published = self._publisher.device(seen)
        if not self._lease.plays or self._memory.projection.devices.get(seen.device) is seen.state:
            return published
        return [*self.observed(seen, seen.origin, now), *published]
