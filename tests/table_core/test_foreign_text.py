"""Text of other programs: the same letters, whatever bytes they came as."""

from __future__ import annotations

import pytest

from table_core.foreign_text import ForeignTextError, encoding_of, read_text

LIST = "name,buy-in\nJosé Peña,50\nZoë Strauß,50\n"


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_what_can_be_told_is_read_without_an_assumption(encoding: str, end: str) -> None:
    assert read_text(LIST.replace("\n", end).encode(encoding)) == (LIST, "")


@pytest.mark.parametrize(
    ("page", "text", "word"),
    [
        ("cp1252", LIST, "'José'"),
        ("cp1252", "name\nSeán O’Brien\n", "'Seán'"),
        ("cp1250", "name\nŁukasz Żółć\n", "'Łukasz'"),
        ("cp1251", "name\nИван Петров\n", "'Иван'"),
    ],
)
def test_a_code_page_is_assumed_by_its_words_and_said_with_one_of_them(page: str, text: str, word: str) -> None:
    found = read_text(text.encode(page))
    assert found.text == text
    assert page[2:] in found.assumed
    assert word in found.assumed


def test_one_wrong_byte_among_letters_of_utf_8_is_shown_where_it_stands() -> None:
    found = read_text(LIST.encode() + b"\xe9\n")
    assert found.text == f"{LIST}\ufffd\n"
    assert "line 4 has bytes that are no UTF-8" in found.assumed


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        (bytes(100), "no text: 100 control characters, the first in line 1"),
        (b"PK\x03\x04rest", "zip archive"),
        (b"\x81\x8d\x98\xa1\xff\xaa\xd2 \x83\x90", "no encoding"),
        (b"a" * 101, "holds 101 bytes; at most 100"),
    ],
)
def test_what_is_no_text_is_refused(raw: bytes, why: str) -> None:
    with pytest.raises(ForeignTextError, match=why):
        read_text(raw, 100)


def test_a_zero_byte_is_for_the_reader_of_its_line() -> None:
    assert read_text(LIST.replace("José", "Jos\0").encode()).text.count("\0") == 1


def test_utf_16_of_ascii_is_told_by_its_zeros() -> None:
    assert encoding_of("name\nAnn\n".encode("utf-16-le")) == ("utf-16-le", 0)
    assert encoding_of(b"name\nAnn\n") == ("", 0)
