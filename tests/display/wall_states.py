"""What a wall is shown in, for its pictures and its tests: each state with its channels."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from display.look import look_view
from display.push import Hub
from table_core.messages import (
    FACTS,
    Beat,
    Chips,
    ClockState,
    FieldChip,
    FieldMove,
    FieldNotice,
    FieldOut,
    FieldPlayer,
    FieldRebuys,
    Level,
    Millis,
    RoomLook,
    Seat,
    TournamentField,
    WallFact,
    WallLayout,
    encode_page,
)

BOOT = "b1"
NOW = 5_000_000
FIRST = (
    *("Ada", "Ben", "Cleo", "Dev", "Eva", "Finn", "Gus", "Hana", "Ivo", "Jule", "Kai", "Lena", "Mats", "Nora"),
    *("Olek", "Pia", "Quim", "Rosa", "Sven", "Tilda", "Uwe", "Vera", "Wim", "Xenia", "Yann", "Zoe"),
)
LAST = ("B.", "K.", "M.", "R.", "T.")
NAMES = tuple(f"{first} {last}" for last in LAST for first in FIRST)
PAYOUTS = (96_000, 60_500, 42_000, 30_000, 22_500, 18_000, 14_500, 12_000, 9_500, 7_500, 6_000, 5_000)


def level(no: int, small: int, minutes: float = 20, *, ante: int = 0) -> Level:
    return Level(no, Chips(small), Chips(2 * small), big_blind_ante=Chips(ante), minutes=minutes)


def pause(minutes: float = 15, what: str = "", colour_up: int = 0) -> Level:
    return Level(0, Chips(0), Chips(0), minutes=minutes, is_break=True, what=what, colour_up=Chips(colour_up))


LEVELS = (
    *(level(1, 25), level(2, 50), level(3, 100), pause(colour_up=25)),
    *(level(4, 200, ante=400), level(5, 300, ante=600), level(6, 500, ante=1_000), pause(45, "Dinner")),
    *(level(7, 1_000, ante=2_000), level(8, 1_500, ante=3_000), level(9, 2_500, ante=5_000), level(10, 50_000)),
)


def clock(entry: int = 4, left_ms: int = 754_000, *, running: bool = True) -> ClockState:
    return ClockState(
        boot=BOOT,
        at=Millis(NOW),
        revision=1,
        running=running,
        level=LEVELS[entry],
        left_ms=left_ms,
        next_level=LEVELS[entry + 1],
        players_left=42,
        entrants=104,
        average_stack=Chips(24_750),
        levels=LEVELS,
        chips=Chips(1_040_000),
        buy_in=5_000,
        payouts=PAYOUTS,
        entry=entry,
    )


def player(no: int) -> FieldPlayer:
    return FieldPlayer(f"p{no}", NAMES[no], f"{no // 9 + 1:02}", Seat(no % 9 + 1), Chips(1_000 * (60 - no)))


def out(no: int, place: int) -> FieldOut:
    return FieldOut(f"p{no}", NAMES[no], place, PAYOUTS[place - 1] if place <= len(PAYOUTS) else 0, "01")


def field(players: int = 42, entrants: int = 104) -> TournamentField:
    gone = tuple(out(no, no + 1) for no in range(players, min(entrants, players + 100)))
    return TournamentField(
        "Friday",
        tuple(player(no) for no in range(players)),
        gone,
        players,
        entrants,
        PAYOUTS,
        starts=Millis(1_700_000_000_000),
        started=True,
        rebuys=FieldRebuys(True, 6, 17, True),
        chips=tuple(
            FieldChip(Chips(value), name, colour, dark)
            for value, name, colour, dark in ((25, "green", "#1f7a3f", True), (100, "black", "#1c1c1c", True))
        ),
    )


LOOK = RoomLook(event="Friday Night No-Limit Hold'em", facts=FACTS)


class WallState(NamedTuple):
    """`sends` are the channels; without `beats` the station is silent."""

    clock: ClockState | None
    field: TournamentField
    look: RoomLook = LOOK
    beats: bool = True


MOVES = tuple(FieldMove(f"p{no}", NAMES[no], "05", Seat(no), "02", Seat(no + 2)) for no in (3, 4))
SAID = replace(LOOK, message="Dinner is served in the bar until 21:30")
EVERYTHING = replace(SAID, facts=(*FACTS, WallFact.PENALTIES), phone_page="http://192.168.1.20:8080/me")
NO_EVENT = TournamentField("")

STATES: Mapping[str, WallState] = {
    "waiting": WallState(None, NO_EVENT),
    "no-event": WallState(replace(clock(0, running=False), entrants=0, payouts=()), NO_EVENT),
    "before": WallState(clock(0, 1_200_000, running=False), replace(field(104), started=False, out=())),
    "running": WallState(clock(), field()),
    "last-minute": WallState(clock(left_ms=47_000), field(), SAID),
    "paused": WallState(clock(running=False), replace(field(), moves=MOVES)),
    "break": WallState(clock(3, 734_000), field(), SAID),
    "dinner": WallState(clock(7, 2_650_000), field()),
    "hand-for-hand": WallState(clock(8), replace(field(13), hand_for_hand=True), EVERYTHING),
    "final-table": WallState(
        replace(clock(10), players_left=9, average_stack=Chips(115_555)),
        replace(
            field(9),
            final_table=True,
            moves=MOVES,
            notices=(FieldNotice(NAMES[5], "time_out", 10), FieldNotice(NAMES[6], "time_out", 0, 3)),
        ),
        EVERYTHING,
    ),
    "over": WallState(
        replace(clock(10, running=False), note="The event is over"),
        replace(field(1), over=True, winner=NAMES[0]),
    ),
    "offline": WallState(
        replace(clock(), note="On its own, without word from the station."), field(), beats=False
    ),
}


def publish(
    hub: Hub, state: WallState, shows: WallLayout = WallLayout.AUTO, beat: Callable[[], int] = lambda: NOW
) -> None:
    """Put a state on the channels of a process."""
    if state.clock is not None:
        hub.publish("clock", encode_page(state.clock))
    hub.publish("tournament", encode_page(state.field))
    hub.publish("look", msgspec.json.encode(look_view(replace(state.look, shows=shows))))
    if state.beats:
        hub.publish("beat", encode_page(Beat(BOOT, Millis(beat()))))
