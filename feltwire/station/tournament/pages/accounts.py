"""Accounts of the tournament as JSON: money, chips, penalties, and what the book has for them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from feltwire.station.tournament.pages.tills import chips_given, tills
from feltwire.station.tournament.seat_orders import Seen, chips_on_order, removed_otherwise
from feltwire.station.tournament.words import named
from table_core.notices import PenaltyKind
from table_core.reference import notices_of, sentence
from table_core.rulebook import BASE, Rulebook
from table_core.tournament.by_hand import stacks_known
from table_core.tournament.chips.account import chip_account, chip_set
from table_core.tournament.chips.counts import count_items, counts_asked
from table_core.tournament.events import Instant, ShownHand
from table_core.tournament.field.entries import buy_in
from table_core.tournament.field.finishing import spots_of
from table_core.tournament.money.best_hand import best_hand_pool, best_of_night, unread_hands
from table_core.tournament.money.bounties import bounty_price
from table_core.tournament.money.icm import MOST_PLAYERS
from table_core.tournament.money.prizes import (
    bubble,
    cash_expected,
    championship,
    fees_taken,
    left_to_play_for,
    owed,
    payouts,
    pool,
    proposed_deals,
    purse,
    rounding,
    seat_prize,
    taken_in,
    unclaimed,
    unit,
)
from table_core.tournament.night import Night
from table_core.tournament.penalties import ENDS_THE_EVENT
from table_core.tournament.policies import ChipRace, Tournament
from table_core.tournament.state import Facts, State


def book_view(book: Rulebook) -> dict[str, Any]:
    """What the rulebook has published, its notices, and what it has for each reason of a penalty."""
    published = {
        "blind structure": book.tournament.published_structure,
        "payouts": book.tournament.published_payouts,
    }
    return {
        "published": {
            what: {"href": rule.value, "rule": rule.rule} for what, rule in published.items() if rule is not None
        },
        "notices": {name: msgspec.to_builtins(notice) for name, notice in notices_of(book)},
        "settings": settings(book),
        "reasons": reasons(book),
        "penalty_kinds": list(PenaltyKind),
    }


def settings(book: Rulebook) -> dict[str, dict[str, Any]]:
    """What the book with the house's settings says of a tournament, by setting: its value, its rule, the sentence;
    `house` where the organiser set it. One of which no book speaks has only its sentence with `…`."""
    found: dict[str, dict[str, Any]] = {}
    for name in Tournament.__struct_fields__:
        rule = getattr(book.tournament, name)
        if rule is None:
            found[name] = {"says": sentence(name, "…")}
            continue
        value = msgspec.to_builtins(rule.value)
        house = name in book.house
        found[name] = {"value": value, "rule": rule.rule, "says": sentence(name, rule.value), "house": house}
    return found


def reasons(book: Rulebook) -> list[dict[str, Any]]:
    """What penalties are given for under the book, with what it has for each; `own`: a ladder for this reason,
    `choice`: a person chooses."""
    minor, major = book.tournament.penalty_ladder.value, book.tournament.major_penalties.value
    return [
        {
            "name": name,
            "rule": reason.rule,
            "also": reason.also,
            "major": reason.major,
            "outcomes": reason.ladder or (major if reason.major else minor),
            "own": bool(reason.ladder),
            "choice": reason.major and not reason.ladder,
            "origin": "book" if name in book.spoken and book.id != BASE else "base",
        }
        for name, reason in book.reasons.items()
    ]


def penalties_view(state: State, records: Mapping[str, int]) -> dict[str, list[dict[str, Any]]]:
    """The history of each player who has one, earlier events first; `records` are those of this event's."""
    found: dict[str, list[dict[str, Any]]] = {}
    for filed in state.penalties.on_file:
        found.setdefault(filed.player, []).append(msgspec.to_builtins(filed))
    for given in state.penalties.given.values():
        served = given.penalty not in state.penalties.since or given.kind in ENDS_THE_EVENT
        shown = msgspec.to_builtins(given) | {"day": state.day, "open": not served}
        shown["record"] = records.get(given.penalty)
        found.setdefault(given.player, []).append(shown)
    return found


