"""Players who lost their last chips: reported by a table, pending while a rebuy or a dispute is open, then final.

Several of one hand rank by their stacks at its start; hand for hand so do those of different tables.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from table_core.messages import Amount, Chips, Few, Frozen, Name, Number, Refusal, Said
from table_core.tournament.decision import ConflictError, Decision, refused
from table_core.tournament.events import (
    BustConfirmed,
    BustDropped,
    BustReported,
    Instant,
    MoveWithdrawn,
    Out,
    TournamentEvent,
)
from table_core.tournament.field.eliminations import Bust, knockout_credit, rank_busts
from table_core.tournament.field.finishing import OVER, free_places, places_of, undecided_groups
from table_core.tournament.field.lookup import stack_of, who_waits
from table_core.tournament.field.waiting_list import called_up
from table_core.tournament.money.bounties import decided_by
from table_core.tournament.money.prizes import seats_won
from table_core.tournament.state import Facts, MoveStage, State, Status, Undecided, level_in_play

BUSTED = "busted"  # why such a player is out
TOGETHER = "the book does not say how they rank"


class ReportBust(Frozen, frozen=True):
    """A table's hand took the last chips of these players."""

    table: Name
    hand: Number
    out: Few[Out]


class ConfirmBust(Frozen, frozen=True):
    """The pending players of these reports are out. Several reports at once: one round of hand for hand."""

    busts: Few[Name]
    anyway: Said = ""


class DropBust(Frozen, frozen=True):
    """The player is in after all. `chips`: what the player has, where the table gave it to others, as of a pot
    that was to be split; `giver`: out of whose stack, unless given the first who won the player's chips.
    `instead`: another one went out in that hand and gets the place. Where a result stands with the next first
    riffle it is too late then, unless the table called the floor before, or `anyway` says why not."""

    bust: Name
    player: Name
    why: Said
    anyway: Said = ""
    chips: Amount = Chips(0)
    giver: Name = ""
    instead: bool = False


def report_bust(state: State, wanted: ReportBust, now: Instant, facts: Facts) -> Decision:
    if wanted.table not in state.seats.tables:
        return Refusal(reason=f"There is no table {wanted.table}.", rule="")
    id_ = f"{wanted.table}-{wanted.hand}"
    if id_ in state.field.busts:
        return ()
    playing = tuple(_by_stack(state, out, facts) for out in wanted.out if _plays(state, out.player))
    if not playing:
        return ()
    if state.finished is not None:
        return Refusal(reason=OVER, rule="")
    names = {out.player for out in playing}
    if len(names) < len(playing):
        return Refusal(reason="Name each player once.", rule="")
    moves = [
        MoveWithdrawn(name, "out of chips", move.ordered.player)
        for name, move in state.seats.moves.items()
        if move.ordered.player in names and move.stage is MoveStage.CONFIRMED
    ]
    return (*moves, BustReported(id_, wanted.table, wanted.hand, playing, level_in_play(facts)))


def _by_stack(state: State, out: Out, facts: Facts) -> Out:
    """The winners with the largest stack first: where the book names one, that is who knocked the player out."""
    by = sorted(out.by, key=lambda name: -(stack_of(state, name, facts) or 0))
    return Out(out.player, out.start_stack, tuple(by))


def _plays(state: State, player: str) -> bool:
    entrant = state.field.entrants.get(player)
    return entrant is not None and entrant.status is Status.PLAYING and not entrant.unsold


def confirm_bust(state: State, wanted: ConfirmBust, now: Instant, facts: Facts) -> Decision:
    """Places in reverse order of elimination: an earlier report is decided first."""
    pending = state.field.busts
    unknown = [id_ for id_ in wanted.busts if id_ not in pending]
    owing = [one for one in state.field.entrants.values() if one.owes is not None]
    bound = next((one.player for one in owing if one.announced_after in unknown), None)
    if bound is not None:
        reason = f"{bound} announced a rebuy before the cards were dealt and has to make it."
        return refused(state.book, "rebuy_announced_binds", reason)
    if unknown or not wanted.busts:
        return Refusal(reason="That bust is not pending.", rule="")
    if len(set(wanted.busts)) < len(wanted.busts):
        return Refusal(reason="Name each bust once.", rule="")
    earlier = list(pending)[: len(wanted.busts)]
    if set(earlier) != set(wanted.busts):
        first = [id_ for id_ in earlier if id_ not in wanted.busts]
        reason = f"Decide the earlier bust first: {who_waits(state, first)}."
        return Refusal(reason=reason, rule="")
    tables = {pending[id_].table for id_ in wanted.busts}
    disputed = next((dispute.table for dispute in state.disputes.values() if dispute.table in tables), None)
    if disputed is not None and not wanted.anyway:
        return Refusal(reason=f"Nobody is out while a dispute is open at table {disputed}.", rule="")
    begins = next((pending[id_].table for id_ in wanted.busts if _may_go_on(pending[id_], facts)), None)
    if begins is not None:
        reason = f"NEW HAND at table {begins} can be taken back until its first card is out or somebody acts."
        return Refusal(reason=f"The hand may go on: {reason}", rule="")
    waits = _same_round(state, wanted, facts)
    if waits and not wanted.anyway:
        return Refusal(reason=waits, rule=state.book.tournament.simultaneous_bust_rank.rule)
    busts = [Bust(out.player, out.start_stack) for id_ in wanted.busts for out in pending[id_].out]
    later = sum(len(bust.out) for id_, bust in pending.items() if id_ not in wanted.busts)
    ranked = rank_busts(busts, state.field.playing + later, state.book)
    players = tuple(player for position in ranked for player in position.players)
    places = places_of(state, ranked, state.field.playing + later)
    rule = state.book.tournament.simultaneous_bust_rank.rule
    outs = [out for id_ in wanted.busts for out in pending[id_].out]
    return (
        BustConfirmed(tuple(wanted.busts), players, places, rule, undecided_groups(state, ranked, outs)),
        *decided_by(state, outs),
        *called_up(state, now, players),
    )


