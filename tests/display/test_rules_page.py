"""The rules page: the reference under the rulebook in force, searched, with the house's settings marked."""

from __future__ import annotations

import asyncio
from html.parser import HTMLParser
from urllib.parse import quote_plus

import httpx
import pytest

from display.app import create_app
from display.push import Hub
from display.reference import RuleEntry, RuleQuery, entries
from table_core.catalogue import Handling, catalogue, find_rule
from table_core.reference import in_words, notices_of, settings_of
from table_core.rulebook import BASE, Rulebook, load_rulebook, rulebook_ids
from tests.feltwire.night_room import NightRoom

BASE_BOOK = load_rulebook(BASE)
WFP = load_rulebook("wfp")
HOUSE = WFP.with_house({"raise_cap": 3})


def found(rulebook: Rulebook, asked: RuleQuery) -> dict[str, RuleEntry]:
    return {entry.row.id: entry for entry in entries(rulebook, asked)}


def page(path: str, rulebook: Rulebook = BASE_BOOK) -> str:
    async def ask() -> str:
        app = create_app(hub=Hub(), pages={"rules"}, venue="hall", tables=(), rulebook=lambda: rulebook)
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://feltwire") as client:
            answer = await client.get(path)
            assert answer.status_code == 200
            return answer.text

    return asyncio.run(ask())


def test_in_force_are_the_books_own_rules_and_those_it_falls_back_to() -> None:
    rules = found(WFP, RuleQuery())
    assert {row.id for row in catalogue() if row.profile == "wfp"} <= rules.keys()
    assert not rules["wfp.nolimit.4"].fallback
    assert rules["tda.RP-11"].fallback
    assert "home.how.1" not in rules


def test_a_search_and_the_two_choices_narrow_the_rules() -> None:
    rules = found(WFP, RuleQuery("odd chip", "all", Handling.ENGINE))
    assert {"wfp.ties.5a", "ccp.showdown.7"} <= rules.keys()
    assert {entry.row.handling for entry in rules.values()} == {Handling.ENGINE}
    assert {entry.row.profile for entry in entries(WFP, RuleQuery(book="rpl"))} == {"rpl"}


def test_a_rule_says_what_it_sets() -> None:
    (setting,) = found(WFP, RuleQuery())["wfp.nolimit.4"].settings
    assert in_words(setting.parameter) == "short all in reopens"
    assert in_words(setting.value) == "when total faced is a full raise"
    assert not setting.overridden


def test_what_the_house_overrides_is_marked_and_comes_first() -> None:
    overridden = [entry for entry in entries(HOUSE, RuleQuery()) if entry.overridden]
    assert overridden
    assert entries(HOUSE, RuleQuery())[: len(overridden)] == overridden
    rule = WFP.rules.raise_cap.rule
    assert [setting.house for setting in settings_of(rule, HOUSE)] == [3]
    text = page("/rules", HOUSE)
    assert "1 setting of the house over it" in text
    assert "The house says 3." in text


def test_every_rule_of_every_book_can_be_read_and_linked_to() -> None:
    text = page("/rules?book=all")
    for row in catalogue():
        assert f'<li id="{row.id}"' in text
    assert f"{len(catalogue())} rules" in text


@pytest.mark.parametrize("query", ["q=<script>alert(1)</script>", "book=nowhere&handling=nobody", "q=zzzz"])
def test_strange_questions_are_answered_plainly(query: str) -> None:
    text = page(f"/rules?{query}")
    assert "<script>alert" not in text
    assert "In force:" in text


