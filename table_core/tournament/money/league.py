"""A season: points of each event, the standing, and who plays the final tournament (rpl.toc).

A season is the results of its events in order; everything here follows from them and from the rulebook.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from table_core.messages import Frozen, Many, Name, Number, Text
from table_core.rulebook import Rulebook
from table_core.tournament.money.formula import Figures, Formula
from table_core.tournament.money.prizes import championship, taken_in
from table_core.tournament.state import Entrant, State


class Finisher(Frozen, frozen=True):
    """A player's place in an event; `credited` is whether the book's conditions for points are met."""

    player: Name
    place: Number
    credited: bool = True


class EventResult(Frozen, frozen=True):
    """One event of a season. `finishers` are in the order of their places; `to_final` cents of its money are for
    the prizes of the final. `last_chance`: it was played for the last seat of the final, and gives no points.
    `removed`: it was taken out of the season, and may be put back."""

    event: Text
    entrants: Number
    finishers: Many[Finisher]
    to_final: Number = 0
    last_chance: bool = False
    removed: bool = False


class Score(Frozen, frozen=True):
    """A line of the standing; equal points share a rank."""

    rank: Number
    player: Name
    points: Number
    events: Number
    wins: Number


@dataclass(frozen=True, slots=True)
class Season:
    """`points` by place, first place first; places beyond it get the last value. A `formula` that a person typed
    is in force instead; `figures` are what it may name, by event and player."""

    results: tuple[EventResult, ...]
    points: tuple[int, ...]
    rulebook: Rulebook
    formula: Formula | None = None
    figures: Mapping[tuple[str, str], Figures] = dataclasses.field(default_factory=dict)


def in_season(results: Iterable[EventResult]) -> tuple[EventResult, ...]:
    """Those that were not taken out."""
    return tuple(result for result in results if not result.removed)


def credited(state: State, entrant: Entrant) -> bool:
    """Whether the player may get points, in an event with enough players once it has begun (rpl.league.9)."""
    return (state.started is None or not too_few_for_points(state)) and checked_for_points(state, entrant)


def checked_for_points(state: State, entrant: Entrant) -> bool:
    """Whether the player is signed in and checked off, where the book wants that for points (wfp.seating.2c)."""
    needs = state.book.tournament.points_need_sign_in
    return needs is None or not needs.value or (entrant.signed_in is not None and entrant.checked_off)


def too_few_for_points(state: State) -> str:
    """Why nobody gets points as long as no more players enter (rpl.league.9); empty where it is not so."""
    least = state.book.tournament.points_from_entrants
    entrants = sum(bool(entrant.entries) for entrant in state.field.entrants.values())
    if least is None or entrants >= least.value:
        return ""
    return f"{least.rule}: {entrants} players are in; with fewer than {least.value} nobody gets points"


def result_of(state: State, event: str, *, last_chance: bool = False) -> EventResult:
    """The result of a tournament that is played: everybody with a place. Who did not sign in or check off where
    the book wants that gets no points (wfp.seating.2c). All the money of a last chance goes to the final."""
    entrants = [entrant for entrant in state.field.entrants.values() if entrant.entries]
    placed = sorted((e for e in entrants if e.place is not None), key=lambda e: (e.place or 0, e.player))
    finishers = tuple(
        Finisher(
            entrant.player,
            entrant.place or 0,
            credited(state, entrant),
        )
        for entrant in placed
    )
    to_final = taken_in(state) if last_chance else championship(state)
    return EventResult(event, len(entrants), finishers, to_final, last_chance)


def counts(result: EventResult, rulebook: Rulebook) -> bool:
    """Whether the event gives points and a place in the final (rpl.league.9)."""
    least = rulebook.tournament.points_from_entrants
    if result.last_chance:
        return False
    return least is None or result.entrants >= least.value


def events_of(season: Season) -> list[EventResult]:
    """The season's own events: not the one for the final's last seat."""
    return [result for result in season.results if not result.last_chance]


def standing(season: Season, *, without: Iterable[str] = ()) -> tuple[Score, ...]:
    """Everybody by points, the highest first; equal points share a rank and stand in the order of their names."""
    points: dict[str, int] = {}
    events: dict[str, int] = {}
    won = wins(season)
    for result in events_of(season):
        for finisher in result.finishers:
            events[finisher.player] = events.get(finisher.player, 0) + 1
            points[finisher.player] = points.get(finisher.player, 0) + scored(season, result, finisher)
    left = set(without)
    order = sorted((-points.get(name, 0), name) for name in events if name not in left)
    scores: list[Score] = []
    for at, (negative, name) in enumerate(order):
        rank = scores[-1].rank if scores and scores[-1].points == -negative else at + 1
        scores.append(Score(rank, name, -negative, events[name], won.get(name, 0)))
    return tuple(scores)


def scored(season: Season, result: EventResult, finisher: Finisher) -> int:
    """The points of a player for one event."""
    if not finisher.credited or not counts(result, season.rulebook):
        return 0
    if season.formula is not None:
        known = season.figures.get((result.event, finisher.player))
        return season.formula.points(known or Figures(result.entrants, finisher.place))
    return season.points[min(finisher.place, len(season.points)) - 1] if season.points else 0


def wins(season: Season) -> Mapping[str, int]:
    """How many events of the season that count each winner won."""
    found: dict[str, int] = {}
    for result in season.results:
        for finisher in result.finishers:
            if finisher.place == 1 and counts(result, season.rulebook):
                found[finisher.player] = found.get(finisher.player, 0) + 1
    return found


class Qualified(Frozen, frozen=True):
    """Who plays the final: winners, then the best of the others; `declined` gave their seats on. `last_chance` won
    the last seat, empty before that is played."""

    automatic: Many[Name]
    provisional: Many[Name]
    declined: Many[Name] = ()
    last_chance: Name = ""


def qualified(season: Season, declined: Sequence[str] = ()) -> Qualified:
    """The field of the final (rpl.toc.1 to 6). A seat that is declined goes to the next highest score; a tie at
    the last provisional seat gives both a seat."""
    book = season.rulebook.tournament
    won = wins(season)
    automatic = tuple(name for name in won if name not in declined)
    seats = book.final_event_provisional_seats
    if seats is None:
        return Qualified(automatic, (), tuple(declined), _last_seat(season))
    wanted = provisional_seats(season, declined)
    least = book.final_event_min_events.value if book.final_event_min_events is not None else 1
    others = [
        score for score in standing(season, without=won) if score.events >= least and score.player not in declined
    ]
    chosen = others[:wanted]
    both = book.final_event_tie_at_cut_both_in
    if chosen and both is not None and both.value:
        chosen += [score for score in others[wanted:] if score.points == chosen[-1].points]
    return Qualified(automatic, tuple(score.player for score in chosen), tuple(declined), _last_seat(season))


def provisional_seats(season: Season, declined: Sequence[str] = ()) -> int:
    """Seats by score: the book's, one more for each win of who has won before, and those that winners declined."""
    won, seats = wins(season), season.rulebook.tournament.final_event_provisional_seats
    repeats = sum(number - 1 for number in won.values())
    return (seats.value if seats is not None else 0) + repeats + sum(name in won for name in declined)


def _last_seat(season: Season) -> str:
    """Who won the event for the last seat (rpl.toc.7)."""
    if season.rulebook.tournament.final_event_last_chance_seat is None:
        return ""
    played = [result for result in season.results if result.last_chance]
    return next((finisher.player for result in played for finisher in result.finishers if finisher.place == 1), "")


def final_pool(season: Season) -> int:
    """Cents of the final's prizes: the season's share, and all the money of the last chance (rpl.toc.7)."""
    return sum(result.to_final for result in season.results)


def may_play_last_chance(season: Season, player: str) -> bool:
    """Whether the event for the last seat is open to this member (rpl.toc.7)."""
    least = season.rulebook.tournament.final_event_min_events
    played = sum(any(f.player == player for f in result.finishers) for result in events_of(season))
    return least is None or played >= least.value
