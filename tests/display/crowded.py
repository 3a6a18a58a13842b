"""The most that a dealer screen has to hold: eleven seats, long names, large amounts, side pots, long words."""

from __future__ import annotations

import msgspec

from table_core.messages import (
    Chips,
    DeviceState,
    Key,
    Legal,
    Level,
    OpenRuling,
    OptionView,
    QuestionView,
    RulingView,
    Seat,
    SeatView,
    Street,
    TableView,
)
from tests.display import fixtures

NAMES = (
    "Maria-Magdalena Konstantinopoulou",
    "Jo",
    "Bartholomäus von Hohenstein",
    "Oluwaseun Adebayo-Williams",
    "Chen Wei",
    "Alexandra Featherstonehaugh",
    "Tom",
    "Fatima Zahra el Mansouri",
    "Jürgen",
    "Wojciech Brzęczyszczykiewicz",
    "Nguyễn Thị Minh Khai",
)
_LATE = Level(41, Chips(1_500_000), Chips(3_000_000), big_blind_ante=Chips(3_000_000), minutes=60)
_LATER = Level(42, Chips(2_000_000), Chips(4_000_000), big_blind_ante=Chips(4_000_000), minutes=60)
_DEVICES = {
    "keypad": DeviceState.OK,
    "shoe": DeviceState.NOT_RESPONDING,
    "camera": DeviceState.BLOCKED,
    "screen": DeviceState.OK,
}


def _seats(places: int) -> tuple[SeatView, ...]:
    return tuple(
        msgspec.convert(
            {
                "seat": no,
                "player": NAMES[no - 1],
                "stack": 388_400_000 + no * 1_111_111,
                "in_hand": True,
                "bet": 188_500_000 if no % 2 else 0,
                "cards": ("??", "??"),
                "last": "raise 188,500,000" if no % 2 else "call",
                "counted_after": 118,
            },
            SeatView,
        )
        for no in range(1, places + 1)
    )


def busy(places: int = 11, *, as_of: int = 3_000, **facts: object) -> TableView:
    """Everybody is in with large amounts in front of them; three pots lie in the middle."""
    view = fixtures.table_view(
        as_of=as_of,
        hand=1_118,
        street=Street.TURN,
        level=_LATE,
        next_hand_level=_LATER,
        button=Seat(places),
        seats=_seats(places),
        board=("Ah", "Td", "7c", "2s"),
        pots=(Chips(912_500_000), Chips(388_500_000), Chips(141_000_000)),
        pot=Chips(1_442_000_000),
        legal=Legal(
            Seat(6), can_check=False, call=Chips(188_500_000), min_to=Chips(371_000_000), max_to=Chips(395_066_666)
        ),
        last="Seat 5 raises to 188,500,000, all-in with the short stack of seat 3 behind",
        devices=_DEVICES,
    )
    return msgspec.structs.replace(view, **facts)


def predicting(places: int = 11) -> TableView:
    """What the chips in front of the seat to act amount to is one press away."""
    return busy(places, as_of=3_010, predicted="Seat 6 raises to 371,000,000")


def asking(places: int = 11) -> TableView:
    text = (
        "Seats 6, 7, 8 and 10 folded, seat 9 called 188,500,000 and seat 11 is all-in for 399,622,222"
        " before seat 2. Is that right?"
    )
    return busy(places, as_of=3_020, legal=None, question=QuestionView(9, "missed_actions", text, Key.STREET))


def silent(places: int = 11) -> TableView:
    return busy(places, as_of=3_030, notices=())


RULING = RulingView(
    11,
    "string_bet",
    "A bet in several motions that a player behind disputes",
    Seat(10),
    (
        OptionView(1, "first_motion", "Seat 10: the first motion stands, 188,500,000", "wfp.procedures.19"),
        OptionView(2, "call", "Seat 10: a call only, the rest goes back", "wfp.procedures.19"),
        OptionView(3, "stands", "Seat 10: the raise to 371,000,000 stands", "wfp.procedures.19"),
        OptionView(4, "min_raise", "Seat 10: the least raise, to 377,000,000", "wfp.procedures.19"),
        OptionView(5, "typed", "Seat 10: the amount that was said aloud", "wfp.decisions.8"),
    ),
    "before the next card is turned",
    ("Seat 10: warning (wfp.decisions.8)", "Seat 10: missed a hand (wfp.decisions.9)"),
    (
        "Camera: the first motion brought 188,500,000",
        "Camera: 371,000,000 lie there now",
        "Keypad: raise, with no amount, 2 s before",
    ),
)


OPEN_RULING = OpenRuling(3, 3_040, RULING)


def showdown(places: int = 11) -> TableView:
    """Every second hand lies open, with bets taken in."""
    faces = (("Ac", "Ts"), ("Qh", "Kh"), ("9d", "9s"), ("Jc", "Jd"), ("5h", "6h"), ("As", "Kd"))
    seats = tuple(
        msgspec.structs.replace(seat, bet=Chips(0), cards=faces[seat.seat // 2], last="two pair, aces and tens")
        if seat.seat % 2
        else msgspec.structs.replace(seat, bet=Chips(0), folded=True, in_hand=False, cards=(), last="fold")
        for seat in _seats(places)
    )
    return busy(
        places,
        as_of=3_050,
        street=Street.SHOWDOWN,
        board=("Ah", "Td", "7c", "2s", "Jh"),
        legal=None,
        seats=seats,
        last="Seat 5 tables its hand: two pair, aces and tens",
    )


CROWDED = {
    "busy": busy,
    "predicting": predicting,
    "asking": asking,
    "silent": silent,
    "showdown": showdown,
}
