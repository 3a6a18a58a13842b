"""What the documents tell a stranger to type and to write."""

from __future__ import annotations

import re

from tests.room.venue.machines import ROOT

DEPLOY = "feltwire/deploy"
BROKER, SERVICES, VENUE = f"{DEPLOY}/mosquitto/README.md", f"{DEPLOY}/systemd/README.md", "docs/venue.md"


def commands(document: str, about: str) -> list[str]:
    """The lines of the one block of commands that speaks of `about`, without what stands behind `#`."""
    text = (ROOT / document).read_text("utf-8")
    blocks = re.findall(r"^ *```\n(.*?)^ *```$", text, re.DOTALL | re.MULTILINE)
    (block,) = [block for block in blocks if about in block]
    return [re.sub(r"\s+# .*", "", line).strip() for line in block.splitlines()]


def command(document: str, about: str) -> str:
    """The one line of commands that begins with `about`."""
    (line,) = [line for line in commands(document, about) if line.startswith(about)]
    return line


def settings(process: str, **changed: str) -> str:
    """The top of a process's settings as the document has it: before `[broker]`, without devices that are not
    there. `changed` are values as TOML."""
    text = (ROOT / VENUE).read_text("utf-8")
    (block,) = re.findall(rf"```toml\n# {process}\.toml\n(.*?)```", text, re.DOTALL)
    top = re.split(r"^\[", str(block), maxsplit=1, flags=re.MULTILINE)[0]
    top = re.sub(r"^decks = .*\n", "", top, flags=re.MULTILINE)
    for name, value in changed.items():
        top, count = re.subn(rf"^(?:# )?{name} = .*$", f"{name} = {value}", top, flags=re.MULTILINE)
        assert count == 1, f"{VENUE} does not describe {name} of {process}.toml"
    return top
