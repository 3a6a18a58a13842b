"""The certificates of one process: which it presents, which it accepts, and which of them expire soon.

Files are read again at each connection, so a renewed certificate needs no restart. A newer revocation list, from
its file or the bus, holds at once, also for the current connection to the broker.
"""

from __future__ import annotations

import contextlib
import logging
import ssl
import threading
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Protocol

import msgspec
from cryptography import x509
from cryptography.x509.oid import NameOID

from feltwire.config import Broker, ConfigError
from feltwire.private_files import say_if_wide
from feltwire.runtime.broker import topics
from feltwire.runtime.certificates.expiry import CertificateExpiry
from feltwire.runtime.certificates.revocations import Revocations
from supervised.thread import SupervisedThread

log = logging.getLogger(__name__)

SOON = timedelta(days=30)
LOOK_S = 5.0  # how often the list's file is looked at
DAY_S = 86_400.0
REVOKED = "its certificate is revoked"


class RevokedError(OSError):
    """The broker presents a revoked certificate."""


class CertificateBus(Protocol):
    """The bus, as far as certificates need it."""

    def publish(self, topic: str, payload: bytes, *, qos: int = 1, retain: bool = False) -> bool: ...
    def peer(self) -> bytes: ...
    def hang_up(self, reason: str) -> None: ...


class Trust:
    """Certificates of a process that speaks TLS with its broker.

    `kept` is where it keeps the newest revocation list; the station (`tells`) sends the list to all others.
    `pages` is the certificate of its pages, of which only the expiry is read.
    """

    def __init__(
        self, broker: Broker, venue: str = "", *, kept: Path | None = None, tells: bool = False, pages: str = ""
    ) -> None:
        """Raise `ConfigError` where a file of `broker` cannot be used."""
        self._broker = broker
        self._pages = pages
        self._tells = tells
        self.list_topic = topics.tournament(venue, "revoked") if venue and broker.ca else ""
        self._venue = venue
        self._authorities = _read(broker.ca, broker) if broker.ca else []
        self._own = _read(broker.cert, broker) if broker.cert else []
        self.context()  # what a person can mend is said at the start
        say_if_wide(broker.key)
        self.revocations = Revocations(self._authorities, kept)
        self.refused = ""  # why the broker did not take this device in the connection that is tried
        self._list_seen: tuple[int, int] | None = None
        if broker.crl:
            self._reread()
            if not self.revocations.raw:
                raise ConfigError(
                    f"broker crl={broker.crl!r}: no list of the authority in {broker.ca}; copy ca.crl"
                )
        if self._authorities and not self.revocations.raw:
            log.warning("no revocation list is known yet: a revoked broker would be accepted; name `crl`")
        self._stop = threading.Event()

    def context(self) -> ssl.SSLContext:
        """For one connection, with the files as they are now. Raise `ConfigError` when they are of no use."""
        broker = self._broker
        try:
            context = ssl.create_default_context(cafile=broker.ca or None)
            if broker.cert:
                context.load_cert_chain(broker.cert, broker.key or None)
        except (OSError, ssl.SSLError) as error:
            raise ConfigError(_of(broker, error)) from error
        if broker.cert:
            self._own = _read(broker.cert, broker)
        self.refused = ""
        trust = self

        class Checked(_Socket):
            def do_handshake(self, block: bool = False) -> None:
                super().do_handshake(block)
                if trust.revocations.has(self.getpeercert(binary_form=True) or b""):
                    self.close()
                    raise RevokedError(REVOKED)

            def recv(self, buflen: int = 1024, flags: int = 0) -> bytes:
                # In TLS 1.3 the broker judges a device's certificate after the handshake.
                try:
                    return super().recv(buflen, flags)
                except ssl.SSLError as error:
                    trust.refused = _refusal(error) or trust.refused
                    raise

        context.sslsocket_class = Checked
        return context

    # ------------------------------------------------------------------------------------- the list

    def heard(self, raw: bytes, line: CertificateBus) -> None:
        """Take a list that came over the bus; it may be another venue's."""
        if self.revocations.take(raw):
            self._apply(line)

    def connected(self, line: CertificateBus) -> None:
        self._tell_list(line)
        self._tell_ends(line)

    def watch(self, line: CertificateBus) -> None:
        """Watch the list's file and the expiry dates, in a thread of its own until `stop`."""
        SupervisedThread(lambda: self._watch(line), "certificates", stopping=self._stop).start()

    def stop(self) -> None:
        self._stop.set()

    def _watch(self, line: CertificateBus) -> None:
        looked = 0.0
        self._log_ends(line)
        while not self._stop.wait(LOOK_S):
            before, looked = looked, looked + LOOK_S
            if self._reread():
                self._apply(line)
            if before // DAY_S != looked // DAY_S:
                self._tell_ends(line)
                self._log_ends(line)

    def _reread(self) -> bool:
        """Whether the list's file was changed to a newer list."""
        if not self._broker.crl:
            return False
        path = Path(self._broker.crl)
        try:
            found = path.stat()
            if (seen := (found.st_mtime_ns, found.st_ino)) == self._list_seen:
                return False
            raw = path.read_bytes()
        except OSError as error:
            if self._list_seen != (0, 0):
                log.warning("%s: cannot be read (%s); the list known so far holds", path, error.strerror)
            self._list_seen = (0, 0)
            return False
        self._list_seen = seen
        return self.revocations.take(raw)

    def _apply(self, line: CertificateBus) -> None:
        self._tell_list(line)
        if self.revocations.has(line.peer()):
            line.hang_up(REVOKED)

    def _tell_list(self, line: CertificateBus) -> None:
        if self._tells and self.list_topic and self.revocations.raw:
            line.publish(self.list_topic, self.revocations.raw, retain=True)

    # ----------------------------------------------------------------------------------------- ends

    def ends(self, peer: bytes) -> Iterator[CertificateExpiry]:
        """The certificates of this process, the first to expire first."""
        soon = datetime.now(UTC) + SOON
        known = [*(("own", one) for one in self._own[:1]), *(("authority", one) for one in self._authorities)]
        if self._pages:
            with contextlib.suppress(ConfigError):  # half renewed: it is read again tomorrow
                known += [("pages", one) for one in _read(self._pages, self._broker)[:1]]
        if peer:
            known.append(("broker", x509.load_der_x509_certificate(peer)))
        for what, one in sorted(known, key=lambda each: each[1].not_valid_after_utc):
            on = one.not_valid_after_utc
            yield msgspec.convert({"what": what, "on": f"{on:%Y-%m-%d}", "soon": on < soon}, CertificateExpiry)

    def _tell_ends(self, line: CertificateBus) -> None:
        first = next(self.ends(line.peer()), None)
        if first is not None and self._venue and self._own:
            line.publish(
                topics.expiry(self._venue, common_name(self._own[0])), msgspec.json.encode(first), retain=True
            )

    def _log_ends(self, line: CertificateBus) -> None:
        for one in self.ends(line.peer()):
            if one.soon:
                left = (date.fromisoformat(one.on) - datetime.now(UTC).date()).days
                log.warning("%s In %d days.", one.words(common_name(self._own[0]) if self._own else ""), left)


