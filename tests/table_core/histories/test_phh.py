"""PHH hands: what is read, and how a wrong file is answered."""

import pytest

from table_core.hand.hand import Hand
from table_core.histories.recorded import ActionKind, HistoryError, to_steps
from table_core.messages import Act, Action, AwardPots, Chips, MuckHand, Refusal, Seat, SeatStack, StartHand
from tests.table_core.histories.reading import parse_phh
from tests.table_core.table import BASE

HAND = """\
# a hand made up for this test
variant = 'NT'
antes = [0, 30, 0]
blinds_or_straddles = [10, 20, 0]
min_bet = 20
starting_stacks = [1000, 900, 800]
actions = [
  'd dh p1 AhKh', # small blind
  'd dh p2 ????',
  "d dh p3 2c2d",
  'p3 cbr 60', 'p1 cc', 'p2 f',
  'd db 3h4h5s',
  'p1 cc', 'p3 cbr 740', 'p1 cc',
  'p3 sm 2c2d', 'p1 sm AhKh # all-in: shown before the board',
  'd db 9h',
  'd db Td',
]
hand = 12
players = ['Ann', 'Ben', 'Cy']
finishing_stacks = [1850, 850, 0]
"""


def changed(old: str, new: str) -> str:
    assert old in HAND
    return HAND.replace(old, new)


def test_players_become_seats_and_the_button_is_the_last_one() -> None:
    (hand,) = parse_phh(HAND, "made-up.phh")
    assert (hand.hand, hand.small_blind, hand.big_blind, hand.button) == (12, 1, 2, 3)
    assert (hand.level.big_blind, hand.level.big_blind_ante, hand.level.ante) == (20, 30, 0)
    assert hand.board == ("3h", "4h", "5s", "9h", "Td")
    assert hand.hole_cards == {1: ("Ah", "Kh"), 2: ("??", "??"), 3: ("2c", "2d")}
    assert hand.seats[0] == SeatStack(Seat(1), Chips(1000), "Ann")


def test_each_action_knows_its_line() -> None:
    (hand,) = parse_phh(HAND, "made-up.phh")
    raised = next(action for action in hand.actions if action.kind is ActionKind.BET_OR_RAISE)
    assert (raised.number, raised.line, raised.seat, raised.to) == (4, 11, 3, 60)


def test_its_commands_play_the_hand() -> None:
    (recorded,) = parse_phh(HAND, "made-up.phh")
    hand = Hand(BASE)
    for command, _ in to_steps(recorded):
        assert not isinstance(hand.push(command), Refusal)
    assert tuple(hand.stacks[seat.seat] for seat in recorded.seats) == recorded.finishing_stacks


def test_heads_up_the_first_player_has_the_big_blind() -> None:
    text = """
variant = 'NT'
antes = [0, 5]
blinds_or_straddles = [1, 2]
starting_stacks = [100, 200]
actions = ['p2 f']
"""
    (hand,) = parse_phh(text, "heads-up.phh")
    assert (hand.small_blind, hand.big_blind, hand.button) == (2, 1, 2)
    assert hand.level.big_blind_ante == 5
    assert [type(command) for command, _ in to_steps(hand)] == [StartHand, Act]


def test_a_muck_without_cards_and_the_award_at_the_end() -> None:
    (hand,) = parse_phh(changed("'p1 sm AhKh # all-in: shown before the board'", "'p1 sm'"), "x.phh")
    commands = [command for command, _ in to_steps(hand)]
    assert MuckHand(Seat(1)) in commands
    assert commands[-1] == AwardPots()
    assert commands[1] == Act(Seat(3), Action.RAISE, Chips(60))


def test_a_file_of_several_hands() -> None:
    text = "[1]\n" + HAND + "\n[2]\n" + changed("hand = 12", "hand = 13")
    first, second = parse_phh(text, "day.phhs")
    assert (first.file, second.file, second.hand) == ("day.phhs#1", "day.phhs#2", 13)
    assert first.actions[3].line == 12
    assert second.actions[3].line > 26


