"""Out of an event that is played by hand: one press, and the player is out.

Each player is a record of their own, so that each can be taken back alone. Who went out in one hand is linked; the
places of that hand follow from who had more, whatever the order in which they were reported.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from table_core.messages import Amount, Chips, Few, Frozen, Name, Refusal, Said
from table_core.tournament.by_hand import NOT_BY_HAND
from table_core.tournament.decision import ConflictError, Decision, unused
from table_core.tournament.events import BustReported, Instant, Out, OutByHand
from table_core.tournament.field.busts import BUSTED, TOGETHER, finish_if_one_is_left
from table_core.tournament.field.eliminations import knockout_credit
from table_core.tournament.field.finishing import OVER, free_places, spots_of
from table_core.tournament.field.lookup import entrant_of, known
from table_core.tournament.field.waiting_list import called_up
from table_core.tournament.money.bounties import decided_by
from table_core.tournament.policies import BustRank
from table_core.tournament.state import Facts, State, Status, Undecided


class PutOut(Frozen, frozen=True):
    """The player lost the last chips, in an event that is played by hand. `by`: who won them; `stack`: how many
    the player had when the hand began; both may be left out. `same_hand`: a player who went out in the same
    hand. Of those who did, this one began the hand with more than `more_than`, and with as many as `level_with`;
    than the others with fewer."""

    player: Name
    by: Few[Name] = ()
    stack: Amount = Chips(0)
    same_hand: Name = ""
    more_than: Few[Name] = ()
    level_with: Few[Name] = ()
    anyway: Said = ""


def put_out(state: State, wanted: PutOut, now: Instant, facts: Facts) -> Decision:
    entrant = known(state, wanted.player)
    if isinstance(entrant, Refusal):
        return entrant
    if fault := _fault(state, wanted):
        return fault
    hand = _hand_of(state, wanted.same_hand) if wanted.same_hand else ""
    if hand is None:
        return Refusal(reason=f"{wanted.same_hand} is not out by a hand.", rule="")
    went = [name for group in members(state, hand) for name in group] if hand else []
    ranked = state.book.tournament.simultaneous_bust_rank
    more_than, level_with = wanted.more_than, wanted.level_with
    if strange := [name for name in (*more_than, *level_with) if name not in went]:
        return Refusal(reason=f"{', '.join(strange)} did not go out in that hand.", rule=ranked.rule)
    if ranked.value is not BustRank.LARGER_START_STACK:
        more_than, level_with = (), tuple(went)
    together = hand or unused("hand-", len(state.field.together), state.field.together)
    out = OutByHand(
        wanted.player, together, wanted.by, wanted.stack, more_than, level_with, ranked.rule if went else ""
    )
    return (out, *decided_by(state, [_as_out(out)]), *called_up(state, now, [wanted.player]))


def _fault(state: State, wanted: PutOut) -> Refusal | None:
    if not state.by_hand:
        return Refusal(reason=NOT_BY_HAND, rule="")
    if state.started is None:
        return Refusal(reason="It has not started: take the player off the list, or give the entry back.", rule="")
    if state.finished is not None:
        return Refusal(reason=OVER, rule="")
    entrant = state.field.entrants[wanted.player]
    if entrant.status is not Status.PLAYING or entrant.unsold:
        return Refusal(reason=f"{wanted.player} does not play: {entrant.status.replace('_', ' ')}.", rule="")
    if state.field.playing < 2:
        return Refusal(reason=f"{wanted.player} is the only one left.", rule="")
    others = [name for name in wanted.by if name == wanted.player or not _was_in(state, name)]
    if others or len(set(wanted.by)) < len(wanted.by):
        return Refusal(reason=f"{', '.join(others or wanted.by)}: name others who play, each once.", rule="")
    at = state.seats.at.get(wanted.player)
    disputed = at is not None and any(dispute.table == at.table for dispute in state.disputes.values())
    if at is not None and disputed and not wanted.anyway:
        rule = state.book.tournament.clock_stops_for_disputes
        reason = f"Nobody is out while a dispute is open at table {at.table}."
        return Refusal(reason=reason, rule=rule.rule if rule is not None else "")
    return None


def _was_in(state: State, player: str) -> bool:
    """Whether the player may have won chips: who plays, or went out since."""
    entrant = state.field.entrants.get(player)
    return entrant is not None and entrant.status in (Status.PLAYING, Status.OUT)


def _as_out(event: OutByHand) -> Out:
    return Out(event.player, event.stack, event.by)


def _hand_of(state: State, player: str) -> str | None:
    """The hand in which the player went out by hand, where they are out by it."""
    return next(
        (hand for hand in state.field.together if any(player in one for one in members(state, hand))), None
    )


def members(state: State, together: str) -> list[list[str]]:
    """Who is out by this hand, best first; players of one group had as many chips."""

    def is_out(player: str) -> bool:
        entrant, bust = state.field.entrants.get(player), state.field.went.get(player)
        busted = entrant is not None and entrant.status is Status.OUT and entrant.why_out == BUSTED
        return busted and bust is not None and bust.bust == together

    groups = ([name for name in group if is_out(name)] for group in state.field.together.get(together, ()))
    return [group for group in groups if group]


# ------------------------------------------------------------------------------------------------ reducers


def _out(state: State, event: OutByHand, now: Instant) -> None:
    entrant = entrant_of(state, event.player, Status.PLAYING)
    if state.finished is not None or state.field.playing < 2:
        raise ConflictError(f"{event.player} cannot go out: nobody else is left")
    groups = members(state, event.together)
    others = [name for group in groups for name in group]
    spots = sorted({*spots_of(state, others), *_place_beside(state, others)})
    state.field.playing -= 1
    state.field.out += 1
    state.field.passed.clear()
    entrant.status, entrant.why_out = Status.OUT, BUSTED
    at = state.seats.at.pop(event.player, None)
    if at is not None:
        state.field.seats_of_gone[event.player] = at
        table = state.seats.tables[at.table]
        del table.players[at.seat]
        table.vacated.add(at.seat)
    state.field.went[event.player] = BustReported(
        event.together, at.table if at is not None else "", 0, (_as_out(event),), _level(state, now)
    )
    state.field.together[event.together] = _with(groups, event)
    _place(state, event, spots)
    for name in knockout_credit(event.by, state.book):
        state.field.knockouts[name] = state.field.knockouts.get(name, 0) + 1
    _chips_of_winner(state, event, now)
    finish_if_one_is_left(state, now)


def _place_beside(state: State, others: Collection[str]) -> tuple[int, ...]:
    """The place for one more who went out with `others`: the worst free one. Whoever went out behind that hand,
    and is on record already, was outlasted by nobody of it, and makes room."""
    free = free_places(state, 1)
    if not others or not free:
        return free
    best = min(spots_of(state, others))
    for entrant in state.field.entrants.values():
        if entrant.place is not None and free[0] < entrant.place < best:
            entrant.place -= 1
    return (max(best - 1, free[0]),)


def _with(groups: list[list[str]], event: OutByHand) -> list[list[str]]:
    """`groups` with the player where the stacks say: above who had fewer, else below everybody."""
    level = next((group for group in groups if set(group) & set(event.level_with)), None)
    if level is not None:
        return [[*group, event.player] if group is level else group for group in groups]
    above = next((no for no, group in enumerate(groups) if set(group) & set(event.more_than)), len(groups))
    return [*groups[:above], [event.player], *groups[above:]]


def _place(state: State, event: OutByHand, spots: list[int]) -> None:
    """The places of everybody who went out in that hand; level stacks share the best of theirs, and wait for a
    person, as does everybody of a hand of which the book does not say how they rank."""
    groups, rule = members(state, event.together), state.book.tournament.simultaneous_bust_rank.rule
    everybody = [name for group in groups for name in group]
    at = 0
    for group in groups:
        for name in group:
            state.field.entrants[name].place = spots[at]
        at += len(group)
    field = state.field
    field.undecided = [one for one in field.undecided if one.alone or not set(one.players) & set(everybody)]
    if len(everybody) > 1 and state.book.tournament_practice(rule):
        field.undecided.append(Undecided(everybody, rule, TOGETHER))
    else:
        field.undecided += [Undecided(list(group), rule, TOGETHER) for group in groups if len(group) > 1]


def _level(state: State, now: Instant) -> int:
    clock = state.clock
    return clock.playing_level(now.at).no if clock is not None and clock.mark.boot == now.boot else 0


def _chips_of_winner(state: State, event: OutByHand, now: Instant) -> None:
    """Who won them all has them, where both stacks are known."""
    counted = state.chips.by_hand
    counted.pop(event.player, None)
    if len(event.by) == 1 and event.stack and event.by[0] in counted:
        counted[event.by[0]] = (counted[event.by[0]][0] + event.stack, now)


COMMANDS: Mapping[type, Any] = {PutOut: put_out}
REDUCERS: Mapping[type, Any] = {OutByHand: _out}
