"""What the station signs at the end of each hand, and what is noticed with it, kept elsewhere than the ledgers,
and with the station's public key alone."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import pytest

from feltwire.cli import main
from feltwire.ledger.chain import LedgerHead, chain, hash_of
from feltwire.ledger.room_ledger import CollectedLedger
from feltwire.ledger.signing import LedgerKey
from feltwire.ledger.table_ledger import Ledger
from feltwire.ledger.tournament_ledger import TournamentLedger
from feltwire.tools.verify import events as verify_events
from table_core.hand.hand import Hand
from table_core.messages import (
    Act,
    Action,
    AnyEvent,
    Chips,
    EpochBegan,
    FloorCalled,
    HandEnded,
    Refusal,
    Seat,
    SeatsSet,
    SeatStack,
    Source,
    StartHand,
)
from table_core.rulebook import load_rulebook
from table_core.tournament.night import Recorded
from tests.feltwire.dealt import AT, LEVEL, SEATS
from tests.table_core.tournament.simulated import Simulated

TABLE_KEY = LedgerKey(b"1" * 32)
EVENT = "0a1b2c3d"  # a tournament's id
Output = pytest.CaptureFixture[str]


def hands(count: int, name: str = "player") -> list[AnyEvent]:
    """So many hands that everybody folds to the big blind; `name` begins the names of the players."""
    stacks = tuple(SeatStack(seat, Chips(100), f"{name} {seat}") for seat in SEATS)
    events: list[AnyEvent] = [SeatsSet(stacks, Seat(3), hand=1, level=LEVEL)]
    for number in range(1, count + 1):
        hand = Hand(load_rulebook("base"))
        for command in (
            StartHand(number, Seat(3), Seat(1), Seat(2), LEVEL, stacks, Source.KEY),
            Act(Seat(3), Action.FOLD),
            Act(Seat(1), Action.FOLD),
        ):
            answer = hand.push(command)
            assert not isinstance(answer, Refusal)
            events.extend(answer)
        ended = events[-1]
        assert isinstance(ended, HandEnded)
        stacks = tuple(SeatStack(one.seat, one.amount, f"{name} {one.seat}") for one in ended.stacks)
    return events


def told(events: Sequence[AnyEvent], table: str = "01") -> list[bytes]:
    """What the table sends of them, signed."""
    began = EpochBegan("1234", TABLE_KEY.public)
    entries = chain(LedgerHead(), [began, *events], at=AT, venue="hall", table=table, key=TABLE_KEY)
    return [entry.raw for entry in entries]


def ends(events: Sequence[AnyEvent]) -> list[int]:
    """The numbers of the events that end a hand, in the table's ledger."""
    return [seq for seq, event in enumerate(events, start=2) if isinstance(event, HandEnded)]


def verify(capsys: Output, *arguments: object) -> tuple[int, list[dict[str, object]]]:
    status = main(["verify", "--json", *map(str, arguments)])
    return status, [json.loads(line) for line in capsys.readouterr().out.splitlines()]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "station.ledger"


@pytest.fixture
def station(path: Path) -> Iterator[CollectedLedger]:
    """A station that has three hands of a table, and something that came after them."""
    with closing(CollectedLedger.open(path)) as ledger:
        ledger.accept_all(told([*hands(3), FloorCalled()]))
        yield ledger


@pytest.fixture
def kept(station: CollectedLedger, tmp_path: Path) -> Path:
    """The checkpoints, kept elsewhere as lines."""
    file = tmp_path / "elsewhere.jsonl"
    file.write_bytes(b"".join(line + b"\n" for line in station.checkpoints()))
    return file


def table_of(raws: Sequence[bytes], path: Path) -> Path:
    """A table's own ledger that holds these events."""
    with closing(Ledger.open(path)) as ledger, ledger._store.transaction() as run:
        for seq, raw in enumerate(raws, start=1):
            run.execute("INSERT INTO events VALUES (1, ?, ?, ?)", (seq, raw, hash_of(raw)))
    return path


# ------------------------------------------------------------------------------------ what is signed


def test_each_hands_end_is_signed_and_holds_with_the_public_key_alone(
    station: CollectedLedger, path: Path, capsys: Output
) -> None:
    status, (found,) = verify(capsys, path, "--public", station.public)
    assert (status, found["hands"], found["checkpoints"]) == (0, 3, 3)
    last = ends(hands(3))[-1]
    assert found["unchecked"] == [f"what follows 1/{last}, the last that the station signed"]


def test_without_the_public_key_it_is_said_that_anybody_could_have_signed(
    station: CollectedLedger, path: Path, capsys: Output
) -> None:
    status, (found,) = verify(capsys, path)
    assert status == 0
    assert "whether the checkpoints are signed with the station's key (--public)" in str(found["unchecked"])


