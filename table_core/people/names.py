"""A person's name: the spelling that is kept, and whether two spellings are one person's.

>>> same_person("José Peña", "JOSE\\u0301 PEN\\u0303A"), same_person("José Peña", "Jose Pena")
(<Likeness.EQUAL: 'equal'>, <Likeness.PERHAPS: 'perhaps'>)

Equal are names that differ in what nobody says aloud: the form of Unicode, case, spaces and hyphens, punctuation,
invisible characters, vowel signs, letters of another script that slipped in, the surname put first with a comma.
Perhaps equal are names that differ in accents, order, where a word ends, a name or a *Jr.* that one of them leaves
out, an initial, the script, or letters that look or sound alike. What is perhaps equal a person decides
(docs/tournament.md).
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import date
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from anyascii import anyascii

from table_core.messages import Refusal
from table_core.people.look_alikes import TO_CYRILLIC, TO_LATIN

LONGEST = 100  # characters of a name, composed
EARLIEST = date(1880, 1, 1)

_LOST = "\ufffd"  # what a reader of files puts where it could not read
_LINE_ENDS = "\n\r\v\f\x85\u2028\u2029"
_DIRECTIONS = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
_APOSTROPHES = frozenset("'’‘ʼʻʹ`´′.\u02b9")
_TAKEN_FOR = str.maketrans("1l0", "iio")
_IN_EITHER_CASE = str.maketrans("vuc", "nyo")  # ν and Ν, υ and Υ, σ and Σ
_JOINERS = "\u200c\u200d"  # Persian and Indic names are written with them
_BLANKS = {ord(one): " " for one in "\u115f\u1160\u3164\uffa0\u2800"}  # letters and signs that show nothing
_SUFFIXES = {
    **dict.fromkeys(("jr", "jnr", "junior", "ii", "2nd"), "jr"),
    **dict.fromkeys(("sr", "snr", "senior"), "sr"),
    **dict.fromkeys(("iii", "3rd"), "iii"),
    **dict.fromkeys(("iv", "4th"), "iv"),
}
_ONE_LETTER = str.maketrans("ıς", "iσ")
_OF_ANY_KEYBOARD = str.maketrans("کیىةؤئٱ", "كييهويا")
_EAST_ASIAN = "\u2e80"  # from here on a word is a whole name
_WITHOUT_SPACES = frozenset({"CJK", "HIRAGANA", "KATAKANA", "HANGUL", "IDEOGRAPHIC"})
_LATIN_LIKE = frozenset({"LATIN", "CYRILLIC", "GREEK"})  # whose accents are left out, whose letters look alike
_WITHOUT_VOWELS = frozenset({"ARABIC", "HEBREW"})
_FEWEST_CONSONANTS = 4


class Likeness(StrEnum):
    """How two names compare."""

    EQUAL = "equal"
    PERHAPS = "perhaps"
    DIFFERENT = "different"


def clean_name(text: str) -> str | Refusal:
    """`text` as a name that can be kept: composed (NFC), single spaces, nothing invisible; or why it is none.

    >>> clean_name(" Ann\\u00a0 Lee\\u200b ")
    'Ann Lee'
    >>> clean_name("Ann\\nLee").reason
    'A name is one line: a line end stands in it.'
    """
    if not text.strip():
        return _refused("Give a name.")
    if any(one in text for one in _LINE_ENDS):
        return _refused("A name is one line: a line end stands in it.")
    if _LOST in text:
        return _refused("A name has letters only: one of this name was lost where the text was read.")
    for one in text:
        if one in _DIRECTIONS:
            return _refused(f"A name turns no other text around: leave out the direction mark {_code(one)}.")
        if unicodedata.category(one) in ("Cc", "Cs", "Co", "Cn"):
            return _refused(f"A name has letters only: leave out the character {_code(one)}, which no font shows.")
    name = " ".join(unicodedata.normalize("NFC", _without_invisible(text.translate(_BLANKS))).split())
    if not any(unicodedata.category(one)[0] in "LN" for one in name):
        return _refused("A name has a letter or a digit in it.")
    if len(name) > LONGEST:
        return _refused(f"A name has {LONGEST} characters at most; this one has {len(name)}.")
    return name


def _refused(reason: str) -> Refusal:
    return Refusal(reason=reason, rule="")


def _code(one: str) -> str:
    return f"U+{ord(one):04X}"


def _without_invisible(text: str) -> str:
    """`text` without format characters; a joiner stays between letters of a script that is written with it."""
    return "".join(
        one
        for at, one in enumerate(text)
        if unicodedata.category(one) != "Cf"
        or (one in _JOINERS and 0 < at < len(text) - 1 and {_script(text[at - 1])}.isdisjoint({*_LATIN_LIKE, ""}))
    )


def is_birthday(text: str) -> bool:
    """Whether that is a day on which somebody may be born, `1991-03-02`, or nothing."""
    try:
        return not text or (len(text) == len("1991-03-02") and date.fromisoformat(text) >= EARLIEST)
    except ValueError:
        return False


class Forms(NamedTuple):
    """A name as a tuple of words, in each way in which it may be read; and the `letters` of each, sorted, so that
    neither order nor spaces count, with the digits as they stand."""

    words: frozenset[tuple[str, ...]] = frozenset()
    letters: frozenset[str] = frozenset()


class NameKeys(NamedTuple):
    """What a name is compared by. `spelt` is the same for names that are equal. `latin` is without accents, in
    Latin letters and as it looks; `own` in its own script, where that is not Latin, Greek or Cyrillic.
    `either_case` are the letters where a Greek one looks like two of Latin, one in each case."""

    spelt: str
    suffix: str
    scripts: frozenset[str]
    latin: Forms
    own: Forms
    consonants: str
    either_case: str

    @property
    def one_name(self) -> tuple[str, str]:
        """The same for names that are equal."""
        return self.spelt, self.suffix

    def shared(self) -> frozenset[str]:
        """Two names that are not different have one of these in common."""
        words = (word for form in self.latin.words | self.own.words for word in form)
        return frozenset(
            {*words, *self.latin.letters, *self.own.letters, self.consonants, self.either_case, self.spelt}
        )


def same_person(a: str, b: str) -> Likeness:
    """Whether two names are one person's, as far as names say."""
    return compare(keys_of(a), keys_of(b))


