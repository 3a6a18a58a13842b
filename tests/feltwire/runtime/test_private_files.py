"""Another user of the machine reads nothing of a room and puts nothing into it."""

from __future__ import annotations

import contextlib
import os
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from nacl.public import PrivateKey

from feltwire.errors import UsageError
from feltwire.lab.demo.broker import EmbeddedBroker
from feltwire.private_files import python
from feltwire.relay.keys import RelayKeys
from feltwire.table.recovery import Kept, RecoveryKeys
from table_core.messages import encode
from tests.feltwire.processes import PATIENCE_S, Process, station_settings, table_settings
from tests.ports import free_port
from vision.camera.frames import SocketCamera

NOBODY = 65534
SOURCES = Path(__file__).parents[3] / "feltwire"
NO_BROKER = "mqtt://127.0.0.1:9"

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can be two users")


@pytest.fixture
def careless() -> Iterator[None]:
    """Started by hand from a shell that keeps nothing private."""
    before = os.umask(0)
    yield
    os.umask(before)


def relay_settings(folder: Path, port: int) -> str:
    RelayKeys.generate().save(folder / "cards.key")
    return (
        f'venue = "hall"\ndata = "{folder / "relay-data"}"\nkey = "{folder / "cards.key"}"\ntables = ["01"]\n'
        f'delay_s = "0"\n[broker]\nurl = "{NO_BROKER}"\n[web]\nport = {port}\n'
    )


def settings_of(command: str, folder: Path, port: int) -> str:
    match command:
        case "station":
            return station_settings(folder, NO_BROKER, port)
        case "table":
            return table_settings(folder, f'[broker]\nurl = "{NO_BROKER}"\n', port)
        case _:
            return relay_settings(folder, port)


READY = {"station": "director", "table": "waiting for the broker", "relay": "connection refused"}
WIDE = {
    "station": ["station.db"],
    "table": ["table-01.ledger", "table-01.ledger-wal"],
    "relay": ["relay.db", "releases.jsonl", "hands.db"],
}


def modes(folder: Path) -> dict[str, str]:
    found = {}
    for path in sorted(folder.rglob("*")):
        with contextlib.suppress(FileNotFoundError):  # the process replaces its files while they are read
            found[path.name] = oct(stat.S_IMODE(path.lstat().st_mode))
    return found


@pytest.mark.parametrize("command", ["station", "table", "relay"])
@pytest.mark.parametrize("before", ["new", "wide"])
def test_only_its_user_reads_what_a_process_keeps(
    command: str, before: str, tmp_path: Path, careless: None
) -> None:
    data = tmp_path / f"{command}-data"
    if before == "wide":  # as an earlier release left them
        data.mkdir(mode=0o755)
        for name in WIDE[command]:
            (data / name).touch(mode=0o644)
    with Process(command, tmp_path, free_port(), settings_of(command, tmp_path, free_port())) as process:
        process.says(READY[command])
        kept = modes(data)
        assert set(WIDE[command]) - {"table-01.ledger-wal", "releases.jsonl"} <= set(kept)
        assert set(kept.values()) == {"0o600"}
        if before == "new":
            assert stat.S_IMODE(data.stat().st_mode) == 0o700


