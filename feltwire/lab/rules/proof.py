"""Whether a rule's tests notice an altered rule. Each alteration runs those tests in a process of its own."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from pathlib import Path

import msgspec
from msgspec import Struct

from feltwire.errors import UsageError
from feltwire.lab.rules.alterations import Alteration, path_alterations, value_alterations
from feltwire.lab.rules.tests import ROOT, Citation, run_pytest
from table_core.catalogue import RuleRow

_PASSED, _FAILED = 0, 1
_TEST_SECONDS = 60


class ProofVerdict(StrEnum):
    PROVEN = "proven"
    NOT_NOTICED = "not noticed"
    NOT_SHOWN = "not shown"  # no test cites the rule
    CANNOT_BE_ALTERED = "cannot be altered"  # neither a parameter nor a code path is known for it
    FAILS_UNALTERED = "fails unaltered"


class TriedAlteration(Struct, frozen=True):
    """One alteration; `why` says what went wrong when it could not be tried."""

    what: str
    noticed: bool
    why: str = ""


class Proof(Struct, frozen=True):
    """What was found about one rule: a line of the report."""

    id: str
    handling: str
    topic: str
    tests: list[str]
    status: ProofVerdict
    altered: list[TriedAlteration] = []


class Prover:
    """Proves rules by the tests that cite them; `seed` is that of generated tests, `root` where the tests are."""

    def __init__(self, tests: Mapping[str, list[Citation]], *, seed: int = 0, root: Path = ROOT) -> None:
        self._tests = tests
        self._root = root
        self._options = [f"--hypothesis-seed={seed}", f"--timeout={_TEST_SECONDS}", "-x"]

    def prove(self, rows: Sequence[RuleRow], report: Path, *, resume: bool = False) -> Iterator[Proof]:
        """A proof for each row, in order; each is in `report` before it is given. With `resume` rows that the
        report holds are taken from there."""
        known = read_report(report) if resume else {}
        report.parent.mkdir(parents=True, exist_ok=True)
        due = [row for row in rows if row.id not in known]
        sound = self._pass(sorted({test for row in due for test in self._of(row)}))
        with report.open("a" if resume else "w", encoding="utf-8") as lines:
            for number, row in enumerate(rows, 1):
                proof = known.get(row.id)
                if proof is None:
                    proof = self._prove(row, sound)
                    lines.write(msgspec.json.encode(proof).decode() + "\n")
                    lines.flush()
                print(f"[{number}/{len(rows)}] {row.id}: {proof.status}", file=sys.stderr, flush=True)
                yield proof

    def _prove(self, row: RuleRow, sound: bool) -> Proof:
        tests = self._of(row)

        def proof(status: ProofVerdict, altered: Sequence[TriedAlteration] = ()) -> Proof:
            return Proof(row.id, row.handling, row.topic, tests, status, list(altered))

        if not tests:
            return proof(ProofVerdict.NOT_SHOWN)
        if not sound and not self._pass(tests):
            return proof(ProofVerdict.FAILS_UNALTERED)
        altered = [self._try(alteration, tests) for alteration in value_alterations(row.id)]
        if not any(tried.noticed for tried in altered):
            for alteration in path_alterations(row.id, row.topic):
                altered.append(self._try(alteration, tests))
                if altered[-1].noticed:
                    break
        if not altered:
            return proof(ProofVerdict.CANNOT_BE_ALTERED)
        noticed = any(tried.noticed for tried in altered)
        return proof(ProofVerdict.PROVEN if noticed else ProofVerdict.NOT_NOTICED, altered)

    def _of(self, row: RuleRow) -> list[str]:
        return [cited.test for cited in self._tests.get(row.id, [])]

    def _try(self, alteration: Alteration, tests: Sequence[str]) -> TriedAlteration:
        """Run the tests under the alteration until one fails."""
        altered = msgspec.json.encode(alteration).decode()
        result = run_pytest([*self._options, *tests], self._root, FELTWIRE_RULES_ALTER=altered)
        if result.returncode in (_PASSED, _FAILED):
            return TriedAlteration(alteration.text(), noticed=result.returncode == _FAILED)
        last = (result.stderr.strip() or result.stdout.strip()).splitlines()[-1:]
        return TriedAlteration(alteration.text(), noticed=False, why="".join(last))

    def _pass(self, tests: Sequence[str]) -> bool:
        return not tests or run_pytest([*self._options, *tests], self._root).returncode == _PASSED


def read_report(report: Path) -> dict[str, Proof]:
    """The proofs of an earlier run by rule; none when there was none. Raise `UsageError` for another file."""
    if not report.exists():
        return {}
    try:
        proofs = msgspec.json.Decoder(Proof).decode_lines(report.read_bytes())
    except msgspec.DecodeError as error:
        raise UsageError(f"{report} is no report of proofs ({error}); give another --report") from error
    return {proof.id: proof for proof in proofs}
