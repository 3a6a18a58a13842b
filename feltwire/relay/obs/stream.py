"""The relay's public channels, as a page reads them."""

from __future__ import annotations

import http.client
import ssl
from collections.abc import Iterator
from contextlib import closing
from typing import NamedTuple
from urllib.parse import urlencode, urlsplit

from feltwire.errors import UsageError

SILENT_S = 5.0  # the relay says each second that it is there
LONGEST_LINE = 4_000_000


class Address(NamedTuple):
    scheme: str
    host: str
    port: int | None


def parts_of(setting: str, address: str, schemes: tuple[str, ...], example: str) -> Address:
    """Raise `UsageError` for an address that is none, with an example of one."""
    try:
        parts = urlsplit(address)
        found = Address(parts.scheme, parts.hostname or "", parts.port)
    except ValueError as error:
        raise UsageError(f"{setting} = {address!r}: no address ({error}); write {example}") from None
    if found.scheme not in schemes or not found.host:
        raise UsageError(f"{setting} = {address!r}: no address; write {example}")
    return found


class StreamLost(Exception):
    """The relay is not there, or silent; the text says why."""


class Stream:
    """`address`: of the relay's pages; `ca`: file of the authority of its certificate, empty for those of this
    machine. Raise `UsageError` for an address that is none."""

    def __init__(self, address: str, channels: tuple[str, ...], ca: str = "") -> None:
        scheme, self._host, self._port = parts_of("relay", address, ("http", "https"), "http://relay:8083")
        self._secure = scheme == "https"
        self._path = "/events?" + urlencode([("channel", channel) for channel in channels])
        self._channels = channels
        try:
            self._context = ssl.create_default_context(cafile=ca or None)
        except OSError as error:
            raise UsageError(
                f"ca = {ca!r}: cannot be read ({error.strerror or error}); name the file of it"
            ) from None

    def snapshots(self) -> Iterator[tuple[str, bytes]]:
        """Channel and snapshot as they come, `("", b"")` for a sign of life; raise `StreamLost` at the end."""
        try:
            with closing(self._connection()) as connection:
                connection.request("GET", self._path, headers={"accept": "text/event-stream"})
                answer = connection.getresponse()
                if answer.status != 200:
                    raise StreamLost(
                        f"the relay answers {answer.status}: {answer.read(300).decode(errors='replace')}"
                    )
                yield from self._read(answer)
        except (OSError, http.client.HTTPException) as error:
            raise StreamLost(f"the relay is not there ({str(error) or type(error).__name__})") from None

    def _read(self, answer: http.client.HTTPResponse) -> Iterator[tuple[str, bytes]]:
        channel = ""
        while line := answer.readline(LONGEST_LINE):
            name, _, value = line.rstrip(b"\r\n").partition(b": ")
            if name == b"event":
                channel = value.decode(errors="replace")
            elif name == b"data":
                yield (channel, value) if channel in self._channels else ("", b"")
        raise StreamLost("the relay closed the stream")

    def _connection(self) -> http.client.HTTPConnection:
        if self._secure:
            return http.client.HTTPSConnection(self._host, self._port, timeout=SILENT_S, context=self._context)
        return http.client.HTTPConnection(self._host, self._port, timeout=SILENT_S)
