"""Every chip is accounted for: what was given out, where it is, and chips of a value that leave play.

A stack is arithmetic since its last count; the tables do that. Here the sums are compared, and what differs
is told.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from table_core.cards import Card, card_text, parse_card
from table_core.hand.seats import clockwise_from
from table_core.messages import CardText, Chips, Frozen, Name, Number, Refusal, Seat, SeatStack
from table_core.messages.base import Few, Many, Signed
from table_core.tournament.chance import drawn_cards
from table_core.tournament.chip_race import race
from table_core.tournament.decision import Decision, refused
from table_core.tournament.events import ColouredUp, Instant, StackCounted
from table_core.tournament.policies import ChipRace
from table_core.tournament.state import Facts, State, Status, TableFacts

# ------------------------------------------------------------------------------------------------ the account


class ChipAccount(Frozen, frozen=True):
    """Chips of the whole event. `issued` less `removed` should be on tables, in pots and in transit; `missing` is
    what should be there and is not, below 0 where there are too many."""

    issued: Number
    removed: Number
    on_tables: Number
    in_pots: Number
    in_transit: Number
    missing: Signed


def chip_account(state: State, facts: Facts) -> ChipAccount:
    """The account now. Tables that have not reported a stack are taken at what the records say."""
    entrants = state.field.entrants.values()
    issued = sum(entrant.chips for entrant in entrants) + state.chips.changed
    removed = sum(entrant.removed for entrant in entrants)
    reported = {table for table, fact in facts.items() if fact.stacks}
    by_reports = sum(sum(facts[table].stacks.values()) for table in reported)
    seated = (state.field.entrants[player] for player, at in state.seats.at.items() if at.table not in reported)
    by_records = sum(entrant.chips - entrant.removed for entrant in seated)
    in_pots = sum(fact.pot for fact in facts.values())
    in_transit = sum(move.rack or 0 for move in state.seats.moves.values())
    on_tables = by_reports + by_records
    missing = issued - removed - on_tables - in_pots - in_transit
    return ChipAccount(issued, removed, on_tables, in_pots, in_transit, missing)


def seats_to_count(state: State, facts: Facts) -> tuple[tuple[str, Seat], ...]:
    """Seats whose stack was counted otherwise than the records had it, and not agreed since."""
    found = {count.player: count for count in state.chips.counted}
    return tuple(
        (state.seats.at[player].table, state.seats.at[player].seat)
        for player, count in found.items()
        if count.stack != count.expected and player in state.seats.at
    )


class CountStack(Frozen, frozen=True):
    player: Name
    stack: Chips


def count_stack(state: State, wanted: CountStack, now: Instant, facts: Facts) -> Decision:
    at = state.seats.at.get(wanted.player)
    fact = facts.get(at.table) if at is not None else None
    if at is None or fact is None:
        return Refusal(reason=f"{wanted.player} sits at no table that reports.", rule="")
    return (StackCounted(wanted.player, wanted.stack, fact.stacks.get(at.seat, Chips(0))),)


# ------------------------------------------------------------------------------------------------ chip sets


def players_carried(chips: Mapping[int, int], stack: Mapping[int, int]) -> int:
    """For how many players a set of chips is enough: `chips` of the set and of one stack, how many by value."""
    return min((chips.get(value, 0) // count for value, count in stack.items() if count), default=0)


# ------------------------------------------------------------------------------------------------ colour-up


class ColourUp(Frozen, frozen=True):
    """Chips of value `old` leave a table for chips of value `new`. `odd` is how many of them each seat has left
    after full lots are changed; `cards` as drawn, one an odd chip, seat by seat from the dealer's left (none:
    drawn from the seed). `nightly`: the book's method for regular games."""

    table: Name
    old: Chips
    new: Chips
    odd: Few[SeatStack]
    cards: Many[CardText] = ()
    nightly: bool = False


