"""Checks an Open Hand History field by field against its specification, version 1.4.6
(https://hh-specs.handhistory.org): names, types, the words that a field may have, what must hold between fields.
It shares nothing with the writer."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from typing import Any, NamedTuple

Check = Callable[[Any], bool]


class Field(NamedTuple):
    """`expected` says in words what `check` asks; `required`: it may neither be left out nor be null."""

    check: Check
    expected: str
    required: bool = True


def _of(kind: type) -> Check:
    return lambda value: isinstance(value, kind) and not (kind is not bool and isinstance(value, bool))


def _one_of(*words: str) -> Check:
    return lambda value: value in words


def _version(value: Any) -> bool:
    return isinstance(value, str) and re.fullmatch(r"\d+\.\d+\.\d+", value) is not None


def _utc(value: Any) -> bool:
    if not (isinstance(value, str) and value.endswith("Z")):
        return False
    try:
        datetime.fromisoformat(value)
    except ValueError:
        return False
    return True


def _amount(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value >= 0


def _listed(check: Check) -> Check:
    return lambda value: isinstance(value, list) and all(map(check, value))


def _card(value: Any) -> bool:
    return isinstance(value, str) and re.fullmatch("[2-9TJQKA][hsdc]", value) is not None


TEXT, WHOLE, FLAG = (
    Field(_of(kind), name) for kind, name in ((str, "text"), (int, "a whole number"), (bool, "a bool"))
)
AMOUNT, VERSION, UTC = Field(_amount, "an amount"), Field(_version, "a version"), Field(_utc, "a time in UTC")
OBJECT, OBJECTS = Field(_of(dict), "an object"), Field(_listed(_of(dict)), "a list of objects")
CARDS = Field(_listed(_card), "a list of cards")
CURRENCY = Field(
    lambda value: isinstance(value, str) and re.fullmatch("[A-Z]{3}", value) is not None, "three letters"
)
GAMES = ("Holdem", "Omaha", "OmahaHiLo", "Stud", "StudHiLo", "Draw")
STREETS = ("Preflop", "Flop", "Turn", "River", "Showdown")
ACTIONS = (
    *("Dealt Cards", "Mucks Cards", "Shows Cards", "Post Ante", "Post SB", "Post BB", "Straddle", "Post Dead"),
    *("Post Extra Blind", "Fold", "Check", "Bet", "Raise", "Call", "Added Chips", "Sits Down", "Stands Up"),
)
HAND_FLAGS = ("Run_It_Twice", "Anonymous", "Observed", "Fast", "Cap", "Bomb_Pot")
EVENT_FLAGS = (
    *("SNG", "DON", "Bounty", "Shootout", "Rebuy", "Matrix", "Push_Or_Fold", "Satellite", "Steps", "Deep"),
    *("Multi-Entry", "Fifty50", "Flipout", "TripleUp", "Lottery", "Re-Entry", "Power_Up", "Progressive-Bounty"),
)
SPEEDS = ("Normal", "Semi-Turbo", "Turbo", "Super-Turbo", "Hyper-Turbo", "Ultra-Turbo")


def _maybe(field: Field) -> Field:
    return field._replace(required=False)


def _words(words: tuple[str, ...]) -> Field:
    return Field(_one_of(*words), f"one of {', '.join(words)}")


def _flags(words: tuple[str, ...]) -> Field:
    return Field(_listed(_one_of(*words)), f"a list of {', '.join(words)}", required=False)


HAND: Mapping[str, Field] = {
    "spec_version": VERSION,
    "site_name": TEXT,
    "network_name": TEXT,
    "internal_version": VERSION,
    "tournament": _maybe(FLAG),
    "tournament_info": _maybe(OBJECT),
    "game_number": TEXT,
    "start_date_utc": UTC,
    "table_name": TEXT,
    "table_handle": _maybe(TEXT),
    "table_skin": _maybe(TEXT),
    "game_type": _words(GAMES),
    "bet_limit": OBJECT,
    "table_size": WHOLE,
    "currency": CURRENCY,
    "dealer_seat": WHOLE,
    "small_blind_amount": AMOUNT,
    "big_blind_amount": AMOUNT,
    "ante_amount": _maybe(AMOUNT),
    "hero_player_id": _maybe(WHOLE),
    "flags": _flags(HAND_FLAGS),
    "players": OBJECTS,
    "rounds": OBJECTS,
    "pots": OBJECTS,
    "tournament_bounties": _maybe(OBJECTS),
    "tournament_rebuys": _maybe(OBJECTS),
}
BET_LIMIT = {"bet_type": _words(("NL", "PL", "FL")), "bet_cap": _maybe(AMOUNT)}
EVENT = {
    "tournament_number": TEXT,
    "name": TEXT,
    "start_date_utc": UTC,
    "currency": CURRENCY,
    "buyin_amount": AMOUNT,
    "fee_amount": AMOUNT,
    "bounty_fee_amount": _maybe(AMOUNT),
    "initial_stack": AMOUNT,
    "type": _words(("STT", "MTT")),
    "flags": _flags(EVENT_FLAGS),
    "speed": OBJECT,
}
SPEED = {"type": _words(SPEEDS), "round_time": WHOLE}
PLAYER = {
    "id": WHOLE,
    "seat": WHOLE,
    "name": TEXT,
    "display": _maybe(TEXT),
    "starting_stack": AMOUNT,
    "player_bounty": _maybe(AMOUNT),
    "is_sitting_out": _maybe(FLAG),
}
ROUND = {"id": WHOLE, "street": _words(STREETS), "cards": _maybe(CARDS), "actions": OBJECTS}
ACTION = {
    "action_number": WHOLE,
    "player_id": _maybe(WHOLE),
    "action": _words(ACTIONS),
    "amount": _maybe(AMOUNT),
    "is_allin": _maybe(FLAG),
    "cards": _maybe(CARDS),
}
POT = {
    "number": WHOLE,
    "amount": AMOUNT,
    "rake": _maybe(AMOUNT),
    "jackpot": _maybe(AMOUNT),
    "player_wins": _maybe(OBJECTS),
}
WIN = {
    "player_id": WHOLE,
    "win_amount": AMOUNT,
    "cashout_amount": _maybe(AMOUNT),
    "cashout_fee": _maybe(AMOUNT),
    "bonus_amount": _maybe(AMOUNT),
    "contributed_rake": _maybe(AMOUNT),
}
WITH_CARDS = ("Dealt Cards", "Shows Cards")


def faults(content: Any) -> list[str]:
    """What of one JSON object of a file is not as the specification has it, each with its path; [] for none."""
    if not isinstance(content, dict) or content.keys() != {"ohh"} or not isinstance(content["ohh"], dict):
        return ['the object: expected {"ohh": {…}} and nothing beside it']
    hand = content["ohh"]
    found = list(_shape(hand))
    return found or list(_sense(hand))


def _shape(hand: Mapping[str, Any]) -> Iterator[str]:
    yield from _object(hand, HAND, "ohh")
    yield from _object(hand.get("bet_limit"), BET_LIMIT, "ohh.bet_limit")
    event = hand.get("tournament_info")
    if event is not None:
        yield from _object(event, EVENT, "ohh.tournament_info")
        yield from _object(_get(event, "speed"), SPEED, "ohh.tournament_info.speed")
    for no, player in _entries(hand, "players"):
        yield from _object(player, PLAYER, f"ohh.players[{no}]")
    for no, round_ in _entries(hand, "rounds"):
        yield from _object(round_, ROUND, f"ohh.rounds[{no}]")
        for at, action in _entries(round_, "actions"):
            yield from _object(action, ACTION, f"ohh.rounds[{no}].actions[{at}]")
    for no, pot in _entries(hand, "pots"):
        yield from _object(pot, POT, f"ohh.pots[{no}]")
        for at, win in _entries(pot, "player_wins"):
            yield from _object(win, WIN, f"ohh.pots[{no}].player_wins[{at}]")


def _object(value: Any, fields: Mapping[str, Field], path: str) -> Iterator[str]:
    if not isinstance(value, dict):
        yield f"{path}: {value!r}; expected an object"
        return
    for name, field in fields.items():
        if value.get(name) is None:
            if field.required:
                yield f"{path}.{name}: missing; expected {field.expected}"
        elif not field.check(value[name]):
            yield f"{path}.{name}: {value[name]!r}; expected {field.expected}"
    yield from (
        f"{path}.{name}: no such field" for name in value if name not in fields and not name.startswith("_")
    )


def _get(value: Any, name: str) -> Any:
    return value.get(name) if isinstance(value, dict) else None


def _entries(value: Any, name: str) -> Iterator[tuple[int, Any]]:
    found = _get(value, name)
    yield from enumerate(found if isinstance(found, list) else ())


def _sense(hand: Mapping[str, Any]) -> Iterator[str]:
    """What must hold between fields."""
    players, rounds = hand["players"], hand["rounds"]
    ids = [player["id"] for player in players]
    if len(set(ids)) < len(ids) or len({player["seat"] for player in players}) < len(players):
        yield "ohh.players: an id or a seat twice"
    if max((player["seat"] for player in players), default=0) > hand["table_size"]:
        yield "ohh.table_size: a player sits behind it"
    if not 1 <= hand["dealer_seat"] <= hand["table_size"]:
        yield "ohh.dealer_seat: no seat of the table"
    if hand.get("tournament") and hand.get("tournament_info") is None:
        yield "ohh.tournament_info: missing; expected that of the tournament"
    if hand.get("hero_player_id") is None and "Observed" not in (hand.get("flags") or ()):
        yield "ohh.flags: no hero; expected Observed"
    if not rounds or (rounds[0]["id"], rounds[0]["street"]) != (0, "Preflop"):
        yield "ohh.rounds[0]: expected round 0, Preflop"
    if [round_["id"] for round_ in rounds] != list(range(len(rounds))):
        yield "ohh.rounds: expected ids 0, 1, 2 …"
    for no, round_ in enumerate(rounds):
        if [action["action_number"] for action in round_["actions"]] != list(range(len(round_["actions"]))):
            yield f"ohh.rounds[{no}].actions: expected action_number 0, 1, 2 …"
        for action in round_["actions"]:
            path = f"ohh.rounds[{no}].actions[{action['action_number']}]"
            if action.get("player_id") not in ids:
                yield f"{path}.player_id: no such player"
            if round_["street"] == "Preflop" and action["action"] == "Bet":
                yield f"{path}.action: Bet before the flop"
            if action["action"] == "Shows Cards" and round_["street"] != "Showdown":
                yield f"{path}.action: cards are shown in the round Showdown"
            if action["action"] in WITH_CARDS and not isinstance(action.get("cards"), list):
                yield f"{path}.cards: missing"
    shown = [card for round_ in rounds for card in round_.get("cards") or ()]
    if len(set(shown)) < len(shown):
        yield "ohh.rounds: a card of the board twice"
    for no, pot in enumerate(hand["pots"]):
        won = sum(win["win_amount"] for win in pot.get("player_wins") or ())
        if won > pot["amount"] - (pot.get("rake") or 0):
            yield f"ohh.pots[{no}]: {won} is won of {pot['amount']}"
