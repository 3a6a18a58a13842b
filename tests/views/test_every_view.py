"""Every view over states that the campaigns reach, and with what may be missing in them: unknown cards, empty
seats, missing names, odd numbers. None raises. A small share; `tests.fuzz` and `tests.tournaments` look at many
more."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from feltwire.lab.night.play import Playing
from feltwire.lab.night.play import play as play_story
from feltwire.lab.night.story import read_story
from feltwire.lab.scenario.file import read_scenario
from feltwire.lab.scenario.play import play as play_scenario
from feltwire.lab.scenario.table import TableInMemory
from feltwire.station.tournament.pages.view import Shown
from table_core.rulebook import load_rulebook
from tests.fuzz.generator import StepGenerator
from tests.fuzz.session import Session, room_of
from tests.table_core.tournament.simulated import Simulated
from tests.tournaments.__main__ import BOOKS
from tests.views import of_a_night, of_a_table

TESTS = Path(__file__).parents[1]
STORIES = sorted((TESTS / "nights").rglob("*.txt"))[::12]
SCENARIOS = sorted((TESTS / "scenarios").rglob("*.txt"))[::9]


@pytest.mark.parametrize("book", BOOKS)
def test_of_a_tournament(book: str) -> None:
    played, chance = Simulated(book, 9, 7), random.Random(book)

    def look(played: Simulated) -> None:
        if chance.random() < 0.1:
            of_a_night.every_view(of_a_night.shown_of(played), chance)

    played.play(look)
    of_a_night.every_view(of_a_night.shown_of(played), chance)


def test_of_the_stories_of_nights(monkeypatch: pytest.MonkeyPatch) -> None:
    rooms: list[Playing] = []
    init = Playing.__init__

    def noted(self: Playing, *arguments: Any) -> None:
        init(self, *arguments)
        rooms.append(self)

    monkeypatch.setattr(Playing, "__init__", noted)
    for path in STORIES:
        chance = random.Random(path.name)
        for no, _ in enumerate(play_story(read_story(path))):
            if no % 8 == 7:
                look_at(rooms[-1], chance)
        look_at(rooms[-1], chance)
    assert len(rooms) == len(STORIES)


def look_at(playing: Playing, chance: random.Random) -> None:
    tournament = playing.room.station.node.tournament
    if tournament.records.opened:
        shown = Shown(
            tournament.night,
            tournament.names,
            tournament.facts(playing.now.at),
            tournament.orders.seen(),
            playing.now,
        )
        of_a_night.every_view(shown, chance, playing.room.station.season)


def test_of_the_scenarios(monkeypatch: pytest.MonkeyPatch) -> None:
    tables: list[TableInMemory] = []
    init = TableInMemory.__init__

    def noted(self: TableInMemory, *arguments: Any) -> None:
        init(self, *arguments)
        tables.append(self)

    monkeypatch.setattr(TableInMemory, "__init__", noted)
    for path in SCENARIOS:
        scenario = read_scenario(path)
        tables.clear()
        for _ in play_scenario(scenario, scenario.rulebooks[0]):
            pass
        for table in tables:
            book = load_rulebook(table.config.rulebook).with_house(table.config.house)
            of_a_table.every_view(table.envelopes, book, random.Random(path.name))


@pytest.mark.parametrize(
    "seed",
    [
        pytest.param("v/12", id="other seats are in the hand behind RESUME than before it"),
        pytest.param("v/35", id="hands are shown and no board is on record"),
    ],
)
def test_of_a_session_that_once_broke(seed: str) -> None:
    chance = random.Random(seed)
    room = room_of(chance)
    steps, session = StepGenerator(room.config, room.devices, chance), Session(room)
    for _ in range(200):
        session.do(steps.next(session.table))
    book = load_rulebook(room.config.rulebook).with_house(room.config.house)
    of_a_table.every_view(session.table.envelopes, book, random.Random(f"{seed}/0"))
