"""What a device finds wrong with itself, in words for whoever is to mend it."""

from __future__ import annotations

from firmware_bridge import payloads

FAULTS = {
    payloads.SAFE_MODE: "it keeps restarting and does nothing: connect it to a computer",
    payloads.LOW_SUPPLY: "its supply is low: another cable or power supply",
    payloads.READER_1_SILENT: "its first reader does not answer: look at the wires",
    payloads.READER_2_SILENT: "its second reader does not answer: look at the wires",
    payloads.NO_MEMORY: "it has no memory for reports: a power cut loses those under way",
    payloads.BEAM_1_COVERED: "its inner beam is covered: clean it, take the card away",
    payloads.BEAM_2_COVERED: "its outer beam is covered: clean it, take the card away",
    payloads.KEY_HELD: "a key is held down: is something lying on it?",
}


def faults(found: int) -> str:
    """The faults in a HEALTH, the worst first; empty for none."""
    return "; ".join(words for bit, words in FAULTS.items() if found & bit)
