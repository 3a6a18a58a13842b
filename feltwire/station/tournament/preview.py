"""What a command would do, in sentences, before it is done: how the tournament differs with it, or without what it
takes back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from feltwire.station.tournament.words import named, words
from table_core.messages import Frozen, Level, Name, Refusal
from table_core.reference import sentence
from table_core.tournament.chips.colour_up import ColourUp
from table_core.tournament.clock import TournamentClock
from table_core.tournament.decision import Decision
from table_core.tournament.events import (
    ColouredUp,
    Instant,
    MoveLeft,
    MoveSeated,
    StackCounted,
    TimeOutCarried,
    Undone,
)
from table_core.tournament.money.league import too_few_for_points
from table_core.tournament.money.prizes import owed, payouts
from table_core.tournament.night import Night, Redo, Replace, Undo
from table_core.tournament.policies import Tournament
from table_core.tournament.seats.apart import unkept
from table_core.tournament.state import Entrant, Facts, State, Status

Counts = Sequence[tuple[int, StackCounted]]

_REPORTED = (MoveLeft, MoveSeated, TimeOutCarried)  # by tables, of moves: the sentences say what becomes of them
_DEAL = "The deal holds, of the money alone: places and points are played for."
_STATUS = {Status.BUSTED: "out of chips", Status.LOCKED_OUT: "locked out"}


class Preview(Frozen, frozen=True):
    """What the command `wanted` with these arguments would do; nothing is done."""

    wanted: Name
    arguments: dict[str, Any] = msgspec.field(default_factory=dict)


class Foreseen(Frozen, frozen=True):
    """A `Preview` that was read."""

    command: Any


def preview(night: Night, command: Any, now: Instant, facts: Facts, names: Mapping[str, str]) -> str | Refusal:
    """A sentence a line; the refusal that the command itself would get."""
    after = night.foreseen(command, now, facts)
    if isinstance(after, Refusal):
        return after
    said = [*dict.fromkeys(_sentences(night.state, after, names, now, facts))]
    if not isinstance(command, Undo | Redo | Replace):
        whom = named(getattr(command, "player", ""), names)
        if isinstance(command, ColourUp):
            said = [*_new_chips(command, night.decided(command, now, facts)), *said]
        said.sort(key=lambda sentence: not (whom and sentence.startswith(whom)))  # of the player first
        return "\n".join(said) or "Nothing else changes."
    again = isinstance(command, Redo)
    group = night.taken_back(command.record) if again else night.group(command.record)
    done = [record for record in night.records if record.no in group and not isinstance(record.event, _REPORTED)]
    which = "; ".join(words(record.event, names) for record in done)
    if isinstance(command, Undo) and command.player:
        which = f"{named(command.player, names)} is out"
    by = done[0].by or "the station"
    if isinstance(command, Replace):
        said = [*_instead(night.decided(command, now, facts), names), *said]
    return "\n".join([f"{'Done again' if again else 'Taken back'}: {which}. By {by}.", *said])


def _instead(decided: Decision, names: Mapping[str, str]) -> Iterator[str]:
    if not isinstance(decided, Refusal):
        yield f"Instead: {'; '.join(words(event, names) for event in decided if not isinstance(event, Undone))}."


def _sentences(before: State, after: State, names: Mapping[str, str], now: Instant, facts: Facts) -> Iterator[str]:
    yield from _rules(before, after)
    yield from _event(before, after)
    for player, entrant in before.field.entrants.items():
        later = after.field.entrants.get(player)
        if later is None:
            yield f"{named(player, names)} is not on the list any more."
            yield from _seat(before, after, player, named(player, names))
        else:
            yield from _player(before, after, entrant, later, named(player, names))
    yield from _after_hands(before, after, facts)
    yield from _seats(before, after, names)
    yield from _money(before, after, names)
    yield from _penalties(before, after, names)
    yield from _chips(before, after, names, facts)
    yield from _clock(before, after, now)


def _event(before: State, after: State) -> Iterator[str]:
    if before.opened and before.by_hand != after.by_hand:
        yield (
            "It is played by hand: nothing that a table reports counts, and nobody is asked to count."
            if after.by_hand
            else "The tables report it: each begins with the stacks that were counted."
        )
    for name in ("opened", "started", "finished", "cancelled"):
        if bool(getattr(before, name)) != bool(getattr(after, name)):
            yield f"The event is {'' if getattr(after, name) else 'not '}{name}."
    if before.opened and after.opened and bool(too_few_for_points(before)) != bool(too_few_for_points(after)):
        yield f"{too_few_for_points(after) or 'Enough are in: points are given'}."


def _rules(before: State, after: State) -> Iterator[str]:
    """What another book, or other settings, say of a tournament."""
    if before.book == after.book or not before.opened:
        return
    if before.book.id != after.book.id:
        yield f"Rulebook {after.book.id}, not {before.book.id}."
    if any(one.entries for one in after.field.entrants.values()):
        yield "Who has entered keeps the chips and the price of the entry."
    for name in Tournament.__struct_fields__:
        was, is_ = getattr(before.book.tournament, name), getattr(after.book.tournament, name)
        if is_ is not None and (was is None or was.value != is_.value):
            yield sentence(name, is_.value)
        elif was is not None and is_ is None:
            yield f"No longer: {sentence(name, was.value)}"


def _player(before: State, after: State, now: Entrant, later: Entrant, name: str) -> Iterator[str]:
    if now.status is not later.status:
        yield f"{name} is {_STATUS.get(later.status, later.status)}, not {_STATUS.get(now.status, now.status)}."
    if now.place != later.place:
        yield f"{name} has " + ("no place." if later.place is None else f"place {later.place}.")
    yield from _seat(before, after, now.player, name)
    if now.status is Status.OUT and later.status is not Status.OUT and now.player not in after.seats.at:
        yield f"The seat of {name} is taken: another one is to be given."
    if now.paid != later.paid:
        gone = now.paid - later.paid
        yield f"{name} is paid back {_money_of(gone)}." if gone > 0 else f"{name} pays {_money_of(-gone)}."
    if now.owes != later.owes:
        yield f"{name} owes {_money_of(later.owes)}." if later.owes is not None else f"{name} owes nothing."
    chips = (later.chips - later.removed) - (now.chips - now.removed)
    if chips:
        yield f"{name} has {abs(chips):,} chips {'more' if chips > 0 else 'less'}."
    counted, known = before.chips.by_hand.get(now.player), after.chips.by_hand.get(now.player)
    if known is not None and (counted is None or counted[0] != known[0]):
        yield f"{name} has {known[0]:,} then."
    if (now.away is None) != (later.away is None):
        yield f"{name} is {'back' if later.away is None else 'away'}."


def _seat(before: State, after: State, player: str, name: str) -> Iterator[str]:
    start, to = before.seats.at.get(player), after.seats.at.get(player)
    if start != to:
        yield f"{name} has no seat." if to is None else f"{name} goes to {to}{f' from {start}' if start else ''}."


def _after_hands(before: State, after: State, facts: Facts) -> Iterator[str]:
    """The tables whose players get up for it, and which are in a hand."""
    goes = (at.table for player, at in before.seats.at.items() if after.seats.at.get(player) != at)
    for table in sorted({name for name in goes if name in facts and facts[name].in_hand}):
        yield f"Table {table} is in a hand: nobody gets up there before it is over."


def _seats(before: State, after: State, names: Mapping[str, str]) -> Iterator[str]:
    for id_, move in before.seats.moves.items():
        if id_ not in after.seats.moves:
            yield f"The move of {named(move.ordered.player, names)} to {move.ordered.to} ends."
    for id_, move in after.seats.moves.items():
        if id_ not in before.seats.moves:
            yield f"{named(move.ordered.player, names)} is to move to {move.ordered.to}."
    for name, table in before.seats.tables.items():
        later = after.seats.tables.get(name)
        if later is None or table.open != later.open:
            yield f"Table {name} is {'open' if later is not None and later.open else 'closed'}."
        elif table.button != later.button:
            yield f"Table {name}: " + (f"the button is at seat {later.button}." if later.button else "no button.")
    yield from _together(before, after, names)
    left = unkept(after) - unkept(before) if not after.seats.drawn else ()
    for together in sorted(sorted(pair) for pair in left):
        who = " and ".join(named(one, names) for one in together)
        yield f"{who} cannot be kept apart: there are too few tables."
    if before.seats.apart != after.seats.apart:
        for pair in before.seats.apart ^ after.seats.apart:
            who = " and ".join(named(one, names) for one in sorted(pair))
            yield f"{who} are {'' if pair in after.seats.apart else 'not '}kept apart."
    for bust in after.field.busts.keys() - before.field.busts.keys():
        out = " and ".join(named(one.player, names) for one in after.field.busts[bust].out)
        yield f"{out}: out of chips, waits to be decided again."
    for bust in before.field.busts.keys() - after.field.busts.keys():
        out = " and ".join(named(one.player, names) for one in before.field.busts[bust].out)
        yield f"{out}: nothing is to be decided any more."


def _together(before: State, after: State, names: Mapping[str, str]) -> Iterator[str]:
    """Pairs that are kept apart and are at one table afterwards."""

    def table(state: State, player: str) -> str:
        moves = (move.ordered for move in state.seats.moves.values() if move.ordered.player == player)
        at = next((move.to for move in moves), state.seats.at.get(player))
        return at.table if at is not None else ""

    for pair in after.seats.apart:
        one, other = sorted(pair)
        joined = table(after, one) and table(after, one) == table(after, other)
        if joined and table(before, one) != table(before, other):
            yield f"{named(one, names)} and {named(other, names)} are to be kept apart, and sit at one table."


def _money(before: State, after: State, names: Mapping[str, str]) -> Iterator[str]:
    if (before.prizes.agreed is None) != (after.prizes.agreed is None):
        yield _DEAL if after.prizes.agreed is not None else "The deal holds no longer."
    if before.opened and after.opened and payouts(before) != payouts(after):
        pays = ", ".join(f"{at} {_money_of(cents)}" for at, cents in enumerate(payouts(after), 1) if cents)
        yield f"Places pay {pays or 'nothing'}."
    if before.opened and after.opened:
        yield from _prizes(before, after, names)
    for player in sorted(before.prizes.moved.keys() | after.prizes.moved.keys()):
        if by := after.prizes.moved.get(player, 0) - before.prizes.moved.get(player, 0):
            yield f"{_money_of(abs(by))} {'from' if by > 0 else 'back to'} {named(player, names)}."
    if before.prizes.counted != after.prizes.counted:
        yield "The count of the cash box " + ("is gone." if after.prizes.counted is None else "is the one before.")


def _prizes(before: State, after: State, names: Mapping[str, str]) -> Iterator[str]:
    """Who is owed another prize, who is paid, and who was paid more than they are owed then."""
    was, due = owed(before), owed(after)
    for player in sorted(was.keys() | due.keys() | before.prizes.paid.keys() | after.prizes.paid.keys()):
        name, paid = named(player, names), after.prizes.paid.get(player, 0)
        if was.get(player, 0) != due.get(player, 0):
            yield f"The prize of {name} is {_money_of(due.get(player, 0))}, not {_money_of(was.get(player, 0))}."
        gone = before.prizes.paid.get(player, 0) - paid
        if gone:
            back = "is to be taken back" if gone > 0 else "is paid"
            yield f"{_money_of(abs(gone))} {back}: {name}."
        if paid > due.get(player, 0):
            yield f"{name} has been paid {_money_of(paid - due.get(player, 0))} too much: it is to be taken back."


def _penalties(before: State, after: State, names: Mapping[str, str]) -> Iterator[str]:
    for id_, given in before.penalties.given.items():
        if id_ not in after.penalties.given:
            kind = given.kind.value.replace("_", " ") if given.kind is not None else "penalty"
            yield f"{named(given.player, names)} has the {kind} no longer."
        elif (id_ in before.penalties.since) != (id_ in after.penalties.since):
            runs = "runs again" if id_ in after.penalties.since else "does not run"
            yield f"The time-out of {named(given.player, names)} {runs}."
    for id_, given in after.penalties.given.items():
        if id_ not in before.penalties.given:
            kind = given.kind.value.replace("_", " ") if given.kind is not None else "penalty"
            yield f"{named(given.player, names)} gets the penalty: {kind}."


def _chips(before: State, after: State, names: Mapping[str, str], facts: Facts) -> Iterator[str]:
    for table in sorted(before.chips.coloured.keys() - after.chips.coloured.keys()):
        yield f"Table {table} is not coloured up: the chips that left play come back."
    for table in sorted(after.chips.coloured.keys() - before.chips.coloured.keys()):
        yield f"Table {table} is coloured up."
    if more := after.chips.changed - before.chips.changed:
        yield f"{abs(more):,} chips {'more' if more > 0 else 'fewer'} are in play."
    corrected = before.chips.corrected.keys() | after.chips.corrected.keys()
    for player in sorted(corrected):
        by = after.chips.corrected.get(player, 0) - before.chips.corrected.get(player, 0)
        if by:
            yield f"{named(player, names)}: {_stack_changes(after, player, by, facts)}."
    for player in sorted((before.chips.counts.keys() | after.chips.counts.keys()) - corrected):
        was, stands = before.chips.counts.get(player, []), after.chips.counts.get(player, [])
        if was != stands:
            yield from _count(was, stands, named(player, names))


def _new_chips(wanted: ColourUp, decided: Decision) -> Iterator[str]:
    """`Chips of 100: seat 1 gets 2, seat 2 1, seat 4 none. 12 to bring.`"""
    if isinstance(decided, Refusal) or not decided:
        return
    (done,) = (event for event in decided if isinstance(event, ColouredUp))
    lot = wanted.new // wanted.old
    for_odd = {one.seat: one.chips for one in done.changes}
    gets = {
        one.seat: one.stack // lot + (for_odd.get(one.seat, 0) + one.stack % lot * wanted.old) // wanted.new
        for one in wanted.odd
        if one.stack
    }
    seats = ", ".join(f"seat {seat} gets {count or 'none'}" for seat, count in sorted(gets.items()))
    yield f"Chips of {wanted.new:,}: {seats or 'none'}. {sum(gets.values())} to bring to table {wanted.table}."


def _stack_changes(state: State, player: str, by: int, facts: Facts) -> str:
    """`5,200 becomes 8,800`; the difference alone in a hand, or where the table does not say the stack."""
    at = state.seats.at.get(player)
    fact = facts.get(at.table) if at is not None else None
    stack = fact.stacks.get(at.seat) if at is not None and fact is not None else None
    difference = f"{abs(by):,} chips {'more' if by > 0 else 'less'}"
    if at is None or fact is None or stack is None:
        return difference
    if fact.in_hand:
        return f"{difference}, once the hand at table {at.table} is over"
    return f"{stack:,} becomes {max(0, stack + by):,}"


def _count(was: Counts, stands: Counts, name: str) -> Iterator[str]:
    """The newest count of a player before and after."""
    new = next((one for step, one in reversed(stands) if (step, one) not in was), None)
    gone = next((one for step, one in reversed(was) if (step, one) not in stands), None)
    if gone is not None:
        before = f"the count before it, {stands[-1][1].stack:,}, does" if stands else "no count is left"
        yield f"The count of {name}, {gone.stack:,}, does not stand; {before}."
    if new is not None:
        yield f"{name} has {new.stack:,}; by the records it is {new.expected:,}."


def _clock(before: State, after: State, now: Instant) -> Iterator[str]:
    if before.clock is None or after.clock is None:
        return
    if before.clock.levels != after.clock.levels:
        levels = [level for level in after.clock.levels if not level.is_break]
        yield f"The schedule changes: {len(levels)} levels from {_blinds(levels[0])} to {_blinds(levels[-1])}."
    if before.clock.mark.running != after.clock.mark.running:
        yield f"The clock {'runs' if after.clock.mark.running else 'stands'}."
    was, stands = (_reading(clock, now) for clock in (before.clock, after.clock))
    if was != stands:
        yield f"The clock is at {stands}, not at {was}."
    if (before.hand_for_hand is None) != (after.hand_for_hand is None):
        yield f"Hand for hand is {'off' if after.hand_for_hand is None else 'on'}."
    for id_, dispute in before.disputes.items():
        if id_ not in after.disputes:
            yield f"The dispute at table {dispute.table} is not open."
    for id_, dispute in after.disputes.items():
        if id_ not in before.disputes:
            yield f"The dispute at table {dispute.table} is open again."


def _reading(clock: TournamentClock, now: Instant) -> str:
    """`level 4, 100 / 200, with 12:30 left`"""
    if clock.mark.boot != now.boot:
        return "where it stood when the station was started again"
    shown = clock.read(now.at)
    level = clock.levels[shown.index]
    name = level.what or "the break" if level.is_break else f"level {level.no}, {_blinds(level)},"
    seconds = round(shown.left_ms / 1_000)
    return f"{name} with {seconds // 60}:{seconds % 60:02} left"


def _blinds(level: Level) -> str:
    return f"{level.small_blind:,} / {level.big_blind:,}"


def _money_of(cents: int) -> str:
    return f"{cents / 100:,.2f}"