def chips_view(night: Night, facts: Facts, seen: Seen, names: Mapping[str, str], now: Instant) -> dict[str, Any]:
    """The account; what tables are being told of is `on_order`, and not missing."""
    state, carried = night.state, chip_set(night.state)
    on_order, otherwise = chips_on_order(state, seen, facts), removed_otherwise(seen)
    account: dict[str, Any] = msgspec.to_builtins(chip_account(state, facts))
    return account | {
        "on_order": on_order,
        "removed": account["removed"] + otherwise,
        "missing": account["missing"] - on_order - otherwise,
        "to_count": msgspec.to_builtins(counts_asked(state, facts, now)),
        "given": chips_given(night),
        "race": _race(state.book),
        "set": carried and msgspec.to_builtins(carried),
        "items": [
            msgspec.to_builtins(item) | {"name": named(item.player, names), "hands": item.hands()}
            for item in count_items(state, facts)
        ],
    }


def _race(book: Rulebook) -> dict[str, bool]:
    """Whether odd chips are raced for by cards, and whether the book has another way for regular nights."""
    rules = book.tournament
    by_cards = rules.chip_race is not None and rules.chip_race.value is not ChipRace.ROUND_UP
    return {"cards": by_cards, "nightly": rules.nightly_chip_race is not None}


def money_view(night: Night, facts: Facts) -> dict[str, Any]:
    """Cents."""
    state = night.state
    book = state.book.tournament
    stacks = _stacks(state, facts)
    return {
        "taken_in": taken_in(state),
        "pool": pool(state),
        "purse": purse(state),
        "championship": championship(state),
        "payouts": payouts(state),
        "unclaimed": unclaimed(state),
        "undecided": [
            {"players": one.players, "places": spots_of(state, one.players), "why": one.why}
            for one in state.field.undecided
        ],
        "left": left_to_play_for(state),
        "until_the_money": bubble(state),
        "min_cash": next((pays for pays in reversed(payouts(state)) if pays), 0),
        "owed": owed(state),
        "owed_for_rebuys": {name: one.owes for name, one in state.field.entrants.items() if one.owes is not None},
        "buy_in": buy_in(state),
        "bounty_price": bounty_price(state),
        "rounding": rounding(state),
        "unit": unit(state),
        "fees": fees_taken(state),
        "add_on": book.add_on is not None and book.add_on.value,
        "seat_prizes": {name: to for name in owed(state) if (to := seat_prize(state, name))},
        "knockouts": state.field.knockouts,
        "bounties": msgspec.to_builtins(state.bounties),
        "paid": state.prizes.paid,
        "tills": tills(night),
        "moved": state.prizes.moved,
        "cash_expected": cash_expected(state),
        "cash_counted": state.prizes.counted,
        "deals": proposed_deals(state, stacks) if stacks else {},
        "deal_stacks": _deal_stacks(state, facts) if 0 < len(stacks) <= MOST_PLAYERS else [],
    }


def _stacks(state: State, facts: Facts) -> dict[str, int]:
    """What everybody has whose table reports; by hand of all or nobody, for a deal rests on all of them."""
    if state.by_hand:
        counted = stacks_known(state, facts)
        return counted if counted.keys() == state.seats.at.keys() else {}
    return {
        player: int(facts[at.table].stacks.get(at.seat, 0))
        for player, at in state.seats.at.items()
        if at.table in facts
    }


def _deal_stacks(state: State, facts: Facts) -> list[dict[str, Any]]:
    """What a deal would rest on: each stack, the hand behind which it was counted, and the table's last hand; by
    hand there is no hand."""
    if state.by_hand:
        return [
            {"player": player, "stack": stack, "counted": 0, "hand": 0}
            for player, stack in _stacks(state, facts).items()
        ]
    found = []
    for player, at in state.seats.at.items():
        fact = facts.get(at.table)
        if fact is None or not state.field.entrants[player].in_play:
            continue
        counted = [one.hand for one in fact.counts if one.player == player]
        stack = int(fact.stacks.get(at.seat, 0))
        last = fact.hand - fact.in_hand
        found.append({"player": player, "stack": stack, "counted": max(counted, default=None), "hand": last})
    return found


def best_hand_view(state: State, facts: Facts, names: Mapping[str, str]) -> dict[str, Any]:
    def shown(hands: Iterable[ShownHand]) -> list[dict[str, Any]]:
        return [msgspec.to_builtins(hand) | {"name": named(hand.player, names)} for hand in hands]

    return {
        "pool": best_hand_pool(state),
        "hands": shown(best_of_night(state, facts)),
        "unread": shown(unread_hands(state, facts)),
        "won": state.prizes.best_hand,
    }
