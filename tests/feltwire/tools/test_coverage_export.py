"""`feltwire coverage export`: files that say what the relay's pages say, of lines that are out alone."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import feedparser
import pytest

from feltwire.cli import main
from feltwire.relay.coverage.coverage_store import DATABASE, CoverageStore
from feltwire.relay.coverage.desk import HOLD, Kept
from tests.display.coverage.covered import Client, Pages
from tests.feltwire.relay.coverage.test_coverage import LEFT, all_in, clock
from tests.feltwire.relay.coverage.told import LEVEL, CoverageRig, field

AT = "https://example.org/friday"
FILES = {f"coverage{language}.{kind}" for language in ("", ".de") for kind in ("html", "json", "rss")}


@pytest.fixture
def rig() -> CoverageRig:
    rig = CoverageRig()
    rig.field(field(LEFT, payouts=(60_000, 30_000)))
    rig.clock(clock(LEVEL))
    rig.hear(*all_in(stacks={1: ("ann", 9_000), 2: ("bo", 6_000)}))
    return rig


def export(rig: CoverageRig, folder: Path) -> Path:
    """What the rig has kept is what a relay has in its data folder."""
    (folder / "data").mkdir(exist_ok=True)
    with closing(CoverageStore.open(folder / "data" / DATABASE)) as store:
        for line in rig.kept.values():
            assert isinstance(line, Kept)
            store.keep(line)
        for what, raw in rig.heard.items():
            store.keep_heard(what, raw)
        assert main(["coverage", "export", str(folder / "data"), "--to", str(folder / "site"), "--at", AT]) == 0
    return folder / "site"


def test_the_files_say_what_the_relays_pages_say(rig: CoverageRig, tmp_path: Path) -> None:
    site = export(rig, tmp_path)
    assert {path.name for path in site.iterdir()} == FILES | {"static"}
    client = Client(Pages(rig))
    for language in ("en", "de"):
        end = "" if language == "en" else ".de"
        told = json.loads((site / f"coverage{end}.json").read_text())
        live = client.get(f"/coverage.json?lang={language}").json()
        for kept in ("content_text", "id", "date_published", "tags"):
            assert [item[kept] for item in told["items"]] == [item[kept] for item in live["items"]]
        assert told["feed_url"] == f"{AT}/coverage{end}.json"
        assert told["items"][0]["url"].startswith(f"{AT}/coverage{end}.html#line-")
        read = feedparser.parse((site / f"coverage{end}.rss").read_bytes())
        assert not read.bozo
        assert len(read.entries) == len(live["items"]) > 0
        assert read.feed.link == f"{AT}/coverage{end}.html"
        page = (site / f"coverage{end}.html").read_text()
        assert f'lang="{language}"' in page
        assert all(f'id="line-{line.no}"' in page for line in rig.lines)


def test_the_page_asks_nothing_of_a_server(rig: CoverageRig, tmp_path: Path) -> None:
    site = export(rig, tmp_path)
    page = (site / "coverage.html").read_text()
    assert "<script" not in page
    assert 'href="/' not in page, "it may lie in any folder of a host"
    for style in ("static/shared/base.css", "static/coverage/coverage.css", "static/shared/icon.svg"):
        assert f'href="{style}"' in page
        assert (site / style).is_file()


def test_a_hand_is_linked_where_its_page_was_exported(rig: CoverageRig, tmp_path: Path) -> None:
    site = export(rig, tmp_path)
    assert "hand/01/7.html" not in (site / "coverage.html").read_text() + (site / "coverage.json").read_text()
    (site / "hand" / "01").mkdir(parents=True)
    (site / "hand" / "01" / "7.html").write_text("<!doctype html>")
    export(rig, tmp_path)
    assert 'href="hand/01/7.html"' in (site / "coverage.html").read_text()
    told = json.loads((site / "coverage.json").read_text())
    assert f"{AT}/hand/01/7.html" in {item.get("external_url") for item in told["items"]}


def test_what_waits_is_not_in_it_and_what_was_removed_says_nothing(tmp_path: Path) -> None:
    rig = CoverageRig(mode=HOLD)
    rig.field(field(LEFT, payouts=(60_000, 30_000)))
    rig.press("write", en="Welcome to the final table.")
    rig.press("write", en="Somebody's telephone number.")
    rig.hear(*all_in(stacks={1: ("ann", 9_000), 2: ("bo", 6_000)}))
    rig.wait(60)
    assert rig.waiting
    (wrong,) = (line.id for line in rig.lines if "telephone" in line.text["en"])
    rig.press("remove", wrong)
    site = export(rig, tmp_path)
    for name in FILES:
        text = (site / name).read_text()
        assert "Welcome" in text
        assert "telephone" not in text
        assert "Ann" not in text
        assert "Bo" not in text


@pytest.mark.parametrize(
    "address", ["a.org", "ftp://a.org", "https://", "https://a/?b", "https://a b", "https://[a"]
)
def test_an_address_that_is_none_is_refused(
    rig: CoverageRig, tmp_path: Path, address: str, capsys: pytest.CaptureFixture[str]
) -> None:
    export(rig, tmp_path)
    call = ["coverage", "export", str(tmp_path / "data"), "--to", str(tmp_path / "other"), "--at", address]
    assert main(call) == 2
    assert "--at" in capsys.readouterr().err
    assert not (tmp_path / "other").exists()
