"""The generated part of `docs/rulings.md`: every incident with its number, and which scenario shows which rule.

`python -m feltwire.lab.rules.rulings_doc` writes it; a test holds the file against it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

from feltwire.lab.rules.command import of_the_table
from feltwire.lab.rules.tests import ROOT
from feltwire.lab.scenario.file import read_scenario
from table_core.catalogue import Handling, RuleRow, catalogue
from table_core.rulings.all_incidents import INCIDENTS

DOCUMENT = ROOT / "docs" / "rulings.md"
SCENARIOS = ROOT / "tests" / "scenarios"
BEGIN, END = "<!-- generated: python -m feltwire.lab.rules.rulings_doc -->", "<!-- end -->"


def scenarios_of_rules(folder: Path = SCENARIOS) -> dict[str, list[str]]:
    """Rule -> scenarios that show it, as paths under the folder."""
    shown: dict[str, list[str]] = {}
    for path in sorted(folder.rglob("*.txt")):
        scenario = read_scenario(path)
        for book in scenario.rulebooks:
            for rule in scenario.rules_of(book):
                shown.setdefault(rule, []).append(str(path.relative_to(folder).with_suffix("")))
    return shown


def ruled_rows() -> tuple[RuleRow, ...]:
    """The rows that the table notices, asks about or clocks."""
    return tuple(row for row in catalogue() if of_the_table(row) and row.handling is not Handling.ENGINE)


def generated() -> str:
    """The generated part of the document, markers included."""
    shown, rows = scenarios_of_rules(), ruled_rows()
    missing = [row for row in rows if row.id not in shown]
    lines = [BEGIN, "", "## The incidents", "", *_incidents(), ""]
    lines += ["## Rows and the scenarios that show them", ""]
    lines += [f"{len(rows) - len(missing)} of {len(rows)} rows are shown.", "", *_rows(rows, shown), ""]
    lines += ["## Rows not shown yet", ""]
    lines += [f"- `{row.id}` ({row.handling}): {row.statement}" for row in missing] or ["None."]
    return "\n".join([*lines, "", END])


def _incidents() -> Iterable[str]:
    yield "| no | incident | on the screen | about a seat | after the hand |"
    yield "|---|---|---|---|---|"
    for incident in sorted(INCIDENTS.values(), key=lambda one: one.no):
        seat, after = "yes" if incident.needs_seat else "", "yes" if incident.after_hand else ""
        yield f"| {incident.no} | `{incident.key}` | {incident.title} | {seat} | {after} |"


def _rows(rows: Iterable[RuleRow], shown: dict[str, list[str]]) -> Iterable[str]:
    yield "| rule | handled by | scenarios |"
    yield "|---|---|---|"
    for row in rows:
        if row.id in shown:
            yield f"| `{row.id}` | {row.handling} | {', '.join(shown[row.id])} |"


def with_generated(text: str) -> str:
    """The document with its generated part renewed. Raise `ValueError` where the markers are missing."""
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"no {BEGIN} … {END} in the document")
    return before + generated() + after


def main() -> int:
    """Renew the document."""
    DOCUMENT.write_text(with_generated(DOCUMENT.read_text("utf-8")), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
