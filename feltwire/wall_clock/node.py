"""A wall display's node: shows the station's clock on its own boot time, and goes on alone when the station is
gone.

No I/O. The station's clock says how much time is left at an instant of the *station's* boot time; `boot_offset`
maps that instant with the station's beats.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from feltwire.config import ClockConfig
from feltwire.runtime.boot_offset import Offset
from feltwire.runtime.broker import topics
from feltwire.runtime.node_io import Arrived, BusDown, BusUp, Publish, Quarantined, Say, Show
from feltwire.runtime.views import Fault, Part, Views
from table_core.messages import (
    Beat,
    ClockState,
    LaterVersion,
    Malformed,
    Millis,
    Status,
    TournamentField,
    decode,
    encode,
    encode_page,
)
from table_core.projections.clock import clock_of, run_on

CLOCK = Part("The clock as it is now")
CLOCK_SENT = Part("The clock")
NEWS = Part("Whether the clock has changed")
FIELD = Part("Players and prizes")
WAKING = Part("When the clock changes next")
TICK_MS = 1_000  # looks at least this often whether it is on its own
SHOW_MS = 10_000
ALONE_MS = 2_600  # without a beat for this long the wall says that it is on its own: within three seconds
JUMP_MS = 20  # a better estimate that moves the time left by more is shown at once


Input = Arrived | BusUp | BusDown | Quarantined
Effect = Publish | Say | Show


class ClockNode:
    """`boot` is the boot id of this machine; every time that it shows is of that boot. `name` is that of its
    certificate.

    `_heard` is the clock as the station sent it, in the station's time; `_own` is the clock shown, in this
    machine's time. `_own` is computed again while beats come of the boot that `_heard` belongs to, and runs on
    without them. A beat names the clock that holds: where that is another one, the clock shown is out of date.
    """

    def __init__(self, config: ClockConfig, *, boot: str, name: str = "", views: Views | None = None) -> None:
        self._views = views if views is not None else Views()
        self._config = config
        self._name = name or config.name
        self._boot = boot
        self._clock_topic = topics.tournament(config.venue, "clock")
        self._beat_topic = topics.tournament(config.venue, "beat")
        self._field_topic = topics.tournament(config.venue, "field")
        self._offset: Offset | None = None
        self._heard: ClockState | None = None
        self._own: ClockState | None = None
        self._heard_at: Millis | None = None  # when the last beat was sent
        self._holds: Beat | None = None  # the newest beat
        self._held_at: Millis | None = None  # when the last beat was sent that named the clock that is here
        self._trouble = f"waiting for the broker at {config.broker.url}"
        self._shown: ClockState | None = None
        self._next_show = Millis(0)
        self._beat_came = False
        self._later = ""  # what the station sends, this display cannot read
        self._field: TournamentField | None = None  # as it came
        self._field_news = False

    def step(self, given: Input | None, now: Millis) -> tuple[list[Effect], Millis]:
        effects: list[Effect] = [*self._take(given, now)]
        self._map()
        effects += self._beat(now)
        effects += self._views.all(NEWS, lambda: self._show(now))
        effects += self._views.all(FIELD, self._show_field)
        return effects, self._views.show(WAKING, lambda: self._wake_at(now), lambda _: Millis(now + TICK_MS))

    def _wake_at(self, now: Millis) -> Millis:
        times = [Millis(now + TICK_MS)]
        if self._held_at is not None and now <= self._held_at + ALONE_MS:
            times.append(Millis(self._held_at + ALONE_MS + 1))
        if self._own is not None:
            times += [self._next_show, clock_of(self._own).changes_at(now) or self._next_show]
        return min(times)

    # ------------------------------------------------------------------------------------- inputs

    def _take(self, given: Input | None, now: Millis) -> Iterator[Publish | Say]:
        match given:
            case BusUp():
                self._trouble = ""
                yield Say(f"connected to the broker at {self._config.broker.url}")
                yield self._publish("status", encode(Status(online=True)), retain=True)
            case BusDown():
                trouble = given.why or f"broker at {self._config.broker.url}: no connection"
                if trouble != self._trouble:
                    yield Say(trouble, "warning")
                self._trouble = trouble
            case Quarantined():
                yield Say(given.words, "warning", "quarantine")
            case Arrived():
                try:
                    yield from self._hear(given, now)
                except LaterVersion as error:
                    self._later = f"The station has a later version than this display ({error}): update it."
                    yield Say(self._later, "warning", "later")
                except Malformed as error:
                    yield Say(f"{given.topic}: cannot be read ({error}); not taken", "warning", "malformed")

    def _publish(self, leaf: str, payload: bytes, *, retain: bool = False) -> Publish:
        return Publish(
            topics.process(self._config.venue, self._name, leaf), payload, retain=retain, qos=int(retain)
        )

    def _hear(self, given: Arrived, now: Millis) -> Iterator[Publish]:
        if given.topic == self._beat_topic:
            beat = decode(given.payload, Beat)
            if self._offset is None or self._offset.boot != beat.boot:
                self._offset = Offset(beat.boot)
            self._heard_at = max(self._heard_at or Millis(0), self._offset.heard(beat, now))
            if self._holds is None or self._holds.boot != beat.boot or self._holds.at < beat.at:
                self._holds = beat
            self._beat_came = True
            self._later = ""
            beat = replace(beat, cannot_show=self._views.newest)
            yield self._publish("beat", encode(beat))  # said back: this display is there
        elif given.topic == self._clock_topic:
            state = decode(given.payload, ClockState)
            known = self._heard
            if known is None or known.boot != state.boot or known.at <= state.at:
                self._heard = state
        elif given.topic == self._field_topic:
            self._field, self._field_news = decode(given.payload, TournamentField), True

    def _map(self) -> None:
        """The station's clock in this machine's time, where the offset for its boot is known."""
        heard, offset = self._heard, self._offset
        if heard is not None and offset is not None and heard.boot == offset.boot:
            self._own = replace(heard, boot=self._boot, at=Millis(heard.at + offset.ms))
            if self._holds is not None and heard.at >= self._holds.clock:
                self._held_at = self._heard_at

    # ------------------------------------------------------------------------------------ showing

    def _beat(self, now: Millis) -> Iterator[Show]:
        """Forward a beat to the page for each beat of the station, so that the page also notices silence."""
        if self._beat_came:
            self._beat_came = False
            yield Show("beat", encode(Beat(self._boot, now)))

    def _show(self, now: Millis) -> Iterator[Say | Show]:
        state = self._views.show(CLOCK, lambda: self._showing(now), self._not_shown)
        if state is None or not (now >= self._next_show or self._is_news(state)):
            return
        if self._shown is None or self._shown.note != state.note:
            yield Say(state.note or "the clock follows the station")
        self._shown = state
        self._next_show = Millis(now + SHOW_MS)
        yield Show("clock", self._views.snapshot(CLOCK_SENT, lambda: encode(state)))

    def _show_field(self) -> Iterator[Show]:
        """The public facts of the event, with their moments in this machine's time; those of a boot of the station
        that has not been heard are over."""
        if self._field is None or not self._field_news:
            return
        self._field_news = False
        field, offset = self._field, self._offset
        known = [one for one in field.moments if offset is not None and one.boot == offset.boot]
        ms = offset.ms if offset is not None and known else 0
        moments = tuple(replace(one, boot=self._boot, at=Millis(one.at + ms)) for one in known)
        yield Show("tournament", encode_page(replace(field, moments=moments)))

    def _not_shown(self, fault: Fault) -> ClockState | None:
        """The clock as it was shown last, which counts on by itself, or as it was heard."""
        last = self._shown or (self._heard and replace(self._heard, boot=self._boot, running=False))
        return last and replace(last, note=f"{fault.words}.")

    def _showing(self, now: Millis) -> ClockState | None:
        if self._own is not None:
            state = run_on(self._own, now)
            return replace(state, note=self._later or self._alone(now)) if self._is_alone(now) else state
        if self._heard is not None:
            # Retained by the broker, perhaps hours ago: without a beat nobody knows how much of it is gone.
            note = self._later or "Waiting for the station; this is the clock as last heard."
            return replace(self._heard, boot=self._boot, at=now, running=False, note=note)
        return None

    def _is_alone(self, now: Millis) -> bool:
        return bool(self._later) or self._held_at is None or now - self._held_at > ALONE_MS

    def _alone(self, now: Millis) -> str:
        if self._heard_at is not None and now - self._heard_at <= ALONE_MS:
            return "The station has another clock by now, which has not come yet."
        trouble = f" ({self._trouble})" if self._trouble else ""
        return f"On its own, without word from the station{trouble}."

    def _is_news(self, state: ClockState) -> bool:
        """Whether screens need an update now: anything but the time running down."""
        shown = self._shown
        if shown is None or replace(shown, at=state.at, left_ms=state.left_ms) != state:
            return True
        return abs(run_on(shown, state.at).left_ms - state.left_ms) > JUMP_MS
