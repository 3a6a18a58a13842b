"""The producer's list of players: flags and pictures by id or name."""

from __future__ import annotations

import asyncio
from pathlib import Path

import httpx
import pytest
from starlette.applications import Starlette

from feltwire.relay.on_air.players import MOST_BYTES, PLAYERS, Listed, Players, photo_route, read_list
from table_core.messages import FieldOut, FieldPlayer, TournamentField


def written(folder: Path, text: str) -> tuple[dict[str, Listed], str]:
    (folder / PLAYERS).write_text(text, "utf-8")
    return read_list(folder)


def test_a_line_for_each_player(tmp_path: Path) -> None:
    text = "player,country,photo\nAnn Lee,SE,ann.png\np2,NO\n\nBo Ek,,bo ek.jpg\n"
    assert written(tmp_path, text) == (
        {"Ann Lee": Listed("SE", "ann.png"), "p2": Listed("NO"), "Bo Ek": Listed("", "bo ek.jpg")},
        "",
    )


def test_without_a_list_nobody_has_a_flag(tmp_path: Path) -> None:
    assert read_list(tmp_path) == ({}, "")


@pytest.mark.parametrize(
    "line",
    ["Ann,Sweden", "Ann,se", "Ann,SE,../../etc/passwd", "Ann,SE,ann.svg", "Ann,SE,a.png,more", "Ann,SE,.png"],
)
def test_a_line_that_is_none_is_left_out_and_said_with_its_number(tmp_path: Path, line: str) -> None:
    listed, wrong = written(tmp_path, f"Bo,NO\n{line}\n")
    assert listed == {"Bo": Listed("NO")}
    assert wrong == "players.csv, line 2: write player,country,photo, as Ann Lee,SE,ann.png"


def test_what_is_no_text_or_too_long_is_no_list(tmp_path: Path) -> None:
    (tmp_path / PLAYERS).write_bytes(b"\xff\xfe\x00")
    assert read_list(tmp_path)[0] == {}
    assert "write it as CSV" in read_list(tmp_path)[1]
    (tmp_path / PLAYERS).write_bytes(b"a" * (MOST_BYTES + 1))
    assert "longer than" in read_list(tmp_path)[1]


def test_names_are_the_stations_also_of_who_is_out() -> None:
    players = Players()
    players.take(TournamentField("", (FieldPlayer("p1", "Ann Lee"),), (FieldOut("p2", "Bo Ek", 9),)))
    version = players.version
    players.take(TournamentField("", (FieldPlayer("p1", "Ann Lee"),)))
    assert players.version == version, "nobody has another name"
    assert [players.of(player).name for player in ("p1", "p2", "p3")] == ["Ann Lee", "Bo Ek", "p3"]


def test_pictures_are_served_and_nothing_beside_them(tmp_path: Path) -> None:
    photos = tmp_path / "photos"
    photos.mkdir()
    (photos / "ann.png").write_bytes(b"picture")
    (photos / "notes.txt").write_text("notes")
    (tmp_path / "relay.png").write_bytes(b"secret")
    (photos / "link.png").symlink_to(tmp_path / "relay.png")

    async def ask() -> None:
        transport = httpx.ASGITransport(Starlette(routes=[photo_route(tmp_path)]))
        async with httpx.AsyncClient(transport=transport, base_url="http://feltwire") as client:
            assert (await client.get("/photo/ann.png")).content == b"picture"
            for name in ("notes.txt", "link.png", "bo.png", "..%2Frelay.png", "%2e%2e/relay.png"):
                assert (await client.get(f"/photo/{name}")).status_code == 404, name

    asyncio.run(ask())
