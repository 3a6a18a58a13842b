"""The certificate of a process: readable, its own, of the venue's authority, not about to end."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from cryptography import x509
from cryptography.exceptions import InvalidSignature

from feltwire.config import Broker
from feltwire.runtime.certificates.trust import SOON, Trust, common_name
from feltwire.tools.doctor.findings import Finding, look, refusing, secret, well, wrong
from feltwire.tools.provision.access import role_of

RENEW = "feltwire provision renew, then copy this device's folder again (docs/threats.md)."


def trusted(broker: Broker, venue: str) -> Trust:
    """Raise `Refused` for files that are no pair, or cannot be read."""
    with refusing("certificate"):
        return Trust(broker, venue)


def named(broker: Broker, role: str) -> str:
    """The name in this process's certificate, where it is one of several devices of that role: `clock-bar`."""
    if not broker.cert:
        return role
    said = common_name(x509.load_pem_x509_certificates(Path(broker.cert).read_bytes())[0])
    return said if role_of(said) == role else role


def check(broker: Broker, name: str) -> Iterator[Finding]:
    """`name`: what the certificate of this process should say. The files have been read before."""
    yield from secret("certificate", broker.key)
    if not broker.cert:
        yield look(
            "certificate", "None is presented: the broker knows this device by nothing.", "Name cert and key."
        )
        return
    own = x509.load_pem_x509_certificates(Path(broker.cert).read_bytes())[0]
    said = common_name(own)
    if said != name:
        words = f"It is {said}'s, and this is {name}: the broker lets it write nothing of its own."
        yield wrong("certificate", words, f"Copy the folder {name} of `feltwire provision` to this machine.")
    yield from _too_early(own, "certificate")
    if broker.ca and not _issued(own, broker.ca):
        words = f"{broker.cert} was not made by the authority in {broker.ca}."
        yield wrong("certificate", words, "Copy both again, from the same folder of `feltwire provision`.")
    elif said == name:
        yield well("certificate", f"It is {name}'s, of the venue's authority.")


def ends(trust: Trust, peer: bytes, name: str) -> Iterator[Finding]:
    """When they end; `peer` is the broker's certificate, where it has been seen."""
    for one in trust.ends(peer):
        if one.on < f"{datetime.now(UTC):%Y-%m-%d}":
            yield wrong("certificate", f"{one.words(name).partition(' expires')[0]} ended on {one.on}.", RENEW)
        elif one.soon:
            yield look("certificate", one.words(name).partition(";")[0] + ".", RENEW)


def _too_early(own: x509.Certificate, part: str) -> Iterator[Finding]:
    now = datetime.now(UTC)
    if now < own.not_valid_before_utc:
        words = f"It counts from {own.not_valid_before_utc:%Y-%m-%d} on, and here it is {now:%Y-%m-%d}."
        yield wrong(part, words, "Set this machine's clock.")


def time_left(own: x509.Certificate, part: str) -> Iterator[Finding]:
    """Whether a certificate counts already, and still does in a month."""
    yield from _too_early(own, part)
    ends, now = own.not_valid_after_utc, datetime.now(UTC)
    if ends < now:
        yield wrong(part, f"Their certificate ended on {ends:%Y-%m-%d}.", RENEW)
    elif ends < now + SOON:
        yield look(part, f"Their certificate expires on {ends:%Y-%m-%d}.", RENEW)


def hosts_of(own: x509.Certificate) -> list[str]:
    """Names and addresses that a certificate speaks for."""
    try:
        found = own.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except x509.ExtensionNotFound:
        return []
    return [*found.get_values_for_type(x509.DNSName), *map(str, found.get_values_for_type(x509.IPAddress))]


def covers(pattern: str, host: str) -> bool:
    """Whether a browser takes a certificate for `pattern` at `host`: `*.` stands for one label."""
    pattern, host = pattern.lower(), host.lower()
    return pattern == host or (pattern.startswith("*.") and pattern[1:] == host[host.find(".") :])


def _issued(own: x509.Certificate, ca: str) -> bool:
    for authority in x509.load_pem_x509_certificates(Path(ca).read_bytes()):
        try:
            own.verify_directly_issued_by(authority)
        except (InvalidSignature, ValueError, TypeError):
            continue
        return True
    return False
