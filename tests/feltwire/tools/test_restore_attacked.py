"""Whoever had the disk with the backups may have written all of it: what `feltwire restore` takes from there."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import pytest

from feltwire.cli import main
from feltwire.errors import UsageError
from feltwire.ledger.chain import chain
from feltwire.ledger.room_ledger import CollectedLedger
from feltwire.ledger.signing import LedgerKey
from feltwire.ledger.store import RESTORING
from feltwire.ledger.table_ledger import Ledger
from feltwire.ledger.tournament_ledger import TournamentLedger
from feltwire.runtime.pages.people_store import PeopleStore
from feltwire.station.station_store import StationStore
from feltwire.tools import restore as restore_module
from feltwire.tools.backup_manifest import MANIFEST, BackupManifest, backups, read_manifest, sealed_manifest
from table_core.messages import EpochBegan, FloorCalled
from tests.feltwire.dealt import AT
from tests.table_core.tournament.simulated import Simulated

Output = pytest.CaptureFixture[str]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """The folder of a station with three records of a tournament, signed."""
    folder = tmp_path / "data"
    played = Simulated("rpl", 9, seed=5)
    played.play()
    with (
        closing(CollectedLedger.open(folder / "station.ledger")) as collected,
        closing(TournamentLedger.open(folder / "tournament.ledger")) as records,
        closing(StationStore.open(folder)) as store,
    ):
        records.append(played.night.records[:3])
        collected.sign_records("hall", store.tournament(), records.head)
    return folder


@pytest.fixture
def public(data: Path) -> str:
    return LedgerKey.of_ledger(data / "station.ledger").public


@pytest.fixture
def made(data: Path, tmp_path: Path) -> Path:
    assert main(["backup", str(data), "--to", str(tmp_path / "backups")]) == 0
    return backups(tmp_path / "backups")[-1]


def restore(made: Path, new: Path, *options: str) -> int:
    return main(["restore", str(made), "--to", str(new), *options])


def written(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*")} if folder.exists() else set()


def rewritten(made: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """The manifest as an attacker leaves it."""
    document = json.loads((made / MANIFEST).read_bytes())
    change(document)
    (made / MANIFEST).write_text(json.dumps(document))


def planted(made: Path, name: str, content: bytes, put: str = "") -> None:
    """A file that is in the manifest under `name`, and lies at `put`."""
    (made / (put or name)).write_bytes(content)
    entry = {"name": name, "bytes": len(content), "sha256": sha256(content).hexdigest()}
    rewritten(made, lambda document: document["files"].append(entry))


def forged(made: Path, tmp_path: Path, name: str = "tournament.ledger", seed: int = 6) -> None:
    """The file `name` is another one, and the manifest says so."""
    played = Simulated("rpl", 9, seed=seed)
    played.play()
    other = tmp_path / "other" / name
    with closing(TournamentLedger.open(other)) as records:
        records.append(played.night.records[:3])
    content = other.read_bytes()
    (made / name).write_bytes(content)

    def change(document: dict[str, Any]) -> None:
        for file in document["files"]:
            if file["name"] == name:
                file["bytes"], file["sha256"] = len(content), sha256(content).hexdigest()

    rewritten(made, change)


# ---------------------------------------------------------------------------------------------- names


NAMES = [
    "../../etc/cron.d/x",
    "../table-02.ledger",
    "/etc/cron.d/x",
    "table-/../../x.ledger",
    "table-\\..\\x.ledger",
    "people.db",
    "table-01.people",
    "station.ledger.key",
    "table-01.ledger.key",
    "td-link",
    "Station.db",
    "PEOPLE.DB",
    "TABLE-01.LEDGER",
    "station.ledger-wal",
    "table-01\n.ledger",
    "backup.json",
    ".",
    "",
    "\u0000",
]


@pytest.mark.parametrize("name", NAMES)
def test_a_name_that_no_backup_holds_is_refused(made: Path, public: str, tmp_path: Path, name: str) -> None:
    rewritten(made, lambda document: document["files"].append({"name": name, "bytes": 1, "sha256": "0" * 64}))
    before = written(tmp_path)
    assert restore(made, tmp_path / "new", "--unauthenticated", "--public", public) == 2
    assert written(tmp_path) == before


def test_a_name_above_the_backup_writes_nothing(made: Path, tmp_path: Path) -> None:
    """`../../etc/cron.d/x` was written."""
    (tmp_path / "etc").mkdir()
    planted(made, "../../etc/x", b"* * * * * root sh", "../../etc/x")
    (tmp_path / "etc" / "x").unlink()
    assert restore(made, tmp_path / "new" / "data", "--unauthenticated") == 2
    assert not (tmp_path / "etc" / "x").exists()
    assert not (tmp_path / "new" / "etc").exists()


@pytest.mark.parametrize("name", ["people.db", "station.ledger.key"])
def test_planted_people_and_keys_are_refused(made: Path, tmp_path: Path, name: str, capsys: Output) -> None:
    PeopleStore.open(tmp_path / "evil" / "people.db").close()
    planted(made, name, (tmp_path / "evil" / "people.db").read_bytes())
    assert restore(made, tmp_path / "new", "--unauthenticated") == 2
    assert f"names {name!r}" in capsys.readouterr().err
    assert not (tmp_path / "new").exists()


def test_a_file_that_the_manifest_does_not_name_stays_where_it_is(made: Path, public: str, tmp_path: Path) -> None:
    for name in ("people.db", "station.ledger.key", "station.db-wal", "tournament-x-00000000.ledger"):
        (made / name).write_bytes(b"planted")
    assert restore(made, tmp_path / "new", "--public", public) == 0
    assert written(tmp_path / "new") == {"station.db", "station.ledger", "tournament.ledger"}


@pytest.mark.parametrize("double", ["tournament.ledger", "table-a.ledger"])
def test_a_name_twice_in_whatever_case_is_refused(made: Path, tmp_path: Path, double: str) -> None:
    entries = [{"name": name, "bytes": 1, "sha256": "0" * 64} for name in (double, "table-A.ledger")]
    rewritten(made, lambda document: document["files"].extend(entries))
    assert restore(made, tmp_path / "new", "--unauthenticated") == 2


@pytest.mark.parametrize("wall", [-(2**53) + 1, -1, 4_102_444_800_001, 2**53 - 1])
def test_a_time_that_no_calendar_has_is_refused_before_anything_is_there(
    made: Path, tmp_path: Path, wall: int
) -> None:
    rewritten(made, lambda document: document.update(made_at=wall))
    assert restore(made, tmp_path / "new", "--unauthenticated") == 2
    assert not written(tmp_path / "new")


@pytest.mark.parametrize("wrong", ["size", "count", "hash", "huge", "negative"])
def test_what_the_manifest_says_wrongly_of_a_file_is_refused(made: Path, tmp_path: Path, wrong: str) -> None:
    file = made / "station.db"

    def change(document: dict[str, Any]) -> None:
        (entry,) = (one for one in document["files"] if one["name"] == "station.db")
        match wrong:
            case "size":
                entry["bytes"] -= 1
            case "count":
                document["files"] *= 5_000
            case "hash":
                entry["sha256"] = "../../x"
            case "huge":
                entry["bytes"] = 2**60
                os.truncate(file, 2**40)
            case "negative":
                entry["bytes"] = -1

    rewritten(made, change)
    assert restore(made, tmp_path / "new", "--unauthenticated") == 2
    assert written(tmp_path / "new") == set()


# ---------------------------------------------------------------------------------------------- links


def test_a_link_in_the_backup_is_refused(made: Path, public: str, tmp_path: Path) -> None:
    moved = tmp_path / "elsewhere.db"
    (made / "station.db").rename(moved)
    (made / "station.db").symlink_to(moved)
    assert restore(made, tmp_path / "new", "--public", public) == 2
    assert written(tmp_path / "new") == set()


@pytest.mark.parametrize("name", ["station.db", MANIFEST])
def test_a_fifo_in_the_backup_holds_nobody_up(made: Path, public: str, tmp_path: Path, name: str) -> None:
    (made / name).unlink()
    os.mkfifo(made / name)
    assert restore(made, tmp_path / "new", "--public", public) == 2


def test_a_link_as_manifest_is_refused(made: Path, public: str, tmp_path: Path) -> None:
    (made / MANIFEST).rename(tmp_path / "kept.json")
    (made / MANIFEST).symlink_to(tmp_path / "kept.json")
    assert restore(made, tmp_path / "new", "--public", public) == 2


def test_a_link_at_the_destination_is_not_followed(made: Path, public: str, tmp_path: Path) -> None:
    new = tmp_path / "new"
    new.mkdir(mode=0o700)
    (new / "station.db").symlink_to(tmp_path / "victim")  # it leads nowhere yet
    assert restore(made, new, "--public", public) == 2
    assert not (tmp_path / "victim").exists()


# ---------------------------------------------------------------------------------------- who wrote it


def test_a_backup_says_by_which_key_it_is_authenticated(
    made: Path, public: str, tmp_path: Path, capsys: Output
) -> None:
    assert restore(made, tmp_path / "new", "--public", public) == 0
    said = capsys.readouterr().out
    assert said.count(f"authenticated by the backup's signature with the key {public[:16]}…") == 3


def test_a_forged_ledger_without_a_checkpoint_is_not_taken_in_silence(
    made: Path, public: str, tmp_path: Path, capsys: Output
) -> None:
    forged(made, tmp_path)
    for keys in ((), ("--public", public)):
        assert restore(made, tmp_path / "new", *keys) == 2
        assert "nothing proves who wrote it" in capsys.readouterr().err
        assert written(tmp_path / "new") == set()


def test_a_forger_who_signs_with_a_key_of_his_own_gains_nothing(
    made: Path, public: str, tmp_path: Path, capsys: Output
) -> None:
    forged(made, tmp_path)
    rewritten(made, lambda document: document.update(key="", signature=""))
    manifest = read_manifest(made).manifest
    (made / MANIFEST).write_bytes(sealed_manifest(manifest, LedgerKey(b"x" * 32)))
    assert restore(made, tmp_path / "new", "--public", public) == 2
    assert "is none that was named" in capsys.readouterr().err
    assert restore(made, tmp_path / "new", "--public", public, "--unauthenticated") == 0
    said = capsys.readouterr().out
    assert "tournament.ledger: 3 records; NOT as it was signed: records record 3" in said
    assert said.count("NOT authenticated") == 1, "station.db"


def test_in_an_accident_an_unsigned_backup_is_taken_with_the_words_said(
    made: Path, public: str, tmp_path: Path, capsys: Output
) -> None:
    """As an earlier version made it: with the station's key the checkpoints in it prove what they cover."""

    def as_before(document: dict[str, Any]) -> None:
        document["format"] = 1
        for name in ("key", "signature", "left_out"):
            del document[name]

    rewritten(made, as_before)
    assert restore(made, tmp_path / "new") == 2
    assert "--unauthenticated" in capsys.readouterr().err
    records = ("--only", "tournament.ledger", "--only", "station.ledger", "--public", public)
    assert restore(made, tmp_path / "proven", *records) == 0
    assert "authenticated by the station's checkpoints" in capsys.readouterr().out
    assert restore(made, tmp_path / "new", "--unauthenticated") == 0
    said = capsys.readouterr().out
    assert said.count("NOT authenticated: the backup is not signed") == 3


