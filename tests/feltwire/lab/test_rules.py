"""`feltwire rules`: the reference, which tests show which rules, and whether they notice an altered rule."""

import json
import re
import sys
from collections import Counter
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

from feltwire.cli import main
from feltwire.lab.rules.alterations import Alteration, value_alterations
from feltwire.lab.rules.command import of_the_table, summary
from feltwire.lab.rules.mutants import MUTANTS, Mutant, disable, holder_of
from feltwire.lab.rules.proof import Proof, ProofVerdict, Prover, read_report, try_alteration
from feltwire.lab.rules.tests import Citation, DoorTest, NightTest, citing_tests, door_tests
from table_core.catalogue import Handling, RuleRow, catalogue, find_rule

# A small project: a scenario that looks at its rule, one that does not, one that is wrong; tests of functions.
RAISED = """# A raise is at least the last one.
rulebooks: wfp
rules: wfp.nolimit.3a

hand
press 300 RAISE
press 450 RAISE
expect refused Raise to at least 500
press 500 RAISE
expect turn 3
"""
POSTED = """# It says nothing about what it cites.
rulebooks: rpl
rules: rpl.nolimit.3a

hand
expect pot 150
"""
WRONG = POSTED.replace("rpl.nolimit.3a", "rpl.betting.5").replace("pot 150", "pot 151")
TESTS = """
import pytest
from table_core.hand.pots import split

pytestmark = pytest.mark.rule("wfp.nolimit.1")


def test_ties():
    assert split(8, [1, 2], 1)


@pytest.mark.rule("ccp.pot.6")
@pytest.mark.function_only("waits for the tournament")
@pytest.mark.parametrize("pot", [pytest.param(1000, marks=pytest.mark.rule("ccp.showdown.6"))])
def test_ties_share(pot):
    assert split(pot, [1, 2], 1) == [(1, pot // 2), (2, pot // 2)]
"""

TIES = """
import pytest
from table_core.hand.pots import split


@pytest.mark.rule("ccp.pot.6")
@pytest.mark.parametrize("pot", [8])
def test_a_tie_is_shared(pot):
    assert split(pot, [1, 2], 1) == [(1, 4), (2, 4)]


@pytest.mark.rule("ccp.showdown.6")
def test_it_says_nothing_about_what_it_cites():
    assert split(8, [1], 1)


@pytest.mark.rule("wfp.ties.5a")
def test_it_is_wrong():
    assert not split(8, [1], 1), "no poker here"


@pytest.mark.rule("wfp.ties.3")
def test_it_does_not_run():
    pytest.skip("not on this machine")
"""

PAID = """title: an add-on is not offered
rulebook: ccp
rules: ccp.buyin.6
tables: 1 of 9

register Ann Bob adult member
enter all
assign Ann=1/1 Bob=1/2
start
add on Ann
expect refused ccp.buyin.6
"""

# Rules of the table that no scenario and no story plays: what a tournament does is shown by other tests.
ELSEWHERE = {"rpl.league.3a", "rpl.league.3b", "wfp.blindrules.5"}
# So many rules are shown at a door, TDA 2024 included; the numbers may only rise.
SHOWN = {
    Handling.ENGINE: 281,
    Handling.SENSOR: 172,
    Handling.RULING: 120,
    Handling.CLOCK: 31,
    Handling.DIRECTOR: 177,
    Handling.NOTICE: 156,
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    scenarios = tmp_path / "tests" / "scenarios"
    scenarios.mkdir(parents=True)
    for name, text in (("raised", RAISED), ("posted", POSTED), ("wrong", WRONG)):
        (scenarios / f"{name}.txt").write_text(text)
    nights = tmp_path / "tests" / "nights"
    nights.mkdir()
    (nights / "paid.txt").write_text(PAID)
    functions = tmp_path / "tests" / "table_core"
    functions.mkdir()
    (functions / "test_cited.py").write_text(TESTS)
    return tmp_path


def row(rule_id: str) -> RuleRow:
    found = find_rule(rule_id)
    assert found is not None
    return found


def proofs(project: Path, *rules: str, resume: bool = False) -> dict[str, Proof]:
    prover = Prover(door_tests(project), citing_tests(project), project)
    report = project / "proof.jsonl"
    return {proof.id: proof for proof in prover.prove([row(rule) for rule in rules], report, resume=resume)}


@cache
def citations() -> dict[str, list[Citation]]:
    """Of this project, collected once: it takes seconds."""
    return citing_tests()


# -------------------------------------------------------------------------------------------- reference


@pytest.fixture
def collected_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("feltwire.lab.rules.command.citing_tests", citations)


@pytest.mark.usefixtures("collected_once")
def test_a_search_finds_rules_by_any_of_their_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "--search", "ODD button", "--profile", "wfp", "--json"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert "wfp.ties.5a" in {line["id"] for line in lines}
    assert set(lines[0]) == {"id", "handling", "topic", "tests", "status"}


@pytest.mark.usefixtures("collected_once")
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
def test_what_asks_the_tests_says_what_must_be_installed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "wfp.nolimit.4", "--coverage"]) == 2
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
    waits = Citation("tests/table_core/test_cited.py::test_ties_share[1000]", "waits for the tournament")
    assert tests["ccp.showdown.6"] == [waits]
    assert tests["wfp.nolimit.1"] == [Citation("tests/table_core/test_cited.py::test_ties"), waits]
    assert tests["wfp.nolimit.3a"] == [Citation("tests/scenarios/raised.txt::wfp", at_door=True)]