def _same_round(state: State, wanted: ConfirmBust, facts: Facts) -> str:
    """Hand for hand, players of all tables who go out in one round rank together: why a confirmation has to wait
    for the others; empty where it has not."""
    if state.hand_for_hand is None:
        return ""
    others = [id_ for id_ in state.field.busts if id_ not in wanted.busts]
    if others:
        return f"One round of hand for hand: confirm them together, {who_waits(state, state.field.busts)}."
    playing = [table.plan.table for table in state.seats.open_tables() if _in_hand(facts, table.plan.table)]
    return f"One round of hand for hand: table {', '.join(playing)} is in its hand." if playing else ""


def _may_go_on(bust: BustReported, facts: Facts) -> bool:
    """Whether the hand of the bust is over only if the deal behind it stands."""
    fact = facts.get(bust.table)
    return fact is not None and fact.begins and fact.hand == bust.hand + 1


def _in_hand(facts: Facts, table: str) -> bool:
    return table in facts and facts[table].in_hand


def out_all_the_same(
    state: State, confirmed: BustConfirmed, player: str, now: Instant
) -> tuple[TournamentEvent, ...]:
    """What `confirmed` says of the others, where it has been taken back for `player`: they keep their places,
    which follow where the player turns out to be in."""
    places = {
        name: place for name, place in zip(confirmed.players, confirmed.places, strict=True) if name != player
    }
    outs = [out for id_ in confirmed.busts for out in state.field.busts[id_].out if out.player in places]
    if not outs:
        return ()
    ids = [id_ for id_ in confirmed.busts if any(out in outs for out in state.field.busts[id_].out)]
    open_ = [tuple(name for name in group if name != player) for group in confirmed.undecided]
    undecided = tuple(group for group in open_ if len(group) > 1)
    again = BustConfirmed(tuple(ids), tuple(places), tuple(places.values()), confirmed.rule, undecided)
    return (again, *decided_by(state, outs), *called_up(state, now, list(places)))


def drop_bust(state: State, wanted: DropBust, now: Instant, facts: Facts) -> Decision:
    bust = state.field.busts.get(wanted.bust)
    if bust is None or all(out.player != wanted.player for out in bust.out):
        return Refusal(reason=f"{wanted.player} is not pending there.", rule="")
    late = result_stands(state, bust, facts)
    if late is not None and not wanted.anyway:
        return late
    giver = _giver(state, wanted, bust, facts) if wanted.chips else ""
    if isinstance(giver, Refusal):
        return giver
    why = wanted.why if late is None else wanted.anyway
    rule = late.rule if late is not None else ""
    return (BustDropped(wanted.bust, wanted.player, why, rule, wanted.chips, giver, wanted.instead),)


def _giver(state: State, wanted: DropBust, bust: BustReported, facts: Facts) -> str | Refusal:
    """Out of whose stack the chips come back."""
    won = next((name for out in bust.out if out.player == wanted.player for name in out.by), "")
    giver = wanted.giver or won
    entrant = state.field.entrants.get(giver)
    if entrant is None or entrant.status is not Status.PLAYING:
        return Refusal(reason=f"Say out of whose stack {wanted.player} gets {wanted.chips:,}.", rule="")
    have = stack_of(state, giver, facts)
    if have is not None and have < wanted.chips:
        return Refusal(reason=f"{giver} has {have:,}: say who gives {wanted.chips:,}.", rule="")
    return giver


def result_stands(state: State, bust: BustReported, facts: Facts) -> Refusal | None:
    """Why the result of the bust's hand stands: the table has begun another one, and nobody had asked before."""
    stands = state.book.tournament.result_stands_from_next_riffle
    dealt = bust.table in facts and facts[bust.table].hand > bust.hand
    asked = any(one.table == bust.table and one.hand <= bust.hand for one in state.disputes.values())
    if stands is None or not stands.value or not dealt or asked:
        return None
    reason = f"The result of hand {bust.hand} stands: the next hand has begun at table {bust.table}."
    return Refusal(reason=reason, rule=stands.rule)


