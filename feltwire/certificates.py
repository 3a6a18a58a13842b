"""A venue's own certificate authority: one certificate a device, its name the device's identity on the broker."""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from feltwire.errors import UsageError

AUTHORITY_DAYS = 3650
DEVICE_DAYS = 1825
_CLOCK_SKEW = timedelta(days=1)  # a Pi without a clock chip starts in the past


class CertificateError(UsageError):
    """A key or certificate that cannot be used: which file, what to do."""


class Authority:
    """Signs the certificates of one venue. Its key never leaves the machine that provisions."""

    def __init__(self, key: ec.EllipticCurvePrivateKey, certificate: x509.Certificate) -> None:
        self._key = key
        self.certificate = certificate

    @classmethod
    def open(cls, folder: Path, venue: str) -> Authority:
        """The authority whose `ca.key` and `ca.crt` lie in `folder`; made when there is none."""
        key_file, certificate_file = folder / "ca.key", folder / "ca.crt"
        if key_file.exists() and certificate_file.exists():
            return cls(_load_key(key_file), _load_certificate(certificate_file))
        key = ec.generate_private_key(ec.SECP256R1())
        name = _name(f"Feltwire {venue} CA")
        certificate = (
            _builder(name, name, key.public_key(), AUTHORITY_DAYS)
            .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
            .add_extension(_key_usage(authority=True), critical=True)
            .sign(key, hashes.SHA256())
        )
        write_private(key_file, _pem(key))
        certificate_file.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
        return cls(key, certificate)

    def issue(self, folder: Path, name: str, *, hosts: Sequence[str] = ()) -> None:
        """Write `<name>.key` and `<name>.crt` into `folder`. With `hosts` (names or addresses) it is a
        server's, without a client's."""
        key = ec.generate_private_key(ec.SECP256R1())
        usage = ExtendedKeyUsageOID.SERVER_AUTH if hosts else ExtendedKeyUsageOID.CLIENT_AUTH
        authority_key = x509.AuthorityKeyIdentifier.from_issuer_public_key(self._key.public_key())
        builder = (
            _builder(_name(name), self.certificate.subject, key.public_key(), DEVICE_DAYS)
            .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
            .add_extension(_key_usage(authority=False), critical=True)
            .add_extension(x509.ExtendedKeyUsage([usage]), critical=False)
            .add_extension(authority_key, critical=False)
        )
        if hosts:
            names = x509.SubjectAlternativeName([_host(host) for host in hosts])
            builder = builder.add_extension(names, critical=False)
        certificate = builder.sign(self._key, hashes.SHA256())
        write_private(folder / f"{name}.key", _pem(key))
        (folder / f"{name}.crt").write_bytes(certificate.public_bytes(serialization.Encoding.PEM))


def write_private(path: Path, content: bytes) -> None:
    """Write a file that only its owner reads; FileExistsError rather than overwrite a key."""
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(content)


def _builder(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePublicKey, days: int
) -> x509.CertificateBuilder:
    now = datetime.now(UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - _CLOCK_SKEW)
        .not_valid_after(now + timedelta(days=days))
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key), critical=False)
    )


def _key_usage(*, authority: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not authority,
        key_cert_sign=authority,
        crl_sign=authority,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )


def _name(common: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, common)])


def _host(host: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ip_address(host))
    except ValueError:
        return x509.DNSName(host)


def _pem(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )


def _load_key(path: Path) -> ec.EllipticCurvePrivateKey:
    try:
        key = serialization.load_pem_private_key(path.read_bytes(), password=None)
    except (OSError, ValueError, TypeError, UnsupportedAlgorithm) as error:
        raise CertificateError(f"{path}: no usable key; restore it, or provision into a new folder") from error
    if not isinstance(key, ec.EllipticCurvePrivateKey):
        raise CertificateError(f"{path}: not a key that `feltwire provision` made; name another folder")
    return key


def _load_certificate(path: Path) -> x509.Certificate:
    try:
        return x509.load_pem_x509_certificate(path.read_bytes())
    except (OSError, ValueError) as error:
        raise CertificateError(f"{path}: no certificate; restore it, or provision into a new folder") from error
