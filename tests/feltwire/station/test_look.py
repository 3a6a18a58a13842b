"""The look of the venue's screens at the station: what is said to whom, and what is refused."""

from __future__ import annotations

import msgspec

from display.colours import DARK, contrast
from feltwire.lab.station.memory import MemoryStation, of
from feltwire.runtime.broker import topics
from feltwire.runtime.node_io import BusDown, BusUp, Publish, Reply
from feltwire.station.station_io import Effect, KeepLook, PictureGiven, ShowLook
from table_core.messages import (
    EARLIEST_WRITTEN,
    MESSAGES_VERSION,
    RoomLook,
    WallFact,
    WallLayout,
    WallSound,
    write_as,
)
from tests.feltwire.station_room import VENUE, config

TOPIC = topics.tournament(VENUE, "look")


def said(effects: list[Effect]) -> list[RoomLook]:
    published = [one for one in of(effects, Publish) if one.topic == TOPIC]
    assert all(one.retain and topics.may_be_retained(one.topic) for one in published)
    return [msgspec.json.decode(one.payload, type=RoomLook) for one in published]


def station(**more: RoomLook) -> MemoryStation:
    return MemoryStation(config(("01",)), **more).up()  # type: ignore[arg-type]


def test_the_look_is_said_at_the_start_and_when_the_broker_is_back() -> None:
    room = station()
    assert said(room.effects) == [RoomLook()]
    assert said(room.wait(60_000)) == []
    room.give(BusDown(""))
    assert said(room.give(BusUp())) == [RoomLook()]


def test_what_is_set_is_kept_shown_here_and_said() -> None:
    room = station()
    changed = {"event": "Friday", "colour_2": "#ffd000", "shows": "big", "facts": ["players"], "sounds": []}
    reply = room.press("set_look", **changed, message="Dinner at 8")
    assert not reply.refused
    wanted = RoomLook(
        event="Friday",
        colour_2="#ffd000",
        shows=WallLayout.BIG,
        facts=(WallFact.PLAYERS,),
        sounds=(),
        message="Dinner at 8",
    )
    assert (room.look, said(room.effects)[-1], of(room.effects, ShowLook)[-1].look) == (wanted, wanted, wanted)
    assert said(room.killed().up().effects) == [wanted]
    assert WallSound.LEVEL in RoomLook().sounds


def test_what_is_not_named_stays() -> None:
    room = station(look=RoomLook(event="Friday", logo=b"webp"))
    room.press("set_look", shows="final")
    assert (room.look.event, room.look.logo, room.look.shows) == ("Friday", b"webp", WallLayout.FINAL)


def test_a_colour_in_which_words_cannot_be_read_is_refused_with_one_that_would_do() -> None:
    room = station()
    reply = room.press("set_look", colour_2="#500010")
    assert (reply.refused, reply.about, room.look) == (True, "colour_2", RoomLook())
    would = reply.text.split()[-3]
    assert contrast(would, DARK) >= 4.5
    assert not room.press("set_look", "p2", colour_2=would).refused


def test_what_is_no_look_is_refused() -> None:
    room = station()
    for no, wrong in enumerate(
        (
            {"colour_1": "red"},
            {"colour_1": "#0e3a29\n"},
            {"colour_1": "url(x)"},
            {"running": "final"},
            {"facts": ["cards"]},
            {"event": "x" * 300},
            {"logo": "AAAA"},
            {"picture": "photo"},
        )
    ):
        command = "remove_picture" if "picture" in wrong else "set_look"
        assert room.press(command, f"p{no}", **wrong).refused, wrong
    assert room.press("set_picture", "p9", slot="logo", picture="AAAA").refused, (
        "a picture comes through its door only"
    )
    assert room.look == RoomLook()
    assert of(room.effects, KeepLook) == []


def test_a_picture_is_shown_and_removed() -> None:
    room = station()
    done = room.give(PictureGiven("u1", "logo", b"RIFF"))
    assert [one.text for one in of(done, Reply)] == ["The logo is shown."]
    assert said(done)[-1].logo == room.look.logo == b"RIFF"
    room.press("remove_picture", picture="logo")
    assert room.look.logo == said(room.effects)[-1].logo == b""


def test_a_room_of_the_version_before_hears_of_it_once_the_upgrade_is_confirmed() -> None:
    write_as(EARLIEST_WRITTEN)
    try:
        room = station()
        room.press("set_look", event="Friday")
        assert said(room.effects) == []
        assert of(room.effects, ShowLook)[-1].look.event == "Friday", "the station's own pages have it"
        write_as(MESSAGES_VERSION)
        assert said(room.wait(1_000))[-1].event == "Friday"
    finally:
        write_as(MESSAGES_VERSION)