class _Socket(ssl.SSLSocket):
    """Closes when its handshake fails. paho-mqtt leaves it open then, and an attempt every two seconds adds up."""

    def do_handshake(self, block: bool = False) -> None:
        try:
            super().do_handshake(block)
        except BaseException:
            self.close()
            raise


def name_of(broker: Broker, otherwise: str) -> str:
    """The name in the certificate with which this process comes to the broker; `otherwise` without one."""
    if not broker.cert:
        return otherwise
    with contextlib.suppress(OSError, ValueError):  # `Trust` says what is wrong with it
        return common_name(x509.load_pem_x509_certificate(Path(broker.cert).read_bytes())) or otherwise
    return otherwise


def common_name(certificate: x509.Certificate) -> str:
    """The name that a certificate gives its device."""
    return str(certificate.subject.get_attributes_for_oid(NameOID.COMMON_NAME)[0].value)


def _refusal(error: ssl.SSLError) -> str:
    """What an alert of the broker says of this device's certificate."""
    _, alert, what = (error.reason or "").partition("ALERT_")
    if not alert or not ("CERTIFICATE" in what or what == "UNKNOWN_CA"):
        return ""
    return (
        f"does not take this device's certificate ({what.lower().replace('_', ' ')}); `feltwire provision renew`"
    )


def _read(path: str, broker: Broker) -> list[x509.Certificate]:
    try:
        return x509.load_pem_x509_certificates(Path(path).read_bytes())
    except (OSError, ValueError) as error:
        raise ConfigError(_of(broker, error)) from error


def _of(broker: Broker, error: Exception) -> str:
    return (
        f"broker certificates ca={broker.ca!r} cert={broker.cert!r} key={broker.key!r}: {error}; "
        "make them with `feltwire provision`"
    )
