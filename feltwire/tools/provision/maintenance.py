"""`feltwire provision revoke|renew|list`: maintains the certificates of a venue."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

from cryptography import x509
from cryptography.x509.oid import ExtendedKeyUsageOID

from feltwire.errors import UsageError
from feltwire.private_files import replace
from feltwire.runtime.certificates.trust import common_name
from feltwire.tools.provision.certificates import CertificateAuthority, load_certificate
from table_core.messages import Frozen

PAGES_OF = "pages of "  # begins the subject of such a certificate
PAGES = "pages"  # name of the files of a page certificate
REASONS = {
    "stolen": x509.ReasonFlags.key_compromise,
    "replaced": x509.ReasonFlags.superseded,
    "retired": x509.ReasonFlags.cessation_of_operation,
}


class Issued(Frozen, frozen=True):
    """One certificate of the venue. `state`: in use, replaced (a newer one lies in its folder), revoked, ended."""

    name: str
    serial: str
    begins: str
    ends: str
    days: int  # until then
    state: str
    revoked: str = ""  # when


def issued(folder: Path) -> list[Issued]:
    """Every certificate of the venue, oldest first."""
    authority, current = _opened(folder), _serials_in_use(folder)
    revoked = {entry.serial_number: entry for entry in authority.revoked()}
    now, found = datetime.now(UTC), []
    for one in authority.issued():
        entry = revoked.get(one.serial_number)
        days = (one.not_valid_after_utc - now).days
        state = "in use" if one.serial_number in current else "replaced"
        state = "revoked" if entry else "ended" if days < 0 else state
        on = f"{entry.revocation_date_utc:%Y-%m-%d}" if entry else ""
        begins, ends = f"{one.not_valid_before_utc:%Y-%m-%d}", f"{one.not_valid_after_utc:%Y-%m-%d}"
        found.append(Issued(common_name(one), f"{one.serial_number:x}", begins, ends, days, state, on))
    return found


def revoke(folder: Path, name: str, reason: str) -> int:
    """Put every certificate that `name` ever had on the list, its pages' too; how many there were.

    Raise `UsageError` where `name` has no certificate.
    """
    authority = _opened(folder)
    done = {entry.serial_number for entry in authority.revoked()}
    theirs = [one for one in authority.issued() if common_name(one) in (name, pages_of(name))]
    if not theirs:
        raise UsageError(f"{name}: no certificate of that name; see `feltwire provision list {folder}`")
    fresh = [one for one in theirs if one.serial_number not in done]
    if fresh:
        authority.revoke(fresh, REASONS[reason])
    spread_list(folder)
    return len(fresh)


def renew(folder: Path, names: Sequence[str], within: int | None) -> list[str]:
    """New keys and certificates in the folders of `names` (all: none named); `within`: only what ends in so many
    days. What was revoked is made anew only by its name.

    Raise `UsageError` for a name without a certificate.
    """
    authority = _opened(folder)
    revoked = {entry.serial_number for entry in authority.revoked()}
    done = []
    for path in _certificates_in(folder):
        old = load_certificate(path)
        name = common_name(old)
        days = (old.not_valid_after_utc - datetime.now(UTC)).days
        if names and name not in {*names, *map(pages_of, names)}:
            continue
        if (within is not None and days > within) or (not names and old.serial_number in revoked):
            continue
        subject = name if name != path.stem else ""
        authority.issue(path.parent, path.stem, hosts=hosts_of(old), subject=subject)
        done.append(name)
    if missing := [name for name in names if within is None and name not in done]:
        raise UsageError(f"{missing[0]}: no certificate of that name; see `feltwire provision list {folder}`")
    return done


def pages_of(name: str) -> str:
    """The subject of the certificate of a device's pages: no device, so the broker takes nobody by it."""
    return f"{PAGES_OF}{name}"


def adopt(authority: CertificateAuthority, folder: Path) -> None:
    """Certificates of a venue that was made before there was a register."""
    for path in _certificates_in(folder):
        authority.adopt(path)


def spread_list(folder: Path) -> None:
    """The list lies beside every copy of the authority's certificate."""
    raw = (folder / "ca.crl").read_bytes()
    for path in folder.glob("*/ca.crt"):
        replace(path.with_name("ca.crl"), raw)


def _opened(folder: Path) -> CertificateAuthority:
    authority = CertificateAuthority.load(folder)
    for path in _certificates_in(folder):
        authority.complete(path.parent, path.stem)
    adopt(authority, folder)
    return authority


def _certificates_in(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.glob("*/*.crt")):
        if path.parent.name != "issued" and path.name != "ca.crt":
            yield path


def _serials_in_use(folder: Path) -> set[int]:
    return {load_certificate(path).serial_number for path in _certificates_in(folder)}


def hosts_of(certificate: x509.Certificate) -> list[str]:
    usage = certificate.extensions.get_extension_for_class(x509.ExtendedKeyUsage).value
    if ExtendedKeyUsageOID.SERVER_AUTH not in usage:
        return []
    names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    return [str(name.value) for name in names]
