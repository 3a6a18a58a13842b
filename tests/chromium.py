"""The browser of the tests: Chromium without a window, which takes a third of the processor's time of one with."""

from __future__ import annotations

import shutil

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser")
PROGRAM = next(filter(None, map(shutil.which, NAMES)), "")
MISSING = "no chromium on this machine: apt-get install chromium-headless-shell, or `make test`, which does it"
QUIET = ("--no-sandbox", "--disable-background-networking", "--disable-gpu", "--disable-sync")
