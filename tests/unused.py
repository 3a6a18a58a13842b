"""Looks for code that nothing uses: `python -m tests.unused`; exit 1 for what `unused.toml` does not allow.

Two passes of vulture. The first reads what a venue has: code there must be used there, and a use in `lab`, in a
simulator or in a test is none. The second reads everything, and looks at the folders that no venue runs. A test
is never a use. `unused.toml` has what stays although nothing uses it, by reason; a needless entry is an error.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterable
from pathlib import Path

from vulture import Vulture

from tests.house import PACKAGES, ROOT, in_venue

ALLOWED = Path(__file__).with_name("unused.toml")
FIRMWARE = "hardware/firmware"  # a venue runs it, too, and with it the device's side of `firmware_bridge`
REGISTERED = ("@incident", "@mutant", "@_expectation")  # functions that these decorators put into a table
# What rulebook files name; `tests/table_core/test_rulebook.py` looks for what reads it.
SETTINGS = ("table_core/parameters.py", "table_core/policies.py", "table_core/tournament/policies.py")


def unused(files: Iterable[Path]) -> set[str]:
    """What no other line of these files uses, as `path: name`."""
    vulture = Vulture(ignore_decorators=list(REGISTERED))
    vulture.scavenge(files)
    found = vulture.get_unused_code(min_confidence=60)
    named = {f"{item.filename.resolve().relative_to(ROOT).as_posix()}: {item.name}" for item in found}
    return {name for name in named if not name.startswith(SETTINGS)}


def all_unused() -> set[str]:
    """What the two passes find."""
    files = [path for folder in (*PACKAGES, FIRMWARE) for path in sorted((ROOT / folder).rglob("*.py"))]
    venue = [path for path in files if in_venue(path.relative_to(ROOT).as_posix())]
    return unused(venue) | {name for name in unused(files) if not in_venue(name)}


def allowed() -> set[str]:
    """The entries of `unused.toml`: reason, then file, then names."""
    reasons = tomllib.loads(ALLOWED.read_text("utf-8"))
    return {f"{file}: {name}" for files in reasons.values() for file, names in files.items() for name in names}


def main() -> int:
    found, may = all_unused(), allowed()
    for name in sorted(found - may):
        print(f"{name}: nothing uses it; delete it, or give its reason in tests/unused.toml")
    for name in sorted(may - found):
        print(f"{name}: used, or gone; delete its entry in tests/unused.toml")
    return 1 if found != may else 0


if __name__ == "__main__":
    sys.exit(main())
