"""Runs under MicroPython: the keypad's firmware on its simulated board, presses that bounce, every frame that it
sends."""

import gc
import sys

import presses

from firmware_bridge.frames import ACK, LAMP, Decoder, encode
from firmware_bridge.payloads import lamp
from firmware_bridge.sim.pico.board import Board
from firmware_bridge.sim.pico.keypad_rig import KeypadRig
from firmware_bridge.sim.pico.modules import modules_of
from firmware_bridge.sim.pico.timeline import TimeLine

board = Board(TimeLine())
sys.modules.update(modules_of(board))
heard, names = Decoder(), []
# --- 1
gc.collect()
before = gc.mem_alloc()
# --- 1
import main  # noqa: E402
from matrix import KEYS  # noqa: E402

rig = KeypadRig(board, KEYS)
for key, edges in presses.PRESSES:
    rig.touch(key, edges)
keypad = main.start()
board.cable.to_pico += encode(LAMP, 0, 0, lamp(11, 1, 2, 3, False))
# --- 1
gc.collect()
print("# loaded", gc.mem_alloc() - before)
# --- 20
until = board.time.now + (presses.END + 19) // 20
while board.time.now < until:
    keypad.step()
    for frame in heard.feed(board.cable.take()):
        if not frame.seq:
            continue
        if (frame.boot, frame.seq) not in names:
            names.append((frame.boot, frame.seq))
            print(frame.kind, frame.boot, frame.seq, frame.payload.hex())
        board.cable.to_pico += encode(ACK, frame.boot, frame.seq)
# --- 1
gc.collect()
print("# afterwards", gc.mem_alloc() - before)
print("lamp", board.strip[11])