def colour_up(state: State, wanted: ColourUp, now: Instant, facts: Facts) -> Decision:
    fact, table = facts.get(wanted.table), state.seats.tables.get(wanted.table)
    if fact is None or table is None:
        return Refusal(reason=f"There is no table {wanted.table}.", rule="")
    book = state.book.tournament
    method = (book.nightly_chip_race if wanted.nightly else None) or book.chip_race
    if method is None:
        return refused(state.book, "chip_race", "No book says how odd chips leave play.")
    if fact.in_hand:
        return Refusal(reason=f"Table {wanted.table} is in a hand: colour up behind it.", rule=method.rule)
    if not wanted.old or wanted.new <= wanted.old or wanted.new % wanted.old:
        reason = f"{wanted.new:,} is no whole number of chips of {wanted.old:,}."
        return Refusal(reason=reason, rule=method.rule)
    odd = {given.seat: int(given.stack) for given in wanted.odd if given.stack}
    wrong = [seat for seat, count in odd.items() if not _has(fact, seat, count, wanted)]
    if wrong:
        reason = f"Seat {wrong[0]} cannot have {odd[wrong[0]]} odd chips of {wanted.old:,}."
        return Refusal(reason=reason, rule=method.rule)
    order = clockwise_from(fact.button or Seat(0), odd)
    single_only = method.value is ChipRace.EXCHANGE_OR_RACE
    drawn = _drawn(state, wanted, [seat for seat in order if odd[seat] == 1 or not single_only], odd)
    if isinstance(drawn, Refusal):
        return drawn
    racing, cards, best = drawn
    last = frozenset(seat for seat, count in odd.items() if fact.stacks[seat] == count * wanted.old)
    won = race(method.value, odd, wanted.old, wanted.new, best, last)
    changes = {seat: won.get(seat, 0) * wanted.new - count * wanted.old for seat, count in odd.items()}
    stacks = tuple(SeatStack(seat, Chips(fact.stacks[seat] + change)) for seat, change in changes.items())
    texts = tuple(card_text(card) for card in cards)
    changed = sum(changes.values())
    return (ColouredUp(wanted.table, wanted.old, wanted.new, stacks, changed, method.rule, racing, texts),)


def _has(fact: TableFacts, seat: Seat, count: int, wanted: ColourUp) -> bool:
    return count * wanted.old <= fact.stacks.get(seat, 0) and count < wanted.new // wanted.old


def _drawn(
    state: State, wanted: ColourUp, order: Sequence[Seat], odd: Mapping[Seat, int]
) -> tuple[tuple[Seat, ...], list[Card], dict[Seat, Card]] | Refusal:
    """The cards of the seats that race, `order`: all of a player's before the next's, clockwise from the dealer's
    left (wfp.procedures.6a). Who exchanges without a race gets none (wfp.procedures.6e)."""
    racing = tuple(seat for seat in order for _ in range(odd[seat]))
    if wanted.cards and len(wanted.cards) != len(racing):
        return Refusal(reason=f"One card for each odd chip that races: {len(racing)}.", rule="")
    seed = f"{state.seed}/race/{wanted.table}/{wanted.old}"
    cards = [parse_card(text) for text in wanted.cards] or drawn_cards(len(racing), seed)
    best: dict[Seat, Card] = {}
    for seat, card in zip(racing, cards, strict=True):
        best[seat] = max(best.get(seat, card), card)
    return racing, cards, best


# ------------------------------------------------------------------------------------------------ reducers


def _coloured(state: State, event: ColouredUp, now: Instant) -> None:
    state.chips.changed += event.changed
    state.chips.removed.add(event.old)


def _counted(state: State, event: StackCounted, now: Instant) -> None:
    entrant = state.field.entrants.get(event.player)
    if entrant is not None and entrant.status is Status.PLAYING:
        state.chips.counted = [count for count in state.chips.counted if count.player != event.player]
        state.chips.counted.append(event)


COMMANDS: Mapping[type, Any] = {ColourUp: colour_up, CountStack: count_stack}
REDUCERS: Mapping[type, Any] = {ColouredUp: _coloured, StackCounted: _counted}