def test_a_data_folder_that_still_has_its_key_knows_its_own_backup(made: Path, data: Path) -> None:
    (data / "tournament.ledger").unlink()
    assert restore(made, data, "--only", "tournament.ledger") == 0


def test_checkpoints_kept_elsewhere_show_a_backup_that_was_exchanged(
    made: Path, data: Path, public: str, tmp_path: Path, capsys: Output
) -> None:
    with closing(CollectedLedger.open(data / "station.ledger", read_only=True)) as collected:
        (tmp_path / "kept.jsonl").write_bytes(b"".join(line + b"\n" for line in collected.checkpoints()))
    forged(made, tmp_path)
    kept = ("--public", public, "--checkpoints", str(tmp_path / "kept.jsonl"), "--only", "tournament.ledger")
    assert restore(made, tmp_path / "new", *kept) == 2
    assert "checkpoint 1 states another record 3" in capsys.readouterr().err


def test_a_tables_backup_is_signed_with_the_tables_key(tmp_path: Path) -> None:
    data = tmp_path / "table"
    with closing(Ledger.open(data / "table-01.ledger")) as ledger:
        ledger.begin_epoch(1)
        facts = [EpochBegan(ledger.identity(), ledger.key.public), FloorCalled()]
        ledger.commit(entries=chain(ledger.head, facts, at=AT, venue="hall", table="01", key=ledger.key))
        key = ledger.key.public
    assert main(["backup", str(data), "--to", str(tmp_path / "kept")]) == 0
    (made,) = backups(tmp_path / "kept")
    assert restore(made, tmp_path / "new") == 2
    assert restore(made, tmp_path / "new", "--public", key) == 0


