"""Names in the local network without a name server (mDNS): who is where, and nothing about whom to trust.

Anybody in the network can answer. So an address from here is used only where a certificate proves the other end: a
broker over TLS. Certificates and keys come from a device's bundle.
"""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Iterator, Mapping, Sequence
from ipaddress import ip_address
from typing import Any, Self

from zeroconf import (
    Error,
    IPVersion,
    NonUniqueNameException,
    ServiceBrowser,
    ServiceInfo,
    ServiceListener,
    Zeroconf,
)

from display.server.hosts import address_of
from feltwire.runtime.pages.lan import lan_address

VENUE, PAGES = "_feltwire._tcp.local.", "_http._tcp.local."
LISTENS_S = 1.5  # for answers to one question
MOST = 10  # addresses of one name: liars do not keep a table busy for long


class Announced:
    """A service that this machine has, said in the local network until `close`; a context manager.

    `names` are names of machines and their addresses, as this one knows them; `host` is a name of this machine
    that ends in `.local`. Raise `OSError` where the network takes no such messages, or another machine has the
    name.
    """

    def __init__(
        self,
        kind: str,
        name: str,
        port: int,
        address: str,
        *,
        names: Mapping[str, str] | None = None,
        host: str = "",
    ) -> None:
        own = socket.gethostname().partition(".")[0]
        server = f"{host or f'{own}.local'}."
        self._zeroconf = Zeroconf(ip_version=IPVersion.V4Only)
        try:
            self._zeroconf.register_service(
                ServiceInfo(
                    kind,
                    f"{name}.{kind}",
                    port,
                    properties=dict(names or {}),
                    server=server,
                    parsed_addresses=[address],
                )
            )
        except NonUniqueNameException:
            self.close()
            raise OSError(f"another machine is {name} here") from None
        except Error as error:
            self.close()
            raise OSError(str(error)) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._zeroconf.close()


class VenueNames:
    """What the station says of its venue in the network, for machines whose router knows no names."""

    def __init__(self, venue: str, port: int, hosts: Sequence[str]) -> None:
        self._venue, self._port, self._hosts = venue, port, hosts
        self.said: tuple[str, dict[str, str]] | None = None  # the station's address; names
        self._announced: Announced | None = None

    def tell(self, broker: str, own: str, at: str) -> None:
        """The broker's name, this machine's address, and the one at which the broker's certificate was good; empty
        while it is away: what was said stays. Raise `OSError` where the network takes no such messages."""
        here = lan_address() if not own or ip_address(own).is_loopback else own
        if not at or not here or address_of(broker) is not None:
            return
        away = here if ip_address(at).is_loopback else at
        said = here, {broker: away, **dict.fromkeys(self._hosts, here)}
        if said == self.said:
            return
        self.close()
        self._announced = Announced(VENUE, self._venue, self._port, here, names=said[1])
        self.said = said

    def close(self) -> None:
        if self._announced is not None:
            self._announced.close()
        self._announced = self.said = None


def addresses_of(host: str, seconds: float = LISTENS_S) -> list[str]:
    """Addresses that somebody in the local network says `host` has, the first answer first. None where the network
    takes no questions."""
    found: list[str] = []
    with contextlib.suppress(OSError, Error):
        zeroconf = Zeroconf(ip_version=IPVersion.V4Only)
        try:
            heard = _Heard(host, found)
            ServiceBrowser(zeroconf, VENUE, listener=heard)
            heard.enough.wait(seconds)
        finally:
            zeroconf.close()
    return found[:MOST]


class _Heard(ServiceListener):
    def __init__(self, host: str, found: list[str]) -> None:
        self.enough = threading.Event()
        self._host = host.lower().encode()
        self._found = found

    def add_service(self, zc: Zeroconf, type_: str, name: str) -> None:
        info = zc.get_service_info(type_, name, timeout=1_000)
        for address in _addresses(info.properties if info is not None else {}, self._host):
            if address not in self._found:
                self._found.append(address)
        if len(self._found) >= MOST:
            self.enough.set()

    def update_service(self, zc: Zeroconf, type_: str, name: str) -> None:
        self.add_service(zc, type_, name)

    def remove_service(self, zc: Zeroconf, type_: str, name: str) -> None:
        """What is gone does not answer."""


def _addresses(said: Mapping[bytes, Any], host: bytes) -> Iterator[str]:
    """Of a name, out of what strangers say: one in a network of one's own, or none."""
    for name, value in said.items():
        if name.lower() == host and isinstance(value, bytes):
            with contextlib.suppress(ValueError):
                address = ip_address(value.decode("ascii", "replace"))
                if address.is_private and not address.is_loopback and not address.is_unspecified:
                    yield str(address)
