"""The certificate of a process: readable, its own, of the venue's authority, not about to end."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from cryptography import x509
from cryptography.exceptions import InvalidSignature

from feltwire.config import Broker
from feltwire.runtime.certificates.trust import Trust, common_name
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
    now = datetime.now(UTC)
    if now < own.not_valid_before_utc:
        words = f"It counts from {own.not_valid_before_utc:%Y-%m-%d} on, and here it is {now:%Y-%m-%d}."
        yield wrong("certificate", words, "Set this machine's clock.")
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


def _issued(own: x509.Certificate, ca: str) -> bool:
    for authority in x509.load_pem_x509_certificates(Path(ca).read_bytes()):
        try:
            own.verify_directly_issued_by(authority)
        except (InvalidSignature, ValueError, TypeError):
            continue
        return True
    return False
