"""Catalogues of words: what the sources say, beside what `display/words` has of it.

python -m tests.words [AREA…]    writes AREA.LANGUAGE.po: new sentences without words, without orphans
"""

from __future__ import annotations

import ast
import io
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from babel.messages.pofile import read_po, write_po

from display.language import HERE, TRANSLATED
from display.said import SENTENCES

# Each area with its folders and files in `display/`. What the pages of all areas share is in `shared`.
AREAS: Mapping[str, tuple[str, ...]] = {
    "shared": ("shared",),
    "wall": ("clock", "wall"),
    "phone": ("phone",),
    "dealer": ("dealer",),
    "print": (
        "money",
        "prints",
        "seats",
        "announcements",
        "announcements_page.py",
        "money_sheets.py",
        "seat_sheets.py",
    ),
    "public": ("public",),
    "rules": ("rules",),
    "night": (),
    "said": (),
}
# What a table says in English, and what it puts together from words.
SAID = ("table_core/tracker", "table_core/rulings", "table_core/hand", "table_core/projections", "feltwire/table")
WORDS = Path(__file__).with_name("said_words.txt").read_text("utf-8").splitlines()
SAID_AREA = "said"
ENGLISH = Path(__file__).with_name("said_in_english.txt")  # sentences of a table that have no words yet
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
    if area == SAID_AREA:
        english = set(ENGLISH.read_text("utf-8").splitlines())
        return {one: files for one, files in said_by_the_table().items() if one not in english}
    found: dict[Sentence, list[str]] = {}
    for path in sources(area):
        if path.suffix not in METHODS or not path.exists():
            continue
        with path.open("rb") as file:
            for _, text, *_ in extract(METHODS[path.suffix], file, CALLS[path.suffix], (), OPTIONS):
                sentence = text if isinstance(text, str) else (text[0], text[1])
                found.setdefault(sentence, []).append(path.relative_to(HERE.parent).as_posix())
    return found


def sentences_of(path: Path) -> Iterator[str]:
    """What a module says to people: its texts and f-strings of two words or more, without docstrings and what is
    raised as a fault of the program, divided into sentences, with places `{0}`, `{1}` for values."""
    tree = ast.parse(path.read_text("utf-8"))
    silent: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            silent.update(id(one.value) for one in node.body[:1] if isinstance(one, ast.Expr))
        elif isinstance(node, ast.JoinedStr):
            silent.update(map(id, node.values))
        elif isinstance(node, ast.Assert):
            silent.update(map(id, ast.walk(node)))
    for node in ast.walk(tree):
        text = None if id(node) in silent else _text_of(node)
        for sentence in SENTENCES.split(text or ""):
            key = _numbered(sentence)
            if " " in key and re.search("[a-z]{2}", key):
                yield key


def _text_of(node: ast.AST) -> str | None:
    if isinstance(node, ast.Constant):
        return node.value.replace("{}", "\0") if isinstance(node.value, str) else None
    if not isinstance(node, ast.JoinedStr):
        return None
    parts = [str(one.value) if isinstance(one, ast.Constant) else "\0" for one in node.values]
    return "".join(parts)


def _numbered(sentence: str) -> str:
    """A clause of a sentence without what joins it to others, its values numbered."""
    bare = sentence.strip(" ,;:·").removesuffix(".")
    if bare.startswith("(") and bare.endswith(")"):
        bare = bare[1:-1]
    first, *rest = re.sub("\0+", "\0", bare).split("\0")  # two values side by side are one to who reads them
    return first + "".join(f"{{{no}}}{part}" for no, part in enumerate(rest))


def said_by_the_table() -> dict[str, list[str]]:
    """Each sentence that a table says in English, with the files that say it."""
    found: dict[str, list[str]] = {}
    for folder in SAID:
        for path in sorted((HERE.parent / folder).rglob("*.py")):
            for sentence in sentences_of(path):
                found.setdefault(sentence, []).append(path.relative_to(HERE.parent).as_posix())
    return found | {word: ["tests/said_words.txt"] for word in WORDS}


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


def words_of(catalogue: Catalog, sentence: str) -> str:
    """The words of a sentence; of one with a number, of both forms. Empty where one is missing."""
    entry = catalogue.get(sentence)
    if entry is None:
        return ""
    return entry.string if isinstance(entry.string, str) else " ".join(entry.string) * all(entry.string)


def list_what_stays_english() -> None:
    """Write `said_in_english.txt`: the sentences of a table that lack words in a language."""
    catalogues = [read(SAID_AREA, language) for language in TRANSLATED]
    said = said_by_the_table()
    english = [one for one in said if not all(words_of(catalogue, one) for catalogue in catalogues)]
    ENGLISH.write_text("\n".join(sorted(english)) + "\n", "utf-8")


def main(areas: list[str]) -> int:
    for area in areas or AREAS:
        if area == SAID_AREA:
            list_what_stays_english()
        for language in TRANSLATED:
            text = written(area, language)
            if text:
                path_of(area, language).write_text(text, "utf-8")
                have = read(area, language)
                missing = sum(
                    not words_of(have, str(one.id)) for one in have if isinstance(one.id, str) and one.id
                )
                print(f"{area}.{language}: {missing} sentences without words")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
