"""Every command that takes a file, with files that are none of what it wants: one line that says what to do, never
a traceback."""

from __future__ import annotations

import os
import random
import re
import subprocess
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from feltwire.cli import COMMANDS, main
from feltwire.ledger.chain import chain
from feltwire.ledger.table_ledger import Ledger
from feltwire.ledger.tournament_ledger import TournamentLedger
from feltwire.private_files import python
from feltwire.relay.relay_store import RelayStore
from feltwire.station.station_store import StationStore
from firmware_bridge.decks import generate
from table_core.messages import AnyEvent, EpochBegan, FloorCalled
from table_core.tournament.night import Recorded
from tests.feltwire.dealt import AT
from tests.feltwire.processes import table_settings
from tests.feltwire.tools.test_in_and_out import TDT
from tests.table_core.histories.test_phh import HAND
from tests.table_core.tournament.simulated import Simulated

Output = pytest.CaptureFixture[str]
HUGE = 400_000  # more than a message, a cell of a CSV or a stack bears


# Of each kind of wrong file: what lies at a path. `/proc/self/mem` opens and cannot be read, also by root.
def _sqlite(path: Path) -> None:
    RelayStore.open(path).close()


def _records_of_later(path: Path) -> None:
    RelayStore.open(path).close()
    raw = bytearray(path.read_bytes())
    raw[60:64] = (0x7F07).to_bytes(4, "big")  # user_version
    path.write_bytes(raw)


def _cut(path: Path) -> None:
    _sqlite(path)
    os.truncate(path, 5_000)