@pytest.mark.parametrize(
    ("old", "new", "error"),
    [
        ("'p3 cbr 60'", "'p3 cbr'", "x.phh:11: action 4 'p3 cbr': expected 'd dh pN CARDS'"),
        ("'p3 cbr 60'", "'p4 cbr 60'", "x.phh:11: action 4 'p4 cbr 60': no player 'p4'; expected p1 to p3"),
        ("'p3 cbr 60'", "'p3 cbr 6.005'", "x.phh:11: action 4 'p3 cbr 6.005': after cbr 6.005; expected a whole"),
        (
            "'d db Td',",
            "'d db Td', 'd db 8c',",
            "x.phh:16: action 15 'd db 8c': board cards behind the river: the",
        ),
        ("3h4h5s", "3h4h", "x.phh:12: action 7 'd db 3h4h': 2 board cards; expected 3"),
        ("3h4h5s", "3hAh5s", "x.phh:12: action 7 'd db 3hAh5s': Ah was dealt before"),
        ("3h4h5s", "3h4h5x", "x.phh:12: action 7 'd db 3h4h5x': '5x' is not a card"),
        ("sm 2c2d", "sm 2c2h", "x.phh:14: action 11 'p3 sm 2c2h': p3 was dealt 2c2d; expected these cards"),
        ("'NT'", "'PO'", "x.phh:2: variant 'PO'; expected 'NT', no-limit hold'em"),
        ("[0, 30, 0]", "[30, 0, 0]", "x.phh:3: [30, 0, 0]: expected the same from everyone"),
        ("[10, 20, 0]", "[10, 20, 40]", "x.phh:4: [10, 20, 40]: a straddle of p3; expected blinds"),
        ("[10, 20, 0]", "[0, 0, 0]", "x.phh:4: [0, 0, 0]: no big blind"),
        ("[10, 20, 0]", "[10, 20, 25]", "x.phh:4: [10, 20, 25]: a dead blind of p3; expected blinds"),
        (
            "[0, 30, 0]\nblinds_or_straddles = [10, 20, 0]",
            "[30, 30, 30]\nblinds_or_straddles = [0, 0, 0]",
            "x.phh:4: [0, 0, 0]: a bomb pot",
        ),
        ("[10, 20, 0]", "[20, 10, 0]", "x.phh:4: [20, 10, 0]: expected the small blind first"),
        ("[10, 20, 0]", "[10, 20]", "x.phh:4: blinds_or_straddles has 2 entries; expected 3"),
        ("[1000, 900, 800]", "[1000, -1, 800]", "x.phh:6: starting_stacks: -1; expected 0 to 1,000"),
        ("[1000, 900, 800]", "[1000, inf, 800]", "x.phh:6: starting_stacks: 'Infinity'; expected a number"),
        ("[1000, 900, 800]", "[1000, 1e999999, 800]", "x.phh:6: starting_stacks: 1e+999999; expected 0 to 1,000"),
        ("[1000, 900, 800]", f"[1000, {'9' * 5_000}, 800]", "x.phh:6: not TOML: a number of more than 1,000"),
        ("[1000, 900, 800]", "[" * 5_000, "x.phh:2: not TOML: nested too deep"),
        ("players = ['Ann', ", "players = [", "x.phh:19: ['Ben', 'Cy']; expected 3 names"),
        ("antes = [0, 30, 0]\n", "", "x.phh:2: 'antes' is missing from this hand"),
        ("hand = 12", "hand = ", "x.phh:18: not TOML"),
    ],
)
def test_a_wrong_file_is_answered_with_its_line_and_what_was_expected(old: str, new: str, error: str) -> None:
    with pytest.raises(HistoryError) as raised:
        parse_phh(changed(old, new), "x.phh")
    assert str(raised.value).startswith(error)
