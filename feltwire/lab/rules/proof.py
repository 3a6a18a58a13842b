"""Whether a rule's tests notice an altered rule. A scenario plays the table's node: devices and touches in, ledger
and screen out; a story of a night plays the station's; for rules of pages and commands pytest runs their tests.
Each alteration is made in a process of its own, so that nothing of it is left.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from pathlib import Path

import msgspec
from msgspec import Struct

from feltwire.errors import UsageError
from feltwire.lab.rules.alterations import (
    Alteration,
    apply_alteration,
    is_carried_out,
    page_alterations,
    path_alterations,
    value_alterations,
)
from feltwire.lab.rules.by_pytest import PytestTest
from feltwire.lab.rules.tests import ROOT, Citation, DoorTest
from table_core.catalogue import RuleRow

_SECONDS = 60  # an altered rule may keep a table going for ever
_ENDLESS = "without end"
_AnyTest = DoorTest | PytestTest


class ProofVerdict(StrEnum):
    PROVEN = "proven"
    NOT_NOTICED = "not noticed"
    FUNCTION_ONLY = "function only"  # tests cite the rule, and none of them passes a door
    WAITS = "waits"  # the same, and each of those tests says what for
    NOT_SHOWN = "not shown"  # no test cites the rule
    CANNOT_BE_ALTERED = "cannot be altered"  # neither a parameter nor a code path is known for it
    FAILS_UNALTERED = "fails unaltered"


class TriedAlteration(Struct, frozen=True):
    """One alteration; `by` is the test that noticed it, "" where none did; `wrong` what did not hold there.
    `why` says what went wrong when it could not be tried, `same` why it is not tried: nobody could notice."""

    what: str
    by: str = ""
    wrong: str = ""
    why: str = ""
    same: str = ""

    @property
    def noticed(self) -> bool:
        return bool(self.by)


class Proof(Struct, frozen=True):
    """What was found about one rule: a line of the report. `why`: what the rule waits for."""

    id: str
    handling: str
    topic: str
    tests: list[str]
    status: ProofVerdict
    altered: list[TriedAlteration] = []
    why: str = ""


class Prover:
    """Proves rules by the scenarios and stories that cite them, and, where there is none or they do not notice an
    alteration, by the tests of pages and commands among `others`, which are all other tests."""

    def __init__(
        self,
        doors: Mapping[str, Sequence[DoorTest]],
        others: Mapping[str, Sequence[Citation]] | None = None,
        root: Path = ROOT,
    ) -> None:
        self._doors = doors
        self._others = others or {}
        self._root = root

    def prove(self, rows: Sequence[RuleRow], report: Path, *, resume: bool = False) -> Iterator[Proof]:
        """A proof for each row, in order; each is in `report` before it is given. With `resume` rows that the
        report holds are taken from there."""
        known = read_report(report) if resume else {}
        report.parent.mkdir(parents=True, exist_ok=True)
        with report.open("a" if resume else "w", encoding="utf-8") as lines:
            for number, row in enumerate(rows, 1):
                proof = known.get(row.id)
                if proof is None:
                    proof = self._prove(row)
                    lines.write(msgspec.json.encode(proof).decode() + "\n")
                    lines.flush()
                print(f"[{number}/{len(rows)}] {row.id}: {proof.status}", file=sys.stderr, flush=True)
                yield proof

    def _prove(self, row: RuleRow) -> Proof:
        doors, pages = self._doors.get(row.id, ()), self._by_pytest(row.id)
        first, then = (doors, pages) if doors else (pages, ())
        status, altered, why = _found(row, first, then) if first else self._without_a_door(row)
        tests = [test.id for test in (*first, *then)]
        return Proof(row.id, row.handling, row.topic, tests, status, altered, why)

    def _by_pytest(self, rule_id: str) -> Sequence[PytestTest]:
        cited = [test for test in self._others.get(rule_id, ()) if test.at_door]
        names = dict.fromkeys(test.test.partition("[")[0] for test in cited)
        return [PytestTest(name, self._root) for name in names if ".py::" in name]

    def _without_a_door(self, row: RuleRow) -> tuple[ProofVerdict, list[TriedAlteration], str]:
        cited = self._others.get(row.id, ())
        if not cited:
            return ProofVerdict.NOT_SHOWN, [], ""
        reasons = {test.function_only for test in cited}
        if "" in reasons:
            return ProofVerdict.FUNCTION_ONLY, [], ""
        return ProofVerdict.WAITS, [], "; ".join(sorted(reasons))


def _found(
    row: RuleRow, tests: Sequence[_AnyTest], then: Sequence[PytestTest]
) -> tuple[ProofVerdict, list[TriedAlteration], str]:
    """`then`: the tests that are run where none of `tests` notices."""
    if wrong := _wrong_unaltered(tests):
        return ProofVerdict.FAILS_UNALTERED, [], wrong
    altered = [_tried(alteration, tests, then) for alteration in value_alterations(row.id)]
    page = [_tried(alteration, tests, then) for alteration in page_alterations(row.id)]
    told = any(tried.noticed for tried in page) and not is_carried_out(row.id)  # who carries it out must be tried
    altered += page
    if not told and not any(tried.noticed for tried in altered if tried not in page):
        for alteration in path_alterations(row.id, row.topic):
            altered.append(_tried(alteration, tests, then))
            if altered[-1].noticed:
                break
    if not [tried for tried in altered if not tried.same]:
        return ProofVerdict.CANNOT_BE_ALTERED, altered, ""
    noticed = any(tried.noticed for tried in altered)
    return ProofVerdict.PROVEN if noticed else ProofVerdict.NOT_NOTICED, altered, ""


def _wrong_unaltered(tests: Sequence[_AnyTest]) -> str:
    unaltered = (try_alteration(None, [test]) for test in tests)
    return next(filter(None, (tried.wrong or tried.why for tried in unaltered)), "")


def _tried(alteration: Alteration, tests: Sequence[_AnyTest], then: Sequence[PytestTest]) -> TriedAlteration:
    if alteration.same:
        return TriedAlteration(_what(alteration), same=alteration.same)
    tried = try_alteration(alteration, tests)
    if tried.noticed or not then:
        return tried
    again = try_alteration(alteration, then)
    if not again.noticed:
        return tried
    by = [test for test in then if test.id == again.by]
    return tried if _wrong_unaltered(by) else again


# ------------------------------------------------------------------------------------------ one alteration


def try_alteration(alteration: Alteration | None, tests: Sequence[_AnyTest]) -> TriedAlteration:
    """Play the tests under the alteration, or as the rules are, until one fails. A test that breaks with an
    exception or does not end shows no rule: what it says is in `why`."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        _play_altered(alteration, tests, writing)
    os.close(writing)
    with os.fdopen(reading, "rb") as answer:
        said = answer.read()
    os.waitpid(child, 0)
    if not said:
        return TriedAlteration(_what(alteration), why=_ENDLESS)
    return msgspec.json.decode(said, type=TriedAlteration)


