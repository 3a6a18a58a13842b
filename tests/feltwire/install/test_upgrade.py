"""Another release on a machine: what is refused before anything changes, the way back, a kill at every step."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from nacl.signing import SigningKey

from feltwire.errors import UsageError
from feltwire.install.hosts_file import lines_of, with_names
from feltwire.install.programs import point
from feltwire.install.upgrade import BACK, SENT, Failed, Programs, Sent, opened
from tests.feltwire.install.releases import PUBLIC, program, release
from tests.feltwire.install.switched import Healthy, Keys, state, two_programs


class Roles(Healthy):
    """Roles that do not work with some programs, and what was asked of them."""

    def __init__(self, *, dead: str = "", red: str = "") -> None:
        self._dead, self._red = dead, red
        self.settled: list[str] = []

    def newly_red(self, program: Path, before: Path) -> str:
        return "table-01: records: of a later version" if program.name == self._red else ""

    def settle(self, program: Path) -> None:
        self.settled.append(program.name)

    def fault(self, version: str) -> str:
        return "station: it does not answer" if version == self._dead else ""


def test_back_and_forward_again_each_program_with_its_own_services(tmp_path: Path) -> None:
    two_programs(tmp_path)
    roles, said = Roles(), list[str]()
    programs = Programs(tmp_path, roles, said.append, Keys())
    programs.roll_back()
    assert state(tmp_path) == ["1.0.0", "2.0.0"]
    programs.roll_back()
    assert state(tmp_path) == ["2.0.0", "1.0.0"]
    assert roles.settled == ["1.0.0", "2.0.0"]
    assert said[-1] == "2.0.0 works"


def test_a_program_that_does_not_work_is_left_again(tmp_path: Path) -> None:
    two_programs(tmp_path)
    roles = Roles(dead="1.0.0")
    with pytest.raises(Failed, match=r"station: it does not answer; back to 2\.0\.0, which works"):
        Programs(tmp_path, roles, lambda words: None, Keys()).roll_back()
    assert state(tmp_path) == ["2.0.0", "1.0.0"]
    assert roles.settled == ["1.0.0", "2.0.0"]
    assert not (tmp_path / "upgrade.json").exists()


class Ended(Roles):
    """Somebody ends the command while the new program starts."""

    def restart(self) -> None:
        if self.settled == ["1.0.0"]:
            raise KeyboardInterrupt


def test_who_ends_the_command_in_the_middle_has_the_program_that_ran_before(tmp_path: Path) -> None:
    two_programs(tmp_path)
    roles = Ended()
    with pytest.raises(KeyboardInterrupt):
        Programs(tmp_path, roles, lambda words: None, Keys()).roll_back()
    assert (state(tmp_path), roles.settled) == (["2.0.0", "1.0.0"], ["1.0.0", "2.0.0"])
    assert not (tmp_path / "upgrade.json").exists()


def test_a_program_whose_doctor_calls_something_red_is_not_started(tmp_path: Path) -> None:
    two_programs(tmp_path)
    roles = Roles(red="1.0.0")
    with pytest.raises(UsageError, match="records: of a later version; nothing was changed"):
        Programs(tmp_path, roles, lambda words: None, Keys()).roll_back()
    assert (state(tmp_path), roles.settled) == (["2.0.0", "1.0.0"], [])


def test_without_an_earlier_program_there_is_no_way_back(tmp_path: Path) -> None:
    programs = Programs(tmp_path, Roles(), lambda words: None, Keys())
    with pytest.raises(UsageError, match="leads to no program"):
        programs.roll_back()
    point(tmp_path / "current", program(tmp_path, "1.0.0"))
    with pytest.raises(UsageError, match="no earlier release"):
        programs.roll_back()


@pytest.mark.parametrize(
    ("version", "keys", "said"),
    [
        ("1.9.0", (PUBLIC,), "is older than 2.0.0"),
        ("2.0.0.dev20300101000000", (PUBLIC,), "is older than 2.0.0"),
        ("2.0.0", (PUBLIC,), "has Feltwire 2.0.0 already"),
        ("2.1.0", (SigningKey(bytes(32)).verify_key.encode().hex(),), "another venue's, or a forgery"),
        ("2.1.0", (), "trusts no release key"),
    ],
)
def test_a_release_that_a_machine_does_not_take_changes_nothing(
    tmp_path: Path, version: str, keys: tuple[str, ...], said: str
) -> None:
    two_programs(tmp_path)
    before = sorted(tmp_path.iterdir())
    path = release(tmp_path.with_name("releases"), version)
    with opened(path) as file, pytest.raises(UsageError, match=said):
        Programs(tmp_path, Roles(), lambda words: None, Keys(*keys)).upgrade(file)
    assert sorted(tmp_path.iterdir()) == before


def test_one_upgrade_at_a_time(tmp_path: Path) -> None:
    two_programs(tmp_path)
    programs = Programs(tmp_path, Roles(), lambda words: None, Keys())
    with programs._alone(), pytest.raises(UsageError, match="another upgrade is under way"):
        programs.roll_back()
    programs.roll_back()


def test_a_machine_that_is_killed_before_any_operation_starts_with_a_whole_program(tmp_path: Path) -> None:
    command = (sys.executable, "-m", "tests.feltwire.install.switched", tmp_path)
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    *died, whole = lines
    assert len(died) >= 15
    assert all(line["killed"] for line in died)
    assert whole["after"] == ["1.0.0", "2.0.0"]
    for at, line in enumerate(died):
        assert line["after"][0] in ("1.0.0", "2.0.0"), at
        # Without the note the switch was over, and the machine had said so.
        assert line["resumed"][0] == "2.0.0" or line["after"] == line["resumed"] == ["1.0.0", "2.0.0"], (at, line)
        assert line["again"] == ["1.0.0", "2.0.0"], (at, line)
        assert [name for name in line["left"] if "." not in name] == ["current", "previous"], (at, line)


# ------------------------------------------------------------------------------------ what a role was sent


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "table-01" / "upgrade").mkdir(parents=True)
    return tmp_path / "table-01" / "upgrade"


def test_what_was_sent_to_a_role_is_taken_out_of_its_folder(folder: Path) -> None:
    (folder / SENT).write_bytes(b"hello")
    with Sent("table-01", folder.parents[1]).taken() as (file, back):
        assert file is not None
        assert (os.read(file, 10), back) == (b"hello", False)
        assert list(folder.iterdir()) == []
    (folder / BACK).touch()
    with Sent("table-01", folder.parents[1]).taken() as (file, back):
        assert (file, back) == (None, True)
    assert list(folder.iterdir()) == []


def test_no_link_of_a_roles_user_is_followed(folder: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.write_text("secret")
    (folder / SENT).symlink_to(other)
    with Sent("table-01", tmp_path).taken() as (file, _):
        assert file is None
    assert not (folder / SENT).is_symlink()
    os.mkfifo(folder / SENT)
    with pytest.raises(UsageError, match="is no file"), Sent("table-01", tmp_path).taken():
        pass
    folder.rmdir()
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / SENT).touch()
    folder.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(UsageError, match="install table-01 again"), Sent("table-01", tmp_path).taken():
        pass
    assert (tmp_path / "elsewhere" / SENT).exists()


def test_names_of_a_venues_machines_replace_those_of_an_earlier_install() -> None:
    first = with_names("127.0.0.1 localhost", lines_of({"station.hall.lan": "10.0.0.2"}))
    again = with_names(f"{first}10.9.9.9 printer\n", lines_of({"station.hall.lan": "10.0.0.3"}))
    assert again.splitlines() == [
        "127.0.0.1 localhost",
        "# feltwire: the venue's machines",
        "10.0.0.3 station.hall.lan",
        "# feltwire: end",
        "10.9.9.9 printer",
    ]
