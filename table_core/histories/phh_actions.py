"""Reads the actions of a PHH hand, one entry at a time, and remembers what was dealt."""

from __future__ import annotations

import re

from table_core.cards import find_card
from table_core.histories.amounts import AmountError, Unit
from table_core.histories.recorded import ActionKind, HistoryError, RecordedAction
from table_core.messages import UNKNOWN_CARD, CardText, Seat

_SECOND_BOARD = "board cards behind the river: the board was run twice; expected one board"
_EXPECTED = "'d dh pN CARDS', 'd db CARDS', 'pN f', 'pN cc', 'pN cbr AMOUNT', 'pN sm' or 'pN sm CARDS'"


class ActionReader:
    """Feed it every entry in order. `hole` and `board` hold the cards so far."""

    def __init__(self, file: str, players: int, unit: Unit, *, unread_win: bool = False) -> None:
        """`unread_win`: a hand of which no card is known may have won by the dealer's word."""
        self._file = file
        self._players = players
        self._unit = unit
        self._unread_win = unread_win
        self.shown: set[Seat] = set()  # with both cards
        self.hole: dict[Seat, tuple[CardText, ...]] = {}
        self.board: tuple[CardText, ...] = ()

    def read(self, number: int, line: int | None, text: str) -> RecordedAction | None:
        """The entry, None for one that is only a comment. Raise `HistoryError` for one that cannot be."""
        words = text.split("#", 1)[0].split()
        players = self._players
        if not words:
            return None

        def wrong(problem: str, kind: str = "cannot be read") -> HistoryError:
            return HistoryError(self._file, line, f"action {number} {text[:80]!r}: {problem}", kind)

        def seat(word: str) -> Seat:
            if not re.fullmatch(r"p[1-9]\d?", word) or int(word[1:]) > players:
                raise wrong(f"no player {word!r}; expected p1 to p{players}")
            return Seat(int(word[1:]))

        def cards(word: str) -> tuple[CardText, ...]:
            found = tuple(word[start : start + 2] for start in range(0, len(word), 2))
            for card in found:
                if card != UNKNOWN_CARD and find_card(card) is None:
                    raise wrong(f"{card!r} is not a card; expected cards such as 'AhKd', '??' for one not known")
            return found

        match words:
            case ["d", "dh", player, word]:
                action = RecordedAction(number, line, text, ActionKind.DEAL_HOLE, seat(player), cards(word))
                problem = self._deal_hole(seat(player), action.cards)
            case ["d", "db", word]:
                action = RecordedAction(number, line, text, ActionKind.DEAL_BOARD, None, cards(word))
                problem = self._deal_board(action.cards)
            case [player, "f"]:
                return RecordedAction(number, line, text, ActionKind.FOLD, seat(player))
            case [player, "cc"]:
                return RecordedAction(number, line, text, ActionKind.CHECK_OR_CALL, seat(player))
            case [player, "cbr", amount]:
                try:
                    to = self._unit.chips(amount)
                except AmountError as error:
                    raise wrong(f"after cbr {error}", "amounts") from error
                return RecordedAction(number, line, text, ActionKind.BET_OR_RAISE, seat(player), (), to)
            case [player, "sm"]:
                return RecordedAction(number, line, text, ActionKind.MUCK, seat(player))
            case [player, "sm", "????"] if not self._unread_win:  # at the showdown, and nobody knows with what
                return RecordedAction(number, line, text, ActionKind.MUCK, seat(player))
            case [player, "sm", word]:
                found = cards(word)
                found = (*found, UNKNOWN_CARD) if len(found) == 1 else found
                action = RecordedAction(number, line, text, ActionKind.SHOW, seat(player), found)
                problem = self._show(seat(player), action.cards)
            case _:
                raise wrong(f"expected {_EXPECTED}")
        if problem:
            raise wrong(problem, "run it twice" if problem == _SECOND_BOARD else "cards")
        return action

    def _deal_hole(self, seat: Seat, cards: tuple[CardText, ...]) -> str | None:
        if seat in self.hole:
            return f"p{seat} was dealt {''.join(self.hole[seat])} already"
        if len(cards) != 2:
            return f"{len(cards)} hole cards; expected 2"
        problem = self._seen(cards)
        self.hole[seat] = cards
        return problem

    def _deal_board(self, cards: tuple[CardText, ...]) -> str | None:
        due = 1 if self.board else 3
        if len(self.board) == 5:
            return _SECOND_BOARD
        if len(cards) != due:
            return f"{len(cards)} board cards; expected {due}"
        problem = self._seen(cards)
        self.board += cards
        return problem

    def _show(self, seat: Seat, cards: tuple[CardText, ...]) -> str | None:
        """Shown cards must be the dealt ones, and fill in those that the deal does not know."""
        dealt = self.hole.get(seat, (UNKNOWN_CARD, UNKNOWN_CARD))
        if len(cards) != 2:
            return f"{len(cards)} cards shown; expected 2"
        if UNKNOWN_CARD not in dealt and UNKNOWN_CARD not in cards and set(dealt) != set(cards):
            return f"p{seat} was dealt {''.join(dealt)}; expected these cards"
        if UNKNOWN_CARD in dealt:
            problem = self._seen(tuple(card for card in cards if card not in dealt))
            self.hole[seat] = cards
            self._note_shown(seat)
            return problem
        self._note_shown(seat)
        return None

    def _note_shown(self, seat: Seat) -> None:
        if UNKNOWN_CARD not in self.hole.get(seat, (UNKNOWN_CARD,)):
            self.shown.add(seat)

    def _seen(self, cards: tuple[CardText, ...]) -> str | None:
        """What is wrong when a card is dealt a second time."""
        before = [card for hole in self.hole.values() for card in hole] + list(self.board)
        for card in cards:
            if card != UNKNOWN_CARD and card in before:
                return f"{card} was dealt before; expected each card once"
            before.append(card)
        return None
