"""Who plays a season's final, in which seat, and who may still play for its last one (rpl.toc)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum

from table_core.messages import Frozen, Name, Refusal, Text
from table_core.tournament.money.league import (
    EventResult,
    Season,
    may_play_last_chance,
    provisional_seats,
    qualified,
    standing,
)
from table_core.tournament.seats.standing import final_seats
from table_core.tournament.state import State


class How(StrEnum):
    WINNER = "winner"
    SCORE = "score"
    LAST_CHANCE = "last_chance"  # won the event for the last seat
    MAY_PLAY_LAST_CHANCE = "may_play_last_chance"


class Finalist(Frozen, frozen=True):
    """`seat`: `T1S5`; empty where it is drawn, and for who only may play the last chance; `T1S3 or T2S3` for
    players who are level in the standing, whom no sentence of the book parts."""

    player: Name
    seat: Text
    how: How


def final_field(season: Season, declined: Sequence[str] = ()) -> tuple[Finalist, ...]:
    """The final's players in the order of the standing, then the last seat's winner; before that seat is played
    for, who may play for it. Empty under a book without a final."""
    if season.rulebook.tournament.final_event_provisional_seats is None:
        return ()
    scores, found = standing(season), qualified(season, declined)
    playing = [score.player for score in scores if score.player in {*found.automatic, *found.provisional}]
    points = {score.player: score.points for score in scores}
    seats = final_seats(playing, season.rulebook)
    field = tuple(
        Finalist(
            player, _among_level(player, seats, points), How.WINNER if player in found.automatic else How.SCORE
        )
        for player, _ in seats
    )
    if found.last_chance:
        return (*field, Finalist(found.last_chance, "", How.LAST_CHANCE))
    others = [score.player for score in scores if score.player not in playing]
    chance = [player for player in others if may_play_last_chance(season, player)]
    return (*field, *(Finalist(player, "", How.MAY_PLAY_LAST_CHANCE) for player in chance))


def _among_level(player: str, seats: Sequence[tuple[str, str]], points: Mapping[str, int]) -> str:
    """The player's seat, or all those of players with the same points."""
    level = [seat for other, seat in seats if points[other] == points[player]]
    return " or ".join(level) if all(level) else ""


def open_questions(season: Season, declined: Sequence[str] = ()) -> tuple[str, ...]:
    """What of the final's field the book leaves open, in sentences."""
    seats, both = (
        season.rulebook.tournament.final_event_provisional_seats,
        season.rulebook.tournament.final_event_tie_at_cut_both_in,
    )
    found = qualified(season, declined)
    points = {score.player: score.points for score in standing(season)}
    said: list[str] = []
    cut = provisional_seats(season, declined)
    if seats is not None and both is not None and len(found.provisional) > cut and cut != seats.value:
        level = [name for name in found.provisional if points[name] == points[found.provisional[cut - 1]]]
        said.append(
            f"{', '.join(level)} are level at provisional seat {cut}: {both.rule} speaks of {seats.value} and "
            f"{seats.value + 1}. Shown is that all of them are in."
        )
    return tuple(said)


def last_chance_fault(state: State, result: EventResult, season: Season) -> Refusal | None:
    """Why this event was none for the final's last seat: the book has no such event, or somebody played who may
    not (rpl.toc.7)."""
    rule = season.rulebook.tournament.final_event_last_chance_seat
    if rule is None:
        return Refusal(reason=f"Rulebook {season.rulebook.id} has no event for a last seat of the final.", rule="")
    entrants = state.field.entrants
    wrong = [
        one.player
        for one in result.finishers
        if not entrants[one.player].member or not may_play_last_chance(season, one.player)
    ]
    if not wrong:
        return None
    reason = f"The last chance is for members who played in events enough; not for {', '.join(wrong)}."
    return Refusal(reason=reason, rule=rule.rule)
