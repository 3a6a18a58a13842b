"""Simulated devices: they are told to press a key or deal a tag, and send only bytes on a pseudo-terminal."""

from firmware_bridge.sim.keypad import SimKeypad
from firmware_bridge.sim.shoe import SimShoe

__all__ = ["SimKeypad", "SimShoe"]
