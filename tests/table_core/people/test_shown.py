"""How players are shown to the public, whatever their names are."""

from __future__ import annotations

import pytest

from table_core.people.shown import Shows, initials, shown_names


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("Ann Bell", "A.B."),
        ("ann bell", "a.b."),
        ("Zoë Núñez de la Fuente", "Z.N.F."),
        ("Иван Петров", "И.П."),
        ("李小龍", "李."),
        ("Ann", "A."),
        ("O'Neill, Zoë", "O.Z."),
        ("A B C D E F", "A.B.C.D."),
        ("007", "0."),
        ("(Ann) “Bell”", "A.B."),
        ("…", ""),
    ],
)
def test_initials(name: str, short: str) -> None:
    assert initials(name) == short


def test_no_two_on_a_list_are_alike_whatever_they_are_called() -> None:
    listed = [
        ("p1", "A.B. 2", Shows.NAME),
        ("p2", "Ann Bell", Shows.INITIALS),
        ("p3", "Al Berg", Shows.INITIALS),
        ("p4", "#5", Shows.NAME),
        ("p5", "Eve", Shows.NUMBER),
        ("p6", "…", Shows.INITIALS),
        ("x7", "Gus", Shows.NUMBER),
    ]
    shown = shown_names(listed)
    assert shown == {
        "p1": "A.B. 2",
        "p2": "A.B.",
        "p3": "A.B. 3",
        "p4": "#5",
        "p5": "#5 2",
        "p6": "#6",
        "x7": "x7",
    }
    assert len(set(shown.values())) == len(listed)


def test_nobodys_text_changes_because_somebody_comes() -> None:
    listed = [(f"p{no}", f"Ann Bell {no}", Shows.INITIALS) for no in range(1, 3_001)]
    assert shown_names(listed[:40]).items() <= shown_names(listed).items()
