"""Faults that are staged at the wires: drawn apart, understood by the table, and counted right."""

from __future__ import annotations

import stat
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest

from feltwire.ledger.chain import LedgerHead
from table_core.messages import (
    AnyEvent,
    Asked,
    At,
    Chips,
    Envelope,
    HandEnded,
    HandStarted,
    Level,
    Millis,
    Noticed,
    Ruled,
    Seat,
    SeatsSet,
    SeatStack,
    Share,
    Source,
)
from tests.faults.__main__ import main
from tests.faults.camera import Rates
from tests.faults.done import Done
from tests.faults.join import join_events
from tests.faults.judge import Verdict, conserved, same_cards
from tests.faults.kinds import FAULTS, Kind
from tests.faults.plan import PlannedHand, PlannedTable, draw, only, read_plan, write_plan
from tests.faults.report import Least, Report, failures, meanings, rows_of
from tests.faults.shift import BOOK, Shift
from tests.faults.staged import STAGED

SEED = 7
LEVEL = Level(1, Chips(100), Chips(200))
SEATS = (SeatStack(Seat(1), Chips(5_000)), SeatStack(Seat(2), Chips(5_000)))


# ------------------------------------------------------------------------------------------ the drawing


def test_the_same_seed_draws_the_same_faults_and_another_one_others() -> None:
    assert draw(SEED, 300) == draw(SEED, 300)
    assert draw(SEED, 300) != draw(SEED + 1, 300)


def test_a_draw_has_every_kind_in_its_share_and_every_hand_once() -> None:
    hands = [hand for table in draw(SEED, 2_000) for hand in table.hands]
    assert [hand.no for hand in hands] == list(range(1, 2_001))
    kinds = Counter(hand.kind for hand in hands)
    assert set(kinds) == set(Kind)
    assert 500 < kinds[Kind.CLEAN] < 800
    faults = [count for kind, count in kinds.items() if FAULTS[kind].hands == 1 and kind is not Kind.CLEAN]
    assert min(faults) >= 15


def test_hands_without_a_key_come_five_in_a_row() -> None:
    for table in draw(SEED, 1_000):
        kinds = "".join("u" if hand.kind is Kind.UNKEYED else "." for hand in table.hands)
        assert all(len(run) % 5 == 0 for run in kinds.split(".") if run), kinds


def test_a_hand_looked_into_is_dealt_behind_those_before_it_at_its_table() -> None:
    tables = draw(SEED, 300)
    (looked_into,) = only("142", tables)
    whole = tables[1]
    assert looked_into.seed == whole.seed
    assert looked_into.hands == whole.hands[: len(looked_into.hands)]
    assert looked_into.hands[-1].no == 142


def test_a_kind_looked_into_is_dealt_alone_and_in_all_its_hands() -> None:
    tables = draw(SEED, 300)
    planned = [hand for table in tables for hand in table.hands if hand.kind is Kind.WRONG_SEAT]
    assert planned
    assert [hand for table in only("wrong_seat", tables) for hand in table.hands] == planned


def test_a_plan_is_for_the_dealing_process_alone(tmp_path: Path) -> None:
    tables = draw(SEED, 200)
    write_plan(tmp_path / "plan", tables)
    assert stat.S_IMODE((tmp_path / "plan").stat().st_mode) == 0o700
    assert list(read_plan(tmp_path / "plan")) == tables


def test_every_kind_can_be_staged_and_has_its_least_share() -> None:
    assert set(STAGED) == set(Kind) - {Kind.CLEAN}
    least = Least.load()
    assert set(least.classified) == set(STAGED)
    assert all(0 < share <= 1 for share in least.classified.values())


def test_the_document_lists_the_kinds_as_they_are() -> None:
    assert meanings() in (Path(__file__).parents[2] / "docs" / "faults.md").read_text("utf-8")


# ------------------------------------------------------------------------------------------ the joining


