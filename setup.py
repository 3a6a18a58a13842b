"""What pyproject.toml cannot say: `FELTWIRE_COMPILED=1` builds a wheel with a compiled hand engine.

Without it the wheel is plain Python, which needs no compiler
(docs/decisions/0035-the-hand-engine-may-be-compiled.md).
"""

import os
from pathlib import Path

from setuptools import setup

# Left as they are: mypyc drops the `frozen=True` of a Struct.
STRUCTS = ("button", "declarations", "snapshot")
HAND = [path for path in Path("table_core/hand").rglob("*.py") if path.stem not in ("__init__", *STRUCTS)]


def engine():
    """The hand engine and the ranking of hands as extension modules, by mypyc (it comes with mypy)."""
    from mypyc.build import mypycify  # a plain build does without it

    modules = ["table_core/ranking.py", *sorted(str(path) for path in HAND)]
    return mypycify(modules, opt_level="3", group_name="table_core_hand")


setup(ext_modules=engine() if os.environ.get("FELTWIRE_COMPILED") == "1" else [])
