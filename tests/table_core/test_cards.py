"""Cards and their text."""

import pytest

from table_core.cards import DECK, card_text, find_card, parse_card, parse_cards


def test_every_card_of_the_deck_reads_back_from_its_text() -> None:
    assert [parse_card(card_text(card)) for card in DECK] == list(DECK)
    assert len({card_text(card) for card in DECK}) == 52


def test_cards_written_together_are_read_one_by_one() -> None:
    assert [card_text(card) for card in parse_cards("AhKd2c")] == ["Ah", "Kd", "2c"]


@pytest.mark.parametrize("text", ["", "A", "1h", "Ax", "ah", "??", "Ahh"])
def test_what_is_no_card_is_refused_with_what_was_expected(text: str) -> None:
    assert find_card(text) is None
    with pytest.raises(ValueError, match="such as 'Ah'"):
        parse_card(text)
