"""What the benchmark measures and how it reports it. No test asserts a speed."""

import json
import random
from itertools import islice

import pytest

from feltwire.cli import main
from feltwire.errors import UsageError
from feltwire.lab.bench import command as bench
from feltwire.lab.bench import hands as bench_hands
from feltwire.lab.bench import peers as bench_peers
from feltwire.lab.bench.work import HEADS_UP, WORK, Measurement, measure
from table_core.equity.exact import boards_by_winners
from table_core.messages import HandEnded

PEERS = {"texasholdem", "rlcard", "pokerkit", "phevaluator"}


@pytest.mark.parametrize("name", WORK)
def test_every_work_can_be_measured(name: str) -> None:
    peer = name.partition("/")[2]
    if peer in PEERS:
        pytest.importorskip(peer, exc_type=ImportError)
    measured = measure(name, 0.01)
    assert measured.value > 0
    assert measured.n > 0


def test_every_figure_and_every_peer_has_its_work() -> None:
    used = {work for figure in bench.FIGURES for work in (figure.name, *(peer.work for peer in figure.peers))}
    assert used == set(WORK)


def test_the_peers_loop_and_ours_count_the_same_boards() -> None:
    pytest.importorskip("phevaluator")
    _, won, lost, tied = boards_by_winners(HEADS_UP).tolist()
    assert bench_peers.phevaluator_heads_up(*HEADS_UP.hands) == (won, lost, tied)


@pytest.mark.parametrize("workload", [bench_hands.check_down, bench_hands.random_actions])
def test_our_hands_are_played_to_their_end(workload: object, monkeypatch: pytest.MonkeyPatch) -> None:
    logs: list[list[object]] = []
    monkeypatch.setattr(bench_hands, "new_log", lambda: logs.append([]) or logs[-1])
    list(islice(workload(), 25))  # type: ignore[operator]
    assert len(logs) == 25
    for log in logs:
        assert isinstance(log[-1], HandEnded)
        assert sum(share.amount for share in log[-1].stacks) == bench_hands.SEATS * bench_hands.STACK


def test_a_hand_that_is_weighed_was_checked_to_the_showdown() -> None:
    hand, log = bench_hands.played_hand(random.Random(1))
    assert len(hand.board) == 5
    assert len(hand.tabled) == bench_hands.SEATS
    assert len(log) > 30


def figure(promised: float) -> bench.Figure:
    return bench.Figure("ours", "a title", (bench.Peer("theirs", "theirs", promised),))


@pytest.mark.parametrize(("promised", "holds"), [(2.5, True), (2.6, False)])
def test_of_rates_more_is_better(promised: float, holds: bool) -> None:
    measured = {"ours": Measurement(250, "hands/s", 9), "theirs": Measurement(100, "hands/s", 4)}
    *_, ratio = bench.lines_of(figure(promised), measured)
    assert ratio.as_json() == {
        "name": "ours to theirs",
        "value": 2.5,
        "unit": "×",
        "n": 4,
        "promised": promised,
        "holds": holds,
    }


@pytest.mark.parametrize(("promised", "holds"), [(500, True), (501, False)])
def test_of_times_less_is_better(promised: float, holds: bool) -> None:
    measured = {"ours": Measurement(2, "ms", 9), "theirs": Measurement(1_000, "ms", 1)}
    *_, ratio = bench.lines_of(figure(promised), measured)
    assert (ratio.value, ratio.holds) == (500, holds)
    assert ratio.as_text().endswith(f"at least {promised} promised: {'kept' if holds else 'MISSED'}")


@pytest.mark.parametrize(("size", "holds"), [(4_096, True), (4_097, False)])
def test_a_limit_is_kept_up_to_itself(size: int, holds: bool) -> None:
    (line,) = bench.lines_of(bench.Figure("memory", "", limit=4_096), {"memory": Measurement(size, "bytes", 1)})
    assert line.holds is holds
    assert "at most 4,096 promised" in line.as_text()


def test_figures_are_chosen_by_name_or_by_group() -> None:
    assert [figure.name for figure in bench.chosen(["evaluate", "equity.flop"])] == [
        "evaluate.one",
        "evaluate.many",
        "equity.flop",
    ]
    assert bench.chosen([]) == bench.FIGURES
    with pytest.raises(UsageError, match="no figure is called 'equities'; one of hands"):
        bench.chosen(["equities"])


def test_the_command_prints_a_figure_a_line_measured_in_another_process(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["bench", "equity.flop", "--rounds", "1", "--seconds", "0.01", "--json"]) == 0
    line = json.loads(capsys.readouterr().out)
    assert set(line) == {"name", "value", "unit", "n"}
    assert (line["name"], line["unit"]) == ("equity.flop", "ms")


def test_a_promise_that_is_missed_is_exit_status_one(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bench, "FIGURES", (bench.Figure("equity.flop", "", limit=0),))
    assert main(["bench", "--rounds", "1", "--seconds", "0.01"]) == 1
    assert "MISSED" in capsys.readouterr().out


def test_called_wrongly_is_exit_status_two(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--rounds", "0"]) == 2
    assert "--rounds and --seconds must be more than 0" in capsys.readouterr().err
