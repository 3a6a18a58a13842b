"""`python -m tests.compiled`: build the wheel with the compiled hand engine, and try it.

The tests of the rules and every scenario run on what is in the wheel. It is put into `dist/` only when all of them
pass. It takes three minutes, a C compiler and the headers of this Python.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
TRIED = ("tests/table_core", "tests/scenarios")
PIP = (sys.executable, "-I", "-m", "pip", "--disable-pip-version-check")
WHICH = "import table_core.hand.hand as hand; print(hand.__file__)"


def main() -> int:
    if shutil.which("cc") is None:
        print("no C compiler: apt-get install gcc python3-dev", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        wheel = _built(place / "wheel")
        _run(*PIP, "install", "-q", "--no-deps", "--target", str(place / "installed"), str(wheel))
        # The tests without the source beside them: else Python finds the source first.
        for name in ("tests", "docs", "hardware", "pyproject.toml"):
            source, target = ROOT / name, place / "tried" / name
            if source.is_dir():
                shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(source, target)
        on_wheel = {**os.environ, "PYTHONPATH": str(place / "installed")}
        used = _run(sys.executable, "-P", "-c", WHICH, cwd=place / "tried", env=on_wheel, capture_output=True)
        if not used.stdout.decode().strip().endswith(".so"):
            print(f"not compiled: {used.stdout.decode().strip()}", file=sys.stderr)
            return 1
        command = (sys.executable, "-m", "pytest", "-q", "-n", "2", "-m", "not shared", "-p", "no:cacheprovider")
        tried = subprocess.run([*command, *TRIED], cwd=place / "tried", env=on_wheel, check=False)
        if tried.returncode:
            print("the compiled engine differs: no wheel", file=sys.stderr)
            return 1
        (ROOT / "dist").mkdir(exist_ok=True)
        print(f"tried: {shutil.copy(wheel, ROOT / 'dist')}")
    return 0


def _built(into: Path) -> Path:
    compiled = {**os.environ, "FELTWIRE_COMPILED": "1"}
    _run(*PIP, "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", str(into), ".", cwd=ROOT, env=compiled)
    shutil.rmtree(ROOT / "build")  # else the next plain wheel would hold these modules
    (wheel,) = into.glob("*.whl")
    return wheel


def _run(*command: str, **how: object) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(command, check=True, **how)  # type: ignore[call-overload, no-any-return]


if __name__ == "__main__":
    raise SystemExit(main())
