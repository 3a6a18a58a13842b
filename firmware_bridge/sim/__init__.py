"""Simulated devices: told "press this key, deal this tag", they speak bytes on a pseudo-terminal and
nothing else."""

from firmware_bridge.sim.keypad import SimKeypad
from firmware_bridge.sim.shoe import SimShoe

__all__ = ["SimKeypad", "SimShoe"]
