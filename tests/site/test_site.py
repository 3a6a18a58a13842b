"""The documents as pages: no link is dead, `feltwire docs` shows them, nothing comes from another host."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest
from playwright.sync_api import Request, Route, sync_playwright

from feltwire.cli import main
from feltwire.tools import documents
from tests import chromium, symptoms
from tests.feltwire.processes import PATIENCE_S

ROOT = Path(__file__).parents[2]
LOADS = {
    "script": "src",
    "img": "src",
    "link": "href",
    "iframe": "src",
    "source": "src",
    "video": "src",
    "object": "data",
}
Output = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site of its own: another test may build the one in the working tree."""
    folder = tmp_path_factory.mktemp("site")
    command = (
        sys.executable,
        "-m",
        "mkdocs",
        "build",
        "--quiet",
        "--config-file",
        ROOT / "mkdocs.yml",
        "-d",
        folder,
    )
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={"NO_MKDOCS_2_WARNING": "1"})
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return folder


class _Loaded(HTMLParser):
    """Addresses that a page loads by itself; links that somebody follows are none."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        address = dict(attrs).get(LOADS.get(tag, ""))
        if address:
            self.found.append(address)


def test_a_page_loads_nothing_from_another_host(site: Path) -> None:
    pages = sorted(site.rglob("*.html"))
    assert len(pages) > 100
    foreign = {
        f"{page.relative_to(site)}: {address}"
        for page in pages
        for address in _Loaded(page.read_text("utf-8")).found
        if re.match(r"(\w+:)?//", address)
    }
    styles = {
        f"{file.relative_to(site)}: {address}"
        for file in site.rglob("*.css")
        for address in re.findall(r"(?:@import|url\()\s*[\"']?((?:\w+:)?//[^\"')]+)", file.read_text("utf-8"))
    }
    assert not foreign | styles


def test_every_document_is_a_page_where_its_file_lies(site: Path) -> None:
    documents = [*ROOT.glob("docs/**/*.md"), *ROOT.glob("hardware/**/*.md"), *ROOT.glob("feltwire/deploy/**/*.md")]
    wanted = {path.relative_to(ROOT) for path in documents if "build" not in path.parts}
    pages = {
        path.with_name("index.html") if path.name == "README.md" else path.with_suffix(".html") for path in wanted
    }
    assert {page for page in pages if not (site / page).is_file()} == set()


def test_a_list_has_as_many_items_as_its_document(site: Path) -> None:
    """Also where blocks stand between them."""
    for name in (
        "docs/troubleshooting.md",
        "docs/versions.md",
        "hardware/README.md",
        "hardware/firmware/README.md",
    ):
        page = site / name.replace("README.md", "index.md").replace(".md", ".html")
        lists = re.findall(r"<ol>(.*?)</ol>", page.read_text("utf-8"), re.DOTALL)
        items = re.findall(r"^\d+\. ", (ROOT / name).read_text("utf-8"), re.MULTILINE)
        assert sum(one.count("<li>") for one in lists) == len(items) > 0, name


def test_the_sentences_of_screens_and_commands_are_the_programs() -> None:
    assert symptoms.document() == symptoms.DOCUMENT.read_text("utf-8"), "run python -m tests.symptoms"


@pytest.fixture
def shown(site: Path) -> Iterator[str]:
    """The address at which `feltwire docs` shows the site."""
    call = (
        f"from feltwire.tools import documents as d; d.SITE = d.Path({str(site)!r}); from feltwire.cli import main"
    )
    command = (sys.executable, "-c", f"{call}; raise SystemExit(main(['docs']))")
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        yield process.stdout.readline().strip()
    finally:
        process.terminate()
        process.wait(PATIENCE_S)
        process.stdout.close()


@pytest.mark.browser
def test_a_reader_finds_a_sentence_of_a_screen_and_no_request_leaves_the_machine(shown: str) -> None:
    assert shown.startswith("http://127.0.0.1:")
    abroad = []

    def watch(route: Route, request: Request) -> None:
        if request.url.startswith((shown, "data:", "blob:")):
            route.continue_()
        else:
            abroad.append(request.url)
            route.abort()

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.PROGRAM, args=chromium.QUIET)
        page = browser.new_page()
        page.set_default_timeout(PATIENCE_S * 1_000)
        page.route("**", watch)
        page.goto(shown)
        page.get_by_role("link", name="Home in ten minutes").first.click()
        page.wait_for_url("**/docs/home.html")
        page.keyboard.press("f")
        page.get_by_role("textbox", name="Search").fill("No table can be heard")
        page.locator(".md-search-result__link", has_text="When something is wrong").first.click()
        page.wait_for_url("**/docs/troubleshooting.html*")
        browser.close()
    assert abroad == []


def test_a_build_without_pages_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Output
) -> None:
    monkeypatch.setattr(documents, "SITE", tmp_path)
    assert main(["docs"]) == 2
    assert "make site" in capsys.readouterr().err


def test_a_port_that_cannot_be_had_is_one_line(
    site: Path, monkeypatch: pytest.MonkeyPatch, capsys: Output
) -> None:
    monkeypatch.setattr(documents, "SITE", site)
    for port in ("70000", "-1"):
        assert main(["docs", "--port", port]) == 2
        (line,) = capsys.readouterr().err.splitlines()
        assert line.startswith(f"feltwire docs: --port {port}: ")
