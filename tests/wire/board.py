"""The power of the real firmware's board is cut at every byte that its memory writes: two presses of the keypad,
then three cards of the shoe. The second half of the cases are brown-outs: the byte that is being written becomes
anything. What was heard before and after the cut, and what the device says that it lost, account for all."""

from __future__ import annotations

import contextlib
import random
from collections import Counter
from functools import cache

from firmware_bridge import payloads
from firmware_bridge.frames import CARD, LOST
from firmware_bridge.sim.pico.fram import Fram, PowerCut
from table_core.messages import Key
from tests.firmware_bridge.pico.bench import UIDS, ShoeBench, drawn
from tests.firmware_bridge.pico.test_keypad_firmware import KeypadBench
from tests.wire.proof import Counts, Finding, Proof

SECOND = 1_000_000
KEYS = [Key.D1, Key.FOLD]
CARDS = UIDS[:3]
DRAWN_US = 152_000  # from when a card begins to move to when it is out


def _keypad() -> KeypadBench:
    bench = KeypadBench()
    for number, key in enumerate(KEYS):
        bench.press(key, SECOND // 2 + number * 200_000)
    return bench


def _shoe() -> ShoeBench:
    bench = ShoeBench()
    bench.deal(*[drawn(uid, (n + 1) * SECOND // 2) for n, uid in enumerate(CARDS)])
    return bench


@cache
def written() -> tuple[int, int]:
    """The bytes that the memory of keypad and shoe write without a power cut."""
    keypad, shoe = _keypad(), _shoe()
    keypad.run(SECOND)
    shoe.run(2 * SECOND)
    return keypad.fram.written, shoe.fram.written


def run(case: int, seed: int) -> Counts:
    of_keypad, _ = written()
    sags, byte = divmod(case, sum(written()))
    torn = random.Random(f"board {seed} {case}").randrange(256) if sags else None
    return _cut_keypad(byte, torn) if byte < of_keypad else _cut_shoe(byte - of_keypad, torn)


def _cut_keypad(byte: int, torn: int | None) -> Counts:
    bench = _keypad()
    bench.fram.cut_after, bench.fram.torn = byte, torn
    with contextlib.suppress(PowerCut):
        bench.run(SECOND)
    down = sum(bench.time.now >= SECOND // 2 + n * 200_000 + 10_000 for n in range(len(KEYS)))
    bench.fram.cut_after = None
    bench.switch_on()
    bench.start()
    bench.run(SECOND)
    lost = any(frame.kind == LOST for frame in bench.frames)
    _account(list(bench.keys), [int(key) for key in KEYS], down, lost, bench.fram)
    return Counter({"cuts": 1, "brown-outs": int(torn is not None), "presses": down, "said to be lost": int(lost)})


def _cut_shoe(byte: int, torn: int | None) -> Counts:
    bench = _shoe()
    bench.fram.cut_after, bench.fram.torn = byte, torn
    with contextlib.suppress(PowerCut):
        bench.run(2 * SECOND)
    out = sum(bench.time.now >= (n + 1) * SECOND // 2 + DRAWN_US for n in range(len(CARDS)))
    bench.fram.cut_after = None
    bench.switch_on()
    bench.start()
    bench.run(SECOND)
    lost = any(frame.kind == LOST for frame in bench.frames)
    tags = [payloads.read_card(frame.payload)[0] for frame in bench.frames if frame.kind == CARD]
    _account([tag for tag in tags if tag != payloads.NO_TAG], CARDS, out, lost, bench.fram)
    return Counter({"cuts": 1, "brown-outs": int(torn is not None), "cards": out, "said to be lost": int(lost)})


def _account(heard: list, made: list, happened: int, lost: bool, memory: Fram) -> None:
    if heard != made[: len(heard)]:
        raise Finding("something else was heard than what was done, or in another order")
    if len(heard) < happened and not lost:
        raise Finding(f"{happened} done, {len(heard)} heard, and the device says nothing")
    if any(memory.data):
        raise Finding("the memory still holds something that was acknowledged")


def figures(counts: Counts) -> list[str]:
    return [
        f"{counts['cuts']} power cuts at the {sum(written())} bytes that the memories write, "
        f"in {counts['brown-outs']} of them anything in that byte: "
        f"{counts['presses']} presses and {counts['cards']} cards before the cuts, all heard or said to be lost "
        f"({counts['said to be lost']} times)"
    ]


PROOF = Proof("the power cut at every byte of the firmware's memory", lambda: 2 * sum(written()), run, figures)
