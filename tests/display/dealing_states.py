"""Every state in which a dealer's screen stands for long, with nine seats and names of thirty letters."""

from __future__ import annotations

import msgspec

from table_core.messages import (
    BlindClock,
    CalledClock,
    Chips,
    Key,
    Legal,
    Level,
    Millis,
    NoticeView,
    QuestionView,
    Seat,
    SeatView,
    Street,
    TableClocks,
    TableView,
)
from tests.display import fixtures
from tests.display.crowded import CROWDED

NAMES = (
    "Francisco Javier Hernández Gil",
    "Maximilian-Alexander Schwarzer",
    "María del Carmen Etxebarrieta",
    "Donaudampfschifffahrtskapitän",
    "Karl-Theodor Mühlenbruchhausen",
    "Guadalupe Montserrat Zúñiga V.",
    "Annegret Kramp-Leutheusser-Ott",
    "José Ignacio Goikoetxea-Aranda",
    "Friederike Wilhelmine Großmann",
)
_STACKS = (41_200, 18_500, 163_900, 27_400, 350, 1_112_350, 9_800, 35_000, 22_750)
_BOARD = ("Ah", "Td", "7c", "2s", "Jd")
_BLINDS = Level(8, Chips(500), Chips(1_000), big_blind_ante=Chips(1_000), minutes=20)


def _seat(no: int, **facts: object) -> SeatView:
    known: dict[str, object] = {"seat": no, "player": NAMES[no - 1], "stack": _STACKS[no - 1]}
    return msgspec.convert(known | {"in_hand": True, "cards": ("??", "??")} | facts, SeatView)


def _seats(**of_seat: dict[str, object]) -> tuple[SeatView, ...]:
    """All nine; `s4={…}` sets facts of seat 4."""
    return tuple(_seat(no, **of_seat.get(f"s{no}", {})) for no in range(1, 10))


def _view(**facts: object) -> TableView:
    return fixtures.table_view(**({"level": _BLINDS, "seats": _seats(), "question": None, "notices": ()} | facts))


_OUT = {"in_hand": False, "folded": True, "cards": (), "last": "fold"}
_IDLE: dict[str, object] = {"in_hand": False, "cards": ()}


def _between(**facts: object) -> TableView:
    known = {
        "street": Street.DONE,
        "board": (),
        "pots": (),
        "pot": Chips(0),
        "legal": None,
        "seats": _seats(**{f"s{no}": _IDLE for no in range(1, 10)}),
        "last": "Hand 117 over",
        "next_step": "Next: NEW HAND with the first riffle. Button 2, small blind 3: 500, big blind 4: 1,000",
    }
    return _view(**(known | facts))


def _showdown(**facts: object) -> TableView:
    known = {
        "street": Street.SHOWDOWN,
        "board": _BOARD,
        "legal": None,
        "pots": (Chips(58_300),),
        "pot": Chips(58_300),
        "seats": _seats(s1=_OUT, s2=_OUT, s4=_OUT, s7=_OUT, s8=_OUT, s9=_OUT),
    }
    return _view(**(known | facts))


def _tabled(first: str, second: str, **facts: object) -> dict[str, object]:
    return {"cards": (first, second), **facts}


_HANDS = ("AcTs", "QhKh", "9d9s", "JcJh", "5h6h", "AsKd", "8c8d", "4s3s", "QcQd")
_PREFLOP = {"street": Street.PREFLOP, "board": (), "pots": (), "pot": Chips(2_500)}

