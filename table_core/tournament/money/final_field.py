"""Who plays a season's final, in which seat, and who may still play for its last one (rpl.toc)."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from table_core.messages import Frozen, Name, Refusal
from table_core.tournament.money.league import (
    EventResult,
    Season,
    may_play_last_chance,
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
    """`seat`: `T1S5`; empty where it is drawn, and for who only may play the last chance."""

    player: Name
    seat: Name
    how: How


def final_field(season: Season, declined: Sequence[str] = ()) -> tuple[Finalist, ...]:
    """The final's players in the order of the standing, then the last seat's winner; before that seat is played
    for, who may play for it. Empty under a book without a final."""
    if season.rulebook.tournament.final_event_provisional_seats is None:
        return ()
    scores, found = standing(season), qualified(season, declined)
    playing = [score.player for score in scores if score.player in {*found.automatic, *found.provisional}]
    field = tuple(
        Finalist(player, seat, How.WINNER if player in found.automatic else How.SCORE)
        for player, seat in final_seats(playing, season.rulebook)
    )
    if found.last_chance:
        return (*field, Finalist(found.last_chance, "", How.LAST_CHANCE))
    others = [score.player for score in scores if score.player not in playing]
    chance = [player for player in others if may_play_last_chance(season, player)]
    return (*field, *(Finalist(player, "", How.MAY_PLAY_LAST_CHANCE) for player in chance))


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
