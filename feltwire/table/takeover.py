"""A machine becomes the table, or hears that another one is: what the station's grants do.

A granted machine that ends where the station says begins its epoch at once; one that ends elsewhere asks for the
history up to there first. A machine that hears of another one is fenced (`lease`).
"""

from __future__ import annotations

from feltwire.ledger.table_ledger import NewEpoch
from feltwire.table.lease import Charge, Pull
from feltwire.table.memory import TableMemory
from feltwire.table.publisher import TableVoice
from feltwire.table.table_io import Effect, LeaveBus, LightSeat
from feltwire.table.work import TableWork
from table_core.messages import Grant, History, Millis


class Takeover:
    def __init__(self, memory: TableMemory, charge: Charge, voice: TableVoice, work: TableWork) -> None:
        self._memory = memory
        self._charge = charge
        self._voice = voice
        self._work = work

    def granted(self, grant: Grant, now: Millis) -> list[Effect]:
        """The station says who is the table."""
        charge, fold = self._charge, self._memory.fold
        if grant.epoch < charge.epoch:
            return []  # an old word that was under way
        if (grant.ledger, grant.key) != (charge.ledger, charge.key):
            return self._fenced(grant, now)
        if grant.epoch == fold.epoch:
            return self._goes_on(now)
        if grant.head == fold.head:
            return self._begin_epoch(grant, None, now)
        if charge.pull is None or charge.pull.grant.epoch < grant.epoch:
            charge.pull = Pull(grant)
        return [*self._pulled(now), *self._voice.ask_for_the_table(now)]

    def history(self, page: History, now: Millis) -> list[Effect]:
        """A page of what another machine recorded."""
        pull = self._charge.pull
        if pull is None or page.ledger != self._charge.ledger or not pull.take(page.events):
            return []
        return self._pulled(now) or [self._work.fenced(), *self._voice.ask_for_the_table(now)]

    def _goes_on(self, now: Millis) -> list[Effect]:
        """In the epoch that it was in: from now on it may speak."""
        if self._charge.speaks:
            return []
        self._charge.granted(self._memory.fold.epoch)
        unit = self._work.begin(now, "grant")
        return [*self._work.finish(unit, now, charge=True), *self._voice.speak_up(now)]

    def _fenced(self, grant: Grant, now: Millis) -> list[Effect]:
        before = self._charge.kept(), self._charge.words
        self._charge.fence(grant)
        effects: list[Effect] = []
        if (self._charge.kept(), self._charge.words) != before:
            effects += self._work.finish(self._work.begin(now, "grant"), now, charge=True)
            effects += [self._work.fenced(), LightSeat(None)]
        if grant.leave:
            self._voice.disconnected()
            effects.append(LeaveBus())
        return effects

    def _pulled(self, now: Millis) -> list[Effect]:
        """Become the table once its whole history is here."""
        pull = self._charge.pull
        if pull is None or not pull.complete:
            return []
        if not pull.as_granted:  # what came is not what the grant names: once more from the first event
            self._charge.pull = Pull(pull.grant)
            return []
        return self._begin_epoch(pull.grant, tuple(pull.rows), now)

    def _begin_epoch(self, grant: Grant, history: tuple[bytes, ...] | None, now: Millis) -> list[Effect]:
        """Go on as the table in a new epoch; `history` is what another machine recorded, where it is not ours."""
        memory, voice = self._memory, self._voice
        if history is not None:
            memory.take_over(history)
        memory.turn_to(grant.epoch)
        voice.nothing_acknowledged()
        self._charge.granted(grant.epoch)
        unit = self._work.begin(now, "grant")
        unit.commit.new_epoch = NewEpoch(grant.epoch, history)
        unit.commit.drop_boxes = True
        unit.commit.notes["commands"] = memory.carried.kept()
        memory.open_epoch(unit, self._charge)
        effects = [*self._work.finish(unit, now, charge=True), *voice.speak_up(now)]
        for seen in voice.devices():
            effects += self._work.device(seen, now)
        return effects
