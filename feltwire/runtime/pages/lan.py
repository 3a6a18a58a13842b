"""Under which address others in the same network reach this machine."""

from __future__ import annotations

import contextlib
import socket
from ipaddress import ip_address
from urllib.parse import urlsplit

_ELSEWHERE = "192.0.2.1"  # nobody's address (RFC 5737); nothing is sent to it


def lan_address() -> str:
    """This machine's address on its way out, such as `192.168.1.20`; empty where it is in no network."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        asked.connect((_ELSEWHERE, 9))
        return str(asked.getsockname()[0])
    with contextlib.suppress(OSError):  # no way out: a network of its own
        found = {str(one[4][0]) for one in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)}
        return min((one for one in found if not ip_address(one).is_loopback), default="")
    return ""


def reached(url: str) -> str:
    """`url` with this machine's address where it names no host: `http://:8082/table/01` is a page here."""
    parts = urlsplit(url)
    if parts.hostname:
        return url
    return parts._replace(netloc=f"{lan_address() or '127.0.0.1'}{parts.netloc}").geturl()
