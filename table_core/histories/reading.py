"""Reads the hands of a file one by one: each is a hand, or the reason why it is none."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from decimal import Decimal

from msgspec.structs import replace

from table_core.foreign_text import ForeignTextError, read_text
from table_core.histories.ohh import ohh_hand
from table_core.histories.phh import phh_hand
from table_core.histories.pieces import MOST_BYTES, Form, Piece, pieces_of
from table_core.histories.recorded import HistoryError, RecordedHand, without_idle_shows
from table_core.histories.stars_read import stars_hand


def read_hands(
    form: Form, blocks: Iterable[bytes], file: str, unit: Decimal | None = None
) -> Iterator[RecordedHand | HistoryError]:
    """Each hand of a file, in its order. `blocks` are its bytes (`pieces.blocks_of`), `file` is its name in
    errors, `unit` the amount that is one chip (`amounts.Unit`)."""
    for piece in pieces_of(form, blocks):
        try:
            yield read_piece(piece, file, unit)
        except HistoryError as error:
            yield error


def read_piece(piece: Piece, file: str, unit: Decimal | None = None) -> RecordedHand:
    """The hand of a piece. `#n` is added to the name of a file that holds several. Raise `HistoryError`."""
    name = name_of(piece, file)
    if not piece.raw:
        raise HistoryError(name, 1, f"no hand; expected {piece.form}", "no hand")
    if len(piece.raw) > MOST_BYTES:
        raise HistoryError(name, piece.line, f"a hand of more than {MOST_BYTES:,} bytes", "too long")
    try:
        found = read_text(piece.raw)
    except ForeignTextError as error:
        raise HistoryError(name, piece.line, str(error), "no text") from error
    if piece.form is Form.OHH:
        hand = ohh_hand(found.text.encode("utf-8", "replace"), name, piece.line, unit)
    else:
        read = phh_hand if piece.form is Form.PHH else stars_hand
        hand = read(found.text, name, piece.line, unit)
    hand = without_idle_shows(hand)
    if found.assumed:
        return replace(hand, notes=(*hand.notes, "its letters are no UTF-8: a code page is assumed"))
    return hand


def name_of(piece: Piece, file: str) -> str:
    """What the hand is called in outcomes and errors."""
    whole = piece.alone and (piece.form is not Form.PHH or not piece.raw.startswith(b"["))
    return file if whole else f"{file}#{piece.number}"
