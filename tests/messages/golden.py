"""`python -m tests.messages.golden`: writes the samples of the present version of the messages.

`golden/v2.txt` has a line for each message of version 2: its name, and the bytes as they are sent. When a
version is released, its file's hash goes into `RELEASED`, and the file stays as it is: whatever the messages
become, they are read. A change that an earlier program could not read needs another `MESSAGES_VERSION`, and so
another file.
"""

from __future__ import annotations

import sys
from hashlib import sha256
from pathlib import Path

from table_core.messages import MESSAGES_VERSION
from tests.messages.samples import samples

FOLDER = Path(__file__).with_name("golden")
RELEASED: dict[int, str] = {}  # version -> SHA-256 (hex) of its file


def path_of(version: int) -> Path:
    return FOLDER / f"v{version}.txt"


def text() -> str:
    """The samples of the present version."""
    return "".join(f"{name} {raw.decode()}\n" for name, _, raw in samples())


def kept(version: int) -> dict[str, bytes]:
    """The samples of a version, by name."""
    lines = path_of(version).read_text("utf-8").splitlines()
    return {name: raw.encode() for name, _, raw in (line.partition(" ") for line in lines)}


def hash_of(version: int) -> str:
    return sha256(path_of(version).read_bytes()).hexdigest()


def main() -> int:
    if MESSAGES_VERSION in RELEASED:
        print(f"version {MESSAGES_VERSION} is released: give the messages another version", file=sys.stderr)
        return 1
    path_of(MESSAGES_VERSION).write_text(text(), "utf-8")
    print(path_of(MESSAGES_VERSION))
    return 0


if __name__ == "__main__":
    sys.exit(main())