def test_the_book_in_force_answers_first_and_a_silent_one_says_so() -> None:
    text = page("/rules?q=odd+chip", WFP)
    assert "is silent" not in text
    assert (
        text.index('id="wfp.ties.3"') < text.index("Other rulebooks, not in force here") < text.index('id="ccp.')
    )
    text = page("/rules?q=smoking", load_rulebook("rpl"))  # its lines on conduct do not say it
    assert "is silent on “smoking”" in text
    assert text.index("Other rulebooks, not in force here") < text.index('id="home.tobacco.1"')
    rpl = found(load_rulebook("rpl"), RuleQuery("rabbit hunt"))
    assert rpl.keys() == {"rpl.procedures.11", "rpl.procedures.12"}
    text = page("/rules?q=bounty", WFP)
    assert f"{WFP.name} is silent on “bounty”." in text
    assert text.index("Other rulebooks, not in force here") < text.index('id="ccp.bounty.')


# ------------------------------------------------------------------------------------------------ rows of the page


class _Rows(HTMLParser):
    """The text and the links of each list item with an id, and of each element with one."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text: dict[str, str] = {}
        self.links: dict[str, list[str]] = {}
        self._in = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        if tag in ("li", "code") and found.get("id"):
            self._in = str(found["id"])
        if tag == "a" and self._in:
            self.links.setdefault(self._in, []).append(str(found.get("href")))

    def handle_endtag(self, tag: str) -> None:
        self._in = "" if tag in ("li", "code") else self._in

    def handle_data(self, data: str) -> None:
        if self._in:
            self.text[self._in] = " ".join(f"{self.text.get(self._in, '')} {data}".split())


def rows(book: str, query: str = "") -> _Rows:
    return _Rows(page(f"/rules{query}", load_rulebook(book)))


# A few words of what the book says, for every row that the rules page alone carries.
LINES = {
    "ccp.late.2": "call ahead about attendance",
    "ccp.buyin.2": "no cash value",
    "ccp.leaving.3": "post the away player's blinds",
    "ccp.hand.3": "cut card",
    "ccp.hand.4": "fast and efficient",
    "ccp.hand.8": "procedures are followed",
    "ccp.deal.12b": "face down at the centre under the edge of the pot",
    "ccp.deal.13": "on top of the previous burn",
    "ccp.pot.5": "centre beside the community cards",
    "ccp.community.3": "does not preview or delay",
    "cpp.dealing.1": "at least three times and cut",
    "wfp.preamble.3": "free social poker",
    "wfp.decisions.4": "not liable for good-faith mistakes",
    "wfp.decisions.16": "Sponsored players may not compete",
    "wfp.infractions.0": "not responsible for players' conduct",
    "home.suggest.e": "bottom card cannot be tracked",
    "rpl.deal.1": "right of the dealer cuts",
    "rpl.ties.4b": "by suit",
    "rpl.ties.4c": "High-low split",
    "rpl.tournaments.32": "need not rule on private deals",
}


@pytest.mark.parametrize(
    ("rule", "words"), [pytest.param(*row, marks=pytest.mark.rule(row[0]), id=row[0]) for row in LINES.items()]
)
def test_a_line_that_people_see_to_is_on_its_books_page_and_found_by_its_words(rule: str, words: str) -> None:
    book = rule.partition(".")[0]
    shown = rows(book)
    assert words in shown.text[rule]
    assert "Not in force" not in shown.text[rule]
    assert rule in rows(book, f"?q={quote_plus(words)}").text
    other = next(one for one in ("ccp", "wfp", "home") if one != book)
    assert rule not in rows(other).text, "another book's page does not have it"


NOTICES = {
    "ccp.preamble.3": ("acceptance", "takes a seat accepts these rules"),
    "wfp.preamble.1": ("acceptance", "take a seat accept these rules"),
    "wfp.section6.1": ("credit", "Robert's Rules of Poker by Robert Ciaffone"),
    "rpl.intro.1": ("credit", "Robert's Rules of Poker by Robert Ciaffone"),
    "home.preface.1": ("adaptable", "Adaptable"),
    "ccp.preamble.1": ("house_rules", "stand over it"),
    "wfp.infractions.0": ("refusal", "may refuse who breaks the code"),
    "home.conduct.0": ("refusal", "may refuse who breaks the code"),
    "rpl.conduct.0": ("refusal", "out of the room"),
    "cpp.dealing.6": ("away", "at the bar, in the smoking area, in the toilet"),
}


@pytest.mark.parametrize(
    ("rule", "notice", "words"),
    [pytest.param(rule, *row, marks=pytest.mark.rule(rule), id=rule) for rule, row in NOTICES.items()],
)
def test_what_a_book_says_about_itself_is_at_the_top_with_its_rule(rule: str, notice: str, words: str) -> None:
    shown = rows(rule.partition(".")[0])
    assert words in shown.text[f"notice-{notice}"]
    assert f"/rules#{rule}" in shown.links[f"notice-{notice}"]
    silent = rows("base")
    assert rule not in silent.text.get(f"notice-{notice}", "") or rule == "rpl.conduct.0"


@pytest.mark.rule("ccp.preamble.2", "wfp.preamble.2", "wfp.procedures.34")
@pytest.mark.parametrize("rule", ["ccp.preamble.2", "wfp.preamble.2", "wfp.procedures.34"])
def test_the_page_names_the_revision_in_force_and_a_changed_rule_is_another_revision(rule: str) -> None:
    book = load_rulebook(rule.partition(".")[0])
    shown = _Rows(page("/rules", book))
    assert f"/rules#{rule}" in shown.links["notice-revision"]
    assert shown.text["revision"] == book.sha256()[:12]
    changed = _Rows(page("/rules", book.with_house({"raise_cap": 4})))
    assert changed.text["revision"] != shown.text["revision"]


@pytest.mark.parametrize(
    ("rule", "words", "see"),
    [
        pytest.param(rule, words, see, marks=pytest.mark.rule(rule), id=rule)
        for rule, words, see in [
            ("rpl.procedures.1", "not applied in tournaments", "rpl.tournaments.24"),
            ("rpl.tournaments.1", "the tournament rule stands", "rpl.tournaments.24"),
            ("rpl.holdemrules.1", "Button and blinds are elsewhere", "rpl.button.1"),
            ("rpl.ties.4b", "not applicable to hold'em", "rpl.ties.4a"),
            ("rpl.ties.4c", "not applicable to hold'em", "rpl.ties.4a"),
        ]
    ],
)
def test_a_rule_that_another_stands_over_says_so_and_links_to_it(rule: str, words: str, see: str) -> None:
    shown = rows("rpl")
    assert words in shown.text[rule]
    assert f"/rules#{see}" in shown.links[rule]
    assert see in shown.text, "the link goes to a rule that is on the page"


@pytest.mark.rule("rpl.conduct.c", "wfp.infractions.4s", "ccp.conduct.2")
@pytest.mark.parametrize("rule", ["rpl.conduct.c", "wfp.infractions.4s", "ccp.conduct.2"])
def test_a_rule_of_conduct_names_the_reason_that_penalties_are_given_for(rule: str) -> None:
    assert "Reason of a penalty: profanity" in rows(rule.partition(".")[0]).text[rule]


@pytest.mark.parametrize("book", [book for book in rulebook_ids() if book != BASE])
def test_every_id_that_a_book_names_to_people_is_a_rule(book: str) -> None:
    named = load_rulebook(book)
    ids = {one for reason in named.reasons.values() for one in (reason.rule, *reason.also)}
    ids |= {one for notice in dict(notices_of(named)).values() for one in (notice.rule, *notice.also)}
    ids |= named.notes.keys() | {one for note in named.notes.values() for one in note.see}
    assert [one for one in sorted(ids) if find_rule(one) is None] == []


@pytest.mark.rule("ccp.preamble.1")
def test_a_setting_of_the_event_stands_over_the_book_and_its_line_is_marked() -> None:
    room = NightRoom()
    room.do("open", rulebook="ccp", house={"late_penalty_chips": 500})
    shown = _Rows(page("/rules", room.station.node.rulebook))
    assert "300 The house says 500." in shown.text["ccp.late.4"]
    assert "The house says" not in shown.text["ccp.late.3"]
