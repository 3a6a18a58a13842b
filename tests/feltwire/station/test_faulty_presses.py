"""A press at which the station raises is refused and put aside; the tournament, and other presses, go on."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from display.actions import ActionRefused
from display.identity.signin import Caller, presses
from display.presses import TimedPress
from feltwire.runtime.boottime import boot_millis
from feltwire.station.process import StationProcess
from feltwire.station.tournament.station_tournament import StationTournament
from table_core.messages import Millis
from table_core.tournament.field.registration import Register
from table_core.tournament.night import COMMANDS
from tests.feltwire.station.test_unreadable_files import running, said
from tests.waiting import until

PATIENCE_S = 60


async def _answered(process: StationProcess, id_: str, command: str, arguments: dict[str, Any]) -> str:
    presses(Caller(), proven=None)  # who is asked for no PIN
    until_ = Millis(boot_millis() + 1_000 * PATIENCE_S)
    asked = process.actions.director(command, arguments, TimedPress(id_, until_))
    try:
        return await asyncio.wait_for(asked, PATIENCE_S)
    except ActionRefused as refused:
        return f"refused: {refused}"


def press(process: StationProcess, id_: str, command: str, **arguments: Any) -> str:
    return asyncio.run(_answered(process, id_, command, arguments))


def _faulty(*_: object) -> None:
    raise ValueError("Ah Kd")


def test_a_press_at_which_the_tournament_raises_is_refused_as_often_as_it_comes_and_others_are_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with running(tmp_path / "station-data") as process:
        assert "refused" not in press(process, "1", "open", rulebook="rpl", house={"starting_stack": 2_000})
        assert "refused" not in press(process, "2", "add_player", name="A player")
        (player,) = process.node.tournament.names
        with monkeypatch.context() as faulty:
            faulty.setitem(COMMANDS, Register, _faulty)  # type: ignore[arg-type]
            for id_ in ("3", "4", "5"):
                said_ = press(process, id_, "register", player=player)
                assert said_.startswith("refused: That could not be carried out, and nothing was changed"), said_
        assert "refused" not in press(process, "6", "register", player=player)
        assert not process.parts.left_out
    assert "ValueError at test_faulty_presses.py" in caplog.text
    assert "Ah Kd" not in caplog.text


def test_a_press_is_answered_while_the_tournament_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(StationTournament, "_take_reports", _faulty)
    with running(tmp_path / "station-data") as process:
        press(process, "1", "open", rulebook="rpl", house={"starting_stack": 2_000})
        until(lambda: said(process, "A fault in the tournament: it is left out"), "the fault")
        said_ = press(process, "2", "register", player="p1")
        assert said_ == (
            "refused: Nothing was done: a fault in the tournament: the station has to be started again."
        )


def test_presses_that_waited_for_the_disk_are_answered_when_the_station_begins_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with running(tmp_path / "station-data") as process:
        press(process, "1", "open", rulebook="rpl", house={"starting_stack": 2_000})
        press(process, "2", "add_player", name="A player")
        (player,) = process.node.tournament.names

        async def two() -> list[str]:
            """The first is on its way to the disk, and never comes back; at the second the node raises."""
            first = asyncio.create_task(_answered(process, "3", "register", {"player": player}))
            await asyncio.to_thread(until, lambda: process.node.tournament.records.pending, "on its way")
            monkeypatch.setattr(StationTournament, "takes", _faulty)
            second = asyncio.create_task(_answered(process, "4", "register", {"player": player}))
            return [await first, await second]

        monkeypatch.setattr(StationTournament, "committed", lambda *_: iter(()))
        first, second = asyncio.run(two())
        assert first.startswith("refused: The station had to begin anew: look whether this is on record"), first
        assert second.startswith("refused: That could not be carried out, and nothing was changed"), second
