"""The shoe's firmware against models of its parts: chip, air, beams, memory, switches."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from firmware_bridge import payloads
from firmware_bridge.frames import CARD, CARD_BACK, CARDS, CUT_CARD, DECK, HEALTH, HELLO, LID, LOST, Frame
from firmware_bridge.sim.firmware import device_files
from firmware_bridge.sim.pico import shoe_rig
from firmware_bridge.sim.pico.card_path import BEHIND, Card, beam_edges
from firmware_bridge.sim.pico.fram import Fram, PowerCut
from tests.firmware_bridge.deals.dealer import GONE, Deal
from tests.firmware_bridge.pico.bench import UIDS, ShoeBench, drawn

A, B, C, D = UIDS[:4]
SECOND = 1_000_000


def cards(frames: list[Frame]) -> list[bytes]:
    return [payloads.read_card(frame.payload)[0] for frame in frames if frame.kind == CARD]


def tags_in(memory: Fram) -> bool:
    return any(uid[2:] in bytes(memory.data) for uid in UIDS)


@pytest.fixture
def bench() -> ShoeBench:
    return ShoeBench()


# ---------------------------------------------------------------------------------------- what passes


def test_a_card_is_reported_with_its_tag_and_the_time_when_it_was_out(bench: ShoeBench) -> None:
    bench.deal(drawn(A, SECOND, speed=1.0))
    bench.run(2 * SECOND)
    (frame,) = bench.frames
    tag, at, doubtful = payloads.read_card(frame.payload)
    assert (tag, doubtful) == (A, False)
    out_ms = (SECOND + 8_000 + 63_500 - BEHIND) // 1000
    assert abs(at - out_ms) <= 1
    assert bench.chips_wronged == []


@pytest.mark.parametrize("beam", [0, 1])
@pytest.mark.parametrize("begins", [-60, -2, 0])
@pytest.mark.parametrize("ends", [2, 0, -1])
def test_a_flicker_that_meets_a_cards_edge_is_a_flicker(beam: int, begins: int, ends: int) -> None:
    """Dust in one beam, around the moment when the card comes to one of them: interrupts wait for each other."""
    card = drawn(A, SECOND)
    for edge in [at for at, _, _ in beam_edges([card])]:
        bench = ShoeBench()
        bench.rig.deal(
            [card], Deal([card], glitches=[(beam, edge + begins, edge + max(ends, begins + 1))]).edges()
        )
        bench.run(2 * SECOND)
        assert cards(bench.frames) == [A]


def test_a_card_without_a_working_tag_is_counted_and_said_to_be_unread(bench: ShoeBench) -> None:
    bench.deal(drawn(A, SECOND), drawn(None, 2 * SECOND), drawn(B, 3 * SECOND))
    bench.run(4 * SECOND)
    assert cards(bench.frames) == [A, payloads.NO_TAG, B]
    assert bench.shoe._device.health.unread == 1
    assert bench.shoe._device.health.passages == 3


def test_a_tag_that_one_antenna_misses_is_read_by_the_other(bench: ShoeBench) -> None:
    for reader in (0, 1):
        card = drawn(UIDS[reader], (1 + reader) * SECOND)
        strength = card.strength
        card.strength = lambda which, at, dead=reader, real=strength: 0 if which == dead else real(which, at)  # type: ignore[method-assign,misc]
        bench.deal(card)
    bench.run(3 * SECOND)
    assert cards(bench.frames) == UIDS[:2]


@pytest.mark.parametrize("behind_um", [15_000, 30_000, 45_000])
def test_two_cards_at_once_are_said_to_be_two_and_not_which_is_which(bench: ShoeBench, behind_um: int) -> None:
    speed = 0.6
    bench.deal(drawn(A, SECOND, speed), drawn(B, SECOND + int(behind_um / speed), speed))
    bench.run(2 * SECOND)
    (frame,) = bench.frames
    assert frame.kind == CARDS
    assert sorted(payloads.read_cards(frame.payload)[0]) == [A, B]


def test_two_cards_exactly_on_each_other_are_two_where_both_tags_answer(bench: ShoeBench) -> None:
    bench.deal(drawn(A, SECOND), drawn(B, SECOND))
    bench.run(2 * SECOND)
    assert [frame.kind for frame in bench.frames] == [CARDS]


def test_the_much_stronger_of_two_does_not_hide_the_other(bench: ShoeBench) -> None:
    bench.deal(drawn(A, SECOND, peak=20_000), drawn(B, SECOND, peak=4_000))
    bench.run(2 * SECOND)
    assert [frame.kind for frame in bench.frames] == [CARDS]


def test_a_card_that_is_pushed_back_is_said_and_drawn_again_it_comes_once(bench: ShoeBench) -> None:
    pushed = Card(A, 12_000, [(SECOND, BEHIND), (SECOND + 60_000, 30_000), (SECOND + 160_000, BEHIND)])
    bench.deal(pushed, drawn(A, 2 * SECOND))
    bench.run(3 * SECOND)
    back, out = bench.frames
    assert (back.kind, out.kind) == (CARD_BACK, CARD)
    tag, _, was_out = payloads.read_card_back(back.payload)
    assert (tag, was_out) == (A, False)


def test_a_card_that_had_left_and_is_pushed_into_the_mouth_is_said(bench: ShoeBench) -> None:
    bench.deal(drawn(A, SECOND), Card(A, 12_000, [(2 * SECOND, GONE), (2 * SECOND + 300_000, BEHIND)]))
    bench.run(3 * SECOND)
    _, back = bench.frames
    tag, _, was_out = payloads.read_card_back(back.payload)
    assert (back.kind, tag, was_out) == (CARD_BACK, A, True)


def test_a_finger_in_the_mouth_is_nothing(bench: ShoeBench) -> None:
    bench.rig.edges([(SECOND, 1, 1), (SECOND + 90_000, 1, 0), (2 * SECOND, 0, 1), (2 * SECOND + 50_000, 0, 0)])
    bench.run(3 * SECOND)
    assert bench.frames == []


def test_dust_in_a_beam_is_counted_and_makes_no_card(bench: ShoeBench) -> None:
    bench.rig.edges([(SECOND, 0, 1), (SECOND + 150, 0, 0)])
    bench.deal(drawn(A, 2 * SECOND))
    bench.run(3 * SECOND)
    assert cards(bench.frames) == [A]
    assert bench.shoe._device.health.bounces == 1


def test_the_cut_card_is_told_from_a_card_that_does_not_answer(bench: ShoeBench) -> None:
    bench.deal(drawn(None, SECOND, dark=True), drawn(None, 2 * SECOND), drawn(A, 3 * SECOND, dark=True))
    bench.run(4 * SECOND)
    assert [frame.kind for frame in bench.frames] == [CUT_CARD, CARD, CARD]
    assert cards(bench.frames) == [payloads.NO_TAG, A]


def test_a_white_card_that_does_not_answer_and_stops_before_the_sensor_is_no_cut_card(bench: ShoeBench) -> None:
    """Nothing is above the sensor for a second: that is no darkness of the card."""
    knots = [(SECOND, BEHIND), (SECOND + 22_000, 2_000), (2 * SECOND, 2_000), (2 * SECOND + 150_000, GONE)]
    bench.deal(Card(None, 0, knots))
    bench.run(3 * SECOND)
    assert [frame.kind for frame in bench.frames] == [CARD]


def test_a_card_that_stands_still_on_its_way_is_one_card(bench: ShoeBench) -> None:
    knots = [(SECOND, BEHIND), (SECOND + 80_000, 40_000), (2 * SECOND, 40_000), (2 * SECOND + 100_000, GONE)]
    bench.deal(Card(A, 12_000, knots))
    bench.run(3 * SECOND)
    assert [frame.kind for frame in bench.frames] == [CARD]
    assert cards(bench.frames) == [A]


def test_a_card_whose_speed_may_be_that_of_two_is_asked_about(bench: ShoeBench) -> None:
    """One tag answers, and the beams were covered for half a card more: one card that slowed down, or two of which
    one is dead."""
    bench.deal(drawn(A, SECOND, 0.6), drawn(None, SECOND + int(30_000 / 0.6), 0.6))
    bench.run(2 * SECOND)
    assert [frame.kind for frame in bench.frames] == [CARD, LOST]
    assert payloads.read_lost(bench.frames[1].payload)[1] == payloads.UNCERTAIN


# ----------------------------------------------------------------------------------- its other sensors


def test_lid_and_deck_are_said_when_they_have_held(bench: ShoeBench) -> None:
    rig = bench.rig
    rig.set(shoe_rig.DECK_PIN, rig.deck, 0, SECOND)
    for at, level in ((2_000_000, 1), (2_001_000, 0), (2_002_000, 1)):  # it chatters
        rig.set(shoe_rig.LID_PIN, rig.lid, level, at)
    rig.set(shoe_rig.LID_PIN, rig.lid, 0, 3 * SECOND)
    bench.run(4 * SECOND)
    said = [(frame.kind, payloads.read_switch(frame.payload)[0]) for frame in bench.frames]
    assert said == [(DECK, True), (LID, True), (LID, False)]


def test_it_introduces_itself_with_what_it_can_do_and_what_it_runs(bench: ShoeBench) -> None:
    bench.run(SECOND)
    hello = payloads.read_hello(next(frame for frame in bench.said if frame.kind == HELLO).payload)
    assert hello.firmware == bench.main.FIRMWARE
    assert hello.capabilities & payloads.KEEPS_REPORTS
    assert hello.capabilities & payloads.SEES_EVERY_CARD
    health = payloads.read_health(next(frame for frame in bench.said if frame.kind == HEALTH).payload)
    assert (health.started, health.faults) == (payloads.POWER_ON, 0)


# -------------------------------------------------------------------------------------------- faults


@pytest.mark.parametrize("dead", [0, 1])
def test_with_one_reader_dead_the_other_reads_all_cards(bench: ShoeBench, dead: int) -> None:
    bench.board.chips[dead].dead = True
    bench.deal(*[drawn(uid, (n + 1) * SECOND, 0.5) for n, uid in enumerate(UIDS[:6])])
    bench.run(8 * SECOND)
    assert cards(bench.frames) == UIDS[:6]
    assert bench.shoe._device.health.faults == (payloads.READER_1_SILENT, payloads.READER_2_SILENT)[dead]


@pytest.mark.parametrize("fault", ["stuck", "dead"])
def test_a_reader_that_fails_in_the_middle_costs_its_card_at_most_and_comes_back(
    bench: ShoeBench, fault: str
) -> None:
    bench.deal(*[drawn(uid, (n + 1) * SECOND, 0.5) for n, uid in enumerate(UIDS[:6])])
    bench.run(2 * SECOND + 60_000)
    setattr(bench.board.chips[0], fault, True)
    bench.run(4 * SECOND + 500_000)
    setattr(bench.board.chips[0], fault, False)
    bench.run(8 * SECOND)
    assert len(cards(bench.frames)) == 6
    assert [tag for tag in cards(bench.frames) if tag != payloads.NO_TAG] == [
        uid for uid in UIDS[:6] if uid in cards(bench.frames)
    ]
    assert len(set(cards(bench.frames)) & set(UIDS)) >= 5
    assert bench.shoe._device.health.faults == 0


def test_a_reader_whose_supply_dips_is_set_up_anew(bench: ShoeBench) -> None:
    bench.deal(*[drawn(uid, (n + 1) * SECOND, 0.5) for n, uid in enumerate(UIDS[:5])])
    bench.run(1_500_000)
    for chip in bench.board.chips:
        chip.power_dip()
    bench.run(7 * SECOND)
    assert cards(bench.frames)[2:] == UIDS[2:5]
    assert bench.shoe._device.health.faults == 0


def test_without_both_readers_cards_are_still_counted(bench: ShoeBench) -> None:
    for chip in bench.board.chips:
        chip.dead = True
    bench.deal(*[drawn(uid, (n + 1) * SECOND) for n, uid in enumerate(UIDS[:3])])
    bench.run(5 * SECOND)
    assert cards(bench.frames) == [payloads.NO_TAG] * 3


def test_without_its_memory_it_works_and_says_so() -> None:
    fram = Fram()
    fram.absent = True
    bench = ShoeBench(fram=fram)
    bench.deal(drawn(A, SECOND))
    bench.run(2 * SECOND)
    assert [frame.kind for frame in bench.frames] == [LOST, CARD]
    assert payloads.read_lost(bench.frames[0].payload)[:2] == (0, payloads.RESTARTED)
    assert bench.shoe._device.health.faults == payloads.NO_MEMORY


def test_a_beam_that_stays_covered_is_said_until_it_is_free(bench: ShoeBench) -> None:
    bench.rig.edges([(SECOND, 0, 1), (13 * SECOND, 0, 0)])
    bench.run(12 * SECOND)
    assert bench.shoe._device.health.faults == payloads.BEAM_1_COVERED
    bench.run(14 * SECOND)
    assert bench.shoe._device.health.faults == 0
    assert bench.frames == []


def test_a_low_supply_is_said_and_measured(bench: ShoeBench) -> None:
    bench.board.adc[29] = 4_100 * 65535 // 9900
    bench.run(2 * SECOND)
    health = bench.shoe._device.health
    assert health.faults == payloads.LOW_SUPPLY
    assert abs(health.supply_mv - 4_100) < 5
    assert abs(health.celsius - 27) <= 1


def test_after_three_bites_of_the_watchdog_it_is_safe_and_says_so(bench: ShoeBench) -> None:
    for _ in range(3):
        bench.start()
        bench.run(SECOND)
        bench.switch_on(cause=3)
    bench.start()
    bench.run(SECOND)
    healths = [payloads.read_health(frame.payload) for frame in bench.said if frame.kind == HEALTH]
    assert [how.started for how in healths] == [payloads.POWER_ON, *[payloads.WATCHDOG] * 3]
    assert [how.faults & payloads.SAFE_MODE for how in healths] == [0, 0, 0, payloads.SAFE_MODE]
    assert bench.board.strip[0] in ((60, 0, 0), (0, 0, 0))
    bench.deal(drawn(A, 2 * SECOND))
    bench.run(3 * SECOND)
    assert bench.frames == []


def test_bites_that_are_far_apart_do_not_add_up(bench: ShoeBench) -> None:
    for _ in range(2):
        bench.start()
        bench.run(61 * SECOND)
        bench.switch_on(cause=3)
    bench.start()
    assert bench.shoe._line.restarts.count == 1


def test_the_jumper_keeps_it_from_starting(bench: ShoeBench) -> None:
    from firmware_bridge.sim.pico.wires import Contact

    bench.board.join(22, Contact(0))
    assert bench.start() is None


# -------------------------------------------------------------------------------- memory and power cuts


def test_tags_are_in_its_memory_until_they_are_acknowledged_and_then_nowhere() -> None:
    bench = ShoeBench(acknowledges=False)
    bench.deal(drawn(A, SECOND), drawn(B, 2 * SECOND))
    bench.run(3 * SECOND)
    assert tags_in(bench.fram)
    bench.acknowledges = True
    bench.run(5 * SECOND)
    assert cards(bench.frames) == [A, B]
    assert not tags_in(bench.fram)
    assert bytes(bench.fram.data) == bytes(len(bench.fram.data))


def test_what_was_not_acknowledged_survives_a_power_cut_under_its_old_name() -> None:
    bench = ShoeBench(acknowledges=False)
    bench.deal(drawn(A, SECOND), drawn(B, 2 * SECOND))
    bench.run(3 * SECOND)
    bench.switch_on()
    bench.acknowledges = True
    bench.start()
    bench.deal(drawn(C, SECOND))
    bench.run(2 * SECOND)
    assert [(frame.boot, frame.seq) for frame in bench.frames] == [(1, 1), (1, 2), (2, 1)]
    assert cards(bench.frames) == [A, B, C]


def test_a_report_that_a_sagging_supply_left_half_written_is_said_to_be_lost(bench: ShoeBench) -> None:
    """The last byte of its place, which says that it is whole, may then be anything."""
    bench.run(SECOND)
    bench.rig.set(shoe_rig.LID_PIN, bench.rig.lid, 1, SECOND)
    bench.fram.cut_after, bench.fram.torn = 1 + 14 + 5 + 4, 0x77  # state, head, payload, CRC
    with pytest.raises(PowerCut):
        bench.run(2 * SECOND)
    bench.fram.cut_after = None
    bench.switch_on()
    bench.start()
    bench.run(SECOND)
    assert [frame.kind for frame in bench.frames] == [LOST]
    assert payloads.read_lost(bench.frames[0].payload)[:2] == (1, payloads.POWER_FAILED)


def test_power_cut_while_a_card_is_in_the_mouth_is_said(bench: ShoeBench) -> None:
    bench.deal(drawn(A, SECOND))
    bench.run(SECOND + 90_000)
    bench.switch_on()
    bench.start()
    bench.run(SECOND)
    (frame,) = bench.frames
    assert payloads.read_lost(frame.payload)[:2] == (1, payloads.POWER_FAILED)


# ------------------------------------------------------------------------------------------- the board


def test_the_simulated_board_is_wired_as_the_firmware_says(bench: ShoeBench) -> None:
    main, fram = bench.main, bench.firmware.load("fram")
    assert (main.INNER_READER, main.OUTER_READER) == shoe_rig.READERS
    assert main.BEAM_PINS == shoe_rig.BEAM_PINS
    pins = [main.LID_PIN, main.DECK_PIN, main.DARK_PIN]
    assert pins == [shoe_rig.LID_PIN, shoe_rig.DECK_PIN, shoe_rig.DARK_PIN]
    serving, board = bench.firmware.load("serving"), bench.firmware.load("board")
    all_pins = [
        *main.INNER_READER,
        *main.OUTER_READER,
        *main.BEAM_PINS,
        *pins,
        main.LAMP_PIN,
        main.SCK_PIN,
        main.MOSI_PIN,
        main.MISO_PIN,
        fram.SDA_PIN,
        fram.SCL_PIN,
        serving.TX_PIN,
        serving.RX_PIN,
        board.SAFE_PIN,
    ]
    assert len(set(all_pins)) == len(all_pins)
    assert set(all_pins) <= {*range(23), 26, 27, 28}, "the Pico's free pins"


def test_every_file_of_the_firmware_is_in_its_hash(bench: ShoeBench) -> None:
    root = Path(__file__).parents[3]
    files = {
        path.name for folder in ("shoe", "common") for path in (root / "hardware/firmware" / folder).glob("*.py")
    }
    serving = bench.firmware.load("serving")
    named = {*bench.main.FILES, *serving.SHARED}
    assert {name for name in named if "/" not in name} == files
    imported = set()
    for name in named:
        path = root / name if "/" in name else next((root / "hardware/firmware").glob(f"*/{name}"))
        text = path.read_text() if name != "main.py" else (root / "hardware/firmware/shoe/main.py").read_text()
        imported |= set(re.findall(r"^from firmware_bridge\.(\w+) import", text, re.M))
        for line in re.findall(r"^from firmware_bridge import (.*)$", text, re.M):
            imported |= {part.strip() for part in line.split(",")}
    assert {f"firmware_bridge/{module}.py" for module in imported} <= named


README = Path(__file__).parents[3] / "hardware" / "firmware" / "README.md"


@pytest.mark.parametrize("device", ["shoe", "keypad"])
def test_the_guide_copies_every_file_of_a_device_to_its_place(device: str) -> None:
    root = README.parents[2]
    copied = {}
    for line in re.findall(r"mpremote cp (.+)$", README.read_text(), re.M):
        *patterns, target = line.replace("firmware/shoe/", f"firmware/{device}/").split()
        for path in [path for pattern in patterns for path in sorted(root.glob(pattern))]:
            copied[target.removeprefix(":") + path.name] = path
    assert copied == device_files(device)


def test_the_pins_in_the_guide_are_the_firmwares(bench: ShoeBench) -> None:
    main = bench.main
    rows = dict(re.findall(r"^\| (GP[^|]+?) \| (.+) \|$", README.read_text().split("| shoe |")[1], re.M))
    assert list(rows) == [
        "GP2, GP3, GP4",
        "GP5 to GP8",
        "GP9 to GP12",
        "GP13, GP14",
        "GP15",
        "GP16",
        "GP17",
        "GP18",
    ]
    assert (main.SCK_PIN, main.MOSI_PIN, main.MISO_PIN) == (2, 3, 4)
    assert (main.INNER_READER, main.OUTER_READER) == ((5, 6, 7, 8), (9, 10, 11, 12))
    assert main.BEAM_PINS == (13, 14)
    assert [main.LID_PIN, main.DECK_PIN, main.DARK_PIN, main.LAMP_PIN] == [15, 16, 17, 18]