def _ledger(events: Sequence[tuple[AnyEvent, str]]) -> list[tuple[Envelope, str]]:
    """`events`, each with what caused it, as a ledger that begins with two seats."""
    linked: list[tuple[Envelope, str]] = []
    head = LedgerHead(1, 0, "")
    for event, cause in ((SeatsSet(SEATS, Seat(1), hand=1), "config"), *events):
        entry = head.link(event, at=At("b", Millis(0)), venue="v", table="1", cause=cause)
        head = entry.head
        linked.append((entry.envelope, entry.hash))
    return linked


def _hand(*between: tuple[AnyEvent, str], stacks: tuple[int, int] = (5_100, 4_900)) -> list[tuple[AnyEvent, str]]:
    started = HandStarted(1, Seat(1), Seat(1), Seat(2), LEVEL, SEATS, Source.KEY)
    ended = HandEnded(1, tuple(Share(Seat(no), Chips(stack)) for no, stack in enumerate(stacks, 1)))
    return [(started, "keypad/1/1"), *between, (ended, "keypad/1/9")]


def _done(kind: Kind, to_seq: int, **changed: object) -> Done:
    done = Done(1, kind, True, 1, to_seq, {Seat(1): Chips(5_100), Seat(2): Chips(4_900)}, (), {}, 3, 0, 1)
    return msgspec.structs.replace(done, **changed)


def _judged(kind: Kind, *between: tuple[AnyEvent, str], **changed: object) -> Verdict:
    events = _ledger(_hand(*between))
    return join_events(events, [_done(kind, events[-1][0].seq, **changed)], BOOK)[0]


BURN = (Noticed("burn_missing", "No burn before the flop", rule="tda.38"), "camera/7/1")
UNREAD = (Noticed("unread_card_4", "A card left the shoe unread"), "shoe/1/4")
ASKED = (Asked(1, "missed_actions", "Flop is out"), "timer")
RAISED = (Asked(1, "ruling", "A ruling is being made"), "keypad/1/5")
RULED = (Ruled("string_bet", "call", "A call only", "wfp.betting.14a", Seat(2)), "keypad/1/6")


def test_a_fault_that_the_ledger_names_is_classified() -> None:
    found = _judged(Kind.MISSING_BURN, BURN)
    assert (found.classified, found.missed, found.accused, found.wrong) == (True, False, (), "")


def test_a_fault_of_which_the_ledger_says_nothing_is_missed() -> None:
    found = _judged(Kind.MISSING_BURN)
    assert (found.classified, found.missed) == (False, True)


def test_a_planted_misclassification_is_found() -> None:
    """The reader missed a card, and the ledger blames the dealer's burn."""
    found = _judged(Kind.READ_FAILED, BURN)
    assert not found.classified
    assert found.accused == ("notice:burn_missing",)


def test_a_right_word_beside_a_wrong_one_is_an_accusation_still() -> None:
    found = _judged(Kind.READ_FAILED, UNREAD, BURN)
    assert found.classified
    assert found.accused == ("notice:burn_missing",)


def test_a_word_or_a_question_in_a_clean_hand_is_a_false_alarm() -> None:
    assert _judged(Kind.CLEAN, BURN).accused == ("notice:burn_missing",)
    asked = _judged(Kind.CLEAN, ASKED)
    assert asked.accused == ("asked:missed_actions",)
    assert asked.asked == 1
    least = Least.load()
    assert failures(rows_of([asked], least), least)
    quiet = _judged(Kind.CLEAN)
    assert not failures(rows_of([quiet], least), least)


def test_what_a_person_raised_is_no_question_of_the_table() -> None:
    found = _judged(Kind.STRING_BET, RAISED, RULED)
    assert (found.classified, found.asked, found.opened) == (True, 0, 1)
    by_table = _judged(Kind.STRING_BET, (RAISED[0], "camera/7/3"), RULED)
    assert (by_table.classified, by_table.asked, by_table.opened) == (False, 1, 0)


