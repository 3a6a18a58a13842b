"""A share of each long proof of the wire (`python -m tests.wire`), spread over its cases."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import pytest

from tests.wire import __main__ as command
from tests.wire.__main__ import PROOFS, Report, played
from tests.wire.proof import Counts, Finding, Proof

SHARES = {"streams": 2_000, "cable": 60, "power": 120, "board": 16, "bounce": 800, "deals": 4}


@pytest.mark.parametrize("name", PROOFS)
def test_a_share_of_each_proof_holds(name: str) -> None:
    proof = PROOFS[name]
    parts = max(1, proof.cases() // SHARES[name])
    report = Report(name, 1, f"1/{parts}")
    played(proof, report, argparse.Namespace(shard=(1, parts), limit=SHARES[name], report=None, resume=None))
    assert report.findings == []
    assert report.next == SHARES[name]
    assert proof.figures(Counts(report.counts))


def _odd(case: int, seed: int) -> Counts:
    if case % 2:
        raise Finding("odd")
    return Counts(even=1)


def test_a_run_goes_on_where_it_ended_and_says_what_it_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(
        PROOFS, "streams", Proof("numbers", lambda: 10, _odd, lambda counts: [f"{counts['even']} even"])
    )
    file = tmp_path / "report.json"
    for limit, status, said in ((3, 1, "2 even"), (100, 1, "5 even")):
        monkeypatch.setattr(sys, "argv", ["wire", "streams", "--limit", str(limit), "--resume", str(file)])
        assert command.main() == status
        assert said in capsys.readouterr().out
    report = json.loads(file.read_text())
    assert (report["next"], report["finished"]) == (10, True)
    assert report["findings"] == [f"case {case}: odd" for case in (1, 3, 5, 7, 9)]
    monkeypatch.setattr(sys, "argv", ["wire", "streams", "--seed", "2", "--resume", str(file)])
    assert command.main() == 2
