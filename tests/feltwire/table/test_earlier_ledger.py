"""A machine that an earlier version of the messages stopped in mid-hand, and that starts again under this one."""

import re
import sqlite3
from pathlib import Path

import pytest

from feltwire.cli import main
from table_core.messages import Acted, Action, DutiesSet, HandEnded, Key, Noticed, Ruled
from table_core.tracker.ruling.view import view_of
from tests.feltwire.machines import Machine, Room

SAMPLE = Path("tests/messages/golden/v2-hand.sql")
CALL, STREET = Key.CHECK_CALL, Key.STREET


def stopped_before(folder: Path) -> Path:
    """The ledger of the second version: on the flop seat 3 has bet out of turn and is bound to bet 300; the clock
    runs on seat 2."""
    text, path = SAMPLE.read_text("utf-8"), folder / "a.ledger"
    key = text.split("-- key ", 1)[1].split("\n", 1)[0]
    path.with_name("a.ledger.key").write_bytes(bytes.fromhex(key))
    path.with_name("a.ledger.key").chmod(0o600)
    with sqlite3.connect(path) as connection:
        connection.executescript(text)
    connection.close()
    path.chmod(0o600)
    return path


def up_to_there(machine: Machine) -> None:
    """The same presses under the present version."""
    machine.press(Key.NEW_HAND, CALL, CALL, CALL, STREET)
    for keys in (["3", Key.SEAT, "300", Key.BET_RAISE], ["3", Key.SEAT, "41", Key.FLOOR], ["300", Key.COUNT]):
        machine.wait(3_000)
        machine.press(*keys)
    asked = view_of(machine.node, machine.node.state)  # type: ignore[arg-type]
    assert asked is not None
    binds = next(one.no for one in asked.options if one.option == "binds_bet")
    for keys in ([f"{binds}", STREET], ["2", Key.SEAT, "48", Key.FLOOR], ["1", STREET]):
        machine.wait(3_000)
        machine.press(*keys)


def to_its_end(machine: Machine) -> None:
    """Seat 2 checks, so seat 3 bets as it is bound; seat 1 calls and seat 2 folds, and seat 3 wins."""
    for keys in ([CALL], [CALL, Key.FOLD], [STREET], [CALL, CALL], [STREET], [CALL, CALL], ["3", Key.AWARD]):
        machine.wait(2_000)
        machine.press(*keys)


def exported(machine: Machine, capsys: pytest.CaptureFixture[str]) -> str:
    machine.wait(10_000)
    machine.press(Key.NEW_HAND, CALL)
    capsys.readouterr()
    assert main(["export", str(machine.path), "--format", "phh"]) == 0
    return capsys.readouterr().out


def without_numbers(hand: tuple[HandEnded, str]) -> tuple[HandEnded, str]:
    """The hand without what follows from whose ledger it is in."""
    return hand[0], re.sub(r"_(game|tournament)_number = \d+\n", "", hand[1])


def test_a_hand_that_an_earlier_version_began_is_played_to_its_end(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "now").mkdir()
    stopped_before(tmp_path)
    now = Room(tmp_path / "now").start("a")
    up_to_there(now)
    assert now.of(DutiesSet)
    earlier = Room(tmp_path).start("a")
    assert [logged.event.option for logged in earlier.node.table.hand_log if isinstance(logged.event, Ruled)] == [
        "binds_bet",
        "start",
    ]
    assert earlier.node.state.thinking.clock is not None
    hands = []
    for machine in (now, earlier):
        to_its_end(machine)
        bound = next(act for act in machine.of(Acted) if act.action is Action.BET)
        assert (bound.seat, bound.to) == (3, 300)
        (ended,) = machine.of(HandEnded)
        hands.append((ended, exported(machine, capsys)))
    assert without_numbers(hands[0]) == without_numbers(hands[1])
    assert "_game_number = 505678557712712\n" in hands[1][1], "as ever: the ledger names the hand"
    assert not [notice for notice in earlier.of(Noticed) if notice.kind == "clock_expired"]
