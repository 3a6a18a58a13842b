"""The documents of the wire and of the configuration say what the code says."""

import re
import tomllib
from pathlib import Path

import msgspec
import pytest

from feltwire.config import (
    CameraConfig,
    ClockConfig,
    DelayConfig,
    GpioConfig,
    RelayConfig,
    SerialDevice,
    StationConfig,
    TableConfig,
    load,
    rulebook_of,
)
from feltwire.tools.describe import DOCS, documents
from table_core.messages import Frozen, Millis
from table_core.tournament.clock import TournamentClock
from tests import house

KINDS = {
    "station": StationConfig,
    "table": TableConfig,
    "clock": ClockConfig,
    "relay": RelayConfig,
    "delay": DelayConfig,
}
SECTIONS = {"keypad": SerialDevice, "gpio": GpioConfig, "shoe": SerialDevice, "camera": CameraConfig}
FOLDERS = ("docs", "hardware", "feltwire")
VENUE = (DOCS / "venue.md").read_text("utf-8")


def test_documents_and_code_agree() -> None:
    for name, text in documents().items():
        assert (DOCS / name).read_text() == text, f"docs/{name} is old: run python -m feltwire.tools.describe"


def test_the_packages_and_their_imports_are_drawn_as_they_are() -> None:
    assert house.DOCUMENT.read_text("utf-8") == house.document(), "run python -m tests.house"


def test_only_commands_and_what_no_venue_runs_import_what_no_venue_runs() -> None:
    lab = {folder.replace("/", ".") for folder in house.NO_VENUE}
    imports = house.imports()
    assert lab < imports.keys()
    assert {package for package in imports if imports[package] & lab} - lab == {"feltwire.tools"}


def described(process: str) -> str:
    """The configuration of a process as the document has it."""
    (block,) = re.findall(rf"```toml\n# {process}\.toml\n(.*?)```", VENUE, re.DOTALL)
    return str(block)


def with_everything(process: str) -> str:
    """The same with the settings that stand behind `#`."""
    return re.sub(r"^# (\w+ = )", r"\1", described(process), flags=re.MULTILINE)


@pytest.mark.parametrize("process", KINDS)
@pytest.mark.parametrize("text", [described, with_everything])
def test_a_described_configuration_is_one_that_a_process_takes(process: str, text: object, tmp_path: Path) -> None:
    file = tmp_path / f"{process}.toml"
    file.write_text(text(process))  # type: ignore[operator]
    config = load(file, KINDS[process])
    if isinstance(config, StationConfig):
        TournamentClock.new(config.levels, boot="b", now=Millis(0))
    if isinstance(config, StationConfig | TableConfig):
        rulebook_of(config)


@pytest.mark.parametrize("process", KINDS)
def test_every_setting_is_described(process: str) -> None:
    config = tomllib.loads(with_everything(process))
    kind = KINDS[process]
    assert set(config) == fields(kind)
    for section in set(config) & {"broker", "web", *SECTIONS}:
        (field,) = [field for field in msgspec.structs.fields(kind) if field.name == section]
        assert set(config[section]) == fields(type(field.default)), section


@pytest.mark.parametrize("process", KINDS)
def test_what_stands_behind_a_hash_is_what_is_taken_without_it(process: str, tmp_path: Path) -> None:
    bare, whole = tmp_path / "bare.toml", tmp_path / "whole.toml"
    bare.write_text(described(process))
    whole.write_text(with_everything(process))
    assert load(bare, KINDS[process]) == load(whole, KINDS[process])


@pytest.mark.parametrize("process", KINDS)
def test_the_sample_of_a_configuration_is_the_described_one(process: str) -> None:
    sample = DOCS.parent / "feltwire/deploy/settings" / f"{process}.toml"
    (described,) = re.findall(rf"```toml\n(# {process}\.toml\n.*?)```", VENUE, re.DOTALL)
    assert sample.read_text("utf-8") == described, f"copy the text of {process}.toml in docs/venue.md to {sample}"


def fields(kind: type[Frozen]) -> set[str]:
    return {field.name for field in msgspec.structs.fields(kind)}


def test_what_the_documents_link_to_and_name_exists() -> None:
    root = DOCS.parent
    missing = []
    for document in (*root.glob("*.md"), *(one for folder in FOLDERS for one in (root / folder).rglob("*.md"))):
        text = document.read_text("utf-8")
        links = [document.parent / link for link in re.findall(r"\]\(([^)#\s]+)", text) if "://" not in link]
        folders = "feltwire|display|table_core|vision|firmware_bridge|tests"
        files = [root / name for name in re.findall(rf"`((?:{folders})/[\w/]+\.py)", text)]
        missing += [f"{document.name}: {path}" for path in (*links, *files) if not path.exists()]
    assert not missing
