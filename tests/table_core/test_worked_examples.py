"""The worked examples of the five books about tournaments: each is played somewhere, with its numbers.

An example whose story is renamed, or says other figures, fails here; that a story holds, its own test says.
"""

from __future__ import annotations

from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
NIGHTS, EXAMPLES, CORE = "nights", "scenarios/examples", "table_core"

# number: rule, where, and what must stand there
SHOWN: dict[int, tuple[str, str, tuple[str, ...]]] = {
    1: ("ccp.buyin.4", f"{NIGHTS}/ccp/c44-two-rebuys-of-ten.txt", ("rebuy p1", "expect pool 300")),
    2: ("ccp.late.4", f"{NIGHTS}/ccp/c05-late-but-confirmed.txt", ("dock level 3", "expect chips Ivo 1100")),
    3: (
        "ccp.late.6",
        f"{NIGHTS}/ccp/c115-a-hand-of-level-one-runs-past-twenty-minutes.txt",
        ("expect absent Kurt",),
    ),
    4: ("ccp.payout.4", f"{NIGHTS}/ccp/c44-two-rebuys-of-ten.txt", ("expect purse 240", "expect championship 60")),
    5: ("ccp.payout.3", f"{NIGHTS}/ccp/c44-two-rebuys-of-ten.txt", ("expect payouts 96 60 48 24 12",)),
    6: (
        "ccp.timer.4",
        f"{NIGHTS}/ccp/c21-a-break-after-three-levels.txt",
        ("expect level 4", "expect break-time", "expect level 9"),
    ),
    7: ("ccp.seating.3", f"{NIGHTS}/ccp/c67-seat-cards-for-25.txt", ("tables 8 8 9", "9 spades 8 hearts 8 clubs")),
    8: ("ccp.seating.6", f"{NIGHTS}/ccp/c68-the-suit-is-the-table.txt", ("seat-card Ann 2h", "seat Ann 2/2")),
    9: ("ccp.moving.8", f"{NIGHTS}/ccp/c72-eight-eight-seven.txt", ("expect tables 7 8 7",)),
    10: (
        "ccp.deadbutton.1",
        f"{EXAMPLES}/10-big-blind-out-ccp.txt",
        ("button 2", "no posted what=small_blind", "seat=4 what=big_blind"),
    ),
    11: ("ccp.deadbutton.2", f"{EXAMPLES}/10-big-blind-out-ccp.txt", ("button 3 blinds 4 5",)),
    12: ("ccp.deadbutton.3", f"{EXAMPLES}/12-small-blind-out-ccp.txt", ("button 1 blinds 3 4",)),
    13: ("ccp.headsup.1", f"{EXAMPLES}/13-heads-up-button-out.txt", ("button 3 blinds 3 2",)),
    14: ("ccp.headsup.1", f"{EXAMPLES}/14-heads-up-small-blind-out.txt", ("button 3 blinds 3 1",)),
    15: ("ccp.headsup.1", f"{EXAMPLES}/15-heads-up-big-blind-out.txt", ("button 2 blinds 2 1",)),
    22: ("ccp.bounty.5", f"{NIGHTS}/ccp/c33-a-hunter-takes-the-target.txt", ("expect bounty Bob 12",)),
    25: ("cpp.chips.2", f"{NIGHTS}/cpp/p01-bonus-at-half-past-eight.txt", ("Ann 11000", "Bob 10000")),
    26: ("cpp.dealer.3", f"{NIGHTS}/cpp/p04-two-kings.txt", ("Kh", "Kc")),
    27: ("cpp.dealer.4", f"{NIGHTS}/cpp/p104-three-of-eight.txt", ("expect no new-button 1",)),
    28: ("cpp.blinds.1", f"{EXAMPLES}/28-small-blind-out-cpp.txt", ("button 2 blinds 3 4",)),
    29: (
        "cpp.blinds.2",
        f"{EXAMPLES}/29-big-blind-out-cpp.txt",
        ("button 2", "no posted what=small_blind", "seat=4"),
    ),
    30: ("cpp.late.2", f"{NIGHTS}/cpp/p106-ten-big-blinds.txt", ("9000",)),
    31: ("cpp.late.3", f"{NIGHTS}/cpp/p15-after-the-door.txt", ("expect chips Hana 3000",)),
    47: ("wfp.seating.6", f"{NIGHTS}/wfp/w78-the-king-of-spades.txt", ("Ks", "Kh")),
    48: (
        "wfp.seating.8",
        f"{NIGHTS}/wfp/w06-eleven-at-a-table.txt",
        ("expect tables 10", "expect refused wfp.seating.8"),
    ),
    49: ("wfp.seating.4", f"{NIGHTS}/wfp/w63-locked-out.txt", ("status Una locked_out", "guaranteed Ben")),
    50: (
        "wfp.procedures.6d",
        f"{NIGHTS}/wfp/w21-chip-race-with-half-left-over.txt",
        ("stack Ann 1000", "stack Bob 1100", "stack Cy 1100"),
    ),
    51: (
        "wfp.procedures.6e",
        f"{NIGHTS}/wfp/w23-colour-up-at-an-ordinary-night.txt",
        ("stack Bob 1100", "stack Cy 1000", "Di 1100"),
    ),
    53: (
        "wfp.blindrules.2a",
        f"{EXAMPLES}/53-big-blind-out-wfp.txt",
        ("button 2", "no posted what=small_blind", "seat=4"),
    ),
    55: (
        "wfp.infractions.3a",
        f"{NIGHTS}/wfp/w15-warning-ten-minutes-out-for-the-day.txt",
        ("Mike warning", "Mike time_out", "left 10:00", "Mike out_for_day"),
    ),
    56: (
        "home.suggest.a",
        f"{CORE}/tournament/test_chips_and_penalties.py",
        ("16 x 5, 12 x 10, 8 x 25, 6 x 50 and 3 x 100 are 1,000",),
    ),
    57: (
        "home.suggest.b",
        f"{NIGHTS}/home/h11-fifteen-minutes-then-thirty.txt",
        ("remaining 15:00", "remaining 30:00"),
    ),
    58: (
        "home.betting.4",
        f"{EXAMPLES}/58-home-minimum-by-street.txt",
        ("at least 15", "at least 5", "at least 10"),
    ),
    60: ("home.start.5", f"{NIGHTS}/home/h12-a-whole-day.txt", ("at 13:00", "at 18:00")),
    61: (
        "home.start.2",
        f"{NIGHTS}/home/h01-sixteen-chairs.txt",
        ("expect tables 8 8", "expect status Ron waiting"),
    ),
    62: ("home.procedures.2", f"{NIGHTS}/home/h05-late-and-said-so.txt", ("expect chips Nick 945",)),
    63: (
        "home.fees.5",
        f"{NIGHTS}/home/h04-where-sixty-dollars-go.txt",
        ("purse 800", "cash 960", "food 80", "extra_prizes 80"),
    ),
    64: (
        "home.prizes.3",
        f"{NIGHTS}/home/h25-prizes-for-even-fields.txt",
        ("250 100 50", "300 150 50", "350 200 50", "400 200 50 50", "450 200 100 50"),
    ),
    65: ("home.prizes.3", f"{CORE}/tournament/test_prizes.py", ("62.5", "58.33", "57.14", "56.25")),
    74: (
        "home.button.5a",
        f"{EXAMPLES}/74-coming-small-blind-out.txt",
        ("button 1", "pot 25", "seat=4 amount=10"),
    ),
    75: ("home.button.5b", f"{EXAMPLES}/75-coming-big-blind-out.txt", ("button 1 blinds 2 4", "pot 15")),
    76: ("home.button.5c", f"{EXAMPLES}/76-coming-button-out.txt", ("button 2", "pot 30", "3=9985 4=9990")),
    78: ("rpl.blinds.1", f"{NIGHTS}/rpl/04-first-button.txt", ("expect button 1/1",)),
    79: ("rpl.blinds.2", f"{EXAMPLES}/79-small-blind-out-rpl.txt", ("button 2 blinds 3 4",)),
    81: ("rpl.seating.3", f"{NIGHTS}/rpl/23-three-tables-to-two.txt", ("expect tables 10 10",)),
    90: ("rpl.tournaments.4", f"{NIGHTS}/rpl/06-not-reachable-long-levels.txt", ("absent Dean left 0:01",)),
    91: ("rpl.tournaments.10", f"{NIGHTS}/rpl/55-125-in-25s.txt", ("expect stack Ann 200",)),
    92: ("rpl.tournaments.13", f"{NIGHTS}/rpl/18-seven-and-six-then-five.txt", ("expect tables 6 6",)),
    93: ("rpl.tournaments.19", f"{NIGHTS}/rpl/95-only-the-ante.txt", ("out 4=25",)),
    94: (
        "rpl.league.7",
        f"{NIGHTS}/rpl/12-exactly-1000-at-the-break.txt",
        ("has 1000", "has 1025", "refused rpl.league.7"),
    ),
    95: ("rpl.league.9", f"{NIGHTS}/rpl/75-six-players-get-no-points.txt", ("expect no credit",)),
    96: ("rpl.toc.2", f"{CORE}/tournament/test_league.py", ("(10, OTHERS[:6])",)),
    97: ("rpl.toc.4", f"{NIGHTS}/rpl/114-a-repeat-winner-and-a-tie.txt", ("final-field 9 winner 7 score",)),
    98: ("rpl.toc.6", f"{CORE}/tournament/test_league.py", ("o6 and o7 have the same points",)),
    99: ("rpl.toc.8", f"{NIGHTS}/rpl/63-seats-of-the-final-event.txt", ("p5 1/3", "p6 2/3", "p15 2/2", "p16 1/2")),
}


@pytest.mark.parametrize("number", SHOWN)
def test_a_worked_example_is_played_with_its_numbers(number: int) -> None:
    rule, place, figures = SHOWN[number]
    text = (TESTS / place).read_text("utf-8")
    assert rule in text, f"{place} does not cite it"
    assert [figure for figure in figures if figure not in text] == []
