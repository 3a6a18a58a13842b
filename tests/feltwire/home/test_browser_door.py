"""The director's browser is opened without the link on a command line, and by this user alone."""

from __future__ import annotations

import http.client
import os
import subprocess
import sys
import threading
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from feltwire.home.browser import Door, open_browser
from feltwire.runtime.pages.lan import reached

LINK = "http://127.0.0.1:9/sign-in?token=secret"
NOBODY = 65534
ASK = "import sys, http.client as h; c = h.HTTPConnection('127.0.0.1', int(sys.argv[1])); c.request('GET', '/'); "
ASK += "a = c.getresponse(); print(a.status, a.getheader('location') or '')"


def asked_of(door: Door, path: str = "/") -> tuple[int, str]:
    connection = http.client.HTTPConnection("127.0.0.1", door.port, timeout=60)
    connection.request("GET", path)
    answer = connection.getresponse()
    connection.close()
    return answer.status, answer.getheader("location") or ""


def test_the_first_browser_of_this_user_is_sent_on_and_no_other() -> None:
    door = Door(LINK)
    serving = threading.Thread(target=door.serve)
    serving.start()
    assert asked_of(door, "/favicon.ico")[0] == 404
    assert asked_of(door) == (303, LINK)
    serving.join(timeout=60)
    assert not serving.is_alive()
    with pytest.raises(ConnectionRefusedError):
        asked_of(door)


@pytest.mark.skipif(os.getuid() != 0, reason="only root can start a program of another user")
def test_another_user_of_this_machine_is_not_sent_on() -> None:
    door = Door(LINK)
    serving = threading.Thread(target=door.serve)
    serving.start()
    command = ["/usr/bin/python3", "-c", ASK, str(door.port)]
    other = subprocess.run(command, user=NOBODY, group=NOBODY, capture_output=True, text=True, check=True, cwd="/")
    assert other.stdout.split() == ["404"]
    assert asked_of(door) == (303, LINK)
    serving.join(timeout=60)


def test_the_browsers_command_line_has_no_token(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The browser is a program that notes how it was called and where it was sent."""
    noted = tmp_path / "noted"
    program = tmp_path / "browser"
    program.write_text(
        f"#!{sys.executable}\nimport sys, http.client as h, urllib.parse as u\nurl = u.urlsplit(sys.argv[1])\n"
        "c = h.HTTPConnection(url.hostname, url.port)\nc.request('GET', url.path)\n"
        f"open({str(noted)!r}, 'w').write(' '.join(sys.argv) + '\\n' + c.getresponse().getheader('location'))\n"
    )
    program.chmod(0o700)
    monkeypatch.setenv("BROWSER", str(program))
    monkeypatch.setattr("webbrowser._tryorder", None)  # BROWSER is read anew
    open_browser(LINK)
    called, sent_on = noted.read_text().splitlines()
    assert "token" not in called
    assert sent_on == LINK


def test_an_address_without_a_host_is_this_machines() -> None:
    assert reached("http://table-01.hall.lan:8080/table/01") == "http://table-01.hall.lan:8080/table/01"
    found = reached("http://:8082/table/01")
    assert found.endswith(":8082/table/01")
    assert "0.0.0.0" not in found
    assert urlsplit(found).hostname
