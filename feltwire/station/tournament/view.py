"""The tournament as JSON, for the director's page and for other programs."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

import msgspec

from feltwire.station.tournament.seat_orders import Seen, chips_on_order
from feltwire.station.tournament.table_watch import TableWatch
from feltwire.station.tournament.words import named, words
from table_core.notices import PenaltyKind
from table_core.projections.room import Field
from table_core.reference import notices_of
from table_core.rulebook import BASE, Rulebook
from table_core.tournament.chips.account import chip_account, chip_set
from table_core.tournament.chips.counts import count_items, counts_asked
from table_core.tournament.events import Instant, Undone
from table_core.tournament.field.absences import absences
from table_core.tournament.field.entries import buy_in, late_penalties
from table_core.tournament.field.rebuys import may_rebuy
from table_core.tournament.field.waiting_list import guaranteed, lock_outs, places
from table_core.tournament.money.best_hand import best_hand_pool, best_of_night
from table_core.tournament.money.bounties import bounty_price
from table_core.tournament.money.league import credited
from table_core.tournament.money.prizes import (
    ROUNDING,
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
    seat_prize,
    taken_in,
)
from table_core.tournament.night import Night
from table_core.tournament.penalties import ENDS_THE_EVENT, merges_missed, time_outs
from table_core.tournament.schedule import projected_end
from table_core.tournament.seats.balance import balance, overtaken, table_to_break
from table_core.tournament.seats.button import buttons_to_draw, dealer
from table_core.tournament.state import Facts, State, Status, TableSeats

LOG_SHOWN = 100  # records, the newest first


def tournament_view(
    night: Night, names: Mapping[str, str], facts: Facts, seen: Seen, now: Instant
) -> dict[str, Any]:
    """Field, seats, moves, proposals, what is pending and the log. Times are wall time in ms since 1970."""
    state = night.state
    shown: dict[str, Any] = {"open": state.opened, "names": dict(names)}
    if not state.opened:
        return shown
    outs = time_outs(state, now, facts)
    return (
        shown
        | _event(state, facts, now)
        | _of_the_book(state.book)
        | {
            "field": _field(night, facts, names),
            "tables": [_table(state, table, facts, seen.watches, names) for table in state.seats.tables.values()],
            "moves": _moves(state, names),
            "proposals": _proposals(state, facts, names, now),
            "penalties": _penalties(state),
            "busts": _busts(state, facts, names, now),
            "time_outs": [msgspec.to_builtins(one) | {"name": named(one.player, names)} for one in outs],
            "money": _money(night, facts),
            "best_hand": _best_hand(state, facts, names),
            "chips": _chips(night, facts, seen, names, now),
            "log": _log(night, names),
        }
    )


def _event(state: State, facts: Facts, now: Instant) -> dict[str, Any]:
    """The event as a whole; `ends`: when it is expected to end, while its clock runs."""
    clock, account = state.clock, chip_account(state, facts)
    ends = None
    if clock is not None and clock.mark.running and clock.mark.boot == now.boot:
        ends = now.wall + projected_end(clock, now.at, account.issued - account.removed) - now.at
    return {
        "name": state.name,
        "rulebook": state.book.id,
        "seed": state.seed,
        "starts": state.starts,
        "started": state.started and state.started.wall,
        "finished": state.finished and state.finished.wall,
        "ends": ends,
        "players_left": state.field.playing,
        "places": msgspec.to_builtins(places(state)),
    }


def _of_the_book(book: Rulebook) -> dict[str, Any]:
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
        "reasons": reasons(book),
        "penalty_kinds": list(PenaltyKind),
    }


def _field(night: Night, facts: Facts, names: Mapping[str, str]) -> list[dict[str, Any]]:
    state = night.state
    return [
        msgspec.to_builtins(entrant)
        | {
            "name": named(player, names),
            "guaranteed": guaranteed(state, entrant),
            "credited": credited(state, entrant),
        }
        | _seat(night, player, facts)
        for player, entrant in state.field.entrants.items()
    ]


def _moves(state: State, names: Mapping[str, str]) -> list[dict[str, Any]]:
    no_longer = overtaken(state)
    return [
        msgspec.to_builtins(move.ordered)
        | {
            "stage": move.stage,
            "rack": move.rack,
            "name": named(move.ordered.player, names),
            "overtaken": id_ in no_longer,
        }
        for id_, move in state.seats.moves.items()
    ]


def _proposals(state: State, facts: Facts, names: Mapping[str, str], now: Instant) -> dict[str, Any]:
    clock, breaking = state.clock, table_to_break(state, facts)
    playing = clock is not None and state.started is not None and clock.mark.boot == now.boot
    level = clock.playing_level(now.at).no if clock is not None and playing else 0
    return {
        "moves": [_proposed(move, state, names) for move in balance(state, facts)],
        "break": breaking and _proposed(breaking, state, names),
        "absences": [_proposed(one, state, names) for one in absences(state, now, facts)],
        "late_penalties": [_proposed(one, state, names) for one in late_penalties(state, level, facts)],
        "merges_missed": [_proposed(one, state, names) for one in merges_missed(state, now, facts)],
        "lock_outs": lock_outs(state, now),
        "buttons": buttons_to_draw(state),
    }


def _busts(state: State, facts: Facts, names: Mapping[str, str], now: Instant) -> list[dict[str, Any]]:
    return [
        msgspec.to_builtins(bust)
        | {
            "names": [named(out.player, names) for out in bust.out],
            "may_rebuy": [out.player for out in bust.out if may_rebuy(state, out.player, now, facts)],
        }
        for bust in state.field.busts.values()
    ]


def _best_hand(state: State, facts: Facts, names: Mapping[str, str]) -> dict[str, Any]:
    hands = best_of_night(state, facts)
    return {
        "pool": best_hand_pool(state),
        "hands": [msgspec.to_builtins(hand) | {"name": named(hand.player, names)} for hand in hands],
        "won": state.prizes.best_hand,
    }


def _proposed(proposal: Any, state: State, names: Mapping[str, str]) -> dict[str, Any]:
    """A proposal; `silent` says where its rule is usual practice and not the book's."""
    plain = dict(msgspec.to_builtins(proposal))
    plain["silent"] = state.book.tournament_practice(plain.get("rule", ""))
    return plain | ({"name": named(plain["player"], names)} if "player" in plain else {})