# ---------------------------------------------------------------------------------------- what is in it


def test_a_file_that_no_process_starts_from_is_refused(made: Path, tmp_path: Path, capsys: Output) -> None:
    """The hash in the manifest fits: an attacker wrote it, or the program of that time did."""
    content = b"SQLite format 3\0" + b"x" * 5_000
    (made / "station.db").write_bytes(content)

    def change(document: dict[str, Any]) -> None:
        (entry,) = (one for one in document["files"] if one["name"] == "station.db")
        entry["bytes"], entry["sha256"] = len(content), sha256(content).hexdigest()

    rewritten(made, change)
    assert restore(made, tmp_path / "new", "--unauthenticated") == 2
    assert "no process starts from it" in capsys.readouterr().err
    assert written(tmp_path / "new") == set()


def test_a_broken_chain_is_refused(made: Path, data: Path, tmp_path: Path, capsys: Output) -> None:
    path = made / "tournament.ledger"
    content = path.read_bytes().replace(b'"no":2,', b'"no":7,')
    assert content != path.read_bytes()
    path.write_bytes(content)

    def change(document: dict[str, Any]) -> None:
        (entry,) = (one for one in document["files"] if one["name"] == "tournament.ledger")
        entry["sha256"] = sha256(content).hexdigest()

    rewritten(made, change)
    assert restore(made, tmp_path / "new", "--unauthenticated") == 2
    assert "does not continue the one before" in capsys.readouterr().err


