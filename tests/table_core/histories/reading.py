"""Hands of a text, as tests want them: all, or the first refusal."""

from __future__ import annotations

from table_core.histories.pieces import Form
from table_core.histories.reading import read_hands
from table_core.histories.recorded import HistoryError, RecordedHand


def parse(form: Form, text: str, file: str) -> tuple[RecordedHand, ...]:
    hands = []
    for hand in read_hands(form, [text.encode()], file):
        if isinstance(hand, HistoryError):
            raise hand
        hands.append(hand)
    return tuple(hands)


def parse_phh(text: str, file: str) -> tuple[RecordedHand, ...]:
    return parse(Form.PHH, text, file)


def parse_ohh(text: str, file: str) -> tuple[RecordedHand, ...]:
    return parse(Form.OHH, text, file)
