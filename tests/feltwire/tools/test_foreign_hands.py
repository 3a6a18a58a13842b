"""Hands of other programs at `feltwire replay`: in every form, with what is wrong in one of them."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from feltwire.cli import main
from feltwire.tools import hand_files
from tests.foreign.files import hand_files as whole
from tests.foreign.spoilt import Case, campaign
from tests.table_core.histories.test_phh import HAND

FILES = {file.suffix: file for file in whole()}
Output = pytest.CaptureFixture[str]

# A cash game of three, in dollars.
PLAYERS = [{"id": no, "seat": seat, "name": f"n{no}", "starting_stack": 20.0} for no, seat in enumerate((2, 6, 9))]
BLINDS: list[tuple[Any, ...]] = [(1, "Post SB", 0.1), (2, "Post BB", 0.2)]


def ohh(*actions: tuple[Any, ...], wins: dict[int, float], rake: float = 0, **head: Any) -> dict[str, Any]:
    """`actions`: player, word, amount, cards; `("Flop", cards)` begins a street."""
    rounds: list[dict[str, Any]] = [{"id": 0, "street": "Preflop", "cards": [], "actions": []}]
    for action in actions:
        if isinstance(action[0], str):
            rounds.append({"id": len(rounds), "street": action[0], "cards": action[1:], "actions": []})
            continue
        player, word, amount, *cards = action
        entry = {"action_number": 0, "player_id": player, "action": word, "amount": amount, "cards": cards}
        rounds[-1]["actions"].append(entry)
    pot = {
        "number": 0,
        "amount": sum(wins.values()) + rake,
        "rake": rake,
        "player_wins": [{"player_id": player, "win_amount": amount} for player, amount in wins.items()],
    }
    hand = {"spec_version": "1.2.2", "game_number": "1652228861371", "table_name": "t", "game_type": "Holdem"}
    limits = {"bet_limit": {"bet_type": "NL"}, "table_size": 10, "dealer_seat": 2}
    blinds = {"small_blind_amount": 0.1, "big_blind_amount": 0.2}
    return {"ohh": hand | limits | blinds | {"players": PLAYERS, "rounds": rounds, "pots": [pot]} | head}


FOLDED = [(0, "Fold", 0), (1, "Fold", 0)]


def replay(capsys: Output, *args: str) -> tuple[int, list[dict[str, Any]], dict[str, Any]]:
    """Exit status, the hands, the sums."""
    status = main(["replay", "--json", *args])
    *hands, summary = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    return status, hands, summary


def one(tmp_path: Path, capsys: Output, hand: dict[str, Any], *args: str) -> dict[str, Any]:
    path = tmp_path / "one.ohh"
    path.write_text(json.dumps(hand))
    _, (outcome,), _ = replay(capsys, str(path), *args)
    return outcome


@pytest.mark.parametrize("suffix", sorted(FILES))
def test_every_form_is_read_in_a_folder_whatever_the_case_of_its_name(
    suffix: str, tmp_path: Path, capsys: Output
) -> None:
    file = FILES[suffix]
    (tmp_path / f"day{suffix.upper()}").write_bytes(file.join(file.hands))
    (tmp_path / "package.json").write_text('{"name": "no hands"}')
    (tmp_path / "readme.txt").write_text("no hands")
    status, hands, summary = replay(capsys, str(tmp_path))
    assert (status, summary["equal"], len(hands)) == (0, len(file.hands), len(file.hands))


def test_an_archive_is_read_where_it_lies(tmp_path: Path, capsys: Output) -> None:
    path = tmp_path / "days.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for suffix, file in FILES.items():
            archive.writestr(f"one/day{suffix}", file.join(file.hands))
        archive.writestr("readme.txt", "no hands")
    status, hands, summary = replay(capsys, str(path))
    assert (status, summary["equal"]) == (0, sum(len(file.hands) for file in FILES.values()))
    assert hands[0]["hand"].startswith(f"{path}/one/day.json#1")


def test_an_archive_that_unpacks_to_too_much_is_refused(
    tmp_path: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "days.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("bomb.phh", b"\n" * 1_000_000)
        archive.writestr("good.phh", HAND)
        archive.writestr("/".join(["x"] * 30) + ".phh", HAND)
    _, _, summary = replay(capsys, str(path))
    assert (summary["equal"], summary["refused"]) == (1, 2)
    assert summary["reasons"] == {"an archive that is too large": 1, "an archive's name": 1}
    monkeypatch.setattr(hand_files, "MOST_ENTRIES", 2)
    _, _, summary = replay(capsys, str(path))
    assert (summary["hands"], summary["refused"]) == (1, 1)


def test_a_hand_of_another_game_does_not_take_its_file_with_it(tmp_path: Path, capsys: Output) -> None:
    file = FILES[".ohh"]
    omaha = file.hands[1].replace(b'"Holdem"', b'"Omaha"')
    path = tmp_path / "mixed.ohh"
    path.write_bytes(file.join((file.hands[0], omaha, file.hands[2])))
    status, hands, summary = replay(capsys, str(path))
    assert (status, [hand["equal"] for hand in hands]) == (1, [True, False, True])
    assert hands[1]["refused"].startswith(f"{path}#2:3: ohh.game_type: Omaha NL; expected Holdem")
    assert summary["reasons"] == {"another game: Omaha NL": 1}


def test_what_a_folded_hand_shows_is_a_note(tmp_path: Path, capsys: Output) -> None:
    shown = [(0, "Raise", 0.6), *FOLDED[1:], (2, "Fold", 0), ("Showdown",), (2, "Shows Cards", 0, "Ks", "Kd")]
    outcome = one(tmp_path, capsys, ohh(*BLINDS, *shown, wins={0: 0.5}))
    assert outcome["equal"]
    assert outcome["notes"] == ["a hand shown or mucked without effect"]


def test_who_loses_without_showing_and_who_shows_twice(tmp_path: Path, capsys: Output) -> None:
    """The short stack wins the main pot, the side pot goes to the other who shows."""
    players = [PLAYERS[0] | {"starting_stack": 5.0}, *PLAYERS[1:]]
    acts = [(0, "Raise", 5.0), (1, "Call", 4.9), (2, "Call", 4.8), ("Flop", "2c", "3c", "4s"), (1, "Bet", 3.0)]
    acts += [(2, "Call", 3.0), ("Showdown",), (0, "Shows Cards", 0, "Ah", "Ad"), ("Turn", "9d")]
    acts += [(1, "Check", 0), (2, "Check", 0), ("River", "Jd"), (1, "Check", 0), (2, "Check", 0), ("Showdown",)]
    acts += [(1, "Shows Cards", 0, "Kh", "Kd"), (0, "Shows Cards", 0, "Ah", "Ad")]
    outcome = one(tmp_path, capsys, ohh(*BLINDS, *acts, wins={1: 6.0, 0: 15.0}, players=players))
    assert outcome["equal"], outcome


def test_decimals_are_chips_of_a_hundredth_or_of_the_unit_that_is_stated(tmp_path: Path, capsys: Output) -> None:
    hand = ohh(*BLINDS, *FOLDED, wins={2: 0.2})
    outcome = one(tmp_path, capsys, hand)
    assert (outcome["equal"], outcome["finishing_stacks"], outcome["unit"]) == (True, [1990, 2010, 2000], "0.01")
    outcome = one(tmp_path, capsys, hand, "--unit", "0.05")
    assert (outcome["equal"], outcome["finishing_stacks"], outcome["unit"]) == (True, [398, 402, 400], "0.05")
    outcome = one(tmp_path, capsys, hand, "--unit", "0.15")
    assert outcome["refused"].endswith("20.0; expected a whole number of chips of 0.15")
    assert main(["replay", str(tmp_path / "one.ohh"), "--unit", "nothing"]) == 2


def test_rake_is_off_the_stacks_as_the_file_states_it(tmp_path: Path, capsys: Output) -> None:
    acts = [(0, "Raise", 0.6), *FOLDED[1:], (2, "Call", 0.4), ("Flop", "2c", "3c", "4s"), (2, "Check", 0)]
    acts += [(0, "Bet", 1.0), (2, "Fold", 0)]
    outcome = one(tmp_path, capsys, ohh(*BLINDS, *acts, wins={0: 1.25}, rake=0.05))
    assert (outcome["equal"], outcome["notes"]) == (True, ["rake"])
    outcome = one(tmp_path, capsys, ohh(*BLINDS, *acts, wins={0: 1.25}, rake=0.02))
    assert (outcome["equal"], outcome["refused"]) == (False, None)


WINNINGS = HAND.replace("finishing_stacks = [1850, 850, 0]", "winnings = [1650, 0, 0]")


def test_winnings_are_compared_and_what_they_lack_is_rake(tmp_path: Path, capsys: Output) -> None:
    (tmp_path / "1.phh").write_text(WINNINGS)
    (tmp_path / "2.phh").write_text(WINNINGS.replace("1650", "1640.50"))
    (tmp_path / "3.phh").write_text(WINNINGS.replace("1650", "900"))
    (tmp_path / "4.phh").write_text(WINNINGS.replace("winnings = [1650, 0, 0]", ""))
    status, hands, summary = replay(capsys, str(tmp_path))
    assert [hand["equal"] for hand in hands] == [True, True, False, False]
    assert hands[1]["notes"] == ["rake that the file does not state: what its winnings lack"]
    assert (status, summary["different"], summary["refused"], summary["unrecorded"]) == (1, 1, 0, 1)


ALL_IN = """\
variant = 'NT'
antes = [0, 0, 0]
blinds_or_straddles = [0.25, 0.50, 0]
min_bet = 0.50
starting_stacks = [13.50, 20, 20]
actions = ['p3 cbr 4.00', 'p1 cbr 13.50', 'p2 cc', 'p3 cc', 'p1 sm ????', 'd db 2d3d2s', 'p2 cc', 'p3 cc',
  'd db 4s', 'p2 cbr 6.50', 'p3 cc', 'p1 sm ????', 'p2 sm ????', 'p3 sm ????', 'd db Ah', RESULT]
