"""Nine-handed deals through the shoe's firmware, at a dealer's speed and at 20 cards a second, with tags that are
missed, cards that pass twice and cards that are pushed back (`tests.firmware_bridge.deals.dealer`): every card in
order, or asked about; none wrong. Then the same reports at a table: it publishes no card that does not lie there,
and takes no hole card for another one unless it says that it does not know whose they are.

Every third case draws cards two at a time as well, which the gate of our shoe does not let through. Of two that
lie exactly on each other the beams see one; where a tag is silent as well the shoe cannot know, and what is left
is the table's count.
"""

from __future__ import annotations

from collections import Counter

from tests.firmware_bridge.deals.dealer import Dealer, Shares
from tests.firmware_bridge.deals.judge import Verdict, judge
from tests.firmware_bridge.pico.bench import UIDS, ShoeBench
from tests.wire import at_table
from tests.wire.proof import Counts, Finding, Proof

CASES = 1_200
CARDS = 26  # nine hands, three burns, five on the board
PERIODS_US = {"20 cards a second": 50_000, "a dealer's speed": 500_000}
FAULTS = Shares(weak=0.05, dead=0.02, back=0.05, jitter=0.08, returned=0.03, glitch=0.1)
DOUBLES = Shares(weak=0.05, dead=0.02, double=0.08, back=0.05, jitter=0.08, returned=0.03, glitch=0.1)


def run(case: int, seed: int) -> Counts:
    speed = list(PERIODS_US)[case % 2]
    doubles = case % 3 == 2
    dealt = Dealer(seed * CASES + case, PERIODS_US[speed], DOUBLES if doubles else FAULTS).deal(UIDS[:CARDS])
    bench = ShoeBench(seed=seed * CASES + case)
    bench.rig.deal(dealt.cards, dealt.edges())
    bench.run(dealt.end)
    if bench.chips_wronged:
        raise Finding(f"the driver broke the chip's rules: {bench.chips_wronged[0]}")
    verdict = judge(dealt.truth, bench.frames)
    believed = at_table.played(dealt.truth, bench.frames)
    if wrong := [*verdict.wrong, *believed.wrong]:
        raise Finding(f"{speed}: {wrong[0]}")
    return _counts(speed, doubles, len(dealt.truth), verdict, believed)


def _counts(speed: str, doubles: bool, happened: int, verdict: Verdict, believed: at_table.Believed) -> Counts:
    what = f"{speed}, two at a time too" if doubles else speed
    counts: Counts = Counter({f"{what}: deals": 1, f"{what}: happened": happened})
    counts[f"{what}: right"] = verdict.right
    counts[f"{what}: asked"] = verdict.asked
    counts[f"{what}: hidden"] = len(verdict.hidden)
    counts[f"{what}: hands known"] = int(not believed.uncounted)
    counts[f"{what}: streets known"] = believed.streets
    return counts


def figures(counts: Counts) -> list[str]:
    return [_figures(what, counts) for speed in PERIODS_US for what in (speed, f"{speed}, two at a time too")]


def _figures(what: str, counts: Counts) -> str:
    deals, happened, right, asked, hidden, hands, streets = (
        counts[f"{what}: {name}"]
        for name in ("deals", "happened", "right", "asked", "hidden", "hands known", "streets known")
    )
    passages = f"{happened} passages: {right} right, {asked} asked about, {hidden} two as one, 0 wrong"
    known = f"{hands} deals and {streets} of {3 * deals} streets known, the others said not to be"
    table = f"at the table {known}, 0 wrong"
    return f"{what}: {deals} deals, {passages}; {table}"


PROOF = Proof("nine-handed deals through the shoe's firmware", lambda: CASES, run, figures)
