"""`feltwire docs`: the documents as pages with a search, on this machine alone.

docs/decisions/0079-documents-as-a-site.md
"""

from __future__ import annotations

import argparse
import socket
import webbrowser
from pathlib import Path

import uvicorn
from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles

import feltwire
from feltwire.errors import UsageError

HELP = """Shows the documents of this version in a browser, with a search. They are part of the program: no network
is needed, and no other machine can read them from this one. Ctrl-C ends it."""
EXAMPLE = "feltwire docs --open"
SITE = Path(feltwire.__file__).parent / "site"  # from `make site`; in the wheel of a release


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--port", type=int, default=0, help="of the address on this machine (default: a free one)")
    parser.add_argument("--open", action="store_true", help="open the browser")


def run(args: argparse.Namespace) -> int:
    if not (SITE / "index.html").is_file():
        raise UsageError("this build has no pages: run `make site` in a clone, or read the files in docs/")
    with socket.socket() as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind(("127.0.0.1", args.port))
        except (OSError, OverflowError) as error:
            raise UsageError(f"--port {args.port}: {error}; take another, or none for a free one") from error
        listener.listen()  # before the address is said: whoever reads it may connect
        address = f"http://127.0.0.1:{listener.getsockname()[1]}/"
        print(address, flush=True)
        if args.open:
            webbrowser.open(address)
        app = Starlette(routes=[Mount("/", StaticFiles(directory=SITE, html=True))])
        uvicorn.Server(uvicorn.Config(app, log_level="warning")).run(sockets=[listener])
    return 0
