"""The look of a venue's screens: on `…/tournament/look`, from the station to every process that has pages."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from msgspec import Meta

from table_core.messages.base import Few, Frozen, Name, Text

MOST_LOGO = 48 * 1024  # bytes of a picture: both of them in Base64 are within the longest message
MOST_SPONSOR = 96 * 1024

Colour = Annotated[str, Meta(pattern=r"^#[0-9a-f]{6}$(?!\n)", max_length=7)]


class WallLayout(StrEnum):
    """What a wall clock shows. AUTO: the director's choice while play runs, and by itself the break, the seats
    before the start and the result after the end."""

    AUTO = "auto"
    BIG = "big"  # time and blinds, from afar
    DIRECTOR = "director"  # prizes left, clock in the centre, what comes right
    BREAK = "break"  # when play resumes, and which chips leave play
    SEATING = "seating"  # who sits where, and who moves
    FINAL = "final"  # winner, places, prizes


class WallFact(StrEnum):
    """What stands beside time and blinds, where the venue wants it."""

    NEXT_LEVEL = "next_level"
    NEXT_BREAK = "next_break"
    PLAYERS = "players"
    AVERAGE = "average"
    CHIPS = "chips"
    BUY_IN = "buy_in"
    REBUYS = "rebuys"
    PRIZES = "prizes"
    LAST_OUT = "last_out"
    PENALTIES = "penalties"
    PHONE_CODE = "phone_code"
    TIME_OF_DAY = "time_of_day"


class WallSound(StrEnum):
    LEVEL = "level"
    MINUTE = "minute"  # one minute left
    BREAK_OVER = "break_over"
    BUST = "bust"
    FINAL_TABLE = "final_table"


FACTS = tuple(fact for fact in WallFact if fact is not WallFact.PENALTIES)
SOUNDS = (WallSound.LEVEL, WallSound.MINUTE, WallSound.BREAK_OVER, WallSound.FINAL_TABLE)


class RoomLook(Frozen, frozen=True):
    """On `…/tournament/look`. `event` stands above the clock; empty: what each process is called. `colour_1` is
    the ground of bands, `colour_2` that of bars and of words that stand out. Pictures are WebP, made by the
    station from what was sent. `running` is the layout while play runs, BIG or DIRECTOR; `shows` holds one of all.
    `message` is the director's, to everybody. `spoken`: browsers that can also say what a sound means.
    `phone_page` is where players' phones find their page, as `http://192.168.1.20:8080/me`."""

    event: Name = ""
    colour_1: Colour = "#0e3a29"
    colour_2: Colour = "#56d9a0"
    logo: Annotated[bytes, Meta(max_length=MOST_LOGO)] = b""
    sponsor: Annotated[bytes, Meta(max_length=MOST_SPONSOR)] = b""
    running: WallLayout = WallLayout.DIRECTOR
    shows: WallLayout = WallLayout.AUTO
    facts: Few[WallFact] = FACTS
    sounds: Few[WallSound] = SOUNDS
    spoken: bool = True
    message: Text = ""
    phone_page: Text = ""
