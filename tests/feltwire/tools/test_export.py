"""`feltwire export`: finished hands out of a ledger, and nothing that was hidden."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from feltwire.cli import main
from feltwire.ledger.chain import chain
from feltwire.ledger.table_ledger import Ledger
from table_core.hand.hand import Hand
from table_core.histories.played import PlayedHand, from_events
from table_core.messages import (
    Acted,
    AnyEvent,
    CardDealt,
    Chips,
    HandEnded,
    Level,
    Noticed,
    ResumedPot,
    ResumedSeat,
    ResumeHand,
    Rewound,
    Seat,
    SeatsSet,
    SeatStack,
    Source,
    StartHand,
    Street,
)
from tests.feltwire.dealt import AT
from tests.table_core.histories.reading import parse_phh
from tests.table_core.histories.stars_tracker import Tracker
from tests.table_core.table import BASE, command, done

LEVEL = Level(3, Chips(10), Chips(20))
STACKS = tuple(SeatStack(Seat(seat), Chips(1000), name) for seat, name in ((2, "Ann"), (5, "Ben"), (9, "Cy")))
SHOWDOWN = ("9 call", "2 call", "5 check", "board 3h4h5s", "2 check", "5 check", "9 check", "board 9h")
RIVER = ("2 check", "5 check", "9 check", "board Td", "2 check", "5 check", "9 check", "2 table AhKh", "5 muck")


def played(hand: int, *lines: str) -> list[AnyEvent]:
    """A hand at seats 2, 5 and 9 with the button at 9, as the engine tells it."""
    table = Hand(BASE)
    events = [*done(table.push(StartHand(hand, Seat(9), Seat(2), Seat(5), LEVEL, STACKS)))]
    for line in lines:
        events += done(table.push(command(line)), line)
    return events


def write(path: Path, events: list[AnyEvent]) -> None:
    ledger = Ledger.open(path)
    ledger.commit(entries=chain(ledger.head, events, at=AT, venue="hall", table="07"))
    ledger.close()


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    """Three hands: one shown down with a card dealt, one folded, one that is not finished."""
    path = tmp_path / "table.ledger"
    shown = played(1, *SHOWDOWN, *RIVER, "9 table 2c2d", "award")
    shown.insert(3, CardDealt(1, "seat-2", "ab" * 32))
    events = [
        SeatsSet(STACKS, Seat(9), hand=1, level=LEVEL),
        *shown,
        *played(2, "9 fold", "2 fold"),
        *played(3, "9 raise 60"),
    ]
    write(path, events)
    return path


def export(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, str]:
    status = main(["export", *args])
    return status, capsys.readouterr().out


def test_a_hand_is_left_out_while_new_hand_behind_it_can_be_taken_back(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = [SeatsSet(STACKS, Seat(9), hand=1, level=LEVEL), *played(1, "9 fold", "2 fold"), *played(2)]
    write(tmp_path / "a.ledger", told)
    assert export(capsys, str(tmp_path / "a.ledger"), "--format", "phh") == (0, "")
    for name, stands in (("b", CardDealt(1, "seat-2", None)), ("c", played(2, "9 fold")[-1])):
        write(tmp_path / f"{name}.ledger", [*told, stands])
        assert "hand = 1" in export(capsys, str(tmp_path / f"{name}.ledger"), "--format", "phh")[1]


@pytest.mark.parametrize("more", [(), (2, "9 fold")])
def test_a_hand_before_button_is_told_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], more: tuple[int, str]
) -> None:
    told = [SeatsSet(STACKS, Seat(9), hand=1, level=LEVEL), *played(1, "9 fold", "2 fold")]
    told.append(SeatsSet(STACKS, Seat(2), source=Source.KEY))
    write(tmp_path / "a.ledger", [*told, *(played(*more) if more else ())])
    assert export(capsys, str(tmp_path / "a.ledger"), "--format", "phh")[1].count("hand = ") == 1


def test_a_hand_that_went_on_behind_new_hand_is_told_once_as_it_ended(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = played(1, "9 fold", "2 fold"), played(2)
    told = [SeatsSet(STACKS, Seat(9), hand=1, level=LEVEL), *first, *second]
    began = len(told) - len(second) + 1
    told.append(Rewound(began - 1, tuple(range(began, len(told) + 1)), "NEW HAND"))
    folded = next(at for at, event in enumerate(told, start=1) if isinstance(event, Acted) and event.seat == 2)
    told.append(Rewound(folded - 1, tuple(range(folded, began)), "fold"))
    told += [*played(1, "9 fold", "2 call")[len(played(1, "9 fold")) :], Noticed("x", "y")]
    write(tmp_path / "a.ledger", told)
    assert export(capsys, str(tmp_path / "a.ledger"), "--format", "phh") == (0, "")
    told += played(1, "9 fold", "2 call", "5 raise 60", "2 fold")[len(played(1, "9 fold", "2 call")) :]
    write(tmp_path / "b.ledger", [*told, *played(2, "9 fold")])
    text = export(capsys, str(tmp_path / "b.ledger"), "--format", "phh")[1]
    assert text.count("hand = ") == 1
    assert "cbr 60" in text


def test_finished_hands_come_out_as_phh_with_the_tables_own_seats(
    ledger: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, text = export(capsys, str(ledger), "--format", "phh", "--event", "Friday")
    first, second = parse_phh(text, "out.phhs")
    assert status == 0
    assert (first.hand, second.hand) == (1, 2)
    assert (first.where.seats, first.where.table, first.where.event) == ((2, 5, 9), "07", "Friday")
    assert first.finishing_stacks == (1040, 980, 980)
    assert second.finishing_stacks == (990, 1010, 1000)


def test_cards_that_were_not_shown_are_unknown(ledger: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, text = export(capsys, str(ledger), "--format", "phh")
    first, second = parse_phh(text, "out.phhs")
    assert first.hole_cards == {1: ("Ah", "Kh"), 2: ("??", "??"), 3: ("2c", "2d")}
    assert set(second.hole_cards.values()) == {("??", "??")}


def test_ohh_is_one_object_a_hand_with_a_blank_line_between(
    ledger: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "friday.ohh"
    status, text = export(capsys, str(ledger), "--format", "ohh", "--out", str(out))
    hands = [json.loads(part)["ohh"] for part in out.read_text().strip().split("\n\n")]
    assert (status, text) == (0, "")
    assert [hand["_feltwire"]["hand"] for hand in hands] == [1, 2]
    assert [player["seat"] for player in hands[0]["players"]] == [2, 5, 9]
    assert main(["replay", str(out)]) == 0


def test_trackers_take_the_pokerstars_text(ledger: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, text = export(capsys, str(ledger), "--format", "pokerstars")
    first, second = text.removesuffix("\n\n\n").split("\n\n\n")
    assert Tracker(f"{first}\n\n\n").read() == {2: 1040, 5: 980, 9: 980}
    assert Tracker(f"{second}\n\n\n").read() == {2: 990, 5: 1010, 9: 1000}


def test_what_was_rewound_is_not_in_the_history(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "table.ledger"
    wrong = played(1, "9 fold", "2 fold")
    before: list[AnyEvent] = [SeatsSet(STACKS, Seat(9), hand=1, level=LEVEL), *wrong]
    last_fold = max(number for number, event in enumerate(before, 1) if isinstance(event, Acted))
    cut = tuple(range(last_fold, len(before) + 1))
    right = played(1, "9 fold", "2 raise 60", "5 fold")
    again = right[next(n for n, event in enumerate(right) if isinstance(event, Acted)) + 1 :]
    assert isinstance(again[-1], HandEnded)
    write(path, [*before, Rewound(last_fold - 1, cut), *again])
    _, text = export(capsys, str(path), "--format", "phh")
    (hand,) = parse_phh(text, "out.phhs")
    assert [action.text for action in hand.actions[3:]] == ["p3 f", "p1 cbr 60", "p2 f"]
    assert hand.finishing_stacks == (1020, 980, 1000)


@pytest.mark.parametrize("seen", [(), ("9 raise 60", "2 call")], ids=["between hands", "within a hand"])
def test_a_hand_that_was_resumed_is_left_out_and_the_next_one_is_there(
    seen: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nobody knows how it began. It ends like any hand, and the hands around it are finished as ever."""
    path = tmp_path / "table.ledger"
    seats = tuple(ResumedSeat(Seat(seat), Chips(940), Chips(0), seat != 5) for seat in (2, 5, 9))
    pots = (ResumedPot(Chips(180), (Seat(2), Seat(9))),)
    gap = ResumeHand(2, Seat(9), Seat(2), Seat(5), LEVEL, Street.FLOP, ("3h", "4h", "5s"), seats, pots, Seat(2))
    table = Hand(BASE)
    hands = played(2, *seen) if seen else []
    for event in hands:
        table.apply(event)
    hands += done(table.push(gap))
    for line in ("2 bet 40", "9 fold"):
        hands += done(table.push(command(line)))
    before = SeatsSet(STACKS, Seat(9), hand=1, level=LEVEL)
    write(path, [before, *played(1, "9 fold", "2 fold"), *hands, *played(3, "9 fold", "2 fold")])
    assert main(["export", str(path), "--format", "phh"]) == 1
    out, err = capsys.readouterr()
    assert [hand.hand for hand in parse_phh(out, "out.phhs")] == [1, 3]
    assert "left out: table 07, hand 2" in err
    assert "2 hands written, 1 left out" in err


def test_wrong_calls_say_what_is_there(ledger: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", str(ledger), "--format", "phh", "--table", "08"]) == 2
    assert "no table '08'" in capsys.readouterr().err
    assert main(["export", str(tmp_path / "none"), "--format", "phh"]) == 2


@pytest.mark.plants_a_fault
def test_a_hand_at_which_a_writer_raises_is_left_out_and_the_others_are_written(
    ledger: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def raises(events: Iterable[AnyEvent], **options: Any) -> PlayedHand:
        told = from_events(events, **options)
        if told.recorded.hand == 1:
            raise IndexError("AhKd")
        return told

    monkeypatch.setattr("feltwire.tools.export.from_events", raises)
    out = tmp_path / "out.phhs"
    assert main(["export", str(ledger), "--format", "phh", "--out", str(out)]) == 1
    assert [hand.hand for hand in parse_phh(out.read_text(), "out")] == [2]
    said = capsys.readouterr().err
    assert "left out: table 07, hand 1: It cannot be shown (fault " in said
    assert "AhKd" not in said
