"""The styles of pages on air are an interface: what docs/air.md names is there, and what is there it names."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
AIR = ROOT / "display" / "air"
STYLES = (AIR / "air.css").read_text("utf-8")
SKINS = (AIR / "skins.css").read_text("utf-8")
PAGE = (ROOT / "docs" / "air.md").read_text("utf-8")
DRAWN = "\n".join(path.read_text("utf-8") for path in (*AIR.glob("*.js"), AIR / "air.html"))


def section(heading: str) -> str:
    return PAGE.split(f"\n## {heading}\n")[1].split("\n## ")[0]


def names_of(kind: str) -> set[str]:
    """The names in code type in the table of variables or classes."""
    table = section("Skins").split(f"| {kind} |")[1].split("\n\n")[0]
    return set(re.findall(r"`([^`=]+)`", table))


def test_the_document_names_every_variable() -> None:
    declared = set(re.findall(r"^\s*(--air-[a-z-]+):", STYLES, re.MULTILINE))
    told = {name for name in names_of("variable") if name.startswith("--air-")}
    assert told == declared


def test_every_class_that_the_document_names_is_drawn() -> None:
    told = {name for name in names_of("class") if name not in ("data-act", "data-suit")}
    shared = {"card", "back", "slot"}  # display/shared/cards.js
    for name in told - shared:
        assert re.search(rf"[.\"' ]{name}\b", DRAWN), name


def test_every_class_that_a_style_needs_is_drawn_or_shared() -> None:
    rules = re.sub(r"/\*.*?\*/|\{[^{}]*\}|url\([^)]*\)", "", STYLES, flags=re.DOTALL)
    shared = {"card", "back", "slot", "not-shown"}
    for name in set(re.findall(r"\.([a-z][a-z-]+)", rules)) - shared - {"css"}:
        assert re.search(rf"[.\"'`$ -]{name.removeprefix('with-')}\b", DRAWN), name


@pytest.mark.parametrize("skin", ["paper", "neon"])
def test_a_skin_is_values_of_known_variables(skin: str) -> None:
    rules = SKINS.split(f'[data-skin="{skin}"]')[1].split("}")[0]
    used = set(re.findall(r"(--[a-z-]+):", rules))
    assert used
    assert used <= set(re.findall(r"^\s*(--air-[a-z-]+):", STYLES, re.MULTILINE))
    assert f"`&skin={skin}`" in PAGE or f"`{skin}`" in PAGE


def test_the_document_names_every_element() -> None:
    from display.app import ELEMENTS

    told = set(
        re.findall(
            r"`([a-z-]+)`",
            "".join(line.split("|")[1] for line in section("Elements").splitlines() if line.startswith("| `")),
        )
    )
    assert told == set(ELEMENTS)


GROUNDS = (
    *((text, ground) for text in ("text", "soft") for ground in ("plate", "strip")),
    *(
        ("won", "plate"),
        ("all-in", "plate"),
        ("accent", "plate"),
        ("accent-text", "accent"),
        ("accent-text", "turn"),
    ),
    *(("won-text", "won"), ("all-in-text", "all-in"), ("disc-text", "disc")),
)


def colours(rules: str) -> dict[str, tuple[float, ...]]:
    """The colours of variables, as if what is behind them were black; by name without `--air-`."""
    found = {}
    for name, value in re.findall(r"--air-([a-z-]+): (#[0-9a-f]{6}|rgb\([\d ]+/)", rules):
        numbers = (
            re.findall(r"\d+", value) if value.startswith("rgb") else [str(n) for n in bytes.fromhex(value[1:])]
        )
        found[name] = tuple(int(number) / 255 for number in numbers[:3])
    return found


def light(colour: tuple[float, ...]) -> float:
    parts = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


@pytest.mark.parametrize("skin", ["", "paper", "neon"])
def test_every_text_of_a_skin_stands_out(skin: str) -> None:
    known = colours(STYLES.split(":root {")[1].split("}")[0])
    if skin:
        known |= colours(SKINS.split(f'[data-skin="{skin}"]')[1].split("}")[0])
    for text, ground in GROUNDS:
        bright, dark = sorted((light(known[text]), light(known[ground])), reverse=True)
        assert (bright + 0.05) / (dark + 0.05) >= 4.5, (text, ground)
