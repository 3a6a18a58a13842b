"""Whole foreign files of each kind: hands one by one in three forms, lists, schedules, a tournament."""

from __future__ import annotations

from typing import NamedTuple

from table_core.histories.ohh_write import ohh_text
from table_core.histories.phh_write import phh_text
from table_core.histories.pieces import Form
from table_core.histories.played import play
from table_core.histories.reading import read_hands
from table_core.histories.recorded import RecordedHand
from table_core.histories.stars_write import stars_text
from table_core.tournament.schedule_text import to_csv, to_toml
from tests.feltwire.tools.test_in_and_out import TDT
from tests.table_core.histories.test_phh import HAND
from tests.table_core.table import BASE
from tests.table_core.tournament.simulated import LEVELS

_HEADS_UP = """\
variant = 'NT'
antes = [0, 0]
blinds_or_straddles = [50, 100]
min_bet = 100
starting_stacks = [12000, 9000]
actions = ['d dh p1 AsKs', 'd dh p2 9c9d', 'p2 cbr 250', 'p1 cc', 'd db Kd7h2c', 'p1 cc', 'p2 cbr 300', 'p1 cc',
  'd db 9h', 'p1 cc', 'p2 cc', 'd db 3s', 'p1 cbr 500', 'p2 cbr 1500', 'p1 cc', 'p2 sm 9c9d', 'p1 sm AsKs']
hand = 13
players = ['Jürgen', 'Zoë Ö']
finishing_stacks = [9950, 11050]
"""
_WON_UNSEEN = """\
variant = 'NT'
antes = [5, 5, 5, 5]
blinds_or_straddles = [10, 20, 0, 0]
min_bet = 20
starting_stacks = [400, 500, 600, 700]
actions = ['d dh p1 ????', 'd dh p2 ????', 'd dh p3 ????', 'd dh p4 ????', 'p3 f', 'p4 cbr 60', 'p1 f', 'p2 cc',
  'd db 2h5dJc', 'p2 cc', 'p4 cbr 90', 'p2 f']
hand = 14
players = ['Ann', 'Ben', 'Cy', 'Dee']
finishing_stacks = [385, 435, 595, 785]
"""
_CASH = """\
PokerStars Hand #77:  Hold'em No Limit ($0.05/$0.10 USD) - 2020/04/16 13:45:13 ET
Table 'Vega' 6-max Seat #1 is the button
Seat 1: ann: b ($10.20 in chips)
Seat 3: Zoë ($9.85 in chips)
Seat 4: late ($1,024.50 in chips)
Zoë: posts small blind $0.05
late: posts big blind $0.10
*** HOLE CARDS ***
Dealt to late [7h 7d]
ann: b: raises $0.20 to $0.30
Zoë: folds
late: calls $0.20
*** FLOP *** [7s 2d 2c]
late: checks
ann: b: bets $0.40
late: calls $0.40
*** TURN *** [7s 2d 2c] [Kh]
late: checks
ann: b: checks
*** RIVER *** [7s 2d 2c Kh] [3c]
late: bets $1.10
ann: b: folds
Uncalled bet ($1.10) returned to late
late collected $1.40 from pot
ann: b said, "late: nh"
*** SUMMARY ***
Total pot $1.45 | Rake $0.05
"""
LIST = 'name;member;online\nJosé Peña;yes;no\n"Ruiz; Ana";no;yes\nJürgen;no;no\nZoë Strauß;yes;no\n'


class Hands(NamedTuple):
    """A file of hands, hand by hand; `join` makes the file."""

    suffix: str
    hands: tuple[bytes, ...]

    def join(self, hands: tuple[bytes, ...]) -> bytes:
        if self.suffix == ".phhs":
            return b"\n".join(b"[%d]\n%s" % one for one in enumerate(hands, 1))
        if self.suffix == ".json":
            return b"[%s]\n" % b",\n".join(hands)
        return (b"\n" if self.suffix == ".jsonl" else b"\n\n").join(hands)


def _recorded() -> tuple[RecordedHand, ...]:
    hands = []
    for text in (HAND, _HEADS_UP, _WON_UNSEEN):
        (hand,) = read_hands(Form.PHH, [text.encode()], "made-up")
        assert isinstance(hand, RecordedHand)
        hands.append(hand)
    return tuple(hands)


def hand_files() -> tuple[Hands, ...]:
    played = [play(hand, BASE) for hand in _recorded()]
    phh = tuple(phh_text(one.recorded).encode() for one in played)
    ohh = tuple(ohh_text([one]).strip().encode() for one in played)
    stars = (*(stars_text([one]).strip().encode() for one in played), _CASH.encode())
    return (
        Hands(".phhs", phh),
        Hands(".ohh", ohh),
        Hands(".json", ohh),
        Hands(".jsonl", ohh),
        Hands(".txt", stars),
    )


# What a command takes, whole: its arguments without the file, the file's suffix, its content.
OTHERS: tuple[tuple[tuple[str, ...], str, str], ...] = (
    (("players",), ".csv", LIST),
    (("players",), ".tdt", TDT),
    (("plan", "--check"), ".csv", to_csv(LEVELS[:6])),
    (("plan", "--check"), ".toml", to_toml(LEVELS[:6])),
)
