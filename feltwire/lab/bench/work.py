"""One measurement in a process of its own: `python -m feltwire.lab.bench.work NAME SECONDS`.

Prints one JSON object with what was measured. Time is this process's processor time, so that neighbours on the
machine disturb it little; only of the wire it is the time that passes.
"""

from __future__ import annotations

import gc
import random
import statistics
import sys
import tempfile
import time
import tracemalloc
import warnings
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import cv2
import msgspec
import numpy as np

from feltwire.lab.bench import hands as bench_hands
from feltwire.lab.bench import peers as bench_peers
from feltwire.lab.bench import wire
from feltwire.lab.bench.table import RecordedTable
from feltwire.lab.bench.vision import Watched
from table_core.cards import DECK, Card, parse_cards
from table_core.equity.exact import equities
from table_core.equity.spot import Spot, spot_of
from table_core.ranking import rank_hand
from table_core.ranking_batch import rank_hands

_SEED = 11
_WARM = 50  # hands
_BETWEEN_LOOKS = 10  # hands: a look at the clock takes as long as an action
_EVALUATED = 100_000  # hands for one pass of an evaluator
_SPOTS = 60
_MOST_PLAYERS, _MOST_DEAD = 9, 10
_FEWEST_PICTURES = 9
_REMEMBERED = 40  # hands whose memory is weighed together

SevenCards = Sequence[tuple[Card, ...]]


class Measurement(msgspec.Struct, frozen=True):
    """`value` in `unit`, from `n` repetitions."""

    value: float
    unit: str
    n: int


