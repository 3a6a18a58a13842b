"""Where the table learns each fact from, what it takes when nobody says, and how it is put right.

Every row of the table in real-tables.md, 4, for a table with all devices, with shoe and keys, with camera and
keys, with keys alone, and with nobody pressing. Each cell is a story in the language of docs/scenario.md, where
`{begin}` begins a hand with those devices and `{flop}` deals its flop. Three seats, button 1, blinds 50/100, and
10,000 in every stack.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from feltwire.lab.scenario.file import parse_scenario
from feltwire.lab.scenario.play import failure
from feltwire.lab.scenario.table import TableInMemory
from table_core.messages import Key

DEVICES = {
    "all devices": "keypad shoe camera",
    "shoe and keys": "keypad shoe",
    "camera and keys": "keypad camera",
    "keys alone": "keypad",
    "nobody presses": "shoe camera",
}
ALL, SHOE, CAMERA, KEYS, NOBODY = DEVICES
PRESSED = (ALL, SHOE, CAMERA, KEYS)
SEEN = (ALL, CAMERA)

FACTS = (
    "start of the hand",
    "button, blinds, antes",
    "who is in, away, back",
    "each action",
    "spoken or silent",
    "stack",
    "tabled, mucked",
    "award, split, odd chip",
    "a hand nobody keyed",
)
PARTS = ("learned from", "when nobody says", "put right by")

BACKS = """\
camera seat-1-cards: 2 backs
camera seat-2-cards: 2 backs
camera seat-3-cards: 2 backs"""
DEAL = "deal Ah Kd 7c As Kc 2d"  # seat 2: aces, seat 3: kings, seat 1: seven and deuce
BEGIN = {
    ALL: "hand Ah Kd 7c As Kc 2d",
    SHOE: "hand Ah Kd 7c As Kc 2d",
    CAMERA: "hand",
    KEYS: "press NEW_HAND",
    NOBODY: f"{DEAL}\n{BACKS}",
}
FLOP = dict.fromkeys(DEVICES, "flop Qh 9s 4c") | {KEYS: "press STREET", SHOE: "flop Qh 9s 4c\npress STREET"}
TURN = dict.fromkeys(DEVICES, "turn 3d") | {KEYS: "press STREET", SHOE: "turn 3d\npress STREET"}
RIVER = dict.fromkeys(DEVICES, "river Jc") | {KEYS: "press STREET", SHOE: "river Jc\npress STREET"}


@dataclass(frozen=True)
class Story:
    fact: str
    part: str
    devices: tuple[str, ...]
    text: str


def story(fact: str, part: str, devices: tuple[str, ...] | str, text: str) -> Story:
    return Story(fact, part, (devices,) if isinstance(devices, str) else devices, text)


SHOWDOWN = """\
{begin}
press FOLD CALL CHECK
{flop}
press CHECK CHECK
{turn}
press CHECK CHECK
{river}
press CHECK CHECK
expect street showdown
"""

STORIES = (
    # ------------------------------------------------------------------------- start of the hand
    story(FACTS[0], PARTS[0], PRESSED, """
        press NEW_HAND
        expect event hand_started hand=1 source=key
    """),
    story(FACTS[0], PARTS[0], NOBODY, """
        deal x 6
        camera seat-1-cards: 2 backs
        camera seat-2-cards: 2 backs
        expect no question
        camera seat-3-cards: 2 backs
        expect event hand_started hand=1 source=shoe
    """),
    story(FACTS[0], PARTS[1], ALL, """
        deal x 6
        camera seat-1-cards: 2 backs
        camera seat-2-cards: 2 backs
        camera seat-3-cards: 2 backs
        expect event hand_started hand=1 source=shoe
        expect no notice
    """),
    story(FACTS[0], PARTS[1], SHOE, """
        deal x 6
        press FOLD
        expect event hand_started hand=1 source=shoe
        expect event acted seat=1 action=fold
        expect notice new_hand_not_keyed
    """),
    story(FACTS[0], PARTS[1], CAMERA, """
        camera seat-1-cards: 2 backs
        camera seat-2-cards: 2 backs
        camera seat-3-cards: 2 backs
        expect event hand_started hand=1 source=camera
        expect no notice
    """),
    # With keys alone nothing but the key says it; a key too much after the last hand must not begin another.
    story(FACTS[0], PARTS[1], KEYS, """
        press FOLD
        expect refused press NEW HAND first
    """),
    story(FACTS[0], PARTS[1], NOBODY, """
        {begin}
        expect hand 1
        expect no notice
        expect no question
    """),
    story(FACTS[0], PARTS[2], (ALL, CAMERA), """
        deal x 6
        camera seat-1-cards: 2 backs
        camera seat-2-cards: 2 backs
        camera seat-3-cards: 2 backs
        expect hand 1
        press NEW_HAND
        expect no question
        expect hand 1
    """),
    story(FACTS[0], PARTS[2], (SHOE, KEYS), """
        press NEW_HAND NEW_HAND
        expect notice new_hand_twice
        expect hand 1
    """),
    story(FACTS[0], PARTS[2], NOBODY, """
        {begin}
        director seats 1=10000 2=10000 3=10000 button 1
        expect event seats_set gap=yes source=director
    """),
    # --------------------------------------------------------------------- button, blinds, antes
    story(FACTS[1], PARTS[0], tuple(DEVICES), """
        {begin}
        expect button 1 blinds 2 3
        expect stacks 10000 9950 9900
    """),
    story(FACTS[1], PARTS[1], PRESSED, """
        press NEW_HAND
        expect event posted seat=2 what=small_blind amount=50 source=assumed
        expect event posted seat=3 what=big_blind amount=100 source=assumed
    """),
    story(FACTS[1], PARTS[1], NOBODY, """
        deal x 6
        camera seat-1-cards: 2 backs
        camera seat-2-cards: 2 backs
        camera seat-3-cards: 2 backs
        expect event posted seat=2 what=small_blind amount=50 source=assumed
        expect event posted seat=3 what=big_blind amount=100 source=assumed
    """),
    story(FACTS[1], PARTS[2], PRESSED, """
        press 2 BUTTON
        expect event seats_set button=2 source=key
        press NEW_HAND
        expect button 2 blinds 3 1
    """),
    story(FACTS[1], PARTS[2], NOBODY, """
        director seats 1=10000 2=10000 3=10000 button 2
        {begin}
        expect button 2 blinds 3 1
    """),
    # --------------------------------------------------------------------- who is in, away, back
    story(FACTS[2], PARTS[0], PRESSED, """
        press 3 AWAY
        expect event away_set seat=3 away=yes source=key
    """),
    story(FACTS[2], PARTS[0], NOBODY, """
        director seats 1=10000 2=20000 button 1
        expect event seats_set source=director
        deal x 4
        camera seat-1-cards: 2 backs
        camera seat-2-cards: 2 backs
        expect event hand_started source=shoe
        expect live 1 2
    """),
    story(FACTS[2], PARTS[1], PRESSED, """
        press 3 AWAY
        press NEW_HAND
        expect event hand_started away=3
        expect live 1 2 3
    """),
    story(FACTS[2], PARTS[1], NOBODY, """
        {begin}
        expect live 1 2 3
    """),
    story(FACTS[2], PARTS[2], PRESSED, """
        press 3 AWAY
        press 3 AWAY
        expect event away_set seat=3 away=no source=key
    """),
    story(FACTS[2], PARTS[2], NOBODY, """
        director seats 1=10000 2=10000 3=10000 button 1
        {begin}
        expect live 1 2 3
    """),
    # ------------------------------------------------------------------------------- each action
    story(FACTS[3], PARTS[0], PRESSED, """
        {begin}
        press CALL
        expect event acted seat=1 action=call to=100 source=key
    """),
    story(FACTS[3], PARTS[0], NOBODY, """
        {begin}
        camera seat-1-cards: nothing
        wait 2s
        expect event acted seat=1 action=fold source=camera
        expect no question
        expect no notice
    """),
    story(FACTS[3], PARTS[1], ALL, """
        {begin}
        press CALL
        flop Qh 9s 4c
        press STREET
        expect event acted seat=2 action=call source=assumed
        expect event acted seat=3 action=check source=assumed
        expect street flop
        expect board Qh 9s 4c
    """),
    story(FACTS[3], PARTS[1], SHOE, """
        {begin}
        press CALL
        flop Qh 9s 4c
        press STREET
        expect event acted seat=2 action=call source=assumed
        expect event acted seat=3 action=check source=assumed
        expect board Qh 9s 4c
    """),
    story(FACTS[3], PARTS[1], CAMERA, """
        {begin}
        camera seat-1-bet: 300 in 3 chips
        camera seat-2-cards: nothing
        camera board: Qh 9s 4c
        press STREET
        expect event acted seat=1 action=raise to=300 source=camera
        expect event acted seat=2 action=fold source=camera
        expect event acted seat=3 action=call source=assumed
        expect board Qh 9s 4c
    """),
    story(FACTS[3], PARTS[1], KEYS, """
        {begin}
        press CALL
        press STREET
        expect question missed_actions
        press STREET
        expect event acted seat=2 action=call source=assumed
        expect event acted seat=3 action=check source=assumed
        expect board ?? ?? ??
    """),
    # Chips never move unconfirmed: it is asked once, and asked no more at a table where nobody presses.
    story(FACTS[3], PARTS[1], NOBODY, """
        {begin}
        flop Qh 9s 4c
        wait 60s
        expect question missed_actions
        expect no acted seat=1
        expect stacks 10000 9950 9900
    """),
    story(FACTS[3], PARTS[2], PRESSED, """
        {begin}
        press FOLD
        expect turn 2
        press UNDO
        expect turn 1
        expect live 1 2 3
    """),
    story(FACTS[3], PARTS[2], NOBODY, """
        {begin}
        camera seat-1-cards: nothing
        wait 2s
        expect turn 2
        camera seat-1-cards: 2 backs
        expect turn 1
        expect live 1 2 3
    """),
    # -------------------------------------------------------------------------- spoken or silent
    story(FACTS[4], PARTS[0], PRESSED, """
        {begin}
        press 500 RAISE
        expect event acted seat=1 action=raise to=500 source=key
    """),
    story(FACTS[4], PARTS[0], NOBODY, """
        {begin}
        camera seat-1-bet: 500 in one chip
        expect predicted call 100, change 400
    """),
    # A number that was keyed was said, also where the chips alone would mean something else.
    story(FACTS[4], PARTS[1], SEEN, """
        {begin}
        camera seat-1-bet: 500 in one chip
        expect predicted call 100, change 400
        press 500 RAISE
        expect event acted seat=1 action=raise to=500 source=key
    """),
    story(FACTS[4], PARTS[1], (SHOE, KEYS), """
        {begin}
        press 500 RAISE
        expect no question
        expect event acted seat=1 action=raise to=500 source=key
    """),
    story(FACTS[4], PARTS[1], NOBODY, """
        {begin}
        camera seat-1-bet: 500 in one chip
        wait 20s
        expect no acted seat=1
    """),
    story(FACTS[4], PARTS[2], PRESSED, """
        {begin}
        press 500 RAISE
        press UNDO CALL
        expect event acted seat=1 action=call to=100
    """),
    story(FACTS[4], PARTS[2], NOBODY, """
        {begin}
        camera seat-1-bet: 500 in one chip
        camera seat-1-bet: 600 in 2 chips
        expect predicted raise to 600
    """),
    # ------------------------------------------------------------------------------------- stack
    story(FACTS[5], PARTS[0], PRESSED, """
        press seat 2 9000 COUNT
        expect event counted seat=2 stack=9000 was=10000 source=key
        expect stacks 10000 9000 10000
    """),
    story(FACTS[5], PARTS[0], NOBODY, """
        director seats 1=10000 2=9000 3=11000
        expect stacks 10000 9000 11000
    """),
    story(FACTS[5], PARTS[1], PRESSED, """
        {begin}
        press FOLD FOLD
        expect event hand_ended
        expect stacks 10000 9950 10050
    """),
    story(FACTS[5], PARTS[1], NOBODY, """
        {begin}
        camera seat-1-cards: nothing
        wait 2s
        camera seat-2-cards: nothing
        wait 2s
        expect event hand_ended
        expect stacks 10000 9950 10050
    """),
    story(FACTS[5], PARTS[2], PRESSED, """
        press seat 2 9000 COUNT
        press seat 2 10000 COUNT
        expect event counted seat=2 stack=10000 was=9000
        expect chips 30000
    """),
    story(FACTS[5], PARTS[2], NOBODY, """
        director seats 1=10000 2=9000 3=11000
        director seats 1=10000 2=10000 3=10000
        expect stacks 10000 10000 10000
    """),
    # ---------------------------------------------------------------------------- tabled, mucked
    story(FACTS[6], PARTS[0], ALL, SHOWDOWN + """
        camera seat-2-cards: Ah As
        expect event hand_tabled seat=2 sources=camera shoe
        camera seat-3-cards: nothing
        wait 4s
        expect event hand_mucked seat=3 source=camera
    """),
    story(FACTS[6], PARTS[0], CAMERA, SHOWDOWN + """
        camera seat-2-cards: Ah As
        expect event hand_tabled seat=2 sources=camera
        camera seat-3-cards: nothing
        wait 4s
        expect event hand_mucked seat=3 source=camera
    """),
    # Without a camera a wrong key must not open a hand: the second press does.
    story(FACTS[6], PARTS[0], SHOE, SHOWDOWN + """
        press 2 TABLED
        expect question tabled-2
        press STREET
        expect event hand_tabled seat=2 cards=Ah As
        press 3 MUCK
        expect event hand_mucked seat=3 source=key
    """),
    story(FACTS[6], PARTS[0], KEYS, SHOWDOWN + """
        press 2 TABLED STREET
        expect event hand_tabled seat=2 cards=?? ??
        press 3 MUCK
        expect event hand_mucked seat=3 source=key
    """),
    # All-in with nobody pressing: hands are turned up and seen, but the chips in between were not said.
    story(FACTS[6], PARTS[0], NOBODY, """
        {begin}
        camera seat-2-cards: Ah As
        camera seat-3-cards: Kc Kd
        wait 3s
        expect question missed_actions
        expect no hand_tabled
    """),
    story(FACTS[6], PARTS[1], (ALL, CAMERA), SHOWDOWN + """
        camera seat-2-cards: Ah As
        press POT_PUSHED
        expect event pot_awarded why=cards
        expect no hand_tabled seat=3
    """),
    story(FACTS[6], PARTS[1], SHOE, SHOWDOWN + """
        press 2 TABLED STREET
        press POT_PUSHED
        expect event pot_awarded why=cards
        expect no hand_tabled seat=3
    """),
    story(FACTS[6], PARTS[1], KEYS, SHOWDOWN + """
        press 2 AWARD
        expect event pot_awarded why=dealer
        expect no hand_tabled
    """),
    story(FACTS[6], PARTS[1], NOBODY, """
        {begin}
        wait 60s
        expect no hand_tabled
    """),
    story(FACTS[6], PARTS[2], PRESSED, SHOWDOWN + """
        press 3 MUCK
        press UNDO
        expect live 2 3
        expect street showdown
    """),
    story(FACTS[6], PARTS[2], NOBODY, """
        {begin}
        camera seat-2-cards: Ah As
        camera seat-2-cards: 2 backs
        wait 8s
        expect no hand_tabled
        expect no notice
        expect live 1 2 3
    """),
    # -------------------------------------------------------------------- award, split, odd chip
    story(FACTS[7], PARTS[0], (ALL, CAMERA), SHOWDOWN + """
        camera seat-2-cards: Ah As
        camera seat-3-cards: Kc Kd
        expect event pot_awarded why=cards
        expect stacks 10000 10100 9900
    """),
    story(FACTS[7], PARTS[0], SHOE, SHOWDOWN + """
        press 2 TABLED STREET
        press 3 TABLED STREET
        expect event pot_awarded why=cards
        expect stacks 10000 10100 9900
    """),
    story(FACTS[7], PARTS[0], KEYS, SHOWDOWN + """
        press 2 SPLIT 3 SPLIT POT_PUSHED
        expect event pot_awarded why=dealer
        expect stacks 10000 10000 10000
    """),
    story(FACTS[7], PARTS[0], NOBODY, """
        {begin}
        camera seat-1-cards: nothing
        wait 2s
        camera seat-2-cards: nothing
        wait 2s
        expect event pot_awarded why=last_standing
    """),
    # The next riffle: what the tabled cards award is awarded.
    story(FACTS[7], PARTS[1], (ALL, CAMERA), SHOWDOWN + """
        camera seat-2-cards: Ah As
        press NEW_HAND
        expect event pot_awarded why=cards
        expect event hand_started hand=2
    """),
    story(FACTS[7], PARTS[1], SHOE, SHOWDOWN + """
        press 2 TABLED STREET
        press NEW_HAND
        expect event pot_awarded why=cards
        expect event hand_started hand=2
    """),
    # With keys alone nobody knows who won: it is asked, and nothing is made up.
    story(FACTS[7], PARTS[1], KEYS, SHOWDOWN + """
        press NEW_HAND
        expect question hand_open
        expect street showdown
    """),
    story(FACTS[7], PARTS[1], NOBODY, """
        {begin}
        camera seat-1-cards: nothing
        camera seat-2-cards: nothing
        wait 4s
        expect event pot_awarded why=last_standing
        expect no question
    """),
    story(FACTS[7], PARTS[2], PRESSED, SHOWDOWN + """
        press 3 AWARD
        expect stacks 10000 9900 10100
        press UNDO
        press 2 AWARD
        expect stacks 10000 10100 9900
    """),
    story(FACTS[7], PARTS[2], NOBODY, """
        {begin}
        camera seat-1-cards: nothing
        wait 2s
        camera seat-2-cards: nothing
        wait 2s
        director seats 1=10000 2=10050 3=9950 button 2
        expect stacks 10000 10050 9950
    """),
    # ---------------------------------------------------------------------- a hand nobody keyed
    story(FACTS[8], PARTS[0], PRESSED, """
        {begin}
        press 2 AWARD
        expect question result_only
        press STREET
        expect event result_entered winners=2 source=key
    """),
    story(FACTS[8], PARTS[0], NOBODY, """
        {begin}
        director seats 1=10000 2=10100 3=9900 button 2
        expect event seats_set gap=yes source=director
        expect stacks 10000 10100 9900
    """),
    story(FACTS[8], PARTS[1], (SHOE, KEYS), """
        {begin}
        press CALL
        press NEW_HAND
        expect question hand_open
        press NEW_HAND
        expect notice hand_not_observed
        expect chips 30000
    """),
    story(FACTS[8], PARTS[1], (ALL, CAMERA, NOBODY), """
        {begin}
        camera board: Qh 9s 4c
        camera seat-1-cards: nothing
        camera seat-2-cards: nothing
        camera seat-3-cards: nothing
        camera board: nothing
        deal x 6
        camera seat-1-cards: 2 backs
        camera seat-2-cards: 2 backs
        camera seat-3-cards: 2 backs
        expect notice hand_not_observed
        expect hand 2
        expect chips 30000
    """),
    story(FACTS[8], PARTS[2], PRESSED, """
        {begin}
        press 2 AWARD STREET
        press seat 2 10100 COUNT
        expect event counted seat=2 stack=10100
    """),
    story(FACTS[8], PARTS[2], NOBODY, """
        {begin}
        director seats 1=9000 2=12000 3=9000 button 2
        expect stacks 9000 12000 9000
        expect chips 30000
    """),
)  # fmt: skip


def cells() -> Iterator[tuple[str, str, str, str]]:
    for one in STORIES:
        for devices in one.devices:
            yield one.fact, one.part, devices, one.text


@pytest.mark.parametrize(("fact", "part", "devices", "text"), [*cells()], ids=lambda value: value.strip()[:28])
def test_each_fact_has_a_source_a_default_and_a_correction(fact: str, part: str, devices: str, text: str) -> None:
    parts = {"begin": BEGIN, "flop": FLOP, "turn": TURN, "river": RIVER}
    for name, step in parts.items():
        text = text.replace(f"{{{name}}}", step[devices])
    lines = [f"# {fact}: {part}, {devices}", f"devices: {DEVICES[devices]}", "", *text.splitlines()]
    wrong = failure(parse_scenario([line.strip() for line in lines], f"{fact}, {part}, {devices}"), "base")
    assert not wrong, wrong


def test_no_cell_of_the_table_is_missing_or_told_twice() -> None:
    shown = [(fact, part, devices) for fact, part, devices, _ in cells()]
    wanted = {(fact, part, devices) for fact in FACTS for part in PARTS for devices in DEVICES}
    assert set(shown) == wanted
    assert len(shown) == len(wanted) == 135


def test_a_stack_says_how_old_its_last_count_is() -> None:
    """Start, two hands, a count of seat 2 and another hand: seat 2 was counted after the second hand."""
    scenario = parse_scenario(["devices: keypad", "", "press NEW_HAND"], "stacks")
    table = TableInMemory(scenario.config("base"), scenario.devices)
    for _ in range(2):
        table.press(Key.NEW_HAND, Key.FOLD, Key.FOLD)
    assert {seat.counted_after for seat in table.view.seats} == {0}
    table.press("2", Key.SEAT, "9000", Key.COUNT)
    table.press(Key.NEW_HAND, Key.FOLD, Key.FOLD)
    assert [seat.counted_after for seat in table.view.seats] == [0, 2, 0]
