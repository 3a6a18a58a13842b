"""Reads Open Hand History 1.4.6 (`ohh_format.py`): no-limit hold'em in whole chips, one JSON object a hand.

Players are numbered clockwise from the dealer's seat, so that the first left of the button is 1. Who has which
blind, and whether the ante was the big blind's for the table, follows from the posts; our own histories say it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from table_core.hand.seats import clockwise_from
from table_core.histories.ohh_actions import OhhReader
from table_core.histories.ohh_format import UNKNOWN_START, Ohh, OhhFile
from table_core.histories.recorded import HistoryError, RecordedHand, Where
from table_core.messages import Chips, Level, Seat

_GAMES = ("holdem", "texas holdem")


def read_ohh(path: Path, name: str | None = None) -> tuple[RecordedHand, ...]:
    """Every hand of a file. Raise `HistoryError` with `name` (default: the path), line and JSON path."""
    file = str(path) if name is None else name
    try:
        text = path.read_text("utf-8")
    except UnicodeDecodeError as error:
        raise HistoryError(file, None, "not UTF-8 text; expected an Open Hand History") from error
    except OSError as error:
        raise HistoryError(file, None, f"cannot be read: {error.strerror}") from error
    return parse_ohh(text, file)


def parse_ohh(text: str, file: str) -> tuple[RecordedHand, ...]:
    """Every hand of a text; `file` is its name in errors, with `#n` added where it holds several hands.

    Raise `HistoryError` for a text that holds no hand or a bad one.
    """
    found = list(_objects(text, file))
    if not found:
        raise HistoryError(file, 1, 'no hand; expected {"ohh": {…}}')
    several = len(found) > 1
    return tuple(
        _hand(content, f"{file}#{number}" if several else file, line)
        for number, (line, content) in enumerate(found, 1)
    )


def _objects(text: str, file: str) -> Iterator[tuple[int, Any]]:
    """The JSON values of a text, one after another, each with the line that it begins on."""
    decoder, at = json.JSONDecoder(), 0
    while at < len(text):
        if text[at].isspace():
            at += 1
            continue
        line = text.count("\n", 0, at) + 1
        try:
            value, at = decoder.raw_decode(text, at)
        except json.JSONDecodeError as error:
            raise HistoryError(file, error.lineno, f"not JSON: {error.msg}") from error
        except (RecursionError, ValueError):  # an int of thousands of digits
            raise HistoryError(file, line, "not JSON: nested too deep, or a number too long") from None
        yield line, value


def _hand(content: Any, file: str, line: int) -> RecordedHand:
    try:
        ohh = msgspec.convert(content, OhhFile).ohh
    except msgspec.ValidationError as error:
        problem, _, where = str(error).partition(" - at `$")
        raise HistoryError(file, line, f"{where.strip('`.') or 'the hand'}: {problem}") from error
    return _Hand(ohh, file, line).recorded()


class _Hand:
    """One hand, from the format's parts to ours."""

    def __init__(self, ohh: Ohh, file: str, line: int) -> None:
        self._ohh = ohh
        self._file = file
        self._line = line

    def recorded(self) -> RecordedHand:
        ohh = self._ohh
        if ohh.game_type.lower().replace("'", "") not in _GAMES or ohh.bet_limit.bet_type.upper() != "NL":
            found = f"{ohh.game_type} {ohh.bet_limit.bet_type}"
            raise self._error("game_type", f"{found}; expected Holdem, and NL as bet_limit.bet_type")
        seated = [player for player in ohh.players if not player.is_sitting_out]
        if len(seated) < 2 or len({player.seat for player in seated}) < len(seated):
            raise self._error(
                "players", f"{len(seated)} players; expected two or more, each in a seat of their own"
            )
        order = clockwise_from(Seat(ohh.dealer_seat), [Seat(player.seat) for player in seated])
        at = {player.seat: player for player in seated}
        players = [at[seat] for seat in order]
        stacks = [
            self._chips(f"players[{ohh.players.index(player)}].starting_stack", player.starting_stack)
            for player in players
        ]
        ids = {player.id: Seat(number) for number, player in enumerate(players, 1)}
        reader = OhhReader(ohh, ids, stacks, self._error)
        reader.read()
        small_blind, big_blind = reader.blinds()
        return RecordedHand(
            file=self._file,
            hand=int(ohh.game_number) if ohh.game_number.isdecimal() else 1,
            players=tuple(player.name for player in players),
            starting_stacks=tuple(stacks),
            finishing_stacks=reader.finishing_stacks(),
            level=self._level(reader.big_blind_ante(big_blind)),
            button=Seat(len(players)),
            small_blind=small_blind,
            big_blind=big_blind,
            actions=tuple(reader.actions),
            hole_cards=reader.hole,
            board=reader.board,
            winners=reader.winners(),
            where=self._where(order),
            more={} if ohh.game_number.isdecimal() else {"_game_number": ohh.game_number},
        )

    def _level(self, big_blind_ante: bool) -> Level:
        ohh = self._ohh
        small_blind = self._chips("small_blind_amount", ohh.small_blind_amount)
        big_blind = self._chips("big_blind_amount", ohh.big_blind_amount)
        if not big_blind:
            raise self._error("big_blind_amount", "0; expected the big blind in chips")
        ante = self._chips("ante_amount", ohh.ante_amount or 0)
        if ohh.ours:
            ours = ohh.ours
            return Level(ours.level, small_blind, big_blind, Chips(ours.ante), Chips(ours.big_blind_ante))
        if big_blind_ante:
            return Level(1, small_blind, big_blind, big_blind_ante=ante)
        return Level(1, small_blind, big_blind, ante)

    def _where(self, order: tuple[Seat, ...]) -> Where:
        ohh = self._ohh
        return Where(
            event=ohh.tournament_info.name if ohh.tournament_info else "",
            table=ohh.table_name,
            seat_count=ohh.table_size,
            seats=order,
            button=None if ohh.dealer_seat in order else Seat(ohh.dealer_seat),
            started="" if ohh.start_date_utc == UNKNOWN_START else ohh.start_date_utc,
        )

    def _chips(self, path: str, amount: float) -> Chips:
        if amount < 0 or amount != int(amount):
            raise self._error(path, f"{amount}; expected a whole number of chips")
        return Chips(int(amount))

    def _error(self, path: str, problem: str) -> HistoryError:
        return HistoryError(self._file, self._line, f"ohh.{path}: {problem}")
