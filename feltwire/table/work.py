"""One step of a table's work: its unit of work, and what the world is told once it is done.

A finished step is one `Commit`. Behind it, and only there, come the dealer screen, the bus and the lamp.
"""

from __future__ import annotations

from collections.abc import Callable

from feltwire.ledger.signing import Signer
from feltwire.ledger.table_ledger import ObservationRecord
from feltwire.runtime.node_io import Show
from feltwire.table.lease import Charge
from feltwire.table.memory import TableMemory
from feltwire.table.publisher import TableVoice
from feltwire.table.screen import TableScreen, became
from feltwire.table.table_io import Effect, ForgetHand, FramesLost
from feltwire.table.unit_of_work import TableUnitOfWork, Vault
from table_core.messages import AnyObservation, At, DeviceChanged, Millis, Noticed, Origin, ZoneSeen, encode
from table_core.tracker.evidence import frames_lost
from table_core.tracker.state import covered
from table_core.tracker.tracker import observe


class TableWork:
    """`stamp` annotates boot time, `key` signs what is recorded."""

    def __init__(
        self,
        memory: TableMemory,
        charge: Charge,
        voice: TableVoice,
        vault: Vault,
        stamp: Callable[[Millis], At],
        key: Signer | None,
    ) -> None:
        self._memory = memory
        self._charge = charge
        self._voice = voice
        self._vault = vault
        self._stamp = stamp
        self._key = key
        self._screen = TableScreen(charge)

    def begin(self, now: Millis, cause: str, by: str = "") -> TableUnitOfWork:
        venue, at = self._memory.config.venue, self._stamp(now)
        return TableUnitOfWork(self._memory.fold, self._vault, venue, at, cause, self._key, by)

    def finish(self, unit: TableUnitOfWork, now: Millis, *, charge: bool = False) -> list[Effect]:
        """The commit, and behind it what the world is told. `charge`: who is the table has changed."""
        memory, commit = self._memory, unit.commit
        if charge:
            commit.notes["charge"] = self._charge.kept()
        commit.notes |= memory.tracker_notes(self._vault)
        effects: list[Effect] = [commit]
        if commit.drop_boxes:
            effects.append(ForgetHand())
        public = memory.fold.view()
        own, ruling = self._screen.drawn(unit, memory.state, public), self._screen.open_matter(unit, memory.state)
        changed, ruling_changed = self._screen.shows(own, ruling)
        if commit.entries or changed:
            effects.append(self._screen.show(own))
        if commit.entries:
            memory.staleness.recorded(commit.envelopes)
            effects += self._voice.recorded(commit, public, now)
            effects += [*became(commit), *self._screen.lamp(memory.fold)]
        if ruling_changed:
            effects += [self._screen.show_matter(memory.fold, ruling), *self._voice.matter(ruling)]
        return effects

    def fenced(self) -> Show:
        """The screen of a machine that is not the table."""
        return self._screen.fenced(self._memory.fold)

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
        """A step of its own for what a device saw; `lost`: messages before it never came, `by`: who pressed."""
        unit = self.begin(now, origin.text(), by)
        unit.commit.boxes += boxes
        if lost:
            unit.record(Noticed("device_gap", f"The {origin.device} lost messages before this one"))
            frames_lost(unit, self._memory.state, origin.device)
        kept = covered(seen) if isinstance(seen, ZoneSeen) else seen
        unit.commit.observations.append(ObservationRecord(origin.device, origin.boot, origin.seq, encode(kept)))
        observe(unit, self._memory.state, seen, now)
        return self.finish(unit, now)

    def frames_lost(self, given: FramesLost, now: Millis) -> list[Effect]:
        """A step of its own for what a device says it could not keep."""
        unit = self.begin(now, given.device)
        text = f"The {given.device} lost {given.count} messages: it could not keep them"
        unit.record(Noticed("device_gap", text))
        frames_lost(unit, self._memory.state, given.device)
        return self.finish(unit, now)

    def device(self, seen: DeviceChanged, now: Millis) -> list[Effect]:
        """Device states are told on the bus as they come; only a change is an event."""
        told = self._voice.device(seen)
        if not self._charge.plays or self._memory.fold.devices.get(seen.device) is seen.state:
            return told
        return [*self.observed(seen, seen.origin, now), *told]