def test_a_hand_whose_end_was_taken_back_and_came_again_is_signed_twice(tmp_path: Path) -> None:
    with closing(CollectedLedger.open(tmp_path / "station.ledger")) as ledger:
        ledger.accept_all(told([*hands(1), hands(1)[-1]]))
        assert len(ledger.checkpoints()) == 2


def test_checkpoints_go_on_after_a_restart_and_count_over_all_tables(path: Path, capsys: Output) -> None:
    for table in ("01", "02", "03"):
        with closing(CollectedLedger.open(path)) as ledger:
            ledger.accept_all(told(hands(2), table))
            public = ledger.public
    status, found = verify(capsys, path, "--public", public)
    assert (status, [one["checkpoints"] for one in found]) == (0, [2, 2, 2])


def test_nothing_is_signed_that_the_disk_refused(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    raws = told(hands(2))
    with closing(CollectedLedger.open(path)) as ledger:
        ledger.accept_all(raws[: ends(hands(2))[0]])
        ledger._store.connection.execute("PRAGMA max_page_count=1")
        before = ledger.checkpoints()
        with pytest.raises(Exception, match="the disk is full"):
            ledger.accept_all([*raws, *told([*hands(2), *[FloorCalled()] * 200], "02")])
        assert ledger.checkpoints() == before
        ledger._store.connection.execute("PRAGMA max_page_count=100000")
        ledger.accept_all(raws)
    assert main(["verify", str(path), "--public", ledger.public]) == 0


# ---------------------------------------------------------------------------------- what is noticed


def test_a_ledger_that_was_cut_short_is_noticed(
    station: CollectedLedger, kept: Path, tmp_path: Path, capsys: Output
) -> None:
    shorter = table_of(told(hands(2)), tmp_path / "table.ledger")
    assert verify(capsys, shorter)[0] == 0, "by itself it holds"
    status, (found,) = verify(capsys, shorter, "--checkpoints", kept, "--public", station.public)
    assert (status, found["first_bad"]) == (1, f"1/{ends(hands(3))[-1]}")
    assert "checkpoint 3 states the end of hand 3 there" in str(found["why"])


def test_a_history_that_the_table_itself_wrote_anew_is_noticed(
    station: CollectedLedger, kept: Path, tmp_path: Path, capsys: Output
) -> None:
    other = table_of(told(hands(3, "somebody")), tmp_path / "table.ledger")
    assert verify(capsys, other, "--public", TABLE_KEY.public)[0] == 0, "by itself it holds, signatures too"
    status, (found,) = verify(capsys, other, "--checkpoints", kept, "--public", station.public)
    assert (status, found["first_bad"]) == (1, f"1/{ends(hands(3))[0]}")


def test_a_station_that_lost_a_table_is_noticed(
    station: CollectedLedger, path: Path, kept: Path, capsys: Output
) -> None:
    with station._store.transaction() as run:
        run.execute("DELETE FROM events")
    status, (found,) = verify(capsys, path, "--checkpoints", kept, "--public", station.public)
    assert (status, found["table"], found["first_bad"]) == (1, "01", "1/1")


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ("DELETE FROM checkpoints WHERE no = 2", "checkpoint 3: does not follow 1"),
        (
            "UPDATE checkpoints SET bytes = CAST(replace(bytes, '\"hand\":2', '\"hand\":9') AS BLOB)",
            "is not signed",
        ),
        ("UPDATE checkpoints SET bytes = x'7b7d' WHERE no = 1", "checkpoint 1: cannot be read"),
    ],
)
def test_a_checkpoint_that_was_removed_or_changed_is_noticed(
    station: CollectedLedger, path: Path, capsys: Output, change: str, why: str
) -> None:
    with station._store.transaction() as run:
        run.execute(change)
    status, (found,) = verify(capsys, path, "--public", station.public)
    assert (status, found["first_bad"]) == (1, "checkpoints")
    assert why in str(found["why"])


def test_checkpoints_of_somebody_elses_key_do_not_hold(
    station: CollectedLedger, path: Path, capsys: Output
) -> None:
    status, (found,) = verify(capsys, path, "--public", TABLE_KEY.public)
    assert status == 1
    assert "which is not the station's" in str(found["why"])
    both = ("--public", TABLE_KEY.public, "--public", station.public)
    assert verify(capsys, path, *both)[0] == 0


def test_a_tables_own_ledger_is_held_against_the_tables_own_key(tmp_path: Path, capsys: Output) -> None:
    ledger = table_of(told(hands(1)), tmp_path / "table.ledger")
    status, (found,) = verify(capsys, ledger, "--public", TABLE_KEY.public.upper())
    assert (status, found["unchecked"]) == (0, [])
    assert verify(capsys, ledger, "--public", "ab" * 32)[1][0]["first_bad"] == "1/1"


