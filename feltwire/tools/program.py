"""`feltwire program`: the file of a release, out of wheels (docs/decisions/0077-one-file-a-release.md)."""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
import zipfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from hashlib import file_digest, sha256
from importlib import resources
from pathlib import Path

from nacl.signing import SigningKey

from feltwire.errors import UsageError
from feltwire.install import release_keys
from feltwire.install.program_file import FORM, MANIFEST, REQUIREMENTS, SIGNATURE, check_whole, read_release
from feltwire.private_files import python

HELP = """The file of a release: the program and the libraries of its lock as wheels, for each Python and machine
of a venue, signed. A machine needs nothing but Python to install it, and no network.

`key FILE` makes the key that signs releases, and prints the public one. `make` writes feltwire-VERSION.pyz, in a
clone of the repository: libraries are downloaded by the hashes of requirements.lock. `show` says what a file is,
and whether it is whole."""
EXAMPLE = "feltwire program make --wheel dist/feltwire-0.2.0-py3-none-any.whl --key release.key --out dist"

PYTHONS = ("3.11", "3.12", "3.13")
MACHINES = ("x86_64", "aarch64")
_GLIBC = (
    "manylinux_2_28",
    "manylinux_2_27",
    "manylinux_2_26",
    "manylinux_2_24",
    "manylinux_2_17",
    "manylinux2014",
)
_CODE = (
    "__init__.py",
    "errors.py",
    "private_files.py",
    "install/__init__.py",
    "install/first_install.py",
    "install/places.py",
    "install/program_file.py",
    "install/programs.py",
)
_MAIN = "import sys\n\nfrom feltwire.install.first_install import main\n\nraise SystemExit(main(sys.argv))\n"
_WHEEL = re.compile(r"([A-Za-z0-9_.]+)-([0-9][^-]*)(-[^-]+)?-[^-]+-[^-]+-[^-]+\.whl")
_WHEN = (1980, 1, 1, 0, 0, 0)  # the same wheels give the same file


def add_arguments(parser: argparse.ArgumentParser) -> None:
    commands = parser.add_subparsers(dest="what", required=True, metavar="make|key|show")
    make = commands.add_parser("make", help="write the file of a release")
    make.add_argument(
        "--wheel", type=Path, required=True, metavar="FILE", help="plain wheel of the program; compiled"
    )
    make.add_argument(
        "--key", type=Path, required=True, metavar="FILE", help="that signs; made where it is missing"
    )
    make.add_argument("--out", type=Path, required=True, metavar="DIR")
    make.add_argument(
        "--locks", type=Path, default=Path(), metavar="DIR", help="with the lock files; default: here"
    )
    make.add_argument("--python", action="append", choices=PYTHONS, help="for this one only; repeatable")
    make.add_argument("--machine", action="append", choices=MACHINES, help="for this one only; repeatable")
    make.add_argument(
        "--trust", action="append", default=[], metavar="KEY", help="machines trust only these keys afterwards"
    )
    key = commands.add_parser("key", help="make a key that signs releases")
    key.add_argument("file", type=Path, metavar="FILE")
    show = commands.add_parser("show", help="what a file is, and whether it is whole")
    show.add_argument("file", type=Path, metavar="FILE")
    show.add_argument("--json", action="store_true", help="for programs")


def run(args: argparse.Namespace) -> int:
    if args.what == "key":
        print(release_keys.make_key(args.file))
        return 0
    if args.what == "show":
        return _show(args.file, as_json=args.json)
    own = _own_wheels(args.wheel)
    if not args.key.exists():
        print(
            f"{args.key}: a new release key; its public key is {release_keys.make_key(args.key)}", file=sys.stderr
        )
    key = release_keys.load_key(args.key)
    trust = release_keys.checked(args.trust, "--trust")
    pythons, machines = args.python or PYTHONS, args.machine or MACHINES
    with tempfile.TemporaryDirectory(prefix="feltwire-program-") as folder:
        wheels = [*own, *libraries(args.locks, pythons, machines, Path(folder))]
        args.out.mkdir(parents=True, exist_ok=True)
        path = write_release(args.out, wheels, pythons=pythons, machines=machines, key=key, trust=trust)
    print(path)
    return 0


def _show(path: Path, *, as_json: bool) -> int:
    release = read_release(path)
    signer = release_keys.signer_of(release.listed, release.signature)
    check_whole(path, release)
    if as_json:
        said = {
            "version": release.version,
            "key": signer,
            "pythons": release.pythons,
            "machines": release.machines,
        }
        print(json.dumps({**said, "files": len(release.files), "bytes": path.stat().st_size}))
        return 0
    print(f"Feltwire {release.version}, for Python {', '.join(release.pythons)} on {', '.join(release.machines)}")
    print(f"{len(release.files)} files, {path.stat().st_size:,} bytes, whole; signed with {signer}")
    return 0


