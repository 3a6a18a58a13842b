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
