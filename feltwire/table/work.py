"""One step of a table's work: a desk to work at, and what the world is told once it is done.

A finished step is one `Commit`. Behind it, and only there, come the dealer screen, the bus and the lamp.
"""

from __future__ import annotations

from collections.abc import Callable

from feltwire.ledger.signing import Signer
from feltwire.ledger.table_ledger import ObservationRecord
from feltwire.runtime.node_io import Show
from feltwire.table.desk import StepDesk, Vault
from feltwire.table.lease import Charge
from feltwire.table.memory import TableMemory
from feltwire.table.publisher import TableVoice
from feltwire.table.screen import TableScreen, became
from feltwire.table.table_io import Effect, ForgetHand, FramesLost
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

    def desk(self, now: Millis, cause: str, by: str = "") -> StepDesk:
        venue, at = self._memory.config.venue, self._stamp(now)
        return StepDesk(self._memory.fold, self._vault, venue, at, cause, self._key, by)

    def finish(self, desk: StepDesk, now: Millis, *, charge: bool = False) -> list[Effect]:
        """The commit, and behind it what the world is told. `charge`: who is the table has changed."""
        memory, commit = self._memory, desk.commit
        if charge:
            commit.notes["charge"] = self._charge.kept()
        commit.notes |= memory.tracker_notes(self._vault)
        effects: list[Effect] = [commit]
        if commit.drop_boxes:
            effects.append(ForgetHand())
        public = memory.fold.view()
        own, ruling = self._screen.drawn(desk, memory.state, public), self._screen.open_matter(desk, memory.state)
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
        desk = self.desk(now, origin.text(), by)
        desk.commit.boxes += boxes
        if lost:
            desk.record(Noticed("device_gap", f"The {origin.device} lost messages before this one"))
            frames_lost(desk, self._memory.state, origin.device)
        kept = covered(seen) if isinstance(seen, ZoneSeen) else seen
        desk.commit.observations.append(ObservationRecord(origin.device, origin.boot, origin.seq, encode(kept)))
        observe(desk, self._memory.state, seen, now)
        return self.finish(desk, now)

    def frames_lost(self, given: FramesLost, now: Millis) -> list[Effect]:
        """A step of its own for what a device says it could not keep."""
        desk = self.desk(now, given.device)
        text = f"The {given.device} lost {given.count} messages: it could not keep them"
        desk.record(Noticed("device_gap", text))
        frames_lost(desk, self._memory.state, given.device)
        return self.finish(desk, now)

    def device(self, seen: DeviceChanged, now: Millis) -> list[Effect]:
        """Device states are told on the bus as they come; only a change is an event."""
        told = self._voice.device(seen)
        if not self._charge.plays or self._memory.fold.devices.get(seen.device) is seen.state:
            return told
        return [*self.observed(seen, seen.origin, now), *told]
