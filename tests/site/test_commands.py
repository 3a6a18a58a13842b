"""Every command of the documents is typed by a test, or is listed with the reason why not."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.site.commands import ROOT, commands, pages, unmarked
from tests.site.pages import PAGES, Where
from tests.site.typed import lay_out, type_page, typed, which


def test_every_block_says_what_it_is() -> None:
    assert [wrong for page in pages() for wrong in unmarked(page)] == []


def test_every_page_with_commands_is_listed() -> None:
    assert {page for page in pages() if commands(page)} == PAGES.keys()


@pytest.mark.parametrize("name", PAGES)
def test_what_is_listed_stands_in_the_page(name: str) -> None:
    page, all_commands = PAGES[name], commands(name)
    for table in (page.elsewhere, page.not_typed):
        assert {key for key in table if not any(which(table, one) == key for one in all_commands)} == set()
    left = [
        one for one in all_commands if not (which(page.elsewhere, one) is not None or which(page.not_typed, one))
    ]
    for old in page.instead:
        assert any(old in one for one in left), old
    for key in page.serves:
        assert any(one.startswith(key) for one in typed(name)), key
    assert all(page.not_typed.values())


@pytest.mark.parametrize("name", [name for name in PAGES if PAGES[name].elsewhere])
def test_a_test_elsewhere_types_it(name: str) -> None:
    """It reads the page, or calls what the command calls."""
    for beginning, test in PAGES[name].elsewhere.items():
        text = (ROOT / test).read_text("utf-8")
        reads = Path(name).name in text or (Path(name).name == "README.md" and name in text)
        words = [word for word in beginning.split() if word.isalpha() and word not in ("feltwire", "sudo")]
        assert reads or "documents" in text or all(f'"{word}"' in text for word in words), f"{test}: {beginning}"


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.slow("types every command of a page"))
        for name, page in PAGES.items()
        if page.quick
    ],
)
def test_a_reader_types_the_page(name: str, tmp_path: Path) -> None:
    assert PAGES[name].where is Where.HERE
    lay_out(tmp_path)
    assert [*type_page(name, tmp_path)] == typed(name)
