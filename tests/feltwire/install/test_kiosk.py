"""A screen of a venue: what Chromium may show there, and where it begins. `feltwire install --screen`."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from feltwire.cli import main
from feltwire.config import Web
from feltwire.install import kiosk
from feltwire.install.bundle import read_bundle
from feltwire.install.machine import Machine, roles_here

ROOT = Path(__file__).parents[3]
SYSTEMD = ROOT / "feltwire" / "deploy" / "systemd"


@pytest.fixture
def bundles(tmp_path: Path) -> Path:
    folder = tmp_path / "hall"
    assert main(["provision", "new", str(folder), "--tables", "1"]) == 0
    assert main(["provision", "bundles", str(folder)]) == 0
    return folder / "bundles"


def installed(bundles: Path, name: str, disk: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A disk on which the screen of this device was set up."""
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    bundle = read_bundle(bundles / f"{name}.bundle")
    machine = Machine(name, bundle.label.role, bundle, disk, screen=True)
    (step,) = [step for step in machine.steps() if "screen" in step.words]
    step.do()
    settings = disk / "etc" / "feltwire" / name / f"{bundle.label.role}.toml"
    settings.parent.mkdir(parents=True)
    settings.write_bytes(bundle.files[settings.name])
    return disk


def test_a_screen_shows_its_own_address_alone_and_trusts_the_venue(
    bundles: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = installed(bundles, "clock", tmp_path / "disk", monkeypatch)
    said = json.loads((disk / "etc/chromium/policies/managed/feltwire.json").read_text())
    assert said["URLBlocklist"] == ["*"]
    assert said["URLAllowlist"] == ["https://clock.hall.lan:8082", "file:///run/feltwire-kiosk/"]
    assert len(said["CACertificates"]) == 1
    authority = read_bundle(bundles / "clock.bundle").files["ca.crt"].decode()
    assert said["CACertificates"][0] in authority.replace("\n", "")
    assert (disk / "etc/feltwire-kiosk/clock").read_text() == "/etc/feltwire-kiosk/clock.url\n"
    assert (disk / "etc/feltwire-kiosk/clock.url").read_text() == "https://clock.hall.lan:8082/clock\n"
    drop_in = disk / "etc/systemd/system/feltwire-kiosk@clock.service.d/shows.conf"
    assert "After=feltwire-clock@clock.service" in drop_in.read_text()
    (machine,) = roles_here(disk)
    assert machine.screen, "an upgrade puts it there anew"


def test_a_tables_screen_begins_with_the_link_that_only_its_user_can_read(
    bundles: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = installed(bundles, "table-01", tmp_path / "disk", monkeypatch)
    link = "/var/lib/feltwire/table-01/table-01.kiosk-link"
    assert (disk / "etc/feltwire-kiosk/table-01").read_text() == f"{link}\n"
    page = disk / "usr/local/lib/feltwire/kiosk-page"
    assert page.stat().st_mode & 0o777 == 0o755
    unit = (disk / "etc/systemd/system/feltwire-kiosk@.service").read_text()
    started = next(line for line in unit.splitlines() if line.startswith("ExecStart="))
    assert "http" not in started, "everybody can read a command line"
    assert "User=feltwire-kiosk" in unit


def test_the_page_leads_to_the_link_and_is_its_users_alone(tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.write_text("https://table-01.hall.lan:8080/sign-in?token=0123abcd\n")
    (tmp_path / "kiosks").mkdir()
    (tmp_path / "kiosks" / "table-01").write_text(f"{link}\n")
    (tmp_path / "run" / "table-01").mkdir(parents=True)
    script = (ROOT / "feltwire/deploy/kiosk/kiosk-page").read_text()
    here = script.replace("/etc/feltwire-kiosk", str(tmp_path / "kiosks")).replace(
        "/run/feltwire-kiosk", str(tmp_path / "run")
    )
    here = here.replace("chown feltwire-kiosk", "true")
    subprocess.run(["sh", "-c", here, "kiosk-page", "table-01"], check=True)
    page = tmp_path / "run" / "table-01" / "open.html"
    assert 'content="0;url=https://table-01.hall.lan:8080/sign-in?token=0123abcd"' in page.read_text()
    assert page.stat().st_mode & 0o077 == 0


def test_pages_without_a_certificate_are_of_this_machine() -> None:
    assert kiosk.origin(Web(port=8081), "clock", "hall.lan") == "http://127.0.0.1:8081"
    assert "CACertificates" not in json.loads(kiosk.policy("http://127.0.0.1:8081", b""))


def test_only_a_table_or_a_clock_of_these_bundles_is_shown(
    bundles: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("station", "table-02"):
        status = main(["install", "--bundle", str(bundles / "station.bundle"), "--screen", name])
        assert status == 2
        assert "name a table or a clock" in capsys.readouterr().err


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="this machine has no systemd")
def test_systemd_takes_the_unit(tmp_path: Path) -> None:
    unit = tmp_path / "feltwire-kiosk@.service"
    text = (SYSTEMD / unit.name).read_text()
    unit.write_text(text.replace("/usr/bin/cage", "/bin/true").replace(str(kiosk.PAGE), "/bin/true"))
    said = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", unit], capture_output=True, text=True, check=False
    )
    assert [line for line in said.stderr.splitlines() if "feltwire-kiosk" in line] == []
