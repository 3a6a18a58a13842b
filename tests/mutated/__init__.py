"""A million mutated messages, requests and serial frames over all doors (docs/threats.md).

    python -m tests.mutated --doors bus,http,serial --count 1000000 --seed 1 --shard 1/2 --report mutated.json

A table, a station, a relay, a wall clock and the demo's landing page, each the real process with its disk, its
pages and its adapters, in one thread: the broker between them, the sockets and the terminals are left out, so that
a case takes less than a millisecond.
"""
