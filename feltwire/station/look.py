"""The look of the venue's screens at the station: who may say what, and who is told."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import asdict, replace

from display.colours import DARK, TEXT, contrast, readable
from feltwire.runtime.broker import topics
from feltwire.runtime.node_io import Publish
from feltwire.station.director.arguments import arguments_of
from feltwire.station.director.director import Director
from feltwire.station.station_io import Directed, Effect, KeepLook, PictureGiven, ShowLook
from feltwire.station.tournament.overlooked import apart
from table_core.messages import (
    Colour,
    Few,
    Frozen,
    Name,
    RoomLook,
    Said,
    WallFact,
    WallLayout,
    WallSound,
    encode,
    is_written,
)

COMMANDS = ("set_look", "remove_picture")
PICTURES = ("logo", "sponsor")
MOST_MESSAGE = 160  # letters that can be read from afar
_WHILE_PLAYED = (WallLayout.BIG, WallLayout.DIRECTOR)


class LookWanted(Frozen, frozen=True):
    """What of the look is set; None: it stays."""

    event: Name | None = None
    colour_1: Colour | None = None
    colour_2: Colour | None = None
    running: WallLayout | None = None
    shows: WallLayout | None = None
    facts: Few[WallFact] | None = None
    sounds: Few[WallSound] | None = None
    spoken: bool | None = None
    message: Said | None = None


class PictureNamed(Frozen, frozen=True):
    picture: Name


class StationLook:
    """`now` is the look that every screen of the room has, `phone_page` the address of the players' page."""

    def __init__(self, venue: str, look: RoomLook, director: Director, phone_page: str = "") -> None:
        self._topic = topics.tournament(venue, "look")
        self.now = replace(look, phone_page=phone_page)
        self._director = director
        self._told = self._shown = False

    def say_again(self) -> None:
        """The broker is back."""
        self._told = False

    def go_on(self, *, bus_up: bool) -> Iterator[Effect]:
        """Tell whoever has not heard; a room that writes an earlier version, once the upgrade is confirmed."""
        if not self._shown:
            self._shown = True
            yield ShowLook(self.now)
        if bus_up and not self._told and is_written("RoomLook"):
            self._told = True
            yield Publish(self._topic, encode(self.now), retain=True)

    def press(self, given: Directed) -> Iterator[Effect]:
        plain = apart(given)[0]
        if given.command == "set_look":
            yield from self._set(given, arguments_of(plain, LookWanted))
        else:
            yield from self._remove(given, arguments_of(plain, PictureNamed).picture)

    def picture(self, given: PictureGiven) -> Iterator[Effect]:
        """`given.picture` was made by this station from what was sent."""
        said = Directed(given.id, "set_picture", by=given.by)
        yield from self._change({given.slot: given.picture})
        yield from self._director.once(
            said, lambda said: self._director.reply(said, f"The {given.slot} is shown.")
        )

    def _set(self, given: Directed, wanted: LookWanted) -> Iterator[Effect]:
        changed = {name: value for name, value in asdict(wanted).items() if value is not None}
        about, fault = _fault_of(wanted)
        if fault:
            yield from self._director.reply(given, fault, refused=True, about=about)
            return
        yield from self._change(changed)
        yield from self._director.reply(given, "Every screen of the room has it now.")

    def _remove(self, given: Directed, picture: str) -> Iterator[Effect]:
        if picture not in PICTURES:
            text = f"There is no picture {picture!r}; there are: {', '.join(PICTURES)}."
            yield from self._director.reply(given, text, refused=True)
            return
        yield from self._change({picture: b""})
        yield from self._director.reply(given, f"The {picture} is shown no more.")

    def _change(self, changed: dict[str, object]) -> Iterator[Effect]:
        self.now = replace(self.now, **changed)
        self._told = self._shown = False
        yield KeepLook(self.now)


def _fault_of(wanted: LookWanted) -> tuple[str, str]:
    """The field and what is wrong with it; empty words where nothing is."""
    if wanted.running is not None and wanted.running not in _WHILE_PLAYED:
        return "running", f"While play runs a wall shows {' or '.join(_WHILE_PLAYED)}."
    if (two := wanted.colour_2) is not None and (has := contrast(two, DARK)) < TEXT:
        would = readable(two, DARK)
        text = f"Words in {two} cannot be read on the wall: contrast {has:.1f}, {TEXT} at least. {would} would do."
        return "colour_2", text
    if wanted.message is not None and len(wanted.message) > MOST_MESSAGE:
        return "message", f"A wall shows {MOST_MESSAGE} letters at most; this has {len(wanted.message)}."
    return "", ""
