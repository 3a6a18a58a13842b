"""The league's season at the station: results of events, the standing, and who plays the final."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace as replace_fields
from typing import Any

from msgspec.structs import replace

from feltwire.station.director.arguments import arguments_of
from feltwire.station.director.director import Director
from feltwire.station.station_io import Directed, Effect, KeepSeason, SavePoints
from feltwire.station.tournament.names import Names as Register
from feltwire.station.tournament.words import named, with_names
from table_core.messages import Frozen, Many, Name, Refusal, Said
from table_core.rulebook import Rulebook
from table_core.tournament.events import CENTS
from table_core.tournament.money.final_field import How, final_field, last_chance_fault, open_questions
from table_core.tournament.money.formula import Formula, parsed
from table_core.tournament.money.league import EventResult, Season, counts, in_season, result_of, standing
from table_core.tournament.money.played import PlayedEvent, figures_of, statistics
from table_core.tournament.sheet_text import Sheet
from table_core.tournament.state import State

Names = Mapping[str, str]
Rows = Iterator[tuple[object, ...]]


class AddResult(Frozen, frozen=True):
    """Put the result of this event, which is over, into the league's season. `event`: another name for it there.
    `last_chance`: it was played for the last seat of the final, and gives no points."""

    event: Said = ""
    last_chance: bool = False


class RemoveResult(Frozen, frozen=True):
    """Take an event out of the league's season. It may be put back."""

    event: Said


class RestoreResult(Frozen, frozen=True):
    """Put an event back into the season that was taken out."""

    event: Said


class ShowFinal(Frozen, frozen=True):
    """Who plays the final of the season, and where; a seat of who `declined` goes to the next in the standing."""

    declined: Many[Name] = ()


class SetPoints(Frozen, frozen=True):
    """Points of the league's season by a `formula`, such as `10 * sqrt(entrants) / place`; empty: the book's."""

    formula: Said = ""


LEAGUE_COMMANDS = ("set_points", "add_result", "remove_result", "restore_result", "show_final")


class League:
    """The league's commands. `results()` are those that the disk has, `played()` all events that were played here,
    `points` is the formula of the points; `names` are the players', by id."""

    def __init__(
        self,
        results: Callable[[], Sequence[EventResult]],
        played: Callable[[], Sequence[PlayedEvent]],
        points: str,
        names: Names,
        director: Director,
    ) -> None:
        self.results = results
        self.played = played
        self._formula = _known(points)
        self._names = names
        self._director = director

    def season(self, book: Rulebook) -> Season:
        """The season under the book or, where a person typed one, the formula."""
        results, formula = in_season(self.results()), self._formula
        figures = figures_of(results, self.played()) if formula is not None else {}
        return replace_fields(season_of(results, book), formula=formula, figures=figures)

    def state(self) -> tuple[object, ...]:
        """What the season follows from."""
        return self.results(), self.played(), self._formula and self._formula.text

    def take(self, given: Directed, state: State, *, settled: bool) -> Iterator[Effect]:
        """A press; `settled`: no record of the event is on its way to the disk."""
        results = self.results()
        changed: tuple[EventResult, ...] | Refusal
        match given.command:
            case "show_final":
                declined = arguments_of(given, ShowFinal).declined
                text = final_words(self.season(state.book), self._names, declined)
                yield from self._director.reply(given, text)
                return
            case "set_points":
                yield from self._set_points(given)
                return
            case "remove_result":
                wanted = arguments_of(given, RemoveResult)
                changed, said = without_result(results, wanted), f"{wanted.event} is out of the season."
            case "restore_result":
                back = arguments_of(given, RestoreResult)
                changed, said = with_result_back(results, back), f"{back.event} is in the season again."
            case _ if not settled:
                changed, said = Refusal(reason="Records are on their way to the disk; press again.", rule=""), ""
            case _:
                changed = with_result(results, arguments_of(given, AddResult), state, state.book)
                said = said_of(changed[-1], state.book) if not isinstance(changed, Refusal) else ""
        if isinstance(changed, Refusal):
            yield from self._director.reply(given, changed.reason, True, rule=changed.rule)
            return
        yield KeepSeason(changed)
        yield from self._director.reply(given, said)

    def _set_points(self, given: Directed) -> Iterator[Effect]:
        wanted = arguments_of(given, SetPoints).formula.strip()
        found = parsed(wanted) if wanted else None
        if isinstance(found, Refusal):
            yield from self._director.reply(given, found.reason, True, about="formula")
            return
        self._formula = found
        yield SavePoints(wanted)
        said = f"The league's points are {wanted}." if wanted else "The league's points are the book's."
        yield from self._director.reply(given, said)

    def followed(self, state: State) -> tuple[EventResult, ...] | None:
        """The season with the places of this event as they are now; None where it has them, or not this event."""
        results = self.results()
        if state.finished is None:
            return None
        new = tuple(
            replace(result_of(state, one.event, last_chance=one.last_chance), removed=one.removed)
            if one.event == state.name
            else one
            for one in results
        )
        return new if new != tuple(results) else None

    def sheet(self, name: str, book: Rulebook) -> Sheet | None:
        """The sheet with this name; None where there is none."""
        season = self.season(book)
        if name == "statistics":
            return Sheet(STATISTICS, tuple(_statistics(season, self.played(), self._names)))
        return season_sheet(name, season, self._names)

    def standing(self, book: Rulebook) -> list[dict[str, Any]]:
        """Who has how many points, the first first."""
        sheet = self.sheet("season", book)
        return sheet.as_objects() if sheet is not None else []

    def view(self, book: Rulebook) -> dict[str, Any]:
        """What the page of the league draws."""
        removed = [result.event for result in self.results() if result.removed]
        sheets = {name: self.sheet(name, book) for name in LEAGUE_SHEETS}
        rows = {name: sheet.as_objects() for name, sheet in sheets.items() if sheet is not None}
        said = self._formula.text if self._formula is not None else ""
        known = list({one["player"] for one in rows["season"]})
        shown = self._names.in_public(sorted(known)) if isinstance(self._names, Register) else {}
        return {"league": rows | {"removed": removed, "formula": said, "shown": shown}}


