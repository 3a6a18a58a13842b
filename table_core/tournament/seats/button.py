"""The first button of a table, when it is drawn again, and who deals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from table_core.cards import Card, card_text, parse_card, rank_of, suit_of
from table_core.hand.seats import clockwise_from
from table_core.messages import CardText, Few, Frozen, Name, Refusal, Said, Seat
from table_core.rulebook import Rulebook
from table_core.tournament.chance import drawn_cards
from table_core.tournament.decision import Decision, refused
from table_core.tournament.events import ButtonSet, DealerSet, Instant
from table_core.tournament.policies import InitialButton, SuitsInDraws
from table_core.tournament.state import Facts, State, TableSeats


class SetButton(Frozen, frozen=True):
    """The first button of a table, by the cards drawn there (`cards` by seat), or by the seed."""

    table: Name
    seed: Said = ""
    seats: Few[Seat] = ()
    cards: Few[CardText] = ()
    anyway: Said = ""


def set_button(state: State, wanted: SetButton, now: Instant, facts: Facts) -> Decision:
    table = state.seats.tables.get(wanted.table)
    if table is None or not table.players:
        return Refusal(reason=f"Nobody sits at table {wanted.table}.", rule="")
    fact = facts.get(wanted.table)
    known = without_cards(state.book, {wanted.table: table.players})
    if known and table.button == known[0].seat and not wanted.cards and not wanted.anyway:
        return ()
    plays = state.started is not None and fact is not None and fact.hand > 0 and not table.redrawn
    if plays and wanted.table not in buttons_to_draw(state) and not wanted.anyway:
        again = "button_redraw_new_share" if state.book.tournament.button_redraw_new_share else "initial_button"
        return refused(state.book, again, f"Table {wanted.table} has its button, and plays on with it.")
    seats = sorted(table.players)
    if wanted.cards:
        if set(wanted.seats) != set(seats) or len(wanted.cards) != len(wanted.seats):
            return Refusal(reason=f"One card for each of the seats {', '.join(map(str, seats))}.", rule="")
        drawn = {seat: parse_card(text) for seat, text in zip(wanted.seats, wanted.cards, strict=True)}
    else:
        seed = f"{state.seed}/button/{wanted.table}" + (f"/{fact.hand}" if fact is not None and fact.hand else "")
        drawn = dict(zip(seats, drawn_cards(len(seats), wanted.seed or seed), strict=True))
    by_seat_cards = state.book.tournament.initial_button.value is InitialButton.ACE and not wanted.cards
    try:  # of seat cards, the ace is the first seat
        button = min(drawn) if by_seat_cards else initial_button(state.book, drawn)
    except ValueError as error:
        return refused(state.book, "suits_in_draws", f"{error}.")
    cards = tuple(card_text(drawn[seat]) for seat in sorted(drawn))
    return (ButtonSet(wanted.table, button, state.book.tournament.initial_button.rule, cards),)


def buttons_to_draw(state: State) -> tuple[str, ...]:
    """Tables whose button is to be drawn: after a draw of all seats, and where the share of newcomers since the
    last one asks for it (cpp.dealer.4)."""
    if state.started is None:
        return ()
    share = state.book.tournament.button_redraw_new_share
    return tuple(
        table.plan.table
        for table in state.seats.open_tables()
        if table.players
        and (table.redrawn or (share is not None and table.joined >= share.value * len(table.players)))
    )


def without_cards(rulebook: Rulebook, seats: Mapping[str, Iterable[Seat]]) -> tuple[ButtonSet, ...]:
    """The buttons of a draw where the book deals no cards for them: the first seat of each table, which has
    the ace of the seat cards (rpl.blinds.1, ccp.seating.5)."""
    rule = rulebook.tournament.initial_button
    if rule.value not in (InitialButton.SEAT_ONE, InitialButton.ACE):
        return ()
    return tuple(ButtonSet(table, min(taken), rule.rule, ()) for table, taken in seats.items() if taken)


def first_buttons(state: State) -> tuple[ButtonSet, ...]:
    """Those of `without_cards` that the start has to set: where there is none, and where somebody came to a lower
    seat since the draw. Whoever drew the ace keeps it."""
    ace = state.book.tournament.initial_button.value is InitialButton.ACE
    tables = state.seats.tables
    known = without_cards(state.book, {table.plan.table: table.players for table in state.seats.open_tables()})
    return tuple(
        one
        for one in known
        if (was := tables[one.table].button) != one.seat and not (ace and was in tables[one.table].players)
    )


def initial_button(rulebook: Rulebook, drawn: Mapping[Seat, Card]) -> Seat:
    """The seat that has the button on hand 1; `drawn` is one card for each seat, as the book draws them.

    Raise `ValueError` for no seats, or when a tie of ranks must be drawn again.
    """
    if not drawn:
        raise ValueError("no seats to give the button to")
    tournament = rulebook.tournament
    if tournament.initial_button.value is InitialButton.SEAT_ONE:
        return min(drawn)
    suits_count = tournament.suits_in_draws.value is SuitsInDraws.SPADES_HIGH

    def worth(seat: Seat) -> tuple[int, int]:
        return rank_of(drawn[seat]), suit_of(drawn[seat]) if suits_count else 0

    best = max(worth(seat) for seat in drawn)
    highest = [seat for seat in drawn if worth(seat) == best]
    if len(highest) > 1:
        raise ValueError(f"seats {', '.join(map(str, sorted(highest)))} drew the same rank: draw again")
    return highest[0]


# ------------------------------------------------------------------------------------------------ the dealer


class SetDealer(Frozen, frozen=True):
    """Who deals at a table: the player at `seat`, or without one a dealer who does not play."""

    table: Name
    seat: Seat | None = None


def set_dealer(state: State, wanted: SetDealer, now: Instant, facts: Facts) -> Decision:
    table = state.seats.tables.get(wanted.table)
    rule = state.book.tournament.dealer
    if table is None or (wanted.seat is not None and wanted.seat not in table.players):
        return refused(state.book, "dealer", f"Nobody sits at table {wanted.table} seat {wanted.seat}.")
    return (DealerSet(wanted.table, wanted.seat, rule.rule if rule is not None else ""),)


def dealer(state: State, table: TableSeats, facts: Facts) -> Seat | None:
    """The seat whose player deals; None where the dealer does not play, or where there is no button yet. With the
    button on an empty seat the player to its right deals again (ccp.deadbutton.2, cpp.blinds.1)."""
    if table.dealer is not None and (table.dealer.seat is None or table.dealer.seat in table.players):
        return table.dealer.seat
    rule = state.book.tournament.dealer
    if rule is None or rule.value != "button_player":
        return None
    fact = facts.get(table.plan.table)
    button = fact.button if fact is not None and fact.button is not None else table.button
    if button is None or button in table.players or not table.players:
        return button
    return clockwise_from(button, table.players)[-1]


# ------------------------------------------------------------------------------------------------ reducers


def _on_button(state: State, event: ButtonSet, now: Instant) -> None:
    table = state.seats.tables[event.table]
    table.button, table.joined, table.redrawn = event.seat, 0, False


def _on_dealer(state: State, event: DealerSet, now: Instant) -> None:
    state.seats.tables[event.table].dealer = event


COMMANDS: Mapping[type, Any] = {SetButton: set_button, SetDealer: set_dealer}
REDUCERS: Mapping[type, Any] = {ButtonSet: _on_button, DealerSet: _on_dealer}
