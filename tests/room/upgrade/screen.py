"""The screen of table 01, on its machine: `python -m tests.room.upgrade.screen LINK KEY…` signs in with the link
and presses the keys. It runs in the network of that machine, whose pages are at 127.0.0.1."""

from __future__ import annotations

import json
import secrets
import ssl
import sys
import urllib.parse
import urllib.request
from http.cookiejar import CookieJar

from table_core.messages import Key


def main(link: str, *keys: str) -> None:
    trusting = ssl.create_default_context()
    trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
    browser = urllib.request.build_opener(
        urllib.request.HTTPCookieProcessor(CookieJar()), urllib.request.HTTPSHandler(context=trusting)
    )
    asked = urllib.parse.urlsplit(link)
    origin = f"https://127.0.0.1:{asked.port}"
    browser.open(f"{origin}{asked.path}?{asked.query}".rstrip("?")).close()
    for key in keys:
        with browser.open(f"{origin}/now") as answer:
            now = json.load(answer)
        until = f"{now['server']}/{now['ms'] + 60_000}"
        headers = {"press-id": secrets.token_hex(12), "press-until": until, "origin": origin}
        body = json.dumps({"key": int(Key[key])}).encode()
        request = urllib.request.Request(
            f"{origin}/table/01/touch", body, {**headers, "content-type": "application/json"}
        )
        browser.open(request, timeout=60).close()


if __name__ == "__main__":
    main(*sys.argv[1:])
