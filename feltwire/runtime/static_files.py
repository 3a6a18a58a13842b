"""Style sheets and scripts of our pages, for pages that another web host serves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import display

HERE = Path(display.__file__).parent
SHARED = HERE / "shared"
# The typeface that base.css names, without the flags.
TYPEFACE = {"shared/fonts": tuple(sorted(path.name for path in (SHARED / "fonts").glob("sofia*.woff2")))}


def static_of(folders: Mapping[str, Iterable[str]]) -> Iterator[tuple[str, bytes]]:
    """These files of `display`, by folder: `static/FOLDER/NAME` and what it holds."""
    for folder, names in folders.items():
        for name in names:
            yield f"static/{folder}/{name}", (HERE / folder / name).read_bytes()


def copy_static(folders: Mapping[str, Iterable[str]], to: Path) -> None:
    """Copy these files of `display`, by folder, to `to/static/FOLDER`. Raise `OSError`."""
    for name, content in static_of(folders):
        (to / name).parent.mkdir(parents=True, exist_ok=True)
        (to / name).write_bytes(content)
