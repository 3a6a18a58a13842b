"""Snapshots of a room that could be real: a bet on the turn, an all-in, a table that is offline."""

from __future__ import annotations

import msgspec

from table_core.messages import (
    Beat,
    Cell,
    CellState,
    Chips,
    ClockState,
    DeviceState,
    ItemKind,
    Key,
    Legal,
    Level,
    Liveness,
    Millis,
    NoticeView,
    OptionView,
    OverlayPot,
    OverlaySeat,
    OverlayView,
    Primary,
    QuestionView,
    QueueItem,
    QueueView,
    RoomView,
    Ruled,
    RulingsView,
    RulingView,
    Seat,
    SeatView,
    SensedLine,
    SensedView,
    SensedZone,
    Severity,
    Sight,
    Street,
    TableRuling,
    TableView,
    Zone,
)
from table_core.rulebook import load_rulebook
from table_core.tournament.announcements import Announcements, announced
from table_core.tournament.state import State

VENUE = "riverside"
TITLE = "Riverside Main Event"
TABLES = ("01", "02", "03")
BOOT = "5d1c7a90be22f043"

LEVELS = tuple(
    Level(no, Chips(small), Chips(big), big_blind_ante=Chips(big), minutes=20)
    for no, small, big in [(6, 300, 600), (7, 400, 800), (8, 500, 1000), (9, 600, 1200)]
)
BREAK = Level(0, Chips(0), Chips(0), minutes=15, is_break=True)

_PLAYERS = ("Ines", "Matthias", "Priya", "Oluwaseun", "Chen Wei", "Alexandra", "Tom", "Fatima", "Jürgen")
_STACKS = (41_200, 18_500, 63_900, 27_400, 0, 112_350, 9_800, 35_000, 22_750)


def seat(no: int, **facts: object) -> SeatView:
    known: dict[str, object] = {
        "seat": no,
        "player": _PLAYERS[no - 1],
        "stack": _STACKS[no - 1],
        "in_hand": True,
        "cards": ("??", "??"),
    }
    return msgspec.convert(known | facts, SeatView)


def folded(no: int) -> SeatView:
    return seat(no, folded=True, in_hand=False, cards=(), last="fold")


def table_view(table: str = "01", *, as_of: int = 1234, **facts: object) -> TableView:
    """The turn with a bet, a raise all-in and a seat to act; `facts` replace fields."""
    view = TableView(
        venue=VENUE,
        table=table,
        epoch=3,
        as_of=as_of,
        head="9c0f" * 16,
        rulebook="base",
        hand=118,
        street=Street.TURN,
        level=LEVELS[2],
        next_hand_level=None,
        button=Seat(2),
        small_blind=Seat(3),
        big_blind=Seat(4),
        seats=(
            folded(1),
            folded(2),
            seat(3, bet=4_000, last="bet 4,000"),
            folded(4),
            seat(5, bet=16_400, all_in=True, last="raise 16,400"),
            seat(6),
            folded(7),
            seat(8, away=True, in_hand=False, cards=()),
            folded(9),
        ),
        board=("Ah", "Td", "7c", "2s"),
        pots=(Chips(9_500),),
        pot=Chips(29_900),
        legal=Legal(Seat(6), can_check=False, call=Chips(16_400), min_to=Chips(28_800), max_to=Chips(112_350)),
        question=None,
        last="Seat 5 raises all-in to 16,400",
        notices=(
            NoticeView(1201, "burn_missing", "No burn seen before the turn", rule="tda.3"),
            NoticeView(1228, "late_key", "The bet of seat 3 was keyed after the chips were seen", seat=Seat(3)),
        ),
        devices={
            "keypad": DeviceState.OK,
            "shoe": DeviceState.OK,
            "camera": DeviceState.BLOCKED,
            "screen": DeviceState.OK,
        },
        hands_played=117,
        next_step="Seat 6 to act: 16,400 to call",
    )
    return msgspec.structs.replace(view, **facts)


def asking(table: str = "01") -> TableView:
    return table_view(
        table,
        as_of=1240,
        legal=None,
        question=QuestionView(7, "closed", "All called 16,400?", Key.STREET),
        last="River card seen before the betting was closed",
    )


