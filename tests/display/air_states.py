"""What a table on air goes through, as the relay's views: for pictures, and for tests of what is drawn.

`STATES` has them by name; each is what a page hears on its channels.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from msgspec.structs import replace

from table_core.messages import (
    Action,
    Chips,
    Eliminated,
    EventView,
    Level,
    LowerThird,
    OverlayPot,
    OverlaySeat,
    OverlayView,
    Payout,
    ProgrammeView,
    Seat,
    SeatStats,
    ShotClock,
    Standing,
    Street,
    encode,
)

LEVEL = Level(14, Chips(4_000), Chips(8_000), big_blind_ante=Chips(8_000), minutes=30)
NEXT_LEVEL = Level(15, Chips(5_000), Chips(10_000), big_blind_ante=Chips(10_000), minutes=30)
PLAYERS = (
    *("Ana Marković", "Ben Okafor", "Chloé Dubois", "Dmitri Volkov", "Eleni Papadopoulou"),
    *("Farid Haddad", "Grace Lindqvist", "Hiro Tanaka", "Ines Carvalho", "Jonas Weber"),
)
COUNTRIES = ("RS", "NG", "FR", "KZ", "GR", "LB", "SE", "JP", "PT", "DE")
STACKS = (1_245_000, 386_500, 912_000, 148_000, 2_030_500, 640_000, 75_500, 1_118_000, 455_000, 820_500)
POSITIONS = ("BTN", "SB", "BB", "UTG", "UTG+1", "UTG+2", "LJ", "HJ", "CO", "CO")
LONG_NAMES = (
    *("Maximiliano-Alejandro Fernández de la Torre y Castellanos", "Анастасія Кириленко-Гончарова"),
    *(
        "Αλέξανδρος Παπακωνσταντίνου",
        "عبد الرحمن بن عبد العزيز الفاروقي",
        "山本 健太郎さん",
        "김하늘 🂡",
        "🃏 Lucky 🎲 Luke 🔥",
    ),
    *("X Æ A-12", "Jo", "Þórbjörg Ágústsdóttir"),
)


class State(NamedTuple):
    table: OverlayView
    event: EventView
    programme: ProgrammeView = ProgrammeView()

    def channels(self, feed: str = "01") -> dict[str, bytes]:
        """What to publish."""
        return {
            f"overlay/{feed}": encode(self.table),
            "event": encode(self.event),
            "programme": encode(self.programme),
        }


def seats_of(count: int = 9, **changes: Mapping[int, Any]) -> tuple[OverlaySeat, ...]:
    """`changes`: a field's values by seat."""
    made = []
    for no in range(1, count + 1):
        fields: dict[str, Any] = {
            "cards": ("??", "??"),
            "in_hand": True,
            "position": POSITIONS[no - 1],
            "country": COUNTRIES[no - 1],
        }
        fields |= {name: by_seat[no] for name, by_seat in changes.items() if no in by_seat}
        if fields.get("folded"):
            fields |= {"in_hand": False, "cards": fields["cards"] if "cards" in changes else ()}
        stack = Chips(fields.pop("stack", STACKS[no - 1]))
        player = fields.pop("player", PLAYERS[no - 1])
        big = LEVEL.big_blind
        fields |= {"stack_bb": stack * 10 // big}
        made.append(OverlaySeat(Seat(no), player, stack, **fields))
    return tuple(made)


def table_of(seats: tuple[OverlaySeat, ...], street: Street = Street.PREFLOP, **more: Any) -> OverlayView:
    given: dict[str, Any] = {"board": (), "pot": Chips(20_000)} | more
    return OverlayView(
        table="01",
        feed="01",
        hand=212,
        street=street,
        seats=seats,
        delay_s=30.0,
        level=LEVEL,
        button=Seat(1),
        small_blind=Seat(2),
        big_blind=Seat(3),
        air_s=1_800.0,
        **given,
    )


def event_of(**changes: Any) -> EventView:
    standings = sorted(zip(STACKS, PLAYERS, COUNTRIES, strict=True), reverse=True)
    icm = (412_300, 331_000, 318_050, 276_400, 262_100, 233_700, 205_500, 190_200, 151_800, 118_950)
    return replace(
        EventView(
            1_800.0,
            level=LEVEL,
            next_level=NEXT_LEVEL,
            left_ms=754_000,
            name="Autumn Main Event",
            players_left=10,
            entrants=318,
            average_stack=Chips(783_100),
            chips=Chips(7_831_000),
            average_bb=978,
            standings=tuple(
                Standing(no + 1, player, Chips(stack), "01", Seat(PLAYERS.index(player) + 1), country, icm[no])
                for no, (stack, player, country) in enumerate(standings)
            ),
            out=(Eliminated(11, "Kofi Mensah", 96_000, "GH"), Eliminated(12, "Lucía Ortega", 96_000, "ES")),
            payouts=tuple(
                Payout(place, cents)
                for place, cents in enumerate(
                    (
                        950_000,
                        640_000,
                        455_000,
                        342_500,
                        265_000,
                        205_000,
                        160_000,
                        130_000,
                        110_000,
                        96_000,
                        96_000,
                        96_000,
                    ),
                    1,
                )
            ),
            next_out=96_000,
            pay_jump=14_000,
        ),
        **changes,
    )


def _hands(faces: Mapping[int, tuple[str, str]], live: set[int]) -> dict[str, Mapping[int, Any]]:
    return {"cards": faces, "folded": {no: True for no in range(1, 11) if no not in live}}


def _deal() -> OverlayView:
    bets = {2: Chips(4_000), 3: Chips(8_000)}
    return table_of(seats_of(bet=bets), to_act=Seat(4), to_call=Chips(8_000), pot=Chips(20_000))


def _preflop() -> OverlayView:
    faces = {1: ("Ah", "Kd"), 5: ("Qs", "Qc"), 9: ("7h", "6h"), 4: ("2c", "9d")}
    seats = seats_of(
        **_hands(faces, {1, 3, 5, 9}),
        action={4: Action.FOLD, 5: Action.RAISE, 9: Action.CALL, 1: Action.RAISE},
        amount={5: Chips(18_000), 9: Chips(18_000), 1: Chips(62_000)},
        bet={1: Chips(62_000), 3: Chips(8_000), 5: Chips(18_000), 9: Chips(18_000), 2: Chips(4_000)},
        to_call={3: Chips(54_000)},
    )
    return table_of(seats, to_act=Seat(3), to_call=Chips(54_000), pot=Chips(118_000))


def _flop() -> OverlayView:
    faces = {1: ("Ah", "Kd"), 5: ("Qs", "Qc")}
    seats = seats_of(
        **_hands(faces, {1, 5}),
        action={1: Action.CHECK, 5: Action.BET},
        amount={5: Chips(85_000)},
        bet={5: Chips(85_000)},
        share={1: 168, 5: 832},
        ahead={5: True},
        makes={1: "ace high", 5: "pair of queens"},
    )
    return table_of(
        seats, Street.FLOP, board=("Th", "Jd", "4s"), to_act=Seat(1), to_call=Chips(85_000), pot=Chips(247_000)
    )


def _all_in() -> OverlayView:
    faces = {1: ("Ah", "Kd"), 5: ("Qs", "Qc"), 7: ("9h", "8h")}
    outs = {1: ("As", "Ad", "Ac", "Ks", "Kh", "Kc", "Qd", "Qh"), 7: ("7c", "7d", "7s", "Qh")}
    seats = seats_of(
        **_hands(faces, {1, 5, 7}),
        stack={7: 0, 1: 0},
        all_in={7: True, 1: True},
        action={5: Action.CALL, 1: Action.RAISE, 7: Action.RAISE},
        amount={5: Chips(600_000)},
        share={1: 310, 5: 512, 7: 178},
        ahead={5: True},
        outs=outs,
        makes={1: "ace high", 5: "pair of queens", 7: "jack high"},
    )
    pots = (
        OverlayPot(Chips(226_500), (Seat(1), Seat(5), Seat(7))),
        OverlayPot(Chips(1_049_000), (Seat(1), Seat(5))),
    )
    return table_of(
        seats, Street.TURN, board=("Th", "Jd", "4s", "2c"), pot=Chips(1_275_500), pots=pots, run_out=True
    )


def _showdown() -> OverlayView:
    faces = {1: ("Ah", "Kd"), 5: ("Qs", "Qc"), 7: ("9h", "8h")}
    seats = seats_of(
        **_hands(faces, {1, 5, 7}),
        stack={7: 0, 1: 0, 5: 2_704_000},
        won={5: Chips(1_275_500)},
        makes={1: "ace high", 5: "three of a kind, queens", 7: "straight, queen high"},
        in_hand={1: False, 7: False},
        busted={7: True, 1: True},
    )
    return table_of(
        seats,
        Street.DONE,
        board=("Th", "Jd", "4s", "2c", "Qd"),
        pot=Chips(1_275_500),
        cards_in_ms=24_000,
    )


def _heads_up() -> OverlayView:
    """Two are left of ten: nobody who is out looks in."""
    gone = {no: True for no in range(1, 11) if no not in (5, 8)}
    seats = seats_of(
        10,
        busted=gone,
        stack=dict.fromkeys(gone, 0) | {5: 4_900_000, 8: 2_750_000},
        in_hand=dict.fromkeys(gone, False),
        cards=dict.fromkeys(gone, ()) | {5: ("Kc", "Kh"), 8: ("As", "5s")},
        position={5: "BTN", 8: "BB"},
        action={5: Action.BET, 8: Action.CALL},
        amount={5: Chips(40_000), 8: Chips(40_000)},
        bet={5: Chips(40_000), 8: Chips(40_000)},
        share={5: 668, 8: 332},
        ahead={5: True},
        makes={5: "pair of kings", 8: "ace high"},
        outs={8: ("Ah", "Ad", "Ac", "3s", "9s")},
    )
    return replace(table_of(seats, Street.FLOP, board=("7s", "2s", "Td"), pot=Chips(180_000)), button=Seat(5))


def _worst() -> OverlayView:
    """Ten seats, long names of many scripts, stacks of ten digits, five side pots."""
    big = {no: Chips(9_876_543_210 - no * 111_111_111) for no in range(1, 11)}
    held = (("As", "Ac"), ("Kd", "Kh"), ("Qs", "Qc"), ("Jd", "Jh"), ("Ts", "Tc"), ("9d", "9h"))
    faces = dict(enumerate(held, 1))
    seats = seats_of(
        10,
        **_hands(faces, {1, 2, 3, 4, 5, 6}),
        player=dict(enumerate(LONG_NAMES, 1)),
        stack=big,
        bet={no: Chips(1_234_567_890) for no in range(1, 7)},
        all_in={2: True, 3: True, 4: True},
        action={1: Action.RAISE, 5: Action.CALL, 6: Action.RAISE},
        amount={1: Chips(1_234_567_890), 5: Chips(1_234_567_890), 6: Chips(2_345_678_901)},
        share=dict.fromkeys(range(1, 7), 166),
        ahead={1: True},
        makes={
            no: "four of a kind, queens" if no == 3 else "full house, queens over threes" for no in range(1, 7)
        },
    )
    pots = tuple(
        OverlayPot(Chips(1_234_567_890), tuple(Seat(no) for no in range(least, 7))) for least in range(1, 7)
    )
    return table_of(
        seats,
        Street.RIVER,
        board=("Ks", "Qd", "3c", "3d", "Qh"),
        pot=Chips(7_407_407_340),
        pots=pots,
        to_act=Seat(6),
    )


def _stats() -> OverlayView:
    stats = {
        no: SeatStats(
            40 + no, 180 + 31 * no, 110 + 20 * no, 20 + 9 * no if no != 3 else None, 80 + 40 * no, 240 + 11 * no
        )
        for no in range(1, 10)
    }
    return replace(_preflop(), seats=seats_of(stats=stats))


def _clock_called() -> OverlayView:
    return replace(_flop(), shot_clock=ShotClock(Seat(1), 21_000, 30_000))


def _programme(*elements: str, off: tuple[str, ...] = (), **more: Any) -> ProgrammeView:
    return ProgrammeView("01", elements=dict.fromkeys(elements, True) | dict.fromkeys(off, False), **more)


def _states() -> dict[str, Callable[[], State]]:
    event = event_of()
    texts: dict[str, Any] = {
        "lower_third": LowerThird("Eleni Papadopoulou", "Athens · chip leader since level 11"),
        "ticker": ("Autumn Main Event: ten are left of 318", "Next break at 21:40", "First prize 9,500"),
    }
    around = ("leaderboard", "clock", "ticker", "lower-third")
    table = ("seats", "board", "pot", "level")
    pause = Level(0, Chips(0), Chips(0), minutes=15, is_break=True, what="Dinner")
    return {
        "deal": lambda: State(_deal(), event),
        "preflop": lambda: State(_preflop(), event),
        "flop": lambda: State(_flop(), event),
        "all-in": lambda: State(_all_in(), event),
        "showdown": lambda: State(
            _showdown(),
            event_of(out=(Eliminated(9, PLAYERS[6], 110_000), Eliminated(8, PLAYERS[0], 130_000), *event.out)),
        ),
        "heads-up": lambda: State(_heads_up(), event_of(players_left=2)),
        "worst": lambda: State(_worst(), event),
        "six": lambda: State(replace(_preflop(), seats=_preflop().seats[:6], to_act=Seat(3)), event),
        "clock-called": lambda: State(_clock_called(), event),
        "everything": lambda: State(_all_in(), event, _programme(*around, **texts)),
        "payouts": lambda: State(_preflop(), event, _programme("payouts", "clock", "leaderboard")),
        "icm": lambda: State(_preflop(), event, _programme("icm", "clock")),
        "stats": lambda: State(_stats(), event, _programme("stats")),
        "chips": lambda: State(_preflop(), event, _programme("chips")),
        "break": lambda: State(
            _deal(),
            event_of(level=pause, on_break=True, running=True, left_ms=612_000),
            _programme("break", "lower-third", "ticker", off=table, **texts),
        ),
        "release": lambda: State(replace(_showdown(), cards_in_ms=61_000), event),
    }


STATES = _states()