def _play_altered(alteration: Alteration | None, tests: Sequence[_AnyTest], writing: int) -> None:
    """The child's part; it never returns."""
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(_SECONDS)
    what = _what(alteration)
    tried = TriedAlteration(what, why="broken")
    try:
        if alteration is not None:
            apply_alteration(alteration)
        tried = _until_noticed(what, tests)
    except Exception as error:  # noqa: BLE001 - whatever it is, the parent must be told
        tried = TriedAlteration(what, why=f"{type(error).__name__}: {error}")
    finally:
        os.write(writing, msgspec.json.encode(tried))
        os._exit(0)


def _what(alteration: Alteration | None) -> str:
    return alteration.text() if alteration is not None else "as the rules are"


def _until_noticed(what: str, tests: Sequence[_AnyTest]) -> TriedAlteration:
    why = ""
    for test in tests:
        try:
            wrong = test.failure()
        except Exception as error:  # noqa: BLE001 - the altered code, not the test
            why = f"{test.id}: {type(error).__name__}: {error}"
            continue
        if wrong:
            return TriedAlteration(what, test.id, wrong)
    return TriedAlteration(what, why=why)


def read_report(report: Path) -> dict[str, Proof]:
    """The proofs of an earlier run by rule; none when there was none. Raise `UsageError` for another file."""
    if not report.exists():
        return {}
    try:
        proofs = msgspec.json.Decoder(Proof).decode_lines(report.read_bytes())
    except msgspec.DecodeError as error:
        raise UsageError(f"{report} is no report of proofs ({error}); give another --report") from error
    return {proof.id: proof for proof in proofs}
