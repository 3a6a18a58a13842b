"""A venue that is described once: a bundle for each device, with the secrets of that device and of no other."""

from __future__ import annotations

import os
import stat
import tarfile
import tomllib
from pathlib import Path

import msgspec
import pytest

from feltwire.cli import main
from feltwire.config import ConfigError, DelayConfig, TableConfig
from feltwire.errors import UsageError
from feltwire.install.bundle import MOST_BYTES, read_bundle, wipe, write_bundle
from feltwire.install.machine import Machine, roles_here
from feltwire.relay.obs.moments import Moment
from feltwire.relay.obs.settings import ObsConfig
from feltwire.tools.provision.venue_file import load_venue

HALL = """
venue = "hall"
domain = "hall.lan"
tables = ["01", "02"]
clocks = ["clock", "clock-bar"]
relay = true
delay_box = true

[settings.delay]
source = "srt://0.0.0.0:7000?mode=listener"
output = "srt://stream.hall.lan:7001"
air_floor_s = "1800"
[settings.table]
house = {raise_cap = 3}
web = {port = 8090}
[settings.table-02]
web = {port = 8091}
"""
NAMES = ("station", "table-01", "table-02", "clock", "clock-bar", "relay", "delay", "broker")


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the venue's keys and bundles."""
    folder = tmp_path_factory.mktemp("venue")
    (folder / "hall.toml").write_text(HALL)
    assert main(["provision", "bundles", str(folder / "hall.toml"), str(folder / "hall")]) == 0
    return folder / "hall"


def files_of(hall: Path, name: str) -> dict[str, bytes]:
    return dict(read_bundle(hall / "bundles" / f"{name}.bundle").files)


def test_every_device_has_a_bundle_for_its_owner_alone(hall: Path) -> None:
    made = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (hall / "bundles").iterdir()}
    assert made == {f"{name}.bundle": 0o600 for name in NAMES}


def test_no_secret_is_in_two_bundles_and_the_authoritys_is_in_none(hall: Path) -> None:
    keys = {path.read_bytes(): path for path in hall.rglob("*.key")}
    found = [content for name in NAMES for content in files_of(hall, name).values() if content in keys]
    assert len(found) == len(set(found)) >= 2 * len(NAMES) - 1
    assert (hall / "ca.key").read_bytes() not in found


def test_a_table_finds_its_keys_its_broker_and_what_the_house_has_set(hall: Path) -> None:
    files = files_of(hall, "table-02")
    config = msgspec.convert(tomllib.loads(files["table.toml"].decode()), TableConfig)
    assert (config.table, config.data) == ("02", "/var/lib/feltwire/table-02")
    assert (config.web.port, config.web.hosts, config.house) == (8091, ("table-02.hall.lan",), {"raise_cap": 3})
    assert config.broker.url == "mqtts://broker.hall.lan:8883"
    for path in (config.broker.ca, config.broker.cert, config.broker.key, config.broker.crl, config.web.key):
        assert Path(path).parent == Path("/etc/feltwire/table-02")
        assert Path(path).name in files
    assert f'box = "{config.relay_key}"' in (hall / "relay.pub").read_text()
    assert f'clip_key = "{config.clip_key}"' in (hall / "clip.pub").read_text()


def test_a_delay_box_finds_its_broker_and_its_floor(hall: Path) -> None:
    files = files_of(hall, "delay")
    config = msgspec.convert(tomllib.loads(files["delay.toml"].decode()), DelayConfig)
    assert (config.data, config.air_floor_s, config.air_delay_s) == ("/var/lib/feltwire/delay", "1800", "")
    assert config.broker.url == "mqtts://broker.hall.lan:8883"
    assert Path(config.broker.key).name in files


def test_a_delay_box_without_a_source_is_refused(hall: Path) -> None:
    described = hall.parent / "no-source.toml"
    described.write_text("".join(line for line in HALL.splitlines(keepends=True) if not line.startswith("source")))
    with pytest.raises(ConfigError, match=r"delay: .*source"):
        load_venue(described)


