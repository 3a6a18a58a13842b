"""Backups of processes that run, and what becomes of them: what is not in one, and what is not done twice."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from nacl.signing import SigningKey

from feltwire.cli import main
from feltwire.ledger.chain import chain, check_chain
from feltwire.ledger.releases import ReleasesLog
from feltwire.ledger.room_ledger import CollectedLedger
from feltwire.ledger.table_ledger import Ledger, ObservationRecord
from feltwire.ledger.tournament_ledger import TournamentLedger
from feltwire.private_files import python
from feltwire.relay.coverage.coverage_store import CoverageStore
from feltwire.relay.desk.programme import PROGRAMME
from feltwire.relay.on_air.air_delay import read_air_delay
from feltwire.relay.relay_store import RelayStore
from feltwire.runtime.pages.people_store import PeopleStore
from feltwire.station.station_store import REVISIONS_SKIPPED, ClockRecord, StationStore
from feltwire.tools.backup_manifest import backups, read_manifest
from feltwire.tools.start_check import start_faults
from table_core.commitment import Opening
from table_core.messages import (
    CardText,
    EpochBegan,
    FloorCalled,
    Key,
    Leaseholder,
    Mark,
    Millis,
    Noticed,
    SealedCard,
    SetLevel,
    decode_envelope,
)
from tests.feltwire.dealt import AT, LEVEL
from tests.feltwire.hall import Hall, at_hand, begun, touch
from tests.feltwire.processes import Process, cell
from tests.feltwire.relay.test_programme import Relay
from tests.table_core.tournament.simulated import Simulated

Output = pytest.CaptureFixture[str]
SEALED, BOX, FACES = b"aSealedCardOfThisHand", b"a box of the hand", b"faces at the seats"


def backup(data: Path, to: Path) -> Path:
    assert main(["backup", str(data), "--to", str(to)]) == 0
    return backups(to)[-1]


def restore(made: Path, to: Path, *options: str) -> int:
    """With the key that the backup names: these tests know where it comes from."""
    key = read_manifest(made).manifest.key
    return main(["restore", str(made), "--to", str(to), *(("--public", key) if key else ()), *options])


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """The folder of a table in mid-hand, whose machine was granted epoch 2."""
    folder = tmp_path / "data"
    with closing(Ledger.open(folder / "table-01.ledger")) as ledger:
        ledger.begin_epoch(2)
        began = EpochBegan(ledger.identity(), ledger.key.public)
        entries = chain(ledger.head, [began, FloorCalled()], at=AT, venue="hall", table="01", key=ledger.key)
        sealed = SealedCard(epoch=0, sealed_seq=0, hand=1, attempt=1, place=1, box=SEALED.decode())
        notes = {"tracker": b"{}", "charge": b'{"standing":"granted","epoch":2}', "faces": FACES}
        seen = [ObservationRecord("keypad", 7, 1, b"{}")]
        ledger.commit(entries=entries, observations=seen, sealed=[sealed], boxes=[BOX], notes=notes)
    PeopleStore.open(folder / "table-01.people").close()
    (folder / "table-01.kiosk-link").write_text("https://table-01/in/secret")
    return folder


# ------------------------------------------------------------------------------------ what is in one


def test_a_copy_has_every_event_and_nothing_that_makes_it_the_same_machine(data: Path, tmp_path: Path) -> None:
    with closing(Ledger.open(data / "table-01.ledger")) as running:
        made = backup(data, tmp_path / "backups")
        events, name, key = list(running.raw_events()), running.identity(), running.key.public
    assert sorted(path.name for path in made.iterdir()) == ["manifest.json", "table-01.ledger"]
    content = (made / "table-01.ledger").read_bytes()
    for secret in (SEALED, BOX, FACES, name.encode(), b"granted"):
        assert (secret in content) == (secret == name.encode()), secret  # its name is in the first event
    with closing(Ledger.open(made / "table-01.ledger")) as copy:
        assert list(copy.raw_events()) == events
        assert copy.seen("keypad", 7) == {1}
        assert copy.identity() != name
        assert copy.key.public != key
        assert (copy.head.epoch, copy.head.seq) == (3, 0)
        assert copy.note("charge") is None


def test_only_its_user_reads_it(data: Path, tmp_path: Path) -> None:
    made = backup(data, tmp_path / "backups")
    assert {path.stat().st_mode & 0o077 for path in (made, *made.iterdir())} == {0}


def test_a_backup_without_a_record_is_called_wrongly(tmp_path: Path, capsys: Output) -> None:
    (tmp_path / "data").mkdir()
    assert main(["backup", str(tmp_path / "data"), "--to", str(tmp_path / "backups")]) == 2
    assert "holds no records of a table, a station or a relay" in capsys.readouterr().err


def test_a_damaged_ledger_makes_no_backup_and_the_earlier_ones_stay(
    data: Path, tmp_path: Path, capsys: Output
) -> None:
    first = backup(data, tmp_path / "backups")
    path = data / "table-01.ledger"
    path.write_bytes(path.read_bytes().replace(b"floor_called", b"floor_killed"))
    assert main(["backup", str(data), "--to", str(tmp_path / "backups"), "--keep", "1"]) == 1
    assert "event 2/2 is not as it was written" in capsys.readouterr().out
    assert list((tmp_path / "backups").iterdir()) == [first]


def test_an_event_that_cannot_be_read_is_in_the_backup_and_said(
    data: Path, tmp_path: Path, capsys: Output
) -> None:
    """A start goes on without it, so does a backup; whole ones are not deleted for its sake."""
    whole = [backup(data, tmp_path / "backups") for _ in range(2)]
    with sqlite3.connect(data / "table-01.ledger") as ledger:
        raw = ledger.execute("SELECT bytes FROM events WHERE seq = 2").fetchone()[0]
        raw = raw.replace(b'"type":"floor_called"', b'"type":"nobody_knows"')
        ledger.execute("UPDATE events SET bytes = ?, hash = ? WHERE seq = 2", (raw, sha256(raw).hexdigest()))
    ledger.close()
    for _ in range(3):
        assert main(["backup", str(data), "--to", str(tmp_path / "backups"), "--keep", "2"]) == 1
        assert "damaged: table-01.ledger: event 2/2 cannot be read" in capsys.readouterr().out
    left = backups(tmp_path / "backups")
    assert left[:2] == whole
    assert len(left) == 4, "two of each kind"
    assert not read_manifest(left[-1]).manifest.whole
    assert restore(left[-1], tmp_path / "new") == 2
    assert "name this file with --only" in capsys.readouterr().err
    assert restore(left[-1], tmp_path / "new", "--only", "table-01.ledger") == 0


def test_the_files_beside_a_damaged_one_are_in_the_backup(tmp_path: Path) -> None:
    data = data_of_a_tournament(tmp_path)
    (data / "tournament-2026-11-01-0a1b2c3d.ledger").write_bytes(b"SQLite format 3\0" + bytes(5_000))
    assert main(["backup", str(data), "--to", str(tmp_path / "kept")]) == 1
    (made,) = backups(tmp_path / "kept")
    assert {path.name for path in made.iterdir()} == {"manifest.json", "station.db", "tournament.ledger"}
    (lost,) = read_manifest(made).manifest.left_out
    assert lost.name == "tournament-2026-11-01-0a1b2c3d.ledger"


def test_the_newest_are_kept(data: Path, tmp_path: Path) -> None:
    made = [backup(data, tmp_path / "backups") for _ in range(3)]
    assert main(["backup", str(data), "--to", str(tmp_path / "backups"), "--keep", "2"]) == 0
    left = backups(tmp_path / "backups")
    assert (len(left), left[0]) == (2, made[-1])


def test_a_stations_copy_forgets_commands_under_way_and_has_a_schedule_that_no_table_refuses(
    tmp_path: Path,
) -> None:
    data = tmp_path / "data"
    with closing(StationStore.open(data)) as store:
        name = store.tournament()
        store.save_clock(ClockRecord((LEVEL,), 4, Mark("b1", Millis(0), 0, Millis(0), running=True)))
        store.save_leaseholder("01", Leaseholder("1234", 2, "ab" * 32))
        store.add_outgoing("01", SetLevel("t1/level", LEVEL, 4))
        with closing(StationStore.open_file(backup(data, tmp_path / "backups") / "station.db")) as copy:
            assert copy.outgoing() == []
            clock = copy.clock()
            assert clock is not None
            assert clock.schedule_revision == 4 + REVISIONS_SKIPPED
            assert copy.leaseholders()["01"].epoch == 2
            assert copy.tournament() == name
            assert copy.restored() == (), "no tournament"


def test_a_relays_copy_has_no_card_and_releases_no_hand_again(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with closing(RelayStore.open(data / "relay.db")) as store:
        store.begin_run("1800", ["01"])
        store.keep_box("01", SealedCard(epoch=1, sealed_seq=1, hand=2, attempt=1, place=1, box=SEALED.decode()))
        store.released("01", "key", 1, 1, (3, "ab"))
        log = ReleasesLog(data / "releases.jsonl", "hall", SigningKey.generate())
        log.append(
            [Opening("01", 1, 1, 1, place, "burn", CardText("2c"), f"{place:02}" * 16) for place in (1, 2)], AT
        )
        whole = (data / "releases.jsonl").read_bytes()
        (data / "releases.jsonl").write_bytes(whole + b'{"no"')
        made = backup(data, tmp_path / "backups")
    assert SEALED not in (made / "relay.db").read_bytes()
    assert (made / "releases.jsonl").read_bytes() == whole
    assert whole.count(b"\n") == 2
    with closing(RelayStore.open(made / "relay.db")) as copy:
        assert copy.was_released("01", "key", 1, 1)
        assert copy.boxes("01", 1, 2) == []


def test_a_relays_copy_has_what_the_coverage_said_and_a_line_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with closing(CoverageStore.open(data / "coverage.db")) as store:
        store.keep_heard("event", b"Friday")
    made = backup(data, tmp_path / "backups")
    with closing(CoverageStore.open(made / "coverage.db", read_only=True)) as copy:
        assert copy.heard("event") == b"Friday"
    with closing(sqlite3.connect(data / "coverage.db")) as broken, broken:
        broken.execute("INSERT INTO lines (id, bytes) VALUES ('x', x'7b')")
    assert ["the line x" in fault.words for fault in start_faults(data)] == [True]


def test_a_cut_that_is_held_holds_at_the_relay_that_is_restored(tmp_path: Path, capsys: Output) -> None:
    data, other = tmp_path / "data", tmp_path / "other"
    with closing(RelayStore.open(data / "relay.db")) as store:
        store.begin_run("1800", ["01", "02"])
    producer = Relay(data)
    producer.press("look", feature="02")
    producer.press("cut")
    producer.press("air_delay", seconds="3000")
    made = backup(data, tmp_path / "backups")
    producer.press("release")  # what is pressed behind the backup is not in it
    assert main(["restore", str(made), "--to", str(other), "--unauthenticated"]) == 0
    assert read_air_delay(other) == "3000"
    restored = Relay(other)
    restored.overlays()
    assert restored.programme_view.cut
    assert not restored.reads("overlay/feature")["seats"]
    restored.press("release")
    assert restored.programme_view.feature == "02"
    assert restored.reads("overlay/feature")["seats"]


def test_a_programme_that_cannot_be_read_is_named_and_makes_no_whole_backup(
    tmp_path: Path, capsys: Output
) -> None:
    data = tmp_path / "data"
    with closing(RelayStore.open(data / "relay.db")) as store:
        store.begin_run("1800", ["01"])
    (data / PROGRAMME).write_bytes(b'{"on_air"')
    assert main(["backup", str(data), "--to", str(tmp_path / "backups")]) == 1
    assert "damaged: programme.json: cannot be read" in capsys.readouterr().out
    (made,) = backups(tmp_path / "backups")
    assert not read_manifest(made).manifest.whole
    assert [(fault.file, fault.stops) for fault in start_faults(data)] == [(PROGRAMME, False)]


# ---------------------------------------------------------------------------------------- restoring


def test_nothing_is_overwritten(data: Path, tmp_path: Path, capsys: Output) -> None:
    made = backup(data, tmp_path / "backups")
    assert restore(made, data) == 2
    assert "table-01.ledger: is there already, and nothing is overwritten" in capsys.readouterr().err
    (data / "table-01.ledger").unlink()
    assert restore(made, data) == 2
    assert "table-01.ledger.key: is there already" in capsys.readouterr().err


@pytest.mark.parametrize("damage", ["changed", "missing", "no manifest"])
def test_a_backup_that_is_not_whole_is_refused(data: Path, tmp_path: Path, capsys: Output, damage: str) -> None:
    made = backup(data, tmp_path / "backups")
    file = made / "table-01.ledger"
    if damage == "changed":
        file.write_bytes(file.read_bytes()[:-1] + b"x")
    elif damage == "missing":
        file.unlink()
    else:
        (made / "manifest.json").unlink()
    assert main(["restore", str(made), "--to", str(tmp_path / "new"), "--unauthenticated"]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert not (tmp_path / "new" / "table-01.ledger").exists()


def test_one_backup_restored_twice_is_two_machines_that_the_director_tells_apart(
    data: Path, tmp_path: Path
) -> None:
    made = backup(data, tmp_path / "backups")
    names = set()
    for folder in ("one", "two"):
        assert restore(made, tmp_path / folder) == 0
        with closing(Ledger.open(tmp_path / folder / "table-01.ledger")) as ledger:
            names.add((ledger.identity(), ledger.key.public))
    assert len(names) == 2


def test_only_the_tournaments_records_can_be_restored_and_the_station_knows_it(tmp_path: Path) -> None:
    data, kept = tmp_path / "data", tmp_path / "kept"
    shutil.copytree(data_of_a_tournament(tmp_path), data)
    made = backup(data, kept)
    (data / "tournament.ledger").unlink()
    assert restore(made, data, "--only", "tournament.ledger", "--unauthenticated") == 0
    with closing(StationStore.open(data)) as store:
        assert [one.records for one in store.restored()] == [3]


def data_of_a_tournament(folder: Path) -> Path:
    """The folder of a station with three records of a tournament."""
    played = Simulated("rpl", 9, seed=5)
    played.play()
    with closing(TournamentLedger.open(folder / "station" / "tournament.ledger")) as ledger:
        ledger.append(played.night.records[:3])
    StationStore.open(folder / "station").close()
    return folder / "station"


# --------------------------------------------------------------------------------- processes that run


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    with Hall(tmp_path) as running:
        yield running


def command(*arguments: object) -> None:
    """A `feltwire` command, as a person runs it."""
    subprocess.run(python("feltwire", *map(str, arguments)), check=True, stdout=subprocess.DEVNULL, env=os.environ)


def data_of(machine: Process) -> Path:
    return machine.config.parent / "table-data"


def live(hall: Hall, machine: Process) -> Any:
    """The station ends with exactly what this machine's ledger holds."""
    return lambda room: cell(room, "01")["link"] == "live" and hall.collected() == hall.rows_of(machine)


