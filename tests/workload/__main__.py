"""`python -m tests.workload`: the dealer's workload at one simulated table: presses, seconds, questions.

    python -m tests.workload                                  # five hours, every set of devices
    python -m tests.workload --devices all keys --hours 1 --seed 3 --json workload.json
    python -m tests.workload --self-dealt 200                 # players deal in turn, two decks alternate

Time is given, not waited for. docs/workload.md says what the figures mean.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path

from tests.workload import report, self_dealt
from tests.workload.shift import DEVICE_SETS, Shift, Workload


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.workload", description=__doc__.partition("\n")[0])
    parser.add_argument("--hours", type=float, default=5.0, help="of table time (5)")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--devices", nargs="+", choices=DEVICE_SETS, default=list(DEVICE_SETS), metavar="SET")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every figure there")
    parser.add_argument("--self-dealt", type=int, metavar="HANDS", help="that many hands at a self-dealt table")
    args = parser.parse_args()
    if args.self_dealt:
        return _self_dealt(args.self_dealt, args.seed, args.json)
    workloads = [_workload(name, args.hours, args.seed) for name in args.devices]
    print(report.markdown(workloads))
    for workload in workloads:
        print(f"\n{workload.devices.name}: not known: {report.unknown(workload) or 'nothing'}")
    if args.json:
        args.json.write_text(json.dumps({one.devices.name: report.figures(one) for one in workloads}, indent=1))
    return 0


def _workload(name: str, hours: float, seed: int) -> Workload:
    with tempfile.TemporaryDirectory(prefix="feltwire-workload-") as runtime:
        return Shift(DEVICE_SETS[name], Path(runtime), seed=seed).deal(hours=hours)


def _self_dealt(hands: int, seed: int, out: Path | None) -> int:
    with tempfile.TemporaryDirectory(prefix="feltwire-workload-") as runtime:
        found = self_dealt.deal(Path(runtime), hands=hands, seed=seed)
    print(self_dealt.markdown(found))
    if out:
        out.write_text(json.dumps(self_dealt.figures(found), indent=1))
    return 1 if found.alarms else 0


if __name__ == "__main__":
    sys.exit(main())
