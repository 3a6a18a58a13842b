"""The rooms in which the jobs are done: three tables, 24 entrants, at the moment before the job."""

from __future__ import annotations

from table_core.messages import Key
from tests.feltwire.night_room import NightRoom

TABLES = ("01", "02", "03")
PLAYERS = 24
NAMES = (
    *("Ann Example", "Bo Larsen", "Cy Young", "Dana Novak", "Emil Berg", "Fay Okafor", "Gus Petit"),
    *("Hana Sato", "Ivo Marin", "Jo Fischer", "Kai Lund", "Lea Rossi", "Max Weber", "Nia Brown"),
    *("Ole Hansen", "Pia Keller", "Quin Adams", "Rosa Diaz", "Sam Peters", "Tess Moore", "Uma Singh"),
    *("Vic Olsen", "Wes Turner", "Yan Li"),
)
LATE = "Zoe Late"


def opened(players: int = 0, book: str = "rpl") -> NightRoom:
    room = NightRoom(TABLES)
    room.do(
        "open",
        name="Friday",
        rulebook=book,
        house={
            "starting_stack": 2_000,
            "buy_in": 20,
            "payouts": [50, 30, 20],
            "starting_chips": [[25, 8], [100, 8], [500, 2]],
        },
    )
    for no, name in enumerate(NAMES[:players], 1):
        room.do("register_new", name=name, member=True, adult=True)
        room.do("enter", player=f"p{no}")
    return room


def seated(players: int = PLAYERS) -> NightRoom:
    room = opened(players)
    room.do("draw_seats", tables=list(TABLES))
    for table in room.tables:
        room.do("set_button", table=table)
    return room


def running(players: int = PLAYERS) -> NightRoom:
    room = seated(players)
    room.do("start")
    return room


def with_late_player() -> NightRoom:
    room = running(PLAYERS - 1)
    room.do("register_new", name=LATE, member=True, adult=True)
    return room


def with_floor_call() -> NightRoom:
    """Seat 4 raises to 600 in two motions; the dealer of table 01 calls the floor."""
    room = running()
    room.begin_hand("01")
    room.tables["01"].press("600", Key.BET_RAISE, Key.FLOOR)
    room.deliver()
    return room


def with_bust() -> NightRoom:
    """A player has lost the last chips."""
    room = running()
    winner, loser, *_ = sorted(room.tables["01"].sits)
    room.all_in("01", winner=winner, loser=loser)
    return room


def with_confirmed_bust() -> NightRoom:
    room = with_bust()
    room.do("confirm_bust", busts=[room.shown["busts"][0]["bust"]])
    return room


def to_break() -> NightRoom:
    """So few are left that the book has one table fewer."""
    return running(20)


def unequal() -> NightRoom:
    """Two of table 01 are out: the tables are no longer balanced."""
    room = running()
    for _ in range(2):
        (winner, _), (loser, _), *_ = sorted(room.tables["01"].sits.items(), key=lambda one: -one[1][1])
        room.all_in("01", winner=winner, loser=loser)
        room.do("confirm_bust", busts=[room.shown["busts"][0]["bust"]])
    return room


def three_left() -> NightRoom:
    """A table of five of whom two are out; nobody is seated elsewhere."""
    room = opened(5)
    room.do("draw_seats", tables=["01"])
    room.do("set_button", table="01")
    room.do("start")
    for _ in range(2):
        winner, loser, *_ = sorted(seat for seat, (_, stack) in room.tables["01"].sits.items() if stack)
        room.all_in("01", winner=winner, loser=loser)
        room.do("confirm_bust", busts=[room.shown["busts"][0]["bust"]])
    return room


def with_a_prize_owed() -> NightRoom:
    """Three made a deal about all there is."""
    room = three_left()
    shares = room.shown["money"]["deals"]["by chips"]
    room.do(
        "make_deal",
        shares=[{"player": player, "amount": amount} for player, amount in shares.items()],
        consent=list(shares),
        method="by chips",
    )
    return room
