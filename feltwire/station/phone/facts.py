"""What players' phones are told: what everybody may know of the event, and what only the player may.

One snapshot for all phones, on a channel that no page can read: the pages' process cuts it by phone
(`display/phone_page.py`). No card is in it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from display.phone_page import FACTS, RESULTS
from feltwire.runtime.node_io import Show
from feltwire.runtime.views import Part, Views
from feltwire.station.clock import StationClock
from feltwire.station.field_on_air import entry_open
from feltwire.station.phone.requests import PhoneRequests
from feltwire.station.tournament.pages.view import field_of_night, posted
from feltwire.station.tournament.public_names import public_names
from feltwire.station.tournament.station_tournament import StationTournament
from feltwire.station.tournament.table_watch import Changes
from feltwire.station.tournament.words import named
from table_core.messages import Millis
from table_core.projections.room import Field
from table_core.tournament.events import Instant
from table_core.tournament.money.prizes import owed
from table_core.tournament.night import Night
from table_core.tournament.penalties import time_outs
from table_core.tournament.state import Entrant, Facts, State, Status

SHOWN = Part("What players' phones show", page="/station/players")
DECIDED_MS, PLAYED_MS = 250, 5_000  # what people decide is told so soon, what tables report so often
MOST_PAID = 100
MOST_PENALTIES = 20

Row = dict[str, Any]


class PhoneFacts:
    def __init__(
        self,
        clock: StationClock,
        tournament: StationTournament,
        changes: Changes,
        requests: PhoneRequests,
        views: Views,
    ) -> None:
        self._clock = clock
        self._tournament = tournament
        self._changes = changes
        self._requests = requests
        self._views = views
        self._told: tuple[int, int, int] | None = None  # of which records, tables and requests
        self._told_at = Millis(-PLAYED_MS)
        self._shown = self._results = b""
        self._since: dict[str, tuple[int, int]] = {}  # of each table: the hand, and since when

    def wake_at(self) -> Iterator[Millis]:
        if self._told is not None and self._told != self._known():
            yield self._due()

    def show(self, now: Millis) -> Iterator[Show]:
        known = self._known()
        if known == self._told or (self._told is not None and now < self._due()):
            return
        results = self._told is None or self._told[0] != known[0]
        self._told, self._told_at = known, now
        shown = self._views.snapshot(SHOWN, lambda: msgspec.json.encode(self._facts(now)))
        if shown != self._shown:
            self._shown = shown
            yield Show(FACTS, shown)
        if results:
            told = self._views.snapshot(SHOWN, lambda: msgspec.json.encode(self._over()))
            if told != self._results:
                self._results = told
                yield Show(RESULTS, told)

    def _known(self) -> tuple[int, int, int]:
        return self._tournament.records.version, self._changes.count, self._requests.version

    def _due(self) -> Millis:
        known, told = self._known(), self._told or (0, 0, 0)
        decided = (known[0], known[2]) != (told[0], told[2])
        return Millis(self._told_at + (DECIDED_MS if decided else PLAYED_MS))

    def _facts(self, now: Millis) -> dict[str, Any]:
        tournament, instant = self._tournament, self._clock.instant(now)
        if not tournament.records.opened:
            return {"shared": {"open": False}, "players": {}, "own": {}, "list": []}
        night, facts, names = tournament.night, tournament.facts(now), tournament.names
        self._note_hands(facts, now)
        players = players_told(night.state, facts, public_names(names, night.state), self._since)
        return {
            "shared": shared(night, instant, facts),
            "players": players,
            "own": self._own(night.state, facts, names, instant),
            "list": [
                [player, one["name"], one.get("table", ""), one.get("seat")] for player, one in players.items()
            ],
        }

    def _note_hands(self, facts: Facts, now: Millis) -> None:
        """Since when (boot time) each table has the stacks that it has: those at the beginning of a hand."""
        for table, fact in facts.items():
            of = fact.hand * 2 + fact.in_hand
            if self._since.get(table, (-1, 0))[0] != of:
                self._since[table] = (of, now)

    def _own(self, state: State, facts: Facts, names: Mapping[str, str], now: Instant) -> dict[str, Row]:
        """What only a player's own phone is told, of those who have something."""
        own: dict[str, Row] = {}
        for one in time_outs(state, now, facts):
            left = {"ends": now.at + one.left_ms} if one.left_ms else {}
            served = left | ({"hands": one.hands} if one.hands else {})
            own.setdefault(one.player, {}).setdefault("serving", []).append({"penalty": one.penalty} | served)
        for given in state.penalties.given.values():
            said = {"penalty": given.penalty, "kind": given.kind, "reason": given.reason, "rule": given.rule}
            own.setdefault(given.player, {}).setdefault("penalties", []).append(said)
        for place, player in enumerate(state.field.waiting, 1):
            own.setdefault(player, {})["waiting"] = place
        for player, entrant in state.field.entrants.items():
            if entrant.status in (Status.REGISTERED, Status.WAITING):
                own.setdefault(player, {}).update(listed=entrant.status, name=named(player, names))
        for player, call in self._requests.calls.items():
            own.setdefault(player, {})["call"] = {"coming": call.coming, "done": call.done}
        for told in own.values():
            told["penalties"] = told.get("penalties", [])[-MOST_PENALTIES:]
        return own

    def _season(self) -> list[list[Any]]:
        """Rank, name, points, events, wins."""
        rows = self._tournament.standing()[:MOST_PAID]
        called = self._tournament.names.in_public(str(one["player"]) for one in rows)
        return [
            [one["rank"], called[str(one["player"])], one["points"], one["events"], one["wins"]] for one in rows
        ]

    def _over(self) -> dict[str, Any]:
        """Places and prizes as far as they are final, and the season."""
        tournament = self._tournament
        season = self._views.show(SHOWN, self._season, lambda _: [])
        if not tournament.records.opened:
            return {"results": [], "season": season}
        state = tournament.night.state
        prizes, called = owed(state), public_names(tournament.names, state)
        placed = [one for one in state.field.entrants.values() if place_of(state, one) is not None]
        placed.sort(key=lambda one: one.place or 0)
        results: list[list[Any]] = [[one.place, called[one.player], prizes.get(one.player, 0)] for one in placed]
        return {"results": results, "season": season}


