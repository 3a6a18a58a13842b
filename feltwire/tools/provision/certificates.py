"""A venue's own certificate authority: one certificate per device; its name is the device's identity on the
broker."""

from __future__ import annotations

import stat
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from pathlib import Path

from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from feltwire.errors import UsageError
from feltwire.private_files import replace, write_private

AUTHORITY_DAYS = 3650
DEVICE_DAYS = 1825
PAGE_DAYS = 825  # browsers refuse more
# Browsers of the venue trust this authority: it can speak for no name outside the venue's network.
_LOCAL_NAMES = ("localhost", "local", "lan", "internal", "home.arpa")
_LOCAL_NETWORKS = (
    *("127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"),
    *("::1/128", "fc00::/7", "fe80::/10"),
)
_CLOCK_SKEW = timedelta(days=1)  # a Pi without a clock chip starts in the past


class CertificateError(UsageError):
    """A key or certificate that cannot be used: which file, what to do."""


class CertificateAuthority:
    """Signs the certificates of one venue. Its key never leaves the machine that provisions."""

    def __init__(self, folder: Path, key: ec.EllipticCurvePrivateKey, certificate: x509.Certificate) -> None:
        self._folder = folder
        self._key = key
        self.certificate = certificate

    @classmethod
    def open(cls, folder: Path, venue: str, hosts: Sequence[str] = ()) -> CertificateAuthority:
        """The authority in `folder`; made when there is none, to speak for local names and for `hosts`."""
        key_file, certificate_file = folder / "ca.key", folder / "ca.crt"
        if key_file.exists() and certificate_file.exists():
            return cls.load(folder)
        key = ec.generate_private_key(ec.SECP256R1())
        name = _name(f"Feltwire {venue} CA")
        certificate = (
            _builder(name, name, key.public_key(), AUTHORITY_DAYS)
            .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
            .add_extension(_key_usage(authority=True), critical=True)
            .add_extension(_constraints(hosts), critical=True)
            .sign(key, hashes.SHA256())
        )
        write_private(key_file, _pem(key))
        replace(certificate_file, certificate.public_bytes(serialization.Encoding.PEM))
        return cls.load(folder)

    @classmethod
    def load(cls, folder: Path) -> CertificateAuthority:
        """The authority that lies in `folder`; with an empty revocation list when it has none yet.

        Raise `CertificateError` where a file is missing, or others may read the key.
        """
        key_file = folder / "ca.key"
        key, certificate = _load_key(key_file), load_certificate(folder / "ca.crt")
        if key_file.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
            raise CertificateError(f"{key_file}: others may read it: chmod 600, and think of who could have")
        authority = cls(folder, key, certificate)
        if not authority.list_file.exists():
            authority._sign_list(1, [])
        return authority

    def issue(self, folder: Path, name: str, *, hosts: Sequence[str] = (), subject: str = "") -> None:
        """Write `<name>.key` and `<name>.crt` into `folder`, over those that lie there. With `hosts` (names or
        addresses) it is a server's, without a client's. `subject` is who it is, when not `name`.

        Raise `CertificateError` for a host that the authority may not speak for.
        """
        for host in hosts:
            if not self._may_speak_for(host):
                raise CertificateError(
                    f"{host}: this venue's authority speaks only for local names ({', '.join(_LOCAL_NAMES)}) "
                    "and those that it was made with; use such a name, or provision into a new folder"
                )
        key = ec.generate_private_key(ec.SECP256R1())
        usage = ExtendedKeyUsageOID.SERVER_AUTH if hosts else ExtendedKeyUsageOID.CLIENT_AUTH
        authority_key = x509.AuthorityKeyIdentifier.from_issuer_public_key(self._key.public_key())
        days = PAGE_DAYS if hosts and subject else DEVICE_DAYS
        builder = (
            _builder(_name(subject or name), self.certificate.subject, key.public_key(), days)
            .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
            .add_extension(_key_usage(authority=False), critical=True)
            .add_extension(x509.ExtendedKeyUsage([usage]), critical=False)
            .add_extension(authority_key, critical=False)
        )
        if hosts:
            names = x509.SubjectAlternativeName([_host(host) for host in hosts])
            builder = builder.add_extension(names, critical=False)
        certificate = builder.sign(self._key, hashes.SHA256())
        pem = certificate.public_bytes(serialization.Encoding.PEM)
        self._register(certificate, pem)
        # A process that reads between the two finds a pair that does not fit, says so and reads again.
        replace(folder / f"{name}.key", _pem(key), mode=0o600)
        replace(folder / f"{name}.crt", pem)

    def _may_speak_for(self, host: str) -> bool:
        try:
            limits = self.certificate.extensions.get_extension_for_class(x509.NameConstraints).value
        except x509.ExtensionNotFound:  # made before there were any
            return True
        asked = _host(host)
        for permitted in limits.permitted_subtrees or ():
            if isinstance(asked, x509.DNSName) and isinstance(permitted, x509.DNSName):
                if f".{asked.value}".endswith(f".{permitted.value}"):
                    return True
            elif isinstance(asked, x509.IPAddress) and isinstance(permitted, x509.IPAddress):
                network = permitted.value
                if isinstance(network, IPv4Network | IPv6Network) and ip_address(host) in network:
                    return True
        return False

    # ------------------------------------------------------------------------------------ revoking

    @property
    def list_file(self) -> Path:
        return self._folder / "ca.crl"

    def issued(self) -> Iterator[x509.Certificate]:
        """Every certificate that it signed and knows of, oldest first."""
        found = [(load_certificate(path), path) for path in (self._folder / "issued").glob("*.crt")]
        found.sort(key=lambda one: (one[0].not_valid_before_utc, one[1].stat().st_mtime_ns))
        yield from (certificate for certificate, _ in found)

    def complete(self, folder: Path, name: str) -> None:
        """Where `issue` was cut off between key and certificate, put the certificate of that key beside it."""
        key, mine = folder / f"{name}.key", folder / f"{name}.crt"
        if not key.exists():
            return
        public = _load_key(key).public_key()
        if load_certificate(mine).public_key() == public:
            return
        for path in (self._folder / "issued").glob("*.crt"):
            if load_certificate(path).public_key() == public:
                replace(mine, path.read_bytes())

    def adopt(self, path: Path) -> None:
        """Know of a certificate that was signed before there was a register."""
        certificate = load_certificate(path)
        self._register(certificate, path.read_bytes())

    def revoked(self) -> x509.CertificateRevocationList:
        return x509.load_pem_x509_crl(self.list_file.read_bytes())

    def revoke(self, certificates: Sequence[x509.Certificate], reason: x509.ReasonFlags) -> None:
        """Put them on the list, which is signed anew with the next number."""
        old, now = self.revoked(), datetime.now(UTC)
        entries = [*old]
        for certificate in certificates:
            entry = x509.RevokedCertificateBuilder().serial_number(certificate.serial_number)
            entry = entry.revocation_date(now).add_extension(x509.CRLReason(reason), critical=False)
            entries.append(entry.build())
        self._sign_list(old.extensions.get_extension_for_class(x509.CRLNumber).value.crl_number + 1, entries)

    def _sign_list(self, number: int, entries: Sequence[x509.RevokedCertificate]) -> None:
        builder = (
            x509.CertificateRevocationListBuilder()
            .issuer_name(self.certificate.subject)
            .last_update(datetime.now(UTC) - _CLOCK_SKEW)
            .next_update(self.certificate.not_valid_after_utc)
            .add_extension(x509.CRLNumber(number), critical=False)
            .add_extension(
                x509.AuthorityKeyIdentifier.from_issuer_public_key(self._key.public_key()), critical=False
            )
        )
        for entry in entries:
            builder = builder.add_revoked_certificate(entry)
        signed = builder.sign(self._key, hashes.SHA256())
        replace(self.list_file, signed.public_bytes(serialization.Encoding.PEM))

    def _register(self, certificate: x509.Certificate, pem: bytes) -> None:
        issued = self._folder / "issued"
        issued.mkdir(exist_ok=True, mode=0o700)
        path = issued / f"{certificate.serial_number:040x}.crt"
        if not path.exists():
            replace(path, pem)


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


def _constraints(hosts: Sequence[str]) -> x509.NameConstraints:
    names = [x509.DNSName(name) for name in _LOCAL_NAMES]
    networks = [x509.IPAddress(ip_network(network)) for network in _LOCAL_NETWORKS]
    own = [
        host if isinstance(host, x509.DNSName) else x509.IPAddress(ip_network(host.value))
        for host in map(_host, hosts)
    ]
    return x509.NameConstraints(permitted_subtrees=[*names, *networks, *own], excluded_subtrees=None)


def _name(common: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, common)])


def _host(host: str) -> x509.DNSName | x509.IPAddress:
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


def load_certificate(path: Path) -> x509.Certificate:
    """Raise `CertificateError` where the file is missing or no certificate."""
    try:
        return x509.load_pem_x509_certificate(path.read_bytes())
    except (OSError, ValueError) as error:
        raise CertificateError(f"{path}: no certificate; restore it, or provision into a new folder") from error