STATES: dict[str, TableView] = {
    "before-the-first-hand": _between(
        hand=0,
        last="Seats set",
        next_step="No hand: NEW HAND with the first riffle. Button 2, small blind 3: 500, big blind 4: 1,000",
    ),
    "break": _between(no_hand="It is break: no hand begins", next_step="It is break: no hand begins"),
    "blinds": _view(
        **_PREFLOP,
        seats=_seats(s3={"bet": 500}, s4={"bet": 1_000}),
        legal=Legal(Seat(5), can_check=False, call=Chips(350), min_to=None, max_to=Chips(350)),
        next_step="Seat 5 to act: 350 to call",
        last="Hand 118, level 8: 500/1,000, big blind ante 1,000",
    ),
    "dead-small-blind": _view(
        **_PREFLOP,
        small_blind=None,
        seats=_seats(s4={"bet": 1_000}, s1=_IDLE | {"away": True}),
        legal=Legal(Seat(6), can_check=False, call=Chips(1_000), min_to=Chips(2_000), max_to=Chips(1_112_350)),
        next_step="Seat 6 to act: 1,000 to call",
    ),
    "raises": _view(
        seats=_seats(
            s1={"bet": 4_000, "last": "bet 4,000"},
            s2={"bet": 16_400, "last": "raise to 16,400"},
            s3=_OUT,
            s4={"bet": 16_400, "last": "call 16,400"},
            s5={"bet": 350, "stack": 0, "all_in": True, "last": "call 350, all-in"},
            s7=_OUT,
            s8=_IDLE | {"away": True},
            s9={"last": "check"},
        ),
        notices=(NoticeView(1, "late_key", "The bet of seat 3 was keyed after the chips were seen"),),
    ),
    "street-due": _view(
        legal=None, next_step="Burn, then deal the river: STREET", last="Betting closed, pot 29,900"
    ),
    "asks-beside-what-was-done": _view(
        legal=None,
        question=QuestionView(4, "board_unread", "Turn not read. Is it out? STREET = yes", Key.STREET),
        last="Assumed: seats 4, 5 and 6 call 16,400, seat 2 calls 12,400. Betting closed, pot 82,600",
        waiting="Waiting for the turn: check/call, bet 24,000",
        typed="Seat 4, 1,200",
        next_step="Answer the question",
    ),
    "refused": _view(
        last="Seat 5 has folded. Seat 1 is to act. Nothing entered. Not folded? 5 SEAT 59 FLOOR. Before: 9 folds",
        outcome="refused",
        typed="12",
    ),
    "all-in": _view(
        legal=None,
        seats=_seats(
            s1=_OUT,
            s2=_OUT,
            s3=_OUT,
            s4={"stack": 0, "all_in": True},
            s7=_OUT,
            s8=_OUT,
            s9=_OUT,
            s5={"stack": 0, "all_in": True},
        ),
        pots=(Chips(9_300), Chips(6_000), Chips(151_000)),
        pot=Chips(166_300),
        contenders=((Seat(4), Seat(5), Seat(6)), (Seat(4), Seat(6)), (Seat(6),)),
        next_step="Turn up the hands of seats 4, 5, 6, then STREET: the river",
    ),
    "shows-first": _showdown(next_step="Showdown: seat 6 first, then 3, 5", last="Betting closed, pot 58,300"),
    "tabled": _showdown(
        seats=_seats(
            s1=_OUT,
            s2=_OUT,
            s3=_tabled("9d", "9s"),
            s4=_OUT,
            s5=_tabled("5h", "6h", all_in=True, stack=0),
            s6=_tabled("As", "Kd"),
            s7=_OUT,
            s8=_OUT,
            s9=_OUT,
        ),
        pots=(Chips(9_300), Chips(6_000)),
        pot=Chips(15_300),
        contenders=((Seat(3), Seat(5), Seat(6)), (Seat(3), Seat(6))),
        question=QuestionView(
            9,
            "award-3-6",
            "Seats 5 and 6 named. Who wins the rest, 6,000 (seats 3 and 6)? Seat number, AWARD",
            Key.AWARD,
        ),
        next_step="Who wins? Seat number, AWARD. Main 9,300: 3, 5, 6 · side 6,000: 3, 6",
    ),
    "three-can-win": _showdown(
        seats=_seats(s1=_OUT, s2=_OUT, s4=_OUT, s7=_OUT, s8=_OUT, s9=_OUT),
        question=QuestionView(
            9, "award-3-5-6", "Not all hands are known: who wins? Seat number, AWARD", Key.AWARD
        ),
        next_step="Who wins? Seat number, AWARD",
    ),
    "everybody-tabled": _showdown(
        seats=_seats(
            **{
                f"s{no}": _tabled(hand[:2], hand[2:], all_in=True, stack=0 if no % 2 else 1_112_350)
                for no, hand in enumerate(_HANDS, start=1)
            }
        ),
        next_step="Who wins? Seat number, AWARD",
    ),
    "won": _showdown(
        street=Street.DONE,
        pots=(),
        pot=Chips(0),
        seats=_seats(
            s1=_OUT,
            s2=_OUT,
            s3=_tabled("9d", "9s", won=29_150),
            s4=_OUT,
            s5=_tabled("5h", "6h"),
            s6=_tabled("As", "Kd", won=29_150),
            s7=_OUT,
            s8=_OUT,
            s9=_OUT,
        ),
        last="Seats 3 and 6 win 29,150 each with a pair of nines. Wrong? UNDO",
        next_step="Push 29,150 to seat 3, 29,150 to seat 6, then NEW HAND with the first riffle. Button 3, "
        "no small blind (dead), big blind 5: 1,000",
    ),
    "unread": _showdown(
        board=("Ah", "??", "7c", "??", "??"),
        seats=_seats(
            s1=_OUT, s2=_OUT, s3=_tabled("??", "??", tabled=True), s4=_OUT, s5=_tabled("5h", "??", tabled=True)
        ),
        devices={},
        next_step="Who wins? Seat number, AWARD",
    ),
    "asks": _view(
        legal=None,
        next_step="Answer what is asked: STREET for yes",
        question=QuestionView(
            9,
            "missed_actions",
            "To act: 4, 5, 6 for 200. All called: STREET · one folded: its number, FOLD",
            Key.STREET,
        ),
    ),
    "long-ago": _view(
        last="That STREET did nothing. UNDO again takes back: 5 acts and the flop. Before: "
        "Assumed: seats 5, 6 and 1 call 50, seat 2 calls 25, seat 3 checks. Flop: unread",
        notices=(NoticeView(1, "again", "STREET pressed twice, counted once. For the next street: once more"),),
    ),
    "predicts": _view(predicted="Seat 6: raise to 28,800, 2 motions (200, then 28,800), a string bet?"),
    "floor": _view(
        floor=True,
        notices=(
            NoticeView(1, "floor", "The floor is called"),
            NoticeView(
                2, "count_asked", "The director asks for a count when this hand is over: 4, SEAT, amount, COUNT"
            ),
        ),
    ),
    "fenced": _between(
        seats=(),
        hand=0,
        level=None,
        button=None,
        next_step="",
        devices={},
        last="Another machine is this table: this one records nothing. Ask the director",
    ),
} | {f"crowded-{what}": made(9) for what, made in CROWDED.items()}

_SCHEDULE = (_BLINDS, Level(0, Chips(0), Chips(0), minutes=15, is_break=True, what="Dinner in the restaurant"))


def clocks(*, entry: int = 0, running: bool = True, left_ms: int = 734_000, called: bool = False) -> TableClocks:
    blinds = BlindClock(running, _SCHEDULE[entry], left_ms, None, _SCHEDULE, entry)
    words = "Clock on seat 6: 30 s, called by seat 3"
    return TableClocks(blinds, CalledClock(Seat(6), Millis(23_000), Millis(30_000), words) if called else None)


CLOCKS = {
    "running": clocks(),
    "called": clocks(called=True),
    "paused": clocks(running=False),
    "break": clocks(entry=1),
    "none": TableClocks(),
}
