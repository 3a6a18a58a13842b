"""The rules page: the rule reference under the rulebook in force, searched on the server.

`/rules?q=odd+chip&book=wfp&handling=engine`. Without `book` it shows the rules in force: the rulebook's own and
those it falls back to. What somebody asks is answered by this book first; where it is silent the page says so, and
shows usual practice and other books, each under its name. A rule that the house overrides says so.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from display.server.heavy import OneAtATime
from table_core.catalogue import HANDLING_IN_WORDS, Handling, RuleRow, catalogue, find_rule
from table_core.notices import Note
from table_core.reference import Setting, in_words, notices_of, rules_in_force, settings_of
from table_core.rule_search import search
from table_core.rulebook import Rulebook, load_rulebook, rulebook_ids

IN_FORCE = "in-force"
EVERY_BOOK = "all"
MOST_FOUND = 20
LONGEST_QUERY = 100  # letters


@dataclass(frozen=True, slots=True)
class RuleEntry:
    """One rule on the page. `fallback`: it is in force though another book says it."""

    row: RuleRow
    settings: tuple[Setting, ...]
    in_force: bool
    fallback: bool
    note: Note | None = None
    reasons: tuple[str, ...] = ()  # of penalties, that cite it

    @property
    def overridden(self) -> bool:
        return any(setting.overridden for setting in self.settings)


@dataclass(frozen=True, slots=True)
class RuleQuery:
    """The query of the page; unknown values are ignored."""

    q: str = ""
    book: str = IN_FORCE
    handling: str = ""

    @classmethod
    def by(cls, request: Request) -> RuleQuery:
        asked = request.query_params
        book, handling = asked.get("book", IN_FORCE), asked.get("handling", "")
        known = book == EVERY_BOOK or book in rulebook_ids()
        return cls(
            q=asked.get("q", "").strip()[:LONGEST_QUERY],
            book=book if known else IN_FORCE,
            handling=handling if handling in [*Handling] else "",
        )


class Group(NamedTuple):
    """Rules found that stand in one relation to the rulebook in force."""

    heading: str
    entries: list[RuleEntry]


def groups(rulebook: Rulebook, asked: RuleQuery) -> list[Group]:
    """The rules that match the query: the book's own, those that it falls back to, and other books' last."""
    if asked.book != IN_FORCE or not asked.q:
        names = {IN_FORCE: "In force here", EVERY_BOOK: "Every rulebook"}
        heading = names.get(asked.book) or load_rulebook(asked.book).name
        return [Group(heading, entries(rulebook, asked))]
    found = entries(rulebook, asked)
    rest = entries(rulebook, replace(asked, book=EVERY_BOOK))
    return [
        Group(rulebook.name, [entry for entry in found if not entry.fallback]),
        Group("Usual practice, in force here", [entry for entry in found if entry.fallback]),
        Group("Other rulebooks, not in force here", [entry for entry in rest if not entry.in_force]),
    ]


def entries(rulebook: Rulebook, asked: RuleQuery) -> list[RuleEntry]:
    """The rules that match the query, those that the house overrides first."""
    in_force = rules_in_force(rulebook)
    active = {row.id for row in in_force}
    rows = in_force if asked.book == IN_FORCE else catalogue()
    if asked.book not in (IN_FORCE, EVERY_BOOK):
        rows = tuple(row for row in rows if row.profile == asked.book)
    if asked.handling:
        rows = tuple(row for row in rows if row.handling == asked.handling)
    found = [
        RuleEntry(
            row=row,
            settings=tuple(settings_of(row.id, rulebook)),
            in_force=row.id in active,
            fallback=row.id in active and row.profile != rulebook.id,
            note=rulebook.notes.get(row.id),
            reasons=tuple(name for name, one in rulebook.reasons.items() if row.id in (one.rule, *one.also)),
        )
        for row in search(asked.q, rows)
    ]
    return sorted(found, key=lambda entry: not entry.overridden)


def rules_page(
    render: Callable[..., HTMLResponse], in_force: Callable[[], Rulebook], turns: OneAtATime
) -> Callable[[Request], Awaitable[Response]]:
    """The page's handler; `render(request, template, **values)` draws it."""
    books = {book_id: load_rulebook(book_id).name for book_id in rulebook_ids()}

    def drawn(request: Request) -> HTMLResponse:
        asked = RuleQuery.by(request)
        rulebook = in_force()
        return render(
            request,
            "rules/rules.html",
            rulebook=rulebook,
            asked=asked,
            groups=groups(rulebook, asked),
            books=books,
            revision=rulebook.sha256()[:12],
            notices=dict(notices_of(rulebook)),
            handlings=HANDLING_IN_WORDS,
            in_words=in_words,
        )

    async def page(request: Request) -> Response:
        return await turns.answer(drawn, request)

    return page


def rule_routes(in_force: Callable[[], Rulebook], turns: OneAtATime) -> list[Route]:
    """`/api/rules/<id>` is one rule, `/api/rules?q=<words>` the first that are found, for pages that cite them."""

    def one(request: Request) -> JSONResponse:
        row = find_rule(request.path_params["rule"])
        if row is None:
            return JSONResponse({"error": f"no rule {request.path_params['rule']!r}"}, 404)
        return JSONResponse(_cited(row, in_force()))

    def found(request: Request) -> JSONResponse:
        book, asked = in_force(), RuleQuery(q=request.query_params.get("q", "").strip()[:LONGEST_QUERY])
        rows = [entry.row for group in groups(book, asked) for entry in group.entries] if asked.q else []
        return JSONResponse([_cited(row, book) for row in rows[:MOST_FOUND]])

    async def some(request: Request) -> Response:
        return await turns.answer(found, request)

    return [Route("/api/rules", some), Route("/api/rules/{rule}", one)]


def _cited(row: RuleRow, book: Rulebook) -> dict[str, str]:
    """A rule and where it stands under the book in force: its own, usual practice behind it, or another book's."""
    if row.id not in {rule.id for rule in rules_in_force(book)}:
        stands, standing = "other", f"Not in force here: {load_rulebook(row.profile).name}."
    elif row.profile == book.id:
        stands, standing = "own", f"In force here: {book.name}."
    else:
        stands, standing = "practice", f"{book.name} does not say it otherwise; usual practice."
    return {
        "id": row.id, "statement": row.statement, "source": row.source, "stands": stands, "standing": standing,
    }  # fmt: skip
