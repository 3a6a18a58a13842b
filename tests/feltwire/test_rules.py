"""`feltwire rules`: the reference, which tests show which rules, and whether they notice an altered rule."""

import json
import sys
from pathlib import Path
from types import ModuleType

import pytest

from feltwire.cli import main
from feltwire.lab.rules.alterations import Alteration, value_alterations
from feltwire.lab.rules.command import must_be_shown
from feltwire.lab.rules.mutants import MUTANTS, Mutant, disable, holder_of
from feltwire.lab.rules.proof import Proof, ProofVerdict, Prover, read_report
from feltwire.lab.rules.tests import Citation, citing_tests
from table_core.catalogue import RuleRow, catalogue, find_rule

# A small project with rules' tests in it: one that looks at its rule, one that does not, one that is wrong.
TESTS = """
import pytest
from table_core.hand.pots import split
from table_core.rulebook import load_rulebook

pytestmark = pytest.mark.rule("wfp.nolimit.1")


@pytest.mark.rule("wfp.nolimit.4")
def test_short_all_ins_add_up():
    assert load_rulebook("wfp").rules.short_all_in_reopens.value == "when_total_faced_is_a_full_raise"


@pytest.mark.rule("ccp.pot.6")
@pytest.mark.function_only("nobody calls it")
@pytest.mark.parametrize("pot", [pytest.param(1000, marks=pytest.mark.rule("ccp.showdown.6"))])
def test_ties_share(pot):
    assert split(pot, [1, 2], 1) == [(1, pot // 2), (2, pot // 2)]


@pytest.mark.rule("rpl.nolimit.3a")
def test_that_fails():
    assert load_rulebook("rpl").rules.min_raise.value == "minimum_bet"
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_cited.py").write_text(TESTS)
    return tmp_path


def row(rule_id: str) -> RuleRow:
    found = find_rule(rule_id)
    assert found is not None
    return found


def proofs(project: Path, *rules: str, resume: bool = False) -> dict[str, Proof]:
    prover = Prover(citing_tests(project), root=project)
    report = project / "proof.jsonl"
    return {proof.id: proof for proof in prover.prove([row(rule) for rule in rules], report, resume=resume)}


# -------------------------------------------------------------------------------------------- reference


def test_a_search_finds_rules_by_any_of_their_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "--search", "ODD button", "--profile", "wfp", "--json"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert "wfp.ties.5a" in {line["id"] for line in lines}
    assert set(lines[0]) == {"id", "handling", "topic", "tests", "status"}


def test_one_rule_says_how_it_is_handled_and_what_it_sets(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "wfp.nolimit.4"]) == 0
    out = capsys.readouterr().out
    assert "The hand engine applies it by itself." in out
    assert "short_all_in_reopens: when total faced is a full raise (wfp)" in out


@pytest.fixture
def without_tools(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("feltwire.lab.rules.tests.find_spec", lambda name: None if name == "pytest" else object())


@pytest.mark.usefixtures("without_tools")
def test_rules_can_be_read_where_no_test_can_run(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "wfp.nolimit.4"]) == 0
    whole = capsys.readouterr()
    assert "The hand engine applies it by itself." in whole.out
    assert "shown by" not in whole.out
    assert "pytest not installed here; `make check` installs" in whole.err
    assert main(["rules", "wfp.nolimit.4", "--json"]) == 0
    line = json.loads(capsys.readouterr().out)
    assert (line["tests"], line["status"]) == (None, "unknown")


@pytest.mark.usefixtures("without_tools")
@pytest.mark.parametrize("what", ["--coverage", "--prove"])
def test_what_asks_the_tests_says_what_must_be_installed(what: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "wfp.nolimit.4", what]) == 2
    assert "pytest not installed here" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("args", "answer"),
    [
        (["wfp.nolimit.44"], "no rule 'wfp.nolimit.44'; there are wfp.nolimit.4"),
        (["--profile", "vegas"], "no profile 'vegas'; there are: base, ccp"),
    ],
)
def test_what_is_not_there_is_a_wrong_call(
    args: list[str], answer: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["rules", *args]) == 2
    assert answer in capsys.readouterr().err


# --------------------------------------------------------------------------------------- tests and proofs


def test_marks_on_modules_functions_and_parameters_are_citations(project: Path) -> None:
    tests = citing_tests(project)
    assert tests["wfp.nolimit.4"] == [Citation("tests/test_cited.py::test_short_all_ins_add_up")]
    assert tests["ccp.showdown.6"] == [Citation("tests/test_cited.py::test_ties_share[1000]", "nobody calls it")]
    assert len(tests["wfp.nolimit.1"]) == 3


def test_a_rule_whose_tests_only_call_a_function_is_not_shown(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("feltwire.lab.rules.command.citing_tests", lambda: citing_tests(project))
    expected = {
        "wfp.nolimit.4": ("shown", 0),
        "ccp.pot.6": ("function only", 1),
        "wfp.nolimit.3a": ("not shown", 1),
    }
    for rule, (status, code) in expected.items():
        assert main(["rules", rule, "--coverage", "--json"]) == code
        assert json.loads(capsys.readouterr().out)["status"] == status


def test_a_program_without_its_tests_has_no_citations(tmp_path: Path) -> None:
    assert citing_tests(tmp_path) == {}


def test_another_value_or_a_missing_code_path_fails_the_tests_of_a_proven_rule(project: Path) -> None:
    found = proofs(project, "wfp.nolimit.4", "ccp.pot.6")
    assert found["wfp.nolimit.4"].status is ProofVerdict.PROVEN
    assert found["wfp.nolimit.4"].altered[0].what == "short_all_in_reopens = when_one_raise_was_full"
    assert found["ccp.pot.6"].status is ProofVerdict.PROVEN


def test_what_cannot_be_proven_says_why(project: Path) -> None:
    found = proofs(project, "rpl.nolimit.3a", "wfp.nolimit.3a", "ccp.pot.6")
    assert found["rpl.nolimit.3a"].status is ProofVerdict.FAILS_UNALTERED
    assert found["wfp.nolimit.3a"].status is ProofVerdict.NOT_SHOWN
    assert found["ccp.pot.6"].status is ProofVerdict.PROVEN


def test_a_proof_goes_on_from_its_report(project: Path) -> None:
    first = proofs(project, "ccp.pot.6")
    (project / "tests" / "test_cited.py").write_text("# nothing")
    again = proofs(project, "ccp.pot.6", "wfp.nolimit.4", resume=True)
    assert again["ccp.pot.6"] == first["ccp.pot.6"]
    assert again["wfp.nolimit.4"].status is ProofVerdict.NOT_SHOWN
    assert list(read_report(project / "proof.jsonl")) == ["ccp.pot.6", "wfp.nolimit.4"]


def test_a_parameter_is_altered_to_every_other_value_that_it_may_have() -> None:
    assert value_alterations("wfp.nolimit.4") == [
        Alteration("wfp.nolimit.4", "short_all_in_reopens", "when_one_raise_was_full")
    ]


@pytest.mark.parametrize("name", list(MUTANTS))
def test_every_mutant_has_a_target_and_a_rule_that_the_table_sees_to(name: str) -> None:
    mutant = MUTANTS[name]
    holder_of(mutant.target)
    assert mutant.topics | mutant.cites | mutant.rules
    assert all(find_rule(rule) for rule in mutant.rules)
    assert mutant.topics <= {row.topic for row in catalogue() if must_be_shown(row)}


def test_a_mutant_reaches_those_who_imported_the_function_before(monkeypatch: pytest.MonkeyPatch) -> None:
    home, user = ModuleType("table_core.its_home"), ModuleType("table_core.its_user")
    home.limit = user.limit = lambda: 3  # type: ignore[attr-defined]
    user.by_name = {"limit": user.limit}  # type: ignore[attr-defined]
    for module in (home, user):
        monkeypatch.setitem(sys.modules, module.__name__, module)
    disable(Mutant("one more", "table_core.its_home:limit", lambda limit: lambda: limit() + 1))
    assert [home.limit(), user.limit(), user.by_name["limit"]()] == [4, 4, 4]
