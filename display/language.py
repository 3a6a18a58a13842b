"""The words of a page: which language it speaks, and the catalogues that it takes them from.

The English sentence is the key. `display/words/AREA.LANGUAGE.po` has its translation; an area is the folders of
pages that one catalogue serves (`tests/words.py`). A page names its areas in its first lines:

    {% set areas = ("wall",) %}          in a template; `_("Level {no}", no=3)` and `plural(...)` are there
    words("Level {no}", no=3)            in Python, with the `Words` of a request
    t("Level {no}", { no: 3 })           in a script (`shared/language.js`)

A page that names no area speaks English. Whole numbers that are put into a sentence are written as the language
writes them. `x-long` is no language: it is English with words 40 % longer, to see what a page does with them.

>>> Words("de", ("wall",))("Level {no}", no=1200)
'Level 1.200'
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from babel.messages.pofile import read_po
from babel.numbers import format_decimal
from jinja2 import Environment, FileSystemLoader, StrictUndefined, pass_context
from jinja2.runtime import Context
from markupsafe import Markup, escape
from starlette.requests import Request
from starlette.responses import Response

from display.said import Said

HERE = Path(__file__).parent
ENGLISH, LONG = "en", "x-long"
LANGUAGES: Mapping[str, str] = {"en": "English", "de": "Deutsch", "es": "Español", LONG: "x-long"}
TRANSLATED = ("de", "es")
# What a person chooses for this browser: names of the query and of the cookie, with their values.
CHOICES: Mapping[str, Collection[str]] = {"lang": LANGUAGES, "theme": ("light", "dark")}
KEPT_S = 400 * 24 * 3600  # as long as browsers keep a cookie at most
MOST_WANTED = 10  # languages of a browser that are looked at
Entry = str | tuple[str, str]  # a translation; of a sentence with a number, for one and for more


class Words:
    """The sentences, numbers and times of one language, for the pages of `areas`."""

    def __init__(self, language: str = ENGLISH, areas: Sequence[str] = ()) -> None:
        self.language = language if language in LANGUAGES else ENGLISH
        self.locale = self.language if self.language in TRANSLATED else ENGLISH
        self.tag = f"en-{LONG}" if self.language == LONG else self.language
        self._texts: dict[str, Entry] = {}
        for area in ("shared", *areas):
            self._texts |= catalogue(area, self.language)
        point = self.number(1_000)[1:-3]
        self._said = Said({key: text for key, text in self._texts.items() if isinstance(text, str)}, point)

    def __call__(self, sentence: str, /, **values: object) -> str:
        entry = self._texts.get(sentence, sentence)
        return self._filled(entry if isinstance(entry, str) else entry[1], values)

    def plural(self, one: str, more: str, n: int, /, **values: object) -> str:
        """`one` where `n` is 1, else `more`; `{n}` in them is the number."""
        entry = self._texts.get(one, (one, more))
        forms = (entry, entry) if isinstance(entry, str) else entry
        return self._filled(forms[n != 1], {"n": n, **values})

    def number(self, number: int) -> str:
        """`1,200`"""
        return str(format_decimal(number, locale=self.locale))

    def amount(self, cents: int) -> str:
        """Cents as an amount: `1,234.50`."""
        return str(format_decimal(cents / 100, format="#,##0.00", locale=self.locale))

    def said(self, text: str) -> str:
        """What engine, tracker, rulings or desk say in English, in this language (`display/said.py`)."""
        return self._said(text)

    def inline(self) -> Markup:
        """The catalogue for the page's scripts, as JSON that may stand in a `script` element."""
        data = {"locale": self.locale, "texts": self._texts}
        return Markup(json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c"))

    def _filled(self, sentence: str, values: Mapping[str, object]) -> str:
        shown = {key: self._shown(value) for key, value in values.items()}
        if any(hasattr(value, "__html__") for value in shown.values()):
            return Markup(escape(sentence)).format(**shown)
        return sentence.format(**shown) if shown else sentence

    def _shown(self, value: object) -> object:
        return self.number(value) if isinstance(value, int) and not isinstance(value, bool) else value


@cache
def words_in(language: str, areas: Sequence[str] = ()) -> Words:
    """The words of a language for the pages of `areas`; of none: English."""
    return Words(language if areas else ENGLISH, areas)


@cache
def catalogue(area: str, language: str) -> Mapping[str, Entry]:
    """Each sentence of an area with its translation; empty for English, and for an area without a catalogue."""
    if language == LONG:
        return {key: _lengthened(entry) for key, entry in _english(area).items()}
    path = HERE / "words" / f"{area}.{language}.po"
    if language not in TRANSLATED or not path.exists():
        return {}
    with path.open("rb") as file:
        entries = read_po(file)
    return {_key(one.id): _entry(one.string) for one in entries if one.id and any(_entry(one.string))}


def _english(area: str) -> Mapping[str, Entry]:
    path = HERE / "words" / f"{area}.{TRANSLATED[0]}.po"
    if not path.exists():
        return {}
    with path.open("rb") as file:
        return {_key(one.id): _entry(one.id) for one in read_po(file) if one.id}


def _key(text: Any) -> str:
    return text if isinstance(text, str) else str(text[0])


def _entry(text: Any) -> Entry:
    return text if isinstance(text, str) else (str(text[0]), str(text[1]))


def _lengthened(entry: Entry) -> Entry:
    return longer(entry) if isinstance(entry, str) else (longer(entry[0]), longer(entry[1]))


def longer(sentence: str) -> str:
    """The sentence with words 40 % longer, placeholders as they are; accents show what came from a catalogue.

    >>> longer("Level {no}")
    'Léévéél {no}'
    """
    parts = re.split(r"(\{[^}]*\}|[^\w{]+)", sentence)
    return "".join(_longer_word(part) if part.isalpha() else part for part in parts)


def _longer_word(word: str) -> str:
    """Vowels twice, from the left, until the word is long enough; then its last letter again."""
    missing = -(-len(word) * 2 // 5)
    letters = []
    for letter in word:
        twice = missing > 0 and letter.lower() in "aeiou"
        letters.append(letter + letter.lower() if twice else letter)
        missing -= twice
    return "".join(letters).translate(_ACUTE) + word[-1].lower() * max(0, missing)


_ACUTE = str.maketrans("aeiouAEIOU", "áéíóúÁÉÍÓÚ")


def language_of(request: Request, venue: str = ENGLISH, *, own: bool = False) -> str:
    """The language of a page: what its address says, else what this browser chose before, else (`own`: a person's
    own phone) the browser's language, else the venue's."""
    chosen = choices(request).get("lang", "")
    if chosen or not own:
        return chosen or venue
    wanted = request.headers.get("accept-language", "").lower().split(",")[:MOST_WANTED]
    known = [tag for part in wanted if (tag := part.split(";")[0].split("-")[0].strip()) in LANGUAGES]
    return known[0] if known else venue


def choices(request: Request) -> dict[str, str]:
    """What a person chose on this page's address or in this browser before: `lang`, and `theme`, light or dark."""
    said = {name: (request.query_params.get(name), request.cookies.get(name)) for name in CHOICES}
    known = {name: [one for one in both if one in CHOICES[name]] for name, both in said.items()}
    return {name: both[0] or "" for name, both in known.items() if both}


def keep_choices(request: Request, response: Response) -> None:
    """The browser keeps what the page's address says for the next pages of this machine."""
    for name, values in CHOICES.items():
        if request.query_params.get(name) in values:
            chosen = request.query_params[name]
            response.set_cookie(name, chosen, max_age=KEPT_S, httponly=True, samesite="lax")


def environment() -> Environment:
    """The templates of the pages. What a template is not told stays as it is for a page without a request."""
    made = Environment(loader=FileSystemLoader(HERE), autoescape=True, undefined=StrictUndefined)
    made.globals.update(
        {"lang": ENGLISH, "theme": "", "areas": (), "_": _said, "plural": _counted, "spoken": _spoken}
    )
    return made


@pass_context
def _spoken(context: Context) -> Words:
    """The words of the page: of the areas that it names, in the language of its request."""
    return words_in(context["lang"], tuple(context["areas"]))


@pass_context
def _said(context: Context, sentence: str, /, **values: object) -> str:
    return _spoken(context)(sentence, **values)


@pass_context
def _counted(context: Context, one: str, more: str, n: int, /, **values: object) -> str:
    return _spoken(context).plural(one, more, n, **values)