def compare(a: NameKeys, b: NameKeys) -> Likeness:
    """`same_person` of names whose keys are known."""
    if a.one_name == b.one_name:
        return Likeness.EQUAL
    if a.suffix and b.suffix and a.suffix != b.suffix:
        return Likeness.DIFFERENT  # father and son
    # Two names in Chinese characters that are pronounced alike are two names.
    f, g = (a.own, b.own) if a.scripts & b.scripts - _LATIN_LIKE else (a.latin, b.latin)
    alike = a.spelt == b.spelt or not f.letters.isdisjoint(g.letters)
    alike = alike or any(_alike(one, other) for one in f.words for other in g.words)
    alike = alike or ("GREEK" in a.scripts | b.scripts and a.either_case == b.either_case)
    return Likeness.PERHAPS if alike or _alike_consonants(a, b) else Likeness.DIFFERENT


def _alike(a: tuple[str, ...], b: tuple[str, ...]) -> bool:
    """The same words in any order, or those of one and more; an initial is the word that it begins."""
    few, many = (a, b) if len(a) <= len(b) else (b, a)
    if set(few).isdisjoint(many):
        return False
    left = Counter(many)
    left.subtract(few)
    rest = [word for word, count in left.items() if count < 0 for _ in range(-count)]  # of the few
    if not rest:
        return len(few) == len(many) or len(few) > 1 or few[0][0] >= _EAST_ASIAN
    free = [word for word, count in left.items() if count > 0 for _ in range(count)]
    for word in rest:
        found = next((one for one in free if _initial(word, one) or _initial(one, word)), None)
        if found is None:
            return False
        free.remove(found)
    return True


