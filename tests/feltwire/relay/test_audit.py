"""The relay's audit: every line is signed and linked, and what is taken away or changed is found."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from nacl.signing import SigningKey

from feltwire.cli import main
from feltwire.relay.desk.audit import AUDIT, Audit, AuditError, read_audit
from table_core.messages import At, Millis

SIGNING = SigningKey(bytes(range(32)))
KEY = bytes(SIGNING.verify_key).hex()


def at() -> At:
    return At("b" * 16, Millis(5), "2026-11-29T20:15:00.000Z")


@pytest.fixture
def audit(tmp_path: Path) -> Audit:
    made = Audit(tmp_path / AUDIT, "hall", SIGNING, at)
    made.note("Ann (producer)", "feature", "01 → 02")
    made.note("Ann (producer)", "air delay", "1800 s → 2400 s")
    made.note("a start of the relay", "settings", "card delay 1800")
    return made


def test_lines_are_read_as_they_were_noted_and_outlive_the_process(audit: Audit) -> None:
    again = Audit(audit.path, "hall", SIGNING, at)
    assert again.end == audit.end
    again.note("Bo (director)", "cut", "held")
    notes, end = read_audit(audit.path, key=KEY, had=audit.end)
    assert [(note.who, note.text) for note in notes][1::2] == [
        ("Ann (producer)", "1800 s → 2400 s"),
        ("Bo (director)", "held"),
    ]
    assert (4, end) == again.end
    assert [note.what for note in again.newest] == ["cut", "settings", "air delay", "feature"]


def test_the_last_line_about_something_is_found_however_many_came_since(audit: Audit) -> None:
    for _ in range(300):
        audit.note("Ann (producer)", "on air", "payouts on")
    for one in (audit, Audit(audit.path, "hall", SIGNING, at)):
        last = one.last("air delay")
        assert last is not None
        assert last.text == "1800 s → 2400 s"


FORGED: dict[str, tuple[Callable[[list[bytes]], list[bytes]], str]] = {
    "a line is changed": (lambda lines: [lines[0], lines[1].replace(b"2400", b"1200"), lines[2]], "not signed"),
    "a line is left out": (lambda lines: [lines[0], lines[2]], "does not follow"),
    "the first line is left out": (lambda lines: lines[1:], "does not follow"),
    "two lines change places": (lambda lines: [lines[1], lines[0], lines[2]], "does not follow"),
    "a line is there twice": (lambda lines: [*lines, lines[2]], "does not follow"),
    "the end is cut off": (lambda lines: lines[:2], "lines were removed"),
    "something else stands there": (lambda lines: [*lines, b"{}"], "no line of an audit"),
}


@pytest.mark.parametrize("forgery", FORGED)
def test_what_was_done_to_it_is_found(audit: Audit, forgery: str, capsys: pytest.CaptureFixture[str]) -> None:
    had = audit.end
    forge, words = FORGED[forgery]
    lines = forge(audit.path.read_bytes().splitlines())
    audit.path.write_bytes(b"".join(line + b"\n" for line in lines))
    with pytest.raises(AuditError, match=words):
        read_audit(audit.path, key=KEY, had=had)
    noted = f"{had[0]}:{had[1]}"
    assert main(["audit", str(audit.path.parent), "--key", KEY, "--had", noted]) == 1
    assert words in capsys.readouterr().out


def test_another_key_signs_no_line_of_it(audit: Audit) -> None:
    with pytest.raises(AuditError, match="not signed"):
        read_audit(audit.path, key=bytes(SigningKey.generate().verify_key).hex())


def test_a_line_that_a_power_cut_tore_is_written_over(audit: Audit) -> None:
    whole = audit.path.read_bytes()
    audit.path.write_bytes(whole + whole.splitlines()[0][:40])
    again = Audit(audit.path, "hall", SIGNING, at)
    again.note("Bo (director)", "cut", "held")
    notes, _ = read_audit(audit.path, key=KEY)
    assert [note.what for note in notes] == ["feature", "air delay", "settings", "cut"]


def test_the_command_shows_each_line_and_the_end_to_be_noted(
    audit: Audit, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["audit", str(audit.path), "--key", KEY]) == 0
    said = capsys.readouterr().out
    assert "Ann (producer): air delay: 1800 s → 2400 s" in said
    assert f"3:{audit.end[1]}" in said
    assert main(["audit", str(audit.path.parent)]) == 0
    assert "signatures were not checked" in capsys.readouterr().out


def test_the_file_is_its_users_alone(audit: Audit) -> None:
    assert audit.path.stat().st_mode & 0o077 == 0