def measure(name: str, seconds: float) -> Measurement:
    """Do the work called `name`, a key of `WORK`, for about so long. Raise `ImportError` for a missing peer."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # peers deprecate parts of themselves
        return WORK[name](seconds)


def _hands(workload: Callable[[], bench_hands.Workload], seconds: float) -> Measurement:
    hands = workload()
    for _ in range(_WARM):  # what is loaded once is not measured: our tables come with the first showdown
        next(hands)
    done, begun = 0, time.process_time()
    while (taken := time.process_time() - begun) < seconds:
        for _ in range(_BETWEEN_LOOKS):
            next(hands)
        done += _BETWEEN_LOOKS
    return Measurement(done / taken, "hands/s", done)


def _table_events(seconds: float) -> Measurement:
    """Processor time of an event at a table, the writing to the disk included and the waiting for it not."""
    with tempfile.TemporaryDirectory() as folder:
        table = RecordedTable(Path(folder))
        hands = bench_hands.check_down(table)
        next(hands)
        before, begun = table.events, time.process_time()
        while (taken := time.process_time() - begun) < seconds:
            next(hands)
        done = table.events - before
    return Measurement(taken * 1e6 / done, "µs", done)


def _evaluation(prepare: Callable[[SevenCards], Callable[[], object]], seconds: float) -> Measurement:
    """All evaluators get the same random hands; `prepare` makes a pass over them."""
    chance = random.Random(_SEED)
    taken, passes = _fastest(prepare([tuple(chance.sample(DECK, 7)) for _ in range(_EVALUATED)]), seconds)
    return Measurement(_EVALUATED / taken, "evaluations/s", passes * _EVALUATED)


def _rank_each(hands: SevenCards) -> Callable[[], object]:
    def work() -> None:
        for hand in hands:
            rank_hand(hand)

    return work


def _rank_all(hands: SevenCards) -> Callable[[], object]:
    return partial(rank_hands, np.array(hands, np.uint8))


def _phevaluator_each(hands: SevenCards) -> Callable[[], object]:
    return partial(bench_peers.phevaluator_each, hands)


def _equity(spot: Spot, seconds: float) -> Measurement:
    taken, repeated = _fastest(partial(equities, spot), seconds)
    return Measurement(taken * 1_000, "ms", repeated)


def _slowest_equity(seconds: float) -> Measurement:
    """The slowest of many random spots before the flop, two to nine players, up to ten dead cards."""
    chance = random.Random(_SEED)
    spots = [_random_spot(chance) for _ in range(_SPOTS)]
    return max((_equity(spot, seconds / _SPOTS) for spot in spots), key=lambda measured: measured.value)


def _random_spot(chance: random.Random) -> Spot:
    players, dead = chance.randint(2, _MOST_PLAYERS), chance.randint(0, _MOST_DEAD)
    cards = chance.sample(DECK, 2 * players + dead)
    return spot_of([cards[2 * player : 2 * player + 2] for player in range(players)], dead=cards[2 * players :])


def _phevaluator_heads_up(seconds: float) -> Measurement:
    first, second = HEADS_UP.hands
    taken, repeated = _fastest(partial(bench_peers.phevaluator_heads_up, first, second), seconds, warm=False)
    return Measurement(taken * 1_000, "ms", repeated)


def _memory(_: float) -> Measurement:
    """What a hand holds beside its log: the memory that comes free when hands go and their logs stay."""
    chance = random.Random(_SEED)
    bench_hands.played_hand(chance)
    tracemalloc.start()
    played = [bench_hands.played_hand(chance) for _ in range(_REMEMBERED)]
    logs = [log for _, log in played]
    gc.collect()
    before, _ = tracemalloc.get_traced_memory()
    played.clear()
    gc.collect()
    after, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return Measurement((before - after) / len(logs), "bytes", len(logs))


def _watched(picture: Callable[[Watched], Callable[[], float]], seconds: float) -> Measurement:
    """The middle of the processor times of so many pictures; a fastest one would tell nothing of a table."""
    cv2.setNumThreads(1)
    take = picture(Watched())
    take()
    times: list[float] = []
    begun = time.process_time()
    while len(times) < _FEWEST_PICTURES or time.process_time() - begun < seconds:
        times.append(take())
    return Measurement(statistics.median(times) * 1_000, "ms", len(times))


def _percentile(times: Callable[[float], list[float]], percent: int, seconds: float) -> Measurement:
    """The time that so many percent do not exceed; wall time."""
    taken = times(seconds)
    return Measurement(statistics.quantiles(taken, n=100)[percent - 1] * 1e6, "µs", len(taken))


def _fastest(work: Callable[[], object], seconds: float, *, warm: bool = True) -> tuple[float, int]:
    """Seconds of the fastest repetition, and how many there were after the one that warms caches and tables."""
    if warm:
        work()
    best, done, begun = float("inf"), 0, time.process_time()
    while not done or time.process_time() - begun < seconds:
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
        done += 1
    return best, done


HEADS_UP = spot_of([parse_cards("AhKh"), parse_cards("QsQd")])
_NINE = "AhKh QsQd 7c6c 9s8s AdKc JhTh 2s2d 5c4d 3h3d"

WORK: dict[str, Callable[[float], Measurement]] = {
    "hands.check-down": partial(_hands, bench_hands.check_down),
    "hands.check-down/texasholdem": partial(_hands, bench_peers.texasholdem_check_down),
    "hands.check-down/rlcard": partial(_hands, bench_peers.rlcard_check_down),
    "hands.check-down/pokerkit": partial(_hands, bench_peers.pokerkit_check_down),
    "hands.random": partial(_hands, bench_hands.random_actions),
    "hands.random/texasholdem": partial(_hands, bench_peers.texasholdem_random),
    "hands.random/rlcard": partial(_hands, bench_peers.rlcard_random),
    "hands.random/pokerkit": partial(_hands, bench_peers.pokerkit_random),
    "table.event": _table_events,
    "evaluate.one": partial(_evaluation, _rank_each),
    "evaluate.many": partial(_evaluation, _rank_all),
    "evaluate/phevaluator": partial(_evaluation, _phevaluator_each),
    "equity.heads-up": partial(_equity, HEADS_UP),
    "equity.nine": partial(_equity, spot_of([parse_cards(hand) for hand in _NINE.split()])),
    "equity.slowest": _slowest_equity,
    "equity.flop": partial(_equity, spot_of([*HEADS_UP.hands, parse_cards("7c6c")], parse_cards("Qh8h5c"))),
    "equity/phevaluator": _phevaluator_heads_up,
    "memory.hand": _memory,
    "wire.p50": partial(_percentile, wire.frame_to_observation, 50),
    "wire.p99": partial(_percentile, wire.frame_to_observation, 99),
    "wire.p50/terminal": partial(_percentile, wire.bare_round_trip, 50),
    "wire.p99/terminal": partial(_percentile, wire.bare_round_trip, 99),
    "vision.still": partial(_watched, lambda table: table.still),
    "vision.changed": partial(_watched, lambda table: table.change),
    "vision/aruco": partial(_watched, lambda table: table.reference),
}


if __name__ == "__main__":
    print(msgspec.json.encode(measure(sys.argv[1], float(sys.argv[2]))).decode())