def _initial(short: str, word: str) -> bool:
    return len(short) == 1 and short.isalpha() and word.startswith(short)


def _alike_consonants(a: NameKeys, b: NameKeys) -> bool:
    """A name in a script that leaves out vowels, and one in Latin letters."""
    one_without = a.scripts.isdisjoint(_WITHOUT_VOWELS) != b.scripts.isdisjoint(_WITHOUT_VOWELS)
    return one_without and len(a.consonants) >= _FEWEST_CONSONANTS and a.consonants == b.consonants


@lru_cache(maxsize=20_000)
def keys_of(name: str) -> NameKeys:
    """The keys of any text, also of one that `clean_name` would refuse today."""
    text = name
    if not name.isascii():
        text = unicodedata.normalize("NFKC", name.translate(_BLANKS))
        text = "".join(one for one in text if not _not_shown(one))
    text = " ".join("".join(map(_in_a_word, _surname_last(text))).split())
    scripts = frozenset({"LATIN"}) if text.isascii() else frozenset(map(_script, text)) - {""}
    spelt, suffix, text = _without_suffix(text, scripts)
    plain = _plain(text)
    latin = _forms(_in_latin(plain, scripts))
    own = _forms([_words(plain)]) if not scripts <= _LATIN_LIKE else Forms()
    sounds = "".join(_words(anyascii(plain)))
    consonants = re.sub(r"(.)\1+", r"\1", re.sub(r"[aeiouwy]", "", sounds))
    either = _letters(tuple(in_small(plain).translate(TO_LATIN).translate(_IN_EITHER_CASE).split()) or ("",))
    return NameKeys(spelt or name.casefold(), suffix, scripts, latin, own, _sorted(consonants), either)


def _forms(words: Iterable[tuple[str, ...]]) -> Forms:
    found = frozenset(words) - {()}
    return Forms(frozenset(map(_as_they_look, found)), frozenset(map(_letters, found)))


@lru_cache(maxsize=10_000)
def _not_shown(one: str) -> bool:
    of_no_letter = one == "\u034f" or "VARIATION SELECTOR" in unicodedata.name(one, "")
    return of_no_letter or unicodedata.category(one) == "Cf"


def _surname_last(text: str) -> str:
    """`Lee, Ann` is `Ann Lee`; behind the last comma of `John Smith, Jr.` stands no given name."""
    family, *rest = text.split(",")
    suffixes = [one for one in rest if all(word in _SUFFIXES for word in _words(one))]
    given = [one for one in rest if one not in suffixes]
    return " ".join([*given, family, *suffixes])


@lru_cache(maxsize=10_000)
def _in_a_word(one: str) -> str:
    """Apostrophes and full stops part no words; hyphens and all else do."""
    if one in _APOSTROPHES:
        return ""
    return one if unicodedata.category(one)[0] in "LNM" else " "


def _words(text: str) -> tuple[str, ...]:
    """The words in lower case."""
    return tuple("".join(map(_in_a_word, in_small(text))).split())


def in_small(text: str) -> str:
    """In small letters and plain digits; *I* is the capital of *i* with a dot and of the Turkish one without."""
    if text.isascii():
        return text.lower()
    small = unicodedata.normalize("NFD", text.lower()).replace("i\u0307", "i")
    return unicodedata.normalize("NFKC", small).translate(_ONE_LETTER)


def _without_suffix(text: str, scripts: frozenset[str]) -> tuple[str, str, str]:
    """The name in small letters of one script; the *Jr.* that stands at its end, or anywhere beside two names; and
    the name as it is without that."""
    words, small = text.split(), in_small(_without_signs(_in_one_script(text, scripts))).split()
    found = [at for at, word in enumerate(small) if _plain(word) in _SUFFIXES]
    if not found or len(found) == len(small) or (len(small) - len(found) < 2 and found[-1] < len(small) - 1):
        return (" " if scripts - _WITHOUT_SPACES else "").join(small), "", text
    kept = [at for at in range(len(small)) if at not in found]
    suffix = _SUFFIXES[_plain(small[found[0]])]
    return " ".join(small[at] for at in kept), suffix, " ".join(words[at] for at in kept)


