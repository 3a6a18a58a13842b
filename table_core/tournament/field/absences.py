"""Players who are away or never came: what that costs, and stacks that a person takes out of play."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from table_core.messages import Amount, Chips, Count, Frozen, Millis, Name, Refusal, Said, Text
from table_core.tournament.clock import MINUTE_MS
from table_core.tournament.decision import Decision
from table_core.tournament.events import Docked, Forfeited, Instant, Left, Returned, SuspensionLifted, elapsed_ms
from table_core.tournament.field.busts import finish_if_one_is_left, no_longer_pending
from table_core.tournament.field.finishing import OVER, free_places
from table_core.tournament.field.late_blinds import big_blinds_in_play, penalty_in_blinds
from table_core.tournament.field.lookup import entrant_of, known, more_than_in_play, never_came
from table_core.tournament.field.waiting_list import called_up
from table_core.tournament.policies import LevelBegins
from table_core.tournament.state import Entrant, Facts, State, Status, Undecided, level_in_play


class Leave(Frozen, frozen=True):
    """The player is away from the table. `mark`: the dealer's key that said so. `notified`: the player said so
    before, with `minutes` for how long."""

    player: Name
    notified: bool = False
    mark: Name = ""
    minutes: Count | None = None


class Return(Frozen, frozen=True):
    """The player is back. `mark`: the dealer's key that said so. `big_blind`: which one the penalty of a late
    player is counted in, where two are in play."""

    player: Name
    mark: Name = ""
    big_blind: Amount | None = None


class LiftSuspension(Frozen, frozen=True):
    """The player is not suspended for the next date after all: it had been announced. Nothing else changes."""

    player: Name
    why: Said


class Forfeit(Frozen, frozen=True):
    """The director takes a stack out of play and its player out of the event. Who is away keeps it until the time
    of the book has run out, unless `anyway` says why not."""

    player: Name
    chips: Amount
    why: Said
    rule: Name = ""
    disqualified: bool = False
    anyway: Said = ""


def leave(state: State, wanted: Leave, now: Instant, facts: Facts) -> Decision:
    entrant = known(state, wanted.player)
    if isinstance(entrant, Refusal):
        return entrant
    if entrant.status is Status.BUSTED:
        return Refusal(reason=f"{wanted.player} is out of chips: decide the bust first.", rule="")
    if not entrant.in_play or entrant.away is not None:
        return Refusal(reason=f"{wanted.player} is not at a table.", rule="")
    return (Left(wanted.player, wanted.notified or bool(wanted.minutes), wanted.mark, wanted.minutes),)


def come_back(state: State, wanted: Return, now: Instant, facts: Facts) -> Decision:
    entrant = known(state, wanted.player)
    if isinstance(entrant, Refusal):
        return entrant
    if entrant.status is Status.OUT:
        return Refusal(reason=f"{wanted.player} is out of the event: {entrant.why_out}.", rule="")
    if entrant.away is None:
        return Refusal(reason=f"{wanted.player} was not away.", rule="")
    docked = _late_penalty(state, entrant, now, facts, wanted)
    return docked if isinstance(docked, Refusal) else (Returned(wanted.player, wanted.mark), *docked)


def _late_penalty(
    state: State, entrant: Entrant, now: Instant, facts: Facts, wanted: Return
) -> tuple[Docked, ...] | Refusal:
    """What who paid, told to come late and is here now loses, where the blinds were posted meanwhile
    (home.procedures.2); who pays on arrival loses it of the entry. A dealer's key is a report: where two big
    blinds are in play it counts by the hand at the player's own table."""
    late = entrant.lateness_announced and never_came(state, entrant) and entrant.status is Status.PLAYING
    if not late or not state.book.cites.late_player:
        return ()
    at = state.seats.at.get(entrant.player)
    table, named = at.table if at is not None else "", wanted.big_blind
    if named is None and wanted.mark:
        named = next(iter(big_blinds_in_play(state, now, facts, table)), None)
    found = penalty_in_blinds(state, now, facts, named, table)
    if found is None or isinstance(found, Refusal):
        return found or ()
    return (Docked(entrant.player, Chips(found[0]), "late", found[1]),) if found[0] else ()