def write_release(
    out: Path,
    wheels: Sequence[Path],
    *,
    pythons: Sequence[str],
    machines: Sequence[str],
    key: SigningKey,
    trust: Sequence[str] = (),
) -> Path:
    """Write `feltwire-VERSION.pyz` into the folder `out` and return its path. `wheels` are all wheels of it: the
    program's, its libraries', pip's. Raise `UsageError` for what is no wheel of a library."""
    hashes: dict[tuple[str, str], list[str]] = defaultdict(list)
    files = {}
    for path in sorted(wheels, key=lambda one: one.name):
        with path.open("rb") as file:
            digest = file_digest(file, "sha256").hexdigest()
        hashes[_of_wheel(path)].append(digest)
        files[f"wheels/{path.name}"] = {"sha256": digest, "bytes": path.stat().st_size}
    lines = [
        " ".join([f"{name}=={version}", *(f"--hash=sha256:{one}" for one in found)])
        for (name, version), found in sorted(hashes.items())
        if name != "pip"
    ]
    (version,) = [version for name, version in hashes if name == "feltwire"]
    needed = "\n".join([*lines, ""]).encode()
    files[REQUIREMENTS] = {"sha256": sha256(needed).hexdigest(), "bytes": len(needed)}
    said = {
        "form": FORM,
        "version": version,
        "pythons": pythons,
        "machines": machines,
        "keys": trust,
        "files": files,
    }
    listed = json.dumps(said, indent=1).encode()
    signature = release_keys.signature_of(listed, key)
    path = out / f"feltwire-{version}.pyz"
    fresh = path.with_name(f"{path.name}.new")
    with zipfile.ZipFile(fresh, "w") as archive:
        for name, content in [("__main__.py", _MAIN.encode()), *_code(), (REQUIREMENTS, needed)]:
            archive.writestr(zipfile.ZipInfo(name, _WHEN), content)
        for one in sorted(wheels, key=lambda one: one.name):
            archive.writestr(zipfile.ZipInfo(f"wheels/{one.name}", _WHEN), one.read_bytes())
        archive.writestr(zipfile.ZipInfo(MANIFEST, _WHEN), listed)
        archive.writestr(zipfile.ZipInfo(SIGNATURE, _WHEN), signature)
    fresh.replace(path)
    return path


def _of_wheel(path: Path) -> tuple[str, str]:
    """The name of its project, normalised, and its version."""
    found = _WHEEL.fullmatch(path.name)
    if found is None:
        raise UsageError(f"{path}: is no wheel by its name; name the wheel that `make dist` wrote")
    return re.sub(r"[-_.]+", "-", found[1]).lower(), found[2]


def _code() -> Iterator[tuple[str, bytes]]:
    """What a machine without the program runs of it."""
    package = resources.files("feltwire")
    yield from ((f"feltwire/{name}", package.joinpath(name).read_bytes()) for name in _CODE)


def _own_wheels(plain: Path) -> list[Path]:
    """The plain wheel, and those with the compiled engine of the same version beside it."""
    if not plain.is_file():
        raise UsageError(f"{plain}: there is no such wheel; make dist")
    own = _of_wheel(plain)
    return [one for one in sorted(plain.parent.glob("feltwire-*.whl")) if _of_wheel(one) == own]


def libraries(locks: Path, pythons: Sequence[str], machines: Sequence[str], folder: Path) -> list[Path]:
    """Wheels of all that the lock names, downloaded by their hashes."""
    lock, pip = locks / "requirements.lock", folder / "pip.lock"
    try:
        text = (locks / "requirements-dev.lock").read_text("utf-8").replace("\\\n", " ")
        pip.write_text(next(line for line in text.splitlines() if line.startswith("pip==")) + "\n")
    except (OSError, StopIteration):
        raise UsageError(f"{locks}: has no lock files of Feltwire; call this in a clone, or --locks") from None
    found = folder / "found"
    for version in pythons:
        for machine in machines:
            kinds = [word for glibc in _GLIBC for word in ("--platform", f"{glibc}_{machine}")]
            where = ["--dest", str(found), "--python-version", version, "--implementation", "cp", *kinds]
            _pip("download", "--no-deps", "--require-hashes", "-r", str(lock), "-r", str(pip), *where)
    built = folder / "built"
    for source in [*found.glob("*.tar.gz"), *found.glob("*.zip")]:  # a library that has no wheel
        _pip("wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(built), str(source))
        source.unlink()
    if compiled := next((one.name for one in built.glob("*.whl") if not one.name.endswith("-none-any.whl")), None):
        raise UsageError(f"{compiled}: its library has no wheel for each machine; name one --machine and --python")
    return sorted([*found.iterdir(), *built.glob("*.whl")])


def _pip(*arguments: str) -> None:
    command = python("pip", "--disable-pip-version-check", "-q", *arguments)
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        said = [line for line in done.stderr.splitlines() if line.startswith("ERROR")] or [
            done.stderr.strip()[-300:]
        ]
        raise UsageError(f"pip {arguments[0]}: {said[0]}")
