"""The host names under which the pages may be requested.

Another site can make its own name point to this machine (DNS rebinding), and then read and press here as if it
were ours. Only the `Host` header shows it: it names the site that the browser has open.
"""

from __future__ import annotations

import re
import socket
from collections.abc import Iterable
from ipaddress import IPv4Address, IPv6Address, ip_address

Address = IPv4Address | IPv6Address

AT_HOME = "feltwire.local"  # what a room on one machine calls itself; no name server has names in `.local`
_HOST = re.compile(r"(?:\[([0-9a-f:.]{2,45})\]|([a-z0-9_.-]{1,253}))(?::[0-9]{1,5})?", re.ASCII)


def address_of(text: str) -> Address | None:
    """`text` as an address, an IPv4-mapped IPv6 address as IPv4; None for a name."""
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


class Hosts:
    """What a `Host` header may say: the address that was called, `localhost` from this machine, this machine's own
    name, and the names of the configuration.

    An address cannot be rebound, so the one that the connection came to is always right.
    """

    def __init__(self, names: Iterable[str] = (), *, machine: str | None = None) -> None:
        own = (socket.gethostname() if machine is None else machine).lower()
        short = own.partition(".")[0]
        self._names = {own, short, f"{short}.local"} - {"", ".local", "localhost"}
        self._names.add(AT_HOME)
        self._names |= {_plain(name.lower().strip("[]")) for name in names}

    def allow(self, header: str, called: str) -> bool:
        """Whether `header` may name the process whose address `called` the connection came to."""
        found = _HOST.fullmatch(header.lower())
        if found is None:
            return False
        name = _plain(found[1] or found[2])
        here = address_of(called)
        if name in self._names or (name == "localhost" and here is not None and here.is_loopback):
            return True
        return here is not None and address_of(name) == here


def _plain(name: str) -> str:
    address = address_of(name)
    return str(address) if address is not None else name.removesuffix(".")
