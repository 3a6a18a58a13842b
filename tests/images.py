"""`python -m tests.images`: the container is built and opens a room; a disk that does not run becomes a table.

    sudo .venv/bin/python -m tests.images --debian DIR [--build-option=…] [--program FILE.pyz]

`--debian` is the root of a Debian 12 with systemd, dbus, iproute2 and python3 (`debootstrap`); for `--program`
also of another processor, where qemu-user-static runs its programs. The container is built from it with buildah;
no image registry is asked. Options for its build, such as a volume with certificates, go through. The card is
written into a copy of that root, which then boots with its own init. Exit status 1 where something is not as
docs/images.md says.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from feltwire.cli import main as feltwire
from tests.ports import free_base
from tests.waiting import until

ROOT = Path(__file__).parents[1]
BASE, IMAGE = "localhost/feltwire-tests-debian", "localhost/feltwire-tests"
PATIENCE_S = 600.0
BEGAN = time.monotonic()


def say(words: str) -> None:
    print(f"{time.monotonic() - BEGAN:6.1f} s  {words}", flush=True)


def sh(*command: str | Path) -> str:
    done = subprocess.run(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    assert done.returncode == 0, f"{' '.join(map(str, command))}\n{done.stdout[-4_000:]}"
    return done.stdout


def container(debian: Path, options: list[str]) -> None:
    """Build it, deal two hands in it, and open a room."""
    base = sh("buildah", "from", "scratch").strip().splitlines()[-1]
    mounted = sh("buildah", "mount", base).strip().splitlines()[-1]
    sh("cp", "-a", f"{debian}/.", mounted)
    sh("buildah", "commit", "--rm", "--quiet", base, BASE)
    build = [
        "buildah",
        "build",
        "--isolation",
        "chroot",
        "--file",
        "Containerfile",
        "--build-arg",
        f"DEBIAN={BASE}",
    ]
    sh(*build, *options, "--tag", IMAGE, ".")
    say("container: built as Containerfile says")
    made = sh("buildah", "from", IMAGE).strip().splitlines()[-1]
    run = ["buildah", "run", "--isolation", "chroot", made, "--", "feltwire"]
    try:
        say(f"container: {sh(*run, '--version').strip()}")
        sh(*run, "demo", "--headless", "--tables", "1", "--hands", "2", "--port", str(free_base()))
        say("container: two hands are dealt in the demo")
        room = [*run, "home", "--no-browser", "--json", "--data", "/data/home", "--port", str(free_base())]
        with subprocess.Popen(room, stdout=subprocess.PIPE, text=True, start_new_session=True) as process:
            assert process.stdout is not None
            page = json.loads(process.stdout.readline())
            os.killpg(process.pid, signal.SIGINT)
        say(f"container: a room is open, its {page['page']} at {page['url']}")
    finally:
        sh("buildah", "rm", made)


@contextlib.contextmanager
def booted(root: Path) -> Iterator[int]:
    """The process of its init."""
    command = [
        "systemd-nspawn",
        f"--directory={root}",
        "--boot",
        "--register=no",
        "--keep-unit",
        "--private-network",
    ]
    with (root.parent / "console").open("wb") as console:
        power = subprocess.Popen(
            [*command, "--console=pipe"], stdin=subprocess.DEVNULL, stdout=console, stderr=console
        )
    try:
        yield until(lambda: _init_of(power.pid), "the machine is up", PATIENCE_S)
    finally:
        power.terminate()
        power.wait()


def _init_of(power: int) -> int:
    children = Path(f"/proc/{power}/task/{power}/children").read_text().split()
    if not children:
        return 0
    asked = ("nsenter", f"--target={children[0]}", "--all", "systemctl", "is-system-running")
    state = subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip()
    return int(children[0]) if state in ("running", "degraded") else 0


def card(debian: Path, program: Path, folder: Path) -> None:
    """Write it, start it, and see the table's service run."""
    root = folder / "disk"
    sh("cp", "-a", debian, root)
    assert feltwire(["provision", "new", str(folder / "hall"), "--tables", "1"]) == 0
    assert feltwire(["provision", "bundles", str(folder / "hall")]) == 0
    bundle = folder / "hall/bundles/table-01.bundle"
    sh(ROOT / "feltwire/deploy/image/write-card", root, program, bundle)
    assert not bundle.exists(), "the bundle is wiped"
    assert not (root / "opt/feltwire-card").exists(), "nothing is left of what was copied"
    say("card: written")
    with booted(root) as init:
        enter = ("nsenter", f"--target={init}", "--all")
        service = (*enter, "systemctl", "is-active", "feltwire-table@table-01")
        state = lambda: subprocess.run(service, capture_output=True, text=True, check=False).stdout.strip()  # noqa: E731
        until(lambda: state() == "active", "the table's service runs", PATIENCE_S)
        processor = sh(*enter, "uname", "-m").strip()
        version = sh(*enter, "/opt/feltwire/current/bin/feltwire", "--version").strip()
        say(f"card: its service runs at the first start ({processor}; {version})")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--debian", type=Path, required=True, metavar="DIR", help="the root of a bare Debian")
    parser.add_argument("--container", action="store_true", help="build the container; dist/ has the wheel")
    parser.add_argument("--build-option", action="append", default=[], metavar="OPTION", help="of buildah build")
    parser.add_argument("--program", type=Path, metavar="FILE.pyz", help="write a card with this release")
    args = parser.parse_args()
    if missing := [name for name in ("buildah", "systemd-nspawn", "nsenter") if shutil.which(name) is None]:
        parser.error(f"missing here: {', '.join(missing)}")
    folder = Path(tempfile.mkdtemp())
    try:
        if args.container:
            container(args.debian, args.build_option)
        if args.program is not None:
            card(args.debian, args.program.resolve(), folder)
    except AssertionError as error:
        print(f"failed: {error}", file=sys.stderr)
        return 1
    finally:
        shutil.rmtree(folder)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
