"""Settings as they are typed: every setting has its heading and its words, and what is written is read back."""

from __future__ import annotations

import re

import msgspec
import pytest

from table_core.rulebook import load_rulebook, rulebook_ids
from table_core.rulebook_file import section_of
from table_core.setting_forms import (
    Kind,
    all_settings,
    as_typed,
    form_of,
    read_all,
    setting_forms,
    typed,
    typed_of,
)


def test_every_setting_stands_under_one_heading_once() -> None:
    headed = [one.name for settings in setting_forms().values() for one in settings]
    assert sorted(headed) == sorted(all_settings())


def test_every_setting_is_called_in_words_and_a_number_has_its_unit() -> None:
    for name in all_settings():
        form = form_of(name)
        assert form.title, name
        assert "_" not in form.title, name
        if form.kind is Kind.NUMBER:
            assert form.unit or name.startswith("misdeal_first_cards"), name


@pytest.mark.parametrize("book_id", rulebook_ids())
def test_what_a_book_says_is_read_back_as_it_is_written(book_id: str) -> None:
    book = load_rulebook(book_id)
    for name in all_settings():
        rule = getattr(getattr(book, section_of(name) or ""), name)
        if rule is None or rule.value == ():
            continue
        value = msgspec.json.decode(msgspec.json.encode(rule.value))
        assert typed(name, as_typed(name, value)) == value, name


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("buy_in", "$40", 40),
        ("buy_in", "40.50", 40.5),
        ("buy_in", "1,200", 1_200),
        ("starting_stack", "5000", 5_000),
        ("starting_stack", "5,000", 5_000),
        ("starting_stack", "5k", 5_000),
        ("starting_stack", "1.5k chips", 1_500),
        ("late_stack_cap", "30 %", 0.3),
        ("payouts", "50 30 20", [50, 30, 20]),
        ("payouts", "62.5%, 37.5%", [62.5, 37.5]),
        ("starting_chips", "8x25, 4×1k", [[25, 8], [1_000, 4]]),
        ("meals", "18:30 for 45, 23:00 for 20 min", [["18:30", 45], ["23:00", 20]]),
        ("seat_prizes", "1: the main event", [[1, "the main event"]]),
        ("min_raise", "last full raise", "last_full_raise"),
        ("add_on", "Yes", True),
    ],
)
def test_people_type_it_in_their_ways(name: str, text: str, value: object) -> None:
    assert typed(name, text) == value


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("buy_in", "twenty", "write $40, 40 or 40.50"),
        ("buy_in", "40.505", "no amount"),
        ("starting_stack", "5,00", "not a whole number of chips"),
        ("start_time", "25:99", "write 19:30"),
        ("min_raise", "whatever", "is none of: last full raise"),
        ("late_stack_cap", "120", "no part of a whole"),
        ("starting_chips", "8x25, 3y100", "not 3y100"),
        ("payouts", "half", "Write numbers"),
    ],
)
def test_what_cannot_be_read_says_what_to_write(name: str, text: str, said: str) -> None:
    with pytest.raises(ValueError, match=re.escape(said)):
        typed(name, text)


def test_any_number_of_rebuys_is_a_word_in_the_field_of_rebuys() -> None:
    assert read_all({"rebuys": "any", "buy_in": " "}) == ({"rebuys_unlimited": True}, {})
    assert typed_of({"rebuys_unlimited": True, "buy_in": 20}) == {"rebuys": "any", "buy_in": "$20"}