class Absence(Frozen, frozen=True):
    """A stack that a person may take out of play now, or that ends at `left_ms` from now."""

    player: Name
    left_ms: Millis
    rule: Name
    why: Text
    suspended: bool = False
    clock_left_ms: Millis | None = None  # by the tournament's clock, where that stood meanwhile


def absences(state: State, now: Instant, facts: Facts) -> tuple[Absence, ...]:
    """Everybody whose absence has a limit, the most urgent first. `left_ms` 0: a person may remove them."""
    book = state.book.tournament
    longer = book.absence_longer_than_limit
    found: list[Absence] = []
    for entrant in state.field.entrants.values():
        if entrant.status is not Status.PLAYING or entrant.away is None:
            continue
        if entrant.unsold and book.unsold_stacks is not None:
            found.append(Absence(entrant.player, Millis(0), book.unsold_stacks.rule, "nobody has bought it"))
            continue
        no_show = _is_no_show(state, entrant)
        rule = _limit(state, no_show=no_show)
        if not rule or _told(state, entrant):
            continue
        left = _left_ms(state, entrant, now, no_show=no_show)
        if not no_show and longer is not None and longer.value:
            left += 1  # not yet in the instant in which the time is over
        if no_show and _second_level(state, now, facts):  # or after so long, whichever is first
            left = 0
        barred = no_show and book.no_show_suspended is not None and book.no_show_suspended.value
        why = "has not come" if never_came(state, entrant) else "has not come back"
        by_clock = _left_by_clock(state, entrant, now) if not no_show else None
        found.append(Absence(entrant.player, Millis(max(0, left)), rule, why, barred, by_clock))
    return tuple(sorted(found, key=lambda absence: absence.left_ms))


def _limit(state: State, *, no_show: bool) -> str:
    """The rule that limits an absence; none where no book does."""
    book = state.book.tournament
    if not no_show:
        return book.absence_forfeit_minutes.rule if book.absence_forfeit_minutes is not None else ""
    found = book.no_show_removed_after_minutes or book.no_show_level_begins
    return found.rule if found is not None else ""


def _is_no_show(state: State, entrant: Entrant) -> bool:
    """Whether the book has a rule of its own for who was not there at the start. Where it has none, whoever is
    away from the table is away, from the start on (wfp.procedures.32)."""
    book = state.book.tournament
    own = book.no_show_removed_after_minutes is not None or book.no_show_level_begins is not None
    return own and never_came(state, entrant)


def _left_ms(state: State, entrant: Entrant, now: Instant, *, no_show: bool) -> int:
    """Until the minutes of the book are over. A no-show whom only level 2 ends has as long as the clock says, and
    a second at least while no hand of it has begun."""
    book = state.book.tournament
    limit = book.no_show_removed_after_minutes if no_show else book.absence_forfeit_minutes
    if limit is None:
        clock = state.clock
        first = clock is not None and clock.mark.boot == now.boot and clock.playing_level(now.at).no < 2
        return max(1_000, clock.read(now.at).left_ms) if clock is not None and first else 1_000
    since = entrant.away or now
    if state.started is not None and never_came(state, entrant):
        since = state.started
    return max(limit.value, entrant.away_minutes or 0) * MINUTE_MS - elapsed_ms(since, now)


def _left_by_clock(state: State, entrant: Entrant, now: Instant) -> Millis | None:
    """What would be left if the minutes stood still with the clock, which the books do not say; None where the
    clock has not stood."""
    limit, clock, since = state.book.tournament.absence_forfeit_minutes, state.clock, entrant.away
    if limit is None or clock is None or since is None or entrant.away_clock_ms is None:
        return None
    if clock.mark.boot != now.boot:
        return None
    minutes = max(limit.value, entrant.away_minutes or 0)
    left = minutes * MINUTE_MS - (clock.passed(now.at) - entrant.away_clock_ms)
    stood = left - (minutes * MINUTE_MS - elapsed_ms(since, now))
    return Millis(max(0, left)) if stood >= 1_000 else None


