"""Every command of docs/home.md, in the order in which a reader types them."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from pathlib import Path

import pytest

from table_core.messages import Key
from tests.feltwire.home.open_home import OpenHome, seat_two
from tests.feltwire.processes import PATIENCE_S
from tests.ports import free_base

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "home.md").read_text("utf-8")
FELTWIRE = ".venv/bin/feltwire "


def commands() -> list[str]:
    return [line for block in re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL) for line in block.splitlines()]


@pytest.mark.room
@pytest.mark.slow("a whole room is opened twice")
def test_a_reader_types_every_command_of_the_page(tmp_path: Path) -> None:
    make, *typed = commands()
    last_time = tmp_path / ".local" / "share" / "feltwire" / "home" / "home.toml"
    last_time.parent.mkdir(parents=True, mode=0o700)
    last_time.write_text(f"port = {free_base()}\n")  # another room may be open on this machine
    assert make == "make room"
    # Within `make test` a make says also which folder it enters and leaves, as if it were called by the first.
    dry = subprocess.run(
        ["make", "--no-print-directory", "-n", "room"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    opened = dry.stdout.splitlines()[-1]
    assert opened.strip() == FELTWIRE + "home"
    for line in (opened, *typed):
        assert line.startswith(FELTWIRE), line
        words = [str(ROOT / FELTWIRE.strip()), *shlex.split(line.removeprefix(FELTWIRE))]
        words = [word.replace("~", str(tmp_path)) for word in words]
        if words[1] == "home" and "--export" not in words:
            with OpenHome(tmp_path / "room", command=tuple(words), home=tmp_path) as room:
                if "--tables 0" in line:
                    assert not any(page.startswith("table ") for page in room.addresses)
                elif line is not opened:
                    director, keys = room.director, room.keys("01")
                    seat_two(director, keys)
                    keys.key("01", Key.NEW_HAND)
                    keys.key("01", Key.FOLD)
                    keys.shows("table/01", lambda table: table["hands_played"] == 1)
                assert room.end() == 0
        else:
            environment = os.environ | {"HOME": str(tmp_path), "XDG_DATA_HOME": ""}
            subprocess.run(words, cwd=tmp_path, env=environment, check=True, timeout=PATIENCE_S)
    assert "starting_stacks" in (tmp_path / "hands.phhs").read_text()
    assert (tmp_path / "to-the-hall" / "hall.toml").exists()
    assert any((tmp_path / "saved").iterdir())
