"""Where a tournament begins and who joins it: the first button, and newcomers at a table."""

from __future__ import annotations

from collections.abc import Mapping

from table_core.cards import Card, rank_of, suit_of
from table_core.hand.button import Positions
from table_core.hand.seats import clockwise_from
from table_core.messages import Seat
from table_core.rulebook import Rulebook
from table_core.tournament.policies import InitialButton, SuitsInDraws


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


def may_be_dealt_in(seat: Seat, positions: Positions, rulebook: Rulebook) -> bool:
    """Whether a newcomer at `seat` gets cards this hand: not strictly between button and small blind, where the
    book makes them wait until the button has passed (wfp.blindrules.5)."""
    small_blind = positions.small_blind
    if rulebook.tournament.newcomer_between_button_and_blind.value or small_blind in (None, positions.button):
        return True
    return seat == small_blind or clockwise_from(positions.button, {seat, small_blind})[0] != seat