def _told(state: State, entrant: Entrant) -> bool:
    """Whether the stack stays: the player told so and not for how long, or announced to come late."""
    without_end = entrant.notified and entrant.away_minutes is None
    return without_end or (entrant.lateness_announced and never_came(state, entrant))


def _second_level(state: State, now: Instant, facts: Facts) -> bool:
    """Whether level 2 has begun: by the clock (rpl.tournaments.4), or with its first hand (ccp.late.6)."""
    begins, level = state.book.tournament.no_show_level_begins, level_in_play(facts)
    by_hands = begins is None or begins.value is not LevelBegins.CLOCK
    if state.clock is None or (by_hands and level):  # where no table reports hands, by the clock
        return level >= 2
    return state.clock.mark.boot == now.boot and state.clock.playing_level(now.at).no >= 2


def forfeit(state: State, wanted: Forfeit, now: Instant, facts: Facts) -> Decision:
    entrant = known(state, wanted.player)
    if isinstance(entrant, Refusal):
        return entrant
    if not entrant.in_play:
        return Refusal(reason=f"{wanted.player} is not in the event: {entrant.status}.", rule="")
    if state.finished is not None:
        return Refusal(reason=OVER, rule="")
    if wanted.chips and (too_many := more_than_in_play(state, wanted.chips)) is not None:
        return too_many
    due = next((absence for absence in absences(state, now, facts) if absence.player == wanted.player), None)
    if not (wanted.rule or wanted.disqualified or wanted.anyway):
        early = _too_early(state, entrant, due)
        if early is not None:
            return early
    rule = wanted.rule or (due.rule if due is not None else "")
    leave_play = state.book.tournament.disqualified_chips_leave
    if wanted.disqualified and leave_play is not None:
        if stay := disqualified_stays(state, wanted.anyway):
            return stay
        rule = wanted.rule or leave_play.rule
    barred = due is not None and due.suspended and not due.left_ms
    table, hand = where_played(state, wanted.player, facts)
    chips = wanted.chips or _not_counted(state, entrant)
    taken = Forfeited(wanted.player, chips, rule, wanted.why, barred, wanted.disqualified, table, hand)
    return (taken, *called_up(state, now, [wanted.player]))


def _not_counted(state: State, entrant: Entrant) -> Chips:
    """What leaves play by hand where nobody said how much: the last count of the stack, else what the player was
    given."""
    counted = state.chips.by_hand.get(entrant.player)
    chips = 0 if not state.by_hand else counted[0] if counted is not None else entrant.chips - entrant.removed
    return Chips(max(0, chips))


def where_played(state: State, player: str, facts: Facts) -> tuple[str, int]:
    """The player's table and the hand that is played there."""
    at = state.seats.at.get(player)
    fact = facts.get(at.table) if at is not None else None
    return (fact.table, fact.hand) if fact is not None and fact.in_hand else ("", 0)


def lift_suspension(state: State, wanted: LiftSuspension, now: Instant, facts: Facts) -> Decision:
    entrant = known(state, wanted.player)
    if isinstance(entrant, Refusal):
        return entrant
    if not entrant.suspended:
        return Refusal(reason=f"{wanted.player} is not suspended by this event.", rule="")
    rule = state.book.tournament.no_show_suspended
    return (SuspensionLifted(wanted.player, wanted.why, rule.rule if rule is not None else ""),)


def disqualified_stays(state: State, anyway: str) -> Refusal | None:
    """Why a disqualified player's stack is not taken: the house has it stay and post its blinds."""
    rule = state.book.tournament.disqualified_chips_leave
    if rule is None or rule.value or anyway:
        return None
    reason = "The chips of a disqualified player stay in play: send the player away, and they post their blinds."
    return Refusal(reason=reason, rule=rule.rule)


