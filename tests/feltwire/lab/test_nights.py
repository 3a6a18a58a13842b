"""Every story under tests/nights holds, and a story that cannot be read says where and why."""

from __future__ import annotations

from pathlib import Path

import pytest

from feltwire.lab.night.play import play
from feltwire.lab.night.story import StoryError, read_story
from table_core.catalogue import find_rule

NIGHTS = Path(__file__).parents[2] / "nights"
STORIES = sorted(NIGHTS.rglob("*.txt"))


@pytest.mark.parametrize("path", STORIES, ids=lambda path: str(path.relative_to(NIGHTS)))
def test_a_night_goes_as_its_story_says(path: Path) -> None:
    story = read_story(path)
    assert [f"{step.line.no}: {step.line.text}: {step.wrong}" for step in play(story) if step.wrong] == []
    assert [rule for rule in story.rules if find_rule(rule) is None] == []
    assert any(line.text.startswith("expect") for line in story.steps)


HEADER = "rulebook: ccp\ntables: 2 of 9\n\n"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("rulebook: nobody\ntables: 2 of 9\n\n", "no rulebook 'nobody'"),
        ("rulebook: ccp\ntables: many\n\n", "tables 'many'"),
        ("rulebook: ccp\nsize: 3\n\n", "expected each once of"),
        (f"{HEADER}shuffle up and deal\n", "no step"),
        (f"{HEADER}expect applause\n", "no expectation 'applause'"),
        (f"{HEADER}table 7: over\n", "no table 7"),
        (f"{HEADER}table 1: sings\n", "a table says"),
        (f"{HEADER}at noon\n", "no time of day"),
    ],
)
def test_a_line_that_cannot_be_read_is_an_error_with_its_place(tmp_path: Path, text: str, why: str) -> None:
    path = tmp_path / "night.txt"
    path.write_text(text)
    with pytest.raises(StoryError, match=why):
        list(play(read_story(path)))


def test_a_refusal_that_nobody_expects_fails_the_step(tmp_path: Path) -> None:
    path = tmp_path / "night.txt"
    path.write_text(f"{HEADER}enter nobody\n")
    assert [step.wrong for step in play(read_story(path))] == ["refused: nobody is not registered."]


SEATED = "register Ann Bob Cy adult member\nenter all\nassign Ann=1/1 Bob=1/2 Cy=1/3\nstart\n"


@pytest.mark.parametrize(
    ("steps", "why"),
    [
        ("table 1: hand 1 button 1 blinds 2 4\n", "Seat 4 has the big blind but is not in the hand"),
        ("table 1: out 2=2000 by 3\n", "table 1 plays no hand"),
        ("table 1: hand 1 button 1 blinds 2 3\ntable 1: out 5=2000 by 3\n", "nobody sits at table 1 seat 5"),
        ("left move-1 2000\n", "move-1 is not left with 2000"),
        ("at 18:59\n", "that is in the past"),
    ],
)
def test_what_no_table_could_report_is_an_error_with_its_place(tmp_path: Path, steps: str, why: str) -> None:
    path = tmp_path / "night.txt"
    path.write_text(f"rulebook: ccp\ntables: 2 of 9\nstarts: 19:00\n\nat 19:00\n{SEATED}{steps}")
    with pytest.raises(StoryError, match=why):
        list(play(read_story(path)))


def test_no_chip_is_made_or_lost_by_what_a_story_does_not_say(tmp_path: Path) -> None:
    path = tmp_path / "night.txt"
    path.write_text(
        f"{HEADER}{SEATED}table 1: hand 7 button 1 blinds 2 3 stacks 1=500\nexpect missing 0\n"
        "table 1: out 2=900 by 3\nexpect missing 0\nexpect pending Bob\nrebuy Bob\nexpect missing 0\n"
        "kill station\nexpect missing 0\n"
    )
    assert [step.wrong for step in play(read_story(path)) if step.wrong] == []


def test_a_level_ends_at_its_time_however_long_a_step_is(tmp_path: Path) -> None:
    path = tmp_path / "night.txt"
    path.write_text(f"{HEADER}{SEATED}after 45:00\nexpect level 3\nexpect remaining 15:00\n")
    assert [step.wrong for step in play(read_story(path)) if step.wrong] == []
