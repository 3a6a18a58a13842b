"""A venue out of the twelve commands of docs/venue.md: what it writes is what its machines are installed from."""

from __future__ import annotations

import re
import shlex
import stat
from pathlib import Path

import pytest

from feltwire.cli import main
from feltwire.errors import UsageError
from feltwire.install import machine
from feltwire.install.bundle import HOSTS, RELEASE_PUB, Bundle, Label, read_bundle
from feltwire.install.machine import Machine, roles_here
from tests.feltwire.install.releases import PUBLIC

ROOT = Path(__file__).parents[3]
PROGRAM = "python3 feltwire-0.2.0.pyz "


def typed() -> list[str]:
    """Each command of "A venue in an hour" up to where all five machines are installed."""
    page = (ROOT / "docs" / "venue.md").read_text("utf-8").partition("## A venue in an hour\n")[2]
    blocks = re.findall(r"^```sh\n(.*?)^```$", page.partition("**Browsers**")[0], re.DOTALL | re.MULTILINE)
    return "".join(blocks).splitlines()


def test_twelve_commands_make_a_venue_of_five_machines() -> None:
    assert len(typed()) == 12
    assert not any(mark in line for line in typed() for mark in ("&&", ";", "|", "for "))


def test_the_commands_make_the_bundles_that_they_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    lines = typed()
    for line in lines[:2]:
        assert main(shlex.split(line.removeprefix(PROGRAM))) == 0
    copied = {name for line in lines for name in re.findall(r"hall/bundles/\S+\.bundle", line)}
    assert {str(path) for path in Path().glob("hall/bundles/*")} == copied
    assert stat.S_IMODE(Path("hall").stat().st_mode) == 0o700
    installed = {name for line in lines if "install" in line for name in line.partition("--bundle ")[2].split()}
    assert {Path(one).name for one in copied} == installed
    files = read_bundle(Path("hall/bundles/table-02.bundle")).files
    assert b"10.0.0.10 station.hall.lan\n" in files[HOSTS]
    assert b'url = "mqtts://station.hall.lan:8883"' in files["table.toml"]
    assert RELEASE_PUB not in files  # this program is of a clone


def test_a_description_that_is_there_is_not_overwritten(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = ["provision", "new", str(tmp_path / "hall"), "--tables"]
    assert main([*made, "2"]) == 0
    before = (tmp_path / "hall" / "venue.toml").read_text()
    assert main([*made, "3"]) == 2
    assert "is there already" in capsys.readouterr().err
    assert (tmp_path / "hall" / "venue.toml").read_text() == before


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["--tables", "0"], "1 to 500 tables"),
        (["--tables", "2", "--at", "station"], "write NAME=ADDRESS"),
        (["--tables", "2", "--at", "bar=10.0.0.2"], "addresses: bar: no such device"),
        (["--tables", "2", "--at", "station=hall"], "'hall' is no address"),
        (["--tables", "2", "--domain", "ha ll"], "ha ll"),
    ],
)
def test_what_makes_no_venue_leaves_no_description(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], given: list[str], said: str
) -> None:
    assert main(["provision", "new", str(tmp_path / "hall"), *given]) == 2
    assert said in capsys.readouterr().err
    assert not (tmp_path / "hall" / "venue.toml").exists()


def test_a_machine_takes_the_keys_of_its_bundle_and_no_program_of_another_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    label = Label(1, "hall", "hall.lan", "table-01", "table", "1.0")
    bundle = Bundle(label, {RELEASE_PUB: f"{PUBLIC}\n".encode()})
    words, write = Machine("table-01", "table", bundle, tmp_path)._trust(bundle)
    write()
    assert PUBLIC[:4] in words
    assert (tmp_path / "etc/feltwire/release.pub").read_text() == f"{PUBLIC}\n"
    monkeypatch.setattr(machine.release_keys, "own_key", lambda: "ab" * 32)
    with pytest.raises(UsageError, match="take the release that made the venue's bundles"):
        Machine("table-01", "table", bundle)._trust(bundle)
    kept = Machine("table-01", "table", bundle, tmp_path)._trust(Bundle(label, {}))[0]
    assert PUBLIC[:4] in kept


def test_the_roles_of_a_machine_are_known_by_their_settings(tmp_path: Path) -> None:
    for path in (
        "mosquitto/feltwire/mosquitto.conf",
        "feltwire/table-02/table.toml",
        "feltwire/station/station.toml",
    ):
        (tmp_path / "etc" / path).parent.mkdir(parents=True)
        (tmp_path / "etc" / path).touch()
    found = [(one.name, one.role) for one in roles_here(tmp_path)]
    assert found == [("broker", "broker"), ("station", "station"), ("table-02", "table")]
