"""What every command has in common."""

from __future__ import annotations

import subprocess

from feltwire.private_files import python


def test_a_reader_that_has_seen_enough_is_no_error() -> None:
    """`feltwire rules | head -1`."""
    with subprocess.Popen(
        python("feltwire", "rules"), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == ""
        process.wait()
    assert process.returncode == 141, "as of any program whose reader is gone"