def reasons(book: Rulebook) -> list[dict[str, Any]]:
    """What penalties are given for under the book, with what it has for each; `choice`: a person chooses."""
    minor, major = book.tournament.penalty_ladder.value, book.tournament.major_penalties.value
    return [
        {
            "name": name,
            "rule": reason.rule,
            "also": reason.also,
            "major": reason.major,
            "outcomes": reason.ladder or (major if reason.major else minor),
            "choice": reason.major and not reason.ladder,
            "origin": "book" if name in book.spoken and book.id != BASE else "base",
        }
        for name, reason in book.reasons.items()
    ]


def _penalties(state: State) -> dict[str, list[dict[str, Any]]]:
    """The history of each player who has one, earlier events first."""
    found: dict[str, list[dict[str, Any]]] = {}
    for filed in state.penalties.on_file:
        found.setdefault(filed.player, []).append(msgspec.to_builtins(filed))
    for given in state.penalties.given.values():
        served = given.penalty not in state.penalties.since or given.kind in ENDS_THE_EVENT
        shown = msgspec.to_builtins(given) | {"day": state.day, "open": not served}
        found.setdefault(given.player, []).append(shown)
    return found


def _chips(night: Night, facts: Facts, seen: Seen, names: Mapping[str, str], now: Instant) -> dict[str, Any]:
    """The account; what tables are being told of is `on_order`, and not missing."""
    state, carried = night.state, chip_set(night.state)
    on_order = chips_on_order(state, seen, facts)
    account: dict[str, Any] = msgspec.to_builtins(chip_account(state, facts))
    return account | {
        "on_order": on_order,
        "missing": account["missing"] - on_order,
        "to_count": msgspec.to_builtins(counts_asked(state, facts, now)),
        "set": carried and msgspec.to_builtins(carried),
        "items": [
            msgspec.to_builtins(item) | {"name": named(item.player, names), "hands": item.hands()}
            for item in count_items(state, facts)
        ],
    }


