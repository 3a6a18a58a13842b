"""Chips of a value that leave play: what is left over at a table, by the book's method."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from table_core.cards import Card, card_text, parse_card
from table_core.hand.seats import clockwise_from
from table_core.messages import (
    Amount,
    CardText,
    Few,
    Frozen,
    Many,
    Name,
    Refusal,
    Seat,
    SeatChips,
    SeatStack,
)
from table_core.tournament.chance import drawn_cards
from table_core.tournament.chips.chip_race import race
from table_core.tournament.decision import Decision, refused
from table_core.tournament.events import ColouredUp, Instant
from table_core.tournament.policies import ChipRace
from table_core.tournament.seats.button import dealer
from table_core.tournament.state import Facts, State


class ColourUp(Frozen, frozen=True):
    """Chips of value `old` leave a table for chips of value `new`. `odd` is how many of them each seat has: full
    lots are changed, and what is left is dealt with by the book; `cards` as drawn, one an odd chip, seat by seat
    from the dealer's left (none: drawn from the seed). `nightly`: the book's method for regular games."""

    table: Name
    old: Amount
    new: Amount
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
    has = {given.seat: int(given.stack) for given in wanted.odd}
    smallest = state.chips.smallest.get(wanted.table, 0)
    if wanted.old < smallest and not any(has.values()):
        reason = (
            f"Chips of {wanted.old:,} have left table {wanted.table}: its smallest are {smallest:,}. Who has some?"
        )
        return Refusal(reason=reason, rule=method.rule)
    wrong = [seat for seat, count in has.items() if count * wanted.old > fact.stacks.get(seat, 0)]
    if wrong:
        reason = f"Seat {wrong[0]} cannot have {has[wrong[0]]} chips of {wanted.old:,}."
        return Refusal(reason=reason, rule=method.rule)
    lot = wanted.new // wanted.old
    odd = {seat: count % lot for seat, count in has.items() if count % lot}
    order = clockwise_from(dealer(state, table, facts) or Seat(0), odd)
    single_only = method.value is ChipRace.EXCHANGE_OR_RACE
    drawn = _drawn(state, wanted, [seat for seat in order if odd[seat] == 1 or not single_only], odd)
    if isinstance(drawn, Refusal):
        return drawn
    racing, cards, best = drawn
    last = frozenset(seat for seat, count in odd.items() if fact.stacks[seat] == count * wanted.old)
    won = race(method.value, odd, wanted.old, wanted.new, best, last)
    changes = tuple(
        SeatChips(seat, won.get(seat, 0) * wanted.new - count * wanted.old, table.players.get(seat, ""))
        for seat, count in odd.items()
    )
    texts = tuple(card_text(card) for card in cards)
    counted = max((one.no for one in fact.counts), default=0)
    return (ColouredUp(wanted.table, wanted.old, wanted.new, changes, method.rule, racing, texts, counted),)


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
    state.chips.changed += sum(change.chips for change in event.changes)
    state.chips.step += 1
    state.chips.coloured[event.table] = state.chips.step, event.at_table
    state.chips.smallest[event.table] = max(event.new, state.chips.smallest.get(event.table, event.new))


COMMANDS: Mapping[type, Any] = {ColourUp: colour_up}
REDUCERS: Mapping[type, Any] = {ColouredUp: _coloured}
