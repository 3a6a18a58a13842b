"""Who may make a release: its signature, the keys that a machine trusts, and the key that signs.

A machine trusts the keys in `RELEASE_KEYS`, one in hex a line. They come from its bundle, else from the release
that was installed on it first (docs/decisions/0077-one-file-a-release.md).
"""

from __future__ import annotations

import contextlib
import re
import sys
from pathlib import Path

from nacl.encoding import RawEncoder
from nacl.exceptions import BadSignatureError
from nacl.signing import SigningKey, VerifyKey

from feltwire.errors import UsageError
from feltwire.install.places import RELEASE_KEYS
from feltwire.install.program_file import MANIFEST, SIGNATURE, Release
from feltwire.private_files import write_private

_ABOUT = b"feltwire release\0"  # no other signature of the project is one of a release
_HEX = re.compile(r"[0-9a-f]{64}", re.ASCII)
_SIGNATURE = re.compile(rb"([0-9a-f]{64}) ([0-9a-f]{128})\n")


def signature_of(listed: bytes, key: SigningKey) -> bytes:
    """The content of `release.sig`: the public key, and the signature, in hex."""
    public = key.verify_key.encode(RawEncoder).hex()
    return f"{public} {key.sign(_ABOUT + listed).signature.hex()}\n".encode()


def signer_of(listed: bytes, signature: bytes) -> str:
    """The public key of whoever signed this list. Raise `UsageError` where the signature is none of it."""
    found = _SIGNATURE.fullmatch(signature)
    if found is None:
        raise UsageError("the release is not signed; ask whoever made it for the signed one")
    key, signed = (bytes.fromhex(part.decode()) for part in found.groups())
    try:
        VerifyKey(key).verify(_ABOUT + listed, signed)
    except (BadSignatureError, ValueError) as error:
        raise UsageError("the signature of the release is not of its files; copy it again") from error
    return key.hex()


def check_signature(release: Release, trusted: tuple[str, ...]) -> None:
    """Raise `UsageError` for a release that none of these keys signed."""
    signer = signer_of(release.listed, release.signature)
    if not trusted:
        raise UsageError(
            f"this machine trusts no release key ({RELEASE_KEYS}); install its bundle again with a program out of "
            "a signed release"
        )
    if signer not in trusted:
        raise UsageError(
            f"Feltwire {release.version} is signed with the key {short(signer)}, and this machine trusts "
            f"{', '.join(map(short, trusted))}: another venue's, or a forgery; get the release from where you got "
            "the first one"
        )


def trusted_keys(path: Path = RELEASE_KEYS) -> tuple[str, ...]:
    """Raise `UsageError` for a file with anything else than keys in it."""
    try:
        lines = path.read_text("ascii").split()
    except FileNotFoundError:
        return ()
    except (OSError, ValueError) as error:
        raise UsageError(f"{path}: cannot be read ({error}); install the bundle of this machine again") from error
    return checked(lines, path)


def checked(keys: list[str], where: object) -> tuple[str, ...]:
    """Raise `UsageError` for what is no public key."""
    if wrong := next((key for key in keys if not _HEX.fullmatch(key)), None):
        raise UsageError(f"{where}: {wrong[:80]!r} is no release key; write its 64 hex digits")
    return tuple(keys)


def own_key(program: Path = Path(sys.prefix)) -> str:
    """Of whoever signed the release out of which this program was installed; empty for one from a clone."""
    with contextlib.suppress(OSError, UsageError):
        return signer_of((program / MANIFEST).read_bytes(), (program / SIGNATURE).read_bytes())
    return ""


def short(key: str) -> str:
    """As people compare them."""
    return " ".join(key[at : at + 4] for at in range(0, 16, 4))


def make_key(path: Path) -> str:
    """A new signing key in a file for its owner alone; the public key is the answer. Raise `UsageError`."""
    key = SigningKey.generate()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_private(path, f"{key.encode(RawEncoder).hex()}\n".encode())
    except FileExistsError:
        raise UsageError(f"{path}: exists; a release key is not overwritten") from None
    except OSError as error:
        raise UsageError(f"{path}: cannot be written ({error.strerror})") from error
    return key.verify_key.encode(RawEncoder).hex()


def load_key(path: Path) -> SigningKey:
    """Raise `UsageError` for a file that holds no signing key."""
    try:
        said = path.read_bytes()[:100].decode("ascii").strip()
    except (OSError, ValueError) as error:
        raise UsageError(f"{path}: cannot be read ({error}); make one: feltwire program key {path}") from error
    if not _HEX.fullmatch(said):
        raise UsageError(f"{path}: is no release key; make one: feltwire program key {path}")
    return SigningKey(bytes.fromhex(said))