def showdown(table: str = "01") -> TableView:
    """Two tabled hands, the pot awarded."""
    return table_view(
        table,
        as_of=1260,
        street=Street.SHOWDOWN,
        board=("Ah", "Td", "7c", "2s", "Jd"),
        seats=(
            folded(1),
            folded(2),
            folded(3),
            folded(4),
            seat(5, all_in=True, cards=("Ac", "Ts"), last="two pair, aces and tens"),
            seat(6, stack=154_250, cards=("Qh", "Kh"), won=58_300, last="straight, ace high"),
            folded(7),
            seat(8, away=True, in_hand=False, cards=()),
            folded(9),
        ),
        pots=(Chips(58_300),),
        pot=Chips(58_300),
        legal=None,
        last="Seat 6 wins 58,300 with a straight, ace high",
    )


def between_hands(table: str = "01") -> TableView:
    return table_view(
        table,
        street=Street.DONE,
        board=(),
        pots=(),
        pot=Chips(0),
        seats=tuple(seat(no, in_hand=False, cards=()) for no in range(1, 10)),
        legal=None,
        notices=(),
        last="Hand 117 ended",
    )


def clock_state(*, at: int = 5_000_000, left_ms: int = 734_000, running: bool = True) -> ClockState:
    return ClockState(
        boot=BOOT,
        at=Millis(at),
        revision=4,
        running=running,
        level=LEVELS[2],
        left_ms=left_ms,
        next_level=LEVELS[3],
        players_left=46,
        entrants=72,
        average_stack=Chips(39_130),
        levels=LEVELS,
    )


def beat(at: int = 5_000_000) -> Beat:
    return Beat(BOOT, Millis(at))


def room_view(*, at: int = 5_000_000) -> RoomView:
    """Two tables that are heard, and one that is silent."""
    seats = tuple(Seat(no) for no in range(1, 10))
    turn = Cell("01", CellState.PLAYING, Liveness.LIVE, hand=118, street=Street.TURN, seats=seats, button=Seat(2))
    cells = (
        msgspec.structs.replace(turn, to_act=Seat(6), to_act_ms=4_000, chips_agree=True),
        msgspec.structs.replace(turn, table="02", trouble="now"),
        Cell("03", CellState.BETWEEN_HANDS, Liveness.SILENT, 48_000, seats=seats, trouble="stop"),
    )
    return RoomView(venue=VENUE, rulebook="base", cells=cells, clock=clock_state(at=at))


def queue_view() -> QueueView:
    """Table 02 calls the floor, table 03 is silent, and another machine claims to be it."""
    hand_over = {"table": "03", "ledger": "3f2a90c1d2e4b567", "key": ""}
    return QueueView(
        (
            QueueItem("silent-03", ItemKind.SILENT, Severity.STOP, "Table 03 is silent", "03", ms_ago=48_000),
            QueueItem(
                "floor-02", ItemKind.FLOOR_CALL, Severity.NOW, "Table 02 calls the floor", "02", ms_ago=9_000
            ),
            QueueItem(
                "claim-03-3f2a",
                ItemKind.CLAIM,
                Severity.NOW,
                "Table 03: machine 3f2a claims it; it is another machine than the leaseholder.",
                "03",
                ms_ago=4_000,
                primary=Primary("Hand over", "hand_over", hand_over, "Hand table 03 over to machine 3f2a?"),
            ),
        )
    )


STRING_BET = RulingView(
    7,
    "string_bet",
    "String bet",
    Seat(3),
    (
        OptionView(1, "first_motion", "Seat 3: the first motion stands, 4,000", "wfp.procedures.19"),
        OptionView(2, "call", "Seat 3: a call only", "wfp.procedures.19"),
        OptionView(3, "stands", "Seat 3: the raise to 12,000 stands", "wfp.procedures.19"),
    ),
    "in this hand",
    ("Seat 3: warning (wfp.decisions.8)",),
    ("Camera: the first motion brought 4,000", "Camera: 12,000 lie there now"),
)
RULED = Ruled(
    "forward_discard",
    "dead",
    "Seat 8: thrown forward with action behind, dead",
    "wfp.procedures.9",
    Seat(8),
    by="director",
    ruler="Ann",
    reason="seen at the table",
)


