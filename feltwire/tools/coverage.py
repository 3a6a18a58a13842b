"""`feltwire coverage export`: the live coverage as files for any web host, page and feeds in each language.

Only lines that are out are in it, as everybody reads them at the relay: what waits for its time or for a person is
not."""

from __future__ import annotations

import argparse
from contextlib import closing
from pathlib import Path
from urllib.parse import urlsplit

from display.coverage_page import (
    LANGUAGES,
    ON_A_PAGE,
    Places,
    hand_path,
    has_hand,
    json_feed_of,
    page_of,
    part_of,
    rss_of,
)
from feltwire.errors import UsageError
from feltwire.private_files import replace
from feltwire.relay.coverage.coverage_store import DATABASE, CoverageStore
from feltwire.relay.coverage.desk import MOST_LINES, Lines
from feltwire.runtime.static_files import TYPEFACE, copy_static
from table_core.coverage import CoverageLine, CoverageView
from table_core.messages import Millis

HELP = "The live coverage of a relay as a page, RSS and JSON Feed for any web host; only what is out."
EXAMPLE = "feltwire coverage export /var/lib/feltwire/relay --to /srv/site --at https://example.org/friday"

FOLDERS = {"shared": ("base.css", "icon.svg"), "coverage": ("coverage.css",)}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    does = parser.add_subparsers(dest="do", metavar="DO", required=True)
    export = does.add_parser("export", help="write the page and its feeds")
    export.add_argument("data", metavar="DATA", type=Path, help="the relay's data folder; it may run")
    export.add_argument(
        "--to", metavar="FOLDER", type=Path, required=True, help="that of `feltwire hands export`, too: for links"
    )
    export.add_argument(
        "--at", metavar="URL", required=True, help="where the folder will be read: feeds name whole addresses"
    )


def run(args: argparse.Namespace) -> int:
    base = _base(args.at)
    view = _view(args.data)
    try:
        copy_static(FOLDERS | TYPEFACE, args.to)
        for language in LANGUAGES:
            _write(view, language, base, args.to)
    except OSError as error:
        raise UsageError(
            f"{error.filename or args.to}: cannot be written ({error.strerror}); name another folder"
        ) from error
    print(f"{len(view.lines)} lines in {args.to}: open {args.to / _file(LANGUAGES[0], 'html')}")
    return 0


def _base(address: str) -> str:
    """Raise `UsageError` for what is no address of a web host."""
    try:
        parts = urlsplit(address)
        good = parts.scheme in ("http", "https") and parts.hostname and not (parts.query or parts.fragment)
    except ValueError:
        good = False
    if not good or not address.isprintable() or " " in address:
        raise UsageError(f"--at {address!r}: is no address; write it as https://example.org/friday")
    return address.rstrip("/")


def _view(data: Path) -> CoverageView:
    """What everybody reads of the tournament that is covered now."""
    with closing(CoverageStore.open(data / DATABASE, read_only=True)) as store:
        lines = Lines(boot="", event=(store.heard("event") or b"").decode())
        lines.resume(store.lines(), Millis(0))
    return CoverageView(0, lines.event, lines.public())


def _write(view: CoverageView, language: str, base: str, to: Path) -> None:
    """A file is whole at each moment: a web host may read it meanwhile."""

    def hand(line: CoverageLine) -> str:
        path = f"{hand_path(line)}.html" if has_hand(line) else ""
        return path if path and (to / "hand" / line.table / f"{line.hand}.html").is_file() else ""

    page = _file(language, "html")
    other = _file(LANGUAGES[1 - LANGUAGES.index(language)], "html")
    places = Places(base, page, _file(language, "json"), _file(language, "rss"), page, other, hand)
    whole = part_of(view, language, most=MOST_LINES)
    newest = part_of(view, language, most=ON_A_PAGE)
    files = {
        page: page_of(view, whole, places).encode(),
        places.json: json_feed_of(view, whole, places).encode(),
        places.rss: rss_of(view, newest, places),
    }
    for name, content in files.items():
        replace(to / name, content, mode=0o644)


def _file(language: str, kind: str) -> str:
    """The first language has the plain name.

    >>> _file("de", "rss")
    'coverage.de.rss'
    """
    return f"coverage.{kind}" if language == LANGUAGES[0] else f"coverage.{language}.{kind}"
