"""The release at the station: put there by a person, checked, and given to machines that were sent it."""

from __future__ import annotations

import asyncio
import hashlib
from pathlib import Path

import httpx
import pytest
from nacl.signing import SigningKey
from starlette.applications import Starlette
from starlette.routing import Route

from feltwire.errors import UsageError
from feltwire.install import for_the_room as placing
from feltwire.install.for_the_room import for_the_room
from feltwire.station import room_release
from feltwire.station.room_release import RoomRelease
from feltwire.station.station_io import ReleaseSeen
from tests.feltwire.install.releases import PUBLIC, release

ADDRESS = "https://station.hall.lan"


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The data of a machine whose station is installed, and which trusts a key."""
    for module in (placing, room_release):
        monkeypatch.setattr(module, "trusted_keys", lambda: (PUBLIC,))
    (tmp_path / "data" / "station" / "upgrade").mkdir(parents=True)
    return tmp_path / "data"


def test_a_release_that_was_put_there_is_seen_once_and_gone_when_it_is_gone(data: Path, tmp_path: Path) -> None:
    here = RoomRelease(data / "station")
    assert here.look(ADDRESS) is None
    file = release(tmp_path / "made", "0.4.0")
    assert for_the_room(file, data) == "0.4.0"
    seen = here.look(ADDRESS)
    assert seen is not None
    assert (seen.version, seen.size, seen.why) == ("0.4.0", file.stat().st_size, "")
    assert seen.sha256 == hashlib.sha256(file.read_bytes()).hexdigest()
    assert here.look(ADDRESS) is None
    here.path.unlink()
    assert here.look(ADDRESS) == ReleaseSeen()


def test_another_ones_release_and_a_cut_file_are_not_put_there(data: Path, tmp_path: Path) -> None:
    foreign = release(tmp_path / "foreign", "0.4.0", key=SigningKey(bytes(32)))
    with pytest.raises(UsageError, match="this machine trusts"):
        for_the_room(foreign, data)
    cut = release(tmp_path / "cut", "0.4.0")
    cut.write_bytes(cut.read_bytes()[:-30])
    with pytest.raises(UsageError, match="copy it again"):
        for_the_room(cut, data)
    with pytest.raises(UsageError, match="call this on the station's machine"):
        for_the_room(release(tmp_path / "made", "0.4.0"), tmp_path / "elsewhere")
    assert [*(data / "station" / "upgrade").iterdir()] == []


def test_what_lies_there_all_the_same_is_none_in_words(data: Path, tmp_path: Path) -> None:
    here = RoomRelease(data / "station")
    foreign = release(tmp_path / "foreign", "0.4.0", key=SigningKey(bytes(32)))
    here.path.write_bytes(foreign.read_bytes())
    seen = here.look(ADDRESS)
    assert seen is not None
    assert seen.version == ""
    assert "another venue's, or a forgery" in seen.why
    here.path.write_bytes(b"PK no release")
    seen = here.look(ADDRESS)
    assert seen is not None
    assert seen.why.endswith("copy it again")


def test_only_who_was_told_the_word_gets_the_file(data: Path, tmp_path: Path) -> None:
    here = RoomRelease(data / "station")
    file = release(tmp_path / "made", "0.4.0")
    app = Starlette(routes=[Route(here.route, here.given)])

    async def answers() -> list[tuple[int, bytes]]:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=ADDRESS) as client:
            got = [await client.get("/release/guessed")]
            for_the_room(file, data)
            got.append(await client.get("/release/ü"))
            seen = here.look(ADDRESS)
            assert seen is not None
            got.append(await client.get(seen.url))
            here.path.write_bytes(b"another file")
            got.append(await client.get(seen.url))
            return [(one.status_code, one.content) for one in got]

    guessed, foreign, told, changed = asyncio.run(answers())
    assert (guessed[0], foreign[0], changed[0]) == (404, 404, 404)
    assert told == (200, file.read_bytes())
