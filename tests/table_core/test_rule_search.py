"""What people ask at a table, and the rule that they get first."""

import tomllib
from importlib import resources

import pytest

from table_core.catalogue import RuleRow, catalogue
from table_core.reference import rules_in_force
from table_core.rule_search import search
from table_core.rulebook import load_rulebook

# Words as players and dealers say them, a rulebook, and the topic of the rule that answers.
ASKED = [
    ("misdeal", "ccp", "misdeal"),
    ("dealer mistake", "wfp", "misdeal"),
    ("one chip rule", "wfp", "single-chip"),
    ("big chip", "rpl", "single-chip"),
    ("string raise", "home", "string-bet"),
    ("late", "ccp", "late-player"),
    ("no-show", "rpl", "absent-player"),
    ("rebuy", "ccp", "rebuy"),
    ("re-entry", "home", "rebuy"),
    ("add-ons", "rpl", "rebuy"),
    ("missed blind", "wfp", "missed-blind"),
    ("payout", "ccp", "payout"),
    ("prize money", "home", "payout"),
    ("bubble", "ccp", "payout"),
    ("colour-up", "rpl", "chip-race"),
    ("color up", "wfp", "chip-race"),
    ("call the clock", "ccp", "clock-called"),
    ("seat change", "wfp", "seating-control"),
    ("icm", "ccp", "prize-deals"),
    ("undercall", "wfp", "bet-correction"),
    ("protect your hand", "home", "card-protection"),
    ("rathole", "wfp", "chip-visibility"),
    ("phone", "wfp", "conduct"),
    ("slow roll", "rpl", "conduct"),
    ("exposed card", "rpl", "exposed-card"),
    ("betting out of turn", "wfp", "out-of-turn"),
    ("is a string bet allowed?", "cpp", "string-bet"),
    ("can I raise after a short all-in", "wfp", "short-allin-reopen"),
]


def asked(text: str, book: str) -> tuple[RuleRow, ...]:
    return search(text, rules_in_force(load_rulebook(book)))


@pytest.mark.parametrize(("text", "book", "topic"), ASKED)
def test_what_people_say_finds_the_rule(text: str, book: str, topic: str) -> None:
    assert asked(text, book)[0].topic == topic


def test_the_words_of_a_rule_come_before_its_topic() -> None:
    assert asked("phone", "wfp")[0].id == "wfp.infractions.4p"
    assert asked("English only", "wfp")[0].id == "wfp.decisions.12"


def test_a_word_is_not_found_within_another() -> None:
    assert "wfp.seating.5b" not in {row.id for row in asked("late", "wfp")}  # it speaks of relatives


def test_an_id_finds_its_rule_first_and_a_part_of_one_its_chapter() -> None:
    assert [row.id for row in asked("wfp.nolimit.4", "wfp")] == ["wfp.nolimit.4"]
    chapter = asked("wfp.nolimit", "wfp")
    assert chapter
    assert all(row.id.startswith("wfp.nolimit.") for row in chapter)


def test_a_book_that_says_nothing_finds_nothing() -> None:
    assert asked("bounty", "wfp") == ()
    assert asked("zebra", "ccp") == ()
    assert search("", catalogue()) == catalogue()


def test_a_wrong_letter_is_forgiven_and_a_word_said_twice_is_not_every_rule_with_that_word() -> None:
    for wrong in ("misdela", "misdeel", "misdeall", "misdel"):
        assert asked(wrong, "wfp") == asked("misdeal", "wfp")
    assert {row.topic for row in asked("hand for hand", "rpl")} == {"ranking-eliminations"}


def test_every_topic_is_one_of_the_catalogue() -> None:
    words = resources.files("table_core").joinpath("rules", "topic_words.toml").read_text("utf-8")
    assert tomllib.loads(words).keys() == {row.topic for row in catalogue()}
