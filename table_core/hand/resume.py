"""*Resume from here*, within a hand: a person enters the state, and play goes on from there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec.structs import replace

from table_core.cards import find_card
from table_core.hand.engine import Answer, Engine
from table_core.hand.opening import unit_of
from table_core.hand.pots import layers
from table_core.hand.seats import members
from table_core.messages import (
    HIGHEST_HAND,
    MOST_CHIPS,
    UNKNOWN_CARD,
    Chips,
    HandResumed,
    ResumedPot,
    ResumeHand,
    Seat,
    Street,
)

_BOARD_CARDS: Final = {Street.PREFLOP: 0, Street.FLOP: 3, Street.TURN: 4, Street.RIVER: 5, Street.SHOWDOWN: 5}


Fault = tuple[str, str]  # which field of the command is wrong, and why


def resume_hand(hand: Engine, command: ResumeHand) -> Answer:
    """Set the hand to the entered state; a hand in progress is replaced. The play before was not observed."""
    fault = fault_of(command)
    if fault is not None:
        return hand.refuse(fault[1], hand.rulebook.cites.hand_start)
    return hand.step(
        HandResumed(
            command.hand,
            command.button,
            command.small_blind,
            command.big_blind,
            command.level,
            command.street,
            command.board,
            command.seats,
            command.pots,
            command.to_act,
            command.last_raise,
            command.source,
            unit=unit_of(hand.rulebook, command.level, hand.smallest_chip),
        )
    )


def fault_of(command: ResumeHand) -> Fault | None:
    """The first impossible field, with text for a director; None when the hand can go on from here."""
    return _too_much(command) or _wrong_seats(command) or _wrong_board(command) or _wrong_turn(command)


def _too_much(command: ResumeHand) -> Fault | None:
    """What a table could not count on from."""
    if command.hand > HIGHEST_HAND:
        return "hand", f"A hand's number is {HIGHEST_HAND:,} at most."
    level = command.level
    if max(level.small_blind, level.big_blind, level.ante, level.big_blind_ante) > MOST_CHIPS:
        return "level", f"A blind or ante is {MOST_CHIPS:,} chips at most."
    if (command.last_raise or 0) > MOST_CHIPS:
        return "last_raise", f"A raise is of {MOST_CHIPS:,} chips at most."
    return None


def _wrong_seats(command: ResumeHand) -> Fault | None:
    seats = [seat.seat for seat in command.seats]
    if len(seats) < 2 or len(set(seats)) != len(seats) or min(seats) < 1:
        return "seats", "A hand has two or more seats, each named once, counted from 1."
    if any(seat.stack < 0 or seat.bet < 0 for seat in command.seats):
        return "seats", "A stack or bet is not less than nothing."
    if any(max(seat.stack, seat.bet) > MOST_CHIPS for seat in command.seats):
        return "seats", f"A stack or bet is {MOST_CHIPS:,} chips at most."
    if any(pot.amount > MOST_CHIPS for pot in command.pots):
        return "pots", f"A pot is {MOST_CHIPS:,} chips at most."
    live = {seat.seat for seat in command.seats if seat.live}
    if len(live) < 2:
        return "seats", "Two hands or more are live in a hand that goes on."
    if command.big_blind not in seats:
        return "big_blind", "Blinds are seats of the hand."
    if command.small_blind not in {None, *seats}:
        return "small_blind", "Blinds are seats of the hand."
    if command.level.big_blind <= 0:
        return "level", "A level has a big blind."
    for pot in command.pots:
        if pot.amount < 0 or not live & set(pot.seats):
            return "pots", "Every pot has chips and a live hand that can win it."
    return None


def _wrong_turn(command: ResumeHand) -> Fault | None:
    if command.last_raise is not None and command.last_raise <= 0:
        return "last_raise", "The last raise was of one chip or more."
    if command.to_act is None:
        return None
    acting = [seat for seat in command.seats if seat.seat == command.to_act]
    if not acting or not acting[0].live or not acting[0].stack:
        return "to_act", f"Seat {command.to_act} has no hand or no chips to act with."
    if command.street in (Street.SHOWDOWN, Street.DONE):
        return "to_act", "Nobody acts at the showdown."
    return None


def _wrong_board(command: ResumeHand) -> Fault | None:
    cards = _BOARD_CARDS.get(command.street)
    if cards is None:
        return "street", "A finished hand is not resumed: set the seats instead."
    if len(command.board) != cards:
        return "board", f"The board has {cards} cards on the {command.street}, not {len(command.board)}."
    known = [card for card in command.board if card != UNKNOWN_CARD]
    if len(set(known)) != len(known) or any(find_card(card) is None for card in known):
        return "board", "A board card is named wrongly or twice."
    return None


def with_side_pots(command: ResumeHand, had: Mapping[Seat, Chips]) -> ResumeHand | Fault:
    """The command with the pots that follow from what each seat has put in, where it names one for all of them;
    what is wrong where it gives a seat that is all-in more than its part. `had`: chips of the seats as the hand
    began. Where chips came or went since, the person's word stands."""
    seats, pots = command.seats, command.pots
    dead = command.level.big_blind_ante  # in the main pot, whoever wins it
    collected = [
        had.get(one.seat, 0) - one.stack - one.bet - (dead if one.seat == command.big_blind else 0)
        for one in seats
    ]
    live = [no for no, one in enumerate(seats) if one.live]
    able = {collected[no] for no in live if seats[no].stack}
    most = max((collected[no] for no in live), default=0)
    counted = min(collected, default=-1) >= 0 and sum(collected) + dead == sum(pot.amount for pot in pots)
    if not counted or able - {most}:
        return command
    follow = layers(collected, sum(1 << no for no in live), dead)
    follows = tuple(
        [ResumedPot(Chips(size), tuple([seats[no].seat for no in members(who)])) for size, who in follow]
    )
    if len(pots) == 1:
        return replace(command, pots=follows)
    for one in seats:
        part = sum(pot.amount for pot in follows if one.seat in pot.seats)
        if one.live and not one.stack and sum(pot.amount for pot in pots if one.seat in pot.seats) > part:
            return "pots", f"Seat {one.seat} is all-in: of these pots it can win {part:,} at most."
    return command
