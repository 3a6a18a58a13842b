"""Events that were played, with what each player took out of them: for a season's statistics and for results."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from table_core.messages import Frozen, Many, Name, Number, Text
from table_core.tournament.money.bounties import bounty_price
from table_core.tournament.money.formula import Figures
from table_core.tournament.money.league import EventResult, Season, events_of, scored
from table_core.tournament.money.prizes import owed
from table_core.tournament.state import State

CENTS = 100


class PlayedPlayer(Frozen, frozen=True):
    """`paid` are entries, rebuys, add-ons and bounty games, `won` prizes and bounties; both in cents. Without a
    `place` the event ended without one: who was never dealt in."""

    player: Name
    place: Number | None
    paid: Number
    won: Number
    knockouts: Number = 0


class PlayedEvent(Frozen, frozen=True):
    """One event that is over. `tournament` begins the ids of its commands, `day` is `2026-11-21`, `players` stand
    in the order of their places. `posted`: prizes are for everybody to read."""

    tournament: Name
    event: Text
    day: Name
    entrants: Number
    players: Many[PlayedPlayer]
    posted: bool = True


def played_event(state: State, tournament: str) -> PlayedEvent | None:
    """What was played; None before the event is over, and while a person is to decide places."""
    if state.finished is None or state.cancelled or state.field.undecided:
        return None
    prizes, price = owed(state), bounty_price(state)
    entered = [one for one in state.field.entrants.values() if one.entries]
    hunted = [player for hunters in state.bounties.hunters.values() for player in hunters]
    players = [
        PlayedPlayer(
            one.player,
            one.place,
            one.paid + hunted.count(one.player) * price,
            max(0, prizes.get(one.player, 0)) + state.bounties.won.get(one.player, 0),
            max(0, state.field.knockouts.get(one.player, 0)),
        )
        for one in entered
    ]
    players.sort(key=lambda one: (one.place is None, one.place or 0, one.player))
    rule = state.book.tournament.money_posted
    posted = rule is None or rule.value
    return PlayedEvent(tournament, state.name, state.day, len(entered), tuple(players), posted)


def with_played(
    played: Sequence[PlayedEvent], event: PlayedEvent | None, tournament: str
) -> tuple[PlayedEvent, ...]:
    """The events, this one as it is now; None: it is not over, after all."""
    others = tuple(one for one in played if one.tournament != tournament)
    return others if event is None else (*others, event)


def found_in(result: EventResult, played: Iterable[PlayedEvent]) -> PlayedEvent | None:
    """The event that a season's result is of: the one with the same players in the same places. A season may call
    it by another name."""
    places = {(one.player, one.place) for one in result.finishers}
    same = (event for event in played if {(one.player, one.place) for one in event.players if one.place} == places)
    return next(same, None) if places else None


def figures_of(results: Iterable[EventResult], played: Sequence[PlayedEvent]) -> dict[tuple[str, str], Figures]:
    """What a formula may name, of each event of a season by its name and each player of it."""
    figures: dict[tuple[str, str], Figures] = {}
    for result in results:
        event = found_in(result, played)
        money = {one.player: one for one in event.players} if event is not None else {}
        for finisher in result.finishers:
            one = money.get(finisher.player)
            more = (one.knockouts, one.won // CENTS, one.paid // CENTS) if one is not None else ()
            figures[result.event, finisher.player] = Figures(result.entrants, finisher.place, *more)
    return figures


@dataclass(frozen=True, slots=True)
class Line:
    """One player's season. Money in cents, of those `with_money` of the `played` events of which it is known."""

    player: str
    played: int = 0
    wins: int = 0
    in_money: int = 0
    best: int | None = None
    places: tuple[int, ...] = ()
    knockouts: int = 0
    paid: int = 0
    won: int = 0
    with_money: int = 0
    points: int = 0

    @property
    def profit(self) -> int:
        return self.won - self.paid


def statistics(season: Season, played: Sequence[PlayedEvent]) -> tuple[Line, ...]:
    """Everybody who played, in the order of the standing: the most points first, then the better profit."""
    lines: dict[str, Line] = {}
    for result in events_of(season):
        event = found_in(result, played)
        money = {one.player: one for one in event.players} if event is not None else {}
        for finisher in result.finishers:
            before, one = lines.get(finisher.player, Line(finisher.player)), money.get(finisher.player)
            place = finisher.place
            lines[finisher.player] = Line(
                finisher.player,
                before.played + 1,
                before.wins + (place == 1),
                before.in_money + (one is not None and one.won > 0),
                place if before.best is None else min(before.best, place),
                (*before.places, place),
                before.knockouts + (one.knockouts if one is not None else 0),
                before.paid + (one.paid if one is not None else 0),
                before.won + (one.won if one is not None else 0),
                before.with_money + (one is not None),
                before.points + scored(season, result, finisher),
            )
    return tuple(sorted(lines.values(), key=lambda one: (-one.points, -one.profit, one.player)))
