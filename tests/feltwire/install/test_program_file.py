"""The file of a release: what it is for, whose it is, and that no other file is taken for one."""

from __future__ import annotations

import ast
import contextlib
import json
import random
import shutil
import sys
import zipfile
from pathlib import Path

import pytest
from nacl.signing import SigningKey

from feltwire.cli import main
from feltwire.errors import UsageError
from feltwire.install.program_file import MANIFEST, SIGNATURE, check_whole, read_release, unpack
from feltwire.install.release_keys import check_signature, load_key, make_key, signer_of
from feltwire.tools import program
from tests.feltwire.install.releases import KEY, PUBLIC, release

ROOT = Path(__file__).parents[3]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return release(tmp_path / "made", "1.2.0")


def test_a_release_says_what_it_is_and_a_machine_finds_its_own_wheels(file: Path) -> None:
    found = read_release(file)
    check_whole(file, found)
    check_signature(found, (PUBLIC,))
    assert found.version == "1.2.0"
    wheels = {name.partition("/")[2].partition("-")[0] for name in found.wheels_for("3.12", "x86_64")}
    assert wheels == {"feltwire", "numpy", "opencv_python_headless", "pip", "tzdata"}
    names = {name.partition("/")[2].partition("-")[0] for name in found.wheels_for("3.11", "aarch64")}
    assert names == {"feltwire", "numpy", "pip", "tzdata"}
    with pytest.raises(UsageError, match=r"this is Python 3\.9 on armv7l"):
        found.wheels_for("3.9", "armv7l")


def test_the_same_wheels_give_the_same_file(file: Path, tmp_path: Path) -> None:
    assert release(tmp_path / "again", "1.2.0").read_bytes() == file.read_bytes()


def test_a_release_counts_by_its_key_alone(file: Path, tmp_path: Path) -> None:
    found = read_release(file)
    other = SigningKey.generate()
    with pytest.raises(UsageError, match="another venue's, or a forgery"):
        check_signature(found, (other.verify_key.encode().hex(),))
    with pytest.raises(UsageError, match="trusts no release key"):
        check_signature(found, ())
    forged = read_release(release(tmp_path / "other", "1.2.1", other))
    for listed, signature in [(forged.listed, found.signature), (found.listed, b""), (found.listed + b" ", b"x")]:
        with pytest.raises(UsageError, match=r"signature|not signed"):
            signer_of(listed, signature)
    assert signer_of(found.listed, found.signature) == PUBLIC


def test_a_file_that_was_changed_anywhere_is_not_taken(file: Path, tmp_path: Path) -> None:
    """Each byte that a machine would use: one that is another is found, whatever is left of the zip."""
    raw, odd = file.read_bytes(), tmp_path / "odd.pyz"
    found = read_release(file)
    for seed in range(150):
        at = random.Random(seed).randrange(len(raw))
        odd.write_bytes(raw[:at] + bytes([raw[at] ^ (1 << seed % 8)]) + raw[at + 1 :])
        with contextlib.suppress(UsageError):
            said = read_release(odd)
            check_signature(said, (PUBLIC,))
            check_whole(odd, said)
            assert said == found  # a byte of what only a first install runs, or that no zip needs
    for length in (0, 1, 21, 22, 500, len(raw) // 2, len(raw) - 1):
        odd.write_bytes(raw[:length])
        with pytest.raises(UsageError, match=r"is no release|cannot be read"):
            read_release(odd)
    odd.write_bytes(raw + b"more")
    with pytest.raises(UsageError, match="is no release"):
        read_release(odd)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"form": 2}, "its form is 2"),
        ({"version": "../../etc"}, "version or files"),
        ({"files": {"../x": {"sha256": "0" * 64, "bytes": 1}}}, "'../x' in"),
        ({"files": {"wheels/a.whl": {"sha256": "0" * 64, "bytes": 10**15}}}, "version or files"),
        ({"files": {"requirements.txt": {"sha256": "0" * 64, "bytes": 10**15}}}, "a hash or a size"),
        ({"files": 3}, "AttributeError"),
        ({"keys": ["x"]}, "'x' in"),
    ],
)
def test_a_list_that_says_something_odd_is_refused(
    file: Path, tmp_path: Path, changed: dict[str, object], said: str
) -> None:
    odd = tmp_path / "odd.pyz"
    with zipfile.ZipFile(file) as old, zipfile.ZipFile(odd, "w") as new:
        new.writestr(MANIFEST, json.dumps({**json.loads(old.read(MANIFEST)), **changed}))
        new.writestr(SIGNATURE, old.read(SIGNATURE))
    with pytest.raises(UsageError, match=said):
        read_release(odd)


def test_what_a_zip_says_of_its_sizes_is_not_believed(file: Path, tmp_path: Path) -> None:
    """A small entry that unpacks to a gigabyte is read up to what the list says."""
    odd, found = tmp_path / "odd.pyz", read_release(file)
    with zipfile.ZipFile(file) as old, zipfile.ZipFile(odd, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            new.writestr(name, bytes(1 << 26) if name.startswith("wheels/feltwire") else old.read(name))
    (name,) = [name for name in found.files if name.startswith("wheels/feltwire")]
    with pytest.raises(UsageError, match="is not what the list says"):
        unpack(odd, read_release(odd), [name], tmp_path / "out")
    assert (tmp_path / "out" / name.partition("/")[2]).stat().st_size <= found.files[name].size
    with zipfile.ZipFile(odd, "w") as many:
        for number in range(600):
            many.writestr(str(number), b"")
    with pytest.raises(UsageError, match="is no release"):
        read_release(odd)


def test_what_a_bare_machine_runs_needs_nothing_but_python(file: Path) -> None:
    names = {name.removesuffix(".py").removesuffix("/__init__").replace("/", ".") for name in program._CODE}
    mine = {f"feltwire.{name}" for name in names} | {"feltwire"}
    for name in program._CODE:
        tree = ast.parse((ROOT / "feltwire" / name).read_text("utf-8"))
        for node in ast.walk(tree):
            found = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            found += [one.name for one in node.names] if isinstance(node, ast.Import) else []
            for one in found:
                assert one in mine or one.partition(".")[0] in sys.stdlib_module_names, f"{name}: {one}"
    with zipfile.ZipFile(file) as archive:
        assert {f"feltwire/{name}" for name in program._CODE} < set(archive.namelist())


def test_a_key_is_made_once_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "keys" / "release.key"
    public = make_key(path)
    assert path.stat().st_mode & 0o077 == 0
    assert load_key(path).verify_key.encode().hex() == public
    with pytest.raises(UsageError, match="exists"):
        make_key(path)
    path.write_text("hello")
    with pytest.raises(UsageError, match="is no release key"):
        load_key(path)


def test_show_says_whose_a_file_is_and_whether_it_is_whole(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["program", "show", str(file), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["version"], said["key"], said["bytes"]) == ("1.2.0", PUBLIC, file.stat().st_size)
    cut = file.with_name("cut.pyz")
    shutil.copy(file, cut)
    cut.write_bytes(cut.read_bytes()[:-30])
    assert main(["program", "show", str(cut)]) == 2
    assert "is no release" in capsys.readouterr().err


def test_keys_that_a_release_names_are_in_its_list(tmp_path: Path) -> None:
    successor = SigningKey.generate().verify_key.encode().hex()
    assert read_release(release(tmp_path, "1.3.0", KEY, trust=(successor,))).keys == (successor,)
