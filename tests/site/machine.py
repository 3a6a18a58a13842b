"""One machine of a venue that has all roles, for the pages that speak of an installed room."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from table_core.messages import Key
from tests.room.venue import documents
from tests.room.venue.machines import CLONE, PROGRAM, Machine, Room
from tests.site.pages import PAGES
from tests.site.typed import typed, which
from tests.waiting import until

ROLES = {"broker": "broker", "station": "station", "table-01": "table", "clock": "clock", "relay": "relay"}
WORKS_S = 20  # how long a process that goes on is left to work before Ctrl-C
# Nobody opens an event here: the clock runs, and the table begins with these players.
PLAYERS = """
[settings.station]
autostart = true
[settings.table]
seats = [{seat = 1, stack = 20000}, {seat = 4, stack = 20000}, {seat = 7, stack = 20000}]
"""
TABLE, STATION = "https://table-01.hall.lan:8080", "https://station.hall.lan:8081"
LINKS = {TABLE: "table-01/table-01.kiosk-link", STATION: "station/td-link"}
CURL = "curl --fail --silent --show-error --insecure"
SIGN_IN = CURL + ' --location --cookie-jar {jar} --output /dev/null "$(cat /var/lib/feltwire/{link})"'
PRESS = """
now=$({curl} {pages}/now | {python} -c '{read}')
{curl} --cookie {jar} --json '{body}' --header 'origin: {pages}' --header "press-id: $(openssl rand -hex 12)" \\
  --header "press-until: ${{now%/*}}/$((${{now#*/}} + 60000))" {pages}{path}
"""
READ = 'import json, sys; print("{server}/{ms}".format(**json.load(sys.stdin)))'
EVENT = {"name": "Friday", "house": {"starting_stack": 20_000}, "tables": [{"table": "01", "seats": 9}]}


class Hall:
    """Boots in `folder`, and is what docs/venue.md makes."""

    def __init__(self, folder: Path) -> None:
        self.machine: Machine = Room(folder, ["hall"], also=dict.fromkeys(ROLES, "hall"))["hall"]
        (self.machine.root / CLONE.lstrip("/") / "hall.toml").write_text(f"{documents.description()}{PLAYERS}")
        self.machine.run("feltwire provision bundles hall.toml hall")
        for name, role in ROLES.items():
            self.machine.run(f"cp hall/bundles/{name}.bundle . && feltwire install {role} --bundle {name}.bundle")
        assert self.machine.alive(), self.machine.down()
        self._play()

    def _play(self) -> None:
        """A hand and a tournament, so that there are records to copy, to check and to keep."""
        for pages, link in LINKS.items():
            self.machine.run(SIGN_IN.format(jar=f"cookies-{pages[-1]}", link=link))
        for key in (Key.NEW_HAND, Key.FOLD, Key.FOLD):
            self._press(TABLE, "/table/01/touch", {"key": int(key)})
        until(lambda: self.machine.run(f"{CURL} {STATION}/checkpoints"), "the station signs the end of the hand")
        self._press(STATION, "/director", {"command": "open", "arguments": EVENT})

    def _press(self, pages: str, path: str, body: dict[str, object]) -> None:
        python, jar = f"{PROGRAM}/bin/python", f"cookies-{pages[-1]}"
        text = json.dumps(body)
        self.machine.run(
            PRESS.format(curl=CURL, pages=pages, python=python, jar=jar, body=text, path=path, read=READ)
        )

    def type_page(self, name: str) -> Iterator[str]:
        """Each command as it has worked."""
        page = PAGES[name]
        if page.before:
            self.machine.run(page.before)
        for command in typed(name):
            served = which(page.serves, command)
            if served is None:
                self.machine.run(command)
            else:
                said = self.machine.run(f"timeout -s INT {WORKS_S} {command} || [ $? -eq 124 ]")
                assert page.serves[served] in said, f"{command}\n{said}"
            yield command
