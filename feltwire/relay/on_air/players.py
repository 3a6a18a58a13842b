"""Who the players are whom tables know by their ids: names from the station's field, flags and pictures from the
producer's own list.

The list is `players.csv` in the relay's data folder: a line for each player, `player,country,photo`, with the
id or the name, two letters (ISO 3166-1) and the name of a picture in the folder `photos` beside it; the last
two may be empty.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from table_core.messages import TournamentField

PLAYERS, PHOTOS = "players.csv", "photos"
MOST_BYTES = 1_000_000
COLUMNS = ("player", "country", "photo")
_COUNTRY = re.compile("[A-Z]{2}")
_PHOTO = re.compile(r"[\w-][\w .-]{0,100}\.(png|jpe?g|webp)", re.ASCII | re.IGNORECASE)


class Listed(NamedTuple):
    """What the producer's list says of a player."""

    country: str = ""
    photo: str = ""


class Person(NamedTuple):
    """A player as viewers know them."""

    name: str
    country: str = ""
    photo: str = ""


@dataclass(slots=True)
class Players:
    """Names by id, and what the producer's list says by id or name.

    >>> Players({"p1": "Ann Lee"}, {"Ann Lee": Listed("SE")}).of("p1")
    Person(name='Ann Lee', country='SE', photo='')
    """

    names: dict[str, str] = field(default_factory=dict)
    listed: dict[str, Listed] = field(default_factory=dict)
    version: int = 0  # grows when somebody is known by something else

    def of(self, player: str, name: str = "") -> Person:
        """`name`: as the station calls the player, where the caller knows it."""
        name = name or self.names.get(player, player)
        return Person(name, *(self.listed.get(player) or self.listed.get(name) or Listed()))

    def take(self, said: TournamentField) -> None:
        """The names that the station says now; whom it names no more keeps the name of before."""
        named = [(one.player, one.name) for one in said.players] + [(one.player, one.name) for one in said.out]
        news = dict(named)
        if news.items() - self.names.items():
            self.names |= news
            self.version += 1

    def take_list(self, listed: dict[str, Listed]) -> None:
        if listed != self.listed:
            self.listed = listed
            self.version += 1


def read_list(folder: Path) -> tuple[dict[str, Listed], str]:
    """The producer's list in a data folder, and what is wrong with it: the first line that is none. Empty where
    there is no list."""
    path = folder / PLAYERS
    try:
        with path.open("rb") as file:
            raw = file.read(MOST_BYTES + 1)
    except FileNotFoundError:
        return {}, ""
    except OSError as error:
        return {}, f"{path} cannot be read ({error.strerror})"
    if len(raw) > MOST_BYTES:
        return {}, f"{path} is longer than {MOST_BYTES:,} bytes"
    try:
        return _listed(csv.reader(io.StringIO(raw.decode("utf-8-sig"))))
    except (UnicodeDecodeError, csv.Error) as error:
        return {}, f"{path} is no list of players ({type(error).__name__}): write it as CSV, in UTF-8"


def _listed(rows: Iterable[list[str]]) -> tuple[dict[str, Listed], str]:
    found: dict[str, Listed] = {}
    wrong = ""
    for number, row in enumerate(rows, 1):
        player, country, photo = (*(cell.strip() for cell in row), "", "", "")[:3]
        if not player or tuple(row) == COLUMNS:
            continue
        fits = (not country or _COUNTRY.fullmatch(country)) and (not photo or _PHOTO.fullmatch(photo))
        if fits and len(row) <= len(COLUMNS):
            found[player] = Listed(country, photo)
        elif not wrong:
            wrong = f"{PLAYERS}, line {number}: write player,country,photo, as Ann Lee,SE,ann.png"
    return found, wrong


def photo_route(folder: Path) -> Route:
    """`/photo/ann.png`: a picture beside the list, in the folder `photos`."""
    photos = folder / PHOTOS

    async def photo(request: Request) -> Response:
        name = request.path_params["name"]
        path = photos / name
        if not _PHOTO.fullmatch(name) or not path.is_file() or path.is_symlink():
            return Response(status_code=404)
        return FileResponse(path)

    return Route("/photo/{name}", photo)