def _known(points: str) -> Formula | None:
    """The formula that was kept; None for none, and for one that this program does not take any more."""
    found = parsed(points) if points else None
    return found if isinstance(found, Formula) else None


def season_of(results: Sequence[EventResult], book: Rulebook) -> Season:
    points = book.tournament.points_by_place
    return Season(in_season(results), points.value if points is not None else (), book)


def with_result(
    results: Sequence[EventResult], wanted: AddResult, state: State, book: Rulebook
) -> tuple[EventResult, ...] | Refusal:
    """The season, which is played by `book`, with this event."""
    if state.finished is None:
        return Refusal(reason="The event is not over.", rule="")
    if state.bags:
        return Refusal(reason="A flight has no result: the final day has it.", rule="")
    if open_ := next(iter(state.field.undecided), None):
        return Refusal(reason=f"Decide their places first: {', '.join(open_.players)}.", rule=open_.rule)
    result = result_of(state, wanted.event.strip() or state.name, last_chance=wanted.last_chance)
    if any(known.event == result.event for known in in_season(results)):
        reason = f"The season has an event {result.event!r} already: give this one another name."
        return Refusal(reason=reason, rule="")
    if wanted.last_chance:
        fault = last_chance_fault(state, result, season_of(results, book))
        if fault is not None:
            return fault
    return (*results, result)


def without_result(results: Sequence[EventResult], wanted: RemoveResult) -> tuple[EventResult, ...] | Refusal:
    found = next((one for one in in_season(results) if one.event == wanted.event), None)
    if found is None:
        return Refusal(reason=f"The season has no event {wanted.event!r}.", rule="")
    return tuple(replace(one, removed=True) if one is found else one for one in results)


def with_result_back(results: Sequence[EventResult], wanted: RestoreResult) -> tuple[EventResult, ...] | Refusal:
    """The season with the event of this name that was taken out last."""
    found = next((one for one in reversed(results) if one.removed and one.event == wanted.event), None)
    if found is None:
        return Refusal(reason=f"No event {wanted.event!r} was taken out of the season.", rule="")
    if any(one.event == wanted.event for one in in_season(results)):
        return Refusal(reason=f"The season has an event {wanted.event!r} already.", rule="")
    return tuple(replace(one, removed=False) if one is found else one for one in results)


def said_of(result: EventResult, book: Rulebook) -> str:
    few = "" if result.last_chance or counts(result, book) else "; too few for points"
    return f"{result.event} is in the season: {result.entrants} entrants{few}."


def final_words(season: Season, names: Names, declined: Sequence[str]) -> str:
    """The final's field in a sentence a player."""
    found = final_field(season, declined)
    if not found:
        return f"Rulebook {season.rulebook.id} has no final, or nobody has played."
    how = {
        How.WINNER: "a winner",
        How.SCORE: "by score",
        How.LAST_CHANCE: "won the last chance",
        How.MAY_PLAY_LAST_CHANCE: "may play the last chance",
    }
    field = [f"{f'{one.seat}: ' if one.seat else ''}{named(one.player, names)}, {how[one.how]}." for one in found]
    return " ".join([*field, *(with_names(text, names) for text in open_questions(season, declined))])


def _season(season: Season, names: Names) -> Rows:
    for one in standing(season):
        yield one.rank, one.player, names.get(one.player, ""), one.points, one.events, one.wins


def _events(season: Season, names: Names) -> Rows:
    for result in season.results:
        won = next((one.player for one in result.finishers if one.place == 1), "")
        figures = counts(result, season.rulebook), result.last_chance, result.to_final / CENTS
        yield result.event, result.entrants, names.get(won, won), *figures


def _final(season: Season, names: Names) -> Rows:
    for one in final_field(season):
        yield one.player, names.get(one.player, ""), one.seat, one.how.value


STATISTICS = (
    *("player", "name", "played", "wins", "in_money", "best", "average_place", "knockouts", "paid", "won"),
    *("profit", "points"),
)


def _statistics(season: Season, played: Sequence[PlayedEvent], names: Names) -> Rows:
    """Money and knock-outs are empty for who played no event of which they are known."""
    for one in statistics(season, played):
        known = one.with_money > 0
        money = (one.paid / CENTS, one.won / CENTS, one.profit / CENTS) if known else (None, None, None)
        average = round(sum(one.places) / len(one.places), 1)
        yield (
            one.player, names.get(one.player, ""), one.played, one.wins, one.in_money if known else None, one.best,
            average, one.knockouts if known else None, *money, one.points,
        )  # fmt: skip


_Sheets = Mapping[str, tuple[tuple[str, ...], Callable[[Season, Names], Rows]]]
SEASON_SHEETS: _Sheets = {
    "season": (("rank", "player", "name", "points", "events", "wins"), _season),
    "season_events": (("event", "entrants", "won_by", "counts", "last_chance", "to_final"), _events),
    "final": (("player", "name", "seat", "how"), _final),
}


LEAGUE_SHEETS = (*SEASON_SHEETS, "statistics")  # that needs the events that were played, too


def season_sheet(name: str, season: Season, names: Names) -> Sheet | None:
    """The sheet with this name; None where there is none."""
    found = SEASON_SHEETS.get(name)
    return Sheet(found[0], tuple(found[1](season, names))) if found is not None else None
