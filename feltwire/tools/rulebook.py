"""`feltwire rulebook`: a director's own rulebook checked and told in sentences; every setting that there is."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from feltwire.errors import UsageError
from feltwire.rulebooks import examined, rulebook_named
from table_core.reference import in_words, sentence
from table_core.rulebook import BASE, Rulebook, RulebookError, load_rulebook
from table_core.rulebook_check import silences
from table_core.rulebook_file import choices_of, example_of, names_of, value_like

HELP = """A rulebook of your own: a TOML file over `base` (docs/rulebook.md).

check FILE        what is wrong in it, what it says other than `base`, where it leaves an event open
settings [WORD …] every setting that holds these words, with the values that it can have"""
EXAMPLE = "feltwire rulebook check friday.toml"
PARAMETERS = ("rules", "policies", "tournament")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("action", choices=["check", "settings"])
    parser.add_argument("words", nargs="*", metavar="FILE | WORD", help="a file to check; words of a setting")


def run(args: argparse.Namespace) -> int:
    if args.action == "settings":
        print("\n".join(_settings(args.words)))
        return 0
    if len(args.words) != 1:
        raise UsageError("name one file: feltwire rulebook check friday.toml")
    return _check(args.words[0])


def _check(name: str) -> int:
    try:
        book, faults = examined(Path(name)) if name.endswith(".toml") else (rulebook_named(name), ())
    except RulebookError as error:
        raise UsageError(str(error)) from error
    for fault in faults:
        print(f"{name}:{fault.line}: {fault}")
    if book is None or faults:
        print(f"{len(faults)} to mend; no table and no station takes the book before")
        return 1
    print("\n".join(_told(book)))
    return 0


def _told(book: Rulebook) -> Iterator[str]:
    base = load_rulebook(BASE)
    said, same = [], []
    for section in PARAMETERS:
        for setting in names_of(section):
            rule, usual = getattr(getattr(book, section), setting), getattr(getattr(base, section), setting)
            if setting not in book.spoken or rule is None:
                continue
            if usual is not None and usual.value == rule.value:
                same.append(setting)
                continue
            beside = "base is silent" if usual is None else f"base: {in_words(usual.value)}"
            said.append(f"  {sentence(setting, rule.value)} ({setting}; {beside})")
    yield f"{book.id}: {book.name}"
    yield f"{len(said)} settings differ from base:" if said else "Nothing differs from base."
    yield from said
    if same:
        yield f"The same as in base: {', '.join(same)}"
    yield "The book is silent, and so is base:"
    yield from (f"  {silence.setting}: {silence.then}" for silence in silences(book))
    yield f"In everything else base holds. sha256 {book.sha256()}"


def _settings(words: list[str]) -> Iterator[str]:
    base = load_rulebook(BASE)
    for section in PARAMETERS:
        for setting in names_of(section):
            usual, choices = getattr(getattr(base, section), setting), choices_of(setting)
            text = sentence(setting, usual.value if usual is not None else value_like(setting))
            if not all(word.lower() in f"{setting} {text} {section}".lower() for word in words):
                continue
            by_base = f"base: {in_words(usual.value)}" if usual is not None else "base is silent"
            of = f" (of {', '.join(choices)})" if choices and example_of(setting).startswith("[") else ""
            yield f"{setting} = {example_of(setting)}{of}"
            yield f"    {text} [{section}; {by_base}]"