def _money(night: Night, facts: Facts) -> dict[str, Any]:
    """Cents."""
    state = night.state
    book = state.book.tournament
    stacks = {
        player: int(facts[at.table].stacks.get(at.seat, 0))
        for player, at in state.seats.at.items()
        if at.table in facts
    }
    return {
        "taken_in": taken_in(state),
        "pool": pool(state),
        "purse": purse(state),
        "championship": championship(state),
        "payouts": payouts(state),
        "left": left_to_play_for(state),
        "until_the_money": bubble(state),
        "min_cash": next((pays for pays in reversed(payouts(state)) if pays), 0),
        "owed": owed(state),
        "owed_for_rebuys": {name: one.owes for name, one in state.field.entrants.items() if one.owes is not None},
        "buy_in": buy_in(state),
        "bounty_price": bounty_price(state),
        "rounding": ROUNDING,
        "fees": fees_taken(state),
        "add_on": book.add_on is not None and book.add_on.value,
        "seat_prizes": {name: to for name in owed(state) if (to := seat_prize(state, name))},
        "knockouts": state.field.knockouts,
        "bounties": msgspec.to_builtins(state.bounties),
        "paid": state.prizes.paid,
        "cash_expected": cash_expected(state),
        "cash_counted": state.prizes.counted,
        "deals": proposed_deals(state, stacks) if stacks else {},
    }


def _seat(night: Night, player: str, facts: Facts) -> dict[str, Any]:
    at = night.state.seats.at.get(player)
    if at is None:
        return {"table": None, "seat": None, "stack": None}
    fact = facts.get(at.table)
    return {"table": at.table, "seat": at.seat, "stack": fact.stacks.get(at.seat) if fact is not None else None}


def _table(
    state: State, table: TableSeats, facts: Facts, watches: Mapping[str, TableWatch], names: Mapping[str, str]
) -> dict[str, Any]:
    name = table.plan.table
    fact, watch = facts.get(name), watches.get(name)
    sits = {seat: held.player for seat, held in watch.sits().items()} if watch is not None and watch.draw else {}
    seats = [
        {
            "seat": seat,
            "player": player,
            "name": named(player, names),
            "there": sits.get(seat) == player,
            "vacated": state.field.entrants[player].status is Status.BUSTED,
        }
        for seat, player in sorted(table.players.items())
    ]
    return {
        "table": name,
        "open": table.open,
        "seats": seats,
        "free": table.free(),
        "reserved": {str(seat): player for seat, player in table.reserved.items()},
        "waits": fact.waits if fact is not None else (),
        "smallest_chip": watch.smallest_chip if watch is not None else 0,
        "button": table.button,
        "dealer": dealer(state, table, facts),
        "facts": fact and msgspec.to_builtins(msgspec.structs.replace(fact, shown=(), counts=())),
    }


def _log(night: Night, names: Mapping[str, str]) -> list[dict[str, Any]]:
    newest = night.records[: -LOG_SHOWN - 1 : -1]
    undone = {no for one in night.records if isinstance(one.event, Undone) for no in one.event.records}
    shown = {record.command for record in newest if record.command}
    together: dict[str, list[str]] = {command: [] for command in shown}  # what an undo takes back with a record
    for record in night.records:
        if record.command in shown and record.no not in undone:
            together[record.command].append(words(record.event, names))
    return [
        {
            "no": record.no,
            "at": record.at.wall,
            "by": record.by,
            "text": words(record.event, names),
            "event": msgspec.to_builtins(record.event),
            "undone": record.no in undone,
            "with": together[record.command] if record.command else [words(record.event, names)],
            "can_undo": record.no not in undone and not isinstance(record.event, Undone),
        }
        for record in newest
    ]


def field_of_night(night: Night) -> Field | None:
    """The field for clocks and screens; None before anybody has entered."""
    entrants = [one for one in night.state.field.entrants.values() if one.entries]
    if not entrants:
        return None
    left = [one for one in entrants if one.status in (Status.PLAYING, Status.BUSTED)]
    chips = sum(one.chips for one in entrants) - sum(one.removed for one in entrants)
    return Field(players=len(left), chips=chips, entrants=sum(one.entries for one in entrants))


def posted(night: Night, field: Field) -> Field:
    """`field` with what the clock posts of the money (ccp.buyin.1, ccp.payout.2)."""
    state = night.state
    shown = state.book.tournament.money_posted
    if not state.opened or (shown is not None and not shown.value):
        return field
    return dataclasses.replace(field, buy_in=buy_in(state), payouts=tuple(filter(None, payouts(state))))
