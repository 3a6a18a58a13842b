"""`feltwire verify`: what holds, and where it stops holding."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import msgspec
import pytest

from feltwire.chain import LedgerHead, chain
from feltwire.cli import main
from feltwire.collected import CollectedLedger
from feltwire.ledger import Ledger
from feltwire.relay_keys import RelayKeys
from feltwire.releases import ReleasesLog
from feltwire.vault import Vault
from table_core.commitment import Opening
from table_core.hand.hand import Hand
from table_core.messages import (
    Act,
    Action,
    AnyEvent,
    CardDealt,
    Chips,
    HandEnded,
    Refusal,
    Seat,
    SeatsSet,
    SeatStack,
    Share,
    Source,
    StartHand,
    encode,
)
from table_core.rulebook import load_rulebook
from tests.feltwire.dealt import AT, DECKS, LEVEL, SEATS

KEYS = RelayKeys.generate()
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
        placed = vault.place(vault.take(DECKS.tag_of("red", card)).handle, place)
        events.append(CardDealt(place, f"seat-{(place - 1) % 3 + 1}", placed.commitment))
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
    ledger.commit(envelopes=chain(ledger.head, events, at=AT, venue="hall", table="01"))
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
    assert (found["table"], found["events"], found["hands"]) == ("01", len(dealt[0]), 1)
    assert verify(capsys, path) == (0, [found]), "the same ledger gives the same state"


def test_a_changed_event_does_not_hold(path: Path, dealt: Dealt, capsys: Output) -> None:
    write(path, dealt[0])
    with sqlite3.connect(path) as raw:
        raw.execute("UPDATE events SET bytes = CAST(replace(bytes, 'player 2', 'player 9') AS BLOB) WHERE seq = 2")
    raw.close()
    status, (found,) = verify(capsys, path)
    assert (status, found["ok"], found["first_bad"]) == (1, False, "1/3")


def test_stacks_that_replaying_does_not_give_do_not_hold(path: Path, dealt: Dealt, capsys: Output) -> None:
    events = dealt[0]
    assert isinstance(events[-1], HandEnded)
    wrong = HandEnded(1, tuple(Share(seat, Chips(100)) for seat in SEATS))
    write(path, [*events[:-1], wrong])
    status, (found,) = verify(capsys, path)
    assert (status, found["first_bad"]) == (1, f"1/{len(events)}")
    assert "other stacks" in str(found["why"])


def test_until_stops_there(path: Path, dealt: Dealt, capsys: Output) -> None:
    write(path, dealt[0])
    assert verify(capsys, path, "--until", 5)[1][0]["events"] == 5
    assert verify(capsys, path, "--until", "1/4")[1][0]["events"] == 4
    assert main(["verify", str(path), "--until", "five"]) == 2


def test_a_stations_ledger_is_verified_table_by_table(path: Path, dealt: Dealt, capsys: Output) -> None:
    collected = CollectedLedger.open(path)
    for table in ("01", "02"):
        for envelope in chain(LedgerHead(), dealt[0], at=AT, venue="hall", table=table):
            collected.accept(encode(envelope))
    collected.close()
    status, found = verify(capsys, path)
    assert (status, [one["table"] for one in found]) == (0, ["01", "02"])


def test_released_cards_keep_their_promise(path: Path, dealt: Dealt, capsys: Output, tmp_path: Path) -> None:
    write(path, dealt[0])
    log = tmp_path / "releases.jsonl"
    ReleasesLog(log, "hall", KEYS.signing).append(dealt[1], AT)
    status, (found,) = verify(capsys, path, "--releases", log, "--key", KEYS.verify_hex)
    assert (status, found["released"]) == (0, 6)


@pytest.mark.parametrize("change", [{"card": "As"}, {"place": 3}, {"salt": "00" * 16}, {"salt": "no hex"}])
def test_a_card_changed_by_the_relay_itself_is_found(
    path: Path, dealt: Dealt, capsys: Output, tmp_path: Path, change: dict[str, str | int]
) -> None:
    write(path, dealt[0])
    log = tmp_path / "releases.jsonl"
    changed = msgspec.structs.replace(dealt[1][1], **change)
    ReleasesLog(log, "hall", KEYS.signing).append([dealt[1][0], changed], AT)
    status, (found,) = verify(capsys, path, "--releases", log)
    assert (status, found["first_bad"]) == (1, "releases line 2")


def test_releases_signed_by_somebody_else_do_not_hold(
    path: Path, dealt: Dealt, capsys: Output, tmp_path: Path
) -> None:
    write(path, dealt[0])
    log = tmp_path / "releases.jsonl"
    ReleasesLog(log, "hall", RelayKeys.generate().signing).append(dealt[1], AT)
    status, (found,) = verify(capsys, path, "--releases", log, "--key", KEYS.verify_hex)
    assert (status, found["first_bad"]) == (1, "releases")


def test_called_wrongly_it_says_what_to_do(tmp_path: Path, capsys: Output) -> None:
    assert main(["verify", str(tmp_path / "absent")]) == 2
    assert "no such ledger; name an existing file" in capsys.readouterr().err
