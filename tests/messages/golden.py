"""`python -m tests.messages.golden`: writes the samples and the shapes of the present version of the messages.

`golden/vN.txt` has a line for each sample of version N, its name and the bytes as they are sent, and a line for
each struct and enumeration that they are made of, with a hash of its shape. `--release` puts the file's hash into
`golden/released.txt`. From then on the file stays as it is, and its samples are read whatever the messages become:
a change of a shape needs another `MESSAGES_VERSION`, and so another file.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

from table_core.messages import MESSAGES_VERSION
from tests.messages.samples import samples, shapes

FOLDER = Path(__file__).with_name("golden")
RELEASED = FOLDER / "released.txt"  # as sha256sum writes it
SHAPE = "shape/"


def path_of(version: int) -> Path:
    return FOLDER / f"v{version}.txt"


def text() -> str:
    """The samples and the shapes of the present version."""
    shown = [f"{SHAPE}{name} {hashed}\n" for name, hashed in shapes()]
    return "".join([*(f"{name} {raw.decode()}\n" for name, _, raw in samples()), *shown])


def kept(version: int) -> dict[str, bytes]:
    """The samples of a version, by name."""
    lines = path_of(version).read_text("utf-8").splitlines()
    named = (line.partition(" ") for line in lines)
    return {name: raw.encode() for name, _, raw in named if not name.startswith(SHAPE)}


def hash_of(version: int) -> str:
    return sha256(path_of(version).read_bytes()).hexdigest()


def released() -> dict[int, str]:
    """The hash of each version's file that was released."""
    lines = (line.split() for line in RELEASED.read_text("utf-8").splitlines())
    return {int(name.removeprefix("v").removesuffix(".txt")): hashed for hashed, name in lines}


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.messages.golden",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--release", action="store_true", help="the file stays as it is from now on")
    args = parser.parse_args(argv)
    if MESSAGES_VERSION in released():
        print(f"version {MESSAGES_VERSION} is released: give the messages another version", file=sys.stderr)
        return 1
    path = path_of(MESSAGES_VERSION)
    path.write_text(text(), "utf-8")
    print(path)
    if args.release:
        with RELEASED.open("a", encoding="utf-8") as list_:
            list_.write(f"{hash_of(MESSAGES_VERSION)}  {path.name}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