# ------------------------------------------------------------------------------------------------ reducers


def _reported(state: State, event: BustReported, now: Instant) -> None:
    for out in event.out:
        entrant = state.field.entrants.get(out.player)
        if entrant is None or entrant.status is not Status.PLAYING:
            raise ConflictError(f"{out.player} does not play")
        entrant.status = Status.BUSTED
        state.field.playing -= 1
    # Of the same hand somebody may be pending again, whose confirmation was taken back.
    pending = state.field.busts.get(event.bust)
    state.field.busts[event.bust] = event if pending is None else replace(event, out=(*pending.out, *event.out))


def _confirmed(state: State, event: BustConfirmed, now: Instant) -> None:
    missing = [id_ for id_ in event.busts if id_ not in state.field.busts]
    pending = {out.player: id_ for id_ in event.busts if not missing for out in state.field.busts[id_].out}
    if not set(event.players) <= set(pending) or set(event.busts) - {pending[name] for name in event.players}:
        raise ConflictError(f"bust {', '.join(event.busts)} is not of these players")
    for player, place in zip(event.players, event.places, strict=True):
        entrant = state.field.entrants[player]
        entrant.status, entrant.place, entrant.why_out = Status.OUT, place, BUSTED
        state.field.went[player] = state.field.busts[pending[player]]
        at = state.seats.at.pop(player, None)
        if at is not None:
            state.field.seats_of_gone[player] = at
            table = state.seats.tables[at.table]
            del table.players[at.seat]
            table.vacated.add(at.seat)
    state.field.out += len(event.players)
    state.field.passed.clear()
    _leave_open(state, event)
    for id_ in event.busts:
        bust = state.field.busts.pop(id_)
        rest = tuple(out for out in bust.out if out.player not in event.players)
        if rest:
            state.field.busts[id_] = replace(bust, out=rest)
        for out in bust.out:
            for name in knockout_credit(out.by, state.book) if out not in rest else ():
                state.field.knockouts[name] = state.field.knockouts.get(name, 0) + 1
    finish_if_one_is_left(state, now)


def _leave_open(state: State, event: BustConfirmed) -> None:
    """Places that wait for a person. Who was disqualified in the same hand is decided together with its busts."""
    hands = {(state.field.busts[id_].table, state.field.busts[id_].hand) for id_ in event.busts}
    groups = [Undecided(list(players), event.rule, TOGETHER) for players in event.undecided]
    for one in [one for one in state.field.undecided if one.alone and (one.table, one.hand) in hands]:
        state.field.undecided.remove(one)
        groups = [Undecided([*event.players, *one.players], one.rule, f"{one.why}, in the same hand")]
    state.field.undecided += groups


def went_in(state: State, player: str, table: str, hand: int | None) -> bool:
    """Whether the player is out by a bust of this hand at this table."""
    entrant, bust = state.field.entrants[player], state.field.went.get(player)
    busted = entrant.status is Status.OUT and entrant.why_out == BUSTED
    return busted and bust is not None and (bust.table, bust.hand) == (table, hand)


def finish_if_one_is_left(state: State, now: Instant) -> None:
    """The last player is the winner, until somebody enters again; of a satellite those who win an entry are the
    last ones, and share the first place."""
    last = max(1, seats_won(state))
    if state.started is None or not 0 < state.field.playing <= last or state.field.busts:
        return
    state.finished = now
    for one in state.field.entrants.values():
        if one.status is Status.PLAYING and not one.unsold:
            one.place = 1


def _dropped(state: State, event: BustDropped, now: Instant) -> None:
    waiting = [out.player for bust in state.field.busts.values() for out in bust.out]
    kept = free_places(state, 1, waiting.index(event.player)) if event.player in waiting else ()
    no_longer_pending(state, event.bust, event.player)
    for other in state.field.entrants.values():  # who went out later was outlasted by one more
        if (
            kept
            and not event.instead
            and other.status is Status.OUT
            and other.place is not None
            and other.place < kept[0]
        ):
            other.place += 1


def no_longer_pending(state: State, id_: str, player: str) -> None:
    """The player of a pending bust plays. Raise `ConflictError`."""
    bust = state.field.busts.get(id_)
    if bust is None:
        raise ConflictError(f"bust {id_} is not pending")
    rest = tuple(out for out in bust.out if out.player != player)
    if len(rest) == len(bust.out):
        raise ConflictError(f"{player} is not pending")
    if rest:
        state.field.busts[id_] = replace(bust, out=rest)
    else:
        del state.field.busts[id_]
    state.field.entrants[player].status = Status.PLAYING
    state.field.playing += 1


COMMANDS: Mapping[type, Any] = {ReportBust: report_bust, ConfirmBust: confirm_bust, DropBust: drop_bust}
REDUCERS: Mapping[type, Any] = {
    BustReported: _reported,
    BustConfirmed: _confirmed,
    BustDropped: _dropped,
}
