"""The deck registry: which tag is which card, and errors that give no card away."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_bridge.decks import CARDS, DeckError, DeckRegistry, generate
from firmware_bridge.shoe import Uid


def test_a_generated_registry_holds_every_card_of_each_deck_once() -> None:
    registry = DeckRegistry.parse(generate(7, decks=3))
    assert registry.deck_names == ("red", "blue", "green")
    tags = {registry.tag_of(deck, card) for deck in registry.deck_names for card in CARDS}
    assert len(tags) == 156
    for deck in registry.deck_names:
        for card in CARDS:
            assert registry.find(registry.tag_of(deck, card)) == (deck, card)


def test_the_same_seed_gives_the_same_decks_and_another_seed_other_ones() -> None:
    assert generate(1) == generate(1)
    assert generate(1) != generate(2)


def test_a_tag_of_no_deck_is_not_found() -> None:
    assert DeckRegistry.parse(generate(7)).find(Uid(b"\x01" * 8)) is None


def test_a_registry_is_read_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "decks.toml").write_text(generate(3))
    assert DeckRegistry.load(tmp_path / "decks.toml").deck_names == ("red", "blue")


def lines_of(text: str) -> list[str]:
    return text.splitlines()


def entry(lines: list[str], card: str, deck: int = 0) -> int:
    return [at for at, line in enumerate(lines) if line.startswith(f"{card} =")][deck]


def broken(fault: str) -> str:
    lines = lines_of(generate(7))
    third, other = entry(lines, "4c"), entry(lines, "2s", deck=1)
    tag = lines[third].split(" = ")[1]
    match fault:
        case "not hex":
            lines[third] = lines[third].replace(tag[1:5], "wxyz")
        case "too short":
            lines[third] = lines[third][:-4] + '"'
        case "a number":
            lines[third] = "4c = 12"
        case "all zeros":
            lines[third] = f'4c = "{"0" * 16}"'
        case "repeated":
            lines[other] = f"2s = {tag}"
        case "no such card":
            lines[third] = lines[third].replace("4c", "4x")
        case "missing":
            del lines[third], lines[entry(lines, "Ah")]
        case "same name":
            lines = [line.replace("blue", "red") for line in lines]
        case "no cards":
            lines = ["[[deck]]", 'name = "red"']
        case "no deck":
            lines = ["# nothing yet"]
        case "not TOML":
            lines[third] = "4c = " + tag[:-1]
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("fault", "says"),
    [
        ("not hex", "hall/decks.toml: deck 'red', entry 3: its tag is not 16 hex digits"),
        ("too short", "deck 'red', entry 3: its tag is not 16 hex digits"),
        ("a number", "deck 'red', entry 3: its tag is not 16 hex digits"),
        ("all zeros", "deck 'red', entry 3: its tag is not 16 hex digits"),
        ("repeated", "deck 'blue', entry 40 repeats the tag of deck 'red', entry 3"),
        ("no such card", "deck 'red', entry 3: its left side is no card"),
        ("missing", "deck 'red' lacks 4c, Ah"),
        ("same name", "deck 2 needs a name of its own"),
        ("no cards", r"deck 'red' has no \[deck.cards\]"),
        ("no deck", r"no \[\[deck\]\]"),
        ("not TOML", "not TOML .*line 8"),
    ],
)
def test_a_wrong_registry_says_where_and_gives_no_tag_away(fault: str, says: str) -> None:
    with pytest.raises(DeckError, match=says) as caught:
        DeckRegistry.parse(broken(fault), "hall/decks.toml")
    assert "e004" not in str(caught.value)
    assert caught.value.__cause__ is None


def test_a_registry_that_is_not_there_says_so(tmp_path: Path) -> None:
    with pytest.raises(DeckError, match=r"none\.toml: cannot be read"):
        DeckRegistry.load(tmp_path / "none.toml")


def test_a_registry_does_not_print_its_cards() -> None:
    assert repr(DeckRegistry.parse(generate(7))) == "DeckRegistry(red, blue)"