def test_a_story_of_a_night_is_a_door_test(project: Path) -> None:
    (test,) = door_tests(project)["ccp.buyin.6"]
    assert (test.id, test.failure()) == ("tests/nights/paid.txt", "")
    (project / "tests" / "nights" / "paid.txt").write_text(PAID.replace("refused ccp", "refused wfp"))
    (test,) = door_tests(project)["ccp.buyin.6"]
    assert "add on Ann" not in test.failure()
    assert "expect refused wfp.buyin.6" in test.failure()


def test_tests_of_the_core_pass_no_process(project: Path) -> None:
    (project / "tests" / "test_station.py").write_text(TESTS)
    at_door = {cited.test: cited.at_door for cited in citing_tests(project)["wfp.nolimit.1"]}
    assert at_door["tests/test_station.py::test_ties"]
    assert not at_door["tests/table_core/test_cited.py::test_ties"]
    assert not at_door["tests/test_station.py::test_ties_share[1000]"]


def test_a_rule_whose_tests_only_call_a_function_is_not_shown(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("feltwire.lab.rules.command.citing_tests", lambda: citing_tests(project))
    expected = {
        "wfp.nolimit.3a": ("shown", 0),
        "wfp.nolimit.1": ("function only", 1),
        "ccp.pot.6": ("function only", 1),
        "wfp.nolimit.4": ("not shown", 1),
    }
    for rule, (status, code) in expected.items():
        assert main(["rules", rule, "--coverage", "--json"]) == code
        assert json.loads(capsys.readouterr().out)["status"] == status
    assert main(["rules", "--coverage"]) == 1
    assert re.fullmatch(
        r"4 of 920 rules are shown at a door: engine 3 of 270, .* director 1 of 175, .*; of 3 only a function",
        capsys.readouterr().err.splitlines()[-1],
    )


def test_a_program_without_its_tests_has_no_citations(tmp_path: Path) -> None:
    assert citing_tests(tmp_path) == {}
    assert door_tests(tmp_path) == {}


def test_the_scenarios_of_a_proven_rule_fail_under_another_value(project: Path) -> None:
    found = proofs(project, "wfp.nolimit.3a")["wfp.nolimit.3a"]
    assert found.status is ProofVerdict.PROVEN
    noticed = next(tried for tried in found.altered if tried.what == "min_raise = minimum_bet")
    assert noticed.by == "tests/scenarios/raised.txt::wfp"
    assert "expected a refusal with 'Raise to at least 500'" in noticed.wrong


def test_an_alteration_is_gone_when_it_has_been_tried(project: Path) -> None:
    tests = door_tests(project)["wfp.nolimit.3a"]
    assert try_alteration(Alteration("wfp.nolimit.3a", "min_raise", "minimum_bet"), tests).noticed
    assert [test.failure() for test in tests] == [""]


def test_a_scenario_that_breaks_shows_no_rule(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = Mutant("broken", "table_core.hand.hand:Hand.push", lambda push: None)
    monkeypatch.setitem(MUTANTS, "broken", broken)
    tried = try_alteration(Alteration("wfp.nolimit.3a", mutant="broken"), door_tests(project)["wfp.nolimit.3a"])
    assert not tried.noticed
    assert "TypeError" in tried.why


def test_what_cannot_be_proven_says_why(project: Path) -> None:
    found = proofs(
        project, "rpl.betting.5", "rpl.nolimit.3a", "wfp.nolimit.1", "ccp.pot.6", "wfp.nolimit.4"
    ).values()
    assert [proof.status for proof in found] == [
        ProofVerdict.FAILS_UNALTERED,
        ProofVerdict.NOT_NOTICED,
        ProofVerdict.FUNCTION_ONLY,
        ProofVerdict.WAITS,
        ProofVerdict.NOT_SHOWN,
    ]
    assert summary(list(found)).startswith("0 of 4 rules proven; 0 of ")
    assert summary(list(found)).endswith("; 1 wait: ccp.pot.6")


def test_what_pages_and_commands_show_is_run_by_pytest_with_the_rule_altered(project: Path) -> None:
    (project / "tests" / "test_station.py").write_text(TIES)
    found = proofs(project, "ccp.pot.6", "ccp.showdown.6", "wfp.ties.5a", "wfp.ties.3")
    shared, unseen, wrong, skipped = found.values()
    assert (shared.status, shared.tests) == (ProofVerdict.PROVEN, ["tests/test_station.py::test_a_tie_is_shared"])
    (noticed,) = (tried for tried in shared.altered if tried.noticed)
    assert noticed.by == "tests/test_station.py::test_a_tie_is_shared"
    assert "[(1, 4), (2, 4)]" in noticed.wrong
    assert unseen.status is ProofVerdict.NOT_NOTICED
    assert (wrong.status, "no poker here" in wrong.why) == (ProofVerdict.FAILS_UNALTERED, True)
    assert (skipped.status, "not on this machine" in skipped.why) == (ProofVerdict.FAILS_UNALTERED, True)


def test_the_stories_of_a_proven_rule_fail_under_another_value(project: Path) -> None:
    (found,) = proofs(project, "ccp.buyin.6").values()
    assert found.status is ProofVerdict.PROVEN
    assert all(tried.by == "tests/nights/paid.txt" for tried in found.altered if tried.noticed)


def test_a_proof_goes_on_from_its_report(project: Path) -> None:
    first = proofs(project, "wfp.nolimit.3a")
    (project / "tests" / "scenarios" / "raised.txt").unlink()
    again = proofs(project, "wfp.nolimit.3a", "wfp.nolimit.4", resume=True)
    assert again["wfp.nolimit.3a"] == first["wfp.nolimit.3a"]
    assert again["wfp.nolimit.4"].status is ProofVerdict.NOT_SHOWN
    assert list(read_report(project / "proof.jsonl")) == ["wfp.nolimit.3a", "wfp.nolimit.4"]


def test_a_limit_is_of_rules_that_the_report_has_not_yet(tmp_path: Path) -> None:
    report = tmp_path / "proof.jsonl"
    asked = ["rules", "--prove", "--search", "straddle", "--profile", "rpl", "--resume", "--report", str(report)]
    for done in (1, 2):
        assert main([*asked, "--limit", "1"]) == 0
        assert len(read_report(report)) == done


def test_every_rule_that_the_table_sees_to_is_played() -> None:
    shown = door_tests()
    assert {row.id for row in catalogue() if of_the_table(row) and row.id not in shown} <= ELSEWHERE


def test_no_fewer_rules_are_shown_than_before() -> None:
    tests = citations()
    rows = [row for row in catalogue() if any(cited.at_door for cited in tests.get(row.id, ()))]
    shown = Counter(row.handling for row in rows)
    assert {handling: shown[handling] for handling, least in SHOWN.items() if shown[handling] < least} == {}


def test_a_share_of_the_rules_is_proven(tmp_path: Path) -> None:
    """Every 72nd; `feltwire rules --prove` proves them all."""
    doors = door_tests()
    rows = [row for row in catalogue() if of_the_table(row) and row.id not in ELSEWHERE][5::72]
    assert unproven(doors, rows, tmp_path) == {}


@pytest.mark.slow("the stories of three rules, once for each alteration")
def test_a_share_of_the_rules_of_a_night_is_proven(tmp_path: Path) -> None:
    """Every 60th of those that stories show."""
    nights = {rule: tests for rule, tests in door_tests().items() if any(isinstance(t, NightTest) for t in tests)}
    rows = [row for row in catalogue() if row.id in nights][7::60]
    assert unproven(nights, rows, tmp_path) == {}


@pytest.mark.slow("pytest starts anew for each alteration")
def test_a_share_of_what_pages_and_commands_show_is_proven(tmp_path: Path) -> None:
    """Every fourth of those rules that no scenario and no story shows."""
    doors, others = door_tests(), citations()
    rows = [row for row in catalogue() if row.id not in doors][3::4]
    assert len(rows) >= 2
    found = Prover(doors, others).prove(rows, tmp_path / "proof.jsonl")
    assert {proof.id: proof.status for proof in found} == {row.id: ProofVerdict.PROVEN for row in rows}


def unproven(doors: dict[str, list[DoorTest]], rows: list[RuleRow], folder: Path) -> dict[str, Proof]:
    found = Prover(doors).prove(rows, folder / "proof.jsonl")
    return {proof.id: proof for proof in found if proof.status is not ProofVerdict.PROVEN}


def test_a_parameter_is_altered_to_every_other_value_that_it_may_have() -> None:
    assert value_alterations("wfp.nolimit.4") == [
        Alteration("wfp.nolimit.4", "short_all_in_reopens", "when_one_raise_was_full")
    ]


@pytest.mark.parametrize("name", list(MUTANTS))
def test_every_mutant_has_a_target_and_a_rule(name: str) -> None:
    mutant = MUTANTS[name]
    holder_of(mutant.target)
    assert mutant.topics | mutant.cites | mutant.rules
    assert all(find_rule(rule) for rule in mutant.rules)
    assert mutant.topics <= {row.topic for row in catalogue()}


def test_a_mutant_reaches_those_who_imported_the_function_before(monkeypatch: pytest.MonkeyPatch) -> None:
    home, user = ModuleType("table_core.its_home"), ModuleType("table_core.its_user")
    home.limit = user.limit = lambda: 3  # type: ignore[attr-defined]
    user.by_name = {"limit": user.limit}  # type: ignore[attr-defined]
    for module in (home, user):
        monkeypatch.setitem(sys.modules, module.__name__, module)
    disable(Mutant("one more", "table_core.its_home:limit", lambda limit: lambda: limit() + 1))
    assert [home.limit(), user.limit(), user.by_name["limit"]()] == [4, 4, 4]
