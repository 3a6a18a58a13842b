"""Carries out the station's grants: a machine becomes the leaseholder of the table, or is fenced.

A granted machine whose ledger ends where the grant says begins its epoch at once; otherwise it first asks for the
history up to there.
"""

from __future__ import annotations

from feltwire.ledger.table_ledger import NewEpoch
from feltwire.table.lease import Lease, Pull
from feltwire.table.memory import TableMemory
from feltwire.table.publisher import TablePublisher
from feltwire.table.table_io import Effect, KeypadLights, LeaveBus, ShowLights
from feltwire.table.work import TableWork
from table_core.messages import Grant, History, Millis


class Takeover:
    def __init__(self, memory: TableMemory, lease: Lease, publisher: TablePublisher, work: TableWork) -> None:
        self._memory = memory
        self._lease = lease
        self._publisher = publisher
        self._work = work

    def granted(self, grant: Grant, now: Millis) -> list[Effect]:
        """Take a grant of the station."""
        lease, projection = self._lease, self._memory.projection
        ours = (grant.ledger, grant.key) == (lease.ledger, lease.key)
        if grant.epoch < lease.epoch and not (ours and lease.is_answered_by(grant)):
            # An old word that was under way, or that of a station with another disk.
            return [] if ours or lease.plays else self._leave(grant)
        if not ours:
            return self._fenced(grant, now)
        if grant.epoch == projection.epoch:
            return self._goes_on(now)
        if grant.head == projection.head:
            return self._begin_epoch(grant, None, now)
        pull, asked = lease.pull, lease.is_answered_by(grant)
        if pull is None or pull.grant.epoch < grant.epoch or (asked and not pull.is_for(grant)):
            lease.pull = Pull(grant)  # also of an earlier epoch: that of a station with another disk
        return [*self._pulled(now), *self._publisher.ask_for_the_table(now)]

    def history(self, page: History, now: Millis) -> list[Effect]:
        """Take a page of another machine's history."""
        pull = self._lease.pull
        if pull is None or page.ledger != self._lease.ledger or not pull.take(page.events):
            return []
        return self._pulled(now) or [self._work.fenced(), *self._publisher.ask_for_the_table(now)]

    def _goes_on(self, now: Millis) -> list[Effect]:
        """Go on in the epoch that it was in; from now on it publishes."""
        if self._lease.speaks:
            return []
        self._lease.granted(self._memory.projection.epoch)
        unit = self._work.begin(now, "grant")
        return [*self._work.finish(unit, now, lease=True), *self._publisher.speak_up(now)]

    def _fenced(self, grant: Grant, now: Millis) -> list[Effect]:
        before = self._lease.kept(), self._lease.words
        self._lease.fence(grant)
        effects: list[Effect] = []
        if (self._lease.kept(), self._lease.words) != before:
            effects += self._work.finish(self._work.begin(now, "grant"), now, lease=True)
            effects += [self._work.fenced(), ShowLights(KeypadLights())]
        return [*effects, *self._leave(grant)]

    def _leave(self, grant: Grant) -> list[Effect]:
        """Leave the table's name on the broker to the leaseholder, where the station hears that one."""
        if not grant.leave:
            return []
        self._lease.leave()
        self._publisher.disconnected()
        return [self._work.fenced(), LeaveBus()]

    def _pulled(self, now: Millis) -> list[Effect]:
        """Begin the epoch once the whole history is here."""
        pull = self._lease.pull
        if pull is None or not pull.complete:
            return []
        if not pull.as_granted:  # what came is not what the grant names: once more from the first event
            self._lease.pull = Pull(pull.grant)
            return []
        return self._begin_epoch(pull.grant, tuple(pull.rows), now)

    def _begin_epoch(self, grant: Grant, history: tuple[bytes, ...] | None, now: Millis) -> list[Effect]:
        """Begin a new epoch; `history` is another machine's, where it is not ours."""
        memory, publisher = self._memory, self._publisher
        if history is not None:
            memory.take_over(history)
        memory.turn_to(grant.epoch)
        publisher.nothing_acknowledged()
        self._lease.granted(grant.epoch)
        unit = self._work.begin(now, "grant")
        unit.commit.new_epoch = NewEpoch(grant.epoch, history)
        unit.commit.drop_boxes = True
        unit.commit.notes["commands"] = memory.carried.kept()
        memory.open_epoch(unit, self._lease)
        effects = [*self._work.finish(unit, now, lease=True), *publisher.speak_up(now)]
        for seen in publisher.devices():
            effects += self._work.device(seen, now)
        return effects
