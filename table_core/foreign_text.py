"""Text that another program wrote: from bytes to letters, whatever its encoding and line ends.

Nobody says in a file which encoding it has. UTF-8 and UTF-16 can be told; the Windows code pages cannot, for every
byte is a letter in each of them. Of these the one is assumed that makes the most words of whole letters, Western
European where several do. What was assumed is said, so that a person who sees a wrong letter knows why.
"""

from __future__ import annotations

import codecs
import itertools
import re
from collections.abc import Iterator
from typing import NamedTuple

MOST_BYTES = 8_000_000  # of a list, a schedule or a tournament file; hand histories are read in parts
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # begins as UTF-16 does
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_PAGES = {
    "cp1252": "Windows-1252 (Western European)",
    "cp1250": "Windows-1250 (Central European)",
    "cp1251": "Windows-1251 (Cyrillic)",
    "cp1253": "Windows-1253 (Greek)",
}
_PART = 4_096  # bytes that tell UTF-16 without a mark
_WORD = re.compile(r"[^\s,;\"]+")
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_MOST_CONTROL = 0.05  # of all letters: more of them are no text; a single one is for the reader of its line


class ForeignTextError(ValueError):
    """Bytes that are no text, or too many of them."""


class ForeignText(NamedTuple):
    """`text` has line feeds alone and no mark at its beginning. `assumed` is a sentence for a person, "" where
    nothing had to be assumed."""

    text: str
    assumed: str = ""


def read_text(raw: bytes, most: int = MOST_BYTES) -> ForeignText:
    """Raise `ForeignTextError` for more than `most` bytes, and for bytes that are no text.

    >>> read_text(b"name\\r\\nJos\\xe9\\r\\n").text
    'name\\nJosé\\n'
    """
    if len(raw) > most:
        raise ForeignTextError(f"holds {len(raw):,} bytes; at most {most:,} are read")
    if raw.startswith(b"PK\x03\x04"):
        raise ForeignTextError("is a zip archive; unpack it and give the file that lies in it")
    encoding, start = encoding_of(raw)
    text, assumed = _decoded(raw[start:], encoding) if encoding else _of_no_stated_encoding(raw)
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    control = _CONTROL.findall(text)
    if len(control) > _MOST_CONTROL * len(text):
        line = text.count("\n", 0, text.index(control[0])) + 1
        raise ForeignTextError(f"is no text: {len(control)} control characters, the first in line {line}")
    return ForeignText(text, assumed)


def encoding_of(raw: bytes) -> tuple[str, int]:
    """The encoding that the first bytes tell, "" where they do not, and how many bytes its mark has."""
    for mark, name in _BOMS:
        if raw.startswith(mark):
            return name, len(mark)
    part = raw[:_PART]
    if len(part) >= 4:
        even, odd = part[0::2].count(0), part[1::2].count(0)
        if odd * 5 > len(part) and not even:
            return "utf-16-le", 0
        if even * 5 > len(part) and not odd:
            return "utf-16-be", 0
    return "", 0


def _decoded(raw: bytes, encoding: str) -> tuple[str, str]:
    text = raw.decode(encoding, "replace")
    return text, _damaged(text, encoding.upper()) if "\ufffd" in text else ""


def _of_no_stated_encoding(raw: bytes) -> tuple[str, str]:
    """UTF-8 where that is what most foreign letters are, else a Windows code page."""
    try:
        return raw.decode("utf-8"), ""
    except UnicodeDecodeError:
        text = raw.decode("utf-8", "replace")
    wrong = text.count("\ufffd")
    if sum(letter > "\x7f" for letter in text) - wrong > wrong:
        return text, _damaged(text, "UTF-8")
    read = {page: _page(raw, page) for page in _PAGES}
    page = min((page for page, text in read.items() if text), key=lambda page: _odd_words(read[page]), default="")
    if not page:
        raise ForeignTextError("is in no encoding that is known here; save it as UTF-8")
    word = next(_foreign_words(read[page]), "")
    shown = f", {word[:40]!r} for one" if word else ""
    return read[page], f"read as {_PAGES[page]}{shown}; where letters are wrong, save it as UTF-8"


def _page(raw: bytes, page: str) -> str:
    try:
        return raw.decode(page)
    except UnicodeDecodeError:
        return ""


def _damaged(text: str, encoding: str) -> str:
    line = text.count("\n", 0, text.index("\ufffd")) + 1
    return f"line {line} has bytes that are no {encoding}: each is shown as \ufffd"


def _odd_words(text: str) -> int:
    """Words that a code page read wrongly makes: a sign among letters, letters of two scripts, three accented
    letters in a row, a capital behind a small letter."""
    return sum(map(_odd, _foreign_words(text)))


def _foreign_words(text: str) -> Iterator[str]:
    return (word.group() for word in _WORD.finditer(text) if not word.group().isascii())


def _odd(word: str) -> bool:
    foreign = [letter for letter in word if letter > "\x7f"]
    if not all(letter.isalpha() or letter in "’‘´`–-\u00a0" for letter in foreign):
        return True
    own_script = [letter > "\u036f" for letter in foreign if letter.isalpha()]
    if any(own_script):
        return not all(own_script) or any(letter.isascii() and letter.isalpha() for letter in word)
    if re.search(r"[^\x00-\x7f]{3}", word):
        return True
    return any(a.islower() and b.isupper() and b > "\x7f" for a, b in itertools.pairwise(word))
