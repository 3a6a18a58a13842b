"""The firmware that this release brings (hardware/firmware): how a device with it introduces itself."""

from __future__ import annotations

from firmware_bridge import payloads
from firmware_bridge.handshake import Hello

# Make, and hash of the files: `python -m firmware_bridge.sim.firmware keypad`.
FIRMWARE = {
    payloads.KEYPAD: ("feltwire-keypad", "3cc417e1f8190fb7"),
    payloads.SHOE: ("feltwire-shoe", "bc212578a61a4433"),
}


def is_other(hello: Hello) -> bool:
    """Whether a device of ours runs something else. One of another make, or that does not say what it runs, is
    not judged."""
    make, source = FIRMWARE.get(hello.device_kind, ("", ""))
    return bool(hello.source) and hello.firmware.partition(" ")[0] == make and hello.source != source