winnings = [0, 0, 0]
"""


def test_unknown_cards_that_are_shown_while_the_board_is_dealt_are_no_muck(tmp_path: Path, capsys: Output) -> None:
    """As converters write what they do not know; nor are winnings of nothing a result."""
    known, won = "'p3 sm KsKd', 'p2 sm AsAc', 'p1 sm ????'", "winnings = [0, 53.50, 0]"
    text = ALL_IN.replace("RESULT", known)
    (tmp_path / "1.phh").write_text(text)
    (tmp_path / "2.phh").write_text(text.replace("winnings = [0, 0, 0]", won))
    (tmp_path / "3.phh").write_text(ALL_IN.replace("RESULT", "").replace("winnings = [0, 0, 0]", won))
    _, hands, summary = replay(capsys, str(tmp_path))
    assert [hand["finishing_stacks"] for hand in hands] == [[0, 5350, 0]] * 3
    assert (summary["unrecorded"], summary["equal"]) == (1, 2)


@pytest.mark.parametrize(
    ("actions", "kind"),
    [
        ([*BLINDS, (0, "Straddle", 0.4), *FOLDED], "a straddle"),
        ([*((no, "Post Ante", 0.2) for no in (1, 2, 0)), ("Flop", "2c", "3c", "4s"), *FOLDED], "a bomb pot"),
        ([*BLINDS, (0, "Post Extra Blind", 0.3), *FOLDED], "a dead blind"),
        ([*BLINDS, (0, "Post Ante", 0.1), *FOLDED], "antes of some players"),
        ([*BLINDS, ("Flop", "2c", "3c", "4s"), ("Flop", "2d", "3d", "4d")], "run it twice"),
    ],
)
def test_what_no_rulebook_here_deals_is_named(
    actions: list[tuple[Any, ...]], kind: str, tmp_path: Path, capsys: Output
) -> None:
    path = tmp_path / "one.ohh"
    path.write_text(json.dumps(ohh(*actions, wins={2: 0.2})))
    _, (outcome,), summary = replay(capsys, str(path))
    assert outcome["refused"].startswith(f"{path}:1: ohh.rounds")
    assert summary["reasons"] == {kind: 1}


def test_blinds_that_were_missed_are_posted_live_or_dead(tmp_path: Path, capsys: Output) -> None:
    late = [*BLINDS, (0, "Post Dead", 0.1), (0, "Post Extra Blind", 0.2), (0, "Check", 0), (1, "Fold", 0)]
    acts = [(2, "Check", 0), ("Flop", "2c", "3c", "4s"), (2, "Bet", 0.2), (0, "Fold", 0)]
    assert one(tmp_path, capsys, ohh(*late, *acts, wins={2: 0.6}))["equal"]
    dead = [*BLINDS, (0, "Post Dead", 0.1), *FOLDED]
    assert one(tmp_path, capsys, ohh(*dead, wins={2: 0.3}))["equal"]


def test_blinds_are_as_posted_where_the_head_has_others(tmp_path: Path, capsys: Output) -> None:
    hand = ohh(*BLINDS, *FOLDED, wins={2: 0.2}, small_blind_amount=5, big_blind_amount=10)
    outcome = one(tmp_path, capsys, hand)
    assert (outcome["equal"], len(outcome["notes"])) == (True, 1)


def test_the_small_blind_is_dead_where_nobody_posts_it(tmp_path: Path, capsys: Output) -> None:
    acts = [(0, "Call", 0.2), (1, "Fold", 0), (2, "Check", 0), ("Flop", "2c", "3c", "4s"), (2, "Bet", 0.2)]
    assert one(tmp_path, capsys, ohh(BLINDS[1], *acts, (0, "Fold", 0), wins={2: 0.4}))["equal"]


def test_what_is_too_long_for_a_hand_is_refused_before_it_is_read(tmp_path: Path, capsys: Output) -> None:
    """Patterns and comparisons that take the square of their text ended no more."""
    stars, phh = FILES[".txt"].hands[0], FILES[".phhs"].hands[0]
    cases = {
        "1.txt": (
            stars.replace(b"*** FLOP *** [", b"*** FLOP *** " + b"[" * 100_000),
            "a line of more than 1,000",
        ),
        "2.txt": (
            stars.replace(
                b"Seat 1:", b"".join(b"Seat 1: a%d (1 in chips)\n" % no for no in range(40)) + b"Seat 1:"
            ),
            "more than 30 players",
        ),
        "3.phh": (
            phh.replace(b"starting_stacks = [", b"starting_stacks = [" + b"1, " * 40),
            "43 stacks; expected 2 to",
        ),
        "4.ohh": (json.dumps(ohh(wins={}, players=PLAYERS * 20)).encode(), "60 players; expected 2 to 30"),
        "5.ohh": (b'{"ohh": ' + b"[" * 600_000, "a hand of more than 500,000 bytes"),
    }
    for name, (raw, _) in cases.items():
        (tmp_path / name).write_bytes(raw)
    _, hands, _ = replay(capsys, str(tmp_path))
    found = {Path(hand["hand"]).name: hand["refused"] for hand in hands}
    assert {name: words in (found[name] or "") for name, (_, words) in cases.items()} == dict.fromkeys(cases, True)


def test_thousands_of_idle_shows_are_one_note(tmp_path: Path, capsys: Output) -> None:
    (tmp_path / "1.phh").write_text(HAND.replace("'p3 sm 2c2d'", "'p2 sm', " * 20_000 + "'p3 sm 2c2d'"))
    _, (hand,), _ = replay(capsys, str(tmp_path))
    assert (hand["equal"], len(hand["notes"])) == (True, 1)


def test_many_hands_are_shared_out_and_come_in_their_order(
    tmp_path: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("feltwire.tools.replay._FEW", 5)
    monkeypatch.setattr("feltwire.tools.replay._BATCH", 5)
    file = FILES[".jsonl"]
    path = tmp_path / "many.jsonl"
    path.write_bytes(file.join(file.hands * 10))
    status, hands, summary = replay(capsys, str(path))
    assert (status, summary["equal"]) == (0, 10 * len(file.hands))
    assert [hand["hand"] for hand in hands] == [f"{path}#{no}" for no in range(1, len(hands) + 1)]


def test_spoilt_files_end_in_words_and_take_no_other_hand_with_them(tmp_path: Path) -> None:
    """A share of `python -m tests.foreign`."""
    wrong: list[tuple[int, Case]] = []
    campaign(range(250), 35, tmp_path, lambda number, found: wrong.append((number, found)))
    assert not wrong


def test_a_file_is_of_the_form_in_which_its_first_hand_begins(tmp_path: Path, capsys: Output) -> None:
    """The head line of another form in the middle spoils one hand."""
    file = FILES[".json"]
    path = tmp_path / "day.json"
    path.write_bytes(file.join((file.hands[0], b"PokerStars Hand #1: " + file.hands[1], file.hands[2])))
    _, _, summary = replay(capsys, str(path))
    assert (summary["equal"], summary["refused"]) == (2, 1)
