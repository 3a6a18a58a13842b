"""The venue's revocation list as one process knows it: the newest seen, from a file or the bus.

Only the venue's authority signs a list, so anybody may deliver it in the clear. A list with a lower number than
the known one is refused as a replay.
"""

from __future__ import annotations

import logging
from pathlib import Path

from cryptography import x509
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm

from feltwire.ledger.unread import Unread
from feltwire.private_files import replace
from table_core.messages import MOST_BYTES

log = logging.getLogger(__name__)


class Revocations:
    """`kept` is where a list that came over the bus outlives the process."""

    def __init__(self, authorities: list[x509.Certificate], kept: Path | None = None) -> None:
        self._authorities = authorities
        self._kept = kept
        self.number = 0
        self._serials: frozenset[int] = frozenset()
        self.raw = b""
        self.unread: Unread | None = None if kept is None else Unread(kept)
        if self.unread is not None and kept is not None and kept.is_file():
            self._take_up(kept, self.unread)

    def _take_up(self, kept: Path, unread: Unread) -> None:
        """The list as it was kept: older than none that was seen."""
        try:
            raw = kept.read_bytes()
        except OSError as error:
            raw = (error.strerror or "").encode()
        if not self.take(raw):
            then = "Devices revoked since they were set up are believed until the station sends the list again."
            unread.met("the list of revoked certificates", raw, then)

    def take(self, raw: bytes) -> bool:
        """Takes a list that is newer and signed by the venue's authority; False for any other."""
        found = self._read(raw)
        if found is None or found[0] <= self.number:
            return False
        self.number, self._serials = found
        self.raw = raw
        if self._kept is not None:
            try:
                replace(self._kept, raw, mode=0o600)
            except OSError as error:
                log.warning("the revocation list is not kept: %s (%s)", self._kept, error.strerror)
        log.info("revocation list %d is in force: %d certificates", self.number, len(self._serials))
        return True

    def has(self, certificate: bytes) -> bool:
        """True for a revoked certificate (DER)."""
        return bool(certificate) and x509.load_der_x509_certificate(certificate).serial_number in self._serials

    def _read(self, raw: bytes) -> tuple[int, frozenset[int]] | None:
        if len(raw) > MOST_BYTES:
            return None
        try:
            found = x509.load_pem_x509_crl(raw)
            if not any(self._signed(found, authority) for authority in self._authorities):
                return None
            number = found.extensions.get_extension_for_class(x509.CRLNumber).value.crl_number
            return number, frozenset(entry.serial_number for entry in found)
        except (ValueError, x509.ExtensionNotFound, x509.DuplicateExtension, UnsupportedAlgorithm):
            return None

    @staticmethod
    def _signed(found: x509.CertificateRevocationList, authority: x509.Certificate) -> bool:
        try:
            key = authority.public_key()
            return found.issuer == authority.subject and found.is_signature_valid(key)  # type: ignore[arg-type]
        except (InvalidSignature, TypeError, UnsupportedAlgorithm):
            return False
