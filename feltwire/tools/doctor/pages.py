"""The pages of a process: their port and their certificate."""

from __future__ import annotations

import json
import ssl
import urllib.request
from collections.abc import Iterator
from pathlib import Path

from cryptography import x509
from cryptography.x509.oid import NameOID

from display.server.serve import DisplayError, bind
from feltwire.config import Web
from feltwire.runtime.certificates.trust import common_name
from feltwire.runtime.pages.web import certificate_of
from feltwire.tools.doctor import broker, certificates
from feltwire.tools.doctor.findings import Finding, look, refusing, secret, well, wrong
from feltwire.tools.doctor.settings import AnyConfig
from feltwire.tools.provision.maintenance import PAGES_OF, pages_of

PATIENCE_S = 3.0


def check(config: AnyConfig, *, runs: bool) -> Iterator[Finding]:
    web = config.web
    with refusing("pages"):
        certificate_of(web)
    yield from secret("pages", web.key)
    if web.cert:
        yield from _certificate(web, broker.certificate_name(config))
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


def _certificate(web: Web, name: str) -> Iterator[Finding]:
    """Whether browsers take it here; `name`: this device."""
    own = x509.load_pem_x509_certificates(Path(web.cert).read_bytes())[0]
    subject = common_name(own) if own.subject.get_attributes_for_oid(NameOID.COMMON_NAME) else ""
    if subject.startswith(PAGES_OF) and subject != pages_of(name):
        words = f"Their certificate is that of the {subject}, and this is {name}."
        yield wrong("pages", words, f"Copy the folder {name} of `feltwire provision` to this machine.")
    speaks_for = certificates.hosts_of(own)
    for host in web.hosts:
        if not any(certificates.covers(pattern, host) for pattern in speaks_for):
            words = f"Their certificate is not for {host}, but for {', '.join(speaks_for) or 'no name'}."
            yield wrong("pages", words, f"Make one for it: feltwire provision venue --page {name}={host}.")
    names = [host for host in speaks_for if host != "localhost" and not host[-1].isdigit()]
    if names and not web.hosts:
        words = "[web] names no hosts: the pages answer to no name of their certificate."
        yield look("pages", words, f"hosts = [{', '.join(repr(host) for host in names)}]".replace("'", '"'))
    yield from certificates.time_left(own, "pages")


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