OBS_SCENES = 'obs = true\n\n[settings.obs]\nurl = "ws://10.0.0.60:4455"\nscenes = {all_in = "Heads-up"}\n'


def test_scenes_of_obs_come_with_the_relay_as_a_user_that_reads_nothing_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    description, folder = tmp_path / "hall.toml", tmp_path / "hall"
    plain = 'venue = "hall"\ndomain = "hall.lan"\ntables = ["01"]\nrelay = true\n'
    description.write_text(plain + OBS_SCENES)
    assert main(["provision", "bundles", str(description), str(folder)]) == 0
    assert "obs" not in {path.stem for path in (folder / "bundles").iterdir()}, "it holds no key"
    files = files_of(folder, "relay")
    config = msgspec.convert(tomllib.loads(files["obs.toml"].decode()), ObsConfig)
    assert (config.relay, config.ca) == ("https://relay.hall.lan:8083", "/etc/feltwire/obs/ca.crt")
    assert (config.url, config.scenes) == ("ws://10.0.0.60:4455", {Moment.ALL_IN: "Heads-up"})

    disk = tmp_path / "disk"
    (disk / "etc").mkdir(parents=True)
    users = "feltwire-relay", "feltwire-obs"
    (disk / "etc/passwd").write_text("".join(f"{name}:x:{os.geteuid()}:{os.getegid()}::/:\n" for name in users))
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    relay = read_bundle(folder / "bundles" / "relay.bundle")
    steps = {step.words: step for step in Machine("relay", "relay", relay, disk).steps()}
    steps["service feltwire-obs.service: scenes of OBS follow the game"].do()
    steps["keys and settings in /etc/feltwire/relay"].do()
    there = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (disk / "etc/feltwire/obs").iterdir()}
    assert there == {"obs.toml": 0o600, "ca.crt": 0o600}
    assert not (disk / "etc/feltwire/relay/obs.toml").exists()
    assert (disk / "etc/systemd/system/feltwire-obs.service").exists()
    (again,) = roles_here(disk)
    assert any("scenes of OBS follow the game" in step.words for step in again.steps()), "after an upgrade, too"

    description.write_text(plain)
    assert main(["provision", "bundles", str(description), str(folder)]) == 0
    relay = read_bundle(folder / "bundles" / "relay.bundle")
    assert "obs.toml" not in relay.files
    (ends,) = [step for step in Machine("relay", "relay", relay, disk).steps() if "no more" in step.words]
    ends.do()
    assert not (disk / "etc/feltwire/obs/obs.toml").exists()


@pytest.mark.parametrize(
    ("relay", "settings", "said"),
    [
        ("false", OBS_SCENES, "so relay = true"),
        ("true", "obs = true\n", "missing required field `scenes`"),
        ("true", "obs = true\n[settings.obs]\nscenes = {}\n", "names no moment"),
        ("true", 'obs = true\n[settings.obs]\nscenes = {goal = "Table"}\n', "settings.obs: Invalid"),
    ],
)
def test_scenes_that_cannot_follow_are_refused(tmp_path: Path, relay: str, settings: str, said: str) -> None:
    path = tmp_path / "hall.toml"
    path.write_text(f'venue = "hall"\ndomain = "hall.lan"\ntables = ["01"]\nrelay = {relay}\n{settings}')
    with pytest.raises(ConfigError, match=said):
        load_venue(path)


