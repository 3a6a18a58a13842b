"""One step of a table's work: a desk to work at, and what the world is told once it is done.

A finished step is one `Commit`. Behind it, and only there, come the dealer screen, the bus and the lamp.
"""

from __future__ import annotations

from collections.abc import Callable

from feltwire.ledger import ObservationRecord
from feltwire.node_io import Show
from feltwire.table_charge import Charge
from feltwire.table_desk import StepDesk, Vault
from feltwire.table_io import Effect, ForgetHand
from feltwire.table_memory import TableMemory
from feltwire.table_screen import TableScreen, became
from feltwire.table_voice import TableVoice
from table_core.messages import AnyObservation, At, DeviceChanged, Millis, Noticed, Origin, encode
from table_core.tracker.tracker import observe


class TableWork:
    """`stamp` annotates boot time."""

    def __init__(
        self,
        memory: TableMemory,
        charge: Charge,
        voice: TableVoice,
        vault: Vault,
        stamp: Callable[[Millis], At],
    ) -> None:
        self._memory = memory
        self._charge = charge
        self._voice = voice
        self._vault = vault
        self._stamp = stamp
        self._screen = TableScreen(charge)

    def desk(self, now: Millis, cause: str) -> StepDesk:
        return StepDesk(self._memory.fold, self._vault, self._memory.config.venue, self._stamp(now), cause)

    def finish(self, desk: StepDesk, now: Millis, *, charge: bool = False) -> list[Effect]:
        """The commit, and behind it what the world is told. `charge`: who is the table has changed."""
        memory, commit = self._memory, desk.commit
        if charge:
            commit.notes["charge"] = self._charge.kept()
        commit.notes["tracker"] = memory.tracker_note()
        effects: list[Effect] = [commit]
        if commit.drop_boxes:
            effects.append(ForgetHand())
        public = memory.fold.view()
        own = self._screen.drawn(desk, memory.state, public)
        changed, ruling_changed = self._screen.shows(own)
        if commit.envelopes or changed:
            effects.append(self._screen.show(own))
        if commit.envelopes:
            memory.staleness.recorded(commit.envelopes)
            effects += self._voice.recorded(commit, public, now)
            effects += [*became(commit), *self._screen.lamp(memory.fold)]
        return [*effects, *self._voice.matter(own.ruling)] if ruling_changed else effects

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
    ) -> list[Effect]:
        """A step of its own for what a device saw; `lost`: messages before it never came."""
        desk = self.desk(now, origin.text())
        desk.commit.boxes += boxes
        if lost:
            desk.record(Noticed("device_gap", f"The {origin.device} lost messages before this one"))
        desk.commit.observations.append(ObservationRecord(origin.device, origin.boot, origin.seq, encode(seen)))
        observe(desk, self._memory.state, seen, now)
        return self.finish(desk, now)

    def device(self, seen: DeviceChanged, now: Millis) -> list[Effect]:
        """Device states are told on the bus as they come; only a change is an event."""
        told = self._voice.device(seen)
        if not self._charge.plays or self._memory.fold.devices.get(seen.device) is seen.state:
            return told
        return [*self.observed(seen, seen.origin, now), *told]
