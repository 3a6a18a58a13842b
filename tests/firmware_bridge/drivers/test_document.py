"""docs/drivers.md followed by a stranger: the driver on that page is installed, found and used."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from firmware_bridge.drivers import registry
from firmware_bridge.drivers.interface import DriverError

PAGE = (Path(__file__).parents[3] / "docs" / "drivers.md").read_text()
ROOT = Path(__file__).parents[3]

STRANGER = """
import socket
import sys
from firmware_bridge.drivers import registry
from firmware_bridge.drivers.interface import DriverSettings
from tests.firmware_bridge.drivers.kit import Listening

reader = socket.create_server(("127.0.0.1", 0))
heard = Listening()
settings = DriverSettings("shoe", f"127.0.0.1:{reader.getsockname()[1]}")
shoe = registry.shoe("acme")(settings, heard)
heard.driver = shoe
shoe.start()
line, _ = reader.accept()
line.sendall(b"Te004a1b2c3d4e5f6\\nTe004\\nTe004a1b2c3d4")
line.sendall(b"e5f7\\n")
heard.wait(lambda: len(heard.reports) == 3)
shoe.stop()
print([type(report).__name__ for report in heard.reports], repr(heard.reports).lower().count("a1b2"))
print(heard.states[0], heard.states[-1])
"""


def block(language: str, holds: str) -> str:
    (found,) = [text for text in re.findall(rf"```{language}\n(.*?)```", PAGE, re.S) if holds in text]
    return found


def test_the_driver_on_the_page_works_as_it_says(tmp_path: Path) -> None:
    package, installed = tmp_path / "acme-shoe", tmp_path / "installed"
    package.mkdir()
    (package / "acme_shoe.py").write_text(block("python", "class AcmeShoe"))
    (package / "pyproject.toml").write_text(block("toml", "entry-points"))
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "-q", "--no-deps"]
    subprocess.run([*pip, "--no-build-isolation", "--target", str(installed), str(package)], check=True)
    environment = {**os.environ, "PYTHONPATH": f"{installed}:{ROOT}"}
    done = subprocess.run(
        [sys.executable, "-c", STRANGER],
        capture_output=True,
        text=True,
        env=environment,
        cwd=tmp_path,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "['CardPassed', 'Unreadable', 'CardPassed'] 0",
        "(<DeviceState.OK: 'ok'>, 'ACME reader') (<DeviceState.OFF: 'off'>, '')",
    ]


def test_the_drivers_of_this_program_are_those_on_the_page() -> None:
    rows = re.findall(r"^\| `([\w-]+)` \| (shoe, keypad|shoe|keypad) \|", PAGE, re.M)
    own = {(point.group, point.name) for point in registry._OWN}
    assert own == {(f"feltwire.{kind}s", name) for name, kinds in rows for kind in kinds.split(", ")}


def test_a_driver_that_there_is_not_is_named_with_those_that_there_are() -> None:
    with pytest.raises(
        DriverError, match=r"there is no driver 'acme'; there are: feltwire, typed-keyboard, typed-line"
    ):
        registry.shoe("acme")
    with pytest.raises(DriverError, match=r"feltwire\.keypads: there is no driver 'typed-line'"):
        registry.keypad("typed-line")