BAD: dict[str, Callable[[Path], object]] = {
    "missing": lambda path: None,
    "empty": lambda path: path.write_bytes(b""),
    "a line feed": lambda path: path.write_bytes(b"\n"),
    "binary": lambda path: path.write_bytes(random.Random(7).randbytes(5_000)),
    "zeros": lambda path: path.write_bytes(bytes(5_000)),
    "huge": lambda path: path.write_bytes(b"[" * HUGE),
    "one long line": lambda path: path.write_bytes(b"a" * HUGE),
    "deep": lambda path: path.write_bytes(b"a = " + b"[" * 5_000 + b"]" * 5_000),
    "deep JSON": lambda path: path.write_bytes(b"[" * 100_000 + b"]" * 100_000),
    "a long number": lambda path: path.write_bytes(b'{"a": %s}' % (b"9" * 5_000)),
    "a folder": lambda path: path.mkdir(),
    "a loop": lambda path: path.symlink_to(path),
    "unreadable": lambda path: path.symlink_to("/proc/self/mem"),
    "Latin-1": lambda path: path.write_bytes('title = "Hôtel Bär"\n'.encode("latin-1")),
    "UTF-16": lambda path: path.write_bytes('title = "Hotel"\n'.encode("utf-16")),
    "BOM": lambda path: path.write_bytes(b"\xef\xbb\xbfa = 1\n"),
    "JSON": lambda path: path.write_bytes(b'{"a": [1, null, {"b": 2e400}], "format": 1}\n'),
    "a JSON number": lambda path: path.write_bytes(b"17\n"),
    "TOML": lambda path: path.write_bytes(b'table = 1\ndeck = 3\nlevels = "x"\n[broker]\nurl = []\n'),
    "CSV": lambda path: path.write_bytes(b'name,seat\n"Ann, 1\n,,,\n=1+1,"\x00"\n'),
    "a picture": lambda path: path.write_bytes(b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\xff\xff\xff\xff"),
    "another database": _sqlite,
    "a later database": _records_of_later,
    "a cut database": _cut,
}

# Each door for a file; FILE is it. `made` are whole files that the command needs beside.
DOORS = """
hands verify FILE --key {key}
hands verify FILE.json --key {key}
hands key FILE
hands export FILE --to {new}
coverage export FILE --to {new} --at https://example.org
replay FILE
replay FILE.json
replay FILE.ohh
replay FILE/none
replay {hands} --rulebook FILE
replay {hands} --rulebook FILE.toml
scenario FILE
scenario FILE.txt
night FILE
equity FILE AhKd
table --config FILE
station --config FILE
clock --config FILE
relay --config FILE
obs --config FILE
audit FILE
audit FILE --key {key}
delay --config FILE
delay measure --source FILE --pictures 1
verify FILE
verify {ledger} --checkpoints FILE
verify {ledger} --station FILE
verify {ledger} --rulebook FILE.toml
verify {ledger} --releases FILE --key {key}
backup FILE --to {new}
backup {data} --to FILE
restore FILE --to {new}
restore {backup} --to FILE
restore {backup} --to {new} --only FILE
restore {backup} --to {new} --public {key} --checkpoints FILE
plan --check FILE
plan --check FILE.toml
plan --check FILE.csv
plan --convert FILE
plan --convert FILE.toml
plan --rulebook FILE.toml --players 20
season FILE
season FILE --points 3 2 1
season {new}.jsonl --add FILE
season {new}.jsonl --add FILE.tdt
season {season} --names FILE --points 3 2 1
season {season} --rulebook FILE.toml
export FILE --format phh
export {ledger} --format phh --rulebook FILE.toml
export {ledger} --format phh --out FILE
rules --profile FILE.toml
players FILE
players FILE.csv
players FILE.tdt
sheets FILE
sheets FILE players
rulebook check FILE
rulebook check FILE.toml
vision cards FILE
vision cards FILE.png
vision chips FILE --set FILE
vision enrol FILE.png --chips 25 --out {new}
vision score FILE
vision lens FILE --out {new}
vision check FILE
vision check FILE --lens FILE
vision calibrate FILE
device test FILE --wait 0.01
deck list --config FILE
deck list --config {config_of_file}
deck export --config {config} --to FILE
deck merge --config {config} FILE
deck merge --config {config_of_file} {decks}
table --config {config_of_file}
deck use --config {config_of_file} red
deck rotate --config {config_of_file}
deck check --config FILE
doctor --config FILE
provision check FILE.toml
provision bundles FILE.toml {new}
provision bundles FILE
provision new FILE/hall --tables 2
install clock --bundle FILE
install --bundle FILE
upgrade FILE
program show FILE
program key FILE/key
program make --wheel FILE --key {new} --out {new}
program make --wheel FILE.whl --key FILE --out {new}
home --book FILE.toml --data {new}
practise --book FILE --no-browser
home --data FILE --export {new}
support-bundle --config FILE --out {new}
support-bundle --config {config_of_file} --out {new}
provision venue FILE --tables 01
provision venue FILE --tables 01 --host localhost
provision list FILE
provision renew FILE --all
provision revoke FILE table-01
provision key FILE
provision key FILE/key
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Whole files, by the name that the doors above have for them."""
    folder = tmp_path_factory.mktemp("made")
    played = Simulated("rpl", 9, seed=5)
    played.play()
    data = folder / "data"
    with closing(TournamentLedger.open(data / "tournament.ledger")) as ledger:
        ledger.append(played.night.records)
    StationStore.open(data).close()
    assert main(["backup", str(data), "--to", str(folder / "backups")]) == 0
    (backup,) = (folder / "backups").iterdir()
    season = folder / "season.jsonl"
    assert main(["season", str(season), "--add", str(data / "tournament.ledger"), "--event", "one"]) == 0
    (folder / "decks.toml").write_text(generate(7))
    (folder / "decks.toml").chmod(0o600)
    (folder / "hands").mkdir()
    (folder / "table-01.ledger.key").write_bytes(b"k" * 32)  # the same bytes are changed in every run
    with closing(Ledger.open(folder / "table-01.ledger")) as ledger:
        facts: list[AnyEvent] = [EpochBegan("1" * 16, ledger.key.public), FloorCalled()]
        ledger.begin_epoch(1)
        ledger.commit(entries=chain(ledger.head, facts, at=AT, venue="hall", table="01", key=ledger.key))
    config = folder / "table.toml"
    config.write_text(_with_decks(table_settings(folder, "", 1), folder / "decks.toml"))
    return {
        "hands": str(folder / "hands"),
        "ledger": str(data / "tournament.ledger"),
        "table": str(folder / "table-01.ledger"),
        "data": str(data),
        "backup": str(backup),
        "season": str(season),
        "config": str(config),
        "decks": str(folder / "decks.toml"),
        "key": "ab" * 32,
    }


def _with_decks(settings: str, decks: Path) -> str:
    return f'decks = "{decks}"\n{settings}'


def arguments_of(door: str, file: Path, made: dict[str, str], folder: Path) -> list[str]:
    (folder / "table.toml").write_text(_with_decks(table_settings(folder, "", 1), file))
    here = {"new": str(folder / "new"), "config_of_file": str(folder / "table.toml")}
    return [one.format(**made, **here).replace("FILE", str(file)) for one in door.split()]


def fault_of(arguments: list[str], capsys: Output) -> str:
    """What is wrong with the end of this command, empty where it ends as a command must."""
    capsys.readouterr()
    try:
        status: str | int | None = main(arguments)
    except SystemExit as ended:
        status = ended.code
    except Exception as error:  # noqa: BLE001  (a traceback, in a shell)
        return f"{type(error).__name__}: {str(error)[:200]}"
    said = capsys.readouterr().err
    if status not in (0, 1, 2):
        return f"status {status}"
    if status == 2 and (said.count("\n") != 1 or len(said) > 2_300):
        return f"says {said[:300]!r}"
    return ""


@pytest.mark.parametrize(("number", "door"), [*enumerate(DOORS.strip().splitlines())])
def test_a_file_that_is_something_else_is_one_line(
    number: int, door: str, made: dict[str, str], tmp_path: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("feltwire.relay.process.harden_process", lambda: None)  # of this very process
    monkeypatch.setattr("feltwire.delay_box.process.harden_process", lambda: None)
    monkeypatch.setattr("feltwire.table.process.harden_process", lambda: None)
    suffix = next((Path(word).suffix for word in door.split() if word.startswith("FILE.")), "")
    wrong = []
    for kind in [*BAD][number % 3 :: 3]:  # each kind at every third door: all of them take three times as long
        folder = tmp_path / kind
        folder.mkdir()
        file = folder / f"file{suffix}"
        BAD[kind](file)
        fault = fault_of(arguments_of(door.replace(f"FILE{suffix}", "FILE"), file, made, folder), capsys)
        wrong += [f"{kind}: {fault}"] if fault else []
    assert not wrong, "\n".join([door, *wrong])


def test_every_command_that_takes_a_file_has_a_door_above() -> None:
    takes_none = {"demo", "bench", "docs", "rollback", "shell"}
    assert {door.split()[0] for door in DOORS.strip().splitlines()} == set(COMMANDS) - takes_none


# ---------------------------------------------------------------------------- whole files, a little changed

ROOT = Path(__file__).parents[3]
SCHEDULE = b"level,small_blind,big_blind,ante,big_blind_ante,minutes,break,what,colour_up\n1,50,100,0,0,20,,,0\n"
WHOLE: dict[str, Callable[[dict[str, str]], bytes]] = {
    "deck merge --config {config} FILE": lambda made: Path(made["decks"]).read_bytes(),
    "deck list --config {config_of_file}": lambda made: Path(made["decks"]).read_bytes(),
    "deck list --config FILE": lambda made: Path(made["config"]).read_bytes(),
    "hands key FILE": lambda made: f'box = "{"12" * 32}"\nsign = "{"34" * 32}"\n'.encode(),
    "rulebook check FILE.toml": lambda made: (ROOT / "tests/nights/own/friday.toml").read_bytes(),
    "plan --rulebook FILE.toml --players 20": lambda made: (ROOT / "tests/nights/own/friday.toml").read_bytes(),
    "season {season} --rulebook FILE.toml": lambda made: (ROOT / "tests/nights/own/friday.toml").read_bytes(),
    "season FILE --points 3 2 1": lambda made: Path(made["season"]).read_bytes(),
    "season {new}.jsonl --add FILE.ledger": lambda made: Path(made["ledger"]).read_bytes(),
    "season {new}.jsonl --add FILE.tdt": lambda made: TDT.encode(),
    "players FILE.tdt": lambda made: TDT.encode(),
    "players FILE.csv": lambda made: b"id,name,member,signed_up\np1,Ann,yes,2026-11-24\np2,Ben,no,\n",
    "plan --check FILE.csv": lambda made: SCHEDULE,
    "plan --check FILE.toml": lambda made: (
        b"[[levels]]\nno = 1\nsmall_blind = 50\nbig_blind = 100\nminutes = 20\n"
    ),
    "replay FILE.phh": lambda made: HAND.encode(),
    "export FILE.ledger --format phh": lambda made: Path(made["table"]).read_bytes(),
    "verify FILE.ledger": lambda made: Path(made["table"]).read_bytes(),
    "scenario FILE.txt": lambda made: (ROOT / "tests/scenarios/base/all-in-face-up.txt").read_bytes(),
    "night FILE.txt": lambda made: (ROOT / "tests/nights/base/a-kept-seat-is-not-drawn.txt").read_bytes(),
    "provision key FILE.key": lambda made: b"x",
}
ODD = (b"-1", b"0", b"9" * 400, b"1e999", b"nan", b"null", b"[]", b"{}", b"true", b'""', b"\xff", b"\x00")


def changed(content: bytes, chance: random.Random) -> bytes:
    """Cut off, a piece gone or twice, a byte or a number that is another."""
    at = chance.randrange(len(content))
    size = chance.randint(1, 40)
    match chance.randrange(5):
        case 0:
            return content[:at]
        case 1:
            return content[:at] + content[at + size :]
        case 2:
            return content[:at] + content[at : at + size] + content[at:]
        case 3:
            return content[:at] + chance.randbytes(1) + content[at + 1 :]
    numbers = [*re.finditer(rb'[0-9]+|"[^"\n]*"', content)] or [*re.finditer(b"$", content)]
    one = chance.choice(numbers)
    return content[: one.start()] + chance.choice(ODD) + content[one.end() :]


@pytest.mark.parametrize("door", WHOLE)
def test_a_whole_file_with_a_few_bytes_changed_is_one_line(
    door: str, made: dict[str, str], tmp_path: Path, capsys: Output
) -> None:
    content, chance, wrong = WHOLE[door](made), random.Random(door), []
    suffix = next((Path(word).suffix for word in door.split() if word.startswith("FILE.")), "")
    for number in range(6):
        folder = tmp_path / str(number)
        folder.mkdir()
        file = folder / f"file{suffix}"
        file.write_bytes(changed(content, chance))
        fault = fault_of(arguments_of(door.replace(f"FILE{suffix}", "FILE"), file, made, folder), capsys)
        wrong += [f"{number}: {fault}"] if fault else []
    assert not wrong, "\n".join([door, *wrong])


def test_records_that_contradict_each_other_add_nothing_to_a_season(
    made: dict[str, str], tmp_path: Path, capsys: Output
) -> None:
    with closing(TournamentLedger.open(Path(made["ledger"]), read_only=True)) as ledger:
        records = ledger.records()
    with closing(TournamentLedger.open(tmp_path / "tournament.ledger")) as other:
        again = enumerate([*records[:4], *records[:4]], 1)
        other.append([Recorded(no, one.at, one.command, one.by, one.event) for no, one in again])
    season = ["season", str(tmp_path / "new.jsonl"), "--add", str(tmp_path / "tournament.ledger")]
    assert fault_of(season, capsys) == ""
    assert not (tmp_path / "new.jsonl").exists()


# --------------------------------------------------------------------------------------------- arguments

CALLS = """
hands verify {ledger} --key X
hands X
hands export X --to {new}
coverage export X --to {new} --at https://example.org
coverage export {data} --to {new} --at X
coverage X
replay X
replay {hands} --rulebook X
scenario {hands} --rulebook X
equity X AhKd
equity AhKd QsQc --board X
verify {ledger} --until X
verify {ledger} --public X
verify {ledger} --rulebook X
verify {ledger} --releases {ledger} --key X
backup {data} --to {new} --keep X
backup {data} --to {new} --every X
restore {backup} --to {new} --only X
restore {backup} --to {new} --public X
plan --players X
plan --players 20 --stack X
plan --players 20 --hours X
plan --players 20 --minutes X
plan --players 20 --levels X
plan --players 20 --smallest-chip X
plan --players 20 --doubling X
plan --players 20 --starts X
plan --players 20 --chips X
plan --rulebook X
season {season} --points X
season {season} --points 3 2 1 --declined X
season {new}.jsonl --add {ledger} --event X
export {ledger} --format X
export {ledger} --format phh --table X
rules --profile X
sheets {data} X
rulebook check X
device test X --wait 0.01
deck export --config {config} X --to {new}
deck use --config {config} X
provision venue {new} --tables X
provision venue {new} --tables 01 --venue X
provision venue {new} --tables 01 --host X
provision venue {new} --tables 01 --port X
provision venue {new} --tables 01 --more X
provision venue {new} --tables 01 --pages X
provision venue {new} --tables 01 --page X
provision list X
bench X
X
"""
VALUES = ("", "-1", "0", "x", "9" * 40, "1.5e9", "nan", "inf", "a\nb", "\udcff", "é" * 5_000, "..", "=x")


@pytest.mark.parametrize("call", CALLS.strip().splitlines())
def test_an_odd_argument_is_one_line(
    call: str, made: dict[str, str], tmp_path: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = []
    values = VALUES[::3] if call.startswith("provision venue") else VALUES  # it makes many keys
    for number, value in enumerate(values):
        folder = tmp_path / str(number)
        folder.mkdir()
        monkeypatch.chdir(folder)
        here = {"new": str(folder / "new")}
        arguments = [value if one == "X" else one.format(**made, **here) for one in call.split()]
        fault = fault_of(arguments, capsys)
        wrong += [f"{value[:30]!r}: {fault}"] if fault else []
    assert not wrong, "\n".join([call, *wrong])


def test_a_reader_of_the_overview_that_is_gone_is_no_error() -> None:
    """`feltwire --help | head -2` ended with a BrokenPipeError."""
    reads, writes = os.pipe()
    os.close(reads)
    done = subprocess.run(python("feltwire", "--help"), stdout=writes, stderr=subprocess.PIPE, check=False)
    os.close(writes)
    assert (done.returncode, done.stderr) == (141, b"")
