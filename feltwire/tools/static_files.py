"""Style sheets and scripts of our pages, for pages that another web host serves."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path

import display

SHARED = Path(display.__file__).parent / "shared"
# The typeface that base.css names, without the flags.
TYPEFACE = {"shared/fonts": tuple(sorted(path.name for path in (SHARED / "fonts").glob("sofia*.woff2")))}


def copy_static(folders: Mapping[str, Iterable[str]], to: Path) -> None:
    """Copy these files of `display`, by folder, to `to/static/FOLDER`. Raise `OSError`."""
    for folder, names in folders.items():
        (to / "static" / folder).mkdir(parents=True, exist_ok=True)
        for name in names:
            shutil.copyfile(Path(display.__file__).parent / folder / name, to / "static" / folder / name)
