"""The pages of a process: their port and their certificate."""

from __future__ import annotations

import json
import ssl
import urllib.request
from collections.abc import Iterator

from display.server.serve import DisplayError, bind
from feltwire.config import Web
from feltwire.runtime.pages.web import certificate_of
from feltwire.tools.doctor.findings import Finding, look, refusing, secret, well, wrong

PATIENCE_S = 3.0


def check(web: Web, *, runs: bool) -> Iterator[Finding]:
    with refusing("pages"):
        certificate_of(web)
    yield from secret("pages", web.key)
    where = f"{web.host}:{web.port}"
    try:
        bind(web.host, web.port).close()
    except DisplayError as error:
        if runs:
            yield well("pages", f"They are served at {where} now.")
            return
        what, _, do = str(error).partition("; ")
        yield wrong("pages", f"{what}.", do or "Give [web] another port, or end what has this one.")
        return
    if web.host not in ("127.0.0.1", "::1", "localhost") and not web.cert:
        do = "Make a certificate: feltwire provision venue --pages."
        yield look("pages", f"{where} is not encrypted: others may read whose session it is.", do)
    else:
        yield well("pages", f"The port {where} is free.")


def answers(web: Web) -> bool:
    """Whether a process of Feltwire serves its pages there."""
    trusting = ssl.create_default_context()
    trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE  # only whether it answers is asked
    host = "127.0.0.1" if web.host in ("0.0.0.0", "::") else web.host
    url = f"{'https' if web.cert else 'http'}://{host}:{web.port}/now"
    try:
        with urllib.request.urlopen(url, timeout=PATIENCE_S, context=trusting) as answer:
            return "server" in json.load(answer)
    except (OSError, ValueError):
        return False