def rulings_view(*, open_at_02: RulingView | None = STRING_BET, given_at_01: Ruled | None = RULED) -> RulingsView:
    """A string bet is to be ruled on at table 02; the director has ruled at table 01."""
    return RulingsView(
        (TableRuling("01", None, given_at_01), TableRuling("02", open_at_02, None), TableRuling("03", None, None))
    )


def overlay_view(feed: str = "01") -> OverlayView:
    """All-in on the turn, with a side pot: the cards of both live hands are out. Seat 9 is out of the event."""
    cards = {5: ("Ac", "Ts"), 6: ("Qh", "Kh")}
    makes = {5: "two pair, aces and tens", 6: "ace high"}
    shares, bets = {5: 909, 6: 91}, {5: Chips(16_400), 6: Chips(4_000)}
    seats = [
        OverlaySeat(
            Seat(no),
            _PLAYERS[no - 1],
            Chips(0 if no in (5, 9) else _STACKS[no - 1]),
            cards.get(no, ()),
            folded=no not in cards and no != 9,
            bet=bets.get(no, Chips(0)),
            last={5: "all-in 16,400", 6: "bet 4,000"}.get(no, ""),
            in_hand=no in cards,
            all_in=no == 5,
            away=no == 2,
            share=shares.get(no),
            makes=makes.get(no, ""),
        )
        for no in range(1, 10)
    ]
    return OverlayView(
        table=feed,
        feed=feed,
        hand=117,
        street=Street.TURN,
        board=("Ah", "Td", "7c", "2s"),
        pot=Chips(29_900),
        seats=tuple(seats),
        delay_s=30.0,
        level=LEVELS[2],
        last="Seat 5 raises all-in to 16,400",
        pots=(OverlayPot(Chips(21_500), (Seat(5), Seat(6))), OverlayPot(Chips(8_400), (Seat(6),))),
        button=Seat(3),
        small_blind=Seat(4),
        big_blind=Seat(5),
        to_act=Seat(6),
        air_s=90.0,
    )


def sensed_view(picture_no: int = 88, camera: str = "") -> SensedView:
    return SensedView(
        picture_no=picture_no,
        zones=(
            SensedZone(Zone.BOARD, ("Ah", "Td", "7c", "2s")),
            SensedZone(Zone.BURN, face_down=2),
            SensedZone(Zone.cards(3), face_down=2),
            SensedZone(Zone.cards(5), ("Ac",), unread=1),
            SensedZone(Zone.cards(6), face_down=2, sight=Sight.HIDDEN),
            SensedZone(Zone.MUCK, face_down=9, sight=Sight.MOVING),
            SensedZone(Zone.bet(2), chips=Chips(1_200)),
            SensedZone(Zone.bet(4), thing=True),
            SensedZone(Zone.button(3), thing=True, button=True),
            SensedZone(Zone.cards(7), unread=1, sight=Sight.GLARE),
            SensedZone(Zone.cards(8), ("9d",), unread=1, odd="joker"),
            SensedZone(Zone.cards(9), unread=2, sight=Sight.BLURRED),
        ),
        lines=(
            SensedLine(Millis(4_990_120), "shoe", "10 00 00 4c e0 ·· ·· ·· ·· ·· ·· ··", "card 21 to board"),
            SensedLine(Millis(4_993_402), "keypad", "02 00 00 51 04", "seat 3 bets 4,000"),
            SensedLine(Millis(4_998_003), "keypad", "02 00 00 52 13", "seat 5 all-in, 16,400"),
        ),
        camera=camera,
    )


def demo_view(urls: dict[str, str] | None = None) -> dict[str, object]:
    """The `demo` channel of the landing page."""
    paths = {"table": "/table/01", "station": "/station", "clock": "/clock", "overlay": "/air/01"}
    return {
        "tables": list(TABLES),
        "urls": urls or paths | {"sensed": "/sensed/01"},
        "td_link": "/sign-in?token=example",
        "rulebook": "base: TDA 2024",
        "hands": 353,
        "counters": {"events": 18_204, "lost": 0, "duplicates": 0},
    }


def announcements() -> Announcements:
    """Before the start under the home book."""
    state = State(load_rulebook("home"), name=TITLE, starts=Millis(1_795_000_000_000))
    return announced(state, (*LEVELS[:2], BREAK, *LEVELS[2:]))
