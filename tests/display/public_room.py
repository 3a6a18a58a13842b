"""A room with a public page, in memory: what its station makes of a night, as files."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from display.public_page import STATIC, Room, public_files
from feltwire.config import PublicPageConfig
from feltwire.lab.station.memory import of
from feltwire.lab.station.room import MemoryRoom
from feltwire.runtime.static_files import TYPEFACE, copy_static
from feltwire.station.station_io import PublicPageMade
from tests.feltwire.night_room import NightRoom, NightTable
from tests.feltwire.station_room import config

ON = PublicPageConfig(folder="/srv/site", every_s=5)
PEOPLE = (
    *(
        "Ann Bell",
        "Al Berg",
        "Zoë Núñez de la Fuente",
        "Marguerite-Louise Oberhauser",
        "Bo",
        "Jean-Luc Ø",
        "李小龍",
    ),
    *("Иван Петров", "Cy Dow", "Dee Eng"),
)


class PublicRoom(NightRoom):
    """`made` are the pages that the station made, the newest last."""

    def __init__(self, tables: tuple[str, ...] = ("01", "02"), public: PublicPageConfig = ON) -> None:
        self.tables = {table: NightTable(table) for table in tables}
        settings = replace(config(tables, rulebook="rpl", title="Friday"), public=public)
        MemoryRoom.__init__(self, settings, self.tables)

    def register(self, *names: str, shown: str = "") -> None:
        for name in names:
            self.do("register_new", name=name, member=True, adult=True, shown=shown)
            self.do("enter", player=f"p{len(self.shown['field'])}")

    def begin(self, *names: str, **house: object) -> None:
        """An open event with these players, cards in the air."""
        self.do("open", house={"starting_stack": 2_000, "buy_in": 50, "payouts": [60, 40], **house}, name="Friday")
        self.register(*names)
        self.do("draw_seats", tables=[*self.tables])
        for table in self.tables:
            self.do("set_button", table=table)
        self.do("start")

    @property
    def made(self) -> list[PublicPageMade]:
        return of(self.station.effects, PublicPageMade)

    def newest(self) -> PublicPageMade:
        self.wait(6_000)
        return self.made[-1]


def files_of(made: PublicPageMade, language: str = "en") -> dict[str, bytes]:
    return public_files(Room("The Felt Club", made.wall, made.live, "", language, made.look), made.contents)


def write(made: PublicPageMade, folder: Path) -> None:
    """The page as a web host serves it."""
    copy_static({**STATIC, **TYPEFACE}, folder)
    for name, content in files_of(made).items():
        (folder / name).write_bytes(content)
