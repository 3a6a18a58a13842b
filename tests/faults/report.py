"""The counts by kind, held against what was written down before, as a table for people and as JSON."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from pathlib import Path

import msgspec

from tests.faults.judge import Verdict
from tests.faults.kinds import FAULTS, Kind

MINIMUM = Path(__file__).with_name("minimum.toml")


class Row(msgspec.Struct, frozen=True):
    """What became of the hands of one kind. `asked` are questions; `accused` and `wrong` are hands."""

    kind: Kind
    staged: int
    classified: int
    by_person: int
    asked: int
    missed: int
    accused: int
    wrong: int
    unknown: int
    seen: int
    least: float
    unstaged: int

    @property
    def share(self) -> float:
        return self.classified / self.staged if self.staged else 1.0


class Least(msgspec.Struct, frozen=True):
    """`minimum.toml`."""

    clean: dict[str, float]
    faults: dict[str, float]
    classified: dict[Kind, float]

    @classmethod
    def load(cls, path: Path = MINIMUM) -> Least:
        """Raise `msgspec.ValidationError` for a file that says something else."""
        return msgspec.convert(tomllib.loads(path.read_text("utf-8")), cls)


class Report(msgspec.Struct, frozen=True):
    """What `--report` writes. `finished`: every table of this part was dealt. `failed`: what does not hold."""

    seed: int
    hands: int
    shard: str
    rendered: int
    finished: bool
    tables: tuple[int, ...]
    dealt: int
    seconds: float
    rows: tuple[Row, ...]
    failed: tuple[str, ...]
    verdicts: tuple[Verdict, ...]


def rows_of(verdicts: Sequence[Verdict], least: Least) -> tuple[Row, ...]:
    """A row for every kind that occurs."""
    rows = []
    for kind in Kind:
        mine = [verdict for verdict in verdicts if verdict.kind is kind]
        done = [verdict for verdict in mine if verdict.staged]
        if mine:
            rows.append(
                Row(
                    kind,
                    staged=len(done),
                    classified=sum(verdict.classified for verdict in done),
                    by_person=sum(bool(verdict.opened) for verdict in done),
                    asked=sum(verdict.asked for verdict in done),
                    missed=sum(verdict.missed for verdict in done),
                    accused=sum(bool(verdict.accused) for verdict in done),
                    wrong=sum(bool(verdict.wrong) for verdict in mine),
                    unknown=sum(verdict.unknown for verdict in done),
                    seen=sum(verdict.seen for verdict in done),
                    least=1.0 if kind is Kind.CLEAN else least.classified[kind],
                    unstaged=len(mine) - len(done),
                )
            )
    return tuple(rows)


def failures(rows: Sequence[Row], least: Least) -> tuple[str, ...]:
    """What does not hold, one line each."""
    failed = []
    for row in rows:
        bounds = least.clean if row.kind is Kind.CLEAN else least.faults
        if row.share < row.least:
            failed.append(f"{row.kind}: {row.classified} of {row.staged} classified, {row.least:.0%} wanted")
        if row.asked > bounds["asked"] * row.staged:
            failed.append(f"{row.kind}: {row.asked} questions in {row.staged}, {bounds['asked']:g} each allowed")
        if row.accused > bounds["accused"] * row.staged:
            failed.append(f"{row.kind}: {row.accused} of {row.staged} wrongly accused")
        if row.wrong:
            failed.append(f"{row.kind}: {row.wrong} hands ended with another state than the table's")
    return tuple(failed)


def as_table(report: Report) -> str:
    """Markdown."""
    lines = [
        f"{report.dealt} of {report.hands} hands, seed {report.seed}, part {report.shard}, "
        f"{report.rendered} before rendered pictures, {report.seconds:.0f} s",
        "",
        "| fault | staged | classified | least | raised by a person | seen too | questions | missed | "
        "wrongly accused | state wrong | cards unknown |",
        "|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    lines += [_line(row) for row in report.rows]
    unstaged = sum(row.unstaged for row in report.rows)
    lines += ["", f"{unstaged} hands gave their fault no chance and are not counted."]
    lines += ["", *[f"- does not hold: {failed}" for failed in report.failed]]
    return "\n".join(lines).rstrip()


def _line(row: Row) -> str:
    cells = (
        row.kind.replace("_", " "),
        row.staged,
        f"{row.classified} ({row.share:.1%})",
        f"{row.least:.0%}",
        row.by_person,
        row.seen,
        row.asked,
        row.missed,
        row.accused,
        row.wrong,
        row.unknown,
    )
    return "| " + " | ".join(str(cell) for cell in cells) + " |"


def meanings() -> str:
    """The kinds in words, as a markdown table."""
    lines = ["| fault | what is done | the ledger names it by |", "|---|---|---|"]
    for kind, fault in FAULTS.items():
        if kind is not Kind.CLEAN:
            named = ", ".join(f"`{word}`" for word in sorted(fault.named)) or "nothing: it is taken without a word"
            lines.append(f"| {kind.replace('_', ' ')} | {fault.words} | {named} |")
    return "\n".join(lines)
