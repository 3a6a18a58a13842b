"""A table's messages on the bus: its events, state, devices, an open ruling, and which machine it is.

It publishes while the broker is connected and this machine is the leaseholder. Events stay in the outbox until the
station has acknowledged them, sealed cards until the relay has; until then they are sent again after a while and
on reconnection. A long outbox goes out page by page: the next when the station is half through the last.
"""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from feltwire.ledger.signing import Signer
from feltwire.runtime.broker import topics
from feltwire.runtime.broker.backoff import Backoff
from feltwire.runtime.node_io import Publish, ScreensSeen, Show
from feltwire.runtime.views import Part, Views
from feltwire.table.lease import Lease
from feltwire.table.memory import TableMemory
from feltwire.table.screen import empty_felt, public_view
from feltwire.table.table_io import (
    OUTBOX_PAGE,
    ClearOutbox,
    Commit,
    Effect,
    HealthSeen,
    PageSent,
    RelayAcked,
    RelayHasAll,
    SayBirth,
    SendEvents,
    SendOutbox,
    SendSealed,
    SendSealedAgain,
    StationAcked,
)
from table_core.messages import (
    Beat,
    DeviceChanged,
    HealthColour,
    HealthView,
    LastPresses,
    Millis,
    OpenRuling,
    PressView,
    RulingView,
    TableBeat,
    TableHealth,
    TableScreens,
    TableState,
    TableView,
    encode,
    encode_view,
)
from table_core.projections.health import view_of

STATE = Part("This table elsewhere")
PRESSES = Part("What was pressed last, at the station")
HEALTH = Part("How the devices are")
HEALTH_MS = 30_000  # the station is told so often how the devices are, and when a colour changes
# Events go out again where the station has acknowledged nothing for so long, then for twice as long, up to a
# limit: a station that is behind by more has enough to do.
RESEND_MS, RESEND_AT_MOST_MS = 2_000, 16_000


