"""What pyproject.toml cannot say: the number of a version between releases, and `FELTWIRE_COMPILED=1`, which
builds a wheel with a compiled hand engine.

Without it the wheel is plain Python, which needs no compiler
(docs/decisions/0035-the-hand-engine-may-be-compiled.md).
"""

import os
import re
import subprocess
from pathlib import Path

from setuptools import setup

# Left as they are: mypyc drops the `frozen=True` of a Struct.
STRUCTS = ("button", "declarations", "snapshot")
HAND = [path for path in Path("table_core/hand").rglob("*.py") if path.stem not in ("__init__", *STRUCTS)]
HERE = Path(__file__).parent


def engine():
    """The hand engine and the ranking of hands as extension modules, by mypyc (it comes with mypy)."""
    from mypyc.build import mypycify  # a plain build does without it

    modules = ["table_core/ranking.py", *sorted(str(path) for path in HAND)]
    return mypycify(modules, opt_level="3", group_name="table_core_hand")


def next_release():
    """The version that CHANGELOG.md begins with."""
    return re.search(r"^## (\d+\.\d+\.\d+)", (HERE / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)[1]


def numbered(version):
    """The tag's version at a release, else the next one's with the time of the commit: a clone without tags or
    without history gives the same number as a whole one, and a later commit a higher one (docs/versions.md)."""
    if version.exact and version.distance == 0:
        return str(version.tag)
    git = ("git", "-C", HERE, "log", "-1", "--format=%cd", "--date=format-local:%Y%m%d%H%M%S")
    shown = subprocess.run(git, env={**os.environ, "TZ": "UTC"}, capture_output=True, text=True, check=False)
    return f"{next_release()}.dev{shown.stdout.strip() or 0}"


setup(
    ext_modules=engine() if os.environ.get("FELTWIRE_COMPILED") == "1" else [],
    # Files without git that are no sdist do not tell which commit they are of: below all of the next release.
    use_scm_version={
        "version_scheme": numbered,
        "fallback_version": f"{next_release()}.dev0",
        "git_describe_command": "git describe --dirty --tags --long --abbrev=40 --match v[0-9]*",
    },
)
