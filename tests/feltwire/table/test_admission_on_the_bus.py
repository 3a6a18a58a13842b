"""What of the bus lets a phone in at a table: the station's answer, on its own topic, in time; nothing else."""

from __future__ import annotations

from pathlib import Path

from feltwire.runtime.node_io import Publish, ScreensSeen
from feltwire.table.table_io import BeatCame, CommandCame, ScreenAnswered
from table_core.messages import (
    AnswerScreen,
    AskingScreen,
    Beat,
    Expiry,
    Millis,
    ScreenAnswer,
    TableScreens,
    decode,
    encode,
)
from tests.feltwire.machines import Machine, Room

LATER = Expiry("station", Millis(15_000))


def answered(machine: Machine, said: AnswerScreen, *, on: str = "grant") -> list[AnswerScreen]:
    """What the machine's pages are told after this message on that topic."""
    effects, _ = machine.node.step(CommandCame(encode(said), lease=on == "grant"), machine.now)
    return [effect.answer for effect in effects if isinstance(effect, ScreenAnswered)]


def test_an_answer_counts_on_the_stations_topic_in_time_at_the_machine_that_is_the_table(tmp_path: Path) -> None:
    room = Room(tmp_path)
    table, spare = room.start("a"), room.start("b")
    room.settle()
    said = AnswerScreen("s-1", "a request", ScreenAnswer.ADMIT, LATER, "Tess (director)")
    assert answered(table, said) == [], "before a beat nobody knows how old it is"
    for machine in (table, spare):
        machine.give(BeatCame(Beat("station", Millis(5_000))))
    rows = table.rows
    assert answered(table, said) == [said]
    assert answered(table, said, on="command") == [], "whoever may command tables lets nobody in"
    late = AnswerScreen("s-2", "a request", ScreenAnswer.ADMIT, Expiry("station", Millis(4_000)))
    other = AnswerScreen("s-3", "a request", ScreenAnswer.ADMIT, Expiry("an earlier boot", Millis(2**40)))
    assert answered(table, late) == answered(table, other) == []
    assert answered(spare, said) == [], "a machine that is not the table"
    assert table.rows == rows


def test_who_asks_is_said_to_the_station_alone_signed_and_again_when_it_was_started_anew(tmp_path: Path) -> None:
    room = Room(tmp_path)
    table, spare = room.start("a"), room.start("b")
    room.settle()
    asks = AskingScreen("an id", "4711", 2_000)
    said: list[TableScreens] = []
    for machine in (table, spare):
        effects, _ = machine.node.step(ScreensSeen(machine.now, (asks,)), machine.now)
        said += [
            decode(effect.payload, TableScreens)
            for effect in effects
            if isinstance(effect, Publish) and effect.topic.endswith("/table/01/screens")
        ]
    (only,) = said
    assert (only.epoch, only.asking) == (1, (asks,))
    assert len(only.signature) == 128
