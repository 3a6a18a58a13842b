"""`feltwire support-bundle`: what an engineer elsewhere needs, and nothing that may not leave the room."""

from __future__ import annotations

import base64
import json
import re
import stat
import zipfile
from pathlib import Path

import pytest

from feltwire.cli import main
from feltwire.ledger.table_ledger import Ledger
from feltwire.station.players_store import PlayersStore
from feltwire.tools.redaction import Redaction
from feltwire.version import program_version
from tests.feltwire.processes import table_settings
from tests.ports import free_port

pytestmark = pytest.mark.slow("the words of the whole program are read; doctor tries a broker that is not there")
TAG = bytes.fromhex("e00401507a3c9b12")
KEY = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
SECRETS = {  # kind -> as it may stand in a log
    "card": ["Ah", "9s", "10d", "A♥", "AhKd", "the ace of hearts", "nine of Clubs", "HA", '"rank":"Q","suit":"s"'],
    "tag": [
        TAG.hex(),
        TAG.hex().upper(),
        TAG.hex(":"),
        TAG.hex(" "),
        base64.b64encode(TAG).decode(),
        "04 15 22 31",
    ],
    "key": [KEY, KEY[:16], base64.b64encode(bytes.fromhex(KEY)).decode()],
    "token": ["http://10.1.2.3:8081/sign-in?token=8c6976e5b5410415bde908bd4dee15df", "Bearer 4f7ac21e9d"],
    "password": ["correct-horse", "hunter2"],
    "name": ["Zbigniew Brzęczek", "Ann Young", "Will Young", "O'Neill"],
}
# The parts of what is planted that must be nowhere; what is left ("of", "sign", "in") tells nothing.
PARTS = ["Ah", "9s", "10d", "♥", "Kd", "ace", "hearts", "nine", "Clubs", "HA", KEY[:16], "8c69", "4f7ac", "horse"]
PARTS += [
    "hunter",
    "Zbigniew",
    "Brz",
    "czek",
    "Ann",
    "Young",
    "Will",
    "Neill",
    "04 15",
    TAG.hex()[:6],
    "bde908",
    "10.1.2",
]
PARTS += [base64.b64encode(TAG).decode()[:6], TAG.hex(":")[:8], TAG.hex(" ")[:8], KEY[-8:]]
HARMLESS = "WARNING feltwire.table.process: the disk took 3 s to record: it may be failing (docs/storage.md)"


def test_a_line_keeps_the_programs_words_and_numbers() -> None:
    assert Redaction().line(HARMLESS) == HARMLESS
    assert (
        Redaction()
        .line("INFO feltwire.relay.process: table 01: hand 17 released")
        .endswith("table 01: hand 17 released")
    )


@pytest.mark.parametrize(("kind", "text"), [(kind, text) for kind, texts in SECRETS.items() for text in texts])
def test_what_may_not_leave_the_room_is_a_dot_in_a_line(kind: str, text: str) -> None:
    kept = Redaction(names=SECRETS["name"]).line(f"INFO feltwire.table.node: seat 3: {text}, and plays")
    assert not [part for part in PARTS if part in kept], (kind, kept)
    assert kept.startswith("INFO feltwire.table.node: seat 3: ")
    assert kept.endswith(", and plays")


@pytest.fixture
def bundle(tmp_path: Path) -> dict[str, str]:
    """Name -> text of a bundle of a table at which every kind of secret stands somewhere."""
    secret, data = tmp_path / "table.toml", tmp_path / "table-data"
    broker = f'[broker]\nurl = "mqtt://127.0.0.1:{free_port()}"\nusername = "hunter2"\npassword = "table"\n'
    text = table_settings(tmp_path, broker, free_port())
    secret.write_text(text.replace("[[seats]]\n", '[[seats]]\nplayer = "Ann Young"\n', 1))
    Ledger.open(data / "table-01.ledger").close()
    players = PlayersStore.open(data)
    players.save("p1", "Will Young")
    players.close()
    log = tmp_path / "table.log"
    planted = [f"INFO feltwire.table.node: {text}" for texts in SECRETS.values() for text in texts]
    log.write_text("\n".join([HARMLESS, *planted, "Will Young and Ann Young play"]), "utf-8")
    archive = tmp_path / "bundle.zip"
    call = ["support-bundle", "--config", str(secret), "--log", str(log), "--out", str(archive)]
    assert main(call) == 0
    assert stat.S_IMODE(archive.stat().st_mode) == 0o600
    assert main(call) == 2, "a bundle is not written over another file"
    with zipfile.ZipFile(archive) as opened:
        return {name: opened.read(name).decode("utf-8") for name in opened.namelist()}


def test_no_card_tag_key_password_or_name_is_in_a_bundle(bundle: dict[str, str]) -> None:
    for name, text in bundle.items():
        if name != "versions.json":
            assert not [part for part in PARTS if part in text], name
    assert json.loads(bundle["1-table-settings.json"])["broker"]["password"] == "•", (
        "also where it is a word of ours"
    )


def test_a_bundle_says_what_an_engineer_asks_first(bundle: dict[str, str]) -> None:
    versions = json.loads(bundle["versions.json"])
    assert versions["feltwire"] == program_version()
    assert versions["libraries"]["msgspec"]
    told = json.loads(bundle["1-table-settings.json"])
    assert (told["table"], told["seats"][0]["stack"], told["broker"]["url"]) == ("01", 10000, "mqtt:•")
    (ledger,) = json.loads(bundle["1-table-records.json"])
    assert (ledger["file"], ledger["events"]) == ("table-01.ledger", 0)
    assert re.search(r"^green +settings ", bundle["1-table-doctor.txt"], re.MULTILINE)
    assert re.search(r"^red +broker ", bundle["1-table-doctor.txt"], re.MULTILINE), "nothing listens at its port"
    assert "the disk took 3 s to record: it may be failing (docs/storage.md)" in bundle["1.log"]


def test_a_log_that_is_not_there_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = tmp_path / "table.toml"
    config.write_text(table_settings(tmp_path, "", free_port()))
    call = ["support-bundle", "--config", str(config), "--log", "no.log", "--out", str(tmp_path / "b.zip")]
    assert main(call) == 2
    assert (
        capsys.readouterr().err
        == "feltwire support-bundle: no.log: cannot be read (No such file or directory); name a log\n"
    )
    assert not (tmp_path / "b.zip").exists()