def test_a_fault_that_was_not_staged_counts_neither_way() -> None:
    found = _judged(Kind.MISSING_BURN, staged=False)
    assert (found.classified, found.missed) == (False, False)
    (row,) = rows_of([found], Least.load())
    assert (row.staged, row.unstaged) == (0, 1)


def test_stacks_that_are_not_the_tables_are_found() -> None:
    assert "stacks" in _judged(Kind.CLEAN, stacks={Seat(1): Chips(5_000), Seat(2): Chips(5_000)}).wrong


def test_chips_that_vanish_are_found() -> None:
    whole = [envelope for envelope, _ in _ledger(_hand())]
    short = [envelope for envelope, _ in _ledger(_hand(stacks=(5_100, 4_800)))]
    assert conserved(whole) == ""
    assert "10000 chips began" in conserved(short)


def test_cards_agree_up_to_those_marked_unknown() -> None:
    assert same_cards(("Ah", "??", "Kd"), ("Kd", "Ah", "2c"))
    assert not same_cards(("Ah", "Qs", "Kd"), ("Kd", "Ah", "2c"))
    assert not same_cards(("Ah", "Kd"), ("Kd", "Ah", "2c"))


def test_a_share_below_its_minimum_fails() -> None:
    least = Least.load()
    rows = rows_of([_judged(Kind.WRONG_KEY)], least)
    assert [line for line in failures(rows, least) if "classified" in line]


# ---------------------------------------------------------------------------- dealt through device bytes


def _every_kind() -> tuple[PlannedHand, ...]:
    kinds = [kind for kind in Kind for _ in range(FAULTS[kind].hands if kind is not Kind.CLEAN else 10)]
    return tuple(PlannedHand(no, kind, SEED * 1_000 + no) for no, kind in enumerate(kinds, 1))


@pytest.mark.slow("a hand with each of the 33 kinds of fault at a real table's node")
def test_every_kind_of_fault_at_one_table_and_every_hand_ends_as_it_was_played(tmp_path: Path) -> None:
    planned = PlannedTable(1, SEED, 9, _every_kind())
    Shift(planned, tmp_path / "table", Rates.load()).deal(tmp_path / "done.jsonl")
    from tests.faults.join import join

    verdicts = join(tmp_path / "table" / "table.ledger", tmp_path / "done.jsonl", BOOK)
    assert {verdict.kind for verdict in verdicts} == set(Kind)
    assert sum(verdict.staged for verdict in verdicts) >= len(verdicts) - 2
    assert [(v.no, v.kind, v.wrong) for v in verdicts if v.wrong] == []
    clean = [verdict for verdict in verdicts if verdict.kind is Kind.CLEAN]
    assert len(clean) == 10
    assert [(v.no, v.said) for v in clean if v.said or v.asked] == []
    rows = rows_of(verdicts, Least.load())
    assert sum(row.classified for row in rows) >= 0.9 * sum(row.staged for row in rows)


@pytest.mark.slow("the command deals eight hands, a process a table")
def test_the_command_draws_deals_and_joins_and_goes_on_where_it_stopped(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = tmp_path / "faults.json"
    asked = ["--hands", "8", "--seed", "5", "--report", str(report)]
    code = main(asked)
    first = msgspec.json.decode(report.read_bytes(), type=Report)
    assert code == (1 if first.failed else 0)
    assert (first.dealt, first.finished, len(first.verdicts)) == (8, True, len({v.no for v in first.verdicts}))
    assert "| fault | staged |" in capsys.readouterr().out
    main([*asked, "--resume"])
    assert msgspec.json.decode(report.read_bytes(), type=Report).verdicts == first.verdicts
    with pytest.raises(SystemExit) as other:
        main(["--hands", "9", "--seed", "5", "--report", str(report), "--resume"])
    assert other.value.code == 2
