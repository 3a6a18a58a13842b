"""Every command of the tournament has its place on a page of the night or in the queue."""

from __future__ import annotations

import re
from pathlib import Path

from feltwire.station.tournament.commands import FORMS

ROOT = Path(__file__).parents[3]
ELSEWHERE = {
    "go_to_level": "next_level, previous_level and select_level of the clock are this command",
    "edit_level": "the schedule's page sends the whole schedule; one level is for programs",
    "stand_after_break": "the station does it by itself",
}


def test_every_command_has_its_place_on_a_page_or_in_the_queue() -> None:
    pages = [*(ROOT / "display/night").glob("*.js"), *(ROOT / "display/station").glob("*.js")]
    queue = (ROOT / "feltwire/station/queue").glob("*.py")
    words = {word for file in (*pages, *queue) for word in re.findall(r"[\"'`](\w+)[\"'`]", file.read_text())}
    assert sorted(FORMS.keys() - words) == sorted(ELSEWHERE)
