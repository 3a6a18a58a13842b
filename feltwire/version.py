"""Which program this is: its version, the Python that runs it, and whether the compiled hand engine is in use."""

from __future__ import annotations

import re
from importlib import metadata, util
from platform import python_version

COMPILED = (".so", ".pyd")


def program_version() -> str:
    """The version that is installed: `0.2.0`; between releases `0.2.0.dev20261129143000+g8fc35daa7` with the time
    of the commit (docs/versions.md); `unknown` in a folder of files that nobody installed."""
    try:
        return metadata.version("feltwire")
    except metadata.PackageNotFoundError:
        return "unknown"


_NUMBERS = re.compile(r"(\d{1,9})\.(\d{1,9})\.(\d{1,9})(?:\.dev(\d{1,20}))?(?:\+[\w.]{1,100})?", re.ASCII)


def order_of(version: str) -> tuple[int, ...] | None:
    """Orders versions of this program; None for what is none.

    >>> order_of("0.2.0.dev20261129143000+g8fc35daa7") < order_of("0.2.0") < order_of("0.10.0")
    True
    """
    found = _NUMBERS.fullmatch(version)
    if found is None:
        return None
    major, minor, patch, dev = found.groups()
    return int(major), int(minor), int(patch), int(dev is None), int(dev or 0)


def engine() -> str:
    """`compiled` or `plain Python`: which hand engine a process here would load."""
    found = util.find_spec("table_core.hand.hand")
    return "compiled" if found is not None and (found.origin or "").endswith(COMPILED) else "plain Python"


def in_words() -> str:
    """One line, as `Feltwire 0.2.0, Python 3.11.2, hand engine: plain Python`."""
    return f"Feltwire {program_version()}, Python {python_version()}, hand engine: {engine()}"