def refused(command: str, folder: Path) -> str:
    """What a process that must not start says in its one line."""
    process = Process(command, folder, 0, settings_of(command, folder, free_port()))
    done = subprocess.run(
        python("feltwire", command, "--config", str(process.config)),
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert done.returncode == 2, done.stderr
    assert "Traceback" not in done.stderr
    return done.stderr.splitlines()[-1]


def open_to_all(data: Path) -> None:
    data.mkdir()
    data.chmod(0o777)


def ledger_is_a_link(data: Path) -> None:
    data.mkdir()
    (data.parent / "elsewhere").write_bytes(b"")
    (data / "table-01.ledger").symlink_to(data.parent / "elsewhere")


def ledger_of_another(data: Path) -> None:
    data.mkdir()
    (data / "table-01.ledger").touch()
    os.chown(data / "table-01.ledger", NOBODY, NOBODY)


@pytest.mark.parametrize(
    ("plant", "words"),
    [
        (open_to_all, "chmod 700"),
        (ledger_is_a_link, "name the file itself"),
        pytest.param(ledger_of_another, "belongs to another user", marks=as_root),
    ],
)
def test_a_ledger_that_another_user_could_have_written_is_refused(
    plant: Callable[[Path], None], words: str, tmp_path: Path
) -> None:
    plant(tmp_path / "table-data")
    assert words in refused("table", tmp_path)


# --- recovery keys in memory that every user may write to


def planted_by(user: int, folder: Path) -> PrivateKey:
    """Another user makes the folder that the table would make, and a key in it that he knows."""
    key = PrivateKey.generate()
    folder.parent.mkdir()
    folder.parent.chmod(0o1777)  # as /dev/shm
    child = os.fork()
    if not child:  # pragma: no cover
        os.setuid(user)
        os.mkdir(folder, 0o777)
        (folder / "999.key").write_bytes(bytes(key))
        (folder / "999.key").chmod(0o644)
        os.chmod(folder, 0o777)
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    return key


@as_root
def test_a_key_that_another_user_planted_seals_nothing(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    for above in tmp_path.parents[:3]:
        above.chmod(above.stat().st_mode | 0o055)  # pytest's folders are private; /dev/shm is not
    folder = tmp_path / "shm" / "feltwire-00"
    planted_by(NOBODY, folder)
    with pytest.raises(UsageError, match="belongs to another user"):
        RecoveryKeys(folder, os.urandom)


def a_link(folder: Path) -> None:
    (folder.parent / "theirs").mkdir(mode=0o700)
    folder.symlink_to(folder.parent / "theirs")


def open_to_others(folder: Path) -> None:
    folder.mkdir()
    folder.chmod(0o770)


def a_key_that_others_read(folder: Path) -> None:
    folder.mkdir(mode=0o700)
    (folder / "9.key").write_bytes(bytes(PrivateKey.generate()))
    (folder / "9.key").chmod(0o644)


def a_key_that_is_a_link(folder: Path) -> None:
    folder.mkdir(mode=0o700)
    (folder.parent / "victim").write_bytes(bytes(PrivateKey.generate()))
    (folder.parent / "victim").chmod(0o600)
    (folder / "9.key").symlink_to(folder.parent / "victim")


def a_key_with_a_second_name(folder: Path) -> None:
    folder.mkdir(mode=0o700)
    (folder.parent / "victim").write_bytes(bytes(PrivateKey.generate()))
    (folder.parent / "victim").chmod(0o600)
    (folder / "9.key").hardlink_to(folder.parent / "victim")


def a_pipe(folder: Path) -> None:
    folder.mkdir(mode=0o700)
    os.mkfifo(folder / "9.key", 0o600)


@pytest.mark.parametrize(
    "plant",
    [a_link, open_to_others, a_key_that_others_read, a_key_that_is_a_link, a_key_with_a_second_name, a_pipe],
)
def test_recovery_keys_that_may_be_planted_are_refused_in_words(
    plant: Callable[[Path], None], tmp_path: Path
) -> None:
    plant(tmp_path / "run")
    with pytest.raises(UsageError, match="remove it"):
        RecoveryKeys(tmp_path / "run", os.urandom)
    if (tmp_path / "victim").exists():
        assert any((tmp_path / "victim").read_bytes()), "and nothing is overwritten through a link"


def test_keys_of_its_own_are_taken_up_again(tmp_path: Path) -> None:
    keys = RecoveryKeys(tmp_path / "run", os.urandom)
    box = keys.seal(encode(Kept("00", "", "As")))
    again = Kept.read(RecoveryKeys(tmp_path / "run", os.urandom).open(box))
    assert again is not None
    assert again.card == "As"


# --- modules in the folder from which a room is started


@pytest.fixture
def planted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder holds modules by names that every process imports; PYTHONPATH names it too, as an
    empty entry does. Returned is the mark that they leave when they are imported."""
    folder, mark = tmp_path / "downloads", tmp_path / "imported"
    folder.mkdir()
    code = f"open({str(mark)!r}, 'a').write(__name__)\n"
    for name in ("json", "msgspec", "asyncio", "argparse"):
        (folder / f"{name}.py").write_text(code + "raise SystemExit(3)\n")
    (folder / "feltwire").mkdir()
    (folder / "feltwire" / "__init__.py").write_text(code)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("PYTHONPATH", ":")
    return mark


def test_a_child_imports_nothing_from_the_folder_where_it_is_started(planted: Path) -> None:
    with EmbeddedBroker(free_port()) as broker:
        assert broker.running
    assert not planted.exists()


def test_the_command_imports_nothing_from_the_folder_where_it_is_called(
    planted: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PYTHONPATH")  # the person's own word, which the command line obeys
    done = subprocess.run([Path(sys.executable).with_name("feltwire"), "--help"], capture_output=True, check=False)
    assert done.returncode == 0
    assert not planted.exists()


def test_every_child_of_the_program_is_started_so() -> None:
    starting = [path.name for path in SOURCES.rglob("*.py") if "sys.executable" in path.read_text()]
    assert starting == ["private_files.py"]
    assert python("feltwire", "table")[1:] == ("-I", "-m", "feltwire", "table")


def test_relay_keys_that_others_may_read_are_refused(tmp_path: Path) -> None:
    settings = relay_settings(tmp_path, free_port())
    (tmp_path / "cards.key").chmod(0o644)
    (tmp_path / "relay.toml").write_text(settings)
    done = subprocess.run(
        python("feltwire", "relay", "--config", str(tmp_path / "relay.toml")),
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert done.returncode == 2
    assert "cards.key: others may read it: chmod 600" in done.stderr


@as_root
def test_a_camera_socket_of_another_user_shows_the_table_nothing(tmp_path: Path) -> None:
    """Whoever makes the path first would choose what the table sees."""
    tmp_path.chmod(0o755)
    path = tmp_path / "camera"
    server = (
        "import os, socket, sys; s = socket.socket(socket.AF_UNIX); s.bind(sys.argv[1]); s.listen(); "
        f"os.setuid({NOBODY}); s.listen(); print('ready', flush=True); s.accept(); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", server, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as planted:
        assert planted.stdout is not None
        planted.stdout.readline()
        camera = SocketCamera("socket", str(path))
        assert camera.read(0.0) is None
        assert "another user" in camera.trouble
        camera.close()
        planted.kill()
