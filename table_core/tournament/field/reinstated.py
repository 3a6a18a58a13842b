"""A player whose elimination was final is in after all: a pot that was read wrongly, a chip under a phone.

A bust that is still pending is dropped (`busts.py`), and one that nothing rests on is undone. Here the seat may
have been given away and others may have gone out since: nobody is moved for it, and no chair gets two players.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from table_core.messages import Amount, Frozen, Name, Refusal, Said
from table_core.tournament.decision import ConflictError, Decision
from table_core.tournament.events import Instant, Reinstated
from table_core.tournament.field.busts import result_stands
from table_core.tournament.field.eliminations import knockout_credit
from table_core.tournament.field.finishing import play_goes_on
from table_core.tournament.field.lookup import known, stack_of
from table_core.tournament.state import Facts, State, Status


class Reinstate(Frozen, frozen=True):
    """The player is in again with `chips`: out of the stack of `giver`, who won them, unless given the first
    who won the player's chips; chips that were taken out of play come back. Where a result stands with the next
    first riffle it is too late then, unless the table called the floor before, or `anyway` says why not."""

    player: Name
    chips: Amount
    why: Said
    giver: Name = ""
    anyway: Said = ""


def reinstate(state: State, wanted: Reinstate, now: Instant, facts: Facts) -> Decision:
    entrant = known(state, wanted.player)
    if isinstance(entrant, Refusal):
        return entrant
    if entrant.status is not Status.OUT or entrant.place is None or not (wanted.chips or state.by_hand):
        return Refusal(
            reason=f"{wanted.player} is not out of the event, or has no chips to come back with.", rule=""
        )
    bust = state.field.went.get(wanted.player)
    late = result_stands(state, bust, facts) if bust is not None else None
    if late is not None and not wanted.anyway:
        return late
    stands = state.book.tournament.result_stands_from_next_riffle
    rule = stands.rule if stands is not None and bust is not None else ""
    giver = wanted.giver
    if bust is not None and not giver:
        giver = next((name for out in bust.out if out.player == wanted.player for name in out.by), "")
    have = stack_of(state, giver, facts) if giver else None
    if giver and have is not None and have < wanted.chips:
        return Refusal(reason=f"{giver} has {have:,}: name who gives {wanted.chips:,}.", rule=rule)
    if bust is None and entrant.removed < wanted.chips:
        return Refusal(reason=f"{entrant.removed:,} chips of {wanted.player} left play.", rule="")
    return (Reinstated(wanted.player, wanted.chips, wanted.anyway or wanted.why, giver, rule),)


# ------------------------------------------------------------------------------------------------ reducers


def _reinstated(state: State, event: Reinstated, now: Instant) -> None:
    entrant = state.field.entrants[event.player]
    if entrant.status is not Status.OUT or entrant.place is None:
        raise ConflictError(f"{event.player} is not out")
    bust, was = state.field.went.pop(event.player, None), entrant.place
    entrant.status, entrant.place, entrant.why_out, entrant.suspended = Status.PLAYING, None, "", False
    state.field.playing += 1
    state.field.out -= 1
    for other in state.field.entrants.values():  # who went out later was outlasted by one more
        if other.status is Status.OUT and other.place is not None and other.place <= was:
            other.place += 1
    _decide_without(state, event.player)
    play_goes_on(state)
    if bust is None:
        entrant.removed -= event.chips
        return
    out = next(out for out in bust.out if out.player == event.player)
    for name in knockout_credit(out.by, state.book):
        state.field.knockouts[name] = state.field.knockouts.get(name, 0) - 1
    _take_bounties_back(state, event.player)
    at = state.field.seats_of_gone.pop(event.player, None)
    table = state.seats.tables.get(at.table) if at is not None else None
    if at is not None and table is not None and table.open and at.seat in table.free():
        table.players[at.seat] = event.player
        table.vacated.discard(at.seat)
        state.seats.at[event.player] = at


def _decide_without(state: State, player: str) -> None:
    """What was undecided is so among the others only; one alone has the place."""
    for one in state.field.undecided:
        one.players = [name for name in one.players if name != player]
    state.field.undecided = [one for one in state.field.undecided if len(one.players) > 1 or one.alone]


def _take_bounties_back(state: State, player: str) -> None:
    """What the elimination had brought in the bounty games was not won."""
    bounties = state.bounties
    holder = bounties.chip_of.pop(player, "")
    if holder and bounties.chips.get(holder, 0):
        bounties.chips[holder] -= 1
    for game, shares in list(bounties.won_by.items()):
        if bounties.targets.get(game) == player:
            for name, amount in shares.items():
                bounties.won[name] = bounties.won.get(name, 0) - amount
            del bounties.won_by[game]
            bounties.over.pop(game, None)
            bounties.decided.discard(game)


COMMANDS: Mapping[type, Any] = {Reinstate: reinstate}
REDUCERS: Mapping[type, Any] = {Reinstated: _reinstated}
