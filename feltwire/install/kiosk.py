"""A screen of a venue: the page of a table or of a wall clock on this machine's own monitor, from the start of the
machine (cage, which shows one program alone, and Chromium, both of Debian)."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

from feltwire.config import Web
from feltwire.install.bundle import Role

PACKAGES = ("cage", "xwayland", "chromium", "libpam-systemd")
ROLES: tuple[Role, ...] = ("table", "clock")
UNIT = "feltwire-kiosk@.service"
PAGE = Path("/usr/local/lib/feltwire/kiosk-page")
KIOSKS = Path("/etc/feltwire-kiosk")  # NAME: the file with the address; NAME.url: an address that needs no link
POLICY = Path("/etc/chromium/policies/managed/feltwire.json")
PEM = b"-----"


def origin(web: Web, name: str, domain: str) -> str:
    """Where its pages are: under the name that their certificate has, where they have one.

    >>> origin(Web(port=8090), "clock", "hall.lan")
    'http://127.0.0.1:8090'
    """
    return f"https://{name}.{domain}:{web.port}" if web.cert else f"http://127.0.0.1:{web.port}"


def policy(address: str, authority: bytes) -> bytes:
    """What Chromium may do there: show this address and nothing else, keep no password, ask nothing. `authority`
    is the venue's certificate (PEM; empty where pages have none)."""
    lines = [line for line in authority.splitlines() if line and not line.startswith(PEM)]
    said: dict[str, Any] = {
        "URLBlocklist": ["*"],
        "URLAllowlist": [address, "file:///run/feltwire-kiosk/"],
        "BrowserSignin": 0,
        "SyncDisabled": True,
        "PasswordManagerEnabled": False,
        "AutofillAddressEnabled": False,
        "AutofillCreditCardEnabled": False,
        "TranslateEnabled": False,
        "MetricsReportingEnabled": False,
        "BackgroundModeEnabled": False,
    }
    if lines:
        base64.b64decode(b"".join(lines), validate=True)
        said["CACertificates"] = [b"".join(lines).decode()]
    return json.dumps(said, indent=1).encode()


def drop_in(unit: str) -> bytes:
    """The screen begins when the process that it shows has started, and ends with nothing: pages come back by
    themselves."""
    return f"[Unit]\nWants={unit}\nAfter={unit}\n".encode()