def shared(night: Night, now: Instant, facts: Facts) -> Row:
    """What all phones are told of the event. Money is in cents, and there only where it is posted."""
    state = night.state
    field = posted(night, field_of_night(night) or Field())
    left = field.players or 0
    return {
        "open": True,
        "event": state.name,
        "by_hand": state.by_hand,
        "started": state.started is not None,
        "finished": state.finished is not None,
        "cancelled": bool(state.cancelled),
        "left": left,
        "entrants": field.entrants,
        "chips": field.chips,
        "average": field.chips // left if left else 0,
        "tables": len(state.seats.open_tables()),
        "payouts": field.payouts[:MOST_PAID],
        "entry_open": entry_open(state, now, facts),
        "deal": state.prizes.agreed is not None,
    }


def players_told(
    state: State, facts: Facts, called: Mapping[str, str], since: Mapping[str, tuple[int, int]]
) -> dict[str, Row]:
    """Of each player what everybody may know: the name as it is shown (`called`), seat, stack, its age, move."""
    counted = {player: _stack(state, facts, player, since) for player in state.seats.at}
    stacks = {player: stack for player, (stack, _) in counted.items()}
    known = sorted((stack for stack in stacks.values() if stack is not None), reverse=True)
    all_known = bool(known) and len(known) == len(stacks)
    places = {stack: place for place, stack in reversed([*enumerate(known, 1)])} if all_known else {}
    prizes = owed(state)
    told: dict[str, Row] = {}
    for player, one in state.field.entrants.items():
        if not one.in_play and one.status is not Status.OUT:
            continue
        row: Row = {"name": called[player]}
        at = state.seats.at.get(player)
        if at is not None:
            row |= {"table": at.table, "seat": at.seat}
            if (stack := stacks[player]) is not None:
                row |= {"stack": stack, "at": counted[player][1]}
                row |= {"rank": places[stack]} if places else {}
        if one.status is Status.OUT:
            row |= {"out": True, "place": place_of(state, one), "prize": prizes.get(player, 0)}
        told[player] = row
    for id_, move in state.seats.moves.items():
        if (moving := told.get(move.ordered.player)) is not None:
            to = move.ordered.to
            moving["move"] = {"id": id_, "table": to.table, "seat": to.seat, "stage": move.stage}
    if state.finished is not None:
        for player, one in state.field.entrants.items():
            if one.place == 1 and player in told:
                told[player] |= {"place": 1, "prize": prizes.get(player, 0)}
    return told


def place_of(state: State, one: Entrant) -> int | None:
    """The final place; None while the book leaves it open."""
    waits = any(one.player in group.players for group in state.field.undecided)
    return None if waits else one.place


def _stack(
    state: State, facts: Facts, player: str, since: Mapping[str, tuple[int, int]]
) -> tuple[int | None, int | None]:
    """The stack, and since when (boot time) it is so. While a hand is played: that at its beginning, for chips
    in the pot are nobody's yet; in an event played by hand what somebody counted."""
    if state.by_hand:
        stack, counted = state.chips.by_hand.get(player, (None, None))
        return stack, counted.at if counted is not None else None
    at = state.seats.at[player]
    fact = facts.get(at.table)
    if fact is None:
        return None, None
    stacks = fact.started_with if fact.in_hand and at.seat in fact.started_with else fact.stacks
    return stacks.get(at.seat), since.get(at.table, (0, 0))[1]
