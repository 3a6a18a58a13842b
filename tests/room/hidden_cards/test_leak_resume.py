"""`python -m tests.room.leak` in pieces: what was examined is not examined again, and a report of another plan is
refused."""

from __future__ import annotations

import itertools
import typing
from pathlib import Path

import msgspec
import pytest

from tests.room.leak import __main__ as command
from tests.room.leak.__main__ import Planned, Report, RoomFigures, plan, shard_of


def figures(planned: Planned, *, findings: dict[str, int] | None = None, stuck: bool = False) -> RoomFigures:
    numbers = {name: 3 for name, kind in typing.get_type_hints(RoomFigures).items() if kind is int}
    numbers |= {"no": planned.no, "seed": planned.seed, "hands": planned.hands, "kills": planned.kills}
    return RoomFigures(
        seconds=1.5,
        streams_by_kind={},
        credentials=(),
        refused={},
        faults={"skip_burn": 1},
        pictures={"a clip": 3},
        times_far={"rank": 0.1},
        signed_in=(),
        stuck=stuck,
        findings=findings or {},
        samples={},
        **numbers,
    )


class Attacked:
    """Stands where rooms are opened, and notes which; the third one leaks if it is told to."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *, leaks: bool = False) -> None:
        self.rooms: list[int] = []
        self.leaks = leaks
        monkeypatch.setattr(command, "_attack", self._attack)

    def _attack(self, planned: Planned, *_: object) -> RoomFigures:
        self.rooms.append(planned.no)
        return figures(planned, findings={"a card in a log": 2} if self.leaks and planned.no == 2 else None)


def read(path: Path) -> Report:
    return msgspec.json.decode(path.read_bytes(), type=Report)


def test_every_hand_and_every_kill_is_in_one_room_of_the_plan() -> None:
    rooms = plan(210, 7, 6)
    assert [room.hands for room in rooms] == [50, 50, 50, 50, 10]
    assert sum(room.kills for room in rooms) == 6
    assert len({room.seed for room in rooms}) == 5


@pytest.mark.parametrize("parts", [1, 2, 3, 7])
def test_the_parts_of_a_plan_are_the_plan(parts: int) -> None:
    rooms = plan(500, 7, 6)
    shards = [shard_of(rooms, (part, parts)) for part in range(1, parts + 1)]
    assert sorted(itertools.chain(*shards)) == rooms


def test_a_run_goes_on_where_the_report_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    attacked, report = Attacked(monkeypatch), tmp_path / "leak.json"
    run = ["--hands", "200", "--report", str(report)]
    assert command.main([*run, "--limit", "3"]) == 0
    assert not read(report).finished
    assert command.main([*run, "--resume"]) == 0
    assert attacked.rooms == [0, 1, 2, 3], "each once"
    whole = read(report)
    assert whole.finished
    assert (whole.total["hands"], whole.total["kills"], whole.faults) == (200, 6, {"skip_burn": 4})
    assert command.main([*run, "--resume"]) == 0
    assert len(attacked.rooms) == 4


def test_what_was_found_before_is_not_forgotten_by_going_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    attacked, report = Attacked(monkeypatch, leaks=True), tmp_path / "leak.json"
    run = ["--hands", "200", "--report", str(report)]
    assert command.main([*run, "--limit", "3"]) == 1
    attacked.leaks = False
    assert command.main([*run, "--resume"]) == 1
    assert read(report).findings == {"a card in a log": 2}


@pytest.mark.parametrize(
    "other", [["--seed", "8"], ["--hands", "150"], ["--shard", "1/2"], ["--delay", "0"], ["--per-room", "20"]]
)
def test_a_report_of_another_plan_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, other: list[str]
) -> None:
    Attacked(monkeypatch)
    report = tmp_path / "leak.json"
    assert command.main(["--hands", "200", "--report", str(report)]) == 0
    with pytest.raises(SystemExit, match="is of another plan"):
        command.main(["--hands", "200", "--report", str(report), "--resume", *other])
