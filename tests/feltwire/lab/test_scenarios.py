"""The scenario language itself, and the document that lists what is shown."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from feltwire.cli import main
from feltwire.lab.rules.rulings_doc import DOCUMENT, SCENARIOS, with_generated
from feltwire.lab.scenario.devices import in_words, left_out, variants
from feltwire.lab.scenario.file import ScenarioError, parse_scenario, read_scenario
from feltwire.lab.scenario.play import failure
from table_core.catalogue import find_rule
from table_core.rulebook import rulebook_ids
from table_core.rulings.cites import citations, cited

GOOD = ["seats: 1 2 3", "", "hand", "press FOLD", "expect turn 2"]


def test_the_document_of_rulings_is_what_the_scenarios_show() -> None:
    text = DOCUMENT.read_text("utf-8")
    assert with_generated(text) == text, "run `python -m feltwire.lab.rules.rulings_doc`"


def test_every_cited_rule_is_in_the_catalogue() -> None:
    assert not [rule for rules in citations().values() for rule in rules if find_rule(rule) is None]


@pytest.mark.parametrize("book", rulebook_ids())
def test_every_book_cites_a_rule_on_everything(book: str) -> None:
    assert all(cited(book, key) for key in citations())


def test_a_scenario_that_holds_fails_nowhere() -> None:
    assert failure(parse_scenario(GOOD, "good.txt"), "base") == ""


def test_a_failure_names_file_line_and_what_was_found() -> None:
    scenario = parse_scenario([*GOOD[:-1], "expect turn 3"], "bad.txt")
    assert failure(scenario, "base").startswith("bad.txt:5: [base, keypad shoe camera] expect turn 3")
    assert "found 2" in failure(scenario, "base")


def test_a_refusal_that_nobody_expected_fails_its_step() -> None:
    lines = ["", "hand", "press FOLD 150 RAISE", "expect turn 2"]
    wrong = failure(parse_scenario(lines, "bad.txt"), "base")
    assert wrong.startswith(
        "bad.txt:3: [base, keypad shoe camera] press FOLD 150 RAISE\n    refused: Raise to at least 200."
    )
    assert "expect refused" in wrong
    assert failure(parse_scenario([*lines, "expect refused at least 200"], "good.txt"), "base") == ""


def test_each_of_several_refusals_is_expected() -> None:
    lines = ["", "hand", "press 9 AWAY 150 RAISE", "expect refused at least 200"]
    assert "Nobody sits at seat 9" in failure(parse_scenario(lines, "bad.txt"), "base")
    assert failure(parse_scenario([*lines, "expect refused Nobody sits"], "good.txt"), "base") == ""


def test_a_way_or_notice_that_is_denied_comes_in_another_scenario() -> None:
    """A word that never comes can be denied for ever."""
    seen, denied = set[tuple[str, str]](), list[tuple[str, str, str]]()
    for path in sorted(SCENARIOS.rglob("*.txt")):
        for line in read_scenario(path).lines:
            kind, word, *rest = (*line.words, "", "", "")
            if line.verb == "choose" or (line.verb == "expect" and kind in ("option", "options", "ruled")):
                seen |= {("option", _unnumbered(one)) for one in line.words}
            elif line.verb == "expect" and kind == "notice":
                seen.add(("notice", word))
            elif line.verb == "expect" and kind == "no" and word in ("option", "notice") and rest[0]:
                denied.append((word, _unnumbered(rest[0]), f"{path}:{line.no}"))
    assert denied
    assert not [(word, where) for kind, word, where in denied if (kind, word) not in seen]


def _unnumbered(option: str) -> str:
    """`made_up_6` without its seat."""
    return option.rstrip("0123456789").rstrip("_")


@pytest.mark.parametrize(
    ("lines", "where"),
    [
        (["colour: red", "", "hand"], "bad.txt:1:"),
        (["rules: wfp.nothing.1", "", "hand"], "bad.txt:1:"),
        (["rulebook: chess", "", "hand"], "bad.txt:1:"),
        (["seats: one two", "", "hand"], "bad.txt:1:"),
        (["blinds: little", "", "hand"], "bad.txt:1:"),
        (["seats: 1 2"], "no steps"),
        (["", "jump"], "bad.txt:2:"),
        (["", "press JUMP"], "bad.txt:2:"),
        (["", "deal 1x"], "bad.txt:2:"),
        (["", "wait long"], "bad.txt:2:"),
        (["", "device shoe happy"], "bad.txt:2:"),
        (["", "raise nothing_known"], "bad.txt:2:"),
        (["", "expect miracles"], "bad.txt:2:"),
        (["devices: keypad oracle", "", "hand"], "bad.txt:1:"),
        (["device: keypad", "", "hand"], "bad.txt:1:"),
        (["seats: 1 2 2", "", "hand"], "bad.txt:1:"),
        (["seats: 1 12", "", "hand"], "bad.txt:1:"),
        (["names: 9=Ann", "", "hand"], "bad.txt:1:"),
        (["button: 1", "button: 2", "", "hand"], "bad.txt:2:"),
        (["", "hand", "expect no tabled"], "bad.txt:3:"),
        (["", "hand", "expect event acted place=3"], "bad.txt:3:"),
        (["", "hand", "expect event act"], "bad.txt:3:"),
        (["", "hand", "expect no"], "bad.txt:3:"),
        (["", "hand", "expect pot"], "bad.txt:3:"),
        (["", "flop Qh 9s"], "bad.txt:2:"),
        (["", "flop Qh Qh 4c"], "bad.txt:2:"),
        (["", "turn"], "bad.txt:2:"),
        (["", "hand Ah", "press FOLD CALL CHECK", "flop Ah 9s 4c"], "bad.txt:4:.*came with the deal"),
        (["", "hand", "press FOLD CALL CHECK", "flop Ah 9s 4c", "press CHECK CHECK", "turn 4c"], "bad.txt:6:"),
        (["", "hand", "expect turn 4"], "bad.txt:3:.*seats of the header"),
        (["", "hand", "expect event acted seat=4"], "bad.txt:3:.*seats of the header"),
        (["", "hand", "expect stack 4=10000"], "bad.txt:3:.*seats of the header"),
        (["", "hand", "expect no acted seat=4"], "bad.txt:3:.*seats of the header"),
        (["", "hand", "expect live 1 2 4"], "bad.txt:3:.*seats of the header"),
        (["", "hand", "expect dealt seat-4"], "bad.txt:3:.*seats of the header"),
        (["", "hand", "expect button 7 blinds 8 9"], "bad.txt:3:.*seats of the header"),
        (["", "table 2: hand"], "bad.txt:2:.*there is one table"),
        (["tables: 2", "", "hand"], "bad.txt:3:.*at which"),
        (["tables: 2", "", "table 3: hand"], "bad.txt:3:.*there are 2 tables"),
        (["tables: 2", "", "table 1:"], "bad.txt:3:.*no step"),
        (["tables: 2", "seats of table 3: 1 2", "", "table 1: hand"], "bad.txt:2:.*there are 2 tables"),
        (["tables: 2", "colour of table 2: red", "", "table 1: hand"], "bad.txt:2:"),
        (["tables: 2", "seats of table 2: one", "", "table 1: hand"], "bad.txt:2:"),
        (["tables: 20", "", "table 1: hand"], "bad.txt:1:"),
        (["", "device oracle ok"], "bad.txt:2:"),
        (["", "raise dropped seat 12"], "bad.txt:2:"),
        (["", "press STREET", "expect refused"], "bad.txt:3:"),
        (["", "restart chess"], "bad.txt:2:"),
        (["", "restart house: nothing = 1"], "bad.txt:2:"),
        (["", "power off"], "bad.txt:2:"),
        (["", "level many"], "bad.txt:2:"),
        (["", "director set_hand moon seats 1=10"], "bad.txt:2:"),
    ],
)
def test_what_cannot_be_understood_is_named(lines: list[str], where: str) -> None:
    with pytest.raises(ScenarioError, match=where):
        failure(parse_scenario(lines, "bad.txt"), "base")


def test_a_turn_without_a_flop_fails() -> None:
    lines = ["", "hand", "press FOLD CALL CHECK", "turn 4c"]
    assert "a turn comes on 3 cards, and 0 lie there" in failure(parse_scenario(lines, "bad.txt"), "base")


def test_json_gives_a_step_a_line_and_the_sum(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "good.txt"
    path.write_text("\n".join(["devices: keypad shoe / camera", *GOOD]))
    assert main(["scenario", "--json", str(path)]) == 0
    *steps, last = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [step["line"] for step in steps] == [4, 5, 6] * 2
    assert [step["devices"] for step in steps] == ["keypad shoe"] * 3 + ["camera"] * 3
    assert any(event["type"] == "acted" for event in steps[1]["events"])
    assert last == {"steps": 6, "failed": 0}


def test_exit_status_says_what_was_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "bad.txt"
    path.write_text("\n".join([*GOOD[:-1], "expect turn 3"]))
    assert main(["scenario", str(path)]) == 1
    path.write_text("hello")
    assert main(["scenario", str(path)]) == 2
    assert "bad.txt:1:" in capsys.readouterr().err


# ------------------------------------------------------------------------------------------------ devices


def played_with(*lines: str) -> list[str]:
    return [in_words(one.devices) for one in variants(parse_scenario(list(lines), "some.txt"))]


def test_a_scenario_that_names_no_devices_is_played_with_all_that_its_lines_allow() -> None:
    assert played_with("", "hand") == ["keypad shoe camera", "keypad shoe", "keypad camera", "keypad", "screen"]
    assert played_with("", "press NEW_HAND", "deal x 6") == ["keypad shoe camera", "keypad shoe"]
    assert played_with("", "hand", "camera burn: 1 back") == ["keypad shoe camera", "keypad camera"]
    assert played_with("", "hand", "expect rest board") == ["keypad shoe camera", "keypad shoe"]


def test_a_header_names_the_sets_and_keys_alone_are_touches_too() -> None:
    assert played_with("devices: keypad shoe / keypad camera", "", "hand") == ["keypad shoe", "keypad camera"]
    assert played_with("devices: keypad", "", "hand") == ["keypad", "screen"]
    assert played_with("devices: keypad", "", "press blind NEW_HAND") == ["keypad"]
    assert played_with("devices: screen", "", "hand") == ["screen"]
    with pytest.raises(ScenarioError, match="`/` between several sets"):
        parse_scenario(["devices: keypad / radar", "", "hand"], "bad.txt")


def test_a_line_may_be_for_some_devices_only() -> None:
    lines = ["", "hand", "press FOLD CALL CHECK", "flop Qh 9s 4c"]
    said = [
        "with camera: expect board Qh 9s 4c",
        "with shoe: expect board Qh 9s 4c",
        "without camera shoe: expect board ?? ?? ??",
    ]
    for one in variants(parse_scenario([*lines, *said], "some.txt")):
        assert failure(one, "base") == ""
    wrong = [failure(one, "base") for one in variants(parse_scenario([*lines, said[0][13:]], "some.txt"))]
    assert [bool(why) for why in wrong] == [False, False, False, True, True]
    assert "[base, screen]" in wrong[-1]


@pytest.mark.parametrize("line", ["with: expect turn 1", "with radar: expect turn 1", "without camera:"])
def test_a_condition_without_a_device_or_a_step_is_refused(line: str) -> None:
    with pytest.raises(ScenarioError, match="DEVICE: STEP"):
        failure(parse_scenario(["", "hand", line], "bad.txt"), "base")


def test_a_scenario_is_played_with_each_set_that_its_lines_allow_or_says_why_not() -> None:
    scenarios = [read_scenario(path) for path in sorted(SCENARIOS.rglob("*.txt"))]
    assert [one.path for one in scenarios if bool(left_out(one)) != bool(one.why)] == []


def test_every_line_of_every_scenario_is_played_with_some_devices() -> None:
    for path in SCENARIOS.rglob("*.txt"):
        scenario = read_scenario(path)
        played = {line.no for one in variants(scenario) for line in one.lines}
        assert {line.no for line in scenario.lines} == played, path
