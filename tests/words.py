"""Catalogues of words: what the sources say, beside what `display/words` has of it.

python -m tests.words [AREA…]    writes AREA.LANGUAGE.po: new sentences without words, without orphans
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from babel.messages.pofile import read_po, write_po

from display.language import HERE, TRANSLATED

# Each area with its folders and files in `display/`. What the pages of all areas share is in `shared`.
AREAS: Mapping[str, tuple[str, ...]] = {
    "shared": ("shared",),
    "wall": ("clock", "wall"),
    "phone": ("phone",),
    "dealer": ("dealer",),
    "print": ("money", "seats", "announcements", "announcements_page.py", "money_sheets.py", "seat_sheets.py"),
    "public": ("public",),
    "rules": ("rules",),
    "night": (),
}
METHODS = {".html": "jinja2.ext:babel_extract", ".js": "javascript", ".py": "python"}
CALLS: dict[str, dict[str, tuple[int, ...] | None]] = {
    ".html": {"_": None, "plural": (1, 2), "key": (2,)},
    ".js": {"t": None, "plural": (1, 2)},
    ".py": {"words": None, "plural": (1, 2)},
}
HEADER = (
    'msgid ""\nmsgstr ""\n"Language: {}\\n"\n"Content-Type: text/plain; charset=utf-8\\n"\n'
    '"Plural-Forms: nplurals=2; plural=(n != 1);\\n"\n\n'
)
OPTIONS = {"encoding": "utf-8", "parse_template_string": True}
Sentence = str | tuple[str, str]


def sources(area: str) -> Iterator[Path]:
    """The files whose words are those of an area."""
    for name in AREAS[area]:
        path = HERE / name
        yield from sorted(path.rglob("*")) if path.is_dir() else [path]


def said_in(area: str) -> dict[Sentence, list[str]]:
    """Each sentence of the area, one or one with its plural, with the files that say it."""
    found: dict[Sentence, list[str]] = {}
    for path in sources(area):
        if path.suffix not in METHODS or not path.exists():
            continue
        with path.open("rb") as file:
            for _, text, *_ in extract(METHODS[path.suffix], file, CALLS[path.suffix], (), OPTIONS):
                sentence = text if isinstance(text, str) else (text[0], text[1])
                found.setdefault(sentence, []).append(path.relative_to(HERE.parent).as_posix())
    return found


def path_of(area: str, language: str) -> Path:
    return HERE / "words" / f"{area}.{language}.po"


def read(area: str, language: str) -> Catalog:
    """The catalogue as it lies there; empty where there is none."""
    path = path_of(area, language)
    if not path.exists():
        return Catalog()
    with path.open("rb") as file:
        return read_po(file)


def written(area: str, language: str) -> str:
    """The catalogue as it should be: the sentences of the sources with the words that there are."""
    have = read(area, language)
    new = Catalog()
    for sentence, files in said_in(area).items():
        before = have.get(sentence if isinstance(sentence, str) else sentence[0])
        words = before.string if before is not None else ""
        if isinstance(sentence, str) != isinstance(words, str):
            words = "" if isinstance(sentence, str) else ("", "")
        new.add(sentence, words, locations=[(file, 0) for file in sorted(set(files))])
    out = io.BytesIO()
    write_po(out, new, width=115, omit_header=True, sort_output=True, include_lineno=False)
    return HEADER.format(language) + out.getvalue().decode() if len(new) else ""


def main(areas: list[str]) -> int:
    for area in areas or AREAS:
        for language in TRANSLATED:
            text = written(area, language)
            if text:
                path_of(area, language).write_text(text, "utf-8")
                missing = sum(1 for one in read(area, language) if one.id and not any(one.string))
                print(f"{area}.{language}: {missing} sentences without words")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
