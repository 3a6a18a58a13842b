"""A share of `python -m tests.room.network`: whatever befalls the cables and the broker, all is in step again."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.room.network import cables

SHARES = {
    "a cable is out and a table comes back": ["--trials", "backlog", "cut", "--backlog", "1200"],
    "packets are lost and the broker ends": ["--trials", "loss", "broker", "--backlog", "0"],
    "a node of the cluster ends": ["--nats", "--trials", "node", "--backlog", "0"],
}


@pytest.mark.room
@pytest.mark.mosquitto
@pytest.mark.timeout(1800)
@pytest.mark.slow("cables are out and packets are lost for a minute, in real time")
@pytest.mark.parametrize("share", SHARES.values(), ids=SHARES.keys())
def test_all_is_in_step_again(share: list[str], tmp_path: Path) -> None:
    """The ledgers of station and tables are equal and verified; how long it took is no matter of tests. A machine
    that gives no user a network of his own says so, and this fails with its words."""
    why = cables.why_not()
    assert why == "", why
    command = cables.inside("tests.room.network", [*share, "--facts"])
    env = os.environ | {cables.INSIDE: "1", "TMPDIR": str(tmp_path)}
    done = subprocess.run(command, capture_output=True, text=True, env=env, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "the ledgers are equal, and verified" in done.stdout
