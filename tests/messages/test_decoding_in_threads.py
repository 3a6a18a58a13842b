"""Messages are read by several threads of a process."""

from __future__ import annotations

import subprocess
import sys

# Each process makes its decoders anew: msgspec 0.22 crashed in six of eight.
READS = """
import sys, threading
from random import Random
from table_core.messages import *

sys.setswitchinterval(1e-6)
KINDS = [Envelope, TableState, TableLeaseholder, ClockState, TournamentField, OverlayView, EventView]
READERS = 4
together = threading.Barrier(READERS)

def reads(number):
    kinds = Random(number).sample(KINDS, len(KINDS))
    together.wait()
    for kind in kinds:
        try:
            decode(b'{"v":1,"venue":"a","view":{"venue":"x"},"data":{"type":"hand_started"}}', kind)
        except Malformed:
            pass

threads = [threading.Thread(target=reads, args=(number,)) for number in range(READERS)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
"""
PROCESSES = 6


def test_threads_that_read_a_kind_for_the_first_time_at_once() -> None:
    ends = [subprocess.run([sys.executable, "-c", READS], check=False).returncode for _ in range(PROCESSES)]
    assert ends == [0] * PROCESSES