# ---------------------------------------------------------------------------------- half, full, in use


def test_a_destination_in_use_is_refused(made: Path, data: Path, public: str, capsys: Output) -> None:
    holds = (
        "import sys, pathlib; from feltwire.station.station_store import StationStore; "
        "store = StationStore.open(pathlib.Path(sys.argv[1])); print('up', flush=True); sys.stdin.read()"
    )
    (data / "tournament.ledger").unlink()
    with subprocess.Popen(
        [sys.executable, "-c", holds, str(data)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"up\n"
        assert restore(made, data, "--only", "tournament.ledger") == 2
        assert "a process has station.db open; stop it first" in capsys.readouterr().err
        process.kill()
    assert restore(made, data, "--only", "tournament.ledger") == 0


def test_a_disk_that_is_too_small_is_said_before_anything_is_there(
    made: Path, public: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Output
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda path: shutil._ntuple_diskusage(10, 9, 1))  # type: ignore[attr-defined]
    assert restore(made, tmp_path / "new", "--public", public) == 2
    assert "free space on it" in capsys.readouterr().err
    assert written(tmp_path / "new") == set()


def test_a_disk_that_fills_up_meanwhile_leaves_nothing(
    made: Path, public: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Output
) -> None:
    copied = restore_module._copy

    def full(backup: Path, file: Any, staging: Path) -> None:
        if file.name == "tournament.ledger":
            (staging / file.name).write_bytes(b"half")
            raise OSError(28, "No space left on device")
        copied(backup, file, staging)

    monkeypatch.setattr(restore_module, "_copy", full)
    assert restore(made, tmp_path / "new", "--public", public) == 2
    assert "No space left on device" in capsys.readouterr().err
    assert written(tmp_path / "new") == set()


@pytest.mark.parametrize("after", range(4))
def test_a_half_restore_starts_no_process_and_the_same_command_goes_on(
    made: Path, public: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after: int
) -> None:
    """Killed after so many files were put in place."""
    new = tmp_path / "new"
    script = (
        "import os, pathlib, sys; left = [int(sys.argv[1])]; plain = pathlib.Path.replace\n"
        "def cut(path, to):\n"
        "    if left[0] == 0: os._exit(9)\n"
        "    left[0] -= 1; return plain(path, to)\n"
        "pathlib.Path.replace = cut\n"
        "import feltwire.tools.restore as restore; rmtree = restore.shutil.rmtree\n"
        "restore.shutil.rmtree = lambda path, **how: rmtree(path, **how) if how else os._exit(9)\n"
        "from feltwire.cli import main; main(sys.argv[2:])"
    )
    arguments = ["restore", str(made), "--to", str(new), "--public", public]
    killed = subprocess.run([sys.executable, "-c", script, str(after), *arguments], check=False)
    assert killed.returncode == 9
    assert (new / RESTORING).is_dir()
    for opened in (StationStore.open, lambda path: Ledger.open(path / "table-09.ledger")):
        with pytest.raises(UsageError, match="a restore did not end there"):
            opened(new)
    assert main(arguments) == 0
    assert written(new) == {"station.db", "station.ledger", "tournament.ledger"}
    StationStore.open(new).close()


def test_a_backup_that_lacks_a_file_is_no_whole_one(
    data: Path, public: str, tmp_path: Path, capsys: Output
) -> None:
    ledger = data / "tournament.ledger"
    ledger.write_bytes(b"SQLite format 3\0" + b"x" * 5_000)
    assert main(["backup", str(data), "--to", str(tmp_path / "kept")]) == 1
    (made,) = backups(tmp_path / "kept")
    capsys.readouterr()
    assert restore(made, tmp_path / "new", "--public", public) == 2
    assert "lacks tournament.ledger, damaged when it was made" in capsys.readouterr().err
    assert restore(made, tmp_path / "new", "--public", public, "--only", "station.ledger") == 0


def test_the_signature_covers_every_word_of_the_manifest(made: Path, public: str) -> None:
    manifest = read_manifest(made).manifest
    raw = (made / MANIFEST).read_bytes()
    assert read_manifest(made).signed_by([public])
    for name in msgspec.structs.fields(BackupManifest):
        if name.name in ("format", "signature"):
            continue
        value = () if isinstance(getattr(manifest, name.name), tuple) else 0 if name.name == "made_at" else public
        changed = msgspec.json.encode(msgspec.structs.replace(manifest, **{name.name: value}))
        if changed != raw:
            (made / MANIFEST).write_bytes(changed)
            assert not read_manifest(made).signed, name.name