def test_until_leaves_out_what_was_signed_later(station: CollectedLedger, path: Path, capsys: Output) -> None:
    status, (found,) = verify(capsys, path, "--public", station.public, "--until", ends(hands(3))[1])
    assert (status, found["checkpoints"], found["unchecked"]) == (0, 2, [])


@pytest.mark.parametrize("arguments", [["--public", "12"], ["--quick"]])
def test_called_wrongly_it_says_what_to_do(path: Path, station: CollectedLedger, arguments: list[str]) -> None:
    assert main(["verify", str(path), *arguments]) == 2


def test_quickly_a_signature_is_checked_for_each_hand_and_not_for_each_event(
    station: CollectedLedger, path: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    checked: list[bytes] = []
    real = verify_events.signed_by
    monkeypatch.setattr(
        verify_events, "signed_by", lambda raw, kind, key: checked.append(raw) or real(raw, kind, key)
    )
    whole = verify(capsys, path, "--public", station.public)
    assert len(checked) == len(told(hands(3))) + 1
    checked.clear()
    assert verify(capsys, path, "--public", station.public, "--quick") == whole
    assert len(checked) == 1, "the event that no checkpoint covers"


# ------------------------------------------------------------------------------ the tournament's records


@pytest.fixture(scope="module")
def night() -> list[Recorded]:
    """The first records of a tournament."""
    played = Simulated("rpl", 9, seed=5)
    played.play()
    return played.night.records[:12]


def store(path: Path, records: Sequence[Recorded], signing: CollectedLedger | None = None) -> Path:
    """A `tournament.ledger` with these records; `signing` signs behind each."""
    with closing(TournamentLedger.open(path)) as ledger:
        for record in records:
            ledger.append([record])
            if signing is not None:
                signing.sign_records("hall", EVENT, ledger.head)
    return path


def test_records_hold_and_a_cut_or_rewritten_tournament_is_noticed(
    station: CollectedLedger, tmp_path: Path, night: list[Recorded], capsys: Output
) -> None:
    whole = store(tmp_path / "tournament.ledger", night, station)
    elsewhere = tmp_path / "elsewhere.jsonl"
    elsewhere.write_bytes(b"\n".join(station.checkpoints()))
    proof = ("--checkpoints", elsewhere, "--public", station.public)
    status, (found,) = verify(capsys, whole, *proof)
    assert (status, found["events"], found["checkpoints"], found["unchecked"]) == (0, 12, 12, [])

    cut = store(tmp_path / "cut.ledger", night[:9])
    status, (found,) = verify(capsys, cut, *proof)
    assert (status, found["first_bad"]) == (1, "record 10")
    nine = night[8]
    other = Recorded(nine.no, nine.at, nine.command, "somebody", nine.event)
    anew = store(tmp_path / "anew.ledger", [*night[:8], other, *night[9:]])
    status, (found,) = verify(capsys, anew, *proof)
    assert (status, found["first_bad"]) == (1, "record 9")
    assert verify(capsys, cut)[0] == verify(capsys, anew)[0] == 0, "by themselves they hold"


def test_each_event_is_held_against_its_own_checkpoints(
    station: CollectedLedger, path: Path, tmp_path: Path, night: list[Recorded], capsys: Output
) -> None:
    proof = ("--checkpoints", path, "--public", station.public)
    now = store(tmp_path / "tournament.ledger", night, station)
    with closing(TournamentLedger.open(now)) as closed:
        closed.move(tmp_path / f"tournament-2026-11-19-{EVENT}.ledger")
    station.sign_records("hall", "99999999", LedgerHead())
    empty = store(now, [])
    status, (found,) = verify(capsys, tmp_path / f"tournament-2026-11-19-{EVENT}.ledger", *proof)
    assert (status, found["checkpoints"], found["unchecked"]) == (0, 12, [])
    assert verify(capsys, empty, *proof)[0] == 0, "the next event has no record yet"
    with closing(TournamentLedger.open(now)) as ledger:
        ledger.append(night[:5])
        station.sign_records("hall", "99999999", ledger.head)
    assert verify(capsys, now, *proof)[0] == 0
    now.unlink()
    assert verify(capsys, store(now, []), *proof)[1][0]["first_bad"] == "record 5"


def test_a_record_that_was_changed_does_not_hold(tmp_path: Path, night: list[Recorded], capsys: Output) -> None:
    path = store(tmp_path / "tournament.ledger", night)
    with closing(sqlite3.connect(path)) as raw, raw:
        raw.execute("UPDATE records SET bytes = CAST(replace(bytes, 'p1', 'p9') AS BLOB) WHERE no = 3")
    status, (found,) = verify(capsys, path)
    assert status == 1
    assert "record 4 does not continue the one before" in str(found["why"])
