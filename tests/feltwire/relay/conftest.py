"""A relay's keys and a broker for it, as real ones."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from feltwire.relay.keys import RelayKeys
from tests.feltwire.mosquitto import Mosquitto


@pytest.fixture
def keys(tmp_path: Path) -> RelayKeys:
    made = RelayKeys.generate()
    made.save(tmp_path / "cards.key")
    return made


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Mosquitto]:
    with Mosquitto(tmp_path) as running:
        yield running
