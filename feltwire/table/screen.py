"""What the table's own screen shows beyond the public view, and what the keypad's lamps show.

The dealer screen also shows the action that the chips in front of a seat amount to, and who shows next. An open
incident has a channel of its own for people who may rule: it may name a player whom nobody has ruled against.
What cannot be shown is an empty felt, or an incident without options, with the fault's id; the keypad works on.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from feltwire.runtime.node_io import Show
from feltwire.runtime.views import Fault, Part, Views
from feltwire.table.lease import Lease
from feltwire.table.table_io import Commit, Interpretation, KeypadLights, ShowLights
from feltwire.table.unit_of_work import TableUnitOfWork
from table_core.messages import (
    AnyEvent,
    Chips,
    DeviceState,
    Millis,
    OpenRuling,
    RulingChoices,
    RulingView,
    Seat,
    Street,
    TableView,
    encode,
    encode_page,
)
from table_core.projections import step_words
from table_core.projections.next_step import still_to_show
from table_core.projections.table import TableProjection
from table_core.projections.words import describe
from table_core.tracker.camera.chips import predicted
from table_core.tracker.keys import waiting_words
from table_core.tracker.ruling.choices import choices
from table_core.tracker.ruling.view import view_of
from table_core.tracker.state import TrackerState

PUBLIC = Part("This table")
SCREEN = Part("All of this screen")
PREDICTED = Part("What the chips amount to")
TO_SHOW = Part("Who shows next")
KEYED = Part("What was keyed")
INCIDENT = Part("An incident", asks=True)
CHOICES = Part("What may be ruled on")
LIGHTS = Part("Whose turn it is on the keypad")
REFUSED, AGAIN = "refused", "again"


class TableScreen:
    """Remembers what it shows, so that only changes are sent."""

    def __init__(self, lease: Lease, views: Views) -> None:
        self._views = views
        self._ruling: RulingView | None = None
        self._predicted = ""
        self._to_show: tuple[Seat, ...] = ()
        self._keyed = ("", "")
        self._lights = KeypadLights()
        self._lease = lease
        self._shown_unheard = True
        self.unheard = True  # the station has said nothing for some seconds, or its words do not come through

    def drawn(self, unit: TableUnitOfWork, state: TrackerState, public: TableView, now: Millis) -> TableView:
        """The public view with the additions of this screen."""
        if not self._lease.plays:
            return self._fenced(public)
        waiting, typed = self._views.show(KEYED, lambda: _keyed(unit, state, now), lambda _: ("", ""))
        return msgspec.structs.replace(
            public,
            predicted=self._views.show(PREDICTED, lambda: _guess(unit, state), lambda _: ""),
            shows=self._views.show(TO_SHOW, lambda: still_to_show(unit.table), lambda _: ()),
            devices=self._devices(public),
            waiting=waiting,
            typed=typed,
            outcome=_outcome(unit.table.said),
        )

    def _devices(self, public: TableView) -> dict[str, DeviceState]:
        """A broker that answers nobody breaks no connection for a while, and a machine that was started again has
        the lamp on record: without the station's beats the network's lamp is not lit."""
        devices = public.devices
        if self._lease.has_left:
            return devices | {"bus": DeviceState.OFF}
        if self.unheard and devices.get("bus") is DeviceState.OK:
            return devices | {"bus": DeviceState.NOT_RESPONDING}
        return devices

    def open_incident(self, unit: TableUnitOfWork, state: TrackerState) -> RulingView | None:
        if not self._lease.plays:
            return None

        def made() -> RulingView | None:
            view = view_of(unit, state)
            if view is not None:
                encode(view)
            return view

        return self._views.show(INCIDENT, made, lambda fault: _without_options(unit, state, fault))

    def choices(
        self, unit: TableUnitOfWork, state: TrackerState, now: Millis, seat: Seat | None, words: str
    ) -> RulingChoices:
        """What may be ruled on, for whoever pressed *Ruling*; nothing where it cannot be found out."""

        def made() -> RulingChoices:
            return choices(unit, state, now, seat, words)

        return self._views.show(CHOICES, made, lambda _: RulingChoices(seat, ()))

    def shows(self, own: TableView, ruling: RulingView | None) -> tuple[bool, bool]:
        """Remember what is shown; whether `own` differs from before without an event, and whether the incident
        differs."""
        keyed = own.waiting, own.typed
        before = self._predicted, self._to_show, self._shown_unheard, self._keyed
        changed = (own.predicted, own.shows, self.unheard, keyed) != before, ruling != self._ruling
        self._keyed = keyed
        self._ruling, self._predicted, self._to_show = ruling, own.predicted, own.shows
        self._shown_unheard = self.unheard
        return changed

    def fenced(self, projection: TableProjection) -> Show:
        """The screen of a fenced machine."""
        self._lights = KeypadLights()
        return self._show(self._fenced(public_view(projection, self._views)), projection, "")

    def show(self, own: TableView, projection: TableProjection) -> Show:
        return self._show(own, projection, f"{own.epoch}.{own.as_of}")

    def _show(self, own: TableView, projection: TableProjection, event_id: str) -> Show:
        def empty(fault: Fault) -> bytes:
            return encode_page(empty_felt(projection, fault))

        return Show(f"table/{own.table}", self._views.show(SCREEN, lambda: encode_page(own), empty), event_id)

    def show_incident(self, projection: TableProjection, ruling: RulingView | None) -> Show:
        return Show(
            f"ruling/{projection.table}", encode_page(OpenRuling(projection.epoch, projection.seq, ruling))
        )

    def _fenced(self, public: TableView) -> TableView:
        """An empty felt with the reason, so that nobody takes it for the table."""
        return msgspec.structs.replace(
            public,
            last=self._lease.words,
            street=Street.DONE,
            button=None,
            seats=(),
            board=(),
            pots=(),
            pot=Chips(0),
            legal=None,
            question=None,
            notices=(),
            devices=self._devices(public),
            next_step="Deal at the machine that is this table, or call the floor",
        )

    def lights(self, projection: TableProjection, commit: Commit) -> list[ShowLights]:
        """Whose turn it is, whether the table asks something, and whether the keypad's press of this step was
        refused, or counted as the one before it once more."""
        turn = self._views.show(LIGHTS, lambda: _turn(projection), lambda _: None)
        by_keypad = commit.envelopes[0].cause.startswith("keypad/")
        outcome = _outcome([envelope.data for envelope in commit.envelopes]) if by_keypad else ""
        lights = KeypadLights(turn, projection.question is not None, outcome == REFUSED, outcome == AGAIN)
        changed, self._lights = lights != self._lights, lights
        return [ShowLights(lights)] if changed or outcome else []


def _outcome(events: Sequence[AnyEvent]) -> str:
    if step_words.refused(events):
        return REFUSED
    return AGAIN if step_words.again(events) else ""


def _keyed(unit: TableUnitOfWork, state: TrackerState, now: Millis) -> tuple[str, str]:
    return waiting_words.waiting(unit, state), waiting_words.typed(state, now)


def _turn(projection: TableProjection) -> Seat | None:
    legal = projection.hand.legal() if projection.hand is not None else None
    return legal.seat if legal is not None else None


def _guess(unit: TableUnitOfWork, state: TrackerState) -> str:
    guess = predicted(unit, state)
    return f"Seat {guess[0].seat}: {guess[1]}?" if guess is not None else ""


def _without_options(unit: TableUnitOfWork, state: TrackerState, fault: Fault) -> RulingView | None:
    """An incident that is open is never missing: the floor comes and rules."""
    question, opened = unit.table.question, next(iter(state.rulings.open), None)
    if question is None or opened is None:
        return None
    text = f"{fault.words}: call the floor"
    return RulingView(question.question, opened.incident, text, opened.seat, (), by="director")


def public_view(projection: TableProjection, views: Views) -> TableView:
    """The table for everybody; an empty felt that says so where it cannot be shown."""
    return views.show(PUBLIC, projection.view, lambda fault: empty_felt(projection, fault))


def empty_felt(known: TableProjection, fault: Fault) -> TableView:
    return TableView(
        venue=known.venue,
        table=known.table,
        epoch=known.epoch,
        as_of=known.seq,
        head=known.head,
        rulebook=known.rulebook.id,
        hand=known.hand_number,
        street=Street.DONE,
        level=None,
        next_hand_level=None,
        button=None,
        small_blind=None,
        big_blind=None,
        seats=(),
        board=(),
        pots=(),
        pot=Chips(0),
        legal=None,
        question=None,
        last=f"{fault.words}. The keypad works on.",
        notices=(),
        devices={},
        next_step="Go on with the keypad, and call the floor",
    )


def became(commit: Commit) -> list[Interpretation]:
    """Describe what an observation led to."""
    cause = commit.envelopes[0].cause
    text = "; ".join(filter(None, (describe(envelope.data) for envelope in commit.envelopes)))
    return [Interpretation(cause.partition("/")[0], cause, text)] if text else []
