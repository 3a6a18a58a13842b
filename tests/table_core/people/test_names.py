"""Which spellings of a name are kept, and which are one person's."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from table_core.messages import Refusal
from table_core.people.names import LONGEST, Likeness, clean_name, same_person
from table_core.people.register import ByName

EQUAL, PERHAPS, DIFFERENT = Likeness.EQUAL, Likeness.PERHAPS, Likeness.DIFFERENT


@pytest.mark.parametrize(
    ("one", "other", "likeness"),
    [
        ("José Peña", "JOSE\u0301 PEN\u0303A", EQUAL),
        ("Ann Lee", "Ann\u00a0Lee", EQUAL),
        ("Ann Lee", "Ann\u200b  Lee", EQUAL),
        ("Ann Lee", "\u200eann lee", EQUAL),
        ("Ann Lee", "Аnn Lее", EQUAL),
        ("Иван Петров", "Ивaн Петрoв", EQUAL),
        ("Ann Lee", "Lee, Ann", EQUAL),
        ("John Smith Jr.", "Smith, John, jr", EQUAL),
        ("Sinéad O'Brien", "Sinéad O’Brien", EQUAL),
        ("Jean-Luc Petit", "Jean Luc Petit", EQUAL),
        ("John Smith", "Ｊｏｈｎ Ｓｍｉｔｈ", EQUAL),
        ("Işıl Yıldız", "IŞIL YILDIZ", EQUAL),
        ("İlker Şahin", "I\u0307lker şahin", EQUAL),
        ("王伟", "王\u3000伟", EQUAL),
        ("مُحَمَّد علي", "محمد علي", EQUAL),
        ("محـــمد علي", "محمد علي", EQUAL),
        ("מֹשֶׁה כהן", "משה כהן", EQUAL),
        ("Jan Weiß", "JAN WEISS", PERHAPS),
        ("حسن كريم", "حسن کریم", PERHAPS),
        ("محمد أحمد العلوي", "محمد احمد العلوي", PERHAPS),
        ("王伟", "王伟(Wang Wei)", PERHAPS),
        ("Đorđe Šimić", "Djordje Simic", PERHAPS),
        ("Oscar Peper", "Oskar Pepper", PERHAPS),
        ("Luca Furlan", "Luka Furlan", PERHAPS),
        ("Rosa González", "Rosa Gonzales", PERHAPS),
        ("Sergei Ivanov", "Sergey Ivanov", PERHAPS),
        ("Дмитрий Смирнов", "Дмитр ий Смирнов", PERHAPS),
        ("Νίκος Οικονόμου", "vΊΚΟΣ οΙΚΟNΌΜΟΥ", PERHAPS),
        ("José Peña", "Jose Pena", PERHAPS),
        ("Jürgen Müller", "Juergen Mueller", PERHAPS),
        ("Łukasz Øster", "Lukasz Oster", PERHAPS),
        ("Ann Lee", "Lee Ann", PERHAPS),
        ("Ann Lee", "AnnLee", PERHAPS),
        ("Ann Lee", "An nLee", PERHAPS),
        ("Gabriel García Márquez", "García Márquez Gabriel", PERHAPS),
        ("Gabriel García Márquez", "Gabriel García", PERHAPS),
        ("John Smith Jr.", "John Smith", PERHAPS),
        ("John Quincy Adams", "John Q. Adams", PERHAPS),
        ("John Adams", "J. Adams", PERHAPS),
        ("Bill Gates", "BiII Gates", PERHAPS),
        ("Иван Петров", "Ivan Petrov", PERHAPS),
        ("Тор", "Top", PERHAPS),
        ("王伟", "Wang Wei", PERHAPS),
        ("محمد علي", "Mohammed Ali", PERHAPS),
        ("John Smith Jr.", "John Smith Sr.", DIFFERENT),
        ("John Smith Jr.", "John Smith III", DIFFERENT),
        ("Maria Rossi", "Mario Rossi", DIFFERENT),
        ("Jan Novák", "Jana Nováková", DIFFERENT),
        ("Wang Wei", "Wang Wen", DIFFERENT),
        ("Işık Yıldız", "Işıl Yıldız", DIFFERENT),
        ("حسين كريم", "حسن كريم", DIFFERENT),
        ("王伟", "王维", DIFFERENT),
        ("김민수", "김민지", DIFFERENT),
        ("Ann", "Ann Lee", DIFFERENT),
        ("Player 12", "Player 21", DIFFERENT),
        ("Player 1", "Player 11", DIFFERENT),
        ("p1", "p11", DIFFERENT),
        ("p12", "p21", DIFFERENT),
        ("Bill Gates", "Bi11 Gates", PERHAPS),
    ],
)
def test_how_two_names_compare(one: str, other: str, likeness: Likeness) -> None:
    assert same_person(one, other) is likeness
    assert same_person(other, one) is likeness


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("  Ann\u00a0 Lee\u200b ", "Ann Lee"),
        ("Jose\u0301", "José"),
        ("\u200fمحمد علي", "محمد علي"),
        ("\ufeffAnn", "Ann"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("An\u200cn", "Ann"),
        ("김\u3164민수", "김 민수"),
    ],
)
def test_the_spelling_that_is_kept(text: str, name: str) -> None:
    assert clean_name(text) == name


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "Give a name"),
        ("\u3000", "Give a name"),
        ("Ann\x00", "U+0000"),
        ("Ann\nLee", "a line end"),
        ("Ann\u2028Lee", "a line end"),
        ("Ann\tLee", "U+0009"),
        ("Ann\u202eeeL", "direction mark U+202E"),
        ("\u2066Ann\u2069", "direction mark U+2066"),
        ("Ann\ue000", "U+E000"),
        ("\u200b\u200d", "a letter or a digit"),
        ("★ ★", "a letter or a digit"),
        ("\u2800\u3164", "a letter or a digit"),
        ("Babi\ufffd", "was lost where the text was read"),
        ("a" * 101, "100 characters at most; this one has 101"),
    ],
)
def test_why_a_text_is_no_name(text: str, why: str) -> None:
    said = clean_name(text)
    assert isinstance(said, Refusal)
    assert why in said.reason


@given(st.text(max_size=120))
def test_any_text_is_a_clean_name_or_refused_and_a_clean_one_is_clean(text: str) -> None:
    name = clean_name(text)
    if isinstance(name, Refusal):
        assert name.reason
        return
    assert len(name) <= LONGEST
    assert clean_name(name) == name == unicodedata.normalize("NFC", name)
    assert same_person(text, name) is EQUAL


@given(st.text(max_size=20), st.text(max_size=20))
def test_names_compare_the_same_either_way_and_whoever_is_alike_is_found(one: str, other: str) -> None:
    likeness = same_person(one, other)
    assert same_person(other, one) is likeness
    found = ByName({"p1": other}).alike(one)
    assert [each.likeness for each in found] == ([] if likeness is DIFFERENT else [likeness])


def test_who_has_gone_from_the_register_is_not_found() -> None:
    people = ByName({"p1": "Ann Lee", "p2": "Bo Ek"})
    people.remove("p1")
    people.add("p2", "Ann Leé")
    assert [(one.player, one.likeness) for one in people.alike("ann lee")] == [("p2", PERHAPS)]
    assert not people.alike("Bo Ek")
    people.add("p3", "ANN LEÉ")
    assert [*people.equal()] == [("p2", "p3")]