def _plain(text: str) -> str:
    """Without accents of Latin, Greek and Cyrillic, and with one letter where keyboards of Arabic have two."""
    if text.isascii():
        return text
    apart = unicodedata.normalize("NFD", _without_signs(text)).translate(_OF_ANY_KEYBOARD)
    return unicodedata.normalize("NFC", "".join(one for one in apart if not _accent(one)))


def _without_signs(text: str) -> str:
    """Without the vowel signs that Arabic and Hebrew may leave out, and the line that stretches a word."""
    return text if text.isascii() else "".join(one for one in text if not _vowel_sign(one))


@lru_cache(maxsize=10_000)
def _vowel_sign(one: str) -> bool:
    return "\u064b" <= one <= "\u0652" or one in "\u0670\u0640" or "\u0591" <= one <= "\u05c7"


@lru_cache(maxsize=10_000)
def _accent(one: str) -> bool:
    of_latin = unicodedata.category(one) in ("Mn", "Me") and unicodedata.name(one, "").startswith("COMBINING")
    return of_latin or "\u0653" <= one <= "\u065f"


@lru_cache(maxsize=10_000)
def _script(one: str) -> str:
    """`LATIN`, `CYRILLIC`, `CJK`…; empty for what is no letter."""
    return unicodedata.name(one, "").partition(" ")[0] if unicodedata.category(one)[0] == "L" else ""


def _in_one_script(text: str, scripts: frozenset[str]) -> str:
    """Of a name in several scripts, the letters that only look as if they belonged there are those that do."""
    if len(scripts) < 2:
        return text
    apart = unicodedata.normalize("NFD", text)
    small = apart.lower()
    for whole, other in (("LATIN", apart.translate(TO_LATIN)), ("CYRILLIC", small.translate(TO_CYRILLIC))):
        if {_script(one) for one in other} - {""} == {whole}:
            return unicodedata.normalize("NFC", other)
    return text


def _in_latin(plain: str, scripts: frozenset[str]) -> Iterator[tuple[str, ...]]:
    """The words in Latin letters, by what they mean and, in either case, by what they look like."""
    read = [plain]
    if not plain.isascii() and scripts & _LATIN_LIKE:
        read += [one.translate(TO_LATIN) for one in (plain, plain.upper(), in_small(plain))]
    for one in dict.fromkeys(read):
        latin = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", anyascii(one)) if "CJK" in scripts else anyascii(one)
        yield _words(latin)


def _as_they_look(words: tuple[str, ...]) -> tuple[str, ...]:
    """A single word with digits is a number of somebody, and stays as it stands."""
    return words if _numbered(words) else tuple(map(_as_it_looks, words))


def _numbered(words: tuple[str, ...]) -> bool:
    return any(map(str.isdigit, words if len(words) > 1 else words[0]))


@lru_cache(maxsize=10_000)
def _as_it_looks(word: str) -> str:
    """*Mueller* as *Müller*, *Djordje* as *Đorđe*, *Oskar Pepper* as *Oscar Peper*; and what is taken for another
    letter as that one."""
    word = word.replace("rn", "m").replace("vv", "w").replace("dj", "d")
    word = re.sub(r"([^\W\d])\1+", r"\1", re.sub(r"([aou])e", r"\1", word))
    if len(word) > 3:
        word = re.sub(r"(?<=.)y", "i", re.sub(r"z$", "s", re.sub(r"c(?![heiy])", "k", word)))
    return word.translate(_TAKEN_FOR)


def _letters(words: tuple[str, ...]) -> str:
    """All letters, sorted; a number stays as it stands."""
    whole = "".join(words)
    return _sorted(whole if _numbered(words) else whole.translate(_TAKEN_FOR))


def _sorted(text: str) -> str:
    return "".join(sorted(text, key=lambda one: "" if one.isdigit() else one))
