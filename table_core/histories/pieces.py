"""Splits a file of hands into hands, whatever its size: each is read, or refused, by itself.

A piece goes from where a hand begins to where the next one does: a section of PHH, a JSON value of `ohh` (one
behind the other, a line each, or in a list), a hand of PokerStars. So a mistake in a hand takes no other with it.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from typing import NamedTuple

from table_core.foreign_text import encoding_of

MOST_BYTES = 500_000  # of a hand
_BLOCK = 1 << 16
_AHEAD = 500  # bytes that may be needed to see that a hand begins


class Form(StrEnum):
    """What hands are written in."""

    PHH = "PHH"
    OHH = "Open Hand History"
    STARS = "PokerStars text"


_KEY = rb"""[\w-]+|"[^"\n]*"|'[^'\n]*'"""
_SIMPLE = rb'"[^"\\]{0,40}"\s*:\s*(?:"[^"\\]{0,100}"|[\w.+-]{1,30})\s*,\s*'
_BEGINS = {
    Form.PHH: re.compile(rb"^[ \t]*\[[ \t]*(?:%s)[ \t]*\][ \t]*(?:#[^\n]*)?$" % _KEY, re.MULTILINE),
    Form.OHH: re.compile(rb'\{\s*(?:%s){0,4}"ohh"\s*:' % _SIMPLE),
    Form.STARS: re.compile(rb"^(?:\xef\xbb\xbf)?PokerStars [^\n]{0,40}?(?:Hand|Game) \#", re.MULTILINE),
}
_FILLER = {
    Form.PHH: re.compile(rb"(?:\s*#[^\n]*|\s)*"),
    Form.OHH: re.compile(rb'[\s,\[]*(?:\{\s*"[^"]{0,40}"\s*:\s*\[\s*)?'),
    Form.STARS: re.compile(rb"(?:\s|\xef\xbb\xbf)*"),
}


class Piece(NamedTuple):
    """`raw` begins in `line`. `number` counts the pieces of a file from 1; `alone`: it holds nothing else."""

    form: Form
    line: int
    number: int
    alone: bool
    raw: bytes


def pieces_of(form: Form, blocks: Iterable[bytes]) -> Iterator[Piece]:
    """The hands of a file, and what else lies in it as a piece of its own. One that is too long has its beginning
    alone. A file without a hand is one piece."""
    before: Piece | None = None
    number = 0
    for line, raw in _parts(_BEGINS[form], blocks):
        filler = _FILLER[form].match(raw)
        start = filler.end() if filler else 0
        if start == len(raw):
            continue
        if before is not None:
            yield before
        number += 1
        before = Piece(form, line + raw.count(b"\n", 0, start), number, False, raw[start:])
    yield Piece(form, 1, 1, True, b"") if before is None else before._replace(alone=number == 1)


def _parts(begins: re.Pattern[bytes], blocks: Iterable[bytes]) -> Iterator[tuple[int, bytes]]:
    """What lies before the first hand, then each hand with what follows it, and the line of each."""
    text, at, line, cut = b"", 0, 1, 0  # `cut`: line ends of a hand that is too long
    for block in blocks:
        text += block
        while found := begins.search(text, at):
            yield line, text[: found.start()]
            line += text.count(b"\n", 0, found.start()) + cut
            text, at, cut = text[found.start() :], found.end() - found.start(), 0
        if len(text) > MOST_BYTES + _AHEAD:
            cut += text.count(b"\n", MOST_BYTES, len(text) - _AHEAD)
            text = text[:MOST_BYTES] + text[-_AHEAD:]
        at = max(at, len(text) - _AHEAD)
    yield line, text


def blocks_of(read: Callable[[int], bytes]) -> Iterator[bytes]:
    """A file in parts, as UTF-8 or in the code page that it has, with line feeds alone. `read` gives its next
    bytes."""
    block = read(_BLOCK)
    encoding, start = encoding_of(block)
    decoder = codecs.getincrementaldecoder(encoding)("replace") if encoding not in ("", "utf-8") else None
    macintosh = b"\r" in block and b"\n" not in block  # its lines ended so
    block = block[start:]
    held = b""
    while block:
        if decoder is not None:
            block = decoder.decode(block).encode("utf-8", "replace")
        block = held + block
        held = b"\r" if block.endswith(b"\r") else b""
        block = block.removesuffix(held).replace(b"\r\n", b"\n") if held else block.replace(b"\r\n", b"\n")
        yield block.replace(b"\r", b"\n") if macintosh else block
        block = read(_BLOCK)
    if held:
        yield b"\n"


def form_of(beginning: bytes) -> Form | None:
    """What a file holds by its first part, in which a hand begins; None for no hands."""
    first = {found.start(): form for form in (Form.STARS, Form.OHH) if (found := _BEGINS[form].search(beginning))}
    if first:
        return first[min(first)]
    return Form.PHH if re.search(rb"^variant[ \t]*=", beginning, re.MULTILINE) else None