def test_made_again_with_one_more_table_keys_stay(hall: Path) -> None:
    before = {name: files_of(hall, name) for name in NAMES}
    description = hall.parent / "hall.toml"
    description.write_text(HALL.replace('["01", "02"]', '["01", "02", "03"]'))
    assert main(["provision", "bundles", str(description), str(hall)]) == 0
    kept, now = before["table-01"], files_of(hall, "table-01")
    assert all(now[name] == kept[name] for name in kept if name != "table.toml")  # its levels suit more players
    assert files_of(hall, "table-03")["table-03.key"]
    assert b"user table-03" in files_of(hall, "broker")["acl"]
    assert files_of(hall, "broker")["broker.key"] == before["broker"]["broker.key"]


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ('tables = ["01", "01"]', "table-01 is there twice"),
        ('clocks = ["bar"]', "write clock, or clock-bar"),
        ('rulebook = "nobody"', "rulebook"),
        ("[settings.table-09]\nbutton = 2", "settings.table-09: no such device"),
        ("[settings.station]\nentrants = 'many'", "station: Expected `int`"),
        ('domain = "ha\\nll"', "domain"),
        ("tables = 3", "tables"),
        ('tables = ["a b"]', "table 'a b': write letters"),
        ('domain = ".lan"', "host '.lan': is no name"),
        ("smallest_chip = 0", "smallest_chip"),
    ],
)
def test_a_description_that_makes_no_venue_is_refused_with_what_to_mend(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], changed: str, said: str
) -> None:
    plain = {"venue": '"hall"', "domain": '"hall.lan"', "tables": '["01"]'}
    name, _, value = changed.partition(" = ")
    lines = [f"{one} = {value if one == name else known}" for one, known in plain.items()]
    path = tmp_path / "hall.toml"
    path.write_text("\n".join([*lines, *([] if name in plain else [changed])]))
    assert main(["provision", "check", str(path)]) == 2
    err = capsys.readouterr().err
    assert said in err
    assert len(err.splitlines()) == 1


def test_a_revoked_device_has_no_bundle_until_it_is_renewed_and_one_that_is_gone_has_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    description, folder = tmp_path / "hall.toml", tmp_path / "hall"
    make = ["provision", "bundles", str(description), str(folder)]
    description.write_text('venue = "hall"\ndomain = "hall.lan"\ntables = ["01", "02"]\n')
    assert main(make) == 0
    assert main(["provision", "revoke", str(folder), "table-02"]) == 0
    assert main(make) == 2
    assert "table-02: its certificate is revoked or has ended" in capsys.readouterr().err
    assert main(["provision", "renew", str(folder), "table-02"]) == 0
    assert main(make) == 0
    description.write_text('venue = "hall"\ndomain = "hall.lan"\ntables = ["01"]\n')
    assert main(make) == 0
    assert not (folder / "bundles" / "table-02.bundle").exists()


def test_a_bundle_that_was_changed_or_is_none_is_refused(hall: Path, tmp_path: Path) -> None:
    good = hall / "bundles" / "clock.bundle"
    odd = tmp_path / "odd.bundle"
    for content in (b"", b"hello", good.read_bytes()[:700], good.read_bytes()[700:], bytes(MOST_BYTES + 1)):
        odd.write_bytes(content)
        with pytest.raises(UsageError):
            read_bundle(odd)
    with tarfile.open(odd, "w") as tar:
        tar.add(good, "../clock.key")
    with pytest.raises(UsageError, match="is no bundle"):
        read_bundle(odd)
    newer = msgspec.structs.replace(read_bundle(good).label, form=2)
    write_bundle(odd, msgspec.structs.replace(read_bundle(good), label=newer))
    with pytest.raises(UsageError, match="of another version"):
        read_bundle(odd)


def test_a_bundle_that_was_installed_is_gone(hall: Path, tmp_path: Path) -> None:
    copy = tmp_path / "clock.bundle"
    copy.write_bytes((hall / "bundles" / "clock.bundle").read_bytes())
    with copy.open("rb") as still_open:
        wipe(copy)
        assert not copy.exists()
        assert not still_open.read().strip(b"\0")
    wipe(copy)


def test_install_names_the_role_of_a_bundle_that_is_another_devices(
    hall: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["install", "table", "--bundle", str(hall / "bundles" / "station.bundle")]) == 2
    assert "is of station: feltwire install station" in capsys.readouterr().err
