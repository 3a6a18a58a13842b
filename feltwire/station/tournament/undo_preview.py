"""What an undo would do, in sentences, before it is done: how the tournament differs from the one without it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from feltwire.station.tournament.words import named, words
from table_core.messages import Frozen, Number, Refusal
from table_core.tournament.money.prizes import payouts
from table_core.tournament.night import Night
from table_core.tournament.state import Entrant, State


class PreviewUndo(Frozen, frozen=True):
    """What `undo` of this record would do; nothing is done."""

    record: Number


def preview(night: Night, record: int, names: Mapping[str, str]) -> str | Refusal:
    """A sentence a line; the refusal that the undo itself would get."""
    after = night.without(record)
    if isinstance(after, Refusal):
        return after
    group = night.group(record)
    taken = "; ".join(words(one.event, names) for one in night.records if one.no in group)
    by = next(one.by for one in night.records if one.no == record) or "the station"
    return "\n".join([f"Taken back: {taken}. By {by}.", *dict.fromkeys(_sentences(night.state, after, names))])


def _sentences(before: State, after: State, names: Mapping[str, str]) -> Iterator[str]:
    yield from _event(before, after)
    for player, entrant in before.field.entrants.items():
        later = after.field.entrants.get(player)
        if later is None:
            yield f"{named(player, names)} is not on the list any more."
            yield from _seat(before, after, player, named(player, names))
        else:
            yield from _player(before, after, entrant, later, named(player, names))
    yield from _seats(before, after, names)
    yield from _money(before, after, names)
    yield from _penalties(before, after, names)
    yield from _clock(before, after)


def _event(before: State, after: State) -> Iterator[str]:
    for name in ("opened", "started", "finished", "cancelled"):
        if bool(getattr(before, name)) != bool(getattr(after, name)):
            yield f"The event is {'' if getattr(after, name) else 'not '}{name}."


def _player(before: State, after: State, now: Entrant, later: Entrant, name: str) -> Iterator[str]:
    if now.status is not later.status:
        yield f"{name} is {later.status.value.replace('_', ' ')} again, not {now.status.value.replace('_', ' ')}."
    if now.place != later.place:
        yield f"{name} has " + ("no place." if later.place is None else f"place {later.place}.")
    yield from _seat(before, after, now.player, name)
    if now.paid != later.paid:
        gone = now.paid - later.paid
        yield (
            f"{name} is paid back {_money_of(gone)}." if gone > 0 else f"{name} has paid {_money_of(-gone)} more."
        )
    if now.owes != later.owes:
        yield f"{name} owes {_money_of(later.owes)}." if later.owes is not None else f"{name} owes nothing."
    chips = (later.chips - later.removed) - (now.chips - now.removed)
    if chips:
        yield f"{abs(chips):,} chips {'come back to' if chips > 0 else 'leave'} the stack of {name}."
    if (now.away is None) != (later.away is None):
        yield f"{name} is {'back' if later.away is None else 'away'}."


def _seat(before: State, after: State, player: str, name: str) -> Iterator[str]:
    start, to = before.seats.at.get(player), after.seats.at.get(player)
    if start != to:
        yield f"{name} has no seat." if to is None else f"{name} goes to {to}{f' from {start}' if start else ''}."


def _seats(before: State, after: State, names: Mapping[str, str]) -> Iterator[str]:
    for id_, move in before.seats.moves.items():
        if id_ not in after.seats.moves:
            yield f"The move of {named(move.ordered.player, names)} to {move.ordered.to} ends."
    for id_, move in after.seats.moves.items():
        if id_ not in before.seats.moves:
            yield f"The move of {named(move.ordered.player, names)} to {move.ordered.to} is under way again."
    for name, table in before.seats.tables.items():
        later = after.seats.tables.get(name)
        if later is None or table.open != later.open:
            yield f"Table {name} is {'open' if later is not None and later.open else 'closed'}."
        elif table.button != later.button:
            yield f"Table {name}: " + (f"the button is at seat {later.button}." if later.button else "no button.")
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


def _money(before: State, after: State, names: Mapping[str, str]) -> Iterator[str]:
    if (before.prizes.agreed is None) != (after.prizes.agreed is None):
        yield "The deal holds again." if after.prizes.agreed is not None else "The deal holds no longer."
    if before.opened and after.opened and payouts(before) != payouts(after):
        pays = ", ".join(f"{at} {_money_of(cents)}" for at, cents in enumerate(payouts(after), 1) if cents)
        yield f"Places pay {pays or 'nothing'}."
    for player in before.prizes.paid.keys() | after.prizes.paid.keys():
        gone = before.prizes.paid.get(player, 0) - after.prizes.paid.get(player, 0)
        if gone:
            yield f"{_money_of(abs(gone))} to {named(player, names)}: {'not paid' if gone > 0 else 'paid'}."
    if before.prizes.counted != after.prizes.counted:
        yield "The count of the cash box " + ("is gone." if after.prizes.counted is None else "is the one before.")


def _penalties(before: State, after: State, names: Mapping[str, str]) -> Iterator[str]:
    for id_, given in before.penalties.given.items():
        if id_ not in after.penalties.given:
            kind = given.kind.value.replace("_", " ") if given.kind is not None else "penalty"
            yield f"{named(given.player, names)} has the {kind} no longer."
        elif (id_ in before.penalties.since) != (id_ in after.penalties.since):
            runs = "runs again" if id_ in after.penalties.since else "does not run"
            yield f"The time-out of {named(given.player, names)} {runs}."
    for player, counts in before.chips.counts.items():
        if counts != after.chips.counts.get(player, []):
            yield f"The count of {named(player, names)} does not stand."


def _clock(before: State, after: State) -> Iterator[str]:
    if before.clock is None or after.clock is None:
        return
    if before.clock.levels != after.clock.levels:
        yield "The schedule is the one before."
    if before.clock.mark.running != after.clock.mark.running:
        yield f"The clock {'runs' if after.clock.mark.running else 'stands'}."
    if before.clock.mark != after.clock.mark:
        yield "The time left of the level changes."
    if (before.hand_for_hand is None) != (after.hand_for_hand is None):
        yield f"Hand for hand is {'off' if after.hand_for_hand is None else 'on'}."
    for id_, dispute in before.disputes.items():
        if id_ not in after.disputes:
            yield f"The dispute at table {dispute.table} is not open."
    for id_, dispute in after.disputes.items():
        if id_ not in before.disputes:
            yield f"The dispute at table {dispute.table} is open again."


def _money_of(cents: int) -> str:
    return f"{cents / 100:,.2f}"
