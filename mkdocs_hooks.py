"""What mkdocs.yml cannot say: pages that lie where their files lie in the repository.

mkdocs takes one folder of documents. Ours lie beside what they describe, and link to each other as a git host
follows links; so the pages get the paths of the repository.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parent
PAGES = ("*.md", "docs/**/*.md", "feltwire/deploy/**/*.md", "hardware/**/*.md", "tests/spec/README.md")
BESIDE = (
    "Containerfile",
    "LICENSE",
    "NOTICE",
    "docs/*.json",
    "docs/pictures/*",
    "feltwire/deploy/**/*",
    "hardware/*.toml",
    "hardware/*/*.toml",
    "hardware/pictures/*",
    "hardware/sheets/*",
    "hardware/wiring/*",
)
BUILT = ROOT / "hardware/build"
SOUGHT = {"docs/troubleshooting.md": 10, "docs/home.md": 3, "docs/venue.md": 2, "docs/dealer.md": 2}
# Of the theme: sources of its scripts, and the search in languages that no document has.
UNUSED = ("assets/**/*.map", "assets/javascripts/lunr/**/*")


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """The decisions stand in the navigation by their numbers."""
    assert config.nav is not None
    config.nav.append(
        {"Decisions": [str(path.relative_to(ROOT)) for path in sorted(ROOT.glob("docs/decisions/*.md"))]}
    )
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """The theme's files and ours."""
    found = {path for pattern in (*PAGES, *BESIDE) for path in ROOT.glob(pattern) if path.is_file()}
    ours = [
        File(str(path.relative_to(ROOT)), str(ROOT), config.site_dir, config.use_directory_urls)
        for path in sorted(found)
        if BUILT not in path.parents
    ]
    theme = [file for file in files if file.src_dir not in (None, config.docs_dir)]
    return Files([*theme, *ours])


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """What people look for in a hurry is found first, why something was decided last. Lists as a git host reads
    them."""
    boost = SOUGHT.get(page.file.src_uri, 0.3 if "/decisions/" in page.file.src_uri else 1)
    page.meta["search"] = {"boost": boost}
    return "\n".join(_lists_as_on_a_git_host(markdown.split("\n")))


def _lists_as_on_a_git_host(lines: list[str]) -> Iterator[str]:
    """What belongs to an item `1. ` stands below its words, by three spaces; Python's Markdown wants four, and an
    empty line before the next item."""
    within = ""  # the spaces before the fence of the block around a line
    inside = False
    before = ""
    for line in lines:
        fence = re.match(r"( *)```", line)
        if not inside and re.match(r"\d+\. ", line) and before.startswith("   "):
            yield ""
        before = line
        if fence and not inside:
            within = fence[1]
        yield f" {line}" if within == "   " or (not inside and re.match(r"   \S", line)) else line
        if fence:
            inside = not inside
            within = within if inside else ""


def on_post_build(config: MkDocsConfig) -> None:
    """Removes what no page loads, and puts the theme's licence beside its files."""
    site = Path(config.site_dir)
    for path in [path for pattern in UNUSED for path in site.glob(pattern) if path.is_file()]:
        path.unlink()
    for file in metadata.files("mkdocs-material") or ():
        if file.name == "LICENSE":
            (site / "assets" / "LICENSE").write_text(file.read_text("utf-8"), "utf-8")