def _too_early(state: State, entrant: Entrant, due: Absence | None) -> Refusal | None:
    """Why the stack of a player who is away stays in play."""
    rule = _limit(state, no_show=_is_no_show(state, entrant))
    if entrant.away is None or entrant.unsold:
        return None
    if not rule:  # cpp.absent.1, rpl.tournaments.6: dealt in, however long it takes
        reason = f"No absence costs {entrant.player} the stack: it stays and posts its blinds."
        return Refusal(reason=reason, rule="")
    if due is None and _told(state, entrant):
        return Refusal(reason=f"{entrant.player} told before that it takes longer.", rule=rule)
    if due is not None and due.left_ms:
        minutes, seconds = divmod(max(1, due.left_ms // 1_000), 60)
        return Refusal(reason=f"{entrant.player} may be away for {minutes}:{seconds:02} more.", rule=due.rule)
    return None


# ------------------------------------------------------------------------------------------------ reducers


def _left(state: State, event: Left, now: Instant) -> None:
    entrant = entrant_of(state, event.player, Status.PLAYING)
    entrant.away, entrant.notified, entrant.away_minutes = now, event.notified, event.minutes
    known = state.clock is not None and state.clock.mark.boot == now.boot
    entrant.away_clock_ms = state.clock.passed(now.at) if state.clock is not None and known else None
    if event.notified and state.started is None:  # blinds and penalties are those of who announces to come late
        entrant.lateness_announced = True


def _returned(state: State, event: Returned, now: Instant) -> None:
    entrant = entrant_of(state, event.player)
    entrant.away, entrant.notified, entrant.away_minutes, entrant.lateness_announced = None, False, None, False


def _forfeited(state: State, event: Forfeited, now: Instant) -> None:
    """Also of a player whose bust is pending, or who is on the way to another table."""
    entrant = entrant_of(state, event.player, Status.PLAYING, Status.BUSTED)
    if entrant.unsold:
        entrant.status = Status.CANCELLED
        entrant.removed += event.chips
        seat = state.seats.at.pop(event.player)
        del state.seats.tables[seat.table].players[seat.seat]
        return
    if entrant.status is Status.BUSTED:
        bust = next(id_ for id_, one in state.field.busts.items() if event.player in {o.player for o in one.out})
        no_longer_pending(state, bust, event.player)
    entrant.removed += event.chips
    pending = sum(len(bust.out) for bust in state.field.busts.values())
    entrant.place = next(iter(free_places(state, 1, pending)), None)
    entrant.status = Status.OUT
    entrant.why_out = event.why
    entrant.suspended = event.suspended
    if event.disqualified:
        why = "disqualified: the book does not say which place that is"
        one = Undecided([event.player], event.rule, why, event.table, event.hand, alone=True)
        state.field.undecided.append(one)
    state.field.playing -= 1
    state.field.out += 1
    state.field.passed.clear()
    for name, move in list(state.seats.moves.items()):
        if move.ordered.player == event.player:
            del state.seats.moves[name]
            state.seats.tables[move.ordered.to.table].reserved.pop(move.ordered.to.seat, None)
    at = state.seats.at.pop(event.player, None)
    if at is not None:
        del state.seats.tables[at.table].players[at.seat]
        state.seats.tables[at.table].vacated.add(at.seat)
    finish_if_one_is_left(state, now)


def _lifted(state: State, event: SuspensionLifted, now: Instant) -> None:
    entrant_of(state, event.player).suspended = False


COMMANDS: Mapping[type, Any] = {
    LiftSuspension: lift_suspension,
    Leave: leave,
    Return: come_back,
    Forfeit: forfeit,
}
REDUCERS: Mapping[type, Any] = {
    SuspensionLifted: _lifted,
    Left: _left,
    Returned: _returned,
    Forfeited: _forfeited,
}
