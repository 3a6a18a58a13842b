"""Writes PHH, the poker hand history format in TOML (`phh.py` reads it and says how players are numbered).

What the format has no field for goes into fields of our own, which begin with an underscore as the format wants:
`_button` (the disc lies at a seat where nobody was dealt in), `_small_blind` (the level's small blind in a hand
where nobody owed it), `_winners` (pots awarded by the dealer's word).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any

from table_core.histories.recorded import ActionKind, RecordedAction, RecordedHand
from table_core.histories.toml_text import toml_key, toml_line, toml_string
from table_core.messages import Chips, Seat


def phh_text(hand: RecordedHand) -> str:
    """One hand as a `.phh` file."""
    return "\n".join([*_lines(hand), ""])


def phhs_text(hands: Iterable[RecordedHand]) -> str:
    """Several hands as a `.phhs` file, in sections counted from 1."""
    sections = ("\n".join([f"[{toml_key(str(no))}]", *_lines(hand), ""]) for no, hand in enumerate(hands, 1))
    return "\n".join(sections)


def action_text(action: RecordedAction) -> str:
    """`"p3 cbr 600"`; a comment that the file had behind the action stays."""
    cards = "".join(action.cards)
    match action.kind:
        case ActionKind.DEAL_HOLE:
            text = f"d dh p{action.seat} {cards}"
        case ActionKind.DEAL_BOARD:
            text = f"d db {cards}"
        case ActionKind.FOLD:
            text = f"p{action.seat} f"
        case ActionKind.CHECK_OR_CALL:
            text = f"p{action.seat} cc"
        case ActionKind.BET_OR_RAISE:
            text = f"p{action.seat} cbr {action.to}"
        case ActionKind.SHOW:
            text = f"p{action.seat} sm {cards}"
        case ActionKind.MUCK:
            text = f"p{action.seat} sm"
    _, mark, comment = action.text.partition("#")
    return f"{text} #{comment}" if mark else text


def list_order(players: int) -> tuple[Seat, ...]:
    """Whose ante and blind stands where in the file's lists: heads-up the small blind, `p2`, comes first."""
    return (Seat(2), Seat(1)) if players == 2 else tuple(Seat(number) for number in range(1, players + 1))


def trims_antes(hand_has_big_blind_ante: bool) -> bool:
    """The usual `ante_trimming_status`: uneven antes are not cut to the smallest when one player pays for all."""
    return not hand_has_big_blind_ante


def _lines(hand: RecordedHand) -> Iterator[str]:
    yield toml_line("variant", "NT")
    more = dict(hand.more)
    level, order = hand.level, list_order(len(hand.players))
    yield toml_line(
        "ante_trimming_status", more.pop("ante_trimming_status", trims_antes(level.big_blind_ante > 0))
    )
    blinds = {hand.big_blind: level.big_blind}
    if hand.small_blind is not None:
        blinds[hand.small_blind] = level.small_blind
    antes = {hand.big_blind: Chips(level.ante + level.big_blind_ante)}
    yield toml_line("antes", [antes.get(seat, level.ante) for seat in order])
    yield toml_line("blinds_or_straddles", [blinds.get(seat, 0) for seat in order])
    yield toml_line("min_bet", more.pop("min_bet", level.big_blind))
    yield toml_line("starting_stacks", hand.starting_stacks)
    yield "actions = ["
    yield from (f"  {toml_string(action_text(action))}," for action in hand.actions)
    yield "]"
    yield from (toml_line(key, value) for key, value in _described(hand).items())
    yield from (toml_line(key, value) for key, value in more.items())


def _described(hand: RecordedHand) -> dict[str, Any]:
    """The optional fields."""
    where, level = hand.where, hand.level
    fields: dict[str, Any] = {"hand": hand.hand, "players": hand.players}
    if hand.finishing_stacks is not None:
        fields["finishing_stacks"] = hand.finishing_stacks
    if level.no != 1:
        fields["level"] = level.no
    if where.started:
        began = datetime.fromisoformat(where.started)
        fields |= {"time": began.time(), "time_zone": "UTC"}
        fields |= {"day": began.day, "month": began.month, "year": began.year}
    optional = {
        "event": where.event,
        "table": where.table,
        "seats": where.seats,
        "seat_count": where.seat_count,
        "_button": where.button,
        "_small_blind": level.small_blind if hand.small_blind is None else 0,
        "_winners": hand.winners,
    }
    return fields | {key: value for key, value in optional.items() if value}
