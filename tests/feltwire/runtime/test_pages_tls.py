"""Pages behind a certificate of the venue's authority, in the real process."""

from __future__ import annotations

import contextlib
import socket
import ssl
from pathlib import Path

import httpx
import pytest

from display.server.tls import Certificate
from feltwire.config import Web
from feltwire.errors import UsageError
from feltwire.runtime.pages.web import listen
from feltwire.tools.provision.certificates import CertificateAuthority
from tests.display.raw import ask
from tests.feltwire.processes import Process, clock_settings
from tests.ports import free_port


def issue(folder: Path, name: str, venue: str = "hall") -> tuple[Path, Path]:
    """Certificate and key for the pages of this machine, from the authority in `folder`."""
    folder.mkdir(exist_ok=True)
    CertificateAuthority.open(folder, venue).issue(folder, name, hosts=["localhost", "127.0.0.1"])
    return folder / f"{name}.crt", folder / f"{name}.key"


def shown_by(port: int, ca: Path) -> int:
    """The serial number of the certificate that the pages show to who trusts `ca`."""
    context = ssl.create_default_context(cafile=str(ca))
    with (
        socket.create_connection(("127.0.0.1", port)) as wire,
        context.wrap_socket(wire, server_hostname="localhost") as talk,
    ):
        shown = talk.getpeercert() or {}
    return int(str(shown["serialNumber"]), 16)


def test_pages_are_served_over_tls_to_who_trusts_the_venue_and_a_renewed_certificate_needs_no_restart(
    tmp_path: Path,
) -> None:
    cert, key = issue(tmp_path / "hall", "pages")
    port, ca = free_port(), tmp_path / "hall" / "ca.crt"
    settings = clock_settings("mqtt://127.0.0.1:1", port) + f'cert = "{cert}"\nkey = "{key}"\n'
    with Process("clock", tmp_path, port, settings) as clock:
        clock.says(f"the clock is at https://127.0.0.1:{port}/clock")
        trusting = ssl.create_default_context(cafile=str(ca))
        with httpx.Client(verify=trusting, base_url=f"https://localhost:{port}") as browser:
            answer = None
            while answer is None:
                with contextlib.suppress(httpx.TransportError):
                    answer = browser.get("/clock")
            assert answer.status_code == 200
        with pytest.raises(httpx.ConnectError, match="CERTIFICATE_VERIFY_FAILED"):
            httpx.get(f"https://localhost:{port}/clock")
        assert ask(port, b"GET /clock HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n")[0] == 0, "nothing in the clear"
        first = shown_by(port, ca)
        fresh_cert, fresh_key = issue(tmp_path / "hall", "renewed")
        fresh_key.replace(key)
        fresh_cert.replace(cert)
        while shown_by(port, ca) == first:
            pass


def test_a_certificate_half_renewed_leaves_the_one_in_use(tmp_path: Path) -> None:
    cert, key = issue(tmp_path / "hall", "pages")
    now = 0.0
    certificate = Certificate(cert, key, lambda: now)
    first = certificate.context()
    issue(tmp_path / "hall", "renewed")[0].replace(cert)  # its key is still to come
    now = 11.0
    assert certificate.context() is first
    (tmp_path / "hall" / "renewed.key").replace(key)
    now = 22.0
    assert certificate.context() is not first


def test_a_certificate_that_is_none_is_said_before_anything_starts(tmp_path: Path) -> None:
    cert, key = issue(tmp_path / "hall", "pages")
    _, other = issue(tmp_path / "hall", "other")
    for web, words in [
        (Web(port=0, cert=str(cert)), "cert and key belong together"),
        (Web(port=0, cert=str(cert), key=str(other)), "no usable pair"),
        (Web(port=0, cert=str(tmp_path / "none"), key=str(key)), "No such file"),
    ]:
        with pytest.raises(UsageError, match=words):
            listen(web)
