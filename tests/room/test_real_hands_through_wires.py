"""Real hands all the way: a simulated shoe, keys, camera, and a real table process that decides them."""

import json
import subprocess
from pathlib import Path

import pytest

from feltwire.private_files import python

HANDS = Path(__file__).parents[3] / "shared" / "hands" / "wsop-2023-43"


@pytest.mark.shared
@pytest.mark.room
def test_the_final_table_ends_as_recorded_through_the_wires() -> None:
    command = python("feltwire", "replay", str(HANDS), "--through", "wires", "--json")
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[-1]) == {"hands": 11, "equal": 11, "different": 0, "refused": 0}
