"""`feltwire verify`: what holds, and where it stops holding."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from feltwire.cli import main
from feltwire.ledger.chain import ChainEntry, LedgerHead, chain, hash_of
from feltwire.ledger.releases import ReleasesLog
from feltwire.ledger.room_ledger import CollectedLedger
from feltwire.ledger.signing import LedgerKey
from feltwire.ledger.table_ledger import Ledger
from feltwire.relay.keys import RelayKeys
from feltwire.station.station_store import StationStore
from feltwire.table.vault import Vault
from table_core.commitment import Opening
from table_core.hand.hand import Hand
from table_core.messages import (
    MESSAGES_VERSION,
    Act,
    Action,
    AnyEvent,
    CardDealt,
    Chips,
    EpochBegan,
    HandEnded,
    HandStarted,
    Leaseholder,
    Misdealt,
    Refusal,
    Seat,
    SeatsSet,
    SeatStack,
    Share,
    Source,
    StartHand,
)
from table_core.rulebook import load_rulebook
from tests.feltwire.dealt import AT, DECKS, LEVEL, SEATS

KEYS = RelayKeys.generate()
FIRST, SECOND = LedgerKey(b"1" * 32), LedgerKey(b"2" * 32)
STACKS = tuple(SeatStack(seat, Chips(100), f"player {seat}") for seat in SEATS)


@pytest.fixture
def dealt(tmp_path: Path) -> tuple[list[AnyEvent], list[Opening]]:
    """One hand that everybody folds to the big blind: its events and what its sealed boxes say."""
    vault = Vault(DECKS, "01", bytes.fromhex(KEYS.public_hex), tmp_path / "run")
    vault.begin_hand(1, 1)
    hand = Hand(load_rulebook("base"))
    events: list[AnyEvent] = [SeatsSet(STACKS, Seat(3), hand=1, level=LEVEL)]

    def push(command: StartHand | Act) -> None:
        answer = hand.push(command)
        assert not isinstance(answer, Refusal)
        events.extend(answer)

    push(StartHand(1, Seat(3), Seat(1), Seat(2), LEVEL, STACKS, Source.KEY))
    openings = []
    for place, card in enumerate(("Ah", "Kd", "2c", "9s", "Th", "4d"), start=1):
        to = f"seat-{(place - 1) % 3 + 1}"
        placed = vault.place(vault.take(DECKS.tag_of("red", card)).handle, place, to)
        events.append(CardDealt(place, to, placed.commitment))
        opening = KEYS.open(placed.sealed[0].box)
        assert opening is not None
        openings.append(opening)
    push(Act(Seat(3), Action.FOLD))
    push(Act(Seat(1), Action.FOLD))
    return events, openings


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "table.ledger"


def write(path: Path, events: list[AnyEvent]) -> None:
    ledger = Ledger.open(path)
    began = EpochBegan(ledger.identity(), ledger.key.public)
    ledger.commit(entries=chain(ledger.head, [began, *events], at=AT, venue="hall", table="01", key=ledger.key))
    ledger.close()


def signed(key: LedgerKey, events: list[AnyEvent], table: str = "01", *, named: str = "") -> list[ChainEntry]:
    """What the ledger with `key` writes; its first event may name another key than it signs with."""
    began = EpochBegan("1234", named or key.public)
    return chain(LedgerHead(), [began, *events], at=AT, venue="hall", table=table, key=key)


def store(path: Path, entries: list[ChainEntry]) -> None:
    ledger = Ledger.open(path)
    ledger.commit(entries=entries)
    ledger.close()


def verify(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, list[dict[str, object]]]:
    status = main(["verify", "--json", *map(str, arguments)])
    return status, [json.loads(line) for line in capsys.readouterr().out.splitlines()]


Dealt = tuple[list[AnyEvent], list[Opening]]
Output = pytest.CaptureFixture[str]


def test_a_whole_ledger_holds(path: Path, dealt: Dealt, capsys: Output) -> None:
    write(path, dealt[0])
    status, (found,) = verify(capsys, path)
    assert status == 0
    assert (found["table"], found["events"], found["hands"]) == ("01", 1 + len(dealt[0]), 1)
    assert verify(capsys, path) == (0, [found]), "the same ledger gives the same state"


def test_a_changed_event_does_not_hold(path: Path, dealt: Dealt, capsys: Output) -> None:
    write(path, dealt[0])
    with sqlite3.connect(path) as raw:
        raw.execute("UPDATE events SET bytes = CAST(replace(bytes, 'player 2', 'player 9') AS BLOB) WHERE seq = 3")
    raw.close()
    status, (found,) = verify(capsys, path)
    assert (status, found["ok"], found["first_bad"]) == (1, False, "1/4")


def test_stacks_that_replaying_does_not_give_do_not_hold(path: Path, dealt: Dealt, capsys: Output) -> None:
    events = dealt[0]
    assert isinstance(events[-1], HandEnded)
    wrong = HandEnded(1, tuple(Share(seat, Chips(100)) for seat in SEATS))
    write(path, [*events[:-1], wrong])
    status, (found,) = verify(capsys, path)
    assert (status, found["first_bad"]) == (1, f"1/{1 + len(events)}")
    assert "other stacks" in str(found["why"])


def test_until_stops_there(path: Path, dealt: Dealt, capsys: Output) -> None:
    write(path, dealt[0])
    assert verify(capsys, path, "--until", 5)[1][0]["events"] == 5
    assert verify(capsys, path, "--until", "1/4")[1][0]["events"] == 4
    assert main(["verify", str(path), "--until", "five"]) == 2


def test_a_stations_ledger_is_verified_table_by_table(path: Path, dealt: Dealt, capsys: Output) -> None:
    collected = CollectedLedger.open(path)
    for table, key in (("01", FIRST), ("02", SECOND)):
        for entry in signed(key, dealt[0], table):
            collected.accept(entry.raw)
    collected.close()
    status, found = verify(capsys, path)
    assert (status, [one["table"] for one in found]) == (0, ["01", "02"])


def test_released_cards_keep_their_promise(path: Path, dealt: Dealt, capsys: Output, tmp_path: Path) -> None:
    write(path, dealt[0])
    log = tmp_path / "releases.jsonl"
    ReleasesLog(log, "hall", KEYS.signing).append(dealt[1], AT)
    status, (found,) = verify(capsys, path, "--releases", log, "--key", KEYS.verify_hex)
    assert (status, found["released"]) == (0, 6)
    said = "whether the relay was told to release folded hands too: hand 1 seat-1, hand 1 seat-3"
    assert said in list(found["unchecked"])  # type: ignore[call-overload]


def test_released_cards_are_of_the_first_hand_of_their_number_where_a_new_draw_begins_with_hand_1_again(
    path: Path, dealt: Dealt, capsys: Output, tmp_path: Path
) -> None:
    again = [
        msgspec.structs.replace(e, commitment=f"{e.place:064}") if isinstance(e, CardDealt) else e
        for e in dealt[0]
    ]
    write(path, [*dealt[0], *again])
    log = tmp_path / "releases.jsonl"
    ReleasesLog(log, "hall", KEYS.signing).append(dealt[1], AT)
    status, (found,) = verify(capsys, path, "--releases", log, "--key", KEYS.verify_hex)
    assert (status, found["released"]) == (0, 6), found


def without_its_end(events: list[AnyEvent]) -> list[AnyEvent]:
    return events[: next(at for at, event in enumerate(events) if isinstance(event, HandEnded))]


def misdealt(events: list[AnyEvent]) -> list[AnyEvent]:
    end = len(without_its_end(events))
    return [*events[:end], Misdealt(1, "", (), Source.KEY), *events[end:]]


def dealt_anew(events: list[AnyEvent]) -> list[AnyEvent]:
    """Another deal follows: the first one stays sealed for ever."""
    end = len(without_its_end(events))
    return [*events[:end], CardDealt(1, "seat-1", "f" * 64, attempt=2), *events[end:]]


@pytest.mark.parametrize("altered", [without_its_end, misdealt, dealt_anew])
def test_cards_that_no_relay_may_release_are_found(
    path: Path,
    dealt: Dealt,
    capsys: Output,
    tmp_path: Path,
    altered: Callable[[list[AnyEvent]], list[AnyEvent]],
) -> None:
    write(path, altered(dealt[0]))
    log = tmp_path / "releases.jsonl"
    ReleasesLog(log, "hall", KEYS.signing).append(dealt[1][:1], AT)
    status, (found,) = verify(capsys, path, "--releases", log, "--key", KEYS.verify_hex)
    assert (status, found["first_bad"]) == (1, "releases line 1"), found


@pytest.mark.parametrize(
    "change",
    [{"card": "As"}, {"place": 3}, {"to": "seat-3"}, {"hand": 2}, {"salt": "00" * 16}, {"salt": "no hex"}],
)
def test_a_card_changed_by_the_relay_itself_is_found(
    path: Path, dealt: Dealt, capsys: Output, tmp_path: Path, change: dict[str, str | int]
) -> None:
    write(path, dealt[0])
    log = tmp_path / "releases.jsonl"
    changed = msgspec.structs.replace(dealt[1][1], **change)
    ReleasesLog(log, "hall", KEYS.signing).append([dealt[1][0], changed], AT)
    status, (found,) = verify(capsys, path, "--releases", log, "--key", KEYS.verify_hex)
    assert (status, found["first_bad"]) == (1, "releases line 2")


def test_releases_signed_by_somebody_else_do_not_hold(
    path: Path, dealt: Dealt, capsys: Output, tmp_path: Path
) -> None:
    write(path, dealt[0])
    log = tmp_path / "releases.jsonl"
    ReleasesLog(log, "hall", RelayKeys.generate().signing).append(dealt[1], AT)
    status, (found,) = verify(capsys, path, "--releases", log, "--key", KEYS.verify_hex)
    assert (status, found["first_bad"]) == (1, "releases")


def test_a_card_that_is_released_twice_does_not_hold(
    path: Path, dealt: Dealt, capsys: Output, tmp_path: Path
) -> None:
    write(path, dealt[0])
    log = tmp_path / "releases.jsonl"
    ReleasesLog(log, "hall", KEYS.signing).append(dealt[1][:1], AT)
    again = ReleasesLog(log, "hall", KEYS.signing)
    again._promises.clear()
    again.append(dealt[1][:1], AT)
    status, (found,) = verify(capsys, path, "--releases", log, "--key", KEYS.verify_hex)
    assert (status, found["first_bad"]) == (1, "releases line 2")
    assert "was released before" in str(found["why"])


def test_a_promise_that_is_told_again_in_another_hand_is_not_the_one_that_was_made(
    path: Path, dealt: Dealt, capsys: Output, tmp_path: Path
) -> None:
    """A ledger that somebody made up from the public events of another one, and released cards of that."""
    again = [msgspec.structs.replace(e, hand=2) if isinstance(e, HandStarted | HandEnded) else e for e in dealt[0]]
    store(path, signed(SECOND, again))
    log = tmp_path / "releases.jsonl"
    ReleasesLog(log, "hall", KEYS.signing).append(dealt[1], AT)
    status, (found,) = verify(capsys, path, "--releases", log, "--key", KEYS.verify_hex)
    assert (status, found["first_bad"]) == (1, "releases line 1")


def test_an_event_that_is_not_signed_with_the_key_of_its_epoch_does_not_hold(
    path: Path, dealt: Dealt, capsys: Output
) -> None:
    store(path, signed(SECOND, dealt[0], named=FIRST.public))
    status, (found,) = verify(capsys, path)
    assert (status, found["first_bad"]) == (1, "1/1")
    assert "not signed" in str(found["why"])


def test_whom_the_station_granted_is_checked_where_its_record_is_given_and_else_said(
    path: Path, dealt: Dealt, capsys: Output, tmp_path: Path
) -> None:
    store(path, signed(FIRST, dealt[0]))
    assert "whether the station granted" in str(verify(capsys, path)[1][0]["unchecked"])
    for key, status in ((FIRST, 0), (SECOND, 1)):
        station = StationStore.open(tmp_path)
        station.save_leaseholder("01", Leaseholder("1234", 1, key.public))
        station.close()
        found = verify(capsys, path, "--station", tmp_path / "station.db")
        assert found[0] == status
        assert "whether the station granted" not in str(found[1][0]["unchecked"])


def test_what_was_not_checked_is_said_in_words(path: Path, dealt: Dealt, capsys: Output) -> None:
    write(path, dealt[0])
    assert main(["verify", str(path)]) == 0
    assert "\n  not checked: whether the station granted the keys" in capsys.readouterr().out


def test_a_ledger_of_an_older_version_is_named_and_left(path: Path, capsys: Output) -> None:
    write(path, [])
    with sqlite3.connect(path) as raw:
        raw.execute(
            "UPDATE events SET bytes = CAST(replace(bytes, ?, ?) AS BLOB)",
            (f'{{"v":{MESSAGES_VERSION},', '{"v":1,'),
        )
        (changed,) = raw.execute("SELECT bytes FROM events").fetchone()
        raw.execute("UPDATE events SET hash = ?", (hash_of(changed),))
    raw.close()
    assert main(["verify", str(path)]) == 2
    said = capsys.readouterr().err
    assert f"written by version 1 of the messages, this is version {MESSAGES_VERSION}" in said
    assert said.count("\n") == 1


@pytest.mark.parametrize("key", [[], ["--key", "12"], ["--key", "z" * 64]])
def test_releases_are_not_checked_without_the_relays_key(
    path: Path, dealt: Dealt, capsys: Output, tmp_path: Path, key: list[str]
) -> None:
    """Whoever changes the log would sign it with a key of its own."""
    write(path, dealt[0])
    log = tmp_path / "releases.jsonl"
    ReleasesLog(log, "hall", KEYS.signing).append(dealt[1], AT)
    assert main(["verify", str(path), "--releases", str(log), *key]) == 2
    said = capsys.readouterr().err
    assert "--releases: needs --key" in said
    assert said.count("\n") == 1


def test_called_wrongly_it_says_what_to_do(tmp_path: Path, capsys: Output) -> None:
    assert main(["verify", str(tmp_path / "absent")]) == 2
    assert "no such ledger; name an existing file" in capsys.readouterr().err