@pytest.mark.mosquitto
def test_a_table_whose_card_died_goes_on_from_its_backup_and_the_old_one_is_fenced(hall: Hall) -> None:
    first = hall.machine("first")
    begun(hall, first)
    command("backup", data_of(first), "--to", hall.folder / "backups")
    made = backups(hall.folder / "backups")[-1]
    touch(first, Key.FOLD)
    hall.station.shows("room", live(hall, first))
    first.kill()

    second = hall.machine("second")
    command("restore", made, "--to", data_of(second), "--public", read_manifest(made).manifest.key)
    second.start()
    hall.hand_over()
    second.kill()  # it may have left the broker to a machine that was heard a moment ago
    second.start()
    second.shows("table/01", lambda view: view["epoch"] >= 2)
    touch(second, Key.NEW_HAND)
    hall.station.shows("room", at_hand(2))
    hall.station.shows("room", live(hall, second))
    assert check_chain(hall.collected()).ok
    first.start()
    first.shows("table/01", lambda view: str(view["last"]).startswith("Another machine is table 01"))


@pytest.mark.mosquitto
def test_a_restored_station_gets_what_it_lacks_from_the_tables(hall: Hall) -> None:
    """Handed over after the backup was made: of the machine that is the table now nothing is lost."""
    first = hall.machine("first")
    begun(hall, first)
    data = hall.folder / "station-data"
    command("backup", data, "--to", hall.folder / "backups")
    first.kill()
    spare = hall.machine("spare").start()
    hall.hand_over()
    spare.kill()
    spare.start()
    spare.shows("table/01", lambda view: view["epoch"] == 2)
    touch(spare, Key.NEW_HAND)
    hall.station.shows("room", at_hand(2))
    touch(spare, Key.FOLD)
    hall.station.shows("room", live(hall, spare))
    known = hall.rows_of(spare)

    hall.station.kill()
    data.rename(hall.folder / "broken")
    made = backups(hall.folder / "backups")[-1]
    command("restore", made, "--to", data, "--public", read_manifest(made).manifest.key)
    hall.station.start()
    hall.station.screen = hall._browser = None  # people sign in again
    hall.hand_over()
    hall.station.shows("room", live(hall, spare))
    assert hall.collected()[: len(known)] == known
    assert check_chain(hall.collected()).ok
    with closing(CollectedLedger.open(data / "station.ledger", read_only=True)) as ledger:
        assert [one.epoch for one in ledger.epochs("01")] == [1, 2]
    touch(spare, Key.FOLD)
    hall.station.shows("room", live(hall, spare))


def test_a_backup_of_a_ledger_that_is_written_to_all_the_time_holds(tmp_path: Path) -> None:
    """Each copy is of one instant, whichever commit it comes into."""
    data = tmp_path / "data"
    with closing(Ledger.open(data / "table-01.ledger")) as ledger:
        for _ in range(5):
            writer = subprocess.Popen(python("feltwire", "backup", str(data), "--to", str(tmp_path / "backups")))
            while writer.poll() is None:
                facts = [Noticed("test", "a fact")] * 3
                ledger.commit(entries=chain(ledger.head, facts, at=AT, venue="hall", table="01", key=ledger.key))
            assert writer.returncode == 0
    for made in backups(tmp_path / "backups"):
        with closing(Ledger.open(made / "table-01.ledger", read_only=True)) as copy:
            report = check_chain(copy.raw_events())
            assert report.ok
            assert report.events % 3 == 0
            assert [file.name for file in read_manifest(made).manifest.files] == ["table-01.ledger"]
            assert all(decode_envelope(raw).epoch == 1 for _, _, raw in copy.raw_events())
