"""The numbers by which other programs know exported hands and tournaments: each once, and the same every time."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from feltwire.cli import main
from feltwire.ledger.chain import LedgerHead, chain
from feltwire.ledger.room_ledger import CollectedLedger
from feltwire.ledger.signing import LedgerKey
from feltwire.ledger.table_ledger import Ledger
from table_core.histories.ohh_write import ohh_text
from table_core.histories.played import play
from table_core.histories.stars_write import stars_text
from table_core.messages import AnyEvent, At, EpochBegan, Millis, Noticed, Rewound, Seat, SeatsSet, SeatStack
from tests.feltwire.tools.test_export import LEVEL, STACKS, played
from tests.table_core.histories.reading import parse_ohh, parse_phh
from tests.table_core.table import BASE

HANDS: tuple[tuple[AnyEvent, ...], ...] = tuple(tuple(played(no, "9 fold", "2 fold")) for no in (1, 2, 3))


def write(
    path: Path,
    nights: Sequence[str] = ("",),
    *,
    machine: str = "0123456789abcdef",
    names: Sequence[str] = ("Ann", "Ben", "Cy"),
    table: str = "07",
    venue: str = "hall",
) -> Path:
    """A table's ledger with three hands of each of these tournaments (ids at the station; empty: no station)."""
    key = LedgerKey(machine.encode().ljust(32)[:32])
    stacks = tuple(SeatStack(one.seat, one.stack, name) for one, name in zip(STACKS, names, strict=True))
    at = At("b" * 16, Millis(5), "2026-11-21T19:00:00.000+00:00")
    head, entries = LedgerHead(), []
    begun: list[tuple[str, AnyEvent]] = [("config", EpochBegan(machine, key.public))]
    for station in nights:
        cause = f"command/{station}/seats-07-1" if station else "config"
        begun.append((cause, SeatsSet(stacks, Seat(9), hand=1, level=LEVEL)))
        begun += [("keypad/0/1", event) for hand in HANDS for event in hand]
    for cause, event in begun:
        entries += chain(head, [event], at=at, venue=venue, table=table, cause=cause, key=key)
        head = entries[-1].head
    ledger = Ledger.open(path)
    ledger.commit(entries=entries)
    ledger.close()
    return path


def exported(path: Path, capsys: pytest.CaptureFixture[str]) -> list[tuple[str, str]]:
    """(hand, tournament) of each hand in the three formats, which must agree."""
    found = []
    for form in ("ohh", "phh", "pokerstars"):
        assert main(["export", str(path), "--format", form, "--event", "Friday"]) == 0
        text = capsys.readouterr().out
        if form == "ohh":
            hands = [json.loads(part)["ohh"] for part in text.strip().split("\n\n")]
            found.append([(hand["game_number"], hand["tournament_info"]["tournament_number"]) for hand in hands])
        elif form == "phh":
            pairs = re.findall(r"_game_number = (\d+)\n_tournament_number = (\d+)", text)
            found.append([(hand, tournament) for hand, tournament in pairs])
        else:
            found.append(re.findall(r"PokerStars Hand #(\d+): Tournament #(\d+),", text))
    assert found[0] == found[1] == found[2]
    return found[0]


def test_no_hand_has_the_number_of_another_over_tables_rooms_and_nights(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every room has a table 07 whose hands are 1 to 3 each night, and calls its event the same."""
    rooms = {room: [f"{room}{night:07x}" for night in range(5)] for room in "abc"}
    found = []
    for room, nights in rooms.items():
        for table in range(4):
            path = write(tmp_path / f"{room}{table}.ledger", nights, machine=f"{room}{table}".ljust(16, "0"))
            found += exported(path, capsys)
    assert len(found) == 3 * 4 * 5 * 3
    assert len({hand for hand, _ in found}) == len(found)
    assert len({tournament for _, tournament in found}) == 3 * 5, "one for each room and night, at all its tables"
    assert all(10**14 <= int(hand) < 10**15 and 10**9 <= int(tournament) < 10**10 for hand, tournament in found)
    assert [hand for hand, _ in found[:15]] == sorted(hand for hand, _ in found[:15]), "in the order of play"


def test_numbers_are_the_same_with_every_export_from_the_table_and_from_the_station(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path / "table.ledger", ["00000001", "fedcba98"])
    ledger, station = Ledger.open(path, read_only=True), CollectedLedger.open(tmp_path / "station.ledger")
    station.accept_all([raw for _, _, raw in ledger.raw_events()])
    station.close()
    first = exported(path, capsys)
    assert exported(path, capsys) == exported(tmp_path / "station.ledger", capsys) == first
    assert [tournament for _, tournament in first] == ["1000000001"] * 3 + [str(10**9 + 0xFEDCBA98)] * 3


def test_numbers_outlast_a_change_of_format(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, found = write(tmp_path / "a.ledger", ["0000000a"]), []
    for form, parse in (("ohh", parse_ohh), ("phh", parse_phh)):
        assert main(["export", str(path), "--format", form]) == 0
        text = capsys.readouterr().out
        hands = [play(hand, BASE) for hand in parse(text, f"out.{form}")]
        assert [hand.recorded.hand for hand in hands] == [1, 2, 3]
        found.append((ohh_text(hands), stars_text(hands)))
        if form == "ohh":
            assert ohh_text(hands) == text
    assert found[0] == found[1]


def test_numbers_follow_from_no_name_of_a_person_a_room_or_an_event(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    named = write(tmp_path / "a.ledger", ["0000000a"])
    others = write(tmp_path / "b.ledger", ["0000000a"], names=("Zoe", "Yan", "Xu"))
    assert exported(named, capsys) == exported(others, capsys)


def test_a_table_that_never_heard_a_station_is_a_tournament_of_its_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one = exported(write(tmp_path / "a.ledger"), capsys)
    other = exported(write(tmp_path / "b.ledger", machine="f" * 16), capsys)
    assert len({tournament for _, tournament in one}) == 1
    assert {tournament for _, tournament in one}.isdisjoint({tournament for _, tournament in other})
    assert all(int(tournament) >= 6 * 10**9 for _, tournament in one + other), "no station has such a number"


def test_a_correction_leaves_the_number_of_its_hand_and_of_those_behind_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path / "a.ledger", ["0000000a"])
    before = exported(path, capsys)
    ledger = Ledger.open(path)
    at = At("b" * 16, Millis(9), "2026-11-21T21:00:00.000+00:00")
    fold = ledger.head.seq - next(n for n, one in enumerate(reversed(HANDS[2])) if type(one).__name__ == "Acted")
    cut = tuple(range(fold, ledger.head.seq + 1))
    again = played(3, "9 fold", "2 raise 60", "5 fold")
    first = next(n for n, one in enumerate(again) if type(one).__name__ == "Acted") + 1
    events: list[AnyEvent] = [Rewound(fold - 1, cut), *again[first:], Noticed("note", "n")]
    ledger.commit(entries=chain(ledger.head, events, at=at, venue="hall", table="07", key=ledger.key))
    ledger.close()
    assert exported(path, capsys) == before


def test_tables_whose_names_differ_in_signs_alone_stay_apart_in_pokerstars_text(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    called = set()
    for no, table in enumerate(("7-A", "7 A", "7A", "Ü", "é")):
        path = write(tmp_path / f"{no}.ledger", ["0000000a"], table=table)
        assert main(["export", str(path), "--format", "pokerstars"]) == 0
        called |= set(re.findall(r"^Table '(\d+ \w+)' ", capsys.readouterr().out, re.M))
    assert len(called) == 5
