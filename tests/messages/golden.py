"""`python -m tests.messages.golden`: writes the samples and the shapes of the present version of the messages.

`golden/vN.txt` has a line for each sample of version N, its name and the bytes as they are sent, and a line for
each struct and enumeration that they are made of, with a hash of its shape; `golden/vN.schema.json` has the shapes
themselves. `--release` puts the hashes of both files into `golden/released.txt`. From then on they stay as they
are, and the samples are read whatever the messages become: a change of a shape needs another `MESSAGES_VERSION`,
and so other files.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from table_core.messages import MESSAGES_VERSION
from tests.messages.samples import samples, schemas, shapes

FOLDER = Path(__file__).with_name("golden")
RELEASED = FOLDER / "released.txt"  # as sha256sum writes it
SHAPE = "shape/"


def path_of(version: int) -> Path:
    return FOLDER / f"v{version}.txt"


def schema_path(version: int) -> Path:
    return FOLDER / f"v{version}.schema.json"


def schemas_of(version: int) -> dict[str, Any]:
    """What a program of this version reads, as `samples.schemas` has it."""
    kept: dict[str, Any] = json.loads(schema_path(version).read_text("utf-8"))
    return kept


def schemas_text() -> str:
    return json.dumps(schemas(), separators=(",", ":"))


def text() -> str:
    """The samples and the shapes of the present version."""
    shown = [f"{SHAPE}{name} {hashed}\n" for name, hashed in shapes()]
    return "".join([*(f"{name} {raw.decode()}\n" for name, _, raw in samples()), *shown])


def kept(version: int) -> dict[str, bytes]:
    """The samples of a version, by name."""
    lines = path_of(version).read_text("utf-8").splitlines()
    named = (line.partition(" ") for line in lines)
    return {name: raw.encode() for name, _, raw in named if not name.startswith(SHAPE)}


def released() -> dict[str, str]:
    """The hash of each file of a version that was released, by name."""
    lines = (line.split() for line in RELEASED.read_text("utf-8").splitlines())
    return {name: hashed for hashed, name in lines}


def hash_of(name: str) -> str:
    return sha256((FOLDER / name).read_bytes()).hexdigest()


def is_released(version: int) -> bool:
    return path_of(version).name in released()


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.messages.golden",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--release", action="store_true", help="the file stays as it is from now on")
    args = parser.parse_args(argv)
    if is_released(MESSAGES_VERSION):
        print(f"version {MESSAGES_VERSION} is released: give the messages another version", file=sys.stderr)
        return 1
    files = {path_of(MESSAGES_VERSION): text(), schema_path(MESSAGES_VERSION): schemas_text()}
    for path, written in files.items():
        path.write_text(written, "utf-8")
        print(path)
    if args.release:
        with RELEASED.open("a", encoding="utf-8") as list_:
            list_.writelines(f"{hash_of(path.name)}  {path.name}\n" for path in files)
    return 0


if __name__ == "__main__":
    sys.exit(main())
