"""Reads Open Hand History 1.4.6 (`ohh_format.py`): no-limit hold'em in whole chips, one JSON object a hand.

Players are numbered clockwise from the dealer's seat, so that the first left of the button is 1. Who has which
blind, and whether the ante was the big blind's for the table, follows from the posts; our own histories say it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import msgspec

from table_core.hand.seats import clockwise_from
from table_core.histories.amounts import AmountError, Unit
from table_core.histories.identifiers import GAME, ROOM, TOURNAMENT, TOURNAMENT_START
from table_core.histories.ohh_actions import OhhReader
from table_core.histories.ohh_format import UNKNOWN_START, Ohh, OhhFile
from table_core.histories.recorded import MOST_PLAYERS, HistoryError, RecordedHand, Where
from table_core.messages import Chips, Level, Seat

_NUMBER = re.compile(r"[0-9]{1,15}")
_GAMES = ("holdem", "texas holdem")
_BYTE = re.compile(r" \((?:byte|position) (\d+)\)")
_BEHIND = re.compile(rb"(?<=\})\s*\][\s,]*\}$")  # the end of what holds the list in which the hand lies
_DECODER = msgspec.json.Decoder(OhhFile, strict=False, float_hook=Decimal)  # some write numbers as texts


def ohh_hand(raw: bytes, file: str, line: int = 1, unit: Decimal | None = None) -> RecordedHand:
    """The one hand of a JSON text that begins in `line` of `file`. `unit` is the amount that is one chip
    (`amounts.Unit`). Raise `HistoryError` for a text that is no hand or a bad one."""
    return hand_of_ohh(_decoded(raw, file, line), file, line, unit)


def hand_of_ohh(ohh: Ohh, file: str, line: int, unit: Decimal | None) -> RecordedHand:
    """The hand in our own terms."""
    return _Hand(ohh, file, line, unit).recorded()


def _decoded(raw: bytes, file: str, line: int) -> Ohh:
    raw = _BEHIND.sub(b"", raw.rstrip(b" \t\r\n,]"))
    try:
        return _DECODER.decode(raw).ohh
    except msgspec.ValidationError as error:
        problem, _, where = str(error).partition(" - at `$")
        raise HistoryError(file, line, f"{where.strip('`.') or 'the hand'}: {problem}"[:400]) from error
    except RecursionError:
        raise HistoryError(file, line, "not JSON: nested too deep", "not JSON") from None
    except msgspec.DecodeError as error:
        found = _BYTE.search(str(error))
        at = int(found.group(1)) if found else 0
        problem = f"{_BYTE.sub('', str(error))} at {raw[at : at + 20].decode(errors='replace')!r}"
        if b'"ohh"' not in raw:
            problem = f'{problem}; expected {{"ohh": {{…}}}}'
        problem = f"not JSON: {problem}"[:400]
        raise HistoryError(file, line + raw.count(b"\n", 0, at), problem, "not JSON") from error


class _Hand:
    """One hand, from the format's parts to ours."""

    def __init__(self, ohh: Ohh, file: str, line: int, unit: Decimal | None) -> None:
        self._ohh = ohh
        self._file = file
        self._line = line
        self._unit = Unit(unit, _amounts(ohh))

    def recorded(self) -> RecordedHand:
        ohh = self._ohh
        game = f"{ohh.game_type} {ohh.bet_limit.bet_type}"
        if ohh.game_type.lower().replace("'", "") not in _GAMES or ohh.bet_limit.bet_type.upper() != "NL":
            problem = f"{game[:60]}; expected Holdem, and NL as bet_limit.bet_type"
            raise self._error("game_type", problem, f"another game: {game[:40]}")
        seated = [player for player in ohh.players if not player.is_sitting_out]
        taken = {player.seat for player in seated}
        if not 2 <= len(seated) <= MOST_PLAYERS or len(taken) < len(seated):
            expected = f"expected 2 to {MOST_PLAYERS}, each in a seat of their own"
            raise self._error("players", f"{len(seated)} players; {expected}")
        if len({player.id for player in seated}) < len(seated):
            raise self._error("players", "an id twice; expected one for each player")
        order = clockwise_from(Seat(ohh.dealer_seat), [Seat(player.seat) for player in seated])
        at = {player.seat: player for player in seated}
        players = [at[seat] for seat in order]
        stacks = [
            self._chips(f"players[{ohh.players.index(player)}].starting_stack", player.starting_stack)
            for player in players
        ]
        ids = {player.id: Seat(number) for number, player in enumerate(players, 1)}
        reader = OhhReader(ohh, ids, stacks, self._chips, self._error)
        reader.read()
        blinds = reader.blinds()
        return RecordedHand(
            file=self._file,
            hand=self._count(),
            players=tuple(player.name for player in players),
            starting_stacks=tuple(stacks),
            finishing_stacks=reader.finishing_stacks(),
            level=self._level(reader),
            button=Seat(len(players)),
            small_blind=blinds.small,
            big_blind=blinds.big,
            actions=tuple(reader.actions),
            hole_cards=reader.hole,
            board=reader.board,
            winners=reader.winners(),
            then=reader.then,
            extra_small_blinds=blinds.extra_small,
            extra_big_blinds=blinds.extra_big,
            dead=reader.dead(),
            winnings=reader.winnings(),
            rake=sum_of(self._chips(f"pots[{no}].rake", pot.rake or 0) for no, pot in enumerate(ohh.pots)),
            unit=str(self._unit.value),
            notes=tuple(reader.notes),
            where=self._where(order),
            more=self._numbers(),
        )

    def _count(self) -> int:
        """The number of the hand at its table, where the file says it."""
        number, ours = str(self._ohh.game_number), self._ohh.ours
        return (ours.hand if ours else 0) or (int(number) if _NUMBER.fullmatch(number) else 1)

    def _numbers(self) -> dict[str, Any]:
        """By which other programs know the hand (`identifiers.py`)."""
        ohh, event = self._ohh, self._ohh.tournament_info
        found = {GAME: str(ohh.game_number)} if str(ohh.game_number) != str(self._count()) else {}
        if event is not None and event.tournament_number not in ("", "0"):
            found |= {TOURNAMENT: event.tournament_number}
            found |= {TOURNAMENT_START: event.start_date_utc} if event.start_date_utc != UNKNOWN_START else {}
        found |= {ROOM: ohh.ours.room} if ohh.ours and ohh.ours.room else {}
        return {name: int(value) if _NUMBER.fullmatch(value) else value for name, value in found.items()}

    def _level(self, reader: OhhReader) -> Level:
        """The level as posted, where the file says it otherwise."""
        ohh = self._ohh
        said = (
            self._chips("small_blind_amount", ohh.small_blind_amount or 0),
            self._chips("big_blind_amount", ohh.big_blind_amount or 0),
        )
        small_blind, big_blind = reader.posted_blinds(said)
        if not big_blind:
            raise self._error("big_blind_amount", "0; expected the big blind in chips")
        ante, ours = self._chips("ante_amount", ohh.ante_amount or 0), ohh.ours
        if ours:
            return Level(ours.level, small_blind, big_blind, Chips(ours.ante), Chips(ours.big_blind_ante))
        each, of_big_blind = reader.posted_antes(ante)
        return Level(1, small_blind, big_blind, each, of_big_blind)

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

    def _chips(self, path: str, amount: Any) -> Chips:
        try:
            return self._unit.chips(amount)
        except AmountError as error:
            raise self._error(path, str(error), "amounts") from error

    def _error(self, path: str, problem: str, kind: str = "cannot be read") -> HistoryError:
        return HistoryError(self._file, self._line, f"ohh.{path}: {problem}"[:400], kind)


def sum_of(amounts: Iterator[Chips]) -> Chips:
    return Chips(sum(amounts))


def _amounts(ohh: Ohh) -> Iterator[Any]:
    yield from (ohh.small_blind_amount, ohh.big_blind_amount, ohh.ante_amount)
    yield from (player.starting_stack for player in ohh.players)
    yield from (action.amount for part in ohh.rounds for action in part.actions)
    for pot in ohh.pots:
        yield pot.rake
        yield from (win.win_amount for win in pot.player_wins)
