"""`feltwire shell`: a shell completes the commands that there are; the manual page has each of them. The SBOM."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from feltwire import cli

ROOT = Path(__file__).parents[3]


def made(kind: str, capsys: pytest.CaptureFixture[str]) -> str:
    assert cli.main(["shell", kind]) == 0
    return capsys.readouterr().out


def completed(script: str, *words: str) -> set[str]:
    """What bash offers for the last of `words`."""
    typed = " ".join(f"'{word}'" for word in words)
    asks = f"COMP_WORDS=({typed}); COMP_CWORD={len(words) - 1}; _shtab_feltwire; echo ${{COMPREPLY[@]}}"
    said = subprocess.run(["bash", "-c", f"{script}\n{asks}"], capture_output=True, text=True, check=True)
    return set(said.stdout.split())


def test_bash_completes_commands_options_and_their_values(capsys: pytest.CaptureFixture[str]) -> None:
    script = made("bash", capsys)
    assert completed(script, "feltwire", "") >= cli.COMMANDS.keys()
    assert completed(script, "feltwire", "sta") == {"station"}
    assert completed(script, "feltwire", "clock", "--con") == {"--config"}
    assert completed(script, "feltwire", "clock", "--log", "") == {"text", "json"}


@pytest.mark.parametrize("kind", ["zsh", "tcsh"])
def test_other_shells_have_every_command(kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    script = made(kind, capsys)
    assert all(name in script for name in cli.COMMANDS)


def test_the_manual_page_has_a_part_for_each_command(capsys: pytest.CaptureFixture[str]) -> None:
    page = made("man", capsys).replace(r"\-", "-")
    assert page.startswith('.TH FELTWIRE "1"')
    parts = re.findall(r"^\.SS \\fBfeltwire ([a-z-]+)\\fR$", page, re.MULTILINE)
    assert parts == list(cli.COMMANDS)


def test_the_sbom_lists_what_a_venue_installs_with_hashes(tmp_path: Path) -> None:
    """The command of `make sbom`, into another folder."""
    (line,) = re.findall(r"^\t\$\(BIN\)/cyclonedx-py (.*)$", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    arguments = line.replace("dist/", f"{tmp_path}/").split()
    subprocess.run(
        [Path(sys.executable).parent / "cyclonedx-py", *arguments], cwd=ROOT, check=True, capture_output=True
    )
    read = json.loads((tmp_path / "feltwire.cdx.json").read_text("utf-8"))
    locked = re.findall(r"^([a-z0-9-]+)==(\S+) \\$", (ROOT / "requirements.lock").read_text("utf-8"), re.MULTILINE)
    assert {(one["name"], one["version"]) for one in read["components"]} == set(locked)
    assert all(one["externalReferences"][0]["hashes"] for one in read["components"])
    assert read["bomFormat"] == "CycloneDX"
    assert read["metadata"]["component"]["name"] == "feltwire"
