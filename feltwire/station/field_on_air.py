"""The public facts of the event: on `…/tournament/field` for walls and for what is on air, on the channel
`tournament` for this station's own pages.

Tables know players by their ids; here are their names, too. A room whose messages are those of a version before
does without; the station's own pages do not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from feltwire.runtime.broker import topics
from feltwire.runtime.node_io import Publish, Show
from feltwire.runtime.views import Part, Views
from feltwire.station.chip_colours import field_chips
from feltwire.station.clock import StationClock
from feltwire.station.tournament.names import Names
from feltwire.station.tournament.pages.view import field_of_night, posted
from feltwire.station.tournament.public_names import public_names
from feltwire.station.tournament.station_tournament import StationTournament
from feltwire.station.tournament.table_watch import Changes
from table_core.messages import (
    Chips,
    FieldMoment,
    FieldMove,
    FieldNotice,
    FieldOut,
    FieldPlayer,
    FieldRebuys,
    Millis,
    Refusal,
    TournamentField,
    WallSound,
    encode,
    encode_page,
    is_written,
)
from table_core.projections.room import Field
from table_core.tournament.events import Instant, Purchase
from table_core.tournament.field.entries import late_entry
from table_core.tournament.money.prizes import owed
from table_core.tournament.night import Night
from table_core.tournament.penalties import time_outs
from table_core.tournament.state import Entrant, Facts, State, Status, level_in_play

ON_AIR = Part("The field on air", page="/station/players")
MOST_LEFT, MOST_OUT = 1_000, 100
PAUSE_MS = 2_000  # it is published at most so often
SOUNDS_IN_MS = 1_500  # every screen has heard of a moment by then
MOMENTS = 4  # the newest that are said
CHANNEL = "tournament"


class FieldOnAir:
    """`pause_ms`: between two looks at all tables, in a hall."""

    def __init__(
        self,
        venue: str,
        clock: StationClock,
        tournament: StationTournament,
        changes: Changes,
        views: Views,
        *,
        pause_ms: int,
    ) -> None:
        self._topic = topics.tournament(venue, "field")
        self._clock = clock
        self._tournament = tournament
        self._changes = changes
        self._views = views
        self._pause_ms = max(PAUSE_MS, pause_ms)
        self._looked: tuple[object, ...] | None = None  # as of which records, tables and chips
        self._again = False
        self._due = Millis(0)
        self._said: TournamentField | None = None
        self._moments: tuple[FieldMoment, ...] = ()

    def say_again(self) -> None:
        """The broker is back, or the room writes another version: it is published whether it differs or not."""
        self._looked = None
        self._again = True
        self._due = Millis(0)

    def wake_at(self) -> Iterator[Millis]:
        if self._looked not in (None, self._known()):
            yield self._due

    def publish(self, now: Millis) -> Iterator[Publish | Show]:
        known = self._known()
        if known == self._looked or now < self._due:
            return
        self._looked, self._due = known, Millis(now + self._pause_ms)
        field = self._views.show(ON_AIR, lambda: self._field(now), lambda _: self._said)
        if field is None or (field == self._said and not self._again):
            return
        self._said, self._again = field, False
        yield Show(CHANNEL, self._views.snapshot(ON_AIR, lambda: encode_page(field)))
        if is_written("TournamentField"):
            raw = self._views.show(ON_AIR, lambda: encode(field), lambda _: b"")
            if raw:
                yield Publish(self._topic, raw, retain=True)

    def _known(self) -> tuple[object, ...]:
        chips = self._tournament.kept.kept.chips
        return self._tournament.records.version, self._changes.count, is_written("TournamentField"), chips

    def _field(self, now: Millis) -> TournamentField:
        tournament = self._tournament
        if not tournament.records.opened:
            self._moments = ()
            return TournamentField("")
        instant = self._clock.instant(now)
        field = field_on_air(tournament.night, tournament.facts(now), tournament.names, instant)
        for what in _happened(self._said, field):
            last = self._moments[-1].no if self._moments else 0
            moment = FieldMoment(last + 1, what, instant.boot, Millis(now + SOUNDS_IN_MS))
            self._moments = (*self._moments, moment)[-MOMENTS:]
        return replace(field, moments=self._moments, chips=field_chips(tournament.kept.kept.chips)[:MOST_OUT])


def _happened(before: TournamentField | None, field: TournamentField) -> Iterator[WallSound]:
    """What is heard of, compared with what was said last; nothing when the station has just begun."""
    if before is None or before.event != field.event or not before.started:
        return
    known = {one.player for one in before.out}
    if any(one.player not in known for one in field.out):
        yield WallSound.BUST
    if field.final_table and not before.final_table:
        yield WallSound.FINAL_TABLE


def field_on_air(night: Night, facts: Facts, names: Names, now: Instant) -> TournamentField:
    """The players who are left and who are out, by the records and by what the tables say.

    Stacks are those at the beginning of a hand that is played: chips in the pot are nobody's yet.
    """
    state = night.state
    called = public_names(names, state)
    entrants = state.field.entrants.values()
    left = [_player(state, facts, one.player, called) for one in entrants if one.in_play]
    left.sort(key=lambda one: (-(one.stack or 0), one.name))
    prizes = owed(state)
    out = [_out(state, one, prizes, called) for one in entrants if one.status is Status.OUT]
    out.sort(key=lambda one: (one.place or 0, one.name))
    shown = posted(night, field_of_night(night) or Field())
    finished = state.finished is not None
    winner = next((one.player for one in entrants if one.place == 1), "") if finished else ""
    return TournamentField(
        event=state.name,
        players=tuple(left[:MOST_LEFT]),
        out=tuple(out[:MOST_OUT]),
        left=len(left),
        entrants=shown.entrants,
        payouts=tuple(shown.payouts[:MOST_OUT]),
        entry_open=entry_open(state, now, facts),
        deal=state.prizes.agreed is not None,
        winner=called[winner] if winner else "",
        starts=state.starts,
        started=state.started is not None,
        over=finished or state.cancelled,
        hand_for_hand=state.hand_for_hand is not None and not finished,
        final_table=state.seats.final_since is not None and not finished,
        rebuys=_rebuys(state, facts),
        moves=tuple(_moves(state, called))[:MOST_OUT],
        notices=tuple(_notices(state, facts, called, now))[:MOST_OUT],
    )


def _player(state: State, facts: Facts, player: str, called: Mapping[str, str]) -> FieldPlayer:
    at = state.seats.at.get(player)
    fact = facts.get(at.table) if at is not None else None
    stack = None
    if at is not None and fact is not None:
        stacks = fact.started_with if fact.in_hand and at.seat in fact.started_with else fact.stacks
        stack = stacks.get(at.seat)
    return FieldPlayer(
        player,
        called[player],
        at.table if at is not None else "",
        at.seat if at is not None else None,
        None if stack is None else Chips(stack),
    )


def _out(state: State, one: Entrant, prizes: dict[str, int], called: Mapping[str, str]) -> FieldOut:
    waits = any(one.player in group.players for group in state.field.undecided)
    sat = state.field.seats_of_gone.get(one.player)
    place = None if waits else one.place
    table = sat.table if sat is not None else ""
    return FieldOut(one.player, called[one.player], place, prizes.get(one.player, 0), table)


def _rebuys(state: State, facts: Facts) -> FieldRebuys | None:
    """None where the event has neither rebuys nor add-ons."""
    book = state.book.tournament
    unlimited = book.rebuys_unlimited is not None and book.rebuys_unlimited.value
    has = unlimited or (book.rebuys is not None and bool(book.rebuys.value))
    add_on = book.add_on is not None and bool(book.add_on.value)
    if not has and not add_on:
        return None
    before = book.rebuy_before_level
    late = before is not None and level_in_play(facts) >= before.value
    kinds = (Purchase.REBUY, Purchase.BREAK)
    sold = sum(one.bought.get(kind, 0) for one in state.field.entrants.values() for kind in kinds)
    is_open = bool(has) and not late and state.finished is None and not state.cancelled
    return FieldRebuys(is_open, before.value if before is not None else None, sold, add_on)


def _moves(state: State, called: Mapping[str, str]) -> Iterator[FieldMove]:
    for move in state.seats.moves.values():
        said = move.ordered
        name = called[said.player]
        yield FieldMove(said.player, name, said.start.table, said.start.seat, said.to.table, said.to.seat)


def _notices(state: State, facts: Facts, called: Mapping[str, str], now: Instant) -> Iterator[FieldNotice]:
    """Penalties that keep a player from the table now. `minutes` are as given: what is left runs down."""
    for one in time_outs(state, now, facts):
        given = state.penalties.given[one.penalty]
        minutes = given.minutes if one.left_ms > 0 else 0
        yield FieldNotice(called[one.player], given.kind, minutes, one.hands)


def entry_open(state: State, now: Instant, facts: Facts) -> bool:
    """Whether the book's end of entry has not come."""
    book = state.book.tournament
    if state.started is None or state.finished is not None or state.cancelled:
        return not (state.finished or state.cancelled)
    if book.late_entry_until_level is None and book.late_entry_until_minutes is None:
        return False
    somebody = Entrant("", now, Status.REGISTERED)
    return not isinstance(late_entry(state, somebody, now, facts), Refusal)