class TablePublisher:
    """Every method returns effects; none where this machine may not publish."""

    def __init__(self, memory: TableMemory, lease: Lease, views: Views, key: Signer | None = None) -> None:
        self._views = views
        self._memory = memory
        self._lease = lease
        self._key = key
        self._bus_up = False
        self._acked = 0
        self._page_end = 0  # the last event of a page of the outbox behind which more waits; 0: nothing does
        self._waits_since = Millis(0)  # for an acknowledgement
        self._resend_ms = RESEND_MS
        self._sealed = 0  # commits with sealed cards, of this process
        self._sealed_waits = True  # the relay may not have acknowledged all of them, and of earlier processes
        self._sealing = Backoff()
        self._devices: dict[str, DeviceChanged] = {}  # what each said last
        self._ruling: RulingView | None = None
        self._presses: tuple[PressView, ...] = ()
        self._health: HealthSeen | None = None
        self._screens: ScreensSeen | None = None
        self._health_view = HealthView(memory.config.table)
        self._health_sent_at: Millis | None = None

    @property
    def speaks(self) -> bool:
        return self._bus_up and self._lease.speaks

    # ------------------------------------------------------------------------------------- the bus

    def connected(self) -> None:
        self._bus_up = True

    def disconnected(self) -> None:
        self._bus_up = False
        self._lease.disconnected()

    def ask_for_the_table(self, now: Millis) -> list[Effect]:
        """Report this machine, so that the station answers who is the leaseholder; or ask for more of the
        table's history."""
        self._lease.asked(now)
        if self._lease.pull is not None:
            return [self._publish("handover", encode(self._lease.pull.wanted()))]
        return [self._birth(now)]

    def _birth(self, now: Millis) -> SayBirth:
        question = f"{self._memory.projection.head[:16]}-{now}"
        self._lease.asks(question)
        return SayBirth(question=question)

    def speak_up(self, now: Millis) -> list[Effect]:
        """Publish the state, the devices and the open ruling, and every event not yet acknowledged."""
        if not self.speaks:
            return []
        self._waits(now)
        devices = map(self._of_device, self._devices.values())
        return [
            self._state(public_view(self._memory.projection, self._views)),
            *devices,
            *self.private(now),
            SendOutbox(),
        ]

    # ------------------------------------------------------------------------------ what is recorded

    def beat(self, answers: Beat) -> list[Effect]:
        """Answer a beat of the station: this machine is there."""
        if not self.speaks:
            return []
        epoch, fault = self._memory.projection.epoch, self._views.newest
        beat = TableBeat(epoch, answers.boot, answers.at, cannot_show=fault)
        return [self._publish("beat", encode(beat), qos=0)]

    def recorded(self, commit: Commit, public: TableView, now: Millis) -> list[Effect]:
        """Publish the events of a commit."""
        if commit.sealed:
            self._sealed += 1
            self._sealed_waits = True
            self._sealing.moved(now)
        if not self.speaks:
            return []
        if commit.entries and self._acked >= commit.entries[0].envelope.seq - 1:
            self._waits(now)
        events = [self._publish("event", entry.raw) for entry in commit.entries]
        sealed = [SendSealed(len(commit.sealed))] if commit.sealed else []
        return [*events, *sealed, self._state(public)]

    def acknowledged(self, given: StationAcked, now: Millis) -> list[Effect]:
        if given.epoch != self._memory.projection.epoch:
            return []
        more = self._next_page(given.seq)
        if given.seq <= self._acked:  # a station with an older disk takes again what it had
            return more
        self._acked = given.seq
        self._waits(now)
        return [ClearOutbox(given.epoch, given.seq), *more]

    def _next_page(self, acked: int) -> list[Effect]:
        """Once half of a page is acknowledged, the next one, so that the line is never idle."""
        if not self.speaks or not 0 < self._page_end <= acked + OUTBOX_PAGE // 2:
            return []
        after, self._page_end = self._page_end, 0
        return [SendEvents(self._memory.projection.epoch, after + 1)]

    def page_sent(self, given: PageSent) -> None:
        """More waits behind this event."""
        self._page_end = given.seq if given.epoch == self._memory.projection.epoch else 0

    def relay_acknowledged(self, given: RelayAcked, now: Millis) -> list[Effect]:
        self._sealing.moved(now)
        return [ClearOutbox(given.epoch, given.seq, sealed=True)]

    def relay_has_all(self, given: RelayHasAll) -> None:
        self._sealed_waits = given.upto < self._sealed

    def nothing_acknowledged(self) -> None:
        """Reset the acknowledgements: a new epoch begins."""
        self._acked = self._page_end = 0

    def say_again(self, now: Millis) -> list[Effect]:
        """Repeat what is due: the outbox, and the question who is the leaseholder."""
        effects: list[Effect] = []
        if self._behind() and now - self._waits_since >= self._resend_ms:
            self._waits_since = now
            self._resend_ms = min(2 * self._resend_ms, RESEND_AT_MOST_MS)
            effects.append(SendOutbox())
        if self.speaks and self._sealed_waits and self._sealing.due(now):
            self._sealing.said(now)
            effects.append(SendSealedAgain(self._sealed))
        asks_at = self._lease.asks_at()
        if asks_at is not None and asks_at <= now:
            if self._lease.pull is not None:  # the station that granted the table may have another disk since
                effects.append(self._birth(now))
            effects += self.ask_for_the_table(now)
        return effects

    def wake_at(self) -> Millis | None:
        """When `say_again` is due next."""
        resend_at = Millis(self._waits_since + self._resend_ms) if self._behind() else None
        seal_at = self._sealing.due_at() if self.speaks and self._sealed_waits else None
        due = [time for time in (self._lease.asks_at(), resend_at, seal_at) if time is not None]
        return min(due, default=None)

    def _waits(self, now: Millis) -> None:
        """From now on an acknowledgement is waited for."""
        self._waits_since, self._resend_ms = now, RESEND_MS

    def _behind(self) -> bool:
        return self.speaks and self._acked < self._memory.projection.seq

    # ----------------------------------------------------------------------------- what goes besides

    def device(self, seen: DeviceChanged) -> list[Effect]:
        """Publish a device's state, changed or not."""
        self._devices[seen.device] = seen
        return [self._of_device(seen)] if self.speaks else []

    def devices(self) -> list[DeviceChanged]:
        """The last state of each device."""
        return list(self._devices.values())

    def incident(self, ruling: RulingView | None) -> list[Effect]:
        """Publish the open incident, which has changed."""
        self._ruling = ruling
        return self.ruling()

    def ruling(self) -> list[Effect]:
        """The open incident for the director's page, as on the dealer screen. Nobody else receives it."""
        if not self.speaks:
            return []
        projection = self._memory.projection
        return [self._publish("ruling", encode_view(OpenRuling(projection.epoch, projection.seq, self._ruling)))]

    def pressed(self, presses: tuple[PressView, ...]) -> list[Effect]:
        """Publish what was pressed last."""
        self._presses = presses
        last = LastPresses(self._memory.projection.epoch, presses)
        return (
            self._views.all(PRESSES, lambda: [self._publish("presses", encode_view(last))]) if self.speaks else []
        )

    def screens(self, seen: ScreensSeen, now: Millis) -> list[Effect]:
        """Publish who asks to be a screen of this table, and who was let in."""
        self._screens = seen
        return self._screens_again(now)

    def _screens_again(self, now: Millis) -> list[Effect]:
        seen = self._screens
        if seen is None or self._key is None or not self.speaks:
            return []
        later = max(0, now - seen.at)
        asking = tuple(replace(one, ms_ago=one.ms_ago + later) for one in seen.asking)
        said = TableScreens(self._memory.projection.epoch, asking, seen.admitted)
        return [self._publish("screens", self._key.sign(said))]

    def health(self, seen: HealthSeen, now: Millis) -> list[Effect]:
        """Show how the devices are, and tell the station."""
        return self._views.all(HEALTH, lambda: self._of_health(seen, now))

    def _of_health(self, seen: HealthSeen, now: Millis) -> list[Effect]:
        self._health = seen
        before, view = self._health_view, view_of(self._memory.config.table, self._health_message(seen))
        self._health_view = view
        shown: list[Effect] = [Show(f"health/{view.table}", encode_view(view))] if view != before else []
        due = self._health_sent_at is None or now - self._health_sent_at >= HEALTH_MS
        if not self.speaks or not (due or _colours(view) != _colours(before)):
            return shown
        self._health_sent_at = now
        return [*shown, *self._health_again()]

    def _health_again(self) -> list[Effect]:
        if self._health is None:
            return []
        return [self._publish("health", encode_view(self._health_message(self._health)), qos=0)]

    def _health_message(self, seen: HealthSeen) -> TableHealth:
        return TableHealth(self._memory.projection.epoch, seen.machine, seen.devices)

    def private(self, now: Millis) -> list[Effect]:
        """What only the station hears, again: it may have been started anew."""
        pressed = self.pressed(self._presses)
        return [*self.ruling(), *pressed, *self._health_again(), *self._screens_again(now)]

    def _state(self, public: TableView) -> Publish:
        key = self._key

        def signed(view: TableView) -> bytes:
            state = TableState(view)
            return encode_view(state) if key is None else key.sign(state, view=True)

        projection = self._memory.projection
        raw = self._views.show(STATE, lambda: signed(public), lambda fault: signed(empty_felt(projection, fault)))
        return self._publish("state", raw, retain=True)

    def _of_device(self, seen: DeviceChanged) -> Publish:
        health = {"state": seen.state, "detail": seen.detail}
        return self._publish(f"device/{seen.device}", msgspec.json.encode(health), retain=True)

    def _publish(self, leaf: str, payload: bytes, *, retain: bool = False, qos: int = 1) -> Publish:
        config = self._memory.config
        return Publish(topics.table(config.venue, config.table, leaf), payload, retain=retain, qos=qos)


def _colours(view: HealthView) -> list[tuple[str, str, HealthColour]]:
    return [(fact.device, fact.what, fact.colour) for fact in view.facts]
