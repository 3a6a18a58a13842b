"""A name written otherwise: as another program, another keyboard or somebody who wants to be let in writes it."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping
from random import Random

_SPACES = ("  ", "\u00a0", "\u2009", "\u3000", "\u202f", " \u200b", "\u2003 ")
_NOT_SHOWN = ("\u200b", "\u200c", "\u200e", "\u2060", "\ufeff", "\u00ad", "\u200d")
# By eye: letters of Cyrillic and Greek that a reader takes for the Latin one.
_ALIKE = (
    "a=аα c=сϲ e=е i=іι j=ј o=оο p=рρ s=ѕ v=ν x=х y=у h=һ d=ԁ A=АΑ B=ВΒ C=С E=ЕΕ H=НΗ I=ІΙ J=Ј "
    "K=КΚ M=МΜ N=Ν O=ОΟ P=РΡ S=Ѕ T=ТΤ X=ХΧ Y=УΥ Z=Ζ"
)
_LIKE: Mapping[str, str] = {one[0]: one[2:] for one in _ALIKE.split()}
_OF_CYRILLIC = {like[0]: latin for latin, like in _LIKE.items()}


def _order(chance: Random, name: str) -> str:
    words = name.split(" ")
    if len(words) < 2:
        return name
    how = chance.randrange(3)
    if how == 0:
        return f"{words[-1]}, {' '.join(words[:-1])}"
    if how == 1:
        return " ".join([*words[1:], words[0]])
    chance.shuffle(words)
    return " ".join(words)


def _spaces(chance: Random, name: str) -> str:
    how = chance.randrange(4)
    if how == 0:
        return name.replace(" ", "")
    if how == 1:
        at = chance.randrange(1, len(name)) if len(name) > 1 else 0
        return f"{name[:at]} {name[at:]}"
    if how == 2:
        return f"{chance.choice(_SPACES)}{name}{chance.choice(_SPACES)}"
    return name.replace(" ", chance.choice(_SPACES))


def _not_shown(chance: Random, name: str) -> str:
    at = chance.randrange(len(name) + 1)
    return name[:at] + chance.choice(_NOT_SHOWN) + name[at:]


def _forms(chance: Random, name: str) -> str:
    how = chance.choice(("NFD", "NFKD", "NFKC", "wide", "bold"))
    if how == "wide":
        return "".join(chr(ord(one) + 0xFEE0) if "!" <= one <= "~" else one for one in name)
    if how == "bold":
        bold = {**{chr(65 + at): chr(0x1D400 + at) for at in range(26)}}
        bold |= {chr(97 + at): chr(0x1D41A + at) for at in range(26)}
        return "".join(bold.get(one, one) for one in name)
    return unicodedata.normalize(how, name)  # type: ignore[arg-type]


def _case(chance: Random, name: str) -> str:
    made: Callable[[str], str] = chance.choice((str.upper, str.lower, str.swapcase, str.title, str.casefold))
    return made(name)


def _accents(chance: Random, name: str) -> str:
    apart = unicodedata.normalize("NFD", name)
    return unicodedata.normalize("NFC", "".join(one for one in apart if not "\u0300" <= one <= "\u036f"))


def _alike(chance: Random, name: str) -> str:
    much = chance.choice((0.2, 0.6, 1.0))
    made = []
    for one in name:
        like = _LIKE.get(one) or _OF_CYRILLIC.get(one, "")
        made.append(chance.choice(like) if like and chance.random() < much else one)
    return "".join(made)


def _signs(chance: Random, name: str) -> str:
    how = chance.randrange(3)
    if how == 0:
        return name.replace(" ", chance.choice(("-", "\u2010", "\u2013", "_", ". ")))
    return (
        f"{name}{chance.choice(('.', '*', ' ★', '!'))}" if how == 1 else name.replace("'", chance.choice("’ʼ`´"))
    )


# In this order: what a keyboard does comes before what a program does.
KINDS: Mapping[str, Callable[[Random, str], str]] = {
    "order": _order,
    "accents": _accents,
    "case": _case,
    "look-alikes": _alike,
    "signs": _signs,
    "spaces": _spaces,
    "forms": _forms,
    "not shown": _not_shown,
}


def mutated(chance: Random, name: str) -> tuple[str, tuple[str, ...]]:
    """The name otherwise, and what was done: one to three kinds."""
    chosen = set(chance.sample(list(KINDS), chance.choice((1, 1, 2, 3))))
    done = tuple(kind for kind in KINDS if kind in chosen)
    for kind in done:
        name = KINDS[kind](chance, name)
    return name, done
