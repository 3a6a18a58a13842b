"""Chromium at a table whose pages have a certificate of the venue's authority."""

from __future__ import annotations

import base64
import contextlib
from hashlib import sha256
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from playwright.sync_api import expect, sync_playwright

from feltwire.tools.provision.certificates import CertificateAuthority, load_certificate
from tests import chromium
from tests.display.conftest import PATIENCE_S
from tests.feltwire.processes import Process, table_settings
from tests.ports import free_port

pytestmark = pytest.mark.browser


def issue(folder: Path) -> tuple[Path, Path]:
    """Certificate and key for the pages of this machine, from an authority of the venue."""
    folder.mkdir()
    CertificateAuthority.open(folder, "hall").issue(folder, "pages", hosts=["localhost", "127.0.0.1"])
    return folder / "pages.crt", folder / "pages.key"


def trusted(cert: Path) -> str:
    """Chromium has no option for one more authority, but one for the key of a certificate."""
    key = load_certificate(cert).public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    return f"--ignore-certificate-errors-spki-list={base64.b64encode(sha256(key).digest()).decode()}"


def test_a_dealer_signs_in_presses_and_sees_the_answer_over_tls(tmp_path: Path) -> None:
    cert, key = issue(tmp_path / "hall")
    port = free_port()
    settings = table_settings(tmp_path, '[broker]\nurl = "mqtt://127.0.0.1:1"\n', port)
    settings += f'host = "127.0.0.1"\nhosts = ["localhost"]\ncert = "{cert}"\nkey = "{key}"\n'
    assert chromium.PROGRAM, chromium.MISSING
    link = tmp_path / "table-data" / "table-01.kiosk-link"
    with Process("table", tmp_path, port, settings) as table, sync_playwright() as playwright:
        table.says(f"the dealer screen is at https://localhost:{port}/table/01")
        with contextlib.closing(
            playwright.chromium.launch_persistent_context(
                tmp_path / "profile",
                executable_path=chromium.PROGRAM,
                args=[*chromium.QUIET, trusted(cert)],
                timeout=PATIENCE_S * 1000,
            )
        ) as browser:
            browser.set_default_timeout(PATIENCE_S * 1000)
            page = browser.new_page()
            address = link.read_text().strip()
            assert address.startswith(f"https://localhost:{port}/")
            page.goto(address)
            expect(page.locator("#hand")).to_have_text("No hand yet", timeout=PATIENCE_S * 1000)
            assert [cookie["secure"] for cookie in browser.cookies()] == [True]
            page.get_by_role("button", name="New hand").click()
            expect(page.locator("#hand")).to_contain_text("Hand 1", timeout=PATIENCE_S * 1000)
