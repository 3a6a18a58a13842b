"""`python -m tests.evening`: a simulated evening at one table, and what it costs the dealer.

    python -m tests.evening                                  # five hours, every set of devices
    python -m tests.evening --devices all keys --hours 1 --seed 3 --json evening.json
    python -m tests.evening --self-dealt 200                 # players deal in turn, two decks alternate

Everything runs in boot time that is told, not waited for. docs/evening.md says what the figures mean.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path

from tests.evening import report, self_dealt
from tests.evening.shift import DEVICE_SETS, Evening, Shift


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.evening", description=__doc__.partition("\n")[0])
    parser.add_argument("--hours", type=float, default=5.0, help="of table time (5)")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--devices", nargs="+", choices=DEVICE_SETS, default=list(DEVICE_SETS), metavar="SET")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every figure there")
    parser.add_argument("--self-dealt", type=int, metavar="HANDS", help="that many hands at a self-dealt table")
    args = parser.parse_args()
    if args.self_dealt:
        return _self_dealt(args.self_dealt, args.seed, args.json)
    evenings = [_evening(name, args.hours, args.seed) for name in args.devices]
    print(report.markdown(evenings))
    for evening in evenings:
        print(f"\n{evening.devices.name}: not known: {report.unknown(evening) or 'nothing'}")
    if args.json:
        args.json.write_text(json.dumps({one.devices.name: report.figures(one) for one in evenings}, indent=1))
    return 0


def _evening(name: str, hours: float, seed: int) -> Evening:
    with tempfile.TemporaryDirectory(prefix="feltwire-evening-") as runtime:
        return Shift(DEVICE_SETS[name], Path(runtime), seed=seed).deal(hours=hours)


def _self_dealt(hands: int, seed: int, out: Path | None) -> int:
    with tempfile.TemporaryDirectory(prefix="feltwire-evening-") as runtime:
        found = self_dealt.deal(Path(runtime), hands=hands, seed=seed)
    print(self_dealt.markdown(found))
    if out:
        out.write_text(json.dumps(self_dealt.figures(found), indent=1))
    return 1 if found.alarms else 0


if __name__ == "__main__":
    sys.exit(main())
