"""What the documents tell a stranger to type and to write."""

from __future__ import annotations

import re
import textwrap

from tests.room.venue.machines import ROOT

BROKER, VENUE = "feltwire/deploy/mosquitto/README.md", "docs/venue.md"


def _blocks(document: str) -> list[tuple[str, str]]:
    """What stands between fences, each with its kind."""
    text = (ROOT / document).read_text("utf-8")
    return re.findall(r"^ *```(\w*)\n(.*?)^ *```$", text, re.DOTALL | re.MULTILINE)


def commands(document: str, about: str) -> list[str]:
    """The lines of the one block of commands that speaks of `about`, without what stands behind `#`."""
    (block,) = [block for kind, block in _blocks(document) if kind == "sh" and about in block]
    return [re.sub(r"\s+# .*", "", line).strip() for line in block.splitlines()]


def command(document: str, about: str) -> str:
    """The one line of commands that begins with `about`."""
    (line,) = [line for line in commands(document, about) if line.startswith(about)]
    return line


def description() -> str:
    """The venue's, as the document has it."""
    (block,) = [block for kind, block in _blocks(VENUE) if kind == "toml" and "# hall.toml\n" in block]
    return textwrap.dedent(block)
