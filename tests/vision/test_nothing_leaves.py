"""Reading cards sends nothing out of the room and prepares nothing to send."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

LOAD = "from vision.cards.corner import CornerClassifier; CornerClassifier(); print('read')"


def test_the_network_is_loaded_without_an_identity_or_a_store_of_what_to_send(tmp_path: Path) -> None:
    # As a table runs it: its own home, and none of the variables that hush it on build machines.
    environment = {"HOME": str(tmp_path), "PYTHONPATH": str(Path(__file__).parents[2])}
    done = subprocess.run(
        [sys.executable, "-c", LOAD], env=environment, capture_output=True, text=True, check=False, cwd=tmp_path
    )
    assert (done.stdout, done.returncode) == ("read\n", 0), done.stderr
    assert list(tmp_path.rglob("*")) == []
